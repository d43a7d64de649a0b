"""Courses of matches to be stored, and the proof that a store has what it acknowledged."""

import asyncio
import random
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path

import apsw

from support.domain import Table, make_terms, request
from support.fake_engine import FakeEngine
from support.stored import append_of, match_id
from tablestate.v1 import game_pb2, offboard_pb2
from tablestate_service.adapters.sqlite_files import DATABASE_NAME
from tablestate_service.adapters.sqlite_store import SqliteStore
from tablestate_service.domain.entry import Entry, Stamp
from tablestate_service.domain.match import Transition, fold, open_match

OPTIONS = game_pb2.GameOptions(
    offboard=offboard_pb2.OffboardOptions(points_to_win=10_000)
).SerializeToString()


@dataclass
class Course:
    """A match, step by step: each step is what one append writes."""

    match_id: str
    steps: list[tuple[Transition, ...]]
    acknowledged: int = 0
    """How many steps the store said were durable."""

    @property
    def entries(self) -> list[Entry]:
        return [each.entry for step in self.steps for each in step]

    @property
    def acknowledged_entries(self) -> int:
        return sum(map(len, self.steps[: self.acknowledged]))


def course(number: int, plies: int) -> Course:
    """A match of that many plies, which could go on."""
    terms = replace(make_terms(match_id=match_id(number)), options=OPTIONS)
    table = Table(terms)
    created = open_match(terms, Stamp(terms.create_time, request(f"create {number}")))
    table.course = [created]
    steps: list[tuple[Transition, ...]] = [(created,), table.join(0), table.join(1)]
    chooser = random.Random(number)
    steps += [table.submit(ply % 2, chooser.choice("123")) for ply in range(plies)]
    return Course(match_id(number), steps)


async def store_course(store: SqliteStore, each: Course) -> None:
    """Append step after step, as far as the store lets it."""
    for step in each.steps[each.acknowledged :]:
        try:
            await store.append(append_of(*step))
        except Exception:
            return
        each.acknowledged += 1


async def store_all(store: SqliteStore, courses: list[Course]) -> None:
    """Append to all matches at once, so that groups are committed."""
    await asyncio.gather(*(store_course(store, each) for each in courses))


@dataclass
class Findings:
    """What was found in a store after a fault."""

    lost: int = 0
    """Entries that were acknowledged and are not there."""
    found: Counter[str] = field(default_factory=Counter)


async def examine(directory: Path, courses: list[Course]) -> Findings:
    """Open a store and compare it with what it acknowledged.

    Asserts that the file is sound and that each match is a whole beginning of its course,
    by chain and fold; entries that are missing at the end are counted as lost.
    """
    store = SqliteStore(directory)
    findings = Findings()
    try:
        for each in courses:
            stored = await _stored_entries(store, each)
            findings.lost += max(0, each.acknowledged_entries - stored)
            findings.found["entries"] += stored
    finally:
        await store.close()
    _assert_sound(directory)
    return findings


async def _stored_entries(store: SqliteStore, each: Course) -> int:
    log = await store.load(each.match_id)
    if log is None:
        return 0
    entries = list(log.entries)
    assert entries == each.entries[: len(entries)]
    match = fold(FakeEngine(), entries)
    assert (log.head_version, log.head_hash) == (len(entries), match.head_hash)
    return len(entries)


def _assert_sound(directory: Path) -> None:
    connection = apsw.Connection(str(directory / DATABASE_NAME))
    try:
        assert connection.pragma("integrity_check") == "ok"
    finally:
        connection.close()
