"""Every surface on which something of a position reaches a viewer, as bytes.

The answers are made by the service's own code from a match that stands at the position.
"""

import hashlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from secrecy.pairs import Viewer
from support.service import token
from tablestate.v1 import match_pb2, match_service_pb2
from tablestate_service import engine
from tablestate_service.adapters.core_engine import CoreEngine
from tablestate_service.domain import decide, fairness
from tablestate_service.domain.entry import Draft, MatchChange, Stamp
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.game import GameState
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Match, advance
from tablestate_service.domain.news import news_of
from tablestate_service.domain.seats import Occupant, Seat
from tablestate_service.domain.standing import MatchPhase, Standing
from tablestate_service.domain.terms import (
    AbsencePolicy,
    Policies,
    RevealPolicy,
    StartPolicy,
    Terms,
)
from tablestate_service.engine import TreeSearch
from tablestate_service.rpc import messages
from tablestate_service.rpc.error_table import status_of

ENGINE = CoreEngine()
STAMP = Stamp(2_000, None)
BOT_SEED = hashlib.sha256(b"the same for both states of a pair").digest()
SECRET = hashlib.sha256(b"a match's secret").digest()
MATCH_ID = f"{1:032x}"
PLY = 6


class CoreState(GameState, Protocol):
    """A state of the core, or of a test that plants a leak in one."""

    @property
    def seats(self) -> int:
        """Number of seats."""

    def dump(self) -> bytes:
        """The full truth."""

    def legal_notations(self) -> list[str]:
        """The actor's legal actions."""


class Shown(NamedTuple):
    """What a viewer gets on one surface."""

    surface: str
    content: bytes


class Tries(NamedTuple):
    """What a viewer tries: a choice, mostly refused, if any; a bot; who would win by forfeits;
    whether it searches."""

    choice: bytes | None
    bot: str
    winner: int
    searches: bool


Search: TypeAlias = Callable[[CoreState, bytes, int, int], list[bytes]]
"""Searches from what a seat sees, given options, seat and seed: what is told on the way, and the
answer."""


Grow: TypeAlias = Callable[[CoreState], TreeSearch]
"""Begins a tree search of the seat that decides, for an evaluator outside."""


class Table:
    """A match that stands at a position, as the service holds it."""

    def __init__(self, state: CoreState, options: bytes, search: Search, grow: Grow) -> None:
        self.state = state
        self.options = options
        self.search = search
        self.grow = grow
        outcome = state.outcome()
        standing = Standing(
            version=PLY + state.seats + 2,
            time=1_000,
            phase=MatchPhase.RUNNING if outcome is None else MatchPhase.OVER,
            ply=PLY,
            actors=() if state.actor is None else (state.actor,),
            seats=_SEATS[: state.seats],
            outcome=outcome,
        )
        # As in a real match, the hash of the log follows from the truth.
        head_hash = hashlib.sha256(state.dump()).digest()
        self.match = Match(_terms(options, state.seats), standing, head_hash, state)


def shown_now(table: Table, viewer: Viewer, tries: Tries) -> Iterator[Shown]:
    """All that a viewer can get of a match at this moment."""
    match, state = table.match, table.state
    # One answer with everything in it: its parts are told apart only when it differs.
    content = messages.view_bytes(
        match, viewer, include_legal_actions=True, include_observation=True
    )
    yield Shown("GetView", content)
    if viewer is None:
        yield Shown("match", messages.match_bytes(match.terms, match.standing, for_host=True))
    elif tries.choice is not None:
        yield Shown("error", _refusal(match, viewer, tries.choice))
    others = [seat for seat in range(state.seats) if seat != tries.winner % state.seats]
    yield Shown("outcome", state.outcome(others) or b"")
    if viewer is not None and viewer == state.actor:
        yield Shown("default action", state.default_action().encode())
        yield Shown("bot", state.choose(tries.bot, BOT_SEED, PLY).encode())
        if tries.searches:
            yield from _shown_by_search(table, viewer)
            yield from _shown_to_evaluator(table)


def shown_of_step(table: Table, viewer: Viewer, notation: str, draws: list[int]) -> Iterator[Shown]:
    """All that a viewer gets of an action."""
    step = table.state.replay(notation, draws)
    draft = Draft(MatchChange.ACTION, table.state.actor, notation, tuple(draws))
    transition = advance(table.match, draft, STAMP, step)
    content = messages.update_bytes(
        transition, viewer, include_view=True, include_legal_actions=True
    )
    yield Shown("update", content)
    for news in news_of(table.match, (transition,)):
        yield Shown("feed", messages.feed_item(news).SerializeToString())


def surface_of(left: Shown, right: Shown) -> str:
    """The part of two answers in which they differ, or else the whole answer."""
    kind = _ANSWERS.get(left.surface)
    if kind is None:
        return left.surface
    ours, theirs = kind.FromString(left.content), kind.FromString(right.content)
    names: list[str] = [field.name for field in kind.DESCRIPTOR.fields]
    for name in names:
        if getattr(ours, name) != getattr(theirs, name):
            return name
    return left.surface


_ANSWERS: dict[str, Any] = {
    "GetView": match_service_pb2.GetViewResponse,
    "update": match_pb2.MatchUpdate,
}


def _refusal(match: Match, viewer: int, choice: bytes) -> bytes:
    try:
        decide.submit(
            match, STAMP, token_hash=_HASHES[viewer], choice=choice, expected_version=None
        )
    except Exception as error:
        refusal = error if isinstance(error, DomainError) else ENGINE.refusal(error)
        if refusal is None:
            raise
        return status_of(refusal).details
    return b"taken"


def searched(state: CoreState, options: bytes, seat: int, seed: int) -> list[bytes]:
    """Search as the service does."""
    told: list[engine.SearchReport] = []
    found = engine.search(
        options,
        state.view(seat),
        seat,
        iterations=_ITERATIONS,
        seed=seed,
        progress=told.append,
    )
    assert found is not None
    return [*(report.dump(done=False) for report in told), found.dump(done=True)]


def _shown_by_search(table: Table, viewer: int) -> Iterator[Shown]:
    *told, answer = table.search(table.state, table.options, viewer, _SEARCH_SEED)
    yield Shown("search", answer)
    for progress in told:
        yield Shown("search progress", progress)
    try:
        table.search(table.state, table.options, (viewer + 1) % table.state.seats, _SEARCH_SEED)
    except engine.CoreError as error:
        refusal = ENGINE.refusal(error)
        assert refusal is not None
        yield Shown("search error", status_of(refusal).details)


def grown(state: CoreState, seed: int = 7) -> TreeSearch:
    """Begin a tree search as the service does."""
    return TreeSearch.of_states([state.dump()], simulations=20, leaves=3, seed=seed)


def _shown_to_evaluator(table: Table) -> Iterator[Shown]:
    search = table.grow(table.state)
    while (leaves := search.leaves()) is not None:
        parts = (leaves.actors, leaves.masks, leaves.observations)
        yield Shown("evaluator leaves", b"".join(part.tobytes() for part in parts))
        sums = leaves.observations.sum(axis=1, dtype=np.int64)
        search.answer(1 + sums[:, None] * np.arange(search.action_count) % 7, sums % 201 / 100 - 1)
    found = (search.visits, search.values, search.returns)
    report = b"".join(part.tobytes() for part in found)
    yield Shown("evaluator report", report + repr(search.lines).encode())


_ITERATIONS = 520
"""Enough that progress is told of once."""
_SEARCH_SEED = 7
_HASHES = [token_hash(token(seat)) for seat in range(5)]


_SEATS = tuple(
    Seat(Occupant.PLAYER, f"player {seat}", f"id {seat}", hashed)
    for seat, hashed in enumerate(_HASHES)
)


@lru_cache(maxsize=64)
def _terms(options: bytes, seats: int) -> Terms:
    absence = AbsencePolicy.DEFAULT_ACTION
    policies = Policies(absence, absence, RevealPolicy.NEVER, StartPolicy.WHEN_FULL)
    return Terms(
        match_id=MATCH_ID,
        game="any",
        rules_version=1,
        seats=seats,
        options=options,
        policies=policies,
        metadata={"shelf": "3"},
        host_token_hash=token_hash(token(99)),
        secret=SECRET,
        commitment=fairness.commitment(MATCH_ID, SECRET),
        create_time=500,
    )
