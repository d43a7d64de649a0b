package dev.tablestate.client;

import dev.tablestate.client.errors.ClientClosedException;
import dev.tablestate.v1.OpenBatch;
import dev.tablestate.v1.SimulateRequest;
import dev.tablestate.v1.SimulateResponse;
import dev.tablestate.v1.WantedParts;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A stream on which batches of games live; they are gone when it ends. Two batches on one stream
 * can be stepped at the same time: {@code begin} both, then {@code finish} both. One thread at a
 * time.
 *
 * <p>Made by {@link Engine#simulate}.
 */
public final class Simulation implements AutoCloseable {
  /** All parts that a batch can show of each slot. */
  public static final WantedParts ALL_PARTS =
      WantedParts.newBuilder()
          .setActors(true)
          .setFlags(true)
          .setActions(true)
          .setReturns(true)
          .setMasks(true)
          .setObservations(true)
          .build();

  private final Dialogue<SimulateRequest, SimulateResponse> stream;
  private final Deque<Batch> awaited = new ArrayDeque<>();
  private int opened;

  Simulation(Dialogue<SimulateRequest, SimulateResponse> stream) {
    this.stream = stream;
  }

  /** Sets up new games, of which all parts are shown. */
  public Batch open(OpenBatch games) {
    return open(games, ALL_PARTS);
  }

  /** Sets up new games; throws InvalidRequestException, and the stream has ended then. */
  public Batch open(OpenBatch games, WantedParts wanted) {
    Batch batch = newBatch(wanted);
    batch.ask(SimulateRequest.newBuilder().setOpen(games));
    return batch;
  }

  /** Ends the stream, and with it all its batches. */
  @Override
  public void close() {
    stream.close();
  }

  Batch newBatch(WantedParts wanted) {
    opened++;
    return new Batch(this, opened, wanted);
  }

  void send(Batch batch, SimulateRequest request) {
    stream.send(request);
    awaited.add(batch);
  }

  /** Gives each batch its answers, in their order, until this one has all of its. */
  void receiveFor(Batch batch) {
    while (awaited.contains(batch)) {
      SimulateResponse answer = stream.receive();
      if (answer == null) {
        throw new ClientClosedException("stream");
      }
      awaited.remove().take(answer);
    }
  }
}
