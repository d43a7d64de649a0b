//! OffTrack: harvest the front of a collapsing branch.
//!
//! The rules are in `docs/rules/offtrack.md`; R1–R20 are its rulings.

mod action;
mod apply;
mod cards;
mod event;
mod info;
mod lines;
mod movegen;
mod notation;
mod observe;
mod options;
mod plays;
mod saved;
mod seen;
mod state;
mod view;

pub use action::{Action, Play, Spot};
pub use cards::{Card, CardSet, HAND, Hand, MAX_TYPES};
pub use event::{Event, EventOf, ShownEvent};
pub use lines::Lines;
pub use options::{Options, Scoring};
pub use saved::{Saved, SavedLine, SavedSeat};
pub use seen::Seen;
pub use state::{ActionCard, OffTrack, Step};
pub use view::{Own, View};

use crate::chance::Chance;
use crate::error::{Faults, Illegal};
use crate::game::{Events, Game, LegalSet};
use crate::vocab::{
    ActionPlane, GameInfo, MAX_SEATS, ObservationField, Outcome, Seat, SeatSet, Viewer,
};
use movegen::LegalMask;
use options::Rules;

/// The legal decisions of a state.
#[derive(Clone, Debug)]
pub struct Legal<'a> {
    state: &'a OffTrack,
    mask: LegalMask,
}

impl Game for OffTrack {
    const INFO: GameInfo = info::INFO;

    type Options = Options;
    type Action = Action;
    type Legal<'a> = Legal<'a>;
    type Event = Event;
    type ShownEvent = ShownEvent;
    type View<'a> = View;
    type History = ();

    fn complete(options: &Options) -> Result<Options, Faults> {
        Rules::new(options).map(|rules| rules.options())
    }

    fn seats_of(options: &Options) -> usize {
        rules(options).seats()
    }

    fn action_planes(options: &Options) -> Vec<ActionPlane> {
        info::action_planes(&rules(options))
    }

    fn observation_fields(options: &Options) -> Vec<ObservationField> {
        observe::fields(&rules(options))
    }

    fn new(
        options: &Options,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) -> (Self, ()) {
        (Self::at_start(rules(options), chance, events), ())
    }

    fn seats(&self) -> usize {
        self.rules.seats()
    }

    fn actions(&self) -> usize {
        self.layout().size()
    }

    /// A bound that needs no thought: never more than there are.
    fn most_legal(&self) -> usize {
        self.actions()
    }

    fn observation_bytes(&self) -> usize {
        observe::size(&self.rules)
    }

    #[inline]
    fn actor(&self) -> Option<Seat> {
        (self.step != Step::Over).then_some(self.to_act)
    }

    #[inline]
    fn legal(&self) -> Legal<'_> {
        Legal { state: self, mask: self.legal_mask() }
    }

    fn check(&self, action: Action) -> Result<(), Illegal> {
        self.check_action(action)
    }

    #[inline]
    fn apply_unchecked(
        &mut self,
        action: Action,
        (): &mut (),
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        self.take(action, chance, events);
    }

    fn outcome(&self, left_in: SeatSet) -> Option<Outcome> {
        self.result(left_in)
    }

    fn scores(&self) -> arrayvec::ArrayVec<i32, MAX_SEATS> {
        self.totals()
    }

    fn view(&self, (): &(), viewer: Viewer) -> View {
        View::of(self, viewer)
    }

    fn show(event: &Event, viewer: Viewer) -> Option<ShownEvent> {
        Some(event.shown_to(viewer))
    }

    fn determinize(view: &View, chance: &mut impl Chance) -> (Self, ()) {
        (view.determinize(chance), ())
    }

    fn observe(view: &View, viewer: Viewer, observation: &mut [u8]) {
        view.observe(viewer, observation);
    }

    fn hash(&self) -> u64 {
        self.state_hash()
    }

    fn default_action(&self) -> Option<Action> {
        self.default()
    }

    fn index(&self, action: Action) -> usize {
        self.index_of(action)
    }

    #[inline]
    fn action_at(&self, index: usize) -> Option<Action> {
        self.action_of(index)
    }

    fn notation(&self, action: Action) -> String {
        self.write_action(action)
    }

    fn parse(&self, notation: &str) -> Result<Action, Faults> {
        self.read_action(notation)
    }

    fn position(&self) -> String {
        self.write_position()
    }
}

/// The rules of complete options.
fn rules(options: &Options) -> Rules {
    Rules::new(options).expect("complete options were checked")
}

impl LegalSet for Legal<'_> {
    type Action = Action;

    #[inline]
    fn count(&self) -> usize {
        self.mask.count()
    }

    #[inline]
    fn nth(&self, rank: usize) -> Action {
        self.action(self.mask.nth(rank))
    }

    fn for_each(&self, mut visit: impl FnMut(Action)) {
        self.mask.iter().for_each(|index| visit(self.action(index)));
    }

    fn write_indices(&self, indices: &mut [u16]) -> usize {
        let mut length = 0;
        for (place, index) in indices.iter_mut().zip(self.mask.iter()) {
            *place = index as u16;
            length += 1;
        }
        length
    }

    fn write_mask(&self, mask: &mut [u8]) {
        self.mask.write_bytes(mask);
    }
}

impl Legal<'_> {
    #[inline]
    fn action(&self, index: usize) -> Action {
        self.state.action_of(index).expect("a legal index names an action")
    }
}
