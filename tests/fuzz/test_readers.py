"""Files and tokens from outside, damaged in every way that Hypothesis finds.

Each reader takes them or refuses them as it says it does; nothing else may come out of it. The
core's readers are fuzzed by `tools/fuzz.py`, requests by `tests/faults/test_bad_input.py`.
"""

import base64
import contextlib
import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from support.faults_report import by_form
from tablestate.errors import InvalidArgumentError
from tablestate.mcp.keys import Keys
from tablestate_service import matchfile
from tablestate_service.adapters.core_engine import CoreEngine
from tablestate_service.cli.arguments import CommandError
from tablestate_service.cli.view_file import read_view
from tablestate_service.domain.entry import GENESIS_HASH, Entry, MatchChange, seal
from tablestate_service.jwks_file import KeySet, read_key_set
from tablestate_service.key_file import key_digest, read_keys
from tablestate_service.rpc import page_token
from tablestate_service.settings import SettingsError
from tablestate_service.webhook_file import read_webhooks
from tools import logs

fuzzed = settings(
    max_examples=by_form(50, 5_000),
    deadline=None,
    derandomize=by_form(1, 0) == 1,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
RULES = CoreEngine()
LOG = logs.FOLDER / "offtrack-v1/offtrack-curious-resigned.jsonl.gz"
FILE = logs.read_log(LOG)
FILE_TEXT = b"".join(matchfile.write(FILE))

TOKENS = [
    b"",
    b"\0",
    b"\n",
    b'"',
    b"[",
    b"{",
    b"null",
    b"-1",
    b"1e999",
    b"9" * 40,
    b"\xff",
    b"[" * 2000,
]
EDIT = st.tuples(
    st.floats(0, 1), st.integers(0, 40), st.sampled_from(TOKENS) | st.binary(max_size=8)
)
"""Where, how many bytes go, and what comes in their place."""
Edits = list[tuple[float, int, bytes]]
EDITS = st.lists(EDIT, min_size=1, max_size=3)

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)


def edited(whole: bytes, edits: Edits) -> bytes:
    for place, gone, new in edits:
        at = int(place * len(whole))
        whole = whole[:at] + new + whole[at + gone :]
    return whole


@fuzzed
@given(EDITS)
def test_a_damaged_match_file_is_refused_as_one(edits: Edits) -> None:
    damaged = edited(FILE_TEXT, edits)
    try:
        file = matchfile.read(damaged.splitlines(keepends=True))
        matchfile.verify(RULES, file)
    except matchfile.MatchFileError:
        return
    assert b"".join(matchfile.write(file)) == damaged


@fuzzed
@given(
    st.integers(0, 30), st.sampled_from(["change", "seat", "notation", "draws", "payload"]), VALUES
)
@example(0, "payload", {"game": "offtrack"})
def test_a_forged_log_with_the_right_hashes_is_refused_or_plays(
    place: int, field: str, value: Any
) -> None:
    forged = [
        _forged(entry, field, value) if each == place else entry
        for each, entry in enumerate(FILE.entries)
    ]
    with contextlib.suppress(matchfile.MatchFileError):
        matchfile.verify(RULES, matchfile.MatchFile(_sealed(forged), None))


def _forged(entry: Entry, field: str, value: Any) -> Entry:
    """The entry with another value of the field's type."""
    number = zlib.crc32(str(value).encode(errors="replace"))
    changed: dict[str, Any] = {
        "change": list(MatchChange)[number % len(MatchChange)],
        "seat": None if value is None else number % 9,
        "notation": str(value)[:40],
        "draws": tuple(number >> shift & 63 for shift in range(number % 30)),
        "payload": _payload(entry.draft.payload, value),
    }
    return replace(entry, draft=replace(entry.draft, **{field: changed[field]}))


def _payload(stored: str, value: Any) -> str:
    """The payload with another value of one of its fields, or something else altogether."""
    content = json.loads(stored) if stored else None
    if not isinstance(content, dict):
        return json.dumps(value)
    names = sorted(content)
    return json.dumps(content | {names[len(str(value)) % len(names)]: value})


def _sealed(entries: list[Entry]) -> list[Entry]:
    sealed, previous = [], GENESIS_HASH
    for each in entries:
        sealed.append(seal(each.match_id, each.version, previous, each.draft, each.stamp))
        previous = sealed[-1].hash
    return sealed


@fuzzed
@given(st.text() | st.binary().map(lambda data: base64.urlsafe_b64encode(data).decode()), st.text())
def test_any_page_token_is_a_match_or_none(token: str, listed: str) -> None:
    last = page_token.decode(token, listed)
    assert last is None or page_token.decode(page_token.encode(last, listed), listed) == last


KEYS_TOML = f"""
[[key]]
name = "backend"
scope = "operator"
tenant = "chess-club"
sha256 = "{key_digest("tsk_x").hex()}"

[[key]]
name = "ada"
scope = "player"
player_id = "ada"
sha256 = "{key_digest("tsk_y").hex()}"
"""
WEBHOOKS_TOML = """
[[webhook]]
name = "shop"
tenant = "shop"
url = "https://example.com/hook?x=1"
secret_env = "SECRET"
"""
ENVIRONMENT = {"SECRET": "whsec_" + base64.b64encode(bytes(32)).decode()}
JWKS = json.dumps(
    {
        "keys": [
            {
                "kty": "EC",
                "crv": "P-256",
                "kid": "one",
                "alg": "ES256",
                "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
                "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
            },
            {
                "kty": "OKP",
                "crv": "Ed25519",
                "alg": "EdDSA",
                "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
            },
        ]
    }
)
MCP_KEYS = json.dumps({"hosts": ["m.aa"], "seats": ["m.0.bb"]})
READERS: dict[str, tuple[str, Callable[[Path], object], type[Exception]]] = {
    "keys": (KEYS_TOML, read_keys, SettingsError),
    "webhooks": (WEBHOOKS_TOML, lambda path: read_webhooks(path, ENVIRONMENT), SettingsError),
    "key set": (JWKS, lambda path: read_key_set(path, "issuer", "audience"), SettingsError),
    "keys of the MCP server": (MCP_KEYS, Keys, InvalidArgumentError),
    "view": ('{"offboard": {"turn": 3}}', lambda path: read_view("offboard", path), CommandError),
}


@pytest.mark.parametrize("name", ["keys", "webhooks", "key set"])
def test_what_is_damaged_can_be_read_whole(name: str, tmp_path: Path) -> None:
    text, read, _ = READERS[name]
    (tmp_path / "file").write_text(text)
    assert read(tmp_path / "file")


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused_as_such(name: str, tmp_path: Path) -> None:
    text, read, refusal = READERS[name]

    @fuzzed
    @given(EDITS)
    @example([(0.0, 0, b"[" * 100_000)])
    def check(edits: Edits) -> None:
        path = tmp_path / "file"
        path.write_bytes(edited(text.encode(), edits))
        with contextlib.suppress(refusal):
            read(path)

    check()


SEGMENT = st.binary(max_size=40) | VALUES.map(lambda value: json.dumps(value).encode())
HEADER = json.dumps({"alg": "ES256", "kid": "one"}).encode()


@pytest.fixture(scope="module")
def key_set(tmp_path_factory: pytest.TempPathFactory) -> KeySet:
    path = tmp_path_factory.mktemp("keys") / "jwks.json"
    path.write_text(JWKS)
    return read_key_set(path, "issuer", "audience")


@fuzzed
@given(segments=st.lists(SEGMENT | st.just(HEADER), max_size=4), junk=st.text(max_size=5))
def test_any_text_is_no_token(key_set: KeySet, segments: list[bytes], junk: str) -> None:
    parts = [base64.urlsafe_b64encode(each).rstrip(b"=").decode() for each in segments]
    for text in (
        junk,
        ".".join(parts),
        ".".join([base64.urlsafe_b64encode(HEADER).decode(), *parts]),
    ):
        assert key_set.token(text) is None
