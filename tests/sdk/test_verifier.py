"""The verifier in plain Python accepts what was exported, and names whatever was changed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablestate import verifier
from tablestate.verifier import VerificationError, verify_file
from tablestate_service import matchfile
from tablestate_service.app import core_engine
from tablestate_service.domain.entry import Draft, MatchChange, seal
from tools import match_files
from tools.sources import ROOT

FOLDER = match_files.FOLDER
WRONG = json.loads((FOLDER / match_files.EXPECTED).read_text(encoding="utf-8"))
SOUND = [name for name, each in WRONG.items() if each["first_wrong_entry"] is None]
FORGED = [name for name in WRONG if name not in SOUND]
DRAWN = (FOLDER / "eternitium.jsonl").read_bytes()
ENGINE = core_engine()


def fault_of(content: bytes) -> str:
    """How the plain verifier names what is wrong; empty if nothing is."""
    try:
        verify_file(content)
    except VerificationError as error:
        return str(error)
    return ""


def fault_by_rules(content: bytes) -> str:
    """How `tablestate verify` names it."""
    try:
        matchfile.verify(ENGINE, matchfile.read(content.splitlines(keepends=True)))
    except matchfile.MatchFileError as error:
        return str(error)
    return ""


def test_the_files_are_as_they_are_made_now() -> None:
    found = {path.name for path in FOLDER.iterdir()} - {"README.md"}
    made = match_files.texts()
    assert found == made.keys()
    for name, text in made.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == text, name


@pytest.mark.parametrize("name", SOUND)
def test_both_verifiers_accept_an_exported_match(name: str) -> None:
    content = (FOLDER / name).read_bytes()
    verified = verify_file(content)
    match = matchfile.verify(ENGINE, matchfile.read(content.splitlines(keepends=True)))
    assert verified.entries == match.standing.version
    assert verified.head_hash == match.head_hash
    assert verified.commitment == match.terms.commitment
    assert (verified.draws > 0) == (match.terms.game != "offboard")


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_entry_is_named_by_whoever_can_know(name: str) -> None:
    content, expected = (FOLDER / name).read_bytes(), WRONG[name]
    entry = f"entry {expected['first_wrong_entry']}: "
    assert fault_by_rules(content).startswith(entry)
    assert fault_of(content).startswith(entry) == (not expected["is_by_rules"])
    assert bool(fault_of(content)) == (not expected["is_by_rules"])


def changed(place: int, value: int) -> bytes:
    return DRAWN[:place] + bytes([value]) + DRAWN[place + 1 :]


def names_of(place: int) -> tuple[str, ...]:
    """How the line of a byte may be named."""
    line = DRAWN[:place].count(b"\n")
    return (f"entry {line}: ",) if line else ("line 1: ", "entry 1: ")


def test_a_change_of_any_byte_is_found_and_its_entry_named() -> None:
    for place, byte in enumerate(DRAWN):
        fault = fault_of(changed(place, byte ^ 1))
        assert fault.startswith(names_of(place)), (place, fault)


@pytest.mark.parametrize("place", [0, 7, 60, 150, 1500, -2, -1])
def test_a_change_to_any_byte_is_found(place: int) -> None:
    place %= len(DRAWN)
    for value in set(range(256)) - {DRAWN[place]}:
        fault = fault_of(changed(place, value))
        assert fault.startswith((*names_of(place), f"entry {DRAWN.count(10)}: ")), (value, fault)


def test_a_change_of_any_byte_is_found_by_the_rules_too() -> None:
    for place in range(0, len(DRAWN), 37):
        fault = fault_by_rules(changed(place, DRAWN[place] ^ 1))
        line = DRAWN[:place].count(b"\n")
        named = (f"entry {line}: ", f"line {line + 1}, entry {line}: ") if line else names_of(place)
        assert fault.startswith(named), (place, fault)


@pytest.mark.parametrize("name", SOUND)
def test_a_file_that_ends_early_or_late_is_refused(name: str) -> None:
    content = (FOLDER / name).read_bytes()
    lines = content.splitlines(keepends=True)
    for part in (b"", lines[0], b"".join(lines[:-1]), content + b"\n", content + lines[-1]):
        assert fault_of(part)
        assert fault_by_rules(part)
    assert fault_of(content[:-1]) == f"entry {len(lines) - 1}: its line has no end"


def rewritten(line: int, change: Callable[[dict[str, Any]], object]) -> bytes:
    """The file with a change of one line's fields, in the form of an export."""
    lines = DRAWN.splitlines()
    fields = json.loads(lines[line])
    change(fields)
    lines[line] = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    return b"\n".join(lines) + b"\n"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("version", True),
        ("version", 1.0),
        ("seat", False),
        ("seat", "0"),
        ("draws", [True]),
        ("draws", {}),
        ("draw_sizes", [0]),
        ("draw_sizes", [2**64]),
        ("payload", "{}"),
        ("payload", "[]"),
        ("payload", "["),
        ("change", "WON"),
        ("change", "STARTED"),
        ("hash", ""),
        ("request_key", "x"),
        ("more", 1),
    ],
)
def test_no_field_makes_the_verifier_stumble(field: str, value: object) -> None:
    assert fault_of(rewritten(1, lambda fields: fields.update({field: value}))).startswith(
        "entry 1"
    )


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"\xff", b"[" * 9_000, b'"\\ud800"', b"NaN"])
def test_what_is_no_match_file_is_refused_by_both(text: bytes) -> None:
    for content in (text, text + b"\n"):
        assert fault_of(content).startswith("line 1: ")
        assert fault_by_rules(content).startswith("line 1: ")


def test_the_verifier_knows_the_changes_of_the_log() -> None:
    assert {change.name: change.value for change in MatchChange} == verifier.CHANGES


def taken_back(ply: object) -> bytes:
    """A match in which the last action, or whatever is said, is taken back at its end."""
    with (FOLDER / "offtrack.jsonl").open("rb") as lines:
        file = matchfile.read(lines)
    assert file.sizes is not None
    draft = Draft(MatchChange.UNDONE, payload=json.dumps({"ply": ply}))
    last = file.entries[-2]
    undone = seal(last.match_id, last.version + 1, last.hash, draft, last.stamp)
    entries, sizes = [*file.entries[:-1], undone], [*file.sizes[:-1], ()]
    return b"".join(matchfile.write(matchfile.MatchFile(entries, sizes)))


def test_only_what_drew_nothing_is_taken_back() -> None:
    with (FOLDER / "offtrack.jsonl").open("rb") as lines:
        actions = [e for e in matchfile.read(lines).entries if e.draft.change is MatchChange.ACTION]
    drawn = [ply for ply, entry in enumerate(actions, start=1) if entry.draft.draws]
    possible = range(drawn[-1], len(actions))
    for ply in range(-1, len(actions) + 2):
        assert (fault_of(taken_back(ply)) == "") == (ply in possible), ply
    for wrong in (None, True, "1", 1.5):
        assert fault_of(taken_back(wrong)).startswith(f"entry {3 + len(actions) + 2}: ")


def forced(versions: int, draft: Draft) -> bytes:
    """The first entries of a match with entropies, and one more that is written by force."""
    with (FOLDER / "entropies.jsonl").open("rb") as lines:
        entries = list(matchfile.read(lines).entries[:versions])
    last = entries[-1]
    entries.append(seal(last.match_id, versions + 1, last.hash, draft, last.stamp))
    return b"".join(matchfile.write(matchfile.MatchFile(entries, [()] * len(entries))))


def test_no_seat_changes_hands_once_entropies_are_due() -> None:
    """Else whoever came last could choose its own entropy by those that were revealed."""
    promise = json.dumps({"token_hash": "00" * 32, "entropy_hash": "11" * 32})
    for draft in (
        Draft(MatchChange.JOINED, 1, payload=promise),
        Draft(MatchChange.SEAT_FREED, 1),
        Draft(MatchChange.BOT_ADDED, 1, payload='{"bot": "greedy"}'),
    ):
        for versions in (5, 6, 7):
            fault = f"entry {versions + 1}: a seat changes hands"
            assert fault_of(forced(versions, draft)).startswith(fault)


def test_no_entropy_is_revealed_before_all_have_promised() -> None:
    with (FOLDER / "entropies.jsonl").open("rb") as lines:
        revealed = matchfile.read(lines).entries[5].draft
    assert fault_of(forced(4, revealed)).startswith("entry 5: the entropy is not the one")
    assert fault_of(forced(5, revealed)) == ""


def run(path: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the verifier's file with Python and nothing else: no packages, no environment."""
    file = ROOT / "clients/python/src/tablestate/verifier.py"
    command = [sys.executable, "-I", "-S", str(file), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=path)


def test_it_runs_as_a_file_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "match.jsonl").write_bytes(DRAWN)
    done = run(tmp_path, "match.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    assert "13 entries, " in done.stdout
    (tmp_path / "match.jsonl").write_bytes(changed(200, 1))
    done = run(tmp_path, "match.jsonl")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("match.jsonl: entry 1: ")
    assert run(tmp_path, "none.jsonl").returncode == 1
    assert run(tmp_path).returncode == 2
