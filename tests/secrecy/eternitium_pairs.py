"""What may be hidden in Eternitium, from "Who sees what" of its rules."""

import random
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from secrecy.eternitium_changes import PRIVATE, PUBLIC, private_changes, public_changes
from secrecy.eternitium_draws import Drawing
from secrecy.eternitium_hidden import card_places, era_places, sort_piles, swap
from secrecy.pairs import Changed, Draws, OpenPlay, Viewer
from tablestate.v1 import eternitium_pb2 as pb
from tablestate.v1 import game_pb2

State: TypeAlias = pb.EternitiumState

MORE_THAN_ALL_INDICES = 120
MANY = 12
COPIES: Mapping[Any, int] = {
    6: 4,
    7: 4,
    8: 4,
    9: 4,
    10: 4,
    11: 4,
    12: 3,
    13: 2,
    14: 2,
    15: 2,
    16: 3,
    17: 2,
    18: 2,
}
"""Kind → copies by default."""

_FLEETING = (
    pb.ETERNITIUM_EVENT_KIND_ERA_REVEALED,
    pb.ETERNITIUM_EVENT_KIND_TECHNOLOGY_UNDER,
)


class EternitiumPairs(OpenPlay):
    """Fulfils `PairGenerator`."""

    game = "eternitium"
    hidden = ("hand", "deck", "Eras", "pile", "Basic deck", "Advanced deck")
    # The decks differ by technologies bought unseen, which the end shows at the latest.
    lasting = ("hand", "deck", "Eras", "pile")
    due = (*PUBLIC, *PRIVATE)
    not_observed = ()

    def options(self, number: int) -> game_pb2.GameOptions:
        """Short games: few rounds, some with few kinds, so that rows have gaps."""
        few = number % 3 == 0
        copies = {kind: 5 if kind % 3 == 0 else 0 for kind in COPIES} if few else COPIES
        return game_pb2.GameOptions(
            eternitium=pb.EternitiumOptions(
                seats=2 + number % 4,
                eras_per_seat=3 + number % 5,
                technology_copies=[
                    pb.EternitiumCopies(card=kind, copies=many) for kind, many in copies.items()
                ],
                max_rounds=5 + number % 3,
            )
        )

    def twin(
        self, truth: game_pb2.GameState, viewer: Viewer, chance: random.Random
    ) -> game_pb2.GameState:
        """Either many hidden cards and Eras change places, or two of them."""
        twin = game_pb2.GameState()
        twin.CopyFrom(truth)
        state = twin.eternitium
        # At the end all cards owned are public: hands and decks of one seat only may mix.
        groups = [era_places(state, viewer), card_places(state, viewer)]
        if state.step == pb.ETERNITIUM_STEP_UNSPECIFIED:
            groups = groups[:1]
        for places in filter(None, groups):
            for _ in range(chance.choice((1, 2, MANY))):
                swap(places, state, chance)
        sort_piles(state)
        return twin

    def is_fleeting(self, event: game_pb2.GameEvent) -> bool:
        """An Era of a lost gamble and a card put under its deck are shown by events alone."""
        return event.eternitium.kind in _FLEETING

    def differing(self, left: game_pb2.GameState, right: game_pb2.GameState) -> set[str]:
        ours, theirs = _components(left.eternitium), _components(right.eternitium)
        return {name for name in self.hidden if ours[name] != theirs[name]}

    def start(
        self, options: game_pb2.GameOptions, viewer: Viewer, chance: random.Random
    ) -> Draws | None:
        """Tops, visible Eras and rows are the same; the stacks need not be."""
        rules = options.eternitium
        drawing = Drawing((_undealt(rules), _undealt(rules)), viewer, chance)
        return drawing.draws if drawing.set_up(rules.eras_per_seat) else None

    def draws(
        self,
        pair: tuple[game_pb2.GameState, game_pb2.GameState],
        viewer: Viewer,
        notation: str,
        chance: random.Random,
    ) -> Draws | None:
        """The viewer's own cards and all that is turned up are the same."""
        drawing = Drawing((pair[0].eternitium, pair[1].eternitium), viewer, chance)
        return drawing.draws if drawing.follow(notation) else None

    def probe(self, truth: game_pb2.GameState, chance: random.Random) -> bytes:
        """Cards that another seat may have, or an index."""
        if chance.random() < 0.25:
            choice = game_pb2.ActionChoice(index=chance.randrange(MORE_THAN_ALL_INDICES))
        else:
            action = game_pb2.GameAction(eternitium=_tried(truth.eternitium, chance))
            choice = game_pb2.ActionChoice(action=action)
        return choice.SerializeToString()

    def changed(self, truth: game_pb2.GameState, viewer: Viewer) -> Iterator[Changed]:
        """Everything public; and what is the viewer's own."""
        yield from public_changes(truth)
        if viewer is not None:
            yield from private_changes(truth, viewer)


def _undealt(rules: pb.EternitiumOptions) -> State:
    """The table before the set-up."""
    decks = (pb.EternitiumDeck(), pb.EternitiumDeck())
    for copies in rules.technology_copies:
        is_advanced = copies.card >= pb.ETERNITIUM_CARD_OMNI_PORTAL
        decks[is_advanced].shuffled.extend([copies.card] * copies.copies)
    stack = pb.EternitiumStack(shuffled=[0] * 4)
    empty: list[Any] = [0] * 3
    return State(
        pile=[15] * 4,
        seats=[pb.EternitiumSeatState(stack=stack) for _ in range(rules.seats)],
        visible_eras=empty[:2],
        basic_row=empty,
        advanced_row=empty,
        basic_deck=decks[0],
        advanced_deck=decks[1],
    )


def _tried(state: State, chance: random.Random) -> pb.EternitiumAction:
    seat = chance.choice(state.seats)
    card: Any = chance.choice([*seat.hand, *seat.deck, *state.basic_deck.shuffled, 1])
    kind = chance.randrange(4)
    if kind == 0:
        return pb.EternitiumAction(remove=pb.EternitiumRemove(card=card))
    if kind == 1:
        return pb.EternitiumAction(keep=pb.EternitiumKeep(card=card))
    if kind == 2:
        play = pb.EternitiumPlay(card=card, seat=chance.randrange(len(state.seats)))
        return pb.EternitiumAction(play=play)
    return pb.EternitiumAction(play=pb.EternitiumPlay(card=card))


def _components(state: State) -> dict[str, object]:
    # What has no order is sorted, so that it is equal if its contents are.
    def deck(cards: pb.EternitiumDeck) -> object:
        return [list(cards.shuffled), list(cards.under)]

    def eras(stack: pb.EternitiumStack) -> object:
        return [list(stack.above), list(stack.shuffled), list(stack.under)]

    return {
        "hand": [list(seat.hand) for seat in state.seats],
        "deck": [list(seat.deck) for seat in state.seats],
        "Eras": [eras(seat.stack) for seat in state.seats],
        "pile": list(state.pile),
        "Basic deck": deck(state.basic_deck),
        "Advanced deck": deck(state.advanced_deck),
    }
