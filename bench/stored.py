"""A store of very many matches, written without a service.

Every entry is the domain's own and every log folds; only the games repeat, since there are
few different ones.
"""

import asyncio
import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from bench import matches
from bench.matches import Table
from bench.settings import Settings
from tablestate_service import app
from tablestate_service.domain import fairness
from tablestate_service.domain.decide import join
from tablestate_service.domain.entry import Draft, MatchChange, Request, Stamp
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import advance, open_match
from tablestate_service.domain.terms import (
    AbsencePolicy,
    Policies,
    RevealPolicy,
    StartPolicy,
    Terms,
)
from tablestate_service.ports import Append, Engine

PLIES = 50
_COURSES = 100
_GROUP = 256
_START = 1_700_000_000_000_000_000
_STEP = 1_000_000_000

Course = Sequence[tuple[int, str]]


def table(number: int) -> Table:
    """The match of a number, and the tokens of its seats."""
    seed = sha256(b"%d" % number)
    # Ids and request keys that rise fill the indexes in order, which is many times faster.
    match_id = f"{number:08x}{seed.hexdigest()[:24]}"
    return Table(match_id, tuple(sha256(b"%d/%d" % (number, s)).digest() for s in range(2)))


@contextmanager
def store(settings: Settings) -> Iterator[Path]:
    """A data directory with the matches 0 to `match_count` - 1, written if it is not there."""
    if settings.store is not None:
        _ensure(settings.store, settings)
        yield settings.store
        return
    with tempfile.TemporaryDirectory(dir=settings.directory) as name:
        _ensure(Path(name), settings)
        yield Path(name)


def _ensure(directory: Path, settings: Settings) -> None:
    """Write the matches; a file beside them says how many there are when it is done."""
    done, count = directory / "matches-written", str(settings.match_count)
    if done.exists() and done.read_text() == count:
        return
    settings.tell(f"writing {count} matches of {PLIES} plies to {directory}")
    asyncio.run(_write(directory, settings))
    done.write_text(count)


async def _write(directory: Path, settings: Settings) -> None:
    courses, rules = _courses(random.Random(settings.seed)), app.core_engine()
    opened = await app.open_store(directory)
    try:
        for first in range(0, settings.match_count, _GROUP):
            numbers = range(first, min(first + _GROUP, settings.match_count))
            played = [_played(each, courses[each % _COURSES], rules) for each in numbers]
            # First what creates the matches, as the service does it.
            await asyncio.gather(*(opened.append(each[0]) for each in played))
            await asyncio.gather(*(opened.append(each[1]) for each in played))
    finally:
        await opened.close()


def _courses(chance: random.Random) -> list[Course]:
    """Different games that are still running after PLIES plies, each with one ply more."""
    courses: list[Course] = []
    while len(courses) < _COURSES:
        course = matches.random_course(chance, PLIES + 1)
        if len(course) > PLIES:
            courses.append(course)
    return courses


def _played(number: int, course: Course, rules: Engine) -> tuple[Append, Append]:
    """The log of a match that is running: its first entry, and the rest."""
    made = table(number)
    log = [open_match(_terms(made, rules), _stamp(number, 0))]
    for seat, token in enumerate(made.tokens):
        log += join(
            log[-1].match,
            rules,
            _stamp(number, len(log)),
            token_hash=token_hash(token),
            seat=seat,
            display_name=f"player {seat}",
            player_id="",
        )
    for seat, notation in course[:PLIES]:
        draft = Draft(MatchChange.ACTION, seat, notation)
        log.append(advance(log[-1].match, draft, _stamp(number, len(log))))
    # The positions were not computed, so what is missing is whose turn it is.
    after = log[-1].match
    after = replace(after, standing=replace(after.standing, actors=(course[PLIES][0],)))
    entries = tuple(each.entry for each in log)
    return Append(entries[:1], log[0].match), Append(entries[1:], after)


def _terms(made: Table, rules: Engine) -> Terms:
    setup = rules.validate_options(matches.OPTIONS.SerializeToString())
    secret = sha256(made.match_id.encode()).digest()
    forfeit = AbsencePolicy.FORFEIT
    return Terms(
        match_id=made.match_id,
        game=setup.game,
        rules_version=setup.rules_version,
        seats=setup.seats,
        options=setup.options,
        policies=Policies(forfeit, forfeit, RevealPolicy.AT_END, StartPolicy.WHEN_FULL),
        metadata={},
        host_token_hash=token_hash(secret),
        secret=secret,
        commitment=fairness.commitment(made.match_id, secret),
        create_time=_START,
    )


def _stamp(number: int, place: int) -> Stamp:
    key = number.to_bytes(16, "big") + place.to_bytes(16, "big")
    return Stamp(_START + place * _STEP, Request(key, sha256(key).digest()))
