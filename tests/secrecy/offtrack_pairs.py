"""What may be hidden in OffTrack, from "Who sees what" of its rules."""

import random
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from secrecy.offtrack_changes import PRIVATE, PUBLIC, private_changes, public_changes
from secrecy.offtrack_draws import Drawing, action_in_question
from secrecy.pairs import Changed, Draws, OpenPlay, Viewer
from tablestate.v1 import game_pb2, offtrack_pb2

T = TypeVar("T")
MORE_THAN_ALL_INDICES = 500

State: TypeAlias = offtrack_pb2.OffTrackState
Deal: TypeAlias = Callable[[list[Any], random.Random], list[Any]]


class OffTrackPairs(OpenPlay):
    """Fulfils `PairGenerator`."""

    game = "offtrack"
    hidden = ("hand", "held action", "drawn action", "deck", "action deck")
    lasting = hidden
    due = (*PUBLIC, *PRIVATE)
    not_observed = ()

    def options(self, number: int) -> game_pb2.GameOptions:
        """Mostly the shortest games: three eras, one round."""
        return game_pb2.GameOptions(
            offtrack=offtrack_pb2.OffTrackOptions(
                seats=2 + number % 3,
                decks=2 if number % 20 == 9 else 1,
                max_branches=1 + number % 4,
                every_turn=number % 5 == 0,
                eras=3,
                action_copies=1 + number % 4,
                rounds=2 if number % 20 == 7 else 1,
            )
        )

    def twin(
        self, truth: game_pb2.GameState, viewer: Viewer, chance: random.Random
    ) -> game_pb2.GameState:
        """Either all hidden cards are dealt anew, or two of them change places."""
        twin = game_pb2.GameState()
        twin.CopyFrom(truth)
        deal = _shuffled if chance.random() < 0.5 else _one_swap
        _redeal_cards(twin.offtrack, viewer, chance, deal)
        _redeal_actions(twin.offtrack, viewer, chance, deal)
        return twin

    def differing(self, left: game_pb2.GameState, right: game_pb2.GameState) -> set[str]:
        ours, theirs = _components(left.offtrack), _components(right.offtrack)
        return {name for name in self.hidden if ours[name] != theirs[name]}

    def is_fleeting(self, event: game_pb2.GameEvent) -> bool:
        """All that an event tells can be seen afterwards."""
        return False

    def start(
        self, options: game_pb2.GameOptions, viewer: Viewer, chance: random.Random
    ) -> Draws | None:
        """A deal that gives the viewer the same hand and the same Prime."""
        rules = options.offtrack
        drawing = Drawing(viewer, chance)
        return drawing.draws if drawing.deal(rules, starting_seat=0) else None

    def draws(
        self,
        pair: tuple[game_pb2.GameState, game_pb2.GameState],
        viewer: Viewer,
        notation: str,
        chance: random.Random,
    ) -> Draws | None:
        """The viewer's own refill and drawn action are the same; others' need not be."""
        left, right = pair[0].offtrack, pair[1].offtrack
        if notation == "X" and action_in_question(left) != action_in_question(right):
            return None
        drawing = Drawing(viewer, chance)
        return drawing.draws if drawing.follow(left, right, notation) else None

    def probe(self, truth: game_pb2.GameState, chance: random.Random) -> bytes:
        """Cards and actions that another seat may have, or an index."""
        if chance.random() < 0.25:
            choice = game_pb2.ActionChoice(index=chance.randrange(MORE_THAN_ALL_INDICES))
        else:
            action = _tried(truth.offtrack, chance)
            choice = game_pb2.ActionChoice(action=game_pb2.GameAction(offtrack=action))
        return choice.SerializeToString()

    def changed(self, truth: game_pb2.GameState, viewer: Viewer) -> Iterator[Changed]:
        """Everything public; and what is the viewer's own."""
        yield from public_changes(truth)
        if viewer is not None:
            yield from private_changes(truth, viewer)


def _redeal_cards(state: State, viewer: Viewer, chance: random.Random, deal: Deal) -> None:
    others = [seat.hand for number, seat in enumerate(state.seats) if number != viewer]
    piles = [state.deck, *others]
    cards = iter(deal([card for pile in piles for card in pile], chance))
    for pile in piles:
        pile[:] = sorted(islice(cards, len(pile)))


def _redeal_actions(state: State, viewer: Viewer, chance: random.Random, deal: Deal) -> None:
    holders = [seat for number, seat in enumerate(state.seats) if number != viewer and seat.held]
    is_drawn = state.drawn and state.turn_of != viewer
    hidden = [*state.action_deck, *(seat.held for seat in holders)]
    cards = iter(deal(hidden + [state.drawn] * bool(is_drawn), chance))
    state.action_deck[:] = sorted(islice(cards, len(state.action_deck)))
    for seat in holders:
        seat.held = next(cards)
    if is_drawn:
        state.drawn = next(cards)


def _shuffled(cards: list[T], chance: random.Random) -> list[T]:
    return chance.sample(cards, len(cards))


def _one_swap(cards: list[T], chance: random.Random) -> list[T]:
    """Little changes, so that most actions of other seats are legal in both states."""
    swapped = list(cards)
    if len(cards) > 1:
        one, other = chance.sample(range(len(cards)), 2)
        swapped[one], swapped[other] = cards[other], cards[one]
    return swapped


def _tried(state: State, chance: random.Random) -> offtrack_pb2.OffTrackAction:
    seat = chance.choice(state.seats)
    kind = chance.randrange(3)
    if kind == 0 and seat.hand:
        append = offtrack_pb2.OffTrackAppend(card_type=chance.choice(seat.hand))
        return offtrack_pb2.OffTrackAction(append=append)
    if kind == 1:
        return offtrack_pb2.OffTrackAction(cycle=offtrack_pb2.OffTrackCycle(card_types=seat.hand))
    card = seat.held or state.drawn or offtrack_pb2.OFF_TRACK_ACTION_CARD_BREACH
    return offtrack_pb2.OffTrackAction(play=offtrack_pb2.OffTrackPlay(action_card=card))


def _components(state: State) -> dict[str, object]:
    # All piles are sorted, so that they are equal if their contents are.
    return {
        "hand": [list(seat.hand) for seat in state.seats],
        "held action": [seat.held for seat in state.seats],
        "drawn action": state.drawn,
        "deck": list(state.deck),
        "action deck": list(state.action_deck),
    }
