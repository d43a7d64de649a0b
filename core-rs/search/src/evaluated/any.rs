//! Trees of any game.

use rayon::ThreadPool;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{AnyPosition, Faults};

use super::{Answers, Forest, Leaves, Plan};
use crate::batch::Widths;

/// Trees of any game.
#[derive(Clone)]
pub enum AnyForest {
    /// Offboard.
    Offboard(Forest<Offboard>),
    /// OffTrack.
    OffTrack(Forest<OffTrack>),
    /// Eternitium.
    Eternitium(Forest<Eternitium>),
    /// Off the Rails.
    OffTheRails(Forest<OffTheRails>),
}

macro_rules! for_forest {
    ($any:expr, $forest:ident => $body:expr) => {
        match $any {
            AnyForest::Offboard($forest) => $body,
            AnyForest::OffTrack($forest) => $body,
            AnyForest::Eternitium($forest) => $body,
            AnyForest::OffTheRails($forest) => $body,
        }
    };
}

macro_rules! forest_of {
    ($game:ident, $positions:expr, $plan:expr) => {{
        let same = $positions.into_iter().enumerate().map(|(place, any)| match any {
            AnyPosition::$game(position) => Ok(position),
            _ => Err(place),
        });
        Forest::new(&same.collect::<Result<Vec<_>, _>>()?, $plan).map(Self::$game)
    }};
}

/// The functions of [`Forest`].
impl AnyForest {
    /// A tree for each position. The first that is of another game or layout than the first is
    /// refused, and so is having none.
    pub fn new(positions: Vec<AnyPosition>, plan: Plan) -> Result<Self, usize> {
        match positions.first() {
            Some(AnyPosition::Offboard(_)) => forest_of!(Offboard, positions, plan),
            Some(AnyPosition::OffTrack(_)) => forest_of!(OffTrack, positions, plan),
            Some(AnyPosition::Eternitium(_)) => forest_of!(Eternitium, positions, plan),
            Some(AnyPosition::OffTheRails(_)) => forest_of!(OffTheRails, positions, plan),
            None => Err(0),
        }
    }

    /// How many trees there are.
    pub fn size(&self) -> usize {
        for_forest!(self, forest => forest.size())
    }

    /// How actions and observations are laid out.
    pub fn widths(&self) -> &Widths {
        for_forest!(self, forest => forest.widths())
    }

    /// Finds the leaves of the next round.
    pub fn gather(&mut self, pool: Option<&ThreadPool>, stop: &(dyn Fn() -> bool + Sync)) -> usize {
        for_forest!(self, forest => forest.gather(pool, stop))
    }

    /// How many leaves wait for an answer.
    pub fn waiting(&self) -> usize {
        for_forest!(self, forest => forest.waiting())
    }

    /// Writes the leaves.
    pub fn write(&self, leaves: Leaves<'_>) {
        for_forest!(self, forest => forest.write(leaves));
    }

    /// Takes the answers to all leaves.
    pub fn answer(
        &mut self,
        answers: Answers<'_>,
        pool: Option<&ThreadPool>,
    ) -> Result<(), Faults> {
        for_forest!(self, forest => forest.answer(answers, pool))
    }

    /// Writes visits and values of the roots' actions.
    pub fn write_actions(&self, visits: &mut [u8], values: &mut [u8]) {
        for_forest!(self, forest => forest.write_actions(visits, values));
    }

    /// Writes what each seat may expect of each root.
    pub fn write_returns(&self, returns: &mut [u8]) {
        for_forest!(self, forest => forest.write_returns(returns));
    }

    /// Who decides at each root.
    pub fn actors(&self) -> Vec<Option<usize>> {
        for_forest!(self, forest => forest.actors())
    }

    /// No more actions than this are ever legal at once.
    pub fn most_legal(&self) -> usize {
        for_forest!(self, forest => forest.most_legal())
    }

    /// The line of each root that was gone most often.
    pub fn lines(&self) -> Vec<Vec<u16>> {
        for_forest!(self, forest => forest.lines())
    }
}
