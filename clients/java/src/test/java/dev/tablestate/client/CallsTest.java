package dev.tablestate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tablestate.client.errors.CancelledException;
import dev.tablestate.client.errors.ClientClosedException;
import dev.tablestate.client.errors.InvalidArgumentException;
import dev.tablestate.client.errors.PreconditionException;
import dev.tablestate.client.errors.UnavailableException;
import dev.tablestate.v1.CreateMatchRequest;
import dev.tablestate.v1.CreateMatchResponse;
import dev.tablestate.v1.GetMatchRequest;
import dev.tablestate.v1.GetMatchResponse;
import dev.tablestate.v1.GetReplayRequest;
import dev.tablestate.v1.GetReplayResponse;
import dev.tablestate.v1.ListMatchesRequest;
import dev.tablestate.v1.ListMatchesResponse;
import dev.tablestate.v1.Match;
import dev.tablestate.v1.MatchServiceGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What becomes of a call when the server is away, refuses, or is slow. */
class CallsTest {
  /** Answers after so many failures, and keeps what it was asked. */
  private static final class Service extends MatchServiceGrpc.MatchServiceImplBase {
    final List<CreateMatchRequest> asked = new ArrayList<>();
    final Deque<Throwable> failures = new ArrayDeque<>();

    @Override
    public void createMatch(
        CreateMatchRequest request, StreamObserver<CreateMatchResponse> answer) {
      asked.add(request);
      Throwable failure = failures.poll();
      if (failure != null) {
        answer.onError(failure);
        return;
      }
      Match match = Match.newBuilder().setMatchId("m" + asked.size()).build();
      answer.onNext(CreateMatchResponse.newBuilder().setMatch(match).build());
      answer.onCompleted();
    }

    @Override
    public void getMatch(GetMatchRequest request, StreamObserver<GetMatchResponse> answer) {
      // It never answers.
    }

    @Override
    public void listMatches(
        ListMatchesRequest request, StreamObserver<ListMatchesResponse> answer) {
      int page = request.getPageToken().isEmpty() ? 0 : Integer.parseInt(request.getPageToken());
      ListMatchesResponse.Builder told =
          ListMatchesResponse.newBuilder().setNextPageToken(page < 2 ? "" + (page + 1) : "");
      if (page != 1) { // A page may be empty, and not the last.
        told.addMatches(Match.newBuilder().setMatchId("page" + page));
      }
      answer.onNext(told.build());
      answer.onCompleted();
    }
  }

  private final Service service = new Service();

  @Test
  void aCallIsTriedAgainWithTheSameBytes() throws Exception {
    service.failures.add(Status.UNAVAILABLE.asRuntimeException());
    service.failures.add(Status.CANCELLED.asRuntimeException());
    try (Fixture fixture = new Fixture(service)) {
      MatchSettings settings =
          MatchSettings.builder().metadata(Map.of("b", "2", "a", "1", "c", "3")).build();
      HostedMatch match = fixture.client.createMatch(Games.options("offboard"), settings);
      assertEquals("m3", match.getMatchId());
      assertEquals(3, service.asked.size());
      assertEquals(service.asked.get(0).toByteString(), service.asked.get(2).toByteString());
      assertEquals(match.getCredential().getToken(), service.asked.get(0).getHostToken());
      // 50 ms and 100 ms, less a quarter: half of each is left to chance.
      assertEquals(List.of(37_500_000L, 75_000_000L), fixture.world.pauses);
    }
  }

  @Test
  void callsEndAtTheirDeadlineWithTheIntentToRepeatThemWith() throws Exception {
    service.failures.addAll(Collections.nCopies(100, Status.UNAVAILABLE.asRuntimeException()));
    try (Fixture fixture = new Fixture(service)) {
      UnavailableException error =
          assertThrows(UnavailableException.class, () -> fixture.client.createMatch("offboard"));
      long waited = fixture.world.pauses.stream().mapToLong(Long::longValue).sum();
      assertTrue(waited <= Duration.ofSeconds(10).toNanos(), "waited " + waited);
      Intent intent = error.getIntent();
      assertNotNull(intent);
      service.failures.clear();
      HostedMatch match =
          fixture.client.createMatch(
              Games.options("offboard"), MatchSettings.DEFAULT, CallSettings.withIntent(intent));
      assertEquals(intent.getToken(), match.getCredential().getToken());
      int last = service.asked.size() - 1;
      assertEquals(service.asked.get(0).toByteString(), service.asked.get(last).toByteString());
    }
  }

  @Test
  void whatIsRefusedIsNotTriedAgain() throws Exception {
    service.failures.add(Fixture.refused(Status.Code.FAILED_PRECONDITION, "POSITION_HIDDEN"));
    try (Fixture fixture = new Fixture(service)) {
      assertThrows(PreconditionException.class, () -> fixture.client.createMatch("offboard"));
      assertEquals(1, service.asked.size());
      assertEquals(List.of(), fixture.world.pauses);
    }
  }

  /** Is slower than an attempt may be. */
  private static final class Slow extends MatchServiceGrpc.MatchServiceImplBase {
    final AtomicInteger asked = new AtomicInteger();

    @Override
    public void getMatch(GetMatchRequest request, StreamObserver<GetMatchResponse> answer) {
      if (asked.incrementAndGet() > 1) { // The first attempt is left without an answer.
        answer.onNext(GetMatchResponse.getDefaultInstance());
        answer.onCompleted();
      }
    }

    @Override
    public void getReplay(GetReplayRequest request, StreamObserver<GetReplayResponse> answer) {
      asked.incrementAndGet();
      try {
        Thread.sleep(200);
      } catch (InterruptedException givenUp) {
        return;
      }
      answer.onNext(GetReplayResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }

  @Test
  void anAttemptWithoutAnAnswerIsFollowedByAnotherButForCallsThatWorkForLong() throws Exception {
    Slow slow = new Slow();
    RetryPolicy hasty = RetryPolicy.builder().attemptTimeout(Duration.ofMillis(50)).build();
    try (Fixture fixture = new Fixture(slow, hasty)) {
      fixture.client.getMatch("m");
      assertEquals(2, slow.asked.getAndSet(0));
      fixture.client.replay("m");
      assertEquals(1, slow.asked.get());
    }
  }

  @Test
  void aClosedClientMakesNoCalls() throws Exception {
    try (Fixture fixture = new Fixture(service)) {
      fixture.client.close();
      assertThrows(ClientClosedException.class, () -> fixture.client.createMatch("offboard"));
      assertEquals(List.of(), service.asked);
    }
  }

  @Test
  void anInterruptedCallEndsAndTheThreadStaysInterrupted() throws Exception {
    try (Fixture fixture = new Fixture(service)) {
      Thread.currentThread().interrupt();
      assertThrows(CancelledException.class, () -> fixture.client.getMatch("m1"));
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void listsGoOnOverAllPages() throws Exception {
    try (Fixture fixture = new Fixture(service)) {
      List<String> found = new ArrayList<>();
      fixture.client.listMatches(ListOptions.DEFAULT).forEach(each -> found.add(each.getMatchId()));
      assertEquals(List.of("page0", "page2"), found);
    }
  }

  @Test
  void argumentsThatCannotBeSentAreRefusedAtOnce() {
    assertThrows(
        InvalidArgumentException.class,
        () -> MatchSettings.builder().waitingLimit(Duration.ofSeconds(-1)));
    assertThrows(InvalidArgumentException.class, () -> TablestateClient.builder(""));
    assertThrows(
        InvalidArgumentException.class, () -> TablestateClient.builder("x:1").header("A B", "c"));
    InvalidArgumentException refused =
        assertThrows(
            InvalidArgumentException.class,
            () -> TablestateClient.builder("x:1").apiKey("tsk_secret\nline"));
    assertFalse(refused.getMessage().contains("tsk_secret"));
    assertThrows(InvalidArgumentException.class, () -> RetryPolicy.builder().multiplier(0.5));
  }
}
