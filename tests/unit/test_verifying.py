"""A stored log is checked entry by entry, and the first that does not fit is named."""

import json
from dataclasses import replace

import pytest

from support.domain import Bench, InlineWorkers, Table, make_terms, running, stamp, waiting
from tablestate_service.domain.clocks import TimeControl
from tablestate_service.domain.entry import GENESIS_HASH, Draft, Entry, MatchChange, seal
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.match import advance
from tablestate_service.domain.terms import AbsencePolicy
from tablestate_service.usecases.verifying import (
    Flaw,
    FlawError,
    Verdict,
    Verifier,
    verify_replay,
)

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


PLAYER = json.dumps({"token_hash": "00" * 32, "display_name": "", "player_id": ""})
DRAW = json.dumps({"kind": "DRAW"})
CONTROL = TimeControl(turn_limit=1_000, bank=0, increment=0, grace=0, by_claim=False)


def flaw_of(table: Table, *drafts: Draft, store_time: int = 0) -> tuple[int, Flaw] | None:
    """What is found behind the course of a match, if these entries are written by force."""
    verifier = Verifier(table.engine)
    for transition in table.course:
        verifier.check(transition.entry)
    match = table.match
    try:
        for draft in drafts:
            forced = advance(match, draft, stamp(store_time=store_time))
            verifier.check(forced.entry)
            match = forced.match
    except FlawError as found:
        return found.version - match.standing.version, found.flaw
    return None


@pytest.mark.parametrize(
    "drafts",
    [
        [Draft(MatchChange.JOINED, 0, payload=PLAYER)],
        [Draft(MatchChange.SEAT_FREED, 0)],
        [Draft(MatchChange.BOT_ADDED, 0, payload='{"bot": "random"}')],
        [Draft(MatchChange.ENTROPY_DUE, payload='{"store_time": 0}')],
        [Draft(MatchChange.TIMED_OUT, 0)],
        [Draft(MatchChange.PAUSED)],
        [Draft(MatchChange.RESUMED)],
        [Draft(MatchChange.DRAW_AGREED)],
        [Draft(MatchChange.ACCEPTED, 1)],
        [Draft(MatchChange.DECLINED, 1)],
        [Draft(MatchChange.PROPOSED, 0, payload=DRAW), Draft(MatchChange.DRAW_AGREED)],
        [Draft(MatchChange.PROPOSED, 0, payload=DRAW), Draft(MatchChange.ACCEPTED, 0)],
        [Draft(MatchChange.LEFT, 1), Draft(MatchChange.LEFT, 1)],
        [Draft(MatchChange.LEFT, 1), Draft(MatchChange.PROPOSED, 1, payload=DRAW)],
    ],
)
def test_what_nobody_was_asked_for_is_found(drafts: list[Draft]) -> None:
    table = running(2, on_leave=AbsencePolicy.DEFAULT_ACTION)
    assert flaw_of(table, *drafts) == (1, Flaw.RULES)


@pytest.mark.parametrize("change", [MatchChange.STARTED, MatchChange.LEFT, MatchChange.DRAW_AGREED])
def test_nothing_of_a_game_happens_while_seats_are_open(change: MatchChange) -> None:
    table = waiting()
    table.join(0)
    seat = 0 if change is MatchChange.LEFT else None
    verifier = Verifier(table.engine)
    for transition in table.course:
        verifier.check(transition.entry)
    head = table.course[-1].entry
    forced = seal(head.match_id, 3, head.hash, Draft(change, seat, draws=(0,)), head.stamp)
    with pytest.raises(FlawError) as found:
        verifier.check(forced)
    assert (found.value.version, found.value.flaw) == (3, Flaw.RULES)


def test_what_all_have_agreed_on_holds() -> None:
    proposed = Draft(MatchChange.PROPOSED, 0, payload=DRAW)
    agreed = [proposed, Draft(MatchChange.ACCEPTED, 1), Draft(MatchChange.DRAW_AGREED)]
    assert flaw_of(running(), *agreed) is None


def test_nobody_is_timed_out_before_the_time() -> None:
    for now, expected in ((999, (1, Flaw.RULES)), (1_000, None)):
        table = running(2, time_control=CONTROL)
        assert flaw_of(table, Draft(MatchChange.TIMED_OUT, 0), store_time=now) == expected


def test_nobody_promises_anew_once_others_may_have_revealed() -> None:
    table = waiting()
    table.join(0, entropy=b"1" * 32)
    table.join(1, entropy=b"2" * 32)
    table.reveal(0, b"1" * 32)
    again = json.dumps(json.loads(PLAYER) | {"entropy_hash": "33" * 32})
    for draft in (
        Draft(MatchChange.JOINED, 1, payload=again),
        Draft(MatchChange.SEAT_FREED, 1),
        Draft(MatchChange.BOT_ADDED, 1, payload='{"bot": "random"}'),
    ):
        assert flaw_of(table, draft) == (1, Flaw.RULES)
