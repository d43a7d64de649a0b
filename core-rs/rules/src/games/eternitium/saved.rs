//! Saving a match at any moment and going on from it.

use super::bag::Bag;
use super::cards::{Card, OF_TYPE, SYMBOLS, Symbol, Type};
use super::determinize::number_of;
use super::options::{Options, Rules, path};
use super::stack::{Market, Queue, ROW, Stack};
use super::state::{ERAS, Eternitium, Holding, Step, Table, Turn};
use crate::error::Faults;
use crate::pile::Pool;
use crate::position::Position;
use crate::vocab::{Seat, SeatSet};

/// Everything that a match holds, as an untrusted caller gives it.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Saved {
    pub options: Options,
    /// From 1.
    pub round: u32,
    pub step: Step,
    pub turn_of: u32,
    pub is_extra: bool,
    pub looped: bool,
    pub played: bool,
    pub refill: u32,
    pub seats: Vec<SavedSeat>,
    /// By symbol.
    pub supply: Vec<u32>,
    /// By symbol.
    pub gone: Vec<u32>,
    pub visible: Vec<Option<Symbol>>,
    /// By symbol.
    pub pile: Vec<u32>,
    /// Basic, Advanced.
    pub rows: [Vec<Option<Card>>; 2],
    /// Basic, Advanced.
    pub decks: [SavedDeck; 2],
    pub play_area: Vec<Card>,
}

/// A deck of technologies.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct SavedDeck {
    pub shuffled: Vec<Card>,
    pub under: Vec<Card>,
}

/// An Era stack.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct SavedStack {
    pub face_up: bool,
    pub above: Vec<Symbol>,
    /// By symbol.
    pub shuffled: Vec<u32>,
    pub under: Vec<Symbol>,
}

/// What a seat has.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct SavedSeat {
    pub stack: SavedStack,
    pub hand: Vec<Card>,
    pub deck: Vec<Card>,
    pub discard: Vec<Card>,
    pub removed: Vec<Card>,
    pub forfeited: bool,
}

type Zone = fn(&SavedSeat) -> &[Card];

/// Which of a seat's cards, by name.
const ZONES: [(&str, Zone); 4] = [
    ("hand", |seat| &seat.hand),
    ("deck", |seat| &seat.deck),
    ("discard", |seat| &seat.discard),
    ("removed", |seat| &seat.removed),
];

impl Saved {
    /// Saves a match.
    pub fn of(position: &Position<Eternitium>) -> Self {
        let state = position.state();
        let (table, turn) = (&state.table, state.turn);
        let market = |of: Type| state.market(of);
        Self {
            options: state.rules.options(),
            round: state.round.into(),
            step: state.step,
            turn_of: state.to_act.index() as u32,
            is_extra: turn.is_extra,
            looped: turn.looped,
            played: turn.played,
            refill: turn.refill.into(),
            seats: state.seats_in_play().map(|seat| SavedSeat::of(state, seat)).collect(),
            supply: table.supply.map(u32::from).to_vec(),
            gone: table.gone.map(u32::from).to_vec(),
            visible: table.visible.to_vec(),
            pile: counts(&table.pile),
            rows: Type::ALL.map(|of| market(of).row.to_vec()),
            decks: Type::ALL.map(|of| SavedDeck::of(of, market(of))),
            play_area: table.play_area.iter().collect(),
        }
    }

    /// The match that was saved; lists every fault.
    pub fn restore(&self) -> Result<Position<Eternitium>, Faults> {
        let rules = Rules::new(&self.options)?;
        let mut faults = Faults::default();
        self.check_shape(&rules, &mut faults);
        faults.or(())?;
        let mut faults = Faults::default();
        let state = self.state(rules);
        state.check_cards(&mut faults);
        state.check_course(&mut faults);
        faults.or(Position::from_parts(state, ()))
    }

    /// Numbers that must be in range before a state can be made.
    pub(super) fn check_shape(&self, rules: &Rules, faults: &mut Faults) {
        let seats = rules.seats() as u32;
        let mut shape = Shape { rules, faults };
        shape.range("round", self.round, 1, rules.max_rounds.into());
        shape.range("turn_of", self.turn_of, 0, seats - 1);
        shape.range("refill_size", self.refill, 4, 6);
        shape.range("seats", self.seats.len() as u32, seats, seats);
        shape.symbols("supply", &self.supply, 2 * seats);
        shape.symbols("eras_gone", &self.gone, ERAS.into());
        shape.symbols("pile", &self.pile, ERAS.into());
        shape.range("visible_eras", self.visible.len() as u32, 2, 2);
        shape.cards("play_area", &self.play_area);
        for of in Type::ALL {
            shape.market(of, &self.rows[of as usize], &self.decks[of as usize]);
        }
        for (number, seat) in self.seats.iter().enumerate() {
            let field = |name: &str| format!("seats[{number}].{name}");
            for (name, zone) in ZONES {
                shape.cards(&field(name), zone(seat));
            }
            let all = ZONES.iter().flat_map(|(_, zone)| zone(seat)).copied();
            shape.cards(&field("cards"), &all.collect::<Vec<_>>());
            shape.stack(&field("stack"), &seat.stack);
        }
    }

    pub(super) fn state(&self, rules: Rules) -> Eternitium {
        let mut state = Eternitium {
            rules,
            round: self.round as u16,
            to_act: Seat::of(self.turn_of as u8),
            step: self.step,
            turn: Turn {
                is_extra: self.is_extra,
                looped: self.looped,
                played: self.played,
                refill: self.refill as u8,
            },
            forfeited: SeatSet::EMPTY,
            stacks: Default::default(),
            holdings: Default::default(),
            table: self.table(),
        };
        for (number, saved) in self.seats.iter().enumerate() {
            state.stacks[number] = saved.stack.restore();
            state.holdings[number] = saved.holding();
            if saved.forfeited {
                state.forfeited = state.forfeited.with(Seat::of(number as u8));
            }
        }
        state
    }

    fn table(&self) -> Table {
        Table {
            supply: by_symbol(&self.supply),
            gone: by_symbol(&self.gone),
            visible: [self.visible[0], self.visible[1]],
            pile: pool(&self.pile),
            markets: Type::ALL.map(|of| {
                let row = &self.rows[of as usize];
                self.decks[of as usize].market([row[0], row[1], row[2]])
            }),
            play_area: self.play_area.iter().copied().collect(),
        }
    }
}

impl SavedSeat {
    fn of(state: &Eternitium, seat: Seat) -> Self {
        let Holding { hand, deck, discard, removed } = state.holdings[seat.index()];
        let sorted = |cards: Bag| cards.iter().collect();
        Self {
            stack: SavedStack::of(&state.stacks[seat.index()]),
            hand: sorted(hand),
            deck: sorted(deck),
            discard: sorted(discard),
            removed: sorted(removed),
            forfeited: state.forfeited.contains(seat),
        }
    }

    fn holding(&self) -> Holding {
        let [hand, deck, discard, removed] =
            ZONES.map(|(_, zone)| zone(self).iter().copied().collect());
        Holding { hand, deck, discard, removed }
    }
}

impl SavedStack {
    fn of(stack: &Stack) -> Self {
        Self {
            face_up: stack.face_up,
            above: stack.above.iter().map(|era| Symbol::ALL[era]).collect(),
            shuffled: counts(&stack.shuffled),
            under: stack.under.iter().map(|era| Symbol::ALL[era]).collect(),
        }
    }

    fn restore(&self) -> Stack {
        let mut stack = Stack { face_up: self.face_up, ..Stack::default() };
        self.above.iter().for_each(|&era| stack.above.push_back(era as usize));
        self.under.iter().for_each(|&era| stack.under.push_back(era as usize));
        stack.shuffled = pool(&self.shuffled);
        stack
    }
}

impl SavedDeck {
    fn of(of: Type, market: &Market) -> Self {
        Self {
            shuffled: market.shuffled.iter().map(|number| of.card(number)).collect(),
            under: market.under.iter().map(|number| of.card(number)).collect(),
        }
    }

    fn market(&self, row: [Option<Card>; ROW]) -> Market {
        let mut under = Queue::default();
        self.under.iter().for_each(|card| under.push_back(card.in_type()));
        let shuffled = self.shuffled.iter().map(|card| card.in_type()).collect();
        Market { row, shuffled, under }
    }
}

fn counts(pool: &Pool<SYMBOLS>) -> Vec<u32> {
    (0..SYMBOLS).map(|symbol| pool.count(symbol) as u32).collect()
}

fn by_symbol(counts: &[u32]) -> [u8; SYMBOLS] {
    std::array::from_fn(|symbol| counts[symbol] as u8)
}

fn pool(counts: &[u32]) -> Pool<SYMBOLS> {
    let eras = (0..SYMBOLS).flat_map(|era| std::iter::repeat_n(era, counts[era] as usize));
    eras.collect()
}

/// Notes what does not even fit into a state.
pub(super) struct Shape<'a> {
    pub(super) rules: &'a Rules,
    pub(super) faults: &'a mut Faults,
}

impl Shape<'_> {
    pub(super) fn range(&mut self, field: &str, value: u32, low: u32, high: u32) {
        if !(low..=high).contains(&value) {
            self.faults.add(&path(field), value, format!("a number from {low} to {high}"));
        }
    }

    fn symbols(&mut self, field: &str, counts: &[u32], most: u32) {
        self.range(field, counts.len() as u32, SYMBOLS as u32, SYMBOLS as u32);
        counts.iter().for_each(|&count| self.range(field, count, 0, most));
    }

    /// No more of a kind than there are.
    pub(super) fn cards(&mut self, field: &str, cards: &[Card]) {
        for card in Card::all() {
            let number = cards.iter().filter(|&&other| other == card).count();
            let most = number_of(self.rules, card);
            if number > most {
                let expected = format!("at most {most} of {}", card.name());
                self.faults.add(&path(field), number, expected);
            }
        }
    }

    fn market(&mut self, of: Type, row: &[Option<Card>], deck: &SavedDeck) {
        let (row_name, deck_name) = match of {
            Type::Basic => ("basic_row", "basic_deck"),
            Type::Advanced => ("advanced_row", "advanced_deck"),
        };
        self.range(row_name, row.len() as u32, ROW as u32, ROW as u32);
        let all: Vec<Card> = deck.shuffled.iter().chain(&deck.under).copied().collect();
        self.cards(deck_name, &all);
        for (field, card) in row
            .iter()
            .flatten()
            .map(|card| (row_name, card))
            .chain(all.iter().map(|card| (deck_name, card)))
        {
            if card.type_of() != Some(of) || !card.is_for_sale() {
                self.faults.add(&path(field), card.name(), "technologies of its type, no Droid");
            }
        }
    }

    fn stack(&mut self, field: &str, stack: &SavedStack) {
        self.range(&format!("{field}.above"), stack.above.len() as u32, 0, 2);
        self.range(&format!("{field}.under"), stack.under.len() as u32, 0, 4 * u32::from(ERAS));
        self.symbols(&format!("{field}.shuffled"), &stack.shuffled, ERAS.into());
    }
}

const _: () = assert!(OF_TYPE * 10 <= 70 && SYMBOLS * ERAS as usize <= 60, "queues have room");
