package dev.tablestate.client;

import dev.tablestate.client.errors.ClientClosedException;
import dev.tablestate.client.errors.TablestateException;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/** Calls over a channel, tried again where that helps. */
final class Calls {
  /** As long as it takes. */
  static final long FOREVER = Long.MAX_VALUE / 2;

  private final Channel channel;
  private final RetryPolicy retry;
  private final World world;
  private final Runnable reconnect;
  private volatile boolean isClosed;

  /** How long a call may take, unless it is told otherwise. */
  final Duration timeout;

  Calls(Channel channel, Duration timeout, RetryPolicy retry, World world, Runnable reconnect) {
    this.channel = channel;
    this.timeout = timeout;
    this.retry = retry;
    this.world = world;
    this.reconnect = reconnect;
  }

  /** Calls still open, and later ones, throw ClientClosedException. */
  void close() {
    isClosed = true;
  }

  /** Calls a method that changes something; an error tells the intent to repeat it with. */
  <Q, R> R mutate(MethodDescriptor<Q, R> method, Q request, Intent intent, CallSettings settings) {
    try {
      return unary(method, request, settings);
    } catch (TablestateException error) {
      throw error.withIntent(intent);
    }
  }

  /** Calls a method with one answer. */
  <Q, R> R unary(MethodDescriptor<Q, R> method, Q request, CallSettings settings) {
    return retried(settings, retry.attemptTimeoutNanos, limit -> one(method, request, limit));
  }

  /** The same of a method that works for long: one attempt may take all the time there is. */
  <Q, R> R unaryLong(MethodDescriptor<Q, R> method, Q request, CallSettings settings) {
    return retried(settings, FOREVER, limit -> one(method, request, limit));
  }

  private <Q, R> R one(MethodDescriptor<Q, R> method, Q request, long limit) {
    Q sent = Arguments.sendable(request);
    return ClientCalls.blockingUnaryCall(channel, method, within(limit), sent);
  }

  /**
   * Calls a method that streams a finite answer, which may take all the time there is, and returns
   * all of it. The consumer is told each part when it comes; if the call is tried again, those of
   * the new stream too.
   */
  <Q, R> List<R> collect(
      MethodDescriptor<Q, R> method, Q request, CallSettings settings, Consumer<R> onPart) {
    return retried(
        settings,
        FOREVER,
        limit -> {
          List<R> parts = new ArrayList<>();
          try (Dialogue<Q, R> stream = new Dialogue<>(channel, method, within(limit))) {
            stream.send(request);
            stream.halfClose();
            for (R part = stream.receive(); part != null; part = stream.receive()) {
              parts.add(part);
              onPart.accept(part);
            }
          }
          return parts;
        });
  }

  /** Opens a stream of requests and answers, for so many nanoseconds at most. */
  <Q, R> Dialogue<Q, R> dialogue(MethodDescriptor<Q, R> method, long limit) {
    requireOpen();
    return new Dialogue<>(channel, method, within(limit));
  }

  /** The pauses of a stream that is opened anew whenever it breaks. */
  StreamBackoff streamBackoff(long limit) {
    return new StreamBackoff(retry, limit, world);
  }

  /** Waits before something is tried again; throws if there is no point in it. */
  void pause(long nanos) {
    try {
      world.sleep(nanos);
    } catch (InterruptedException givenUp) {
      throw Dialogue.interrupted();
    }
    requireOpen();
    reconnect.run();
  }

  void requireOpen() {
    if (isClosed) {
      throw new ClientClosedException("client");
    }
  }

  /** Makes attempts, of so many nanoseconds at most each, until one succeeds or none helps. */
  private <R> R retried(CallSettings settings, long longest, LongFunction<R> attempt) {
    Backoff backoff = new Backoff(retry, settings.timeoutNanos(timeout), world);
    while (true) {
      requireOpen();
      try {
        return attempt.apply(backoff.attemptTimeout(longest));
      } catch (StatusRuntimeException failed) {
        pause(delayAfter(Statuses.toException(failed.getStatus(), failed.getTrailers()), backoff));
      } catch (TablestateException failed) {
        pause(delayAfter(failed, backoff));
      }
    }
  }

  private long delayAfter(TablestateException error, Backoff backoff) {
    requireOpen();
    if (Thread.currentThread().isInterrupted()) {
      throw Dialogue.interrupted();
    }
    return backoff.delayAfter(error);
  }

  private static CallOptions within(long nanos) {
    return nanos >= FOREVER
        ? CallOptions.DEFAULT
        : CallOptions.DEFAULT.withDeadlineAfter(nanos, TimeUnit.NANOSECONDS);
  }
}
