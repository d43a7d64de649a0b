import { expect, test } from "vitest";

import { nearest } from "./controls.js";

const SPOTS = [
  { x: 0, y: 0 },
  { x: 10, y: 0 },
  { x: 30, y: 0 },
  { x: 15, y: 10 },
  { x: 5, y: -10 },
];
const FROM = { x: 10, y: 0 };

test("an arrow goes to the nearest control on its side", () => {
  expect(nearest(FROM, SPOTS, { x: 1, y: 0 })).toBe(2);
  expect(nearest(FROM, SPOTS, { x: -1, y: 0 })).toBe(0);
  expect(nearest(FROM, SPOTS, { x: 0, y: 1 })).toBe(3);
  expect(nearest(FROM, SPOTS, { x: 0, y: -1 })).toBe(4);
});

test("at the rim an arrow goes nowhere", () => {
  expect(nearest({ x: 30, y: 0 }, SPOTS, { x: 1, y: 0 })).toBeUndefined();
});

test("on hexagons an arrow goes to the next row, though a cell beyond lies straight ahead", () => {
  const row = Math.sqrt(3) / 2;
  const cells = [
    { x: -25, y: -50 * row },
    { x: 25, y: -50 * row },
    { x: 0, y: -100 * row },
    { x: 50, y: 0 },
  ];
  expect(nearest({ x: 0, y: 0 }, cells, { x: 0, y: -1 })).toBe(0);
  expect(nearest({ x: 0, y: 0 }, cells, { x: 1, y: 0 })).toBe(3);
});
