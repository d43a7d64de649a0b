"""The recorded games: read from `tests/data/scenarios`, played by the engine, kept as files.

`tools/playthrough.py` writes them down for people, `tools/vectors.py` for programs.
"""

import hashlib
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeVar

from google.protobuf import json_format

from tablestate.v1.game_pb2 import ActionChoice, GameOptions
from tablestate_service import engine
from tablestate_service.domain import fairness
from tools.sources import ROOT

T = TypeVar("T")

DATA = ROOT / "tests/data"
SPECTATOR = "spectator"


class Scenario(NamedTuple):
    """A game to be recorded: a script, and after it the bots, until the game is over."""

    game: str
    name: str
    about: str
    players: tuple[str, ...]
    """The bot of each seat."""
    options: Mapping[str, Any]
    """The options that differ from their defaults, as in the game's options message."""
    script: tuple[str, ...]
    """The first actions, in notation."""

    @property
    def title(self) -> str:
        """The name of its files, without the ending."""
        return f"{self.game}-{self.name}"

    @property
    def match_id(self) -> str:
        """A match id that follows from the title."""
        return hashlib.sha256(f"match {self.title}".encode()).hexdigest()[:32]

    @property
    def secret(self) -> bytes:
        """A secret that follows from the title."""
        return hashlib.sha256(f"secret {self.title}".encode()).digest()

    def message(self) -> GameOptions:
        """The options as the creator of a match gives them."""
        options = GameOptions()
        return json_format.ParseDict({self.game: dict(self.options)}, options)


class Record(NamedTuple):
    """A scenario, played to its end."""

    scenario: Scenario
    setup: engine.Setup
    seed: bytes
    steps: tuple[engine.Step, ...]
    """The set-up and then every action; step p + 1 is the action at ply p."""

    def by_viewer(self, show: Callable[[int | None], T]) -> list[tuple[list[int | str], T]]:
        """What each viewer is shown; viewers who are shown the same share an item."""
        groups: list[tuple[list[int | str], T]] = []
        for viewer in (*range(self.setup.seats), None):
            shown, name = show(viewer), SPECTATOR if viewer is None else viewer
            for viewers, other in groups:
                if other == shown:
                    viewers.append(name)
                    break
            else:
                groups.append(([name], shown))
        return groups


def scenarios() -> list[Scenario]:
    """All scenarios, by game and in the order of their file."""
    return [
        Scenario(
            game=path.stem,
            name=name,
            about=table["about"],
            players=tuple(table["players"]),
            options=table.get("options", {}),
            script=tuple(table.get("script", "").split()),
        )
        for path in sorted((DATA / "scenarios").glob("*.toml"))
        for name, table in tomllib.loads(path.read_text(encoding="utf-8")).items()
    ]


def record(scenario: Scenario) -> Record:
    """Play a scenario; raises CoreError if an option or an action of the script is refused."""
    options = scenario.message().SerializeToString()
    setup = engine.validate_options(options)
    seed = fairness.seed(scenario.match_id, scenario.secret, [b""] * setup.seats)
    return Record(scenario, setup, seed, tuple(_steps(scenario, options, seed)))


def _steps(scenario: Scenario, options: bytes, seed: bytes) -> Iterator[engine.Step]:
    step = engine.GameState.start(options, seed)
    yield step
    ply = 0
    while (actor := step.state.actor) is not None:
        scripted = scenario.script[ply : ply + 1]
        bot = scenario.players[actor]
        notation = scripted[0] if scripted else step.state.choose(bot, seed, ply)
        choice = ActionChoice(notation=notation).SerializeToString()
        step = step.state.apply(choice, seed, ply + 1)
        yield step
        ply += 1


def keep(folder: str, ending: str, write_down: Callable[[Record], str]) -> int:
    """Bring a folder of `tests/data` in step, or with no `--write` say what is out of step.

    Returns the exit code.
    """
    files = {f"{each.title}{ending}": write_down(record(each)) for each in scenarios()}
    found = {path.name: path for path in (DATA / folder).glob(f"*{ending}")}
    stale = [
        name
        for name in sorted(files.keys() | found.keys())
        if name not in files or name not in found or found[name].read_text("utf-8") != files[name]
    ]
    print(f"{folder}: {len(files)} recorded games, {len(stale)} out of step", *stale)
    if "--write" not in sys.argv:
        return 1 if stale else 0
    for name in stale:
        if name in files:
            (DATA / folder / name).write_text(files[name], encoding="utf-8")
        else:
            found[name].unlink()
    return 0
