"""The table of parity: which call works in which SDK, for a terminal and for the documents."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from tools.parity.contract import EDGES, METHODS, short
from tools.parity.harness import Result
from tools.parity.roundtrips import PASSED
from tools.parity.runners import RUNNERS, Runner
from tools.sources import ROOT

Column: TypeAlias = Mapping[str, str]
"""What each row of the table says of an SDK."""

DOCUMENT = ROOT / "docs/sdks.md"
BEGIN, END = "<!-- made by `python -m tools.parity --write` -->\n", "<!-- end -->"
YES, NO, NOT_IN_BROWSERS = "yes", "FAILED", "not in browsers"
VECTORS, ROUND_TRIPS, EDGE = "vectors replayed", "JSON of vectors", "JSON of edge cases"
ROWS = (*map(short, METHODS), VECTORS, ROUND_TRIPS, EDGE)


def column(runner: Runner, result: Result) -> Column:
    """What a run has shown."""
    calls = {short(method): _cell(runner, method, how) for method, how in result.calls.items()}
    printed = result.round_trips
    return {
        **calls,
        VECTORS: _share(result.vectors),
        ROUND_TRIPS: _share({name: how for name, how in printed.items() if name != EDGES}),
        EDGE: YES if printed.get(EDGES) == PASSED else NO,
    }


def _cell(runner: Runner, method: str, how: str) -> str:
    if how != PASSED:
        return NO
    return NOT_IN_BROWSERS if method in runner.cannot else YES


def _share(results: Mapping[str, str]) -> str:
    passed = sum(how == PASSED for how in results.values())
    return str(passed) if passed == len(results) else f"{passed} of {len(results)}"


def text_table(columns: Mapping[str, Column]) -> str:
    """The table for a terminal; columns by their titles."""
    rows = _rows(columns)
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, cells, widths)).rstrip() for cells in rows]
    return "\n".join(lines)


def markdown_table(columns: Mapping[str, Column]) -> str:
    """The table for the documents."""
    head, *rows = (f"| {' | '.join(cells)} |" for cells in _rows(columns))
    return "\n".join([head, "|---" * (len(columns) + 1) + "|", *rows]) + "\n"


def _rows(columns: Mapping[str, Column]) -> Sequence[Sequence[str]]:
    cells = [[row, *(each.get(row, "") for each in columns.values())] for row in ROWS]
    return [["", *columns], *cells]


def documented() -> dict[str, Column]:
    """The columns that the document has, by their titles."""
    lines = _parts()[1].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    if len(rows) < 2:
        return {}
    (_, *titles), _, *body = rows
    return {
        title: {cells[0]: cells[place] for cells in body} for place, title in enumerate(titles, 1)
    }


def with_documented(columns: Mapping[str, Column]) -> dict[str, Column]:
    """These columns and, of the runners that did not run, those that the document has."""
    known = {**documented(), **columns}
    return {each.title: known[each.title] for each in RUNNERS if each.title in known}


def write_document(columns: Mapping[str, Column]) -> None:
    """Bring the document in step."""
    before, _, after = _parts()
    text = f"{before}{BEGIN}{markdown_table(with_documented(columns))}{END}{after}"
    DOCUMENT.write_text(text, encoding="utf-8")


def is_in_step(columns: Mapping[str, Column]) -> bool:
    """Whether the document says the same of these SDKs."""
    return _parts()[1] == markdown_table(with_documented(columns))


def _parts() -> tuple[str, str, str]:
    """The document before, in and after the table."""
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    table, _, after = rest.partition(END)
    return before, table, after
