//! The notation of decisions, read and written, and of positions, written.

use std::fmt::{self, Write};

use super::action::{Action, Play, Spot};
use super::cards::{Card, CardSet, Hand};
use super::state::{ACTIONS, ActionCard, OffTrack, Step};
use crate::error::Faults;
use crate::pile::Pool;
use crate::vocab::Seat;

impl OffTrack {
    pub(super) fn write_action(&self, action: Action) -> String {
        match action {
            Action::Play(play) => play.to_string(),
            Action::Discard => "X".into(),
            Action::Hold => "H".into(),
            Action::Append { card, line } => format!("{card}>{line}"),
            Action::Cycle(Action::NOT_IN_HAND) => "~?".into(),
            Action::Cycle(places) => {
                let mut hand = *self.hand();
                format!("~{}", joined(hand.split(places).cards()))
            }
            Action::Skip => ".".into(),
            Action::Draw => "D".into(),
            Action::End => "E".into(),
        }
    }

    pub(super) fn read_action(&self, text: &str) -> Result<Action, Faults> {
        let action = match text {
            "X" => Some(Action::Discard),
            "H" => Some(Action::Hold),
            "." => Some(Action::Skip),
            "D" => Some(Action::Draw),
            "E" => Some(Action::End),
            _ => self.read_longer(text),
        };
        action.ok_or_else(|| {
            let expected = "a decision as \"a3>0\", \"~a3b1\", \"S1:3\", \"D\" or \"E\"";
            Faults::one("notation", text, expected)
        })
    }

    fn read_longer(&self, text: &str) -> Option<Action> {
        if let Some(cards) = text.strip_prefix('~') {
            return self.read_cycle(cards);
        }
        if let Some(card) = ActionCard::ALL.into_iter().find(|card| text.starts_with(card.letter()))
        {
            return read_play(card, &text[1..]).map(Action::Play);
        }
        let (card, line) = text.split_once('>')?;
        Some(Action::Append { card: read_printed(card)?, line: number(line)? })
    }

    fn read_cycle(&self, text: &str) -> Option<Action> {
        let texts = text.as_bytes().chunks(2).map(|chunk| std::str::from_utf8(chunk).ok());
        let cards: Vec<Card> = texts.map(|text| read_printed(text?)).collect::<Option<_>>()?;
        self.cycle_of(&cards)
    }

    /// The cycle of these cards; of equal cards those in the lowest places. None if they are not
    /// sorted.
    pub fn cycle_of(&self, cards: &[Card]) -> Option<Action> {
        let places = || self.places_of(cards).unwrap_or(Action::NOT_IN_HAND);
        cards.is_sorted().then(|| Action::Cycle(places()))
    }

    /// The places of sorted cards in the hand. None if they are not all there.
    fn places_of(&self, cards: &[Card]) -> Option<u8> {
        let mut wanted = cards.iter().peekable();
        let mut places = 0;
        for (place, card) in self.hand().cards().enumerate() {
            if wanted.next_if(|wanted| **wanted == card).is_some() {
                places |= 1 << place;
            }
        }
        wanted.peek().is_none().then_some(places)
    }

    /// The cards at places of the hand.
    pub fn cards_at(&self, places: u8) -> Hand {
        let mut hand = *self.hand();
        hand.split(places)
    }
}

/// A card as it is in a hand.
fn read_printed(text: &str) -> Option<Card> {
    Card::parse(text).filter(|card| !card.is_redeemed())
}

/// The target of an action card.
fn read_play(card: ActionCard, text: &str) -> Option<Play> {
    let spot = |text: &str| {
        let (line, index) = text.split_once(':')?;
        Some(Spot { line: number(line)?, index: number(index)? })
    };
    Some(match card {
        ActionCard::Shear => Play::Shear(spot(text)?),
        ActionCard::Recall => Play::Recall(spot(text)?),
        ActionCard::QuantumShunt => {
            let (from, onto) = text.split_once('>')?;
            Play::Shunt { from: spot(from)?, onto: number(onto)? }
        }
        ActionCard::Mend => match text.split_once('>') {
            Some((branch, onto)) => {
                Play::Mend { branch: number(branch)?, onto: Some(number(onto)?) }
            }
            None => Play::Mend { branch: number(text)?, onto: None },
        },
        ActionCard::ParadoxLoop => Play::Loop(number(text)?),
        ActionCard::Redeem => Play::Redeem(number(text)?),
        ActionCard::Quarantine => Play::Quarantine(number(text)?),
        ActionCard::Breach => Play::Breach(number(text)?),
    })
}

/// A line or an index, without leading zeros.
fn number(text: &str) -> Option<u8> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = text.len() > 1 && text.starts_with('0');
    text.parse().ok().filter(|_| digits && !leading_zero)
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = self.card().letter();
        match self {
            Self::Shear(spot) | Self::Recall(spot) => write!(f, "{letter}{spot}"),
            Self::Mend { branch, onto: Some(onto) } => write!(f, "{letter}{branch}>{onto}"),
            Self::Mend { branch: line, onto: None }
            | Self::Loop(line)
            | Self::Redeem(line)
            | Self::Quarantine(line)
            | Self::Breach(line) => write!(f, "{letter}{line}"),
            Self::Shunt { from, onto } => write!(f, "{letter}{from}>{onto}"),
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::NOWHERE {
            return f.write_str("?");
        }
        write!(f, "{}:{}", self.line, self.index)
    }
}

fn joined(cards: impl IntoIterator<Item = Card>) -> String {
    cards.into_iter().fold(String::new(), |mut text, card| {
        let _ = write!(text, "{card}");
        text
    })
}

/// A field that may be empty.
fn field(text: String) -> String {
    if text.is_empty() { "-".into() } else { text }
}

fn set(cards: &CardSet) -> String {
    field(joined(cards.sorted()))
}

fn actions(pool: &Pool<ACTIONS>) -> String {
    field(pool.iter().map(|kind| ActionCard::ALL[kind].letter()).collect())
}

fn action(card: Option<ActionCard>) -> String {
    card.map_or_else(|| "-".into(), |card| card.letter().into())
}

impl OffTrack {
    /// The sixteen fields of the rules' "Notation".
    pub(super) fn write_position(&self) -> String {
        let by_seat = |write: &dyn Fn(Seat) -> String, between: &str| {
            self.seats_in_play().map(write).collect::<Vec<_>>().join(between)
        };
        let lines: Vec<_> = (0..self.lines.count()).map(|line| self.write_line(line)).collect();
        let called = if self.called { "!" } else { "-" };
        let collapsed = if self.collapsed { "x" } else { "-" };
        let cycled = |seat| if self.cycled.contains(seat) { "c".into() } else { "-".into() };
        [
            (self.round + 1).to_string(),
            self.write_step(),
            lines.join("/"),
            by_seat(&|seat| field(joined(self.hands[seat.index()].cards())), "/"),
            by_seat(&|seat| set(&self.piles[seat.index()]), "/"),
            set(&self.boxed),
            set(&self.deck),
            set(&self.discard),
            actions(&self.action_deck),
            actions(&self.action_discard),
            by_seat(&|seat| action(self.held[seat.index()]), "/"),
            action(self.drawn),
            by_seat(&cycled, ""),
            collapsed.into(),
            called.into(),
            field(self.write_scores()),
        ]
        .join(" ")
    }

    fn write_step(&self) -> String {
        let step = match self.step {
            Step::Held => "B",
            Step::Main => "C",
            Step::Offer => "E",
            Step::Drawn => "A",
            Step::Over => return "--".into(),
        };
        format!("{}{step}", self.to_act.index())
    }

    fn write_line(&self, line: usize) -> String {
        let mut text = field(joined(self.lines.cards(line)));
        if self.lines.is_flipped(line) {
            text.push('^');
        }
        let marks = [
            ('!', self.lines.pinned(line)),
            ('#', self.lines.sealed_by(line).map(Seat::index)),
            ('?', self.lines.waiting_for(line).map(Seat::index)),
        ];
        for (sign, mark) in marks {
            if let Some(mark) = mark {
                let _ = write!(text, "{sign}{mark}");
            }
        }
        text
    }

    fn write_scores(&self) -> String {
        let rounds = self.scores[..self.rounds_played()].iter().map(|scores| {
            let scores = scores[..self.rules.seats()].iter().map(i16::to_string);
            scores.collect::<Vec<_>>().join(",")
        });
        rounds.collect::<Vec<_>>().join(";")
    }
}
