"""Write the recorded games down for people, one text file a game.

`python -m tools.playthrough [--write]`: without `--write` it fails if a file is out of step.
A change of the rules shows in them as a diff that a person can read.
"""

import hashlib
import json
import sys
from collections.abc import Iterator

from google.protobuf import json_format
from google.protobuf.message import Message

from tablestate.v1.game_pb2 import GameEvent, GameOptions, LegalActions, Outcome
from tablestate_service import engine
from tools.scenarios import Record, keep

FIRST_ACTIONS = 6
"""How many legal actions are spelt out; a digest stands for all of them."""


def playthrough(record: Record) -> str:
    """The whole text."""
    lines = [*_header(record), *_position(record, 0)]
    for ply, step in enumerate(record.steps[1:]):
        lines += _action(record, ply, step)
        lines += _position(record, ply + 1)
    outcome = record.steps[-1].state.outcome() or b""
    lines.append(f"outcome: {_json(Outcome(), outcome)}")
    return "\n".join(lines) + "\n"


def _header(record: Record) -> Iterator[str]:
    scenario, setup = record.scenario, record.setup
    yield f"about: {scenario.about}"
    yield f"game: {scenario.game}, rules version {setup.rules_version}, {setup.seats} seats"
    yield f"options: {_json(GameOptions(), setup.options)}"
    yield f"seed: {record.seed.hex()}"
    yield f"players: {', '.join(scenario.players)}"
    yield f"scripted actions: {len(scenario.script)}"
    yield from _brought_about(record, record.steps[0])


def _position(record: Record, ply: int) -> Iterator[str]:
    state = record.steps[ply].state
    yield ""
    yield f"ply {ply}"
    yield f"position: {state.position}"
    yield f"hash: {state.hash:016x}"
    if state.actor is None:
        yield "actor: none"
        return
    legal = [action.notation for action in LegalActions.FromString(state.legal_actions()).actions]
    digest = hashlib.sha256(" ".join(legal).encode()).hexdigest()[:16]
    more = " ..." if len(legal) > FIRST_ACTIONS else ""
    yield f"actor: {state.actor}"
    yield f"legal actions: {len(legal)}, digest {digest}: {' '.join(legal[:FIRST_ACTIONS])}{more}"


def _action(record: Record, ply: int, step: engine.Step) -> Iterator[str]:
    by = "script" if ply < len(record.scenario.script) else "bot"
    yield f"action: {step.notation} ({by})"
    yield from _brought_about(record, step)


def _brought_about(record: Record, step: engine.Step) -> Iterator[str]:
    yield f"draws: {' '.join(map(str, step.draws)) or 'none'}"
    for viewers, events in record.by_viewer(step.events):
        who = " ".join(map(str, viewers))
        yield from (f"event for {who}: {_json(GameEvent(), event)}" for event in events)


def _json(message: Message, data: bytes) -> str:
    message.ParseFromString(data)
    fields = json_format.MessageToDict(message, always_print_fields_with_no_presence=True)
    return json.dumps(fields, ensure_ascii=False)


if __name__ == "__main__":
    sys.exit(keep("playthroughs", ".txt", playthrough))
