//! Who sees what: a view is put together here and nowhere else, from what the rules grant.

use arrayvec::ArrayVec;

use super::bag::Bag;
use super::cards::{Card, SYMBOLS, Symbol, Type};
use super::event::Eras;
use super::options::{MAX_PLAYERS, Rules};
use super::stack::ROW;
use super::state::{Eternitium, Step, Turn};
use crate::vocab::{Seat, Viewer};

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub(super) rules: Rules,
    /// The round, from 1.
    pub round: u16,
    /// The seat whose turn it is.
    pub to_act: Seat,
    /// What is to be decided.
    pub step: Step,
    /// What holds for the turn.
    pub turn: Turn,
    /// Portals in the supply, by symbol.
    pub supply: [u8; SYMBOLS],
    /// Eras out of the game, by symbol.
    pub gone: [u8; SYMBOLS],
    /// The left and the right visible Era.
    pub visible: [Option<Symbol>; 2],
    /// Eras in the pile.
    pub pile_size: usize,
    /// The Basic and the Advanced row.
    pub rows: [[Option<Card>; ROW]; 2],
    /// Cards in the Basic and in the Advanced deck.
    pub deck_sizes: [usize; 2],
    /// The play area of the seat to act.
    pub play_area: Bag,
    /// What all see of each seat.
    pub players: ArrayVec<Player, MAX_PLAYERS>,
    /// What only the viewer sees; none for spectators.
    pub own: Option<Own>,
}

/// What all see of a seat.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Player {
    /// Eras in its stack.
    pub eras: usize,
    /// The top one, if it is face up.
    pub top: Option<Symbol>,
    /// Cards in hand.
    pub hand_size: usize,
    /// Cards in its deck.
    pub deck_size: usize,
    /// Its discard pile.
    pub discard: Bag,
    /// R13: the cards it has removed.
    pub removed: Bag,
    /// The Basics and the Advanced technologies that it owns.
    pub technologies: [usize; 2],
    /// At the end: all cards it owns.
    pub owned: Option<Bag>,
    /// R18: whether it has forfeited.
    pub forfeited: bool,
}

/// What only the viewer sees.
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// The viewer's seat.
    pub seat: Seat,
    /// Its hand.
    pub hand: Bag,
    /// The cards of its deck, in no order.
    pub deck: Bag,
    /// What its Scanner shows until it has chosen, the top first.
    pub scanned: Eras,
}

impl View {
    pub(super) fn of(state: &Eternitium, viewer: Viewer) -> Self {
        Self {
            rules: state.rules,
            round: state.round,
            to_act: state.to_act,
            step: state.step,
            turn: state.turn,
            supply: state.table.supply,
            gone: state.table.gone,
            visible: state.table.visible,
            pile_size: state.table.pile.len(),
            rows: Type::ALL.map(|of| state.market(of).row),
            deck_sizes: Type::ALL.map(|of| state.market(of).deck_len()),
            play_area: state.table.play_area,
            players: state.seats_in_play().map(|seat| Player::of(state, seat)).collect(),
            own: match viewer {
                Viewer::Seat(seat) => Some(Own::of(state, seat)),
                Viewer::Spectator => None,
            },
        }
    }

    /// R12: the last round.
    pub fn max_rounds(&self) -> usize {
        self.rules.max_rounds.into()
    }

    /// What all see of a seat.
    pub fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// What lies open of the cards that a seat owns.
    pub(super) fn open_cards(&self, seat: Seat) -> Bag {
        let mut cards = self.player(seat).discard;
        if seat == self.to_act {
            cards.absorb(self.play_area);
        }
        cards
    }
}

impl Player {
    fn of(state: &Eternitium, seat: Seat) -> Self {
        let holding = &state.holdings[seat.index()];
        Self {
            eras: state.eras(seat),
            top: state.stacks[seat.index()].face_up(),
            hand_size: holding.hand.len(),
            deck_size: holding.deck.len(),
            discard: holding.discard,
            removed: holding.removed,
            technologies: state.technologies(seat),
            owned: (state.step == Step::Over).then(|| state.owned(seat)),
            forfeited: state.forfeited.contains(seat),
        }
    }
}

impl Own {
    fn of(state: &Eternitium, seat: Seat) -> Self {
        let holding = &state.holdings[seat.index()];
        let looks = state.step == Step::PutOnTop && state.to_act == seat;
        let scanned = looks.then(|| state.stacks[seat.index()].first_two());
        Self { seat, hand: holding.hand, deck: holding.deck, scanned: scanned.unwrap_or_default() }
    }
}
