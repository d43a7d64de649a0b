package dev.tablestate.client;

import dev.tablestate.client.errors.InvalidArgumentException;
import java.time.Duration;

/** Durations as they are given, as messages have them, and as the clock counts them. */
final class Times {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private Times() {}

  /** A duration that can be counted in nanoseconds; throws InvalidArgumentException. */
  static Duration positive(String name, Duration given) {
    Arguments.given(name, given);
    if (given.isNegative() || given.compareTo(LONGEST) > 0) {
      String expected = "must be a duration from 0 to a hundred years";
      throw new InvalidArgumentException(name, given + ": " + expected);
    }
    return given;
  }

  static com.google.protobuf.Duration message(String name, Duration given) {
    positive(name, given);
    return com.google.protobuf.Duration.newBuilder()
        .setSeconds(given.getSeconds())
        .setNanos(given.getNano())
        .build();
  }
}
