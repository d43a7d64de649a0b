package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.client.errors.ClientClosedException;
import dev.tablestate.client.errors.InvalidArgumentException;
import dev.tablestate.v1.ActionForm;
import dev.tablestate.v1.BatchParts;
import dev.tablestate.v1.BatchShape;
import dev.tablestate.v1.CloseBatch;
import dev.tablestate.v1.CopyBatch;
import dev.tablestate.v1.DumpStates;
import dev.tablestate.v1.GameState;
import dev.tablestate.v1.LoadStates;
import dev.tablestate.v1.PlayDraws;
import dev.tablestate.v1.PlayedDraws;
import dev.tablestate.v1.SimulateRequest;
import dev.tablestate.v1.SimulateResponse;
import dev.tablestate.v1.SlotFlag;
import dev.tablestate.v1.StepBatch;
import dev.tablestate.v1.WantedParts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Games of one kind and one set of options, one in each slot.
 *
 * <p>{@link #getParts} is what the last answer shows, packed as {@code batch.proto} says; the other
 * getters read it. Made by {@link Simulation#open}.
 */
public final class Batch implements AutoCloseable {
  /** The actor when the game is over. */
  public static final int NO_ACTOR = 255;

  /** The action when none was taken; as an index it leaves a slot as it is. */
  public static final int NO_ACTION = 65_535;

  private final Simulation simulation;
  private final int number;
  private final WantedParts wanted;
  private BatchShape shape = BatchShape.getDefaultInstance();
  private SimulateResponse answer = SimulateResponse.getDefaultInstance();
  private boolean isClosed;

  Batch(Simulation simulation, int number, WantedParts wanted) {
    this.simulation = simulation;
    this.number = number;
    this.wanted = wanted;
  }

  /** Slots, seats, actions, and bytes of a mask and of an observation. */
  public BatchShape getShape() {
    return shape;
  }

  /** What the last answer shows of each slot. */
  public BatchParts getParts() {
    return answer.getParts();
  }

  /** The seat that must decide in a slot, or NO_ACTOR. */
  public int getActor(int slot) {
    return getParts().getActors().byteAt(slot) & 0xff;
  }

  /** Whether a flag of a slot is set. */
  public boolean hasFlag(int slot, SlotFlag flag) {
    return (getParts().getFlags().byteAt(slot) & flag.getNumber()) != 0;
  }

  /** Whether an action is legal in a slot. */
  public boolean isLegal(int slot, int index) {
    if (slot < 0 || slot >= shape.getSize() || index < 0 || index >= shape.getActions()) {
      return false;
    }
    byte bits = getParts().getMasks().byteAt(slot * shape.getMaskBytes() + index / 8);
    return (bits >> index % 8 & 1) == 1;
  }

  /** The return of a seat in a slot; 0 while the game goes on. */
  public float getReturn(int slot, int seat) {
    ByteBuffer returns = getParts().getReturns().asReadOnlyByteBuffer();
    return returns.order(ByteOrder.LITTLE_ENDIAN).getFloat(4 * (slot * shape.getSeats() + seat));
  }

  /** What is seen of a slot, as the game's ObservationSpace lays it out. */
  public ByteString getObservation(int slot) {
    int size = shape.getObservationBytes();
    return getParts().getObservations().substring(slot * size, (slot + 1) * size);
  }

  /** Takes an action in every slot, by its index; one that is not legal sets SLOT_FLAG_REFUSED. */
  public void step(int[] indices) {
    step(ActionForm.ACTION_FORM_INDEX, indices);
  }

  /** Takes an action in every slot, named as the form says. */
  public void step(ActionForm form, int[] actions) {
    begin(form, actions);
    finish();
  }

  /** Sends a step without waiting for its answer. */
  public void begin(ActionForm form, int[] actions) {
    StepBatch step = StepBatch.newBuilder().setForm(form).setActions(pack(form, actions)).build();
    send(SimulateRequest.newBuilder().setStep(step));
  }

  /** Waits for the answers to everything that was begun. */
  public void finish() {
    simulation.receiveFor(this);
  }

  /** Makes a batch of copies of slots, each as often as it is named; none named: of all. */
  public Batch copy(List<Integer> slots) {
    return copy(CopyBatch.newBuilder().addAllSlots(slots));
  }

  /** The same, and the chance of the copies follows from a seed of their own. */
  public Batch copy(List<Integer> slots, long seed) {
    return copy(CopyBatch.newBuilder().addAllSlots(slots).setSeed(seed));
  }

  private Batch copy(CopyBatch.Builder which) {
    requireOpen();
    Batch copies = simulation.newBatch(wanted);
    copies.ask(SimulateRequest.newBuilder().setCopy(which.setSource(number)));
    return copies;
  }

  /** Puts games into slots, one for each state. */
  public void load(List<Integer> slots, List<GameState> states) {
    LoadStates load = LoadStates.newBuilder().addAllSlots(slots).addAllStates(states).build();
    ask(SimulateRequest.newBuilder().setLoad(load));
  }

  /** The full states of slots; none named: of all. */
  public List<GameState> dump(List<Integer> slots) {
    ask(SimulateRequest.newBuilder().setDump(DumpStates.newBuilder().addAllSlots(slots)));
    return answer.getStatesList();
  }

  /**
   * Takes an action with given draws. If they do not suffice nothing is done, and the answer tells
   * how many values the next one can have. Throws IllegalActionException or
   * InvalidRequestException; the stream has ended then.
   */
  public PlayedDraws play(PlayDraws draws) {
    ask(SimulateRequest.newBuilder().setPlay(draws));
    return answer.getPlayed();
  }

  /** Forgets the batch on the server. */
  @Override
  public void close() {
    if (!isClosed) {
      ask(SimulateRequest.newBuilder().setClose(CloseBatch.getDefaultInstance()));
      isClosed = true;
    }
  }

  void ask(SimulateRequest.Builder request) {
    send(request);
    finish();
  }

  private void send(SimulateRequest.Builder request) {
    requireOpen();
    simulation.send(this, request.setBatch(number).setWanted(wanted).build());
  }

  void take(SimulateResponse told) {
    answer = told;
    if (told.hasShape()) {
      shape = told.getShape();
    }
  }

  private void requireOpen() {
    if (isClosed) {
      throw new ClientClosedException("batch");
    }
  }

  private ByteString pack(ActionForm form, int[] actions) {
    Arguments.given("form", form);
    if (Arguments.given("actions", actions).length != shape.getSize()) {
      String expected = " of them: must be " + shape.getSize() + ", one for each slot";
      throw new InvalidArgumentException("actions", actions.length + expected);
    }
    boolean isDraw = form == ActionForm.ACTION_FORM_DRAW;
    ByteBuffer packed = ByteBuffer.allocate(actions.length * (isDraw ? 4 : 2));
    packed.order(ByteOrder.LITTLE_ENDIAN);
    for (int action : actions) {
      if (isDraw) {
        packed.putInt(action);
      } else if (action < 0 || action > NO_ACTION) {
        String expected = ": must be numbers from 0 to " + NO_ACTION;
        throw new InvalidArgumentException("actions", action + expected);
      } else {
        packed.putShort((short) action);
      }
    }
    return ByteString.copyFrom(packed.array());
  }
}
