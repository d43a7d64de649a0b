"""Tokens of an identity provider (JWT), checked against its key set (JWKS) in a file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import jwt

from tablestate_service.domain.access import Caller, Role
from tablestate_service.domain.texts import MAX_PLAYER_ID, MAX_TENANT, has_unseen
from tablestate_service.settings import SettingsError

SCOPES = {"tablestate:operator": Role.OPERATOR, "tablestate:player": Role.PLAYER}
ALGORITHMS = frozenset(
    ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
)
"""Signatures by a key pair: who can check them cannot make them."""
_LEEWAY_SECONDS = 10
_REQUIRED = ["exp", "iss", "aud", "sub"]


class Token(NamedTuple):
    """Whose a token is, and until when, in seconds since 1970."""

    caller: Caller
    until: float


class KeySet:
    """Reads tokens of one issuer that are meant for one audience."""

    def __init__(self, keys: Mapping[str | None, jwt.PyJWK], issuer: str, audience: str) -> None:
        """Trust these public keys, by their ids."""
        self._keys = keys
        self._issuer = issuer
        self._audience = audience

    def token(self, text: str) -> Token | None:
        """What a token says; None if it is not genuine, not for us, or says nothing of use."""
        try:
            key = self._key(jwt.get_unverified_header(text).get("kid"))
            if key is None:
                return None
            # Of one algorithm, which the key names: what the token says of itself is not asked.
            claims = jwt.decode(
                text,
                key,
                algorithms=[key.algorithm_name],
                issuer=self._issuer,
                audience=self._audience,
                leeway=_LEEWAY_SECONDS,
                options={"require": _REQUIRED},
            )
        except (jwt.PyJWTError, ValueError, TypeError, RecursionError):
            return None
        caller = _caller(claims)
        return Token(caller, float(claims["exp"]) + _LEEWAY_SECONDS) if caller else None

    def _key(self, key_id: str | None) -> jwt.PyJWK | None:
        if key_id is None and len(self._keys) == 1:
            return next(iter(self._keys.values()))
        return self._keys.get(key_id) if isinstance(key_id, str) else None


def read_key_set(path: Path, issuer: str, audience: str) -> KeySet:
    """Read a JWKS file; raises SettingsError."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"jwks: cannot read {path}: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise SettingsError(f"jwks: {path} is no JSON") from None
    listed = content.get("keys") if isinstance(content, dict) else None
    if not isinstance(listed, list):
        raise SettingsError(f"jwks: {path} has no `keys`")
    keys = [
        _public_key(each, f"jwks: key {place} of {path}")
        for place, each in enumerate(listed, 1)
        if not _is_for_encryption(each)
    ]
    by_id = {key.key_id: key for key in keys}
    if len(by_id) < len(keys):
        raise SettingsError(f"jwks: {path} has two keys of one `kid`")
    return KeySet(by_id, issuer, audience)


def _is_for_encryption(fields: Any) -> bool:
    return isinstance(fields, dict) and fields.get("use") == "enc"


def _public_key(fields: Any, where: str) -> jwt.PyJWK:
    """A key that can check tokens and not make them."""
    if not isinstance(fields, dict) or fields.get("kty") == "oct" or "d" in fields:
        raise SettingsError(f"{where}: expected a public key")
    try:
        key = jwt.PyJWK.from_dict(fields)
    except (jwt.PyJWTError, ValueError, TypeError):
        raise SettingsError(f"{where}: no key that can be used") from None
    if key.algorithm_name not in ALGORITHMS:
        raise SettingsError(f"{where}: its algorithm is none of {', '.join(sorted(ALGORITHMS))}")
    return key


def _caller(claims: Mapping[str, Any]) -> Caller | None:
    tenant, subject, scope = claims.get("tenant", ""), claims["sub"], claims.get("scope", "")
    if not _is_text(tenant, MAX_TENANT) or not _is_text(subject, MAX_PLAYER_ID) or not subject:
        return None
    granted = set(scope.split()) if isinstance(scope, str) else set()
    roles = [role for name, role in SCOPES.items() if name in granted]
    if not roles:
        return None
    return Caller(roles[0], tenant, subject, f"subject {tenant!r} {subject!r}")


def _is_text(value: object, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest and not has_unseen(value)
