/** What an action would bring, before it is taken. */
import {
  OffTheRailsColour as Colour,
  OffTheRailsPreviewEnd as End,
  type LegalAction,
  type OffTheRailsAction,
  type OffTheRailsView,
} from "@tablestate/client";

import { type Place, placeOf, squareName, surfacePlace } from "./geometry.js";
import { messageOf } from "./routes.js";
import { after, railway, toldWays, type Way, ways } from "./ways.js";
import { colourName, ENDS } from "./words.js";

/** The ways of the carts, as they are or as an action would make them. */
export interface Plan {
  ways: readonly (Way & { from: Place; isPlanned: boolean })[];
  /** The track that would be laid. */
  track: { at: Place; exits: readonly number[] } | undefined;
  /** The Surface square where a cart would be placed. */
  cart: Place | undefined;
}

/** What an action of a seat would bring; without an action what would be as things are. */
export function planOf(view: OffTheRailsView, action: LegalAction | undefined, seat: number): Plan {
  const message = messageOf(action);
  const now = railway(view);
  const told = toldWays(view);
  const then = message === undefined || !changes(message) ? undefined : after(now, message, seat);
  const places = then ?? now;
  const shown = (then === undefined ? told : ways(then)).flatMap((way) => {
    const cart = places.carts.find((each) => each.seat === way.seat && each.colour === way.colour);
    const isPlanned = then !== undefined && way.seat === seat && isNews(way, told);
    return cart === undefined ? [] : [{ ...way, from: cart.at, isPlanned }];
  });
  return { ways: shown, ...ghosts(message, now.size) };
}

/** The ways of a seat's carts in words. */
export function planWords(plan: Plan, seat: number, size: number): string {
  const own = plan.ways.filter((way) => way.seat === seat);
  return own.map((way) => `${colourName(way.colour)} ${wayWords(way, size)}`).join(", ");
}

function wayWords({ squares, end }: Way, size: number): string {
  const last = squares.at(-1);
  const isAt = end === End.SPEED_USED || end === End.CHOICE;
  const where =
    last === undefined ? "at once" : `${isAt ? "on" : "after"} ${squareName(last, size)}`;
  return `${ENDS[end]} ${where}`;
}

function changes({ action }: OffTheRailsAction): boolean {
  return ["placeTrack", "upgrade", "speed", "placeCart"].includes(action.case ?? "");
}

function isNews(way: Way, told: readonly Way[]): boolean {
  const old = told.find((each) => each.seat === way.seat && each.colour === way.colour);
  return old?.end !== way.end || old.squares.join() !== way.squares.join();
}

function ghosts(message: OffTheRailsAction | undefined, size: number): Omit<Plan, "ways"> {
  const decision = message?.action;
  switch (decision?.case) {
    case "placeTrack":
    case "upgrade": {
      const { square = 0, exits } = decision.value;
      return { track: { at: placeOf(square, size), exits }, cart: undefined };
    }
    case "placeCart": {
      const { side, place = 0 } = decision.value;
      return { track: undefined, cart: surfacePlace(side, place, size) };
    }
    default:
      return { track: undefined, cart: undefined };
  }
}

/** The colour of the cart that comes next out of a seat's supply (R6). */
export function nextCart(view: OffTheRailsView, seat: number): Colour {
  const isOut = railway(view).carts.some(
    (cart) => cart.seat === seat && cart.colour === Colour.WHITE,
  );
  return isOut ? Colour.BLACK : Colour.WHITE;
}
