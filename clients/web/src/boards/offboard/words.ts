/** Offboard in words. */
import type {
  GameEvent,
  OffboardEjected,
  OffboardMarble,
  OffboardTarget,
} from "@tablestate/client";
import { OffboardMarble as Marble } from "@tablestate/client";

import { at, counted } from "../shared/looks.js";
import { CELLS, neighbour } from "./geometry.js";

const MARBLES = ["empty", "red", "yellow"] as const;

/** What stands on a cell, as "e4, red". */
export function cellLabel(cell: number, marble: OffboardMarble): string {
  return `${at(CELLS, cell).name}, ${MARBLES[marble]}`;
}

/** What a target is worth, and what lies in it. */
export function targetLabel(number: number, target: OffboardTarget): string {
  const marble = target.marble === Marble.UNSPECIFIED ? "" : `, ${MARBLES[target.marble]} marble`;
  return `Target ${number}: worth ${target.value}${marble || ", empty"}`;
}

/** What an action brought about, in a sentence; `names` are those of the seats. */
export function describe(events: readonly GameEvent[], names: readonly string[]): string {
  return events
    .flatMap(({ game }) => (game.case === "offboard" ? [game.value.event] : []))
    .map((event) => {
      switch (event.case) {
        case "moved": {
          const { seat, tail, direction, group, pushed } = event.value;
          const to = at(CELLS, neighbour(tail, direction) ?? tail).name;
          const many = group > 1 ? ` with ${counted(group, "marble")}` : "";
          const push = pushed > 0 ? `, pushing ${pushed}` : "";
          return `${names[seat]} plays ${at(CELLS, tail).name}–${to}${many}${push}`;
        }
        case "ejected":
          return ejected(event.value, names);
        case "placed":
          return `${names[event.value.seat]} puts a marble back on ${at(CELLS, event.value.cell).name}`;
        case "declined":
          return `${names[event.value.seat]} gives a marble up`;
        default:
          return "";
      }
    })
    .filter(Boolean)
    .join("; ");
}

function ejected(event: OffboardEjected, names: readonly string[]): string {
  const points = event.scored > 0 ? `for ${counted(event.scored, "point")}` : "onto a full target";
  return `a marble of ${names[event.owner]} goes off at ${at(CELLS, event.cell).name} ${points}`;
}
