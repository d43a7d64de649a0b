package dev.tablestate.parity;

import static dev.tablestate.parity.Checks.expect;
import static dev.tablestate.parity.Checks.require;

import dev.tablestate.client.Batch;
import dev.tablestate.client.Chance;
import dev.tablestate.client.Engine;
import dev.tablestate.client.Feed;
import dev.tablestate.client.FeedOptions;
import dev.tablestate.client.Games;
import dev.tablestate.client.HostedMatch;
import dev.tablestate.client.JoinOptions;
import dev.tablestate.client.Leaves;
import dev.tablestate.client.ListOptions;
import dev.tablestate.client.MatchSettings;
import dev.tablestate.client.Play;
import dev.tablestate.client.Replay;
import dev.tablestate.client.SeatedPlayer;
import dev.tablestate.client.Simulation;
import dev.tablestate.client.SubmitOptions;
import dev.tablestate.client.TablestateClient;
import dev.tablestate.client.TimeControls;
import dev.tablestate.client.TreeSearch;
import dev.tablestate.v1.FeedItem;
import dev.tablestate.v1.FeedKind;
import dev.tablestate.v1.GameInfo;
import dev.tablestate.v1.GameView;
import dev.tablestate.v1.LegalAction;
import dev.tablestate.v1.ListLegalActionsResponse;
import dev.tablestate.v1.Match;
import dev.tablestate.v1.MatchChange;
import dev.tablestate.v1.MatchPhase;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.MatchVersion;
import dev.tablestate.v1.OffboardOptions;
import dev.tablestate.v1.OpenBatch;
import dev.tablestate.v1.OpenEvaluate;
import dev.tablestate.v1.PerftResponse;
import dev.tablestate.v1.PlayoutRequest;
import dev.tablestate.v1.PlayoutResponse;
import dev.tablestate.v1.ProposalKind;
import dev.tablestate.v1.SearchRequest;
import dev.tablestate.v1.SearchResponse;
import dev.tablestate.v1.SearchRoot;
import dev.tablestate.v1.StartPolicy;
import dev.tablestate.v1.TimeControl;
import dev.tablestate.v1.TimeoutMode;
import dev.tablestate.v1.WatchFeedResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Every call of the contract once, and whether what comes back is what was asked for. */
final class Scenes {
  private static final OffboardOptions QUICK =
      OffboardOptions.newBuilder().setPointsToWin(1).build();

  private final TablestateClient client;
  private final TablestateClient operator;
  private final Map<String, String> made = new LinkedHashMap<>();

  /** What may fail. */
  private interface Scene {
    void play() throws Exception;
  }

  private Scenes(TablestateClient client, TablestateClient operator) {
    this.client = client;
    this.operator = operator;
  }

  /** Plays all scenes; for each method "passed", or why its scene has failed. */
  static Map<String, String> play(TablestateClient client, TablestateClient operator) {
    Scenes scenes = new Scenes(client, operator);
    scenes.playAll();
    return scenes.made;
  }

  private void playAll() {
    play(this::catalog, "CatalogService/", "GetServerInfo ListGames");
    play(
        this::hosting,
        "MatchService/",
        "CreateMatch JoinMatch LeaveSeat AddBot GetMatch ListMatches StartMatch AbortMatch");
    play(
        this::playing,
        "MatchService/",
        "ListLegalActions GetView SubmitAction Resign WatchMatches GetReplay VerifyReplay ForkMatch"
            + " Rematch");
    play(this::chance, "MatchService/", "RevealEntropy");
    play(this::manners, "MatchService/", "Propose Respond ResumeMatch ClaimTimeout");
    play(this::stream, "MatchService/", "Play");
    play(this::analysis, "EngineService/", "Playout Perft Search");
    play(this::simulate, "EngineService/", "Simulate");
    play(this::evaluate, "EngineService/", "Evaluate");
    play(this::operating, "MatchService/", "ReplaceSeatToken RevokeSeatToken WatchFeed");
  }

  private void play(Scene scene, String service, String methods) {
    String how = "passed";
    try {
      scene.play();
    } catch (Exception error) {
      how = Checks.told(error);
    }
    for (String method : methods.split(" ")) {
      made.put("tablestate.v1." + service + method, how);
    }
  }

  private void catalog() {
    List<String> games =
        client.games().stream().map(GameInfo::getGame).collect(Collectors.toList());
    expect("games", games, new ArrayList<>(client.serverInfo().getGamesList()));
  }

  private void hosting() {
    MatchSettings settings =
        MatchSettings.builder()
            .startPolicy(StartPolicy.START_POLICY_BY_HOST)
            .metadata(Map.of("table", "7"))
            .build();
    HostedMatch hosted = client.createMatch(Games.options("offboard"), settings);
    hosted.join(JoinOptions.named("Ada"));
    SeatedPlayer guest = hosted.join();
    expect("who left", guest.leave().getSeat(), guest.getSeat());
    expect("seat of the bot", hosted.addBot("random").getSeat(), guest.getSeat());
    expect("metadata", hosted.get().getMetadataMap(), Map.of("table", "7"));
    ListOptions waiting = ListOptions.builder().phases(MatchPhase.MATCH_PHASE_WAITING).build();
    List<String> listed = new ArrayList<>();
    client.listMatches(waiting).forEach(each -> listed.add(each.getMatchId()));
    require("the match is not listed", listed.contains(hosted.getMatchId()));
    expect("change", hosted.start().getChange(), MatchChange.MATCH_CHANGE_STARTED);
    expect("phase", hosted.abort().getPhase(), MatchPhase.MATCH_PHASE_ABORTED);
  }

  private void playing() {
    HostedMatch hosted = client.createMatch("offboard");
    SeatedPlayer red = hosted.join();
    SeatedPlayer yellow = hosted.join();
    ListLegalActionsResponse legal = red.legalActions();
    expect("version", red.view().getVersion(), legal.getVersion());
    LegalAction action = legal.getLegalActions().getActions(0);
    MatchUpdate taken = red.submit(action, SubmitOptions.at(legal.getVersion()));
    expect("version", taken.getVersion(), legal.getVersion() + 1);
    long last = yellow.resign().getVersion();
    List<Long> versions = new ArrayList<>();
    red.watch().forEachRemaining(update -> versions.add(update.getVersion()));
    List<Long> all = LongStream.rangeClosed(1, last).boxed().collect(Collectors.toList());
    expect("versions", versions, all);
    Replay replay = client.replay(hosted.getMatchId());
    expect("entries", (long) replay.getEntries().size(), last);
    require("chance", Chance.follows(replay, replay.getMatch().getCommitment()));
    require("the log is not whole", client.verifyReplay(hosted.getMatchId()).getIntact());
    fork(hosted.getMatchId(), taken.getVersion());
    expect("seat of the rematch", red.rematch().getSeat(), yellow.getSeat());
  }

  private void fork(String matchId, long version) {
    Match fork = client.forkMatch(matchId, version, MatchSettings.DEFAULT).get();
    MatchVersion source = MatchVersion.newBuilder().setMatchId(matchId).setVersion(version).build();
    expect("source", fork.getForkedFrom(), source);
  }

  private void chance() {
    HostedMatch hosted = client.createMatch("offtrack");
    SeatedPlayer player = hosted.join(JoinOptions.builder().entropy(true).build());
    hosted.addBot("random");
    player.revealEntropy();
    expect("phase", hosted.get().getPhase(), MatchPhase.MATCH_PHASE_RUNNING);
  }

  private void manners() throws InterruptedException {
    TimeControl limits =
        TimeControls.perTurn(Duration.ofSeconds(1)).toBuilder()
            .setTimeoutMode(TimeoutMode.TIMEOUT_MODE_BY_CLAIM)
            .build();
    MatchSettings settings = MatchSettings.builder().timeControl(limits).build();
    HostedMatch hosted = client.createMatch(Games.options("offboard"), settings);
    SeatedPlayer red = hosted.join();
    SeatedPlayer yellow = hosted.join();
    long draw = red.propose(ProposalKind.PROPOSAL_KIND_DRAW).getVersion();
    MatchPhase phase = yellow.respond(draw, false).getPhase();
    expect("phase", phase, MatchPhase.MATCH_PHASE_RUNNING);
    long pause = red.propose(ProposalKind.PROPOSAL_KIND_PAUSE).getVersion();
    yellow.respond(pause, true);
    require("the match is not paused", hosted.get().getPaused());
    red.resume();
    require("the match is paused", !hosted.get().getPaused());
    Thread.sleep(1100);
    expect("who was out of time", yellow.claimTimeout().getSeat(), red.getSeat());
  }

  private void stream() {
    HostedMatch hosted = client.createMatch(QUICK);
    SeatedPlayer player = hosted.join();
    hosted.addBot("greedy");
    int turns = 0;
    try (Play play = player.play()) {
      MatchUpdate turn = play.nextTurn();
      for (; turn != null; turn = play.nextTurn()) {
        play.act(turn.getLegalActions().getActions(0));
        turns++;
      }
    }
    require("no turn was played", turns > 0);
    expect("phase", hosted.get().getPhase(), MatchPhase.MATCH_PHASE_OVER);
  }

  private void analysis() {
    Engine engine = client.getEngine();
    PlayoutRequest.Builder three = PlayoutRequest.newBuilder().setGames(3).setSeed(1);
    PlayoutResponse played = engine.playout(Games.options("offboard"), three);
    expect("games", played.getFinished(), 3L);
    PerftResponse counted = engine.perft(Games.options("offboard"), 1, true);
    expect("actions", (long) counted.getDivisionsCount(), counted.getSequences());
    SearchRequest.Builder budget = SearchRequest.newBuilder().setIterations(50);
    SearchResponse found = engine.search(Games.options("offboard"), firstView(), 0, budget);
    require("nothing was found", found.getDone() && found.getActions(0).getVisits() > 0);
  }

  private void simulate() {
    OpenBatch games =
        OpenBatch.newBuilder().setOptions(Games.options("offboard")).setSize(8).setSeed(1).build();
    try (Simulation simulation = client.getEngine().simulate();
        Batch batch = simulation.open(games)) {
      expect("size", batch.getShape().getSize(), 8);
      Object before = batch.getParts().getMasks();
      int[] first = new int[8];
      for (int slot = 0; slot < first.length; slot++) {
        while (!batch.isLegal(slot, first[slot])) {
          first[slot]++;
        }
      }
      batch.step(first);
      require("nothing has changed", !batch.getParts().getMasks().equals(before));
    }
  }

  private void evaluate() {
    OpenEvaluate opening =
        OpenEvaluate.newBuilder()
            .setOptions(Games.options("offboard"))
            .addRoots(SearchRoot.newBuilder().setView(firstView()).setSeat(0))
            .setSimulations(16)
            .build();
    try (TreeSearch search = client.getEngine().evaluate(opening)) {
      Leaves leaves = search.leaves();
      for (; leaves != null; leaves = search.leaves()) {
        float[] priors = new float[leaves.getSize() * search.getShape().getActions()];
        Arrays.fill(priors, 1);
        search.answer(priors, new float[leaves.getSize()]);
      }
      int visits = 0;
      for (int action = 0; action < search.getShape().getActions(); action++) {
        visits += search.getVisits(0, action);
      }
      expect("simulations", visits, 16);
    }
  }

  private GameView firstView() {
    HostedMatch hosted = client.createMatch("offboard");
    SeatedPlayer player = hosted.join();
    hosted.join();
    return player.view().getView();
  }

  private void operating() {
    HostedMatch hosted = operator.createMatch("offboard");
    hosted.join();
    SeatedPlayer other = operator.replaceSeatToken(hosted.getMatchId(), 0);
    expect("seat", other.view().getSeat(), 0);
    MatchUpdate revoked = operator.revokeSeatToken(hosted.getMatchId(), 0);
    require("no seat", revoked.hasSeat() && revoked.getSeat() == 0);
    try (Feed feed = operator.watchFeed(FeedOptions.DEFAULT)) {
      for (WatchFeedResponse news : feed) {
        FeedItem item = news.getItem();
        boolean isCreation = item.getKind() == FeedKind.FEED_KIND_CREATED;
        if (isCreation && item.getMatchId().equals(hosted.getMatchId())) {
          return;
        }
      }
    }
    throw new Checks.Mismatch("the feed did not tell of the match");
  }
}
