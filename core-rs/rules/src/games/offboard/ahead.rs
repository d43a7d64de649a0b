//! What players ask about a position: who could push what off the board, and how marbles stand.

use super::action::Action;
use super::geometry::{ALL, Cell, Direction, LINE_ENDS};
use super::movegen::{INNER, Legal, tails_in_lane};
use super::state::{Marble, Offboard};

impl Offboard {
    /// The marbles of a colour on the board: bit i = cell i.
    pub fn marbles(&self, marble: Marble) -> u64 {
        self.marbles[marble as usize][0]
    }

    /// The points of a colour.
    pub fn points(&self, marble: Marble) -> u8 {
        self.scores[marble as usize]
    }

    /// The targets that a marble lies in: bit i = target i.
    pub fn filled_targets(&self) -> u16 {
        self.targets[0] | self.targets[1]
    }

    /// R5: quiet turns that may still pass before the game is a draw.
    pub fn quiet_turns_left(&self) -> u16 {
        self.quiet_limit.saturating_sub(self.quiet_turns)
    }

    /// Whether the seat to act has a recovery to choose.
    pub fn is_recovering(&self) -> bool {
        self.recovering
    }

    /// How many pairs of a colour's marbles stand side by side.
    #[inline]
    pub fn pairs(&self, marble: Marble) -> u32 {
        // Each pair lies along one of three lines.
        let lanes = &self.marbles[marble as usize][..3];
        lanes.iter().map(|lane| (lane & INNER & lane >> 1).count_ones()).sum()
    }

    /// The legal moves that push a marble off the board, onto an empty target or a full one.
    #[inline]
    pub fn ejecting_moves(&self) -> Legal {
        if self.end.is_some() || self.recovering {
            return Legal::default();
        }
        let seat = self.to_act.index();
        let (own, opposing) = (&self.marbles[seat], &self.marbles[seat ^ 1]);
        let tails = |lane: usize| tails_in_lane(own[lane], opposing[lane], LINE_ENDS, 0);
        Legal::of_tails(std::array::from_fn(tails))
    }

    /// The points that a legal action scores.
    #[inline]
    pub fn points_of(&self, action: Action) -> u8 {
        let Action::Move { tail, direction } = action else { return 0 };
        let push = self.look_at(tail, direction);
        if !push.ejects() {
            return 0;
        }
        let last = push.tail_bit + push.group + push.pushed - 1;
        self.points_for(Cell::at_bit(direction, last), direction)
    }

    /// Calls `visit` with the points of each push off the board that a colour could make if it
    /// were to move now, once for each marble and direction; 0 points onto a full target.
    #[inline]
    pub fn for_each_ejection(&self, by: Marble, mut visit: impl FnMut(u8)) {
        let seat = by as usize;
        for direction in Direction::ALL {
            let lane = direction as usize;
            let mut last = ejected(self.marbles[seat][lane], self.marbles[seat ^ 1][lane]);
            while last != 0 {
                let cell = Cell::at_bit(direction, last.trailing_zeros());
                visit(self.points_for(cell, direction));
                last &= last - 1;
            }
        }
    }

    fn points_for(&self, cell: Cell, direction: Direction) -> u8 {
        let target = self.target_of(cell, direction);
        if self.filled_targets() >> target & 1 == 1 { 0 } else { self.values[target] }
    }
}

/// The opposing marbles at line ends that a push towards the next bit would send off the board.
#[inline]
fn ejected(own: u64, opposing: u64) -> u64 {
    let (mut run, mut group, mut found) = (opposing & LINE_ENDS, own & INNER, 0);
    let mut distance = 1;
    while run != 0 {
        // `run`: where an unbroken opposing run of `distance` marbles up to the end starts;
        // `group`: the last of at least as many own marbles. One more makes the group larger.
        group = own & INNER & group << 1;
        found |= (group & run >> 1) << distance;
        run = opposing & INNER & run >> 1;
        distance += 1;
    }
    found & ALL
}

#[cfg(test)]
mod tests {
    use super::super::apply::Event;
    use super::*;
    use crate::chance::Fast;
    use crate::game::{Game, LegalSet};
    use crate::position::Position;

    /// What legal moves push off the board, by what happens when they are taken.
    fn ejections(position: &Position<Offboard>) -> Vec<(Action, Cell, Direction, u8)> {
        let mut found = Vec::new();
        position.state().legal().for_each(|action| {
            let mut events = Vec::new();
            position.clone().apply_unchecked(action, &mut Fast::new(0), &mut events);
            for event in events {
                if let Event::Ejected { cell, direction, scored, .. } = event {
                    found.push((action, cell, direction, scored));
                }
            }
        });
        found
    }

    fn agrees(position: &Position<Offboard>) -> usize {
        let (state, mut ejections) = (position.state(), ejections(position));
        let mut moves = Vec::new();
        state.ejecting_moves().for_each(|action| moves.push((action, state.points_of(action))));
        let happened = ejections.iter().map(|&(action, _, _, scored)| (action, scored));
        assert_eq!(moves, happened.collect::<Vec<_>>());
        // Several tails can push the same marble.
        ejections.sort_by_key(|&(_, cell, direction, _)| (cell, direction as usize));
        ejections.dedup_by_key(|&mut (_, cell, direction, _)| (cell, direction));
        let (mut times, mut points) = (0, 0);
        state.for_each_ejection(Marble::BOTH[state.to_act.index()], |scored| {
            times += 1;
            points += u32::from(scored);
        });
        assert_eq!(times, ejections.len());
        assert_eq!(points, ejections.iter().map(|&(.., scored)| u32::from(scored)).sum());
        ejections.len()
    }

    #[test]
    fn what_can_be_pushed_off_is_what_moves_push_off() {
        let options = super::super::Options { points_to_win: Some(20), ..Default::default() };
        let (mut chance, mut found) = (Fast::new(4), 0);
        for _ in 0..60 {
            let mut position =
                Position::<Offboard>::new(&options, &mut chance, &mut ()).expect("sound options");
            while position.state().actor().is_some() {
                if !position.state().is_recovering() {
                    found += agrees(&position);
                }
                position.playout(1, &mut chance);
            }
        }
        assert!(found > 300, "{found} pushes off the board");
    }
}
