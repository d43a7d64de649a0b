package dev.tablestate.client;

import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.v1.ErrorReason;
import io.grpc.Status;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The pauses and the deadline of one call with all its attempts. */
class Backoff {
  // A server that stops cancels what arrives in its last moment.
  private static final Set<Status.Code> RETRIED =
      EnumSet.of(Status.Code.UNAVAILABLE, Status.Code.DEADLINE_EXCEEDED, Status.Code.CANCELLED);

  final RetryPolicy policy;
  final World world;
  private final long patience;
  private long deadline;
  private double delay;

  /** Starts the clock: all attempts together may take so many nanoseconds. */
  Backoff(RetryPolicy policy, long patience, World world) {
    this.policy = policy;
    this.patience = patience;
    this.world = world;
    reset();
  }

  /** Starts anew after progress. */
  final void reset() {
    deadline = world.nanoTime() + patience;
    delay = policy.initialDelayNanos;
  }

  /** The nanoseconds that the next attempt may take, of so many at most. */
  long attemptTimeout(long longest) {
    return Math.max(0, Math.min(longest, deadline - world.nanoTime()));
  }

  /** The nanoseconds before the next attempt; throws the error if there is to be none. */
  long delayAfter(TablestateException error) {
    Duration told = error.getRetryAfter();
    boolean isTold = told != null || error.getReason() == ErrorReason.ERROR_REASON_WATCHER_TOO_SLOW;
    if (!RETRIED.contains(error.getCode()) && !isTold) {
      throw error;
    }
    // Jitter: clients cut off together must not come back together.
    long pause = (long) (delay * (1 + world.random()) / 2) + (told == null ? 0 : told.toNanos());
    if (deadline - world.nanoTime() <= pause) {
      throw error;
    }
    delay = Math.min(delay * policy.multiplier, policy.maxDelayNanos);
    return pause;
  }
}
