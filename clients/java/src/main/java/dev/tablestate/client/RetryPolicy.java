package dev.tablestate.client;

import dev.tablestate.client.errors.InvalidArgumentException;
import java.time.Duration;

/**
 * How calls are tried again.
 *
 * <p>A call is tried until its deadline. That is safe for every call: a retry carries the same
 * request id and the same bytes, so the server does nothing twice.
 */
public final class RetryPolicy {
  /** What clients do that are not told otherwise. */
  public static final RetryPolicy DEFAULT = builder().build();

  final long initialDelayNanos;
  final double multiplier;
  final long maxDelayNanos;
  final long attemptTimeoutNanos;
  final long watchPatienceNanos;

  private RetryPolicy(Builder from) {
    initialDelayNanos = from.initialDelay.toNanos();
    multiplier = from.multiplier;
    maxDelayNanos = from.maxDelay.toNanos();
    attemptTimeoutNanos = from.attemptTimeout.toNanos();
    watchPatienceNanos = from.watchPatience.toNanos();
  }

  /** Begins with what is the default. */
  public static Builder builder() {
    return new Builder();
  }

  /** Makes a policy. */
  public static final class Builder {
    private Duration initialDelay = Duration.ofMillis(50);
    private double multiplier = 2;
    private Duration maxDelay = Duration.ofSeconds(2);
    private Duration attemptTimeout = Duration.ofSeconds(4);
    private Duration watchPatience = Duration.ofSeconds(60);

    private Builder() {}

    /** The pause after the first failure: 50 ms. */
    public Builder initialDelay(Duration delay) {
      initialDelay = Times.positive("initialDelay", delay);
      return this;
    }

    /** By what the pause grows with each further failure: 2. At least 1. */
    public Builder multiplier(double factor) {
      if (!(factor >= 1) || Double.isInfinite(factor)) {
        throw new InvalidArgumentException("multiplier", factor + ": must be a number from 1 on");
      }
      multiplier = factor;
      return this;
    }

    /** The longest pause: 2 s. */
    public Builder maxDelay(Duration delay) {
      maxDelay = Times.positive("maxDelay", delay);
      return this;
    }

    /** How long one attempt may take before another is made: 4 s. */
    public Builder attemptTimeout(Duration timeout) {
      attemptTimeout = Times.positive("attemptTimeout", timeout);
      return this;
    }

    /** How long a broken watch tries to come back before it gives up: 60 s. */
    public Builder watchPatience(Duration patience) {
      watchPatience = Times.positive("watchPatience", patience);
      return this;
    }

    /** The policy. */
    public RetryPolicy build() {
      return new RetryPolicy(this);
    }
  }
}
