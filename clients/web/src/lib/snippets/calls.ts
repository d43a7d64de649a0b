/** How the methods of the contract are called with the clients for Python and TypeScript. */

import { isReflectMessage, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { type Duration, durationMs } from "@bufbuild/protobuf/wkt";
import { type Dialect, fieldLiteral, type Key, literal } from "./literals.js";

/** A call of a client, its arguments written. */
export interface Call {
  /** What it is called on: the client, or a handle of host or player. */
  readonly on: "client" | "match" | "player";
  /** What holds the key to the handle; left out: the request. */
  readonly sender?: ReflectMessage;
  /** The name of the method, as in TypeScript. */
  readonly name: string;
  readonly positional?: readonly string[];
  readonly named?: readonly Named[];
  /** Whether it is looped over. */
  readonly isStream?: boolean;
  /** The handle that is returned, and what of it is worth being shown. */
  readonly handle?: { readonly name: string; readonly shown: string };
}

/** An argument by its name, as in TypeScript. */
export type Named = readonly [name: string, value: string];

/** What is asked of a client, and how its language writes it. */
export interface Asked {
  readonly request: ReflectMessage;
  readonly dialect: Dialect;
  /** The key that a request, or a subscription of it, comes with. */
  keyOf(request: ReflectMessage): Key;
}

/** The call that sends a request; undefined for those that clients make by themselves. */
export function callOf(method: string, asked: Asked): Call | undefined {
  return CALLS[method]?.(asked);
}

const MATCH = { name: "match", shown: "matchId" } as const;
const PLAYER = { name: "player", shown: "seat" } as const;

const CALLS: Readonly<Record<string, (asked: Asked) => Call>> = {
  GetServerInfo: () => ({ on: "client", name: "serverInfo" }),
  ListGames: (asked) => {
    const game = written(asked, "game");
    if (game.length > 0) return { on: "client", name: "game", positional: game };
    return { on: "client", name: "games" };
  },
  CreateMatch: (asked) => {
    const [game, chosen] = gameOf(asked);
    const named = settings(asked);
    return { on: "client", name: "createMatch", positional: [game, chosen], named, handle: MATCH };
  },
  ListMatches: (asked) => {
    const named = fields(asked, ["game", "phases", "playerId", "pageSize"]);
    return { on: "client", name: "listMatches", named, isStream: true };
  },
  GetMatch: (asked) => {
    const named = fields(asked, ["minVersion"]);
    if (asked.request.isSet(field(asked, "hostToken"))) return { on: "match", name: "get" };
    return reading(asked, "getMatch", "get", named);
  },
  GetView: (asked) => {
    const names = ["version", "minVersion", "includeLegalActions", "includeObservation"];
    // Who has no seat has no actions either, and Python's client does not ask for them.
    const named = fields(asked, hasSeat(asked) ? names : names.slice(0, 2));
    return reading(asked, "view", "view", named);
  },
  GetReplay: (asked) => reading(asked, "replay", "replay", []),
  VerifyReplay: (asked) => {
    return { on: "client", name: "verifyReplay", positional: written(asked, "matchId") };
  },
  JoinMatch: (asked) => {
    const named = [...fields(asked, ["seat", "displayName", "playerId"]), ...invitation(asked)];
    const entropy: Named[] = asked.request.isSet(field(asked, "entropyHash"))
      ? [["entropy", asked.dialect.truth(true)]]
      : [];
    const positional = written(asked, "matchId");
    return {
      on: "client",
      name: "join",
      positional,
      named: [...named, ...entropy],
      handle: PLAYER,
    };
  },
  AddBot: (asked) => {
    const positional = written(asked, "bot");
    return { on: "match", name: "addBot", positional, named: fields(asked, ["seat"]) };
  },
  StartMatch: () => ({ on: "match", name: "start" }),
  AbortMatch: () => ({ on: "match", name: "abort" }),
  ListLegalActions: (asked) => {
    return { on: "player", name: "legalActions", named: fields(asked, ["minVersion"]) };
  },
  SubmitAction: (asked) => {
    const named = fields(asked, ["expectedVersion", "includeView", "includeLegalActions"]);
    return { on: "player", name: "submit", positional: [action(asked)], named };
  },
  Resign: () => ({ on: "player", name: "resign" }),
  LeaveSeat: () => ({ on: "player", name: "leave" }),
  ClaimTimeout: () => ({ on: "player", name: "claimTimeout" }),
  Propose: (asked) => {
    const named = fields(asked, ["undoTo"]);
    return { on: "player", name: "propose", positional: written(asked, "kind"), named };
  },
  Respond: (asked) => {
    const answer = asked.dialect.truth(asked.request.get(field(asked, "accept")) === true);
    const accept = asked.dialect.keyword("accept", answer);
    const positional = [...written(asked, "proposalVersion"), accept];
    return { on: "player", name: "respond", positional };
  },
  Rematch: () => ({ on: "player", name: "rematch", handle: { name: "again", shown: "matchId" } }),
  ResumeMatch: () => ({ on: "player", name: "resume" }),
  WatchMatches: (asked) => watch(asked),
  Search: (asked) => {
    const seat = `${asked.request.get(field(asked, "seat"))}`;
    const positional = [
      whole(asked, inner(asked, "options")),
      whole(asked, inner(asked, "view")),
      seat,
    ];
    const named = [...budget(asked), ...fields(asked, ["seed", "threads"])];
    return { on: "client", name: "search", positional, named };
  },
};

function field({ request }: Asked, name: string) {
  const found = request.fields.find(({ localName }) => localName === name);
  if (!found) throw new RangeError(`no field ${name} of ${request.desc.name}`);
  return found;
}

/** The fields of these names that are set. */
function fields(asked: Asked, names: readonly string[]): Named[] {
  return names.flatMap((name) => written(asked, name).map((value) => [name, value] as const));
}

/** What a field holds, if it is set. */
function written(asked: Asked, name: string): string[] {
  const found = field(asked, name);
  return asked.request.isSet(found) ? [fieldLiteral(asked.dialect, asked.request, found)] : [];
}

function inner(asked: Asked, name: string): ReflectMessage | undefined {
  const found = field(asked, name);
  const value = asked.request.isSet(found) ? asked.request.get(found) : undefined;
  return isReflectMessage(value) ? value : undefined;
}

function hasSeat(asked: Asked): boolean {
  return asked.request.isSet(field(asked, "seatToken"));
}

/** A read that a spectator makes with the client, and a seat with its handle. */
function reading(asked: Asked, name: string, ofPlayer: string, named: Named[]): Call {
  if (hasSeat(asked)) return { on: "player", name: ofPlayer, named };
  return { on: "client", name, positional: written(asked, "matchId"), named };
}

/** The name of a game and its options. */
function gameOf(asked: Asked): [game: string, chosen: string] {
  const all = inner(asked, "options");
  const game = all?.fields.find((each) => all.isSet(each));
  if (!all || !game) return ['""', "{}"];
  return [`"${game.name}"`, fieldLiteral(asked.dialect, all, game)];
}

const SETTINGS = [
  ["onLeave", "onTimeout", "revealPolicy", "startPolicy", "metadata", "tenant"],
  ["visibility", "spectatorPolicy", "seating"],
].flat();
const LIMITS = ["waitingLimit", "entropyLimit", "spectatorDelay"] as const;

/** All that a host settles but for the game's options. */
function settings(asked: Asked): Named[] {
  const control = inner(asked, "timeControl");
  const time: Named[] = control ? [["timeControl", whole(asked, control)]] : [];
  const chosen = [...fields(asked, SETTINGS), ...invitation(asked)];
  return [...chosen, ...time, ...LIMITS.flatMap((name) => limit(asked, name))];
}

/** The code of a match by invitation is as secret as a token. */
function invitation(asked: Asked): Named[] {
  if (!asked.request.isSet(field(asked, "invitationCode"))) return [];
  return [["invitationCode", asked.dialect.variable("INVITATION_CODE")]];
}

/** Durations are seconds in Python, and milliseconds in TypeScript. */
function limit(asked: Asked, name: string): Named[] {
  const value = inner(asked, name);
  if (!value) return [];
  const ms = durationMs(value.message as Duration);
  return asked.dialect.language === "Python" ? [[name, `${ms / 1000}`]] : [[`${name}Ms`, `${ms}`]];
}

/** A message where both languages want one of its class. */
function whole({ dialect }: Asked, value: ReflectMessage | undefined): string {
  return value ? dialect.message(value.desc, literal(dialect, value)) : "";
}

function budget(asked: Asked): Named[] {
  const { dialect, request } = asked;
  const iterations = field(asked, "iterations");
  if (request.isSet(iterations)) return [["iterations", `${request.get(iterations)}`]];
  const ms = Number(request.get(field(asked, "milliseconds")));
  return dialect.language === "Python"
    ? [["seconds", `${ms / 1000}`]]
    : [["milliseconds", `${ms}`]];
}

/** An action by its notation or index, or as a message. */
function action(asked: Asked): string {
  const choice = inner(asked, "choice");
  const chosen = choice?.fields.find((each) => choice.isSet(each));
  if (!choice || !chosen) return '""';
  const value = choice.get(chosen);
  return isReflectMessage(value)
    ? whole(asked, value)
    : fieldLiteral(asked.dialect, choice, chosen);
}

/** One seat is watched with its handle, all else with the client. */
function watch(asked: Asked): Call {
  const list = asked.request.get(field(asked, "subscriptions"));
  const all = [...(list as Iterable<ReflectMessage>)].map((each) => ({ ...asked, request: each }));
  const [first] = all;
  const start = first && written(first, "afterVersion").join();
  const names = ["includeView", "includeLegalActions"];
  // Where they start at different entries, all are given.
  const isOne = all.every((each) => written(each, "afterVersion").join() === start);
  const named = first ? fields(first, isOne ? ["afterVersion", ...names] : names) : [];
  if (all.length === 1 && first && hasSeat(first)) {
    return { on: "player", sender: first.request, name: "watch", named, isStream: true };
  }
  const watched = all.map((each) =>
    hasSeat(each)
      ? asked.dialect.credential(asked.keyOf(each.request))
      : written(each, "matchId").join(),
  );
  const positional = asked.dialect.language === "Python" ? watched : [`[${watched.join(", ")}]`];
  return { on: "client", name: "watch", positional, named, isStream: true };
}
