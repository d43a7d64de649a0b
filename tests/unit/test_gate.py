"""Who is let in, as what, to which matches; and what follows for the fields of a request."""

import asyncio
from collections.abc import Iterator
from typing import Any, cast

import pytest
from grpc_health.v1 import health_pb2

from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.access import ANYBODY, STRANGER, Caller, Role
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.texts import MAX_PLAYER_ID, MAX_TENANT
from tablestate_service.rpc import callers, gate
from tablestate_service.rpc.gate import FOR_ANYONE, Gate, Rule, rule_of
from tablestate_service.rpc.pace import Pace
from tablestate_service.rpc.requests import Fields

METHODS = pb.DESCRIPTOR.services_by_name["MatchService"].methods_by_name
PLAYER = Caller(Role.PLAYER, "shop", "ada", "key ada")
OPERATOR = Caller(Role.OPERATOR, "shop", None, "key backend")
HOLDER = Caller(Role.PLAYER, "shop", None, "key of many players")
FOR_PLAYERS, FOR_OPERATORS = Rule(Role.PLAYER), Rule(Role.OPERATOR)
MINE, ANOTHER = f"{1:032x}", f"{2:032x}"


class Ring:
    """Knows some credentials."""

    def __init__(self, **known: Caller) -> None:
        self.known = known
        self.asked: list[str] = []

    def caller(self, credential: str) -> Caller | None:
        self.asked.append(credential)
        return self.known.get(credential)


class Context:
    """A call with some metadata."""

    def __init__(
        self, *metadata: tuple[str, str | bytes], peer: str = "ipv4:127.0.0.1:4711"
    ) -> None:
        self._metadata = metadata or None
        self._peer = peer

    def peer(self) -> str:
        return self._peer

    def invocation_metadata(self) -> Any:
        return self._metadata


def bearing(credential: str) -> gate.Context:
    return cast(gate.Context, Context(("authorization", f"Bearer {credential}")))


class Owned:
    """Lets one match through."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, match_id: str, tenant: str) -> None:
        self.asked.append((match_id, tenant))


@pytest.fixture(autouse=True)
def _nobody_in_particular() -> Iterator[None]:
    callers.set_caller(ANYBODY)
    yield
    callers.set_caller(ANYBODY)


def gate_of(ring: Ring | None, own: Owned, calls: int = 1000) -> Gate:
    """A gate that lets keys call so often a second, and those without one too."""
    return Gate(ring, own, key_pace=Pace(calls), peer_pace=Pace(calls))


def entered(ring: Ring | None, rule: Rule, context: Any) -> Caller:
    gate_of(ring, Owned()).enter(rule, context)
    return callers.caller()


def refusal(ring: Ring | None, rule: Rule, context: Any) -> DomainError:
    callers.set_caller(ANYBODY)
    with pytest.raises(DomainError) as refused:
        entered(ring, rule, context)
    assert callers.caller() is ANYBODY
    return refused.value


RING = Ring(ada=PLAYER, backend=OPERATOR)


def test_an_open_server_lets_everybody_in_as_a_player() -> None:
    assert entered(None, FOR_PLAYERS, Context()) is ANYBODY
    assert entered(None, Rule(Role.OPERATOR, is_opened_by_feed_secret=True), Context()) is ANYBODY
    assert entered(None, FOR_ANYONE, Context()) is ANYBODY
    assert entered(None, Rule(Role.ANYONE), Context()) is ANYBODY
    refused = refusal(None, FOR_OPERATORS, Context())
    assert refused.reason is Reason.NOT_PERMITTED
    assert refused.metadata == {"role": "OPERATOR"}


def test_a_key_lets_its_holder_in_as_what_it_says_and_no_further() -> None:
    assert entered(RING, FOR_PLAYERS, bearing("ada")) is PLAYER
    assert entered(RING, FOR_PLAYERS, bearing("backend")) is OPERATOR
    assert entered(RING, FOR_OPERATORS, bearing("backend")) is OPERATOR
    refused = refusal(RING, FOR_OPERATORS, bearing("ada"))
    assert (refused.reason, refused.metadata) == (Reason.NOT_PERMITTED, {"role": "OPERATOR"})
    opened = Rule(Role.OPERATOR, is_opened_by_feed_secret=True)
    assert refusal(RING, opened, bearing("ada")).reason is Reason.NOT_PERMITTED


def test_a_method_of_which_nothing_is_said_is_for_nobody() -> None:
    for ring, context in ((None, Context()), (RING, bearing("backend"))):
        refused = refusal(ring, Rule(None), context)
        assert (refused.reason, refused.metadata) == (
            Reason.NOT_PERMITTED,
            {"role": "UNSPECIFIED"},
        )


def test_what_is_for_anyone_asks_for_no_key_and_knows_those_that_come() -> None:
    rule = Rule(Role.ANYONE)
    assert entered(RING, rule, Context()) is STRANGER
    assert entered(RING, rule, bearing("nobody's")) is STRANGER
    assert entered(RING, rule, bearing("ada")) is PLAYER


def test_services_that_are_not_tablestate_s_own_are_not_guarded() -> None:
    ring = Ring(ada=PLAYER)
    assert entered(ring, FOR_ANYONE, bearing("ada")) is ANYBODY
    assert not ring.asked


def test_keys_and_those_without_one_each_have_a_pace() -> None:
    guard = gate_of(RING, Owned(), calls=1)
    calls: tuple[tuple[Any, Rule], ...] = (
        (bearing("ada"), FOR_PLAYERS),
        (Context(), Rule(Role.ANYONE)),
    )
    for context, enough in calls:
        for _ in range(2):
            guard.enter(enough, context)
        with pytest.raises(DomainError) as refused:
            guard.enter(enough, context)
        assert refused.value.reason is Reason.TOO_MANY_CALLS
        assert 0 < (refused.value.retry_seconds or 0) <= 1
    guard.enter(FOR_PLAYERS, bearing("backend"))
    elsewhere: Any = Context(peer="ipv4:127.0.0.2:4711")
    guard.enter(Rule(Role.ANYONE), elsewhere)


def test_a_method_without_a_role_in_its_descriptor_has_none() -> None:
    health: Any = health_pb2.DESCRIPTOR.services_by_name["Health"]
    assert rule_of(health.methods_by_name["Check"]).role is None


@pytest.mark.parametrize(
    "metadata",
    [
        (),
        (("authorization", ""),),
        (("authorization", "ada"),),
        (("authorization", "Basic ada"),),
        (("authorization", "Bearerada"),),
        (("authorization", b"Bearer ada"),),
        (("x-authorization", "Bearer ada"),),
        (("authorization", "Bearer ada"), ("authorization", "Bearer ada")),
        (("authorization", "Bearer  ada"),),
    ],
)
def test_what_is_not_exactly_one_bearer_opens_nothing(metadata: Any) -> None:
    ring = Ring(ada=PLAYER)
    assert refusal(ring, FOR_PLAYERS, Context(*metadata)).reason is Reason.WRONG_KEY
    assert ring.asked in ([""], [" ada"])


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_may_be_written_in_any_case(scheme: str) -> None:
    context = Context(("user-agent", "x"), ("authorization", f"{scheme} ada"))
    assert entered(RING, FOR_PLAYERS, context) is PLAYER


def test_the_rules_come_from_the_contract() -> None:
    assert rule_of(METHODS["SubmitAction"]) == Rule(Role.PLAYER, match_fields=(("match_id",),))
    watch = rule_of(METHODS["WatchMatches"])
    assert watch.match_fields == (("subscriptions", "match_id"),)
    feed = rule_of(METHODS["WatchFeed"])
    assert (feed.role, feed.is_opened_by_feed_secret) == (Role.OPERATOR, True)
    assert rule_of(METHODS["ForkMatch"]).match_fields == (("source", "match_id"),)


async def test_the_matches_that_a_request_names_must_be_of_the_caller_s_tenant() -> None:
    own = Owned()
    guard = gate_of(RING, own)
    callers.set_caller(PLAYER)
    await guard.require_own(rule_of(METHODS["GetMatch"]), pb.GetMatchRequest(match_id=MINE))
    subscriptions = [pb.WatchSubscription(match_id=each) for each in (MINE, ANOTHER, "no id")]
    watch = pb.WatchMatchesRequest(subscriptions=subscriptions)
    await guard.require_own(rule_of(METHODS["WatchMatches"]), watch)
    fork = pb.ForkMatchRequest()
    fork.source.match_id = ANOTHER
    await guard.require_own(rule_of(METHODS["ForkMatch"]), fork)
    assert own.asked == [(each, "shop") for each in (MINE, MINE, ANOTHER, ANOTHER)]


async def test_no_more_matches_are_asked_for_than_a_watch_may_name() -> None:
    own = Owned()
    callers.set_caller(PLAYER)
    many = [pb.WatchSubscription(match_id=MINE)] * 300
    watch = pb.WatchMatchesRequest(subscriptions=many)
    await gate_of(RING, own).require_own(rule_of(METHODS["WatchMatches"]), watch)
    assert len(own.asked) == 256


async def test_a_server_without_keys_knows_no_tenants() -> None:
    own = Owned()
    rule, request = rule_of(METHODS["GetMatch"]), pb.GetMatchRequest(match_id=MINE)
    await gate_of(None, own).require_own(rule, request)
    callers.set_caller(PLAYER)
    await gate_of(RING, own).require_own(rule_of(METHODS["ListMatches"]), pb.ListMatchesRequest())
    assert not own.asked


async def kept(ring: Ring | None, rule: Rule, seconds: float) -> None:
    with gate_of(ring, Owned()).kept_open(rule, bearing("ada")):
        await asyncio.sleep(seconds)


async def test_a_stream_ends_when_its_key_is_worth_nothing_any_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gate, "RECHECK_SECONDS", 0.01)
    ring = Ring(ada=PLAYER)
    stream = asyncio.create_task(kept(ring, FOR_PLAYERS, 20))
    while len(ring.asked) < 3:
        await asyncio.sleep(0.01)
    assert not stream.done() and set(ring.asked) == {"ada"}
    ring.known.clear()
    with pytest.raises(DomainError) as refused:
        await stream
    assert refused.value.reason is Reason.WRONG_KEY


async def test_a_stream_that_ends_by_itself_is_not_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gate, "RECHECK_SECONDS", 0.01)
    ring = Ring(ada=PLAYER)
    await kept(ring, FOR_PLAYERS, 0.03)
    asked = len(ring.asked)
    await asyncio.sleep(0.05)
    assert len(ring.asked) == asked > 0


async def test_a_call_that_somebody_cancels_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gate, "RECHECK_SECONDS", 0.01)
    stream = asyncio.create_task(kept(Ring(ada=PLAYER), FOR_PLAYERS, 20))
    await asyncio.sleep(0.02)
    stream.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stream


@pytest.mark.parametrize(("ring", "rule"), [(None, FOR_PLAYERS), (Ring(), FOR_ANYONE)])
async def test_a_stream_that_needs_no_key_is_not_looked_at(
    ring: Ring | None, rule: Rule, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "RECHECK_SECONDS", 0.0)
    await kept(ring, rule, 0.02)
    assert ring is None or not ring.asked


def faults_of(fields: Fields) -> dict[str, tuple[str, str]]:
    try:
        fields.check()
    except DomainError as refused:
        return {each.field: (each.value, each.expected) for each in refused.violations}
    return {}


@pytest.mark.parametrize(
    ("known", "wanted", "own", "is_wrong"),
    [
        (ANYBODY, "", "", False),
        (ANYBODY, "club", "club", False),
        (PLAYER, "", "shop", False),
        (PLAYER, "shop", "shop", False),
        (PLAYER, "club", "shop", True),
        (OPERATOR, "club", "shop", True),
        (STRANGER, "", "", False),
        (STRANGER, "club", "", True),
    ],
)
def test_a_caller_knows_its_own_tenant_alone(
    known: Caller, wanted: str, own: str, is_wrong: bool
) -> None:
    callers.set_caller(known)
    fields = Fields()
    assert callers.own_tenant(fields, wanted) == own
    expected = {"tenant": (wanted, "the tenant of the key or token, or none")}
    assert faults_of(fields) == (expected if is_wrong else {})


@pytest.mark.parametrize(
    ("known", "wanted", "own", "is_wrong"),
    [
        (ANYBODY, "ada", "ada", False),
        (PLAYER, "", "ada", False),
        (PLAYER, "ada", "ada", False),
        (PLAYER, "bea", "ada", True),
        (HOLDER, "bea", "bea", False),
        (OPERATOR, "bea", "bea", False),
        (Caller(Role.OPERATOR, "shop", "eve"), "bea", "bea", False),
    ],
)
def test_a_player_is_whom_its_key_names(
    known: Caller, wanted: str, own: str, is_wrong: bool
) -> None:
    callers.set_caller(known)
    fields = Fields()
    assert callers.own_player_id(fields, wanted) == own
    expected = {"player_id": (wanted, "the player of the key or token, or none")}
    assert faults_of(fields) == (expected if is_wrong else {})


def test_names_of_tenants_and_players_have_bounds() -> None:
    for own, most, field in (
        (callers.own_tenant, MAX_TENANT, "tenant"),
        (callers.own_player_id, MAX_PLAYER_ID, "player_id"),
    ):
        fields = Fields()
        own(fields, "x" * most)
        assert not faults_of(fields)
        own(fields, "x" * (most + 1))
        assert list(faults_of(fields)) == [field]


def test_players_list_their_own_matches_and_operators_anybody_s() -> None:
    fields = Fields()
    callers.set_caller(PLAYER)
    scope = callers.scope_of(fields, "ada")
    assert (scope.tenant, scope.player_id, scope.are_all_shown) == ("shop", "ada", False)
    assert callers.scope_of(fields, "").player_id is None
    assert not callers.sees_all() and not faults_of(fields)
    callers.scope_of(fields, "bea")
    expected = "the player of the key or token, or none"
    assert faults_of(fields) == {"player_id": ("bea", expected)}
    callers.set_caller(OPERATOR)
    scope = callers.scope_of(Fields(), "bea")
    assert (scope.tenant, scope.player_id, scope.are_all_shown) == ("shop", "bea", True)
    assert callers.sees_all()
    long = Fields()
    callers.scope_of(long, "x" * (MAX_PLAYER_ID + 1))
    assert list(faults_of(long)) == ["player_id"]
