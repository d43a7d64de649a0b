package dev.tablestate.client;

import com.google.protobuf.Message;
import dev.tablestate.client.errors.ErrorDetails;
import dev.tablestate.client.errors.InternalException;
import dev.tablestate.v1.EngineServiceGrpc;
import dev.tablestate.v1.GameState;
import dev.tablestate.v1.GameView;
import dev.tablestate.v1.OpenEvaluate;
import dev.tablestate.v1.PerftRequest;
import dev.tablestate.v1.PerftResponse;
import dev.tablestate.v1.PlayoutRequest;
import dev.tablestate.v1.PlayoutResponse;
import dev.tablestate.v1.SearchRequest;
import dev.tablestate.v1.SearchResponse;
import io.grpc.Status;
import java.util.List;
import java.util.function.Consumer;

/**
 * The calls of a client that have nothing to do with matches: {@link TablestateClient#getEngine}.
 *
 * <p>Where games begin is said by the options message of a game, a GameOptions (as {@link
 * Games#options(String)} makes it) or, where that is allowed, a full GameState. The rest of a
 * request is set by the contract's own builders.
 */
public final class Engine {
  private final Calls calls;

  Engine(Calls calls) {
    this.calls = calls;
  }

  /**
   * Searches for the best action of the seat that must decide. The server is told the options, what
   * the seat sees, and nothing else.
   *
   * @param budget a request with iterations or milliseconds, a seed and threads if they matter
   */
  public SearchResponse search(
      Message options, GameView view, int seat, SearchRequest.Builder budget) {
    return search(options, view, seat, budget, progress -> {}, CallSettings.DEFAULT);
  }

  /**
   * The same. The consumer is told what has been found so far, as often as the budget's
   * progress_milliseconds say. Milliseconds of search come on top of the client's timeout.
   */
  public SearchResponse search(
      Message options,
      GameView view,
      int seat,
      SearchRequest.Builder budget,
      Consumer<SearchResponse> onProgress,
      CallSettings settings) {
    SearchRequest request =
        budget.setOptions(Games.options(options)).setView(view).setSeat(seat).build();
    List<SearchResponse> parts =
        calls.collect(
            EngineServiceGrpc.getSearchMethod(),
            request,
            settings.orTimeout(calls.timeout.plusMillis(request.getMilliseconds())),
            part -> {
              if (!part.getDone()) {
                onProgress.accept(part);
              }
            });
    if (parts.isEmpty()) {
      throw new InternalException(
          ErrorDetails.of(Status.Code.INTERNAL, "the server's answer lacks its content"));
    }
    return parts.get(parts.size() - 1);
  }

  /**
   * Plays games to their ends, and adds up the results.
   *
   * @param start options, or a GameState
   * @param how a request with the number of games, and what else matters
   */
  public PlayoutResponse playout(Message start, PlayoutRequest.Builder how) {
    return playout(start, how, CallSettings.DEFAULT);
  }

  /** The same. */
  public PlayoutResponse playout(Message start, PlayoutRequest.Builder how, CallSettings settings) {
    if (start instanceof GameState) {
      how.setState((GameState) start);
    } else {
      how.setOptions(Games.options(start));
    }
    return calls.unaryLong(EngineServiceGrpc.getPlayoutMethod(), how.build(), settings);
  }

  /**
   * Counts the sequences of decisions of a length, with {@code divide} for each first action too.
   *
   * @param start options, or a GameState
   */
  public PerftResponse perft(Message start, int depth, boolean divide) {
    return perft(start, depth, divide, CallSettings.DEFAULT);
  }

  /** The same. */
  public PerftResponse perft(Message start, int depth, boolean divide, CallSettings settings) {
    PerftRequest.Builder request = PerftRequest.newBuilder().setDepth(depth).setDivide(divide);
    if (start instanceof GameState) {
      request.setState((GameState) start);
    } else {
      request.setOptions(Games.options(start));
    }
    return calls.unaryLong(EngineServiceGrpc.getPerftMethod(), request.build(), settings);
  }

  /** Opens a stream on which batches of games live. */
  public Simulation simulate() {
    return new Simulation(calls.dialogue(EngineServiceGrpc.getSimulateMethod(), Calls.FOREVER));
  }

  /**
   * Begins a tree search at each of the roots, whose leaves you judge.
   *
   * @param opening the roots and the number of simulations, and what else matters
   */
  public TreeSearch evaluate(OpenEvaluate opening) {
    return TreeSearch.begin(
        calls.dialogue(EngineServiceGrpc.getEvaluateMethod(), Calls.FOREVER), opening);
  }
}
