/** How Eternitium's actions are tapped: a card, then what it is played on or taken with. */
import {
  EternitiumCard as Card,
  type EternitiumAction,
  type EternitiumPlay,
  type EternitiumSide,
  type EternitiumSymbol,
  type EternitiumView,
  type LegalAction,
} from "@tablestate/client";

import type { Key, Route } from "../shared/selection.js";

/** The names of what can be tapped; a place that is left out is the deck's top card, unseen. */
export const basicKey = (place?: number): Key => `basic:${place ?? "unseen"}`;
export const advancedKey = (place?: number): Key => `advanced:${place ?? "unseen"}`;
export const portalKey = (symbol: EternitiumSymbol): Key => `portal:${symbol}`;
export const handKey = (card: Card): Key => `hand:${card}`;
export const seatKey = (seat: number): Key => `seat:${seat}`;
export const eraKey = (side: EternitiumSide): Key => `era:${side}`;
export const scannedKey = (position: number): Key => `scanned:${position}`;
/** The play area, where cards without a target are played. */
export const AREA = "area";
export const REMOVE = "remove";
export const KEEP = "keep";
export const KEEP_NONE = "keep-none";

/** The cards that are played on the own Eras. */
const ON_OWN_ERAS: ReadonlySet<Card> = new Set([
  Card.CIRCLE_PORTAL,
  Card.SQUARE_PORTAL,
  Card.TRIANGLE_PORTAL,
  Card.DIAMOND_PORTAL,
  Card.DROID,
  Card.TWIN_CIRCLE_SQUARE,
  Card.TWIN_TRIANGLE_DIAMOND,
  Card.OMNI_PORTAL,
  Card.SCANNER,
]);

/** The routes of the legal actions. */
export function routes(
  view: EternitiumView,
  actions: readonly LegalAction[],
): Route<LegalAction>[] {
  return actions.flatMap((action) => {
    const message = messageOf(action);
    return message === undefined ? [] : [{ action, ...routeOf(view, message) }];
  });
}

/** The game's own message of an action. */
export function messageOf(action: LegalAction | undefined): EternitiumAction | undefined {
  const game = action?.action?.game;
  return game?.case === "eternitium" ? game.value : undefined;
}

/** Whether a Portal would be played on an Era that nobody has seen. */
export function isGamble(view: EternitiumView, card: Card): boolean {
  return card <= Card.DIAMOND_PORTAL && !view.players[view.turnOf]?.top;
}

function routeOf(
  view: EternitiumView,
  { action: decision }: EternitiumAction,
): Omit<Route<LegalAction>, "action"> {
  switch (decision.case) {
    case "takeBasic":
      return { steps: [basicKey(decision.value.place)], confirm: true };
    case "portal":
      return { steps: [portalKey(decision.value.symbol)] };
    case "play":
      return played(view, decision.value);
    case "putOnTop":
      return { steps: [scannedKey(decision.value.position)] };
    case "remove":
      return { steps: [handKey(decision.value.card), REMOVE] };
    case "keep":
      return { steps: decision.value.card ? [handKey(decision.value.card), KEEP] : [KEEP_NONE] };
    case "basic": {
      const { place, era } = decision.value;
      const steps = [basicKey(place), ...(era ? [eraKey(era)] : [])];
      return { steps, confirm: !era };
    }
    case "advanced":
      return { steps: [advancedKey(decision.value.place)], confirm: true };
    case "refit":
      return { steps: [decision.case], confirm: true };
    default:
      return { steps: [decision.case ?? "none"] };
  }
}

function played(view: EternitiumView, play: EternitiumPlay): Omit<Route<LegalAction>, "action"> {
  const { card, seat, other } = play;
  const confirm = other !== Card.UNSPECIFIED || isGamble(view, card);
  return { steps: [handKey(card), targetOf(view.turnOf, card, seat, other)], confirm };
}

function targetOf(own: number, card: Card, seat: number | undefined, other: Card): Key {
  if (seat !== undefined) return seatKey(seat);
  if (other !== Card.UNSPECIFIED) return handKey(other);
  return ON_OWN_ERAS.has(card) ? seatKey(own) : AREA;
}
