"""The file of webhooks: who is told of what, in TOML; the secrets are elsewhere."""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tablestate.webhooks import WebhookError, key_of
from tablestate_service.domain.texts import MAX_TENANT, has_unseen
from tablestate_service.ports import Hook
from tablestate_service.settings import SettingsError, is_loopback

_FIELDS = {"name", "tenant", "url", "secret_env", "secret_file"}
_is_name = re.compile("[A-Za-z0-9_-]{1,64}").fullmatch
# What no host holds makes a URL that readers take apart in different ways.
_is_host = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\.?|[0-9A-Fa-f:.]+").fullmatch
_is_plain = re.compile(r"[!-\[\]-~]+").fullmatch


def read_webhooks(path: Path, environment: Mapping[str, str]) -> Sequence[Hook]:
    """Read the webhooks of a file; raises SettingsError, which never quotes URL or secret."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"webhooks: cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"webhooks: {path} is no TOML") from None
    tables = content.get("webhook")
    if set(content) != {"webhook"} or not isinstance(tables, list):
        raise SettingsError(f"webhooks: {path} holds something else than [[webhook]] tables")
    hooks = [_hook(table, place, path, environment) for place, table in enumerate(tables)]
    if len({hook.name for hook in hooks}) < len(hooks):
        raise SettingsError(f"webhooks: {path} has two webhooks of one name")
    return hooks


def _hook(table: Any, place: int, path: Path, environment: Mapping[str, str]) -> Hook:
    where = f"webhooks: webhook {place + 1} of {path}"
    if not _is_of_texts(table):
        raise SettingsError(f"{where}: expected {', '.join(sorted(_FIELDS))} as texts")
    name, url, tenant = (table.get(field, "") for field in ("name", "url", "tenant"))
    if not _is_name(name):
        raise SettingsError(f"{where}: name is no 1 to 64 letters, digits, - or _")
    if len(tenant) > MAX_TENANT or has_unseen(tenant):
        raise SettingsError(f"{where}: no match can have such a tenant")
    if not _is_fit(url):
        raise SettingsError(f"{where}: url is no https:// URL, or http:// to this machine")
    keys = [_key(each, where) for each in _secrets(table, path, where, environment).split()]
    if not keys:
        raise SettingsError(f"{where}: there is no secret in it")
    return Hook(name, tenant, url, tuple(keys))


def _is_of_texts(table: Any) -> bool:
    is_table = isinstance(table, dict) and set(table) <= _FIELDS
    return is_table and all(isinstance(each, str) for each in table.values())


def _is_fit(url: str) -> bool:
    try:
        parts = urlsplit(url)
        is_safe = parts.scheme == "https" or (
            parts.scheme == "http" and is_loopback(parts.hostname or "")
        )
        can_be = bool(_is_plain(url) and _is_host(parts.hostname or ""))
        return can_be and is_safe and parts.port != 0
    except ValueError:
        return False


def _secrets(
    table: Mapping[str, str], path: Path, where: str, environment: Mapping[str, str]
) -> str:
    """The text that holds the secrets of a webhook: several, while one replaces another."""
    if ("secret_env" in table) == ("secret_file" in table):
        raise SettingsError(f"{where}: expected either secret_env or secret_file")
    if "secret_env" in table:
        if not (secrets := environment.get(table["secret_env"], "")):
            raise SettingsError(f"{where}: the variable that secret_env names is not set")
        return secrets
    try:
        return (path.parent / table["secret_file"]).read_text(encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{where}: secret_file: {error.strerror}") from None
    except ValueError:
        raise SettingsError(f"{where}: secret_file is no text in UTF-8") from None


def _key(secret: str, where: str) -> bytes:
    try:
        return key_of(secret)
    except WebhookError as error:
        raise SettingsError(f"{where}: {error}") from None
