//! The decisions of Off the Rails and their index.

use super::cart::Colour;
use super::geometry::{SIDES, Side, Square};
use super::jewels::{Jewel, Jewels, KINDS};
use super::missions::{MISSIONS, Mission};
use super::state::{OffTheRails, Table};
use super::track::{LARGER, PAIRS, Track};

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// 1. Place a straight or a corner.
    PlaceTrack(Square, Track),
    /// 1. Upgrade to a T or the cross.
    Upgrade(Square, Track),
    /// 1. Place a cart.
    PlaceCart(SurfaceSquare),
    /// 1. Change a cart's speed by one.
    Speed(Colour, Change),
    /// 1. End the action phase.
    EndActions,
    /// 2. Which cart goes first.
    First(Colour),
    /// 2. Take a jewel.
    Take(Jewel),
    /// 2. Take nothing more from this square.
    TakeNothing,
    /// 2. Face an exit.
    Face(Side),
    /// Collision: drop this odd jewel.
    Odd(Jewel),
    /// Collision: split the rest; this is the left hand.
    Split(Jewels),
    /// Collision: the hand that is dropped.
    Hand(Hand),
    /// Collision: turn to an exit.
    Turn(Side),
    /// 3. Claim a mission.
    Claim(Mission),
    /// 3. Claim none.
    ClaimNone,
    /// 4. Lay the token that was drawn.
    Token(Square),
}

impl Action {
    /// Placing a track, if it is a straight or a corner.
    pub fn place_track(square: Square, track: Track) -> Option<Self> {
        Track::PAIRS.contains(&track).then_some(Self::PlaceTrack(square, track))
    }

    /// Upgrading to a track, if it is a T or the cross.
    pub fn upgrade(square: Square, track: Track) -> Option<Self> {
        Track::LARGER.contains(&track).then_some(Self::Upgrade(square, track))
    }
}

/// A Surface square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceSquare {
    /// Its side of the board.
    pub side: Side,
    /// Its file or rank, from 0.
    pub place: u8,
}

/// How a speed changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Change {
    Faster,
    Slower,
}

impl Change {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Faster, Self::Slower];
}

/// A hand with jewels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Hand {
    Left,
    Right,
}

impl Hand {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];
}

/// What a hand can hold: one jewel, then two.
pub(super) const HANDS: usize = KINDS + KINDS * (KINDS + 1) / 2;

/// Every hand, in the order of the index.
pub(super) static CONTENTS: [Jewels; HANDS] = {
    let mut hands = [Jewels::EMPTY; HANDS];
    let mut first = 0;
    let mut pair = KINDS;
    while first < KINDS {
        hands[first] = Jewels::one(Jewel::ALL[first]);
        let mut second = first;
        while second < KINDS {
            let jewels = [Jewel::ALL[first], Jewel::ALL[second]];
            hands[pair] = Jewels::one(jewels[0]).plus(Jewels::one(jewels[1]));
            pair += 1;
            second += 1;
        }
        first += 1;
    }
    hands
};

/// The first index of each plane; they follow one another in the order of the rules' "Index".
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Squares on a side, and in all.
    pub(super) size: usize,
    pub(super) squares: usize,
    pub(super) place_track: usize,
    pub(super) upgrade: usize,
    pub(super) place_cart: usize,
    pub(super) speed: usize,
    pub(super) end_actions: usize,
    pub(super) first: usize,
    pub(super) take: usize,
    pub(super) take_nothing: usize,
    pub(super) face: usize,
    pub(super) odd: usize,
    pub(super) split: usize,
    pub(super) hand: usize,
    pub(super) turn: usize,
    pub(super) claim: usize,
    pub(super) claim_none: usize,
    pub(super) token: usize,
}

impl Layout {
    #[inline]
    pub(super) const fn new(size: usize) -> Self {
        let squares = size * size;
        let upgrade = PAIRS * squares;
        let place_cart = upgrade + LARGER * squares;
        let speed = place_cart + size;
        let end_actions = speed + 4;
        let take = end_actions + 3;
        let face = take + KINDS + 1;
        let odd = face + SIDES;
        let split = odd + KINDS;
        let hand = split + HANDS;
        let claim = hand + 2 + SIDES;
        Self {
            size,
            squares,
            place_track: 0,
            upgrade,
            place_cart,
            speed,
            end_actions,
            first: end_actions + 1,
            take,
            take_nothing: take + KINDS,
            face,
            odd,
            split,
            hand,
            turn: hand + 2,
            claim,
            claim_none: claim + MISSIONS,
            token: claim + MISSIONS + 1,
        }
    }

    /// The number of indices.
    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.token + self.squares
    }

    fn index_of(&self, action: Action) -> usize {
        match action {
            Action::PlaceTrack(square, track) => {
                self.place_track + shape(&Track::PAIRS, track) * self.squares + square.index()
            }
            Action::Upgrade(square, track) => {
                self.upgrade + shape(&Track::LARGER, track) * self.squares + square.index()
            }
            Action::PlaceCart(surface) => self.place_cart + usize::from(surface.place),
            Action::Speed(cart, change) => self.speed + 2 * cart as usize + change as usize,
            Action::EndActions => self.end_actions,
            Action::First(cart) => self.first + cart as usize,
            Action::Take(jewel) => self.take + jewel as usize,
            Action::TakeNothing => self.take_nothing,
            Action::Face(side) => self.face + side as usize,
            Action::Odd(jewel) => self.odd + jewel as usize,
            Action::Split(left) => self.split + content(left),
            Action::Hand(hand) => self.hand + hand as usize,
            Action::Turn(side) => self.turn + side as usize,
            Action::Claim(mission) => self.claim + mission.number() - 1,
            Action::ClaimNone => self.claim_none,
            Action::Token(square) => self.token + square.index(),
        }
    }

    /// The action of an index; `own` is the side of the seat whose turn it is.
    #[inline]
    fn action_of(&self, index: usize, own: Side) -> Option<Action> {
        let square = |number: usize| Square((number % self.squares) as u8);
        Some(match index {
            _ if index < self.upgrade => {
                Action::PlaceTrack(square(index), Track::PAIRS[index / self.squares])
            }
            _ if index < self.place_cart => {
                let number = index - self.upgrade;
                Action::Upgrade(square(number), Track::LARGER[number / self.squares])
            }
            _ if index < self.speed => {
                let place = (index - self.place_cart) as u8;
                Action::PlaceCart(SurfaceSquare { side: own, place })
            }
            _ if index < self.take => self.other_action(index),
            _ if index < self.take_nothing => Action::Take(Jewel::ALL[index - self.take]),
            _ if index < self.face => Action::TakeNothing,
            _ if index < self.odd => Action::Face(Side::ALL[index - self.face]),
            _ if index < self.claim => self.collision_action(index),
            _ if index < self.claim_none => Action::Claim(Mission::new(index - self.claim + 1)?),
            _ if index < self.token => Action::ClaimNone,
            _ if index < self.len() => Action::Token(square(index - self.token)),
            _ => return None,
        })
    }

    /// What ends and follows the action phase.
    fn other_action(&self, index: usize) -> Action {
        match index {
            _ if index < self.end_actions => {
                let number = index - self.speed;
                Action::Speed(Colour::ALL[number / 2], Change::ALL[number % 2])
            }
            _ if index < self.first => Action::EndActions,
            _ => Action::First(Colour::ALL[index - self.first]),
        }
    }

    fn collision_action(&self, index: usize) -> Action {
        match index {
            _ if index < self.split => Action::Odd(Jewel::ALL[index - self.odd]),
            _ if index < self.hand => Action::Split(CONTENTS[index - self.split]),
            _ if index < self.turn => Action::Hand(Hand::ALL[index - self.hand]),
            _ => Action::Turn(Side::ALL[index - self.turn]),
        }
    }
}

/// Which of the shapes a track is; only such tracks stand in actions.
fn shape(shapes: &[Track], track: Track) -> usize {
    shapes.iter().position(|&other| other == track).unwrap_or(0)
}

fn content(left: Jewels) -> usize {
    CONTENTS.iter().position(|&other| other == left).unwrap_or(0)
}

impl Table {
    #[inline]
    pub(super) fn layout(&self) -> &'static Layout {
        static OF_SIZE: [Layout; 2] = [Layout::new(8), Layout::new(9)];
        &OF_SIZE[self.geometry().size - 8]
    }
}

impl OffTheRails {
    pub(super) fn index_of(&self, action: Action) -> usize {
        self.table.layout().index_of(action)
    }

    #[inline]
    pub(super) fn action_of(&self, index: usize) -> Option<Action> {
        self.table.layout().action_of(index, self.table.side(self.table.turn))
    }
}
