"""`tablestate arena`."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import combinations
from pathlib import Path

from tablestate_service import arena
from tablestate_service.arena import Duel, PairScore, Rating
from tablestate_service.cli.arguments import CommandError, add_options, parse_options
from tablestate_service.cli.long_work import from_zero, games, seed, stoppable, threads
from tablestate_service.engine import CoreError, bots, validate_options

DESCRIPTION = """\
Let bots play against each other and rate them. Every deal is played twice, with the seats
swapped; a draw counts half. Of games that always start from the same position the first actions
are drawn at random. The intervals hold with 95 %. Equal seeds bring equal games, on any machine.

With --sprt two players meet until it is decided whether the first leads by the second number of
Elo points rather than by the first (risk 5 % each way), or until --pairs were played.

examples:
  tablestate arena offboard --players greedy,easy,hard --pairs 50
  tablestate arena eternitium --players hard,greedy --sprt 0:50 --pairs 2000 --threads 2
  tablestate arena offtrack --league
"""

_PAIRS_AT_ONCE = 8


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("game", metavar="GAME", help="the game's name, as offboard")
    add("--players", metavar="BOT,BOT…", help="who plays, each against each (default: all)")
    add(
        "--league",
        action="store_true",
        help="print the game's reference league: its members and their ratings",
    )
    add(
        "--pairs",
        type=games,
        default=20,
        metavar="N",
        help="deals of each pairing, each of which is two games (default: %(default)s)",
    )
    add("--sprt", type=_hypotheses, metavar="ELO0:ELO1", help="stop as soon as it is decided")
    add("--seed", type=seed, default=0, metavar="N", help="of the deals (default: 0)")
    add(
        "--opening",
        type=from_zero,
        metavar="N",
        help="actions drawn at random before the bots begin (default: 6 if the set-up is always "
        "the same, else 0)",
    )
    add("--threads", type=threads, default=1, metavar="N", help="(default: %(default)s)")
    add("--json", type=Path, metavar="FILE", help="write all results to this file as well")
    add_options(parser)


def run(args: argparse.Namespace) -> int:
    """Play and print."""
    options = parse_options(args.game, args.options).SerializeToString()
    if args.league:
        return _print_league(args.game)
    if args.json:
        _check_writable(args.json)
    try:
        seats = validate_options(options).seats
    except CoreError as error:
        raise CommandError(str(error)) from None
    if seats != 2:
        raise CommandError(f"--option: a game for {seats}; expected one for two")
    players = _players(args)
    played: list[Duel] = []
    for first, second in combinations(players, 2):
        played += _pairing(args, options, first, second)
    pairs = [duel.pair for duel in played]
    found = arena.ratings(pairs, anchor=players[-1])
    _print_ratings(found, players[-1])
    _print_thinking(played, players)
    if args.json:
        _write(args.json, args, pairs, found)
    return 0


def _players(args: argparse.Namespace) -> list[str]:
    known = bots(args.game)
    players: list[str] = args.players.split(",") if args.players else known
    for player in players:
        if player not in known:
            raise CommandError(f"--players: {player!r}; expected some of {', '.join(known)}")
    if len(set(players)) != len(players) or len(players) < 2:
        raise CommandError(f"--players: {','.join(players)!r}; expected two or more, each once")
    if args.sprt and len(players) != 2:
        raise CommandError(f"--sprt: with {len(players)} players; expected two")
    return players


def _hypotheses(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        low = high = 0.0
    if not -4000 <= low < high <= 4000:
        raise argparse.ArgumentTypeError(f"{text!r}; expected two rising numbers, as 0:50")
    return low, high


def _pairing(args: argparse.Namespace, options: bytes, first: str, second: str) -> list[Duel]:
    """Play a pairing and print how it goes."""
    played: list[Duel] = []
    for deals in _portions(arena.deals_of(args.seed, args.pairs)):
        played += _play(args, options, first, second, deals)
        _print_progress(played)
        if args.sprt and arena.verdict(_ratio(args, played)) is not None:
            break
    scores = [duel.pair.score for duel in played]
    found = arena.score(scores)
    line = (
        f"{first} against {second}: {found.mean:6.1%} "
        f"[{found.low:.1%}, {found.high:.1%}] in {2 * len(scores)} games"
    )
    print(f"\r{line}" if sys.stdout.isatty() else line, flush=True)
    if args.sprt:
        _print_verdict(args, played)
    return played


def _play(
    args: argparse.Namespace, options: bytes, first: str, second: str, deals: Sequence[int]
) -> list[Duel]:
    opening = arena.default_opening(options) if args.opening is None else args.opening
    return stoppable(
        lambda stop: arena.duels(
            options, first, second, deals, opening=opening, threads=args.threads, stop=stop
        )
    )


def _portions(deals: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(deals), _PAIRS_AT_ONCE):
        yield deals[start : start + _PAIRS_AT_ONCE]


def _ratio(args: argparse.Namespace, played: Sequence[Duel]) -> float:
    return arena.log_likelihood_ratio([duel.pair.score for duel in played], *args.sprt)


def _print_progress(played: Sequence[Duel]) -> None:
    if sys.stdout.isatty():
        print(f"\r{played[0].first} against {played[0].second}: {2 * len(played)} games", end="")


def _print_verdict(args: argparse.Namespace, played: Sequence[Duel]) -> None:
    low, high = args.sprt
    ratio = _ratio(args, played)
    answers = {
        None: "not decided",
        True: f"a lead of {high:g} points holds, not of {low:g}",
        False: f"a lead of {low:g} points holds, not of {high:g}",
    }
    print(f"log-likelihood ratio {ratio:+.2f}: {answers[arena.verdict(ratio)]}")


def _print_ratings(found: dict[str, Rating], anchor: str) -> None:
    print(f"\n{'player':<12} {'Elo':>6}   95 % interval")
    for name, rating in sorted(found.items(), key=lambda each: -each[1].elo):
        interval = "  the anchor" if name == anchor else f"{rating.low:+7.0f} … {rating.high:+.0f}"
        print(f"{name:<12} {rating.elo:>+6.0f}  {interval}")


def _print_thinking(played: Sequence[Duel], players: Sequence[str]) -> None:
    print(f"\n{'player':<12} {'decisions':>9}   ms: {'p50':>7} {'p95':>8} {'most':>8}")
    for name in players:
        spent = sorted(each for duel in played for each in _thinking(duel, name))
        if spent:
            p50, p95, most = (spent[int((len(spent) - 1) * part)] for part in (0.5, 0.95, 1))
            print(f"{name:<12} {len(spent):>9}       {p50:>7.2f} {p95:>8.2f} {most:>8.2f}")


def _thinking(duel: Duel, name: str) -> list[float]:
    return duel.thinking(name) if name in (duel.first, duel.second) else []


def _print_league(game: str) -> int:
    try:
        league = arena.league_of(game)
    except KeyError:
        raise CommandError(f"--league: {game} has none") from None
    print(f"{league.id}: {2 * league.pairs} games of each pairing, rules version ", end="")
    print(f"{league.rules_version}")
    for member in sorted(league.members, key=lambda each: -each.rating.elo):
        rating = member.rating
        print(f"{member.id:<28} {rating.elo:>+6.0f}  {rating.low:+7.0f} … {rating.high:+.0f}")
    return 0


def _check_writable(path: Path) -> None:
    """Tell before games are played what would be told after them."""
    target = path if path.exists() else path.parent
    if path.is_dir() or not os.access(target, os.W_OK):
        raise CommandError(f"--json: {path}; expected a file that can be written")


def _write(
    path: Path, args: argparse.Namespace, pairs: Sequence[PairScore], found: dict[str, Rating]
) -> None:
    written = {
        "game": args.game,
        "options": args.options,
        "seed": args.seed,
        "pairs": [asdict(pair) for pair in pairs],
        "ratings": {name: asdict(rating) for name, rating in found.items()},
    }
    try:
        path.write_text(json.dumps(written, indent=1) + "\n")
    except OSError as error:
        raise CommandError(f"--json: {path}: {error.strerror}") from None
