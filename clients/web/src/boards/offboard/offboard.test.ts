import { OffboardDirection as Direction } from "@tablestate/client";
import { expect, test } from "vitest";

import { position, positions } from "../fixtures/index.js";
import { completed } from "../shared/selection.js";
import { CELLS, exitTarget, neighbour, ROWS, TARGETS } from "./geometry.js";
import { routes } from "./routes.js";
import { traceOf } from "./trace.js";
import { describe } from "./words.js";

const cell = (name: string) => CELLS.findIndex((each) => each.name === name);
const VALUES = [1, 1, 2, 3, 1, 3, 2, 2, 3, 1, 3, 2];

test("the cells are those of the rules, and steps lead where the rules say", () => {
  expect(CELLS).toHaveLength(61);
  expect([CELLS[0]?.name, CELLS[60]?.name]).toEqual(["a1", "i9"]);
  expect(ROWS.map((row) => row.length)).toEqual([5, 6, 7, 8, 9, 8, 7, 6, 5]);
  expect(neighbour(cell("e4"), Direction.NE)).toBe(cell("f5"));
  expect(neighbour(cell("e4"), Direction.SE)).toBe(cell("d4"));
  expect(neighbour(cell("e9"), Direction.E)).toBeUndefined();
});

test.each([
  ["a1", Direction.SE, 0],
  ["a2", Direction.SE, 0],
  ["a3", Direction.SW, 0],
  ["a3", Direction.SE, 1],
  ["a5", Direction.SW, 1],
  ["a5", Direction.SE, 1],
  ["e9", Direction.E, 4],
  ["i9", Direction.NE, 6],
  ["i5", Direction.NW, 7],
  ["e1", Direction.W, 9],
  ["a1", Direction.SW, 0],
])("the exit of %s in direction %i leads to target %i", (name, direction, target) => {
  expect(exitTarget(cell(name), direction, VALUES)).toBe(target);
});

test("twelve targets lie round the rim, from a1 along the bottom", () => {
  expect(TARGETS).toHaveLength(12);
  expect(TARGETS[0]?.middle.x).toBeLessThan(TARGETS[1]?.middle.x ?? 0);
  expect(TARGETS[0]?.middle.y).toBeGreaterThan(4);
});

test("every legal action has a way of its own that is tapped", () => {
  for (const { view, actions } of positions("offboard")) {
    const cells = view.game.case === "offboard" ? view.game.value.cells : [];
    const all = routes(cells, actions);
    expect(all).toHaveLength(actions.length);
    for (const route of all) expect(completed(all, route.steps)).toBe(route);
    expect(new Set(all.map(({ steps }) => steps.join(" "))).size).toBe(all.length);
  }
});

test("the last action is told and pointed out", () => {
  const { events, names } = position("offboard", "duel: move");
  expect(describe(events, names)).toMatch(/^(Ada|Bela) plays [a-i]\d–[a-i]\d/);
  expect(traceOf(events).cells.size).toBeGreaterThan(1);
});
