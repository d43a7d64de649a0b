//! Which decisions are legal, as a mask and one at a time.

use super::action::{Action, CONTENTS, Change, Hand, Layout, SurfaceSquare};
use super::cart::{Cart, CartName, Colour, FASTEST, Place, SLOWEST};
use super::geometry::{MAX_SIZE, Side, Square, Squares};
use super::jewels::Jewel;
use super::state::{Step, Table};
use super::track::Track;
use crate::error::Illegal;
use crate::vocab::Mask;

/// Room for the largest index.
const MASK_WORDS: usize = Layout::new(MAX_SIZE).len().div_ceil(64);

pub(super) type LegalMask = Mask<MASK_WORDS>;

impl Table {
    /// The legal indices.
    #[inline]
    pub(super) fn legal_mask(&self) -> LegalMask {
        let layout = self.layout();
        let mut mask = LegalMask::new(layout.len());
        match self.step {
            Step::Actions => self.mark_actions(layout, &mut mask),
            Step::First => mask.set_bits(layout.first, 0b11),
            Step::Take => {
                mask.set_bits(layout.take, self.takeable_here());
                mask.set(layout.take_nothing);
            }
            Step::Face => mask.set_bits(layout.face, self.facings().bits().into()),
            Step::Odd => mask.set_bits(layout.odd, self.opposing_hold().kinds()),
            Step::Split => mask.set_bits(layout.split, self.splits()),
            Step::Hand => mask.set_bits(layout.hand, 0b11),
            Step::TurnActive | Step::TurnOpposing => {
                mask.set_bits(layout.turn, self.turns_asked().bits().into());
            }
            Step::Claim => {
                mask.set_bits(layout.claim, self.met(self.turn).bits().into());
                mask.set(layout.claim_none);
            }
            Step::Token => mask.set_plane(layout.token, self.token_squares().0),
            Step::Over => {}
        }
        mask
    }

    #[inline]
    fn mark_actions(&self, layout: &Layout, mask: &mut LegalMask) {
        let free = self.free().0;
        for shape in 0..Track::PAIRS.len() {
            mask.set_plane(layout.place_track + shape * layout.squares, free);
        }
        let occupied = self.occupied();
        for (shape, squares) in self.tracks.upgrades().into_iter().enumerate() {
            let squares = squares.without(occupied).0;
            mask.set_plane(layout.upgrade + shape * layout.squares, squares);
        }
        mask.set_bits(layout.place_cart, self.entrances());
        for (number, cart) in self.carts[self.turn.index()].iter().enumerate() {
            mask.set_bits(layout.speed + 2 * number, speed_changes(cart));
        }
        mask.set(layout.end_actions);
    }

    /// The squares on which track can be placed.
    #[inline]
    pub(super) fn free(&self) -> Squares {
        self.geometry().buildable.without(self.tracks.squares()).without(self.chasm.squares())
    }

    /// The squares of the own Surface on which a cart can be placed, as bits; none if no cart is
    /// in supply.
    #[inline]
    fn entrances(&self) -> u32 {
        let carts = &self.carts[self.turn.index()];
        if !carts.iter().any(|cart| cart.place == Place::Supply) {
            return 0;
        }
        carts.iter().fold((1 << self.geometry().size) - 1, |bits, cart| match cart.place {
            Place::Surface(place) => bits & !(1 << place),
            _ => bits,
        })
    }

    fn takeable_here(&self) -> u32 {
        self.active_square().map_or(0, |square| self.takeable(square))
    }

    /// The exits to which the cart that is asked for can turn.
    pub(super) fn turns_asked(&self) -> Track {
        let name = match self.step {
            Step::TurnActive => self.active(),
            _ => self.opposing(),
        };
        name.map_or(Track::NONE, |name| self.turns(name))
    }

    pub(super) fn token_squares(&self) -> Squares {
        self.drawn.map_or(Squares::EMPTY, |drawn| self.token_places(drawn))
    }

    pub(super) fn check_action(&self, action: Action) -> Result<(), Illegal> {
        match (self.step, action) {
            (Step::Over, _) => illegal("The Chasm", "the match is over"),
            (Step::Actions, action) => self.check_in_actions(action),
            (Step::First, Action::First(_)) => Ok(()),
            (Step::First, _) => illegal("2. Moves", "the seat must say which cart goes first"),
            (Step::Take, Action::TakeNothing) => Ok(()),
            (Step::Take, Action::Take(jewel)) => self.check_take(jewel),
            (Step::Take, _) => illegal("2. Moves", "this is the time to take a jewel or nothing"),
            (Step::Face, Action::Face(exit)) => self.check_face(exit),
            (Step::Face, _) => illegal("2. Moves", "the seat must choose an exit to face"),
            (Step::Claim, Action::ClaimNone) => Ok(()),
            (Step::Claim, Action::Claim(mission)) => {
                let met = self.met(self.turn).contains(mission);
                allowed(met, "3. Missions", "the mission is not face up or not met")
            }
            (Step::Claim, _) => illegal("3. Missions", "this is the time to claim a mission"),
            (Step::Token, Action::Token(square)) => {
                let why = "the token cannot be laid on this square";
                allowed(self.token_squares().contains(square), "The Chasm", why)
            }
            (Step::Token, _) => illegal("The Chasm", "the token that was drawn must be laid"),
            (_, action) => self.check_in_collision(action),
        }
    }

    fn check_in_collision(&self, action: Action) -> Result<(), Illegal> {
        const RULE: &str = "Collisions";
        match (self.step, action) {
            (Step::Odd, Action::Odd(jewel)) => {
                let held = self.opposing_hold().count(jewel) > 0;
                allowed(held, RULE, "the cart holds no such jewel")
            }
            (Step::Odd, _) => illegal(RULE, "the owner must choose the odd jewel"),
            (Step::Split, Action::Split(left)) => {
                let number = CONTENTS.iter().position(|&content| content == left);
                let can_be = number.is_some_and(|number| self.splits() >> number & 1 == 1);
                allowed(can_be, RULE, "the left hand is not half of the hold")
            }
            (Step::Split, _) => illegal(RULE, "the owner must split the rest of the hold"),
            (Step::Hand, Action::Hand(Hand::Left | Hand::Right)) => Ok(()),
            (Step::Hand, _) => illegal(RULE, "the active seat must choose a hand"),
            (_, Action::Turn(exit)) => {
                let can_be = self.turns_asked().leads(exit);
                allowed(can_be, RULE, "this is no exit, or the one that the cart faced")
            }
            _ => illegal(RULE, "the owner must turn the cart"),
        }
    }

    fn check_in_actions(&self, action: Action) -> Result<(), Illegal> {
        match action {
            Action::EndActions => Ok(()),
            Action::PlaceTrack(square, track) => self.check_place_track(square, track),
            Action::Upgrade(square, track) => self.check_upgrade(square, track),
            Action::PlaceCart(surface) => self.check_place_cart(surface),
            Action::Speed(colour, change) => self.check_speed(colour, change),
            _ => illegal("1. Actions", "this is the time for actions"),
        }
    }

    fn check_place_track(&self, square: Square, track: Track) -> Result<(), Illegal> {
        const RULE: &str = "PLACE_TRACK";
        if square.index() >= self.geometry().squares() {
            return illegal(RULE, "there is no such square");
        }
        if !self.geometry().buildable.contains(square) {
            return illegal(RULE, "no track is laid on the centre of a mine");
        }
        if self.free().contains(square) {
            return allowed(Track::PAIRS.contains(&track), RULE, "only a straight or corner");
        }
        illegal(RULE, "the square has track or a token")
    }

    fn check_upgrade(&self, square: Square, track: Track) -> Result<(), Illegal> {
        const RULE: &str = "UPGRADE";
        if self.occupied().contains(square) {
            return illegal(RULE, "a cart stands on the square");
        }
        let shape = Track::LARGER.iter().position(|&larger| larger == track);
        let can_be = shape.is_some_and(|shape| self.tracks.upgrades()[shape].contains(square));
        allowed(can_be, RULE, "every exit stays, and one is added to a straight, corner or T")
    }

    fn check_place_cart(&self, surface: SurfaceSquare) -> Result<(), Illegal> {
        const RULE: &str = "PLACE_CART";
        let carts = &self.carts[self.turn.index()];
        if surface.side != self.side(self.turn) {
            return illegal(RULE, "this is not the seat's Surface");
        }
        if !carts.iter().any(|cart| cart.place == Place::Supply) {
            return illegal(RULE, "the seat has no cart in supply");
        }
        let can_be = surface.place < 16 && self.entrances() >> surface.place & 1 == 1;
        allowed(can_be, RULE, "there is no such square, or a cart stands on it")
    }

    fn check_speed(&self, colour: Colour, change: Change) -> Result<(), Illegal> {
        let cart = self.cart(CartName { seat: self.turn, colour });
        if !cart.is_on_board() {
            return illegal("SPEED", "the cart is not on the board");
        }
        let can_be = speed_changes(cart) >> change as usize & 1 == 1;
        allowed(can_be, "SPEED", "speeds are 1 to 6")
    }

    fn check_face(&self, exit: Side) -> Result<(), Illegal> {
        let came_by = self.motion.and_then(|motion| motion.entered_by);
        if came_by == Some(exit) {
            return illegal("R10", "this is the exit by which the cart came in");
        }
        allowed(self.facings().leads(exit), "2. Moves", "the track has no such exit")
    }

    fn check_take(&self, jewel: Jewel) -> Result<(), Illegal> {
        let takeable = self.takeable_here();
        if takeable >> jewel as usize & 1 == 1 {
            return Ok(());
        }
        let is_rock_first = takeable == 1 << Jewel::Rock as usize;
        let why = if is_rock_first {
            "a Rock must be taken before anything else"
        } else {
            "no such jewel lies on the square"
        };
        illegal("2. Moves", why)
    }

    /// "Default action": always the first of the possible answers, or to do nothing.
    pub(super) fn default(&self) -> Option<Action> {
        let first_exit = |track: Track| track.exits().next().unwrap_or(Side::North);
        Some(match self.step {
            Step::Actions => Action::EndActions,
            Step::First => Action::First(Colour::White),
            Step::Take => Action::TakeNothing,
            Step::Face => Action::Face(first_exit(self.facings())),
            Step::Odd => Action::Odd(self.opposing_hold().iter().next()?),
            Step::Split => Action::Split(CONTENTS[self.splits().trailing_zeros() as usize]),
            Step::Hand => Action::Hand(Hand::Left),
            Step::TurnActive | Step::TurnOpposing => Action::Turn(first_exit(self.turns_asked())),
            Step::Claim => Action::ClaimNone,
            Step::Token => Action::Token(self.token_squares().first()?),
            Step::Over => return None,
        })
    }
}

/// Bit 0 if it can be faster, bit 1 if slower.
#[inline]
fn speed_changes(cart: &Cart) -> u32 {
    if !cart.is_on_board() {
        return 0;
    }
    u32::from(cart.speed < FASTEST) | u32::from(cart.speed > SLOWEST) << 1
}

fn allowed(is_legal: bool, rule: &'static str, why: &'static str) -> Result<(), Illegal> {
    if is_legal { Ok(()) } else { illegal(rule, why) }
}

fn illegal(rule: &'static str, why: &'static str) -> Result<(), Illegal> {
    Err(Illegal { rule, why })
}
