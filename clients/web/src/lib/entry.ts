/** How this browser comes by keys: by creating matches, joining them, and playing them again. */
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import {
  GameOptionsSchema,
  Intent,
  isGame,
  type OptionsOf,
  type SavedIntent,
  type SavedSeat,
  SeatCredential,
  Visibility,
} from "@tablestate/client";
import { Due } from "./due.js";
import { keepHost, keepSeat } from "./kept.js";
import { client } from "./service.svelte.js";

/** Who joins, and where. */
export interface Joining {
  readonly displayName: string;
  /** Left out: any seat. */
  readonly seat?: number;
  readonly intent: SavedIntent;
}

/** The seat that is about to be taken in a match. */
export function joining(matchId: string): Due<Joining> {
  return new Due(`join.${matchId}`);
}

/**
 * Takes a seat and keeps its key. While it is not known what came of an attempt before, that is
 * repeated instead: its seat may be taken by now, with a key that is only there.
 */
export function takeSeat(matchId: string, wanted: Omit<Joining, "intent">) {
  const due = joining(matchId);
  const fresh = { ...wanted, intent: new Intent().save() };
  return due.attempt(due.pending ?? fresh, async ({ intent, ...options }) => {
    const { credential } = await client.join(matchId, { ...options, intent: Intent.load(intent) });
    keepSeat(credential);
    return credential;
  });
}

/** From which seat a match is played again. */
export interface Again {
  readonly seat: SavedSeat;
  readonly intent: SavedIntent;
}

/** The rematch that is about to be agreed to. */
export function rematching(matchId: string): Due<Again> {
  return new Due(`rematch.${matchId}`);
}

/** Plays a match again, and keeps the key to the seat there, which is returned. */
export function playAgain(viewer: SeatCredential): Promise<SeatCredential> {
  const due = rematching(viewer.matchId);
  const fresh = { seat: viewer.save(), intent: new Intent().save() };
  return due.attempt(due.pending ?? fresh, async ({ seat, intent }) => {
    const player = client.player(SeatCredential.load(seat));
    const { credential } = await player.rematch({ intent: Intent.load(intent) });
    keepSeat(credential);
    return credential;
  });
}

/** A match that is to be created, with who is to sit there. */
export interface Plan {
  readonly game: string;
  readonly options: JsonObject;
  readonly isUnlisted: boolean;
  /** Seconds of each player's clock; 0: none. */
  readonly bankS: number;
  readonly incrementS: number;
  readonly intent: SavedIntent;
  /** The seat of the player here; left out: none. */
  readonly own?: Joining;
  readonly bots: readonly { bot: string; seat: number; intent: SavedIntent }[];
}

/** The match of a game that is about to be created in this tab: another may have plans of its own. */
export function creating(game: string): Due<Plan> {
  return new Due(`create.${game}`, () => sessionStorage);
}

/** Creates the match, takes a seat, and puts bots on others; returns the match's id. */
export function createMatch(plan: Plan): Promise<string> {
  return creating(plan.game).attempt(plan, async ({ own, bots, intent }) => {
    const settings = { ...settingsOf(plan), intent: Intent.load(intent) };
    const match = await client.createMatch(...optionsOf(plan), settings);
    keepHost(match.credential);
    if (own) {
      const player = await match.join({ ...own, intent: Intent.load(own.intent) });
      keepSeat(player.credential);
    }
    for (const { bot, ...where } of bots) {
      await match.addBot(bot, { ...where, intent: Intent.load(where.intent) });
    }
    return match.matchId;
  });
}

function optionsOf({ game, options }: Plan): [keyof OptionsOf, OptionsOf[keyof OptionsOf]] {
  if (!isGame(game)) throw new Error(`this page does not know the game ${game}`);
  return [game, fromJson(GameOptionsSchema, { [game]: options }).game.value ?? {}];
}

function settingsOf({ isUnlisted, bankS, incrementS }: Plan) {
  const visibility = isUnlisted ? Visibility.UNLISTED : Visibility.PUBLIC;
  if (bankS === 0) return { visibility };
  const span = (seconds: number) => ({ seconds: BigInt(seconds), nanos: 0 });
  return { visibility, timeControl: { bank: span(bankS), increment: span(incrementS) } };
}
