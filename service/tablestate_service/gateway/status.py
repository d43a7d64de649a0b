"""How a call ends, and what the codes of gRPC are called elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import grpc

Metadata: TypeAlias = Sequence[tuple[str, str | bytes]]

DETAILS_KEY = "grpc-status-details-bin"

HTTP_CODES: dict[grpc.StatusCode, int] = {
    grpc.StatusCode.CANCELLED: 499,
    grpc.StatusCode.UNKNOWN: 500,
    grpc.StatusCode.INVALID_ARGUMENT: 400,
    grpc.StatusCode.DEADLINE_EXCEEDED: 504,
    grpc.StatusCode.NOT_FOUND: 404,
    grpc.StatusCode.ALREADY_EXISTS: 409,
    grpc.StatusCode.PERMISSION_DENIED: 403,
    grpc.StatusCode.RESOURCE_EXHAUSTED: 429,
    grpc.StatusCode.FAILED_PRECONDITION: 400,
    grpc.StatusCode.ABORTED: 409,
    grpc.StatusCode.OUT_OF_RANGE: 400,
    grpc.StatusCode.UNIMPLEMENTED: 501,
    grpc.StatusCode.INTERNAL: 500,
    grpc.StatusCode.UNAVAILABLE: 503,
    grpc.StatusCode.DATA_LOSS: 500,
    grpc.StatusCode.UNAUTHENTICATED: 401,
}


@dataclass(frozen=True, slots=True)
class Status:
    """The end of a call. `trailing` is without the details, a serialized `google.rpc.Status`.

    `http` is what Connect answers a unary call with, if it is not what the code stands for.
    """

    code: grpc.StatusCode = grpc.StatusCode.OK
    message: str = ""
    details: bytes = b""
    trailing: Metadata = ()
    http: int | None = None

    @property
    def http_code(self) -> int:
        """What Connect answers a unary call with."""
        return self.http or HTTP_CODES[self.code]

    @property
    def number(self) -> int:
        """The code as gRPC counts."""
        number: int = self.code.value[0]
        return number

    @property
    def connect_name(self) -> str:
        """The code as Connect spells it."""
        return "canceled" if self.code is grpc.StatusCode.CANCELLED else self.code.name.lower()


class ProtocolError(Exception):
    """A request that the gateway itself refuses; it ends as any refused call does."""

    def __init__(self, code: grpc.StatusCode, message: str, http: int | None = None) -> None:
        """Say which."""
        super().__init__(message)
        self.status = Status(code, message, http=http)
