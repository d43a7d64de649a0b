"""Write positions of all games for the boards of the page: its tests and its gallery.

`python -m tools.board_fixtures` plays games of bots with fixed seeds and keeps, of each kind of
decision, a position with much on the table. A position is a `MatchUpdate` as a watcher gets it,
with its view, legal actions and events, and the match's `GameOptions`, both in base64.
"""

import base64
import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from tablestate.v1.game_pb2 import (
    ActionChoice,
    GameEvent,
    GameOptions,
    GameView,
    LegalAction,
    LegalActions,
    Outcome,
)
from tablestate.v1.match_pb2 import MatchPhase, MatchUpdate
from tablestate.v1.off_the_rails_pb2 import OffTheRailsView
from tablestate_service.engine import GameState, Step

TARGET = Path(__file__).parent.parent / "clients/web/src/boards/fixtures"


BUILDING = ("place_track", "upgrade", "place_cart", "speed")
"""The actions of Off the Rails that change the ways of carts."""


@dataclass(frozen=True)
class Series:
    """Games of one setting, from which positions are kept."""

    name: str
    options: dict[str, Any]
    wanted: str
    """Kinds of decisions, as `kind_of` names them, split by spaces."""
    bot: str = "greedy"
    games: int = 12
    spectated: str = ""
    """Kinds of which a spectator's view is kept instead of the actor's."""
    earliest: int = 0
    latest: int = 10_000
    """The first and the last ply to keep."""


SERIES = (
    Series("start", {"offboard": {}}, "move", games=1, latest=0),
    Series("duel", {"offboard": {}}, "move place", earliest=40),
    Series("end", {"offboard": {"points_to_win": 12}}, "over", spectated="over"),
    Series("start", {"offtrack": {}}, "main", games=1, latest=0),
    Series("two", {"offtrack": {}}, "held main offer drawn over", spectated="over", earliest=30),
    Series(
        "four",
        {"offtrack": {"seats": 4, "decks": 2, "max_branches": 4}},
        "held main drawn",
        bot="random",
        earliest=60,
    ),
    Series("watched", {"offtrack": {"seats": 3}}, "main", spectated="main", earliest=60),
    Series("two", {"eternitium": {}}, "take_basic portal play technology"),
    Series("refit", {"eternitium": {}}, "refit put_on_top", bot="random", games=30),
    Series("five", {"eternitium": {"seats": 5}}, "play technology over", spectated="over"),
    Series("two", {"off_the_rails": {}}, "actions first take face token over", spectated="over"),
    Series(
        "four",
        {"off_the_rails": {"seats": 4, "board": "OFF_THE_RAILS_BOARD_AISLE", "missions": True}},
        "actions odd split hand turn_active turn_opposing claim",
        games=60,
    ),
)


@dataclass
class Found:
    """The best position so far of one kind of decision."""

    weight: int
    step: Step
    ply: int
    options: bytes = field(repr=False)


def kind_of(view: GameView, over: bool) -> str:
    """Name what is to be decided."""
    if over:
        return "over"
    game = view.WhichOneof("game")
    if game == "offboard":
        return "place" if view.offboard.HasField("recovering") else "move"
    content = getattr(view, str(game))
    step = content.table.step if game == "off_the_rails" else content.step
    names = content.DESCRIPTOR.file.enum_types_by_name
    enum = next(enum for name, enum in names.items() if name.endswith("Step"))
    prefix = {"offtrack": "OFF_TRACK", "eternitium": "ETERNITIUM"}.get(str(game), "OFF_THE_RAILS")
    return str(enum.values_by_number[step].name.removeprefix(f"{prefix}_STEP_").lower())


def fixture(series: Series, kind: str, found: Found) -> dict[str, Any]:
    """One position as the page gets it."""
    state = found.step.state
    viewer = None if kind in series.spectated.split() else state.actor
    outcome = state.outcome()
    update = MatchUpdate(
        ply=found.ply,
        actors=[] if state.actor is None else [state.actor],
        phase=MatchPhase.MATCH_PHASE_OVER if outcome else MatchPhase.MATCH_PHASE_RUNNING,
        events=[GameEvent.FromString(event) for event in found.step.events(viewer)],
        view=GameView.FromString(state.view(viewer)),
    )
    if outcome:
        update.outcome.MergeFrom(Outcome.FromString(outcome))
    if viewer is not None:
        update.legal_actions.actions.extend(LegalActions.FromString(state.legal_actions()).actions)
    return {
        "name": f"{series.name}: {kind}",
        "viewer": viewer,
        "options": _text(found.options),
        "update": _text(update.SerializeToString(deterministic=True)),
    }


def positions(series: Series) -> Iterator[dict[str, Any]]:
    """Play the games of a series, and give the positions that are wanted."""
    wanted = series.wanted.split()
    options = _options(series)
    best: dict[str, Found] = {}
    for game in range(series.games):
        for ply, step in _game(series, options, game):
            view = GameView.FromString(step.state.view(step.state.actor))
            kind = kind_of(view, step.state.actor is None)
            weight = len(step.state.view(step.state.actor)) + len(step.events(None))
            held = best.get(kind)
            if series.earliest <= ply <= series.latest and (held is None or weight > held.weight):
                best[kind] = Found(weight, step, ply, options)
    for kind in wanted:
        if kind not in best:
            raise SystemExit(f"no {kind}, but {sorted(best)}, in the games of {series}")
        yield fixture(series, kind, best[kind])


def previews() -> Iterator[dict[str, Any]]:
    """Actions of Off the Rails with the ways of the carts that they bring."""
    chosen = random.Random(1)
    series = next(series for series in SERIES if "off_the_rails" in series.options)
    kept = Counter[str]()
    for game in range(series.games):
        for _, step in _game(series, _options(series), game):
            view = GameView.FromString(step.state.view(None))
            legal = LegalActions.FromString(step.state.legal_actions()).actions
            building = [act for act in legal if _kind(act) in BUILDING and kept[_kind(act)] < 8]
            # With the fourth action the carts move.
            if view.off_the_rails.table.actions_taken == 3 or chosen.random() < 0.9:
                continue
            for action in chosen.sample(building, min(1, len(building))):
                kept[_kind(action)] += 1
                yield _preview(step, view, action)


def _preview(step: Step, view: GameView, action: LegalAction) -> dict[str, Any]:
    then = step.state.apply(_choice(action.notation), bytes(32), 1).state.view(None)
    after = GameView.FromString(then).off_the_rails
    return {
        "notation": action.notation,
        "seat": step.state.actor,
        "before": _text(view.SerializeToString(deterministic=True)),
        "action": _text(action.action.SerializeToString(deterministic=True)),
        "after": _text(OffTheRailsView(preview=after.preview).SerializeToString()),
    }


def _kind(action: LegalAction) -> str:
    return str(action.action.off_the_rails.WhichOneof("action"))


def _options(series: Series) -> bytes:
    return json_format.ParseDict(series.options, GameOptions()).SerializeToString()


def _game(series: Series, options: bytes, number: int) -> Iterator[tuple[int, Step]]:
    seed = hashlib.sha256(f"{series.name} {series.options} {number}".encode()).digest()
    step = GameState.start(options, seed)
    ply = 0
    yield ply, step
    while step.state.actor is not None:
        notation = step.state.choose(series.bot, seed, ply)
        step = step.state.apply(_choice(notation), seed, ply + 1)
        ply += 1
        yield ply, step


def _choice(notation: str) -> bytes:
    return ActionChoice(notation=notation).SerializeToString()


def _text(message: bytes) -> str:
    return base64.b64encode(message).decode()


def main() -> None:
    """Write a file for each game."""
    files: dict[str, list[dict[str, Any]]] = {}
    for series in SERIES:
        (game,) = series.options
        files.setdefault(game, []).extend(positions(series))
    TARGET.mkdir(parents=True, exist_ok=True)
    files["previews"] = list(previews())
    for name, content in files.items():
        text = json.dumps(content, indent=2) + "\n"
        (TARGET / f"{name}.json").write_text(text)


if __name__ == "__main__":
    main()
