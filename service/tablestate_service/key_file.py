"""The file of API keys: who may call as what, in TOML. It holds hashes, and no key."""

import hashlib
import re
import secrets
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tablestate_service.domain.access import Caller, Role
from tablestate_service.domain.texts import MAX_PLAYER_ID, MAX_TENANT, has_unseen
from tablestate_service.settings import SettingsError

KEY_PREFIX = "tsk_"
SCOPES = {"player": Role.PLAYER, "operator": Role.OPERATOR}
_KEY_BYTES = 32
_FIELDS = {"name", "scope", "tenant", "player_id", "sha256"}
_REQUIRED = {"name", "scope", "sha256"}
is_key_name = re.compile("[A-Za-z0-9_-]{1,64}").fullmatch
_is_hash = re.compile("[0-9a-f]{64}").fullmatch


def new_key() -> str:
    """A new key: nobody can guess it, so that a plain hash keeps it safe."""
    return KEY_PREFIX + secrets.token_urlsafe(_KEY_BYTES)


def key_digest(key: str) -> bytes:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).digest()


def read_keys(path: Path) -> Mapping[bytes, Caller]:
    """Whose each key is, by its digest; raises SettingsError, which quotes no hash."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"keys: cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"keys: {path} is no TOML") from None
    tables = content.get("key", [])
    if set(content) - {"key"} or not isinstance(tables, list):
        raise SettingsError(f"keys: {path} holds something else than [[key]] tables")
    keys = [_key(table, f"keys: key {place} of {path}") for place, table in enumerate(tables, 1)]
    for what, values in (("name", [caller.name for _, caller in keys]), ("key", dict(keys))):
        if len(set(values)) < len(keys):
            raise SettingsError(f"keys: {path} has a {what} twice")
    return dict(keys)


def _key(table: Any, where: str) -> tuple[bytes, Caller]:
    if not isinstance(table, dict) or not _REQUIRED <= set(table) <= _FIELDS:
        raise SettingsError(f"{where}: expected {', '.join(sorted(_FIELDS))}")
    if not all(isinstance(each, str) for each in table.values()):
        raise SettingsError(f"{where}: expected texts")
    if not is_key_name(table["name"]):
        raise SettingsError(f"{where}: name is no 1 to 64 letters, digits, - or _")
    if table["scope"] not in SCOPES:
        raise SettingsError(f"{where}: scope is none of {', '.join(SCOPES)}")
    if not _is_hash(table["sha256"]):
        raise SettingsError(f"{where}: sha256 is no 64 lower-case hex digits")
    tenant, player_id = table.get("tenant", ""), table.get("player_id", "")
    for name, text, longest in (
        ("tenant", tenant, MAX_TENANT),
        ("player_id", player_id, MAX_PLAYER_ID),
    ):
        if len(text) > longest or has_unseen(text):
            raise SettingsError(f"{where}: {name} is no text of at most {longest} characters")
    caller = Caller(SCOPES[table["scope"]], tenant, player_id or None, f"key {table['name']}")
    return bytes.fromhex(table["sha256"]), caller
