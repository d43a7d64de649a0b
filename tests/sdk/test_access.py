"""What a client says about who may join and look on, and what operators do, against a service."""

from contextlib import aclosing
from pathlib import Path

import pytest

import tablestate
from support.keys import guarded, header, key_of
from tablestate import AsyncClient, Visibility, new_invitation_code
from tablestate.v1.match_pb2 import SpectatorPolicy


async def test_an_invited_player_gets_a_new_token_of_the_operator(tmp_path: Path) -> None:
    async with (
        guarded(tmp_path) as running,
        AsyncClient(running.address, metadata=header(key_of("ada"))) as ada,
        AsyncClient(running.address, metadata=header(key_of("operator"))) as operator,
        AsyncClient(running.address) as stranger,
    ):
        code = new_invitation_code()
        hosted = await operator.create_match(
            "offboard",
            visibility=Visibility.VISIBILITY_INVITE,
            invitation_code=code,
            spectator_delay=60.5,
        )
        with pytest.raises(tablestate.PermissionDeniedError, match="WRONG_INVITATION"):
            await ada.join(hosted.match_id)
        player = await ada.join(hosted.match_id, invitation_code=code)
        await hosted.join(invitation_code=code, player_id="bob")
        match = await player.get()
        assert match.spectator_delay.ToMilliseconds() == 60_500
        assert (match.version, (await ada.get_match(hosted.match_id)).version) == (4, 3)
        mine = [each.match_id async for each in ada.list_matches(player_id="ada")]
        assert mine == [hosted.match_id]
        replaced = await operator.replace_seat_token(hosted.match_id, player.seat)
        await replaced.submit("1")
        with pytest.raises(tablestate.PermissionDeniedError, match="WRONG_SEAT_TOKEN"):
            await player.view()
        await operator.revoke_seat_token(hosted.match_id, player.seat)
        with pytest.raises(tablestate.PermissionDeniedError, match="WRONG_SEAT_TOKEN"):
            await replaced.view()
        with pytest.raises(tablestate.PermissionDeniedError, match="NOT_PERMITTED"):
            await ada.revoke_seat_token(hosted.match_id, 0)
        with pytest.raises(tablestate.PermissionDeniedError, match="WRONG_KEY"):
            await stranger.get_match(hosted.match_id)
        async with aclosing(operator.watch_feed()) as feed:
            assert (await anext(feed)).item.match_id == hosted.match_id


@pytest.mark.parametrize("delay", [-1, "1", float("nan")])
async def test_a_delay_is_a_number_of_seconds(delay: float) -> None:
    async with AsyncClient("127.0.0.1:1") as client:
        with pytest.raises(tablestate.InvalidArgumentError, match="spectator_delay"):
            await client.create_match("offboard", spectator_delay=delay)


def test_refusing_spectators_is_a_policy_of_the_contract() -> None:
    assert tablestate.SpectatorPolicy is SpectatorPolicy
