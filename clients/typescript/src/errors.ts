/**
 * What can go wrong, as typed errors. Every error that a server sends carries a reason from
 * `ErrorReason` and details, which become properties here; the class says what a caller can do.
 */
import { Code, ConnectError } from "@connectrpc/connect";
import type { Intent } from "./credentials.js";
import {
  BadRequestSchema,
  ErrorInfoSchema,
  RetryInfoSchema,
} from "./gen/google/rpc/error_details_pb.js";

const DOMAIN = "tablestate";

/** A fault of one field of a request. */
export interface Violation {
  /** The field, as `options.offboard.points_to_win`. */
  readonly field: string;
  /** What is wrong with it, and what was expected. */
  readonly description: string;
}

/** What an error is made of. */
export interface ErrorParts {
  readonly code: Code;
  readonly reason?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly violations?: readonly Violation[];
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** Any failure of a call. */
export class TablestateError extends Error {
  /** The status code. */
  readonly code: Code;
  /** The name in `ErrorReason` without its prefix, as "ILLEGAL_ACTION"; "": the server gave none. */
  readonly reason: string;
  /** Facts that belong to the reason. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The fields that are wrong. */
  readonly violations: readonly Violation[];
  /** After how many milliseconds the call may be made again, if the server says so. */
  readonly retryAfterMs: number | undefined;
  /** Of a call that changes something: repeat it with this, and it has one effect. */
  intent?: Intent;

  constructor(message: string, parts: ErrorParts) {
    super(message, { cause: parts.cause });
    this.name = new.target.name;
    this.code = parts.code;
    this.reason = parts.reason ?? "";
    this.metadata = parts.metadata ?? {};
    this.violations = parts.violations ?? [];
    this.retryAfterMs = parts.retryAfterMs;
  }

  /** A number among the facts. */
  protected number(key: string): number | undefined {
    const value = this.metadata[key] ?? "";
    return /^\d+$/.test(value) ? Number(value) : undefined;
  }
}

/** The request is wrong whatever the match's state; `violations` lists the faults. */
export class InvalidRequestError extends TablestateError {}

/** What was given to the client cannot be sent; no call was made. */
export class InvalidArgumentError extends InvalidRequestError {
  constructor(field: string, description: string) {
    const violations = [{ field, description }];
    const parts = { code: Code.InvalidArgument, reason: "INVALID_FIELD", violations };
    super(`${field} ${description}`, parts);
  }
}

/** There is no such match or game. */
export class NotFoundError extends TablestateError {}

/** The key or token is missing, or not the right one. */
export class PermissionDeniedError extends TablestateError {}

/** The request is wrong now. */
export class PreconditionError extends TablestateError {}

/** The action is not legal now. */
export class IllegalActionError extends PreconditionError {
  /** The number or section of the rule that forbids it. */
  get rule(): string {
    return this.metadata.rule ?? "";
  }

  /** The action in notation. */
  get action(): string {
    return this.metadata.action ?? "";
  }
}

/** Another seat must decide. */
export class NotTheActorError extends PreconditionError {
  /** The seat that must decide. */
  get actor(): number | undefined {
    return this.number("actor");
  }

  /** The seat that tried. */
  get seat(): number | undefined {
    return this.number("seat");
  }
}

/** The match has not started, has started already, is paused or has ended. */
export class MatchPhaseError extends PreconditionError {
  /** The phase that the match is in. */
  get phase(): string {
    return this.metadata.phase ?? "";
  }
}

/** The seat, or every seat, is taken. */
export class SeatTakenError extends PreconditionError {}

/** The match cannot start while seats are open. */
export class SeatsOpenError extends PreconditionError {}

/** The match has not yet reached the version asked for. */
export class VersionNotReachedError extends PreconditionError {
  /** The version the match is at. */
  get currentVersion(): number | undefined {
    return this.number("current_version");
  }
}

/** The server does not have the version of the rules that the match began on. */
export class RulesVersionUnsupportedError extends PreconditionError {}

/** A token or a request id was used before for something else. */
export class ConflictError extends TablestateError {}

/** The match has moved on since the decision was made: read it again and decide anew. */
export class StaleVersionError extends TablestateError {
  /** The version the match is at. */
  get currentVersion(): number | undefined {
    return this.number("current_version");
  }

  /** The version the decision was made on. */
  get expectedVersion(): number | undefined {
    return this.number("expected_version");
  }
}

/** A limit, the store's room or the server's patience with a watcher is used up. */
export class ResourceExhaustedError extends TablestateError {}

/** The stored log of the match is damaged. */
export class DataLossError extends TablestateError {}

/** The server could not be reached, or its store does not answer. */
export class UnavailableError extends TablestateError {}

/** The answer did not come in time. Whether the call took effect is not known. */
export class DeadlineExceededError extends TablestateError {}

/** The caller gave up, by its `signal`. */
export class CancelledError extends TablestateError {}

/** A fault of the server. */
export class InternalError extends TablestateError {
  /** The number to quote to the operator. */
  get incident(): string {
    return this.metadata.incident ?? "";
  }
}

type ErrorClass = new (message: string, parts: ErrorParts) => TablestateError;

const BY_REASON: Readonly<Record<string, ErrorClass>> = {
  ILLEGAL_ACTION: IllegalActionError,
  NOT_THE_ACTOR: NotTheActorError,
  MATCH_NOT_STARTED: MatchPhaseError,
  MATCH_ALREADY_STARTED: MatchPhaseError,
  MATCH_ENDED: MatchPhaseError,
  MATCH_NOT_ENDED: MatchPhaseError,
  MATCH_PAUSED: MatchPhaseError,
  NOT_PAUSED: MatchPhaseError,
  ENTROPY_DUE: MatchPhaseError,
  SEAT_TAKEN: SeatTakenError,
  SEATS_OPEN: SeatsOpenError,
  STALE_VERSION: StaleVersionError,
  VERSION_NOT_REACHED: VersionNotReachedError,
  RULES_VERSION_UNSUPPORTED: RulesVersionUnsupportedError,
};

// For the reasons that say no more than their code, and for errors without one.
const BY_CODE: ReadonlyMap<Code, ErrorClass> = new Map<Code, ErrorClass>([
  [Code.InvalidArgument, InvalidRequestError],
  [Code.NotFound, NotFoundError],
  [Code.PermissionDenied, PermissionDeniedError],
  [Code.Unauthenticated, PermissionDeniedError],
  [Code.FailedPrecondition, PreconditionError],
  [Code.AlreadyExists, ConflictError],
  [Code.ResourceExhausted, ResourceExhaustedError],
  [Code.DataLoss, DataLossError],
  [Code.Unavailable, UnavailableError],
  [Code.DeadlineExceeded, DeadlineExceededError],
  [Code.Canceled, CancelledError],
  [Code.Internal, InternalError],
]);

/** The typed error for whatever a call failed with. */
export function toTablestateError(thrown: unknown): TablestateError {
  if (thrown instanceof TablestateError) return thrown;
  const error = ConnectError.from(thrown);
  const [, field = "request", misfit] = MISFIT.exec(error.rawMessage) ?? [];
  if (misfit && error.code === Code.Internal) return new InvalidArgumentError(field, misfit);
  const info = error.findDetails(ErrorInfoSchema).find((found) => found.domain === DOMAIN);
  const reason = info?.reason ?? "";
  const code = reason === "" && brokeOnTheWay(error) ? Code.Unavailable : error.code;
  const kind = BY_REASON[reason] ?? BY_CODE.get(code) ?? TablestateError;
  return new kind(error.rawMessage, {
    code,
    reason,
    metadata: info?.metadata ?? {},
    violations: violationsOf(error),
    retryAfterMs: retryAfterMs(error),
    cause: thrown,
  });
}

function violationsOf(error: ConnectError): Violation[] {
  const details = error.findDetails(BadRequestSchema);
  return details.flatMap((detail) =>
    detail.fieldViolations.map(({ field, description }) => ({ field, description })),
  );
}

function retryAfterMs(error: ConnectError): number | undefined {
  const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
  return delay && Math.max(0, Number(delay.seconds) * 1000 + delay.nanos / 1e6);
}

/** What was given does not fit its field: Connect takes that for a fault within. */
const MISFIT = /^serialize binary: (?:cannot encode field [\w.]+\.(\w+) to binary: )?(.*)$/s;
const CUT_SHORT = /promised \d+ bytes|missing EndStreamResponse/;
/** A connection that the server refuses, as for want of a certificate, ends its streams as cancelled. */
const CLOSED = /^http\/2 stream closed/;

/** Whether the connection failed: the transport then wraps what it met, or misses the end. */
function brokeOnTheWay(error: ConnectError): boolean {
  if (CLOSED.test(error.rawMessage)) return true;
  const told = error.code === Code.Canceled || error.code === Code.DeadlineExceeded;
  return !told && (error.cause !== undefined || CUT_SHORT.test(error.rawMessage));
}
