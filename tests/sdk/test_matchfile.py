from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import tablestate
from support import command
from tablestate import RevealPolicy
from tablestate_service import matchfile
from tablestate_service.cli import main
from tablestate_service.cli.embedded import service
from tablestate_service.domain.entry import (
    GENESIS_HASH,
    Draft,
    Entry,
    MatchChange,
    Request,
    Stamp,
    seal,
)
from tablestate_service.matchfile import MatchFile
from tools.match_files import FOLDER

Fields = dict[str, Any]


class Done(NamedTuple):
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: object) -> Done:
    stdout, stderr = StringIO(), StringIO()
    with redirect_stdout(stdout), redirect_stderr(stderr):
        status = main([str(argument) for argument in arguments])
    return Done(status, stdout.getvalue(), stderr.getvalue())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, tablestate.Replay]:
    """A data directory with a match that has ended, its id, and its replay."""
    data_dir = tmp_path_factory.mktemp("data")
    with service(data_dir) as target, tablestate.Client(target) as client:
        host = client.create_match("offboard", {"points_to_win": 2}, metadata={"table": "ä7"})
        host.add_bot("greedy")
        host.add_bot("random")
        assert list(host.watch(timeout=60.0))
        return data_dir, host.match_id, client.replay(host.match_id)


@pytest.fixture(scope="module")
def exported(played: tuple[Path, str, tablestate.Replay]) -> Path:
    data_dir, match_id, _ = played
    path = data_dir / "match.jsonl"
    done = run("export", match_id, "--data-dir", data_dir, "-o", path)
    assert done.returncode == 0, done.stderr
    return path


def test_an_exported_match_is_verified(exported: Path) -> None:
    done = run("verify", exported)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("All of it holds.\n")


def test_a_file_is_verified_from_stdin(exported: Path) -> None:
    done = command.run("verify", "-", stdin=exported.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("All of it holds.\n")
    damaged = command.run("verify", "-", stdin="{}")
    assert damaged.returncode == 1
    assert damaged.stderr.startswith("tablestate: stdin: ")


@pytest.mark.parametrize("reveal", RevealPolicy.values()[1:])
def test_export_warns_of_a_secret_that_was_never_to_be_revealed(
    reveal: RevealPolicy.ValueType, tmp_path: Path
) -> None:
    with service(tmp_path) as target, tablestate.Client(target) as client:
        host = client.create_match("offboard", reveal_policy=reveal)
        host.abort()
    done = run("export", host.match_id, "--data-dir", tmp_path, "-o", tmp_path / "match.jsonl")
    assert done.returncode == 0
    is_secret = reveal == RevealPolicy.REVEAL_POLICY_NEVER
    assert ("its secret is never revealed" in done.stderr) == is_secret


def test_export_writes_the_same_to_stdout(
    exported: Path, played: tuple[Path, str, tablestate.Replay]
) -> None:
    done = run("export", played[1], "--data-dir", played[0])
    assert done.stdout.encode() == exported.read_bytes()


def test_an_imported_match_is_served_as_it_was(
    exported: Path, played: tuple[Path, str, tablestate.Replay], tmp_path: Path
) -> None:
    done = run("import", exported, "--data-dir", tmp_path)
    assert done.returncode == 0, done.stderr
    with service(tmp_path) as target, tablestate.Client(target) as client:
        assert client.replay(played[1]) == played[2]
        assert [match.match_id for match in client.list_matches()] == [played[1]]
    again = run("import", exported, "--data-dir", tmp_path)
    assert again.returncode == 1
    assert "already" in again.stderr


def test_a_match_that_runs_stays_in_its_store(tmp_path: Path) -> None:
    with service(tmp_path) as target, tablestate.Client(target) as client:
        match_id = client.create_match("offboard").match_id
    done = run("export", match_id, "--data-dir", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "has not ended" in done.stderr


def test_what_is_not_there_is_not_exported(tmp_path: Path) -> None:
    assert "no match" in run("export", "0" * 32, "--data-dir", tmp_path).stderr
    assert "is no directory" in run("export", "0" * 32, "--data-dir", tmp_path / "none").stderr


def tampered(exported: Path, line: int, change: Callable[[Fields], None], path: Path) -> Path:
    lines = exported.read_bytes().splitlines()
    fields = json.loads(lines[line])
    change(fields)
    lines[line] = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("change", "ABORTED"),
        ("seat", 1),
        ("notation", "b2c2"),
        ("payload", "{}"),
        ("time", 1),
        ("request_key", "00"),
        ("hash", "00" * 32),
    ],
)
def test_a_change_of_any_field_breaks_the_chain(
    exported: Path, tmp_path: Path, field: str, value: object
) -> None:
    def change(fields: Fields) -> None:
        assert fields[field] != value
        fields[field] = value

    done = run("verify", tampered(exported, 5, change, tmp_path / "file"))
    assert done.returncode == 1
    assert "entry 5: its hash" in done.stderr


@pytest.mark.parametrize(
    ("line", "change", "words"),
    [
        (0, {"format_version": 3}, "line 1: format"),
        (0, {"entries": 1}, "the header tells of 1"),
        (0, {"head_hash": ""}, "line 1: head_hash"),
        (0, {"more": 1}, "line 1: expected a JSON object with the fields"),
        (3, {"version": "three"}, "line 4, entry 3: version is 'three'"),
        (3, {"seat": True}, "line 4, entry 3: seat is True"),
        (3, {"seat": -1}, "line 4, entry 3: seat: -1"),
        (3, {"draws": [1]}, "line 4, entry 3: draw_sizes: expected"),
        (3, {"draw_sizes": [6]}, "line 4, entry 3: draw_sizes: expected"),
        (3, {"draws": [1], "draw_sizes": ["x"]}, "line 4, entry 3: draw_sizes: expected"),
        (3, {"draws": [1], "draw_sizes": [6]}, "line 4, entry 3: sizes_hash"),
        (3, {"sizes_hash": "00"}, "line 4, entry 3: sizes_hash"),
        (3, {"draws": ["x"]}, "line 4, entry 3: draws: expected whole numbers"),
        (3, {"change": "WON"}, "line 4, entry 3: "),
        (3, {"hash": "xyz"}, "line 4, entry 3: "),
    ],
)
def test_a_malformed_line_is_named(
    exported: Path, tmp_path: Path, line: int, change: Fields, words: str
) -> None:
    path = tampered(exported, line, lambda fields: fields.update(change), tmp_path / "file")
    with pytest.raises(matchfile.MatchFileError) as caught, path.open("rb") as lines:
        matchfile.read(lines)
    assert words in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]\n", "null\n", "\n"])
def test_what_is_no_match_file_is_refused(text: str) -> None:
    with pytest.raises(matchfile.MatchFileError, match="line 1: "):
        matchfile.read(text.encode().splitlines(keepends=True))


def entries_of(path: Path) -> list[Entry]:
    with path.open("rb") as lines:
        return list(matchfile.read(lines).entries)


def forged(entries: list[Entry], place: int, draft: Draft, path: Path) -> Path:
    """Put another draft in and seal the whole chain anew, as a forger would."""
    drafts = [entry.draft for entry in entries]
    drafts[place] = draft
    previous_hash, sealed = GENESIS_HASH, []
    for entry, content in zip(entries, drafts, strict=True):
        sealed.append(seal(entry.match_id, entry.version, previous_hash, content, entry.stamp))
        previous_hash = sealed[-1].hash
    path.write_bytes(b"".join(matchfile.write(matchfile.MatchFile(sealed, None))))
    return path


@pytest.mark.parametrize(
    "draft",
    [
        Draft(MatchChange.ACTION, seat=0, notation="e3e4"),
        Draft(MatchChange.ACTION, seat=1, notation="b1c1"),
        Draft(MatchChange.ACTION, seat=0, notation="b1c1", draws=(3,)),
        Draft(MatchChange.CREATED, payload="{}"),
        Draft(MatchChange.JOINED, seat=7, payload="{}"),
    ],
)
def test_a_forged_entry_does_not_follow(exported: Path, tmp_path: Path, draft: Draft) -> None:
    entries = entries_of(exported)
    assert entries[4].draft.change is MatchChange.ACTION
    done = run("verify", forged(entries, 4, draft, tmp_path / "file"))
    assert done.returncode == 1
    assert "entry 5: it does not follow" in done.stderr or "entry 6" in done.stderr


def test_another_secret_does_not_fit_the_commitment(exported: Path, tmp_path: Path) -> None:
    entries = entries_of(exported)
    terms = json.loads(entries[0].draft.payload) | {"secret": "00" * 32}
    draft = Draft(MatchChange.CREATED, payload=json.dumps(terms))
    done = run("verify", forged(entries, 0, draft, tmp_path / "file"))
    assert done.returncode == 1
    assert "the commitment is not to the secret" in done.stderr


def test_lines_come_back_as_the_entries_they_were() -> None:
    drafts = [
        Draft(MatchChange.CREATED, payload='{"name": "ä\\n"}'),
        Draft(MatchChange.ACTION, seat=0, notation="*d5", draws=(0, 7)),
    ]
    entries, previous_hash = [], GENESIS_HASH
    for version, draft in enumerate(drafts, start=1):
        stamp = Stamp(version, Request(b"k" * 32, b"h" * 32) if version == 1 else None)
        entries.append(seal("a" * 32, version, previous_hash, draft, stamp))
        previous_hash = entries[-1].hash
    for file in (MatchFile(entries, None), MatchFile(entries, [(), (6, 8)])):
        assert matchfile.read(matchfile.write(file)) == file


def test_a_file_of_the_first_version_is_read_as_it_was(exported: Path, tmp_path: Path) -> None:
    path = tmp_path / "old.jsonl"
    path.write_bytes(b"".join(matchfile.write(MatchFile(entries_of(exported), None))))
    assert json.loads(path.read_bytes().splitlines()[0])["format_version"] == 1
    done = run("verify", path)
    assert done.returncode == 0, done.stderr
    assert "sizes" not in path.read_text(encoding="utf-8")


def test_a_size_that_the_rules_do_not_give_is_named(tmp_path: Path) -> None:
    with (FOLDER / "eternitium.jsonl").open("rb") as lines:
        file = matchfile.read(lines)
    assert file.sizes is not None
    place = next(place for place in range(4, len(file.entries)) if file.sizes[place])
    other = [*file.sizes[:place], (2**31,) * len(file.sizes[place]), *file.sizes[place + 1 :]]
    path = tmp_path / "file"
    path.write_bytes(b"".join(matchfile.write(MatchFile(file.entries, other))))
    done = run("verify", path)
    assert done.returncode == 1
    assert f"entry {place + 1}: the draws are of other sizes" in done.stderr


def test_a_match_whose_seats_were_drawn_goes_from_file_to_file(tmp_path: Path) -> None:
    file = FOLDER / "seating.jsonl"
    assert run("import", file, "--data-dir", tmp_path).returncode == 0
    match_id = json.loads(file.read_text(encoding="utf-8").splitlines()[0])["match_id"]
    done = run("export", match_id, "--data-dir", tmp_path)
    assert done.stdout.encode() == file.read_bytes(), done.stderr
    for name in ("forged-seating", "forged-unseated"):
        done = run("verify", FOLDER / f"{name}.jsonl")
        assert done.returncode == 1 and "entry 10: " in done.stderr
