"""Who makes the call that is being handled, and what follows for its fields."""

from contextvars import ContextVar

from tablestate_service.domain.access import ANYBODY, Caller, Role
from tablestate_service.domain.texts import MAX_PLAYER_ID, MAX_TENANT
from tablestate_service.ports import Scope
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


def sees_all() -> bool:
    """Whether the caller sees of matches of its tenant what spectators do not, or not yet."""
    return caller().role is Role.OPERATOR


def scope_of(fields: Fields, player_id: str) -> Scope:
    """Of whose matches the caller may have a list; `player_id` is whom it asks for, if anybody."""
    asked, known = fields.text("player_id", player_id, MAX_PLAYER_ID), caller()
    is_operator = known.role is Role.OPERATOR
    if asked and not is_operator and asked != known.player_id:
        fields.wrong("player_id", asked, "the player of the key or token, or none")
    return Scope(known.tenant, asked or None, are_all_shown=is_operator)


def own_player_id(fields: Fields, wanted: str) -> str:
    """The player that a call is about: the caller, if its key or token names one."""
    player_id, own = fields.text("player_id", wanted, MAX_PLAYER_ID), caller().player_id
    if own is None or caller().role is Role.OPERATOR:
        return player_id
    if player_id not in ("", own):
        fields.wrong("player_id", player_id, "the player of the key or token, or none")
    return own
