/** Searches and counts on the server, apart from matches. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { given, requireKnown, milliseconds as requireTime, shown } from "./arguments.js";
import { type Game, gameOptions } from "./content.js";
import { InvalidArgumentError } from "./errors.js";
import {
  EngineService,
  type PerftRequestSchema,
  type PerftResponse,
  type PlayoutResponse,
} from "./gen/tablestate/v1/engine_service_pb.js";
import type { GameOptions, GameState, GameView } from "./gen/tablestate/v1/game_pb.js";
import type { SearchRequestSchema, SearchResponse } from "./gen/tablestate/v1/search_pb.js";
import { whole } from "./player.js";
import type { CallOptions, Calls } from "./transport.js";

const service = EngineService.method;

/** Where games start: a game's default options, options, or a full state. */
export type Start = Game | GameOptions | GameState;

/** How much is searched: give `iterations` or `milliseconds`. */
export interface SearchOptions extends CallOptions {
  /** For an answer that is the same on any machine. */
  readonly iterations?: number;
  /** For as long as that, on top of the timeout. */
  readonly milliseconds?: number;
  readonly seed?: bigint;
  /** Threads that share the work; left out: one. */
  readonly threads?: number;
  /** Is told what has been found so far. */
  readonly onProgress?: (progress: SearchResponse) => void;
  /** So many milliseconds pass at least between two of these. */
  readonly progressMs?: number;
}

/** How playouts are made. */
export interface PlayoutOptions extends CallOptions {
  readonly games: number;
  readonly seed?: bigint;
  /** The bot on every seat; left out: random. */
  readonly player?: string;
  readonly maxPlies?: number;
  readonly threads?: number;
}

/** The calls of a client to the engine. */
export class EngineCalls {
  constructor(protected readonly calls: Calls) {}

  /**
   * Searches for the best action of the seat that must decide. The server is told the options, what
   * the seat sees, and nothing else. Whoever gives it up, by `signal`, stops the work.
   */
  async search(
    game: Game | GameOptions,
    view: GameView,
    seat: number,
    options: SearchOptions,
  ): Promise<SearchResponse> {
    requireKnown(options, SEARCH);
    const { onProgress, milliseconds = 0, signal } = options;
    requireTime("milliseconds", milliseconds);
    const timeoutMs = options.timeoutMs ?? this.calls.timeoutMs + milliseconds;
    const request = searchRequest(game, view, seat, options);
    const tell = (part: SearchResponse) => {
      if (!part.done) onProgress?.(part);
    };
    const call = { timeoutMs, ...(signal && { signal }) };
    const parts = await this.calls.collect(service.search, request, call, tell);
    return whole(parts.at(-1));
  }

  /** Plays games to their ends, and adds up the results. */
  async playout(start: Start, wanted: PlayoutOptions): Promise<PlayoutResponse> {
    const { games, seed, player, maxPlies, threads, ...options } = given(wanted);
    const request = { start: startOf(start), games, seed, player, maxPlies, threads };
    return this.calls.unary(service.playout, request, options);
  }

  /** Counts the sequences of decisions of a length; with `divide` for each first action too. */
  async perft(
    start: Start,
    depth: number,
    wanted: CallOptions & { readonly divide?: boolean } = {},
  ): Promise<PerftResponse> {
    const { divide, ...options } = given(wanted);
    const request = { start: startOf(start), depth, divide };
    return this.calls.unary(service.perft, request, options);
  }
}

const SEARCH = [
  ...["iterations", "milliseconds", "seed", "threads", "onProgress", "progressMs"],
  ...["timeoutMs", "signal"],
];

type PerftStart = MessageInitShape<typeof PerftRequestSchema>["start"];

function startOf(start: Start): PerftStart {
  if (typeof start !== "object" || start === null)
    return { case: "options", value: gameOptions(start) };
  const isState = start.$typeName === "tablestate.v1.GameState";
  return isState ? { case: "state", value: start } : { case: "options", value: start };
}

function searchRequest(
  game: Game | GameOptions,
  view: GameView,
  seat: number,
  options: SearchOptions,
): MessageInitShape<typeof SearchRequestSchema> {
  const progressMilliseconds = options.onProgress ? (options.progressMs ?? 250) : 0;
  return {
    options: typeof game === "object" && game !== null ? game : gameOptions(game),
    view,
    seat,
    budget: budgetOf(options),
    seed: options.seed,
    threads: options.threads,
    progressMilliseconds,
  };
}

function whole64(iterations: number): bigint {
  if (Number.isSafeInteger(iterations) && iterations >= 0) return BigInt(iterations);
  const expected = "must be a whole number from 0 on";
  throw new InvalidArgumentError("iterations", `${shown(iterations)}: ${expected}`);
}

function budgetOf({ iterations, milliseconds }: SearchOptions) {
  if (iterations !== undefined && milliseconds === undefined) {
    return { case: "iterations" as const, value: whole64(iterations) };
  }
  if (milliseconds !== undefined && iterations === undefined) {
    return { case: "milliseconds" as const, value: milliseconds };
  }
  throw new InvalidArgumentError("budget", "must be either iterations or milliseconds");
}
