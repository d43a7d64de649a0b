import { create } from "@bufbuild/protobuf";
import { GAMES, GameOptionsSchema, gameOf, gameOptions, NotFoundError } from "@tablestate/client";
import { expect, test } from "vitest";
import { actionChoice } from "../../src/content.js";

test("the client knows every game of the contract", () => {
  expect([...GAMES].sort()).toEqual(GameOptionsSchema.fields.map((field) => field.name).sort());
});

test("options say which game they are of, even if none is given", () => {
  for (const game of GAMES) expect(gameOf(gameOptions(game))).toBe(game);
  expect(gameOptions("offboard", { pointsToWin: 2 }).game.value).toMatchObject({ pointsToWin: 2 });
  expect(gameOf(create(GameOptionsSchema))).toBe("");
});

test("an unknown game is refused with those that are known", () => {
  const unknown = "chess" as "offboard";
  expect(() => gameOptions(unknown)).toThrow(NotFoundError);
  expect(() => gameOptions(unknown)).toThrow("offtrack");
});

test("an action may be a notation or an index", () => {
  expect(actionChoice("e3e4").choice).toEqual({ case: "notation", value: "e3e4" });
  expect(actionChoice(17).choice).toEqual({ case: "index", value: 17 });
  for (const wrong of [-1, 0.5, 2 ** 32]) expect(() => actionChoice(wrong)).toThrow("whole number");
});
