/** A call that the page made, as lines for a shell, for Python and for TypeScript. */
import {
  type DescMessage,
  type DescMethod,
  type JsonObject,
  type JsonValue,
  type Message,
  toJson,
} from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import type { Asked } from "./calls.js";
import type { Key } from "./literals.js";
import { pythonDialect, pythonLines } from "./python.js";
import { Secrets } from "./secrets.js";
import { typescriptDialect, typescriptLines } from "./typescript.js";

export const LANGUAGES = ["Shell", "Python", "TypeScript"] as const;
export type Language = (typeof LANGUAGES)[number];

/** What is told of a call. */
export interface ShownCall {
  readonly method: Pick<DescMethod, "name" | "methodKind"> & {
    readonly parent: { readonly typeName: string };
    readonly input: DescMessage;
  };
  readonly request: Message;
}

/** Tells the seat that a token of a match is for, as far as that is known here. */
export type SeatOf = (matchId: string, token: Uint8Array) => number;

/** The lines for a call. No token is in them, but the name of a variable that holds it. */
export function snippet(language: Language, call: ShownCall, seatOf: SeatOf = () => 0): string {
  const request = json(call);
  const secrets = new Secrets(request);
  if (language === "Shell") return shell(call, request, secrets);
  return program(language, call, (sender) => keyOf(sender, secrets, seatOf));
}

/** The lines of a shell that set the variables which a call's lines name; "" for none. */
export function tokenLines(language: Language, call: ShownCall): string {
  return new Secrets(json(call)).lines(snippet(language, call));
}

function json({ method, request }: ShownCall): JsonObject {
  return toJson(method.input, request) as JsonObject;
}

/** By plain HTTP, but for streams, whose answers are in frames. */
function shell({ method }: ShownCall, request: JsonObject, secrets: Secrets): string {
  const url = `${location.origin}/${method.parent.typeName}/${method.name}`;
  const data = `'${shellJson(request, secrets)}'`;
  if (method.methodKind === "unary") {
    return `curl --silent ${url} \\\n  --header 'content-type: application/json' \\\n  --data ${data}`;
  }
  const note = "# in the root of the repository; buf comes by: pip install buf-bin";
  return `${note}\nbuf curl --protocol connect --schema proto ${url} \\\n  --data ${data}`;
}

/** JSON within single quotes of a shell, which its variables leave for a moment. */
function shellJson(value: JsonValue, secrets: Secrets, indent = ""): string {
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value).replaceAll("'", "'\\''");
  }
  const deeper = `${indent} `;
  const parts = Object.entries(value).map(([key, inner]) => {
    const name = secrets.variable(key, inner);
    const text = name ? `"'"$${name}"'"` : shellJson(inner, secrets, deeper);
    return Array.isArray(value) ? text : `${shellJson(key, secrets)}: ${text}`;
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  return `${open}\n${parts.map((part) => deeper + part).join(",\n")}\n${indent}${close}`;
}

function program(
  language: "Python" | "TypeScript",
  shown: ShownCall,
  keyOf: Asked["keyOf"],
): string {
  const { name, input } = shown.method;
  const request = reflect(input, shown.request);
  const imports = new Set<string>();
  if (language === "Python") {
    return pythonLines(name, { request, keyOf, dialect: pythonDialect(imports) }, imports);
  }
  return typescriptLines(name, { request, keyOf, dialect: typescriptDialect(imports) }, imports);
}

/** The fields by which a request, or a subscription, says who sends it. */
interface Sender {
  readonly matchId: string;
  readonly hostToken?: Uint8Array;
  readonly seatToken?: Uint8Array;
}

/** The key of a sender, its token by the name of the variable. */
function keyOf({ desc, message }: ReflectMessage, secrets: Secrets, seatOf: SeatOf): Key {
  const { matchId, hostToken, seatToken } = message as Message & Sender;
  const fields = toJson(desc, message) as JsonObject;
  const isHost = hostToken !== undefined && hostToken.length > 0;
  const held = isHost ? "hostToken" : "seatToken";
  const seat = isHost || seatToken === undefined ? undefined : seatOf(matchId, seatToken);
  return { matchId, seat, variable: secrets.variable(held, fields[held]) ?? "" };
}
