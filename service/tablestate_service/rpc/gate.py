"""Who may call what: enforced for every method by what its descriptor says."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

import grpc
from google.protobuf.descriptor import Descriptor, MethodDescriptor
from google.protobuf.message import Message

from tablestate.v1 import access_pb2
from tablestate_service.domain.access import ANYBODY, STRANGER, Caller, Role
from tablestate_service.domain.errors import not_permitted, too_many_calls, wrong_key
from tablestate_service.ports import Keyring
from tablestate_service.rpc.callers import caller, set_caller
from tablestate_service.rpc.pace import Pace, peer_name
from tablestate_service.rpc.requests import is_match_id

RequireOwn: TypeAlias = Callable[[str, str], Awaitable[None]]
Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"

RECHECK_SECONDS = 5.0
"""How often a stream's key or token is looked at again."""

_MATCH_ID = "match_id"
_MOST_MATCHES = 256
"""A request that names more is refused for that, by whatever handles it."""
_SCHEME = "bearer "


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may call a method. `role` of None: nobody."""

    role: Role | None
    is_opened_by_feed_secret: bool = False
    is_guarded: bool = True
    """Whether callers are told apart and counted."""
    match_fields: tuple[tuple[str, ...], ...] = ()
    """The paths of the fields that name matches."""


FOR_ANYONE = Rule(Role.ANYONE, is_guarded=False)
"""The rule of services that are not Tablestate's own: health checks must always be answered."""


def rule_of(method: MethodDescriptor) -> Rule:
    """What the descriptor of a method says; one that says nothing is for nobody."""
    access = method.GetOptions().Extensions[access_pb2.access]
    role = Role(access.role) if access.role else None
    is_opened = access.token == access_pb2.REQUEST_TOKEN_FEED
    return Rule(role, is_opened, match_fields=tuple(_match_fields(method.input_type)))


class Gate:
    """Lets callers in."""

    def __init__(
        self,
        keyring: Keyring | None,
        require_own: RequireOwn,
        *,
        key_pace: Pace,
        peer_pace: Pace,
    ) -> None:
        """Know callers by their keys and tokens; with no keyring everybody is a player.

        `require_own` refuses a match that is not of a tenant. Those with a key or token call at one
        pace each, those without at another, by where they come from.
        """
        self._keyring = keyring
        self._key_pace = key_pace
        self._peer_pace = peer_pace
        self._require_own = require_own

    def enter(self, rule: Rule, context: Context) -> None:
        """Find out who calls; refuses WRONG_KEY, NOT_PERMITTED, TOO_MANY_CALLS."""
        set_caller(self._admitted(rule, context))

    async def require_own(self, rule: Rule, request: Message) -> None:
        """Refuse MATCH_NOT_FOUND if a request names a match that the caller must not know."""
        tenant = caller().tenant
        if tenant is None or not rule.match_fields:
            return
        named = (each for path in rule.match_fields for each in _named(request, path))
        for match_id in islice(named, _MOST_MATCHES):
            if is_match_id(match_id):
                await self._require_own(match_id, tenant)

    @contextmanager
    def kept_open(self, rule: Rule, context: Context) -> Iterator[None]:
        """End a stream with WRONG_KEY when its key or token is no longer worth anything."""
        if self._keyring is None or rule.role is Role.ANYONE:
            yield
            return
        with _Recheck(self._keyring, _credential(context)):
            yield

    def _admitted(self, rule: Rule, context: Context) -> Caller:
        if rule.role is None:
            raise not_permitted("UNSPECIFIED")
        if self._keyring is None or not rule.is_guarded:
            if rule.role is Role.OPERATOR and not rule.is_opened_by_feed_secret:
                raise not_permitted(rule.role.name)
            return ANYBODY
        found = self._keyring.caller(_credential(context))
        if found is None:
            _require_pace(self._peer_pace, peer_name(context.peer()))
            if rule.role is Role.ANYONE:
                return STRANGER
            raise wrong_key()
        _require_pace(self._key_pace, found.name)
        if found.role < rule.role:
            raise not_permitted(rule.role.name)
        return found


def _require_pace(pace: Pace, name: str) -> None:
    if wait := pace.wait_for(name):
        raise too_many_calls(wait)


class _Recheck:
    """Looks again and again whether a credential still opens the service."""

    def __init__(self, keyring: Keyring, credential: str) -> None:
        self._keyring = keyring
        self._credential = credential
        self._loop = asyncio.get_running_loop()
        task = asyncio.current_task()
        assert task is not None, "a handler runs in a task"
        self._task = task
        self._is_over = False

    def __enter__(self) -> None:
        self._timer = self._loop.call_later(RECHECK_SECONDS, self._look)

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._timer.cancel()
        # If somebody else has cancelled the call as well, that counts.
        if (
            self._is_over
            and isinstance(error, asyncio.CancelledError)
            and self._task.uncancel() == 0
        ):
            raise wrong_key() from None

    def _look(self) -> None:
        if self._keyring.caller(self._credential) is not None:
            self._timer = self._loop.call_later(RECHECK_SECONDS, self._look)
        else:
            self._is_over = True
            self._task.cancel()


def _match_fields(message: Descriptor) -> Iterator[tuple[str, ...]]:
    """The paths to `match_id`, which is in the request itself or in one of its parts."""
    if _MATCH_ID in message.fields_by_name:
        yield (_MATCH_ID,)
    for field in message.fields:
        if field.message_type is not None and _MATCH_ID in field.message_type.fields_by_name:
            yield (field.name, _MATCH_ID)


def _named(request: Message, path: tuple[str, ...]) -> Iterator[str]:
    if len(path) == 1:
        yield getattr(request, path[0])
        return
    part = getattr(request, path[0])
    for each in (part,) if isinstance(part, Message) else part:
        yield getattr(each, path[1])


def _credential(context: Context) -> str:
    """What a call brings in its `authorization` header; empty if that is not exactly one."""
    given = [value for key, value in context.invocation_metadata() or () if key == "authorization"]
    text = given[0] if len(given) == 1 else ""
    if not isinstance(text, str) or text[: len(_SCHEME)].lower() != _SCHEME:
        return ""
    return text[len(_SCHEME) :]
