package dev.tablestate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.tablestate.client.errors.PermissionDeniedException;
import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.client.errors.UnavailableException;
import dev.tablestate.v1.MatchPhase;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.RevealEntropyRequest;
import dev.tablestate.v1.RevealEntropyResponse;
import dev.tablestate.v1.WatchFeedRequest;
import dev.tablestate.v1.WatchFeedResponse;
import dev.tablestate.v1.WatchMatchesRequest;
import dev.tablestate.v1.WatchMatchesResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Watches resume where they broke: nothing is missed and nothing is repeated. */
class WatchTest {
  private static final long LAST = 6;

  /** Each stream does what the next of its parts does. */
  private static final class Service extends MatchServiceGrpc.MatchServiceImplBase {
    final List<Long> cursors = Collections.synchronizedList(new ArrayList<>());
    final List<RevealEntropyRequest> revealed = Collections.synchronizedList(new ArrayList<>());
    final List<BiConsumer<Long, StreamObserver<WatchMatchesResponse>>> streams =
        Collections.synchronizedList(new ArrayList<>());

    @Override
    public void watchMatches(
        WatchMatchesRequest request, StreamObserver<WatchMatchesResponse> answers) {
      long cursor = request.getSubscriptions(0).getAfterVersion();
      cursors.add(cursor);
      streams.remove(0).accept(cursor, answers);
    }

    @Override
    public void watchFeed(WatchFeedRequest request, StreamObserver<WatchFeedResponse> answers) {
      int next = request.getCursor().isEmpty() ? 1 : Integer.parseInt(request.getCursor()) + 1;
      answers.onNext(WatchFeedResponse.newBuilder().setCursor(String.valueOf(next)).build());
      answers.onError(Status.UNAVAILABLE.asRuntimeException());
    }

    @Override
    public void revealEntropy(
        RevealEntropyRequest request, StreamObserver<RevealEntropyResponse> answer) {
      revealed.add(request);
      answer.onError(
          Fixture.refused(Status.Code.FAILED_PRECONDITION, "ENTROPY_NOT_DUE", "seat", "0"));
    }
  }

  private final Service service = new Service();

  private static WatchMatchesResponse update(long version) {
    MatchUpdate.Builder update = MatchUpdate.newBuilder().setMatchId("m").setVersion(version);
    update.setPhase(version == LAST ? MatchPhase.MATCH_PHASE_OVER : MatchPhase.MATCH_PHASE_RUNNING);
    if (version == 2) {
      update.addEntropyAwaited(0);
    }
    return WatchMatchesResponse.newBuilder().setUpdate(update).build();
  }

  /** Sends entries up to a version, then ends with an error. */
  private static BiConsumer<Long, StreamObserver<WatchMatchesResponse>> breaksAfter(
      long version, Throwable error) {
    return (cursor, answers) -> {
      for (long next = cursor + 1; next <= version; next++) {
        answers.onNext(update(next));
      }
      answers.onError(error);
    };
  }

  private static List<Long> versions(Watch watch) {
    List<Long> versions = new ArrayList<>();
    watch.forEach(each -> versions.add(each.getVersion()));
    return versions;
  }

  @Test
  void aBrokenWatchGoesOnWhereItBroke() throws Exception {
    service.streams.add(breaksAfter(2, Status.UNAVAILABLE.asRuntimeException()));
    service.streams.add(
        breaksAfter(
            4, Fixture.refused(Status.Code.RESOURCE_EXHAUSTED, "WATCHER_TOO_SLOW", "m", "4")));
    service.streams.add(breaksAfter(LAST, Status.UNAVAILABLE.asRuntimeException()));
    List<TablestateException> breaks = new ArrayList<>();
    try (Fixture fixture = new Fixture(service)) {
      WatchOptions options = WatchOptions.builder().onBreak(breaks::add).build();
      Watch watch = fixture.client.watch(List.of(Watched.match("m")), options);
      assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L), versions(watch));
      assertEquals(List.of(0L, 2L, 4L), service.cursors);
      assertEquals(2, breaks.size());
    }
  }

  @Test
  void entriesThatWereSeenAreNotToldAgainAndAGapOpensAnotherStream() throws Exception {
    service.streams.add(
        (cursor, answers) -> {
          answers.onNext(update(1));
          answers.onNext(update(1));
          answers.onNext(update(3));
        });
    service.streams.add(breaksAfter(LAST, Status.UNAVAILABLE.asRuntimeException()));
    try (Fixture fixture = new Fixture(service)) {
      assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L), versions(fixture.client.watch("m")));
      assertEquals(List.of(0L, 1L), service.cursors);
    }
  }

  @Test
  void aWatchGivesUpWhenItsPatienceIsOver() throws Exception {
    for (int i = 0; i < 1000; i++) {
      service.streams.add(breaksAfter(0, Status.UNAVAILABLE.asRuntimeException()));
    }
    try (Fixture fixture = new Fixture(service)) {
      Watch watch = fixture.client.watch("m");
      assertThrows(UnavailableException.class, watch::hasNext);
      long waited = fixture.world.pauses.stream().mapToLong(Long::longValue).sum();
      assertTrue(waited > TimeUnit.SECONDS.toNanos(55) && waited <= TimeUnit.SECONDS.toNanos(60));
    }
  }

  @Test
  void whatIsRefusedEndsAWatch() throws Exception {
    service.streams.add(
        breaksAfter(0, Fixture.refused(Status.Code.PERMISSION_DENIED, "WRONG_SEAT_TOKEN")));
    try (Fixture fixture = new Fixture(service)) {
      assertThrows(PermissionDeniedException.class, fixture.client.watch("m")::hasNext);
      assertEquals(1, service.cursors.size());
    }
  }

  @Test
  void closingEndsAWatchThatWaits() throws Exception {
    CountDownLatch isWatched = new CountDownLatch(1);
    service.streams.add((cursor, answers) -> isWatched.countDown());
    try (Fixture fixture = new Fixture(service)) {
      Watch watch = fixture.client.watch("m");
      Thread closer =
          new Thread(
              () -> {
                try {
                  isWatched.await();
                } catch (InterruptedException givenUp) {
                  return;
                }
                watch.close();
              });
      closer.start();
      assertFalse(watch.hasNext());
      closer.join();
    }
  }

  @Test
  void aListenerIsToldEverythingAndTheEnd() throws Exception {
    service.streams.add(breaksAfter(3, Status.UNAVAILABLE.asRuntimeException()));
    service.streams.add(breaksAfter(LAST, Status.UNAVAILABLE.asRuntimeException()));
    List<Long> told = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch hasEnded = new CountDownLatch(1);
    try (Fixture fixture = new Fixture(service)) {
      fixture
          .client
          .watch("m")
          .listen(
              new StreamListener<MatchUpdate>() {
                @Override
                public void onNext(MatchUpdate update) {
                  told.add(update.getVersion());
                }

                @Override
                public void onEnd() {
                  hasEnded.countDown();
                }
              });
      assertTrue(hasEnded.await(10, TimeUnit.SECONDS));
      assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L), told);
    }
  }

  @Test
  void aWatchRevealsWhatItsSeatHasPromised() throws Exception {
    service.streams.add(breaksAfter(LAST, Status.UNAVAILABLE.asRuntimeException()));
    ByteString entropy = Secrets.newToken();
    SeatCredential seat = new SeatCredential("m", 0, Secrets.newToken(), entropy);
    try (Fixture fixture = new Fixture(service)) {
      assertEquals(LAST, versions(fixture.client.player(seat).watch()).size());
      assertEquals(1, service.revealed.size());
      assertEquals(entropy, service.revealed.get(0).getEntropy());
    }
  }

  @Test
  void aFeedGoesOnFromItsCursor() throws Exception {
    try (Fixture fixture = new Fixture(service);
        Feed feed = fixture.client.watchFeed(FeedOptions.builder().cursor("7").build())) {
      List<String> cursors = new ArrayList<>();
      while (cursors.size() < 3) {
        cursors.add(feed.next().getCursor());
      }
      assertEquals(List.of("8", "9", "10"), cursors);
    }
  }

  @Test
  void aSubscriptionKeepsItsOwnTerms() {
    WatchOptions options = WatchOptions.builder().afterVersion(5).includeView(true).build();
    assertEquals(5, Watched.match("m").with(options).getAfterVersion());
    assertTrue(Watched.match("m").with(options).getIncludeView());
    dev.tablestate.v1.WatchSubscription own =
        dev.tablestate.v1.WatchSubscription.newBuilder().setMatchId("m").build();
    assertEquals(own, Watched.subscription(own).with(options));
    assertNull(Watched.match("m").seat);
  }
}
