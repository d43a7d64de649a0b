/** The client of Tablestate, the game-state service for turn-based tabletop games. */
export * from "./messages.js";
