from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from tablestate.rl import Batch as AnyBatch
from tablestate.rl import OpenBatch
from tablestate.rl.symmetries import MIRROR, EraRenaming, Symmetry, carry
from tablestate.rl.symmetries.offboard import mirrored_values
from tablestate.v1.game_pb2 import GameOptions, GameState
from tablestate.v1.offboard_pb2 import OffboardOptions
from tablestate.v1.offtrack_pb2 import OffTrackCard, OffTrackOptions, OffTrackState
from tablestate_service.engine import Batch

START = "5/YYYRRR/1YY1RR1/2Y2R2/9/2R2Y2/1RR1YY1/RRRYYY/5 {} ............ 0-0 - 0 1"
UNEVEN = [1, 2, 3, 1, 2, 3, 3, 2, 1, 1, 2, 3]
FIGURES = 9
NO_ACTION = 65535


def offboard(actor: str, values: Sequence[int]) -> GameOptions:
    position = START.format(actor)
    return GameOptions(offboard=OffboardOptions(position=position, target_values=values))


def mapped_actions(symmetry: Symmetry, batch: AnyBatch, actions: Any) -> Any:
    indices = symmetry.indices(batch.observations).astype(np.int64)
    return np.take_along_axis(indices, actions[:, None].astype(np.int64), axis=1)[:, 0]


def check_shown(symmetry: Symmetry, ours: AnyBatch, theirs: AnyBatch) -> None:
    """What everybody sees of the mapped positions is what is told of the others, mapped."""
    indices = symmetry.indices(ours.observations)
    np.testing.assert_array_equal(carry(indices, ours.legal), theirs.legal)
    for seat in range(ours.seats):
        ours.look(seat)
        theirs.look(symmetry.seat(seat))
        mapped = symmetry.observations(ours.observations)
        np.testing.assert_array_equal(mapped, theirs.observations)
    ours.look()
    theirs.look()


@pytest.mark.parametrize("values", [UNEVEN, [1, 1, 2, 3, 1, 3, 2, 2, 3, 1, 3, 2]])
def test_offboard_is_the_same_in_the_mirror(open_batch: OpenBatch, values: list[int]) -> None:
    size, chance, ended = 30, np.random.default_rng(4), 0
    ours = open_batch(offboard("r", values), size)
    theirs = open_batch(offboard("y", mirrored_values(values)), size)
    while (ours.actors != 255).any():
        check_shown(MIRROR, ours, theirs)
        legal = [np.flatnonzero(row) for row in ours.legal]
        actions = np.array([chance.choice(row) if len(row) else 0 for row in legal])
        theirs.step(mapped_actions(MIRROR, ours, actions))
        ours.step(actions)
        np.testing.assert_array_equal(ours.returns, theirs.returns[:, ::-1])
        ended += 1
    assert ended > 100


def test_the_default_values_are_their_own_mirror_image() -> None:
    values = [1, 1, 2, 3, 1, 3, 2, 2, 3, 1, 3, 2]
    assert mirrored_values(values) == values
    assert mirrored_values(mirrored_values(UNEVEN)) == UNEVEN


def renamed_types(order: Sequence[int], types: Iterable[int]) -> list[int]:
    return sorted(order[kind // FIGURES] * FIGURES + kind % FIGURES for kind in types)


def rename_cards(order: Sequence[int], cards: Any, *, is_sorted: bool = True) -> None:
    for card in cards:
        [card.type] = renamed_types(order, [card.type])
    if is_sorted:
        cards.sort(key=lambda card: (card.type, card.redeemed))


def renamed(order: Sequence[int], state: bytes) -> bytes:
    """The full state with its eras renamed."""
    whole = GameState.FromString(state)
    game: OffTrackState = whole.offtrack
    for line in game.lines:
        rename_cards(order, line.cards, is_sorted=False)
    for seat in game.seats:
        seat.hand[:] = renamed_types(order, seat.hand)
        rename_cards(order, seat.pile)
    rename_cards(order, game.boxed)
    game.deck[:] = renamed_types(order, game.deck)
    game.discard[:] = renamed_types(order, game.discard)
    return whole.SerializeToString()


def draws_for(deck: Sequence[int], drawn: Sequence[int]) -> list[int]:
    """The draws that take these cards from a deck, one after the other."""
    left, draws = sorted(deck), []
    for card in drawn:
        draws.append(left.index(card))
        left.remove(card)
    return draws


def play_out(batch: AnyBatch, action: int, chance: np.random.Generator) -> list[int]:
    """Take an action, with draws as they come; what was drawn."""
    draws: list[int] = []
    while isinstance(bound := batch.play(0, action, draws), int):
        draws.append(int(chance.integers(bound)))
    return draws


def renamed_draws(
    order: Sequence[int], draws: Sequence[int], before: OffTrackState, after: OffTrackState
) -> list[int] | None:
    """The draws that bring the same cards, renamed; None after a reshuffle or a new deal."""
    count = len(before.deck) - len(after.deck)
    if before.round != after.round or not 0 <= count <= len(draws):
        return None
    left, cards = list(before.deck), []
    for draw in draws[:count]:
        cards.append(left.pop(draw))
    if left != list(after.deck):
        return None
    new = [renamed_types(order, [card])[0] for card in cards]
    return draws_for(renamed_types(order, before.deck), new) + list(draws[count:])


OPTIONS = [
    OffTrackOptions(eras=3, rounds=1),
    OffTrackOptions(eras=3, rounds=2, decks=2, seats=3, max_branches=3),
    OffTrackOptions(eras=4, rounds=1, decks=2, every_turn=True),
]


@pytest.mark.parametrize("options", OPTIONS, ids=range(len(OPTIONS)))
def test_offtrack_is_the_same_with_its_eras_renamed(options: OffTrackOptions) -> None:
    chance = np.random.default_rng(6)
    orders = list(permutations(range(options.eras)))
    compared = 0
    for number in range(6):
        order = orders[chance.integers(len(orders))]
        symmetry = EraRenaming(
            order, decks=options.decks or 1, max_branches=options.max_branches or 2
        )
        game = GameOptions(offtrack=options)
        ours, theirs = Batch(game, 1, seed=number), Batch(game, 1)
        while ours.actors[0] != 255:
            state = ours.dump(0)
            theirs.load(0, renamed(order, state))
            check_shown(symmetry, ours, theirs)
            action = chance.choice(np.flatnonzero(ours.legal[0]))
            mapped = int(mapped_actions(symmetry, ours, np.array([action]))[0])
            draws = play_out(ours, int(action), chance)
            before, after = (GameState.FromString(each).offtrack for each in (state, ours.dump(0)))
            again = renamed_draws(order, draws, before, after)
            if again is not None:
                assert isinstance(theirs.play(0, mapped, again), list)
                assert theirs.dump(0) == renamed(order, ours.dump(0))
                np.testing.assert_array_equal(ours.returns, theirs.returns)
                compared += 1
    assert compared > 300


def test_cycle_bits_follow_the_hand_sorted_anew() -> None:
    symmetry = EraRenaming([2, 1, 0])
    batch = Batch(GameOptions(offtrack=OffTrackOptions(eras=3)), 1)
    state = GameState.FromString(batch.dump(0))
    actor = batch.actors[0]
    every = [*state.offtrack.deck, *(c for seat in state.offtrack.seats for c in seat.hand)]
    hand = [0, 1, 9, 10, 18]  # types of the eras 0, 0, 1, 1, 2 ...
    table = [card.type for card in state.offtrack.lines[0].cards]
    assert OffTrackCard in {type(card) for card in state.offtrack.lines[0].cards}
    others = [card for card in sorted([*every, *table]) if card not in hand]
    state.offtrack.seats[actor].hand[:] = hand
    state.offtrack.seats[1 - actor].hand[:] = others[:5]
    for card, kind in zip(state.offtrack.lines[0].cards, others[5:9], strict=True):
        card.type = kind
    state.offtrack.deck[:] = others[9:]
    batch.load(0, state.SerializeToString())
    # ... which become 18, 19, 9, 10, 0: the places 3, 4, 1, 2, 0.
    cycle = 3 * FIGURES * (1 + 3 + 1) + 2 * 3 + 4 * 3 + 2 + 3 * FIGURES * 3
    indices = symmetry.indices(batch.observations)[0]
    assert [indices[cycle + (1 << place)] - cycle for place in range(5)] == [8, 16, 2, 4, 1]
    assert indices[cycle + 0b10001] == cycle + 0b01001


@pytest.mark.parametrize("order", [[0, 0, 1], [1, 2, 3], [0, 2]])
def test_an_order_that_is_none_is_refused(order: list[int]) -> None:
    with pytest.raises(ValueError, match="order: "):
        EraRenaming(order)
