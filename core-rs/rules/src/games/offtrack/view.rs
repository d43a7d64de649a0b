//! Who sees what: a view is put together here and nowhere else, from what the rules grant.

use super::cards::{Card, CardSet, Hand};
use super::lines::Lines;
use super::options::{MAX_PLAYERS, MAX_ROUNDS, Rules};
use super::state::{ACTIONS, ActionCard, OffTrack, Step, all_actions, all_cards};
use crate::chance::Chance;
use crate::pile::Pool;
use crate::vocab::{Seat, SeatSet, Viewer};

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub(super) rules: Rules,
    pub(super) round: u8,
    pub(super) to_act: Seat,
    pub(super) step: Step,
    pub(super) collapsed: bool,
    pub(super) called: bool,
    pub(super) lines: Lines,
    pub(super) hand_sizes: [u8; MAX_PLAYERS],
    pub(super) piles: [CardSet; MAX_PLAYERS],
    pub(super) boxed: CardSet,
    pub(super) deck_size: usize,
    pub(super) discard: CardSet,
    pub(super) action_deck_size: usize,
    pub(super) action_discard: Pool<ACTIONS>,
    pub(super) holds: SeatSet,
    pub(super) cycled: SeatSet,
    pub(super) scores: [[i16; MAX_PLAYERS]; MAX_ROUNDS],
    pub(super) own: Option<Own>,
}

/// What only the viewer sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Own {
    /// The viewer's seat.
    pub seat: Seat,
    /// Its hand.
    pub hand: Hand,
    /// The action it holds.
    pub held: Option<ActionCard>,
    /// The action it has drawn (R14).
    pub drawn: Option<ActionCard>,
}

impl View {
    pub(super) fn of(state: &OffTrack, viewer: Viewer) -> Self {
        let holds = state.seats_in_play().filter(|seat| state.held[seat.index()].is_some());
        Self {
            rules: state.rules,
            round: state.round,
            to_act: state.to_act,
            step: state.step,
            collapsed: state.collapsed,
            called: state.called,
            lines: state.lines.clone(),
            hand_sizes: state.hands.map(|hand| hand.len() as u8),
            piles: state.piles,
            boxed: state.boxed,
            deck_size: state.deck.len(),
            discard: state.discard,
            action_deck_size: state.action_deck.len(),
            action_discard: state.action_discard.clone(),
            holds: holds.collect(),
            cycled: state.cycled,
            scores: state.scores,
            own: match viewer {
                Viewer::Seat(seat) => Some(Own::of(state, seat)),
                Viewer::Spectator => None,
            },
        }
    }

    /// The round, from 1, and how many there are.
    pub fn rounds(&self) -> (usize, usize) {
        (usize::from(self.round) + 1, self.rules.rounds.into())
    }

    /// What is to be decided, and whose turn it is.
    pub fn step(&self) -> (Step, Seat) {
        (self.step, self.to_act)
    }

    /// The lines.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The seats.
    pub fn seats(&self) -> impl Iterator<Item = Seat> {
        SeatSet::first(self.rules.seats()).iter()
    }

    /// Cards in a seat's hand.
    pub fn hand_size(&self, seat: Seat) -> usize {
        self.hand_sizes[seat.index()].into()
    }

    /// A seat's score pile.
    pub fn pile(&self, seat: Seat) -> &CardSet {
        &self.piles[seat.index()]
    }

    /// Whether a seat holds an action.
    pub fn holds_action(&self, seat: Seat) -> bool {
        self.holds.contains(seat)
    }

    /// Whether a seat's last main step other than a skip was a cycle.
    pub fn cycled(&self, seat: Seat) -> bool {
        self.cycled.contains(seat)
    }

    /// A seat's scores of the rounds played.
    pub fn round_scores(&self, seat: Seat) -> impl Iterator<Item = i32> {
        let played = usize::from(self.round) + usize::from(self.step == Step::Over);
        self.scores[..played].iter().map(move |scores| scores[seat.index()].into())
    }

    /// What only the viewer sees; none for spectators.
    pub fn own(&self) -> Option<&Own> {
        self.own.as_ref()
    }

    /// The box.
    pub fn boxed(&self) -> &CardSet {
        &self.boxed
    }

    /// The character discards.
    pub fn discard(&self) -> &CardSet {
        &self.discard
    }

    /// Cards in the character deck and in the action deck.
    pub fn deck_sizes(&self) -> (usize, usize) {
        (self.deck_size, self.action_deck_size)
    }

    /// The action discards, in order.
    pub fn action_discard(&self) -> impl Iterator<Item = ActionCard> {
        self.action_discard.iter().map(|kind| ActionCard::ALL[kind])
    }

    /// Whether a branch has collapsed in this turn, and whether the end is called.
    pub fn marks(&self) -> (bool, bool) {
        (self.collapsed, self.called)
    }

    /// A state drawn at random among those that agree with the view: every way to deal the cards
    /// that the viewer does not see is equally likely. Hands are dealt first, by rising seat, and
    /// the rest is the deck; then held actions likewise, and the drawn one.
    pub(super) fn determinize(&self, chance: &mut impl Chance) -> OffTrack {
        let mut deck = self.unseen_cards();
        let mut action_deck = self.unseen_actions();
        let own = self.own;
        let is_own = |seat: Seat| own.filter(|own| own.seat == seat);
        let mut hands = [Hand::default(); MAX_PLAYERS];
        for seat in self.seats() {
            hands[seat.index()] = match is_own(seat) {
                Some(own) => own.hand,
                None => (0..self.hand_size(seat)).map(|_| deck.draw(chance)).collect(),
            };
        }
        let mut draw = || action_deck.draw(chance).map(|kind| ActionCard::ALL[kind]);
        let mut held = [None; MAX_PLAYERS];
        for seat in self.holds.iter() {
            held[seat.index()] = is_own(seat).map_or_else(&mut draw, |own| own.held);
        }
        let drawn = match self.step {
            Step::Drawn => is_own(self.to_act).map_or_else(&mut draw, |own| own.drawn),
            _ => None,
        };
        OffTrack {
            rules: self.rules,
            round: self.round,
            to_act: self.to_act,
            step: self.step,
            collapsed: self.collapsed,
            called: self.called,
            lines: self.lines.clone(),
            hands,
            piles: self.piles,
            boxed: self.boxed,
            deck,
            discard: self.discard,
            action_deck,
            action_discard: self.action_discard.clone(),
            held,
            drawn,
            cycled: self.cycled,
            scores: self.scores,
        }
    }

    /// The cards whose place the viewer does not see.
    fn unseen_cards(&self) -> CardSet {
        let mut unseen = all_cards(&self.rules);
        let on_lines = (0..self.lines.count()).flat_map(|line| self.lines.cards(line));
        let sets = self.piles.iter().chain([&self.boxed, &self.discard]);
        let own = self.own.iter().flat_map(|own| own.hand.cards().collect::<Vec<_>>());
        for card in on_lines.chain(sets.flat_map(CardSet::sorted)).chain(own) {
            unseen.remove(Card::unredeemed(card));
        }
        unseen
    }

    /// The action cards whose place the viewer does not see.
    fn unseen_actions(&self) -> Pool<ACTIONS> {
        let mut unseen = all_actions(&self.rules);
        let own = self.own.iter().flat_map(|own| [own.held, own.drawn]).flatten();
        for kind in self.action_discard.iter().chain(own.map(|action| action as usize)) {
            unseen.remove(kind);
        }
        unseen
    }
}

impl Own {
    fn of(state: &OffTrack, seat: Seat) -> Self {
        Self {
            seat,
            hand: state.hands[seat.index()],
            held: state.held[seat.index()],
            drawn: state.drawn.filter(|_| state.to_act == seat),
        }
    }
}
