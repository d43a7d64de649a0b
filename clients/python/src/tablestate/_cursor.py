"""Where a watch stands, so that it can go on there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import grpc

from tablestate._arguments import message, refusal
from tablestate.credentials import SeatCredential
from tablestate.errors import TablestateError, UnavailableError
from tablestate.v1.match_pb2 import MatchPhase, MatchUpdate
from tablestate.v1.match_service_pb2 import WatchMatchesRequest, WatchSubscription

Watched: TypeAlias = str | SeatCredential | WatchSubscription
"""What can be watched: a match by its id as a spectator, a match from a seat, or a
subscription with a cursor of its own."""

OnBreak: TypeAlias = Callable[[TablestateError], None] | None
"""Told the error each time that a watch has broken and is about to be opened anew."""

_ENDED = {MatchPhase.MATCH_PHASE_OVER, MatchPhase.MATCH_PHASE_ABORTED}


def subscription(
    watched: Watched, after_version: int, include_view: bool, include_legal_actions: bool
) -> WatchSubscription:
    """Return the subscription for one match."""
    if isinstance(watched, WatchSubscription):
        return watched
    if isinstance(watched, SeatCredential):
        match_id, token = watched.match_id, watched.token
    else:
        match_id, token = watched, b""
    return message(
        WatchSubscription,
        match_id=match_id,
        seat_token=token,
        after_version=after_version,
        include_view=include_view,
        include_legal_actions=include_legal_actions,
    )


class Cursor:
    """The versions reached of all watched matches that have not ended."""

    def __init__(self, subscriptions: Iterable[WatchSubscription]) -> None:
        """Begin at the subscriptions' own cursors; raises InvalidArgumentError."""
        self._open: dict[str, WatchSubscription] = {}
        for each in subscriptions:
            if each.match_id in self._open:
                raise refusal("matches", each.match_id, "each match once")
            self._open[each.match_id] = WatchSubscription.FromString(each.SerializeToString())
        if self.done:
            raise refusal("matches", None, "one match or more")

    @property
    def done(self) -> bool:
        """Whether every match has ended."""
        return not self._open

    def request(self) -> bytes:
        """Return the request that goes on from here."""
        return WatchMatchesRequest(subscriptions=self._open.values()).SerializeToString()

    def accept(self, update: MatchUpdate) -> bool:
        """Move on over an update; False if it was seen already.

        Raises UnavailableError if versions between it and the cursor are missing:
        the stream is then as good as broken and has to be opened anew.
        """
        watched = self._open.get(update.match_id)
        if watched is None or update.version <= watched.after_version:
            return False
        if update.version != watched.after_version + 1:
            raise _gap(update, watched)
        watched.after_version = update.version
        if update.phase in _ENDED:
            del self._open[update.match_id]
        return True


def _gap(update: MatchUpdate, watched: WatchSubscription) -> TablestateError:
    message = (
        f"the watch of match {update.match_id} went from version "
        f"{watched.after_version} to {update.version}"
    )
    return UnavailableError(message, code=grpc.StatusCode.UNAVAILABLE)
