//! How actions and the parts of a step are packed: fixed widths, slot after slot.

use tablestate_rules::Game;

/// What a step can show of each slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The seat that must decide now, a byte; [`super::NO_ACTOR`] when the game is over.
    Actors,
    /// A byte of [`super::OVER`], [`super::REFUSED`] and [`super::RESET`].
    Flags,
    /// The index of the action that was taken, two bytes; [`super::NO_ACTION`] when none was.
    Actions,
    /// Each seat's return as a float of four bytes; zeros while the game goes on.
    Returns,
    /// The mask of the legal actions: bit i = index i, least significant first.
    Masks,
    /// The game's observation.
    Observations,
}

impl Part {
    /// How many there are.
    pub const COUNT: usize = 6;
    /// All parts, in their order.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Actors, Self::Flags, Self::Actions, Self::Returns, Self::Masks, Self::Observations];
}

/// How many bytes a slot takes in each part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Widths {
    /// The number of indices of actions.
    pub actions: usize,
    /// The number of seats.
    pub seats: usize,
    bytes: [usize; Part::COUNT],
}

impl Widths {
    pub(crate) fn of<G: Game>(state: &G) -> Self {
        let (actions, seats) = (state.actions(), state.seats());
        let bytes = [1, 1, 2, 4 * seats, actions.div_ceil(8), state.observation_bytes()];
        Self { actions, seats, bytes }
    }

    /// Bytes of a part in each slot.
    pub fn of_part(&self, part: Part) -> usize {
        self.bytes[part as usize]
    }
}

/// Where a step writes: for each part a slice of as many bytes as the slots take, or an empty
/// slice if the part is not wanted. Numbers are written least significant byte first.
#[derive(Default)]
pub struct Parts<'a> {
    slices: [&'a mut [u8]; Part::COUNT],
}

impl<'a> Parts<'a> {
    /// Parts in the order of [`Part::ALL`].
    pub fn new(slices: [&'a mut [u8]; Part::COUNT]) -> Self {
        Self { slices }
    }

    /// The first part whose length fits neither the slots nor an unwanted part.
    pub fn misfit(&self, slots: usize, widths: &Widths) -> Option<Part> {
        let fits = |part: &Part| {
            let length = self.slices[*part as usize].len();
            length == 0 || length == slots * widths.of_part(*part)
        };
        Part::ALL.into_iter().find(|part| !fits(part))
    }

    /// The bytes of a slot in a part, if the part is wanted.
    #[inline]
    pub(super) fn at(&mut self, part: Part, widths: &Widths, slot: usize) -> Option<&mut [u8]> {
        let width = widths.of_part(part);
        self.slices[part as usize].get_mut(slot * width..(slot + 1) * width)
    }

    pub(super) fn split_at(self, slots: usize, widths: &Widths) -> (Self, Self) {
        let (mut head, mut rest) = (Self::default(), Self::default());
        for (part, slice) in Part::ALL.into_iter().zip(self.slices) {
            let wanted = if slice.is_empty() { 0 } else { slots * widths.of_part(part) };
            (head.slices[part as usize], rest.slices[part as usize]) = slice.split_at_mut(wanted);
        }
        (head, rest)
    }
}

/// How actions are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Not at all: nothing is done.
    None,
    /// By their dense index, two bytes.
    Index,
    /// By their rank among the legal actions, by rising index, two bytes.
    Rank,
    /// By a number x of four bytes, which takes the legal action of rank x · count ÷ 2³²: with
    /// uniform numbers every legal action is as likely, to within count ÷ 2³².
    Draw,
}

impl Form {
    /// Bytes of an action.
    pub fn width(self) -> usize {
        match self {
            Self::None => 0,
            Self::Index | Self::Rank => 2,
            Self::Draw => 4,
        }
    }

    #[inline]
    pub(super) fn code(bytes: &[u8]) -> u32 {
        bytes.iter().rev().fold(0, |code, &byte| code << 8 | u32::from(byte))
    }
}

/// An action for every slot, packed least significant byte first.
#[derive(Clone, Copy, Debug)]
pub struct Actions<'a> {
    /// How they are named.
    pub form: Form,
    /// [`Form::width`] bytes for every slot.
    pub bytes: &'a [u8],
}

impl Actions<'_> {
    pub(super) const NONE: Self = Self { form: Form::None, bytes: &[] };
}
