/** What Off the Rails asks. */
import { OffTheRailsColour as Colour, OffTheRailsStep as Step } from "@tablestate/client";

import type { Choice } from "../shared/Frame.svelte";
import { SIDES } from "./geometry.js";
import { cartKey, exitKey, FASTER, handKey, missionKey, SLOWER } from "./routes.js";
import { MISSIONS, sideName } from "./words.js";

/** What the seat that decides is asked. */
export const QUESTIONS: Readonly<Partial<Record<Step, string>>> = {
  [Step.ACTIONS]: "Tap a square for track, your Surface for a cart, or a cart for its speed.",
  [Step.FIRST]: "Which cart moves first?",
  [Step.TAKE]: "Take a jewel, or nothing more?",
  [Step.FACE]: "Which exit does the cart face?",
  [Step.ODD]: "Your cart was hit: which odd jewel does it drop?",
  [Step.SPLIT]: "Your cart was hit: what goes into the left hand? The rest goes into the right.",
  [Step.HAND]: "Which hand is dropped?",
  [Step.TURN_ACTIVE]: "Where does your cart turn?",
  [Step.TURN_OPPOSING]: "Where does your cart turn?",
  [Step.CLAIM]: "Claim a mission, or none?",
  [Step.TOKEN]: "Where is the Chasm token laid?",
};

/** What the others are told, behind the name of the seat. */
export const WAITING: Readonly<Partial<Record<Step, string>>> = {
  [Step.ACTIONS]: "builds",
  [Step.FIRST]: "chooses the cart that moves first",
  [Step.TAKE]: "may take a jewel",
  [Step.FACE]: "chooses an exit",
  [Step.ODD]: "chooses a jewel to drop",
  [Step.SPLIT]: "splits a hold into two hands",
  [Step.HAND]: "chooses a hand",
  [Step.TURN_ACTIVE]: "turns a cart",
  [Step.TURN_OPPOSING]: "turns a cart",
  [Step.CLAIM]: "may claim a mission",
  [Step.TOKEN]: "lays a Chasm token",
};

const ARROWS = ["", "▲", "▶", "▼", "◀"] as const;

/** The choices that are told by words; `speed` is that of the cart that is chosen. */
export function choices(speed: number): Choice[] {
  return [
    { key: FASTER, label: `Faster: ${speed + 1}` },
    { key: SLOWER, label: `Slower: ${speed - 1}` },
    ...SIDES.map((side) => ({ key: exitKey(side), label: `${ARROWS[side]} ${sideName(side)}` })),
    { key: handKey(1), label: "Left hand" },
    { key: handKey(2), label: "Right hand" },
    { key: "takeNothing", label: "Take nothing" },
    { key: "claimNone", label: "Claim none" },
    { key: "endActions", label: "End the actions" },
  ];
}

/** The carts as choices, where one of them is to be named. */
export const CARTS: readonly Choice[] = [
  { key: cartKey(Colour.WHITE), label: "White cart" },
  { key: cartKey(Colour.BLACK), label: "Black cart" },
];

/** The missions that lie face up, as choices. */
export function missionChoices(missions: readonly number[]): Choice[] {
  return missions.map((mission) => {
    const [title = "", hint = ""] = MISSIONS[mission] ?? [];
    return { key: missionKey(mission), label: title, hint, isMain: true };
  });
}

/** The words of the button that takes an action, by the kind of action. */
export const READY: Readonly<Record<string, string>> = {
  placeTrack: "Lay this track",
  upgrade: "Lay this track",
  placeCart: "Place the cart",
  speed: "Change the speed",
  endActions: "Move the carts",
  token: "Lay the token here",
  split: "Close the hands",
};
