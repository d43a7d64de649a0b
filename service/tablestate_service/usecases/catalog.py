"""What the server is and which games it plays."""

from collections.abc import Sequence

from tablestate_service.ports import Engine


async def get_server_info(engine: Engine) -> Sequence[str]:
    """The names of the games."""
    return engine.games()


async def list_games(engine: Engine, game: str | None) -> list[bytes]:
    """The `GameInfo` of one game or of all; refuses GAME_NOT_FOUND."""
    games = engine.games() if game is None else [game]
    return [engine.game_info(name) for name in games]
