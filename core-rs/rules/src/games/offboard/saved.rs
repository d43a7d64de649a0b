//! Saving a game at any moment and going on from it.

use super::geometry::ALL;
use super::history::{Past, Repetitions};
use super::notation::Board;
use super::options::{Options, path};
use super::setup::Setup;
use super::state::{End, Offboard};
use crate::error::Faults;
use crate::position::Position;

/// Everything that a position holds, as an untrusted caller gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The options; their `position` is not looked at.
    pub options: Options,
    /// The position now, in notation.
    pub position: String,
    /// R4: the positions since the last score, oldest first.
    pub history: Vec<Past>,
    /// Why the game is over.
    pub end: Option<End>,
}

impl Saved {
    /// Saves a position.
    pub fn of(position: &Position<Offboard>) -> Self {
        let state = position.state();
        Self {
            options: Options {
                points_to_win: Some(state.points_to_win.into()),
                quiet_limit: Some(state.quiet_limit.into()),
                position: None,
                target_values: state.values.map(u32::from).to_vec(),
            },
            position: Setup::of_state(state).to_string(),
            history: position.history().current().to_vec(),
            end: state.end(),
        }
    }

    /// The position that was saved; lists every fault.
    pub fn restore(&self) -> Result<Position<Offboard>, Faults> {
        let setup = self.setup()?;
        let mut faults = Faults::default();
        let mut state = Offboard::of_setup(&setup);
        match self.end {
            None => setup.check(&mut faults),
            Some(end) if state.could_have_ended(end) => state.end = Some(end),
            Some(end) => faults.add(&path("end"), format!("{end:?}"), "an end that fits"),
        }
        if self.history.len() > usize::from(setup.quiet_turns) + 1 {
            let expected = "no more positions than quiet turns, and one";
            faults.add(&path("history"), self.history.len(), expected);
            return Err(faults);
        }
        let mut history = Repetitions::default();
        let mut thirds = 0;
        for past in &self.history {
            thirds += usize::from(history.note(*past));
        }
        if thirds > usize::from(self.end == Some(End::Repetition)) {
            faults.add(&path("history"), thirds, "no position for the third time");
        }
        faults.or(Position::from_parts(state, history))
    }

    pub(super) fn setup(&self) -> Result<Setup, Faults> {
        let mut faults = Faults::default();
        // The numbers are checked as for a new match, with the start of the rules.
        let options = Options { position: None, ..self.options.clone() };
        let numbers = Setup::of_options(&options).map_err(|more| faults.extend(more));
        let board = Board::parse(&self.position).map_err(|more| faults.extend(more));
        match (numbers, board) {
            (Ok(numbers), Ok(board)) => {
                Ok(Setup::new(board, numbers.points_to_win, numbers.quiet_limit, numbers.values))
            }
            _ => Err(faults),
        }
    }
}

impl Offboard {
    /// Whether a game that stands here can have ended for this reason.
    pub(super) fn could_have_ended(&self, end: End) -> bool {
        let scored = |seat: usize| self.scores[seat] >= self.points_to_win;
        let to_act = self.to_act.index();
        match end {
            End::Points => scored(to_act) && !scored(to_act ^ 1),
            _ if scored(0) || scored(1) => false,
            End::Repetition => true,
            End::QuietLimit => self.quiet_turns == self.quiet_limit,
            End::OutOfReach => self.is_out_of_reach(),
            End::NoMove => !self.recovering && !self.has_move(),
        }
    }
}

impl Past {
    /// A position of the past; none if no such position can stand.
    pub fn new(red: u64, yellow: u64, actor: usize, recovering: bool) -> Option<Self> {
        let possible = (red | yellow) & !ALL == 0 && red & yellow == 0 && actor < 2;
        let signs = (actor as u64) << 61 | u64::from(recovering) << 62;
        possible.then_some(Self { red: red | signs, yellow })
    }

    /// Red marbles, yellow marbles, the seat to act, and whether it has a recovery to choose.
    pub fn parts(self) -> (u64, u64, usize, bool) {
        let Self { red, yellow } = self;
        (red & ALL, yellow, (red >> 61 & 1) as usize, red >> 62 & 1 == 1)
    }
}
