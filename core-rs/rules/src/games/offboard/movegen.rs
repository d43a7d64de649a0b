//! Which decisions are legal: all directions at once, and one at a time with the reason why not.

use super::action::{Action, DECLINE_INDEX, PLACE_OFFSET};
use super::geometry::{
    ALL, CELLS, Cell, DIRECTIONS, Direction, LINE_ENDS, Lanes, ROOM, all_by_cell, by_cell,
};
use super::state::Offboard;
use crate::error::Illegal;
use crate::game::LegalSet;
use crate::vocab::{Mask, nth_bit};

/// Cells that have a next cell, in any lane.
pub(super) const INNER: u64 = ALL & !LINE_ENDS;

/// A line has 9 cells and the group is larger than the run that it pushes.
const MAX_PUSHED: usize = 4;

/// The words that hold a bit for every index.
const MASK_WORDS: usize = (DECLINE_INDEX + 1).div_ceil(64);

/// The legal decisions of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Legal {
    /// The tails of the legal moves, each direction in its own lane.
    tails: Lanes,
    /// Recovery: the cells to place on, by cell; and with them goes the decline.
    places: u64,
    recovering: bool,
}

/// A move looked at: how many marbles step, and what is in front of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    /// Marbles of the group.
    pub(super) group: u32,
    /// Opposing marbles in the unbroken run in front of it.
    pub(super) pushed: u32,
    /// Cells of the line from the tail onwards.
    pub(super) room: u32,
    /// The tail's bit in the lane of the direction.
    pub(super) tail_bit: u32,
}

impl Push {
    /// Whether the last opposing marble has no cell behind it but an exit.
    pub(super) fn ejects(&self) -> bool {
        self.pushed > 0 && self.group + self.pushed == self.room
    }
}

impl Offboard {
    #[inline]
    pub(super) fn legal_actions(&self) -> Legal {
        if self.end.is_some() {
            return Legal::default();
        }
        if self.recovering {
            let places = self.empty_cells();
            return Legal { places, recovering: true, ..Legal::default() };
        }
        let (own, opposing) = self.sides();
        Legal::of_tails(tails(own, opposing))
    }

    /// R7: whether the seat to act has a legal move.
    #[inline]
    pub(super) fn has_move(&self) -> bool {
        let (own, opposing) = self.sides();
        let mut found = 0;
        for lane in 0..DIRECTIONS {
            let empty = !(own[lane] | opposing[lane]) & ALL;
            found |= own[lane] & INNER & empty >> 1;
        }
        // Hardly ever without a lone step: pushes are looked at only then.
        found != 0 || tails(own, opposing).iter().any(|&lane| lane != 0)
    }

    #[inline]
    pub(super) fn look_at(&self, tail: Cell, direction: Direction) -> Push {
        let (own, opposing) = self.sides();
        let (lane, tail_bit) = (direction as usize, tail.bit(direction));
        let room = u32::from(ROOM[tail_bit as usize]);
        let group = (own[lane] >> tail_bit).trailing_ones().min(room);
        let in_front = opposing[lane] >> (tail_bit + group);
        let pushed = in_front.trailing_ones().min(room - group);
        Push { group, pushed, room, tail_bit }
    }

    pub(super) fn check_action(&self, action: Action) -> Result<(), Illegal> {
        let illegal = |rule, why| Err(Illegal { rule, why });
        if self.end.is_some() {
            return illegal("End", "the game is over");
        }
        match (action, self.recovering) {
            (Action::Move { .. }, true) => {
                illegal("Recovery", "a recovery must be placed or declined first")
            }
            (Action::Place(_) | Action::Decline, false) => {
                illegal("Recovery", "no marble is waiting to be recovered")
            }
            (Action::Place(cell), true) if self.marble_at(cell).is_some() => {
                illegal("Recovery", "the cell is not empty")
            }
            (Action::Move { tail, direction }, false) => self.check_move(tail, direction),
            (Action::Place(_) | Action::Decline, true) => Ok(()),
        }
    }

    fn check_move(&self, tail: Cell, direction: Direction) -> Result<(), Illegal> {
        let illegal = |why| Err(Illegal { rule: "Move", why });
        let push = self.look_at(tail, direction);
        let behind = push.group + push.pushed;
        if push.group == 0 {
            return illegal("no marble of the seat is on the tail cell");
        }
        if push.group == push.room {
            return illegal("an own marble never leaves the board");
        }
        if push.pushed >= push.group {
            return illegal("the run in front is not smaller than the group");
        }
        let (own, _) = self.sides();
        let blocked = own[direction as usize] >> (push.tail_bit + behind) & 1 == 1;
        if behind < push.room && blocked {
            return illegal("an own marble stands behind the run in front");
        }
        Ok(())
    }

    pub(super) fn default(&self) -> Option<Action> {
        let legal = self.legal_actions();
        if legal.recovering {
            return Some(Action::Decline);
        }
        let (mut plain, mut first) = (None, None);
        legal.for_each(|action| {
            first = first.or(Some(action));
            if let Action::Move { tail, direction } = action {
                let pushes = self.look_at(tail, direction).pushed > 0;
                plain = plain.or(if pushes { None } else { Some(action) });
            }
        });
        plain.or(first)
    }

    /// The marbles of the seat to act and of its opponent.
    #[inline]
    fn sides(&self) -> (&Lanes, &Lanes) {
        let seat = self.to_act.index();
        (&self.marbles[seat], &self.marbles[seat ^ 1])
    }
}

/// The tails of all legal moves, each direction in its lane.
#[inline]
fn tails(own: &Lanes, opposing: &Lanes) -> Lanes {
    let mut tails = [0; DIRECTIONS];
    for lane in 0..DIRECTIONS {
        let empty = !(own[lane] | opposing[lane]) & ALL;
        tails[lane] = tails_in_lane(own[lane], opposing[lane], empty >> 1 | LINE_ENDS, empty);
    }
    tails
}

/// The tails of the moves towards the next bit: those that push a run whose last marble stands on
/// one of `last`, and those onto one of `empty`.
#[inline(always)]
pub(super) fn tails_in_lane(own: u64, opposing: u64, last: u64, empty: u64) -> u64 {
    let own = own & INNER;
    // runs[k]: where such an opposing run of k + 1 marbles starts.
    let mut runs = [opposing & last; MAX_PUSHED];
    for k in 1..MAX_PUSHED {
        runs[k] = opposing & INNER & runs[k - 1] >> 1;
    }
    // From the longest run to none: a group needs one more marble for each that it pushes.
    let mut tails = 0;
    for run in runs.into_iter().rev() {
        tails = own & (run | tails) >> 1;
    }
    tails = own & (empty | tails) >> 1;
    // Every marble further back in the group is a tail as well.
    let mut path = own;
    for distance in [1, 2, 4] {
        tails |= path & tails >> distance;
        path &= path >> distance;
    }
    tails
}

impl Legal {
    /// The moves with these tails, each direction in its own lane.
    #[inline]
    pub(super) fn of_tails(tails: Lanes) -> Self {
        Self { tails, ..Self::default() }
    }

    #[inline]
    fn move_at(&self, rank: usize) -> Action {
        // How many lanes end at or before the rank, and how many moves they hold; without
        // branches, since a random rank cannot be foretold.
        let (mut lane, mut before, mut end) = (0, 0, 0);
        for tails in self.tails {
            end += tails.count_ones() as usize;
            let passed = end <= rank;
            lane += usize::from(passed);
            before = if passed { end } else { before };
        }
        let direction = Direction::ALL[lane];
        let tail = Cell::of(nth_bit(by_cell(direction, self.tails[lane]), rank - before));
        Action::Move { tail, direction }
    }
}

impl LegalSet for Legal {
    type Action = Action;

    #[inline]
    fn count(&self) -> usize {
        let moves: u32 = self.tails.iter().map(|lane| lane.count_ones()).sum();
        (moves + self.places.count_ones()) as usize + usize::from(self.recovering)
    }

    #[inline]
    fn nth(&self, rank: usize) -> Action {
        if !self.recovering {
            return self.move_at(rank);
        }
        if rank == self.places.count_ones() as usize {
            return Action::Decline;
        }
        Action::Place(Cell::of(nth_bit(self.places, rank)))
    }

    #[inline]
    fn for_each(&self, mut visit: impl FnMut(Action)) {
        for direction in Direction::ALL {
            let tails = by_cell(direction, self.tails[direction as usize]);
            bits(tails, |tail| visit(Action::Move { tail, direction }));
        }
        bits(self.places, |cell| visit(Action::Place(cell)));
        if self.recovering {
            visit(Action::Decline);
        }
    }

    #[inline]
    fn write_indices(&self, indices: &mut [u16]) -> usize {
        let mut length = 0;
        for direction in Direction::ALL {
            let tails = by_cell(direction, self.tails[direction as usize]);
            length +=
                write_bits_as_indices(tails, direction as usize * CELLS, &mut indices[length..]);
        }
        if self.recovering {
            let recovery = self.places | 1 << (DECLINE_INDEX - PLACE_OFFSET);
            length = write_bits_as_indices(recovery, PLACE_OFFSET, indices);
        }
        length
    }

    fn write_mask(&self, mask: &mut [u8]) {
        let mut indices = Mask::<MASK_WORDS>::new(DECLINE_INDEX + 1);
        for (direction, tails) in all_by_cell(&self.tails).into_iter().enumerate() {
            indices.set_word(direction * CELLS, tails);
        }
        let recovery = self.places | u64::from(self.recovering) << (DECLINE_INDEX - PLACE_OFFSET);
        indices.set_word(PLACE_OFFSET, recovery);
        indices.write_bytes(mask);
    }
}

/// Visits the cells of a mask, the lowest first.
#[inline]
fn bits(mut mask: u64, mut visit: impl FnMut(Cell)) {
    while mask != 0 {
        visit(Cell::of(mask.trailing_zeros()));
        mask &= mask - 1;
    }
}

/// Writes `offset` + bit for each set bit, the lowest first; returns how many. Writes twelve at a
/// time, some in vain: a loop over single bits would end where no processor expects it.
#[inline]
fn write_bits_as_indices(mut mask: u64, offset: usize, indices: &mut [u16]) -> usize {
    let count = mask.count_ones() as usize;
    for some in indices.as_chunks_mut::<12>().0 {
        for index in some {
            *index = offset as u16 + mask.trailing_zeros() as u16;
            mask &= mask.wrapping_sub(1);
        }
        if mask == 0 {
            break;
        }
    }
    count
}
