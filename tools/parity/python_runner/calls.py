"""Every call of the contract once, and whether what comes back is what was asked for."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from tablestate import FeedKind, MatchChange, MatchPhase, ReplayFlaw, time_control
from tools.parity.python_runner.checks import expect, require


class Clients(NamedTuple):
    """A client with the key of a player, and one with that of an operator."""

    player: Any
    operator: Any


Scene: TypeAlias = Callable[[Clients], Awaitable[None]]
QUICK = {"points_to_win": 1}


async def catalog(clients: Clients) -> None:
    """The server tells of itself and of its games."""
    info = await clients.player.server_info()
    games = await clients.player.games()
    expect("games", [game.game for game in games], list(info.games))


async def hosting(clients: Clients) -> None:
    """A match is made, filled, found, started and aborted."""
    hosted = await clients.player.create_match(
        "offboard", start_policy="BY_HOST", metadata={"table": "7"}
    )
    await hosted.join(display_name="Ada")
    guest = await hosted.join()
    left = await guest.leave()
    expect("who left", left.seat, guest.seat)
    added = await hosted.add_bot("random")
    expect("seat of the bot", added.seat, guest.seat)
    match = await hosted.get()
    expect("metadata", dict(match.metadata), {"table": "7"})
    listed = [each.match_id async for each in clients.player.list_matches(phases=["WAITING"])]
    require("the match is not listed", hosted.match_id in listed)
    started = await hosted.start()
    expect("change", started.change, MatchChange.MATCH_CHANGE_STARTED)
    aborted = await hosted.abort()
    expect("phase", aborted.phase, MatchPhase.MATCH_PHASE_ABORTED)


async def playing(clients: Clients) -> None:
    """A match is played a little, watched, given up, replayed, verified, forked, played again."""
    hosted = await clients.player.create_match("offboard")
    red, yellow = await hosted.join(), await hosted.join()
    legal = await red.legal_actions()
    view = await red.view()
    expect("version", view.version, legal.version)
    action = legal.legal_actions.actions[0]
    taken = await red.submit(action, expected_version=legal.version)
    expect("version", taken.version, legal.version + 1)
    resigned = await yellow.resign()
    versions = [update.version async for update in red.watch()]
    expect("versions", versions, list(range(1, resigned.version + 1)))
    replayed = await clients.player.replay(hosted.match_id)
    expect("entries", len(replayed.entries), resigned.version)
    verified = await clients.player.verify_replay(hosted.match_id)
    expect("flaw", verified.flaw, ReplayFlaw.REPLAY_FLAW_UNSPECIFIED)
    fork = await clients.player.fork_match(hosted.match_id, taken.version)
    forked = (await fork.get()).forked_from
    expect("source", (forked.match_id, forked.version), (hosted.match_id, taken.version))
    again = await red.rematch()
    expect("seat of the rematch", again.seat, yellow.seat)


async def chance(clients: Clients) -> None:
    """A seat adds to the chance of its match."""
    hosted = await clients.player.create_match("offtrack")
    player = await hosted.join(entropy=True)
    await hosted.add_bot("random")
    await player.reveal_entropy()
    match = await hosted.get()
    expect("phase", match.phase, MatchPhase.MATCH_PHASE_RUNNING)


async def manners(clients: Clients) -> None:
    """Players decline a draw, stop the clocks and let them go on."""
    hosted = await clients.player.create_match("offboard", time_control=time_control(bank=60))
    red, yellow = await hosted.join(), await hosted.join()
    draw = await red.propose("DRAW")
    declined = await yellow.respond(draw.version, accept=False)
    expect("phase", declined.phase, MatchPhase.MATCH_PHASE_RUNNING)
    pause = await red.propose("PAUSE")
    await yellow.respond(pause.version, accept=True)
    require("the match is not paused", (await hosted.get()).paused)
    await red.resume()
    require("the match is paused", not (await hosted.get()).paused)


async def time(clients: Clients) -> None:
    """A player runs out of time, and the other claims it."""
    limits = time_control(turn_limit=1, by_claim=True)
    hosted = await clients.player.create_match("offboard", time_control=limits)
    red, yellow = await hosted.join(), await hosted.join()
    await asyncio.sleep(1.1)
    claimed = await yellow.claim_timeout()
    expect("who was out of time", claimed.seat, red.seat)


async def play(clients: Clients) -> None:
    """A seat is played over one stream."""
    hosted = await clients.player.create_match("offboard", QUICK)
    player = await hosted.join()
    await hosted.add_bot("greedy")
    turns = 0
    async with player.play() as stream:
        async for turn in stream:
            await stream.act(turn.legal_actions.actions[0])
            turns += 1
    require("no turn was played", turns)
    match = await hosted.get()
    expect("phase", match.phase, MatchPhase.MATCH_PHASE_OVER)


async def analysis(clients: Clients) -> None:
    """Games are played out, counted and searched."""
    played = await clients.player.playout("offboard", games=3, seed=1)
    expect("games", played.finished, 3)
    counted = await clients.player.perft("offboard", 1, divide=True)
    expect("actions", len(counted.divisions), counted.sequences)
    view = await _first_view(clients)
    found = await clients.player.search("offboard", view, 0, iterations=50)
    require("nothing was found", found.done and found.actions[0].visits)


async def simulate(clients: Clients) -> None:
    """A batch of games makes a step."""
    async with await clients.player.batch("offboard", 8, seed=1) as batch:
        expect("size", batch.size, 8)
        before = batch.masks.tobytes()
        await batch.step(np.argmax(batch.legal, axis=1).astype(np.uint16))
        require("nothing has changed", batch.masks.tobytes() != before)


async def evaluate(clients: Clients) -> None:
    """A search asks what its leaves are worth."""
    view = await _first_view(clients)
    async with await clients.player.evaluate(
        "offboard", views=[view], seats=[0], simulations=16
    ) as search:
        while (leaves := await search.leaves()) is not None:
            count = len(leaves)
            await search.answer(np.ones((count, search.action_count)), np.zeros(count))
        expect("simulations", int(search.visits.sum()), 16)


async def _first_view(clients: Clients) -> Any:
    hosted = await clients.player.create_match("offboard")
    player = await hosted.join()
    await hosted.join()
    return (await player.view()).view


async def operating(clients: Clients) -> None:
    """An operator gives a seat another token, takes it away, and follows all matches."""
    hosted = await clients.operator.create_match("offboard")
    await hosted.join()
    other = await clients.operator.replace_seat_token(hosted.match_id, 0)
    expect("seat", (await other.view()).seat, 0)
    revoked = await clients.operator.revoke_seat_token(hosted.match_id, 0)
    expect("seat", revoked.seat, 0)
    async for told in clients.operator.watch_feed():
        item = told.item
        if (item.match_id, item.kind) == (hosted.match_id, FeedKind.FEED_KIND_CREATED):
            break


SCENES: Sequence[tuple[Scene, str]] = (
    (catalog, "CatalogService/GetServerInfo CatalogService/ListGames"),
    (
        hosting,
        "MatchService/CreateMatch MatchService/JoinMatch MatchService/LeaveSeat"
        " MatchService/AddBot MatchService/GetMatch MatchService/ListMatches"
        " MatchService/StartMatch MatchService/AbortMatch",
    ),
    (
        playing,
        "MatchService/ListLegalActions MatchService/GetView MatchService/SubmitAction"
        " MatchService/Resign MatchService/WatchMatches MatchService/GetReplay"
        " MatchService/VerifyReplay MatchService/ForkMatch MatchService/Rematch",
    ),
    (chance, "MatchService/RevealEntropy"),
    (manners, "MatchService/Propose MatchService/Respond MatchService/ResumeMatch"),
    (time, "MatchService/ClaimTimeout"),
    (play, "MatchService/Play"),
    (analysis, "EngineService/Playout EngineService/Perft EngineService/Search"),
    (simulate, "EngineService/Simulate"),
    (evaluate, "EngineService/Evaluate"),
    (
        operating,
        "MatchService/ReplaceSeatToken MatchService/RevokeSeatToken MatchService/WatchFeed",
    ),
)
"""The scenes, each with the methods that it calls."""


async def make_calls(clients: Clients) -> dict[str, str]:
    """Play all scenes; for each method `passed`, or why its scene has failed."""
    made: dict[str, str] = {}
    for scene, methods in SCENES:
        how = "passed"
        try:
            await scene(clients)
        except Exception as error:
            how = f"{scene.__name__}: {type(error).__name__}: {error}"
        made |= {f"tablestate.v1.{method}": how for method in methods.split()}
    return made
