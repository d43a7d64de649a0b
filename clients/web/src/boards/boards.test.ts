import type { LegalAction } from "@tablestate/client";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, expect, test } from "vitest";

import type { BoardProps } from "./contract.js";
import { routes as eternitium } from "./eternitium/routes.js";
import { GAMES, type Position, position, positions } from "./fixtures/index.js";
import { loadBoard } from "./index.js";
import { routes as offboard } from "./offboard/routes.js";
import { routes as offTheRails } from "./offtherails/routes.js";
import { routes as offtrack } from "./offtrack/routes.js";
import type { Route } from "./shared/selection.js";

const shown: Record<string, unknown>[] = [];

function unmountAll(): void {
  for (const board of shown.splice(0)) unmount(board);
}

afterEach(unmountAll);

/** Show a board; its element, and the actions that it was called back with. */
async function show(game: string, props: Position) {
  const Board = await loadBoard(game);
  if (Board === undefined) throw new Error(`no board of ${game}`);
  const taken: LegalAction[] = [];
  const all: BoardProps = { ...props, onAction: (action) => taken.push(action) };
  unmountAll();
  shown.push(mount(Board, { target: document.body, props: all }));
  flushSync();
  const root = document.body.lastElementChild as HTMLElement;
  return { root, taken };
}

function control(root: HTMLElement, key: string): HTMLElement | SVGElement {
  const found = root.querySelector<HTMLElement | SVGElement>(`[data-key~="${key}"]`);
  if (found === null) throw new Error(`no control ${key}`);
  return found;
}

function tap(root: HTMLElement, key: string): void {
  control(root, key).dispatchEvent(new MouseEvent("click", { bubbles: true }));
  flushSync();
}

function press(element: Element, key: string): void {
  element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  flushSync();
}

/** One action of each kind, the last. */
function oneOfEach(actions: readonly LegalAction[]): LegalAction[] {
  const kinds = actions.map((action) => [action.action?.game.value?.action.case, action] as const);
  return [...new Map(kinds).values()];
}

/** The routes of a game's actions. */
function routesOf({ view, actions }: Position): Route<LegalAction>[] {
  switch (view.game.case) {
    case "offboard":
      return offboard(view.game.value.cells, actions);
    case "offtrack":
      return offtrack(actions);
    case "eternitium":
      return eternitium(view.game.value, actions);
    default:
      return offTheRails(actions);
  }
}

test.each(GAMES)("%s: what is tapped on the board is what is done", async (game) => {
  for (const each of positions(game)) {
    const { root, taken } = await show(game, each);
    const kinds = oneOfEach(each.actions);
    for (const { steps } of routesOf(each).filter(({ action }) => kinds.includes(action))) {
      for (const key of steps) tap(root, key);
      root.querySelector<HTMLButtonElement>(".confirm")?.click();
      flushSync();
    }
    expect(new Set(taken)).toEqual(new Set(kinds));
  }
});

test.each(GAMES)("%s: every position is shown, and every control has a name", async (game) => {
  for (const each of positions(game)) {
    const { root } = await show(game, each);
    const controls = [...root.querySelectorAll("[data-key]")];
    expect(controls.length).toBeGreaterThan(0);
    for (const element of controls) {
      expect(element.getAttribute("aria-label") ?? element.textContent?.trim()).not.toBe("");
    }
    expect(root.querySelectorAll('[data-key][tabindex="0"]')).toHaveLength(1);
    expect(root.querySelector(".prompt")?.textContent).toMatch(/[.?]$/);
  }
});

test("a move is tapped in two steps, and Escape takes the first back", async () => {
  const { root, taken } = await show("offboard", position("offboard", "start: move"));
  tap(root, "cell:5");
  expect(control(root, "cell:5").getAttribute("aria-selected")).toBe("true");
  press(control(root, "cell:5"), "Escape");
  expect(control(root, "cell:5").getAttribute("aria-selected")).toBe("false");
  tap(root, "cell:5");
  press(control(root, "cell:0"), "Enter");
  expect(taken.map(({ notation }) => notation)).toEqual(["b1a1"]);
});

test("what is costly is asked for once more", async () => {
  const { root, taken } = await show("offboard", position("offboard", "duel: place"));
  tap(root, "cell:0");
  expect(taken).toEqual([]);
  root.querySelector<HTMLButtonElement>(".confirm")?.click();
  expect(taken.map(({ notation }) => notation)).toEqual(["*a1"]);
});

test("a track is tried before it is laid", async () => {
  const { root, taken } = await show("off_the_rails", position("off_the_rails", "two: actions"));
  tap(root, "square:0");
  tap(root, "track:NE");
  expect(root.querySelector(".prompt")?.textContent).toMatch(/Your carts then: white/);
  tap(root, "track:NS");
  expect(taken).toEqual([]);
  root.querySelector<HTMLButtonElement>(".confirm")?.click();
  expect(taken.map(({ notation }) => notation)).toEqual(["a1NS"]);
});

test("a set of cards is chosen in any order", async () => {
  const { root, taken } = await show("offtrack", position("offtrack", "start: main"));
  const hand = [...root.querySelectorAll<HTMLElement>(".hand button")];
  tap(root, "cycle");
  hand[3]?.click();
  hand[1]?.click();
  flushSync();
  expect(root.querySelector(".confirm")?.textContent).toBe("Cycle 2 cards");
  root.querySelector<HTMLButtonElement>(".confirm")?.click();
  const names = [hand[1]?.title, hand[3]?.title];
  expect(taken.map(({ notation }) => notation)).toEqual([`~${names.join("")}`]);
});

test("when the button that has the focus goes away, a control gets it", async () => {
  const { root, taken } = await show("offboard", position("offboard", "duel: place"));
  tap(root, "cell:0");
  const confirm = root.querySelector<HTMLButtonElement>(".confirm");
  confirm?.focus();
  confirm?.click();
  flushSync();
  await Promise.resolve();
  expect(taken).toHaveLength(1);
  expect(document.activeElement?.getAttribute("data-key")).toMatch(/^cell:/);
});

test("arrows go from control to control, and the board is one stop of the Tab key", async () => {
  const { root } = await show("offtrack", position("offtrack", "start: main"));
  const hand = [...root.querySelectorAll<HTMLElement>(".hand button")];
  for (const [place, element] of hand.entries()) {
    element.getBoundingClientRect = () => new DOMRect(place * 50, 500, 40, 60);
  }
  hand[1]?.focus();
  press(hand[1] as HTMLElement, "ArrowRight");
  expect(document.activeElement).toBe(hand[2]);
  expect(root.querySelectorAll('[data-key][tabindex="0"]')).toHaveLength(1);
  press(hand[2] as HTMLElement, "Home");
  expect(document.activeElement?.getAttribute("data-key")).toBe("line:0");
});
