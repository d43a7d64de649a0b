"""Keys and tokens: which open the service, as what, and which files are refused."""

import base64
import json
import os
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from support.keys import key_file, key_of
from tablestate_service.adapters import keyring
from tablestate_service.adapters.keyring import FileKeyring, open_keyring
from tablestate_service.cli.main import main
from tablestate_service.domain.access import Caller, Role
from tablestate_service.key_file import key_digest, read_keys
from tablestate_service.settings import Settings, SettingsError

ISSUER, AUDIENCE = "https://id.example", "tablestate"
HASH = "ab" * 32
RSA = rsa.generate_private_key(public_exponent=65537, key_size=2048)
EC = ec.generate_private_key(ec.SECP256R1())
ED = ed25519.Ed25519PrivateKey.generate()
PUBLIC = {
    "rsa": jwt.algorithms.RSAAlgorithm.to_jwk(RSA.public_key(), as_dict=True) | {"kid": "rsa"},
    "ec": jwt.algorithms.ECAlgorithm.to_jwk(EC.public_key(), as_dict=True) | {"kid": "ec"},
    "ed": jwt.algorithms.OKPAlgorithm.to_jwk(ED.public_key(), as_dict=True) | {"kid": "ed"},
}


def claims(**changed: Any) -> dict[str, Any]:
    now = int(time.time())
    given = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "ada",
        "exp": now + 60,
        "scope": "openid tablestate:player",
        "tenant": "shop",
    } | changed
    return {key: value for key, value in given.items() if value is not None}


def signed(
    key: Any = RSA, algorithm: str = "RS256", kid: str | None = "rsa", **changed: Any
) -> str:
    headers = {"kid": kid} if kid else None
    return jwt.encode(claims(**changed), key, algorithm, headers=headers)


def with_key_set(directory: Path, keys: Any) -> FileKeyring:
    (directory / "jwks.json").write_text(json.dumps({"keys": keys}))
    settings = Settings(jwks=str(directory / "jwks.json"), jwt_issuer=ISSUER, jwt_audience=AUDIENCE)
    return open_keyring(settings)


@pytest.fixture
def ring(tmp_path: Path) -> FileKeyring:
    return with_key_set(tmp_path, list(PUBLIC.values()))


@pytest.mark.parametrize(
    ("key", "algorithm", "kid"), [(RSA, "RS256", "rsa"), (EC, "ES256", "ec"), (ED, "EdDSA", "ed")]
)
def test_a_token_of_a_known_key_names_player_and_tenant(
    ring: FileKeyring, key: Any, algorithm: str, kid: str
) -> None:
    token = signed(key, algorithm, kid)
    for _ in range(2):
        caller = ring.caller(token)
        assert caller is not None
        assert (caller.role, caller.tenant, caller.player_id) == (Role.PLAYER, "shop", "ada")


def test_the_highest_scope_counts(ring: FileKeyring) -> None:
    caller = ring.caller(signed(scope="tablestate:player tablestate:operator"))
    assert caller is not None and caller.role is Role.OPERATOR


def forged(header: dict[str, Any], signature: bytes = b"") -> str:
    parts = (json.dumps(header).encode(), json.dumps(claims()).encode(), signature)
    return ".".join(base64.urlsafe_b64encode(each).rstrip(b"=").decode() for each in parts)


def of_shared_secret() -> str:
    """The confusion of algorithms: the public key, known to all, as a secret."""
    public = RSA.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    header, payload = forged({"alg": "HS256", "kid": "rsa"}).split(".")[:2]
    import hashlib
    import hmac

    mac = hmac.new(public, f"{header}.{payload}".encode(), hashlib.sha256).digest()
    return f"{header}.{payload}.{base64.urlsafe_b64encode(mac).rstrip(b'=').decode()}"


BAD: dict[str, Callable[[], str]] = {
    "none": lambda: forged({"alg": "none", "kid": "rsa"}),
    "shared secret": of_shared_secret,
    "another algorithm of the key": lambda: signed(RSA, "PS256"),
    "another key": lambda: signed(
        rsa.generate_private_key(public_exponent=65537, key_size=2048), "RS256"
    ),
    "unknown kid": lambda: signed(kid="other"),
    "no kid where there are several": lambda: signed(kid=None),
    "kid of another kind": lambda: forged({"alg": "RS256", "kid": ["rsa"]}),
    "expired": lambda: signed(exp=int(time.time()) - 60),
    "no expiry": lambda: signed(exp=None),
    "not yet": lambda: signed(nbf=int(time.time()) + 60),
    "another issuer": lambda: signed(iss="https://other.example"),
    "another audience": lambda: signed(aud="other"),
    "no audience": lambda: signed(aud=None),
    "no subject": lambda: signed(sub=None),
    "empty subject": lambda: signed(sub=""),
    "unseen subject": lambda: signed(sub="a\u202eb"),
    "long tenant": lambda: signed(tenant="x" * 65),
    "tenant of another kind": lambda: signed(tenant=["shop"]),
    "no scope": lambda: signed(scope=None),
    "another scope": lambda: signed(scope="tablestate:players operator"),
    "scope of another kind": lambda: signed(scope=["tablestate:operator"]),
    "cut off": lambda: signed()[:-4],
    "no token": lambda: "x",
    "empty": lambda: "",
}


@pytest.mark.parametrize("name", BAD)
def test_any_other_token_opens_nothing(ring: FileKeyring, name: str) -> None:
    assert ring.caller(BAD[name]()) is None


def test_a_remembered_token_expires(ring: FileKeyring, monkeypatch: pytest.MonkeyPatch) -> None:
    token, now = signed(), time.time()
    assert ring.caller(token)
    monkeypatch.setattr("time.time", lambda: now + 71)
    assert ring.caller(token) is None


@pytest.mark.parametrize(
    "key",
    [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "secret"},
        jwt.algorithms.RSAAlgorithm.to_jwk(RSA, as_dict=True),
        PUBLIC["rsa"] | {"alg": "HS256"},
        PUBLIC["rsa"] | {"n": "!"},
        {"kty": "RSA"},
        "rsa",
    ],
)
def test_a_key_set_holds_public_keys_alone(tmp_path: Path, key: Any) -> None:
    with pytest.raises(SettingsError, match=r"jwks: key 1"):
        with_key_set(tmp_path, [key])


def test_keys_for_encryption_are_left_out(tmp_path: Path) -> None:
    ring = with_key_set(tmp_path, [PUBLIC["rsa"], PUBLIC["ec"] | {"use": "enc"}])
    assert ring.caller(signed(kid=None)) is not None
    assert ring.caller(signed(EC, "ES256", "ec")) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": {}}', "nothing"])
def test_a_key_set_is_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "jwks.json").write_text(text)
    with pytest.raises(SettingsError, match="jwks"):
        open_keyring(
            Settings(jwks=str(tmp_path / "jwks.json"), jwt_issuer=ISSUER, jwt_audience=AUDIENCE)
        )


def test_a_key_set_without_issuer_or_audience_is_refused() -> None:
    incomplete: list[dict[str, Any]] = [{"jwks": "f"}, {"jwt_issuer": "i"}, {"jwt_audience": "a"}]
    for given in incomplete:
        with pytest.raises(SettingsError, match="jwt_audience"):
            Settings(**given)


def test_files_are_read_again_when_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keyring, "_LOOK_SECONDS", 0.0)
    path = key_file(tmp_path / "keys.toml")
    ring = FileKeyring(path, None)
    assert ring.caller(key_of("ada")) == Caller(Role.PLAYER, "", "ada", "key ada")
    key_file(path, {"bob": 'scope = "operator"\ntenant = "shop"'})
    os.utime(path, ns=(1, 1))
    assert ring.caller(key_of("ada")) is None
    assert ring.caller(key_of("bob")) == Caller(Role.OPERATOR, "shop", None, "key bob")
    path.unlink()
    assert ring.caller(key_of("bob")) is not None
    assert ring.caller("") is None
    ring = with_key_set(tmp_path, [PUBLIC["rsa"]])
    assert ring.caller(signed())
    (tmp_path / "jwks.json").write_text(json.dumps({"keys": []}))
    assert ring.caller(signed()) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("keys", "no TOML"),
        ("[keys]\n", "something else"),
        ("key = 1", "something else"),
        ("key = [1]", "key 1"),
        (f'[[key]]\nname="a"\nsha256="{HASH}"', "key 1"),
        (f'[[key]]\nname="a"\nscope="admin"\nsha256="{HASH}"', "scope"),
        (f'[[key]]\nname="a b"\nscope="player"\nsha256="{HASH}"', "name"),
        (f'[[key]]\nname="a"\nscope="player"\nsha256="{HASH.upper()}"', "sha256"),
        (f'[[key]]\nname="a"\nscope="player"\nsha256="{HASH}"\ntenant="{"x" * 65}"', "tenant"),
        (f'[[key]]\nname="a"\nscope="player"\nsha256="{HASH}"\nplayer_id=1', "texts"),
        (f'[[key]]\nname="a"\nscope="player"\nsha256="{HASH}"\nmore="1"', "expected"),
        (
            f'[[key]]\nname="a"\nscope="player"\nsha256="{HASH}"\n' * 2,
            "twice",
        ),
        (
            f'[[key]]\nname="a"\nscope="player"\nsha256="{HASH}"\n'
            f'[[key]]\nname="b"\nscope="player"\nsha256="{HASH}"\n',
            "twice",
        ),
    ],
)
def test_a_file_of_keys_that_cannot_be_is_refused_without_its_hashes(
    tmp_path: Path, text: str, named: str
) -> None:
    path = tmp_path / "keys.toml"
    path.write_text(text)
    with pytest.raises(SettingsError, match=named) as got:
        read_keys(path)
    assert HASH not in str(got.value).lower()


def test_the_command_prints_a_key_once_and_files_its_hash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "keys.toml"
    tenant = 'the "best" \\ shop'
    made = []
    for name in ("one", "two"):
        given = ["--scope", "operator", "--tenant", tenant, "--append", str(path)]
        assert main(["key", name, *given]) == 0
        made.append(capsys.readouterr().out.strip())
    assert [made[0] in path.read_text(), len(set(made))] == [False, 2]
    callers = read_keys(path)
    assert callers[key_digest(made[1])] == Caller(Role.OPERATOR, tenant, None, "key two")
    assert main(["key", "three", "--scope", "player", "--player-id", "ada"]) == 0
    key, _, table = capsys.readouterr().out.partition("\n")
    (told,) = tomllib.loads(table)["key"]
    assert told["sha256"] == key_digest(key).hex() and told["player_id"] == "ada"


def test_the_command_refuses_what_the_file_could_not_hold(capsys: Any) -> None:
    assert main(["key", "a b", "--scope", "player"]) == 1
    assert main(["key", "a", "--scope", "player", "--tenant", "x" * 65]) == 1
    assert "--tenant" in capsys.readouterr().err


def test_the_command_does_not_append_what_a_server_would_refuse(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "keys.toml"
    append = ("--scope", "player", "--append", str(path))
    assert main(["key", "one", *append]) == 0
    capsys.readouterr()
    before = path.read_text()
    assert main(["key", "one", *append]) == 1
    told = capsys.readouterr()
    assert (told.out, path.read_text()) == ("", before)
    assert "'one'" in told.err and "expected another" in told.err
    path.write_text("garbage = [")
    assert main(["key", "two", *append]) == 1
    assert (capsys.readouterr().out, path.read_text()) == ("", "garbage = [")
