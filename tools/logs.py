"""The corpus of stored logs: matches on every released version of the rules.

`python -m tools.logs --write` plays matches of every game and puts their logs into
`tests/data/logs/<game>-v<rules version>`: the recorded games of `tests/data/scenarios`, and games
of bots that like best what has happened least. It never touches a folder that is there: what was
stored under a version of the rules is what that version is. `tests/laws/test_stored_logs.py`
plays all of them again.
"""

import gzip
import hashlib
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from google.protobuf import json_format

from tablestate.v1.game_pb2 import LegalAction, LegalActions, Outcome
from tablestate_service import engine, matchfile
from tablestate_service.adapters.core_engine import CoreEngine
from tablestate_service.domain import decide, fairness
from tablestate_service.domain.entry import Entry, Stamp
from tablestate_service.domain.hashing import digest, token_hash
from tablestate_service.domain.match import Match, Transition, open_match, replay
from tablestate_service.domain.terms import Policies, RevealPolicy, StartPolicy, Terms
from tablestate_service.domain.terms import default_absence as absence_of
from tools.scenarios import DATA, Record, Scenario, record, scenarios

FOLDER = DATA / "logs"
DIGESTS = "digests.json"
ENDING = ".jsonl.gz"
MOST_PLIES = 400
GIVES_UP = 12
"""The ply at which a player of one of them resigns."""
HOST = token_hash(b"host")
SECOND = 1_000_000_000


class Course(NamedTuple):
    """A match to be stored."""

    title: str
    match_id: str
    secret: bytes
    setup: engine.Setup
    notations: Sequence[str] | None
    """All actions; None: whatever a curious bot likes."""
    gives_up: int | None = None
    """The ply at which the last seat resigns."""


def name_of(game: str, rules_version: int) -> str:
    """The name of a corpus's folder."""
    return f"{game}-v{rules_version}"


def read_log(path: Path) -> matchfile.MatchFile:
    """A file of the corpus."""
    return matchfile.read(gzip.decompress(path.read_bytes()).splitlines(keepends=True))


def digests_of(entries: Sequence[Entry]) -> Mapping[str, Any]:
    """What a log must lead to on the rules it was played on; plays it again."""
    told = {name: hashlib.sha256() for name in ("positions", "events", "views")}
    match: Match | None = None
    for transition in replayed(entries):
        match = transition.match
        _tell(told, transition)
    assert match is not None
    state, outcome = match.state, Outcome.FromString(match.standing.outcome or b"")
    return {
        "entries": len(entries),
        "plies": match.standing.ply,
        "hash": f"{state.hash:016x}" if isinstance(state, engine.GameState) else "",
        "outcome": json_format.MessageToDict(outcome),
        **{name: hasher.hexdigest() for name, hasher in told.items()},
    }


def replayed(entries: Sequence[Entry]) -> Iterator[Transition]:
    """Every entry, folded behind those before."""
    match, rules = None, CoreEngine()
    for entry in entries:
        transition = replay(rules, match, entry)
        match = transition.match
        yield transition


def _tell(told: Mapping[str, Any], transition: Transition) -> None:
    state, step = transition.match.state, transition.step
    if not isinstance(state, engine.GameState) or step is None:
        return
    told["positions"].update(f"{state.hash:016x} {state.position}\n".encode())
    for viewer in (*range(state.seats), None):
        told["views"].update(digest((state.view(viewer), state.observation(viewer))))
        told["events"].update(digest(tuple(step.events(viewer))))


def courses(game: str) -> Iterator[Course]:
    """The matches to be stored of a game."""
    recorded = [each for each in scenarios() if each.game == game]
    for scenario in recorded:
        yield _recorded(record(scenario))
    for number, like in enumerate((recorded[0], recorded[len(recorded) // 2], recorded[-1])):
        yield _curious(like, f"curious-{number}")
    most_seats = max(recorded, key=lambda scenario: _setup(scenario).seats)
    yield _curious(most_seats, "curious-resigned")._replace(gives_up=GIVES_UP)


def _recorded(played: Record) -> Course:
    each = played.scenario
    notations = [step.notation for step in played.steps[1:]]
    return Course(each.title, each.match_id, each.secret, played.setup, notations)


def _curious(like: Scenario, name: str) -> Course:
    named = like._replace(name=name)
    return Course(named.title, named.match_id, named.secret, _setup(like), None)


def _setup(scenario: Scenario) -> engine.Setup:
    return engine.validate_options(scenario.message().SerializeToString())


def log_of(course: Course) -> list[Entry]:
    """Play a match, without a service; its log."""
    rules, clock = CoreEngine(), iter(range(SECOND, sys.maxsize, SECOND))

    def stamp() -> Stamp:
        return Stamp(next(clock), None)

    done = [open_match(_terms(course), stamp())]
    for seat in range(course.setup.seats):
        done += decide.join(
            done[-1].match,
            rules,
            stamp(),
            token_hash=_token(seat),
            seat=seat,
            display_name=f"Player {seat}",
            player_id=f"player-{seat}",
        )
    for notation in _notations(course, done):
        done += _act(rules, done[-1].match, notation, stamp())
        if done[-1].match.standing.ply == course.gives_up:
            done += decide.resign(
                done[-1].match, stamp(), token_hash=_token(course.setup.seats - 1)
            )
    if not done[-1].match.standing.has_ended:
        done += decide.abort(done[-1].match, stamp(), host_hash=HOST)
    return [each.entry for each in done]


def _act(rules: CoreEngine, match: Match, notation: str, stamp: Stamp) -> tuple[Transition, ...]:
    standing, choice = match.standing, rules.choice(notation)
    if standing.is_automatic:
        return decide.act_for_absent(match, stamp, choice=choice, version=standing.version)
    token = _token(standing.actors[0])
    return decide.submit(match, stamp, token_hash=token, choice=choice, expected_version=None)


def _notations(course: Course, done: Sequence[Transition]) -> Iterator[str]:
    """The actions, one after the other as the match goes on."""
    if course.notations is not None:
        yield from course.notations
        return
    chooser, taken = random.Random(course.title), Counter[str]()
    while not (match := done[-1].match).standing.has_ended and match.standing.ply < MOST_PLIES:
        assert match.state is not None
        legal = LegalActions.FromString(match.state.legal_actions()).actions
        least = min(taken[kind_of(action)] for action in legal)
        rare = [action for action in legal if taken[kind_of(action)] == least]
        action = chooser.choice(rare if chooser.random() < 0.5 else legal)
        taken[kind_of(action)] += 1
        yield action.notation


def kind_of(action: LegalAction) -> str:
    """What kind of action it is: which fields its message has."""
    return _shape(json_format.MessageToDict(action.action))


def _shape(content: Any) -> str:
    names = sorted(content) if isinstance(content, dict) else []
    return "".join(f"{name}({_shape(content[name])})" for name in names)


def _terms(course: Course) -> Terms:
    setup, absence = course.setup, absence_of(course.setup.seats)
    return Terms(
        match_id=course.match_id,
        game=setup.game,
        rules_version=setup.rules_version,
        seats=setup.seats,
        options=setup.options,
        policies=Policies(absence, absence, RevealPolicy.AT_END, StartPolicy.WHEN_FULL),
        metadata={"title": course.title},
        host_token_hash=HOST,
        secret=course.secret,
        commitment=fairness.commitment(course.match_id, course.secret),
        create_time=0,
    )


def _token(seat: int) -> bytes:
    return token_hash(b"seat %d" % seat)


def write(game: str) -> str:
    """Write the corpus of a game on its present rules, unless it is there; what was done."""
    folder = FOLDER / name_of(game, CoreEngine().rules_version(game))
    if folder.exists():
        return f"{folder.name}: is there, and stays as it is"
    logs = {course.title: log_of(course) for course in courses(game)}
    folder.mkdir(parents=True)
    for title, entries in logs.items():
        file, _ = matchfile.record(CoreEngine(), entries)
        text = b"".join(matchfile.write(file))
        (folder / f"{title}{ENDING}").write_bytes(gzip.compress(text, mtime=0))
    digests = {title: digests_of(entries) for title, entries in logs.items()}
    lines = [f"{json.dumps(title)}: {json.dumps(digests[title])}" for title in sorted(digests)]
    (folder / DIGESTS).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return f"{folder.name}: {len(logs)} matches written"


def main() -> int:
    """Write what is missing; without `--write` say what is. The exit code."""
    rules = CoreEngine()
    names = {game: name_of(game, rules.rules_version(game)) for game in rules.games()}
    if "--write" in sys.argv:
        print(*map(write, names), sep="\n")
    missing = [name for name in names.values() if not (FOLDER / name).exists()]
    print("missing:", *missing or ["nothing"])
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
