//! What a decision brings about, and the tests of the end, in the order of the rules' "End".

use super::action::Action;
use super::geometry::{Cell, Direction, exit};
use super::history::Repetitions;
use super::movegen::Push;
use super::state::{End, Offboard};
use crate::game::Events;
use crate::vocab::Seat;

/// What an action brought about. Everything is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A group stepped, and the run in front of it with it.
    Moved {
        /// The seat that moved.
        seat: Seat,
        /// The group's last marble before the step.
        tail: Cell,
        /// Where it stepped.
        direction: Direction,
        /// Marbles of the group.
        group: u8,
        /// Opposing marbles pushed.
        pushed: u8,
    },
    /// A marble left the board.
    Ejected {
        /// The seat that owns the marble.
        owner: Seat,
        /// Where it left from.
        cell: Cell,
        /// In which direction.
        direction: Direction,
        /// The target that its exit leads to.
        target: u8,
        /// Points for the mover; 0 when the target was full.
        scored: u8,
    },
    /// A waiting marble came back.
    Placed {
        /// The seat that owns it.
        seat: Seat,
        /// Where it was put.
        cell: Cell,
    },
    /// A waiting marble was given up.
    Declined {
        /// The seat that owned it.
        seat: Seat,
    },
}

impl Offboard {
    #[inline]
    pub(super) fn take(
        &mut self,
        action: Action,
        history: &mut Repetitions,
        events: &mut impl Events<Event>,
    ) {
        match action {
            Action::Move { tail, direction } => self.step(tail, direction, history, events),
            Action::Place(cell) => self.place(cell, history, events),
            Action::Decline => self.decline(events),
        }
    }

    #[inline]
    fn step(
        &mut self,
        tail: Cell,
        direction: Direction,
        history: &mut Repetitions,
        events: &mut impl Events<Event>,
    ) {
        let (seat, push) = (self.to_act, self.look_at(tail, direction));
        let Push { group, pushed, tail_bit, .. } = push;
        let (group_size, pushed_size) = (group as u8, pushed as u8);
        events.emit(|| Event::Moved {
            seat,
            tail,
            direction,
            group: group_size,
            pushed: pushed_size,
        });
        // A run steps by its last cell emptying and the cell in front filling.
        let front = Cell::at_bit(direction, tail_bit + group);
        self.toggle(seat, tail);
        self.toggle(seat, front);
        let mut filled_full_target = false;
        if pushed > 0 {
            self.toggle(seat.opponent(), front);
            if push.ejects() {
                let last = Cell::at_bit(direction, tail_bit + group + pushed - 1);
                match self.eject(last, direction, events) {
                    0 => filled_full_target = true,
                    value => return self.score(value, history),
                }
            } else {
                let behind = Cell::at_bit(direction, tail_bit + group + pushed);
                self.toggle(seat.opponent(), behind);
            }
        }
        self.end_turn(filled_full_target, history);
    }

    /// The marble that left by an exit comes to rest; returns what the mover scores.
    #[cold]
    fn eject(&mut self, cell: Cell, direction: Direction, events: &mut impl Events<Event>) -> u8 {
        let target = self.target_of(cell, direction);
        let owner = self.to_act.opponent();
        let filled = (self.targets[0] | self.targets[1]) >> target & 1 == 1;
        let scored = if filled { 0 } else { self.values[target] };
        if !filled {
            self.targets[owner.index()] |= 1 << target;
        }
        events.emit(|| Event::Ejected { owner, cell, direction, target: target as u8, scored });
        scored
    }

    /// The target that an exit leads to: from a corner the lower-valued of two (R2).
    pub(super) fn target_of(&self, cell: Cell, direction: Direction) -> usize {
        let (first, second) = exit(cell, direction);
        let (first, second) = (usize::from(first), usize::from(second));
        if self.values[second] < self.values[first] { second } else { first }
    }

    /// A marble came to rest in an empty target: the win is tested before all else.
    #[cold]
    fn score(&mut self, value: u8, history: &mut Repetitions) {
        self.scores[self.to_act.index()] += value;
        self.quiet_turns = 0;
        history.forget();
        if self.scores[self.to_act.index()] >= self.points_to_win {
            self.end = Some(End::Points);
            return;
        }
        self.next_turn(false);
        // No position before a score can stand again, and there was no quiet turn: of the draws
        // only R6 can hold.
        history.note(self.past());
        if self.is_out_of_reach() {
            self.end = Some(End::OutOfReach);
        } else if !self.has_move() {
            self.end = Some(End::NoMove);
        }
    }

    #[cold]
    fn place(&mut self, cell: Cell, history: &mut Repetitions, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        events.emit(|| Event::Placed { seat, cell });
        self.toggle(seat, cell);
        self.end_turn(false, history);
    }

    /// The marble is given up; the turn goes on, and R7 is tested at once.
    #[cold]
    fn decline(&mut self, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        events.emit(|| Event::Declined { seat });
        self.recovering = false;
        if !self.has_move() {
            self.end = Some(End::NoMove);
        }
    }

    /// A turn ended without a score. R6 cannot have come to hold: only a score changes what it
    /// looks at.
    #[inline]
    fn end_turn(&mut self, next_recovers: bool, history: &mut Repetitions) {
        self.quiet_turns += 1;
        self.next_turn(next_recovers);
        if history.note(self.past()) {
            self.end = Some(End::Repetition);
        } else if self.quiet_turns >= self.quiet_limit {
            self.end = Some(End::QuietLimit);
        } else if !next_recovers && !self.has_move() {
            self.end = Some(End::NoMove);
        }
    }

    #[inline]
    fn next_turn(&mut self, recovers: bool) {
        self.to_act = self.to_act.opponent();
        self.recovering = recovers;
        self.turn += 1;
    }
}
