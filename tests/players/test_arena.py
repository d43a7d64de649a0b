"""Games between bots: the same deals for both, equal games for equal seeds, and strength."""

import json
from pathlib import Path

import pytest

from tablestate_service.arena import Duel, deals_of, default_opening, duels, league_of, score
from tablestate_service.arena.league import digest_of
from tablestate_service.cli import main
from tablestate_service.engine import Contest, GameState, Stop, contests, default_options, games

GAMES = games()
FIXED = "offboard"


def met(game: str, first: str, second: str, pairs: int, threads: int = 2) -> list[Duel]:
    options = default_options(game)
    played = duels(
        options,
        first,
        second,
        deals_of(7, pairs),
        opening=default_opening(options),
        threads=threads,
        stop=Stop(),
    )
    assert played is not None
    return played


def mean(played: list[Duel]) -> float:
    return score([duel.pair.score for duel in played]).mean


def taken(state: GameState, action: int) -> GameState:
    step = state.attempt(action, [])
    assert not isinstance(step, int), "there is no chance"
    return step.state


def course(game: Contest) -> tuple[list[int], list[int], list[int], list[float]]:
    return game.opening, game.seats, game.actions, game.shares


@pytest.mark.parametrize("game", GAMES)
def test_every_level_is_better_than_chance_and_hard_better_than_greedy(game: str) -> None:
    assert mean(met(game, "greedy", "random", 20)) >= 0.85
    assert mean(met(game, "easy", "random", 10)) >= 0.75
    assert mean(met(game, "hard", "greedy", 6)) > 0.5


@pytest.mark.parametrize("game", GAMES)
def test_threads_change_nothing(game: str) -> None:
    played = [met(game, "easy", "greedy", 3, threads) for threads in (1, 3)]
    assert [[course(each) for each in duel.games] for duel in played[0]] == [
        [course(each) for each in duel.games] for duel in played[1]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_replayed_by_its_actions(game: str) -> None:
    """The actions are legal, in turn, and those that had a choice had more than one."""
    played = contests(
        default_options(game),
        [["random", "greedy"]],
        [5],
        opening=default_opening(default_options(game)),
        max_plies=60,
        threads=1,
        stop=Stop(),
        keeps_views=True,
    )
    assert played is not None
    (only,) = played
    if game == FIXED:
        state = GameState.start(default_options(game), bytes(32)).state
        assert len(only.opening) == 6
        for action in only.opening:
            state = taken(state, action)
        for seat, action, choices in zip(only.seats, only.actions, only.choices, strict=True):
            assert state.actor == seat
            assert len(state.legal_notations()) == choices
            state = taken(state, action)
    assert len(only.seats) == len(only.actions) == len(only.values) == len(only.visits)
    assert len(only.masks) % len(only.seats) == 0
    width = len(only.masks) // len(only.seats)
    for row, action in enumerate(only.actions):
        mask = only.masks[row * width : (row + 1) * width]
        assert mask[action // 8] >> action % 8 & 1


def test_the_seats_are_swapped_and_the_opening_is_the_same() -> None:
    for duel in met(FIXED, "greedy", "random", 4):
        ahead, behind = duel.games
        assert ahead.opening == behind.opening
        pair = duel.pair
        assert pair.score == (ahead.shares[0] + behind.shares[1]) / 2
        assert len(duel.thinking("greedy")) + len(duel.thinking("random")) == sum(
            choices > 1 for each in duel.games for choices in each.choices
        )


def test_what_is_stopped_gives_nothing() -> None:
    stop = Stop()
    stop.set()
    options = default_options(FIXED)
    assert duels(options, "hard", "hard", [1], opening=0, threads=1, stop=stop) is None


def test_wrong_numbers_of_bots_are_refused() -> None:
    options = default_options(FIXED)
    for bots, deals in (([["greedy"]], [1]), ([["greedy", "greedy"]], [1, 2])):
        with pytest.raises(ValueError, match="a bot for every seat"):
            contests(options, bots, deals, opening=0, max_plies=9, threads=1, stop=Stop())
    with pytest.raises(ValueError, match="unknown bot"):
        contests(options, [["greedy", "x"]], [1], opening=0, max_plies=9, threads=1, stop=Stop())


@pytest.mark.parametrize("game", GAMES)
def test_the_members_of_the_reference_league_play_as_they_did(game: str) -> None:
    """If this fails a bot has changed: write the league's next version, see tools/league.py."""
    league = league_of(game)
    assert {member.bot: member.digest for member in league.members} == {
        member.bot: digest_of(game, member.bot) for member in league.members
    }
    assert all(member.id == f"{league.id}/{member.bot}" for member in league.members)


def test_a_player_is_rated_by_its_games_against_a_league() -> None:
    league = league_of(FIXED)
    even = league.rate("mine", [("hard", 0.5)] * 50)
    hard = next(each for each in league.members if each.bot == "hard")
    assert even.elo == pytest.approx(hard.rating.elo, abs=1)
    for scores in ([("nobody", 0.5)], [("hard", 1.5)], []):
        with pytest.raises(ValueError, match="expected"):
            league.rate("mine", scores)


def test_the_command_tells_scores_ratings_and_times(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "results.json"
    command = ["arena", FIXED, "--players", "greedy,random", "--pairs", "3", "--json", str(file)]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "greedy against random: 100.0%" in printed and "in 6 games" in printed
    assert "the anchor" in printed and "p95" in printed
    assert len(json.loads(file.read_text())["pairs"]) == 3


def test_the_command_stops_when_a_sequential_test_is_decided(
    capsys: pytest.CaptureFixture[str],
) -> None:
    command = ["arena", FIXED, "--players", "greedy,random", "--sprt", "0:200", "--pairs", "500"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "a lead of 200 points holds" in printed
    games = int(printed.split(" in ")[1].split(" games")[0])
    assert games < 100


def test_the_command_prints_the_reference_league(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", FIXED, "--league"]) == 0
    assert "Offboard-v1/hard" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--players", "greedy,chess"], "--players: 'chess'; expected some of"),
        (["--players", "greedy"], "expected two or more"),
        (["--players", "greedy,greedy"], "each once"),
        (["--sprt", "0:50"], "--sprt: with 5 players"),
        (["--option", "points_to_win=99"], "points_to_win"),
    ],
)
def test_the_command_refuses_what_cannot_be(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", FIXED, *arguments]) == 1
    assert told in capsys.readouterr().err


def test_a_game_for_three_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "offtrack", "--option", "seats=3"]) == 1
    assert "a game for 3; expected one for two" in capsys.readouterr().err
