import { create } from "@bufbuild/protobuf";
import {
  GameInfoSchema,
  MatchSchema,
  OutcomeReason,
  OutcomeSchema,
  SeatOccupant,
} from "@tablestate/client";
import { expect, test } from "vitest";
import { botLabel, botsOf, usualBot } from "./bots.js";
import { outcomeWords, seatNames } from "./words.js";

const BOTS = ["easy", "greedy", "hard", "normal", "random"];

test("a bot is called one, and two of one name are told apart", () => {
  const bot = { occupant: SeatOccupant.BOT, displayName: "normal" };
  const person = { occupant: SeatOccupant.PLAYER, displayName: "normal" };
  expect(seatNames(create(MatchSchema, { seats: [bot, person] }))).toEqual([
    "normal bot",
    "normal",
  ]);
  expect(seatNames(create(MatchSchema, { seats: [bot, bot] }))).toEqual([
    "normal bot 1",
    "normal bot 2",
  ]);
});

test("bots stand from the weakest to the strongest", () => {
  const railways = create(GameInfoSchema, { game: "off_the_rails", bots: BOTS });
  expect(botsOf(railways)).toEqual(["random", "easy", "greedy", "normal", "hard"]);
  const marbles = create(GameInfoSchema, { game: "offboard", bots: [...BOTS, "new"] });
  expect(botsOf(marbles)).toEqual(["random", "greedy", "easy", "normal", "hard", "new"]);
  expect(usualBot(marbles)).toBe("normal");
  expect(botLabel("greedy")).toBe("Greedy bot: looks one action ahead");
});

test("a result names the winner, and its score first", () => {
  const reason = OutcomeReason.OFFBOARD_POINTS;
  const won = create(OutcomeSchema, { winners: [1], reason, scores: [0, 6] });
  expect(outcomeWords(won, ["Ada", "normal bot"])).toBe(
    "normal bot won, 6 : 0: enough points to win",
  );
});

test("a result of many tells whose score is whose", () => {
  const reason = OutcomeReason.OFFTRACK_ROUNDS_PLAYED;
  const won = create(OutcomeSchema, { winners: [2], reason, scores: [4, -2, 9] });
  expect(outcomeWords(won, ["Ada", "Bela", "Chen"])).toBe(
    "Chen won (Ada 4, Bela −2, Chen 9): all rounds are played",
  );
});

test("a result without scores to compare tells none", () => {
  const reason = OutcomeReason.AGREEMENT;
  const drawn = create(OutcomeSchema, { winners: [], reason, scores: [0, 0] });
  expect(outcomeWords(drawn, ["Ada", "Bela"])).toBe("A draw: all agreed");
});
