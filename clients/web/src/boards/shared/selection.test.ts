import { expect, test } from "vitest";

import { completed, matching, nextKeys, type Route, tapped } from "./selection.js";

const ROUTES: Route<string>[] = [
  { action: "move east", steps: ["a", "b"] },
  { action: "move west", steps: ["a", "c"] },
  { action: "move other", steps: ["d", "b"] },
  { action: "end", steps: ["end"] },
];
const SETS: Route<string>[] = [
  { action: "none", steps: ["cycle"], ordered: 1 },
  { action: "x", steps: ["cycle", "x"], ordered: 1 },
  { action: "xx", steps: ["cycle", "x", "x"], ordered: 1 },
  { action: "xy", steps: ["cycle", "x", "y"], ordered: 1 },
];

test("only what leads to a legal action can be tapped", () => {
  expect(nextKeys(ROUTES, [])).toEqual(new Set(["a", "d", "end"]));
  expect(nextKeys(ROUTES, ["a"])).toEqual(new Set(["b", "c"]));
  expect(nextKeys(ROUTES, ["a", "b"])).toEqual(new Set());
});

test("steps complete the one action that they spell", () => {
  expect(completed(ROUTES, ["a", "c"])?.action).toBe("move west");
  expect(completed(ROUTES, ["a"])).toBeUndefined();
  expect(completed(ROUTES, [])).toBeUndefined();
  expect(matching(ROUTES, ["a"])).toHaveLength(2);
});

test("another beginning takes the place of the first", () => {
  expect(tapped(ROUTES, ["a"], "d")).toEqual(["d"]);
  expect(tapped(ROUTES, ["a"], "a")).toEqual([]);
  const steps = ["a"];
  expect(tapped(ROUTES, steps, "nowhere")).toBe(steps);
});

test("where the order is free a set is chosen in any order, and each part is taken back alone", () => {
  expect(nextKeys(SETS, ["cycle"])).toEqual(new Set(["x", "y"]));
  expect(completed(SETS, ["cycle", "y", "x"])?.action).toBe("xy");
  expect(nextKeys(SETS, ["cycle", "y", "x"])).toEqual(new Set());
  expect(tapped(SETS, ["cycle", "y", "x"], "y")).toEqual(["cycle", "x"]);
  expect(tapped(SETS, ["cycle", "x"], "x")).toEqual(["cycle", "x", "x"]);
  expect(tapped(SETS, ["cycle", "x", "x"], "x")).toEqual(["cycle", "x"]);
  expect(tapped(SETS, ["cycle", "x"], "cycle")).toEqual([]);
});
