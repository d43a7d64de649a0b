//! Off the Rails: lay track, fetch the jewels, and be gone before the Chasm takes the board.
//!
//! The rules are in `docs/rules/off_the_rails.md`; R1–R37 are its rulings.

mod action;
mod cart;
mod chasm;
mod collision;
mod course;
mod deck;
mod determinize;
mod event;
mod geometry;
mod info;
mod jewels;
mod missions;
mod motion;
mod movegen;
mod notation;
mod observe;
mod options;
mod position;
mod preview;
mod saved;
mod seen;
mod setup;
mod sound;
mod state;
mod track;
mod view;

pub use action::{Action, Change, Hand, SurfaceSquare};
pub use cart::{Cart, CartName, Colour, Place};
pub use event::{Event, EventOf, Hands, ShownEvent};
pub use geometry::{Mine, Side, Square};
pub use jewels::{Jewel, Jewels};
pub use missions::{Deeds, Mission, Missions};
pub use options::{Board, Options};
pub use preview::{Preview, PreviewEnd, Previews};
pub use saved::{
    Saved, SavedCart, SavedCollision, SavedDeeds, SavedDrawn, SavedMotion, SavedPlace, SavedPlayer,
    SavedSquare, SavedTable,
};
pub use seen::Seen;
pub use state::{Collision, Drawn, Motion, OffTheRails, Step, Table, TakenFrom};
pub use track::Track;
pub use view::View;

use crate::chance::Chance;
use crate::error::{Faults, Illegal};
use crate::game::{Events, Game, LegalSet};
use crate::vocab::{
    ActionPlane, GameInfo, MAX_SEATS, ObservationField, Outcome, Seat, SeatSet, Viewer,
};
use course::Course;
use movegen::LegalMask;
use options::Rules;

/// The legal decisions of a state.
#[derive(Clone, Debug)]
pub struct Legal<'a> {
    state: &'a OffTheRails,
    mask: LegalMask,
}

impl Game for OffTheRails {
    const INFO: GameInfo = info::INFO;

    type Options = Options;
    type Action = Action;
    type Legal<'a> = Legal<'a>;
    type Event = Event;
    type ShownEvent = ShownEvent;
    type View<'a> = View<'a>;
    type History = ();

    fn complete(options: &Options) -> Result<Options, Faults> {
        Rules::new(options).map(|rules| rules.options())
    }

    fn seats_of(options: &Options) -> usize {
        rules(options).seats()
    }

    fn action_planes(options: &Options) -> Vec<ActionPlane> {
        info::action_planes(rules(options).geometry())
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
        self.table.seats()
    }

    fn actions(&self) -> usize {
        self.table.layout().len()
    }

    /// A bound that needs no thought: never more than there are.
    fn most_legal(&self) -> usize {
        self.actions()
    }

    fn observation_bytes(&self) -> usize {
        observe::size(&self.table.rules)
    }

    #[inline]
    fn actor(&self) -> Option<Seat> {
        self.table.decider()
    }

    #[inline]
    fn legal(&self) -> Legal<'_> {
        Legal { state: self, mask: self.table.legal_mask() }
    }

    fn check(&self, action: Action) -> Result<(), Illegal> {
        self.table.check_action(action)
    }

    #[inline]
    fn apply_unchecked(
        &mut self,
        action: Action,
        (): &mut (),
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        Course { state: self, chance, events }.take(action);
    }

    fn outcome(&self, left_in: SeatSet) -> Option<Outcome> {
        self.table.result(left_in)
    }

    fn scores(&self) -> arrayvec::ArrayVec<i32, MAX_SEATS> {
        self.table.scores()
    }

    fn view(&self, (): &(), viewer: Viewer) -> View<'_> {
        View::of(self, viewer)
    }

    fn show(event: &Event, viewer: Viewer) -> Option<ShownEvent> {
        Some(event.shown_to(viewer))
    }

    fn determinize(view: &View<'_>, chance: &mut impl Chance) -> (Self, ()) {
        (view.determinize(chance), ())
    }

    fn observe(view: &View<'_>, viewer: Viewer, observation: &mut [u8]) {
        view.observe(viewer, observation);
    }

    fn hash(&self) -> u64 {
        self.state_hash()
    }

    fn default_action(&self) -> Option<Action> {
        self.table.default()
    }

    fn index(&self, action: Action) -> usize {
        self.index_of(action)
    }

    #[inline]
    fn action_at(&self, index: usize) -> Option<Action> {
        self.action_of(index)
    }

    fn notation(&self, action: Action) -> String {
        notation::write_action(self.table.geometry(), action)
    }

    fn parse(&self, notation: &str) -> Result<Action, Faults> {
        notation::read_action(self.table.geometry(), notation)
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
        self.mask.write_indices(indices)
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
