"""A stored log is checked entry by entry, and the first that does not fit is named."""

import json
from dataclasses import replace

import pytest

from support.domain import Bench, InlineWorkers, make_terms
from tablestate_service.domain.entry import GENESIS_HASH, Draft, Entry, MatchChange, seal
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.usecases.verifying import Flaw, Verdict, verify_replay

PLIES = 100


async def verdict(bench: Bench, match_id: str) -> Verdict:
    return await verify_replay(bench.store, bench.engine, InlineWorkers(), match_id=match_id)


async def played(bench: Bench) -> str:
    match_id = await bench.started(make_terms(goal=10 * PLIES))
    for ply in range(PLIES):
        await bench.submit(match_id, ply % 2, "1")
    return match_id


def log_of(bench: Bench, match_id: str) -> list[Entry]:
    return bench.store.logs[match_id]


def forge(log: list[Entry], version: int, draft: Draft) -> None:
    """Put another draft into a log and seal all that follows anew."""
    previous_hash = log[version - 2].hash if version > 1 else GENESIS_HASH
    for place in range(version - 1, len(log)):
        entry = log[place]
        content = draft if entry.version == version else entry.draft
        log[place] = seal(entry.match_id, entry.version, previous_hash, content, entry.stamp)
        previous_hash = log[place].hash


async def test_the_log_of_a_match_that_runs_holds() -> None:
    bench = Bench()
    match_id = await played(bench)
    assert await verdict(bench, match_id) == Verdict(PLIES + 4, None)
    await bench.submit(match_id, 0, "1")
    assert await verdict(bench, match_id) == Verdict(PLIES + 5, None)


async def test_an_unknown_match_is_not_found() -> None:
    with pytest.raises(DomainError) as refused:
        await verdict(Bench(), "f" * 32)
    assert refused.value.reason is Reason.MATCH_NOT_FOUND


@pytest.mark.parametrize("version", [1, 4, 5, 70, PLIES + 4])
async def test_a_changed_entry_breaks_the_chain(version: int) -> None:
    bench = Bench()
    match_id = await played(bench)
    log = log_of(bench, match_id)
    entry = log[version - 1]
    log[version - 1] = replace(entry, stamp=replace(entry.stamp, time=entry.stamp.time + 1))
    assert await verdict(bench, match_id) == Verdict(version - 1, Flaw.CHAIN)


@pytest.mark.parametrize("version", [4, 5, 70])
async def test_draws_that_are_not_of_the_seed_are_found(version: int) -> None:
    bench = Bench()
    match_id = await played(bench)
    log = log_of(bench, match_id)
    draft = log[version - 1].draft
    forge(log, version, replace(draft, draws=((draft.draws[0] + 1) % 256,)))
    assert await verdict(bench, match_id) == Verdict(version - 1, Flaw.DRAWS)


async def test_draws_where_nothing_is_drawn_are_found() -> None:
    bench = Bench()
    match_id = await played(bench)
    log = log_of(bench, match_id)
    forge(log, 3, replace(log[2].draft, draws=(1,)))
    assert await verdict(bench, match_id) == Verdict(2, Flaw.DRAWS)


async def test_another_secret_than_the_promised_is_found() -> None:
    bench = Bench()
    match_id = await played(bench)
    log = log_of(bench, match_id)
    terms = json.loads(log[0].draft.payload) | {"secret": "00" * 32}
    forge(log, 1, replace(log[0].draft, payload=json.dumps(terms)))
    assert await verdict(bench, match_id) == Verdict(0, Flaw.COMMITMENT)


async def test_other_rules_than_those_known_are_told() -> None:
    bench = Bench()
    match_id = await bench.create(replace(make_terms(), rules_version=9))
    assert await verdict(bench, match_id) == Verdict(0, Flaw.RULES_VERSION)


@pytest.mark.parametrize(
    "draft",
    [
        Draft(MatchChange.ACTION, 1, "1", (0,)),
        Draft(MatchChange.ACTION, 0, "seven", (0,)),
        Draft(MatchChange.JOINED, 7, payload="{}"),
        Draft(MatchChange.CREATED, payload="{}"),
    ],
)
async def test_what_the_rules_do_not_allow_is_found(draft: Draft) -> None:
    bench = Bench()
    match_id = await played(bench)
    forge(log_of(bench, match_id), 5, draft)
    assert await verdict(bench, match_id) == Verdict(4, Flaw.RULES)


async def test_nothing_follows_the_end() -> None:
    bench = Bench()
    match_id = await bench.started(make_terms(goal=1))
    await bench.submit(match_id, 0, "1")
    log = log_of(bench, match_id)
    more = Draft(MatchChange.LEFT, 0)
    log.append(seal(match_id, 6, log[-1].hash, more, log[-1].stamp))
    assert await verdict(bench, match_id) == Verdict(5, Flaw.RULES)


@pytest.mark.parametrize("missing", [1, 50, 65, PLIES + 4])
async def test_a_missing_entry_is_named(missing: int) -> None:
    bench = Bench()
    match_id = await played(bench)
    head = bench.store.heads[match_id]
    del log_of(bench, match_id)[missing - 1]
    found = await verdict(bench, match_id)
    is_last = missing == head.standing.version
    assert found == Verdict(missing - 1, Flaw.HEAD if is_last else Flaw.CHAIN)
