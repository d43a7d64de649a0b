//! Offboard: push the other colour's marbles off the board and onto the targets.
//!
//! The rules are in `docs/rules/offboard.md`; R1–R7 are its rulings.

mod action;
mod ahead;
mod apply;
mod geometry;
mod history;
mod info;
mod movegen;
mod notation;
mod options;
mod saved;
mod seen;
mod setup;
mod state;
mod view;

pub use action::Action;
pub use apply::Event;
pub use geometry::{CELLS, Cell, DEFAULT_VALUES, Direction, TARGETS};
pub use history::{Past, Repetitions};
pub use movegen::Legal;
pub use notation::START;
pub use options::{MARBLES_MAX, Options};
pub use saved::Saved;
pub use seen::Seen;
pub use setup::Setup;
pub use state::{End, Marble, Offboard};
pub use view::View;

use crate::chance::Chance;
use crate::error::{Faults, Illegal};
use crate::game::{Events, Game};
use crate::vocab::{
    ActionPlane, GameInfo, MAX_SEATS, ObservationField, Outcome, Seat, SeatSet, Viewer,
};

impl Game for Offboard {
    const INFO: GameInfo = info::INFO;

    type Options = Options;
    type Action = Action;
    type Legal<'a> = Legal;
    type Event = Event;
    type ShownEvent = Event;
    type View<'a> = View<'a>;
    type History = Repetitions;

    fn complete(options: &Options) -> Result<Options, Faults> {
        options.complete()
    }

    fn seats_of(_: &Options) -> usize {
        2
    }

    fn action_planes(_: &Options) -> Vec<ActionPlane> {
        info::action_planes()
    }

    fn observation_fields(_: &Options) -> Vec<ObservationField> {
        info::OBSERVATION.to_vec()
    }

    fn new(
        options: &Options,
        _: &mut impl Chance,
        _: &mut impl Events<Event>,
    ) -> (Self, Repetitions) {
        let setup = Setup::of_options(options).expect("complete options were checked");
        Self::at_start(&setup)
    }

    fn seats(&self) -> usize {
        2
    }

    fn actions(&self) -> usize {
        action::DECLINE_INDEX + 1
    }

    fn most_legal(&self) -> usize {
        MARBLES_MAX * Direction::ALL.len()
    }

    fn observation_bytes(&self) -> usize {
        info::OBSERVATION.iter().map(|field| field.size).sum()
    }

    fn actor(&self) -> Option<Seat> {
        self.end.is_none().then_some(self.to_act)
    }

    #[inline]
    fn legal(&self) -> Legal {
        self.legal_actions()
    }

    fn check(&self, action: Action) -> Result<(), Illegal> {
        self.check_action(action)
    }

    #[inline]
    fn apply_unchecked(
        &mut self,
        action: Action,
        history: &mut Repetitions,
        _: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        self.take(action, history, events);
    }

    /// With two seats a forfeit has ended the match before the game could.
    fn outcome(&self, _: SeatSet) -> Option<Outcome> {
        self.result()
    }

    fn scores(&self) -> arrayvec::ArrayVec<i32, MAX_SEATS> {
        self.scores.iter().map(|&score| score.into()).collect()
    }

    fn view<'a>(&'a self, history: &'a Repetitions, _: Viewer) -> View<'a> {
        View::of(self, history)
    }

    /// Everything is public.
    fn show(event: &Event, _: Viewer) -> Option<Event> {
        Some(*event)
    }

    /// Everything is public: the one state that agrees with the view.
    fn determinize(view: &View<'_>, _: &mut impl Chance) -> (Self, Repetitions) {
        (view.state.clone(), view.history.clone())
    }

    fn observe(view: &View<'_>, viewer: Viewer, observation: &mut [u8]) {
        view.observe(viewer, observation);
    }

    fn hash(&self) -> u64 {
        self.position_hash()
    }

    fn default_action(&self) -> Option<Action> {
        self.default()
    }

    fn index(&self, action: Action) -> usize {
        action.index()
    }

    fn action_at(&self, index: usize) -> Option<Action> {
        Action::at_index(index)
    }

    fn notation(&self, action: Action) -> String {
        action.to_string()
    }

    fn parse(&self, notation: &str) -> Result<Action, Faults> {
        Action::parse(notation)
    }

    fn position(&self) -> String {
        Setup::of_state(self).to_string()
    }
}
