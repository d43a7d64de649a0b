package dev.tablestate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.tablestate.client.errors.InvalidArgumentException;
import dev.tablestate.client.errors.Violation;
import dev.tablestate.v1.LoadStates;
import dev.tablestate.v1.OffboardOptions;
import dev.tablestate.v1.OpenBatch;
import dev.tablestate.v1.PerftRequest;
import dev.tablestate.v1.PlayDraws;
import dev.tablestate.v1.PlayoutRequest;
import dev.tablestate.v1.SimulateRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What callers get wrong is told by its field, before anything is sent. */
class ArgumentsTest {
  private static final SeatCredential SEAT = new SeatCredential("m", 1, Secrets.newToken());

  // Nothing answers there.
  private final TablestateClient client = TablestateClient.connect("127.0.0.1:1");

  @AfterEach
  void close() {
    client.close();
  }

  private static void isRefused(String field, String said, Executable call) {
    InvalidArgumentException refused = assertThrows(InvalidArgumentException.class, call);
    List<Violation> faults = refused.getViolations();
    assertEquals(field, faults.get(0).getField());
    assertTrue(faults.get(0).getDescription().contains(said), refused.toString());
    assertFalse(refused.toString().contains("s3cret"), refused.toString());
  }

  @Test
  void aTargetIsAnAddressWithAPortOrWhatGrpcNames() {
    for (String target : Arrays.asList("[::1]:1", "localhost:65535", "dns:///example.org")) {
      TablestateClient.connect(target).close();
    }
    for (String target :
        Arrays.asList(
            "",
            ":80",
            "localhost",
            "dns:///",
            "h:0",
            "h:65536",
            "h:-1",
            "http://h:1",
            "h:1/x",
            "a b:1",
            "h:1\n")) {
      String expected = "\"" + target + "\": must say where the server is";
      isRefused("target", expected, () -> TablestateClient.connect(target));
    }
    isRefused("target", "null", () -> TablestateClient.connect(null));
  }

  @Test
  void numbersBelowNoughtAreRefusedAndNotSentAsLargeOnes() {
    SeatedPlayer player = client.player(SEAT);
    String told = "-1: must be a number from 0 on";
    isRefused("seat", told, () -> client.join("m", JoinOptions.builder().seat(-1).build()));
    isRefused("seat", told, () -> client.host(host()).addBot("greedy", -1));
    isRefused("seat", told, () -> new SeatCredential("m", -1, Secrets.newToken()));
    isRefused("choice.index", told, () -> player.submit(-1, SubmitOptions.DEFAULT));
    isRefused("expected_version", told, () -> player.submit("a", SubmitOptions.at(-1)));
    isRefused("version", told, () -> player.view(ViewOptions.builder().version(-1).build()));
    isRefused("source.version", told, () -> client.forkMatch("m", -1, MatchSettings.DEFAULT));
    isRefused("proposal_version", told, () -> player.respond(-1, true));
    isRefused("depth", told, () -> client.getEngine().perft(offboard(), -1, false));
    ListOptions pages = ListOptions.builder().pageSize(-1).build();
    isRefused("page_size", told, () -> client.listMatches(pages).iterator().hasNext());
    WatchOptions after = WatchOptions.builder().afterVersion(-1).build();
    isRefused(
        "subscriptions[0].after_version",
        told,
        () -> client.watch(Collections.singleton(Watched.match("m")), after).hasNext());
    OffboardOptions few = OffboardOptions.newBuilder().setPointsToWin(-1).build();
    isRefused("options.offboard.points_to_win", told, () -> client.createMatch(few));
    isRefused("open.size", told, () -> sendable(OpenBatch.newBuilder().setSize(-1).build()));
    LoadStates slots = LoadStates.newBuilder().addSlots(0).addSlots(-1).build();
    isRefused(
        "load.slots[1]",
        told,
        () -> Arguments.sendable(SimulateRequest.newBuilder().setLoad(slots).build()));
    isRefused("draws[0]", told, () -> Arguments.sendable(draws(-1)));
  }

  @Test
  void allBitsOfASeedMeanSomething() {
    sendable(OpenBatch.newBuilder().setSeed(-1).addSeeds(-2).build());
    Message playout = PlayoutRequest.newBuilder().setSeed(-1).build();
    assertEquals(playout, Arguments.sendable(playout));
  }

  @Test
  void halvesOfLettersAreNotSentAsOthers() {
    String half = "a\ud800";
    isRefused("display_name", "surrogate", () -> client.join("m", JoinOptions.named(half)));
    MatchSettings metadata =
        MatchSettings.builder().metadata(Collections.singletonMap("a", half)).build();
    isRefused("metadata[0].value", "surrogate", () -> client.createMatch(offboard(), metadata));
    Message whole = PerftRequest.newBuilder().setDepth(1).build();
    assertEquals(whole, Arguments.sendable(whole));
  }

  @Test
  void nullIsRefusedByItsName() {
    SeatedPlayer player = client.player(SEAT);
    isRefused("options", "null", () -> client.createMatch((Message) null));
    isRefused("game", "null", () -> client.createMatch((String) null));
    isRefused("match", "null", () -> client.createMatch(offboard(), null));
    isRefused("matchId", "null", () -> client.join(null));
    isRefused("options", "null", () -> client.join("m", null));
    isRefused("matchId", "null", () -> client.getMatch(null));
    isRefused("matchId", "null", () -> client.view(null));
    isRefused("credential", "null", () -> client.player(null));
    isRefused("credential", "null", () -> client.host(null));
    isRefused("notation", "null", () -> player.submit((String) null, SubmitOptions.DEFAULT));
    isRefused("action", "null", () -> player.submit((Message) null, SubmitOptions.DEFAULT));
    isRefused("options", "null", () -> player.submit("a", null));
    isRefused("bot", "null", () -> client.host(host()).addBot(null));
    isRefused("tenant", "null", () -> MatchSettings.builder().tenant(null));
    isRefused("name", "null", () -> JoinOptions.builder().displayName(null));
    isRefused("timeout", "null", () -> CallSettings.withTimeout(null));
    isRefused("apiKey", "null", () -> TablestateClient.builder("h:1").apiKey(null));
    isRefused("retry", "null", () -> TablestateClient.builder("h:1").retry(null));
    isRefused("credentials", "null", () -> TablestateClient.builder("h:1").credentials(null));
  }

  @Test
  void somethingIsWatchedAndNothingTwice() {
    WatchOptions options = WatchOptions.DEFAULT;
    List<Watched> twice = Arrays.asList(Watched.match("m"), Watched.seat(SEAT));
    isRefused("matches", "one match or more", () -> client.watch(List.of(), options));
    isRefused("matches", "\"m\": must be named once", () -> client.watch(twice, options));
    isRefused("matches", "null", () -> client.watch(null, options));
  }

  @Test
  void withoutATokenNobodyIsAPlayerOrAHost() {
    isRefused("seat_token", "32 bytes", () -> new SeatCredential("m", 0, ByteString.EMPTY));
    isRefused("seat_token", "32 bytes", () -> new SeatCredential("m", 0, null));
    isRefused("host_token", "32 bytes", () -> new HostCredential("m", ByteString.EMPTY));
  }

  @Test
  void timesAndPoliciesThatCannotBeAreRefused() {
    Duration before = Duration.ofSeconds(-1);
    isRefused("timeout", "PT-1S: must be", () -> CallSettings.withTimeout(before));
    isRefused("waitingLimit", "PT-1S", () -> MatchSettings.builder().waitingLimit(before));
    for (double factor : new double[] {0.5, Double.NaN, Double.POSITIVE_INFINITY}) {
      isRefused("multiplier", factor + ": must", () -> RetryPolicy.builder().multiplier(factor));
    }
  }

  private static void sendable(OpenBatch games) {
    Arguments.sendable(SimulateRequest.newBuilder().setOpen(games).build());
  }

  private static PlayDraws draws(int draw) {
    return PlayDraws.newBuilder().addDraws(draw).build();
  }

  private static OffboardOptions offboard() {
    return OffboardOptions.getDefaultInstance();
  }

  private static HostCredential host() {
    return new HostCredential("m", Secrets.newToken());
  }
}
