//! The cards: symbols, and the table of all kinds of Portals and technologies.
//!
//! A new kind is a row of [`KINDS`] and at most one [`Effect`].

use std::fmt::{self, Display, Write};

/// Kinds of Portals and technologies.
pub const CARDS: usize = KINDS.len();
/// Kinds of each type of technology.
pub(super) const OF_TYPE: usize = 7;
/// Symbols.
pub const SYMBOLS: usize = 4;

/// A symbol: an Era is nothing else.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Symbol {
    Circle,
    Square,
    Triangle,
    Diamond,
}

impl Symbol {
    /// All symbols, in order.
    pub const ALL: [Self; SYMBOLS] = [Self::Circle, Self::Square, Self::Triangle, Self::Diamond];

    /// Its letter in notation.
    pub(super) fn letter(self) -> char {
        ['c', 's', 't', 'd'][self as usize]
    }

    /// The Portal that has it alone.
    pub fn portal(self) -> Card {
        Card(self as u8)
    }
}

impl Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter())
    }
}

/// The two types of technologies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Type {
    Basic,
    Advanced,
}

impl Type {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Basic, Self::Advanced];

    /// Its kinds, by their number within the type.
    pub(super) fn cards(self) -> impl Iterator<Item = Card> {
        (0..OF_TYPE).map(move |number| self.card(number))
    }

    /// The kind of a number within the type.
    #[inline]
    pub(super) fn card(self, number: usize) -> Card {
        let first = if self == Self::Basic { SYMBOLS } else { SYMBOLS + OF_TYPE };
        Card((first + number) as u8)
    }
}

/// What a card is played on, and what must hold for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// The top of the own Era stack, as a Portal.
    Era,
    /// The own top Era, face down.
    FaceDownEra,
    /// The own Era stack, not empty.
    Stack,
    /// The turn: not an extra turn, and not twice in a turn.
    Turn,
    /// Nothing.
    None,
    /// An opponent with Eras.
    Opponent,
    /// An opponent with Eras, while the own stack is not empty.
    OpponentAndStack,
    /// An opponent with Eras, while the own top Era is face up.
    OpponentAndFaceUpEra,
    /// Another card in hand, while the seat owns at least seven.
    OtherCard,
}

impl Target {
    /// Whether an opponent is chosen.
    pub(super) const fn is_seat(self) -> bool {
        matches!(self, Self::Opponent | Self::OpponentAndStack | Self::OpponentAndFaceUpEra)
    }

    /// Whether nothing is chosen.
    pub(super) const fn is_implied(self) -> bool {
        !self.is_seat() && !matches!(self, Self::OtherCard)
    }
}

/// What playing a card does, one thing after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// The own top Era is turned face up.
    TurnUp,
    /// So many cards are drawn.
    Draw(u8),
    /// The opponent's top Era is turned face down, its stack shuffled.
    Cover,
    /// The same for every opponent.
    CoverAll,
    /// The own and the opponent's top Era change places.
    Exchange,
    /// The other card is removed from the game.
    RemoveOther,
    /// The seat takes one more turn.
    ExtraTurn,
    /// The seat sees its top two Eras and puts one on top.
    Look,
    /// The own top Era goes under the opponent's stack.
    Exile,
}

/// What holds for a kind of card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// In notation.
    pub(super) letter: char,
    /// In messages and options.
    pub(super) name: &'static str,
    /// Copies in the market by default.
    pub(super) copies: u8,
    pub(super) target: Target,
    /// As a Portal: the symbols that it matches, as bits.
    pub(super) opens: u8,
    /// As a Portal: whether a face-down Era that does not match is only turned face up.
    pub(super) is_safe: bool,
    /// What it does; as a Portal: when the Era has left the game.
    pub(super) effects: &'static [Effect],
}

const ALL_SYMBOLS: u8 = 0b1111;

/// All kinds by number: the Portals, seven Basic and seven Advanced technologies.
pub(super) const KINDS: [Kind; SYMBOLS + 2 * OF_TYPE] = {
    use Effect::*;
    [
        portal('c', "CIRCLE_PORTAL", 0, 0b0001),
        portal('s', "SQUARE_PORTAL", 0, 0b0010),
        portal('t', "TRIANGLE_PORTAL", 0, 0b0100),
        portal('d', "DIAMOND_PORTAL", 0, 0b1000),
        kind('D', "DROID", 0, Target::FaceDownEra, &[TurnUp]),
        Kind { is_safe: true, ..portal('P', "TWIN_CIRCLE_SQUARE", 4, 0b0011) },
        Kind { is_safe: true, ..portal('Q', "TWIN_TRIANGLE_DIAMOND", 4, 0b1100) },
        kind('V', "VEIL", 4, Target::Opponent, &[Cover, TurnUp]),
        kind('C', "COURIER", 4, Target::None, &[TurnUp, Draw(1)]),
        kind('X', "EXCHANGE", 4, Target::OpponentAndStack, &[Exchange, TurnUp]),
        kind('R', "RECYCLER", 4, Target::OtherCard, &[RemoveOther, TurnUp, Draw(1)]),
        Kind { effects: &[Draw(1)], ..portal('O', "OMNI_PORTAL", 3, ALL_SYMBOLS) },
        kind('L', "TIME_LOOP", 2, Target::Turn, &[ExtraTurn]),
        kind('N', "SCANNER", 2, Target::Stack, &[Look]),
        kind('M', "STORM", 2, Target::None, &[CoverAll, TurnUp, Draw(1)]),
        kind('G', "SURGE", 3, Target::None, &[Draw(5)]),
        kind('W', "WORKSHOP", 2, Target::None, &[TurnUp, Draw(2)]),
        kind('E', "EXILE", 2, Target::OpponentAndFaceUpEra, &[Exile]),
    ]
};

const fn kind(
    letter: char,
    name: &'static str,
    copies: u8,
    target: Target,
    effects: &'static [Effect],
) -> Kind {
    Kind { letter, name, copies, target, opens: 0, is_safe: false, effects }
}

const fn portal(letter: char, name: &'static str, copies: u8, opens: u8) -> Kind {
    Kind { opens, ..kind(letter, name, copies, Target::Era, &[]) }
}

/// A kind of Portal or technology.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// The starters' Droid.
    pub const DROID: Self = Self(SYMBOLS as u8);

    /// The kind of a number, if there is one.
    pub fn new(number: usize) -> Option<Self> {
        (number < CARDS).then_some(Self(number as u8))
    }

    /// All kinds, by number.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CARDS as u8).map(Self)
    }

    /// Its number.
    #[inline]
    pub fn number(self) -> usize {
        self.0.into()
    }

    /// The type of a technology; none for the four Portals.
    #[inline]
    pub fn type_of(self) -> Option<Type> {
        match self.number() {
            number if number < SYMBOLS => None,
            number if number < SYMBOLS + OF_TYPE => Some(Type::Basic),
            _ => Some(Type::Advanced),
        }
    }

    /// Its name, in capitals.
    pub fn name(self) -> &'static str {
        self.kind().name
    }

    /// Whether it is in the market: a technology other than Droid.
    pub fn is_for_sale(self) -> bool {
        self > Self::DROID
    }

    /// The number of a technology within its type.
    #[inline]
    pub(super) fn in_type(self) -> usize {
        (self.number() - SYMBOLS) % OF_TYPE
    }

    #[inline]
    pub(super) fn kind(self) -> &'static Kind {
        &KINDS[self.number()]
    }

    /// Whether it is a Portal that matches an Era.
    #[inline]
    pub(super) fn opens(self, era: Symbol) -> bool {
        self.kind().opens >> era as u8 & 1 == 1
    }

    /// The kind of a letter.
    pub(super) fn parse(letter: char) -> Option<Self> {
        Self::all().find(|card| card.kind().letter == letter)
    }
}

impl Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.kind().letter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_counts_hold() {
        let copies = |of: Type| of.cards().map(|card| card.kind().copies).sum::<u8>();
        // The five Droids are starters, one for each of five seats.
        assert_eq!(copies(Type::Basic) + 5, 29);
        assert_eq!(copies(Type::Advanced), 16);
    }

    #[test]
    fn kinds_are_named_apart_and_belong_to_their_type() {
        for card in Card::all() {
            assert_eq!(Card::parse(card.kind().letter), Some(card));
            if let Some(of) = card.type_of() {
                assert_eq!(of.card(card.in_type()), card);
            }
        }
    }
}
