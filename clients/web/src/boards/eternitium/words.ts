/** Eternitium in words. */
import {
  EternitiumCard as Card,
  type EternitiumEvent,
  type GameEvent,
  EternitiumEventKind as Kind,
  EternitiumSide as Side,
  EternitiumSymbol as Sign,
  EternitiumType as Type,
} from "@tablestate/client";

import { counted, listed } from "../shared/looks.js";

/** The symbols, in order. */
export const SIGNS = [Sign.CIRCLE, Sign.SQUARE, Sign.TRIANGLE, Sign.DIAMOND] as const;

const SIGN_NAMES = ["unknown", "circle", "square", "triangle", "diamond"] as const;

/** The name of a symbol. */
export function signName(sign: Sign): string {
  return SIGN_NAMES[sign];
}

/** What a card is called, and what it does. */
export interface CardWords {
  title: string;
  effect: string;
}

const PORTAL = "Discards your top Era if it shows this symbol.";

/** The cards. */
export const CARDS: Readonly<Record<Card, CardWords>> = {
  [Card.UNSPECIFIED]: { title: "Unseen", effect: "" },
  [Card.CIRCLE_PORTAL]: { title: "Circle Portal", effect: PORTAL },
  [Card.SQUARE_PORTAL]: { title: "Square Portal", effect: PORTAL },
  [Card.TRIANGLE_PORTAL]: { title: "Triangle Portal", effect: PORTAL },
  [Card.DIAMOND_PORTAL]: { title: "Diamond Portal", effect: PORTAL },
  [Card.DROID]: { title: "Droid", effect: "Turns your top Era up." },
  [Card.TWIN_CIRCLE_SQUARE]: {
    title: "Twin Portal",
    effect: "Opens circle and square, and loses no gamble.",
  },
  [Card.TWIN_TRIANGLE_DIAMOND]: {
    title: "Twin Portal",
    effect: "Opens triangle and diamond, and loses no gamble.",
  },
  [Card.VEIL]: {
    title: "Veil",
    effect: "Covers and shuffles an opponent’s Eras; turns your top Era up.",
  },
  [Card.COURIER]: { title: "Courier", effect: "Turns your top Era up; draw 1." },
  [Card.EXCHANGE]: {
    title: "Exchange",
    effect: "Swaps top Eras with an opponent; turns your new one up.",
  },
  [Card.RECYCLER]: {
    title: "Recycler",
    effect: "Removes another hand card; turns your top Era up; draw 1.",
  },
  [Card.OMNI_PORTAL]: { title: "Omni Portal", effect: "Opens every Era; draw 1." },
  [Card.TIME_LOOP]: { title: "Time Loop", effect: "After this turn you take another." },
  [Card.SCANNER]: {
    title: "Scanner",
    effect: "Shows you your top two Eras; put one on top, face up.",
  },
  [Card.STORM]: {
    title: "Storm",
    effect: "Covers and shuffles all opponents’ Eras; turns your top Era up; draw 1.",
  },
  [Card.SURGE]: { title: "Surge", effect: "Draw 5." },
  [Card.WORKSHOP]: { title: "Workshop", effect: "Turns your top Era up; draw 2." },
  [Card.EXILE]: {
    title: "Exile",
    effect: "Puts your face-up top Era under an opponent’s stack.",
  },
};

type Teller = (event: EternitiumEvent, seat: string, opponent: string) => string;

const title = (card: Card) => CARDS[card].title;
const anEra = (sign: Sign) => (sign === Sign.UNSPECIFIED ? "an Era" : `a ${signName(sign)} Era`);
const taken = ({ card, type }: EternitiumEvent) =>
  card === Card.UNSPECIFIED
    ? `an unseen ${type === Type.BASIC ? "Basic" : "Advanced"}`
    : title(card);

/** What is told of events; those left out follow from what is told. */
const TELLERS: Readonly<Partial<Record<Kind, Teller>>> = {
  [Kind.ERA_TURNED]: ({ era }, seat) => `${seat}’s top Era is a ${signName(era)}`,
  [Kind.TECHNOLOGY_TAKEN]: (event, seat) => `${seat} takes ${taken(event)}`,
  [Kind.PORTAL_TAKEN]: ({ card }, seat) => `${seat} takes a ${title(card)}`,
  [Kind.PLAYED]: (event, seat, opponent) =>
    `${seat} plays ${title(event.card)}${event.opponent === undefined ? "" : ` on ${opponent}`}`,
  [Kind.ERA_REVEALED]: ({ era }, seat) => `${seat}’s covered Era is a ${signName(era)}`,
  [Kind.ERA_LEFT]: ({ era }) => `${anEra(era)} leaves the game`,
  [Kind.GAMBLE_LOST]: (_, seat) => `${seat} loses the gamble`,
  [Kind.ERA_GAINED_UNSEEN]: (_, seat) => `${seat} gains an unseen Era`,
  [Kind.ERA_COVERED]: (_, seat) => `${seat}’s top Era is covered`,
  [Kind.STACK_SHUFFLED]: (_, seat) => `${seat}’s Eras are shuffled`,
  [Kind.ERAS_EXCHANGED]: (_event, seat, opponent) => `${seat} and ${opponent} swap top Eras`,
  [Kind.ERAS_SEEN]: ({ number }, seat) => `${seat} looks at ${counted(number ?? 0, "Era")}`,
  [Kind.PUT_ON_TOP]: ({ era }, seat) => `${seat} puts ${anEra(era)} on top`,
  [Kind.ERA_EXILED]: ({ era }, seat, opponent) =>
    `${seat} puts ${anEra(era)} under ${opponent}’s stack`,
  [Kind.REFITTED]: (_, seat) => `${seat} refits`,
  [Kind.REMOVED]: ({ card }, seat) => `${seat} removes ${title(card)} from the game`,
  [Kind.KEPT]: ({ number }, seat) => `${seat} keeps ${number ? "a card" : "no card"}`,
  [Kind.ERAS_GAINED]: ({ eras }, seat) => `${seat} gains ${listed(eras.map(anEra))}`,
  [Kind.NO_TECHNOLOGY]: (_, seat) => `${seat} takes no technology`,
  [Kind.DRAWN]: ({ number }, seat) => `${seat} draws ${number}`,
  [Kind.PLAY_ENDED]: (_, seat) => `${seat} plays no more`,
};

/** What an action brought about, in a line; `names` are those of the seats. */
export function describe(events: readonly GameEvent[], names: readonly string[]): string {
  const name = (seat: number | undefined) => names[seat ?? 0] ?? "";
  return events
    .flatMap(({ game }) => (game.case === "eternitium" ? [game.value] : []))
    .flatMap((event) => TELLERS[event.kind]?.(event, name(event.seat), name(event.opponent)) ?? [])
    .join("; ");
}

/** The name of the place of a visible Era. */
export function sideName(side: Side): string {
  return side === Side.LEFT ? "left" : "right";
}
