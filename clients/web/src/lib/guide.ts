/** How each game is played, in a few lines for those who do not know it yet. */
import type { Game } from "@tablestate/client";

/** A game in short; `docs/rules` has all of it. */
export interface Guide {
  /** What wins. */
  readonly goal: string;
  /** What a turn is, step by step, and what comes of it. */
  readonly turn: readonly string[];
  /** How the game ends. */
  readonly end: string;
  /** What the words on the board mean. */
  readonly words: readonly (readonly [word: string, meaning: string])[];
}

const GUIDES: Record<Game, () => Promise<{ guide: Guide }>> = {
  eternitium: () => import("../boards/eternitium/guide.js"),
  off_the_rails: () => import("../boards/offtherails/guide.js"),
  offboard: () => import("../boards/offboard/guide.js"),
  offtrack: () => import("../boards/offtrack/guide.js"),
};

/** The guide to a game, loaded when it is first asked for. */
export async function loadGuide(game: Game): Promise<Guide> {
  return (await GUIDES[game]()).guide;
}
