"""Write the recorded games down for programs, as `tests/data/vectors/README.md` says.

`python -m tools.vectors [--write]`: without `--write` it fails if a file is out of step.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from tablestate.v1.game_pb2 import GameEvent, GameOptions, GameView, LegalActions, Outcome
from tablestate_service import engine
from tablestate_service.domain import fairness
from tools.scenarios import Record, keep

FORMAT = 1


def vectors(record: Record) -> str:
    """The file's text: JSON, with one line a field and one line a step."""
    head = [f"{json.dumps(name)}: {_line(value)}" for name, value in _head(record).items()]
    steps = ",\n".join(_line(_step(record, number)) for number in range(len(record.steps)))
    return "{\n" + ",\n".join([*head, f'"steps": [\n{steps}\n]']) + "\n}\n"


def _head(record: Record) -> dict[str, Any]:
    scenario, last = record.scenario, record.steps[-1].state
    return {
        "format": FORMAT,
        "about": scenario.about,
        "game": scenario.game,
        "rules_version": record.setup.rules_version,
        "seats": record.setup.seats,
        "options": json_format.MessageToDict(scenario.message()),
        "complete_options": _message(GameOptions(), record.setup.options),
        "match_id": scenario.match_id,
        "secret": scenario.secret.hex(),
        "commitment": fairness.commitment(scenario.match_id, scenario.secret).hex(),
        "seed": record.seed.hex(),
        "outcome": _message(Outcome(), last.outcome() or b""),
    }


def _step(record: Record, number: int) -> dict[str, Any]:
    step = record.steps[number]
    action = _action(record, number - 1) if number else {}
    return {
        "ply": number,
        **action,
        "draws": step.draws,
        "events": list(_shown(record, "events", lambda viewer: _events(step, viewer))),
        **_state(record, step.state),
    }


def _action(record: Record, ply: int) -> dict[str, Any]:
    """The action taken at a ply, by all its names."""
    before, notation = record.steps[ply].state, record.steps[ply + 1].notation
    legal = LegalActions.FromString(before.legal_actions()).actions
    action = next(action for action in legal if action.notation == notation)
    return {"seat": before.actor, "action": json_format.MessageToDict(action)}


def _state(record: Record, state: engine.GameState) -> dict[str, Any]:
    """The position after a step, as each viewer sees it."""

    def digest(viewer: int | None) -> str:
        return hashlib.sha256(state.observation(viewer)).hexdigest()

    return {
        "actors": [] if state.actor is None else [state.actor],
        "position": state.position,
        "hash": f"{state.hash:016x}",
        "legal_mask": state.legal_mask().hex(),
        "views": list(_shown(record, "view", lambda v: _message(GameView(), state.view(v)))),
        "observations": list(_shown(record, "sha256", digest)),
    }


def _shown(
    record: Record, name: str, show: Callable[[int | None], object]
) -> Iterator[dict[str, Any]]:
    for viewers, shown in record.by_viewer(show):
        yield {"viewers": viewers, name: shown}


def _events(step: engine.Step, viewer: int | None) -> list[dict[str, Any]]:
    return [_message(GameEvent(), event) for event in step.events(viewer)]


def _message(message: Message, data: bytes) -> dict[str, Any]:
    message.ParseFromString(data)
    return json_format.MessageToDict(message)


def _line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    sys.exit(keep("vectors", ".json", vectors))
