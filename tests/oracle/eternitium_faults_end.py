"""Planted faults of Eternitium: the end, the default actions and what is told."""

from __future__ import annotations

from dataclasses import replace

from .common import Event
from .eternitium import Rules
from .eternitium_actions import Action
from .eternitium_cards import cards_text
from .eternitium_piles import Doing
from .eternitium_state import State
from .fault import Fault, planted

END_FAULTS: list[Fault[Rules]] = []
TIE_FAULTS: list[Fault[Rules]] = []
FORFEIT_FAULTS: list[Fault[Rules]] = []
TOLD_FAULTS: list[Fault[Rules]] = []


# The end


@planted(END_FAULTS, "R10, case 7")
class EndsAtOnce(Rules):
    """The match ends with the turn of a seat without Eras."""

    def end_turn(self, state: State, doing: Doing) -> State:
        """Look for it after every turn."""
        if self.without_eras(state) and not state.looped:
            doing.report("TURN_ENDED", state.seat)
            return replace(state, step="over")
        return super().end_turn(state, doing)


@planted(END_FAULTS, "f. Extra turn")
class RoundEndsBeforeExtra(Rules):
    """A round is over with the last seat's first turn."""

    def has_extra(self, state: State) -> bool:
        """Grant none to the last seat."""
        return super().has_extra(state) and state.seat + 1 < state.options.seats


@planted(END_FAULTS, "R12")
class OneRoundMore(Rules):
    """One round more than `max_rounds` is played."""

    def is_last_round(self, state: State) -> bool:
        """Compare off by one."""
        return state.round > state.options.max_rounds


@planted(END_FAULTS, "R12")
class LastRoundSharedByAll(Rules):
    """After the last round points alone decide."""

    def fewest_eras(self, state: State) -> list[int]:
        """Take all."""
        return self.in_play(state)


@planted(END_FAULTS, "R10")
class PointsBeforeEras(Rules):
    """The seat with the most points wins, with Eras or without."""

    def candidates(self, state: State) -> list[int]:
        """Take all."""
        return self.in_play(state)


@planted(TIE_FAULTS, "R10, case 8")
class NoTieBreak(Rules):
    """Equal points share the victory."""

    def rank(self, state: State, seat: int) -> tuple[int, int]:
        """Forget the Advanced."""
        return super().rank(state, seat)[0], 0


@planted(TIE_FAULTS, "R10, case 8")
class TieBreakByBasics(Rules):
    """Of equal points most Basics win."""

    def rank(self, state: State, seat: int) -> tuple[int, int]:
        """Count the others."""
        return super().rank(state, seat)[0], state.seats[seat].basics


@planted(END_FAULTS, "R10")
class DroidIsNoBasic(Rules):
    """The Droid counts no point."""

    def worth(self, kind: str) -> int:
        """Leave it out."""
        return 0 if kind == "droid" else super().worth(kind)


@planted(END_FAULTS, "R10")
class AdvancedCountsOne(Rules):
    """An Advanced counts one point."""

    def worth(self, kind: str) -> int:
        """Count one at most."""
        return min(1, super().worth(kind))


@planted(END_FAULTS, "R13")
class RemovedDroidCounts(Rules):
    """A Droid that was removed still counts at the end."""

    def points(self, cards: tuple[str, ...]) -> int:
        """Count it."""
        return super().points(cards if "droid" in cards else ("droid", *cards))


@planted(FORFEIT_FAULTS, "R10, R18")
class ForfeitedSeatEnds(Rules):
    """A seat that has forfeited ends the match when it has no Eras."""

    def is_over(self, state: State) -> bool:
        """Look at all seats."""
        return any(not seat.eras.size for seat in state.seats) or self.is_last_round(state)


@planted(FORFEIT_FAULTS, "R10, R18")
class ForfeitedSeatWins(Rules):
    """A seat that has forfeited can win."""

    def in_play(self, state: State) -> list[int]:
        """Take all."""
        return list(range(state.options.seats))


# Default actions, views and events


@planted(TOLD_FAULTS, "Default action")
class DefaultPutsSecond(Rules):
    """The default after a Scanner is the last position."""

    def default_action(self, state: State) -> str:
        """Choose it."""
        if state.step != "scan":
            return super().default_action(state)
        return Action("^", place=len(self.scanned(state)) - 1).text


@planted(TOLD_FAULTS, "Default action")
class DefaultKeepsFirst(Rules):
    """The default of a refit keeps the first card."""

    def default_action(self, state: State) -> str:
        """Keep it."""
        if state.step != "refit" or not state.own.hand:
            return super().default_action(state)
        return Action("=", state.own.hand[:1]).text


@planted(TOLD_FAULTS, "Who sees what")
class KeptIsTold(Rules):
    """All are told which card a refit kept."""

    def shown(self, event: Event, viewer: int | None) -> Event:
        """Tell it."""
        return event if event[0] == "KEPT" else super().shown(event, viewer)


@planted(TOLD_FAULTS, "R8")
class UnseenIsTold(Rules):
    """All are told what was taken unseen."""

    def shown(self, event: Event, viewer: int | None) -> Event:
        """Tell it."""
        return event if event[0] == "TECHNOLOGY_TAKEN" else super().shown(event, viewer)


@planted(TOLD_FAULTS, "Who sees what")
class ScannerIsTold(Rules):
    """All see what a Scanner shows."""

    def views(self, state: State) -> dict[int | None, dict[str, object]]:
        """Show it."""
        seen = cards_text(self.scanned(state))
        return {viewer: {**view, "scanned": seen} for viewer, view in super().views(state).items()}


@planted(TOLD_FAULTS, "Who sees what")
class OwnerSeesTopEra(Rules):
    """A seat sees its top Era once its place is fixed."""

    def views(self, state: State) -> dict[int | None, dict[str, object]]:
        """Show it as scanned."""
        views = super().views(state)
        for number, seat in enumerate(state.seats):
            if seat.eras.top and not seat.face_up:
                views[number] = {**views[number], "scanned": cards_text(seat.eras.top[:1])}
        return views
