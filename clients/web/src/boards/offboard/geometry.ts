/** Offboard's board: its cells, its targets, and where they lie. Cells are one apart. */
import { OffboardDirection, type OffboardMarble } from "@tablestate/client";

import { at } from "../shared/looks.js";

export interface Point {
  x: number;
  y: number;
}

export interface Cell extends Point {
  /** Its name, as "e5". */
  name: string;
  /** Its row and number, counted from 0 in row a and before number 1. */
  row: number;
  number: number;
}

const HALF_ROOT = Math.sqrt(3) / 2;
const RADIUS = 4;
/** How far the rim's inner and outer edges lie from the middle, at the corners. */
const INNER = 4.66;
const OUTER = 5.62;

/** The steps, as (row, number). */
const STEPS: Readonly<Record<OffboardDirection, readonly [number, number]>> = {
  [OffboardDirection.UNSPECIFIED]: [0, 0],
  [OffboardDirection.E]: [0, 1],
  [OffboardDirection.NE]: [1, 1],
  [OffboardDirection.NW]: [1, 0],
  [OffboardDirection.W]: [0, -1],
  [OffboardDirection.SW]: [-1, -1],
  [OffboardDirection.SE]: [-1, 0],
};

/** The 61 cells, a1 first. */
export const CELLS: readonly Cell[] = Array.from({ length: 9 }, (_, row) => cellsOf(row)).flat();

/** The rows of cells from the top, as indices. */
export const ROWS: readonly (readonly number[])[] = Array.from({ length: 9 }, (_, down) =>
  CELLS.flatMap((cell, index) => (cell.row === 8 - down ? [index] : [])),
);

const INDEX = new Map(CELLS.map((cell, index) => [cell.name, index]));

function cellsOf(row: number): Cell[] {
  const first = Math.max(1, row - RADIUS + 1);
  const last = Math.min(9, row + RADIUS + 1);
  return Array.from({ length: last - first + 1 }, (_, place) => {
    const number = first + place;
    const x = number - 5 - (row - RADIUS) / 2;
    return { name: nameOf(row, number), row, number, x, y: (RADIUS - row) * HALF_ROOT };
  });
}

function nameOf(row: number, number: number): string {
  return `${"abcdefghi".charAt(row)}${number}`;
}

/** The cell one step away; undefined beyond the rim. */
export function neighbour(cell: number, direction: OffboardDirection): number | undefined {
  const { row, number } = at(CELLS, cell);
  const [up, along] = STEPS[direction];
  return INDEX.get(nameOf(row + up, number + along));
}

/** Where a step leads on the screen. */
export function vector(direction: OffboardDirection): Point {
  const [up, along] = STEPS[direction];
  return { x: along - up / 2, y: -up * HALF_ROOT };
}

/** The cells from this one on that hold the same marbles without a gap. */
export function run(
  cells: readonly OffboardMarble[],
  from: number,
  direction: OffboardDirection,
): number[] {
  const line: number[] = [];
  let cell: number | undefined = from;
  while (cell !== undefined && cells[cell] === cells[from]) {
    line.push(cell);
    cell = neighbour(cell, direction);
  }
  return line;
}

/** A target's outline, and where its value or marble stands. */
export interface TargetShape {
  corners: string;
  middle: Point;
}

/** The twelve targets, each half a side of the rim. */
export const TARGETS: readonly TargetShape[] = Array.from({ length: 12 }, (_, target) => {
  const side = Math.floor(target / 2);
  const [from, to] = target % 2 === 0 ? [0.012, 0.494] : [0.506, 0.988];
  const corners = [
    onSide(side, INNER, from),
    onSide(side, INNER, to),
    onSide(side, OUTER, to),
    onSide(side, OUTER, from),
  ];
  return { corners: corners.map(({ x, y }) => `${x},${y}`).join(" "), middle: middleOf(corners) };
});

/** The outline of the field inside the targets. */
export const BED = Array.from({ length: 6 }, (_, side) => corner(side, INNER - 0.06))
  .map(({ x, y }) => `${x},${y}`)
  .join(" ");

function onSide(side: number, radius: number, part: number): Point {
  const [from, to] = [corner(side, radius), corner(side + 1, radius)];
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
}

/** The corners in the order of the targets: a1, a5, e9, i9, i5, e1. */
function corner(number: number, radius: number): Point {
  const angle = ((120 - 60 * number) / 180) * Math.PI;
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
}

function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((all, point) => ({ x: all.x + point.x, y: all.y + point.y }));
  return { x: sum.x / points.length, y: sum.y / points.length };
}

/** On equal values a corner's exit leads to these (R2). */
const PREFERRED = new Set([0, 1, 3, 5, 8, 10]);

/** The target to which the exit from a cell on the rim leads. */
export function exitTarget(
  cell: number,
  direction: OffboardDirection,
  values: readonly number[],
): number {
  const from = at(CELLS, cell);
  const step = vector(direction);
  const landing = { x: from.x + step.x, y: from.y + step.y };
  const distance = (target: number) => {
    const { x, y } = at(TARGETS, target).middle;
    return Math.hypot(x - landing.x, y - landing.y);
  };
  const all = [...TARGETS.keys()];
  const least = Math.min(...all.map(distance));
  const near = all.filter((target) => distance(target) < least + 1e-6);
  const rank = (target: number) => (values[target] ?? 0) * 2 + (PREFERRED.has(target) ? 0 : 1);
  return near.reduce((best, target) => (rank(target) < rank(best) ? target : best));
}
