//! Moves, step by step: what is ahead, taking jewels, facing.

use super::action::SurfaceSquare;
use super::cart::{Cart, CartName, Colour, FASTEST, HOLD, Place};
use super::course::Course;
use super::event::{Event, EventOf};
use super::geometry::{Beyond, Side, Square};
use super::jewels::{Jewel, Jewels};
use super::missions::Mission;
use super::state::{Motion, Step, Table};
use super::track::Track;
use crate::chance::Chance;
use crate::game::Events;

/// What a cart meets on its next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    /// A cart, and whether the two squares are connected.
    Cart(CartName, bool),
    /// A Surface square.
    Surface(SurfaceSquare),
    /// A square that is not connected.
    Nothing,
    /// A connected square.
    Track(Square),
}

impl Table {
    /// What a cart that stands at a place and faces a side meets there. Itself does not count.
    pub(super) fn ahead(&self, name: CartName, place: Place, facing: Side) -> Ahead {
        let next = match place {
            Place::Surface(file_or_rank) => {
                self.geometry().border(self.side(name.seat), file_or_rank)
            }
            Place::Underground(square) => match self.geometry().beyond(square, facing) {
                Beyond::Square(next) => next,
                Beyond::Surface => {
                    let place = self.geometry().surface_place(square, facing);
                    return Ahead::Surface(SurfaceSquare { side: facing, place });
                }
            },
            Place::Supply | Place::Out => return Ahead::Nothing,
        };
        let is_connected = self.tracks.leads(next, facing.opposite());
        match self.cart_on(next) {
            Some(other) if other != name => Ahead::Cart(other, is_connected),
            _ if is_connected => Ahead::Track(next),
            _ => Ahead::Nothing,
        }
    }

    /// The kinds that can be taken from a square, as bits: a Rock before anything else.
    #[inline]
    pub(super) fn takeable(&self, square: Square) -> u32 {
        const ROCK: u32 = 1 << Jewel::Rock as u32;
        let kinds = self.jewels(square).kinds();
        if kinds & ROCK != 0 { ROCK } else { kinds }
    }

    /// The square of the active cart.
    #[inline]
    pub(super) fn active_square(&self) -> Option<Square> {
        self.active().and_then(|name| self.cart(name).square())
    }

    /// The exits that the active cart may face: R10, not the one it came in by.
    #[inline]
    pub(super) fn facings(&self) -> Track {
        let square = self.active_square();
        let entered = self.motion.and_then(|motion| motion.entered_by);
        match (square, entered) {
            (Some(square), Some(side)) => self.track(square).without(side),
            _ => Track::NONE,
        }
    }
}

impl<C: Chance, E: Events<Event>> Course<'_, C, E> {
    /// A cart of the seat moves; `other_to_move` if its other one does after it.
    pub(super) fn start_move(&mut self, colour: Colour, other_to_move: bool) {
        let cart = CartName { seat: self.table().turn, colour };
        let steps_left = self.cart(cart).speed;
        self.table().motion = Some(Motion {
            cart: colour,
            steps_left,
            takings_left: 0,
            entered_by: None,
            other_to_move,
            taken_from: [None; 2],
        });
        self.events.emit(|| EventOf::MoveStarted { cart });
        self.walk();
    }

    /// The steps that are left, up to a decision or the end of the move.
    pub(super) fn walk(&mut self) {
        while let Some((name, facing)) = self.next_step() {
            let place = self.cart(name).place;
            match self.table().ahead(name, place, facing) {
                Ahead::Cart(opposing, is_connected) => {
                    return self.collide(name, facing, opposing, is_connected);
                }
                Ahead::Surface(surface) => {
                    self.bank(name, surface);
                    break;
                }
                Ahead::Nothing => {
                    self.derail(name);
                    break;
                }
                Ahead::Track(square) => {
                    if !self.enter(name, square, facing.opposite()) {
                        return;
                    }
                }
            }
        }
        self.end_move();
    }

    /// The active cart and its facing, while steps are left.
    fn next_step(&mut self) -> Option<(CartName, Side)> {
        let motion = self.table().motion.filter(|motion| motion.steps_left > 0)?;
        let name = CartName { seat: self.table().turn, colour: motion.cart };
        Some((name, self.cart(name).facing?))
    }

    /// R25: the seat's other cart moves, if it is still to; else step 3 follows.
    pub(super) fn end_move(&mut self) {
        let motion = self.table().motion.take();
        match motion {
            Some(Motion { cart, other_to_move: true, .. }) => self.start_move(cart.other(), false),
            _ => self.offer_missions(),
        }
    }

    /// Whether the move goes on without a decision.
    fn enter(&mut self, name: CartName, square: Square, side: Side) -> bool {
        let cart = self.cart(name);
        cart.place = Place::Underground(square);
        cart.facing = None;
        self.events.emit(|| EventOf::Entered { cart: name, square });
        let is_last = self.count_step(name, side);
        let hold = self.cart(name).hold;
        if hold.len() < HOLD && !self.table().jewels(square).is_empty() {
            self.motion().takings_left = if is_last { 2 } else { 1 };
            self.table().step = Step::Take;
            return false;
        }
        self.face_if_forced()
    }

    /// Whether the step was the last one.
    fn count_step(&mut self, name: CartName, side: Side) -> bool {
        let is_fastest = self.cart(name).speed == FASTEST;
        let motion = self.motion();
        motion.entered_by = Some(side);
        motion.steps_left -= 1;
        let is_last = motion.steps_left == 0;
        if is_last && is_fastest {
            self.table().note(Mission::LONG_HAUL);
        }
        is_last
    }

    /// The move that goes on.
    pub(super) fn motion(&mut self) -> &mut Motion {
        self.table().motion.as_mut().expect("a move goes on")
    }

    /// Whether only one exit can be faced; if not, the seat is asked.
    fn face_if_forced(&mut self) -> bool {
        match self.table().facings().only_exit() {
            Some(exit) => {
                self.face(exit);
                true
            }
            None => {
                self.table().step = Step::Face;
                false
            }
        }
    }

    pub(super) fn face(&mut self, exit: Side) {
        let Some(name) = self.table().active() else { return };
        self.cart(name).facing = Some(exit);
        self.events.emit(|| EventOf::Faced { cart: name, exit });
    }

    pub(super) fn take_jewel(&mut self, jewel: Jewel) {
        let Some((name, square)) = self.where_active() else { return };
        let one = Jewels::one(jewel);
        let table = self.table();
        let lying = &mut table.jewels[square.index()];
        *lying = lying.minus(one);
        let is_bare = lying.is_empty();
        let cart = self.cart(name);
        cart.hold = cart.hold.plus(one);
        let is_full = cart.hold.len() == HOLD;
        self.events.emit(|| EventOf::Took { cart: name, square, jewel });
        self.table().note_taken(square);
        self.motion().takings_left -= 1;
        if is_bare || is_full || self.motion().takings_left == 0 {
            self.end_taking();
        }
    }

    /// R9.
    pub(super) fn take_nothing(&mut self) {
        let Some((name, square)) = self.where_active() else { return };
        self.events.emit(|| EventOf::TookNothing { cart: name, square });
        self.end_taking();
    }

    fn where_active(&mut self) -> Option<(CartName, Square)> {
        let name = self.table().active()?;
        Some((name, self.cart(name).square()?))
    }

    fn end_taking(&mut self) {
        self.motion().takings_left = 0;
        if self.face_if_forced() {
            self.walk();
        }
    }

    /// Any side's Surface will do; R7: whether a cart stands there does not matter.
    fn bank(&mut self, name: CartName, surface: SurfaceSquare) {
        let cart = std::mem::replace(self.cart(name), Cart::put_away(Place::Supply));
        let table = self.table();
        let pile = &mut table.stockpiles[name.seat.index()];
        *pile = pile.plus(cart.hold);
        let opposite = surface.side == table.side(name.seat).opposite();
        table.note_banked(name.colour, cart.hold, cart.speed, opposite);
        self.events.emit(|| EventOf::Banked { cart: name, surface, jewels: cart.hold });
    }
}

impl Table {
    /// Notes from which squares jewels were taken, until mission 10 is met.
    fn note_taken(&mut self, square: Square) {
        if !self.rules.missions || self.deeds.met.contains(Mission::GRAND_TOUR) {
            return;
        }
        let Some(motion) = &mut self.motion else { return };
        match &mut motion.taken_from {
            [Some(first), _] if *first == square => {}
            [_, Some(second)] if *second == square => {}
            [Some(_), Some(_)] => {
                motion.taken_from = [None; 2];
                self.note(Mission::GRAND_TOUR);
            }
            [Some(first), second] => {
                (*first, *second) = ((*first).min(square), Some((*first).max(square)));
            }
            [first, _] => *first = Some(square),
        }
    }
}
