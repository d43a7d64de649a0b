/** The boards, by the name of their game; each is loaded when it is first needed. */
import type { Component } from "svelte";

import type { BoardProps } from "./contract.js";

export type { BoardProps } from "./contract.js";

const BOARDS: Record<string, () => Promise<{ default: Component<BoardProps> }>> = {
  eternitium: () => import("./eternitium/Eternitium.svelte"),
  off_the_rails: () => import("./offtherails/OffTheRails.svelte"),
  offboard: () => import("./offboard/Offboard.svelte"),
  offtrack: () => import("./offtrack/OffTrack.svelte"),
};

/** The board of a game; undefined: it has none, and is played by a list. */
export async function loadBoard(game: string): Promise<Component<BoardProps> | undefined> {
  return (await BOARDS[game]?.())?.default;
}
