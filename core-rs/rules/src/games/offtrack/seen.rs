//! From what a viewer sees to a position that agrees with it.

use super::cards::{Card, CardSet};
use super::options::Rules;
use super::saved::Saved;
use super::state::{ActionCard, OffTrack, Step, all_actions, all_cards};
use crate::error::Faults;
use crate::position::Position;
use crate::vocab::{Seat, Viewer};

/// What a viewer sees, as an untrusted caller gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Who sees it.
    pub viewer: Viewer,
    /// What lies open, and what the viewer itself has. Other seats' hands and actions are empty,
    /// and so are the decks.
    pub open: Saved,
    /// Cards in the hands, by seat.
    pub hand_sizes: Vec<u32>,
    /// Which seats hold an action.
    pub holds: Vec<bool>,
}

impl Seen {
    /// A position that agrees with it: what the viewer does not see is dealt in the order of the
    /// cards. Lists every fault. What the viewer is shown beside this must be compared afterwards.
    pub fn imagine(&self) -> Result<Position<OffTrack>, Faults> {
        let rules = Rules::new(&self.open.options)?;
        let mut saved = self.open.clone();
        let mut cards = self.unseen_cards(&rules).into_iter();
        let mut actions = self.unseen_actions(&rules).into_iter();
        let sizes = self.hand_sizes.iter().zip(&self.holds);
        for (number, (seat, (&size, &holds))) in saved.seats.iter_mut().zip(sizes).enumerate() {
            if !self.is_viewer(number as u32) {
                seat.hand = cards.by_ref().take(size as usize).collect();
                seat.held = if holds { actions.next() } else { None };
            }
        }
        if saved.step == Step::Drawn && !self.is_viewer(saved.turn_of) {
            saved.drawn = actions.next();
        }
        saved.deck = cards.collect();
        saved.action_deck = actions.collect();
        saved.restore()
    }

    fn is_viewer(&self, seat: u32) -> bool {
        Seat::new(seat as usize).is_some_and(|seat| self.viewer == Viewer::Seat(seat))
    }

    /// The cards that lie nowhere open, sorted.
    fn unseen_cards(&self, rules: &Rules) -> Vec<Card> {
        let open = &self.open;
        let lines = open.lines.iter().flat_map(|line| &line.cards);
        let seats = open.seats.iter().flat_map(|seat| seat.pile.iter().chain(&seat.hand));
        let mut unseen: CardSet = all_cards(rules);
        for &card in lines.chain(seats).chain(&open.boxed).chain(&open.discard) {
            unseen.remove(card.unredeemed());
        }
        unseen.sorted()
    }

    /// The action cards that lie nowhere open, sorted.
    fn unseen_actions(&self, rules: &Rules) -> Vec<ActionCard> {
        let open = &self.open;
        let held = open.seats.iter().filter_map(|seat| seat.held);
        let mut unseen = all_actions(rules);
        for action in open.action_discard.iter().copied().chain(held).chain(open.drawn) {
            unseen.remove(action as usize);
        }
        unseen.iter().map(|kind| ActionCard::ALL[kind]).collect()
    }
}
