/** The calls that the page makes, for those who want to make them too. */
import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { Interceptor } from "@connectrpc/connect";

/** A call that was made. */
export interface MadeCall {
  readonly number: number;
  readonly method: DescMethod;
  readonly request: Message;
  readonly time: Date;
  /** How it went: undefined while it is open. */
  result?: string;
  /** Milliseconds until the answer, or until a stream began. */
  took?: number;
}

const KEPT = 60;

class Recorder {
  /** The newest first. */
  calls = $state.raw<readonly MadeCall[]>([]);
  #count = 0;

  /** Notes every call of a client. */
  readonly interceptor: Interceptor = (next) => async (request) => {
    const start = performance.now();
    const first = request.stream ? await firstOf(request.message) : request.message;
    const call = this.#open(request.method, first);
    try {
      const sent = request.stream ? { ...request, message: again(first) } : request;
      const response = await next(sent);
      this.#close(call, "ok", start);
      return response;
    } catch (error) {
      this.#close(call, error instanceof Error ? error.message : String(error), start);
      throw error;
    }
  };

  #open(method: DescMethod, request: Message): MadeCall {
    this.#count += 1;
    const call: MadeCall = { number: this.#count, method, request, time: new Date() };
    this.calls = [call, ...this.calls.slice(0, KEPT - 1)];
    return call;
  }

  #close(call: MadeCall, result: string, start: number): void {
    const took = performance.now() - start;
    this.calls = this.calls.map((each) => (each === call ? { ...call, result, took } : each));
  }
}

async function firstOf(messages: AsyncIterable<Message>): Promise<Message> {
  for await (const message of messages) return message;
  throw new Error("a stream of requests without a request");
}

async function* again(message: Message): AsyncGenerator<Message> {
  yield message;
}

export const recorder = new Recorder();
