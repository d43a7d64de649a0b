import { create } from "@bufbuild/protobuf";
import { GameEventSchema, OffTrackEventKind as Kind } from "@tablestate/client";
import { expect, test } from "vitest";

import { position, positions } from "../fixtures/index.js";
import { completed } from "../shared/selection.js";
import { routes } from "./routes.js";
import { describe, edge, notation, signed, spoken, worth } from "./words.js";

test("every legal action has a way of its own that is tapped", () => {
  for (const { actions } of positions("offtrack")) {
    const all = routes(actions);
    expect(all).toHaveLength(actions.length);
    for (const route of all) expect(completed(all, route.steps)).toBe(route);
  }
});

test("cards are worth what the rules say", () => {
  expect([0, 1, 2, 3, 4, 8].map((type) => worth({ type, redeemed: false }))).toEqual([
    -2, -1, 0, 1, 1, 5,
  ]);
  expect(worth({ type: 9, redeemed: true })).toBe(2);
  expect(signed(-2)).toBe("−2");
  expect(notation(22)).toBe("c4");
  expect(spoken({ type: 18, redeemed: false })).toBe("era C, −2");
});

test("the harvest edge is at the end where cards are not added, unless it is pinned", () => {
  for (const { view } of positions("offtrack")) {
    const lines = view.game.case === "offtrack" ? view.game.value.lines : [];
    for (const line of lines) {
      const last = line.cards.length - 1;
      if (last < 0) expect(edge(line)).toBeUndefined();
      else expect(edge(line)).toBe(line.pinned ?? (line.flipped ? last : 0));
    }
  }
});

test("the last action is told", () => {
  const { events, names } = position("offtrack", "watched: main");
  expect(describe(events, names)).toMatch(/Ada|Bela|Chen/);
});

test("where a turn does nothing but end, that is told", () => {
  const ended = { kind: Kind.TURN_ENDED, seat: 1 };
  const begun = { kind: Kind.TURN_STARTED, seat: 0 };
  const events = [ended, begun].map((value) =>
    create(GameEventSchema, { game: { case: "offtrack", value } }),
  );
  expect(describe(events, ["Ada", "Bela"])).toBe("Bela ends the turn");
});
