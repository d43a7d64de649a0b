import { MatchPhase, MatchService, newToken, SeatCredential } from "@tablestate/client";
import { expect, test } from "vitest";
import { clientOf, MATCH, update } from "./support.js";

const credential = new SeatCredential(MATCH, 0, newToken(), newToken());

test("a player whose seat is drawn learns it by a watch, and keeps its key", async () => {
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.watchMatches, async function* () {
      yield { update: update(1, MatchPhase.WAITING) };
      yield { update: { ...update(2), yourSeat: 3 } };
      yield { update: { ...update(3, MatchPhase.OVER), yourSeat: 3 } };
    });
  });
  const player = client.player(credential);
  const seats: number[] = [];
  for await (const _ of player.watch()) seats.push(player.seat);
  expect(seats).toEqual([0, 3, 3]);
  expect(player.credential.save()).toEqual({ ...credential.save(), seat: 3 });
});

test("a view and an action tell the seat too", async () => {
  const client = clientOf(({ rpc }) => {
    rpc(MatchService.method.getView, () => ({ matchId: MATCH, version: 4n, seat: 2 }));
    rpc(MatchService.method.submitAction, () => ({ update: { ...update(5), yourSeat: 1 } }));
  });
  const player = client.player(credential);
  await player.view();
  expect(player.seat).toBe(2);
  await player.submit(0);
  expect(player.seat).toBe(1);
});
