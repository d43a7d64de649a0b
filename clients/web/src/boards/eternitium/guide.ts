/** Eternitium for those who do not know it yet. */
import type { Guide } from "../../lib/guide.js";

export const guide: Guide = {
  goal: "Be the first to have no Era cards left in your stack. At the start everybody takes a Basic technology without paying for it.",
  turn: [
    "Take a Portal of a symbol that you choose, while any is left.",
    "Play as many cards as you like, one at a time. A Portal with the symbol of your face-up top Era takes that Era out of the game; the next Era stays face down.",
    "A Portal played on a face-down Era is a gamble: the Era is shown. If it matches, it leaves the game. If not, your Eras are shuffled face down, you play no more, and you draw only to four cards. If it was your last Era, you first gain another from the pile.",
    "Instead of playing any card you may refit: remove cards in your hand from the game for good while you own seven or more, keep one card if you like, and draw to six.",
    "What you have played and what is left of your hand is discarded.",
    "You may then take one technology, and pay with Eras that go face down under your stack: a Basic for one of the two visible Eras, an Advanced for all that are visible. It goes on top of your deck.",
    "You draw to five cards. When the deck is empty, your discards are shuffled into a new one.",
  ],
  end: "The game ends with the round in which somebody has no Eras at its end. Of those the one with the most points wins: 1 for each Basic and 2 for each Advanced owned. If nobody gets there by the last round (50, unless the match says otherwise), those with the fewest Eras are compared.",
  words: [
    [
      "Era",
      "a card of one of four symbols in your stack, which you want to be rid of. Nobody knows a face-down one, not even you.",
    ],
    [
      "Portal",
      "a card that takes a matching Era out of the game. A Twin Portal matches two symbols and loses no gamble; an Omni Portal matches all.",
    ],
    [
      "Technology",
      "a card with an effect of its own. Advanced ones are stronger, and cost more Eras.",
    ],
    ["Droid", "turns your top Era face up, so that you need not gamble."],
    ["Veil", "turns an opponent’s top Era face down and shuffles the stack, then turns up yours."],
    ["Unseen", "the top card of a technology deck: you learn what it is when you have taken it."],
  ],
};
