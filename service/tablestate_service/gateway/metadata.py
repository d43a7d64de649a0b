"""Headers of HTTP as metadata of gRPC, and back."""

import base64
import binascii
from collections.abc import Iterable, Iterator

from multidict import CIMultiDict, CIMultiDictProxy

from tablestate_service.gateway.status import Metadata

_BINARY = "-bin"
# What belongs to the connection, the protocol or the browser, and says nothing to a method.
_OWN = frozenset(
    (
        *("accept", "accept-encoding", "connection", "cookie", "host", "keep-alive", "origin"),
        *("referer", "te", "transfer-encoding", "upgrade", "x-grpc-web"),
    )
)
_OWN_BEGINS = ("access-control-", "connect-", "content-", "grpc-", "proxy-", "sec-")


def metadata_of(headers: CIMultiDictProxy[str]) -> list[tuple[str, str | bytes]]:
    """The metadata of a call; what is named `-bin` and is not base64 is left out."""
    return list(_metadata(headers.items()))


def _metadata(headers: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str | bytes]]:
    for name, value in headers:
        key = name.lower()
        if key in _OWN or key.startswith(_OWN_BEGINS):
            continue
        if key.endswith(_BINARY):
            yield from ((key, each) for each in _unpacked(value))
        else:
            yield key, value


def _unpacked(value: str) -> Iterator[bytes]:
    for each in value.split(","):
        text = each.strip().rstrip("=")
        try:
            yield base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
        except (binascii.Error, ValueError):
            continue


def headers_of(metadata: Metadata, prefix: str = "") -> CIMultiDict[str]:
    """The headers that carry metadata, each name with a prefix."""
    return CIMultiDict((prefix + key, text_of(value)) for key, value in metadata)


def text_of(value: str | bytes) -> str:
    """A value as a header holds it: bytes as base64 without padding."""
    return packed(value) if isinstance(value, bytes) else value


def packed(value: bytes) -> str:
    """Base64 without padding, as all of these protocols write it."""
    return base64.b64encode(value).decode().rstrip("=")
