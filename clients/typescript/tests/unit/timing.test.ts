import { create } from "@bufbuild/protobuf";
import {
  InvalidArgumentError,
  TimeControlSchema,
  TimeoutMode,
  timeControl,
} from "@tablestate/client";
import { expect, test } from "vitest";

const span = (seconds: number, nanos = 0) => ({ seconds: BigInt(seconds), nanos });

test("a time control is given in milliseconds", () => {
  expect(timeControl({ bankMs: 180_000, incrementMs: 1500, graceMs: 0 })).toEqual(
    create(TimeControlSchema, {
      bank: span(180),
      increment: span(1, 500_000_000),
      timeoutMode: TimeoutMode.AUTOMATIC,
    }),
  );
  expect(timeControl({ turnLimitMs: 86_400_000, byClaim: true })).toEqual(
    create(TimeControlSchema, { turnLimit: span(86_400), timeoutMode: TimeoutMode.BY_CLAIM }),
  );
});

test.each([
  [{ bankMs: -1 }, "bankMs"],
  [{ turnLimitMs: Number.NaN }, "turnLimitMs"],
  [{ incrementMs: "2" as unknown as number }, "incrementMs"],
  [{ bank: 180 } as object, "bank"],
])("what is no time is refused: %o", (limits, field) => {
  expect(() => timeControl(limits)).toThrow(InvalidArgumentError);
  expect(() => timeControl(limits)).toThrow(field);
});
