package dev.tablestate.client;

import com.google.protobuf.Message;
import dev.tablestate.client.errors.TablestateException;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.PlayAction;
import dev.tablestate.v1.PlayAnswer;
import dev.tablestate.v1.PlayBegin;
import dev.tablestate.v1.PlayRequest;
import dev.tablestate.v1.PlayResign;
import dev.tablestate.v1.PlayResponse;
import dev.tablestate.v1.ResignRequest;
import dev.tablestate.v1.SubmitActionRequest;
import dev.tablestate.v1.WatchSubscription;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A seat that is played over one stream: its turns come in, its actions go out.
 *
 * <p>A broken stream is opened anew where it broke, and an action that has no answer yet is sent
 * again: it has one effect. One thread at a time; made by {@link SeatedPlayer#play}.
 */
public final class Play implements AutoCloseable {
  private final Calls calls;
  private final SeatCredential credential;
  private final Consumer<MatchUpdate> learner;
  private final Consumer<TablestateException> onBreak;
  private final StreamBackoff backoff;
  private final Deque<MatchUpdate> untold = new ArrayDeque<>();
  private PlayBegin begin;
  private @Nullable Dialogue<PlayRequest, PlayResponse> stream;
  private @Nullable Cursor cursor;
  private @Nullable PlayRequest pending;
  private long version = -1;
  private volatile boolean hasEnded;

  Play(Calls calls, SeatCredential credential, PlayOptions options, Consumer<MatchUpdate> learner) {
    this.calls = calls;
    this.credential = credential;
    this.learner = learner;
    onBreak = options.onBreak;
    backoff = calls.streamBackoff(options.limitNanos);
    begin =
        options.begin.toBuilder()
            .setMatchId(credential.getMatchId())
            .setSeatToken(credential.getToken())
            .build();
  }

  /** The next update after which the seat must decide; null at the end of the match. */
  public @Nullable MatchUpdate nextTurn() {
    MatchUpdate update = nextUpdate();
    while (update != null && !isTurn(update)) {
      update = nextUpdate();
    }
    return update;
  }

  /** The next entry, each once and in order; null at the end of the match. */
  public @Nullable MatchUpdate nextUpdate() {
    while (untold.isEmpty() && !hasEnded) {
      take();
    }
    MatchUpdate update = untold.poll();
    if (update == null) {
      drop();
      return null;
    }
    learner.accept(update);
    Promises.revealIfDue(calls, credential, update);
    version = update.getVersion();
    return update;
  }

  /**
   * Takes an action at the version of the last update that was told; see {@link #act(Message,
   * Intent)}.
   */
  public long act(Message action) {
    return act(action, new Intent());
  }

  /**
   * Takes an action, and returns the version of its entry, whose update comes as well. It is taken
   * at the version of the last update that was told. Throws IllegalActionException,
   * NotTheActorException, MatchPhaseException; StaleVersionException if the match has moved on. The
   * play goes on after each of these.
   */
  public long act(Message action, Intent intent) {
    PlayAction.Builder sent =
        PlayAction.newBuilder().setRequestId(intent.getRequestId()).setChoice(Games.choice(action));
    if (version >= 0) {
      sent.setExpectedVersion(version);
    }
    return ask(PlayRequest.newBuilder().setAction(sent).build(), intent);
  }

  /** Forfeits, and returns the version of the entry. */
  public long resign() {
    return resign(new Intent());
  }

  /** The same. */
  public long resign(Intent intent) {
    PlayResign sent = PlayResign.newBuilder().setRequestId(intent.getRequestId()).build();
    return ask(PlayRequest.newBuilder().setResign(sent).build(), intent);
  }

  /** Ends the stream; the seat stays what it is. */
  @Override
  public void close() {
    hasEnded = true;
    drop();
  }

  private boolean isTurn(MatchUpdate update) {
    if (begin.getIncludeLegalActions()) { // There are none while nobody may act.
      return update.getLegalActions().getActionsCount() > 0;
    }
    // Where seats are drawn it is another than that of the credential.
    int seat = update.hasYourSeat() ? update.getYourSeat() : credential.getSeat();
    return update.getActorsList().contains(seat);
  }

  /** Sends a request, and waits for its answer, however many streams that takes. */
  private long ask(PlayRequest request, Intent intent) {
    pending = request;
    try {
      if (stream != null) {
        stream.send(request);
      }
      PlayAnswer answer = null;
      while (answer == null && !hasEnded) {
        answer = take();
      }
      if (answer == null) {
        return askApart(request, intent);
      }
      if (answer.hasRefusal()) {
        throw Statuses.toException(answer.getRefusal());
      }
      return answer.getVersion();
    } catch (TablestateException error) {
      throw error.withIntent(intent);
    } finally {
      pending = null;
    }
  }

  /** Asks by a call of its own, since there is no stream after the match's end. */
  private long askApart(PlayRequest request, Intent intent) {
    if (request.hasResign()) {
      ResignRequest resign =
          ResignRequest.newBuilder()
              .setRequestId(intent.getRequestId())
              .setMatchId(credential.getMatchId())
              .setSeatToken(credential.getToken())
              .build();
      return calls
          .mutate(MatchServiceGrpc.getResignMethod(), resign, intent, CallSettings.DEFAULT)
          .getUpdate()
          .getVersion();
    }
    PlayAction action = request.getAction();
    SubmitActionRequest.Builder submit =
        SubmitActionRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(credential.getMatchId())
            .setSeatToken(credential.getToken())
            .setChoice(action.getChoice());
    if (action.hasExpectedVersion()) {
      submit.setExpectedVersion(action.getExpectedVersion());
    }
    return calls
        .mutate(
            MatchServiceGrpc.getSubmitActionMethod(), submit.build(), intent, CallSettings.DEFAULT)
        .getUpdate()
        .getVersion();
  }

  /** Takes in what comes next; the answer to what is pending, if it is that. */
  private @Nullable PlayAnswer take() {
    PlayResponse response;
    try {
      response = opened().receive();
      if (response == null) { // The server says that the match has ended.
        drop();
        hasEnded = true;
        return null;
      }
      if (response.hasUpdate()) {
        accept(response.getUpdate());
      }
    } catch (TablestateException error) {
      breakOff(error);
      return null;
    }
    backoff.reset();
    PlayAnswer answer = response.getAnswer();
    return response.hasAnswer() && answer.getRequestId().equals(pendingId()) ? answer : null;
  }

  private @Nullable String pendingId() {
    if (pending == null) {
      return null;
    }
    return pending.hasAction()
        ? pending.getAction().getRequestId()
        : pending.getResign().getRequestId();
  }

  /** Keeps an update, unless it was seen; throws UnavailableException at a gap. */
  private void accept(MatchUpdate update) {
    if (cursor == null) {
      WatchSubscription begun =
          WatchSubscription.newBuilder()
              .setMatchId(update.getMatchId())
              .setAfterVersion(update.getVersion() - 1)
              .build();
      cursor = new Cursor(Collections.singletonList(begun));
    }
    if (cursor.accept(update)) {
      begin = begin.toBuilder().setAfterVersion(update.getVersion()).build();
      untold.add(update);
    }
    if (cursor.isDone() && pending == null) {
      hasEnded = true;
    }
  }

  /** The stream; a new one begins where the last one broke, and sends again what has no answer. */
  private Dialogue<PlayRequest, PlayResponse> opened() {
    Dialogue<PlayRequest, PlayResponse> open = stream;
    if (open != null) {
      return open;
    }
    open = calls.dialogue(MatchServiceGrpc.getPlayMethod(), backoff.open());
    stream = open;
    open.send(PlayRequest.newBuilder().setBegin(begin).build());
    if (pending != null) {
      open.send(pending);
    }
    return open;
  }

  /** Notes that the stream has ended; throws the error if there is to be no other. */
  private void breakOff(TablestateException error) {
    drop();
    if (hasEnded) {
      return;
    }
    calls.requireOpen();
    if (Thread.currentThread().isInterrupted()) {
      throw error;
    }
    long pause = backoff.delayAfter(error);
    onBreak.accept(error);
    calls.pause(pause);
  }

  private void drop() {
    Dialogue<PlayRequest, PlayResponse> open = stream;
    stream = null;
    if (open != null) {
      open.close();
    }
  }
}
