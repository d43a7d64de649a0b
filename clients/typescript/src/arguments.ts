/** What callers give, checked before anything is sent: programs in JavaScript have no types. */
import {
  type DescField,
  type DescMessage,
  isMessage,
  type MessageInitShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type Duration, durationFromMs } from "@bufbuild/protobuf/wkt";
import { InvalidArgumentError } from "./errors.js";

type Fields = Readonly<Record<string, unknown>>;

const LONGEST_SHOWN = 80;
const SECRET_TEXTS = ["feed_secret", "invitation_code"];
const LONGEST_MS = 365_000 * 24 * 3600 * 1000;

/** The options of a call: an object, without the options that are taken from it. */
export function given<T extends object>(options: T): T {
  if (isFields(options)) return options;
  throw new InvalidArgumentError("options", `${shown(options)}: must be an object`);
}

/** Refuses options that there are not, which else would be for nothing. */
export function requireKnown(
  options: object,
  known: readonly string[],
  prefix = "",
  hint = "",
): void {
  const unknown = Object.keys(given(options)).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const why = hint || "there is no such option";
  throw new InvalidArgumentError(prefix + cut(unknown), `must not be given: ${why}`);
}

/** A time in milliseconds, which may be for ever; throws InvalidArgumentError if it is none. */
export function milliseconds(field: string, value: unknown): number {
  if (typeof value === "number" && value >= 0) return value;
  const expected = "must be a number of milliseconds from 0 on";
  throw new InvalidArgumentError(field, `${shown(value)}: ${expected}`);
}

/** The same as a message, if it was given. */
export function optionalDuration(field: string, value: unknown): Duration | undefined {
  if (value === undefined || value === null) return undefined;
  if (milliseconds(field, value) <= LONGEST_MS) return durationFromMs(Math.round(value as number));
  throw new InvalidArgumentError(field, `${shown(value)}: must not be more than 1000 years`);
}

/** The address of a server by HTTP; throws InvalidArgumentError for anything else. */
export function httpAddress(field: string, address: unknown): string {
  const url = typeof address === "string" && URL.canParse(address) ? new URL(address) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username + url.password === "") {
    return address as string;
  }
  const expected = 'must be an address as "http://127.0.0.1:8080"';
  throw new InvalidArgumentError(field, expected); // What it is instead may hold a password.
}

/** Refuses what is not the content of a message, before it is made or sent. */
export function requireMessage<D extends DescMessage>(
  schema: D,
  content: MessageInitShape<D> | Fields,
  path = "",
): void {
  if (isMessage(content, schema)) return; // It is read as it is, when it is written.
  if (!isFields(content) || isMessage(content)) {
    throw new InvalidArgumentError(path || "request", `must be the fields of a ${schema.name}`);
  }
  const names = schema.members.map((member) => member.localName);
  const prefix = path && `${path}.`;
  requireKnown(ownFields(content), names, prefix, path && `there are ${names.join(", ")}`);
  const fields: Fields = content;
  for (const member of schema.members) {
    const value = fields[member.localName];
    if (member.kind === "oneof") requireOneof(member.fields, value, prefix + member.name, prefix);
    else requireField(member, value, prefix + member.name);
  }
}

function requireOneof(fields: DescField[], value: unknown, path: string, prefix: string): void {
  if (value === undefined || (isFields(value) && value.case === undefined)) return;
  const chosen = isFields(value) && fields.find((field) => field.localName === value.case);
  if (!chosen) {
    const cases = fields.map((field) => field.localName).join(", ");
    throw new InvalidArgumentError(path, `must have the case and the value of one of ${cases}`);
  }
  const { value: content } = value as Fields;
  if (content === undefined || content === null) refuse(chosen, content, prefix + chosen.name);
  requireField(chosen, content, prefix + chosen.name);
}

function requireField(field: DescField, value: unknown, path: string): void {
  if (value === undefined || value === null) return;
  if (field.fieldKind === "list") {
    if (!Array.isArray(value)) refuse(field, value, path);
    for (const [place, each] of value.entries()) requireOne(field, each, `${path}[${place}]`);
  } else if (field.fieldKind === "map") {
    if (!isFields(value)) refuse(field, value, path);
    for (const [key, each] of Object.entries(value)) requireOne(field, each, `${path}.${key}`);
  } else requireOne(field, value, path);
}

function requireOne(field: DescField, value: unknown, path: string): void {
  if (field.message) requireMessage(field.message, value as Fields, path);
  else if (!fits(field.enum ? ScalarType.INT32 : field.scalar, value)) refuse(field, value, path);
}

function fits(type: ScalarType | undefined, value: unknown): boolean {
  switch (type) {
    case ScalarType.STRING:
      return typeof value === "string" && !/\p{Surrogate}/u.test(value);
    case ScalarType.BYTES:
      return value instanceof Uint8Array;
    case ScalarType.BOOL:
      return typeof value === "boolean";
    case ScalarType.UINT32:
      return isWhole(value, 0, 2 ** 32);
    case ScalarType.INT32:
      return isWhole(value, -(2 ** 31), 2 ** 31);
    case ScalarType.UINT64:
      return typeof value === "bigint"
        ? value >= 0n && value < 2n ** 64n
        : isWhole(value, 0, Number.MAX_SAFE_INTEGER);
    default:
      return typeof value === "number" || typeof value === "bigint";
  }
}

function isWhole(value: unknown, least: number, end: number): boolean {
  return Number.isInteger(value) && Number(value) >= least && Number(value) < end;
}

const EXPECTED: Readonly<Partial<Record<ScalarType, string>>> = {
  [ScalarType.STRING]: "text, without half of a surrogate pair",
  [ScalarType.BYTES]: "bytes, as a Uint8Array",
  [ScalarType.BOOL]: "true or false",
  [ScalarType.UINT32]: "a whole number from 0 to 4294967295",
  [ScalarType.UINT64]: "a bigint from 0n to 18446744073709551615n",
};

function refuse(field: DescField, value: unknown, path: string): never {
  const what = field.scalar && EXPECTED[field.scalar];
  const one = what ?? (field.enum && `a value of ${field.enum.name}`) ?? "an object";
  const expected = field.fieldKind === "list" ? `a list, each ${one}` : one;
  // Bytes may be a secret, whatever was given in their place, and some texts are.
  const isSecret = field.scalar === ScalarType.BYTES || SECRET_TEXTS.includes(field.name);
  const told = isSecret ? `must be ${expected}` : `${shown(value)}: must be ${expected}`;
  throw new InvalidArgumentError(path, told);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Without the mark that messages carry, and what a message keeps that it did not know. */
function ownFields({ $typeName: _name, $unknown: _unknown, ...fields }: Fields): Fields {
  return fields;
}

/** A value as an error shows it. */
export function shown(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "object" && value !== null) return "an object";
  return cut(typeof value === "string" ? JSON.stringify(value) : String(value));
}

/** A text as an error shows it. */
export function cut(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN - 1)}…`;
}
