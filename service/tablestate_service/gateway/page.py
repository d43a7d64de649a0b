"""The page's files, served from memory."""

import hashlib
import mimetypes
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from tablestate_service.gateway import compression

PAGE = Path(__file__).parent / "page"
OPENAPI = Path(__file__).parent / "openapi.json"

_INDEX = "/index.html"
_HASHED = re.compile(r"^/assets/.*-[\w-]{8,}\.\w+$")
"""The names of files that change whenever their content does."""
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_AGAIN = "no-cache"
_BEST = 9
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    # An address may hold what only its reader should know.
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


@dataclass(frozen=True, slots=True)
class _File:
    plain: bytes
    packed: bytes
    headers: Mapping[str, str]
    tag: str


class Page:
    """Answers GET and HEAD."""

    def __init__(self, folder: Path = PAGE, openapi: Path = OPENAPI) -> None:
        """Read all files; there may be none."""
        self._files = dict(_files(folder))
        if openapi.exists():
            self._files["/openapi.json"] = _file("/openapi.json", openapi.read_bytes())

    def answer(self, request: web.BaseRequest) -> web.Response:
        """The file that is asked for; the page itself for any path that is none of a file."""
        path = request.path
        found = self._files.get(path) or (None if "." in path else self._files.get(_INDEX))
        if found is None:
            return web.Response(status=404, text="there is no such file\n", headers=_HEADERS)
        headers = {**_HEADERS, **found.headers, "etag": found.tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return web.Response(status=304, headers=headers)
        if not compression.accepts_gzip(request.headers.get("accept-encoding", "")):
            return web.Response(body=found.plain, headers=headers)
        headers["content-encoding"] = compression.GZIP
        return web.Response(body=found.packed, headers=headers)


def _files(folder: Path) -> Iterator[tuple[str, _File]]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = "/" + path.relative_to(folder).as_posix()
            yield name, _file(name, path.read_bytes())


def _file(name: str, content: bytes) -> _File:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind == "application/json":
        kind += "; charset=utf-8"
    keep = _FOR_EVER if _HASHED.match(name) else _ASK_AGAIN
    tag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    headers = {"content-type": kind, "cache-control": keep}
    return _File(content, compression.gzip(content, _BEST), headers, tag)
