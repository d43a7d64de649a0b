/** Every call that a browser can make, against a service that runs. */
import {
  type Client,
  ConflictError,
  gameOptions,
  HostCredential,
  hasEnded,
  IllegalActionError,
  Intent,
  MatchChange,
  MatchPhase,
  type MatchUpdate,
  NotFoundError,
  NotTheActorError,
  newToken,
  PermissionDeniedError,
  PreconditionError,
  ProposalKind,
  type SeatedPlayer,
  StaleVersionError,
  StartPolicy,
} from "@tablestate/client";
import { describe, expect, test } from "vitest";
import { targets } from "./targets.js";

describe.each(targets)("over $name", ({ client: open }) => {
  const client = open();

  test("the server tells of itself and of its games", async () => {
    const info = await client.serverInfo();
    const games = await client.games();
    expect(games.map(({ game }) => game)).toEqual(info.games);
    expect((await client.game("offboard")).title).toBe("Offboard");
    await expect(client.game("chess")).rejects.toBeInstanceOf(NotFoundError);
  });

  test("a match is created, joined, played, watched and replayed", async () => {
    const { player, matchId } = await againstABot(client);
    const seen = await playToTheEnd(player);
    expect(seen.map(({ version }) => Number(version))).toEqual(seen.map((_, at) => at + 1));
    const replay = await client.replay(matchId);
    expect(replay.updates).toHaveLength(seen.length);
    expect(replay.entries).toHaveLength(seen.length);
    expect(replay.secrets?.secret).toHaveLength(32);
    expect((await player.replay()).match.phase).toBe(MatchPhase.OVER);
    expect(await client.verifyReplay(matchId)).toMatchObject({ version: BigInt(seen.length) });
  });

  test("views are shown at any version, and legal actions to the actor alone", async () => {
    const { red, yellow, matchId } = await twoPlayers(client);
    const { version, legalActions } = await red.legalActions();
    await red.submit(legalActions?.actions[0]?.notation ?? "", { expectedVersion: version });
    expect((await client.view(matchId, { version })).version).toBe(version);
    expect((await red.view({ minVersion: version + 1n })).actors).toEqual([yellow.seat]);
    expect((await red.legalActions()).legalActions?.actions ?? []).toEqual([]);
    const own = await yellow.view({ includeLegalActions: true, includeObservation: true });
    expect(own.legalActions?.actions.length).toBeGreaterThan(0);
    expect(own.observation.length).toBeGreaterThan(0);
    expect((await red.get()).matchId).toBe(matchId);
  });

  test("refusals have their class and their facts", async () => {
    const { red, yellow, matchId } = await twoPlayers(client);
    await expect(red.submit("e5e6")).rejects.toBeInstanceOf(IllegalActionError);
    await expect(yellow.submit(0)).rejects.toBeInstanceOf(NotTheActorError);
    const { legalActions } = await red.legalActions();
    const stale = red.submit(legalActions?.actions[0] ?? 0, { expectedVersion: 1n });
    await expect(stale).rejects.toBeInstanceOf(StaleVersionError);
    const stranger = client.host(new HostCredential(matchId, newToken()));
    await expect(stranger.abort()).rejects.toBeInstanceOf(PermissionDeniedError);
    await expect(client.getMatch("0".repeat(32))).rejects.toBeInstanceOf(NotFoundError);
  });

  test("a call that is repeated with its intent has one effect", async () => {
    const intent = new Intent();
    const first = await client.createMatch("offboard", {}, { intent });
    const again = await client.createMatch("offboard", {}, { intent });
    expect(again.matchId).toBe(first.matchId);
    const other = client.createMatch("offboard", { pointsToWin: 1 }, { intent });
    await expect(other).rejects.toBeInstanceOf(ConflictError);
  });

  test("hosts start and abort, players leave, resign and play again", async () => {
    const match = await client.createMatch("offboard", {}, { startPolicy: StartPolicy.BY_HOST });
    const [red, yellow] = [await match.join(), await match.join()];
    await yellow.leave();
    const other = await match.join({ seat: 1, displayName: "Grace" });
    expect((await match.get()).seats[1]?.displayName).toBe("Grace");
    expect((await match.start()).change).toBe(MatchChange.STARTED);
    expect((await red.resign()).change).toBe(MatchChange.FORFEITED);
    const next = await red.rematch();
    expect((await other.rematch()).matchId).toBe(next.matchId);
    const aborted = await client.createMatch("offtrack");
    expect((await aborted.abort()).phase).toBe(MatchPhase.ABORTED);
  });

  test("players agree, take back, pause and resume", async () => {
    const { red, yellow } = await twoPlayers(client, 60_000n);
    const { version } = await red.propose(ProposalKind.PAUSE);
    await yellow.respond(version, true);
    expect((await red.get()).paused).toBe(true);
    await yellow.resume();
    await expect(red.claimTimeout()).rejects.toBeInstanceOf(PreconditionError);
    const draw = await yellow.propose(ProposalKind.DRAW);
    await red.respond(draw.version, false);
    expect((await red.get()).phase).toBe(MatchPhase.RUNNING);
  });

  test("a seat adds to the chance of the match what it had promised", async () => {
    const match = await client.createMatch("offboard", { pointsToWin: 1 });
    const red = await match.join({ entropy: true });
    await match.addBot("random");
    const changes: MatchChange[] = [];
    for await (const { change } of red.watch()) {
      changes.push(change);
      if (change === MatchChange.STARTED) break;
    }
    expect(changes).toContain(MatchChange.ENTROPY_REVEALED);
  });

  test("a position is searched, forked and played out", async () => {
    const { red, matchId } = await twoPlayers(client);
    const { view, version } = await red.view();
    const { options } = await red.get();
    if (!view || !options) throw new Error("a running match has a view and options");
    const answer = await client.search(options, view, 0, { iterations: 200 });
    expect(answer.done).toBe(true);
    expect(answer.actions[0]?.visits).toBeGreaterThan(0n);
    const fork = await client.forkMatch(matchId, version);
    expect((await fork.get()).forkedFrom?.matchId).toBe(matchId);
    const playout = await client.playout("offboard", { games: 3, seed: 1n });
    expect(playout.finished).toBe(3n);
    const perft = await client.perft(gameOptions("offboard"), 1, { divide: true });
    expect(perft.divisions).toHaveLength(Number(perft.sequences));
  });

  test("one watch follows many matches, and a list finds them", async () => {
    const ids = [];
    for (let count = 0; count < 3; count += 1) {
      const match = await client.createMatch("offboard", { pointsToWin: 1 });
      await match.addBot("random");
      await match.addBot("random");
      ids.push(match.matchId);
    }
    const over = new Set<string>();
    for await (const update of client.watch(ids)) {
      if (hasEnded(update.phase)) over.add(update.matchId);
    }
    expect([...over].sort()).toEqual([...ids].sort());
    const listed = [];
    for await (const { matchId } of client.listMatches({ game: "offboard", pageSize: 2 })) {
      listed.push(matchId);
    }
    expect(listed).toEqual(expect.arrayContaining(ids));
  });

  test("what is the operator's is refused to others", async () => {
    const { matchId } = await twoPlayers(client);
    const refused = PermissionDeniedError;
    await expect(client.replaceSeatToken(matchId, 0)).rejects.toBeInstanceOf(refused);
    await expect(client.revokeSeatToken(matchId, 0)).rejects.toBeInstanceOf(refused);
    const feed = client.watchFeed({ feedSecret: "not the one" });
    await expect(feed.next()).rejects.toBeInstanceOf(refused);
  });
});

async function againstABot(client: Client) {
  const match = await client.createMatch("offboard", { pointsToWin: 1 });
  const player = await match.join({ displayName: "Ada" });
  await match.addBot("greedy");
  return { player, matchId: match.matchId };
}

async function twoPlayers(client: Client, bankMs?: bigint) {
  const bank = bankMs === undefined ? undefined : { seconds: bankMs / 1000n, nanos: 0 };
  const match = await client.createMatch("offboard", {}, { timeControl: bank && { bank } });
  const [red, yellow] = [await match.join(), await match.join()];
  return { red, yellow, matchId: match.matchId };
}

async function playToTheEnd(player: SeatedPlayer): Promise<MatchUpdate[]> {
  const seen: MatchUpdate[] = [];
  for await (const update of player.watch({ includeLegalActions: true, includeView: true })) {
    seen.push(update);
    const actions = update.legalActions?.actions ?? [];
    const action = actions[update.ply % actions.length];
    if (action) await player.submit(action, { expectedVersion: update.version });
  }
  return seen;
}
