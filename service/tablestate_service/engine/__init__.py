"""The games in one's own process: rules, chance, bots and batches without a service.

States and steps are made by the Rust core; `_core.pyi` describes them. `Batch` steps many games
over NumPy arrays, and `TreeSearch` searches from many at once with an evaluator of yours. Importing
this module loads neither gRPC nor NumPy; these two need NumPy, which the extra `engine` brings
(`pip install tablestate[engine]`).

>>> from tablestate_service.engine import Batch, games
>>> batch = Batch(games()[0], 256, seed=7, auto_reset=True)
>>> draws = np.random.default_rng(7)
>>> for _ in range(100):
...     batch.step(draws.integers(2**32, size=256, dtype=np.uint32), form="draw")
>>> batch.observations.shape
(256, 170)
"""

from typing import TYPE_CHECKING, Any

from tablestate_service._core import (
    Contest,
    CoreError,
    GameState,
    PlayoutTally,
    RankedAction,
    SearchReport,
    Setup,
    Step,
    Stop,
    bots,
    contests,
    default_options,
    game_info,
    games,
    playouts,
    search,
    seeds,
    validate_options,
)

if TYPE_CHECKING:
    from tablestate_service.engine.batch import Batch
    from tablestate_service.engine.tree_search import TreeSearch

__all__ = [
    "Batch",
    "Contest",
    "CoreError",
    "GameState",
    "PlayoutTally",
    "RankedAction",
    "SearchReport",
    "Setup",
    "Step",
    "Stop",
    "TreeSearch",
    "bots",
    "contests",
    "default_options",
    "game_info",
    "games",
    "playouts",
    "search",
    "seeds",
    "validate_options",
]


def __getattr__(name: str) -> Any:
    # NumPy is loaded by those alone who ask for what needs it.
    if name == "Batch":
        from tablestate_service.engine.batch import Batch

        return Batch
    if name == "TreeSearch":
        from tablestate_service.engine.tree_search import TreeSearch

        return TreeSearch
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
