package dev.tablestate.parity;

import static dev.tablestate.parity.Checks.expect;
import static dev.tablestate.parity.Checks.require;

import dev.tablestate.client.CallSettings;
import dev.tablestate.client.HostedMatch;
import dev.tablestate.client.SeatedPlayer;
import dev.tablestate.client.SubmitOptions;
import dev.tablestate.client.TablestateClient;
import dev.tablestate.client.ViewOptions;
import dev.tablestate.client.Watch;
import dev.tablestate.v1.GameEvent;
import dev.tablestate.v1.GameView;
import dev.tablestate.v1.LegalAction;
import dev.tablestate.v1.ListLegalActionsResponse;
import dev.tablestate.v1.Match;
import dev.tablestate.v1.MatchPhase;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Replays a vector through the client, and compares what every viewer receives. */
final class Replayer {
  private static final int ALL_VIEWS_EVERY = 10;

  private final TablestateClient client;
  private final HostedMatch hosted;
  private final Vector vector;
  private final List<SeatedPlayer> players = new ArrayList<>();

  Replayer(TablestateClient client, HostedMatch hosted, Vector vector) {
    this.client = client;
    this.hosted = hosted;
    this.vector = vector;
  }

  /** Plays the game to its end; throws a Mismatch. */
  void replay(ExecutorService threads) throws Exception {
    expect("match id", hosted.getMatchId(), vector.text("match_id"));
    for (int seat = 0; seat < vector.seats(); seat++) {
      players.add(hosted.join());
    }
    Map<String, Watch> watches = new LinkedHashMap<>();
    watches.put(Vector.SPECTATOR, hosted.watch());
    players.forEach(each -> watches.put(String.valueOf(each.getSeat()), each.watch()));
    try {
      Map<String, Future<List<MatchUpdate>>> told = new LinkedHashMap<>();
      watches.forEach((viewer, watch) -> told.put(viewer, threads.submit(() -> all(watch))));
      play();
      for (Map.Entry<String, Future<List<MatchUpdate>>> each : told.entrySet()) {
        checkEvents(each.getKey(), each.getValue().get(30, TimeUnit.SECONDS));
      }
    } finally {
      watches.values().forEach(Watch::close);
    }
  }

  private static List<MatchUpdate> all(Watch watch) {
    List<MatchUpdate> updates = new ArrayList<>();
    watch.forEach(updates::add);
    return updates;
  }

  private void play() {
    for (int place = 0; place + 1 < vector.steps.size(); place++) {
      Vector.Step before = vector.steps.get(place);
      Vector.Step after = vector.steps.get(place + 1);
      SeatedPlayer actor = players.get(after.seat());
      checkLegal(actor, before, after);
      if (before.ply() % ALL_VIEWS_EVERY == 0) {
        checkAllViews(before);
      } else {
        checkView(actor, before);
      }
      int ply = submit(actor, after, SubmitOptions.at(version(before))).getPly();
      expect("ply after " + after.ply(), ply, after.ply());
    }
    checkAllViews(vector.steps.get(vector.steps.size() - 1));
    Match match = hosted.get();
    expect("phase", match.getPhase(), MatchPhase.MATCH_PHASE_OVER);
    Outcome outcome = vector.message("outcome", Outcome.getDefaultInstance());
    expect("outcome", match.getOutcome(), outcome);
  }

  /** One entry is the creation, one each seat, one the start. */
  private long version(Vector.Step step) {
    return step.ply() + players.size() + 2;
  }

  /** Names the action in one of its ways, in turn. */
  private static MatchUpdate submit(SeatedPlayer actor, Vector.Step step, SubmitOptions options) {
    LegalAction action = step.action();
    switch (step.ply() % 3) {
      case 0:
        return actor.submit(action.getIndex(), options);
      case 1:
        return actor.submit(action.getNotation(), options);
      default:
        return actor.submit(action.getAction(), options);
    }
  }

  private void checkLegal(SeatedPlayer actor, Vector.Step before, Vector.Step after) {
    String where = " at ply " + before.ply();
    expect("actors" + where, List.of(actor.getSeat()), before.actors());
    ListLegalActionsResponse answer = actor.legalActions();
    expect("version" + where, answer.getVersion(), version(before));
    byte[] mask = before.mask();
    boolean isMask = Arrays.equals(answer.getLegalActions().getMask().toByteArray(), mask);
    require("mask" + where + " is another", isMask);
    List<LegalAction> legal = answer.getLegalActions().getActionsList();
    List<Integer> indices = legal.stream().map(LegalAction::getIndex).collect(Collectors.toList());
    expect("indices" + where, indices, bits(mask));
    require("legal action" + where + " is another", legal.contains(after.action()));
  }

  private static List<Integer> bits(byte[] mask) {
    List<Integer> bits = new ArrayList<>();
    for (int i = 0; i < 8 * mask.length; i++) {
      if ((mask[i / 8] >> i % 8 & 1) == 1) {
        bits.add(i);
      }
    }
    return bits;
  }

  private void checkAllViews(Vector.Step step) {
    players.forEach(each -> checkView(each, step));
    ViewOptions options = ViewOptions.builder().version(version(step)).build();
    GameView seen = client.view(hosted.getMatchId(), options, CallSettings.DEFAULT).getView();
    expect("view of a spectator at ply " + step.ply(), seen, step.view(Vector.SPECTATOR));
  }

  private void checkView(SeatedPlayer player, Vector.Step step) {
    String viewer = String.valueOf(player.getSeat());
    ViewOptions options = ViewOptions.builder().version(version(step)).build();
    GameView seen = player.view(options).getView();
    expect("view of " + viewer + " at ply " + step.ply(), seen, step.view(viewer));
  }

  /** The last entries are the start and the actions. */
  private void checkEvents(String viewer, List<MatchUpdate> told) {
    int before = told.size() - vector.steps.size();
    require(viewer + " was told of too few entries", before >= 0);
    for (int place = 0; place < vector.steps.size(); place++) {
      Vector.Step step = vector.steps.get(place);
      List<GameEvent> events = told.get(before + place).getEventsList();
      expect("events of " + viewer + " at ply " + step.ply(), events, step.events(viewer));
    }
  }
}
