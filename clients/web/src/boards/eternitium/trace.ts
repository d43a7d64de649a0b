import {
  type GameEvent,
  EternitiumEventKind as Kind,
  EternitiumType as Type,
} from "@tablestate/client";

import { advancedKey, basicKey, eraKey, portalKey } from "./routes.js";

/** The names of what the last action changed in the middle of the table. */
export function traceOf(events: readonly GameEvent[]): ReadonlySet<string> {
  const keys = events.flatMap(({ game }) => {
    if (game.case !== "eternitium") return [];
    const { kind, type, place, side, card } = game.value;
    switch (kind) {
      case Kind.TECHNOLOGY_TURNED:
        return [type === Type.BASIC ? basicKey(place) : advancedKey(place)];
      case Kind.VISIBLE_ERA:
        return [eraKey(side)];
      case Kind.PORTAL_TAKEN:
        // The Portals are numbered as their symbols are.
        return [portalKey(card as number)];
      default:
        return [];
    }
  });
  return new Set(keys);
}
