"""The MCP server: a client plays over it, by real standard input and output, on a real service."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest

import tablestate.mcp
from support import command
from support.mcp import Model, model, model_within
from tablestate import AsyncClient, InvalidArgumentError, MatchPhase, text
from tablestate.mcp.keys import Keys
from tablestate.mcp.matches import Matches
from tablestate_service import engine
from tablestate_service.cli.embedded import embedded_service

SHORT: dict[str, dict[str, Any]] = {
    "eternitium": {"max_rounds": 5, "eras_per_seat": 3},
    "off_the_rails": {"deposit_cards": 13},
    "offboard": {"points_to_win": 2, "quiet_limit": 20},
    "offtrack": {"rounds": 1, "eras": 3, "scoring": "LOW"},
}
PLIES = 15
SECRET = re.compile(r"seat_token|host_token|request_id|[0-9a-f]{64}")
"""Names and shape of what a model is never shown."""


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


async def choose(player: Model, chance: random.Random, **seat: Any) -> str:
    """One of the legal actions."""
    listed = await player.call("legal_actions", **seat)
    action: str = chance.choice(listed["actions"])["action"]
    return action


async def play(player: Model, position: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    """Play a seat to the end."""
    where = {"match_id": position["match_id"], "seat": position["seat"]}
    while position["phase"] == "running":
        if position["your_turn"]:
            action = await choose(player, chance, **where)
            position = await player.call("act", action=action, **where)
        else:
            position = await player.call("wait_for_turn", **where)
    return position


async def test_the_tools_are_told_with_what_a_model_needs(target: str) -> None:
    async with model_within(target) as player:
        tools = {tool.name: tool for tool in (await player.client.list_tools()).tools}
        described = [
            field.get("description")
            for tool in tools.values()
            for field in tool.input_schema.get("properties", {}).values()
        ]
    assert {"list_games", "rules_card", "create_match", "act", "wait_for_turn"} <= set(tools)
    assert all(tool.description for tool in tools.values())
    assert all(described)


async def test_the_games_and_their_cards_are_told(target: str) -> None:
    async with model_within(target) as player:
        listed = await player.read("list_games")
        resources = {str(each.uri) for each in (await player.client.list_resources()).resources}
        for game in engine.games():
            assert f"\n{game}: " in f"\n{listed}"
            assert await player.read("rules_card", game=game) == text.rules_card(game)
            card = await player.client.read_resource(f"tablestate://rules/{game}")
            assert text.rules_card(game) in card.model_dump()["contents"][0]["text"]
    assert resources == {f"tablestate://rules/{game}" for game in engine.games()}


async def test_a_whole_match_of_every_game_is_played(target: str) -> None:
    async with model(target) as player:
        for game in engine.games():
            position = await player.call(
                "create_match", game=game, players=["greedy", "me"], options=SHORT[game]
            )
            ended = await play(player, position, random.Random(7))
            assert ended["phase"] == "over"
            assert ended["winners"] is not None
            assert "\nResult: " in ended["text"]
            assert f"{ended['match_id']} {game}, over: " in await player.read("list_matches")
    assert not SECRET.search("".join(player.heard))


async def test_sessions_on_two_seats_see_what_a_spectator_sees_and_their_own_alone(
    target: str,
) -> None:
    chance = random.Random(3)
    async with (
        model(target) as ours,
        model_within(target) as theirs,
        model_within(target) as nobody,
    ):
        made = await ours.call(
            "create_match", game="offtrack", players=["me", "open"], options=SHORT["offtrack"]
        )
        assert (made["phase"], made["your_turn"]) == ("waiting", False)
        match = {"match_id": made["match_id"]}
        assert (await theirs.call("join_match", **match))["seat"] == 1
        for _ in range(PLIES):
            seen = await nobody.call("view", **match)
            views = [await each.call("view", **match) for each in (ours, theirs)]
            assert [public(view["text"]) for view in views] == [public(seen["text"])] * 2
            assert all("Your hand: " in view["text"] for view in views)
            actor = ours if views[0]["your_turn"] else theirs
            action = await choose(actor, chance, **match)
            await actor.call("act", action=action, wait_seconds=0, **match)
        assert "seat: 1: expected a seat that you hold: 0" in await ours.refused(
            "view", seat=1, **match
        )
    told = [set(DRAWN.findall("".join(each.heard))) for each in (ours, theirs, nobody)]
    assert told == [{"north"}, {"east"}, set()]


DRAWN = re.compile(r"(north|east) (?:draws|is dealt) \d cards? \(")
"""What only the seat itself is told with the cards."""


def public(told: str) -> list[str]:
    """The lines of a text about the table, without those for one's own eyes."""
    table = told.partition("Options: ")[2].splitlines()[1:]
    own = ("Your ", "You ")
    shown = takewhile(lambda line: not re.match(r"\d+ legal action", line), table)
    return [line for line in shown if line and not line.startswith(own)]


async def test_what_is_wrong_is_told_with_what_was_expected(target: str) -> None:
    async with model_within(target) as player:
        assert "GAME_NOT_FOUND" in await player.refused("create_match", game="chess")
        assert "GAME_NOT_FOUND" in await player.refused("rules_card", game="chess")
        wrong = {"game": "offboard", "options": {"points": 3}}
        assert "options.offboard.points" in await player.refused("create_match", **wrong)
        wrong = {"game": "offboard", "players": ["me"]}
        assert "expected 2 players" in await player.refused("create_match", **wrong)
        wrong = {"game": "offboard", "players": ["me", "nobody"]}
        assert "bot" in await player.refused("create_match", **wrong)
        assert "MATCH_NOT_FOUND" in await player.refused("view", match_id="0" * 32)
        assert "expected a seat taken here" in await player.refused("resign", match_id="0" * 32)
        assert "wait_seconds" in await player.refused(
            "wait_for_turn", match_id="0", wait_seconds=-1
        )
        failures = "".join(player.heard)
    assert "Traceback" not in failures
    assert "unexpected" not in failures


async def test_a_wrong_action_is_told_and_changes_nothing(target: str) -> None:
    async with model_within(target) as player:
        made = await player.call("create_match", game="offboard")
        match = {"match_id": made["match_id"]}
        illegal = await player.refused("act", action="e3e4", **match)
        assert "ILLEGAL_ACTION: " in illegal
        assert "Nothing was done" in illegal
        assert "Legal and near: " in await player.refused("act", action="c2c9", **match)
        assert "choice.index" in await player.refused("act", action=100_000, **match)
        stale = await player.refused("act", action="c2c3", expected_version=1, **match)
        assert "STALE_VERSION: " in stale
        assert "Call view" in stale
        assert (await player.call("view", **match))["version"] == made["version"]
        acted = await player.call("act", action="c2c3", wait_seconds=0, **match)
        assert "Since the last look:\n- red steps 2 marbles E from c2\n" in acted["text"]
        resigned = await player.call("resign", **match)
        assert (resigned["phase"], resigned["winners"]) == ("over", [1])


async def test_an_action_may_be_given_by_its_index(target: str) -> None:
    async with model_within(target) as player:
        made = await player.call("create_match", game="offboard", options={"quiet_limit": 10})
        match = {"match_id": made["match_id"]}
        first = (await player.call("legal_actions", **match))["actions"][0]
        acted = await player.call("act", action=first["index"], **match)
        assert acted["version"] >= made["version"] + 1
        assert (await player.call("view", as_data=True, **match))["view"]["offboard"]["turn"] >= 2


async def test_open_seats_wait_for_bots_and_a_wait_is_bounded(target: str) -> None:
    async with model_within(target) as player:
        made = await player.call("create_match", game="offboard", players=["me", "open"])
        match = {"match_id": made["match_id"]}
        assert "MATCH_NOT_STARTED" in await player.refused("act", action="c2c3", **match)
        waited = await player.call("wait_for_turn", wait_seconds=0.2, **match)
        assert waited["phase"] == "waiting"
        assert "seat 1" in await player.read("add_bot", bot="random", **match)
        assert (await player.call("wait_for_turn", **match))["your_turn"]


@contextmanager
def killed_in_the_end(data: Path, port: int = 0) -> Iterator[str]:
    """A service that is not told to stop."""
    serve = ("serve", "--port", str(port), "--data-dir", str(data), "--log-level", "warning")
    with command.start(*serve) as process:
        try:
            assert process.stdout is not None
            yield next(word for word in process.stdout.readline().split() if ":" in word[:-1])
        finally:
            process.kill()


async def view_once_it_is_back(player: Model, match: dict[str, str]) -> dict[str, Any]:
    """Do as the error says: call again."""
    while (await player.client.call_tool("view", match)).is_error:
        pass
    return await player.call("view", **match)


async def test_a_match_goes_on_after_kills_of_the_service_and_of_the_server(tmp_path: Path) -> None:
    chance, data, keys = random.Random(5), tmp_path / "data", tmp_path / "keys.json"
    with killed_in_the_end(data) as target:
        port = int(target.rpartition(":")[2])
        session = (target, "--keys", str(keys), "--timeout", "1")
        async with model(*session) as player:
            made = await player.call("create_match", game="offboard", options=SHORT["offboard"])
    assert keys.stat().st_mode & 0o077 == 0
    match = {"match_id": made["match_id"]}
    async with model(*session) as player:
        told = await player.refused("act", action="c2c3", **match)
        assert "UNAVAILABLE: " in told
        assert "No match is lost" in told
        with killed_in_the_end(data, port):
            position = await view_once_it_is_back(player, match)
            assert position["version"] == made["version"]
            acted = await player.call("act", action="c2c3", wait_seconds=1, **match)
        assert "UNAVAILABLE: " in await player.refused("view", **match)
        with killed_in_the_end(data, port):
            position = await view_once_it_is_back(player, match)
            assert position["version"] >= acted["version"]
            assert (await play(player, position, chance))["phase"] == "over"


async def test_sessions_that_share_a_file_keep_each_other_s_keys(
    target: str, tmp_path: Path
) -> None:
    file = tmp_path / "keys.json"
    async with AsyncClient(target) as client:
        ours, theirs = (Matches(client, Keys(file)) for _ in range(2))
        looks = [await each.create("offboard", None, {}, "x") for each in (ours, theirs, ours)]
    kept = Keys(file)
    assert [kept.seats(look.match.match_id) for look in looks] == [[0]] * 3
    assert file.stat().st_mode & 0o077 == 0 and list(tmp_path.iterdir()) == [file]


async def test_a_match_whose_key_cannot_be_kept_is_not_left_behind(
    target: str, tmp_path: Path
) -> None:
    folder = tmp_path / "keys"
    folder.mkdir()
    async with AsyncClient(target) as client:
        matches = Matches(client, Keys(folder / "keys.json"))
        (folder / "keys.json").unlink()
        folder.rmdir()
        with pytest.raises(InvalidArgumentError, match="a file that can be written"):
            await matches.create("offboard", None, {}, "unlucky")
        newest = await anext(client.list_matches(page_size=1))
    assert newest.phase == MatchPhase.MATCH_PHASE_ABORTED
    with pytest.raises(InvalidArgumentError, match="a file that can be written"):
        Keys(folder / "keys.json")


async def test_what_is_out_of_all_proportion_is_told_shortly(target: str) -> None:
    huge = "x" * 1_000_000
    async with model_within(target) as player:
        made = await player.call("create_match", game="offtrack", options={"seats": None})
        assert made["phase"] == "running" and made["seat"] == 0
        match = {"match_id": made["match_id"], "wait_seconds": 0}
        for told in (
            await player.refused("rules_card", game=huge),
            await player.refused("create_match", game="offtrack", options={huge: 1}),
            await player.refused("create_match", game="offtrack", options={"seats": 2**62}),
            await player.refused("act", action=huge, **match),
            await player.refused("act", action="\ud800", **match),
        ):
            assert len(told) < 600
            assert re.search(": (GAME_NOT_FOUND|INVALID_OPTIONS|INVALID_FIELD): ", told)


def test_keys_that_are_damaged_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keys = tmp_path / "keys.json"
    keys.write_text('{"hosts": [], "seats": [{"match_id": "1", "seat": 0, "seat_token": "ab"}]}')
    assert tablestate.mcp.main(["--keys", str(keys)]) == 1
    assert capsys.readouterr().err.startswith("tablestate-mcp: INVALID_FIELD: ")


def test_the_command_says_what_it_needs_if_the_extra_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(sys.modules, "tablestate.mcp.command", raising=False)
    monkeypatch.delattr(tablestate.mcp, "command", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    assert tablestate.mcp.main([]) == 1
    assert "pip install 'tablestate[mcp]'" in capsys.readouterr().err
