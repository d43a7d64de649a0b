"""Planted faults of Offboard: set-up, move, ejection, recovery and the default action."""

from __future__ import annotations

from dataclasses import replace

from .common import Event
from .fault import Fault, planted
from .offboard import Rules
from .offboard_board import (
    ACTION_OF,
    CELL_INDEX,
    RAYS,
    Action,
    Cell,
    Corner,
    opposite,
    side_exits,
)
from .offboard_setup import TARGET_VALUES
from .offboard_state import Move, State, run

MOVE_FAULTS: list[Fault[Rules]] = []


@planted(MOVE_FAULTS, "Options")
class StartAllowsR6(Rules):
    """A start that is over already by R6 is not refused."""

    def over_faults(self, state: State, bad: set[str]) -> list[str]:
        """Forget R6."""
        return [kind for kind in super().over_faults(state, bad) if kind != "OVER_R6"]


@planted(MOVE_FAULTS, "Options")
class StartAllowsR7(Rules):
    """A start whose seat to act has no move is not refused."""

    def over_faults(self, state: State, bad: set[str]) -> list[str]:
        """Forget R7."""
        return [kind for kind in super().over_faults(state, bad) if kind != "OVER_R7"]


# Move


@planted(MOVE_FAULTS, "Move")
class PushEqual(Rules):
    """A group pushes a run as large as itself."""

    def outnumbers(self, own: int, opposing: int) -> bool:
        """Compare off by one."""
        return opposing <= own


@planted(MOVE_FAULTS, "Move")
class PushNeedsTwoMore(Rules):
    """A group pushes only a run smaller by two."""

    def outnumbers(self, own: int, opposing: int) -> bool:
        """Compare off by one."""
        return opposing + 1 < own


@planted(MOVE_FAULTS, "Move")
class PushTwoAtMost(Rules):
    """No more than two marbles are pushed, as in Abalone."""

    def outnumbers(self, own: int, opposing: int) -> bool:
        """Limit the pushed run."""
        return opposing < own and opposing <= 2


@planted(MOVE_FAULTS, "Move")
class GroupOfThree(Rules):
    """No more than three marbles move, as in Abalone."""

    def group(self, state: State, tail: Cell, direction: str) -> tuple[Cell, ...]:
        """Limit the group."""
        return super().group(state, tail, direction)[:3]


@planted(MOVE_FAULTS, "Move")
class GroupFromBehind(Rules):
    """The marbles of the run behind the tail move along."""

    def group(self, state: State, tail: Cell, direction: str) -> tuple[Cell, ...]:
        """Take the whole run."""
        behind = run(state.marbles, RAYS[opposite(direction)][tail][1:], state.seat)
        return behind[::-1] + super().group(state, tail, direction)


@planted(MOVE_FAULTS, "Move")
class OwnBehindDoesNotBlock(Rules):
    """An own marble behind the opposing run does not block the push."""

    def may_enter(self, state: State, cell: Cell, pushed: tuple[Cell, ...]) -> bool:
        """Forget the block."""
        return len(pushed) > 0 or super().may_enter(state, cell, pushed)


@planted(MOVE_FAULTS, "Move")
class OwnLeaves(Rules):
    """A group may step off the board with its own first marble."""

    def may_leave(self, group: tuple[Cell, ...], pushed: tuple[Cell, ...]) -> bool:
        """Let own marbles go."""
        return len(group + pushed) > 1


@planted(MOVE_FAULTS, "Move")
class CountsBeyondGap(Rules):
    """Opposing marbles beyond the empty cell behind the run count against the push (case 5)."""

    def move(self, state: State, tail: Cell, direction: str) -> Move | None:
        """Count on beyond the gap."""
        move = super().move(state, tail, direction)
        if move is None or not move.pushed or move.ejects:
            return move
        beyond = RAYS[direction][move.pushed[-1]][2:]
        more = len(move.pushed) + len(run(state.marbles, beyond, 1 - state.seat))
        return move if more < len(move.group) else None


@planted(MOVE_FAULTS, "Move")
class PushCompulsory(Rules):
    """When a push is possible, nothing else is legal."""

    def legal(self, state: State) -> list[str]:
        """Keep the pushes if there are any."""
        legal = super().legal(state)
        moves = [text for text in legal if ACTION_OF[text].kind == "MOVE"]
        return [text for text in moves if self.pushes(state, ACTION_OF[text])] or legal


# Ejection


@planted(MOVE_FAULTS, "R2")
class CornerToHigher(Rules):
    """A corner's exit leads to the higher-valued target."""

    def corner_target(self, state: State, corner: Corner) -> int:
        """Take the other one on unequal values."""
        one, other = (state.options.target_values[target] for target in corner.targets)
        right = super().corner_target(state, corner)
        return right if one == other else sum(corner.targets) - right


@planted(MOVE_FAULTS, "R2")
class CornerTieToOther(Rules):
    """On equal values a corner's exit leads to the target that is not named."""

    def corner_target(self, state: State, corner: Corner) -> int:
        """Take the other one on equal values."""
        one, other = (state.options.target_values[target] for target in corner.targets)
        right = super().corner_target(state, corner)
        return sum(corner.targets) - right if one == other else right


@planted(MOVE_FAULTS, "R2")
class CornerTieToLowerNumber(Rules):
    """On equal values a corner's exit leads to the target with the lower number."""

    def corner_target(self, state: State, corner: Corner) -> int:
        """Break ties by number."""
        return super().corner_target(state, corner._replace(on_tie=min(corner.targets)))


@planted(MOVE_FAULTS, "R2")
class CornerFixed(Rules):
    """A corner's exit always leads to the tie's target, whatever the values."""

    def corner_target(self, state: State, corner: Corner) -> int:
        """Forget the values."""
        return corner.on_tie


@planted(MOVE_FAULTS, "R2")
class CornerByDefaultValues(Rules):
    """A corner's exit goes by the default values, not by the option's."""

    def corner_target(self, state: State, corner: Corner) -> int:
        """Use the wrong values."""
        options = replace(state.options, target_values=TARGET_VALUES)
        return super().corner_target(replace(state, options=options), corner)


@planted(MOVE_FAULTS, "R2")
class CornerSpills(Rules):
    """When a corner's target is full, the marble goes to the corner's other one."""

    def corner_target(self, state: State, corner: Corner) -> int:
        """Spill over."""
        right = super().corner_target(state, corner)
        return right if state.targets[right] is None else sum(corner.targets) - right


@planted(MOVE_FAULTS, "Exits")
class SideSwapped(Rules):
    """The exits of the side i5-e1 lead to the wrong half's target."""

    def destination(self, state: State, cell: Cell, direction: str) -> int:
        """Swap targets 8 and 9 for that side."""
        target = super().destination(state, cell, direction)
        return 17 - target if (cell, direction) in side_exits(4) else target


@planted(MOVE_FAULTS, "Exits")
class HalfTooLong(Rules):
    """The fifth exit of the top side still leads to its first target."""

    def destination(self, state: State, cell: Cell, direction: str) -> int:
        """Count off by one."""
        target = super().destination(state, cell, direction)
        return target - 1 if (cell, direction) == side_exits(3)[4] else target


@planted(MOVE_FAULTS, "Ejection")
class FullTargetScores(Rules):
    """An ejection to a full target scores its value."""

    def points(self, state: State, target: int) -> int:
        """Forget that the target is full."""
        return state.options.target_values[target]


@planted(MOVE_FAULTS, "Ejection")
class OwnerScores(Rules):
    """The owner of the ejected marble scores, not the mover."""

    def score(self, state: State, points: int, owner: int) -> State:
        """Score for the wrong seat."""
        return self.add_points(state, owner, points)


@planted(MOVE_FAULTS, "Ejection")
class TargetTakesMoversColour(Rules):
    """The filled target shows the mover's colour."""

    def fill(self, state: State, target: int, owner: int) -> State:
        """Fill with the wrong colour."""
        return super().fill(state, target, state.seat)


@planted(MOVE_FAULTS, "R3")
class RecoveryOnlyFromOwnColour(Rules):
    """A recovery is given only when the full target holds the owner's colour."""

    def eject(self, state: State, cell: Cell, direction: str, owner: int) -> tuple[State, Event]:
        """Let the colour matter."""
        after, event = super().eject(state, cell, direction, owner)
        held = state.targets[self.destination(state, cell, direction)]
        return (replace(after, pending=None) if held == 1 - owner else after), event


@planted(MOVE_FAULTS, "R3")
class FullTargetExchanged(Rules):
    """A marble that goes to a full target lies there in place of the one before."""

    def eject(self, state: State, cell: Cell, direction: str, owner: int) -> tuple[State, Event]:
        """Fill the target again."""
        after, event = super().eject(state, cell, direction, owner)
        return self.fill(after, self.destination(state, cell, direction), owner), event


# Recovery


@planted(MOVE_FAULTS, "Recovery")
class NoRecovery(Rules):
    """A marble that goes to a full target is simply lost."""

    def recoverer(self, state: State, owner: int) -> int | None:
        """Offer nobody a recovery."""
        return None


@planted(MOVE_FAULTS, "Recovery")
class RecoveryToMover(Rules):
    """The mover gets the recovery, not the marble's owner."""

    def recoverer(self, state: State, owner: int) -> int | None:
        """Offer it to the wrong seat."""
        return 1 - owner


@planted(MOVE_FAULTS, "Recovery")
class PlaceKeepsTurn(Rules):
    """PLACE does not end the turn."""

    def place(self, state: State, cell: Cell) -> tuple[State, list[Event]]:
        """Go on with the move."""
        _, events = super().place(state, cell)
        return replace(state, marbles={**state.marbles, cell: state.seat}, pending=None), events


@planted(MOVE_FAULTS, "Recovery")
class PlaceOnOccupied(Rules):
    """PLACE is offered on cells with an opposing marble too."""

    def may_place(self, state: State, cell: Cell) -> bool:
        """Exclude only own marbles."""
        return state.marbles.get(cell) != state.seat


@planted(MOVE_FAULTS, "Recovery")
class DeclineNotOffered(Rules):
    """DECLINE is not offered to a seat that has a move anyway."""

    def may_decline(self, state: State) -> bool:
        """Make the placement compulsory."""
        return super().cannot_act(replace(state, pending=None))


@planted(MOVE_FAULTS, "Recovery")
class MoveBesideRecovery(Rules):
    """A seat with a recovery may move at once without choosing."""

    def may_move(self, state: State) -> bool:
        """Offer everything together."""
        return True


@planted(MOVE_FAULTS, "Recovery")
class DeclineEndsTurn(Rules):
    """DECLINE is the whole turn."""

    def decline(self, state: State) -> tuple[State, list[Event]]:
        """End the turn."""
        _, events = super().decline(state)
        return self.end_turn(replace(state, pending=None), events), events


@planted(MOVE_FAULTS, "End")
class DeclineIsQuietTurn(Rules):
    """DECLINE counts as a quiet turn."""

    def decline(self, state: State) -> tuple[State, list[Event]]:
        """Count it."""
        after, events = super().decline(state)
        return replace(after, quiet=after.quiet + 1), events


@planted(MOVE_FAULTS, "End")
class DeclineIsTurn(Rules):
    """DECLINE counts in the turn number."""

    def decline(self, state: State) -> tuple[State, list[Event]]:
        """Count it."""
        after, events = super().decline(state)
        return replace(after, turn=after.turn + 1), events


# Default action


@planted(MOVE_FAULTS, "Default action")
class DefaultPlaces(Rules):
    """The default action places a recovered marble on the first empty cell."""

    def default_action(self, state: State) -> str:
        """Take the first legal recovery."""
        return (
            self.legal(state)[0] if state.pending == state.seat else super().default_action(state)
        )


@planted(MOVE_FAULTS, "Default action")
class DefaultPushes(Rules):
    """The default action is the first legal move, be it a push."""

    def pushes(self, state: State, action: Action) -> bool:
        """Take no notice of pushes."""
        return False


@planted(MOVE_FAULTS, "Default action")
class DefaultByTail(Rules):
    """The default action goes by the tail cell before the direction."""

    def default_action(self, state: State) -> str:
        """Order the moves wrongly."""
        if state.pending == state.seat:
            return "-"
        moves = [ACTION_OF[text] for text in self.legal(state)]
        moves.sort(key=lambda move: (self.pushes(state, move), CELL_INDEX[move.cell]))
        return moves[0].text
