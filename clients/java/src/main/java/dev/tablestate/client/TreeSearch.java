package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.client.errors.ErrorDetails;
import dev.tablestate.client.errors.InvalidArgumentException;
import dev.tablestate.client.errors.PreconditionException;
import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.client.errors.UnavailableException;
import dev.tablestate.v1.BatchShape;
import dev.tablestate.v1.EvaluateReport;
import dev.tablestate.v1.EvaluateRequest;
import dev.tablestate.v1.EvaluateResponse;
import dev.tablestate.v1.LeafAnswers;
import dev.tablestate.v1.OpenEvaluate;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * Trees that grow at the same time, one for each root, with the caller as their judge. The server
 * forgets them when this is closed. One thread at a time; made by {@link Engine#evaluate}.
 */
public final class TreeSearch implements AutoCloseable {
  // Bytes in a message: with its values it must not be longer than servers take.
  private static final int MOST_PRIORS = 512 * 1024;

  private final Dialogue<EvaluateRequest, EvaluateResponse> stream;
  private BatchShape shape = BatchShape.getDefaultInstance();
  private @Nullable EvaluateResponse next;
  private @Nullable Leaves leaves;
  private @Nullable EvaluateReport report;

  private TreeSearch(Dialogue<EvaluateRequest, EvaluateResponse> stream) {
    this.stream = stream;
  }

  static TreeSearch begin(
      Dialogue<EvaluateRequest, EvaluateResponse> stream, OpenEvaluate opening) {
    TreeSearch search = new TreeSearch(stream);
    stream.send(EvaluateRequest.newBuilder().setOpen(opening).build());
    try {
      EvaluateResponse first = search.receive();
      search.shape = first.getShape();
      search.next = first;
    } catch (TablestateException refused) {
      stream.close();
      throw refused;
    }
    return search;
  }

  /** Roots, seats, actions, and bytes of a mask and of an observation. */
  public BatchShape getShape() {
    return shape;
  }

  /**
   * Waits for the leaves of the next round; null when all simulations were made. Leaves that wait
   * for an answer are given again. Throws InvalidRequestException for answers that were not
   * acceptable; the stream has ended then.
   */
  public @Nullable Leaves leaves() {
    if (leaves != null || report != null) {
      return leaves;
    }
    EvaluateResponse response = next == null ? receive() : next;
    next = null;
    if (response.hasReport()) {
      report = response.getReport();
    } else {
      leaves = new Leaves(response.getLeaves(), shape);
    }
    return leaves;
  }

  /**
   * Tells what the evaluator thinks of the last leaves.
   *
   * @param priors for each leaf one number for each action: how promising it is, from 0 on. Only
   *     those of legal actions are read, and they need not add up to 1
   * @param values for each leaf the return, -1 to 1, that its actor may expect; or one a seat
   */
  public void answer(float[] priors, float[] values) {
    Leaves asked = leaves;
    if (asked == null) {
      throw new InvalidArgumentException(
          "priors", "must not be given: no leaves wait for an answer");
    }
    int size = asked.getSize();
    requireCount("priors", priors, size * shape.getActions(), size * shape.getActions());
    requireCount("values", values, size, size * shape.getSeats());
    send(legalPriors(asked, priors), floats(values));
    leaves = null;
  }

  /**
   * What was found, once {@link #leaves} has returned null; throws PreconditionException before.
   */
  public EvaluateReport getReport() {
    if (report == null) {
      throw new PreconditionException(
          ErrorDetails.of(Status.Code.FAILED_PRECONDITION, "the search goes on"));
    }
    return report;
  }

  /** How many simulations of a root began with an action. */
  public int getVisits(int root, int action) {
    ByteBuffer visits = getReport().getVisits().asReadOnlyByteBuffer();
    return visits.order(ByteOrder.LITTLE_ENDIAN).getInt(4 * (root * shape.getActions() + action));
  }

  /** The mean return of a root's actor after an action; 0 if it was never taken. */
  public float getValue(int root, int action) {
    ByteBuffer values = getReport().getValues().asReadOnlyByteBuffer();
    return values.order(ByteOrder.LITTLE_ENDIAN).getFloat(4 * (root * shape.getActions() + action));
  }

  /** Ends the stream, and with it the search. */
  @Override
  public void close() {
    stream.close();
  }

  private EvaluateResponse receive() {
    EvaluateResponse response = stream.receive();
    if (response == null) {
      throw new UnavailableException(
          ErrorDetails.of(Status.Code.UNAVAILABLE, "the stream has ended before the report"));
    }
    return response;
  }

  private static void requireCount(String name, float[] given, int one, int other) {
    int count = Arguments.given(name, given).length;
    if (count != one && count != other) {
      String expected = one == other ? "" + one : one + " or " + other;
      throw new InvalidArgumentException(name, count + " of them: must be " + expected);
    }
  }

  private void send(ByteString priors, ByteString values) {
    int begin = 0;
    for (; priors.size() - begin > MOST_PRIORS; begin += MOST_PRIORS) {
      ByteString part = priors.substring(begin, begin + MOST_PRIORS);
      send(LeafAnswers.newBuilder().setPriors(part).setMore(true));
    }
    send(LeafAnswers.newBuilder().setPriors(priors.substring(begin)).setValues(values));
  }

  private void send(LeafAnswers.Builder answers) {
    stream.send(EvaluateRequest.newBuilder().setAnswers(answers).build());
  }

  /** Those of the legal actions alone, leaf by leaf: it is all that the server reads. */
  private ByteString legalPriors(Leaves asked, float[] priors) {
    ByteBuffer packed = ByteBuffer.allocate(4 * priors.length);
    packed.order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < priors.length; i++) {
      if (asked.isLegal(i / shape.getActions(), i % shape.getActions())) {
        packed.putFloat(priors[i]);
      }
    }
    return ByteString.copyFrom(packed.array(), 0, packed.position());
  }

  private static ByteString floats(float[] values) {
    ByteBuffer packed = ByteBuffer.allocate(4 * values.length);
    packed.order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      packed.putFloat(value);
    }
    return ByteString.copyFrom(packed.array());
  }
}
