"""A tiny game in place of the core: count to a goal, and whoever says it wins.

Seats take turns; the actor adds 1, 2 or 3. Each action draws a value that changes
nothing, so that draws are stored. It speaks the wire form of Offboard, with the sum
as the position, so that answers can be read by any client.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from tablestate.v1 import game_pb2, offboard_pb2
from tablestate_service.domain.errors import DomainError, Reason, Violation, game_not_found
from tablestate_service.ports import GameSetup

GAME = "offboard"
RULES_VERSION = 1
DEFAULT_GOAL = 6


def _bound(notation: str) -> int:
    """How many values a draw can have: chance has no choice where 1 is added."""
    return 1 if notation == "1" else 256


class FakeCoreError(Exception):
    """What the fake raises where the core raises its own error."""

    def __init__(self, reason: str, field: str = "") -> None:
        super().__init__(f"refused: {reason}")
        self.reason = reason
        self.violations = [(field, "", "something else")] if field else []


class FakePanicError(BaseException):
    """Like a panic of the core: no Exception."""


@dataclass(frozen=True)
class FakeState:
    seats: int
    goal: int
    total: int = 0
    turn: int = 0
    forfeited: tuple[int, ...] = ()

    @property
    def hides_nothing(self) -> bool:
        """Odd sums are hidden."""
        return self.total % 2 == 0

    def dump(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    @property
    def is_over(self) -> bool:
        return self.total >= self.goal

    @property
    def actor(self) -> int | None:
        return None if self.is_over else self.turn % self.seats

    def apply(self, choice: bytes, seed: bytes, stream: int) -> "FakeStep":
        notation = game_pb2.ActionChoice.FromString(choice).notation
        if notation == "panic":
            raise FakePanicError("the core panics and mentions a secret")
        if notation not in ("1", "2", "3"):
            raise FakeCoreError("ILLEGAL_ACTION")
        drawn = hashlib.sha256(seed + bytes([stream % 256])).digest()[0]
        return self.replay(notation, [drawn % _bound(notation)])

    def replay(self, notation: str, draws: Sequence[int]) -> "FakeStep":
        state = replace(self, total=self.total + int(notation), turn=self.turn + 1)
        return FakeStep(state, notation, list(draws))

    def forfeit(self, seat: int) -> "FakeState":
        return replace(self, forfeited=(*self.forfeited, seat))

    def outcome(self, forfeited: Sequence[int] = ()) -> bytes | None:
        left_in = [seat for seat in range(self.seats) if seat not in forfeited]
        if self.is_over:
            winner = (self.turn - 1) % self.seats
            reason = game_pb2.OUTCOME_REASON_OFFBOARD_POINTS
        elif len(left_in) == 1:
            winner, reason = left_in[0], game_pb2.OUTCOME_REASON_FORFEIT
        else:
            return None
        return game_pb2.Outcome(winners=[winner], reason=reason).SerializeToString()

    def agreed_draw(self, forfeited: Sequence[int]) -> bytes:
        left_in = [seat for seat in range(self.seats) if seat not in forfeited]
        winners = left_in if forfeited else []
        reason = game_pb2.OUTCOME_REASON_AGREEMENT
        return game_pb2.Outcome(winners=winners, reason=reason).SerializeToString()

    def legal_actions(self) -> bytes:
        names = ["1", "2", "3"]
        actions = [game_pb2.LegalAction(index=i, notation=name) for i, name in enumerate(names)]
        return game_pb2.LegalActions(actions=actions, mask=b"\x07").SerializeToString()

    def view(self, viewer: int | None) -> bytes:
        board = offboard_pb2.OffboardView(position=f"{self.total} for {viewer}")
        return game_pb2.GameView(offboard=board).SerializeToString()

    def observation(self, viewer: int | None) -> bytes:
        return bytes([self.total])

    def default_action(self) -> str:
        return "1"

    def choose(self, bot: str, seed: bytes, ply: int) -> str:
        return "2"


@dataclass(frozen=True)
class FakeStep:
    state: FakeState
    notation: str
    draws: list[int]

    @property
    def draw_bounds(self) -> list[int]:
        return [_bound(self.notation)] * len(self.draws)

    def events(self, viewer: int | None) -> list[bytes]:
        if not self.notation:
            return []
        moved = offboard_pb2.OffboardMoved(group=int(self.notation))
        event = game_pb2.GameEvent(offboard=offboard_pb2.OffboardEvent(moved=moved))
        return [event.SerializeToString()]


class FakeEngine:
    """Fulfils `Engine`. The number of seats is a setting of the test."""

    def __init__(self, seats: int = 2) -> None:
        self.seats = seats

    def games(self) -> Sequence[str]:
        return [GAME]

    def game_info(self, game: str) -> bytes:
        return game_pb2.GameInfo(
            game=game, rules_version=self.rules_version(game)
        ).SerializeToString()

    def game_info_for(self, options: bytes) -> bytes:
        return self.game_info(self.validate_options(options).game)

    def bots(self, game: str) -> Sequence[str]:
        return ["greedy", "random"]

    def rules_version(self, game: str) -> int:
        if game != GAME:
            raise game_not_found(game)
        return RULES_VERSION

    def validate_options(self, options: bytes) -> GameSetup:
        given = game_pb2.GameOptions.FromString(options).offboard
        goal = given.points_to_win if given.HasField("points_to_win") else DEFAULT_GOAL
        if not 1 <= goal <= 10_000:
            raise FakeCoreError("INVALID_OPTIONS", "points_to_win")
        filled = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=goal))
        return GameSetup(GAME, self.seats, RULES_VERSION, filled.SerializeToString())

    def choice(self, notation: str) -> bytes:
        return game_pb2.ActionChoice(notation=notation).SerializeToString()

    def start(self, options: bytes, seed: bytes) -> FakeStep:
        return self.replay_start(options, [seed[0]])

    def replay_start(self, options: bytes, draws: Sequence[int]) -> FakeStep:
        goal = game_pb2.GameOptions.FromString(options).offboard.points_to_win
        return FakeStep(FakeState(self.seats, goal), "", list(draws))

    def restore(self, state: bytes) -> FakeState:
        fields = json.loads(state)
        return FakeState(**{**fields, "forfeited": tuple(fields["forfeited"])})

    def refusal(self, error: BaseException) -> DomainError | None:
        if not isinstance(error, FakeCoreError):
            return None
        violations = [Violation(*each) for each in error.violations]
        return DomainError(Reason[error.reason], str(error), violations=violations)
