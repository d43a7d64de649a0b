"""Write down random games as OpenSpiel has them: who decides, what, and who is told what.

`python -m tools.transcripts` writes the files of `tests/data/openspiel/` anew, keeping the options
in their first lines. A change shows in them as a diff that a person can read.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyspiel

from tablestate.rl import OpenBatch
from tablestate.rl.openspiel import register
from tablestate_service.engine import Batch

FOLDER = Path(__file__).resolve().parents[1] / "tests/data/openspiel"


def recorded() -> dict[str, str]:
    """The transcripts that are kept, by game."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))}


def transcript(game: str, written: str, open_batch: OpenBatch, name: str) -> str:
    """A random game with the options in the first line of what is written, and a fixed seed.

    It is registered under a name that is not written down.
    """
    options = written.splitlines()[0]
    loaded = pyspiel.load_game(register(open_batch, game, json.loads(options), name=name))
    return "".join(f"{line}\n" for line in (options, *_lines(loaded)))


def _lines(game: Any) -> Iterator[str]:
    yield f"{game.num_players()} players, {game.num_distinct_actions()} actions"
    yield f"at most {game.max_game_length()} decisions, {game.max_chance_outcomes()} values a draw"
    state, chance = game.new_initial_state(), random.Random(1)
    told = [""] * game.num_players()
    while not state.is_terminal():
        legal = state.legal_actions()
        action = chance.choice(legal)
        who = "chance" if state.is_chance_node() else f"player {state.current_player()}"
        yield f"{who}, {len(legal)} possible: {state.action_to_string(action)}"
        state.apply_action(action)
        now = [state.information_state_string(seat) for seat in range(len(told))]
        yield from _news([after[len(before) :] for before, after in zip(told, now, strict=True)])
        told = now
    yield f"returns {state.returns()}"
    yield from (f"player {seat} sees {state.observation_string(seat)}" for seat in range(len(told)))
    yield str(state)


def _news(told: list[str]) -> Iterator[str]:
    """What is new to each player; together what is the same for all."""
    if len(set(told)) == 1:
        yield from (f"  all: {line}" for line in told[0].splitlines())
        return
    for seat, lines in enumerate(told):
        yield from (f"  {seat}: {line}" for line in lines.splitlines())


def main() -> None:
    """Write all of them anew."""
    for game, written in recorded().items():
        text = transcript(game, written, Batch, f"{game}_transcript")
        (FOLDER / f"{game}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
