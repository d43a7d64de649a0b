/** The service's players, in words. */
import type { GameInfo } from "@tablestate/client";

/** What each bot does, from the weakest to the strongest. */
const MANNERS: Readonly<Record<string, string>> = {
  random: "takes any action",
  easy: "thinks ahead a little",
  greedy: "looks one action ahead",
  normal: "thinks ahead",
  hard: "thinks ahead the longest",
};

/** Where one action ahead is seldom enough, so that even a little thinking beats it. */
const DEEP: readonly string[] = ["offboard", "offtrack"];
const DEEP_ORDER: readonly string[] = ["random", "greedy", "easy", "normal", "hard"];

/** The bots of a game, from the weakest to the strongest; those not known here come last. */
export function botsOf({ game, bots }: GameInfo): string[] {
  const order = DEEP.includes(game) ? DEEP_ORDER : Object.keys(MANNERS);
  const rank = (bot: string) => (order.includes(bot) ? order.indexOf(bot) : order.length);
  return [...bots].sort((a, b) => rank(a) - rank(b));
}

/** The bot that is offered first: a strong one that does not take long. */
export function usualBot({ bots }: GameInfo): string | undefined {
  return ["normal", "greedy"].find((bot) => bots.includes(bot)) ?? bots[0];
}

/** What a bot is called. */
export function botName(bot: string): string {
  return `${bot} bot`;
}

/** A bot to be chosen, as "Normal bot: thinks ahead". */
export function botLabel(bot: string): string {
  const name = botName(bot);
  const manner = MANNERS[bot];
  return name.charAt(0).toUpperCase() + name.slice(1) + (manner ? `: ${manner}` : "");
}
