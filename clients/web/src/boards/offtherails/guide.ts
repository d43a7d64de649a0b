/** Off the Rails for those who do not know it yet. */
import type { Guide } from "../../lib/guide.js";

export const guide: Guide = {
  goal: "Lay track, drive your two carts to the jewels and back to the Surface, and have the most points when the Chasm has taken the board.",
  turn: [
    "Up to four actions: lay a straight or a corner on a free square; add an exit to a track without a cart; put a cart on your Surface, with speed 3; make a cart faster or slower by 1, from 1 to 6.",
    "Then each of your carts on the board must move, as many squares as its speed. At a branching you choose the exit; there is no turning back.",
    "On each square that it enters, a cart may take one jewel, or two where its speed is used up. Rocks must be taken first, and a cart holds five jewels at most.",
    "A cart that reaches the Surface, on any side, banks: its jewels are yours, and it goes back to your supply.",
    "A cart derails when the square ahead has no track that joins its own. Its jewels go back to the bag and the cart to your supply; once the Chasm is open, it is out of the game.",
    "A cart that runs into another on joined track stops. Of the two, each one that is empty derails; the one that was hit drops half its jewels, rounded up.",
    "Last, a deposit card is turned: jewels come to a square of a mine, two on an odd number and three on an even one.",
  ],
  end: "After the Chasm Card everybody has one more turn. Then the Chasm opens, and from then on each turn a token covers another square: its track and jewels are gone, and a cart there derails. The game ends when no cart is on the board or the last token is drawn.",
  words: [
    ["Surface", "the squares beyond the rim. Carts begin on your own side, and may bank on any."],
    [
      "Mine",
      "a centre, which takes no track, and the eight numbered squares round it, where deposits come.",
    ],
    ["Deposits", "the deck of cards that bring jewels. The Chasm Card lies in it."],
    [
      "Chasm",
      "squares that are lost. It grows from tokens of four colours, each next to one of its own colour.",
    ],
    [
      "Supply",
      "carts of yours off the board that are still in the game: each is worth 3 points at the end.",
    ],
    [
      "Points",
      "a Ruby is worth 1, Emerald 2, Gold 3, Diamond 4, a Rock nothing. Most Rubies: 5 more. Each mission: 4.",
    ],
  ],
};
