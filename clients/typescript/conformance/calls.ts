/** Every call that a browser can make, once, and whether what comes back is what was asked for. */
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Client,
  FeedKind,
  type GameView,
  gameOptions,
  MatchChange,
  MatchPhase,
  ProposalKind,
  ReplayFlaw,
  StartPolicy,
  TimeoutMode,
} from "@tablestate/client";
import { expect, require } from "./checks.ts";

/** A client with the key of a player, and one with that of an operator. */
export interface Clients {
  readonly player: Client;
  readonly operator: Client;
}

/** A few calls that go together, and the methods that they call. */
export interface Scene {
  readonly play: (clients: Clients) => Promise<void>;
  readonly methods: string;
}

async function catalog({ player }: Clients) {
  const games = await player.games();
  expect(
    "games",
    games.map(({ game }) => game),
    (await player.serverInfo()).games,
  );
}

async function hosting({ player }: Clients) {
  const settings = { startPolicy: StartPolicy.BY_HOST, metadata: { table: "7" } };
  const match = await player.createMatch("offboard", {}, settings);
  await match.join({ displayName: "Ada" });
  const guest = await match.join();
  expect("who left", (await guest.leave()).seat, guest.seat);
  expect("seat of the bot", (await match.addBot("random")).seat, guest.seat);
  expect("metadata", (await match.get()).metadata, { table: "7" });
  const listed = [];
  for await (const each of player.listMatches({ phases: [MatchPhase.WAITING] })) {
    listed.push(each.matchId);
  }
  require("the match is not listed", listed.includes(match.matchId));
  expect("change", (await match.start()).change, MatchChange.STARTED);
  expect("phase", (await match.abort()).phase, MatchPhase.ABORTED);
}

async function playing({ player }: Clients) {
  const match = await player.createMatch("offboard");
  const [red, yellow] = [await match.join(), await match.join()];
  const { version, legalActions } = await red.legalActions();
  expect("version", (await red.view()).version, version);
  const [action] = legalActions?.actions ?? [];
  require("no action is legal", action);
  const taken = await red.submit(action, { expectedVersion: version });
  expect("version", taken.version, version + 1n);
  const last = Number((await yellow.resign()).version);
  const versions = [];
  for await (const update of red.watch()) versions.push(Number(update.version));
  expect(
    "versions",
    versions,
    Array.from({ length: last }, (_, at) => at + 1),
  );
  expect("entries", (await player.replay(match.matchId)).entries.length, last);
  expect("flaw", (await player.verifyReplay(match.matchId)).flaw, ReplayFlaw.UNSPECIFIED);
  const { forkedFrom } = await (await player.forkMatch(match.matchId, taken.version)).get();
  expect("source", forkedFrom?.version, taken.version);
  expect("seat of the rematch", (await red.rematch()).seat, yellow.seat);
}

async function chance({ player }: Clients) {
  const match = await player.createMatch("offtrack");
  const seat = await match.join({ entropy: true });
  await match.addBot("random");
  await seat.revealEntropy();
  expect("phase", (await match.get()).phase, MatchPhase.RUNNING);
}

async function manners({ player }: Clients) {
  const timeControl = { bank: { seconds: 60n, nanos: 0 } };
  const match = await player.createMatch("offboard", {}, { timeControl });
  const [red, yellow] = [await match.join(), await match.join()];
  await yellow.respond((await red.propose(ProposalKind.DRAW)).version, false);
  expect("phase", (await match.get()).phase, MatchPhase.RUNNING);
  await yellow.respond((await red.propose(ProposalKind.PAUSE)).version, true);
  expect("paused", (await match.get()).paused, true);
  await red.resume();
  expect("paused", (await match.get()).paused, false);
}

async function time({ player }: Clients) {
  const turnLimit = { seconds: 1n, nanos: 0 };
  const timeControl = { turnLimit, timeoutMode: TimeoutMode.BY_CLAIM };
  const match = await player.createMatch("offboard", {}, { timeControl });
  const [red, yellow] = [await match.join(), await match.join()];
  await sleep(1100);
  expect("who was out of time", (await yellow.claimTimeout()).seat, red.seat);
}

async function analysis({ player }: Clients) {
  expect("games", (await player.playout("offboard", { games: 3, seed: 1n })).finished, 3n);
  const counted = await player.perft("offboard", 1, { divide: true });
  expect("actions", BigInt(counted.divisions.length), counted.sequences);
  const view = await firstView(player);
  const found = await player.search(gameOptions("offboard"), view, 0, { iterations: 50 });
  require("nothing was found", found.done && found.actions[0]?.visits);
}

/** What the first seat sees of a new match. */
export async function firstView(client: Client): Promise<GameView> {
  const match = await client.createMatch("offboard");
  const player = await match.join();
  await match.join();
  const { view } = await player.view();
  require("there is no view", view);
  return view;
}

async function operating({ operator }: Clients) {
  const { matchId } = await operator.createMatch("offboard");
  await operator.join(matchId);
  const other = await operator.replaceSeatToken(matchId, 0);
  expect("seat", (await other.view()).seat, 0);
  expect("seat", (await operator.revokeSeatToken(matchId, 0)).seat, 0);
  for await (const { item } of operator.watchFeed()) {
    if (item?.matchId === matchId && item.kind === FeedKind.CREATED) break;
  }
}

/** All calls that need no stream of requests. */
export const SCENES: readonly Scene[] = [
  { play: catalog, methods: "CatalogService/GetServerInfo CatalogService/ListGames" },
  {
    play: hosting,
    methods:
      "MatchService/CreateMatch MatchService/JoinMatch MatchService/LeaveSeat MatchService/AddBot " +
      "MatchService/GetMatch MatchService/ListMatches MatchService/StartMatch MatchService/AbortMatch",
  },
  {
    play: playing,
    methods:
      "MatchService/ListLegalActions MatchService/GetView MatchService/SubmitAction " +
      "MatchService/Resign MatchService/WatchMatches MatchService/GetReplay " +
      "MatchService/VerifyReplay MatchService/ForkMatch MatchService/Rematch",
  },
  { play: chance, methods: "MatchService/RevealEntropy" },
  {
    play: manners,
    methods: "MatchService/Propose MatchService/Respond MatchService/ResumeMatch",
  },
  { play: time, methods: "MatchService/ClaimTimeout" },
  { play: analysis, methods: "EngineService/Playout EngineService/Perft EngineService/Search" },
  {
    play: operating,
    methods: "MatchService/ReplaceSeatToken MatchService/RevokeSeatToken MatchService/WatchFeed",
  },
];

/** Plays scenes; tells of each of their methods that it passed, or why its scene has failed. */
export async function makeCalls(
  clients: Clients,
  scenes: readonly Scene[],
): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const { play, methods } of scenes) {
    const how = await play(clients).then(() => "passed", String);
    for (const method of methods.split(" ")) made[`tablestate.v1.${method}`] = how;
  }
  return made;
}
