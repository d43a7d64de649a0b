package dev.tablestate.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.tablestate.client.errors.IllegalActionException;
import dev.tablestate.client.errors.InvalidRequestException;
import dev.tablestate.client.errors.NotFoundException;
import dev.tablestate.client.errors.NotTheActorException;
import dev.tablestate.client.errors.StaleVersionException;
import dev.tablestate.client.errors.UnavailableException;
import dev.tablestate.v1.ActionForm;
import dev.tablestate.v1.GameState;
import dev.tablestate.v1.GetMatchRequest;
import dev.tablestate.v1.LegalAction;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.OffTrackOptions;
import dev.tablestate.v1.OffboardOptions;
import dev.tablestate.v1.OpenBatch;
import dev.tablestate.v1.PlayDraws;
import dev.tablestate.v1.PlayedDraws;
import dev.tablestate.v1.Seating;
import dev.tablestate.v1.SlotFlag;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Against a service that runs: what the runner of parity does not try. */
@Tag("live")
class LiveTest {
  private static TablestateClient client;

  @BeforeAll
  static void connect() {
    String target = System.getenv("TABLESTATE_TARGET");
    assertNotNull(target, "name a service: TABLESTATE_TARGET");
    client = TablestateClient.connect(target);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  @Test
  void aWholeMatchIsPlayedByWatchAndSubmit() {
    OffboardOptions quick = OffboardOptions.newBuilder().setPointsToWin(1).build();
    HostedMatch match = client.createMatch(quick);
    SeatedPlayer player = match.join(JoinOptions.named("Ada"));
    match.addBot("random");
    WatchOptions options = WatchOptions.builder().includeLegalActions(true).build();
    MatchUpdate last = null;
    for (MatchUpdate update : player.watch(options)) {
      last = update;
      if (update.getLegalActions().getActionsCount() > 0) {
        LegalAction action = update.getLegalActions().getActions(0);
        player.submit(action, SubmitOptions.at(update.getVersion()));
      }
    }
    assertNotNull(last);
    assertEquals(2, last.getOutcome().getScoresCount());
  }

  @Test
  void errorsAreTyped() {
    HostedMatch match = client.createMatch("offboard");
    SeatedPlayer red = match.join();
    SeatedPlayer yellow = match.join();
    IllegalActionException illegal =
        assertThrows(IllegalActionException.class, () -> red.submit("e3e4", SubmitOptions.DEFAULT));
    assertEquals("e3e4", illegal.getAction());
    assertThrows(NotTheActorException.class, () -> yellow.submit(0, SubmitOptions.DEFAULT));
    assertThrows(StaleVersionException.class, () -> red.submit(0, SubmitOptions.at(3)));
    InvalidRequestException refused =
        assertThrows(
            InvalidRequestException.class,
            () -> client.createMatch(OffboardOptions.newBuilder().setPointsToWin(99).build()));
    assertEquals("options.offboard.points_to_win", refused.getViolations().get(0).getField());
    assertThrows(NotFoundException.class, () -> client.getMatch("0".repeat(32)));
  }

  @Test
  void aCallRepeatedWithItsIntentHasOneEffect() {
    Intent intent = new Intent();
    CallSettings settings = CallSettings.withIntent(intent);
    MatchSettings terms = MatchSettings.DEFAULT;
    HostedMatch first = client.createMatch(Games.options("offboard"), terms, settings);
    CallSettings again = CallSettings.withIntent(Intent.load(intent.save()));
    HostedMatch second = client.createMatch(Games.options("offboard"), terms, again);
    assertEquals(first.getCredential(), second.getCredential());
  }

  @Test
  void aPromiseIsRevealedByWatchingAndTheReplayFollowsFromIt() {
    OffTrackOptions small = OffTrackOptions.newBuilder().setRounds(1).setEras(3).build();
    HostedMatch match = client.createMatch(small);
    ByteString committed = match.get().getCommitment();
    SeatedPlayer player = match.join(JoinOptions.builder().entropy(true).build());
    match.addBot("random");
    WatchOptions options = WatchOptions.builder().includeLegalActions(true).build();
    for (MatchUpdate update : player.watch(options)) {
      if (update.getLegalActions().getActionsCount() > 0) {
        player.submit(
            update.getLegalActions().getActions(0), SubmitOptions.at(update.getVersion()));
      }
    }
    Replay replay = player.replay();
    assertTrue(Chance.follows(replay, committed));
    assertFalse(Chance.follows(replay, Secrets.newToken()));
  }

  @Test
  void drawnSeatsAreLearned() {
    MatchSettings settings = MatchSettings.builder().seating(Seating.SEATING_RANDOM).build();
    HostedMatch match = client.createMatch(Games.options("offboard"), settings);
    SeatedPlayer one = match.join();
    SeatedPlayer other = match.join();
    one.view();
    try (Play play = other.play()) {
      play.nextUpdate();
    }
    assertNotEquals(one.getSeat(), other.getSeat());
  }

  @Test
  void batchesAreCopiedLoadedAndPlayedWithGivenDraws() {
    OpenBatch games =
        OpenBatch.newBuilder().setOptions(Games.options("offtrack")).setSize(2).setSeed(1).build();
    try (Simulation simulation = client.getEngine().simulate()) {
      Batch batch = simulation.open(games);
      List<GameState> states = batch.dump(List.of());
      Batch copies = batch.copy(List.of(1, 1, 0));
      assertEquals(3, copies.getShape().getSize());
      batch.begin(ActionForm.ACTION_FORM_RANK, new int[2]);
      copies.begin(ActionForm.ACTION_FORM_DRAW, new int[3]);
      copies.finish();
      batch.finish();
      assertNotEquals(Batch.NO_ACTOR, batch.getActor(0));
      assertFalse(batch.hasFlag(0, SlotFlag.SLOT_FLAG_REFUSED));
      assertEquals(batch.getObservation(1), copies.getObservation(0));
      batch.load(List.of(), states);
      assertEquals(states, batch.dump(List.of()));
      PlayedDraws played = batch.play(PlayDraws.newBuilder().setSlot(0).build());
      assertEquals(54, played.getNextDraw());
      copies.close();
    }
  }

  @Test
  void theGeneratedStubsWorkOverTheClientsChannel() {
    HostedMatch match = client.createMatch("offboard");
    GetMatchRequest request = GetMatchRequest.newBuilder().setMatchId(match.getMatchId()).build();
    assertEquals(
        match.getMatchId(),
        MatchServiceGrpc.newBlockingStub(client.getChannel())
            .getMatch(request)
            .getMatch()
            .getMatchId());
  }

  @Test
  void aServerThatIsNotThereIsTriedUntilTheDeadline() {
    try (TablestateClient lost =
        TablestateClient.builder("127.0.0.1:1").timeout(Duration.ofMillis(300)).build()) {
      assertThrows(UnavailableException.class, lost::serverInfo);
    }
  }
}
