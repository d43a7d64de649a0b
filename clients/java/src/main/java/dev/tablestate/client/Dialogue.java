package dev.tablestate.client;

import dev.tablestate.client.errors.CancelledException;
import dev.tablestate.client.errors.ClientClosedException;
import dev.tablestate.client.errors.ErrorDetails;
import dev.tablestate.client.errors.TablestateException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * A stream of answers, and of requests. One thread receives; any may send and close. The next
 * answer is asked for when one is taken, so that a slow reader holds the server back.
 */
final class Dialogue<Q, R> implements AutoCloseable {
  private final ClientCall<Q, R> call;
  private final BlockingQueue<Event<R>> events = new LinkedBlockingQueue<>();
  private volatile boolean isClosed;

  /** What has come: an answer, or the end. */
  private static final class Event<R> {
    final @Nullable R answer;
    final Status end;
    final @Nullable Metadata trailers;

    Event(@Nullable R answer, Status end, @Nullable Metadata trailers) {
      this.answer = answer;
      this.end = end;
      this.trailers = trailers;
    }
  }

  Dialogue(Channel channel, MethodDescriptor<Q, R> method, CallOptions options) {
    call = channel.newCall(method, options);
    call.start(new Listener(), new Metadata());
    call.request(1);
  }

  /**
   * Sends a request, unless it is refused here, which leaves the stream as it is; on a stream that
   * has ended nothing happens: {@link #receive} tells why.
   */
  void send(Q request) {
    Q sent = Arguments.sendable(request);
    try {
      call.sendMessage(sent);
    } catch (IllegalStateException ended) {
      // Its end is among the events.
    }
  }

  /** Says that no more requests will follow. */
  void halfClose() {
    try {
      call.halfClose();
    } catch (IllegalStateException ended) {
      // Likewise.
    }
  }

  /** Waits for an answer; null when the stream has ended well. Throws how it has ended else. */
  @Nullable R receive() {
    Event<R> event = take();
    if (event.answer != null) {
      call.request(1);
      return event.answer;
    }
    events.add(event); // Whoever asks again is told the same.
    if (isClosed) {
      throw new ClientClosedException("stream");
    }
    if (event.end.isOk()) {
      return null;
    }
    throw Statuses.toException(event.end, event.trailers);
  }

  private Event<R> take() {
    try {
      return events.take();
    } catch (InterruptedException givenUp) {
      close();
      throw interrupted();
    }
  }

  /** Ends it; whoever waits is told so. */
  @Override
  public void close() {
    isClosed = true;
    call.cancel("the caller has closed it", null);
  }

  /** The error for a thread that was interrupted while it waited; it stays interrupted. */
  static TablestateException interrupted() {
    Thread.currentThread().interrupt();
    return new CancelledException(ErrorDetails.of(Status.Code.CANCELLED, "interrupted"));
  }

  private final class Listener extends ClientCall.Listener<R> {
    @Override
    public void onMessage(R answer) {
      events.add(new Event<>(answer, Status.OK, null));
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      events.add(new Event<>(null, status, trailers));
    }
  }
}
