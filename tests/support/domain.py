"""Matches for tests of the inner layers, on the fake game."""

from collections.abc import Callable
from typing import TypeVar

from support.fake_engine import DEFAULT_GOAL, FakeEngine
from support.memory_store import MemoryStore
from support.service import HOST, CountingEntropy, FixedClock, token
from tablestate.v1 import game_pb2, offboard_pb2
from tablestate_service.adapters.local_feed import LocalFeed
from tablestate_service.domain import decide, fairness
from tablestate_service.domain.clocks import TimeControl
from tablestate_service.domain.entry import Request, Stamp, request_key
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Match, Transition, open_match
from tablestate_service.domain.terms import (
    AbsencePolicy,
    Policies,
    RevealPolicy,
    Seating,
    StartPolicy,
    Terms,
    default_absence,
)
from tablestate_service.usecases.matches import Matches

T = TypeVar("T")

HOST_HASH = token_hash(HOST)
MATCH_ID = "00000000000000000000000000000001"
FORFEIT, DEFAULT_ACTION, BOT = AbsencePolicy


def make_terms(
    seats: int = 2,
    *,
    match_id: str = MATCH_ID,
    on_leave: AbsencePolicy | None = None,
    start: StartPolicy = StartPolicy.WHEN_FULL,
    reveal: RevealPolicy = RevealPolicy.AT_END,
    tenant: str = "",
    goal: int = DEFAULT_GOAL,
    waiting_limit: int | None = None,
    time_control: TimeControl | None = None,
    on_timeout: AbsencePolicy | None = None,
    seating: Seating = Seating.CHOSEN,
) -> Terms:
    """Terms of the fake game."""
    wanted = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=goal))
    secret = bytes(range(32))
    absence = on_leave or default_absence(seats)
    return Terms(
        match_id=match_id,
        game="offboard",
        rules_version=1,
        seats=seats,
        options=FakeEngine(seats).validate_options(wanted.SerializeToString()).options,
        policies=Policies(absence, on_timeout or absence, reveal, start),
        metadata={"shelf": "3"},
        host_token_hash=HOST_HASH,
        secret=secret,
        commitment=fairness.commitment(match_id, secret),
        create_time=1_000,
        tenant=tenant,
        waiting_limit=waiting_limit,
        time_control=time_control,
        seating=seating,
    )


def request(name: str, content: str = "") -> Request:
    """A request of this name; other content stands for other bytes."""
    return Request(request_key("Test", "", b"", name), token_hash(content.encode()))


def stamp(time: int = 2_000, name: str | None = None, store_time: int = 0) -> Stamp:
    """A moment, and the request of this name."""
    return Stamp(time, request(name) if name else None, store_time)


def choice(notation: str) -> bytes:
    """An action by notation."""
    return game_pb2.ActionChoice(notation=notation).SerializeToString()


class Table:
    """A match that keeps its whole course, without any store."""

    def __init__(self, terms: Terms) -> None:
        self.engine = FakeEngine(terms.seats)
        self.now = 0
        """The time of the store, which a test sets."""
        self.course: list[Transition] = [open_match(terms, Stamp(terms.create_time, None, 0))]

    @property
    def match(self) -> Match:
        return self.course[-1].match

    def do(self, transitions: tuple[Transition, ...]) -> tuple[Transition, ...]:
        self.course.extend(transitions)
        return transitions

    def join(
        self,
        seat: int | None,
        holder: int | None = None,
        entropy: bytes = b"",
        time: int | None = None,
    ) -> tuple[Transition, ...]:
        number = holder if holder is not None else seat
        assert number is not None
        promised = fairness.entropy_hash(self.match.terms.match_id, entropy)
        return self.do(
            decide.join(
                self.match,
                self.engine,
                stamp(store_time=self.now if time is None else time),
                token_hash=token_hash(token(number)),
                seat=seat,
                display_name=f"player {number}",
                player_id=f"id {number}",
                entropy_hash=promised if entropy else b"",
            )
        )

    def reveal(self, seat: int, entropy: bytes, time: int | None = None) -> tuple[Transition, ...]:
        return self.do(
            decide.reveal(
                self.match,
                self.engine,
                stamp(store_time=self.now if time is None else time),
                token_hash=token_hash(token(seat)),
                entropy=entropy,
            )
        )

    def add_bot(self, seat: int | None, bot: str = "random") -> tuple[Transition, ...]:
        return self.do(
            decide.add_bot(
                self.match,
                self.engine,
                stamp(store_time=self.now),
                host_hash=HOST_HASH,
                bot=bot,
                seat=seat,
            )
        )

    def submit(
        self, seat: int, notation: str, version: int | None = None
    ) -> tuple[Transition, ...]:
        return self.do(
            decide.submit(
                self.match,
                stamp(store_time=self.now),
                token_hash=token_hash(token(seat)),
                choice=choice(notation),
                expected_version=version,
            )
        )

    def leave(self, seat: int) -> tuple[Transition, ...]:
        return self.do(
            decide.leave(self.match, stamp(store_time=self.now), token_hash=token_hash(token(seat)))
        )

    def resign(self, seat: int) -> tuple[Transition, ...]:
        return self.do(
            decide.resign(
                self.match, stamp(store_time=self.now), token_hash=token_hash(token(seat))
            )
        )

    def start(self, host_hash: bytes = HOST_HASH) -> tuple[Transition, ...]:
        return self.do(
            decide.start(self.match, self.engine, stamp(store_time=self.now), host_hash=host_hash)
        )

    def abort(self, host_hash: bytes = HOST_HASH) -> tuple[Transition, ...]:
        return self.do(decide.abort(self.match, stamp(store_time=self.now), host_hash=host_hash))


def waiting(seats: int = 2, on_leave: AbsencePolicy | None = None, **policies: object) -> Table:
    """A match nobody has joined."""
    return Table(make_terms(seats, on_leave=on_leave, **policies))  # type: ignore[arg-type]


def running(seats: int = 2, on_leave: AbsencePolicy | None = None, **policies: object) -> Table:
    """A match that has just started, its seats held by the tokens of their numbers."""
    table = waiting(seats, on_leave, **policies)
    for seat in range(seats):
        table.join(seat)
    return table


class InlineWorkers:
    """Does at once what a thread would do."""

    async def run(self, work: Callable[[], T]) -> T:
        return work()


class Bench:
    """The use cases on fakes."""

    def __init__(
        self, store: MemoryStore | None = None, seats: int = 2, capacity: int = 100
    ) -> None:
        self.store = store or MemoryStore()
        self.engine = FakeEngine(seats)
        self.feed = LocalFeed(100)
        self.clock = FixedClock()
        self.entropy = CountingEntropy()
        self.matches = Matches(
            store=self.store,
            engine=self.engine,
            feed=self.feed,
            workers=InlineWorkers(),
            clock=self.clock,
            capacity=capacity,
            is_followed=True,
        )

    async def create(self, terms: Terms | None = None, name: str = "create") -> str:
        terms = terms or make_terms(self.engine.seats)
        created = await self.matches.create(terms, request(name))
        return created[0].entry.match_id

    async def join(self, match_id: str, seat: int) -> tuple[Transition, ...]:
        return await self.matches.change(
            match_id,
            request(f"join {match_id} {seat}"),
            lambda match, moment: decide.join(
                match,
                self.engine,
                moment,
                token_hash=token_hash(token(seat)),
                seat=seat,
                display_name="",
                player_id="",
            ),
        )

    async def started(self, terms: Terms | None = None) -> str:
        terms = terms or make_terms(self.engine.seats)
        match_id = await self.create(terms, f"create {terms.match_id}")
        for seat in range(terms.seats):
            await self.join(match_id, seat)
        return match_id

    async def submit(
        self,
        match_id: str,
        seat: int,
        notation: str,
        *,
        name: str | None = None,
        content: str = "",
        version: int | None = None,
    ) -> tuple[Transition, ...]:
        head = (await self.matches.get(match_id)).match.standing.version
        return await self.matches.change(
            match_id,
            request(name or f"submit {match_id} {head}", content),
            lambda match, moment: decide.submit(
                match,
                moment,
                token_hash=token_hash(token(seat)),
                choice=choice(notation),
                expected_version=version,
            ),
        )
