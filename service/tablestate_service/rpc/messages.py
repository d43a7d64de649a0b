"""Domain objects as messages. Game content goes in as the bytes that the core made."""

import json
from collections.abc import Sequence

from google.protobuf import json_format
from google.protobuf.timestamp_pb2 import Timestamp

from tablestate.v1 import feed_pb2, game_pb2, match_pb2, match_service_pb2
from tablestate_service.domain.entry import Draft, MatchChange
from tablestate_service.domain.match import Match, Transition, draw_sizes
from tablestate_service.domain.news import News
from tablestate_service.domain.seats import seating
from tablestate_service.domain.standing import Standing
from tablestate_service.domain.terms import Fork, Seating, Terms
from tablestate_service.rpc.timing import clocks_message, duration, time_control_message
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases.watching import Cursor

_MATCH_OPTIONS = tag(4)
_MATCH_OUTCOME = tag(18)
_UPDATE_EVENTS = tag(20)
_UPDATE_OUTCOME = tag(21)
_UPDATE_VIEW = tag(22)
_UPDATE_LEGAL_ACTIONS = tag(23)
_REPLAY_ENTRY = tag(3)
_ENTRY_POSITION = tag(31)
_VIEW_VIEW = tag(20)
_VIEW_LEGAL_ACTIONS = tag(21)
_VIEW_OBSERVATION = tag(22)
_VIEW_OUTCOME = tag(23)
_LEGAL_LEGAL_ACTIONS = tag(20)
_TAKES_A_SEAT = (MatchChange.JOINED, MatchChange.BOT_ADDED)


def timestamp(nanoseconds: int) -> Timestamp:
    """A time of the domain."""
    seconds, nanos = divmod(nanoseconds, 1_000_000_000)
    return Timestamp(seconds=seconds, nanos=nanos)


def match_bytes(
    terms: Terms, standing: Standing, *, for_host: bool, now: int | None = None
) -> bytes:
    """A `Match`; metadata, tenant and player ids are for the host only.

    Clocks are shown as they are `now`, or as they were at the last entry.
    """
    policies = terms.policies
    envelope = match_pb2.Match(
        match_id=terms.match_id,
        game=terms.game,
        rules_version=terms.rules_version,
        seats=_seats(standing, for_host),
        phase=standing.phase.value,  # type: ignore[arg-type]
        version=standing.version,
        ply=standing.ply,
        actors=standing.actors,
        on_leave=policies.on_leave.value,  # type: ignore[arg-type]
        on_timeout=policies.on_timeout.value,  # type: ignore[arg-type]
        reveal_policy=policies.reveal.value,  # type: ignore[arg-type]
        start_policy=policies.start.value,  # type: ignore[arg-type]
        seating=terms.seating.value,  # type: ignore[arg-type]
        commitment=terms.commitment,
        create_time=timestamp(terms.create_time),
        update_time=timestamp(standing.time),
        metadata=terms.metadata if for_host else {},
        tenant=terms.tenant if for_host else "",
        forked_from=_source(terms.fork),
        entropy_awaited=standing.entropy_awaited,
        entropy_limit=duration(terms.entropy_limit),
        waiting_limit=None if terms.waiting_limit is None else duration(terms.waiting_limit),
        time_control=time_control_message(terms.time_control),
        clocks=clocks_message(terms, standing, now),
        visibility=terms.audience.visibility.value,  # type: ignore[arg-type]
        spectator_policy=terms.audience.spectators.value,  # type: ignore[arg-type]
        spectator_delay=duration(terms.audience.delay) if terms.audience.delay else None,
        proposal=_proposal(standing),
        paused=standing.is_paused,
        rematch_of=terms.rematch_of,
    )
    # Deterministic: a repeated request must get the same bytes, and maps have no order.
    return (
        envelope.SerializeToString(deterministic=True)
        + delimited(_MATCH_OPTIONS, terms.options)
        + _given(_MATCH_OUTCOME, standing.outcome)
    )


def update_bytes(
    transition: Transition,
    viewer: int | None,
    *,
    include_view: bool = False,
    include_legal_actions: bool = False,
) -> bytes:
    """A `MatchUpdate` as the viewer may know it."""
    match = transition.match
    parts = [_update_envelope(transition, viewer)]
    if transition.step is not None:
        parts += [delimited(_UPDATE_EVENTS, each) for each in transition.step.events(viewer)]
    parts.append(_given(_UPDATE_OUTCOME, match.standing.outcome))
    if include_view and match.state is not None:
        parts.append(delimited(_UPDATE_VIEW, match.state.view(viewer)))
    if include_legal_actions:
        parts.append(delimited(_UPDATE_LEGAL_ACTIONS, legal_actions(match, viewer)))
    return b"".join(parts)


def watched_bytes(cursor: Cursor, transition: Transition) -> bytes:
    """A `MatchUpdate` as the watcher may know it, with what it has asked for.

    Only the newest entry tells legal actions: those of a past one are legal no more.
    """
    is_newest = transition.entry.version >= cursor.head
    return update_bytes(
        transition,
        cursor.viewer_of(transition),
        include_view=cursor.include_view,
        include_legal_actions=cursor.include_legal_actions and is_newest,
    )


def view_bytes(
    match: Match,
    viewer: int | None,
    *,
    now: int | None = None,
    include_legal_actions: bool,
    include_observation: bool,
) -> bytes:
    """A `GetViewResponse`; clocks are shown as they are `now`, or were at the last entry."""
    standing, state = match.standing, match.state
    envelope = match_service_pb2.GetViewResponse(
        match_id=match.terms.match_id,
        version=standing.version,
        ply=standing.ply,
        phase=standing.phase.value,  # type: ignore[arg-type]
        actors=standing.actors,
        seat=viewer,
        clocks=clocks_message(match.terms, standing, now),
        proposal=_proposal(standing),
        paused=standing.is_paused,
    ).SerializeToString()
    if state is not None:
        envelope += delimited(_VIEW_VIEW, state.view(viewer))
        if include_observation:
            envelope += delimited(_VIEW_OBSERVATION, state.observation(viewer))
    if include_legal_actions:
        envelope += delimited(_VIEW_LEGAL_ACTIONS, legal_actions(match, viewer))
    return envelope + _given(_VIEW_OUTCOME, standing.outcome)


def legal_actions_bytes(match: Match, viewer: int | None) -> bytes:
    """A `ListLegalActionsResponse`."""
    envelope = match_service_pb2.ListLegalActionsResponse(
        version=match.standing.version, actors=match.standing.actors
    )
    content = legal_actions(match, viewer)
    return envelope.SerializeToString() + delimited(_LEGAL_LEGAL_ACTIONS, content)


def legal_actions(match: Match, viewer: int | None) -> bytes:
    """The `LegalActions` of a viewer: empty unless it must decide, and may."""
    standing = match.standing
    if match.state is None or viewer not in standing.actors:
        return b""
    if standing.is_paused or standing.is_overdue:
        return b""
    return match.state.legal_actions()


def recorded_bytes(transition: Transition) -> bytes:
    """A `GetReplayResponse` with an entry of a full record."""
    entry, draft, fork = transition.entry, transition.entry.draft, transition.match.terms.fork
    envelope = match_service_pb2.RecordedEntry(
        version=entry.version,
        ply=transition.match.standing.ply,
        change=draft.change.value,  # type: ignore[arg-type]
        seat=draft.seat,
        notation=draft.notation,
        draws=draft.draws,
        time=timestamp(entry.stamp.time),
        draw_sizes=draw_sizes(transition),
        entropy_hash=_told(draft, MatchChange.JOINED, "entropy_hash"),
        entropy=_told(draft, MatchChange.ENTROPY_REVEALED, "entropy"),
        undone_to=_undone_to(draft),
    ).SerializeToString()
    if fork is not None and draft.change is MatchChange.STARTED:
        envelope += delimited(_ENTRY_POSITION, fork.state)
    return delimited(_REPLAY_ENTRY, envelope)


def replay_secrets(match: Match) -> match_service_pb2.ReplaySecrets:
    """What was secret; the seed only if there was a game."""
    terms = match.terms
    seed = match.seed() if match.state is not None else b""
    return match_service_pb2.ReplaySecrets(secret=terms.secret, seed=seed)


def feed_item(news: News) -> feed_pb2.FeedItem:
    """A `FeedItem`."""
    outcome = game_pb2.Outcome.FromString(news.outcome or b"")
    return feed_pb2.FeedItem(
        match_id=news.match_id,
        version=news.version,
        kind=news.kind.value,  # type: ignore[arg-type]
        time=timestamp(news.time),
        tenant=news.tenant,
        game=news.game,
        seat=news.seat,
        player_id=news.player_id,
        outcome_reason=outcome.reason,
    )


def webhook_body(news: News) -> bytes:
    """The JSON of a webhook, in the form of Standard Webhooks; `data` is a `FeedItem`."""
    item = json_format.MessageToDict(feed_item(news))
    body = {"type": f"match.{news.kind.name.lower()}", "timestamp": item["time"], "data": item}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def _update_envelope(transition: Transition, viewer: int | None) -> bytes:
    entry, standing = transition.entry, transition.match.standing
    is_drawn = transition.match.terms.seating is Seating.RANDOM
    seat = entry.draft.seat
    return match_pb2.MatchUpdate(
        match_id=entry.match_id,
        version=entry.version,
        time=timestamp(entry.stamp.time),
        ply=standing.ply,
        actors=standing.actors,
        phase=standing.phase.value,  # type: ignore[arg-type]
        seat=seat,
        change=entry.draft.change.value,  # type: ignore[arg-type]
        display_name=standing.seats[seat].display_name
        if seat is not None and entry.draft.change in _TAKES_A_SEAT
        else "",
        clocks=clocks_message(transition.match.terms, standing),
        entropy_awaited=standing.entropy_awaited,
        proposal=_proposal(standing),
        paused=standing.is_paused,
        undone_to=_undone_to(entry.draft),
        previous_seats=_previous_seats(transition),
        your_seat=viewer if is_drawn and transition.match.state is not None else None,
    ).SerializeToString()


def _previous_seats(transition: Transition) -> Sequence[int]:
    draft, seats = transition.entry.draft, transition.match.standing.seats
    return seating(seats, draft.draws) if draft.change is MatchChange.SEATED else ()


def _seats(standing: Standing, for_host: bool) -> Sequence[match_pb2.Seat]:
    return [
        match_pb2.Seat(
            seat=number,
            occupant=seat.occupant.value,  # type: ignore[arg-type]
            display_name=seat.display_name,
            player_id=seat.player_id if for_host else "",
        )
        for number, seat in enumerate(standing.seats)
    ]


def _told(draft: Draft, change: MatchChange, name: str) -> bytes:
    """Bytes that the payload of an entry of a kind tells; empty for all others."""
    if draft.change is not change:
        return b""
    return bytes.fromhex(json.loads(draft.payload).get(name, ""))


def _source(fork: Fork | None) -> match_pb2.MatchVersion | None:
    return match_pb2.MatchVersion(match_id=fork.match_id, version=fork.version) if fork else None


def _proposal(standing: Standing) -> match_pb2.Proposal | None:
    proposal = standing.proposal
    if proposal is None:
        return None
    return match_pb2.Proposal(
        kind=proposal.kind.value,  # type: ignore[arg-type]
        seat=proposal.seat,
        version=proposal.version,
        accepted=proposal.accepted,
        undo_to=proposal.undo_to,
    )


def _undone_to(draft: Draft) -> int | None:
    if draft.change is not MatchChange.UNDONE:
        return None
    return int(json.loads(draft.payload)["to"])


def _given(tag: bytes, content: bytes | None) -> bytes:
    return b"" if content is None else delimited(tag, content)
