/** A call that the page made, as lines for a shell, for Python and for TypeScript. */

import type { Message } from "@bufbuild/protobuf";
import { type DescMessage, type JsonObject, type JsonValue, toJson } from "@bufbuild/protobuf";

export const LANGUAGES = ["buf curl", "Python", "TypeScript"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What is told of a call. */
export interface ShownCall {
  readonly method: {
    readonly name: string;
    readonly parent: { readonly typeName: string };
    readonly input: DescMessage;
  };
  readonly request: Message;
}

/** The lines for a call. No token is in them, but the name of a variable that holds it. */
export function snippet(language: Language, call: ShownCall): string {
  const request = toJson(call.method.input, call.request) as JsonObject;
  if (language === "buf curl") return curl(call, request);
  return language === "Python" ? python(call, request) : typescript(call, request);
}

const TOKENS: Record<string, string> = {
  seatToken: "SEAT_TOKEN",
  hostToken: "HOST_TOKEN",
  newSeatToken: "NEW_SEAT_TOKEN",
  newHostToken: "NEW_HOST_TOKEN",
  entropy: "ENTROPY",
  invitationCode: "INVITATION_CODE",
};

/** A secret by its field in indented JSON. Inside of texts quotes are escaped: nothing matches there. */
const SECRET = new RegExp(`"(${Object.keys(TOKENS).join("|")})": "[^"]*"`, "g");

function curl({ method }: ShownCall, request: JsonObject): string {
  const body = JSON.stringify(request, null, 1).replaceAll("'", "'\\''");
  const safe = body.replaceAll(SECRET, (_, field: string) => `"${field}": "'"$${TOKENS[field]}"'"`);
  const url = `${location.origin}/${method.parent.typeName}/${method.name}`;
  return `buf curl --protocol connect --schema proto \\\n  -d '${safe}' \\\n  ${url}`;
}

/** The name of a method and its arguments, where both clients call it alike. */
interface Call {
  /** What it is called on: the client, or a handle of host or player. */
  readonly on: "client" | "match" | "player";
  readonly name: string;
  readonly positional: readonly JsonValue[];
  readonly named: Readonly<Record<string, JsonValue | undefined>>;
  /** Whether it is a stream, to be looped over. */
  readonly isStream?: boolean;
}

function python(shown: ShownCall, request: JsonObject): string {
  const call = callOf(shown.method.name, request);
  if (!call) return `# ${shown.method.name} is called by the client itself`;
  const named = Object.entries(call.named).filter(([, value]) => value !== undefined);
  const args = [
    ...call.positional.map((value) => pythonValue(value)),
    ...named.map(
      ([key, value]) => `${snake(key)}=${BIG.has(key) ? value : pythonValue(value ?? null)}`,
    ),
  ];
  const line = `${call.on}.${snake(call.name)}(${args.join(", ")})`;
  const made = call.isStream ? `for item in ${line}:\n    print(item)` : line;
  const address = location.host.replace(/:\d+$/, ":50051");
  return `import tablestate\n\nclient = tablestate.Client("${address}")\n${pythonHandle(call, request)}${made}`;
}

function typescript(shown: ShownCall, request: JsonObject): string {
  const call = callOf(shown.method.name, request);
  if (!call) return `// ${shown.method.name} is called by the client itself`;
  const named = Object.entries(call.named).filter(([, value]) => value !== undefined);
  const options = named.map(([key, value]) => `${key}: ${scriptValue(key, value ?? null)}`);
  const args = call.positional.map((value) => JSON.stringify(value));
  if (options.length > 0) args.push(`{ ${options.join(", ")} }`);
  const line = `${call.on}.${call.name}(${args.join(", ")})`;
  const made = call.isStream
    ? `for await (const item of ${line}) console.log(item);`
    : `await ${line};`;
  const start = `import { Client } from "@tablestate/client";\n\nconst client = new Client("${location.origin}");\n`;
  return `${start}${scriptHandle(call, request)}${made}`;
}

function callOf(method: string, request: JsonObject): Call | undefined {
  return CALLS[method]?.(request);
}

const onMatch = (name: string): ((request: JsonObject) => Call) => {
  return () => ({ on: "match", name, positional: [], named: {} });
};
const onPlayer = (name: string): ((request: JsonObject) => Call) => {
  return () => ({ on: "player", name, positional: [], named: {} });
};
const onClient = (name: string): ((request: JsonObject) => Call) => {
  return () => ({ on: "client", name, positional: [], named: {} });
};

const CALLS: Readonly<Record<string, (request: JsonObject) => Call>> = {
  GetServerInfo: onClient("serverInfo"),
  ListGames: onClient("games"),
  CreateMatch: ({ options }) => {
    const [game = "", chosen = {}] = Object.entries((options ?? {}) as JsonObject)[0] ?? [];
    return { on: "client", name: "createMatch", positional: [snake(game), chosen], named: {} };
  },
  ListMatches: ({ game, phases, pageSize }) => {
    // Both clients name phases by the constants of an enumeration.
    const shown = phases === undefined ? { game, pageSize } : { game, phases, pageSize };
    return { on: "client", name: "listMatches", positional: [], named: shown, isStream: true };
  },
  GetMatch: (request) => reading(request, "getMatch", "get", {}),
  GetView: (request) => {
    const { version, minVersion, includeLegalActions } = request;
    return reading(request, "view", "view", { version, minVersion, includeLegalActions });
  },
  GetReplay: (request) => reading(request, "replay", "replay", {}),
  VerifyReplay: ({ matchId = "" }) => {
    return { on: "client", name: "verifyReplay", positional: [matchId], named: {} };
  },
  JoinMatch: ({ matchId = "", displayName, seat }) => {
    return { on: "client", name: "join", positional: [matchId], named: { seat, displayName } };
  },
  AddBot: ({ bot = "", seat }) => {
    return { on: "match", name: "addBot", positional: [bot], named: { seat } };
  },
  StartMatch: onMatch("start"),
  AbortMatch: onMatch("abort"),
  ListLegalActions: onPlayer("legalActions"),
  SubmitAction: ({ choice, expectedVersion }) => {
    const action = Object.values((choice ?? {}) as JsonObject)[0] ?? 0;
    return { on: "player", name: "submit", positional: [action], named: { expectedVersion } };
  },
  Resign: onPlayer("resign"),
  LeaveSeat: onPlayer("leave"),
  Rematch: onPlayer("rematch"),
  ResumeMatch: onPlayer("resume"),
  WatchMatches: ({ subscriptions }) => {
    const watched = (subscriptions ?? []) as JsonObject[];
    const { afterVersion, includeView, includeLegalActions } = watched[0] ?? {};
    const named = { afterVersion, includeView, includeLegalActions };
    const one = watched.length === 1 && watched[0]?.seatToken !== undefined;
    const positional = one ? [] : watched.map(({ matchId = "" }) => matchId);
    return { on: one ? "player" : "client", name: "watch", positional, named, isStream: true };
  },
};

/** A read that a spectator makes with the client, and a seat with its handle. */
function reading(
  { matchId = "", seatToken }: JsonObject,
  name: string,
  ofPlayer: string,
  named: Call["named"],
): Call {
  if (seatToken !== undefined) return { on: "player", name: ofPlayer, positional: [], named };
  return { on: "client", name, positional: [matchId], named };
}

function pythonHandle({ on }: Call, { matchId }: JsonObject): string {
  const id = JSON.stringify(matchId ?? "");
  if (on === "match") return `match = client.host(tablestate.HostCredential(${id}, HOST_TOKEN))\n`;
  const seat = `tablestate.SeatCredential(${id}, SEAT, SEAT_TOKEN)`;
  return on === "player" ? `player = client.player(${seat})\n` : "";
}

function scriptHandle({ on }: Call, { matchId }: JsonObject): string {
  const id = JSON.stringify(matchId ?? "");
  if (on === "match") return `const match = client.host(new HostCredential(${id}, HOST_TOKEN));\n`;
  const seat = `new SeatCredential(${id}, SEAT, SEAT_TOKEN)`;
  return on === "player" ? `const player = client.player(${seat});\n` : "";
}

function snake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Numbers of 64 bits are text in JSON. */
const BIG = new Set(["version", "minVersion", "expectedVersion", "afterVersion"]);

function scriptValue(key: string, value: JsonValue): string {
  return BIG.has(key) ? `${value}n` : JSON.stringify(value);
}

function pythonValue(value: JsonValue): string {
  if (value === true) return "True";
  if (value === false) return "False";
  if (value === null) return "None";
  if (typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(", ")}]`;
  const entries = Object.entries(value).map(([key, inner]) => {
    return `"${snake(key)}": ${pythonValue(inner)}`;
  });
  return `{${entries.join(", ")}}`;
}
