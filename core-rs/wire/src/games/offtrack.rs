//! The messages of `offtrack.proto`: options, decisions and views. Events and full states have
//! files of their own.

mod event;
mod saved;
mod seen;

use tablestate_rules::games::offtrack::{
    Action, ActionCard, Card, CardSet, Lines, MAX_TYPES, OffTrack, Options, Play, Scoring,
    ShownEvent, Spot, Step, View,
};
use tablestate_rules::{AnyPosition, Faults, Position, Seat};

use crate::games::not_of;
use crate::{WireGame, v1};
use v1::off_track_action::Action as ActionMessage;

pub(crate) use saved::read_state;

impl WireGame for OffTrack {
    fn any(position: Position<Self>) -> AnyPosition {
        AnyPosition::OffTrack(position)
    }

    fn write_options(options: &Options) -> v1::GameOptions {
        let options = write_options(options);
        v1::GameOptions { game: Some(v1::game_options::Game::Offtrack(options)) }
    }

    fn write_action(&self, action: Action) -> v1::GameAction {
        let action = v1::OffTrackAction { action: Some(write_action(self, action)) };
        v1::GameAction { game: Some(v1::game_action::Game::Offtrack(action)) }
    }

    fn read_action(&self, message: &v1::GameAction) -> Result<Action, Faults> {
        let action = match &message.game {
            Some(v1::game_action::Game::Offtrack(v1::OffTrackAction { action })) => action.as_ref(),
            other => return Err(not_of(<Self as tablestate_rules::Game>::INFO.id, other.as_ref())),
        };
        let Some(action) = action else {
            return Err(Faults::one("offtrack.action", "not set", "one of the decisions"));
        };
        read_action(self, action).map_err(|faults| faults.under("offtrack"))
    }

    fn write_event(event: &ShownEvent) -> v1::GameEvent {
        let event = event::write_event(event);
        v1::GameEvent { game: Some(v1::game_event::Game::Offtrack(event)) }
    }

    fn write_view(view: &View) -> v1::GameView {
        v1::GameView { game: Some(v1::game_view::Game::Offtrack(write_view(view))) }
    }

    fn write_state(position: &Position<Self>) -> v1::GameState {
        let state = saved::write_state(position);
        v1::GameState { game: Some(v1::game_state::Game::Offtrack(state)) }
    }
}

/// The options of a message. An unknown scoring is a fault.
pub(crate) fn read_options(message: &v1::OffTrackOptions) -> Result<Options, Faults> {
    let scoring = match v1::OffTrackScoring::try_from(message.scoring) {
        Ok(v1::OffTrackScoring::Unspecified) => None,
        Ok(v1::OffTrackScoring::High) => Some(Scoring::High),
        Ok(v1::OffTrackScoring::Low) => Some(Scoring::Low),
        Err(_) => return Err(Faults::one("offtrack.scoring", message.scoring, "HIGH or LOW")),
    };
    Ok(Options {
        seats: message.seats,
        scoring,
        decks: message.decks,
        max_branches: message.max_branches,
        every_turn: message.every_turn,
        eras: message.eras,
        action_copies: message.action_copies,
        rounds: message.rounds,
    })
}

fn write_options(options: &Options) -> v1::OffTrackOptions {
    let scoring = match options.scoring {
        None => v1::OffTrackScoring::Unspecified,
        Some(Scoring::High) => v1::OffTrackScoring::High,
        Some(Scoring::Low) => v1::OffTrackScoring::Low,
    };
    v1::OffTrackOptions {
        seats: options.seats,
        scoring: scoring.into(),
        decks: options.decks,
        max_branches: options.max_branches,
        every_turn: options.every_turn,
        eras: options.eras,
        action_copies: options.action_copies,
        rounds: options.rounds,
    }
}

fn write_action(state: &OffTrack, action: Action) -> ActionMessage {
    match action {
        Action::Play(play) => ActionMessage::Play(write_play(play)),
        Action::Discard => ActionMessage::Discard(v1::OffTrackDiscard {}),
        Action::Hold => ActionMessage::Hold(v1::OffTrackHold {}),
        Action::Append { card, line } => ActionMessage::Append(v1::OffTrackAppend {
            card_type: card.kind() as u32,
            line: line.into(),
        }),
        Action::Cycle(places) => ActionMessage::Cycle(v1::OffTrackCycle {
            card_types: state.cards_at(places).cards().map(|card| card.kind() as u32).collect(),
        }),
        Action::Skip => ActionMessage::Skip(v1::OffTrackSkip {}),
        Action::Draw => ActionMessage::Draw(v1::OffTrackDraw {}),
        Action::End => ActionMessage::End(v1::OffTrackEnd {}),
    }
}

fn write_play(play: Play) -> v1::OffTrackPlay {
    let action_card = write_action_card(Some(play.card()));
    let (line, index, onto) = match play {
        Play::Shear(Spot { line, index }) | Play::Recall(Spot { line, index }) => {
            (line, Some(index), None)
        }
        Play::Mend { branch, onto } => (branch, None, onto),
        Play::Shunt { from: Spot { line, index }, onto } => (line, Some(index), Some(onto)),
        Play::Loop(line) | Play::Redeem(line) | Play::Quarantine(line) | Play::Breach(line) => {
            (line, None, None)
        }
    };
    v1::OffTrackPlay {
        action_card,
        line: line.into(),
        index: index.map(u32::from),
        onto: onto.map(u32::from),
    }
}

fn read_action(state: &OffTrack, action: &ActionMessage) -> Result<Action, Faults> {
    Ok(match action {
        ActionMessage::Play(play) => {
            Action::Play(read_play(play).map_err(|faults| faults.under("play"))?)
        }
        ActionMessage::Discard(_) => Action::Discard,
        ActionMessage::Hold(_) => Action::Hold,
        ActionMessage::Append(append) => Action::Append {
            card: read_kind("append.card_type", append.card_type)?,
            line: read_small("append.line", append.line)?,
        },
        ActionMessage::Cycle(cycle) => read_cycle(state, &cycle.card_types)?,
        ActionMessage::Skip(_) => Action::Skip,
        ActionMessage::Draw(_) => Action::Draw,
        ActionMessage::End(_) => Action::End,
    })
}

fn read_cycle(state: &OffTrack, kinds: &[u32]) -> Result<Action, Faults> {
    let cards: Vec<_> =
        kinds.iter().map(|&kind| read_kind("cycle.card_types", kind)).collect::<Result<_, _>>()?;
    state.cycle_of(&cards).ok_or_else(|| {
        Faults::one("cycle.card_types", format!("{kinds:?}"), "cards by rising type")
    })
}

fn read_play(play: &v1::OffTrackPlay) -> Result<Play, Faults> {
    let card = read_action_card("action_card", play.action_card)?
        .ok_or_else(|| Faults::one("action_card", "not set", "an action card"))?;
    let line = read_small("line", play.line)?;
    let index = play.index.map(|index| read_small("index", index)).transpose()?;
    let onto = play.onto.map(|onto| read_small("onto", onto)).transpose()?;
    let given = |field: &str, value: Option<u8>| {
        value.ok_or_else(|| Faults::one(field, "not set", "a number: this action needs it"))
    };
    let needless = |field: &str, value: Option<u8>| match value {
        Some(value) => Err(Faults::one(field, value, "nothing: this action does not take it")),
        None => Ok(()),
    };
    let takes_index =
        matches!(card, ActionCard::Shear | ActionCard::Recall | ActionCard::QuantumShunt);
    if !takes_index {
        needless("index", index)?;
    }
    if !matches!(card, ActionCard::Mend | ActionCard::QuantumShunt) {
        needless("onto", onto)?;
    }
    let spot = || given("index", index).map(|index| Spot { line, index });
    Ok(match card {
        ActionCard::Shear => Play::Shear(spot()?),
        ActionCard::Recall => Play::Recall(spot()?),
        ActionCard::QuantumShunt => Play::Shunt { from: spot()?, onto: given("onto", onto)? },
        ActionCard::Mend => Play::Mend { branch: line, onto },
        ActionCard::ParadoxLoop => Play::Loop(line),
        ActionCard::Redeem => Play::Redeem(line),
        ActionCard::Quarantine => Play::Quarantine(line),
        ActionCard::Breach => Play::Breach(line),
    })
}

fn read_kind(field: &str, kind: u32) -> Result<Card, Faults> {
    let card = Card::new(kind as usize);
    card.ok_or_else(|| Faults::one(field, kind, format!("a card type, 0 to {}", MAX_TYPES - 1)))
}

/// A line or an index: what is out of range of the table is no target, which is told later.
fn read_small(field: &str, number: u32) -> Result<u8, Faults> {
    u8::try_from(number).map_err(|_| Faults::one(field, number, "a number of the table, 0 to 255"))
}

fn read_action_card(field: &str, number: i32) -> Result<Option<ActionCard>, Faults> {
    if number == 0 {
        return Ok(None);
    }
    let card = ActionCard::ALL.get((number as usize).wrapping_sub(1)).copied();
    card.map(Some).ok_or_else(|| Faults::one(field, number, "an action card, 1 to 8"))
}

fn write_action_card(card: Option<ActionCard>) -> i32 {
    card.map_or(0, |card| card as i32 + 1)
}

fn write_card(card: Card) -> v1::OffTrackCard {
    v1::OffTrackCard { r#type: card.kind() as u32, redeemed: card.is_redeemed() }
}

fn write_set(set: &CardSet) -> Vec<v1::OffTrackCard> {
    set.sorted().into_iter().map(write_card).collect()
}

fn kinds(cards: impl IntoIterator<Item = Card>) -> Vec<u32> {
    cards.into_iter().map(|card| card.kind() as u32).collect()
}

fn write_step(step: Step) -> i32 {
    let message = match step {
        Step::Over => v1::OffTrackStep::Unspecified,
        Step::Held => v1::OffTrackStep::Held,
        Step::Main => v1::OffTrackStep::Main,
        Step::Offer => v1::OffTrackStep::Offer,
        Step::Drawn => v1::OffTrackStep::Drawn,
    };
    message.into()
}

fn number(seat: Option<Seat>) -> Option<u32> {
    seat.map(|seat| seat.index() as u32)
}

fn write_line(lines: &Lines, line: usize) -> v1::OffTrackLine {
    v1::OffTrackLine {
        cards: lines.cards(line).map(write_card).collect(),
        flipped: lines.is_flipped(line),
        pinned: lines.pinned(line).map(|index| index as u32),
        sealed_by: number(lines.sealed_by(line)),
        waiting_for: number(lines.waiting_for(line)),
    }
}

fn write_player(view: &View, seat: Seat) -> v1::OffTrackPlayer {
    v1::OffTrackPlayer {
        hand_size: view.hand_size(seat) as u32,
        pile: write_set(view.pile(seat)),
        pile_score: view.pile(seat).value(),
        holds_action: view.holds_action(seat),
        cycled: view.cycled(seat),
        round_scores: view.round_scores(seat).collect(),
    }
}

fn write_view(view: &View) -> v1::OffTrackView {
    let ((round, rounds), (step, turn_of)) = (view.rounds(), view.step());
    let (deck_size, action_deck_size) = view.deck_sizes();
    let (collapsed, called) = view.marks();
    let own = view.own();
    v1::OffTrackView {
        round: round as u32,
        rounds: rounds as u32,
        step: write_step(step),
        turn_of: turn_of.index() as u32,
        lines: (0..view.lines().count()).map(|line| write_line(view.lines(), line)).collect(),
        players: view.seats().map(|seat| write_player(view, seat)).collect(),
        hand: own.map(|own| kinds(own.hand.cards())).unwrap_or_default(),
        held: write_action_card(own.and_then(|own| own.held)),
        drawn: write_action_card(own.and_then(|own| own.drawn)),
        boxed: write_set(view.boxed()),
        discard: kinds(view.discard().sorted()),
        deck_size: deck_size as u32,
        action_deck_size: action_deck_size as u32,
        action_discard: view.action_discard().map(|card| write_action_card(Some(card))).collect(),
        collapsed,
        called,
    }
}
