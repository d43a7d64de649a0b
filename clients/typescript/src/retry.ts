/** When to try again. */
import { Code } from "@connectrpc/connect";
import { milliseconds, requireKnown, shown } from "./arguments.js";
import { InvalidArgumentError, type TablestateError } from "./errors.js";

/**
 * How calls are tried again; all times are in milliseconds. A call is tried until its deadline.
 * That is safe for every call: a retry carries the same request id and the same bytes, so the
 * server does nothing twice.
 */
export interface RetryPolicy {
  /** The pause after the first failure; it grows by `multiplier` with each further one. */
  readonly initialDelayMs: number;
  /** See `initialDelayMs`. */
  readonly multiplier: number;
  /** The longest pause. */
  readonly maxDelayMs: number;
  /** How long one attempt may take before another is made. */
  readonly attemptTimeoutMs: number;
  /** How long a broken watch tries to come back before it gives up. */
  readonly watchPatienceMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  initialDelayMs: 50,
  multiplier: 2,
  maxDelayMs: 2000,
  attemptTimeoutMs: 4000,
  watchPatienceMs: 60_000,
};

/** The whole policy; throws InvalidArgumentError for what would never end, or never begin. */
export function retryPolicy(given: Partial<RetryPolicy> = {}): RetryPolicy {
  requireKnown(given, Object.keys(DEFAULT_RETRY), "retry.");
  const policy = { ...DEFAULT_RETRY, ...given };
  const { multiplier, ...times } = policy;
  for (const [name, value] of Object.entries(times)) milliseconds(`retry.${name}`, value);
  if (typeof multiplier === "number" && multiplier >= 1) return policy;
  const expected = "must be a number from 1 on";
  throw new InvalidArgumentError("retry.multiplier", `${shown(multiplier)}: ${expected}`);
}

// A server that stops cancels what arrives in its last moment.
const RETRIED = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Canceled]);

// A stream that stood this long was connected, even if nothing came over it.
const STANDING_MS = 15_000;

// No header can say more, and timers that are to last longer end at once.
const LONGEST_ATTEMPT_MS = 99_999_999;

/** What a backoff takes its time and its chance from. */
export interface World {
  readonly now: () => number;
  readonly random: () => number;
}

const WORLD: World = { now: () => performance.now(), random: Math.random };

/** The pauses and the deadline of one call with all its attempts. */
export class Backoff {
  #deadline = 0;
  #delayMs = 0;

  /** Starts the clock: all attempts together may take `patienceMs`. */
  constructor(
    protected readonly policy: RetryPolicy,
    private readonly patienceMs: number,
    protected readonly world: World = WORLD,
  ) {
    this.reset();
  }

  /** Starts anew after progress. */
  reset(): void {
    this.#deadline = this.world.now() + this.patienceMs;
    this.#delayMs = this.policy.initialDelayMs;
  }

  /**
   * The milliseconds that the next attempt may take, a long one all that are left: a whole number,
   * which the wire needs.
   */
  attemptTimeoutMs(isLong = false): number {
    const left = Math.min(Math.ceil(this.#deadline - this.world.now()), LONGEST_ATTEMPT_MS);
    return Math.max(1, isLong ? left : Math.min(this.policy.attemptTimeoutMs, left));
  }

  /** The pause before the next attempt; throws `error` if there is to be none. */
  delayAfter(error: TablestateError): number {
    const isTold = error.retryAfterMs !== undefined || error.reason === "WATCHER_TOO_SLOW";
    if (!RETRIED.has(error.code) && !isTold) throw error;
    // Jitter: clients cut off together must not come back together.
    const jittered = (this.#delayMs * (1 + this.world.random())) / 2;
    const delay = jittered + (error.retryAfterMs ?? 0);
    if (this.world.now() + delay >= this.#deadline) throw error;
    this.#delayMs = Math.min(this.#delayMs * this.policy.multiplier, this.policy.maxDelayMs);
    return delay;
  }
}

/**
 * The pauses of a stream that is opened anew whenever it breaks. The patience counts from the break
 * and not from the last message: a match may rest for days.
 */
export class StreamBackoff extends Backoff {
  #opened: number;

  constructor(policy: RetryPolicy, world: World = WORLD) {
    super(policy, policy.watchPatienceMs, world);
    this.#opened = world.now();
  }

  /** Notes that a stream is being opened. */
  open(): void {
    this.#opened = this.world.now();
  }

  override delayAfter(error: TablestateError): number {
    if (this.world.now() - this.#opened > STANDING_MS) this.reset();
    return super.delayAfter(error);
  }
}

/** Waits; throws the signal's reason if it is given up meanwhile. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", giveUp);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", giveUp, { once: true });
  });
}
