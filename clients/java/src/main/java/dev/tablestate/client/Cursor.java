package dev.tablestate.client;

import dev.tablestate.client.errors.ErrorDetails;
import dev.tablestate.client.errors.InvalidArgumentException;
import dev.tablestate.client.errors.UnavailableException;
import dev.tablestate.v1.MatchPhase;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.WatchMatchesRequest;
import dev.tablestate.v1.WatchSubscription;
import io.grpc.Status;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The versions reached of all watched matches that have not ended. */
final class Cursor {
  private final Map<String, WatchSubscription> open = new LinkedHashMap<>();

  /** Begins at the subscriptions' own cursors. */
  Cursor(List<WatchSubscription> subscriptions) {
    for (WatchSubscription each : subscriptions) {
      if (open.put(each.getMatchId(), each) != null) {
        String twice = Arguments.shown(each.getMatchId()) + ": must be named once";
        throw new InvalidArgumentException("matches", twice);
      }
    }
    if (isDone()) {
      throw new InvalidArgumentException("matches", "must be one match or more");
    }
  }

  /** Whether every match has ended. */
  boolean isDone() {
    return open.isEmpty();
  }

  /** The request that goes on from here. */
  WatchMatchesRequest request() {
    return WatchMatchesRequest.newBuilder().addAllSubscriptions(open.values()).build();
  }

  /**
   * Moves on over an update; false if it was seen already. Throws UnavailableException if versions
   * before it are missing: the stream is then as good as broken and has to be opened anew.
   */
  boolean accept(MatchUpdate update) {
    WatchSubscription watched = open.get(update.getMatchId());
    if (watched == null || update.getVersion() <= watched.getAfterVersion()) {
      return false;
    }
    if (update.getVersion() != watched.getAfterVersion() + 1) {
      throw gap(update, watched);
    }
    if (hasEnded(update.getPhase())) {
      open.remove(update.getMatchId());
    } else {
      WatchSubscription moved = watched.toBuilder().setAfterVersion(update.getVersion()).build();
      open.put(update.getMatchId(), moved);
    }
    return true;
  }

  static boolean hasEnded(MatchPhase phase) {
    return phase == MatchPhase.MATCH_PHASE_OVER || phase == MatchPhase.MATCH_PHASE_ABORTED;
  }

  private static UnavailableException gap(MatchUpdate update, WatchSubscription watched) {
    String step = "from version " + watched.getAfterVersion() + " to " + update.getVersion();
    return new UnavailableException(
        ErrorDetails.of(
            Status.Code.UNAVAILABLE,
            "the watch of match " + update.getMatchId() + " went " + step));
  }
}
