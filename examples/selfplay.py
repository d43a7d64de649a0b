"""Learn Offboard by self-play through Simulate, with NumPy alone.

A network of one hidden layer plays both seats of a batch of games. After every few plies it is
told which of its actions turned out better than it had expected (advantage actor-critic), and
how strong it has become is measured against a player that picks among the legal actions at
random. README.md beside this file tells what comes of it.

    make run                                            # in one terminal
    .venv/bin/python examples/selfplay.py               # in another
    .venv/bin/python examples/selfplay.py --in-process  # or without a service
"""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

# One thread adds numbers in one order: the same seed gives the same run. It is read when NumPy
# is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Parameters = dict[str, Floats]

OVER, NO_ACTOR, NO_ACTION = 1, 255, 65535  # as batch.proto says
EVALUATION_GAMES = 400

# How wide the fields of an observation are (CatalogService.GetGame lists them), and what each is
# multiplied by, so that inputs are about 1. Limits and the seat are left out; `to_act`, the last
# but one, is always 1 here, so the network needs no other bias.
WIDTHS = (61, 61, 12, 12, 12, 2, 1, 2, 1, 1, 2, 1, 1, 1)
FACTORS = (1, 1, 1, 1, 1 / 3, 1 / 6, 0, 1, 1 / 100, 0, 0, 1, 1, 0)
SCALE = np.repeat(np.array(FACTORS, np.float32), WIDTHS)
OWN_SCORE, OTHER_SCORE = 158, 159
POINTS_TO_WIN = 6


class Batch(Protocol):
    """What is used of a batch: `tablestate`'s and `tablestate_service.engine`'s are alike."""

    actors: npt.NDArray[np.uint8]
    flags: npt.NDArray[np.uint8]
    returns: npt.NDArray[np.float32]
    observations: npt.NDArray[np.uint8]

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """The legal actions of each game."""

    def step(self, actions: npt.ArrayLike) -> None:
        """Take an action in each game."""


OpenBatch = Callable[..., Batch]
Point = tuple[int, float, float]
"""A measurement: changes of the network so far, seconds so far, share of games won."""


@dataclass(frozen=True)
class Settings:
    """What the run depends on."""

    seed: int = 1
    updates: int = 600  # changes of the network
    games: int = 256  # played at once
    plies: int = 16  # of each game between two changes
    hidden: int = 128
    learning_rate: float = 3e-3
    discount: float = 0.97  # what a point is worth a ply later
    trace: float = 0.9  # lambda of the generalized advantage estimate
    # What variety is worth, at first and at the end. With too little both sides soon repeat
    # themselves: draws, of which nothing can be learnt.
    entropy: tuple[float, float] = (0.2, 0.05)
    evaluations: int = 10  # how often the strength is measured after some changes


class Network:
    """Observation -> hidden layer -> probabilities of the legal actions, and expected return."""

    def __init__(self, inputs: int, hidden: int, actions: int, rng: np.random.Generator) -> None:
        """Make a network that picks uniformly, nearly, and expects nothing."""

        def noise(rows: int, columns: int, size: float) -> Floats:
            return (rng.standard_normal((rows, columns)) * size).astype(np.float32)

        self.weights: Parameters = {
            "hidden": noise(inputs, hidden, inputs**-0.5),
            "policy": noise(hidden, actions, 0.01 * hidden**-0.5),
            "value": np.zeros(hidden, np.float32),
        }
        self._mean = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self._square = {name: np.zeros_like(each) for name, each in self.weights.items()}
        self._changes = 0

    def __call__(self, inputs: Floats, legal: npt.NDArray[np.bool_]) -> tuple[Floats, ...]:
        """The hidden layer, the probabilities and the expected returns for the seats to act."""
        w = self.weights
        hidden = np.maximum(inputs @ w["hidden"], 0)
        policy = np.where(legal, hidden @ w["policy"], np.float32(-1e9))
        policy -= policy.max(axis=1, keepdims=True)
        np.exp(policy, out=policy)
        policy /= policy.sum(axis=1, keepdims=True)
        return hidden, policy, hidden @ w["value"]

    def descend(self, gradient: Parameters, rate: float) -> None:
        """Change the weights by one step of Adam, with the gradient's norm at most 0.5."""
        self._changes += 1
        norm = float(np.sqrt(sum(float(np.vdot(each, each)) for each in gradient.values())))
        shorter = min(1.0, 0.5 / (norm + 1e-12))
        for name, weight in self.weights.items():
            slope, mean, square = gradient[name] * shorter, self._mean[name], self._square[name]
            mean += 0.1 * (slope - mean)
            square += 0.01 * (slope * slope - square)
            size = np.sqrt(square / (1 - 0.99**self._changes)) + 1e-6
            weight -= rate / (1 - 0.9**self._changes) * mean / size


class Experience(NamedTuple):
    """Some plies of all games: each array has an item for each game of each ply."""

    inputs: Floats
    legal: npt.NDArray[np.bool_]
    actions: npt.NDArray[np.intp]
    values: Floats
    """What the seat to act expected; of one ply more than there are."""
    rewards: Floats
    """What the action brought that seat: its share of the points to win, or the return."""
    continuation: Floats
    """1 if the same seat acts next, -1 if the other does, 0 if the game is over."""


def inputs_of(batch: Batch) -> Floats:
    """What the network sees."""
    return batch.observations * SCALE


def lead_of(batch: Batch) -> Floats:
    """By how much of the points to win the seat to act is ahead."""
    scores = batch.observations[:, [OWN_SCORE, OTHER_SCORE]].astype(np.float32)
    return (scores[:, 0] - scores[:, 1]) / np.float32(POINTS_TO_WIN)


def pick(policy: Floats, rng: np.random.Generator) -> npt.NDArray[np.intp]:
    """An action of each row, with the row's probabilities."""
    sums = policy.cumsum(axis=1)
    chosen: npt.NDArray[np.intp] = (sums > rng.random((len(sums), 1)) * sums[:, -1:]).argmax(axis=1)
    return chosen


def play(batch: Batch, network: Network, plies: int, rng: np.random.Generator) -> Experience:
    """Play on in all games, both seats by the network."""
    rows = []
    everyone = np.arange(len(batch.actors))
    for _ in range(plies):
        # In one's own process a step overwrites the arrays, so what must last is copied.
        actors, inputs = batch.actors.copy(), inputs_of(batch)
        legal, lead = batch.legal, lead_of(batch)
        _, policy, values = network(inputs, legal)
        actions = pick(policy, rng)
        batch.step(actions)
        sign = np.where(batch.actors == actors, np.float32(1), np.float32(-1))
        over = batch.flags & OVER != 0
        rewards = np.where(over, batch.returns[everyone, actors], sign * lead_of(batch) - lead)
        rows.append((inputs, legal, actions, values, rewards, np.where(over, 0, sign)))
    inputs, legal, actions, values, rewards, continuation = map(np.stack, zip(*rows, strict=True))
    last = network(inputs_of(batch), batch.legal)[2]
    values = np.concatenate((values, last[np.newaxis]))
    return Experience(inputs, legal, actions, values, rewards, continuation)


def advantages(seen: Experience, settings: Settings) -> Floats:
    """How much better each action turned out than expected, judged by all that came after it."""
    better = np.empty_like(seen.rewards)
    later = np.zeros_like(seen.rewards[0])
    for ply in reversed(range(len(better))):
        ahead = settings.discount * seen.continuation[ply]
        surprise = seen.rewards[ply] + ahead * seen.values[ply + 1] - seen.values[ply]
        later = better[ply] = surprise + settings.trace * ahead * later
    return better


def gradient(network: Network, seen: Experience, better: Floats, entropy: float) -> Parameters:
    """The slope of the loss: of actions by advantage, of wrong expectations, less variety."""
    count = better.size
    inputs, legal = seen.inputs.reshape(count, -1), seen.legal.reshape(count, -1)
    hidden, policy, values = network(inputs, legal)
    wrong = (values - (better + seen.values[:-1]).ravel()) / (2 * count)
    weight = ((better - better.mean()) / (better.std() + 1e-6)).reshape(count, 1)
    surprisal = np.log(policy + np.float32(1e-20))
    variety = (policy * surprisal).sum(axis=1, keepdims=True)
    slope = policy * (weight + np.float32(entropy) * (surprisal - variety))
    slope[np.arange(count), seen.actions.ravel()] -= weight[:, 0]
    slope /= count
    weights = network.weights
    below = (slope @ weights["policy"].T + np.outer(wrong, weights["value"])) * (hidden > 0)
    return {"hidden": inputs.T @ below, "policy": hidden.T @ slope, "value": hidden.T @ wrong}


def rate_against_random(network: Network, open_batch: OpenBatch, seed: int) -> float:
    """The share of games that the network wins, a draw as a half.

    In every second game it has the other seat. It prefers likely actions more than it does when
    it learns, but not the likeliest alone: that would shuffle to and fro where it is unsure.
    """
    rng = np.random.default_rng(seed)
    batch = open_batch("offboard", EVALUATION_GAMES, seed=seed)
    everyone = np.arange(EVALUATION_GAMES)
    seats = everyone % 2
    while (batch.actors != NO_ACTOR).any():
        legal = batch.legal
        policy = network(inputs_of(batch), legal)[1] ** 2
        actions = pick(np.where((batch.actors == seats)[:, np.newaxis], policy, legal), rng)
        batch.step(np.where(batch.actors == NO_ACTOR, NO_ACTION, actions))
    return float(0.5 + 0.5 * batch.returns[everyone, seats].mean())


def learn(open_batch: OpenBatch, settings: Settings) -> Iterator[Point]:
    """Learn, and measure the strength before, now and then, and after."""
    rng = np.random.default_rng(settings.seed)
    begun = time.monotonic()
    batch = open_batch("offboard", settings.games, seed=settings.seed, auto_reset=True)
    network = Network(len(SCALE), settings.hidden, batch.legal.shape[1], rng)
    marks = np.linspace(0, settings.updates, settings.evaluations + 1).astype(int)
    for update in range(settings.updates + 1):
        if update in marks:
            rate = rate_against_random(network, open_batch, settings.seed + 1)
            yield update, time.monotonic() - begun, rate
        if update < settings.updates:
            seen = play(batch, network, settings.plies, rng)
            entropy = float(np.interp(update, (0, settings.updates), settings.entropy))
            slope = gradient(network, seen, advantages(seen, settings), entropy)
            network.descend(slope, settings.learning_rate)


def plot(points: list[Point]) -> str:
    """The curve as an SVG image: changes to the right, 40 to 100 % upwards."""
    last = points[-1][0]
    spots = [(60 + 560 * updates / last, 520 - 500 * rate) for updates, _, rate in points]
    curve = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    svg = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 370" font-family="sans-serif">
<rect width="640" height="370" fill="white"/>
"""
    for percent in range(40, 101, 10):
        y = 520 - 5 * percent
        svg += f'<path d="M60,{y} H620" stroke="#ccc"/>'
        svg += f'<text x="52" y="{y + 5}" font-size="13" text-anchor="end">{percent} %</text>\n'
    for x, y, words in ((60, 340, "0"), (620, 340, last), (340, 340, "changes")):
        svg += f'<text x="{x}" y="{y}" font-size="13" text-anchor="middle">{words}</text>\n'
    svg += '<text x="60" y="362" font-size="13">won against random play, draws as halves</text>\n'
    svg += f'<polyline points="{curve}" fill="none" stroke="#05b" stroke-width="2.5"/>\n'
    return svg + "</svg>\n"


@contextlib.contextmanager
def opener(target: str | None) -> Iterator[OpenBatch]:
    """What opens batches: of the service at a target, or in this process for None."""
    if target is None:
        from tablestate_service import engine

        yield engine.Batch
    else:
        import tablestate

        with tablestate.Client(target) as client, client.simulation() as simulation:
            yield simulation.batch


def main() -> None:
    """Learn, print the strength as it grows, and draw the curve."""
    parser = argparse.ArgumentParser(description="Learn Offboard by self-play.")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--target", default="127.0.0.1:50051", help="the service's host:port")
    where.add_argument("--in-process", action="store_true", help="use no service")
    parser.add_argument("--seed", type=int, default=Settings.seed)
    parser.add_argument("--updates", type=int, default=Settings.updates)
    parser.add_argument("--evaluations", type=int, default=Settings.evaluations)
    parser.add_argument("--plot", type=Path, help="where to write the curve, an SVG file")
    chosen = parser.parse_args()
    settings = Settings(chosen.seed, chosen.updates, evaluations=chosen.evaluations)
    points = []
    with opener(None if chosen.in_process else chosen.target) as open_batch:
        for point in learn(open_batch, settings):
            points.append(point)
            print("{:5} updates {:6.1f} s {:7.2%}".format(*point), flush=True)
    if chosen.plot:
        chosen.plot.write_text(plot(points), encoding="utf-8")


if __name__ == "__main__":
    main()
