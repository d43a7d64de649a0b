/** The client of Tablestate, the game-state service for turn-based tabletop games. */
export { Code } from "@connectrpc/connect";
export { Client, type ClientOptions, type ListOptions } from "./client.js";
export {
  type Action,
  GAMES,
  type Game,
  gameOf,
  gameOptions,
  isGame,
  type OptionsOf,
} from "./content.js";
export {
  HostCredential,
  Intent,
  newInvitationCode,
  newToken,
  type SavedHost,
  type SavedIntent,
  type SavedSeat,
  SeatCredential,
} from "./credentials.js";
export { hasEnded, type Watched, type WatchOptions } from "./cursor.js";
export type { PlayoutOptions, SearchOptions, Start } from "./engine.js";
export * from "./errors.js";
export { HostedMatch, type JoinOptions, type MatchSettings } from "./host.js";
export * from "./messages.js";
export {
  type ReadOptions,
  SeatedPlayer,
  type SubmitOptions,
  type ViewOptions,
} from "./player.js";
export type { Replay } from "./replay.js";
export { DEFAULT_RETRY, type RetryPolicy } from "./retry.js";
export { type TimeLimits, timeControl } from "./timing.js";
export type { CallOptions, MutateOptions } from "./transport.js";
