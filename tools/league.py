"""Play the tournament of a game's bots and write its reference league.

`python -m tools.league GAME VERSION` plays every pairing, prints the report as Markdown and
writes the league of that version. Do it on a quiet machine when a bot plays otherwise than before,
with the next version: what a rating of an older league meant must stay readable.
"""

import argparse
import json
import time
from itertools import combinations
from pathlib import Path

from tablestate.v1.game_pb2 import GameInfo
from tablestate_service import arena
from tablestate_service.arena import Duel, Rating
from tablestate_service.arena.league import digest_of
from tablestate_service.engine import Stop, bots, default_options, game_info

_LEAGUES = Path(__file__).parents[1] / "service/tablestate_service/arena/leagues"
_ANCHOR = "random"
_ORDER = ("random", "greedy", "easy", "normal", "hard")


def main() -> None:
    """Play, print and write."""
    arguments = _parser().parse_args()
    game, begun = arguments.game, time.monotonic()
    players = sorted(bots(game), key=_ORDER.index)
    options = default_options(game)
    deals = arena.deals_of(arguments.seed, arguments.pairs)
    opening = arena.default_opening(options)
    pairings: dict[tuple[str, str], list[Duel]] = {}
    for second, first in combinations(players, 2):
        played = arena.duels(
            *(options, first, second, deals),
            opening=opening,
            threads=arguments.threads,
            stop=Stop(),
        )
        assert played is not None, "nobody stops it"
        pairings[first, second] = played
    found = arena.ratings(
        [duel.pair for played in pairings.values() for duel in played], anchor=_ANCHOR
    )
    _print(game, pairings, found, time.monotonic() - begun)
    _write(game, arguments.version, arguments.pairs, found)


def _print(
    game: str,
    pairings: dict[tuple[str, str], list[Duel]],
    found: dict[str, Rating],
    seconds: float,
) -> None:
    title = game_title(game)
    print(
        f"### {title}\n\n| player | Elo | ms a decision: p50 | p95 | most |\n|---|---|---|---|---|"
    )
    for name, rating in sorted(found.items(), key=lambda each: -each[1].elo):
        own = (duel for pair, duels in pairings.items() if name in pair for duel in duels)
        spent = sorted(each for duel in own for each in duel.thinking(name))
        times = (f"{spent[int((len(spent) - 1) * part)]:.2f}" for part in (0.5, 0.95, 1))
        print(
            f"| `{name}` | {rating.elo:+.0f} [{rating.low:+.0f}, {rating.high:+.0f}] "
            f"| {' | '.join(times)} |"
        )
    print("\n| first | against | score | 95 % |\n|---|---|---|---|")
    for (first, second), played in pairings.items():
        score = arena.score([duel.pair.score for duel in played])
        print(
            f"| `{first}` | `{second}` | {score.mean:.1%} | {score.low:.1%} to {score.high:.1%} |"
        )
    games = 2 * len(next(iter(pairings.values())))
    print(f"\n{games} games of each pairing, in {seconds / 60:.1f} minutes.\n", flush=True)


def game_title(game: str) -> str:
    """The game's name as people write it."""
    title: str = GameInfo.FromString(game_info(game)).title
    return title


def _write(game: str, version: int, pairs: int, found: dict[str, Rating]) -> None:
    name = f"{game_title(game).replace(' ', '')}-v{version}"
    members = [
        {
            "id": f"{name}/{bot}",
            "bot": bot,
            "rating": [round(each, 1) for each in (rating.elo, rating.low, rating.high)],
            "digest": digest_of(game, bot),
        }
        for bot, rating in found.items()
    ]
    rules_version = GameInfo.FromString(game_info(game)).rules_version
    league = {
        "id": name,
        "game": game,
        "rules_version": rules_version,
        "pairs": pairs,
        "members": members,
    }
    _LEAGUES.mkdir(exist_ok=True)
    text = json.dumps(league, indent=2) + "\n"
    (_LEAGUES / f"{game}-v{version}.json").write_text(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.league", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("version", type=int)
    parser.add_argument("--pairs", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    return parser


if __name__ == "__main__":
    main()
