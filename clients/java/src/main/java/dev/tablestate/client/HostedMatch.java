package dev.tablestate.client;

import dev.tablestate.v1.AbortMatchRequest;
import dev.tablestate.v1.AddBotRequest;
import dev.tablestate.v1.AddBotResponse;
import dev.tablestate.v1.GetMatchRequest;
import dev.tablestate.v1.JoinMatchResponse;
import dev.tablestate.v1.Match;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.StartMatchRequest;
import java.util.Collections;

/**
 * A match, in the hands of whoever created it.
 *
 * <p>Made by {@code createMatch}, {@code forkMatch} and {@code host} of a client.
 */
public final class HostedMatch {
  private final Calls calls;
  private final HostCredential credential;

  HostedMatch(Calls calls, HostCredential credential) {
    this.calls = calls;
    this.credential = Arguments.given("credential", credential);
  }

  /** The key to the match, to be kept over a restart and from others. */
  public HostCredential getCredential() {
    return credential;
  }

  /** The match's id, to be given to players. */
  public String getMatchId() {
    return credential.getMatchId();
  }

  /** The match as its host sees it: with metadata and player ids. */
  public Match get() {
    return get(CallSettings.DEFAULT);
  }

  /** The same. */
  public Match get(CallSettings settings) {
    GetMatchRequest request =
        GetMatchRequest.newBuilder()
            .setMatchId(getMatchId())
            .setHostToken(credential.getToken())
            .build();
    return calls.unary(MatchServiceGrpc.getGetMatchMethod(), request, settings).getMatch();
  }

  /** Takes the lowest open seat oneself. */
  public SeatedPlayer join() {
    return join(JoinOptions.DEFAULT);
  }

  /** Takes a seat oneself; throws SeatTakenException. */
  public SeatedPlayer join(JoinOptions options) {
    return join(options, CallSettings.DEFAULT);
  }

  /** The same. */
  public SeatedPlayer join(JoinOptions options, CallSettings settings) {
    return join(calls, getMatchId(), options, settings);
  }

  static SeatedPlayer join(
      Calls calls, String matchId, JoinOptions options, CallSettings settings) {
    Intent intent = settings.intent();
    Arguments.given("options", options);
    JoinMatchResponse answer =
        calls.mutate(
            MatchServiceGrpc.getJoinMatchMethod(),
            options.request(matchId, intent),
            intent,
            settings);
    SeatCredential seat =
        new SeatCredential(matchId, answer.getSeat(), intent.getToken(), options.promised(intent));
    return new SeatedPlayer(calls, seat);
  }

  /** Puts a bot, one of {@code GameInfo.bots}, on the lowest open seat. */
  public AddBotResponse addBot(String bot) {
    return addBot(request(bot).build(), CallSettings.DEFAULT);
  }

  /** Puts a bot on a seat. */
  public AddBotResponse addBot(String bot, int seat) {
    return addBot(bot, seat, CallSettings.DEFAULT);
  }

  /** The same. */
  public AddBotResponse addBot(String bot, int seat, CallSettings settings) {
    return addBot(request(bot).setSeat(seat).build(), settings);
  }

  private AddBotRequest.Builder request(String bot) {
    return AddBotRequest.newBuilder().setBot(Arguments.given("bot", bot));
  }

  private AddBotResponse addBot(AddBotRequest given, CallSettings settings) {
    Intent intent = settings.intent();
    AddBotRequest request =
        given.toBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setHostToken(credential.getToken())
            .build();
    return calls.mutate(MatchServiceGrpc.getAddBotMethod(), request, intent, settings);
  }

  /** Starts a match that was created to be started by its host. */
  public MatchUpdate start() {
    return start(CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate start(CallSettings settings) {
    Intent intent = settings.intent();
    StartMatchRequest request =
        StartMatchRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setHostToken(credential.getToken())
            .build();
    return calls
        .mutate(MatchServiceGrpc.getStartMatchMethod(), request, intent, settings)
        .getUpdate();
  }

  /** Ends the match without an outcome. */
  public MatchUpdate abort() {
    return abort(CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate abort(CallSettings settings) {
    Intent intent = settings.intent();
    AbortMatchRequest request =
        AbortMatchRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setHostToken(credential.getToken())
            .build();
    return calls
        .mutate(MatchServiceGrpc.getAbortMatchMethod(), request, intent, settings)
        .getUpdate();
  }

  /** Every entry once and in order, as spectators see it. */
  public Watch watch() {
    return watch(WatchOptions.DEFAULT);
  }

  /** The same. */
  public Watch watch(WatchOptions options) {
    return Watch.of(
        calls, Collections.singletonList(Watched.match(getMatchId())), options, told -> {});
  }

  @Override
  public String toString() {
    return "HostedMatch " + getMatchId();
  }
}
