"""gRPC-Web, binary and text: gRPC's PROTOCOL-WEB.md."""

import base64
import binascii
from collections.abc import Iterator
from itertools import islice
from urllib.parse import quote

import grpc

from tablestate_service.gateway.envelope import enveloped
from tablestate_service.gateway.exchange import EnvelopedExchange, digits
from tablestate_service.gateway.metadata import packed, text_of
from tablestate_service.gateway.methods import Method
from tablestate_service.gateway.status import DETAILS_KEY, ProtocolError, Status

_TRAILERS = 0x80
_TIMEOUT = "grpc-timeout"
_TIMEOUT_DIGITS = 8
_UNITS = {"H": 3600.0, "M": 60.0, "S": 1.0, "m": 1e-3, "u": 1e-6, "n": 1e-9}
_QUARTET = 4
_MOST_PIECES = 256
"""Of one request. Callers pad once, at the end; each piece takes as long as a thousand bytes."""
_PLAIN = "".join(chr(each) for each in range(0x20, 0x7F) if chr(each) != "%")
"""What a `grpc-message` holds as it is."""


class GrpcWeb(EnvelopedExchange):
    """A call whose trailers are the last envelope of its body."""

    encoding_header = "grpc-encoding"
    accepts_header = "grpc-accept-encoding"

    def suits(self, method: Method) -> bool:
        """One content type is for all methods."""
        return True

    def seconds(self) -> float | None:
        """See Exchange."""
        text = self.request.headers.get(_TIMEOUT)
        if text is None:
            return None
        if text[-1:] not in _UNITS:
            raise ProtocolError(
                grpc.StatusCode.INVALID_ARGUMENT, f"the timeout has no unit of {', '.join(_UNITS)}"
            )
        return digits(text[:-1], _TIMEOUT_DIGITS) * _UNITS[text[-1]]

    def last(self, status: Status) -> bytes:
        """The trailers, written as headers are."""
        text = "".join(f"{key}: {value}\r\n" for key, value in _trailers(status))
        return enveloped(text.encode("latin-1", "replace"), _TRAILERS)


class GrpcWebText(GrpcWeb):
    """The same in base64, for what can read nothing else as it comes."""

    @property
    def room(self) -> int:
        """See EnvelopedExchange; four characters stand for three bytes."""
        return -(-super().room // 3) * 4

    def message(self, body: bytes) -> bytes:
        """See EnvelopedExchange; the body may be several pieces of base64, each padded."""
        return super().message(debased(body))

    def armoured(self, part: bytes) -> bytes:
        """Base64, padded."""
        return base64.b64encode(part)


def debased(text: bytes) -> bytes:
    """What pieces of base64 stand for; refuses what is none, and too many."""
    pieces = list(islice(_pieces(text), _MOST_PIECES + 1))
    if len(pieces) > _MOST_PIECES:
        raise ProtocolError(
            grpc.StatusCode.INVALID_ARGUMENT,
            f"the request has more than {_MOST_PIECES} pieces of base64, each padded",
        )
    try:
        return b"".join(base64.b64decode(each, validate=True) for each in pieces)
    except binascii.Error:
        raise ProtocolError(
            grpc.StatusCode.INVALID_ARGUMENT, "the request is not base64, as it says"
        ) from None


def _trailers(status: Status) -> Iterator[tuple[str, str]]:
    yield "grpc-status", str(status.number)
    if status.message:
        yield "grpc-message", quote(status.message, safe=_PLAIN)
    if status.details:
        yield DETAILS_KEY, packed(status.details)
    yield from ((key.lower(), text_of(value)) for key, value in status.trailing)


def _pieces(text: bytes) -> Iterator[bytes]:
    """Base64 split behind its padding: four characters each, the last of which may be padding."""
    begin = 0
    while (padding := text.find(b"=", begin)) >= 0:
        end = begin + (padding - begin) // _QUARTET * _QUARTET + _QUARTET
        yield text[begin:end]
        begin = end
    if begin < len(text):
        yield text[begin:]
