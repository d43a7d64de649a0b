// @vitest-environment jsdom
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  GetViewResponseSchema,
  Intent,
  MatchChange,
  MatchPhase,
  MatchSchema,
  type MatchUpdate,
  MatchUpdateSchema,
  newToken,
  SeatCredential,
  SeatedPlayer,
  Seating,
  UnavailableError,
} from "@tablestate/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { joining } from "./entry.js";
import { keepSeat, seatsOf } from "./kept.js";
import { MatchStore } from "./match.svelte.js";
import { client } from "./service.svelte.js";
import { watcher } from "./watcher.js";

const ID = "0123456789abcdef0123456789abcdef";

beforeEach(() => localStorage.clear());
afterEach(() => vi.restoreAllMocks());

function entry(fields: MessageInitShape<typeof MatchUpdateSchema>): MatchUpdate {
  return create(MatchUpdateSchema, { matchId: ID, phase: MatchPhase.RUNNING, ...fields });
}

/** A match whose seats are drawn: what the service answers, and how it tells of entries. */
function drawn(sits: (token: Uint8Array) => number) {
  const match = create(MatchSchema, { matchId: ID, seating: Seating.RANDOM });
  const view = (seat?: number) =>
    create(GetViewResponseSchema, {
      matchId: ID,
      version: 3n,
      phase: MatchPhase.RUNNING,
      ...(seat === undefined ? {} : { seat }),
    });
  let hear: (update: MatchUpdate) => void = () => undefined;
  vi.spyOn(client, "getMatch").mockResolvedValue(match);
  vi.spyOn(client, "view").mockImplementation(async () => view());
  vi.spyOn(SeatedPlayer.prototype, "get").mockResolvedValue(match);
  vi.spyOn(SeatedPlayer.prototype, "view").mockImplementation(async function (this: SeatedPlayer) {
    return view(sits(this.credential.token));
  });
  vi.spyOn(client, "watch").mockImplementation(async function* () {
    for (const version of [1n, 2n, 3n]) yield entry({ version });
  });
  vi.spyOn(watcher, "follow").mockImplementation(({ onUpdate }) => {
    hear = onUpdate;
    return () => undefined;
  });
  return { tell: (update: MatchUpdate) => hear(update) };
}

test("an address that names a version far away shows the last", async () => {
  drawn(() => 0);
  const store = new MatchStore(ID);
  expect(store.frameAt(999_999_999)).toBeUndefined();
  await store.open();
  const start = performance.now();
  expect(store.frameAt(999_999_999)?.version).toBe(3);
  expect(store.frameAt(2)?.version).toBe(2);
  expect(performance.now() - start).toBeLessThan(500);
});

test("keys go to the seats that were drawn, in the eyes of the page and in what it keeps", async () => {
  const [mine, other] = [newToken(), newToken()];
  keepSeat(new SeatCredential(ID, 0, mine));
  keepSeat(new SeatCredential(ID, 1, other));
  let isDrawn = false;
  const { tell } = drawn((token) =>
    (token[0] === mine[0] && token[1] === mine[1]) !== isDrawn ? 0 : 1,
  );
  const store = new MatchStore(ID);
  await store.open();
  expect(store.viewer?.seat).toBe(0);
  isDrawn = true;
  tell(entry({ version: 4n, change: MatchChange.STARTED, yourSeat: 1 }));
  expect(store.viewer?.seat).toBe(1);
  expect(store.viewer?.token).toEqual(mine);
  const expected = [
    [0, other],
    [1, mine],
  ];
  await vi.waitFor(() => {
    expect(store.seats.map(({ seat, token }) => [seat, token])).toEqual(expected);
  });
  expect(seatsOf(ID).map(({ seat, token }) => [seat, token])).toEqual(expected);
});

test("a page that is loaded anew takes the seat that it was about to take", async () => {
  drawn(() => 1);
  const args = { displayName: "Ada", intent: new Intent().save() };
  const cutOff = new UnavailableError("cut off", { code: 14 });
  await expect(joining(ID).attempt(args, () => Promise.reject(cutOff))).rejects.toThrow();
  const join = vi.spyOn(client, "join").mockImplementation(async (_, { intent } = {}) => {
    return client.player(new SeatCredential(ID, 1, (intent ?? new Intent()).token));
  });
  const store = new MatchStore(ID);
  await store.open();
  expect(join.mock.calls[0]?.[1]?.intent?.save()).toEqual(args.intent);
  expect(store.viewer?.save().seat_token).toBe(args.intent.token);
  expect(seatsOf(ID)).toHaveLength(1);
});
