"""The engine counts what the perft tables say, and the small counts are the oracle's."""

import random
from pathlib import Path
from typing import NamedTuple

import pytest

from oracle import off_the_rails, offboard
from oracle.chance import Draws
from oracle.off_the_rails_load import read_options, write_state
from tablestate.v1.game_pb2 import GameOptions
from tablestate_service import engine
from tablestate_service.cli.arguments import parse_options
from tools.sources import ROOT

TABLES = ROOT / "tests/data/perft"
SMALL = 100_000
"""Up to here the oracle counts within seconds."""


class Block(NamedTuple):
    game: str
    name: str
    options: dict[str, str]
    counts: dict[int, int]


def read_table(path: Path) -> list[Block]:
    lines = path.read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return [read_block(path.stem, block.strip()) for block in text.strip().split("\n\n")]


def read_block(game: str, text: str) -> Block:
    fields = [line.split(" ", 1) for line in text.splitlines()]
    counts = [value.split() for key, value in fields if key == "perft"]
    options = {key: value for key, value in fields if key not in ("id", "perft")}
    name = next(value for key, value in fields if key == "id")
    return Block(game, name, options, {int(depth): int(count) for depth, count in counts})


def blocks() -> list[Block]:
    return [block for path in sorted(TABLES.glob("*.txt")) for block in read_table(path)]


def title(block: Block) -> str:
    return f"{block.game}-{block.name}"


def oracle_count(state: offboard.State, depth: int) -> int:
    legal = offboard.legal_actions(state)
    if depth == 1:
        return len(legal)
    return sum(oracle_count(offboard.apply(state, action)[0], depth - 1) for action in legal)


def begin(block: Block) -> engine.GameState:
    if block.game == "off_the_rails" and "position" in block.options:
        return engine.GameState.load(write_state(off_the_rails_state(block)))
    return engine.GameState.start(options_of(block).SerializeToString(), bytes(32)).state


def options_of(block: Block) -> GameOptions:
    """Parse the options; a position is one of Offboard's alone."""
    options = {**block.options}
    if block.game == "off_the_rails":
        options.pop("position", None)
    return parse_options(block.game, [f"{key}={value}" for key, value in options.items()])


@pytest.mark.parametrize("block", blocks(), ids=title)
def test_the_engine_counts_what_the_table_says(block: Block) -> None:
    assert block.counts
    state = begin(block)
    stop = engine.Stop()
    assert {depth: state.perft(depth, stop) for depth in block.counts} == block.counts


@pytest.mark.parametrize("block", [each for each in blocks() if each.game == "offboard"], ids=title)
def test_the_oracle_of_offboard_counts_what_the_table_says(block: Block) -> None:
    small = {depth: count for depth, count in block.counts.items() if count <= SMALL}
    state = offboard.start(oracle_options(block))
    assert small
    assert {depth: oracle_count(state, depth) for depth in small} == small


def oracle_options(block: Block) -> offboard.Options:
    values = block.options.get("target_values")
    return offboard.Options(
        points_to_win=int(block.options.get("points_to_win", 6)),
        quiet_limit=int(block.options.get("quiet_limit", 100)),
        position=block.options.get("position"),
        target_values=tuple(map(int, values.split(","))) if values else offboard.TARGET_VALUES,
    )


@pytest.mark.parametrize("block", [each for each in blocks() if each.game == "offtrack"], ids=title)
def test_offtrack_counts_what_needs_no_chance(block: Block) -> None:
    appends, cycles = 5, 2**5 - 1
    without_chance = {1: appends + cycles, 2: (appends + cycles) * len("DE")}
    assert block.counts.items() <= without_chance.items()


@pytest.mark.parametrize(
    "block", [each for each in blocks() if each.game == "eternitium"], ids=title
)
def test_eternitium_counts_what_needs_no_chance(block: Block) -> None:
    """Each seat takes one of three Basics or one unseen; then seat 0 one of four Portals."""
    seats = int(block.options.get("seats", 2))
    without_chance = {depth: 4**depth for depth in range(1, seats + 2)}
    assert block.counts.items() <= without_chance.items()


def off_the_rails_state(block: Block) -> off_the_rails.State:
    complete = engine.validate_options(options_of(block).SerializeToString()).options
    options = read_options(GameOptions.FromString(complete).off_the_rails)
    if "position" in block.options:
        return off_the_rails.RULES.load(options, block.options["position"])
    return off_the_rails.start(options, Draws.random(random.Random(1)))[0]


def count(state: off_the_rails.State, depth: int, draws: Draws) -> int:
    """Count the sequences of decisions of a length, following one line of draws."""
    legal = off_the_rails.legal_actions(state)
    if depth == 1:
        return len(legal)
    following = (off_the_rails.apply(state, action, draws)[0] for action in legal)
    return sum(count(after, depth - 1, draws) for after in following)


@pytest.mark.parametrize(
    "block", [each for each in blocks() if each.game == "off_the_rails"], ids=title
)
def test_the_oracle_of_off_the_rails_counts_what_the_table_says(block: Block) -> None:
    small = {depth: number for depth, number in block.counts.items() if number <= 3 * SMALL}
    state, draws = off_the_rails_state(block), Draws.random(random.Random(2))
    assert small
    assert {depth: count(state, depth, draws) for depth in small} == small


def test_no_sequence_is_the_one_of_length_0() -> None:
    options = GameOptions()
    options.offboard.SetInParent()
    state = engine.GameState.start(options.SerializeToString(), bytes(32)).state
    assert state.perft(0, engine.Stop()) == 1
