"""Leaves of a search, what an evaluator says of them, and what was found, as NumPy arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tablestate import _arguments as arguments
from tablestate._arguments import refusal
from tablestate._content import game_options
from tablestate.v1 import evaluate_pb2 as pb
from tablestate.v1.batch_pb2 import BatchShape
from tablestate.v1.game_pb2 import GameOptions, GameState, GameView

_MOST_PRIORS = 512 * 1024
"""Bytes in a message: with its values it must not be longer than servers take."""


class Leaves:
    """Positions that a search asks about. The arrays cannot be written to.

    All of them are imagined: drawn from what the root's seat sees. An observation tells what the
    leaf's actor would see there, and nothing of what others hold in truth.

    `roots`         (n,) uint32: the number of the leaf's root, rising
    `actors`        (n,) uint8: the seat that must decide
    `masks`         (n, mask_bytes) uint8: bit i = index i, least significant first
    `observations`  (n, observation_bytes) uint8: of the actor
    `legal`         (n, action_count) bool: the masks, unpacked
    """

    def __init__(self, leaves: pb.Leaves, shape: BatchShape) -> None:
        """Made by `leaves()` of a search."""
        self.roots: npt.NDArray[np.uint32] = np.frombuffer(leaves.roots, "<u4")
        self.actors: npt.NDArray[np.uint8] = np.frombuffer(leaves.actors, np.uint8)
        self.masks: npt.NDArray[np.uint8] = _rows(leaves.masks, np.uint8, shape.mask_bytes)
        self.observations: npt.NDArray[np.uint8] = _rows(
            leaves.observations, np.uint8, shape.observation_bytes
        )
        bits = np.unpackbits(self.masks, axis=1, count=shape.actions, bitorder="little")
        self.legal: npt.NDArray[np.bool_] = bits.view(np.bool_)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.roots)


class Found:
    """What a search has found."""

    def __init__(self, report: pb.EvaluateReport, shape: BatchShape) -> None:
        """Read a report."""
        self.visits: npt.NDArray[np.uint32] = _rows(report.visits, "<u4", shape.actions)
        self.values: npt.NDArray[np.float32] = _rows(report.values, "<f4", shape.actions)
        self.returns: npt.NDArray[np.float32] = _rows(report.returns, "<f4", shape.seats)
        self.lines = [list(line.actions) for line in report.lines]


Roots: TypeAlias = tuple[
    str | GameOptions | None, Sequence[GameView], Sequence[int], Sequence[GameState]
]
"""The game, views, their seats, and full states."""
Settings: TypeAlias = tuple[int, int, float, int]
"""Simulations, leaves, exploration and seed."""


def opening(begin: Roots, settings: Settings) -> pb.EvaluateRequest:
    """Return the first request; raises InvalidArgumentError for what cannot be sent."""
    game, views, seats, states = begin
    simulations, leaves, exploration, seed = settings
    if bool(views) == bool(states):
        raise refusal("views, states", "both" if views else "none", "one of them")
    if len(views) != len(seats):
        raise refusal("seats", f"{len(seats)} of them", f"one for each of {len(views)} views")
    if views and game is None:
        raise refusal("game", None, "the game or its options, for views")
    roots = [
        arguments.message(pb.SearchRoot, view=view, seat=seat)
        for view, seat in zip(views, seats, strict=True)
    ]
    roots += [arguments.message(pb.SearchRoot, state=state) for state in states]
    options = game_options(game, None) if isinstance(game, str) else game
    opened = arguments.message(
        pb.OpenEvaluate,
        options=options,
        roots=roots,
        simulations=simulations,
        leaves=leaves,
        exploration=exploration,
        seed=seed,
    )
    return pb.EvaluateRequest(open=opened)


def answers(
    leaves: Leaves, shape: BatchShape, priors: npt.ArrayLike, values: npt.ArrayLike
) -> Iterator[pb.EvaluateRequest]:
    """Give the messages of the answers to leaves; raises InvalidArgumentError for other shapes."""
    size = len(leaves)
    given = _floats("priors", priors, [(size, shape.actions)])
    told = _floats("values", values, [(size,), (size, shape.seats)])
    # Of the legal actions alone, leaf by leaf: it is all that the server reads.
    rest, last = memoryview(given[leaves.legal].tobytes()), told.tobytes()
    while len(rest) > _MOST_PRIORS:
        part = pb.LeafAnswers(priors=bytes(rest[:_MOST_PRIORS]), more=True)
        rest = rest[_MOST_PRIORS:]
        yield pb.EvaluateRequest(answers=part)
    yield pb.EvaluateRequest(answers=pb.LeafAnswers(priors=bytes(rest), values=last))


def _rows(content: bytes, dtype: npt.DTypeLike, width: int) -> Any:
    return np.frombuffer(content, dtype).reshape(-1, width)


def _floats(
    name: str, given: npt.ArrayLike, shapes: Sequence[tuple[int, ...]]
) -> npt.NDArray[np.float32]:
    numbers = np.asarray(given)
    if numbers.shape not in shapes:
        expected = " or ".join(str(shape) for shape in shapes)
        raise refusal(name, numbers.shape, f"an array of the shape {expected}")
    if numbers.dtype.kind not in "fiu":
        raise refusal(name, numbers.dtype, "numbers")
    return numbers.astype("<f4", copy=False)
