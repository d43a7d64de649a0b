import { create } from "@bufbuild/protobuf";
import {
  GameInfoSchema,
  MatchChange,
  MatchSchema,
  OutcomeReason,
  OutcomeSchema,
  SeatOccupant,
  TimeControlSchema,
  timeControl,
} from "@tablestate/client";
import { expect, test } from "vitest";
import { botLabel, botsOf, usualBot } from "./bots.js";
import { outcomeWords, seatNames, timeWords } from "./words.js";

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

test("a result names the winner, and whose score is whose", () => {
  const reason = OutcomeReason.OFFBOARD_POINTS;
  const won = create(OutcomeSchema, { winners: [1], reason, scores: [0, 6] });
  expect(outcomeWords(won, ["Ada", "normal bot"])).toBe(
    "normal bot won (Ada 0, normal bot 6): enough points to win",
  );
});

test("a result of many tells whose score is whose", () => {
  const reason = OutcomeReason.OFFTRACK_ROUNDS_PLAYED;
  const won = create(OutcomeSchema, { winners: [2], reason, scores: [4, -2, 9] });
  expect(outcomeWords(won, ["Ada", "Bela", "Chen"])).toBe(
    "Chen won (Ada 4, Bela −2, Chen 9): all rounds are played",
  );
});

test("of the last who was left it is told why, if that is known", () => {
  const won = create(OutcomeSchema, {
    winners: [1],
    reason: OutcomeReason.FORFEIT,
    scores: [3, 0],
  });
  const names = ["Ada", "Bela"];
  expect(outcomeWords(won, names)).toBe("Bela won: nobody else was left");
  expect(outcomeWords(won, names, MatchChange.TIMED_OUT)).toBe("Bela won: on time");
  expect(outcomeWords(won, names, MatchChange.FORFEITED)).toBe("Bela won: by resignation");
});

test("a time control is told in a few words", () => {
  const day = timeControl({ turnLimitMs: 3 * 86_400_000 });
  expect(timeWords(day)).toBe("3 days a move");
  const blitz = timeControl({ bankMs: 180_000, incrementMs: 2_000 });
  expect(timeWords(blitz)).toBe("3 min each + 2 s a move");
  expect(timeWords(timeControl({ turnLimitMs: 86_400_000 }))).toBe("1 day a move");
  expect(timeWords(timeControl({ turnLimitMs: 90_000 }))).toBe("90 s a move");
  expect(timeWords(create(TimeControlSchema, { bank: { seconds: 0n, nanos: 0 } }))).toBe("");
});

test("a result without scores to compare tells none", () => {
  const reason = OutcomeReason.AGREEMENT;
  const drawn = create(OutcomeSchema, { winners: [], reason, scores: [0, 0] });
  expect(outcomeWords(drawn, ["Ada", "Bela"])).toBe("A draw: all agreed");
});
