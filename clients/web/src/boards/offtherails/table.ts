/** What a view of Off the Rails shows, put where the board needs it. */
import {
  OffTheRailsColour as Colour,
  type OffTheRailsMine as Mine,
  type OffTheRailsCart,
  type OffTheRailsSquare,
  type OffTheRailsView,
  OffTheRailsSide as Side,
  OffTheRailsStep as Step,
} from "@tablestate/client";

import { BLUE, GREEN, type Look, RED, YELLOW } from "../shared/looks.js";
import {
  mineOf,
  type Place,
  SIDES,
  sizeOf,
  spotAt,
  squareName,
  surfaceName,
  vector,
} from "./geometry.js";
import { cartKey, exitKey, squareKey, surfaceKey } from "./routes.js";
import { cartPlace } from "./ways.js";
import { colourName, jewelWords, mineName, sideName } from "./words.js";

/** The colours of the sides and mines, by number from 1. */
export const COLOURS: Readonly<Record<number, Look>> = { 1: RED, 2: YELLOW, 3: GREEN, 4: BLUE };

/** A cart on the board. */
export interface Standing {
  seat: number;
  colour: Colour;
  cart: OffTheRailsCart;
  at: Place;
  look: Look;
}

/** What stands at a place of the board. */
export interface Field {
  at: Place;
  /** The names under which it is tapped, the foremost first. */
  keys: string[];
  /** What lies on an underground square. */
  square: OffTheRailsSquare | undefined;
  /** The colour of its mine or of its side. */
  look: Look | undefined;
  isSurface: boolean;
  label: string;
}

/** The carts on the board. */
export function standing(view: OffTheRailsView): Standing[] {
  const size = sizeOf(view.board);
  return (view.table?.players ?? []).flatMap(({ white, black }, seat) => {
    const side = view.sides[seat] ?? Side.UNSPECIFIED;
    return (
      [
        [Colour.WHITE, white],
        [Colour.BLACK, black],
      ] as const
    ).flatMap(([colour, cart]) => {
      const at = cart && cartPlace(cart, side, size);
      return at ? [{ seat, colour, cart, at, look: COLOURS[side] ?? RED }] : [];
    });
  });
}

/** The cart whose exit is to be chosen, if one is. */
export function turning(view: OffTheRailsView, carts: readonly Standing[]): Standing | undefined {
  const table = view.table;
  if (table?.step === Step.TURN_OPPOSING) {
    const name = table.collision?.opposing;
    return carts.find(({ seat, colour }) => seat === (name?.seat ?? 0) && colour === name?.colour);
  }
  if (table?.step !== Step.FACE && table?.step !== Step.TURN_ACTIVE) return undefined;
  return carts.find(({ seat, colour }) => seat === table.turnOf && colour === table.move?.cart);
}

/** The rows of the board from the north, Surface and all; `decider` is the seat that decides. */
export function rows(
  view: OffTheRailsView,
  carts: readonly Standing[],
  names: readonly string[],
  decider: number | undefined,
): Field[][] {
  const size = sizeOf(view.board);
  const squares = new Map(view.table?.squares.map((each) => [each.square ?? 0, each]));
  const turner = turning(view, carts);
  const field = (at: Place): Field[] => {
    const spot = spotAt(at, size);
    if (spot === undefined) return [];
    const here = carts.filter((cart) => cart.at.x === at.x && cart.at.y === at.y);
    const keys = [...exitTo(turner, at), ...ownCart(here, decider)];
    const said = here.map((cart) => cartLabel(cart, names));
    if ("side" in spot) {
      return [
        {
          at,
          keys: [...keys, surfaceKey(spot.side, spot.place)],
          square: undefined,
          look: COLOURS[spot.side],
          isSurface: true,
          label: [`Surface ${surfaceName(spot.side, spot.place)}`, ...said].join(", "),
        },
      ];
    }
    const square = squares.get(spot.square);
    const mine = mineOf(spot.square, size);
    return [
      {
        at,
        keys: [...keys, squareKey(spot.square)],
        square,
        look: mine === undefined ? undefined : COLOURS[mine.mine],
        isSurface: false,
        label: [squareName(spot.square, size), ...groundWords(square, mine), ...said].join(", "),
      },
    ];
  };
  const line = Array.from({ length: size + 2 }, (_, index) => index);
  return line.map((y) => line.flatMap((x) => field({ x, y })));
}

function exitTo(turner: Standing | undefined, at: Place): string[] {
  if (turner === undefined) return [];
  return SIDES.filter((side) => {
    const step = vector(side);
    return turner.at.x + step.x === at.x && turner.at.y + step.y === at.y;
  }).map(exitKey);
}

function ownCart(here: readonly Standing[], decider: number | undefined): string[] {
  return here.filter(({ seat }) => seat === decider).map(({ colour }) => cartKey(colour));
}

function groundWords(
  square: OffTheRailsSquare | undefined,
  mine: ReturnType<typeof mineOf>,
): string[] {
  const place = mine?.number === 0 ? "mine centre" : `mine ${mine?.number}`;
  return [
    ...(mine === undefined ? [] : [`${mineName(mine.mine)} ${place}`]),
    ...(square?.token ? [`Chasm, ${mineName(square.token)}`] : []),
    ...(square?.exits.length ? [`track ${square.exits.map(sideName).join(" ")}`] : []),
    ...(square?.jewels.length ? [jewelWords(square.jewels)] : []),
  ];
}

function cartLabel({ seat, colour, cart }: Standing, names: readonly string[]): string {
  const facing = cart.facing === Side.UNSPECIFIED ? "" : ` facing ${sideName(cart.facing)}`;
  const hold = cart.hold.length > 0 ? ` with ${jewelWords(cart.hold)}` : "";
  return `${names[seat]}’s ${colourName(colour)} cart${facing}, speed ${cart.speed}${hold}`;
}

/** The numbers of a mine's squares whose card has not come yet. */
export function isToCome(view: OffTheRailsView, mine: Mine, number: number): boolean {
  return number > 0 && !view.table?.cards[mine - 1]?.numbers.includes(number);
}
