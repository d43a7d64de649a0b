import { Code } from "@connectrpc/connect";
import {
  CancelledError,
  MatchPhase,
  MatchService,
  type MatchUpdate,
  PermissionDeniedError,
  type TablestateError,
  type WatchMatchesRequest,
} from "@tablestate/client";
import { expect, test } from "vitest";
import { clientOf, MATCH, refusal, update } from "./support.js";

type Stream = (request: WatchMatchesRequest) => AsyncGenerator<{ update: MatchUpdate }>;

/** A client whose watches get one stream after the other. */
function watching(...streams: Stream[]) {
  const cursors: bigint[] = [];
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.watchMatches, async function* (request) {
      cursors.push(request.subscriptions[0]?.afterVersion ?? -1n);
      const stream = streams.shift();
      if (stream) yield* stream(request);
    });
  });
  return { client, cursors };
}

async function versions(updates: AsyncIterable<MatchUpdate>): Promise<number[]> {
  const seen: number[] = [];
  for await (const { version } of updates) seen.push(Number(version));
  return seen;
}

test("a broken watch goes on where it broke, and tells of it", async () => {
  const { client, cursors } = watching(
    async function* () {
      yield { update: update(1) };
      yield { update: update(2) };
      throw refusal(Code.Unavailable, "SHUTTING_DOWN");
    },
    async function* () {
      yield { update: update(3) };
      throw refusal(Code.ResourceExhausted, "WATCHER_TOO_SLOW");
    },
    async function* () {
      yield { update: update(4, MatchPhase.OVER) };
    },
  );
  const breaks: TablestateError[] = [];
  const onBreak = (error: TablestateError) => breaks.push(error);
  expect(await versions(client.watch(MATCH, { onBreak }))).toEqual([1, 2, 3, 4]);
  expect(cursors).toEqual([0n, 2n, 3n]);
  expect(breaks.map((error) => error.reason)).toEqual(["SHUTTING_DOWN", "WATCHER_TOO_SLOW"]);
});

test("an entry that comes twice is told once", async () => {
  const { client } = watching(async function* () {
    for (const version of [1, 1, 2, 1]) yield { update: update(version) };
    yield { update: update(3, MatchPhase.ABORTED) };
  });
  expect(await versions(client.watch(MATCH))).toEqual([1, 2, 3]);
});

test("a stream that leaves an entry out is opened anew", async () => {
  const { client, cursors } = watching(
    async function* () {
      yield { update: update(1) };
      yield { update: update(3) };
    },
    async function* () {
      yield { update: update(2) };
      yield { update: update(3, MatchPhase.OVER) };
    },
  );
  expect(await versions(client.watch(MATCH))).toEqual([1, 2, 3]);
  expect(cursors).toEqual([0n, 1n]);
});

test("a stream that is refused ends the watch", async () => {
  const { client } = watching(async function* () {
    yield { update: update(1) };
    throw refusal(Code.PermissionDenied, "WRONG_SEAT_TOKEN");
  });
  await expect(versions(client.watch(MATCH))).rejects.toBeInstanceOf(PermissionDeniedError);
});

test("an aborted watch ends with a CancelledError, and its call is cancelled", async () => {
  const giveUp = new AbortController();
  let cancelled = false;
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.watchMatches, async function* (_, { signal }) {
      signal.addEventListener("abort", () => {
        cancelled = true;
      });
      yield { update: update(1) };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
  });
  const watch = client.watch(MATCH, { signal: giveUp.signal });
  await watch.next();
  const next = watch.next();
  giveUp.abort();
  await expect(next).rejects.toBeInstanceOf(CancelledError);
  expect(cancelled).toBe(true);
});

test("whoever leaves the loop cancels the call", async () => {
  let cancelled: () => void = () => undefined;
  const wasCancelled = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.watchMatches, async function* (_, { signal }) {
      signal.addEventListener("abort", cancelled);
      for (let version = 1; !signal.aborted; version += 1) yield { update: update(version) };
    });
  });
  for await (const _ of client.watch(MATCH)) break;
  await wasCancelled;
});
