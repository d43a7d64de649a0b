"""Forks and the check of stored logs, as the client makes them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import tablestate
from tablestate import ReplayFlaw
from tablestate_service.cli.embedded import embedded_service


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


@pytest.fixture
def client(target: str) -> Iterator[tablestate.Client]:
    with tablestate.Client(target) as client:
        yield client


def two_seats(host: tablestate.HostedMatch) -> list[tablestate.SeatedPlayer]:
    return [host.join(seat=seat) for seat in range(2)]


def act(player: tablestate.SeatedPlayer) -> None:
    player.submit(player.legal_actions().legal_actions.actions[0].index)


def test_a_match_is_played_on_from_where_another_stood(client: tablestate.Client) -> None:
    host = client.create_match("offboard")
    players = two_seats(host)
    for ply in range(4):
        act(players[ply % 2])
    fork = client.fork_match(host.match_id, 7, metadata={"why": "a better idea"}, entropy_limit=5)
    match = fork.get()
    assert (match.forked_from.match_id, match.forked_from.version) == (host.match_id, 7)
    assert dict(match.metadata) == {"why": "a better idea"}
    assert match.entropy_limit.seconds == 5
    again = two_seats(fork)
    assert again[1].view().view == players[1].view(version=7).view
    act(again[1])
    assert client.verify_replay(fork.match_id).flaw == ReplayFlaw.REPLAY_FLAW_UNSPECIFIED


async def test_a_hidden_position_is_refused(target: str) -> None:
    async with tablestate.AsyncClient(target) as client:
        host = await client.create_match("offtrack")
        for seat in range(2):
            await host.join(seat=seat)
        with pytest.raises(tablestate.PreconditionError) as caught:
            await client.fork_match(host.match_id, 4)
        assert caught.value.reason == "POSITION_HIDDEN"
        checked = await client.verify_replay(host.match_id)
        assert (checked.version, checked.flaw) == (4, ReplayFlaw.REPLAY_FLAW_UNSPECIFIED)


def test_a_setting_that_does_not_fit_is_refused_before_any_call(client: tablestate.Client) -> None:
    with pytest.raises(tablestate.InvalidArgumentError) as caught:
        client.fork_match("0" * 32, 4, entropy_limit="soon")  # type: ignore[arg-type]
    assert [each.field for each in caught.value.violations] == ["entropy_limit"]
