package dev.tablestate.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.tablestate.v1.CatalogServiceGrpc;
import dev.tablestate.v1.CreateMatchRequest;
import dev.tablestate.v1.ForkMatchRequest;
import dev.tablestate.v1.GameInfo;
import dev.tablestate.v1.GetMatchRequest;
import dev.tablestate.v1.GetReplayRequest;
import dev.tablestate.v1.GetServerInfoRequest;
import dev.tablestate.v1.GetServerInfoResponse;
import dev.tablestate.v1.GetViewResponse;
import dev.tablestate.v1.ListGamesRequest;
import dev.tablestate.v1.ListMatchesRequest;
import dev.tablestate.v1.ListMatchesResponse;
import dev.tablestate.v1.Match;
import dev.tablestate.v1.MatchServiceGrpc;
import dev.tablestate.v1.MatchUpdate;
import dev.tablestate.v1.MatchVersion;
import dev.tablestate.v1.ReplaceSeatTokenRequest;
import dev.tablestate.v1.RevokeSeatTokenRequest;
import dev.tablestate.v1.VerifyReplayRequest;
import dev.tablestate.v1.VerifyReplayResponse;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a Tablestate server.
 *
 * <p>Every call throws a {@link dev.tablestate.client.errors.TablestateException} when it fails,
 * and takes {@link CallSettings}: a timeout for all its attempts together and, if it changes
 * something, an intent. All of it may be used by many threads at once, but for what is read from
 * one stream.
 */
public final class TablestateClient implements AutoCloseable {
  private final Calls calls;
  private final Channel channel;
  private final @Nullable ManagedChannel owned;
  private final Engine engine;

  TablestateClient(Calls calls, Channel channel, @Nullable ManagedChannel owned) {
    this.calls = calls;
    this.channel = channel;
    this.owned = owned;
    engine = new Engine(calls);
  }

  /** Prepares a connection without TLS to "host:port"; the first call opens it. */
  public static TablestateClient connect(String target) {
    return builder(target).build();
  }

  /** Prepares a connection to "host:port". */
  public static ClientBuilder builder(String target) {
    return new ClientBuilder(target);
  }

  /** Prepares a client over a channel that its maker closes. */
  public static ClientBuilder builder(Channel channel) {
    return new ClientBuilder(channel);
  }

  /** Closes the connection; calls still open, and later ones, throw ClientClosedException. */
  @Override
  public void close() {
    calls.close();
    if (owned != null) {
      owned.shutdownNow();
    }
  }

  /**
   * The channel with the client's headers, for the generated stubs of {@code dev.tablestate.v1}.
   */
  public Channel getChannel() {
    return channel;
  }

  /** What has nothing to do with matches: searches, playouts, counts, batches of games. */
  public Engine getEngine() {
    return engine;
  }

  /** The server's version, the names of its games and its limits. */
  public GetServerInfoResponse serverInfo() {
    return serverInfo(CallSettings.DEFAULT);
  }

  /** The same. */
  public GetServerInfoResponse serverInfo(CallSettings settings) {
    return calls.unary(
        CatalogServiceGrpc.getGetServerInfoMethod(),
        GetServerInfoRequest.getDefaultInstance(),
        settings);
  }

  /** The games with their options, bots and action index, by name. */
  public List<GameInfo> games() {
    return games("", CallSettings.DEFAULT);
  }

  /** One game; throws NotFoundException. */
  public GameInfo game(String game) {
    return games(game, CallSettings.DEFAULT).get(0);
  }

  /** One game, or all if the name is empty. */
  public List<GameInfo> games(String game, CallSettings settings) {
    ListGamesRequest request =
        ListGamesRequest.newBuilder().setGame(Arguments.given("game", game)).build();
    return calls.unary(CatalogServiceGrpc.getListGamesMethod(), request, settings).getGamesList();
  }

  /** Creates a match of a game, as "offboard", with its default options. */
  public HostedMatch createMatch(String game) {
    return createMatch(Games.options(game), MatchSettings.DEFAULT);
  }

  /** Creates a match with a game's options message, as an OffboardOptions. */
  public HostedMatch createMatch(Message options) {
    return createMatch(options, MatchSettings.DEFAULT);
  }

  /** The same with settings. Throws InvalidRequestException for what is not acceptable. */
  public HostedMatch createMatch(Message options, MatchSettings match) {
    return createMatch(options, match, CallSettings.DEFAULT);
  }

  /** The same. */
  public HostedMatch createMatch(Message options, MatchSettings match, CallSettings settings) {
    Intent intent = settings.intent();
    Arguments.given("match", match);
    CreateMatchRequest request = match.request(intent).setOptions(Games.options(options)).build();
    return hosted(
        calls.mutate(MatchServiceGrpc.getCreateMatchMethod(), request, intent, settings).getMatch(),
        intent);
  }

  /**
   * Creates a match that begins where another stood at a version, with its game and options. Throws
   * PreconditionException (POSITION_HIDDEN) for a position that hides something, unless the source
   * has ended and reveals its secret.
   */
  public HostedMatch forkMatch(String matchId, long version, MatchSettings match) {
    return forkMatch(matchId, version, match, CallSettings.DEFAULT);
  }

  /** The same. */
  public HostedMatch forkMatch(
      String matchId, long version, MatchSettings match, CallSettings settings) {
    Intent intent = settings.intent();
    Arguments.given("match", match);
    ForkMatchRequest request =
        ForkMatchRequest.newBuilder()
            .setSource(
                MatchVersion.newBuilder()
                    .setMatchId(Arguments.given("matchId", matchId))
                    .setVersion(version))
            .setMatch(match.request(intent))
            .build();
    return hosted(
        calls.mutate(MatchServiceGrpc.getForkMatchMethod(), request, intent, settings).getMatch(),
        intent);
  }

  private HostedMatch hosted(Match match, Intent intent) {
    return new HostedMatch(calls, new HostCredential(match.getMatchId(), intent.getToken()));
  }

  /** Goes on as the host of a match; no call is made. */
  public HostedMatch host(HostCredential credential) {
    return new HostedMatch(calls, credential);
  }

  /** Takes the lowest open seat of a match. */
  public SeatedPlayer join(String matchId) {
    return join(matchId, JoinOptions.DEFAULT);
  }

  /** Takes a seat of a match; throws SeatTakenException. */
  public SeatedPlayer join(String matchId, JoinOptions options) {
    return join(matchId, options, CallSettings.DEFAULT);
  }

  /** The same. */
  public SeatedPlayer join(String matchId, JoinOptions options, CallSettings settings) {
    return HostedMatch.join(calls, matchId, options, settings);
  }

  /** Goes on as the player on a seat; no call is made. */
  public SeatedPlayer player(SeatCredential credential) {
    return new SeatedPlayer(calls, credential);
  }

  /** A match as everybody sees it; throws NotFoundException. */
  public Match getMatch(String matchId) {
    return getMatch(matchId, CallSettings.DEFAULT);
  }

  /** The same. */
  public Match getMatch(String matchId, CallSettings settings) {
    GetMatchRequest request =
        GetMatchRequest.newBuilder().setMatchId(Arguments.given("matchId", matchId)).build();
    return calls.unary(MatchServiceGrpc.getGetMatchMethod(), request, settings).getMatch();
  }

  /** A match at a version or later; throws VersionNotReachedException. */
  public Match getMatch(String matchId, long minVersion, CallSettings settings) {
    GetMatchRequest request =
        GetMatchRequest.newBuilder()
            .setMatchId(Arguments.given("matchId", matchId))
            .setMinVersion(minVersion)
            .build();
    return calls.unary(MatchServiceGrpc.getGetMatchMethod(), request, settings).getMatch();
  }

  /** Matches, the newest first: further pages are asked for as needed. */
  public Iterable<Match> listMatches(ListOptions options) {
    ListMatchesRequest first = Arguments.given("options", options).request;
    return () -> new Pages(this::page, first);
  }

  private ListMatchesResponse page(ListMatchesRequest request) {
    return calls.unary(MatchServiceGrpc.getListMatchesMethod(), request, CallSettings.DEFAULT);
  }

  /** What a spectator may see now. */
  public GetViewResponse view(String matchId) {
    return view(matchId, ViewOptions.DEFAULT, CallSettings.DEFAULT);
  }

  /** What a spectator may see, now or at a version. */
  public GetViewResponse view(String matchId, ViewOptions options, CallSettings settings) {
    return calls.unary(
        MatchServiceGrpc.getGetViewMethod(), options.request(matchId, ByteString.EMPTY), settings);
  }

  /** Every entry of a match once and in order, as spectators see it. */
  public Watch watch(String matchId) {
    return watch(Collections.singletonList(Watched.match(matchId)), WatchOptions.DEFAULT);
  }

  /** Every entry of matches once and in order, each as a spectator or from a seat. */
  public Watch watch(Collection<Watched> matches, WatchOptions options) {
    return Watch.of(calls, matches, options, told -> {});
  }

  /** What happens to all matches of a tenant. For operators, by their key or the feed's secret. */
  public Feed watchFeed(FeedOptions options) {
    Arguments.given("options", options);
    return new Feed(calls, options.request, options.onBreak);
  }

  /** A whole match as a spectator may know it; with the full record if it has ended. */
  public Replay replay(String matchId) {
    return replay(matchId, CallSettings.DEFAULT);
  }

  /** The same. */
  public Replay replay(String matchId, CallSettings settings) {
    GetReplayRequest request =
        GetReplayRequest.newBuilder().setMatchId(Arguments.given("matchId", matchId)).build();
    return Replay.of(
        calls.collect(MatchServiceGrpc.getGetReplayMethod(), request, settings, part -> {}));
  }

  /** Has the server check the stored log of a match, and tells how far it holds. */
  public VerifyReplayResponse verifyReplay(String matchId) {
    return verifyReplay(matchId, CallSettings.DEFAULT);
  }

  /** The same. */
  public VerifyReplayResponse verifyReplay(String matchId, CallSettings settings) {
    VerifyReplayRequest request =
        VerifyReplayRequest.newBuilder().setMatchId(Arguments.given("matchId", matchId)).build();
    return calls.unary(MatchServiceGrpc.getVerifyReplayMethod(), request, settings);
  }

  /** Gives a player's seat another token, that of the intent. For operators. */
  public SeatedPlayer replaceSeatToken(String matchId, int seat) {
    return replaceSeatToken(matchId, seat, CallSettings.DEFAULT);
  }

  /** The same. */
  public SeatedPlayer replaceSeatToken(String matchId, int seat, CallSettings settings) {
    Intent intent = settings.intent();
    ReplaceSeatTokenRequest request =
        ReplaceSeatTokenRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(Arguments.given("matchId", matchId))
            .setSeat(seat)
            .setNewSeatToken(intent.getToken())
            .build();
    calls.mutate(MatchServiceGrpc.getReplaceSeatTokenMethod(), request, intent, settings);
    return new SeatedPlayer(calls, new SeatCredential(matchId, seat, intent.getToken()));
  }

  /** Takes a player's seat its token away: nobody can act for it until it gets another. */
  public MatchUpdate revokeSeatToken(String matchId, int seat) {
    return revokeSeatToken(matchId, seat, CallSettings.DEFAULT);
  }

  /** The same. */
  public MatchUpdate revokeSeatToken(String matchId, int seat, CallSettings settings) {
    Intent intent = settings.intent();
    RevokeSeatTokenRequest request =
        RevokeSeatTokenRequest.newBuilder()
            .setRequestId(intent.getRequestId())
            .setMatchId(Arguments.given("matchId", matchId))
            .setSeat(seat)
            .build();
    return calls
        .mutate(MatchServiceGrpc.getRevokeSeatTokenMethod(), request, intent, settings)
        .getUpdate();
  }
}
