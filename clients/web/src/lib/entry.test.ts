// @vitest-environment jsdom
import {
  Code,
  HostCredential,
  HostedMatch,
  Intent,
  newToken,
  PreconditionError,
  SeatCredential,
  SeatedPlayer,
  UnavailableError,
} from "@tablestate/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMatch, creating, joining, type Plan, playAgain, takeSeat } from "./entry.js";
import { hostOf, seatsOf } from "./kept.js";
import { client } from "./service.svelte.js";

const ID = "0123456789abcdef0123456789abcdef";
const NEXT = "fedcba9876543210fedcba9876543210";

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => vi.restoreAllMocks());

/** The handle to a seat, which has the token of the intent it was taken with. */
function seated(seat: number, intent = new Intent(), matchId = ID): SeatedPlayer {
  return client.player(new SeatCredential(matchId, seat, intent.token));
}

const cutOff = () => new UnavailableError("the page went away", { code: Code.Unavailable });
const refused = () => new PreconditionError("seat taken", { code: Code.FailedPrecondition });

test("a seat whose answer was not heard is taken again with the same request and key", async () => {
  const join = vi.spyOn(client, "join").mockRejectedValueOnce(cutOff());
  await expect(takeSeat(ID, { displayName: "Ada", seat: 1 })).rejects.toThrow();
  expect(seatsOf(ID)).toEqual([]);
  const pending = joining(ID).pending;
  expect(pending).toMatchObject({ displayName: "Ada", seat: 1 });

  join.mockImplementation(async (_, options) => seated(1, options?.intent));
  const credential = await takeSeat(ID, { displayName: "Somebody else", seat: 0 });
  const [first, again] = join.mock.calls.map(([, options]) => options);
  expect({ ...again, intent: again?.intent?.save() }).toEqual(pending);
  expect(first?.intent?.save()).toEqual(again?.intent?.save());
  expect(seatsOf(ID).map((each) => each.save())).toEqual([credential.save()]);
  expect(joining(ID).pending).toBeUndefined();
});

test("the key is kept before the call is made", async () => {
  vi.spyOn(client, "join").mockImplementation(async (_, options) => {
    expect(joining(ID).pending?.intent).toEqual(options?.intent?.save());
    return seated(0, options?.intent);
  });
  await takeSeat(ID, { displayName: "" });
  expect(seatsOf(ID)).toHaveLength(1);
});

test("what was refused is not tried again", async () => {
  const join = vi.spyOn(client, "join").mockRejectedValueOnce(refused());
  await expect(takeSeat(ID, { displayName: "Ada" })).rejects.toThrow();
  expect(joining(ID).pending).toBeUndefined();
  expect(join).toHaveBeenCalledTimes(1);
});

test("a rematch is agreed to once, from the seat that it was asked with", async () => {
  const viewer = new SeatCredential(ID, 0, newToken());
  const rematch = vi.spyOn(SeatedPlayer.prototype, "rematch").mockRejectedValueOnce(cutOff());
  await expect(playAgain(viewer)).rejects.toThrow();
  rematch.mockImplementation(async (options) => seated(1, options?.intent, NEXT));
  await playAgain(viewer.at(1));
  const [first, again] = rematch.mock.calls.map(([options]) => options?.intent?.save());
  expect(first).toEqual(again);
  expect(rematch.mock.contexts.map((player) => (player as SeatedPlayer).seat)).toEqual([0, 0]);
  expect(seatsOf(NEXT).map(({ seat }) => seat)).toEqual([1]);
});

test("a match that was cut off half-way is completed, and its host's key kept", async () => {
  const plan: Plan = {
    game: "offboard",
    options: { points_to_win: 2 },
    isUnlisted: false,
    bankS: 60,
    incrementS: 1,
    intent: new Intent().save(),
    own: { displayName: "Ada", seat: 0, intent: new Intent().save() },
    bots: [{ bot: "random", seat: 1, intent: new Intent().save() }],
  };
  const host = () => client.host(loaded(plan));
  const create = vi.spyOn(client, "createMatch").mockImplementation(async () => host());
  const join = vi.spyOn(HostedMatch.prototype, "join");
  join.mockImplementation(async (options) => seated(0, options?.intent));
  const addBot = vi.spyOn(HostedMatch.prototype, "addBot").mockRejectedValueOnce(cutOff());
  await expect(createMatch(plan)).rejects.toThrow();
  expect(creating("offboard").pending).toEqual(plan);

  addBot.mockResolvedValueOnce({ $typeName: "tablestate.v1.AddBotResponse", seat: 1 });
  expect(await createMatch(creating("offboard").pending ?? plan)).toBe(ID);
  for (const { calls } of [create.mock, join.mock, addBot.mock]) {
    const [first, again] = calls.map((args) => JSON.stringify(args, asSaved));
    expect(first).toBe(again);
  }
  expect(hostOf(ID)?.save().host_token).toBe(plan.intent.token);
  expect(seatsOf(ID)).toHaveLength(1);
  expect(creating("offboard").pending).toBeUndefined();
});

function loaded(plan: Plan): HostCredential {
  return new HostCredential(ID, Intent.load(plan.intent).token);
}

/** Secrets are private, and numbers of 64 bits no JSON. */
function asSaved(_: string, value: unknown): unknown {
  if (value instanceof Intent) return value.save();
  return typeof value === "bigint" ? `${value}` : value;
}
