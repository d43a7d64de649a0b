"""What may be hidden in Off the Rails, from "Who sees what" of its rules: a split, until a hand is
chosen."""

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, TypeAlias

from secrecy.off_the_rails_changes import PRIVATE, PUBLIC, private_changes, public_changes
from secrecy.off_the_rails_starts import CARDS, JEWELS, MISSIONS, start
from secrecy.pairs import Changed, Draws, Viewer
from tablestate.v1 import game_pb2
from tablestate.v1 import off_the_rails_pb2 as pb
from tablestate_service import engine

State: TypeAlias = pb.OffTheRailsState

MORE_THAN_ALL_INDICES = 1100
LETTERS = "?kregd"
OFTEN = 0.9


class OffTheRailsPairs:
    """Fulfils `PairGenerator`."""

    game = "off_the_rails"
    hidden = ("split",)
    # Both hands are seen when one is chosen: a split stays hidden only where the match ends first.
    lasting = ()
    due = (*PUBLIC, *PRIVATE)
    not_observed = ()

    def options(self, number: int) -> game_pb2.GameOptions:
        """Games with the smallest deck."""
        boards = (pb.OFF_THE_RAILS_BOARD_COMPACT, pb.OFF_THE_RAILS_BOARD_AISLE)
        options = pb.OffTheRailsOptions(
            seats=2 + number % 3,
            board=boards[number // 2 % 2],
            deposit_cards=13,
            missions=number % 2 == 0,
            bumper_cars=False,
            chasm_die=number % 3 == 1,
        )
        return game_pb2.GameOptions(off_the_rails=options)

    def begin(self, number: int) -> game_pb2.GameState | None:
        """Most games begin with carts that are about to meet, one of ten with the set-up."""
        if number % 10 == 9:
            return None
        return game_pb2.GameState(off_the_rails=start(self.options(number).off_the_rails, number))

    def choose(self, notations: Sequence[str], chance: random.Random) -> str:
        """Mostly the actions are ended and jewels are taken, so that loaded carts meet again."""
        wanted = [each for each in notations if each == "." or each[0] == "*" != each]
        return chance.choice(wanted if wanted and chance.random() < OFTEN else notations)

    def alike(self, truth: game_pb2.GameState, viewer: Viewer) -> Sequence[str]:
        """The splits of a hold, for all but its owner."""
        state = truth.off_the_rails
        if state.table.step != pb.OFF_THE_RAILS_STEP_SPLIT or viewer == _owner(state):
            return ()
        return ["=" + "".join(LETTERS[jewel] for jewel in left) for left in _splits(state)]

    def twin(
        self, truth: game_pb2.GameState, viewer: Viewer, chance: random.Random
    ) -> game_pb2.GameState:
        """The hold is split in another way."""
        twin = game_pb2.GameState()
        twin.CopyFrom(truth)
        state = twin.off_the_rails
        if state.left_hand and viewer != _owner(state):
            state.left_hand[:] = chance.choice(_splits(state))
        return twin

    def differing(self, left: game_pb2.GameState, right: game_pb2.GameState) -> set[str]:
        ours, theirs = left.off_the_rails.left_hand, right.off_the_rails.left_hand
        return {"split"} if ours != theirs else set()

    def is_fleeting(self, event: game_pb2.GameEvent) -> bool:
        """What the die shows can come to the same: a token that is laid as without it."""
        return event.off_the_rails.kind == pb.OFF_THE_RAILS_EVENT_KIND_DIE_ROLLED

    def start(
        self, options: game_pb2.GameOptions, viewer: Viewer, chance: random.Random
    ) -> Draws | None:
        """Nothing is hidden in the set-up: both are the same."""
        rules, bag, draws = options.off_the_rails, sum(JEWELS), list[int]()
        for _ in range(4):
            card = chance.randrange(len(CARDS))
            draws.append(card)
            for _ in range(2 + card % 2):  # R3: an even number asks for one more
                draws.append(chance.randrange(bag))
                bag -= 1
        if rules.missions:
            draws += [chance.randrange(len(MISSIONS) - dealt) for dealt in range(rules.seats + 1)]
        return Draws(draws, draws)

    def draws(
        self,
        pair: tuple[game_pb2.GameState, game_pb2.GameState],
        viewer: Viewer,
        notation: str,
        chance: random.Random,
    ) -> Draws | None:
        """Chance is public; a hand that is chosen shows the split."""
        if self.differing(*pair):
            return None
        state = engine.GameState.load(pair[0].SerializeToString())
        choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
        drawn = state.apply(choice, chance.randbytes(32), 1).draws
        return Draws(drawn, drawn)

    def probe(self, truth: game_pb2.GameState, chance: random.Random) -> bytes:
        """Splits and hands, as if the hold were one's own, or an index."""
        if chance.random() < 0.25:
            choice = game_pb2.ActionChoice(index=chance.randrange(MORE_THAN_ALL_INDICES))
        else:
            action = game_pb2.GameAction(off_the_rails=_tried(truth.off_the_rails, chance))
            choice = game_pb2.ActionChoice(action=action)
        return choice.SerializeToString()

    def changed(self, truth: game_pb2.GameState, viewer: Viewer) -> Iterator[Changed]:
        """Everything public; and the split, for its owner."""
        yield from public_changes(truth)
        if viewer is not None and viewer == _owner(truth.off_the_rails):
            yield from private_changes(truth)


def _owner(state: State) -> int | None:
    """Whose hold is or will be split."""
    table = state.table
    return table.collision.opposing.seat if table.HasField("collision") else None


def _splits(state: State) -> list[Any]:
    """Every way to split the hold of the cart that was hit, as the left hand."""
    hit = state.table.collision.opposing
    player = state.table.players[hit.seat]
    hold = (player.white if hit.colour == pb.OFF_THE_RAILS_COLOUR_WHITE else player.black).hold
    return sorted(set(combinations(hold, len(hold) // 2)))


def _tried(state: State, chance: random.Random) -> pb.OffTheRailsAction:
    player = chance.choice(state.table.players)
    hold = [*player.white.hold, *player.black.hold] or [pb.OFF_THE_RAILS_JEWEL_ROCK]
    kind = chance.randrange(3)
    if kind == 0:
        left = sorted(chance.sample(hold, min(2, len(hold))))
        return pb.OffTheRailsAction(split=pb.OffTheRailsSplit(left=left))
    if kind == 1:
        return pb.OffTheRailsAction(odd=chance.choice(hold))
    return pb.OffTheRailsAction(hand=chance.choice(pb.OffTheRailsHand.values()[1:]))
