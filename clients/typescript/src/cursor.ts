/** Where a watch stands, so that it can go on there. */
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { requireKnown, requireMessage, shown } from "./arguments.js";
import { SeatCredential } from "./credentials.js";
import { InvalidArgumentError, type TablestateError, UnavailableError } from "./errors.js";
import { MatchPhase, type MatchUpdate } from "./gen/tablestate/v1/match_pb.js";
import {
  type WatchMatchesRequest,
  WatchMatchesRequestSchema,
  type WatchSubscription,
  WatchSubscriptionSchema,
} from "./gen/tablestate/v1/match_service_pb.js";

/**
 * What can be watched: a match by its id as a spectator, a match from a seat, or a subscription
 * with a cursor of its own.
 */
export type Watched =
  | string
  | SeatCredential
  | (MessageInitShape<typeof WatchSubscriptionSchema> & { matchId: string });

/** What every stream that is opened anew takes. */
export interface StreamOptions {
  /** Is told the error each time that the stream has broken and is about to be opened anew. */
  readonly onBreak?: (error: TablestateError) => void;
  /** Ends the stream, with a CancelledError. */
  readonly signal?: AbortSignal;
}

/** How a watch begins, and what its updates carry. */
export interface WatchOptions extends StreamOptions {
  /** Entries after this version are sent; 0 or left out: all. */
  readonly afterVersion?: bigint;
  /** Whether updates carry the view. */
  readonly includeView?: boolean;
  /** Whether updates carry the legal actions. */
  readonly includeLegalActions?: boolean;
}

/** The subscription for one match. */
export function subscription(watched: Watched, options: WatchOptions): WatchSubscription {
  const { afterVersion = 0n, includeView = false, includeLegalActions = false } = options;
  const wanted = { afterVersion, includeView, includeLegalActions, ...named(watched) };
  requireMessage(WatchSubscriptionSchema, wanted);
  return create(WatchSubscriptionSchema, wanted);
}

function named(watched: Watched): MessageInitShape<typeof WatchSubscriptionSchema> {
  if (typeof watched === "string") return { matchId: watched };
  if (watched instanceof SeatCredential) {
    return { matchId: watched.matchId, seatToken: watched.token };
  }
  if (typeof watched === "object" && typeof watched?.matchId === "string") return watched;
  const expected = "must be a match's id, a SeatCredential or a subscription";
  throw new InvalidArgumentError("watched", `${shown(watched)}: ${expected}`);
}

/** Refuses options that a watch does not have. */
export function requireWatchOptions(options: WatchOptions): void {
  const own = ["afterVersion", "includeView", "includeLegalActions"];
  requireKnown(options, [...own, "onBreak", "signal"]);
}

/** Whether a phase is a match's last. */
export function hasEnded(phase: MatchPhase): boolean {
  return phase === MatchPhase.OVER || phase === MatchPhase.ABORTED;
}

/** The versions reached of all watched matches that have not ended. */
export class Cursor {
  readonly #open: Map<string, WatchSubscription>;

  /** Begins at the subscriptions' own cursors. */
  constructor(subscriptions: Iterable<WatchSubscription>) {
    this.#open = new Map();
    for (const each of subscriptions) {
      if (this.#open.has(each.matchId)) {
        const twice = `${shown(each.matchId)}: must be named once`;
        throw new InvalidArgumentError("watched", twice);
      }
      this.#open.set(each.matchId, { ...each, afterVersion: BigInt(each.afterVersion) });
    }
    if (this.done) throw new InvalidArgumentError("watched", "must be one match or more");
  }

  /** Whether every match has ended. */
  get done(): boolean {
    return this.#open.size === 0;
  }

  /** The request that goes on from here. */
  request(): WatchMatchesRequest {
    return create(WatchMatchesRequestSchema, { subscriptions: [...this.#open.values()] });
  }

  /**
   * Moves on over an update; false if it was seen already. Throws UnavailableError if versions
   * before it are missing: the stream is then as good as broken and has to be opened anew.
   */
  accept(update: MatchUpdate): boolean {
    const watched = this.#open.get(update.matchId);
    if (watched === undefined || update.version <= watched.afterVersion) return false;
    if (update.version !== watched.afterVersion + 1n) {
      const step = `from version ${watched.afterVersion} to ${update.version}`;
      const message = `the watch of match ${update.matchId} went ${step}`;
      throw new UnavailableError(message, { code: Code.Unavailable });
    }
    watched.afterVersion = update.version;
    if (hasEnded(update.phase)) this.#open.delete(update.matchId);
    return true;
  }
}
