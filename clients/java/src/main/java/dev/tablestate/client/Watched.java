package dev.tablestate.client;

import dev.tablestate.v1.WatchSubscription;
import org.jspecify.annotations.Nullable;

/** What can be watched: a match as a spectator, or from a seat. */
public final class Watched {
  private final WatchSubscription subscription;
  private final boolean hasOwnTerms;
  final @Nullable SeatCredential seat;

  private Watched(
      WatchSubscription subscription, boolean hasOwnTerms, @Nullable SeatCredential seat) {
    this.subscription = subscription;
    this.hasOwnTerms = hasOwnTerms;
    this.seat = seat;
  }

  /** A match as spectators see it. */
  public static Watched match(String matchId) {
    String given = Arguments.given("matchId", matchId);
    return new Watched(WatchSubscription.newBuilder().setMatchId(given).build(), false, null);
  }

  /** A match as a seat sees it. What the seat has promised to reveal is revealed when it is due. */
  public static Watched seat(SeatCredential credential) {
    Arguments.given("credential", credential);
    WatchSubscription named =
        WatchSubscription.newBuilder()
            .setMatchId(credential.getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return new Watched(named, false, credential);
  }

  /** A match with a cursor, and with what its updates carry, of its own. */
  public static Watched subscription(WatchSubscription subscription) {
    return new Watched(Arguments.given("subscription", subscription), true, null);
  }

  WatchSubscription with(WatchOptions options) {
    return hasOwnTerms ? subscription : options.wanted.toBuilder().mergeFrom(subscription).build();
  }
}
