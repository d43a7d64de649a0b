"""The engine's Offboard as an `EngineUnderTest`."""

from __future__ import annotations

from tablestate.v1 import game_pb2, offboard_pb2
from tablestate_service import _core

from .common import Event, Outcome
from .engine import SEED, apply, outcome, refuse
from .offboard import Options
from .offboard_board import CELL_OF

DIRECTIONS = ("E", "NE", "NW", "W", "SW", "SE")
CELL_TEXTS = tuple(CELL_OF)


class Engine:
    """Offboard as the Rust core plays it."""

    def start(self, options: Options) -> _core.GameState:
        """Start a match; raises ValueError for a set-up that is refused."""
        message = offboard_pb2.OffboardOptions(
            points_to_win=options.points_to_win,
            quiet_limit=options.quiet_limit,
            position=options.position,
            target_values=options.target_values,
        )
        encoded = game_pb2.GameOptions(offboard=message).SerializeToString()
        try:
            return _core.GameState.start(encoded, SEED).state
        except _core.CoreError as error:
            refuse(error)

    def legal(self, state: _core.GameState) -> list[str]:
        """List the legal actions in notation."""
        return state.legal_notations()

    def apply(self, state: _core.GameState, notation: str) -> tuple[_core.GameState, list[Event]]:
        """Do an action; the end is told as an event, as the oracle tells it."""
        step = apply(state, notation)
        events = [read_event(event) for event in step.events(None)]
        ended = self.outcome(step.state)
        return step.state, events + ([("ENDED", ended.reason)] if ended else [])

    def position(self, state: _core.GameState) -> str:
        """Write the position."""
        return state.position

    def actor(self, state: _core.GameState) -> int | None:
        """Give the seat that must decide."""
        return state.actor

    def outcome(self, state: _core.GameState) -> Outcome | None:
        """Give the outcome."""
        return outcome(state, "offboard")

    def default_action(self, state: _core.GameState) -> str:
        """Give the default action."""
        return state.default_action()


def read_event(encoded: bytes) -> Event:
    """Read an event as the oracle's tuple."""
    event = game_pb2.GameEvent.FromString(encoded).offboard
    match event.WhichOneof("event"):
        case "moved":
            moved = event.moved
            direction = DIRECTIONS[moved.direction - 1]
            return (
                "MOVED",
                moved.seat,
                CELL_TEXTS[moved.tail],
                direction,
                moved.group,
                moved.pushed,
            )
        case "ejected":
            out = event.ejected
            way = (CELL_TEXTS[out.cell], DIRECTIONS[out.direction - 1])
            return ("EJECTED", out.owner, *way, out.target, out.scored)
        case "placed":
            return ("PLACED", event.placed.seat, CELL_TEXTS[event.placed.cell])
        case _:
            return ("DECLINED", event.declined.seat)
