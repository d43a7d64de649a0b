"""Who makes the call that is being handled, and what follows for its fields."""

from contextvars import ContextVar

from tablestate_service.domain.access import ANYBODY, Caller, Role
from tablestate_service.domain.texts import MAX_PLAYER_ID, MAX_TENANT
from tablestate_service.rpc.requests import Fields

_CALLER: ContextVar[Caller] = ContextVar("caller", default=ANYBODY)


def caller() -> Caller:
    """Who makes the call that is being handled."""
    return _CALLER.get()


def set_caller(known: Caller) -> None:
    """Note who makes the call, for whatever handles it."""
    _CALLER.set(known)


def own_tenant(fields: Fields, wanted: str) -> str:
    """The tenant that a call is about: the caller's, if it has one."""
    tenant, own = fields.text("tenant", wanted, MAX_TENANT), caller().tenant
    if own is None:
        return tenant
    if tenant not in ("", own):
        fields.wrong("tenant", tenant, "the tenant of the key or token, or none")
    return own


def own_player_id(fields: Fields, wanted: str) -> str:
    """The player that a call is about: the caller, if its key or token names one."""
    player_id, own = fields.text("player_id", wanted, MAX_PLAYER_ID), caller().player_id
    if own is None or caller().role is Role.OPERATOR:
        return player_id
    if player_id not in ("", own):
        fields.wrong("player_id", player_id, "the player of the key or token, or none")
    return own
