/** How OffTrack's actions are tapped: a card, then where it goes; an action, then its targets. */
import {
  OffTrackActionCard as Card,
  type LegalAction,
  type OffTrackAction,
  type OffTrackPlay,
} from "@tablestate/client";

import type { Key, Route } from "../shared/selection.js";

/** The names of what can be tapped. */
export const lineKey = (line: number): Key => `line:${line}`;
export const cardKey = (line: number, index: number): Key => `card:${line}:${index}`;
export const handKey = (type: number): Key => `hand:${type}`;
export const PLAY = "play";
export const CYCLE = "cycle";

/** The routes of the legal actions. */
export function routes(actions: readonly LegalAction[]): Route<LegalAction>[] {
  return actions.flatMap((action) => {
    const game = action.action?.game;
    return game?.case === "offtrack" ? [{ action, ...routeOf(game.value) }] : [];
  });
}

function routeOf(message: OffTrackAction): Omit<Route<LegalAction>, "action"> {
  const decision = message.action;
  switch (decision.case) {
    case "play":
      return { steps: [PLAY, ...targets(decision.value)] };
    case "append":
      return { steps: [handKey(decision.value.cardType), lineKey(decision.value.line)] };
    case "cycle":
      return {
        steps: [CYCLE, ...decision.value.cardTypes.map(handKey)],
        ordered: 1,
        confirm: true,
      };
    default:
      return { steps: [decision.case ?? "skip"] };
  }
}

function targets(play: OffTrackPlay): Key[] {
  switch (play.actionCard) {
    case Card.SHEAR:
    case Card.RECALL:
      return [cardKey(play.line, play.index ?? 0)];
    case Card.QUANTUM_SHUNT:
      return [cardKey(play.line, play.index ?? 0), lineKey(play.onto ?? 0)];
    case Card.MEND:
      return [play.line, ...(play.onto === undefined ? [] : [play.onto])].map(lineKey);
    default:
      return [lineKey(play.line)];
  }
}
