package dev.tablestate.client;

import dev.tablestate.client.errors.TablestateException;
import java.util.concurrent.TimeUnit;

/**
 * The pauses of a stream that is opened anew whenever it breaks. The patience counts from the break
 * and not from the last message: a match may rest for days.
 */
final class StreamBackoff extends Backoff {
  // A stream that stood this long was connected, even if nothing came over it: a connection
  // attempt fails sooner.
  private static final long STANDING = TimeUnit.SECONDS.toNanos(15);

  private final long started;
  private final long limit;
  private long opened;

  /** Starts the clock: the streams together may take so many nanoseconds. */
  StreamBackoff(RetryPolicy policy, long limit, World world) {
    super(policy, policy.watchPatienceNanos, world);
    this.limit = limit;
    started = world.nanoTime();
    opened = started;
  }

  /** Notes that a stream is being opened, and returns the nanoseconds that it may take. */
  long open() {
    opened = world.nanoTime();
    return left(opened);
  }

  @Override
  long delayAfter(TablestateException error) {
    long now = world.nanoTime();
    if (left(now) == 0) {
      throw error;
    }
    if (now - opened > STANDING) {
      reset();
    }
    return Math.min(super.delayAfter(error), left(now));
  }

  private long left(long now) {
    return Math.max(0, limit - (now - started));
  }
}
