//! The notation of decisions, read and written, and of positions, written.

use super::action::{Action, Aim, Place, Side};
use super::bag::Bag;
use super::cards::{CARDS, Card, SYMBOLS, Symbol, Target, Type};
use super::stack::{Market, ROW, Stack};
use super::state::{Eternitium, Holding, Step};
use crate::error::Faults;
use crate::vocab::Seat;

pub(super) fn write_action(action: Action) -> String {
    match action {
        Action::TakeBasic(place) => format!("+{}", write_place(place)),
        Action::Portal(symbol) => format!("@{symbol}"),
        Action::Play(card, Aim::None) => card.to_string(),
        Action::Play(card, Aim::Seat(seat)) => format!("{card}{}", seat.index()),
        Action::Play(card, Aim::Card(other)) => format!("{card}{other}"),
        Action::PutOnTop(position) => format!("^{position}"),
        Action::EndPlay => ".".into(),
        Action::Refit => "*".into(),
        Action::Remove(card) => format!("-{card}"),
        Action::Keep(card) => format!("={}", card.map(|card| card.to_string()).unwrap_or_default()),
        Action::Basic(place, side) => {
            let side = side.map_or("", |side| if side == Side::Left { "l" } else { "r" });
            format!("b{}{side}", write_place(place))
        }
        Action::Advanced(place) => format!("a{}", write_place(place)),
        Action::NoTechnology => "n".into(),
    }
}

fn write_place(place: Place) -> char {
    match place {
        Place::Row(place) => (b'0' + place) as char,
        Place::Unseen => '?',
    }
}

pub(super) fn read_action(text: &str) -> Result<Action, Faults> {
    let chars: Vec<char> = text.chars().collect();
    read_chars(&chars).ok_or_else(|| {
        let expected = "a decision as \"@c\", \"V1\", \"Rc\", \"=\", \"b0l\" or \"n\"";
        Faults::one("notation", text, expected)
    })
}

fn read_chars(text: &[char]) -> Option<Action> {
    Some(match *text {
        ['.'] => Action::EndPlay,
        ['*'] => Action::Refit,
        ['n'] => Action::NoTechnology,
        ['='] => Action::Keep(None),
        ['=', card] => Action::Keep(Some(Card::parse(card)?)),
        ['-', card] => Action::Remove(Card::parse(card)?),
        ['@', symbol] => Action::Portal(read_symbol(symbol)?),
        ['^', '0'] => Action::PutOnTop(0),
        ['^', '1'] => Action::PutOnTop(1),
        ['+', place] => Action::TakeBasic(read_place(place)?),
        ['a', place] => Action::Advanced(read_place(place)?),
        ['b', place] => Action::Basic(read_place(place)?, None),
        ['b', place, 'l'] => Action::Basic(read_place(place)?, Some(Side::Left)),
        ['b', place, 'r'] => Action::Basic(read_place(place)?, Some(Side::Right)),
        [card, ref aim @ ..] => read_play(Card::parse(card)?, aim)?,
        [] => return None,
    })
}

fn read_play(card: Card, aim: &[char]) -> Option<Action> {
    let target = card.kind().target;
    let aim = match *aim {
        [] if target.is_implied() => Aim::None,
        [seat] if target.is_seat() => Aim::Seat(Seat::new(seat.to_digit(10)? as usize)?),
        [other] if target == Target::OtherCard => Aim::Card(Card::parse(other)?),
        _ => return None,
    };
    Some(Action::Play(card, aim))
}

fn read_symbol(letter: char) -> Option<Symbol> {
    Symbol::ALL.into_iter().find(|symbol| symbol.letter() == letter)
}

fn read_place(letter: char) -> Option<Place> {
    match letter {
        '?' => Some(Place::Unseen),
        _ => letter.to_digit(ROW as u32).map(|place| Place::Row(place as u8)),
    }
}

/// A field that may be empty.
fn field(text: String) -> String {
    if text.is_empty() { "-".into() } else { text }
}

fn cards(cards: Bag) -> String {
    field(cards.iter().map(|card| card.kind().letter).collect())
}

fn letters(eras: impl Iterator<Item = usize>) -> String {
    eras.map(|era| Symbol::ALL[era].letter()).collect()
}

/// Eras by symbol.
fn eras(counts: impl Fn(usize) -> usize) -> String {
    field(letters((0..SYMBOLS).flat_map(|era| std::iter::repeat_n(era, counts(era)))))
}

fn write_stack(stack: &Stack) -> String {
    let face = if stack.face_up { "^" } else { "" };
    let (above, under) = (letters(stack.above.iter()), letters(stack.under.iter()));
    if stack.shuffled.is_empty() {
        return format!("{face}{under}()");
    }
    format!("{face}{above}({}){under}", letters(stack.shuffled.iter()))
}

fn write_row(market: &Market) -> String {
    market.row.iter().map(|card| card.map_or('-', |card| card.kind().letter)).collect()
}

fn write_deck(of: Type, market: &Market) -> String {
    let letter = |number| of.card(number).kind().letter;
    let under: String = market.under.iter().map(letter).collect();
    if market.shuffled.is_empty() {
        return format!("{under}()");
    }
    format!("({}){under}", market.shuffled.iter().map(letter).collect::<String>())
}

impl Eternitium {
    /// The eighteen fields of the rules' "Notation".
    pub(super) fn write_position(&self) -> String {
        let by_seat = |write: &dyn Fn(usize) -> String, between: &str| {
            self.seats_in_play().map(|seat| write(seat.index())).collect::<Vec<_>>().join(between)
        };
        let bags =
            |bag: &dyn Fn(&Holding) -> Bag| by_seat(&|seat| cards(bag(&self.holdings[seat])), "/");
        let forfeited = |seat: Seat| if self.forfeited.contains(seat) { 'f' } else { '-' };
        let market = |of| self.market(of);
        let table = &self.table;
        [
            self.round.to_string(),
            self.write_step(),
            self.write_turn(),
            by_seat(&|seat| write_stack(&self.stacks[seat]), "/"),
            eras(|era| table.gone[era].into()),
            table.visible.iter().map(|era| era.map_or('-', Symbol::letter)).collect(),
            eras(|era| table.pile.count(era)),
            table.supply.map(|left| left.to_string()).join(","),
            write_row(market(Type::Basic)),
            write_deck(Type::Basic, market(Type::Basic)),
            write_row(market(Type::Advanced)),
            write_deck(Type::Advanced, market(Type::Advanced)),
            bags(&|holding| holding.hand),
            bags(&|holding| holding.deck),
            bags(&|holding| holding.discard),
            cards(table.play_area),
            bags(&|holding| holding.removed),
            self.seats_in_play().map(forfeited).collect(),
        ]
        .join(" ")
    }

    fn write_step(&self) -> String {
        let step = match self.step {
            Step::TakeBasic => "B",
            Step::Portal => "P",
            Step::Play => "Y",
            Step::PutOnTop => "S",
            Step::Refit => "F",
            Step::Technology => "T",
            Step::Over => return "--".into(),
        };
        format!("{}{step}", self.to_act.index())
    }

    fn write_turn(&self) -> String {
        let turn = self.turn;
        let mark = |holds, letter| if holds { letter } else { '-' };
        let marks = [mark(turn.is_extra, 'x'), mark(turn.looped, 'l'), mark(turn.played, 'p')];
        format!("{}{}", marks.iter().collect::<String>(), turn.refill)
    }
}

const _: () = assert!(CARDS == 18 && ROW < 10, "letters and digits tell kinds and places apart");
