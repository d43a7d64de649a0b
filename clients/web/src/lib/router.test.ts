// @vitest-environment jsdom
import { expect, test } from "vitest";
import { matchPath, parse } from "./router.svelte.js";

const ID = "0123456789abcdef0123456789abcdef";

test("every address of the page is read", () => {
  expect(parse("/")).toEqual({ page: "lobby" });
  expect(parse("/new")).toEqual({ page: "new", game: "" });
  expect(parse("/new/off_the_rails")).toEqual({ page: "new", game: "off_the_rails" });
  expect(parse(matchPath(ID))).toEqual({ page: "match", matchId: ID, at: undefined });
  expect(parse(matchPath(ID, 17))).toEqual({ page: "match", matchId: ID, at: 17 });
});

test("what is no address of the page is not guessed at", () => {
  for (const path of ["/nowhere", `/match/${ID}/at/`, `/match/${ID}0`, "/match/../new"]) {
    expect(parse(path)).toEqual({ page: "unknown" });
  }
});
