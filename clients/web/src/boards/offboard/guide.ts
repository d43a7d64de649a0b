/** Offboard for those who do not know it yet. */
import type { Guide } from "../../lib/guide.js";

export const guide: Guide = {
  goal: "Push the other colour’s marbles off the board and into the targets round its rim. The first with enough points wins: 6, unless the match says otherwise.",
  turn: [
    "Choose one of your marbles and a direction. It steps one cell, and your marbles in an unbroken line ahead of it step along.",
    "The line may step onto an empty cell, or push the other colour’s line ahead of it: yours must be the longer one, and behind theirs must be an empty cell or the rim. There is no other limit to how many move.",
    "Only the other colour is pushed: a marble of yours behind their line blocks the push, and your own moves never take a marble of yours off the board.",
    "The marble that you push off goes to the target at which it leaves. If that is empty it stays there, and you score what the target is worth.",
    "If that target is full nobody scores, and the marble’s owner begins the next turn with a choice: put it back on any empty cell, which is the whole turn, or give it up and move.",
  ],
  end: "Whoever has no move loses. It is a draw when a position stands for the third time, after 100 turns in a row in which no marble came to rest in a target (unless the match says otherwise), or when neither side can reach the points any more.",
  words: [
    [
      "Target",
      "a place outside the rim that takes one marble, of either colour, for good. The number on it is what it is worth.",
    ],
    [
      "Corner",
      "a marble pushed straight out of a corner goes to the target next to it that is worth less, full or not.",
    ],
  ],
};
