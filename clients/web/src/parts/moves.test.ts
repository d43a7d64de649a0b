// @vitest-environment jsdom
import { isGame, MatchChange } from "@tablestate/client";
import { flushSync, mount, unmount } from "svelte";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { GAMES, positions } from "../boards/fixtures/index.js";
import { loadWords } from "../lib/describe.js";
import type { MatchStore } from "../lib/match.svelte.js";
import Moves from "./Moves.svelte";

/** Nothing has a size here, which would be observed. */
class NoSizes {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

beforeAll(() => {
  vi.stubGlobal("ResizeObserver", NoSizes);
  Element.prototype.scrollTo ??= () => undefined;
});

afterAll(() => {
  vi.unstubAllGlobals();
});

test.each(GAMES)("%s: the list tells what happened in the game's own words", async (game) => {
  if (!isGame(game)) throw new RangeError(`no game ${game}`);
  const told: string[] = [];
  for (const { options, names, events } of positions(game)) {
    const frames = [{ version: 1, change: MatchChange.ACTION, seat: 0, events }];
    const store = { loaded: 1, notations: new Map(), frames: () => frames };
    const describe = await loadWords(game, options);
    const props = { names, describe, shown: 1, onLook: () => undefined };
    const list = mount(Moves, {
      target: document.body,
      props: { ...props, store: store as unknown as MatchStore },
    });
    flushSync();
    const row = document.body.querySelector("li .words")?.textContent?.trim() ?? "";
    expect(row).not.toMatch(/undefined|\[object|NaN/);
    if (describe(events, names) !== "") expect(row).toContain(describe(events, names));
    told.push(describe(events, names));
    void unmount(list);
  }
  expect(told.filter((words) => words !== "").length).toBeGreaterThan(told.length / 3);
});
