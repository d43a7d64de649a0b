"""The harness of the SDKs believes what it sees, and its table is kept."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from google.protobuf import json_format

from tablestate.v1.game_pb2 import Outcome
from tools.parity import table
from tools.parity.__main__ import run_all
from tools.parity.contract import METHODS, VECTORS, Sample, read_edges, read_vectors, short
from tools.parity.harness import Harness
from tools.parity.roundtrips import RoundTrips, check_line
from tools.parity.runners import BIDIRECTIONAL, RUNNERS, Runner

OUTCOME = Sample(Outcome, {"winners": [1], "scores": [-3], "returns": [0.5]})


def test_the_table_in_the_documents_has_every_call_and_every_sdk() -> None:
    columns = table.documented()
    assert list(columns) == [each.title for each in RUNNERS]
    for runner in RUNNERS:
        column = columns[runner.title]
        assert list(column) == list(table.ROWS)
        absent = {call for call, cell in column.items() if cell == table.NOT_IN_BROWSERS}
        assert absent == {short(method) for method in runner.cannot}
        yes = sum(cell == table.YES for cell in column.values())
        assert yes == len(METHODS) - len(runner.cannot) + 1  # and that of the edge cases
        assert column[table.VECTORS] == column[table.ROUND_TRIPS] == str(len(read_vectors(VECTORS)))


def test_all_that_is_to_be_printed_is_written_in_canonical_json() -> None:
    short = min(read_vectors(VECTORS), key=lambda each: len(each.content["steps"]))
    for sample in (*read_edges(VECTORS), *short.samples()):
        assert json_format.MessageToDict(sample.message()) == sample.content


def test_what_only_a_stream_of_requests_can_ask_is_named() -> None:
    assert {name for name, each in METHODS.items() if each.client_streaming} == BIDIRECTIONAL


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"winners": [1], "scores": [-3], "returns": [0.5]}', ""),
        ('{"scores": [-3], "winners": [1], "returns": [5e-1]}', ""),
        ('{"winners": [1], "scores": [-3], "returns": [0.5], "reason": 0}', "canonical"),
        ('{"winners": ["1"], "scores": [-3], "returns": [0.5]}', "canonical"),
        ('{"winners": [1], "scores": [3], "returns": [0.5]}', "another message"),
        ('{"winner": [1]}', "no JSON of Outcome"),
        ("winners: 1", "no JSON of Outcome"),
    ],
)
def test_a_line_is_the_canonical_json_of_its_message(line: str, fault: str) -> None:
    found = check_line(line, OUTCOME)
    assert fault in found and bool(fault) == bool(found)


def test_lines_that_are_missing_are_noticed(tmp_path: Path) -> None:
    vector = min(read_vectors(VECTORS), key=lambda each: len(each.content["steps"]))
    lines = [json.dumps(each.content) + "\n" for each in vector.samples()]
    round_trips, path = RoundTrips([vector]), tmp_path / "lines"
    assert round_trips.check(vector.name, path) == "cannot be read: FileNotFoundError"
    path.write_text("".join(lines[1:]))
    assert round_trips.check(vector.name, path).endswith(f"expected {len(lines)}")
    path.write_text("".join(lines))
    assert round_trips.check(vector.name, path) == "passed"


async def test_a_runner_that_claims_what_it_has_not_done_is_found_out(tmp_path: Path) -> None:
    vectors = read_vectors(VECTORS)[:1]
    report = {
        "vectors": {each.name: "passed" for each in vectors},
        "calls": dict.fromkeys(METHODS, "passed"),
    }
    code = (
        "import os, pathlib; out = pathlib.Path(os.environ['TABLESTATE_OUT']);"
        f"(out / 'report.json').write_text({json.dumps(report)!r})"
    )
    command = f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"
    result = await Harness(vectors).run(Runner("liar", "Liar", ".", command))
    assert set(result.calls.values()) == {"the service has answered no such call"}
    assert set(result.vectors.values()) == {"the service has no match of its id"}
    assert set(result.round_trips.values()) == {"cannot be read: FileNotFoundError"}


async def test_a_runner_that_breaks_off_is_shown_with_what_it_said() -> None:
    command = f"{shlex.quote(sys.executable)} -c \"raise SystemExit('no such luck')\""
    result = await Harness(read_vectors(VECTORS)[:1]).run(Runner("bad", "Bad", ".", command))
    (fault,) = result.faults()
    assert "no such luck" in fault and "exit code 1" in fault


async def test_a_runner_that_lacks_a_program_is_left_out_by_name(
    capfd: pytest.CaptureFixture[str],
) -> None:
    lacking = Runner("odd", "Odd", ".", "exit 1", needs=("no-such-program",))
    homeless = Runner("gone", "Gone", "no/such/folder", "exit 1")
    assert await run_all([lacking, homeless]) == ({}, 0, 2)
    told = capfd.readouterr().out
    assert "LEFT OUT: Odd (this machine has no no-such-program)" in told
    assert "LEFT OUT: Gone (this machine has no no/such/folder)" in told


def test_the_table_is_kept_and_columns_that_were_not_seen_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = tmp_path / "sdks.md"
    document.write_text(table.DOCUMENT.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(table, "DOCUMENT", document)
    before = table.documented()
    seen = {"Python": {**before["Python"], table.VECTORS: "33 of 34"}}
    assert table.is_in_step({"Python": before["Python"]})
    assert not table.is_in_step(seen)
    table.write_document(seen)
    assert table.is_in_step(seen)
    assert table.documented() == before | seen
