//! The course of a turn: actions, moves, missions, deposit, and the next seat.

use super::action::{Action, Change};
use super::cart::{Cart, CartName, Colour, FIRST_SPEED, Place};
use super::deck::Turned;
use super::event::{Event, EventOf};
use super::geometry::Mine;
use super::jewels::Jewels;
use super::missions::{Deeds, Mission};
use super::state::{OffTheRails, Step, Table};
use crate::chance::Chance;
use crate::game::Events;
use crate::vocab::Seat;

/// Actions in a turn.
pub(super) const ACTIONS: u8 = 4;

/// A state, and what its course needs.
pub(super) struct Course<'a, C, E> {
    pub(super) state: &'a mut OffTheRails,
    pub(super) chance: &'a mut C,
    pub(super) events: &'a mut E,
}

impl<C: Chance, E: Events<Event>> Course<'_, C, E> {
    /// Carries a decision out, and all that follows without one.
    #[inline]
    pub(super) fn take(&mut self, action: Action) {
        match action {
            Action::PlaceTrack(square, track) => {
                let seat = self.table().turn;
                self.table().tracks.lay(square, track);
                self.events.emit(|| EventOf::TrackPlaced { seat, square, track });
                self.count_action();
            }
            Action::Upgrade(square, track) => {
                let seat = self.table().turn;
                self.table().tracks.lay(square, track);
                self.events.emit(|| EventOf::TrackUpgraded { seat, square, track });
                self.count_action();
            }
            Action::PlaceCart(surface) => self.place_cart(surface.place),
            Action::Speed(colour, change) => self.change_speed(colour, change),
            Action::EndActions => self.end_actions(),
            Action::First(colour) => self.start_move(colour, true),
            Action::Take(jewel) => self.take_jewel(jewel),
            Action::TakeNothing => self.take_nothing(),
            Action::Face(exit) => {
                self.face(exit);
                self.walk();
            }
            Action::Odd(jewel) => {
                self.drop_jewels(Jewels::one(jewel));
                self.split_rest();
            }
            Action::Split(left) => self.close_hands(left),
            Action::Hand(hand) => self.open_hand(hand),
            Action::Turn(exit) => self.turn_as_chosen(exit),
            Action::Claim(mission) => self.claim(mission),
            Action::ClaimNone => {
                let seat = self.table().turn;
                self.events.emit(|| EventOf::NoClaim { seat });
                self.end_step_3();
            }
            Action::Token(square) => {
                self.lay_drawn(square);
                self.end_turn();
            }
        }
    }

    #[inline]
    pub(super) fn table(&mut self) -> &mut Table {
        &mut self.state.table
    }

    pub(super) fn cart(&mut self, name: CartName) -> &mut Cart {
        &mut self.table().carts[name.seat.index()][name.colour as usize]
    }

    /// 1. The phase ends by itself after the fourth action.
    #[inline]
    fn count_action(&mut self) {
        self.table().actions_taken += 1;
        if self.table().actions_taken == ACTIONS {
            self.end_actions();
        }
    }

    /// R6: the white cart if it is in supply, else the black one.
    fn place_cart(&mut self, place: u8) {
        let seat = self.table().turn;
        let side = self.table().side(seat);
        let [white, _] = self.table().carts[seat.index()];
        let colour = if white.place == Place::Supply { Colour::White } else { Colour::Black };
        let cart = CartName { seat, colour };
        *self.cart(cart) = Cart {
            place: Place::Surface(place),
            facing: Some(side.opposite()),
            speed: FIRST_SPEED,
            hold: Jewels::EMPTY,
        };
        let surface = super::SurfaceSquare { side, place };
        self.events.emit(|| EventOf::CartPlaced { cart, surface });
        self.count_action();
    }

    fn change_speed(&mut self, colour: Colour, change: Change) {
        let name = CartName { seat: self.table().turn, colour };
        let cart = self.cart(name);
        match change {
            Change::Faster => cart.speed += 1,
            Change::Slower => cart.speed -= 1,
        }
        let speed = cart.speed;
        self.events.emit(|| EventOf::SpeedChanged { cart: name, speed });
        self.count_action();
    }

    /// 2. Every own cart on the board moves; with two, the seat chooses which goes first.
    fn end_actions(&mut self) {
        let table = self.table();
        let seat = table.turn;
        table.actions_taken = 0;
        let on_board = table.carts[seat.index()].map(|cart| cart.is_on_board());
        self.events.emit(|| EventOf::ActionsEnded { seat });
        match on_board {
            [true, true] => self.table().step = Step::First,
            [true, false] => self.start_move(Colour::White, false),
            [false, true] => self.start_move(Colour::Black, false),
            [false, false] => self.offer_missions(),
        }
    }

    /// 3. Missions are asked for only if one is met.
    pub(super) fn offer_missions(&mut self) {
        let table = self.table();
        if table.met(table.turn).is_empty() {
            self.end_step_3();
        } else {
            table.step = Step::Claim;
        }
    }

    fn claim(&mut self, mission: Mission) {
        let table = self.table();
        let seat = table.turn;
        table.missions.remove(mission);
        table.claimed[seat.index()].insert(mission);
        self.events.emit(|| EventOf::MissionClaimed { seat, mission });
        self.end_step_3();
    }

    /// R29: what the turn has brought is forgotten; step 4 follows.
    fn end_step_3(&mut self) {
        self.table().deeds = Deeds::default();
        if self.table().chasm.is_open {
            self.draw_token();
        } else {
            self.turn_card();
        }
    }

    /// 4. Deposit, in the turns before the Chasm is open.
    fn turn_card(&mut self) {
        let seat = self.table().turn;
        let is_last = self.table().chasm.opener == Some(seat);
        match self.state.table.deck.turn(self.chance) {
            Turned::Deposit(mine, number) => self.deposit(mine, number),
            Turned::Chasm => {
                // R13: nothing is drawn.
                self.table().chasm.opener = Some(seat);
                self.events.emit(|| EventOf::ChasmCard { seat });
            }
        }
        if is_last {
            self.open_chasm();
        }
        self.end_turn();
    }

    /// R3, R4: two jewels on an odd number, three on an even one, as far as the bag holds them.
    pub(super) fn deposit(&mut self, colour: Mine, number: u8) {
        let table = &mut self.state.table;
        let number = usize::from(number);
        let square = table.mine_square(colour, number);
        let mut jewels = Jewels::EMPTY;
        for _ in 0..3 - number % 2 {
            jewels = match table.bag.draw(self.chance) {
                Some(jewel) => jewels.plus(Jewels::one(jewel)),
                None => break,
            };
        }
        let lying = &mut table.jewels[square.index()];
        *lying = lying.plus(jewels);
        self.events.emit(|| EventOf::Deposited { colour, number, square, jewels });
    }

    /// R16: the end is tested after every turn from the one in which the Chasm opened.
    pub(super) fn end_turn(&mut self) {
        let seat = self.table().turn;
        self.events.emit(|| EventOf::TurnEnded { seat });
        let table = self.table();
        let is_over =
            table.chasm.is_open && (table.chasm.tokens_to_come() == 0 || !table.is_cart_on_board());
        if is_over { self.end_match() } else { self.start_turn(seat) }
    }

    /// The turn of the seat after this one.
    fn start_turn(&mut self, after: Seat) {
        let table = self.table();
        let seat = Seat::of(((after.index() + 1) % table.seats()) as u8);
        table.turn = seat;
        table.step = Step::Actions;
        self.events.emit(|| EventOf::TurnStarted { seat });
    }

    /// R33: carts on the board are derailed.
    fn end_match(&mut self) {
        for name in self.table().cart_names() {
            if self.cart(name).is_on_board() {
                self.derail(name);
            }
        }
        self.table().step = Step::Over;
    }

    /// The hold goes to the bag, the cart to supply; once the Chasm is open, out of the game.
    pub(super) fn derail(&mut self, name: CartName) {
        let is_out = self.table().chasm.is_open;
        let place = if is_out { Place::Out } else { Place::Supply };
        let cart = std::mem::replace(self.cart(name), Cart::put_away(place));
        let table = self.table();
        table.bag = table.bag.plus(cart.hold);
        self.events.emit(|| EventOf::Derailed { cart: name, jewels: cart.hold, is_out });
    }
}
