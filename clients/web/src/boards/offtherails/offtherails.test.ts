import { create, fromBinary } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import {
  GameActionSchema,
  GameEventSchema,
  GameViewSchema,
  OffTheRailsEventKind as Kind,
  type OffTheRailsView,
  OffTheRailsViewSchema,
  OffTheRailsSide as Side,
} from "@tablestate/client";
import { expect, test } from "vitest";

import type { BoardProps } from "../contract.js";
import { position, positions } from "../fixtures/index.js";
import previews from "../fixtures/previews.json";
import { completed } from "../shared/selection.js";
import { mineOf, opposite, placeOf, spotAt, squareName, surfaceName } from "./geometry.js";
import { planOf, planWords } from "./plan.js";
import { routes } from "./routes.js";
import { rows, standing } from "./table.js";
import { after, railway, toldWays, ways } from "./ways.js";
import { describe, jewelWords } from "./words.js";

const POSITIONS = positions("off_the_rails");

function own(view: BoardProps["view"]): OffTheRailsView {
  if (view.game.case !== "offTheRails") throw new Error("a view of another game");
  return view.game.value;
}

test("squares, mines and Surface lie where the rules say", () => {
  const square = (name: string) => "abcdefgh".indexOf(name.charAt(0)) + (Number(name[1]) - 1) * 8;
  expect(squareName(square("c4"), 8)).toBe("c4");
  expect(mineOf(square("c6"), 8)).toEqual({ mine: 1, number: 0 });
  expect(mineOf(square("b7"), 8)).toEqual({ mine: 1, number: 1 });
  expect(mineOf(square("g5"), 8)).toEqual({ mine: 2, number: 8 });
  expect(mineOf(square("g3"), 8)).toEqual({ mine: 3, number: 5 });
  expect(mineOf(square("a1"), 8)).toBeUndefined();
  expect(mineOf(60, 9)).toEqual({ mine: 2, number: 0 });
  expect(surfaceName(Side.NORTH, 0)).toBe("Na");
  expect(surfaceName(Side.EAST, 2)).toBe("E3");
  expect(opposite(Side.WEST)).toBe(Side.EAST);
  expect(spotAt(placeOf(26, 8), 8)).toEqual({ square: 26 });
  expect(spotAt({ x: 9, y: 1 }, 8)).toEqual({ side: Side.EAST, place: 7 });
  expect(spotAt({ x: 0, y: 0 }, 8)).toBeUndefined();
});

test("every legal action has a way of its own that is tapped, on controls of the board", () => {
  for (const { view, actions, names, actors } of POSITIONS) {
    const all = routes(actions);
    expect(all).toHaveLength(actions.length);
    for (const route of all) expect(completed(all, route.steps)).toBe(route);
    const game = own(view);
    const keys = rows(game, standing(game), names, actors[0])
      .flat()
      .flatMap((field) => field.keys);
    const onBoard = /^(square|surface|cart|exit):/;
    for (const key of all.flatMap(({ steps }) => steps)) {
      if (onBoard.test(key)) expect(keys).toContain(key);
    }
  }
});

test("the ways that carts would go are those that the service tells", () => {
  for (const { view } of POSITIONS) {
    expect(ways(railway(own(view)))).toEqual(toldWays(own(view)));
  }
});

test("the ways after an action are those that the service tells after it", () => {
  expect(previews.length).toBeGreaterThan(20);
  for (const { notation, seat, before, action, after: then } of previews) {
    const rails = railway(own(fromBinary(GameViewSchema, base64Decode(before))));
    const { game } = fromBinary(GameActionSchema, base64Decode(action));
    if (game.case !== "offTheRails") throw new Error("an action of another game");
    const told = toldWays(fromBinary(OffTheRailsViewSchema, base64Decode(then)));
    expect(ways(after(rails, game.value, seat)), notation).toEqual(told);
  }
});

test("what an action would bring is told in words", () => {
  const { view, actions, actors } = position("off_the_rails", "two: actions");
  const game = own(view);
  const seat = actors[0] ?? 0;
  const faster = actions.find(({ notation }) => notation === "w+");
  expect(planOf(game, undefined, seat).ways).toHaveLength(game.preview.length);
  expect(planWords(planOf(game, faster, seat), seat, 8)).toMatch(/^white .*, black .*/);
});

test("the last action is told", () => {
  const { events, names } = position("off_the_rails", "two: actions");
  expect(describe(events, { names, size: 8 })).not.toBe("");
  expect(jewelWords([1, 2, 2])).toBe("1 Rock and 2 Rubies");
});

test("where a cart only chooses its exit, that is told", () => {
  const cart = { seat: 1, colour: 1 };
  const events = [
    { kind: Kind.FACED, cart, facing: Side.NORTH },
    { kind: Kind.TURN_ENDED, seat: 1 },
  ].map((value) => create(GameEventSchema, { game: { case: "offTheRails", value } }));
  expect(describe(events, { names: ["Ada", "Bela"], size: 8 })).toBe(
    "Bela’s white cart faces north",
  );
});
