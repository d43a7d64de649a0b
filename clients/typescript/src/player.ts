/** A seat of a match, in the hands of its player. */
import { given } from "./arguments.js";
import { type Action, actionChoice } from "./content.js";
import { intentOf, SeatCredential } from "./credentials.js";
import type { WatchOptions } from "./cursor.js";
import { reveal, revealIfDue } from "./entropy.js";
import { InternalError } from "./errors.js";
import type { Match, MatchUpdate, ProposalKind } from "./gen/tablestate/v1/match_pb.js";
import {
  type GetViewResponse,
  type ListLegalActionsResponse,
  MatchService,
} from "./gen/tablestate/v1/match_service_pb.js";
import { type Replay, toReplay } from "./replay.js";
import type { CallOptions, Calls, MutateOptions } from "./transport.js";

const service = MatchService.method;

/** Of what version an answer is to be. */
export interface ReadOptions extends CallOptions {
  /** The answer shows at least this version, or VersionNotReachedError is thrown. */
  readonly minVersion?: bigint | undefined;
}

/** Which view is wanted, and what comes with it. */
export interface ViewOptions extends ReadOptions {
  /** The view as it was at this version; left out: now. */
  readonly version?: bigint | undefined;
  readonly includeLegalActions?: boolean;
  readonly includeObservation?: boolean;
}

/** How an action is submitted. */
export interface SubmitOptions extends MutateOptions {
  /** The version the decision was made on; StaleVersionError is thrown if it is not the last. */
  readonly expectedVersion?: bigint | undefined;
  readonly includeView?: boolean;
  readonly includeLegalActions?: boolean;
}

/** Made by `join` and by `Client.player`. */
export class SeatedPlayer {
  #credential: SeatCredential;

  constructor(
    private readonly calls: Calls,
    credential: SeatCredential,
  ) {
    this.#credential = credential;
  }

  /** The key to the seat, to be kept over a restart or a reload, and from others. */
  get credential(): SeatCredential {
    return this.#credential;
  }

  /** The match's id. */
  get matchId(): string {
    return this.credential.matchId;
  }

  /**
   * The place at the table, from 0, as far as this handle knows. Where seats are drawn (RANDOM) it is
   * another one from the start on: `view`, `watch` and `submit` learn it.
   */
  get seat(): number {
    return this.credential.seat;
  }

  /** The match as it is now, also where spectators see it later or not at all. */
  async get(wanted: ReadOptions = {}): Promise<Match> {
    const { minVersion, ...options } = given(wanted);
    const request = { ...this.#key, minVersion };
    return whole((await this.calls.unary(service.getMatch, request, options)).match);
  }

  /** What the seat may see, now or at a version. */
  async view(wanted: ViewOptions = {}): Promise<GetViewResponse> {
    const { fields, options } = viewFields(wanted);
    const request = { ...this.#key, ...fields };
    const answer = await this.calls.unary(service.getView, request, options);
    this.#sit(answer.seat);
    return answer;
  }

  /** The seat's legal actions (none when another must decide) and their version. */
  async legalActions(wanted: ReadOptions = {}): Promise<ListLegalActionsResponse> {
    const { minVersion, ...options } = given(wanted);
    return this.calls.unary(service.listLegalActions, { ...this.#key, minVersion }, options);
  }

  /**
   * Takes an action, by its notation, index or message. When this returns, the action is stored.
   * Throws IllegalActionError, NotTheActorError, MatchPhaseError or StaleVersionError.
   */
  async submit(action: Action, wanted: SubmitOptions = {}): Promise<MatchUpdate> {
    const { expectedVersion, includeView, includeLegalActions, ...options } = given(wanted);
    const { intent, key } = this.#mutation(options);
    const included = { expectedVersion, includeView, includeLegalActions };
    const request = { ...key, ...included, choice: actionChoice(action) };
    const answer = await this.calls.mutate(service.submitAction, request, intent, options);
    this.#sit(answer.update?.yourSeat);
    return whole(answer.update);
  }

  /** Forfeits. */
  async resign(options: MutateOptions = {}): Promise<MatchUpdate> {
    const { intent, key } = this.#mutation(options);
    return whole((await this.calls.mutate(service.resign, key, intent, options)).update);
  }

  /** Gives the seat up; after the start the match's `on_leave` says what becomes of it. */
  async leave(options: MutateOptions = {}): Promise<MatchUpdate> {
    const { intent, key } = this.#mutation(options);
    return whole((await this.calls.mutate(service.leaveSeat, key, intent, options)).update);
  }

  /**
   * Plays the match, which has ended, again; returns one's seat there. Terms are the same and seats
   * are moved on by one. It starts when all players have called this.
   */
  async rematch(options: MutateOptions = {}): Promise<SeatedPlayer> {
    const { intent, key } = this.#mutation(options);
    // An intent's entropy serves as the second token: new, random, and the same for a retry.
    const request = { ...key, newSeatToken: intent.token, newHostToken: intent.entropy };
    const answer = await this.calls.mutate(service.rematch, request, intent, options);
    const { matchId } = whole(answer.match);
    return new SeatedPlayer(this.calls, new SeatCredential(matchId, answer.seat, intent.token));
  }

  /** Says that the seat which must decide is out of time; for matches where players claim it. */
  async claimTimeout(options: MutateOptions = {}): Promise<MatchUpdate> {
    const { intent, key } = this.#mutation(options);
    return whole((await this.calls.mutate(service.claimTimeout, key, intent, options)).update);
  }

  /** Proposes a draw, taking actions back, or a pause; returns the entry, whose version counts. */
  async propose(
    kind: ProposalKind,
    wanted: MutateOptions & { readonly undoTo?: bigint } = {},
  ): Promise<MatchUpdate> {
    const { undoTo, ...options } = given(wanted);
    const { intent, key } = this.#mutation(options);
    const request = { ...key, kind, undoTo };
    return whole((await this.calls.mutate(service.propose, request, intent, options)).update);
  }

  /** Accepts or declines what was proposed, or withdraws what one has proposed oneself. */
  async respond(
    proposalVersion: bigint,
    accept: boolean,
    options: MutateOptions = {},
  ): Promise<MatchUpdate> {
    const { intent, key } = this.#mutation(options);
    const request = { ...key, proposalVersion, accept };
    return whole((await this.calls.mutate(service.respond, request, intent, options)).update);
  }

  /** Ends a pause. */
  async resume(options: MutateOptions = {}): Promise<MatchUpdate> {
    const { intent, key } = this.#mutation(options);
    return whole((await this.calls.mutate(service.resumeMatch, key, intent, options)).update);
  }

  /**
   * Reveals what the seat has promised to add to the chance of the match, if it is due. `watch` does
   * it by itself; else call it when an update, or the match, names the seat in `entropyAwaited`.
   */
  revealEntropy(options: CallOptions = {}): Promise<void> {
    return reveal(this.calls, this.credential, options);
  }

  /** Every entry after `afterVersion` once and in order, as the seat may know it. */
  async *watch(options: WatchOptions = {}): AsyncGenerator<MatchUpdate> {
    for await (const update of this.calls.watch([this.credential], options)) {
      this.#sit(update.yourSeat);
      await revealIfDue(this.calls, this.credential, update);
      yield update;
    }
  }

  /** The whole match so far, as the seat may know it. */
  async replay(options: CallOptions = {}): Promise<Replay> {
    return toReplay(await this.calls.collect(service.getReplay, this.#key, options));
  }

  /** Takes note of the seat that was drawn, if one is told. */
  #sit(seat: number | undefined): void {
    if (seat !== undefined && seat !== this.seat) this.#credential = this.#credential.at(seat);
  }

  get #key() {
    return { matchId: this.matchId, seatToken: this.credential.token };
  }

  #mutation(options: MutateOptions) {
    const intent = intentOf(options);
    return { intent, key: { requestId: intent.requestId, ...this.#key } };
  }
}

/** The fields of a request that say which view is wanted, and the options of its call. */
export function viewFields(wanted: ViewOptions) {
  const { version, minVersion, includeLegalActions, includeObservation, ...options } =
    given(wanted);
  return { fields: { version, minVersion, includeLegalActions, includeObservation }, options };
}

/** What an answer always holds; throws InternalError if it does not. */
export function whole<T>(part: T | undefined): T {
  if (part !== undefined) return part;
  throw new InternalError("the server's answer lacks its content", { code: 13 });
}
