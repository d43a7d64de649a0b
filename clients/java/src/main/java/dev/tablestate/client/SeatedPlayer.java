package dev.tablestate.client;

import com.google.protobuf.Message;
import dev.tablestate.v1.ActionChoice;
import dev.tablestate.v1.ClaimTimeoutRequest;
import dev.tablestate.v1.GetMatchRequest;
import dev.tablestate.v1.GetReplayRequest;
import dev.tablestate.v1.GetViewResponse;
import dev.tablestate.v1.LeaveSeatRequest;
import dev.tablestate.v1.ListLegalActionsRequest;
import dev.tablestate.v1.ListLegalActionsResponse;
import dev.tablestate.v1.Match;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.ProposalKind;
import dev.tablestate.v1.ProposeRequest;
import dev.tablestate.v1.RematchRequest;
import dev.tablestate.v1.RematchResponse;
import dev.tablestate.v1.ResignRequest;
import dev.tablestate.v1.RespondRequest;
import dev.tablestate.v1.ResumeMatchRequest;
import dev.tablestate.v1.SubmitActionRequest;
import dev.tablestate.v1.VerifyReplayRequest;
import dev.tablestate.v1.VerifyReplayResponse;
import java.util.Collections;

/**
 * A seat of a match, in the hands of its player.
 *
 * <p>Made by {@code join} and by {@link TablestateClient#player}. Calls that change something take
 * {@link CallSettings} with an intent: repeated with the same one, they have one effect.
 */
public final class SeatedPlayer {
  private final Calls calls;
  private volatile SeatCredential credential;

  SeatedPlayer(Calls calls, SeatCredential credential) {
    this.calls = calls;
    this.credential = Arguments.given("credential", credential);
  }

  /** The key to the seat, to be kept over a restart and from others. */
  public SeatCredential getCredential() {
    return credential;
  }

  /** The match's id. */
  public String getMatchId() {
    return credential.getMatchId();
  }

  /**
   * The place at the table, from 0, as far as this handle knows. Where seats are drawn it is
   * another one from the start on: {@code view}, {@code watch}, {@code play} and {@code submit}
   * learn it.
   */
  public int getSeat() {
    return credential.getSeat();
  }

  /** The match as it is now, also where spectators see it later or not at all. */
  public Match get() {
    return get(CallSettings.DEFAULT);
  }

  /** The same. */
  public Match get(CallSettings settings) {
    GetMatchRequest request =
        GetMatchRequest.newBuilder()
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return calls.unary(MatchServiceGrpc.getGetMatchMethod(), request, settings).getMatch();
  }

  /** What the seat may see now. */
  public GetViewResponse view() {
    return view(ViewOptions.DEFAULT);
  }

  /** What the seat may see, now or at a version. */
  public GetViewResponse view(ViewOptions options) {
    return view(options, CallSettings.DEFAULT);
  }

  /** The same. */
  public GetViewResponse view(ViewOptions options, CallSettings settings) {
    GetViewResponse answer =
        calls.unary(
            MatchServiceGrpc.getGetViewMethod(),
            options.request(getMatchId(), credential.getToken()),
            settings);
    sit(answer.getSeat());
    return answer;
  }

  /** The seat's legal actions (none when another must decide) and their version. */
  public ListLegalActionsResponse legalActions() {
    return legalActions(CallSettings.DEFAULT);
  }

  /** The same. */
  public ListLegalActionsResponse legalActions(CallSettings settings) {
    ListLegalActionsRequest request =
        ListLegalActionsRequest.newBuilder()
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return calls.unary(MatchServiceGrpc.getListLegalActionsMethod(), request, settings);
  }

  /** Takes an action by its notation, as "e3e4"; see {@link #submit(Message, SubmitOptions)}. */
  public MatchUpdate submit(String notation, SubmitOptions options) {
    return submit(Games.choice(notation), options, CallSettings.DEFAULT);
  }

  /** Takes an action by its index; see {@link #submit(Message, SubmitOptions)}. */
  public MatchUpdate submit(int index, SubmitOptions options) {
    return submit(Games.choice(index), options, CallSettings.DEFAULT);
  }

  /**
   * Takes an action: one of the listed legal actions, an ActionChoice, a GameAction or a game's
   * action message. When this returns, the action is stored. Throws IllegalActionException,
   * NotTheActorException, MatchPhaseException or StaleVersionException.
   */
  public MatchUpdate submit(Message action, SubmitOptions options) {
    return submit(action, options, CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate submit(Message action, SubmitOptions options, CallSettings settings) {
    Intent intent = settings.intent();
    Arguments.given("options", options);
    ActionChoice choice = Games.choice(action);
    SubmitActionRequest request =
        options
            .request()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .setChoice(choice)
            .build();
    MatchUpdate update =
        calls
            .mutate(MatchServiceGrpc.getSubmitActionMethod(), request, intent, settings)
            .getUpdate();
    learn(update);
    return update;
  }

  /** Forfeits. */
  public MatchUpdate resign() {
    return resign(CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate resign(CallSettings settings) {
    Intent intent = settings.intent();
    ResignRequest request =
        ResignRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return calls.mutate(MatchServiceGrpc.getResignMethod(), request, intent, settings).getUpdate();
  }

  /** Gives the seat up; after the start the match's {@code on_leave} says what becomes of it. */
  public MatchUpdate leave() {
    return leave(CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate leave(CallSettings settings) {
    Intent intent = settings.intent();
    LeaveSeatRequest request =
        LeaveSeatRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return calls
        .mutate(MatchServiceGrpc.getLeaveSeatMethod(), request, intent, settings)
        .getUpdate();
  }

  /**
   * Plays the match, which has ended, again; returns one's seat there. Terms are the same and seats
   * are moved on by one. It starts when all players have called this.
   */
  public SeatedPlayer rematch() {
    return rematch(CallSettings.DEFAULT);
  }

  /** The same. */
  public SeatedPlayer rematch(CallSettings settings) {
    Intent intent = settings.intent();
    RematchRequest request =
        RematchRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .setNewSeatToken(intent.getToken())
            // An intent's entropy serves as the second token: new, random, the same for a retry.
            .setNewHostToken(intent.getEntropy())
            .build();
    RematchResponse answer =
        calls.mutate(MatchServiceGrpc.getRematchMethod(), request, intent, settings);
    String matchId = answer.getMatch().getMatchId();
    return new SeatedPlayer(
        calls, new SeatCredential(matchId, answer.getSeat(), intent.getToken()));
  }

  /** Says that the seat which must decide is out of time; for matches where players claim it. */
  public MatchUpdate claimTimeout() {
    return claimTimeout(CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate claimTimeout(CallSettings settings) {
    Intent intent = settings.intent();
    ClaimTimeoutRequest request =
        ClaimTimeoutRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return calls
        .mutate(MatchServiceGrpc.getClaimTimeoutMethod(), request, intent, settings)
        .getUpdate();
  }

  /** Proposes a draw, a pause, or to take one's last action back; its version is to be answered. */
  public MatchUpdate propose(ProposalKind kind) {
    return propose(ProposeRequest.newBuilder().setKind(kind), CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate propose(ProposalKind kind, CallSettings settings) {
    return propose(ProposeRequest.newBuilder().setKind(kind), settings);
  }

  /** Proposes to go back to a version at which somebody had to decide. */
  public MatchUpdate proposeUndo(long undoTo, CallSettings settings) {
    ProposalKind kind = ProposalKind.PROPOSAL_KIND_UNDO;
    return propose(ProposeRequest.newBuilder().setKind(kind).setUndoTo(undoTo), settings);
  }

  private MatchUpdate propose(ProposeRequest.Builder given, CallSettings settings) {
    Intent intent = settings.intent();
    ProposeRequest request =
        given
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return calls.mutate(MatchServiceGrpc.getProposeMethod(), request, intent, settings).getUpdate();
  }

  /** Accepts or declines what was proposed, or withdraws what one has proposed oneself. */
  public MatchUpdate respond(long proposalVersion, boolean accept) {
    return respond(proposalVersion, accept, CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate respond(long proposalVersion, boolean accept, CallSettings settings) {
    Intent intent = settings.intent();
    RespondRequest request =
        RespondRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .setProposalVersion(proposalVersion)
            .setAccept(accept)
            .build();
    return calls.mutate(MatchServiceGrpc.getRespondMethod(), request, intent, settings).getUpdate();
  }

  /** Ends a pause. */
  public MatchUpdate resume() {
    return resume(CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate resume(CallSettings settings) {
    Intent intent = settings.intent();
    ResumeMatchRequest request =
        ResumeMatchRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return calls
        .mutate(MatchServiceGrpc.getResumeMatchMethod(), request, intent, settings)
        .getUpdate();
  }

  /**
   * Reveals what the seat has promised to add to the chance of the match, if it is due. {@code
   * watch} and {@code play} do it by themselves.
   */
  public void revealEntropy() {
    revealEntropy(CallSettings.DEFAULT);
  }

  /** The same. */
  public void revealEntropy(CallSettings settings) {
    Promises.reveal(calls, credential, settings);
  }

  /** Every entry once and in order, as the seat may know it. */
  public Watch watch() {
    return watch(WatchOptions.DEFAULT);
  }

  /** The same. */
  public Watch watch(WatchOptions options) {
    return Watch.of(
        calls, Collections.singletonList(Watched.seat(credential)), options, this::learn);
  }

  /** Plays the seat over one stream. */
  public Play play() {
    return play(PlayOptions.DEFAULT);
  }

  /** The same. */
  public Play play(PlayOptions options) {
    return new Play(calls, credential, options, this::learn);
  }

  /** The whole match so far, as the seat may know it. */
  public Replay replay() {
    return replay(CallSettings.DEFAULT);
  }

  /** The same. */
  public Replay replay(CallSettings settings) {
    GetReplayRequest request =
        GetReplayRequest.newBuilder()
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return Replay.of(
        calls.collect(MatchServiceGrpc.getGetReplayMethod(), request, settings, part -> {}));
  }

  /** Has the server check the stored log, also where spectators see the match later. */
  public VerifyReplayResponse verifyReplay() {
    return verifyReplay(CallSettings.DEFAULT);
  }

  /** The same. */
  public VerifyReplayResponse verifyReplay(CallSettings settings) {
    VerifyReplayRequest request =
        VerifyReplayRequest.newBuilder()
            .setMatchId(getMatchId())
            .setSeatToken(credential.getToken())
            .build();
    return calls.unary(MatchServiceGrpc.getVerifyReplayMethod(), request, settings);
  }

  private void learn(MatchUpdate update) {
    if (update.hasYourSeat()) {
      sit(update.getYourSeat());
    }
  }

  private void sit(int drawn) {
    if (drawn != credential.getSeat()) {
      credential = credential.at(drawn);
    }
  }

  @Override
  public String toString() {
    return "SeatedPlayer on seat " + getSeat() + " of match " + getMatchId();
  }
}
