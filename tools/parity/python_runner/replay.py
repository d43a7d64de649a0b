"""Replay a vector through the client, and compare what every viewer receives."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from tablestate import GameEvent, GameView, LegalAction, MatchPhase, Outcome
from tools.parity.python_runner.checks import expect, require

M = TypeVar("M", bound=Message)
SPECTATOR = "spectator"
ALL_VIEWS_EVERY = 10


async def replay(client: Any, hosted: Any, vector: Mapping[str, Any]) -> None:
    """Play the game of a vector to its end; raises Mismatch."""
    players = [await hosted.join() for _ in range(vector["seats"])]
    # Created, each seat taken, started: this is the version of ply 0.
    first_version = len(players) + 2
    viewers = {SPECTATOR: client, **{player.seat: player for player in players}}
    watched = {SPECTATOR: hosted, **{player.seat: player for player in players}}
    steps = vector["steps"]
    told = {name: asyncio.ensure_future(_events(each)) for name, each in watched.items()}
    try:
        for before, after in pairwise(steps):
            player, version = players[after["seat"]], first_version + before["ply"]
            await _check_legal(player, before, after, version)
            shown = viewers if before["ply"] % ALL_VIEWS_EVERY == 0 else {player.seat: player}
            await _check_views(shown, hosted.match_id, before, version)
            update = await player.submit(_named(after), expected_version=version)
            expect(f"ply after {after['ply']}", update.ply, after["ply"])
        await _check_views(viewers, hosted.match_id, steps[-1], first_version + len(steps) - 1)
        await _check_end(hosted, vector)
        for viewer, events in told.items():
            _check_events(viewer, await events, steps)
    finally:
        for task in told.values():
            task.cancel()


async def _events(watched: Any) -> Sequence[Sequence[GameEvent]]:
    """The events of every entry, told by one stream that ends when the match does."""
    return [list(update.events) async for update in watched.watch()]


async def _check_legal(
    player: Any, before: Mapping[str, Any], after: Mapping[str, Any], version: int
) -> None:
    """The actor's legal actions are those of the mask, and among them is the one to be taken."""
    where = f"at ply {before['ply']}"
    expect(f"actors {where}", [player.seat], before["actors"])
    answer = await player.legal_actions()
    mask = bytes.fromhex(before["legal_mask"])
    expect(f"version {where}", answer.version, version)
    expect(f"mask {where}", answer.legal_actions.mask, mask)
    actions = {action.index: action for action in answer.legal_actions.actions}
    expect(f"indices {where}", list(actions), list(_bits(mask)))
    action = _parsed(LegalAction, after["action"])
    expect(f"legal action {where}", actions.get(action.index), action)


def _bits(mask: bytes) -> Iterator[int]:
    return (i for i in range(8 * len(mask)) if mask[i // 8] >> i % 8 & 1)


def _named(step: Mapping[str, Any]) -> Any:
    """The action of a step by one of its names, in turn."""
    action = _parsed(LegalAction, step["action"])
    return (action.index, action.notation, action.action)[step["ply"] % 3]


async def _check_views(
    viewers: Mapping[Any, Any], match_id: str, step: Mapping[str, Any], version: int
) -> None:
    expected = dict(_by_viewer(step["views"], "view"))
    for name, viewer in viewers.items():
        given = (match_id,) if name == SPECTATOR else ()
        answer = await viewer.view(*given, version=version)
        view = _parsed(GameView, expected[name])
        expect(f"view of {name} at ply {step['ply']}", answer.view, view)


async def _check_end(hosted: Any, vector: Mapping[str, Any]) -> None:
    match = await hosted.get()
    expect("phase", match.phase, MatchPhase.MATCH_PHASE_OVER)
    expect("outcome", match.outcome, _parsed(Outcome, vector["outcome"]))


def _check_events(
    viewer: Any, told: Sequence[Sequence[GameEvent]], steps: Sequence[Mapping[str, Any]]
) -> None:
    """The last entries are the start and the actions."""
    require(f"{viewer} was told of too few entries", len(told) >= len(steps))
    for step, events in zip(steps, told[-len(steps) :], strict=True):
        expected = dict(_by_viewer(step["events"], "events"))[viewer]
        parsed = [_parsed(GameEvent, event) for event in expected]
        expect(f"events of {viewer} at ply {step['ply']}", events, parsed)


def _by_viewer(items: Sequence[Mapping[str, Any]], name: str) -> Iterator[tuple[Any, Any]]:
    return ((viewer, item[name]) for item in items for viewer in item["viewers"])


def _parsed(kind: type[M], content: dict[str, Any]) -> M:
    return json_format.ParseDict(content, kind())
