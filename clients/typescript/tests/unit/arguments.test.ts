import {
  Client,
  HostCredential,
  Intent,
  InvalidArgumentError,
  type MatchPhase,
  NotFoundError,
  newToken,
  SeatCredential,
} from "@tablestate/client";
import { grpcTransport } from "@tablestate/client/node";
import { describe, expect, test } from "vitest";
import { EngineService } from "../../src/gen/tablestate/v1/engine_service_pb.js";
import { clientOf, MATCH } from "./support.js";

/** What programs without types may give. */
// biome-ignore lint/suspicious/noExplicitAny: that is what it stands for
type Anything = any;

/** Nothing answers: what is refused here was not sent. */
const client: Anything = clientOf(() => undefined);
const seat: Anything = client.player(new SeatCredential(MATCH, 0, newToken()));

async function refusalOf(call: () => unknown): Promise<InvalidArgumentError> {
  try {
    const answer: Anything = await call();
    if (answer?.next) await answer.next();
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidArgumentError);
    return error as InvalidArgumentError;
  }
  throw new Error("it was not refused");
}

const wholeNumber = "must be a whole number from 0 to 4294967295";

test.each<[string, () => unknown, string, string]>([
  ["no options", () => client.createMatch("offboard", null), "options.offboard", "fields"],
  ["text for options", () => client.createMatch("offboard", "x"), "options.offboard", "fields"],
  [
    "an unknown option of a game",
    () => client.createMatch("offboard", { points: 1 }),
    "options.offboard.points",
    "there are pointsToWin, quietLimit",
  ],
  [
    "a number below 0",
    () => client.createMatch("offboard", { pointsToWin: -1 }),
    "options.offboard.points_to_win",
    `-1: ${wholeNumber}`,
  ],
  [
    "text for a number",
    () => client.createMatch("offboard", { pointsToWin: "5" }),
    "options.offboard.points_to_win",
    `"5": ${wholeNumber}`,
  ],
  ["no settings", () => client.createMatch("offboard", {}, null), "options", "null: must be"],
  ["unknown settings", () => client.createMatch("offboard", {}, { a: 1 }), "a", "must not be"],
  [
    "a time that is none",
    () => client.createMatch("offboard", {}, { waitingLimitMs: Number.NaN }),
    "waitingLimitMs",
    "NaN: must be a number of milliseconds",
  ],
  [
    "a time without end",
    () => client.createMatch("offboard", {}, { waitingLimitMs: 1e300 }),
    "waitingLimitMs",
    "1000 years",
  ],
  [
    "a number in the metadata",
    () => client.createMatch("offboard", {}, { metadata: { a: 5 } }),
    "metadata.a",
    "5: must be text",
  ],
  ["no intent", () => client.createMatch("offboard", {}, { intent: {} }), "intent", "an Intent"],
  ["no signal", () => client.games({ signal: {} }), "signal", "an AbortSignal"],
  ["no timeout", () => client.games({ timeoutMs: Number.NaN }), "timeoutMs", "NaN: must be"],
  ["a seat below 0", () => client.join(MATCH, { seat: -1 }), "seat", `-1: ${wholeNumber}`],
  ["half a seat", () => client.join(MATCH, { seat: 1.5 }), "seat", `1.5: ${wholeNumber}`],
  ["an unknown option", () => client.join(MATCH, { name: "Ada" }), "name", "must not be given"],
  ["a number for an id", () => client.join(5), "match_id", "5: must be text"],
  ["half a letter", () => client.join(MATCH, { displayName: "a\ud800" }), "display_name", "text"],
  ["no action", () => seat.submit(null), "action", "null: must be a notation"],
  ["a version below 0", () => seat.view({ version: -1n }), "version", "-1n: must be a bigint"],
  [
    "too large a version",
    () => seat.submit("a", { expectedVersion: 2n ** 64n }),
    "expected_version",
    "from 0n to 18446744073709551615n",
  ],
  ["nothing to watch", () => client.watch([]), "watched", "must be one match or more"],
  ["no match to watch", () => client.watch([null]), "watched", "null: must be a match's id"],
  ["a match twice", () => client.watch([MATCH, MATCH]), "watched", "must be named once"],
  ["an unknown option of a watch", () => client.watch(MATCH, { view: true }), "view", "must not"],
  ["an unknown phase", () => client.listMatches({ phases: ["OVER"] }), "phases[0]", "MatchPhase"],
  ["a page below 0", () => client.listMatches({ pageSize: -1 }), "page_size", "-1: must be"],
  ["a depth below 0", () => client.perft("offboard", -1), "depth", "-1: must be"],
  [
    "half an iteration",
    () => client.search("offboard", {}, 0, { iterations: 1.5 }),
    "iterations",
    "1.5",
  ],
  ["no credential", () => client.player(null), "credential", "must be a SeatCredential"],
  ["nothing saved", () => Intent.load(null as Anything), "saved", "must be an object"],
])("%s is refused, and nothing is sent", async (_what, call, field, said) => {
  const { violations, code, reason } = await refusalOf(call);
  expect(violations.map((each) => each.field)).toEqual([field]);
  expect(violations[0]?.description).toContain(said);
  expect({ code, reason }).toEqual({ code: 3, reason: "INVALID_FIELD" });
});

test("a game of no name that is known is told, cut short", async () => {
  const error = await client.createMatch("c".repeat(3000)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NotFoundError);
  expect((error as Error).message.length).toBeLessThan(200);
});

describe("a token of another length or kind is refused without being shown", () => {
  const wrong: Anything[] = [undefined, null, new Uint8Array(5), new Uint8Array(), "secret"];
  test.each(wrong)("%s", async (token) => {
    for (const kind of [
      () => new SeatCredential(MATCH, 0, token),
      () => new HostCredential(MATCH, token),
    ]) {
      const { message } = await refusalOf(kind);
      expect(message).toMatch(/Token must be a Uint8Array of 32 bytes/);
      expect(message).not.toContain("secret");
    }
  });
});

test("a text that is a secret is refused without being shown", async () => {
  const half = "secret\ud800";
  for (const call of [
    () => client.watchFeed({ feedSecret: half }),
    () => client.join(MATCH, { invitationCode: half }),
  ]) {
    const refused = await refusalOf(call);
    expect(refused.message).toContain("surrogate");
    expect(refused.message).not.toContain("secret\\ud800");
    expect(refused.message).not.toContain(half);
  }
});

describe("addresses that are none are told alike", () => {
  const wrong: Anything[] = [
    "",
    "localhost:50051",
    "127.0.0.1",
    "http://",
    "http://h:99999",
    "ftp://h",
  ];
  const password = "http://user:secret@127.0.0.1";
  test.each([...wrong, null, undefined, 5, password])("%s", async (address) => {
    for (const make of [() => new Client(address), () => grpcTransport(address)]) {
      const { violations, message } = await refusalOf(make);
      expect(violations[0]?.description).toBe('must be an address as "http://127.0.0.1:8080"');
      expect(message).not.toContain("secret");
    }
  });
});

test.each<[Anything, string]>([
  [null, "options"],
  [{ timeout: 5 }, "timeout"],
  [{ timeoutMs: -1 }, "timeoutMs"],
  [{ timeoutMs: "5" }, "timeoutMs"],
  [{ retry: { multiplier: 0.5 } }, "retry.multiplier"],
  [{ retry: { maxDelayMs: Number.NaN } }, "retry.maxDelayMs"],
  [{ retry: { attempts: 3 } }, "retry.attempts"],
])("a client is not made with %j", async (options, field) => {
  const { violations } = await refusalOf(() => new Client("http://127.0.0.1:1", options));
  expect(violations[0]?.field).toBe(field);
});

test("what the caller's own function throws ends a search, which is not made again", async () => {
  let searches = 0;
  const searching = clientOf(({ rpc }) => {
    rpc(EngineService.method.search, async function* () {
      searches++;
      yield { done: false };
      yield { done: true };
    });
  });
  const own = new RangeError("the caller's own");
  const onProgress = () => {
    throw own;
  };
  const view = {} as Anything;
  const search = searching.search("offboard", view, 0, { iterations: 1, onProgress });
  await expect(search).rejects.toBe(own);
  expect(searches).toBe(1);
});

test("phases may be left out, and versions be plain numbers", async () => {
  const phases: readonly MatchPhase[] | undefined = undefined;
  const listed = client.listMatches({ phases });
  await expect(listed.next()).rejects.not.toBeInstanceOf(InvalidArgumentError);
  const watched = client.watch(MATCH, { afterVersion: 1 });
  await expect(watched.next()).rejects.not.toBeInstanceOf(InvalidArgumentError);
});
