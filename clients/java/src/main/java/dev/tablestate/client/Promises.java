package dev.tablestate.client;

import com.google.protobuf.ByteString;
import dev.tablestate.client.errors.MatchPhaseException;
import dev.tablestate.client.errors.PreconditionException;
import dev.tablestate.v1.ErrorReason;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.RevealEntropyRequest;

/** What seats add to the chance of their matches, revealed when it is due. */
final class Promises {
  private Promises() {}

  /** Reveals what a seat has promised, if an update of its match calls for it. */
  static void revealIfDue(Calls calls, SeatCredential seat, MatchUpdate update) {
    if (seat.getMatchId().equals(update.getMatchId())
        && update.getEntropyAwaitedList().contains(seat.getSeat())) {
      reveal(calls, seat, CallSettings.DEFAULT);
    }
  }

  /** Reveals what a seat has promised, unless it has promised nothing or it is not due. */
  static void reveal(Calls calls, SeatCredential seat, CallSettings settings) {
    ByteString entropy = seat.getEntropy();
    if (entropy.isEmpty()) {
      return;
    }
    Intent intent = settings.intent();
    RevealEntropyRequest request =
        RevealEntropyRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(seat.getMatchId())
            .setSeatToken(seat.getToken())
            .setEntropy(entropy)
            .build();
    try {
      calls.mutate(MatchServiceGrpc.getRevealEntropyMethod(), request, intent, settings);
    } catch (PreconditionException refused) {
      if (!isOver(refused)) {
        throw refused;
      }
    }
  }

  /** Whether it is too late or too early: a watch tells of what is long over, too. */
  private static boolean isOver(PreconditionException refused) {
    ErrorReason reason = refused.getReason();
    return reason == ErrorReason.ERROR_REASON_ENTROPY_NOT_DUE
        || (refused instanceof MatchPhaseException
            && reason == ErrorReason.ERROR_REASON_MATCH_ENDED);
  }
}
