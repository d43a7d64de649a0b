"""Nothing is hidden in Offboard: it brings what everybody is due ("Everything is public")."""

import random
from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from secrecy.pairs import Changed, Draws, OpenPlay, Viewer
from tablestate.v1 import game_pb2, offboard_pb2
from tablestate_service import engine

Fields: TypeAlias = list[str]
"""The seven fields of a position: rows, actor, targets, scores, recovery, quiet turns, turn."""

FULL_TARGETS = "RRRRRRRRRRRR"
OTHER_COLOUR = str.maketrans("RYry", "YRyr")


class OffboardPairs(OpenPlay):
    """Fulfils `PairGenerator`."""

    game = "offboard"
    hidden = ()
    lasting = hidden
    not_observed = ("turn",)

    @property
    def due(self) -> tuple[str, ...]:
        """The fields, and what the history gives."""
        return (*FIELDS, "repetitions")

    def options(self, number: int) -> game_pb2.GameOptions:
        """The shortest games that can be won."""
        return game_pb2.GameOptions(
            offboard=offboard_pb2.OffboardOptions(points_to_win=1 + number % 2, quiet_limit=20)
        )

    def twin(
        self, truth: game_pb2.GameState, viewer: Viewer, chance: random.Random
    ) -> game_pb2.GameState:
        """There is no other state."""
        return truth

    def differing(self, left: game_pb2.GameState, right: game_pb2.GameState) -> set[str]:
        """No component is hidden."""
        return set()

    def is_fleeting(self, event: game_pb2.GameEvent) -> bool:
        """All that an event tells can be seen afterwards."""
        return False

    def start(
        self, options: game_pb2.GameOptions, viewer: Viewer, chance: random.Random
    ) -> Draws | None:
        """Nothing is drawn."""
        return Draws([], [])

    def draws(
        self,
        pair: tuple[game_pb2.GameState, game_pb2.GameState],
        viewer: Viewer,
        notation: str,
        chance: random.Random,
    ) -> Draws | None:
        """Nothing is drawn."""
        return Draws([], [])

    def probe(self, truth: game_pb2.GameState, chance: random.Random) -> bytes:
        """Any index."""
        return game_pb2.ActionChoice(index=chance.randrange(500)).SerializeToString()

    def changed(self, truth: game_pb2.GameState, viewer: Viewer) -> Iterator[Changed]:
        """One change of each field of the position; and the position once more in the history."""
        position = truth.offboard.position
        # Without the history, and with no end in reach.
        plain = [*position.split()[:3], "0-0", "-", "0", "1"]
        if FULL_TARGETS.lower() in plain[2].lower():
            return
        for name, change in FIELDS.items():
            fields = list(plain)
            change(fields)
            pair = [_begun(each) for each in (plain, fields)]
            if None not in pair:
                yield Changed(name, *(each for each in pair if each is not None))
        if len(truth.offboard.history) > 1:
            again = game_pb2.GameState()
            again.CopyFrom(truth)
            again.offboard.history[0].CopyFrom(truth.offboard.history[-1])
            yield Changed("repetitions", truth, again)


def _begun(fields: Fields) -> game_pb2.GameState | None:
    """A match that begins with a position; None where it would be over at once."""
    options = offboard_pb2.OffboardOptions(position=" ".join(fields), points_to_win=9)
    message = game_pb2.GameOptions(offboard=options).SerializeToString()
    try:
        begun = engine.GameState.start(message, bytes(32)).state
    except engine.CoreError:
        return None
    return game_pb2.GameState.FromString(begun.dump())


def _marbles(fields: Fields) -> None:
    fields[0] = fields[0].translate(OTHER_COLOUR)


def _actor(fields: Fields) -> None:
    fields[1] = fields[1].translate(OTHER_COLOUR)


def _targets(fields: Fields) -> None:
    place = fields[2].index(".")
    fields[2] = f"{fields[2][:place]}Y{fields[2][place + 1 :]}"


def _scores(fields: Fields) -> None:
    fields[3] = "0-2"


def _recovery(fields: Fields) -> None:
    fields[4] = fields[1]


def _quiet_turns(fields: Fields) -> None:
    fields[5] = "3"


def _turn(fields: Fields) -> None:
    fields[6] = "8"


FIELDS: Mapping[str, Callable[[Fields], None]] = {
    "marbles": _marbles,
    "whose turn it is": _actor,
    "targets": _targets,
    "scores": _scores,
    "recovery": _recovery,
    "quiet turns": _quiet_turns,
    "turn": _turn,
}
