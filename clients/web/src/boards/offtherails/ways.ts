/**
 * Where carts would go if they moved now, and where they would go after an action.
 *
 * The service tells the first with every view. The second follows from what everybody sees, so
 * that the board can show it before an action is taken; nothing is decided by it.
 */
import {
  OffTheRailsCartPlace as CartPlace,
  OffTheRailsColour as Colour,
  OffTheRailsPreviewEnd as End,
  type OffTheRailsAction,
  type OffTheRailsCart,
  type OffTheRailsView,
  OffTheRailsSide as Side,
} from "@tablestate/client";

import { opposite, type Place, placeOf, sizeOf, spotAt, surfacePlace, vector } from "./geometry.js";

/** The way of a cart. */
export interface Way {
  seat: number;
  colour: Colour;
  /** The squares that it enters, in order. */
  squares: readonly number[];
  end: End;
  /** Steps left at the end, the one that ends the move among them. */
  stepsLeft: number;
  /** The exit that it faces at the end. */
  facing: Side;
}

interface Runner {
  seat: number;
  colour: Colour;
  at: Place;
  facing: Side;
  speed: number;
}

/** What the ways of carts depend on. */
export interface Railway {
  size: number;
  exits: ReadonlyMap<number, readonly Side[]>;
  carts: readonly Runner[];
}

/** The ways that the service tells. */
export function toldWays(view: OffTheRailsView): Way[] {
  return view.preview.map(({ cart, squares, end, stepsLeft, facing }) => ({
    seat: cart?.seat ?? 0,
    colour: cart?.colour ?? Colour.UNSPECIFIED,
    squares,
    end,
    stepsLeft,
    facing,
  }));
}

/** Where a cart on the board stands. */
export function cartPlace(cart: OffTheRailsCart, side: Side, size: number): Place | undefined {
  if (cart.square === undefined) return undefined;
  if (cart.place === CartPlace.UNDERGROUND) return placeOf(cart.square, size);
  return cart.place === CartPlace.SURFACE ? surfacePlace(side, cart.square, size) : undefined;
}

/** The railway as a view shows it. */
export function railway(view: OffTheRailsView): Railway {
  const size = sizeOf(view.board);
  const squares = view.table?.squares ?? [];
  const carts = (view.table?.players ?? []).flatMap(({ white, black }, seat) =>
    (
      [
        [Colour.WHITE, white],
        [Colour.BLACK, black],
      ] as const
    ).flatMap(([colour, cart]) => {
      const at = cart && cartPlace(cart, view.sides[seat] ?? Side.UNSPECIFIED, size);
      return at ? [{ seat, colour, at, facing: cart.facing, speed: cart.speed }] : [];
    }),
  );
  return { size, carts, exits: new Map(squares.map((each) => [each.square ?? 0, each.exits])) };
}

/** The railway after an action of a seat in its action phase. */
export function after(before: Railway, action: OffTheRailsAction, seat: number): Railway {
  const decision = action.action;
  switch (decision.case) {
    case "placeTrack":
    case "upgrade": {
      const { square = 0, exits } = decision.value;
      return { ...before, exits: new Map(before.exits).set(square, exits) };
    }
    case "speed": {
      const { cart, slower } = decision.value;
      const change = slower ? -1 : 1;
      const carts = before.carts.map((each) =>
        each.seat === seat && each.colour === cart ? { ...each, speed: each.speed + change } : each,
      );
      return { ...before, carts };
    }
    case "placeCart": {
      const { side, place = 0 } = decision.value;
      const colour = before.carts.some((each) => each.seat === seat && each.colour === Colour.WHITE)
        ? Colour.BLACK
        : Colour.WHITE;
      const at = surfacePlace(side, place, before.size);
      const cart = { seat, colour, at, facing: opposite(side), speed: 3 };
      const carts = [...before.carts, cart];
      return { ...before, carts: carts.sort(byName) };
    }
    default:
      return before;
  }
}

function byName(one: Runner, other: Runner): number {
  return one.seat - other.seat || one.colour - other.colour;
}

/** The ways of all carts that face an exit. */
export function ways(rails: Railway): Way[] {
  const facing = rails.carts.filter((cart) => cart.facing !== Side.UNSPECIFIED);
  return facing.map((cart) => way(rails, cart));
}

function way(rails: Railway, cart: Runner): Way {
  const squares: number[] = [];
  let { at, facing } = cart;
  for (let left = cart.speed; left > 0; left -= 1) {
    const goal = { x: at.x + vector(facing).x, y: at.y + vector(facing).y };
    const stop = obstacle(rails, cart, goal, facing);
    if (stop !== undefined) return end(cart, squares, stop, left, facing);
    at = goal;
    const square = squareAt(rails, at);
    squares.push(square);
    const onwards = exitsOf(rails, square).filter((exit) => exit !== opposite(facing));
    const [only = Side.UNSPECIFIED, ...others] = onwards;
    if (others.length > 0) return end(cart, squares, End.CHOICE, left - 1, Side.UNSPECIFIED);
    facing = only;
  }
  return end(cart, squares, End.SPEED_USED, 0, facing);
}

/** How the next step ends the move, if it does. */
function obstacle(rails: Railway, cart: Runner, goal: Place, facing: Side): End | undefined {
  const spot = spotAt(goal, rails.size);
  if (spot === undefined || !("square" in spot)) return End.BANK;
  const isTaken = rails.carts.some(
    (other) => other !== cart && other.at.x === goal.x && other.at.y === goal.y,
  );
  if (isTaken) return End.COLLISION;
  const isConnected = exitsOf(rails, spot.square).includes(opposite(facing));
  return isConnected ? undefined : End.DERAILMENT;
}

function squareAt(rails: Railway, place: Place): number {
  const spot = spotAt(place, rails.size);
  return spot !== undefined && "square" in spot ? spot.square : 0;
}

function exitsOf(rails: Railway, square: number): readonly Side[] {
  return rails.exits.get(square) ?? [];
}

function end(
  { seat, colour }: Runner,
  squares: readonly number[],
  how: End,
  stepsLeft: number,
  facing: Side,
): Way {
  return { seat, colour, squares, end: how, stepsLeft, facing };
}
