/** What the events of an action say, in the words of their game. */
import type { Game, GameEvent, GameOptions } from "@tablestate/client";

/** Puts events into words; `names` are those of the seats. */
export type Describe = (events: readonly GameEvent[], names: readonly string[]) => string;

const WORDS: Record<Game, (options: GameOptions) => Promise<Describe>> = {
  eternitium: async () => (await import("../boards/eternitium/words.js")).describe,
  offboard: async () => (await import("../boards/offboard/words.js")).describe,
  offtrack: async () => (await import("../boards/offtrack/words.js")).describe,
  off_the_rails: wordsOfRails,
};

/** The words of a game, loaded when they are first needed. */
export function loadWords(game: Game, options: GameOptions): Promise<Describe> {
  return WORDS[game](options);
}

/** Squares are named by the size of the board. */
async function wordsOfRails({ game }: GameOptions): Promise<Describe> {
  const { describe } = await import("../boards/offtherails/words.js");
  const { sizeOf } = await import("../boards/offtherails/geometry.js");
  const size = game.case === "offTheRails" ? sizeOf(game.value.board) : 0;
  return (events, names) => describe(events, { names, size });
}
