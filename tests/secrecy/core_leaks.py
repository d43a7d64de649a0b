"""Leaks planted in the core: what a faulty game could show."""

import zlib
from collections.abc import Sequence

from secrecy.proxies import StateProxy, StepProxy
from secrecy.surfaces import CoreState, grown, searched
from tablestate.v1 import game_pb2, offtrack_pb2
from tablestate_service import engine
from tablestate_service.engine import TreeSearch

MASK = 2
"""The field of `LegalActions` that holds the mask."""


def truth_of(state: StateProxy) -> offtrack_pb2.OffTrackState:
    return game_pb2.GameState.FromString(state.dump()).offtrack


class HandInView(StateProxy):
    """A view is given the hand of the actor, whoever looks."""

    def view(self, viewer: int | None) -> bytes:
        return self.truth.view(viewer if self.actor is None else self.actor)


class SpectatorSeesHands(StateProxy):
    """A spectator is shown the hand of seat 0."""

    def view(self, viewer: int | None) -> bytes:
        return self.truth.view(viewer or 0)


class DrawnActionInView(StateProxy):
    """Everybody sees which action is being looked at."""

    def view(self, viewer: int | None) -> bytes:
        view = game_pb2.GameView.FromString(super().view(viewer))
        view.offtrack.drawn = truth_of(self).drawn
        return view.SerializeToString()


class HeldActionInView(StateProxy):
    """A seat without an action of its own is shown that of its neighbour."""

    def view(self, viewer: int | None) -> bytes:
        view = game_pb2.GameView.FromString(super().view(viewer))
        seats = truth_of(self).seats
        view.offtrack.held = view.offtrack.held or seats[((viewer or 0) + 1) % len(seats)].held
        return view.SerializeToString()


class DeckOrdersPiles(StateProxy):
    """The order of a repeated field follows the cards left in the deck."""

    def view(self, viewer: int | None) -> bytes:
        view = game_pb2.GameView.FromString(super().view(viewer))
        if sum(truth_of(self).deck) % 2:
            view.offtrack.discard.reverse()
            view.offtrack.action_discard.reverse()
        return view.SerializeToString()


class SizeOfView(StateProxy):
    """A view is padded, by what is hidden: only its size tells."""

    def view(self, viewer: int | None) -> bytes:
        padding = bytes(sum(truth_of(self).action_deck) % 8)
        unknown_field = b"\xfa\x7f" + bytes((len(padding),)) + padding
        return super().view(viewer) + unknown_field


class HashInView(StateProxy):
    """A view carries the hash of the position, from which small secrets can be guessed."""

    def view(self, viewer: int | None) -> bytes:
        unknown_field = b"\xf9\x7f" + self.truth.hash.to_bytes(8, "little")
        return super().view(viewer) + unknown_field


class ObservationOfTheTruth(StateProxy):
    """An observation marks the cards in other hands."""

    def observation(self, viewer: int | None) -> bytes:
        observation = bytearray(super().observation(viewer))
        for seat in truth_of(self).seats:
            for card in seat.hand:
                observation[card] = observation[card] or 1
        return bytes(observation)


class ScoresOfHands(StateProxy):
    """The outcome of a forfeit counts what is left in the hands."""

    def outcome(self, forfeited: Sequence[int] = ()) -> bytes | None:
        data = super().outcome(forfeited)
        if data is None:
            return None
        outcome = game_pb2.Outcome.FromString(data)
        for number, seat in enumerate(truth_of(self).seats):
            outcome.scores[number] += sum(card % 9 for card in seat.hand)
        return outcome.SerializeToString()


class MaskOfTheDeck(StateProxy):
    """The bits behind the last index are not zero but what was in memory: the deck."""

    def legal_actions(self) -> bytes:
        legal = game_pb2.LegalActions.FromString(super().legal_actions())
        legal.mask += bytes(truth_of(self).deck[:1])
        return legal.SerializeToString()


class ErrorNamesTheOwner(StateProxy):
    """The refusal of a card that the seat has not says who has it."""

    def apply(self, choice: bytes, seed: bytes, stream: int) -> StepProxy:
        try:
            return super().apply(choice, seed, stream)
        except engine.CoreError as error:
            card = game_pb2.ActionChoice.FromString(choice).action.offtrack.append.card_type
            for number, seat in enumerate(truth_of(self).seats):
                if error.reason == "ILLEGAL_ACTION" and card in seat.hand:
                    error.rule = f"the card is in the hand of seat {number}"
            raise


class BotSeesTheTruth(StateProxy):
    """A bot passes by the view: its chance is that of the truth."""

    def choose(self, bot: str, seed: bytes, ply: int) -> str:
        return super().choose(bot, seed, ply + sum(truth_of(self).deck))


def search_that_peeks(state: CoreState, options: bytes, seat: int, seed: int) -> list[bytes]:
    """A search passes by the view: its chance is that of the truth."""
    return searched(state, options, seat, seed + zlib.crc32(state.dump()))


def tree_that_peeks(state: CoreState) -> TreeSearch:
    """A tree for an evaluator passes by the view: its chance is that of the truth."""
    return grown(state, zlib.crc32(state.dump()))


class DefaultActionSeesTheDeck(StateProxy):
    """The default action looks at what is to come."""

    def default_action(self) -> str:
        legal = self.legal_notations()
        return legal[sum(truth_of(self).deck) % len(legal)]


class OpenEvents(StepProxy):
    def events(self, viewer: int | None) -> list[bytes]:
        return self.truth.events(0)


class EventsOfSeat0(StateProxy):
    """What is for the eyes of seat 0 is told to all: its refills and its drawn actions."""

    def follow(self, step: engine.Step) -> StepProxy:
        return OpenEvents(step, type(self)(step.state))


class DrawsInEvents(StepProxy):
    def events(self, viewer: int | None) -> list[bytes]:
        index = sum(self.truth.draws) & 127
        return [event + b"\xf8\x7f" + bytes((index,)) for event in self.truth.events(viewer)]


class DrawsShown(StateProxy):
    """Events carry the numbers that were drawn."""

    def follow(self, step: engine.Step) -> StepProxy:
        return DrawsInEvents(step, type(self)(step.state))


def split_of(state: StateProxy) -> Sequence[int]:
    """The left hand of a split hold in Off the Rails."""
    return game_pb2.GameState.FromString(state.dump()).off_the_rails.left_hand


class SplitInView(StateProxy):
    """Everybody sees the left hand."""

    def view(self, viewer: int | None) -> bytes:
        view = game_pb2.GameView.FromString(super().view(viewer))
        truth = game_pb2.GameState.FromString(self.dump())
        view.off_the_rails.left_hand[:] = truth.off_the_rails.left_hand
        return view.SerializeToString()


class SplitInObservation(StateProxy):
    """An observation counts the left hand, in front of the token, the die and the seat."""

    def observation(self, viewer: int | None) -> bytes:
        observation = bytearray(super().observation(viewer))
        for jewel in split_of(self):
            observation[-9 + jewel] += 1
        return bytes(observation)


class BetterHand(StateProxy):
    """The default action takes the hand with more in it."""

    def default_action(self) -> str:
        action = super().default_action()
        return "R" if action == "L" and sum(split_of(self)) % 2 else action


class BotSeesTheSplit(StateProxy):
    """A bot passes by the view: its chance is that of the truth."""

    def choose(self, bot: str, seed: bytes, ply: int) -> str:
        return super().choose(bot, seed, ply + sum(split_of(self)))


class EventsOfAll(StepProxy):
    def events(self, viewer: int | None) -> list[bytes]:
        every = [self.truth.events(seat) for seat in range(self.state.seats)]
        return [max(told, key=len) for told in zip(*every, strict=True)]


class SplitInEvents(StateProxy):
    """What is for the owner of the hold alone is told to all."""

    def follow(self, step: engine.Step) -> StepProxy:
        return EventsOfAll(step, type(self)(step.state))
