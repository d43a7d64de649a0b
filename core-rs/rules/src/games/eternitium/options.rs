//! The options of a match of Eternitium.

use super::cards::{CARDS, Card, Type};
use crate::error::Faults;

/// The most seats.
pub(super) const MAX_PLAYERS: usize = 5;
/// Kinds in the market: Droid is not among them.
pub(super) const FOR_SALE: usize = CARDS - FIRST_FOR_SALE;
const FIRST_FOR_SALE: usize = 5;
/// The most copies of a kind.
pub(super) const MAX_COPIES: u32 = 10;

/// The options as a caller gives them; what is left out takes its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seats, 2–5.
    pub seats: Option<u32>,
    /// Eras of each stack, 3–11.
    pub eras_per_seat: Option<u32>,
    /// Copies of technologies in the market, 0–10; those left out keep their default.
    pub technology_copies: Vec<(Card, u32)>,
    /// R12: rounds, 5–1000.
    pub max_rounds: Option<u32>,
}

/// The options, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) seats: u8,
    pub(super) eras_per_seat: u8,
    copies: [u8; FOR_SALE],
    pub(super) max_rounds: u16,
}

impl Rules {
    /// Checks the options; lists every fault.
    pub(super) fn new(options: &Options) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let mut number = |field: &str, value: Option<u32>, default, low, high| {
            let value = value.unwrap_or(default);
            if !(low..=high).contains(&value) {
                faults.add(&path(field), value, format!("a number from {low} to {high}"));
            }
            value
        };
        let seats = number("seats", options.seats, 2, 2, MAX_PLAYERS as u32);
        let eras = match seats {
            4 => 9,
            5 => 8,
            _ => 10,
        };
        let rules = Self {
            seats: seats as u8,
            eras_per_seat: number("eras_per_seat", options.eras_per_seat, eras, 3, 11) as u8,
            max_rounds: number("max_rounds", options.max_rounds, 50, 5, 1_000) as u16,
            copies: read_copies(&options.technology_copies, &mut faults),
        };
        let basics: u32 = Type::Basic.cards().map(|card| rules.copies(card) as u32).sum();
        if basics < seats {
            let expected = format!("at least {seats} Basics, one for each seat");
            faults.add(&path("technology_copies"), basics, expected);
        }
        faults.or(rules)
    }

    /// The options with every default filled in.
    pub(super) fn options(&self) -> Options {
        let copies = |card| (card, self.copies(card) as u32);
        Options {
            seats: Some(self.seats.into()),
            eras_per_seat: Some(self.eras_per_seat.into()),
            technology_copies: Card::all().filter(|card| card.is_for_sale()).map(copies).collect(),
            max_rounds: Some(self.max_rounds.into()),
        }
    }

    /// Copies of a technology in the market.
    #[inline]
    pub(super) fn copies(&self, card: Card) -> usize {
        card.number().checked_sub(FIRST_FOR_SALE).map_or(0, |place| self.copies[place].into())
    }

    #[inline]
    pub(super) fn seats(&self) -> usize {
        self.seats.into()
    }
}

fn read_copies(given: &[(Card, u32)], faults: &mut Faults) -> [u8; FOR_SALE] {
    let mut copies = [0; FOR_SALE];
    for card in Card::all().filter(|card| card.is_for_sale()) {
        copies[card.number() - FIRST_FOR_SALE] = card.kind().copies;
    }
    for (number, &(card, wanted)) in given.iter().enumerate() {
        let field = |name: &str| path(&format!("technology_copies[{number}].{name}"));
        let is_again = given[..number].iter().any(|(other, _)| *other == card);
        if !card.is_for_sale() || is_again {
            faults.add(&field("card"), card.name(), "a technology other than Droid, named once");
        } else if wanted > MAX_COPIES {
            faults.add(&field("copies"), wanted, format!("a number from 0 to {MAX_COPIES}"));
        } else {
            copies[card.number() - FIRST_FOR_SALE] = wanted as u8;
        }
    }
    copies
}

/// The path of a field from the root of the options message.
pub(super) fn path(field: &str) -> String {
    format!("eternitium.{field}")
}
