import asyncio
from dataclasses import replace

import pytest

from support.domain import HOST_HASH, Bench, choice, make_terms, request, stamp
from support.fake_engine import FakeCoreError
from support.memory_store import MemoryStore
from support.service import token
from tablestate_service.domain import decide
from tablestate_service.domain.entry import Draft, MatchChange, seal
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import advance
from tablestate_service.domain.seats import Occupant
from tablestate_service.ports import Append, Log, Writing

IDS = [f"{number:032x}" for number in range(1, 20)]


async def test_a_match_loads_as_it_was() -> None:
    bench = Bench()
    match_id = await bench.started()
    await bench.submit(match_id, 0, "1")
    live = (await bench.matches.get(match_id)).match
    assert (await Bench(bench.store).matches.get(match_id)).match == live


async def test_an_unknown_match_is_not_found() -> None:
    with pytest.raises(DomainError) as refused:
        await Bench().matches.get(IDS[0])
    assert refused.value.reason is Reason.MATCH_NOT_FOUND


async def test_a_match_that_many_want_at_once_is_loaded_once() -> None:
    bench = Bench()
    match_id = await bench.started()
    other = Bench(bench.store)
    loaded = await asyncio.gather(*(other.matches.get(match_id) for _ in range(5)))
    assert len({id(each) for each in loaded}) == 1
    assert bench.store.reads == 1


async def test_those_longest_unused_are_forgotten() -> None:
    bench = Bench(capacity=2)
    for match_id in IDS[:3]:
        await bench.create(make_terms(match_id=match_id), match_id)
    for match_id in IDS[:3]:
        assert (await bench.matches.get(match_id)).match.terms.match_id == match_id
    assert bench.store.reads == 3


class SlowStore(MemoryStore):
    """Takes a while to write, and another to tell so."""

    def append(self, append: Append) -> Writing:
        writing, told = Writing(), Writing()
        loop = asyncio.get_running_loop()
        loop.call_later(0.01, self._append, append, writing)
        writing.add_done_callback(lambda _: loop.call_later(0.01, told.set_result, None))
        return told


async def submit_after_loading(bench: Bench, match_id: str) -> None:
    await bench.matches.change(
        match_id,
        request("late"),
        lambda match, moment: decide.submit(
            match,
            moment,
            token_hash=token_hash(token(0)),
            choice=choice("1"),
            expected_version=None,
        ),
    )


async def look_after(bench: Bench, match_id: str, turns: int) -> None:
    for _ in range(turns):
        await asyncio.sleep(0)
    await bench.matches.get(match_id)


@pytest.mark.parametrize("turns", range(12))
async def test_a_match_that_is_forgotten_while_it_changes_does_not_go_back(turns: int) -> None:
    before = Bench()
    changed, other = [await before.started(make_terms(match_id=each)) for each in IDS[:2]]
    store = SlowStore()
    vars(store).update(vars(before.store))
    bench = Bench(store, capacity=1)
    await asyncio.gather(
        submit_after_loading(bench, changed),
        bench.matches.get(other),
        look_after(bench, changed, turns),
    )
    assert (await bench.matches.get(changed)).match.standing.version == 5


async def test_a_creation_does_not_hide_what_came_after_it() -> None:
    bench = Bench(SlowStore())

    async def join_at_once() -> None:
        while IDS[0] not in bench.store.logs:
            await asyncio.sleep(0)
        await bench.join(IDS[0], 0)

    await asyncio.gather(join_at_once(), bench.create(make_terms(match_id=IDS[0])))
    assert (await bench.matches.get(IDS[0])).match.standing.version == 2


class SlowToRead(MemoryStore):
    """Tells a while later what it found."""

    async def load(self, match_id: str, after: int = 0, limit: int | None = None) -> Log | None:
        found = await super().load(match_id, after, limit)
        await asyncio.sleep(0.01)
        return found


async def test_whoever_asks_after_a_creation_is_not_told_what_was_found_before_it() -> None:
    bench = Bench(SlowToRead())
    early = asyncio.ensure_future(bench.matches.get(IDS[0]))
    while not bench.store.reads:
        await asyncio.sleep(0)
    await bench.create(make_terms(match_id=IDS[0]))
    late = await asyncio.gather(*(bench.matches.get(IDS[0]) for _ in range(3)))
    with pytest.raises(DomainError):
        await early
    assert len({id(each) for each in late}) == 1


async def test_a_repeated_request_has_one_effect_and_the_same_answer() -> None:
    bench = Bench()
    match_id = await bench.started()
    first = await bench.submit(match_id, 0, "1", name="move")
    await bench.submit(match_id, 1, "1")
    again = await bench.submit(match_id, 0, "1", name="move")
    assert again == first
    assert (await Bench(bench.store).submit(match_id, 0, "1", name="move")) == first
    assert (await bench.matches.get(match_id)).match.standing.ply == 2


async def test_a_repeated_request_is_known_even_if_it_would_be_refused_now() -> None:
    bench = Bench()
    match_id = await bench.started()
    first = await bench.submit(match_id, 0, "1", name="move", version=4)
    assert await bench.submit(match_id, 0, "1", name="move", version=4) == first


async def test_requests_sent_at_once_have_one_effect() -> None:
    bench = Bench()
    match_id = await bench.started()
    answers = await asyncio.gather(*(bench.submit(match_id, 0, "1", name="move") for _ in range(5)))
    assert all(answer == answers[0] for answer in answers)
    assert (await bench.matches.get(match_id)).match.standing.ply == 1


async def test_creations_sent_at_once_make_one_match() -> None:
    bench = Bench()
    created = await asyncio.gather(
        *(bench.create(make_terms(match_id=match_id), "create") for match_id in IDS[:5])
    )
    assert len(set(created)) == 1
    assert len(bench.store.logs) == 1


async def test_the_answer_to_the_last_join_holds_the_start() -> None:
    bench = Bench()
    match_id = await bench.create()
    await bench.join(match_id, 0)
    first = await bench.join(match_id, 1)
    await bench.submit(match_id, 0, "1")
    assert [each.entry.draft.change for each in first] == [MatchChange.JOINED, MatchChange.STARTED]
    assert await bench.join(match_id, 1) == first


async def test_what_the_server_did_next_is_no_part_of_an_answer() -> None:
    bench = Bench()
    match_id = await bench.create()
    await bench.matches.change(
        match_id,
        request("add a bot"),
        lambda match, moment: decide.add_bot(
            match, bench.engine, moment, host_hash=HOST_HASH, bot="random", seat=1
        ),
    )
    await bench.join(match_id, 0)
    first = await bench.submit(match_id, 0, "1", name="move")
    version = first[-1].match.standing.version
    await bench.matches.change(
        match_id,
        None,
        lambda match, moment: decide.act_for_absent(
            match, moment, choice=choice("1"), version=version
        ),
    )
    assert await bench.submit(match_id, 0, "1", name="move") == first


async def test_a_request_id_cannot_be_used_for_something_else() -> None:
    bench = Bench()
    match_id = await bench.started()
    await bench.submit(match_id, 0, "1", name="move")
    with pytest.raises(DomainError) as refused:
        await bench.submit(match_id, 0, "1", name="move", content="other")
    assert refused.value.reason is Reason.REQUEST_ID_REUSED


async def test_a_refused_request_leaves_no_trace_and_may_be_sent_again() -> None:
    bench = Bench()
    match_id = await bench.started()
    with pytest.raises(FakeCoreError):
        await bench.submit(match_id, 0, "9", name="move")
    await bench.submit(match_id, 0, "1", name="move")
    assert (await bench.matches.get(match_id)).match.standing.ply == 1


async def foreign_leave(store: MemoryStore, match_id: str, seat: int) -> None:
    """What another node does: an entry written past this one."""
    await Bench(store).matches.change(
        match_id,
        request(f"leave {seat}"),
        lambda match, moment: decide.leave(match, moment, token_hash=token_hash(token(seat))),
    )


async def test_what_another_node_wrote_is_read_and_the_change_decided_again() -> None:
    bench = Bench(seats=3)
    match_id = await bench.started()
    await foreign_leave(bench.store, match_id, 2)
    await bench.submit(match_id, 0, "1")
    standing = (await bench.matches.get(match_id)).match.standing
    assert standing.ply == 1
    assert standing.seats[2].occupant is Occupant.ABSENT


async def test_a_read_shows_what_another_node_wrote_and_reads_only_that() -> None:
    first = Bench()
    match_id = await first.started()
    second = Bench(first.store)
    await second.matches.current(match_id)
    for ply in range(4):
        await first.submit(match_id, ply % 2, "1")
        reads = first.store.reads
        loaded = await asyncio.gather(*(second.matches.current(match_id) for _ in range(5)))
        assert {each.match.standing.version for each in loaded} == {5 + ply}
        assert first.store.reads == reads + 1


async def test_what_was_refused_because_this_node_was_behind_is_decided_again() -> None:
    first = Bench()
    match_id = await first.started()
    second = Bench(first.store)
    await second.matches.current(match_id)
    await first.submit(match_id, 0, "1")
    await second.submit(match_id, 1, "1", version=5, name="by the second")
    with pytest.raises(DomainError) as refused:
        await first.submit(match_id, 1, "1", name="out of turn")
    assert refused.value.reason is Reason.NOT_THE_ACTOR
    assert (await first.matches.get(match_id)).match.standing.version == 6


async def test_a_request_answered_by_another_node_gets_the_same_answer_here() -> None:
    first = Bench()
    match_id = await first.started()
    second = Bench(first.store)
    await second.matches.current(match_id)
    answer = await first.submit(match_id, 0, "1", name="move")
    assert await second.submit(match_id, 0, "1", name="move") == answer


async def test_a_log_that_lost_its_end_is_read_anew() -> None:
    bench = Bench()
    match_id = await bench.started()
    before = (await bench.matches.get(match_id)).match
    await bench.submit(match_id, 0, "1")
    # A backup from before the action was restored.
    bench.store.logs[match_id].pop()
    bench.store.heads[match_id] = before
    bench.store.requests.clear()
    await bench.submit(match_id, 0, "2", name="another")
    assert bench.store.logs[match_id][-1].draft.notation == "2"
    assert (await bench.matches.get(match_id)).match.standing.version == 5


async def test_an_end_that_does_not_follow_from_what_is_known_is_damage() -> None:
    first = Bench()
    match_id = await first.started()
    second = Bench(first.store)
    await second.matches.current(match_id)
    await first.submit(match_id, 0, "1")
    log = first.store.logs[match_id]
    log[-1] = replace(log[-1], hash=bytes(32))
    with pytest.raises(DomainError) as refused:
        await second.matches.current(match_id)
    assert refused.value.reason is Reason.LOG_DAMAGED


async def test_a_caller_who_named_a_version_hears_that_it_is_late() -> None:
    bench = Bench(seats=3)
    match_id = await bench.started()
    await foreign_leave(bench.store, match_id, 2)
    with pytest.raises(DomainError) as refused:
        await bench.submit(match_id, 0, "1", version=5)
    assert refused.value.reason is Reason.STALE_VERSION
    assert refused.value.metadata == {"current_version": "6", "expected_version": "5"}


async def test_what_was_being_written_takes_effect_though_the_caller_has_gone() -> None:
    bench = Bench()
    match_id = await bench.started()
    caller = asyncio.ensure_future(bench.submit(match_id, 0, "1"))
    while not (await bench.matches.get(match_id)).lock.locked():
        await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    loaded = await bench.matches.get(match_id)
    assert not loaded.lock.locked()
    assert loaded.match.standing.ply == 1
    assert len(bench.store.logs[match_id]) == loaded.match.standing.version


async def test_a_match_as_it_was_at_a_version() -> None:
    bench = Bench()
    match_id = await bench.started()
    await bench.submit(match_id, 0, "1")
    for version in range(1, 6):
        assert (await bench.matches.at_version(match_id, version)).standing.version == version
    with pytest.raises(DomainError) as refused:
        await bench.matches.at_version(match_id, 6)
    assert refused.value.reason is Reason.VERSION_NOT_REACHED


async def test_history_gives_what_lies_after_one_version_up_to_another() -> None:
    bench = Bench()
    match_id = await bench.started()
    await bench.submit(match_id, 0, "1")
    seen = [
        each.entry.version
        async for batch in bench.matches.history(match_id, 2, 4)
        for each in batch
    ]
    assert seen == [3, 4]


async def expect_damage(store: MemoryStore, match_id: str) -> None:
    with pytest.raises(DomainError) as refused:
        await Bench(store).matches.get(match_id)
    assert refused.value.reason is Reason.LOG_DAMAGED


async def test_damage_is_told_of_the_match_concerned_only() -> None:
    bench = Bench()
    broken, whole = [await bench.started(make_terms(match_id=each)) for each in IDS[:2]]
    log = bench.store.logs[broken]
    log[2] = replace(log[2], stamp=replace(log[2].stamp, time=5))
    await expect_damage(bench.store, broken)
    assert (await Bench(bench.store).matches.get(whole)).match.standing.version == 4


async def test_a_log_without_its_last_entry_is_damaged() -> None:
    bench = Bench()
    match_id = await bench.started()
    bench.store.logs[match_id].pop()
    await expect_damage(bench.store, match_id)


async def test_a_log_with_another_end_than_the_head_is_damaged() -> None:
    bench = Bench()
    match_id = await bench.started()
    log, before = bench.store.logs[match_id], await bench.matches.at_version(match_id, 3)
    log[-1] = advance(before, Draft(MatchChange.ABORTED), stamp()).entry
    await expect_damage(bench.store, match_id)


async def test_an_intact_chain_of_nonsense_is_damaged() -> None:
    bench = Bench()
    match_id = await bench.started()
    match = (await bench.matches.get(match_id)).match
    entry = seal(match_id, 5, match.head_hash, Draft(MatchChange.JOINED, 0, payload="[]"), stamp())
    bench.store.logs[match_id].append(entry)
    bench.store.heads[match_id] = replace(
        match, standing=replace(match.standing, version=5), head_hash=entry.hash
    )
    await expect_damage(bench.store, match_id)


async def test_a_match_of_other_rules_cannot_go_on_and_says_so() -> None:
    bench = Bench()
    terms = replace(make_terms(), rules_version=99)
    match_id = await bench.create(terms)
    with pytest.raises(DomainError) as refused:
        await Bench(bench.store).matches.get(match_id)
    assert refused.value.reason is Reason.RULES_VERSION_UNSUPPORTED
    assert refused.value.metadata == {"rules_version": "99", "supported": "1"}


async def test_a_repeated_creation_gives_the_first_match() -> None:
    bench = Bench()
    first = await bench.matches.create(make_terms(), request("create"))
    await bench.join(first[0].entry.match_id, 0)
    again = await bench.matches.create(make_terms(match_id=IDS[5]), request("create"))
    assert again == first
