/** Replays a vector through the client, and compares what every viewer receives. */
import { fromJson } from "@bufbuild/protobuf";
import {
  type Action,
  type Client,
  type GameEvent,
  GameEventSchema,
  GameOptionsSchema,
  GameViewSchema,
  type HostedMatch,
  LegalActionSchema,
  MatchPhase,
  type MatchUpdate,
  OutcomeSchema,
  type SeatedPlayer,
} from "@tablestate/client";
import { expect, expectMessage, require } from "./checks.ts";
import type { Step, Vector, Viewer } from "./vectors.ts";

const ALL_VIEWS_EVERY = 10;
const AT_ONCE = 4;

/** Creates all matches in their order, then plays some at once, by the clients in turn. */
export async function replayAll(
  clients: readonly [Client, ...Client[]],
  vectors: Map<string, Vector>,
): Promise<Record<string, string>> {
  const left: [string, Vector, Client, HostedMatch][] = [];
  for (const [name, vector] of vectors) {
    const client = clients[left.length % clients.length] ?? clients[0];
    left.push([name, vector, client, await created(client, vector)]);
  }
  const outcomes: Record<string, string> = {};
  async function play() {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, vector, client, match] = next;
      outcomes[name] = await replay(client, match, vector).then(() => "passed", String);
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, play));
  return outcomes;
}

function created(client: Client, { game, options }: Vector): Promise<HostedMatch> {
  return client.createMatch(game, fromJson(GameOptionsSchema, options).game.value);
}

async function replay(client: Client, match: HostedMatch, vector: Vector): Promise<void> {
  expect("match id", match.matchId, vector.match_id);
  const players: SeatedPlayer[] = [];
  while (players.length < vector.seats) players.push(await match.join());
  const watches = [match, ...players].map((each) => eventsOf(each.watch()));
  const table = new Table(client, match.matchId, players);
  for (const [at, step] of vector.steps.entries()) {
    const next = vector.steps[at + 1];
    const player = players[next?.seat ?? -1];
    const isSeenByAll = player === undefined || step.ply % ALL_VIEWS_EVERY === 0;
    for (const viewer of isSeenByAll ? table.viewers : [player.seat]) {
      await table.checkView(viewer, step);
    }
    if (player && next) await table.act(player, step, next);
  }
  const { phase, outcome } = await match.get();
  expect("phase", MatchPhase[phase], MatchPhase[MatchPhase.OVER]);
  expectMessage("outcome", OutcomeSchema, outcome, fromJson(OutcomeSchema, vector.outcome));
  const told = await Promise.all(watches);
  for (const [at, events] of told.entries()) {
    checkEvents(at === 0 ? "spectator" : at - 1, events, vector.steps);
  }
}

/** The events of every entry, told by one stream that ends when the match does. */
async function eventsOf(updates: AsyncIterable<MatchUpdate>): Promise<GameEvent[][]> {
  const told = [];
  for await (const { events } of updates) told.push(events);
  return told;
}

/** The players of a match, and who looks on. */
class Table {
  readonly viewers: readonly Viewer[];
  readonly #client: Client;
  readonly #matchId: string;
  readonly #players: readonly SeatedPlayer[];
  /** That of ply 0: created, each seat taken, started. */
  readonly #firstVersion: number;

  constructor(client: Client, matchId: string, players: readonly SeatedPlayer[]) {
    this.#client = client;
    this.#matchId = matchId;
    this.#players = players;
    this.viewers = ["spectator", ...players.keys()];
    this.#firstVersion = players.length + 2;
  }

  /** What a viewer sees after a step. */
  async checkView(viewer: Viewer, step: Step): Promise<void> {
    const options = { version: this.#version(step) };
    const player = viewer === "spectator" ? undefined : this.#players[viewer];
    const { view } = await (player?.view(options) ?? this.#client.view(this.#matchId, options));
    const item = step.views.find(({ viewers }) => viewers.includes(viewer));
    const expected = fromJson(GameViewSchema, item?.view ?? null);
    expectMessage(`view of ${viewer} at ply ${step.ply}`, GameViewSchema, view, expected);
  }

  /** The actor's legal actions are those of the mask; the next of them is taken. */
  async act(player: SeatedPlayer, step: Step, next: Step): Promise<void> {
    const where = `at ply ${step.ply}`;
    expect(`actors ${where}`, [player.seat], step.actors);
    const { version, legalActions } = await player.legalActions();
    const mask = Buffer.from(step.legal_mask, "hex");
    expect(`version ${where}`, version, this.#version(step));
    expect(`mask ${where}`, [...(legalActions?.mask ?? [])], [...mask]);
    const actions = legalActions?.actions ?? [];
    expect(
      `indices ${where}`,
      actions.map(({ index }) => index),
      bits(mask),
    );
    const action = fromJson(LegalActionSchema, next.action ?? null);
    const found = actions.find(({ index }) => index === action.index);
    expectMessage(`legal action ${where}`, LegalActionSchema, found, action);
    const names: (Action | undefined)[] = [action.index, action.notation, action.action];
    const name = names[next.ply % names.length];
    require("the vector names no action", name !== undefined);
    const { ply } = await player.submit(name, { expectedVersion: version });
    expect("ply", ply, next.ply);
  }

  #version({ ply }: Step): bigint {
    return BigInt(this.#firstVersion + ply);
  }
}

/** The numbers of the bits that are set in a mask. */
export function bits(mask: Uint8Array): number[] {
  const all = Array.from({ length: 8 * mask.length }, (_, index) => index);
  return all.filter((index) => ((mask[index >> 3] ?? 0) >> (index & 7)) & 1);
}

/** The last entries are the start and the actions. */
function checkEvents(viewer: Viewer, told: GameEvent[][], steps: readonly Step[]): void {
  const entries = told.slice(-steps.length);
  for (const [at, step] of steps.entries()) {
    const expected = step.events.find(({ viewers }) => viewers.includes(viewer))?.events ?? [];
    const events = entries[at] ?? [];
    const where = `of ${viewer} at ply ${step.ply}`;
    expect(`number of events ${where}`, events.length, expected.length);
    for (const [place, content] of expected.entries()) {
      const event = fromJson(GameEventSchema, content);
      expectMessage(`event ${place} ${where}`, GameEventSchema, events[place], event);
    }
  }
}
