/** The values of a request as Python and TypeScript write them. */
import type { DescEnum, DescField, DescMessage } from "@bufbuild/protobuf";
import {
  isReflectList,
  isReflectMap,
  isReflectMessage,
  type ReflectMessage,
} from "@bufbuild/protobuf/reflect";

/** How a language writes what is not written alike in both. */
export interface Dialect {
  readonly language: "Python" | "TypeScript";
  truth(value: boolean): string;
  big(value: bigint): string;
  bytes(value: Uint8Array): string;
  constant(desc: DescEnum, value: number): string;
  /** The fields of a message, or the entries of a map; keys are written already. */
  object(entries: readonly Entry[]): string;
  /** The entry of a message's field. */
  entry(field: DescField, value: string): Entry;
  /** A message of its class, where its fields alone will not do. */
  message(desc: DescMessage, fields: string): string;
  /** An argument that Python has by its name only. */
  keyword(name: string, value: string): string;
  /** The text that a variable of the shell holds. */
  variable(name: string): string;
  credential(key: Key): string;
}

/** A seat, or a match whose host one is; the variable of a shell holds the token as base64. */
export interface Key {
  readonly matchId: string;
  readonly variable: string;
  /** Undefined: the host's. */
  readonly seat: number | undefined;
}

export type Entry = readonly [key: string, value: string];

/** A message by its fields that are set. */
export function literal(dialect: Dialect, message: ReflectMessage): string {
  const set = message.fields.filter((field) => message.isSet(field));
  return dialect.object(
    set.map((field) => dialect.entry(field, fieldLiteral(dialect, message, field))),
  );
}

/** What a field of a message holds. */
export function fieldLiteral(dialect: Dialect, message: ReflectMessage, field: DescField): string {
  return written(dialect, field, message.get(field));
}

function written(dialect: Dialect, field: DescField, value: unknown): string {
  if (isReflectMessage(value)) return literal(dialect, value);
  if (isReflectList(value))
    return `[${[...value].map((each) => written(dialect, field, each)).join(", ")}]`;
  if (isReflectMap(value)) {
    const entries = [...value].map(
      ([key, each]) => [JSON.stringify(key), written(dialect, field, each)] as const,
    );
    return dialect.object(entries);
  }
  return scalar(dialect, field, value);
}

function scalar(dialect: Dialect, { enum: desc }: DescField, value: unknown): string {
  if (desc && typeof value === "number") return dialect.constant(desc, value);
  if (typeof value === "boolean") return dialect.truth(value);
  if (typeof value === "bigint") return dialect.big(value);
  return value instanceof Uint8Array ? dialect.bytes(value) : JSON.stringify(value);
}
