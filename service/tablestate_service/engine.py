"""The games in one's own process: rules, chance and bots without a service.

Everything here is made by the Rust core; `_core.pyi` describes it. Importing this module
loads no gRPC.
"""

from tablestate_service._core import (
    CoreError,
    GameState,
    Setup,
    Step,
    bots,
    game_info,
    games,
    perft,
    validate_options,
)

__all__ = [
    "CoreError",
    "GameState",
    "Setup",
    "Step",
    "bots",
    "game_info",
    "games",
    "perft",
    "validate_options",
]
