//! The decisions of Eternitium and their index.

use super::cards::{CARDS, Card, KINDS, SYMBOLS, Symbol};
use super::stack::ROW;
use super::state::Eternitium;
use crate::vocab::Seat;

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Set-up: take a Basic.
    TakeBasic(Place),
    /// a. Take a Portal of this symbol.
    Portal(Symbol),
    /// b. Play a card.
    Play(Card, Aim),
    /// Scanner: put the Era of this position on top, 0 the old top.
    PutOnTop(u8),
    /// End the play step.
    EndPlay,
    /// Refit instead of playing.
    Refit,
    /// Refit: remove a card from the game.
    Remove(Card),
    /// Refit: keep a card or none.
    Keep(Option<Card>),
    /// d. Take a Basic, with a visible Era if there is one.
    Basic(Place, Option<Side>),
    /// d. Take an Advanced, with all visible Eras.
    Advanced(Place),
    /// d. Take none.
    NoTechnology,
}

/// Where a technology is taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A place of the row, from the left.
    Row(u8),
    /// The top of the deck, unseen.
    Unseen,
}

impl Place {
    /// The place of a number: 0–2, or 3 for unseen.
    #[inline]
    fn of(number: usize) -> Self {
        if number < ROW { Self::Row(number as u8) } else { Self::Unseen }
    }

    #[inline]
    fn number(self) -> usize {
        match self {
            Self::Row(place) => place.into(),
            Self::Unseen => ROW,
        }
    }
}

/// One of the visible Eras.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];
}

/// What a card is aimed at by choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// Nothing is chosen.
    None,
    /// An opponent.
    Seat(Seat),
    /// Another card in hand.
    Card(Card),
}

/// How a card's target is chosen, which decides in which plane it is.
const fn is_implied(number: usize) -> bool {
    KINDS[number].target.is_implied()
}

const fn is_seat(number: usize) -> bool {
    KINDS[number].target.is_seat()
}

const fn is_card(number: usize) -> bool {
    !is_implied(number) && !is_seat(number)
}

/// The kinds of one plane, by rising number, and where in it each kind is.
pub(super) struct Plane<const SIZE: usize> {
    pub(super) cards: [u8; SIZE],
    pub(super) places: [u8; CARDS],
}

macro_rules! plane {
    ($name:ident, $size:ident, $holds:ident) => {
        const $size: usize = {
            let (mut number, mut size) = (0, 0);
            while number < CARDS {
                size += $holds(number) as usize;
                number += 1;
            }
            size
        };
        pub(super) static $name: Plane<$size> = {
            let mut plane = Plane { cards: [0; $size], places: [0; CARDS] };
            let (mut number, mut place) = (0, 0);
            while number < CARDS {
                if $holds(number) {
                    plane.cards[place] = number as u8;
                    plane.places[number] = place as u8;
                    place += 1;
                }
                number += 1;
            }
            plane
        };
    };
}

plane!(IMPLIED, IMPLIED_CARDS, is_implied);
plane!(AT_SEAT, AT_SEAT_CARDS, is_seat);
plane!(WITH_CARD, WITH_CARD_CARDS, is_card);

/// Places of a row and unseen.
pub(super) const PLACES: usize = ROW + 1;
/// Left, right, none.
pub(super) const SIDES: usize = 3;

/// The first index of each plane; they follow one another in the order of the rules' "Index".
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) seats: usize,
    pub(super) take_basic: usize,
    pub(super) portal: usize,
    pub(super) play: usize,
    pub(super) at_seat: usize,
    pub(super) with_card: usize,
    pub(super) put_on_top: usize,
    pub(super) end_play: usize,
    pub(super) refit: usize,
    pub(super) remove: usize,
    pub(super) keep: usize,
    pub(super) basic: usize,
    pub(super) advanced: usize,
    pub(super) no_technology: usize,
}

impl Layout {
    #[inline]
    pub(super) const fn new(seats: usize) -> Self {
        let portal = PLACES;
        let play = portal + SYMBOLS;
        let at_seat = play + IMPLIED_CARDS;
        let with_card = at_seat + AT_SEAT_CARDS * seats;
        let put_on_top = with_card + WITH_CARD_CARDS * CARDS;
        let end_play = put_on_top + 2;
        let remove = end_play + 2;
        let keep = remove + CARDS;
        let basic = keep + CARDS + 1;
        let advanced = basic + PLACES * SIDES;
        Self {
            seats,
            take_basic: 0,
            portal,
            play,
            at_seat,
            with_card,
            put_on_top,
            end_play,
            refit: end_play + 1,
            remove,
            keep,
            basic,
            advanced,
            no_technology: advanced + PLACES,
        }
    }

    /// The number of indices.
    #[inline]
    pub(super) const fn size(&self) -> usize {
        self.no_technology + 1
    }

    /// The index of playing a card that nothing is chosen for.
    #[inline]
    pub(super) fn play(&self, card: Card) -> usize {
        self.play + usize::from(IMPLIED.places[card.number()])
    }

    /// The index of playing a card on seat 0.
    #[inline]
    pub(super) fn at_seat(&self, card: Card) -> usize {
        self.at_seat + usize::from(AT_SEAT.places[card.number()]) * self.seats
    }

    /// The index of playing a card with the first kind of card.
    #[inline]
    pub(super) fn with_card(&self, card: Card) -> usize {
        self.with_card + usize::from(WITH_CARD.places[card.number()]) * CARDS
    }

    #[inline]
    pub(super) fn basic(&self, place: usize, side: Option<Side>) -> usize {
        self.basic + place * SIDES + side.map_or(SIDES - 1, |side| side as usize)
    }

    fn index_of(&self, action: Action) -> usize {
        match action {
            Action::TakeBasic(place) => self.take_basic + place.number(),
            Action::Portal(symbol) => self.portal + symbol as usize,
            Action::Play(card, Aim::None) => self.play(card),
            Action::Play(card, Aim::Seat(seat)) => self.at_seat(card) + seat.index(),
            Action::Play(card, Aim::Card(other)) => self.with_card(card) + other.number(),
            Action::PutOnTop(position) => self.put_on_top + usize::from(position),
            Action::EndPlay => self.end_play,
            Action::Refit => self.refit,
            Action::Remove(card) => self.remove + card.number(),
            Action::Keep(card) => self.keep + card.map_or(CARDS, Card::number),
            Action::Basic(place, side) => self.basic(place.number(), side),
            Action::Advanced(place) => self.advanced + place.number(),
            Action::NoTechnology => self.no_technology,
        }
    }

    #[inline]
    fn action_of(&self, index: usize) -> Option<Action> {
        let card = |number: u8| Card::new(number.into());
        Some(match index {
            _ if index < self.portal => Action::TakeBasic(Place::of(index)),
            _ if index < self.play => Action::Portal(Symbol::ALL[index - self.portal]),
            _ if index < self.at_seat => {
                Action::Play(card(IMPLIED.cards[index - self.play])?, Aim::None)
            }
            _ if index < self.with_card => {
                let place = index - self.at_seat;
                let seat = Seat::of((place % self.seats) as u8);
                Action::Play(card(AT_SEAT.cards[place / self.seats])?, Aim::Seat(seat))
            }
            _ if index < self.put_on_top => {
                let place = index - self.with_card;
                let other = Card::new(place % CARDS)?;
                Action::Play(card(WITH_CARD.cards[place / CARDS])?, Aim::Card(other))
            }
            _ if index < self.end_play => Action::PutOnTop((index - self.put_on_top) as u8),
            _ => return self.later_action_of(index),
        })
    }

    /// The action of an index from `END_PLAY` on.
    #[inline]
    fn later_action_of(&self, index: usize) -> Option<Action> {
        Some(match index {
            _ if index == self.end_play => Action::EndPlay,
            _ if index == self.refit => Action::Refit,
            _ if index < self.keep => Action::Remove(Card::new(index - self.remove)?),
            _ if index < self.basic => Action::Keep(Card::new(index - self.keep)),
            _ if index < self.advanced => {
                let place = index - self.basic;
                let side = Side::ALL.get(place % SIDES).copied();
                Action::Basic(Place::of(place / SIDES), side)
            }
            _ if index < self.no_technology => Action::Advanced(Place::of(index - self.advanced)),
            _ if index == self.no_technology => Action::NoTechnology,
            _ => return None,
        })
    }
}

impl Eternitium {
    #[inline]
    pub(super) fn layout(&self) -> Layout {
        Layout::new(self.rules.seats())
    }

    pub(super) fn index_of(&self, action: Action) -> usize {
        self.layout().index_of(action)
    }

    #[inline]
    pub(super) fn action_of(&self, index: usize) -> Option<Action> {
        self.layout().action_of(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_names_an_action_and_back() {
        for seats in 2..=5 {
            let layout = Layout::new(seats);
            assert_eq!(layout.size(), 98 + 3 * seats);
            for index in 0..layout.size() {
                let action = layout.action_of(index).expect("there are no gaps");
                assert_eq!(layout.index_of(action), index);
            }
            assert_eq!(layout.action_of(layout.size()), None);
        }
    }
}
