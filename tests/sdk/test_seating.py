"""A player's handle where seats are drawn."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

import tablestate
from support import command
from tablestate import AsyncClient, Seating, verifier
from tablestate.mcp.keys import Keys
from tablestate.mcp.matches import Matches
from tablestate_service.cli.embedded import embedded_service

RANDOM = Seating.SEATING_RANDOM


@pytest.fixture
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


@pytest.fixture
def live(target: str) -> Iterator[tablestate.Client]:
    with tablestate.Client(target) as client:
        yield client


def test_a_handle_learns_its_seat(live: tablestate.Client) -> None:
    for _ in range(4):  # Of two orders each is as likely.
        host = live.create_match("offboard", seating=RANDOM)
        players = [host.join(display_name=name) for name in ("Ada", "Bob")]
        with players[0].play() as play:
            started = next(each for each in play.updates() if each.HasField("your_seat"))
        assert players[0].seat == started.your_seat == 1 - players[1].seat
        kept = live.player(tablestate.SeatCredential.load(players[0].credential.save()))
        assert kept.seat == players[0].seat
        match = host.get()
        assert match.seats[players[0].seat].display_name == "Ada"
        actor = next(each for each in players if each.seat in match.actors)
        turn = actor.view(include_legal_actions=True)
        actor.submit(turn.legal_actions.actions[0].notation)
        for each in players[1].watch():
            if each.actors:
                break
        players[0].resign()
        replay = live.replay(host.match_id)
        assert replay.secrets is not None
        seed = replay.secrets.seed
        drawn = next(each for each in replay.entries if each.draw_sizes)
        assert verifier.draw(seed, 0, drawn.draw_sizes, verifier.SEATING_DOMAIN) == list(
            drawn.draws
        )


async def test_a_bare_credential_plays_the_seat_that_was_drawn(target: str) -> None:
    async with AsyncClient(target) as client:
        for _ in range(3):
            host = await client.create_match("offboard", seating=RANDOM)
            keys = [(await host.join(display_name=name)).credential for name in ("Ada", "Bob")]
            match = await host.get()
            names = [seat.display_name for seat in match.seats]
            for key, name in zip(keys, ("Ada", "Bob"), strict=True):
                async for update in client.watch(key):
                    if update.HasField("your_seat"):
                        assert names[update.your_seat] == name
                        break
            actor = names[match.actors[0]]
            async with client.play(keys[("Ada", "Bob").index(actor)]) as play:
                turn = await anext(aiter(play))
                assert turn.your_seat == match.actors[0]


async def test_the_keys_of_a_model_follow_the_seats_that_are_drawn(
    target: str, tmp_path: Path
) -> None:
    file = tmp_path / "keys.json"
    async with AsyncClient(target) as client:
        for _ in range(3):
            host = await client.create_match("offtrack", {"seats": 3}, seating=RANDOM)
            ours = Matches(client, Keys(file))
            first = await ours.join(host.match_id, None, "Ada")
            assert await ours.held(host.match_id, None) == first.turn.seat == 0
            await ours.join(host.match_id, None, "Bob")
            others = Matches(client, Keys(file))
            # Whoever is to begin may be another, and then the whole time is waited for.
            waiting = asyncio.create_task(ours.look(host.match_id, 0, wait=2.0))
            await host.add_bot("greedy")
            look = await waiting
            seats = {seat.display_name: seat.seat for seat in (await host.get()).seats}
            assert look.turn.seat == seats["Ada"]
            held = sorted([seats["Ada"], seats["Bob"]])
            for matches in (ours, others, Matches(client, Keys(file))):
                assert [await matches.held(host.match_id, seat) for seat in held] == held
                for seat in held:
                    assert (await matches.look(host.match_id, seat)).turn.seat == seat


def test_whoever_joins_at_a_terminal_is_asked_on_the_seat_that_was_drawn(
    live: tablestate.Client, target: str
) -> None:
    for _ in range(2):
        host = live.create_match("offboard", seating=RANDOM)
        rival = host.join(display_name="Bob")
        joining = ("join", host.match_id, "--server", target, "--name", "Ada")
        with command.start(*joining) as guest:
            chance = random.Random(3)
            for update in rival.watch(timeout=60.0):
                if update.actors and rival.seat in update.actors:
                    legal = rival.legal_actions().legal_actions.actions
                    rival.submit(chance.choice(legal).notation)
                    break
                if update.actors:
                    break
            told, _ = guest.communicate("resign\n", timeout=60)
        match = host.get()
        ada = next(seat for seat in match.seats if seat.display_name == "Ada")
        assert list(match.outcome.winners) == [1 - ada.seat]
        assert "(Bob) wins" in told
