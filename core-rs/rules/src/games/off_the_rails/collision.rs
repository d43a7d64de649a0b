//! Collisions, side by side with the rules' section of this name: steps 1, 2 and 3.

use super::action::{CONTENTS, Hand};
use super::cart::{Cart, CartName, Place};
use super::course::Course;
use super::event::{Event, EventOf};
use super::geometry::Side;
use super::jewels::Jewels;
use super::missions::Mission;
use super::state::{Collision, Step, Table};
use super::track::Track;
use crate::chance::Chance;
use crate::game::Events;

/// From so many jewels on two or more are dropped.
const SHAKEN: usize = 3;

impl Table {
    /// The cart that was hit.
    #[inline]
    pub(super) fn opposing(&self) -> Option<CartName> {
        self.collision.map(|collision| collision.opposing)
    }

    /// What the opposing cart holds.
    #[inline]
    pub(super) fn opposing_hold(&self) -> Jewels {
        self.opposing().map_or(Jewels::EMPTY, |name| self.cart(name).hold)
    }

    /// The ways to split a hold in two equal hands: bit i, the left one is [`CONTENTS`] i.
    #[inline]
    pub(super) fn splits(&self) -> u32 {
        let hold = self.opposing_hold();
        let can_be = |left: &Jewels| 2 * left.len() == hold.len() && left.is_within(hold);
        let hands = CONTENTS.iter().enumerate().filter(|(_, left)| can_be(left));
        hands.fold(0, |bits, (number, _)| bits | 1 << number)
    }

    /// Step 3: the exits to which a cart turns that faced one and did not come in by another: the
    /// opposite one, or, if its track has none there, any but the one it faced.
    #[inline]
    pub(super) fn turns(&self, name: CartName) -> Track {
        let cart = self.cart(name);
        let (Some(square), Some(faced)) = (cart.square(), cart.facing) else { return Track::NONE };
        let track = self.track(square);
        if track.leads(faced.opposite()) {
            return [faced.opposite()].into_iter().collect();
        }
        track.without(faced)
    }
}

impl<C: Chance, E: Events<Event>> Course<'_, C, E> {
    /// R21: the active cart stays on its own square; its move is over.
    pub(super) fn collide(
        &mut self,
        active: CartName,
        facing: Side,
        opposing: CartName,
        is_connected: bool,
    ) {
        let hit_side = facing.opposite();
        let is_front = self.cart(opposing).facing == Some(hit_side);
        self.table().collision = Some(Collision { opposing, hit_side });
        let motion = self.motion();
        motion.steps_left = 0;
        motion.taken_from = [None; 2];
        self.events.emit(|| EventOf::Collided { cart: active, opposing, is_connected, is_front });
        if is_connected && !self.table().rules.bumper_cars {
            self.derail_the_empty(active, opposing);
            self.drop_half(opposing);
        } else {
            self.turn_active();
        }
    }

    /// Step 1. Emptiness is judged before step 2; R27: the active cart derails first.
    fn derail_the_empty(&mut self, active: CartName, opposing: CartName) {
        let is_empty = [active, opposing].map(|name| self.cart(name).hold.is_empty());
        if is_empty[0] {
            self.derail(active);
            self.motion().entered_by = None;
        }
        if is_empty[1] {
            self.derail(opposing);
            if opposing.seat == active.seat {
                self.motion().other_to_move = false;
            } else {
                self.table().note(Mission::WRECKER);
            }
        }
    }

    /// Step 2. Half is dropped, rounded up: of an odd number one is chosen openly first.
    fn drop_half(&mut self, opposing: CartName) {
        let hold = self.cart(opposing).hold;
        if opposing.seat != self.table().turn && hold.len() >= SHAKEN {
            self.table().note(Mission::SHAKEDOWN);
        }
        match hold.only_kind() {
            _ if hold.len().is_multiple_of(2) => self.split_rest(),
            Some(jewel) => {
                self.drop_jewels(Jewels::one(jewel));
                self.split_rest();
            }
            None => self.table().step = Step::Odd,
        }
    }

    /// The opposing cart drops jewels onto its square.
    pub(super) fn drop_jewels(&mut self, jewels: Jewels) {
        let Some(name) = self.table().opposing() else { return };
        let Some(square) = self.cart(name).square() else { return };
        let cart = self.cart(name);
        cart.hold = cart.hold.minus(jewels);
        let lying = &mut self.table().jewels[square.index()];
        *lying = lying.plus(jewels);
        self.events.emit(|| EventOf::Dropped { cart: name, square, jewels });
    }

    /// The rest, if any, is split; a split of equal jewels is not asked for.
    pub(super) fn split_rest(&mut self) {
        let splits = self.table().splits();
        match splits.count_ones() {
            0 => self.turn_active(),
            1 => self.close_hands(CONTENTS[splits.trailing_zeros() as usize]),
            _ => self.table().step = Step::Split,
        }
    }

    pub(super) fn close_hands(&mut self, left: Jewels) {
        let Some(cart) = self.table().opposing() else { return };
        let hands = [left, self.table().opposing_hold().minus(left)];
        self.state.left_hand = Some(left);
        self.table().step = Step::Hand;
        self.events.emit(|| EventOf::HandsClosed { cart, hands });
    }

    /// The active seat chooses the hand that is dropped; now all see both.
    pub(super) fn open_hand(&mut self, hand: Hand) {
        let Some(cart) = self.table().opposing() else { return };
        let Some(left) = self.state.left_hand.take() else { return };
        let hands = [left, self.table().opposing_hold().minus(left)];
        self.events.emit(|| EventOf::HandChosen { cart, hand, hands });
        self.drop_jewels(hands[hand as usize]);
        self.turn_active();
    }

    /// Step 3, the active cart: it always was hit front first.
    fn turn_active(&mut self) {
        let Some(name) = self.table().active() else { return };
        match self.cart(name).place {
            // R12: that is no derailment.
            Place::Surface(_) => {
                *self.cart(name) = Cart::put_away(Place::Supply);
                self.events.emit(|| EventOf::Returned { cart: name });
            }
            Place::Underground(_) => {
                let turns = match self.motion().entered_by {
                    Some(side) => [side].into_iter().collect(),
                    None => self.table().turns(name),
                };
                match turns.only_exit() {
                    Some(exit) => self.turn_to(name, exit),
                    None => {
                        self.table().step = Step::TurnActive;
                        return;
                    }
                }
            }
            Place::Supply | Place::Out => {}
        }
        self.turn_opposing();
    }

    /// Step 3, the opposing cart: if it faced the active one when hit.
    fn turn_opposing(&mut self) {
        let Some(Collision { opposing, hit_side }) = self.table().collision else { return };
        if self.cart(opposing).facing == Some(hit_side) {
            match self.table().turns(opposing).only_exit() {
                Some(exit) => self.turn_to(opposing, exit),
                None => {
                    self.table().step = Step::TurnOpposing;
                    return;
                }
            }
        }
        self.end_collision();
    }

    /// Step 3, as it was asked.
    pub(super) fn turn_as_chosen(&mut self, exit: Side) {
        let table = self.table();
        if table.step == Step::TurnActive {
            if let Some(active) = table.active() {
                self.turn_to(active, exit);
            }
            self.turn_opposing();
        } else {
            if let Some(opposing) = table.opposing() {
                self.turn_to(opposing, exit);
            }
            self.end_collision();
        }
    }

    fn turn_to(&mut self, name: CartName, exit: Side) {
        self.cart(name).facing = Some(exit);
        self.events.emit(|| EventOf::Turned { cart: name, exit });
    }

    fn end_collision(&mut self) {
        self.table().collision = None;
        self.end_move();
    }
}
