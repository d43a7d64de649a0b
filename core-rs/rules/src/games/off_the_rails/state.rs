//! The full state of a match of Off the Rails.

use arrayvec::ArrayVec;

use super::cart::{Cart, CartName, Colour, Place};
use super::deck::Deck;
use super::geometry::{Beyond, Geometry, MAX_SQUARES, MINES, Mine, Side, Square, Squares};
use super::jewels::{Jewel, Jewels};
use super::missions::{Deeds, Missions};
use super::options::{Board, MAX_PLAYERS, Rules};
use super::track::{Track, Tracks};
use crate::vocab::{MAX_SEATS, Outcome, Reason, Seat, SeatSet};

/// Tokens to come of each colour: a fifth is kept for the Chasm Deck.
pub(super) const TOKENS: u8 = 4;
/// For each own cart in supply.
const CART_BONUS: i32 = 3;
/// For the most Rubies.
const RUBY_BONUS: i32 = 5;
/// For each mission.
const MISSION_BONUS: i32 = 4;

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// 1. Up to four actions.
    Actions,
    /// 2. Which cart goes first.
    First,
    /// 2. To take a jewel or nothing.
    Take,
    /// 2. Which exit the active cart faces.
    Face,
    /// Collision: which odd jewel is dropped.
    Odd,
    /// Collision: how the rest is split.
    Split,
    /// Collision: which hand is dropped.
    Hand,
    /// Collision: where the active cart turns.
    TurnActive,
    /// Collision: where the opposing cart turns.
    TurnOpposing,
    /// 3. To claim a mission or none.
    Claim,
    /// 4. Where the token drawn is laid.
    Token,
    /// Nothing: the match is over.
    Over,
}

/// A move that goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Motion {
    /// The active cart, of the seat whose turn it is.
    pub cart: Colour,
    /// 0 from a collision on.
    pub steps_left: u8,
    /// How many jewels may still be taken here; 0 but while it is asked.
    pub takings_left: u8,
    /// By which side the cart last entered its square in this move; none if it has not moved or
    /// has left the board.
    pub entered_by: Option<Side>,
    /// Whether the seat's other cart is on the board and yet to move.
    pub other_to_move: bool,
    /// With missions, until mission 10 is met: the squares from which jewels were taken, sorted.
    pub taken_from: TakenFrom,
}

/// Two squares at most, sorted.
pub type TakenFrom = [Option<Square>; 2];

/// A collision that is not settled yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collision {
    /// The cart that was hit.
    pub opposing: CartName,
    /// The side of its square from which it was hit.
    pub hit_side: Side,
}

/// A token that was drawn and is yet to be laid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Its colour.
    pub colour: Mine,
    /// With the die: the number rolled, from 1.
    pub die: Option<u8>,
}

/// The Chasm and its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chasm {
    /// The seat that turned the Chasm Card.
    pub(super) opener: Option<Seat>,
    pub(super) is_open: bool,
    /// The squares on which tokens of each colour lie.
    pub(super) tokens: [Squares; MINES],
    /// Without those kept for the Chasm Deck.
    pub(super) to_come: [u8; MINES],
    /// R14.
    pub(super) put_out: [u8; MINES],
}

impl Chasm {
    /// The squares with a token of any colour.
    #[inline]
    pub(super) fn squares(&self) -> Squares {
        let [red, yellow, green, blue] = self.tokens;
        red.or(yellow).or(green.or(blue))
    }

    pub(super) fn tokens_to_come(&self) -> u32 {
        self.to_come.iter().map(|&tokens| u32::from(tokens)).sum()
    }
}

/// All that everybody sees: everything but how a hold was split. What is hidden stands beside it,
/// in the state.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub(super) rules: Rules,
    pub(super) step: Step,
    /// The seat whose turn it is; at the end, whose turn was the last.
    pub(super) turn: Seat,
    /// In the action phase.
    pub(super) actions_taken: u8,
    pub(super) tracks: Tracks,
    /// What lies on each square.
    pub(super) jewels: [Jewels; MAX_SQUARES],
    /// By seat and colour.
    pub(super) carts: [[Cart; 2]; MAX_PLAYERS],
    pub(super) bag: Jewels,
    /// Out of the game.
    pub(super) removed: Jewels,
    pub(super) stockpiles: [Jewels; MAX_PLAYERS],
    pub(super) deck: Deck,
    pub(super) chasm: Chasm,
    /// Those that lie face up.
    pub(super) missions: Missions,
    pub(super) claimed: [Missions; MAX_PLAYERS],
    pub(super) deeds: Deeds,
    pub(super) motion: Option<Motion>,
    pub(super) collision: Option<Collision>,
    pub(super) drawn: Option<Drawn>,
}

/// A match of Off the Rails at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct OffTheRails {
    pub(super) table: Table,
    /// The left hand, from the split to the choice: known to the opposing cart's owner alone.
    pub(super) left_hand: Option<Jewels>,
}

const _: () = assert!(size_of::<OffTheRails>() <= 768, "a state is cheap to copy");

impl Table {
    /// What is to be decided.
    pub fn step(&self) -> Step {
        self.step
    }

    /// The seat whose turn it is; at the end, whose turn was the last.
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// R1: the board.
    pub fn board(&self) -> Board {
        self.rules.board
    }

    /// Squares on a side of the board.
    pub fn size(&self) -> usize {
        self.geometry().size
    }

    /// The seats, in turn order.
    pub fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        self.rules.all_seats()
    }

    /// How many seats there are.
    pub fn seats(&self) -> usize {
        self.rules.seats()
    }

    /// A cart.
    #[inline]
    pub fn cart(&self, name: CartName) -> &Cart {
        &self.carts[name.seat.index()][name.colour as usize]
    }

    /// All carts, by seat, white before black.
    pub fn cart_names(&self) -> impl Iterator<Item = CartName> + use<> {
        let of_seat = |seat| Colour::ALL.map(|colour| CartName { seat, colour });
        self.rules.all_seats().flat_map(of_seat)
    }

    /// The track of a square.
    #[inline]
    pub fn track(&self, square: Square) -> Track {
        self.tracks.at(square)
    }

    /// The jewels that lie on a square.
    #[inline]
    pub fn jewels(&self, square: Square) -> Jewels {
        self.jewels[square.index()]
    }

    /// The colour of the token on a square.
    pub fn token(&self, square: Square) -> Option<Mine> {
        let lies = |mine: &Mine| self.chasm.tokens[*mine as usize].contains(square);
        Mine::ALL.into_iter().find(lies)
    }

    /// All squares, by rising number.
    pub fn squares(&self) -> impl Iterator<Item = Square> + use<> {
        (0..self.geometry().squares() as u8).map(Square)
    }

    /// What a seat has banked.
    pub fn stockpile(&self, seat: Seat) -> Jewels {
        self.stockpiles[seat.index()]
    }

    /// The jewels in the bag.
    pub fn bag(&self) -> Jewels {
        self.bag
    }

    /// The jewels removed from the game.
    pub fn removed(&self) -> Jewels {
        self.removed
    }

    /// Whether the Chasm is open.
    pub fn is_chasm_open(&self) -> bool {
        self.chasm.is_open
    }

    /// The tokens of a colour: laid, to come without the one kept for the Chasm Deck, put out.
    pub fn tokens(&self, mine: Mine) -> [usize; 3] {
        let Chasm { tokens, to_come, put_out, .. } = &self.chasm;
        let mine = mine as usize;
        [tokens[mine].len(), to_come[mine].into(), put_out[mine].into()]
    }

    /// How many cards of a colour were turned or shown.
    pub fn cards_seen(&self, mine: Mine) -> usize {
        self.deck.seen[mine as usize].count_ones() as usize
    }

    /// How many cards all decks have.
    pub fn deck_size(&self) -> usize {
        self.deck.size.into()
    }

    /// How many cards they had at the start.
    pub fn deposit_cards(&self) -> usize {
        self.rules.deposit_cards.into()
    }

    /// The square next to a square; none beyond the border.
    pub fn neighbour(&self, square: Square, side: Side) -> Option<Square> {
        match self.geometry().beyond(square, side) {
            Beyond::Square(next) => Some(next),
            Beyond::Surface => None,
        }
    }

    /// The move that goes on, if one does.
    pub fn motion(&self) -> Option<Motion> {
        self.motion
    }

    /// How many actions the seat whose turn it is has taken, while it may take more.
    pub fn actions_taken(&self) -> u8 {
        self.actions_taken
    }

    /// Whether a square is one on which track can lie: no mine centre, and without a token.
    pub fn can_have_track(&self, square: Square) -> bool {
        self.geometry().buildable.without(self.chasm.squares()).contains(square)
    }

    /// The side of the board that is a seat's Surface.
    pub fn side(&self, seat: Seat) -> Side {
        self.rules.side(seat)
    }

    /// The square of a number of a mine, from 1 to 8.
    pub fn mine_square(&self, mine: Mine, number: usize) -> Square {
        self.geometry().mines[mine as usize][number - 1]
    }

    #[inline]
    pub(super) fn geometry(&self) -> &'static Geometry {
        self.rules.geometry()
    }

    /// The active cart; only while a move goes on.
    #[inline]
    pub(super) fn active(&self) -> Option<CartName> {
        self.motion.map(|motion| CartName { seat: self.turn, colour: motion.cart })
    }

    /// The cart that stands on an underground square.
    #[inline]
    pub(super) fn cart_on(&self, square: Square) -> Option<CartName> {
        let stands = |name: &CartName| self.cart(*name).place == Place::Underground(square);
        self.cart_names().find(stands)
    }

    /// The underground squares with a cart.
    #[inline]
    pub(super) fn occupied(&self) -> Squares {
        let mut squares = Squares::EMPTY;
        for cart in self.carts.as_flattened() {
            if let Place::Underground(square) = cart.place {
                squares.insert(square);
            }
        }
        squares
    }

    pub(super) fn is_cart_on_board(&self) -> bool {
        self.carts.as_flattened().iter().any(Cart::is_on_board)
    }

    /// The seat that must decide; none when the match is over.
    #[inline]
    pub(super) fn decider(&self) -> Option<Seat> {
        match self.step {
            Step::Over => None,
            Step::Odd | Step::Split | Step::TurnOpposing => {
                self.collision.map(|collision| collision.opposing.seat)
            }
            _ => Some(self.turn),
        }
    }

    /// R36: the scores, as the table lies.
    pub fn scores(&self) -> ArrayVec<i32, MAX_SEATS> {
        let rubies = |seat: Seat| self.stockpile(seat).count(Jewel::Ruby);
        let most = self.rules.all_seats().map(rubies).max().unwrap_or(0).max(1);
        let score = |seat: Seat| {
            let in_supply = |cart: &&Cart| cart.place == Place::Supply;
            let carts = self.carts[seat.index()].iter().filter(in_supply).count() as i32;
            // R17: to each of those tied.
            let bonus = if rubies(seat) == most { RUBY_BONUS } else { 0 };
            let missions = self.claimed[seat.index()].len() as i32;
            self.stockpile(seat).worth() + bonus + CART_BONUS * carts + MISSION_BONUS * missions
        };
        self.rules.all_seats().map(score).collect()
    }

    /// Most points; then most jewels (R18); then fewest Rocks.
    pub(super) fn result(&self, left_in: SeatSet) -> Option<Outcome> {
        if self.step != Step::Over {
            return None;
        }
        let scores = self.scores();
        let rank = |seat: Seat| {
            let pile = self.stockpile(seat);
            (scores[seat.index()], pile.len(), std::cmp::Reverse(pile.count(Jewel::Rock)))
        };
        let best = left_in.iter().map(rank).max();
        let winners = left_in.iter().filter(|&seat| Some(rank(seat)) == best).collect();
        // R16: if both hold, it is the last token.
        let reason = match self.chasm.tokens_to_come() {
            0 => Reason::OffTheRailsLastToken,
            _ => Reason::OffTheRailsNoCartOnBoard,
        };
        Some(Outcome { winners, reason, scores })
    }

    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let small = [
            self.step as u64 | (self.turn.index() as u64) << 8,
            self.actions_taken.into(),
            self.deeds.word() | self.missions.word() << 32,
            self.bag.word() | self.removed.word() << 32,
        ];
        let jewels = self.jewels.chunks(2);
        let jewels = jewels.map(|pair| pair.iter().fold(0, |word, j| word << 32 | j.word()));
        let carts = self.carts.as_flattened().iter().flat_map(Cart::words);
        let seats = self.stockpiles.iter().zip(&self.claimed);
        let seats = seats.map(|(pile, claimed)| pile.word() | claimed.word() << 32);
        let pending = [
            self.motion.map_or(0, |motion| motion.word()),
            self.collision.map_or(0, |collision| collision.word()),
            self.drawn.map_or(0, |drawn| drawn.word()),
        ];
        let table = small.into_iter().chain(self.tracks.words()).chain(jewels).chain(carts);
        table.chain(seats).chain([self.deck.word()]).chain(self.chasm.words()).chain(pending)
    }
}

impl OffTheRails {
    /// All that everybody sees.
    pub fn table(&self) -> &Table {
        &self.table
    }

    pub(super) fn state_hash(&self) -> u64 {
        let hand = self.left_hand.map_or(0, |hand| hand.word() + 1);
        let words = self.table.words().chain([hand]);
        words.fold(0x0FF7_4A15, |hash, word| crate::vocab::mix(hash ^ word))
    }
}

impl Motion {
    fn word(self) -> u64 {
        let taken = self.taken_from.map(|square| square.map_or(0, |s| s.index() as u64 + 1));
        let entered = self.entered_by.map_or(0, |side| side as u64 + 1);
        let marks = self.cart as u64 | u64::from(self.other_to_move) << 1 | 1 << 2;
        let left = u64::from(self.steps_left) << 8 | u64::from(self.takings_left);
        (taken[0] << 8 | taken[1]) << 32 | left << 16 | entered << 8 | marks
    }
}

impl Collision {
    fn word(self) -> u64 {
        let CartName { seat, colour } = self.opposing;
        1 << 24 | (seat.index() as u64) << 16 | (colour as u64) << 8 | self.hit_side as u64
    }
}

impl Drawn {
    fn word(self) -> u64 {
        1 << 16 | (self.colour as u64) << 8 | u64::from(self.die.unwrap_or(0))
    }
}

impl Chasm {
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let opener = self.opener.map_or(0, |seat| seat.index() as u64 + 1);
        let counts =
            [self.to_come, self.put_out].map(|counts| u64::from(u32::from_le_bytes(counts)));
        let small = [opener << 1 | u64::from(self.is_open), counts[0] << 32 | counts[1]];
        self.tokens.iter().flat_map(|squares| squares.words()).chain(small)
    }
}
