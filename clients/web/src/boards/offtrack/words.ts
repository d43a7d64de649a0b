/** OffTrack in words. */
import {
  OffTrackActionCard as Action,
  type GameEvent,
  OffTrackEventKind as Kind,
  type OffTrackCard,
  type OffTrackEvent,
  type OffTrackLine,
} from "@tablestate/client";

import { at, counted, listed } from "../shared/looks.js";

const FIGURES = 9;
const VALUES = [-2, -1, 0, 1, 1, 2, 3, 4, 5] as const;

/** The era of a type of card, as a letter from a to h. */
export function era(type: number): string {
  return "abcdefgh".charAt(Math.floor(type / FIGURES));
}

/** What a card is worth now. */
export function worth(card: Pick<OffTrackCard, "type" | "redeemed">): number {
  const printed = at(VALUES, card.type % FIGURES);
  return card.redeemed ? Math.abs(printed) : printed;
}

/** A value with its sign, as people write it. */
export function signed(value: number): string {
  return value < 0 ? `−${-value}` : String(value);
}

/** The notation of a card, as "c4". */
export function notation(type: number): string {
  return `${era(type)}${type % FIGURES}`;
}

/** A card for those who hear it, as "era C, 2". */
export function spoken(card: Pick<OffTrackCard, "type" | "redeemed">): string {
  const letter = era(card.type).toUpperCase();
  return `era ${letter}, ${signed(worth(card))}${card.redeemed ? ", redeemed" : ""}`;
}

/** The name of a line. */
export function lineName(line: number): string {
  return line === 0 ? "Prime" : `Branch ${line}`;
}

/** The index of a line's harvest edge; undefined for an empty line. */
export function edge(line: OffTrackLine): number | undefined {
  if (line.cards.length === 0) return undefined;
  return line.pinned ?? (line.flipped ? line.cards.length - 1 : 0);
}

/** What an action card is called, what it does, and what is asked for when it is played. */
export interface ActionWords {
  title: string;
  effect: string;
  /** One question for each target. */
  asks: readonly string[];
}

const LINE = ["Which line?"];

/** The eight action cards. */
export const ACTIONS: Readonly<Record<number, ActionWords>> = {
  [Action.SHEAR]: {
    title: "Shear",
    effect: "Cut a line behind a card: what lies past it becomes a branch.",
    asks: ["Behind which card is the line cut?"],
  },
  [Action.MEND]: {
    title: "Mend",
    effect: "Score a branch’s edge, and move its other cards to another line.",
    asks: ["Which branch is mended?", "Which line takes the rest?"],
  },
  [Action.QUANTUM_SHUNT]: {
    title: "Quantum Shunt",
    effect: "Move a card to the end of another line.",
    asks: ["Which card moves?", "To which line?"],
  },
  [Action.RECALL]: {
    title: "Recall",
    effect: "Make a card the edge of its line; it collects the lower cards there.",
    asks: ["Which card is recalled?"],
  },
  [Action.PARADOX_LOOP]: {
    title: "Paradox Loop",
    effect: "Flip a line until the turn ends: cards are added at its other end.",
    asks: LINE,
  },
  [Action.REDEEM]: {
    title: "Redeem",
    effect: "The negative cards of a line turn positive.",
    asks: LINE,
  },
  [Action.QUARANTINE]: {
    title: "Quarantine",
    effect: "Seal a line until your next turn.",
    asks: LINE,
  },
  [Action.BREACH]: {
    title: "Breach",
    effect: "Score a branch’s edge, or open a sealed line.",
    asks: LINE,
  },
};

type Teller = (event: OffTrackEvent, seat: string) => string;

const cardsOf = ({ cards }: OffTrackEvent) => listed(cards.map(cardName));
const line = (number: number | undefined) => lineName(number ?? 0);

function cardName(card: OffTrackCard): string {
  return `${era(card.type).toUpperCase()} ${signed(worth(card))}`;
}

/** What is told of events; those left out follow from what is told. */
const TELLERS: Readonly<Partial<Record<Kind, Teller>>> = {
  [Kind.ROUND_STARTED]: ({ round }) => `round ${round} begins`,
  [Kind.COLLAPSED]: (event) =>
    `${line(event.line)} collapses: ${event.scored ? cardName(event.scored) : ""} is scored, ${counted(event.cards.length, "card")} boxed`,
  [Kind.WAITING]: (event, seat) => `${line(event.line)} waits for ${seat}’s turn to collapse`,
  [Kind.ACTION_PLAYED]: ({ actionCard }, seat) => `${seat} plays ${ACTIONS[actionCard]?.title}`,
  [Kind.ACTION_DISCARDED]: ({ actionCard }, seat) =>
    `${seat} discards ${ACTIONS[actionCard]?.title}`,
  [Kind.ACTION_HELD]: (_, seat) => `${seat} holds the action`,
  [Kind.ACTION_DRAWN]: ({ actionCard }, seat) =>
    `${seat} draws ${ACTIONS[actionCard]?.title ?? "an action"}`,
  [Kind.APPENDED]: (event, seat) => `${seat} adds ${cardsOf(event)} to ${line(event.line)}`,
  [Kind.COLLECTED]: (event, seat) => `${seat} collects ${cardsOf(event)}`,
  [Kind.PINNED]: (event) => `the edge of ${line(event.line)} is pinned`,
  [Kind.SHEARED]: (event) =>
    `${line(event.line)} is cut${event.onto === undefined ? "" : `, ${line(event.onto)} opens`}`,
  [Kind.SCORED]: ({ scored }, seat) => `${seat} scores ${scored ? cardName(scored) : "a card"}`,
  [Kind.BOXED]: (event) => `${cardsOf(event)} boxed`,
  [Kind.MOVED]: (event) => `${cardsOf(event)} goes to ${line(event.onto)}`,
  [Kind.FLIPPED]: (event) => `${line(event.line)} is flipped`,
  [Kind.REDEEMED]: (event) => `${cardsOf(event)} turn positive`,
  [Kind.SEALED]: (event, seat) => `${seat} seals ${line(event.line)}`,
  [Kind.OPENED]: (event) => `${line(event.line)} is opened`,
  [Kind.CYCLED]: ({ cards }, seat) => `${seat} cycles ${counted(cards.length, "card")}`,
  [Kind.SKIPPED]: (_, seat) => `${seat} skips`,
  [Kind.RESHUFFLED]: () => "the discards become the deck",
  [Kind.END_CALLED]: () => "the last turns of the round begin",
  [Kind.ROUND_SCORED]: ({ scores }) => `the round is scored ${scores.map(signed).join(" : ")}`,
};

/** What an action brought about, in a line; `names` are those of the seats. */
export function describe(events: readonly GameEvent[], names: readonly string[]): string {
  const own = events.flatMap(({ game }) => (game.case === "offtrack" ? [game.value] : []));
  const name = (seat: number | undefined) => names[seat ?? 0] ?? "";
  const told = own.flatMap((event) => TELLERS[event.kind]?.(event, name(event.seat)) ?? []);
  const ended = own.find(({ kind }) => kind === Kind.TURN_ENDED);
  // Every turn ends: it is worth a word where nothing else happened.
  return told.join("; ") || (ended ? `${name(ended.seat)} ends the turn` : "");
}
