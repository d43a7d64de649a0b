import { EternitiumCard as Card, type EternitiumView } from "@tablestate/client";
import { expect, test } from "vitest";

import type { BoardProps } from "../contract.js";
import { position, positions } from "../fixtures/index.js";
import { completed } from "../shared/selection.js";
import { isGamble, routes } from "./routes.js";
import { CARDS, describe } from "./words.js";

function own(view: BoardProps["view"]): EternitiumView {
  if (view.game.case !== "eternitium") throw new Error("a view of another game");
  return view.game.value;
}

test("every legal action has a way of its own that is tapped", () => {
  for (const { view, actions } of positions("eternitium")) {
    const all = routes(own(view), actions);
    expect(all).toHaveLength(actions.length);
    for (const route of all) expect(completed(all, route.steps)).toBe(route);
    expect(new Set(all.map(({ steps }) => steps.join(" "))).size).toBe(all.length);
  }
});

test("a Portal on a covered Era is a gamble, another card is none", () => {
  const view = own(position("eternitium", "two: play").view);
  const isCovered = !view.players[view.turnOf]?.top;
  expect(isGamble(view, Card.CIRCLE_PORTAL)).toBe(isCovered);
  expect(isGamble(view, Card.TWIN_CIRCLE_SQUARE)).toBe(false);
});

test("every card has a name and says what it does", () => {
  for (const card of Object.values(Card)) {
    if (typeof card === "number" && card !== Card.UNSPECIFIED) {
      expect(CARDS[card].title).not.toBe("");
      expect(CARDS[card].effect).toMatch(/\.$/);
    }
  }
});

test("the last action is told", () => {
  const { events, names } = position("eternitium", "five: play");
  expect(describe(events, names)).toMatch(/Ada|Bela|Chen|Dora|Emil/);
});
