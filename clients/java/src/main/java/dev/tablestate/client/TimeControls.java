package dev.tablestate.client;

import dev.tablestate.v1.TimeControl;
import java.time.Duration;

/** How much time the players of a match have. */
public final class TimeControls {
  private TimeControls() {}

  /** So much time for each decision. */
  public static TimeControl perTurn(Duration limit) {
    return TimeControl.newBuilder().setTurnLimit(Times.message("limit", limit)).build();
  }

  /** A chess clock: so much time for each seat, and so much more with each of its decisions. */
  public static TimeControl bank(Duration bank, Duration increment) {
    return TimeControl.newBuilder()
        .setBank(Times.message("bank", bank))
        .setIncrement(Times.message("increment", increment))
        .build();
  }
}
