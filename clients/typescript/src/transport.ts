/** Calls over a Connect transport, tried again where that helps. */
import type {
  DescMessage,
  DescMethodServerStreaming,
  DescMethodUnary,
  MessageInitShape,
  MessageShape,
} from "@bufbuild/protobuf";
import { Code, type Transport } from "@connectrpc/connect";
import { milliseconds, requireKnown, requireMessage, shown } from "./arguments.js";
import type { Intent } from "./credentials.js";
import {
  Cursor,
  requireWatchOptions,
  type StreamOptions,
  subscription,
  type Watched,
  type WatchOptions,
} from "./cursor.js";
import { CancelledError, InvalidArgumentError, toTablestateError } from "./errors.js";
import { EngineService } from "./gen/tablestate/v1/engine_service_pb.js";
import type { WatchFeedResponse } from "./gen/tablestate/v1/feed_pb.js";
import type { MatchUpdate } from "./gen/tablestate/v1/match_pb.js";
import { MatchService } from "./gen/tablestate/v1/match_service_pb.js";
import { Backoff, type RetryPolicy, StreamBackoff, sleep } from "./retry.js";

/** What every call takes. */
export interface CallOptions {
  /** Milliseconds for all attempts together; left out: the client's. */
  readonly timeoutMs?: number;
  /** Gives the call up, with a CancelledError. */
  readonly signal?: AbortSignal;
}

/** What a call takes that changes something. */
export interface MutateOptions extends CallOptions {
  /** Repeated with the same one, the call has one effect. */
  readonly intent?: Intent;
}

/** How a client makes its calls. */
export interface CallSettings {
  readonly transport: Transport;
  readonly headers: HeadersInit | undefined;
  readonly timeoutMs: number;
  readonly retry: RetryPolicy;
}

const { playout, perft } = EngineService.method;
/** The server may work on these for long: to ask again would only begin anew. */
const LONG: ReadonlySet<DescMethodUnary> = new Set<DescMethodUnary>([playout, perft]);

/** Makes the calls of a client. */
export class Calls {
  constructor(private readonly settings: CallSettings) {
    milliseconds("timeoutMs", settings.timeoutMs);
  }

  /** Milliseconds that a call may take, unless it is told otherwise. */
  get timeoutMs(): number {
    return this.settings.timeoutMs;
  }

  /** Calls a method that changes something; its error tells the intent to repeat it with. */
  async mutate<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    intent: Intent,
    options: CallOptions,
  ): Promise<MessageShape<O>> {
    try {
      return await this.unary(method, request, options);
    } catch (thrown) {
      const error = toTablestateError(thrown);
      error.intent = intent;
      throw error;
    }
  }

  /** Calls a method with one answer. */
  async unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions,
  ): Promise<MessageShape<O>> {
    requireCallOptions(options);
    requireMessage(method.input, request);
    const { signal, timeoutMs } = options;
    const { transport, headers } = this.settings;
    const isLong = LONG.has(method);
    return this.#retried(timeoutMs, signal, isLong, async (attemptMs) => {
      const answer = await transport.unary(method, signal, attemptMs, headers, request);
      return answer.message;
    });
  }

  /**
   * Calls a method that streams a finite answer, and returns all of it. `onPart` is called with
   * each part when it comes; if the call is tried again, with those of the new stream too.
   */
  async collect<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    options: CallOptions,
    onPart?: (part: MessageShape<O>) => void,
  ): Promise<MessageShape<O>[]> {
    requireCallOptions(options);
    requireMessage(method.input, request);
    const { signal, timeoutMs } = options;
    return this.#retried(timeoutMs, signal, true, async (attemptMs) => {
      const parts: MessageShape<O>[] = [];
      for await (const part of this.#stream(method, request, signal, attemptMs)) {
        parts.push(part);
        tell(onPart, part);
      }
      return parts;
    });
  }

  /** Every entry of the matches once and in order; broken streams are opened anew. */
  watch(watched: readonly Watched[], options: WatchOptions): AsyncGenerator<MatchUpdate> {
    requireWatchOptions(options);
    requireSignal(options.signal);
    const cursor = new Cursor(watched.map((each) => subscription(each, options)));
    const open = () => this.#updates(cursor, options.signal);
    return this.#resumed(open, () => cursor.done, options);
  }

  /** What happens to all matches of a tenant, from a cursor on; broken streams are opened anew. */
  watchFeed(
    request: { feedSecret?: string; tenant?: string; cursor?: string },
    options: StreamOptions,
  ): AsyncGenerator<WatchFeedResponse> {
    const { watchFeed } = MatchService.method;
    requireKnown(options, ["onBreak", "signal"]);
    requireSignal(options.signal);
    requireMessage(watchFeed.input, request);
    let cursor = request.cursor ?? "";
    const read = this.#stream.bind(this);
    async function* open() {
      for await (const news of read(watchFeed, { ...request, cursor }, options.signal)) {
        cursor = news.cursor;
        yield news;
      }
    }
    return this.#resumed(open as () => AsyncGenerator<WatchFeedResponse>, () => false, options);
  }

  async *#resumed<T>(
    open: () => AsyncGenerator<T>,
    isDone: () => boolean,
    { signal, onBreak }: StreamOptions,
  ): AsyncGenerator<T> {
    const backoff = new StreamBackoff(this.settings.retry);
    while (!isDone()) {
      try {
        backoff.open();
        for await (const item of open()) {
          backoff.reset();
          yield item;
        }
        return; // The server says that there is no more.
      } catch (thrown) {
        const error = toTablestateError(thrown);
        throwIfGivenUp(signal, error);
        const delayMs = backoff.delayAfter(error);
        onBreak?.(error);
        await pause(delayMs, signal);
      }
    }
  }

  async *#updates(cursor: Cursor, signal: AbortSignal | undefined): AsyncGenerator<MatchUpdate> {
    const { watchMatches } = MatchService.method;
    for await (const { update } of this.#stream(watchMatches, cursor.request(), signal)) {
      if (update && cursor.accept(update)) yield update;
    }
  }

  /** One stream; whoever leaves the loop over it cancels the call. */
  async *#stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    signal: AbortSignal | undefined,
    timeoutMs = 0,
  ): AsyncGenerator<MessageShape<O>> {
    const { transport, headers } = this.settings;
    const own = new AbortController();
    const either = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
    try {
      const answer = await transport.stream(method, either, timeoutMs, headers, once(request));
      yield* answer.message;
    } finally {
      own.abort();
    }
  }

  async #retried<T>(
    timeoutMs: number | undefined,
    signal: AbortSignal | undefined,
    isLong: boolean,
    attempt: (attemptMs: number) => Promise<T>,
  ): Promise<T> {
    const backoff = new Backoff(this.settings.retry, timeoutMs ?? this.settings.timeoutMs);
    while (true) {
      try {
        return await attempt(backoff.attemptTimeoutMs(isLong));
      } catch (thrown) {
        if (thrown instanceof FromCaller) throw thrown.thrown;
        const error = toTablestateError(thrown);
        throwIfGivenUp(signal, error);
        await pause(backoff.delayAfter(error), signal);
      }
    }
  }
}

/** What the caller's own function threw: no failure of the call, which is not tried again. */
class FromCaller {
  constructor(readonly thrown: unknown) {}
}

function tell<T>(onPart: ((part: T) => void) | undefined, part: T): void {
  try {
    onPart?.(part);
  } catch (thrown) {
    throw new FromCaller(thrown);
  }
}

function requireCallOptions(options: MutateOptions): void {
  requireKnown(options, ["timeoutMs", "signal", "intent"]);
  if (options.timeoutMs !== undefined) milliseconds("timeoutMs", options.timeoutMs);
  requireSignal(options.signal);
}

function requireSignal(signal: unknown): void {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new InvalidArgumentError("signal", `${shown(signal)}: must be an AbortSignal`);
}

async function* once<T>(message: T): AsyncGenerator<T> {
  yield message;
}

function throwIfGivenUp(signal: AbortSignal | undefined, cause: unknown): void {
  if (signal?.aborted) {
    throw new CancelledError("the caller gave up", { code: Code.Canceled, cause });
  }
}

async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(delayMs, signal);
  } catch (reason) {
    throwIfGivenUp(signal, reason);
  }
}
