/** What the events of an action say, in the words of their game. */
import type { GameEvent } from "@tablestate/client";
import { eventWords } from "./words.js";

/** Puts events into words; `names` are those of the seats. */
export type Describe = (events: readonly GameEvent[], names: readonly string[]) => string;

const WORDS = import.meta.glob<{ describe?: Describe }>("../boards/*/words.ts");

/** The words of a game: those of its board, or else the kinds of the events. */
export async function loadWords(game: string): Promise<Describe> {
  const load = WORDS[`../boards/${game.replaceAll("_", "")}/words.ts`];
  return (await load?.())?.describe ?? eventWords;
}
