/** How Off the Rails' actions are tapped: a square or a cart, then what becomes of it. */
import type {
  OffTheRailsColour as Colour,
  LegalAction,
  OffTheRailsAction,
  OffTheRailsHand,
  OffTheRailsJewel,
  OffTheRailsSide,
} from "@tablestate/client";

import type { Key, Route } from "../shared/selection.js";
import { letter } from "./geometry.js";

/** The names of what can be tapped. */
export const squareKey = (square: number): Key => `square:${square}`;
export const surfaceKey = (side: OffTheRailsSide, place: number): Key => `surface:${side}:${place}`;
export const trackKey = (exits: readonly OffTheRailsSide[]): Key =>
  `track:${exits.map(letter).join("")}`;
/** A cart of the seat that decides. */
export const cartKey = (colour: Colour): Key => `cart:${colour}`;
export const exitKey = (side: OffTheRailsSide): Key => `exit:${side}`;
export const jewelKey = (jewel: OffTheRailsJewel): Key => `jewel:${jewel}`;
export const handKey = (hand: OffTheRailsHand): Key => `hand:${hand}`;
export const missionKey = (mission: number): Key => `mission:${mission}`;
export const FASTER = "faster";
export const SLOWER = "slower";

/** The routes of the legal actions. */
export function routes(actions: readonly LegalAction[]): Route<LegalAction>[] {
  return actions.flatMap((action) => {
    const message = messageOf(action);
    return message === undefined ? [] : [{ action, ...routeOf(message) }];
  });
}

/** The game's own message of an action. */
export function messageOf(action: LegalAction | undefined): OffTheRailsAction | undefined {
  const game = action?.action?.game;
  return game?.case === "offTheRails" ? game.value : undefined;
}

function routeOf({ action: decision }: OffTheRailsAction): Omit<Route<LegalAction>, "action"> {
  switch (decision.case) {
    case "placeTrack":
    case "upgrade": {
      const { square = 0, exits } = decision.value;
      return { steps: [squareKey(square), trackKey(exits)], confirm: true };
    }
    case "placeCart":
      return { steps: [surfaceKey(decision.value.side, decision.value.place ?? 0)], confirm: true };
    case "speed": {
      const change = decision.value.slower ? SLOWER : FASTER;
      return { steps: [cartKey(decision.value.cart), change], confirm: true };
    }
    case "endActions":
      return { steps: [decision.case], confirm: true };
    case "token":
      return { steps: [squareKey(decision.value)], confirm: true };
    case "split":
      return { steps: decision.value.left.map(jewelKey), ordered: 0, confirm: true };
    default:
      return { steps: [single(decision)] };
  }
}

function single(decision: OffTheRailsAction["action"]): Key {
  switch (decision.case) {
    case "first":
      return cartKey(decision.value);
    case "take":
    case "odd":
      return jewelKey(decision.value);
    case "face":
    case "turn":
      return exitKey(decision.value);
    case "hand":
      return handKey(decision.value);
    case "claim":
      return missionKey(decision.value);
    default:
      return decision.case ?? "none";
  }
}
