/** A match, in the hands of whoever created it. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { given, optionalDuration } from "./arguments.js";
import { type HostCredential, type Intent, intentOf, SeatCredential } from "./credentials.js";
import type { WatchOptions } from "./cursor.js";
import { entropyHash } from "./entropy.js";
import type { Match, MatchUpdate } from "./gen/tablestate/v1/match_pb.js";
import {
  type AddBotResponse,
  type CreateMatchRequestSchema,
  MatchService,
} from "./gen/tablestate/v1/match_service_pb.js";
import { SeatedPlayer, whole } from "./player.js";
import type { CallOptions, Calls, MutateOptions } from "./transport.js";

const service = MatchService.method;

type CreateFields = MessageInitShape<typeof CreateMatchRequestSchema>;

/** What a host settles of a match; what is left out takes the server's default. */
export interface MatchSettings extends MutateOptions {
  readonly onLeave?: CreateFields["onLeave"];
  readonly onTimeout?: CreateFields["onTimeout"];
  readonly revealPolicy?: CreateFields["revealPolicy"];
  readonly startPolicy?: CreateFields["startPolicy"];
  /** RANDOM: nobody chooses a seat; all are drawn when the match starts. */
  readonly seating?: CreateFields["seating"];
  /** The operator's own data. */
  readonly metadata?: CreateFields["metadata"];
  /** The operator's name for whom the match belongs to. */
  readonly tenant?: string;
  /** How much time players have, made by `timeControl`; left out: as the server has it. */
  readonly timeControl?: CreateFields["timeControl"];
  /** How long the match waits for its start. */
  readonly waitingLimitMs?: number;
  /** For how long entropies are awaited, when all seats are taken. */
  readonly entropyLimitMs?: number;
  readonly visibility?: CreateFields["visibility"];
  /** For a match by invitation: made by `newInvitationCode`. */
  readonly invitationCode?: string;
  readonly spectatorPolicy?: CreateFields["spectatorPolicy"];
  /** How much later spectators see what happens. */
  readonly spectatorDelayMs?: number;
}

/** Who joins, and where. */
export interface JoinOptions extends MutateOptions {
  /** The seat to take; left out: the lowest open one. None can be named where seats are drawn. */
  readonly seat?: number;
  /** A name to show. */
  readonly displayName?: string;
  /** The operator's id of the player. */
  readonly playerId?: string;
  /**
   * Whether the seat adds random bytes of its own to the chance of the match, so that not even the
   * server can have chosen it. `watch` reveals them when it is due.
   */
  readonly entropy?: boolean;
  /** For a match by invitation. */
  readonly invitationCode?: string;
}

/** Made by `Client.createMatch`, `Client.forkMatch` and `Client.host`. */
export class HostedMatch {
  constructor(
    private readonly calls: Calls,
    readonly credential: HostCredential,
  ) {}

  /** The match's id, to be given to players. */
  get matchId(): string {
    return this.credential.matchId;
  }

  /** The match as its host sees it: with metadata and player ids. */
  async get(options: CallOptions = {}): Promise<Match> {
    return whole((await this.calls.unary(service.getMatch, this.#key, options)).match);
  }

  /** Takes a seat oneself. */
  join(options: JoinOptions = {}): Promise<SeatedPlayer> {
    return join(this.calls, this.matchId, options);
  }

  /** Puts a bot (one of `GameInfo.bots`) on a seat, the lowest open one by default. */
  async addBot(
    bot: string,
    wanted: MutateOptions & { seat?: number } = {},
  ): Promise<AddBotResponse> {
    const { seat, ...options } = given(wanted);
    const { intent, key } = this.#mutation(options);
    const request = { ...key, bot, seat };
    return this.calls.mutate(service.addBot, request, intent, options);
  }

  /** Starts a match that was created to be started by its host. */
  async start(options: MutateOptions = {}): Promise<MatchUpdate> {
    const { intent, key } = this.#mutation(options);
    return whole((await this.calls.mutate(service.startMatch, key, intent, options)).update);
  }

  /** Ends the match without an outcome. */
  async abort(options: MutateOptions = {}): Promise<MatchUpdate> {
    const { intent, key } = this.#mutation(options);
    return whole((await this.calls.mutate(service.abortMatch, key, intent, options)).update);
  }

  /** Every entry once and in order, as a spectator. */
  watch(options: WatchOptions = {}): AsyncGenerator<MatchUpdate> {
    return this.calls.watch([this.matchId], options);
  }

  get #key() {
    return { matchId: this.matchId, hostToken: this.credential.token };
  }

  #mutation(options: MutateOptions) {
    const intent = intentOf(options);
    return { intent, key: { requestId: intent.requestId, ...this.#key } };
  }
}

/** Takes a seat of a match. */
export async function join(
  calls: Calls,
  matchId: string,
  wanted: JoinOptions,
): Promise<SeatedPlayer> {
  const { entropy, seat, displayName, playerId, invitationCode, ...options } = given(wanted);
  const intent = intentOf(options);
  const promised = entropy ? intent.entropy : undefined;
  const request = {
    requestId: intent.requestId,
    matchId,
    seatToken: intent.token,
    seat,
    displayName,
    playerId,
    invitationCode,
    entropyHash: promised && (await entropyHash(matchId, promised)),
  };
  const answer = await calls.mutate(service.joinMatch, request, intent, options);
  const credential = new SeatCredential(matchId, answer.seat, intent.token, promised);
  return new SeatedPlayer(calls, credential);
}

/** The request that creates a match, but for its options. */
export function createFields(intent: Intent, settings: MatchSettings): CreateFields {
  const { waitingLimitMs, entropyLimitMs, spectatorDelayMs, ...rest } = settings;
  const { timeoutMs: _timeout, signal: _signal, intent: _intent, ...fields } = rest;
  return {
    ...fields,
    requestId: intent.requestId,
    hostToken: intent.token,
    waitingLimit: optionalDuration("waitingLimitMs", waitingLimitMs),
    entropyLimit: optionalDuration("entropyLimitMs", entropyLimitMs),
    spectatorDelay: optionalDuration("spectatorDelayMs", spectatorDelayMs),
  };
}

/** What of a match's settings is for the call that creates it. */
export function callOptions({ timeoutMs, signal, intent }: MatchSettings): MutateOptions {
  return { timeoutMs, signal, intent };
}
