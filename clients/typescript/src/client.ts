/** The client: the server, its games and its matches. */
import type { Interceptor, Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { given, httpAddress, requireKnown } from "./arguments.js";
import { type Game, gameOptions, type OptionsOf } from "./content.js";
import {
  credentialOf,
  HostCredential,
  type Intent,
  intentOf,
  SeatCredential,
} from "./credentials.js";
import type { StreamOptions, Watched, WatchOptions } from "./cursor.js";
import { EngineCalls } from "./engine.js";
import { InvalidArgumentError } from "./errors.js";
import {
  CatalogService,
  type GetServerInfoResponse,
} from "./gen/tablestate/v1/catalog_service_pb.js";
import type { WatchFeedResponse } from "./gen/tablestate/v1/feed_pb.js";
import type { GameInfo } from "./gen/tablestate/v1/game_pb.js";
import type { Match, MatchPhase, MatchUpdate } from "./gen/tablestate/v1/match_pb.js";
import {
  type GetViewResponse,
  MatchService,
  type VerifyReplayResponse,
} from "./gen/tablestate/v1/match_service_pb.js";
import {
  callOptions,
  createFields,
  HostedMatch,
  type JoinOptions,
  join,
  type MatchSettings,
} from "./host.js";
import { type ReadOptions, SeatedPlayer, type ViewOptions, viewFields, whole } from "./player.js";
import { type Replay, toReplay } from "./replay.js";
import { type RetryPolicy, retryPolicy } from "./retry.js";
import { type CallOptions, Calls, type MutateOptions } from "./transport.js";

const catalog = CatalogService.method;
const service = MatchService.method;

/** How a client reaches its server. */
export interface ClientOptions {
  /** Sent with every call, as `{ authorization: "Bearer an-operators-key" }`. */
  readonly headers?: HeadersInit;
  /** Milliseconds for all attempts of a call together, unless the call says otherwise. */
  readonly timeoutMs?: number;
  /** How calls are tried again; what is left out takes its default. */
  readonly retry?: Partial<RetryPolicy>;
  /** Connect's interceptors, for a client that is given an address. */
  readonly interceptors?: Interceptor[];
}

/** Which matches are listed. */
export interface ListOptions extends CallOptions {
  /** Only matches of this game. */
  readonly game?: string;
  /** Only matches in these phases. */
  readonly phases?: readonly MatchPhase[];
  /** Only matches in which this player, by the operator's id, has a seat. */
  readonly playerId?: string;
  /** How many are asked for at a time. */
  readonly pageSize?: number;
}

/**
 * A connection to a Tablestate server. Every call takes `timeoutMs` and `signal`, and throws a
 * `TablestateError`. Calls that change something take an `intent` too.
 */
export class Client extends EngineCalls {
  /**
   * `target` is the address of the server's gateway, as "http://127.0.0.1:8080", or a Connect
   * transport, such as `grpcTransport` of `@tablestate/client/node`.
   */
  constructor(target: string | Transport, options: ClientOptions = {}) {
    requireKnown(options, ["headers", "timeoutMs", "retry", "interceptors"]);
    const transport = isTransport(target) ? target : webTransport(target, options);
    const headers = checked(options.headers);
    const { timeoutMs = 10_000 } = options;
    super(new Calls({ transport, headers, timeoutMs, retry: retryPolicy(options.retry) }));
  }

  /** The server's version, the names of its games and its limits. */
  serverInfo(options: CallOptions = {}): Promise<GetServerInfoResponse> {
    return this.calls.unary(catalog.getServerInfo, {}, options);
  }

  /** The games with their options, bots and action index, by name. */
  async games(options: CallOptions = {}): Promise<GameInfo[]> {
    return (await this.calls.unary(catalog.listGames, {}, options)).games;
  }

  /** One game; throws NotFoundError. */
  async game(game: string, options: CallOptions = {}): Promise<GameInfo> {
    return whole((await this.calls.unary(catalog.listGames, { game }, options)).games[0]);
  }

  /** Creates a match of a game. Throws InvalidRequestError for options that are not acceptable. */
  async createMatch<G extends Game>(
    game: G,
    options: OptionsOf[G] = {},
    settings: MatchSettings = {},
  ): Promise<HostedMatch> {
    const intent = intentOf(settings);
    const request = { ...createFields(intent, settings), options: gameOptions(game, options) };
    const answer = await this.calls.mutate(
      service.createMatch,
      request,
      intent,
      callOptions(settings),
    );
    return this.#hosted(answer.match, intent);
  }

  /**
   * Creates a match that begins where another stood at a version, with its game and options. Throws
   * PreconditionError (POSITION_HIDDEN) for a position that hides something, unless the source has
   * ended and reveals its secret.
   */
  async forkMatch(
    matchId: string,
    version: bigint,
    settings: MatchSettings = {},
  ): Promise<HostedMatch> {
    const intent = intentOf(settings);
    const request = { source: { matchId, version }, match: createFields(intent, settings) };
    const answer = await this.calls.mutate(
      service.forkMatch,
      request,
      intent,
      callOptions(settings),
    );
    return this.#hosted(answer.match, intent);
  }

  /** Goes on as the host of a match; no call is made. */
  host(credential: HostCredential): HostedMatch {
    return new HostedMatch(this.calls, credentialOf(HostCredential, credential));
  }

  /** Takes a seat of a match, the lowest open one by default. Throws SeatTakenError. */
  join(matchId: string, options: JoinOptions = {}): Promise<SeatedPlayer> {
    return join(this.calls, matchId, options);
  }

  /** Goes on as the player on a seat; no call is made. */
  player(credential: SeatCredential): SeatedPlayer {
    return new SeatedPlayer(this.calls, credentialOf(SeatCredential, credential));
  }

  /** A match as everybody sees it; throws NotFoundError. */
  async getMatch(matchId: string, wanted: ReadOptions = {}): Promise<Match> {
    const { minVersion, ...options } = given(wanted);
    const request = { matchId, minVersion };
    return whole((await this.calls.unary(service.getMatch, request, options)).match);
  }

  /** Matches, the newest first, asking for further pages as needed. */
  async *listMatches(wanted: ListOptions = {}): AsyncGenerator<Match> {
    const { game, phases, playerId, pageSize, ...options } = given(wanted);
    let pageToken = "";
    do {
      const request = { game, phases: phases as MatchPhase[], playerId, pageSize, pageToken };
      const page = await this.calls.unary(service.listMatches, request, options);
      yield* page.matches;
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
  }

  /** What a spectator may see, now or at a version. */
  async view(matchId: string, wanted: ViewOptions = {}): Promise<GetViewResponse> {
    const { fields, options } = viewFields(wanted);
    return this.calls.unary(service.getView, { matchId, ...fields }, options);
  }

  /**
   * Every entry of the matches once and in order. A broken stream is opened anew where it broke. It
   * ends when all matches have ended.
   */
  watch(watched: Watched | readonly Watched[], options: WatchOptions = {}) {
    const all = Array.isArray(watched) ? (watched as readonly Watched[]) : [watched as Watched];
    return this.calls.watch(all, options) satisfies AsyncGenerator<MatchUpdate>;
  }

  /**
   * What happens to all matches of a tenant: created, a player's turn, ended; each once, in one
   * order. For operators, by their key in the headers or by the feed's secret. It ends with an error
   * only, as when the server was away for longer than `watchPatienceMs` of the client's `retry`.
   */
  watchFeed(
    wanted: StreamOptions & { feedSecret?: string; tenant?: string; cursor?: string } = {},
  ): AsyncGenerator<WatchFeedResponse> {
    const { feedSecret, tenant, cursor, ...options } = given(wanted);
    return this.calls.watchFeed({ feedSecret, tenant, cursor }, options);
  }

  /** A whole match as a spectator may know it; with the full record if it has ended. */
  async replay(matchId: string, options: CallOptions = {}): Promise<Replay> {
    return toReplay(await this.calls.collect(service.getReplay, { matchId }, options));
  }

  /** Has the server check the stored log of a match, and tells how far it holds. */
  verifyReplay(matchId: string, options: CallOptions = {}): Promise<VerifyReplayResponse> {
    return this.calls.unary(service.verifyReplay, { matchId }, options);
  }

  /** Gives a player's seat another token, that of the intent. For operators. */
  async replaceSeatToken(
    matchId: string,
    seat: number,
    options: MutateOptions = {},
  ): Promise<SeatedPlayer> {
    const intent = intentOf(options);
    const request = { requestId: intent.requestId, matchId, seat, newSeatToken: intent.token };
    await this.calls.mutate(service.replaceSeatToken, request, intent, options);
    return new SeatedPlayer(this.calls, new SeatCredential(matchId, seat, intent.token));
  }

  /** Takes a player's seat its token away: nobody can act for it until it gets another. */
  async revokeSeatToken(
    matchId: string,
    seat: number,
    options: MutateOptions = {},
  ): Promise<MatchUpdate> {
    const intent = intentOf(options);
    const request = { requestId: intent.requestId, matchId, seat };
    return whole(
      (await this.calls.mutate(service.revokeSeatToken, request, intent, options)).update,
    );
  }

  #hosted(match: Match | undefined, intent: Intent): HostedMatch {
    return new HostedMatch(this.calls, new HostCredential(whole(match).matchId, intent.token));
  }
}

function isTransport(target: string | Transport): target is Transport {
  return typeof target === "object" && typeof target?.unary === "function";
}

function webTransport(address: string, { interceptors }: ClientOptions): Transport {
  const baseUrl = httpAddress("target", address);
  return createConnectTransport({ baseUrl, useBinaryFormat: true, interceptors });
}

/** The headers; what HTTP cannot send is refused without its value, which may be a secret. */
function checked(headers: HeadersInit | undefined): Headers {
  try {
    return new Headers(headers);
  } catch {
    throw new InvalidArgumentError("headers", "must be names and values that HTTP can send");
  }
}
