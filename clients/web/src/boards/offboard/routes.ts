/** How Offboard's actions are tapped: the last marble of the group, then where its head goes. */
import type { LegalAction, OffboardMarble, OffboardMove } from "@tablestate/client";

import { at } from "../shared/looks.js";
import type { Route } from "../shared/selection.js";
import { neighbour, run } from "./geometry.js";

/** The names of what can be tapped. */
export const cellKey = (cell: number) => `cell:${cell}`;
export const DECLINE = "decline";

/** The group that a move steps, from its tail, and the cell that its head steps onto. */
export function reach(cells: readonly OffboardMarble[], move: OffboardMove) {
  const group = run(cells, move.tail, move.direction);
  const head = at(group, group.length - 1);
  return { group, landing: neighbour(head, move.direction) ?? head };
}

/** The routes of the legal actions. */
export function routes(
  cells: readonly OffboardMarble[],
  actions: readonly LegalAction[],
): Route<LegalAction>[] {
  return actions.flatMap((action) => {
    const steps = stepsOf(cells, action);
    return steps.length > 0 ? [{ action, steps, confirm: moveOf(action) === undefined }] : [];
  });
}

/** The move that an action is, if it is one. */
export function moveOf(action: LegalAction | undefined): OffboardMove | undefined {
  const game = action?.action?.game;
  const decision = game?.case === "offboard" ? game.value.action : undefined;
  return decision?.case === "move" ? decision.value : undefined;
}

function stepsOf(cells: readonly OffboardMarble[], action: LegalAction): string[] {
  const game = action.action?.game;
  if (game?.case !== "offboard") return [];
  const decision = game.value.action;
  switch (decision.case) {
    case "move":
      return [cellKey(decision.value.tail), cellKey(reach(cells, decision.value).landing)];
    case "place":
      return [cellKey(decision.value)];
    case "decline":
      return [DECLINE];
    default:
      return [];
  }
}
