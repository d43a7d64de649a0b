// @vitest-environment jsdom
import { expect, test } from "vitest";
import type { Frame } from "./frame.js";
import { MatchStore } from "./match.svelte.js";

const ID = "0123456789abcdef0123456789abcdef";

test("an address may name a version that is far away", () => {
  const store = new MatchStore(ID);
  expect(store.frameAt(999_999_999)).toBeUndefined();
  store.latest = { version: 3 } as Frame;
  const start = performance.now();
  expect(store.frameAt(999_999_999)).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(500);
});
