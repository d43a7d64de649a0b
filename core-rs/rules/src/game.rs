//! The trait that a game implements.

use std::fmt::Debug;

use crate::chance::Chance;
use crate::error::{Faults, Illegal};
use crate::vocab::{ActionPlane, GameInfo, ObservationField, Outcome, Seat, SeatSet, Viewer};

/// The rules of one game; `Self` is the full state of a game at one moment.
///
/// A state is plain data, cheap to clone. It never holds what is yet to come: hidden piles are
/// pools, and a card is drawn from the [`Chance`] when it is needed. What a rule needs of earlier
/// positions lies beside the state, in [`Game::History`], so that searches need not copy it.
///
/// Functions that take an action and do not check it say so in their name; [`crate::Position`]
/// checks first and leaves everything untouched on error.
pub trait Game: Clone + Debug + PartialEq + Sized {
    /// What the game tells about itself.
    const INFO: GameInfo;

    /// The options of a match, as an untrusted caller gives them.
    type Options: Clone + Debug + Default + PartialEq;
    /// One decision of one seat.
    type Action: Copy + Debug + PartialEq;
    /// The legal actions of a state.
    type Legal<'a>: LegalSet<Action = Self::Action>
    where
        Self: 'a;
    /// What an action brought about: the full truth.
    type Event: Clone + Debug + PartialEq;
    /// What a viewer may know of an event.
    type ShownEvent: Clone + Debug + PartialEq;
    /// What a viewer may see of a state. Another type than the state, so that nothing is shown
    /// that was not put there. It may borrow what everybody sees.
    type View<'a>: Clone + Debug + PartialEq
    where
        Self: 'a;
    /// What the rules need of earlier positions.
    type History: History;

    /// Fills every default in and checks; lists every fault.
    fn complete(options: &Self::Options) -> Result<Self::Options, Faults>;

    /// How many seats the options ask for. They must have come from [`Game::complete`], here and
    /// in the functions below.
    fn seats_of(options: &Self::Options) -> usize;

    /// The layout of the action index, by rising offset, without gaps.
    fn action_planes(options: &Self::Options) -> Vec<ActionPlane>;

    /// The layout of the observation, by rising offset, without gaps.
    fn observation_fields(options: &Self::Options) -> Vec<ObservationField>;

    /// Sets a game up. The options must have come from [`Game::complete`].
    fn new(
        options: &Self::Options,
        chance: &mut impl Chance,
        events: &mut impl Events<Self::Event>,
    ) -> (Self, Self::History);

    /// The number of seats.
    fn seats(&self) -> usize;

    /// The number of indices of actions.
    fn actions(&self) -> usize;

    /// No more actions than this are ever legal at once.
    fn most_legal(&self) -> usize;

    /// The number of bytes of an observation.
    fn observation_bytes(&self) -> usize;

    /// The seat that must decide; none when the game is over.
    fn actor(&self) -> Option<Seat>;

    /// The legal actions; none when the game is over.
    fn legal(&self) -> Self::Legal<'_>;

    /// Whether an action is legal, and if not, which rule forbids it.
    fn check(&self, action: Self::Action) -> Result<(), Illegal>;

    /// Applies an action that the caller knows to be legal.
    fn apply_unchecked(
        &mut self,
        action: Self::Action,
        history: &mut Self::History,
        chance: &mut impl Chance,
        events: &mut impl Events<Self::Event>,
    );

    /// The outcome, when the game is over. Only the seats of the set can win: the others have
    /// forfeited (`common.md`, "Leaving and time").
    fn outcome(&self, left_in: SeatSet) -> Option<Outcome>;

    /// Notes that a seat has forfeited, for games whose course depends on it.
    fn forfeit(&mut self, _seat: Seat) {}

    /// The game's own score of each seat, now.
    fn scores(&self) -> arrayvec::ArrayVec<i32, { crate::vocab::MAX_SEATS }>;

    /// What a viewer may see, built up from "Who sees what" of the rules.
    fn view<'a>(&'a self, history: &'a Self::History, viewer: Viewer) -> Self::View<'a>;

    /// What a viewer may know of an event.
    fn show(event: &Self::Event, viewer: Viewer) -> Option<Self::ShownEvent>;

    /// A state drawn at random among those that agree with a view. It reads nothing else.
    fn determinize(view: &Self::View<'_>, chance: &mut impl Chance) -> (Self, Self::History);

    /// Writes a view as the bytes of [`Game::observation_fields`], from `viewer`'s side of the table.
    fn observe(view: &Self::View<'_>, viewer: Viewer, observation: &mut [u8]);

    /// A 64-bit hash: equal positions hash alike, by whatever route they were reached.
    fn hash(&self) -> u64;

    /// The action that is taken for an absent actor; none when the game is over.
    fn default_action(&self) -> Option<Self::Action>;

    /// The dense index of an action.
    fn index(&self, action: Self::Action) -> usize;

    /// The action of a dense index, legal or not; none if the index names no action here.
    fn action_at(&self, index: usize) -> Option<Self::Action>;

    /// The notation of an action.
    fn notation(&self, action: Self::Action) -> String;

    /// The action that a text names, legal or not.
    fn parse(&self, notation: &str) -> Result<Self::Action, Faults>;

    /// The position in the notation of the rules. Full truth.
    fn position(&self) -> String;
}

/// Places behind a list of indices that may be written to in vain.
pub const LIST_MARGIN: usize = 24;

/// The legal actions of a state, in the order of their indices.
pub trait LegalSet {
    /// The game's action.
    type Action;

    /// How many there are.
    fn count(&self) -> usize;

    /// The action of this rank; the rank must be below [`LegalSet::count`].
    fn nth(&self, rank: usize) -> Self::Action;

    /// Calls `visit` with each action.
    fn for_each(&self, visit: impl FnMut(Self::Action));

    /// Writes the indices, rising, to the beginning of the slice and returns how many. The slice
    /// must have [`LIST_MARGIN`] more places than [`Game::most_legal`]; what lies behind them may be written to.
    fn write_indices(&self, indices: &mut [u16]) -> usize;

    /// Sets bit i of the mask for each legal index i, least significant bit first. The mask must
    /// have a byte for every eight of [`Game::actions`] and be zero.
    fn write_mask(&self, mask: &mut [u8]);
}

/// Takes the events of an action.
pub trait Events<E> {
    /// Takes one event. The closure is not called where nobody wants to know.
    fn emit(&mut self, event: impl FnOnce() -> E);
}

/// Nobody wants to know.
impl<E> Events<E> for () {
    #[inline(always)]
    fn emit(&mut self, _: impl FnOnce() -> E) {}
}

impl<E> Events<E> for Vec<E> {
    fn emit(&mut self, event: impl FnOnce() -> E) {
        self.push(event());
    }
}

/// What the rules need of earlier positions: a stack that a search can wind back.
pub trait History: Clone + Debug + Default + PartialEq {
    /// A moment to wind back to.
    type Mark: Copy;

    /// The present moment.
    fn mark(&self) -> Self::Mark;

    /// Forgets everything after the moment.
    fn rewind(&mut self, mark: Self::Mark);
}

/// For games whose rules look at the present only.
impl History for () {
    type Mark = ();

    fn mark(&self) {}

    fn rewind(&mut self, (): ()) {}
}
