/** Off the Rails in words. */
import {
  OffTheRailsColour as Colour,
  OffTheRailsPreviewEnd as End,
  type GameEvent,
  OffTheRailsHand as Hand,
  OffTheRailsJewel as Jewel,
  OffTheRailsEventKind as Kind,
  type OffTheRailsCartName,
  type OffTheRailsEvent,
  type OffTheRailsMine,
  type OffTheRailsSide,
} from "@tablestate/client";

import { counted, listed } from "../shared/looks.js";
import { squareName, surfaceName } from "./geometry.js";

/** The kinds of jewels, in order. */
export const JEWELS = [Jewel.ROCK, Jewel.RUBY, Jewel.EMERALD, Jewel.GOLD, Jewel.DIAMOND] as const;

const JEWEL_NAMES = ["?", "Rock", "Ruby", "Emerald", "Gold", "Diamond"] as const;
const MANY_JEWELS = ["?", "Rocks", "Rubies", "Emeralds", "Gold", "Diamonds"] as const;
const SIDE_NAMES = ["nowhere", "north", "east", "south", "west"] as const;
const MINE_NAMES = ["no", "red", "yellow", "green", "blue"] as const;

/** The name of a jewel. */
export function jewelName(jewel: Jewel): string {
  return JEWEL_NAMES[jewel];
}

/** What a jewel is worth. */
export function jewelWorth(jewel: Jewel): number {
  return jewel - 1;
}

/** Jewels in words, as "2 Rubies and 1 Gold". */
export function jewelWords(jewels: readonly Jewel[]): string {
  const kinds = JEWELS.map(
    (kind) => [kind, jewels.filter((each) => each === kind).length] as const,
  );
  const words = kinds.flatMap(([kind, many]) =>
    many > 0 ? [counted(many, JEWEL_NAMES[kind], MANY_JEWELS[kind])] : [],
  );
  return listed(words) || "nothing";
}

/** The name of a side. */
export function sideName(side: OffTheRailsSide): string {
  return SIDE_NAMES[side];
}

/** The name of a mine's colour. */
export function mineName(mine: OffTheRailsMine): string {
  return MINE_NAMES[mine];
}

/** The name of a cart's colour. */
export function colourName(colour: Colour): string {
  return colour === Colour.BLACK ? "black" : "white";
}

/** How a way ends, in words. */
export const ENDS: Readonly<Record<End, string>> = {
  [End.UNSPECIFIED]: "",
  [End.SPEED_USED]: "stops",
  [End.CHOICE]: "chooses an exit",
  [End.COLLISION]: "collides",
  [End.BANK]: "banks",
  [End.DERAILMENT]: "derails",
};

/** The missions: what each is called, and when it is met. */
export const MISSIONS: Readonly<Record<number, readonly [title: string, condition: string]>> = {
  1: ["Full Hold", "bank five jewels with one cart"],
  2: ["Spectrum", "have a Ruby, an Emerald, a Gold and a Diamond in stock"],
  3: ["Express", "bank a jewel with a cart of speed 6"],
  4: ["Slow Freight", "bank a jewel with a cart of speed 1"],
  5: ["Through Traffic", "bank a jewel on the Surface opposite your own"],
  6: ["Shakedown", "make another seat’s cart drop two jewels or more at once"],
  7: ["Wrecker", "derail another seat’s cart by a collision"],
  8: ["Quarryman", "have three Rocks in stock"],
  9: ["Double Shift", "bank a jewel with each of your two carts"],
  10: ["Grand Tour", "take jewels from three squares in one move"],
  11: ["Long Haul", "enter six squares in one move"],
};

/** What the events of a match are told with. */
export interface Telling {
  names: readonly string[];
  size: number;
}

/** A cart by its owner and colour, as "Ada’s white cart". */
export function cartName(cart: OffTheRailsCartName | undefined, names: readonly string[]): string {
  return `${names[cart?.seat ?? 0]}’s ${colourName(cart?.colour ?? Colour.WHITE)} cart`;
}

interface Words {
  event: OffTheRailsEvent;
  seat: string;
  cart: string;
  square: string;
  jewels: string;
}

const mission = ({ number }: OffTheRailsEvent) => MISSIONS[number]?.[0] ?? `mission ${number}`;

/** What is told of events; those left out follow from what is told. */
const TELLERS: Readonly<Partial<Record<Kind, (words: Words, telling: Telling) => string>>> = {
  [Kind.DEPOSITED]: ({ event, jewels, square }) =>
    `${mineName(event.colour)} ${event.number} brings ${jewels} to ${square}`,
  [Kind.TRACK_PLACED]: ({ seat, square }) => `${seat} lays track on ${square}`,
  [Kind.TRACK_UPGRADED]: ({ seat, square }) => `${seat} adds to the track on ${square}`,
  [Kind.CART_PLACED]: ({ event, cart }) =>
    `${cart} is placed on ${surfaceName(event.surface?.side ?? 0, event.surface?.place ?? 0)}`,
  [Kind.SPEED_CHANGED]: ({ event, cart }) => `${cart} has speed ${event.speed} now`,
  [Kind.ACTIONS_ENDED]: ({ seat }) => `${seat} ends the actions`,
  [Kind.ENTERED]: ({ cart, square }) => `${cart} enters ${square}`,
  [Kind.TOOK]: ({ cart, jewels }) => `${cart} takes ${jewels}`,
  [Kind.BANKED]: ({ cart, jewels }) => `${cart} banks ${jewels}`,
  [Kind.DERAILED]: ({ event, cart, jewels }) =>
    `${cart} derails${event.jewels.length > 0 ? ` and loses ${jewels}` : ""}${event.out ? ", out of the game" : ""}`,
  [Kind.COLLIDED]: ({ event, cart }, { names }) =>
    `${cart} runs into ${cartName(event.opposing, names)}`,
  [Kind.DROPPED]: ({ cart, jewels }) => `${cart} drops ${jewels}`,
  [Kind.HANDS_CLOSED]: ({ cart }) => `the rest of what ${cart} holds is in two hands`,
  [Kind.HAND_CHOSEN]: ({ event }) =>
    `the ${event.hand === Hand.LEFT ? "left" : "right"} hand is chosen`,
  [Kind.RETURNED]: ({ cart }) => `${cart} goes back to supply`,
  [Kind.MISSION_CLAIMED]: ({ event, seat }) => `${seat} claims ${mission(event)}`,
  [Kind.NO_CLAIM]: ({ seat }) => `${seat} claims no mission`,
  [Kind.CHASM_CARD]: ({ seat }) => `${seat} turns the Chasm Card`,
  [Kind.CHASM_OPENED]: () => "the Chasm opens",
  [Kind.TOKEN_DRAWN]: ({ event }) => `a ${mineName(event.colour)} token is drawn`,
  [Kind.DIE_ROLLED]: ({ event }) => `the Chasm die shows ${event.number}`,
  [Kind.TOKEN_PLACED]: ({ event, square }) => `the ${mineName(event.colour)} Chasm takes ${square}`,
  [Kind.TOKEN_PUT_OUT]: ({ event }) => `the ${mineName(event.colour)} token is put out`,
};

/** What is told of an action that brought about nothing else. */
const QUIET: typeof TELLERS = {
  [Kind.MOVE_STARTED]: ({ cart }) => `${cart} moves`,
  [Kind.TOOK_NOTHING]: ({ cart }) => `${cart} takes nothing`,
  [Kind.FACED]: ({ event, cart }) => `${cart} faces ${sideName(event.facing)}`,
  [Kind.TURNED]: ({ event, cart }) => `${cart} turns to the ${sideName(event.facing)}`,
  [Kind.TURN_ENDED]: ({ seat }) => `${seat}’s turn ends`,
};

/** What an action brought about, in a line. */
export function describe(events: readonly GameEvent[], telling: Telling): string {
  const own = events.flatMap(({ game }) => (game.case === "offTheRails" ? [game.value] : []));
  const tell = (tellers: typeof TELLERS) =>
    own.flatMap((event) => tellers[event.kind]?.(wordsOf(event, telling), telling) ?? []);
  return tell(TELLERS).join("; ") || (tell(QUIET)[0] ?? "");
}

function wordsOf(event: OffTheRailsEvent, { names, size }: Telling): Words {
  return {
    event,
    seat: names[event.seat ?? 0] ?? "",
    cart: cartName(event.cart, names),
    square: squareName(event.square ?? 0, size),
    jewels: jewelWords(event.jewels),
  };
}
