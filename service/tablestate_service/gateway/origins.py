"""From which pages calls are taken: cross-origin resource sharing."""

from collections.abc import Collection, Mapping

from multidict import CIMultiDict

from tablestate_service.settings import is_loopback, origin_host

_REMEMBERED_SECONDS = 7200
_ASKED = ", ".join(
    (
        *("authorization", "content-type", "traceparent", "tracestate"),
        *("connect-accept-encoding", "connect-content-encoding", "connect-protocol-version"),
        *("connect-timeout-ms", "content-encoding", "grpc-accept-encoding", "grpc-encoding"),
        *("grpc-timeout", "x-grpc-web", "x-user-agent"),
    )
)
_SHOWN = "connect-content-encoding, content-encoding, grpc-encoding"


class Origins:
    """Decides about the header `Origin`, which browsers send and pages cannot forge."""

    def __init__(self, allowed: Collection[str], host: str) -> None:
        """Let in pages of these origins, and those that were fetched here.

        While the gateway listens on loopback, that is any page of this machine, as of a
        development server, and no other: a name that leads here is not one of ours
        (DNS rebinding).
        """
        self._allowed = frozenset(allowed)
        self._is_local = is_loopback(host)

    def allows(self, origin: str, own: str) -> bool:
        """Whether a page of `origin` may call; `own` is the gateway as the caller names it."""
        if origin in self._allowed:
            return True
        if self._is_local:
            return is_loopback(origin_host(origin))
        return origin == own

    def headers(self, origin: str | None) -> CIMultiDict[str]:
        """What an answer tells the browser about an origin that is allowed."""
        headers = CIMultiDict({"vary": "origin"})
        if origin is not None:
            headers["access-control-allow-origin"] = origin
            headers["access-control-expose-headers"] = _SHOWN
        return headers

    def preflight(self, origin: str) -> Mapping[str, str]:
        """The answer to a browser that asks before it calls."""
        return {
            "access-control-allow-origin": origin,
            "access-control-allow-methods": "POST",
            "access-control-allow-headers": _ASKED,
            "access-control-max-age": str(_REMEMBERED_SECONDS),
            "vary": "origin",
        }
