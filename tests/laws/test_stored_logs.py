"""Stored matches of every released version of the rules go on as they were played.

The corpus is in `tests/data/logs`, written by `tools/logs.py`. A version of the rules that the
core knows must play its matches to the same end; one that it no longer knows must say so.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablestate_service import matchfile
from tablestate_service.adapters.core_engine import CoreEngine
from tablestate_service.domain.entry import GENESIS_HASH, Entry, MatchChange, seal
from tools import logs

RULES = CoreEngine()
FILES = sorted(logs.FOLDER.glob(f"*/*{logs.ENDING}"))
WHAT_TO_DO = """
The rules play a stored match otherwise than when it was stored. Matches that run on servers would
break. If that is not meant, mend it. If it is, raise `rules_version` in the game's `info.rs`
and run `python -m tools.logs --write`, which adds a corpus and leaves the older ones alone.
If only `views` differs, because the messages of views have a new field, say so in the commit and
write the digest of the old corpus by hand; positions, events and outcome stay.
"""


def title(path: Path) -> str:
    return f"{path.parent.name}/{path.name.removesuffix(logs.ENDING)}"


def version_of(path: Path) -> tuple[str, int]:
    game, _, version = path.parent.name.rpartition("-v")
    return game, int(version)


def digests(folder: Path) -> dict[str, dict[str, Any]]:
    told: dict[str, dict[str, Any]] = json.loads((folder / logs.DIGESTS).read_text("utf-8"))
    return told


@pytest.mark.parametrize("path", FILES, ids=title)
def test_a_stored_match_is_played_to_the_same_end_or_refused_by_its_version(path: Path) -> None:
    file, (game, version) = logs.read_log(path), version_of(path)
    if version != RULES.rules_version(game):
        with pytest.raises(matchfile.MatchFileError, match=f"version {version} of the rules"):
            matchfile.verify(RULES, file)
        return
    stored = digests(path.parent)[path.name.removesuffix(logs.ENDING)]
    try:
        matchfile.verify(RULES, file)
        played = logs.digests_of(file.entries)
    except Exception as error:
        pytest.fail(f"{title(path)}: {error}{WHAT_TO_DO}")
    differing = [name for name in stored if played[name] != stored[name]]
    assert not differing, f"{title(path)}: {', '.join(differing)}{WHAT_TO_DO}"


@pytest.mark.parametrize("game", RULES.games())
def test_the_present_rules_of_every_game_have_a_corpus(game: str) -> None:
    folder = logs.FOLDER / logs.name_of(game, RULES.rules_version(game))
    assert folder.is_dir(), f"no {folder.name}: run `python -m tools.logs --write`"
    found = {path.name.removesuffix(logs.ENDING) for path in folder.glob(f"*{logs.ENDING}")}
    assert found == digests(folder).keys()


def test_what_was_stored_is_never_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "FOLDER", tmp_path)
    folder = tmp_path / logs.name_of("offboard", RULES.rules_version("offboard"))
    folder.mkdir()
    assert "stays as it is" in logs.write("offboard")
    assert not list(folder.iterdir())


@pytest.mark.parametrize("game", ["eternitium", "offtrack"])
def test_rules_that_set_a_game_up_otherwise_are_found_out(game: str) -> None:
    path = next(path for path in FILES if version_of(path)[0] == game)
    changed = [_other_setup(entry) for entry in logs.read_log(path).entries]
    try:
        played = logs.digests_of(_sealed(changed))
    except Exception:
        return  # an action was not legal any more
    stored = digests(path.parent)[path.name.removesuffix(logs.ENDING)]
    assert played["positions"] != stored["positions"]


def _other_setup(entry: Entry) -> Entry:
    """Other cards for the start, or less of it: as if the rules dealt otherwise."""
    if entry.draft.change is not MatchChange.STARTED:
        return entry
    return replace(entry, draft=replace(entry.draft, draws=entry.draft.draws[::-1]))


def _sealed(entries: Sequence[Entry]) -> list[Entry]:
    sealed, previous = [], GENESIS_HASH
    for each in entries:
        sealed.append(seal(each.match_id, each.version, previous, each.draft, each.stamp))
        previous = sealed[-1].hash
    return sealed
