import { Code } from "@connectrpc/connect";
import { DEFAULT_RETRY, NotFoundError, UnavailableError } from "@tablestate/client";
import { expect, test } from "vitest";
import { Backoff, StreamBackoff } from "../../src/retry.js";

/** A clock that the test moves, and chance that gives the longest pause. */
class FakeWorld {
  time = 0;
  now = () => this.time;
  random = () => 1;
}

const away = new UnavailableError("away", { code: Code.Unavailable });

test("pauses grow up to the longest", () => {
  const backoff = new Backoff(DEFAULT_RETRY, 60_000, new FakeWorld());
  const pauses = Array.from({ length: 8 }, () => backoff.delayAfter(away));
  expect(pauses).toEqual([50, 100, 200, 400, 800, 1600, 2000, 2000]);
});

test("pauses are jittered down to a half", () => {
  const world = new FakeWorld();
  world.random = () => 0;
  expect(new Backoff(DEFAULT_RETRY, 60_000, world).delayAfter(away)).toBe(25);
});

test("when the patience would be over the error is thrown", () => {
  const world = new FakeWorld();
  const backoff = new Backoff(DEFAULT_RETRY, 1000, world);
  world.time = 960;
  expect(() => backoff.delayAfter(away)).toThrow(away);
});

test("an error that no retry mends is thrown at once", () => {
  const lost = new NotFoundError("no such match", { code: Code.NotFound });
  const backoff = new Backoff(DEFAULT_RETRY, 1000, new FakeWorld());
  expect(() => backoff.delayAfter(lost)).toThrow(lost);
});

test("the patience of a stream counts from its break, if it had stood", () => {
  const world = new FakeWorld();
  const backoff = new StreamBackoff(DEFAULT_RETRY, world);
  backoff.open();
  world.time = 86_400_000;
  expect(backoff.delayAfter(away)).toBe(50);
  backoff.open();
  world.time += DEFAULT_RETRY.attemptTimeoutMs;
  expect(backoff.delayAfter(away)).toBe(100);
});
