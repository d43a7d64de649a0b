"""The keys of a file and the tokens of an issuer, read again when their files change."""

import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from tablestate_service.domain.access import Caller
from tablestate_service.jwks_file import KeySet, Token, read_key_set
from tablestate_service.key_file import KEY_PREFIX, key_digest, read_keys
from tablestate_service.settings import Settings, SettingsError

T = TypeVar("T")

log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
_REMEMBERED = 10_000
"""Tokens whose signature need not be checked again."""


class Reread(Generic[T]):
    """What a file says, read again within a second when it has changed.

    A file that can no longer be read changes nothing: the service goes on with what it said.
    """

    def __init__(self, path: Path, read: Callable[[Path], T]) -> None:
        """Read it; raises SettingsError."""
        self._path = path
        self._read = read
        self._identity = _identity(path)
        self._looked = time.monotonic()
        self.content = read(path)

    def look(self) -> bool:
        """Whether it says something new."""
        now = time.monotonic()
        if now - self._looked < _LOOK_SECONDS:
            return False
        self._looked = now
        identity = _identity(self._path)
        if identity == self._identity:
            return False
        self._identity = identity
        try:
            self.content = self._read(self._path)
        except SettingsError as error:
            log.error("file was not read again", extra={"error": str(error)})
            return False
        log.info("file was read again", extra={"path": str(self._path)})
        return True


class FileKeyring:
    """Fulfils `Keyring`."""

    def __init__(self, keys: Path | None, key_set: Reread[KeySet] | None) -> None:
        """Know the keys of a file, and the tokens that a key set vouches for."""
        self._keys = Reread(keys, read_keys) if keys else None
        self._key_set = key_set
        self._tokens: OrderedDict[bytes, Token] = OrderedDict()

    def caller(self, credential: str) -> Caller | None:
        """Whose a key or token is."""
        # Looked up by digest, so that the time it takes tells nothing of the keys there are.
        digest = key_digest(credential)
        if credential.startswith(KEY_PREFIX):
            return self._holder(digest)
        return self._bearer(digest, credential)

    def _holder(self, digest: bytes) -> Caller | None:
        if self._keys is None:
            return None
        self._keys.look()
        return self._keys.content.get(digest)

    def _bearer(self, digest: bytes, credential: str) -> Caller | None:
        if self._key_set is None:
            return None
        if self._key_set.look():
            self._tokens.clear()
        token = self._tokens.get(digest)
        if token is None:
            token = self._key_set.content.token(credential)
            if token is None:
                return None
            self._tokens[digest] = token
            if len(self._tokens) > _REMEMBERED:
                self._tokens.popitem(last=False)
        return token.caller if time.time() < token.until else None


def open_keyring(settings: Settings) -> FileKeyring:
    """The keyring that the settings say; raises SettingsError."""
    issuer, audience = settings.jwt_issuer, settings.jwt_audience
    key_set = settings.jwks and Reread(
        Path(settings.jwks), lambda path: read_key_set(path, issuer, audience)
    )
    return FileKeyring(Path(settings.keys) if settings.keys else None, key_set or None)


def _identity(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
