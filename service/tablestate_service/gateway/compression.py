"""gzip, within limits."""

import zlib

import grpc

from tablestate_service.gateway.offload import offloaded
from tablestate_service.gateway.status import ProtocolError

GZIP = "gzip"
IDENTITY = "identity"

_GZIP_BITS = 31
_LEVEL = 1
"""Of content that is compressed once for one reader the fastest is the best."""
_WORTH_IT = 1024


def require_known(encoding: str) -> str:
    """The name of an encoding that may be left out; refuses one that is not spoken here."""
    name = encoding.strip().lower() or IDENTITY
    if name not in (GZIP, IDENTITY):
        raise ProtocolError(
            grpc.StatusCode.UNIMPLEMENTED,
            f"unknown compression, expected one of: {GZIP}, {IDENTITY}",
        )
    return name


def accepts_gzip(header: str) -> bool:
    """Whether a header such as Accept-Encoding wants gzip; `gzip;q=0` does not."""
    for each in header.split(","):
        name, _, weight = each.strip().partition(";")
        if name.strip().lower() == GZIP:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def is_worth_it(data: bytes) -> bool:
    """Whether compressing saves more than it costs."""
    return len(data) >= _WORTH_IT


async def compressed(data: bytes) -> bytes:
    """The bytes as gzip."""
    return await offloaded(data, gzip)


def gzip(data: bytes, level: int = _LEVEL) -> bytes:
    """The bytes as gzip, the same every time: without a date."""
    packer = zlib.compressobj(level, wbits=_GZIP_BITS)
    return packer.compress(data) + packer.flush()


def decompressed(data: bytes, limit: int) -> bytes:
    """What was compressed; refuses more than `limit` bytes before they are made."""
    unpacker = zlib.decompressobj(wbits=_GZIP_BITS)
    try:
        whole = unpacker.decompress(data, limit + 1)
    except zlib.error:
        raise not_gzip() from None
    if len(whole) > limit:
        raise too_large(limit)
    if not unpacker.eof or unpacker.unused_data:
        raise not_gzip()
    return whole


def not_gzip() -> ProtocolError:
    """The refusal of bytes that are said to be gzip."""
    return ProtocolError(grpc.StatusCode.INVALID_ARGUMENT, "the request is not gzip, as it says")


def too_large(limit: int) -> ProtocolError:
    """The refusal of a request beyond the limit."""
    return ProtocolError(
        grpc.StatusCode.RESOURCE_EXHAUSTED, f"the request is larger than {limit} bytes"
    )
