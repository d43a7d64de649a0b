"""Position pairs: two full states that differ only in what a viewer may not know.

A game brings a `PairGenerator`, written from "Who sees what" of its rules over the full-state
message alone: neither views nor determinizations are asked, since these are what is tested.
"""

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from tablestate.v1 import game_pb2

Viewer: TypeAlias = int | None
"""A seat, or None for a spectator."""


class Draws(NamedTuple):
    """What chance gives in the two states, so that the viewer gets to see the same."""

    left: list[int]
    right: list[int]


class Changed(NamedTuple):
    """Two states that differ in one thing, and the name of that thing."""

    component: str
    left: game_pb2.GameState
    right: game_pb2.GameState


class PairGenerator(Protocol):
    """What a game brings to the battery."""

    def __hash__(self) -> int:
        """So that what was made with it can be kept."""

    @property
    def game(self) -> str:
        """The game's name in requests."""

    @property
    def hidden(self) -> Sequence[str]:
        """The names of the hidden components: each has to differ in many pairs."""

    @property
    def lasting(self) -> Sequence[str]:
        """Those of `hidden` that may differ over whole games; the others come to light in time."""

    @property
    def due(self) -> Sequence[str]:
        """The names of the components that some viewer is due."""

    @property
    def not_observed(self) -> Sequence[str]:
        """Those of `due` that a view shows and an observation does not."""

    def options(self, number: int) -> game_pb2.GameOptions:
        """Options of many kinds of short games; `number` says which."""

    def begin(self, number: int) -> game_pb2.GameState | None:
        """Where that game begins if not with its set-up."""

    def choose(self, notations: Sequence[str], chance: random.Random) -> str:
        """One of the legal actions, for a game that is played."""

    def alike(self, truth: game_pb2.GameState, viewer: Viewer) -> Sequence[str]:
        """Legal actions that the viewer cannot tell from each other, if there are any."""

    def twin(
        self, truth: game_pb2.GameState, viewer: Viewer, chance: random.Random
    ) -> game_pb2.GameState:
        """Another state that the viewer cannot tell from this one, drawn at random."""

    def differing(self, left: game_pb2.GameState, right: game_pb2.GameState) -> set[str]:
        """The hidden components in which two states differ."""

    def is_fleeting(self, event: game_pb2.GameEvent) -> bool:
        """Whether an event may tell of what no view shows: a card shown and gone again."""

    def start(
        self, options: game_pb2.GameOptions, viewer: Viewer, chance: random.Random
    ) -> Draws | None:
        """Draws of two set-ups that show the viewer the same."""

    def draws(
        self,
        pair: tuple[game_pb2.GameState, game_pb2.GameState],
        viewer: Viewer,
        notation: str,
        chance: random.Random,
    ) -> Draws | None:
        """Draws for an action that is legal in both states, so that it shows the viewer the same.

        None if it brings different things to light in the two, whatever is drawn.
        """

    def probe(self, truth: game_pb2.GameState, chance: random.Random) -> bytes:
        """An `ActionChoice` that a seat may try; most are not legal."""

    def changed(self, truth: game_pb2.GameState, viewer: Viewer) -> Iterator[Changed]:
        """Pairs like this state that differ in one thing that the viewer is due."""


class OpenPlay:
    """What holds for a game whose secrets come about in any play, and whose actions are public."""

    def begin(self, number: int) -> game_pb2.GameState | None:
        """With the set-up."""
        return None

    def choose(self, notations: Sequence[str], chance: random.Random) -> str:
        """Each as likely as another."""
        return chance.choice(notations)

    def alike(self, truth: game_pb2.GameState, viewer: Viewer) -> Sequence[str]:
        """None: everybody sees what is done."""
        return ()
