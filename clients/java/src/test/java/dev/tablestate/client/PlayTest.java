package dev.tablestate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tablestate.client.errors.IllegalActionException;
import dev.tablestate.v1.ErrorReason;
import dev.tablestate.v1.LegalAction;
import dev.tablestate.v1.LegalActions;
import dev.tablestate.v1.MatchPhase;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.PlayAnswer;
import dev.tablestate.v1.PlayRefusal;
import dev.tablestate.v1.PlayRequest;
import dev.tablestate.v1.PlayResponse;
import dev.tablestate.v1.SubmitActionRequest;
import dev.tablestate.v1.SubmitActionResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A play goes on over streams that break, and an action has one effect. */
class PlayTest {
  /** Breaks the first stream when an action comes, and does what it is told on the next. */
  private static final class Service extends MatchServiceGrpc.MatchServiceImplBase {
    final List<PlayRequest> requests = Collections.synchronizedList(new ArrayList<>());
    final List<SubmitActionRequest> submitted = Collections.synchronizedList(new ArrayList<>());
    private final String second;
    private int streams;

    Service(String second) {
      this.second = second;
    }

    @Override
    public StreamObserver<PlayRequest> play(StreamObserver<PlayResponse> answers) {
      int stream = ++streams;
      return new StreamObserver<PlayRequest>() {
        @Override
        public void onNext(PlayRequest request) {
          requests.add(request);
          if (request.hasBegin()) {
            if (stream == 1) {
              answers.onNext(update(4, MatchPhase.MATCH_PHASE_RUNNING));
            } else if (second.equals("over")) {
              answers.onNext(update(5, MatchPhase.MATCH_PHASE_OVER));
              answers.onCompleted();
            }
          } else if (stream == 1) {
            answers.onError(Status.UNAVAILABLE.asRuntimeException());
          } else if (second.equals("taken")) {
            answers.onNext(update(5, MatchPhase.MATCH_PHASE_RUNNING));
            answers.onNext(answer(request).build());
          } else {
            answers.onNext(refusal(request));
          }
        }

        @Override
        public void onError(Throwable error) {
          // The client has gone.
        }

        @Override
        public void onCompleted() {
          // Likewise.
        }
      };
    }

    @Override
    public void submitAction(
        SubmitActionRequest request, StreamObserver<SubmitActionResponse> answer) {
      submitted.add(request);
      MatchUpdate update = MatchUpdate.newBuilder().setVersion(5).build();
      answer.onNext(SubmitActionResponse.newBuilder().setUpdate(update).build());
      answer.onCompleted();
    }

    private static PlayResponse update(long version, MatchPhase phase) {
      MatchUpdate update =
          MatchUpdate.newBuilder()
              .setMatchId("m")
              .setVersion(version)
              .setPhase(phase)
              .addActors(0)
              .setLegalActions(LegalActions.newBuilder().addActions(LegalAction.newBuilder()))
              .build();
      return PlayResponse.newBuilder().setUpdate(update).build();
    }

    private static PlayResponse.Builder answer(PlayRequest request) {
      PlayAnswer answer =
          PlayAnswer.newBuilder()
              .setRequestId(request.getAction().getRequestId())
              .setVersion(5)
              .build();
      return PlayResponse.newBuilder().setAnswer(answer);
    }

    private static PlayResponse refusal(PlayRequest request) {
      com.google.rpc.Status status =
          io.grpc.protobuf.StatusProto.fromThrowable(
              Fixture.refused(Status.Code.FAILED_PRECONDITION, "ILLEGAL_ACTION", "rule", "Append"));
      PlayRefusal refusal =
          PlayRefusal.newBuilder()
              .setCode(Status.Code.FAILED_PRECONDITION.value())
              .setReason(ErrorReason.ERROR_REASON_ILLEGAL_ACTION)
              .setMessage("refused")
              .setStatus(status.toByteString())
              .build();
      PlayAnswer.Builder answer =
          PlayAnswer.newBuilder().setRequestId(request.getAction().getRequestId());
      return PlayResponse.newBuilder().setAnswer(answer.setRefusal(refusal)).build();
    }
  }

  private static Play play(Fixture fixture) {
    return fixture.client.player(new SeatCredential("m", 0, Secrets.newToken())).play();
  }

  @Test
  void anActionWithoutAnAnswerIsSentAgainOnTheNextStream() throws Exception {
    Service service = new Service("taken");
    try (Fixture fixture = new Fixture(service);
        Play play = play(fixture)) {
      MatchUpdate turn = play.nextTurn();
      assertNotNull(turn);
      assertEquals(5, play.act(Games.choice(7)));
      assertEquals(4, service.requests.size());
      PlayRequest first = service.requests.get(1);
      assertEquals(first, service.requests.get(3));
      assertEquals(4, first.getAction().getExpectedVersion());
      assertEquals(4, service.requests.get(2).getBegin().getAfterVersion());
      MatchUpdate next = play.nextTurn();
      assertNotNull(next);
      assertEquals(5, next.getVersion());
    }
  }

  @Test
  void afterTheEndItIsSentByACallOfItsOwn() throws Exception {
    Service service = new Service("over");
    try (Fixture fixture = new Fixture(service);
        Play play = play(fixture)) {
      play.nextTurn();
      assertEquals(5, play.act(Games.choice("x")));
      assertEquals(
          service.requests.get(1).getAction().getRequestId(),
          service.submitted.get(0).getRequestId());
      MatchUpdate last = play.nextUpdate();
      assertNotNull(last);
      assertNull(play.nextUpdate());
    }
  }

  @Test
  void aRefusalIsThrownAndEndsNothing() throws Exception {
    Service service = new Service("refused");
    try (Fixture fixture = new Fixture(service);
        Play play = play(fixture)) {
      play.nextTurn();
      IllegalActionException error =
          assertThrows(IllegalActionException.class, () -> play.act(Games.choice("x")));
      assertEquals("Append", error.getRule());
      assertNotNull(error.getIntent());
      assertThrows(IllegalActionException.class, () -> play.act(Games.choice("y")));
    }
  }
}
