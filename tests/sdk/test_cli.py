from __future__ import annotations

import argparse
import dataclasses
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import grpc
import pytest
from rich.console import Console

import tablestate
from support.command import run, start
from support.fake_server import FakeServer, Fault
from tablestate import Match, MatchChange, MatchPhase, MatchUpdate, Outcome, OutcomeReason, Seat
from tablestate.v1.eternitium_pb2 import EternitiumCard
from tablestate.v1.game_pb2 import GameEvent
from tablestate.v1.match_service_pb2 import (
    GetMatchResponse,
    ReplaySecrets,
    WatchMatchesResponse,
)
from tablestate.v1.offboard_pb2 import OffboardOptions
from tablestate.v1.offtrack_pb2 import (
    OffTrackEvent,
    OffTrackEventKind,
    OffTrackOptions,
    OffTrackScoring,
)
from tablestate_service.cli import main
from tablestate_service.cli.arguments import CommandError, SeatSpec, parse_options, parse_seats
from tablestate_service.cli.demo import faults
from tablestate_service.cli.embedded import embedded_service, service
from tablestate_service.cli.narration import Narrator

COMMANDS = [
    *("serve", "play", "demo", "list", "join", "watch"),
    *("perft", "playout", "search", "export", "import", "verify"),
]


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"])
    assert end.value.code == 0
    text = capsys.readouterr().out
    assert "examples:" in text
    assert f"  tablestate {command}" in text


def test_the_help_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert all(f"    {command} " in text for command in COMMANDS)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-command"],
        ["perft"],
        ["perft", "offboard", "--depth", "0"],
        ["play", "offboard", "--seats", "human,robot"],
        ["serve", "--port", "high"],
    ],
)
def test_wrong_arguments_are_refused(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "usage: tablestate" in capsys.readouterr().err


def test_seats_are_read() -> None:
    assert parse_seats("human, bot:greedy") == [SeatSpec(None), SeatSpec("greedy")]
    assert parse_seats("open") == [SeatSpec(None, is_open=True)]


@pytest.mark.parametrize("text", ["", "bot", "bot:", "human:Ada", "human,,human"])
def test_what_is_no_seat_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="expected 'human', 'bot:NAME' or 'open'"):
        parse_seats(text)


def test_options_are_read_by_their_types() -> None:
    values = "target_values=1,1,2,3,1,3,2,2,3,1,3,2"
    options = parse_options("offboard", ["points_to_win=3", values])
    assert options.offboard == OffboardOptions(
        points_to_win=3, target_values=[1, 1, 2, 3, 1, 3, 2, 2, 3, 1, 3, 2]
    )
    assert parse_options("offboard", []).WhichOneof("game") == "offboard"
    given = ["every_turn=true", "scoring=low", "rounds=1"]
    assert parse_options("offtrack", given).offtrack == OffTrackOptions(
        every_turn=True, scoring=OffTrackScoring.OFF_TRACK_SCORING_LOW, rounds=1
    )
    copies = parse_options("eternitium", ["technology_copies=veil:3,SURGE:0"]).eternitium
    veil, surge = copies.technology_copies
    assert (veil.card, veil.copies) == (EternitiumCard.ETERNITIUM_CARD_VEIL, 3)
    assert (surge.card, surge.copies) == (EternitiumCard.ETERNITIUM_CARD_SURGE, 0)
    single = parse_options("eternitium", ["technology_copies=VEIL:3"]).eternitium
    assert list(single.technology_copies) == [veil]


def test_as_many_seats_are_played_as_are_given() -> None:
    three = parse_seats("human,bot:greedy,bot:random")
    assert parse_options("offtrack", [], three).offtrack.seats == 3
    assert parse_options("offtrack", ["seats=4"], three).offtrack.seats == 4
    assert not parse_options("offtrack", []).offtrack.HasField("seats")
    assert parse_options("offboard", [], three) == parse_options("offboard", [])


@pytest.mark.parametrize(
    ("game", "assignments", "words"),
    [
        ("chess", [], "expected one of eternitium, off_the_rails, offboard, offtrack"),
        ("offboard", ["points_to_win"], "expected NAME=VALUE"),
        ("offboard", ["points_to_win=many"], "points_to_win: 'many'; expected a whole number"),
        ("offboard", ["points=3"], "'points'; expected one of points_to_win, .* as a name"),
        ("offtrack", ["every_turn=perhaps"], "every_turn: 'perhaps'; expected true or false"),
        ("offtrack", ["scoring=MIDDLE"], "scoring: 'MIDDLE'; expected HIGH or LOW"),
        ("eternitium", ["technology_copies=VEIL"], "'VEIL'; expected a list .*card:copies"),
        ("eternitium", ["technology_copies=VEIL:1:2"], "technology_copies"),
        ("eternitium", ["technology_copies=WHEEL:1"], "WHEEL"),
    ],
)
def test_options_that_are_wrong_are_named(game: str, assignments: list[str], words: str) -> None:
    with pytest.raises(CommandError, match=words):
        parse_options(game, assignments)


def told(*updates: MatchUpdate, game: str = "offboard") -> str:
    console = Console(width=100, no_color=True)
    match = Match(game=game, seats=[Seat(seat=0, display_name="Ada"), Seat(seat=1)])
    with console.capture() as capture:
        Narrator(console, match).follow(updates, board_every=0)
    return capture.get()


def test_a_match_is_told_in_lines() -> None:
    running = MatchPhase.MATCH_PHASE_RUNNING
    text = told(
        MatchUpdate(version=1, change=MatchChange.MATCH_CHANGE_CREATED),
        MatchUpdate(
            version=2, change=MatchChange.MATCH_CHANGE_BOT_ADDED, seat=1, display_name="greedy"
        ),
        MatchUpdate(version=3, change=MatchChange.MATCH_CHANGE_STARTED, phase=running),
    )
    lines = ["   1  created", "   2  bot added: yellow (greedy)", "   3  started"]
    assert text.splitlines() == lines


def test_what_an_action_brought_about_is_told_in_whole_parts() -> None:
    kinds = OffTrackEventKind
    flipped = OffTrackEvent(kind=kinds.OFF_TRACK_EVENT_KIND_FLIPPED, line=2)
    ended = OffTrackEvent(kind=kinds.OFF_TRACK_EVENT_KIND_TURN_ENDED, seat=0)
    events = [GameEvent(offtrack=event) for event in (ended, *[flipped] * 6)]
    change = MatchChange.MATCH_CHANGE_ACTION
    text = told(MatchUpdate(version=7, change=change, events=events), game="offtrack")
    parts = ["branch 2 is flipped"] * 4
    assert text.splitlines() == [f"   7  {'; '.join(parts)}", f"      {'; '.join(parts[:2])}"]


def test_the_result_is_told_at_the_end() -> None:
    outcome = Outcome(
        winners=[0], reason=OutcomeReason.OUTCOME_REASON_OFFBOARD_POINTS, scores=[6, 2]
    )
    text = told(
        MatchUpdate(
            version=9,
            change=MatchChange.MATCH_CHANGE_FORFEITED,
            seat=1,
            phase=MatchPhase.MATCH_PHASE_OVER,
            outcome=outcome,
        )
    )
    assert "Result: red (Ada) wins, 6:2: the points to win are reached" in text
    shared = Outcome(winners=[0, 1], scores=[3, 3])
    over = MatchUpdate(version=9, phase=MatchPhase.MATCH_PHASE_OVER, outcome=shared)
    assert "Result: red (Ada) and yellow win, 3:3: " in told(over)


def test_perft_tells_what_is_wrong_with_an_option() -> None:
    done = run("perft", "offboard", "--depth", "2", "--option", "points_to_win=99")
    assert done.returncode == 1
    assert "a number from 1 to 24" in done.stderr
    assert "Traceback" not in done.stderr


def test_perft_ends_with_the_count_alone() -> None:
    done = run("perft", "offboard", "--depth", "3")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "159244"


def test_perft_divides_by_the_first_action_here_and_there(target: str) -> None:
    here = run("perft", "offboard", "--depth", "2", "--divide").stdout.splitlines()
    there = run("perft", "offboard", "--depth", "2", "--divide", "--server", target)
    divisions = [line.split() for line in here[3:-1]]
    assert len(divisions) == 54
    assert sum(int(count.replace(",", "")) for _, count in divisions) == int(here[-1]) == 2928
    assert there.stdout.splitlines()[3:] == here[3:]


def test_playout_adds_up_the_same_results_here_and_there(target: str) -> None:
    arguments = ("playout", "offtrack", "--games", "40", "--option", "seats=3", "--seed", "4")
    here, there = run(*arguments), run(*arguments, "--server", target)
    assert here.returncode == 0, here.stderr
    lines = here.stdout.splitlines()
    assert lines[0].startswith("40 games, ")
    assert [line.split(":")[0] for line in lines[2:5]] == ["seat 0", "seat 1", "seat 2"]
    assert lines[2:] == there.stdout.splitlines()[2:]


@pytest.mark.parametrize(
    ("option", "expected"),
    [(("--games", "0"), "from 1 to"), (("--player", "nobody"), "one of easy, greedy")],
)
def test_playout_tells_what_is_wrong(option: tuple[str, str], expected: str) -> None:
    done = run("playout", "offboard", *option)
    assert done.returncode != 0
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_perft_takes_options() -> None:
    done = run("perft", "offboard", "--depth", "2", "--option", "quiet_limit=10")
    assert done.stdout.splitlines()[-1] == "2928"


def test_the_demo_plays_every_game_and_finds_nothing_wrong() -> None:
    done = run("demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(title in done.stdout for title in ("Offboard", "OffTrack", "Off the Rails"))
    assert "Result: " in done.stdout
    assert done.stdout.endswith("All as it should be.\n")


def test_boards_are_shown_where_not_every_character_can_be(
    ended: tuple[Match, list[MatchUpdate], tablestate.Replay],
    target: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = run("watch", ended[0].match_id, "--server", target)
    assert done.returncode == 0, done.stderr
    assert "X red " in done.stdout
    assert "O yellow " in done.stdout
    assert "?" not in done.stdout


def test_counting_ends_with_ctrl_c() -> None:
    with start("perft", "offboard", "--depth", "30") as counting:
        assert counting.stdout
        while not counting.stdout.readline().startswith("    3 "):
            pass
        time.sleep(0.5)  # into what takes for ever
        counting.send_signal(signal.SIGINT)
        assert counting.wait(timeout=20) == 130


@pytest.fixture(scope="module")
def ended(target: str) -> tuple[Match, list[MatchUpdate], tablestate.Replay]:
    with tablestate.Client(target) as client:
        host = client.create_match("offboard", {"points_to_win": 1})
        host.add_bot("greedy")
        host.add_bot("greedy")
        updates = list(host.watch(timeout=60.0))
        return client.get_match(host.match_id), updates, client.replay(host.match_id)


def test_the_demo_finds_nothing_wrong_with_what_is_right(
    ended: tuple[Match, list[MatchUpdate], tablestate.Replay],
) -> None:
    assert faults(*ended) == []


def test_the_demo_finds_what_is_wrong(
    ended: tuple[Match, list[MatchUpdate], tablestate.Replay],
) -> None:
    match, updates, replay = ended
    assert faults(match, updates[:-1], replay)
    assert faults(match, updates[::-1], replay)
    assert faults(match, [], replay)
    assert faults(Match(), updates, replay)
    assert faults(match, updates, dataclasses.replace(replay, entries=()))
    assert faults(match, updates, dataclasses.replace(replay, secrets=None))
    assert faults(match, updates, dataclasses.replace(replay, secrets=ReplaySecrets(secret=b"x")))
    assert faults(match, updates, dataclasses.replace(replay, updates=replay.updates[1:]))


def test_matches_are_listed(target: str) -> None:
    with tablestate.Client(target) as client:
        open_one = client.create_match("offboard")
        open_one.join(display_name="Ada")
        aborted = client.create_match("offtrack")
        aborted.add_bot("greedy")
        aborted.abort()
    done = run("list", "--server", target, "--limit", "2")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert first.startswith(aborted.match_id)
    assert "offtrack   aborted  version 3" in first
    assert first.endswith("greedy (bot), open")
    assert second.startswith(open_one.match_id)
    assert second.endswith("Ada, open")
    waiting = run("list", "--server", target, "--phase", "waiting", "--game", "offtrack")
    assert aborted.match_id not in waiting.stdout


def test_a_list_of_a_server_that_is_not_there_is_refused() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        done = run("list", "--server", f"127.0.0.1:{probe.getsockname()[1]}")
    assert done.returncode == 1
    assert done.stderr.startswith("tablestate: UNAVAILABLE: ")


def test_watch_says_once_that_the_server_is_away_and_goes_on(
    server: FakeServer,
) -> None:
    away = Fault(grpc.StatusCode.UNAVAILABLE)
    server.answer("GetMatch", GetMatchResponse(match=Match(game="offboard")))
    created = MatchUpdate(match_id="m", version=1, change=MatchChange.MATCH_CHANGE_CREATED)
    aborted = MatchUpdate(
        match_id="m",
        version=2,
        change=MatchChange.MATCH_CHANGE_ABORTED,
        phase=MatchPhase.MATCH_PHASE_ABORTED,
    )
    server.answer("WatchMatches", WatchMatchesResponse(update=created), away)
    server.answer("WatchMatches", away)
    server.answer("WatchMatches", WatchMatchesResponse(update=aborted))
    done = run("watch", "m", "--server", server.target)
    assert done.returncode == 0, done.stderr
    assert done.stderr == (
        "tablestate: the server is away (UNAVAILABLE); going on when it is back\n"
    )
    assert done.stdout.splitlines() == ["   1  created", "   2  aborted"]


def test_a_match_can_be_watched_afterwards(target: str) -> None:
    with tablestate.Client(target) as client:
        host = client.create_match("offboard", {"points_to_win": 1})
        host.add_bot("greedy")
        host.add_bot("greedy")
        last = list(host.watch(timeout=60.0))[-1]
    done = run("watch", host.match_id, "--server", target, "--board")
    assert done.returncode == 0, done.stderr
    assert f"{last.version:>4}  " in done.stdout
    assert "Result: " in done.stdout
    assert done.stdout.count("of 1 points to win") == last.ply


def test_a_match_that_is_not_there_is_not_watched(target: str) -> None:
    done = run("watch", "0" * 32, "--server", target)
    assert done.returncode == 1
    assert done.stderr.startswith("tablestate: MATCH_NOT_FOUND")


def test_a_service_that_cannot_start_says_why(tmp_path: Path) -> None:
    blocker = tmp_path / "data"
    blocker.write_text("not a directory")
    with pytest.raises(CommandError, match="the service did not start"), service(blocker):
        pass


def test_a_data_directory_serves_one_service_at_a_time(tmp_path: Path) -> None:
    with (
        service(tmp_path),
        pytest.raises(CommandError, match="in use"),
        service(tmp_path),
    ):
        pass


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"{", "line 1, column 2 is no JSON"),
        (b"\xff", "is not in UTF-8"),
        (b"[" * 100_000, "is no message"),
        (b'{"offboard": {"colour": 3}}', "there is no field colour"),
        (b"[]", "is no message"),
    ],
)
def test_what_is_no_view_is_told_in_plain_words(
    content: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "view.json"
    file.write_bytes(content)
    assert main(["search", "offboard", "--view", str(file)]) == 1
    expected = "expected the JSON of a GameView, as --example writes it"
    assert capsys.readouterr().err == f"tablestate: {file}: {words}; {expected}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("restore", "{none}", "--data-dir", "{data}"),
        ("verify", "{none}"),
        ("search", "offboard", "--view", "{none}"),
        ("join", "0" * 32, "--bot", "greedy", "--host-file", "{none}"),
    ],
)
def test_files_that_are_not_there_are_named(
    arguments: Sequence[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none = tmp_path / "none"
    assert main([each.format(none=none, data=tmp_path / "data") for each in arguments]) == 1
    told = capsys.readouterr().err
    assert str(none) in told and "No such file or directory" in told
    assert "Errno" not in told
