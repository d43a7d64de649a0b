"""Matches played at a terminal: `tablestate play` and `tablestate join`."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import tablestate
from support.command import run, start
from tablestate_service.cli.embedded import embedded_service
from tablestate_service.cli.keyboard import Keyboard
from tablestate_service.cli.narration import Narrator


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


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
    assert "only an empty hand cycles no card (rule: Cycle)" in done.stdout
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


def test_help_is_shown_as_it_is_written(target: str) -> None:
    done = run("play", "off_the_rails", "--server", target, stdin="?\nquit\n")
    assert "r3 is square 3 of the red mine, [r] its centre" in done.stdout


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


def test_play_tells_the_id_of_its_match_and_where_it_is(target: str) -> None:
    done = run("play", "offboard", "--server", target, stdin="quit\n")
    assert re.match(f"Match [0-9a-f]{{32}} on {target}\n", done.stdout)


def match_of(player: subprocess.Popen[str]) -> str:
    assert player.stdout
    return player.stdout.readline().split()[1]


def test_an_open_seat_is_joined_by_the_id_of_the_match(target: str) -> None:
    seats = ("--seats", "human,open", "--server", target, "--name", "Ada")
    with start("play", "offboard", *seats) as host:
        joining = ("join", match_of(host), "--server", target, "--name", "Bob")
        with start(*joining) as guest:
            assert guest.stdin
            guest.stdin.write("b4c4\n")
            guest.stdin.flush()
            told, _ = host.communicate("b1c1\nresign\n", timeout=60)
            shown, _ = guest.communicate(timeout=60)
    for text in (told, shown):
        assert "yellow steps 1 marble" in text
        assert "Result: yellow (Bob) wins" in text


def test_a_bot_takes_an_open_seat_with_the_key_of_the_host(target: str, tmp_path: Path) -> None:
    key = tmp_path / "host.json"
    seats = ("--seats", "human,open", "--server", target, "--host-file", str(key))
    with start("play", "offboard", *seats) as host:
        match_id = match_of(host)
        assert key.stat().st_mode & 0o777 == 0o600
        bot = ("--bot", "greedy", "--host-file", str(key), "--server", target)
        done = run("join", match_id, *bot)
        told, _ = host.communicate("resign\n", timeout=60)
        refused = run("join", "0" * 32, *bot)
        again = run("play", "offboard", "--server", target, "--host-file", str(key))
    assert done.stdout == "greedy plays seat 1\n"
    assert "Result: yellow (greedy) wins" in told
    assert f"is of match {match_id}" in refused.stderr
    assert "File exists" in again.stderr


@pytest.mark.parametrize("text", ["", "{}", '{"match_id": "m", "host_token": "secret"}', "[]"])
def test_a_damaged_key_is_refused_and_not_shown(text: str, tmp_path: Path) -> None:
    key = tmp_path / "host.json"
    key.write_text(text)
    done = run("join", "0" * 32, "--bot", "greedy", "--host-file", str(key))
    assert done.returncode == 1
    assert done.stderr.startswith("tablestate: --host-file: ")
    assert "secret" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_bot_is_not_seated_without_the_key(target: str) -> None:
    done = run("join", "0" * 32, "--bot", "greedy", "--server", target)
    assert "--bot needs --host-file" in done.stderr
