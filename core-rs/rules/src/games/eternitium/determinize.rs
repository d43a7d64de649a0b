//! A state drawn at random among those that agree with a view.
//!
//! Nobody sees a face-down Era, not even its owner: all of them, and the pile, are drawn anew.
//! Of another seat's hand and deck everybody knows how many Basics and Advanced are among them,
//! and that those of its starter cards that lie nowhere open are there; within that, every way to
//! deal the unseen cards is equally likely.

use super::bag::Bag;
use super::cards::{Card, SYMBOLS, Symbol, Type};
use super::event::Eras;
use super::options::Rules;
use super::stack::{Market, Queue, Stack};
use super::state::{ERAS, Eternitium, Holding, Step, Table, starter};
use super::view::View;
use crate::chance::Chance;
use crate::pile::Pool;
use crate::vocab::{Seat, SeatSet};

/// The classes of cards whose numbers are public: Portals, Basic, Advanced.
const CLASSES: [Option<Type>; 3] = [None, Some(Type::Basic), Some(Type::Advanced)];

impl View {
    /// Eras are drawn first, for each stack by rising seat, and the rest is the pile; then the
    /// cards of each other seat, and the rest are the decks.
    pub(super) fn determinize(&self, chance: &mut impl Chance) -> Eternitium {
        let mut eras = self.unseen_eras();
        let mut state = Eternitium {
            rules: self.rules,
            round: self.round,
            to_act: self.to_act,
            step: self.step,
            turn: self.turn,
            forfeited: self.seats().filter(|&seat| self.player(seat).forfeited).collect(),
            stacks: Default::default(),
            holdings: Default::default(),
            table: self.table(),
        };
        for seat in self.seats() {
            state.stacks[seat.index()] = self.stack(seat, &mut eras, chance);
        }
        state.table.pile = eras;
        self.deal_cards(&mut state, chance);
        state
    }

    pub(super) fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        SeatSet::first(self.players.len()).iter()
    }

    /// The seats but for the viewer's.
    pub(super) fn others(&self) -> impl Iterator<Item = Seat> + use<> {
        let own = self.own.as_ref().map(|own| own.seat);
        self.seats().filter(move |&seat| Some(seat) != own)
    }

    /// The table but for what is hidden.
    fn table(&self) -> Table {
        let market = |of: Type| Market {
            row: self.rows[of as usize],
            shuffled: Pool::default(),
            under: Queue::default(),
        };
        Table {
            supply: self.supply,
            gone: self.gone,
            visible: self.visible,
            pile: Pool::default(),
            markets: Type::ALL.map(market),
            play_area: self.play_area,
        }
    }

    /// The Eras of a stack that the viewer sees: the top, or what its Scanner shows.
    pub(super) fn seen_eras(&self, seat: Seat) -> Eras {
        match &self.own {
            Some(own) if own.seat == seat && !own.scanned.is_empty() => own.scanned.clone(),
            _ => self.player(seat).top.into_iter().collect(),
        }
    }

    /// The Eras that lie face down in stacks or in the pile.
    fn unseen_eras(&self) -> Pool<SYMBOLS> {
        let mut left = self.gone.map(|gone| ERAS - gone);
        let seen = self.seats().flat_map(|seat| self.seen_eras(seat));
        for era in seen.chain(self.visible.into_iter().flatten()) {
            left[era as usize] -= 1;
        }
        (0..SYMBOLS).flat_map(|era| std::iter::repeat_n(era, left[era].into())).collect()
    }

    fn stack(&self, seat: Seat, eras: &mut Pool<SYMBOLS>, chance: &mut impl Chance) -> Stack {
        let (player, seen) = (self.player(seat), self.seen_eras(seat));
        let shuffled = (seen.len()..player.eras).filter_map(|_| eras.draw(chance)).collect();
        let mut stack = Stack::new(&seen, shuffled, player.top.is_some());
        if self.step == Step::PutOnTop && self.to_act == seat {
            // Its owner looks at these two.
            stack.fix(2, chance);
        }
        stack
    }

    fn deal_cards(&self, state: &mut Eternitium, chance: &mut impl Chance) {
        let mut unseen = self.unseen_cards();
        let mut hidden = [Bag::default(); super::options::MAX_PLAYERS];
        for seat in self.others() {
            hidden[seat.index()] = self.known_of(seat);
            unseen = unseen.without(hidden[seat.index()]);
        }
        for class in CLASSES {
            let mut cards: Bag = unseen.iter().filter(|card| card.type_of() == class).collect();
            let mut deck = Bag::default();
            if let Some(of) = class.filter(|&of| self.row_lacks_a_card(of)) {
                deck = self.draw_narrow_deck(of, &mut cards, chance);
            }
            for seat in self.others() {
                let mine = &mut hidden[seat.index()];
                let missing = self.hidden_number(seat, class) - count(*mine, class);
                mine.absorb((0..missing).filter_map(|_| cards.draw(chance)).collect());
            }
            deck.absorb(cards);
            if let Some(of) = class {
                state.table.markets[of as usize].shuffled =
                    deck.iter().map(Card::in_type).collect();
            }
        }
        for seat in self.seats() {
            state.holdings[seat.index()] = self.holding(seat, hidden[seat.index()], chance);
        }
    }

    /// Every card that the viewer does not see; those of the supply and of the rows it sees.
    pub(super) fn unseen_cards(&self) -> Bag {
        let supply = Symbol::ALL.into_iter().flat_map(|symbol| {
            std::iter::repeat_n(symbol.portal(), self.supply[symbol as usize].into())
        });
        let rows = self.rows.iter().flatten().flatten().copied();
        let mut seen: Bag = supply.chain(rows).collect();
        for seat in self.seats() {
            seen.absorb(self.open_cards(seat));
            seen.absorb(self.player(seat).removed);
        }
        if let Some(own) = &self.own {
            seen.absorb(own.hand);
            seen.absorb(own.deck);
        }
        all_cards(&self.rules).without(seen)
    }

    /// What is known of another seat's hand and deck: at the end everything, before it the
    /// starter cards that lie nowhere open.
    pub(super) fn known_of(&self, seat: Seat) -> Bag {
        let player = self.player(seat);
        if let Some(owned) = player.owned {
            return owned.without(self.open_cards(seat));
        }
        let mut open = self.open_cards(seat);
        open.absorb(player.removed);
        starter().kinds().filter(|&card| open.count(card) == 0).collect()
    }

    /// How many cards of a class are in a seat's hand and deck.
    fn hidden_number(&self, seat: Seat, class: Option<Type>) -> usize {
        let (player, open) = (self.player(seat), self.open_cards(seat));
        let hidden = |of: Type| player.technologies[of as usize] - open.count_of(of);
        match class {
            Some(of) => hidden(of),
            None => {
                let technologies: usize = Type::ALL.map(hidden).iter().sum();
                player.hand_size + player.deck_size - technologies
            }
        }
    }

    /// A number of a seat's hidden cards that is less than what is known of them, and how many are.
    pub(super) fn too_few_hidden(&self, seat: Seat, known: Bag) -> Option<(usize, usize)> {
        let numbers = CLASSES.map(|class| (self.hidden_number(seat, class), count(known, class)));
        numbers.into_iter().find(|(hidden, known)| hidden < known)
    }

    /// R15: whether the deck is known to hold only kinds that lie in the row.
    fn row_lacks_a_card(&self, of: Type) -> bool {
        self.rows[of as usize].contains(&None)
    }

    /// Draws such a deck.
    fn draw_narrow_deck(&self, of: Type, cards: &mut Bag, chance: &mut impl Chance) -> Bag {
        let in_row = |card: &Card| self.rows[of as usize].contains(&Some(*card));
        let mut fit: Bag = cards.iter().filter(in_row).collect();
        let deck = (0..self.deck_sizes[of as usize]).filter_map(|_| fit.draw(chance)).collect();
        *cards = cards.without(deck);
        deck
    }

    /// What a seat has, given its hidden cards if it is not the viewer.
    fn holding(&self, seat: Seat, mut hidden: Bag, chance: &mut impl Chance) -> Holding {
        let player = self.player(seat);
        let (hand, deck) = match &self.own {
            Some(own) if own.seat == seat => (own.hand, own.deck),
            _ => {
                let hand = (0..player.hand_size).filter_map(|_| hidden.draw(chance)).collect();
                (hand, hidden)
            }
        };
        Holding { hand, deck, discard: player.discard, removed: player.removed }
    }
}

fn count(cards: Bag, class: Option<Type>) -> usize {
    match class {
        Some(of) => cards.count_of(of),
        None => cards.len() - Type::ALL.map(|of| cards.count_of(of)).iter().sum::<usize>(),
    }
}

/// How many cards of a kind a match is played with.
pub(super) fn number_of(rules: &Rules, card: Card) -> usize {
    match card.type_of() {
        // The supply and the starters.
        None => 3 * rules.seats(),
        Some(_) if card == Card::DROID => rules.seats(),
        Some(_) => rules.copies(card),
    }
}

fn all_cards(rules: &Rules) -> Bag {
    Card::all().flat_map(|card| std::iter::repeat_n(card, number_of(rules, card))).collect()
}
