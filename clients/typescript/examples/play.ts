/**
 * Plays a match against a bot: `node examples/play.ts http://127.0.0.1:8080 offboard`.
 *
 * It needs `npm run build` before, and a service that `tablestate serve` has started.
 */
import { Client, type Game, hasEnded, OutcomeReason } from "@tablestate/client";

const [address = "http://127.0.0.1:8080", game = "offboard"] = process.argv.slice(2);

const client = new Client(address);
const match = await client.createMatch(game as Game);
const player = await match.join({ displayName: "Ada" });
await match.addBot("greedy");

for await (const update of player.watch({ includeLegalActions: true })) {
  if (hasEnded(update.phase) && update.outcome) {
    const { reason, scores } = update.outcome;
    console.log(`${OutcomeReason[reason]}, scores ${scores.join(" : ")}`);
  } else if (update.actors.includes(player.seat)) {
    const actions = update.legalActions?.actions ?? [];
    const action = actions[update.ply % actions.length];
    if (action) await player.submit(action, { expectedVersion: update.version });
  }
}
