"""What the server is and which games it plays."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from tablestate_service.ports import Engine


class StoreKind(IntEnum):
    """Where a server keeps matches; the numbers are those of the contract."""

    SQLITE = 1
    POSTGRESQL = 2


@dataclass(frozen=True, slots=True)
class Capacity:
    """What a server bears; see `ServerLimits` of the contract. Times are in seconds."""

    max_request_bytes: int
    max_watches: int
    max_concurrent_streams: int
    slow_reader_seconds: float
    max_simulations: int
    max_slots: int
    engine_calls: int
    engine_seconds: float


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """Which server this is. `start_time` is in nanoseconds since 1970."""

    version: str
    build: str
    start_time: int
    store: StoreKind
    capacity: Capacity
    has_feed: bool


async def get_server_info(engine: Engine) -> Sequence[str]:
    """The names of the games."""
    return engine.games()


async def list_games(engine: Engine, game: str | None, options: bytes | None) -> list[bytes]:
    """The `GameInfo` of one game or of all; with options that of theirs.

    Refuses GAME_NOT_FOUND, INVALID_OPTIONS.
    """
    if options is not None:
        return [engine.game_info_for(options)]
    games = engine.games() if game is None else [game]
    return [engine.game_info(name) for name in games]
