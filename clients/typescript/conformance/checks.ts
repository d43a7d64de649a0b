/** What a runner expects. */
import { type DescMessage, equals, type MessageShape, toJsonString } from "@bufbuild/protobuf";

/** Throws unless something holds. */
export function require(what: string, holds: unknown): asserts holds {
  if (!holds) throw new Error(what);
}

/** Throws unless both are equal, as JSON shows them. */
export function expect(what: string, found: unknown, expected: unknown): void {
  const [left, right] = [shown(found), shown(expected)];
  if (left !== right) throw new Error(`${what} is ${left}, expected ${right}`);
}

/** Throws unless both messages are equal. */
export function expectMessage<T extends DescMessage>(
  what: string,
  schema: T,
  found: MessageShape<T> | undefined,
  expected: MessageShape<T>,
): void {
  if (found !== undefined && equals(schema, found, expected)) return;
  const text = found && toJsonString(schema, found);
  throw new Error(`${what} is ${text}, expected ${toJsonString(schema, expected)}`.slice(0, 400));
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === "bigint" ? String(each) : each));
}
