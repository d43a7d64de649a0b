"""What seats add to the chance of a match: promised, revealed in time, or left out."""

import json
from dataclasses import replace

import pytest

from support.domain import HOST_HASH, Bench, InlineWorkers, Table, make_terms, stamp
from support.fake_engine import FakeEngine
from support.service import token
from tablestate_service.domain import decide, fairness
from tablestate_service.domain.deadlines import expire
from tablestate_service.domain.entry import Draft, MatchChange, seal
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition, fold
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import StartPolicy, from_payload, to_payload
from tablestate_service.usecases.verifying import Flaw, Verdict, verify_replay

SECOND = 1_000_000_000
LIMIT = 30 * SECOND
ONE, TWO = b"1" * 32, b"2" * 32
DUE, REVEALED = MatchChange.ENTROPY_DUE, MatchChange.ENTROPY_REVEALED
JOINED, STARTED = MatchChange.JOINED, MatchChange.STARTED


def changes(transitions: tuple[Transition, ...]) -> list[MatchChange]:
    return [each.entry.draft.change for each in transitions]


def promised(first: bytes = ONE, second: bytes = TWO, start: StartPolicy | None = None) -> Table:
    """A match whose seats have promised these entropies, at ten seconds."""
    table = Table(make_terms(start=start or StartPolicy.WHEN_FULL))
    table.join(0, entropy=first, time=9 * SECOND)
    table.join(1, entropy=second, time=10 * SECOND)
    return table


def refusal(act: object) -> Reason:
    with pytest.raises(DomainError) as refused:
        act()  # type: ignore[operator]
    return refused.value.reason


def seed_of(table: Table, *entropies: bytes) -> bytes:
    return fairness.seed(table.match.terms.match_id, table.match.terms.secret, entropies)


def test_the_match_waits_for_what_was_promised() -> None:
    table = promised()
    assert changes(tuple(table.course[2:])) == [JOINED, DUE]
    standing = table.match.standing
    assert (standing.phase, standing.actors) == (MatchPhase.WAITING, ())
    assert standing.entropy_awaited == (0, 1)
    assert standing.deadline == 10 * SECOND + LIMIT
    assert changes(table.reveal(1, TWO)) == [REVEALED]
    assert list(table.match.standing.entropy_awaited) == [0]
    assert changes(table.reveal(0, ONE)) == [REVEALED, STARTED]
    assert table.match.standing.phase is MatchPhase.RUNNING
    assert list(table.match.standing.entropy_awaited) == []
    assert table.match.standing.deadline is None


def test_the_seed_is_made_of_the_entropies_in_the_order_of_the_seats() -> None:
    table = promised()
    table.reveal(1, TWO)
    table.reveal(0, ONE)
    assert table.match.seed() == seed_of(table, ONE, TWO)
    assert table.course[-1].entry.draft.draws == (table.match.seed()[0],)


def test_the_start_belongs_to_the_reveal_before_it() -> None:
    table = promised(second=b"")
    revealed, started = decide.reveal(
        table.match,
        table.engine,
        stamp(name="reveal"),
        token_hash=token_hash(token(0)),
        entropy=ONE,
    )
    assert revealed.entry.stamp.request is not None
    assert started.entry.stamp.request is None


def test_one_promise_is_enough_to_be_waited_for() -> None:
    table = promised(second=b"")
    assert table.match.standing.entropy_awaited == (0,)
    assert changes(table.reveal(0, ONE)) == [REVEALED, STARTED]
    assert table.match.seed() == seed_of(table, ONE, b"")


def test_without_a_promise_all_is_as_it_was() -> None:
    table = promised(b"", b"")
    assert changes(tuple(table.course)) == [MatchChange.CREATED, JOINED, JOINED, STARTED]
    assert "store_time" not in "".join(each.entry.draft.payload for each in table.course)
    assert "entropy" not in "".join(each.entry.draft.payload for each in table.course)
    assert table.match.seed() == seed_of(table, b"", b"")


def test_who_does_not_reveal_in_time_counts_as_having_promised_nothing() -> None:
    table = promised()
    table.reveal(0, ONE, time=20 * SECOND)
    end = 10 * SECOND + LIMIT
    assert refusal(lambda: expire(table.match, stamp(store_time=end - 1), table.engine)) is (
        Reason.STALE_VERSION
    )
    assert refusal(lambda: table.reveal(1, TWO, time=end)) is Reason.ENTROPY_NOT_DUE
    assert changes(table.do(expire(table.match, stamp(store_time=end), table.engine))) == [STARTED]
    assert table.match.seed() == seed_of(table, ONE, b"")
    assert json.loads(table.course[-1].entry.draft.payload) == {"store_time": end}


def test_the_limit_is_the_match_s() -> None:
    table = Table(replace(make_terms(), entropy_limit=5 * SECOND))
    table.join(0, entropy=ONE)
    table.join(1, time=SECOND)
    assert table.match.standing.deadline == 6 * SECOND
    terms = table.match.terms
    assert from_payload(terms.match_id, terms.create_time, to_payload(terms)) == terms
    assert "entropy_limit" not in to_payload(make_terms())


@pytest.mark.parametrize("entropy", [TWO, ONE[:31], ONE + b"1", b""])
def test_another_entropy_than_the_promised_is_refused(entropy: bytes) -> None:
    table = promised()
    assert refusal(lambda: table.reveal(0, entropy)) is Reason.WRONG_ENTROPY


def test_an_entropy_is_revealed_when_it_is_due_and_once() -> None:
    table = Table(make_terms())
    table.join(0, entropy=ONE)
    assert refusal(lambda: table.reveal(0, ONE)) is Reason.ENTROPY_NOT_DUE
    table.join(1, entropy=TWO)
    table.reveal(0, ONE)
    with pytest.raises(DomainError) as refused:
        table.reveal(0, ONE)
    assert refused.value.reason is Reason.ENTROPY_NOT_DUE
    assert refused.value.metadata == {"seat": "0"}
    table.reveal(1, TWO)
    assert refusal(lambda: table.reveal(1, TWO)) is Reason.ENTROPY_NOT_DUE


def test_who_has_promised_nothing_reveals_nothing() -> None:
    table = promised(second=b"")
    assert refusal(lambda: table.reveal(1, TWO)) is Reason.ENTROPY_NOT_DUE
    assert refusal(lambda: table.reveal(7, TWO)) is Reason.WRONG_SEAT_TOKEN


def test_nobody_comes_or_goes_while_entropies_are_due() -> None:
    table = promised()
    assert refusal(lambda: table.leave(0)) is Reason.ENTROPY_DUE
    assert refusal(lambda: table.join(None, holder=9)) is Reason.SEAT_TAKEN
    assert refusal(lambda: table.add_bot(None)) is Reason.SEAT_TAKEN
    assert refusal(table.start) is Reason.ENTROPY_DUE
    assert refusal(lambda: table.submit(0, "1")) is Reason.MATCH_NOT_STARTED
    table.abort()
    assert table.match.standing.deadline is None
    assert table.match.standing.entropy_awaited == ()
    assert refusal(lambda: table.reveal(0, ONE)) is Reason.MATCH_ENDED


def test_a_seat_given_back_takes_its_promise_along() -> None:
    table = Table(make_terms())
    table.join(0, entropy=ONE)
    table.leave(0)
    table.join(0, holder=5)
    assert changes(table.join(1)) == [JOINED, STARTED]


def test_entropies_are_due_when_the_host_starts() -> None:
    table = promised(start=StartPolicy.BY_HOST)
    assert table.match.standing.entropy_awaited == ()
    table.leave(1)
    table.join(1, entropy=TWO)
    started = table.do(
        decide.start(table.match, table.engine, stamp(store_time=SECOND), host_hash=HOST_HASH)
    )
    assert changes(started) == [DUE]
    table.reveal(0, ONE)
    assert changes(table.reveal(1, TWO)) == [REVEALED, STARTED]


def test_a_bot_adds_nothing() -> None:
    table = Table(make_terms())
    table.join(0, entropy=ONE)
    assert changes(table.add_bot(1)) == [MatchChange.BOT_ADDED, DUE]
    table.reveal(0, ONE)
    assert table.match.seed() == seed_of(table, ONE, b"")


def test_the_log_folds_to_the_same_match() -> None:
    table = promised()
    table.reveal(0, ONE)
    assert fold(table.engine, [each.entry for each in table.course]) == table.match
    table.reveal(1, TWO)
    table.submit(0, "1")
    table.leave(0)
    assert fold(table.engine, [each.entry for each in table.course]) == table.match
    assert table.match.seed() == seed_of(table, ONE, TWO)


async def verdict_of(table: Table) -> Verdict:
    bench = Bench()
    bench.store.logs[table.match.terms.match_id] = [each.entry for each in table.course]
    bench.store.heads[table.match.terms.match_id] = table.match
    match_id = table.match.terms.match_id
    return await verify_replay(bench.store, bench.engine, InlineWorkers(), match_id=match_id)


def write(table: Table, draft: Draft) -> None:
    """Put an entry behind a log that nobody has decided on."""
    last = table.course[-1]
    version = last.entry.version + 1
    entry = seal(last.entry.match_id, version, last.entry.hash, draft, stamp())
    table.course.append(Transition(entry, last.match, None))


def revealed(seat: int, entropy: bytes) -> Draft:
    content = {"entropy": entropy.hex(), "store_time": 11 * SECOND}
    return Draft(REVEALED, seat, payload=json.dumps(content))


async def test_a_log_with_entropies_is_verified() -> None:
    table = promised()
    table.reveal(0, ONE)
    assert await verdict_of(table) == Verdict(5, None)
    table.do(expire(table.match, stamp(store_time=10 * SECOND + LIMIT), table.engine))
    table.submit(0, "1")
    assert await verdict_of(table) == Verdict(7, None)


@pytest.mark.parametrize(("seat", "entropy"), [(0, TWO), (1, ONE), (0, b"")])
async def test_an_entropy_that_was_not_promised_is_found(seat: int, entropy: bytes) -> None:
    table = promised(second=b"")
    write(table, revealed(seat, entropy))
    assert await verdict_of(table) == Verdict(4, Flaw.ENTROPY)


async def test_a_start_before_its_time_is_found() -> None:
    table = promised()
    draws = (seed_of(table, b"", b"")[0],)
    write(table, Draft(STARTED, draws=draws, payload=json.dumps({"store_time": 11 * SECOND})))
    assert await verdict_of(table) == Verdict(4, Flaw.ENTROPY)


async def test_a_start_that_forgets_what_was_promised_is_found() -> None:
    table = Table(make_terms())
    table.join(0, entropy=ONE)
    table.add_bot(1)
    del table.course[3:]
    write(table, Draft(STARTED, draws=(seed_of(table, b"", b"")[0],)))
    assert await verdict_of(table) == Verdict(3, Flaw.ENTROPY)


async def test_a_repeated_join_is_answered_as_the_first_was() -> None:
    bench = Bench()
    match_id = await bench.create()
    await bench.join(match_id, 0)
    promise = fairness.entropy_hash(match_id, ONE)

    async def join() -> tuple[Transition, ...]:
        return await bench.matches.change(
            match_id,
            stamp(name="join").request,
            lambda match, moment: decide.join(
                match,
                FakeEngine(),
                moment,
                token_hash=token_hash(token(1)),
                seat=1,
                display_name="",
                player_id="",
                entropy_hash=promise,
            ),
        )

    first = await join()
    assert changes(first) == [JOINED, DUE]
    assert await join() == first
