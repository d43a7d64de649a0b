from __future__ import annotations

import argparse
import dataclasses
import re
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import tablestate
from tablestate import Match, MatchChange, MatchPhase, MatchUpdate, Outcome, OutcomeReason, Seat
from tablestate.v1.game_pb2 import GameEvent
from tablestate.v1.match_service_pb2 import ReplaySecrets
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
from tablestate_service.cli.keyboard import Keyboard
from tablestate_service.cli.narration import Narrator

COMMANDS = ["serve", "play", "demo", "watch", "perft", "export", "import", "verify"]


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "tablestate_service", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )


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


@pytest.mark.parametrize("text", ["", "bot", "bot:", "human:Ada", "human,,human"])
def test_what_is_no_seat_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="expected 'human' or 'bot:NAME'"):
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


def test_as_many_seats_are_played_as_are_given() -> None:
    three = parse_seats("human,bot:greedy,bot:random")
    assert parse_options("offtrack", [], three).offtrack.seats == 3
    assert parse_options("offtrack", ["seats=4"], three).offtrack.seats == 4
    assert not parse_options("offtrack", []).offtrack.HasField("seats")
    assert parse_options("offboard", [], three) == parse_options("offboard", [])


@pytest.mark.parametrize(
    ("game", "assignments", "words"),
    [
        ("chess", [], "expected one of offboard, offtrack"),
        ("offboard", ["points_to_win"], "expected NAME=VALUE"),
        ("offboard", ["points_to_win=many"], "points_to_win"),
        ("offboard", ["points=3"], "points"),
        ("offtrack", ["every_turn=perhaps"], "every_turn"),
        ("offtrack", ["scoring=MIDDLE"], "MIDDLE"),
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
    assert "Result: red (Ada) wins, 6:2, offboard points" in text
    shared = Outcome(winners=[0, 1], scores=[3, 3])
    over = MatchUpdate(version=9, phase=MatchPhase.MATCH_PHASE_OVER, outcome=shared)
    assert "Result: red (Ada) and yellow win, 3:3, " in told(over)


def test_perft_tells_what_is_wrong_with_an_option() -> None:
    done = run("perft", "offboard", "--depth", "2", "--option", "points_to_win=99")
    assert done.returncode == 1
    assert "a number from 1 to 24" in done.stderr
    assert "Traceback" not in done.stderr


def test_perft_ends_with_the_count_alone() -> None:
    done = run("perft", "offboard", "--depth", "3")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "159244"


def test_perft_takes_options() -> None:
    done = run("perft", "offboard", "--depth", "2", "--option", "quiet_limit=10")
    assert done.stdout.splitlines()[-1] == "2928"


def test_the_demo_plays_every_game_and_finds_nothing_wrong() -> None:
    done = run("demo")
    assert done.returncode == 0, done.stdout + done.stderr
    assert all(title in done.stdout for title in ("Offboard", "OffTrack"))
    assert "Result: " in done.stdout
    assert done.stdout.endswith("All as it should be.\n")


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


def test_a_person_plays_in_the_terminal() -> None:
    lines = ["?", "", "actions", "board", "e3e4", "nonsense", "b1c1", "resign"]
    done = run("play", "offboard", "--seats", "human,bot:random", stdin="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    assert "54 legal actions:\nMove: " in done.stdout
    assert "A move is the cell" in done.stdout
    assert "rule: " in done.stdout
    assert "red steps 1 marble NW from b1" in done.stdout
    assert "forfeited: red (you)" in done.stdout
    assert "Result: yellow (random) wins" in done.stdout


def test_a_person_plays_with_two_bots() -> None:
    seats, options = "bot:random,human,bot:greedy", ("--option", "rounds=1")
    lines = ["actions", "~", "resign"]
    done = run("play", "offtrack", "--seats", seats, *options, stdin="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    assert "bot added: south (greedy)" in done.stdout
    assert "Add a card to a line (card>line)" in done.stdout
    assert "no such cards are in the hand (rule: Cycle)" in done.stdout
    assert "forfeited: east (you)" in done.stdout


CARDS = [f"{era}{figure}>0" for era in "abcdefgh" for figure in range(9)]


def test_persons_at_one_keyboard_do_not_see_each_others_hands() -> None:
    turn = ["", *CARDS, "E"]  # one of the cards is in the hand
    lines = [*turn, *turn, "", "resign"]
    seats = ("--seats", "human,human", "--option", "rounds=1")
    done = run("play", "offtrack", *seats, stdin="\n".join(lines) + "\n")
    assert done.returncode == 0, done.stderr
    begin, *turns = done.stdout.split("Pass the keyboard to seat ")
    assert [text[0] for text in turns] == ["0", "1", "0"]
    assert "Your hand:" not in begin
    for text in turns[:2]:
        hidden, shown, wiped = re.split("\n{20,}", text)
        assert "Your hand:" not in hidden
        assert "Your hand:" in shown
        assert wiped == ""
    assert "is dealt 5 cards (" not in done.stdout
    assert "east adds" in turns[-1]  # what was missed is told


def test_a_game_that_hides_nothing_bothers_nobody() -> None:
    lines = "b1c1\nb4c4\nresign\n"
    done = run("play", "offboard", "--seats", "human,human", stdin=lines)
    assert done.returncode == 0, done.stderr
    assert "yellow steps 1 marble" in done.stdout
    assert "Pass the keyboard" not in done.stdout


def test_a_person_alone_with_bots_keeps_the_keyboard() -> None:
    done = run("play", "offtrack", "--seats", "human,bot:random", stdin="resign\n")
    assert "Your hand:" in done.stdout
    assert "Pass the keyboard" not in done.stdout


@pytest.mark.parametrize(("is_terminal", "shown"), [(True, "\x1b[3J"), (False, "\n" * 20)])
def test_what_was_on_the_screen_is_wiped(
    target: str, is_terminal: bool, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = StringIO()
    console = Console(file=file, force_terminal=is_terminal, height=20, _environ={"TERM": "xterm"})
    monkeypatch.setattr("sys.stdin", StringIO("\n"))
    with tablestate.Client(target) as client:
        host = client.create_match("offtrack")
        north, _ = host.join(), host.join()
        keyboard = Keyboard(console, Narrator(console, host.get()), client)
        keyboard.hand_over(north.view())
    before, after = file.getvalue().split("press Enter: ")
    assert shown in before
    assert shown in after


def test_bots_take_the_seats_that_are_not_given(target: str) -> None:
    seats = ("--option", "seats=4")
    done = run("play", "offtrack", "--server", target, *seats, stdin="quit\n")
    assert done.returncode == 0, done.stderr
    assert "bot added: west (greedy)" in done.stdout


def test_a_person_may_leave_at_any_time(target: str) -> None:
    done = run("play", "offboard", "--server", target, stdin="quit\n")
    assert done.returncode == 0, done.stderr
    assert "You have left the table." in done.stdout
    done = run("play", "offboard", "--server", target, "--seats", "human,human", stdin="b1c1\n")
    assert done.returncode == 0, done.stderr
    assert "You have left the table." in done.stdout


@pytest.mark.parametrize("seats", ["human", "bot:random,bot:random", "human,human,human"])
def test_play_needs_a_person_and_the_right_number_of_seats(target: str, seats: str) -> None:
    done = run("play", "offboard", "--server", target, "--seats", seats)
    assert done.returncode == 1
    assert "expected 2, at least one of them 'human'" in done.stderr


def test_a_bot_that_is_not_there_is_refused(target: str) -> None:
    done = run("play", "offboard", "--server", target, "--seats", "human,bot:deep-thought")
    assert done.returncode == 1
    assert "bot: " in done.stderr
    assert "Traceback" not in done.stderr


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
    assert done.stdout.count("points to win") == last.ply


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
