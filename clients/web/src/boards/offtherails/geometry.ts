/** Off the Rails' board: squares, Surface, mines, and where they lie. */
import { OffTheRailsBoard as Board, OffTheRailsSide as Side } from "@tablestate/client";

/** Where something lies on the screen: columns from the west, rows from the north, Surface and all. */
export interface Place {
  x: number;
  y: number;
}

/** The four sides, in order. */
export const SIDES = [Side.NORTH, Side.EAST, Side.SOUTH, Side.WEST] as const;

const STEPS: Readonly<Record<Side, Place>> = {
  [Side.UNSPECIFIED]: { x: 0, y: 0 },
  [Side.NORTH]: { x: 0, y: -1 },
  [Side.EAST]: { x: 1, y: 0 },
  [Side.SOUTH]: { x: 0, y: 1 },
  [Side.WEST]: { x: -1, y: 0 },
};

/** The letter of a side. */
export function letter(side: Side): string {
  return "?NESW".charAt(side);
}

/** The side across. */
export function opposite(side: Side): Side {
  return side === Side.UNSPECIFIED ? side : ((((side + 1) % 4) + 1) as Side);
}

/** One step towards a side. */
export function vector(side: Side): Place {
  return STEPS[side];
}

/** How many squares a side of the board has. */
export function sizeOf(board: Board): number {
  return board === Board.AISLE ? 9 : 8;
}

/** The centres of the mines, red to blue, as [file, rank] from 0. */
const CENTRES: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  8: [
    [2, 5],
    [5, 5],
    [5, 2],
    [2, 2],
  ],
  9: [
    [2, 6],
    [6, 6],
    [6, 2],
    [2, 2],
  ],
};

/** A square's part in a mine. */
export interface MineSquare {
  /** The mine's colour, 1 red to 4 blue. */
  mine: number;
  /** The square's number, 1 to 8; 0 for the centre. */
  number: number;
}

/** The mine that a square belongs to, if it belongs to one. */
export function mineOf(square: number, size: number): MineSquare | undefined {
  const file = square % size;
  const rank = Math.floor(square / size);
  for (const [index, [x, y]] of (CENTRES[size] ?? []).entries()) {
    const [across, down] = [file - x, y - rank];
    if (Math.abs(across) > 1 || Math.abs(down) > 1) continue;
    const count = 3 * (down + 1) + across + 1;
    return { mine: index + 1, number: count === 4 ? 0 : count < 4 ? count + 1 : count };
  }
  return undefined;
}

/** Where a square lies. */
export function placeOf(square: number, size: number): Place {
  return { x: (square % size) + 1, y: size - Math.floor(square / size) };
}

/** Where a Surface square lies; `place` is its file or rank from 0. */
export function surfacePlace(side: Side, place: number, size: number): Place {
  if (side === Side.NORTH || side === Side.SOUTH) {
    return { x: place + 1, y: side === Side.NORTH ? 0 : size + 1 };
  }
  return { x: side === Side.WEST ? 0 : size + 1, y: size - place };
}

/** What lies at a place: a square, a Surface square, or nothing. */
export type Spot = { square: number } | { side: Side; place: number };

/** What lies at a place. */
export function spotAt({ x, y }: Place, size: number): Spot | undefined {
  const isInside = (value: number) => value >= 1 && value <= size;
  if (isInside(x) && isInside(y)) return { square: (size - y) * size + x - 1 };
  if (isInside(x)) return { side: y === 0 ? Side.NORTH : Side.SOUTH, place: x - 1 };
  if (isInside(y)) return { side: x === 0 ? Side.WEST : Side.EAST, place: size - y };
  return undefined;
}

/** The name of a square, as "c4". */
export function squareName(square: number, size: number): string {
  return `${"abcdefghi".charAt(square % size)}${Math.floor(square / size) + 1}`;
}

/** The name of a Surface square, as "Na" or "E3". */
export function surfaceName(side: Side, place: number): string {
  const isFile = side === Side.NORTH || side === Side.SOUTH;
  return `${letter(side)}${isFile ? "abcdefghi".charAt(place) : place + 1}`;
}
