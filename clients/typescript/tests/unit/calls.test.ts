import { Code } from "@connectrpc/connect";
import {
  CancelledError,
  Client,
  Intent,
  InvalidArgumentError,
  MatchService,
  ResourceExhaustedError,
  UnavailableError,
} from "@tablestate/client";
import { expect, test } from "vitest";
import { clientOf, comeBackIn, MATCH, refusal } from "./support.js";

const unavailable = () => refusal(Code.Unavailable, "SHUTTING_DOWN");

test("a call is retried with the same request id and the same token", async () => {
  const seen: { requestId: string; hostToken: string }[] = [];
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.createMatch, ({ requestId, hostToken }) => {
      seen.push({ requestId, hostToken: String(hostToken) });
      if (seen.length < 3) throw unavailable();
      return { match: { matchId: MATCH } };
    });
  });
  const match = await client.createMatch("offboard", { pointsToWin: 2 });
  expect(match.matchId).toBe(MATCH);
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map((each) => each.requestId)).size).toBe(1);
  expect(seen[0]).toEqual(seen[2]);
  expect(String(match.credential.token)).toBe(seen[0]?.hostToken);
});

test("every intent has an id and a token of its own", async () => {
  const seen = new Set<string>();
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.createMatch, ({ requestId, hostToken }) => {
      seen.add(requestId).add(String(hostToken));
      return { match: { matchId: MATCH } };
    });
  });
  await client.createMatch("offboard");
  await client.createMatch("offboard");
  expect(seen.size).toBe(4);
});

test("the error of a call that changes something tells the intent to repeat it with", async () => {
  const ids: string[] = [];
  let away = true;
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.joinMatch, ({ requestId }) => {
      ids.push(requestId);
      if (away) throw unavailable();
      return { seat: 1 };
    });
  });
  const error = await client.join(MATCH, { timeoutMs: 20 }).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(UnavailableError);
  away = false;
  const player = await client.join(MATCH, { intent: Intent.load(error.intent.save()) });
  expect(player.seat).toBe(1);
  expect(new Set(ids).size).toBe(1);
});

test("a call waits as long as the server says, and is then made again", async () => {
  let calls = 0;
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.getMatch, () => {
      calls += 1;
      if (calls === 1) throw comeBackIn(60_000_000);
      return { match: { matchId: MATCH } };
    });
  });
  const start = performance.now();
  await client.getMatch(MATCH);
  expect(performance.now() - start).toBeGreaterThanOrEqual(55);
  expect(calls).toBe(2);
});

test("what is refused for good is not tried again", async () => {
  let calls = 0;
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.getMatch, () => {
      calls += 1;
      throw refusal(Code.ResourceExhausted, "STORAGE_FULL");
    });
  });
  await expect(client.getMatch(MATCH)).rejects.toBeInstanceOf(ResourceExhaustedError);
  expect(calls).toBe(1);
});

test("whoever aborts a call gets a CancelledError, also between two attempts", async () => {
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.getMatch, () => {
      throw comeBackIn(400_000_000);
    });
  });
  const call = client.getMatch(MATCH, { signal: AbortSignal.timeout(10) });
  await expect(call).rejects.toBeInstanceOf(CancelledError);
});

test("all pages of a list are asked for", async () => {
  const asked: string[] = [];
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.listMatches, ({ pageToken }) => {
      asked.push(pageToken);
      const page = asked.length;
      return { matches: [{ matchId: `${page}` }], nextPageToken: page < 3 ? `after ${page}` : "" };
    });
  });
  const ids: string[] = [];
  for await (const match of client.listMatches()) ids.push(match.matchId);
  expect(ids).toEqual(["1", "2", "3"]);
  expect(asked).toEqual(["", "after 1", "after 2"]);
});

test("what cannot be sent is the caller's mistake, and told without what may be a secret", async () => {
  const headers = { authorization: "Bearer tsk_secret\nline" };
  for (const make of [
    () => new Client("http://127.0.0.1:1", { headers }),
    () => new Client(""),
    () => new Client("not an address"),
  ]) {
    expect(make).toThrow(InvalidArgumentError);
    expect(make).not.toThrow(/tsk_secret/);
  }
  const call = clientOf(() => undefined).createMatch("offboard", { pointsToWin: -1 });
  await expect(call).rejects.toBeInstanceOf(InvalidArgumentError);
});
