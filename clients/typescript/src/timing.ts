/** How much time players have. */
import { create } from "@bufbuild/protobuf";
import { optionalDuration, requireKnown } from "./arguments.js";
import { type TimeControl, TimeControlSchema, TimeoutMode } from "./gen/tablestate/v1/match_pb.js";

/** The times of a `timeControl`, in milliseconds. */
export interface TimeLimits {
  /** What each decision may take. */
  readonly turnLimitMs?: number;
  /** What a seat may take in all beyond that. */
  readonly bankMs?: number;
  /** What each decision adds to the bank of its seat. */
  readonly incrementMs?: number;
  /** How much later a decision is still taken. */
  readonly graceMs?: number;
  /** Nobody is out of time until another player claims it. */
  readonly byClaim?: boolean;
}

const TIMES = ["turnLimitMs", "bankMs", "incrementMs", "graceMs"] as const;

/** A time control for `createMatch`; throws InvalidArgumentError for what is no time. */
export function timeControl(limits: TimeLimits): TimeControl {
  requireKnown(limits, [...TIMES, "byClaim"]);
  const [turnLimit, bank, increment, grace] = TIMES.map((name) =>
    optionalDuration(name, limits[name] === 0 ? undefined : limits[name]),
  );
  const timeoutMode = limits.byClaim ? TimeoutMode.BY_CLAIM : TimeoutMode.AUTOMATIC;
  return create(TimeControlSchema, { turnLimit, bank, increment, grace, timeoutMode });
}
