import type { GameEvent, OffboardDirection } from "@tablestate/client";

import { neighbour } from "./geometry.js";

/** Where the last action shows on the board. */
export interface Trace {
  /** The cells that it touched. */
  cells: ReadonlySet<number>;
  /** The marbles that moved, by the cell on which they stand now, with their step. */
  moved: ReadonlyMap<number, OffboardDirection>;
  /** The target into which a marble went. */
  target: number | undefined;
}

/** Find out what events show on the board. */
export function traceOf(events: readonly GameEvent[]): Trace {
  const cells = new Set<number>();
  const moved = new Map<number, OffboardDirection>();
  let target: number | undefined;
  for (const { game } of events) {
    const event = game.case === "offboard" ? game.value.event : undefined;
    if (event?.case === "moved") {
      cells.add(event.value.tail);
      for (const cell of line(event.value)) {
        cells.add(cell);
        moved.set(cell, event.value.direction);
      }
    } else if (event?.case === "ejected") {
      target = event.value.target;
    } else if (event?.case === "placed") {
      cells.add(event.value.cell);
    }
  }
  return { cells, moved, target };
}

/** The cells that a step has filled, a pushed marble's exit apart. */
function line(step: { tail: number; direction: OffboardDirection; group: number; pushed: number }) {
  const filled: number[] = [];
  let cell = neighbour(step.tail, step.direction);
  while (cell !== undefined && filled.length < step.group + step.pushed) {
    filled.push(cell);
    cell = neighbour(cell, step.direction);
  }
  return filled;
}
