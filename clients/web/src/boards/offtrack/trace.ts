import { type GameEvent, OffTrackEventKind as Kind, type OffTrackLine } from "@tablestate/client";

/** Where the last action shows on the table. */
export interface Trace {
  lines: ReadonlySet<number>;
  /** The cards that came, by line: how many lie last at its add end. */
  added: ReadonlyMap<number, number>;
}

/** Find out what events show on the table. */
export function traceOf(events: readonly GameEvent[]): Trace {
  const lines = new Set<number>();
  const added = new Map<number, number>();
  for (const { game } of events) {
    if (game.case !== "offtrack" || game.value.kind === Kind.ROUND_STARTED) continue;
    const { kind, line, onto } = game.value;
    const came = kind === Kind.APPENDED ? line : kind === Kind.MOVED ? onto : undefined;
    if (came !== undefined) added.set(came, (added.get(came) ?? 0) + 1);
    for (const touched of [line, onto]) if (touched !== undefined) lines.add(touched);
  }
  return { lines, added };
}

/** Whether the card at an index of a line came with the last action. */
export function isNew(trace: Trace, number: number, line: OffTrackLine, index: number): boolean {
  const many = trace.added.get(number) ?? 0;
  return line.flipped ? index < many : index >= line.cards.length - many;
}
