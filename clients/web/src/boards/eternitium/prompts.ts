/** What Eternitium asks. */
import { EternitiumStep as Step } from "@tablestate/client";

/** What the seat that decides is asked. */
export const QUESTIONS: Readonly<Partial<Record<Step, string>>> = {
  [Step.TAKE_BASIC]: "Take a Basic to begin with.",
  [Step.PORTAL]: "Take a Portal from the supply.",
  [Step.PLAY]: "Play a card, or end the step.",
  [Step.PUT_ON_TOP]: "Which Era comes on top, face up?",
  [Step.REFIT]: "Remove cards from the game, then keep one or none.",
  [Step.TECHNOLOGY]: "Take a technology, or none.",
};

/** What the others are told, behind the name of the seat. */
export const WAITING: Readonly<Partial<Record<Step, string>>> = {
  [Step.TAKE_BASIC]: "takes a Basic",
  [Step.PORTAL]: "takes a Portal",
  [Step.PLAY]: "plays cards",
  [Step.PUT_ON_TOP]: "looks at Eras",
  [Step.REFIT]: "refits",
  [Step.TECHNOLOGY]: "may take a technology",
};

/** The words of the button that takes an action, by the kind of action. */
export const READY: Readonly<Record<string, string>> = {
  takeBasic: "Take it",
  play: "Play it",
  basic: "Take it",
  advanced: "Take it with all visible Eras",
  refit: "Refit",
};
