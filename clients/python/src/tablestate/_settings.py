"""What a host settles of a match, whether it begins as the game does or as a fork."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, Unpack

from tablestate._arguments import message, optional_duration, refusal
from tablestate.credentials import Intent
from tablestate.v1.game_pb2 import GameOptions
from tablestate.v1.match_pb2 import (
    AbsencePolicy,
    RevealPolicy,
    Seating,
    SpectatorPolicy,
    StartPolicy,
    TimeControl,
    Visibility,
)
from tablestate.v1.match_service_pb2 import CreateMatchRequest

_SPANS = ("waiting_limit", "entropy_limit", "spectator_delay")


class MatchSettings(TypedDict, total=False):
    """The settings that `create_match` explains; what is left out takes the server's default."""

    on_leave: AbsencePolicy.ValueType | str
    on_timeout: AbsencePolicy.ValueType | str
    reveal_policy: RevealPolicy.ValueType | str
    start_policy: StartPolicy.ValueType | str
    metadata: Mapping[str, str] | None
    tenant: str
    time_control: TimeControl | None
    waiting_limit: float | None
    visibility: Visibility.ValueType | str
    invitation_code: str
    spectator_policy: SpectatorPolicy.ValueType | str
    spectator_delay: float | None
    entropy_limit: float | None
    seating: Seating.ValueType | str


def create_request(
    intent: Intent, options: GameOptions | None, /, **settings: Unpack[MatchSettings]
) -> CreateMatchRequest:
    """Return the request; raises InvalidArgumentError with all that does not fit."""
    known = MatchSettings.__annotations__
    for name in settings.keys() - known.keys():
        raise refusal(name, None, f"none of this name here; there are {', '.join(known)}")
    fields = {name: _field(name, value) for name, value in settings.items()}
    return message(
        CreateMatchRequest,
        request_id=intent.request_id,
        host_token=intent.token,
        options=options,
        **fields,  # type: ignore[arg-type]
    )


def _field(name: str, value: object) -> object:
    return optional_duration(name, value) if name in _SPANS else value
