import { readFileSync } from "node:fs";
import {
  HostCredential,
  Intent,
  InvalidArgumentError,
  newToken,
  SeatCredential,
} from "@tablestate/client";
import { expect, test } from "vitest";
import { MATCH } from "./support.js";

test("credentials and intents survive being written down", () => {
  const host = new HostCredential(MATCH, newToken());
  const seat = new SeatCredential(MATCH, 1, newToken(), newToken());
  const intent = new Intent();
  const again = JSON.parse(JSON.stringify([host.save(), seat.save(), intent.save()]));
  expect(HostCredential.load(again[0]).save()).toEqual(host.save());
  expect(SeatCredential.load(again[1]).save()).toEqual(seat.save());
  expect(Intent.load(again[2]).save()).toEqual(intent.save());
  expect(SeatCredential.load(again[1]).token).toEqual(seat.token);
});

test("what any client has saved is read, and saved alike", () => {
  const url = new URL("../../../../tests/data/saved.json", import.meta.url);
  const { host, seat, promised, intent } = JSON.parse(readFileSync(url, "utf8"));
  expect(HostCredential.load(host).save()).toEqual(host);
  expect(SeatCredential.load(seat).save()).toEqual(seat);
  expect(SeatCredential.load(promised).save()).toEqual(promised);
  expect(Intent.load(intent).save()).toEqual(intent);
});

test("a damaged credential is refused, and no error shows a token", () => {
  const saved = new SeatCredential(MATCH, 0, newToken()).save();
  for (const wrong of [{ seat_token: `${saved.seat_token}00` }, { seat: -1 }, { match_id: "" }]) {
    const load = () => SeatCredential.load({ ...saved, ...wrong });
    expect(load).toThrow(InvalidArgumentError);
    expect(load).not.toThrow(saved.seat_token);
  }
});

test("what is logged shows no token", () => {
  const seat = new SeatCredential(MATCH, 0, newToken());
  expect(JSON.stringify(seat)).toBe(JSON.stringify({ matchId: MATCH, seat: 0 }));
});
