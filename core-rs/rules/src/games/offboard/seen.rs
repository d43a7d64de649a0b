//! From what a viewer sees to a position that agrees with it.

use super::history::Past;
use super::options::{Options, path};
use super::saved::Saved;
use super::state::{End, Offboard};
use crate::error::Faults;
use crate::position::Position;

/// R4: the third time ends the game.
const MOST_REPETITIONS: u32 = 3;

/// What a viewer sees, as an untrusted caller gives it. What else it is shown follows from this.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// The options of the match; their `position` is not looked at.
    pub options: Options,
    /// The position, in notation.
    pub position: String,
    /// R4: how often it has stood after a turn.
    pub repetitions: u32,
}

impl Seen {
    /// A position that agrees with it; lists every fault. Everything is public but for the
    /// history: of the positions that have stood the present one alone is known.
    pub fn imagine(&self) -> Result<Position<Offboard>, Faults> {
        if self.repetitions > MOST_REPETITIONS {
            let expected = format!("at most {MOST_REPETITIONS}");
            return Err(Faults::one(&path("repetitions"), self.repetitions, expected));
        }
        let saved = Saved {
            options: self.options.clone(),
            position: self.position.clone(),
            history: Vec::new(),
            end: None,
        };
        let state = Offboard::of_setup(&saved.setup()?);
        let end = if self.repetitions == MOST_REPETITIONS {
            Some(End::Repetition)
        } else {
            state.end_of_standing()
        };
        let history: Vec<Past> = vec![state.past(); self.repetitions as usize];
        Saved { history, end, ..saved }.restore()
    }
}

impl Offboard {
    /// The end of a game that stands here, if it cannot go on.
    fn end_of_standing(&self) -> Option<End> {
        // Of two that fit the first is the one that is tested first after a turn.
        let ends = [End::Points, End::QuietLimit, End::OutOfReach, End::NoMove];
        ends.into_iter().find(|&end| self.could_have_ended(end))
    }
}
