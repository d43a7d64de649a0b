"""Leaks planted in the service: each puts one faulty function in the place of a right one."""

import logging
from collections.abc import Callable
from typing import Any, TypeAlias

import pytest

from secrecy.pairs import Viewer
from tablestate_service.domain import decide
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.match import Match, Transition
from tablestate_service.rpc import match_servicer, messages
from tablestate_service.rpc.play_stream import PlayStream
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases import reading
from tablestate_service.usecases.watching import Cursor

Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]

UNKNOWN_FIELD = tag(2000)


def actor_of(match: Match) -> Viewer:
    return match.standing.actors[0] if match.standing.actors else None


def old_views_are_the_actors(patch: pytest.MonkeyPatch) -> None:
    """Whoever asks for an old version sees what the seat saw that was to act then."""
    get_view = reading.get_view

    async def faulty(*args: Any, **fields: Any) -> reading.Seen:
        seen = await get_view(*args, **fields)
        return seen if fields["version"] is None else reading.Seen(seen.match, actor_of(seen.match))

    patch.setattr(reading, "get_view", faulty)


def views_are_of_the_seat_with_the_number_of_the_version(patch: pytest.MonkeyPatch) -> None:
    """A view is made for another seat than that of the token."""
    view_bytes = messages.view_bytes

    def faulty(match: Match, viewer: Viewer, **included: bool) -> bytes:
        return view_bytes(match, match.standing.version % len(match.standing.seats), **included)

    patch.setattr(messages, "view_bytes", faulty)


def watches_are_the_actors(patch: pytest.MonkeyPatch) -> None:
    """Watchers are told what is for the eyes of the seat that is to act."""

    def faulty(self: Cursor, transition: Transition) -> Viewer:
        return actor_of(transition.match)

    patch.setattr(Cursor, "viewer_of", faulty)


def plays_are_the_actors(patch: pytest.MonkeyPatch) -> None:
    """Whoever plays over a stream is told what is for the eyes of the seat that is to act."""

    async def faulty(self: PlayStream, transition: Transition) -> None:
        update = messages.update_bytes(
            transition, actor_of(transition.match), include_view=True, include_legal_actions=True
        )
        self._sent = transition.entry.version
        await self._send(delimited(tag(1), update))

    patch.setattr(PlayStream, "_send_update", faulty)


def replays_are_revealed(patch: pytest.MonkeyPatch) -> None:
    """A replay ends with the full record, whatever was agreed."""
    get_replay = reading.get_replay

    async def faulty(*args: Any, **fields: Any) -> reading.Replay:
        replay = await get_replay(*args, **fields)
        return reading.Replay(replay.match, replay.viewer, True)

    patch.setattr(reading, "get_replay", faulty)


def everybody_gets_the_legal_actions(patch: pytest.MonkeyPatch) -> None:
    """Nobody looks who is asking for the legal actions."""

    def faulty(match: Match, viewer: Viewer) -> bytes:
        return match.state.legal_actions() if match.state and match.standing.actors else b""

    patch.setattr(messages, "legal_actions", faulty)


def answers_are_for_the_next_actor(patch: pytest.MonkeyPatch) -> None:
    """The answer to an action shows what the next seat to act sees."""

    def faulty(transitions: tuple[Transition, ...]) -> int:
        return actor_of(transitions[-1].match) or 0

    patch.setattr(match_servicer, "_seat", faulty)


def views_carry_the_hash_of_the_log(patch: pytest.MonkeyPatch) -> None:
    """The head of the hash chain, meant as an id of the version, goes out."""
    view_bytes = messages.view_bytes

    def faulty(match: Match, viewer: Viewer, **included: bool) -> bytes:
        return view_bytes(match, viewer, **included) + delimited(UNKNOWN_FIELD, match.head_hash)

    patch.setattr(messages, "view_bytes", faulty)


def refusals_count_the_choices(patch: pytest.MonkeyPatch) -> None:
    """Who is not to act is told in how many ways the other can."""
    submit = decide.submit

    def faulty(match: Match, *args: Any, **fields: Any) -> tuple[Transition, ...]:
        try:
            return submit(match, *args, **fields)
        except DomainError as error:
            if match.state is not None:
                error.metadata["choices"] = str(len(match.state.legal_actions()))
            raise

    patch.setattr(decide, "submit", faulty)


def updates_carry_the_draws(patch: pytest.MonkeyPatch) -> None:
    """What is stored of an action goes out with its events."""
    update_bytes = messages.update_bytes

    def faulty(transition: Transition, viewer: Viewer, **included: bool) -> bytes:
        drawn = repr(transition.entry.draft.draws).encode()
        return update_bytes(transition, viewer, **included) + delimited(UNKNOWN_FIELD, drawn)

    patch.setattr(messages, "update_bytes", faulty)


def updates_carry_the_action(patch: pytest.MonkeyPatch) -> None:
    """Whoever watches is told what was done, in notation."""
    update_bytes = messages.update_bytes

    def faulty(transition: Transition, viewer: Viewer, **included: bool) -> bytes:
        notation = transition.entry.draft.notation.encode()
        return update_bytes(transition, viewer, **included) + delimited(UNKNOWN_FIELD, notation)

    patch.setattr(messages, "update_bytes", faulty)


def actions_are_logged(patch: pytest.MonkeyPatch) -> None:
    """A line of the log says what was done."""
    acted = decide._acted

    def faulty(*args: Any) -> Transition:
        transition = acted(*args)
        fields = {"action": transition.entry.draft.notation}
        logging.getLogger("tablestate_service.planted").debug("acted", extra=fields)
        return transition

    patch.setattr(decide, "_acted", faulty)


def draws_are_logged(patch: pytest.MonkeyPatch) -> None:
    """A line of the log says what was drawn."""
    acted = decide._acted

    def faulty(*args: Any) -> Transition:
        transition = acted(*args)
        fields = {"draws": transition.entry.draft.draws}
        logging.getLogger("tablestate_service.planted").debug("acted", extra=fields)
        return transition

    patch.setattr(decide, "_acted", faulty)
