"""Checking webhooks: whether a request that claims to be from the server is.

The signatures are those of Standard Webhooks (standardwebhooks.com), so that any library for
these serves as well.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass

from google.protobuf.json_format import ParseDict, ParseError

from tablestate.v1.feed_pb2 import FeedItem

TOLERANCE_SECONDS = 300.0
"""How far the time of a message may be from one's own."""

_PREFIX = "whsec_"
_KEY_BYTES = range(24, 65)
_is_time = re.compile("[0-9]{1,15}").fullmatch
_VERSION = "v1"


class WebhookError(ValueError):
    """A request is no webhook of this secret, or too old; the text says why."""


@dataclass(frozen=True)
class Webhook:
    """A message that was checked."""

    id: str
    """The same for each delivery: do nothing for one that was seen before."""
    type: str
    """`match.created`, `match.turn`, `match.over` or `match.aborted`."""
    item: FeedItem
    """What happened."""


def verify(
    headers: Mapping[str, str],
    body: bytes,
    secret: str,
    *,
    tolerance: float = TOLERANCE_SECONDS,
    now: float | None = None,
) -> Webhook:
    """Check a request, and return what it tells; raises WebhookError.

    `headers` are its headers in any case, `body` its bytes as they came, `secret` is the
    webhook's, as `whsec_…`. `now` is the time in seconds since 1970 (default: the machine's).
    """
    found = {name.lower(): value for name, value in headers.items()}
    missing = [name for name in ("id", "timestamp", "signature") if f"webhook-{name}" not in found]
    if missing:
        raise WebhookError(f"there is no header webhook-{missing[0]}")
    message_id, timestamp = found["webhook-id"], found["webhook-timestamp"]
    signed = _bytes(f"{message_id}.{timestamp}.") + body
    if not _is_signed(signed, found["webhook-signature"], key_of(secret)):
        raise WebhookError("no signature is of this secret")
    _require_recent(timestamp, tolerance, time.time() if now is None else now)
    return _parsed(message_id, body)


def _is_signed(signed: bytes, signatures: str, key: bytes) -> bool:
    expected = base64.b64encode(hmac.digest(key, signed, "sha256"))
    given = (each.partition(",") for each in signatures.split())
    fitting = [
        hmac.compare_digest(_bytes(signature), expected)
        for version, _, signature in given
        if version == _VERSION
    ]
    return any(fitting)


def _require_recent(timestamp: str, tolerance: float, now: float) -> None:
    if not _is_time(timestamp) or not abs(now - int(timestamp)) <= tolerance:
        raise WebhookError("its time is too far from now")


def _bytes(header: str) -> bytes:
    """What a header holds, which may be no text: anybody can send one."""
    return header.encode(errors="surrogatepass")


def key_of(secret: str) -> bytes:
    """The key that a secret holds; raises WebhookError, which never quotes it."""
    try:
        key = base64.b64decode(secret.removeprefix(_PREFIX), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    # An empty or short key, of a secret that was not set, would let anybody sign.
    if not secret.startswith(_PREFIX) or len(key) not in _KEY_BYTES:
        raise WebhookError(f"the secret is no {_PREFIX} with 24 to 64 bytes in base64")
    return key


def _parsed(message_id: str, body: bytes) -> Webhook:
    try:
        content = json.loads(body)
        kind, data = content["type"], content["data"]
        if not isinstance(kind, str) or not isinstance(data, dict):
            raise TypeError
        # A newer server may tell more.
        return Webhook(message_id, kind, ParseDict(data, FeedItem(), ignore_unknown_fields=True))
    except (ValueError, KeyError, TypeError, RecursionError, ParseError):
        raise WebhookError("its body is no message of Tablestate") from None
