"""MatchService: validates, calls the use case, builds the answer."""

from dataclasses import dataclass

from google.protobuf.message import Message

from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.entry import Request
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition
from tablestate_service.domain.seats import seat_of
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import (
    AbsencePolicy,
    RevealPolicy,
    Seating,
    StartPolicy,
    TimeDefaults,
)
from tablestate_service.ports import (
    EVERYBODYS,
    Clock,
    Engine,
    Entropy,
    MatchFeed,
    MatchStore,
    Workers,
)
from tablestate_service.rpc import messages, page_token
from tablestate_service.rpc.audiences import audience_of, invited
from tablestate_service.rpc.callers import (
    caller,
    own_player_id,
    own_tenant,
    scope_of,
    sees_all,
)
from tablestate_service.rpc.requests import (
    MAX_DISPLAY_NAME,
    Fields,
    mutating_request,
)
from tablestate_service.rpc.timing import entropy_limit, time_control, waiting_limit
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases import hosting, playing, reading
from tablestate_service.usecases.matches import Matches

_FIRST = tag(1)
_SECOND = tag(2)
_DEFAULT_PAGE = 50
_MAX_PAGE = 100


@dataclass(frozen=True, slots=True)
class World:
    """What the servicers work with."""

    matches: Matches
    store: MatchStore
    engine: Engine
    feed: MatchFeed
    clock: Clock
    entropy: Entropy
    workers: Workers
    """For folding logs."""
    time_defaults: TimeDefaults


class MatchServicer:
    """One method per unary RPC: request and its bytes in, bytes of the response out."""

    def __init__(self, world: World) -> None:
        """Work with these."""
        self._world = world
        self._matches = world.matches
        self._engine = world.engine

    async def create_match(self, request: pb.CreateMatchRequest) -> bytes:
        """Create a match."""
        fields = Fields()
        token = fields.token("host_token", request.host_token)
        # Whoever repeats a request with the key of another tenant makes another one.
        tenant = caller().tenant or ""
        call = _mutating(fields, "CreateMatch", tenant, token, request.request_id, request)
        if request.options.WhichOneof("game") is None:
            fields.wrong("options", "", "the options of one game")
        wanted = new_match(fields, request, self._world.time_defaults)
        fields.check()
        world = self._world
        created = await hosting.create_match(
            self._matches, world.engine, world.clock, world.entropy, call, wanted
        )
        return delimited(_FIRST, _match(created, for_host=True))

    async def join_match(self, request: pb.JoinMatchRequest) -> bytes:
        """Take a seat."""
        fields = Fields()
        token = fields.token("seat_token", request.seat_token)
        match_id = fields.match_id(request.match_id)
        call = _mutating(fields, "JoinMatch", match_id, token, request.request_id, request)
        display_name = fields.text("display_name", request.display_name, MAX_DISPLAY_NAME)
        player_id = own_player_id(fields, request.player_id)
        entropy_hash = fields.optional_token("entropy_hash", request.entropy_hash)
        invitation_hash = invited(fields, request)
        fields.check()
        joined = await playing.join_match(
            self._matches,
            self._engine,
            call,
            match_id=match_id,
            seat_token=token,
            seat=request.seat if request.HasField("seat") else None,
            display_name=display_name,
            player_id=player_id,
            entropy_hash=entropy_hash,
            invitation_hash=invitation_hash,
        )
        seats = joined[-1].match.standing.seats
        response = pb.JoinMatchResponse(seat=seat_of(seats, token_hash(token)) or 0)
        return response.SerializeToString() + delimited(_SECOND, _match(joined, for_host=False))

    async def leave_seat(self, request: pb.LeaveSeatRequest) -> bytes:
        """Give a seat up."""
        fields = Fields()
        token = fields.token("seat_token", request.seat_token)
        match_id = fields.match_id(request.match_id)
        call = _mutating(fields, "LeaveSeat", match_id, token, request.request_id, request)
        fields.check()
        left = await playing.leave_seat(self._matches, call, match_id=match_id, seat_token=token)
        return _seat_update(left)

    async def add_bot(self, request: pb.AddBotRequest) -> bytes:
        """Put a bot on a seat."""
        fields = Fields()
        token = fields.token("host_token", request.host_token)
        match_id = fields.match_id(request.match_id)
        call = _mutating(fields, "AddBot", match_id, token, request.request_id, request)
        fields.check()
        added = await hosting.add_bot(
            self._matches,
            self._engine,
            call,
            match_id=match_id,
            host_token=token,
            bot=request.bot,
            seat=request.seat if request.HasField("seat") else None,
        )
        response = pb.AddBotResponse(seat=_seat(added))
        return response.SerializeToString() + delimited(_SECOND, _match(added, for_host=True))

    async def start_match(self, request: pb.StartMatchRequest) -> bytes:
        """Start a match."""
        fields = Fields()
        token = fields.token("host_token", request.host_token)
        match_id = fields.match_id(request.match_id)
        call = _mutating(fields, "StartMatch", match_id, token, request.request_id, request)
        fields.check()
        started = await hosting.start_match(
            self._matches, self._engine, call, match_id=match_id, host_token=token
        )
        return delimited(_FIRST, messages.update_bytes(started[-1], None))

    async def abort_match(self, request: pb.AbortMatchRequest) -> bytes:
        """End a match without an outcome."""
        fields = Fields()
        token = fields.token("host_token", request.host_token)
        match_id = fields.match_id(request.match_id)
        call = _mutating(fields, "AbortMatch", match_id, token, request.request_id, request)
        fields.check()
        ended = await hosting.abort_match(self._matches, call, match_id=match_id, host_token=token)
        return delimited(_FIRST, messages.update_bytes(ended[0], None))

    async def resign(self, request: pb.ResignRequest) -> bytes:
        """Forfeit."""
        fields = Fields()
        token = fields.token("seat_token", request.seat_token)
        match_id = fields.match_id(request.match_id)
        call = _mutating(fields, "Resign", match_id, token, request.request_id, request)
        fields.check()
        out = await playing.resign(self._matches, call, match_id=match_id, seat_token=token)
        return _seat_update(out)

    async def submit_action(self, request: pb.SubmitActionRequest) -> bytes:
        """Take a game action."""
        fields = Fields()
        token = fields.token("seat_token", request.seat_token)
        match_id = fields.match_id(request.match_id)
        call = _mutating(fields, "SubmitAction", match_id, token, request.request_id, request)
        if request.choice.WhichOneof("choice") is None:
            fields.wrong("choice", "", "an action, a notation or an index")
        fields.check()
        acted = await playing.submit_action(
            self._matches,
            call,
            match_id=match_id,
            seat_token=token,
            choice=request.choice.SerializeToString(),
            expected_version=(
                request.expected_version if request.HasField("expected_version") else None
            ),
        )
        update = messages.update_bytes(
            acted[0],
            _seat(acted),
            include_view=request.include_view,
            include_legal_actions=request.include_legal_actions,
        )
        return delimited(_FIRST, update)

    async def get_match(self, request: pb.GetMatchRequest) -> bytes:
        """Return a match."""
        fields = Fields()
        match_id = fields.match_id(request.match_id)
        token = fields.optional_token("host_token", request.host_token)
        seat_token = fields.optional_token("seat_token", request.seat_token)
        fields.check()
        match = await reading.get_match(
            self._matches,
            match_id=match_id,
            host_token=token,
            seat_token=seat_token,
            min_version=request.min_version if request.HasField("min_version") else None,
            sees_all=sees_all(),
        )
        now = await reading.time_shown(
            self._world.store, match, has_token=bool(token or seat_token), sees_all=sees_all()
        )
        # The host of a rematch is a player, who has given it no metadata and no player ids.
        for_host = (bool(token) and not match.terms.rematch_of) or sees_all()
        return delimited(
            _FIRST, messages.match_bytes(match.terms, match.standing, for_host=for_host, now=now)
        )

    async def list_matches(self, request: pb.ListMatchesRequest) -> bytes:
        """List matches."""
        fields = Fields()
        phases = _phases(fields, request)
        if request.page_size > _MAX_PAGE:
            fields.wrong("page_size", request.page_size, f"0 to {_MAX_PAGE}")
        scope = scope_of(fields, request.player_id)
        listed = f"{request.game}/{request.page_size}/{phases}"
        if scope != EVERYBODYS:
            listed += f"/{scope}"
        after = page_token.decode(request.page_token, listed) if request.page_token else None
        if request.page_token and after is None:
            fields.wrong("page_token", request.page_token, "a token of this very list")
        fields.check()
        if request.game:
            self._engine.rules_version(request.game)  # Refuses names of no game.
        page = await reading.list_matches(
            self._world.store,
            game=request.game or None,
            phases=phases,
            after=after,
            page_size=request.page_size or _DEFAULT_PAGE,
            scope=scope,
        )
        response = pb.ListMatchesResponse()
        if page.has_next:
            last = page.listed[-1].terms.match_id
            response.next_page_token = page_token.encode(last, listed)
        matches = [
            delimited(_FIRST, messages.match_bytes(each.terms, each.standing, for_host=False))
            for each in page.listed
        ]
        return b"".join([*matches, response.SerializeToString()])

    async def get_view(self, request: pb.GetViewRequest) -> bytes:
        """Return what a viewer may see."""
        fields = Fields()
        match_id = fields.match_id(request.match_id)
        token = fields.optional_token("seat_token", request.seat_token)
        version = None
        if request.HasField("version"):
            version = fields.at_least("version", request.version, 1)
        fields.check()
        match, viewer = await reading.get_view(
            self._matches,
            match_id=match_id,
            seat_token=token,
            version=version,
            min_version=request.min_version if request.HasField("min_version") else None,
            sees_all=sees_all(),
        )
        now = None
        if version is None:
            now = await reading.time_shown(
                self._world.store, match, has_token=bool(token), sees_all=sees_all()
            )
        return messages.view_bytes(
            match,
            viewer,
            now=now,
            include_legal_actions=request.include_legal_actions,
            include_observation=request.include_observation,
        )

    async def list_legal_actions(self, request: pb.ListLegalActionsRequest) -> bytes:
        """Return the legal actions of a seat."""
        fields = Fields()
        match_id = fields.match_id(request.match_id)
        token = fields.token("seat_token", request.seat_token)
        fields.check()
        match, viewer = await reading.list_legal_actions(
            self._matches,
            match_id=match_id,
            seat_token=token,
            min_version=request.min_version if request.HasField("min_version") else None,
        )
        return messages.legal_actions_bytes(match, viewer)


def _mutating(
    fields: Fields, method: str, match_id: str, credential: bytes, request_id: str, request: Message
) -> Request:
    fields.request_id(request_id)
    return mutating_request(method, match_id, credential, request_id, request)


def new_match(
    fields: Fields, request: pb.CreateMatchRequest, defaults: TimeDefaults
) -> hosting.NewMatch:
    """What a host asks for; the options are not looked at."""
    on_leave = fields.choice("on_leave", request.on_leave, AbsencePolicy)
    on_timeout = fields.choice("on_timeout", request.on_timeout, AbsencePolicy)
    reveal = fields.choice("reveal_policy", request.reveal_policy, RevealPolicy)
    start = fields.choice("start_policy", request.start_policy, StartPolicy)
    return hosting.NewMatch(
        host_token=request.host_token,
        options=request.options.SerializeToString(),
        on_leave=on_leave,
        on_timeout=on_timeout,
        reveal=reveal or RevealPolicy.AT_END,
        start=start or StartPolicy.WHEN_FULL,
        metadata=fields.metadata("metadata", request.metadata),
        tenant=own_tenant(fields, request.tenant),
        waiting_limit=waiting_limit(fields, request) or defaults.waiting_limit,
        time_control=time_control(fields, request) or defaults.time_control,
        entropy_limit=entropy_limit(fields, request),
        audience=audience_of(fields, request),
        seating=fields.choice("seating", request.seating, Seating) or Seating.CHOSEN,
    )


def _phases(fields: Fields, request: pb.ListMatchesRequest) -> list[MatchPhase]:
    """The phases asked for, in order and once each; all if none is named."""
    if not fields.count("phases", len(request.phases), 0, len(MatchPhase)):
        return []
    chosen: set[MatchPhase] = set()
    for place, value in enumerate(request.phases):
        if value == 0:
            fields.wrong(f"phases[{place}]", value, "a phase")
        elif phase := fields.choice(f"phases[{place}]", value, MatchPhase):
            chosen.add(phase)
    return sorted(chosen) if chosen else list(MatchPhase)


def _match(transitions: tuple[Transition, ...], *, for_host: bool) -> bytes:
    match = transitions[-1].match
    return messages.match_bytes(match.terms, match.standing, for_host=for_host)


def _seat(transitions: tuple[Transition, ...]) -> int:
    """The seat that a request speaks of: that of the entry which answers it."""
    seat = transitions[0].entry.draft.seat
    assert seat is not None
    return seat


def _seat_update(transitions: tuple[Transition, ...]) -> bytes:
    return delimited(_FIRST, messages.update_bytes(transitions[0], _seat(transitions)))
