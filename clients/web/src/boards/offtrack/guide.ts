/** OffTrack for those who do not know it yet. */
import type { Guide } from "../../lib/guide.js";

export const guide: Guide = {
  goal: "Have the best total when all rounds are played: the most points, or the fewest if the match is scored low. Cards are worth −2 to 5, and those below zero cost you points.",
  turn: [
    "If you hold an action from your last turn, you play it or discard it first.",
    "Then add a card from your hand to a line. Every other card on that line with a lower value goes to your score pile.",
    "Or cycle: discard one card or more instead. You may not cycle twice running.",
    "You draw back to five cards. Then you may draw an action card, and play, hold or discard it; or end your turn.",
    "A branch that comes to seven cards or more collapses: whoever’s turn it is scores the card at its harvest edge, and the others are out until the next round.",
  ],
  end: "A round nears its end when the deck and the discards have both run out after a refill: the seats that come later in the round’s order have one more turn, and the score piles are counted.",
  words: [
    ["Prime", "the line that a round begins with, of four cards. It never collapses."],
    ["Branch", "another line, cut off from a line by the action Shear."],
    [
      "Harvest edge",
      "the card that a collapse, a Mend or a Breach scores: the one at the end away from where cards are added, unless another is pinned.",
    ],
    [
      "Era",
      "a card’s letter and colour. If your card comes to lie beside one of its own era, in a line of three or more, the edge is pinned to that neighbour.",
    ],
    ["Hold", "keep an action, unseen by the others, for your next turn."],
    [
      "Waiting",
      "one branch at most collapses in a turn. A further one takes no cards and waits for the next turn of the player who filled it.",
    ],
    ["Flipped", "by a Paradox Loop: until the turn ends, cards are added at the other end."],
    [
      "Sealed",
      "by a Quarantine, until the next turn of the player who sealed it, or until a Breach: no card is added to the line, cut off it or moved to another, and it does not collapse.",
    ],
  ],
};
