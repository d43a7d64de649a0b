"""Who finds a match, who may join it, and who may look on."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any


class Visibility(IntEnum):
    """Who finds a match and may join it; numbers of the contract."""

    PUBLIC = 1
    UNLISTED = 2
    INVITE = 3


class SpectatorPolicy(IntEnum):
    """Who may look on without a seat; numbers of the contract."""

    ALLOWED = 1
    REFUSED = 2


@dataclass(frozen=True, slots=True)
class Audience:
    """Those for whom a match is there.

    Spectators see what happens after the start `delay` nanoseconds later. `invitation_hash` is of
    the code that INVITE asks for.
    """

    visibility: Visibility = Visibility.PUBLIC
    spectators: SpectatorPolicy = SpectatorPolicy.ALLOWED
    delay: int = 0
    invitation_hash: bytes | None = None

    @property
    def is_live(self) -> bool:
        """Whether everybody may see the match as it is."""
        return self.spectators is SpectatorPolicy.ALLOWED and not self.delay


EVERYBODY = Audience()


def to_fields(audience: Audience) -> dict[str, object]:
    """As fields of a CREATED entry: only what is not the default, so that older entries stay."""
    fields: dict[str, object] = {}
    if audience.visibility is not Visibility.PUBLIC:
        fields["visibility"] = audience.visibility.name
    if audience.spectators is not SpectatorPolicy.ALLOWED:
        fields["spectators"] = audience.spectators.name
    if audience.delay:
        fields["spectator_delay"] = audience.delay
    if audience.invitation_hash is not None:
        fields["invitation_hash"] = audience.invitation_hash.hex()
    return fields


def from_fields(stored: Mapping[str, Any]) -> Audience:
    """Read the fields back; raises KeyError or ValueError if they are damaged."""
    invitation = stored.get("invitation_hash")
    audience = Audience(
        Visibility[stored.get("visibility", Visibility.PUBLIC.name)],
        SpectatorPolicy[stored.get("spectators", SpectatorPolicy.ALLOWED.name)],
        stored.get("spectator_delay", 0),
        bytes.fromhex(invitation) if invitation is not None else None,
    )
    return EVERYBODY if audience == EVERYBODY else audience
