"""The games of the Rust core, for matches."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from tablestate.v1.game_pb2 import GameInfo
from tablestate_service import _core
from tablestate_service.domain.errors import DomainError, Reason, Violation, game_not_found
from tablestate_service.domain.game import GameState, Step
from tablestate_service.ports import GameSetup

T = TypeVar("T")

_NOTATION_TAG = b"\x12"
"""Field 2, `notation`, of `ActionChoice`."""


class CoreEngine:
    """Hands everything to the core as it is."""

    def __init__(self) -> None:
        """Read once what does not change."""
        self._games = _core.games()
        self._bots = {game: _core.bots(game) for game in self._games}
        self._infos = {game: _core.game_info(game) for game in self._games}
        self._rules_versions = {
            game: GameInfo.FromString(info).rules_version for game, info in self._infos.items()
        }

    def games(self) -> Sequence[str]:
        """The names of the games, in alphabetical order."""
        return self._games

    def game_info(self, game: str) -> bytes:
        """The `GameInfo` of a game; refuses GAME_NOT_FOUND."""
        return _known(self._infos, game)

    def game_info_for(self, options: bytes) -> bytes:
        """The `GameInfo` of the game of a `GameOptions`; raises the core's INVALID_OPTIONS."""
        return _core.game_info_for(options)

    def bots(self, game: str) -> Sequence[str]:
        """The bots that play a game; refuses GAME_NOT_FOUND."""
        return _known(self._bots, game)

    def rules_version(self, game: str) -> int:
        """The version of a game's rules; refuses GAME_NOT_FOUND."""
        return _known(self._rules_versions, game)

    def validate_options(self, options: bytes) -> GameSetup:
        """Check a `GameOptions`; raises the core's INVALID_OPTIONS with every fault."""
        setup = _core.validate_options(options)
        return GameSetup(setup.game, setup.seats, setup.rules_version, setup.options)

    def choice(self, notation: str) -> bytes:
        """An `ActionChoice` by notation, which is always shorter than 128 bytes."""
        text = notation.encode()
        return _NOTATION_TAG + bytes((len(text),)) + text

    def start(self, options: bytes, seed: bytes) -> Step:
        """Set a game up."""
        return _core.GameState.start(options, seed)

    def replay_start(self, options: bytes, draws: Sequence[int]) -> Step:
        """Set a game up from stored draws."""
        return _core.GameState.replay_start(options, draws)

    def restore(self, state: bytes) -> GameState:
        """The position of a `GameState`; raises the core's INVALID_FIELD if it is none."""
        return _core.GameState.load(state)

    def refusal(self, error: BaseException) -> DomainError | None:
        """The refusal that an error of the core stands for; None if it is a fault."""
        if not isinstance(error, _core.CoreError):
            return None
        metadata = {"rule": error.rule, "action": error.action}
        given = {key: value for key, value in metadata.items() if value is not None}
        violations = [Violation(*violation) for violation in error.violations]
        return DomainError(Reason[error.reason], str(error), given, violations)


def _known(table: Mapping[str, T], game: str) -> T:
    found = table.get(game)
    if found is None:
        raise game_not_found(game)
    return found
