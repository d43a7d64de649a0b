"""Every game has every place that `docs/adding-a-game.md` lists, and the service knows none."""

import re
from pathlib import Path

import pytest

from tablestate_service import engine
from tools.sources import ROOT

PLACE = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)
SERVICE = ROOT / "service/tablestate_service"


def places() -> list[str]:
    return PLACE.findall((ROOT / "docs/adding-a-game.md").read_text(encoding="utf-8"))


def names(path: Path, game: str) -> bool:
    """Whether a file speaks of a game, in whatever spelling: an_id, AType or a title."""
    return plain(game) in plain(path.read_text(encoding="utf-8"))


def plain(text: str) -> str:
    return re.sub("[ _]", "", text.lower())


@pytest.mark.parametrize("game", engine.games())
@pytest.mark.parametrize("place", [place for place in places() if "<game>" in place])
def test_every_game_has_a_place_of_its_own(game: str, place: str) -> None:
    assert list(ROOT.glob(place.replace("<game>", game)))


@pytest.mark.parametrize("game", engine.games())
@pytest.mark.parametrize("place", [place for place in places() if "<game>" not in place])
def test_every_game_is_named_where_all_games_are(game: str, place: str) -> None:
    assert names(ROOT / place, game)


def test_the_service_names_no_game() -> None:
    # The commands show a game in the examples of their help.
    modules = [path for path in SERVICE.rglob("*.py") if "cli" not in path.parts]
    naming = [
        f"{path.name}: {game}" for path in modules for game in engine.games() if names(path, game)
    ]
    assert modules
    assert naming == []
