// @vitest-environment jsdom
import { HostCredential, newToken, SeatCredential } from "@tablestate/client";
import { beforeEach, expect, test } from "vitest";
import { hostOf, keepHost, keepSeat, ownMatches, playerName, seatsOf, theme } from "./kept.js";

const ID = "0123456789abcdef0123456789abcdef";

beforeEach(() => localStorage.clear());

function damage(key: string, value: unknown): void {
  localStorage.setItem(`tablestate.${key}`, JSON.stringify(value));
}

test("keys to seats and matches are kept", () => {
  const [seat, host] = [new SeatCredential(ID, 1, newToken()), new HostCredential(ID, newToken())];
  keepSeat(seat);
  keepHost(host);
  expect(seatsOf(ID).map((each) => each.save())).toEqual([seat.save()]);
  expect(hostOf(ID)?.save()).toEqual(host.save());
  expect(ownMatches()).toEqual([ID]);
});

test("a key whose seat is another is kept once, and beside the key to its old seat", () => {
  const [mine, other] = [newToken(), newToken()];
  keepSeat(new SeatCredential(ID, 0, mine));
  keepSeat(new SeatCredential(ID, 1, other));
  keepSeat(new SeatCredential(ID, 1, mine));
  keepSeat(new SeatCredential(ID, 0, other));
  expect(seatsOf(ID).map(({ seat, token }) => [seat, token])).toEqual([
    [0, other],
    [1, mine],
  ]);
});

test("what is damaged is passed over", () => {
  const whole = new SeatCredential(ID, 1, newToken()).save();
  damage("seats", { [ID]: [null, 7, "", {}, { ...whole, seat_token: "00" }, whole] });
  expect(seatsOf(ID).map((each) => each.save())).toEqual([whole]);
  keepSeat(new SeatCredential(ID, 0, newToken()));
  expect(seatsOf(ID)).toHaveLength(2);
});

test.each([null, 7, "text", [], {}, { [ID]: 7 }, { [ID]: null }, { [ID]: {} }, { [ID]: [[]] }])(
  "where %j is kept, there is nothing",
  (value) => {
    for (const key of ["seats", "hosts"]) damage(key, value);
    expect([seatsOf(ID), hostOf(ID), ownMatches()]).toEqual([[], undefined, []]);
    keepSeat(new SeatCredential(ID, 0, newToken()));
    expect(seatsOf(ID)).toHaveLength(1);
  },
);

test.each(["purple", "toString", 7, null, ["dark"]])("%j is no choice of light", (value) => {
  damage("theme", value);
  expect(theme()).toBe("");
  damage("name", [value]);
  expect(playerName()).toBe("");
});
