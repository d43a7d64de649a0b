//! The messages of `offboard.proto`. Reading views back has a file of its own.

mod seen;

use tablestate_rules::games::offboard::{
    Action, CELLS, Cell, Direction, End, Event, Marble, Offboard, Options, Past, Saved, View,
};
use tablestate_rules::{AnyPosition, Faults, Position};

use crate::games::not_of;
use crate::{WireGame, v1};
use v1::offboard_action::Action as ActionMessage;
use v1::offboard_event::Event as EventMessage;

impl WireGame for Offboard {
    fn any(position: Position<Self>) -> AnyPosition {
        AnyPosition::Offboard(position)
    }

    fn write_options(options: &Options) -> v1::GameOptions {
        let options = write_options(options);
        v1::GameOptions { game: Some(v1::game_options::Game::Offboard(options)) }
    }

    fn write_action(&self, action: Action) -> v1::GameAction {
        let action = Some(match action {
            Action::Move { tail, direction } => ActionMessage::Move(v1::OffboardMove {
                tail: tail.index() as u32,
                direction: write_direction(direction),
            }),
            Action::Place(cell) => ActionMessage::Place(cell.index() as u32),
            Action::Decline => ActionMessage::Decline(v1::OffboardDecline {}),
        });
        let game = v1::game_action::Game::Offboard(v1::OffboardAction { action });
        v1::GameAction { game: Some(game) }
    }

    fn read_action(&self, message: &v1::GameAction) -> Result<Action, Faults> {
        let action = match &message.game {
            Some(v1::game_action::Game::Offboard(v1::OffboardAction { action })) => action.as_ref(),
            other => return Err(not_of(<Self as tablestate_rules::Game>::INFO.id, other.as_ref())),
        };
        match action {
            Some(ActionMessage::Move(step)) => read_move(step),
            Some(ActionMessage::Place(cell)) => {
                read_cell("offboard.place", *cell).map(Action::Place)
            }
            Some(ActionMessage::Decline(_)) => Ok(Action::Decline),
            None => Err(Faults::one("offboard.action", "not set", "move, place or decline")),
        }
    }

    fn write_event(event: &Event) -> v1::GameEvent {
        let event = v1::OffboardEvent { event: Some(write_event(*event)) };
        v1::GameEvent { game: Some(v1::game_event::Game::Offboard(event)) }
    }

    fn write_view(view: &View<'_>) -> v1::GameView {
        let (quiet_turns, quiet_limit) = view.quiet_turns();
        let targets = view.targets().into_iter().map(|(value, marble)| v1::OffboardTarget {
            value: value.into(),
            marble: write_marble(marble),
        });
        let view = v1::OffboardView {
            cells: view.cells().into_iter().map(write_marble).collect(),
            targets: targets.collect(),
            scores: view.scores().map(u32::from).to_vec(),
            recovering: view.recovering().map(|seat| seat.index() as u32),
            quiet_turns: quiet_turns.into(),
            turn: view.turn(),
            points_to_win: view.points_to_win().into(),
            quiet_limit: quiet_limit.into(),
            repetitions: view.repetitions() as u32,
            position: view.position(),
        };
        v1::GameView { game: Some(v1::game_view::Game::Offboard(view)) }
    }

    fn write_state(position: &Position<Self>) -> v1::GameState {
        let saved = Saved::of(position);
        let state = v1::OffboardState {
            options: Some(write_options(&saved.options)),
            position: saved.position,
            history: saved.history.into_iter().map(write_past).collect(),
            end: write_end(saved.end),
        };
        v1::GameState { game: Some(v1::game_state::Game::Offboard(state)) }
    }
}

/// The options of a message.
pub(crate) fn read_options(message: &v1::OffboardOptions) -> Options {
    Options {
        points_to_win: message.points_to_win,
        quiet_limit: message.quiet_limit,
        position: message.position.clone(),
        target_values: message.target_values.clone(),
    }
}

fn write_options(options: &Options) -> v1::OffboardOptions {
    v1::OffboardOptions {
        points_to_win: options.points_to_win,
        quiet_limit: options.quiet_limit,
        position: options.position.clone(),
        target_values: options.target_values.clone(),
    }
}

/// The position of a full state; lists every fault.
pub(crate) fn read_state(message: &v1::OffboardState) -> Result<Position<Offboard>, Faults> {
    let mut faults = Faults::default();
    let end = read_end(message.end).map_err(|more| faults.extend(more));
    let history: Vec<_> = message.history.iter().map_while(read_past).collect();
    if history.len() < message.history.len() {
        let field = format!("offboard.history[{}]", history.len());
        faults.add(&field, "impossible", "61 cells, none of both colours, actor 0 or 1");
    }
    let Ok(end) = end else { return Err(faults) };
    let options = message.options.as_ref().map(read_options).unwrap_or_default();
    let saved = Saved { options, position: message.position.clone(), history, end };
    let restored = saved.restore().map_err(|more| faults.extend(more));
    match restored {
        Ok(position) => faults.or(position),
        Err(()) => Err(faults),
    }
}

fn read_move(step: &v1::OffboardMove) -> Result<Action, Faults> {
    let mut faults = Faults::default();
    let tail = read_cell("offboard.move.tail", step.tail).map_err(|more| faults.extend(more));
    let number = (step.direction as usize).wrapping_sub(1);
    let direction = Direction::ALL.get(number).copied();
    if direction.is_none() {
        faults.add("offboard.move.direction", step.direction, "a direction, 1 to 6");
    }
    match (tail, direction) {
        (Ok(tail), Some(direction)) => Ok(Action::Move { tail, direction }),
        _ => Err(faults),
    }
}

fn read_cell(field: &str, number: u32) -> Result<Cell, Faults> {
    let cell = Cell::new(number as usize);
    cell.ok_or_else(|| Faults::one(field, number, format!("a cell, 0 to {}", CELLS - 1)))
}

fn write_direction(direction: Direction) -> i32 {
    direction as i32 + 1
}

fn write_marble(marble: Option<Marble>) -> i32 {
    let message = match marble {
        None => v1::OffboardMarble::Unspecified,
        Some(Marble::Red) => v1::OffboardMarble::Red,
        Some(Marble::Yellow) => v1::OffboardMarble::Yellow,
    };
    message.into()
}

fn write_event(event: Event) -> EventMessage {
    match event {
        Event::Moved { seat, tail, direction, group, pushed } => {
            EventMessage::Moved(v1::OffboardMoved {
                seat: seat.index() as u32,
                tail: tail.index() as u32,
                direction: write_direction(direction),
                group: group.into(),
                pushed: pushed.into(),
            })
        }
        Event::Ejected { owner, cell, direction, target, scored } => {
            EventMessage::Ejected(v1::OffboardEjected {
                owner: owner.index() as u32,
                cell: cell.index() as u32,
                direction: write_direction(direction),
                target: target.into(),
                scored: scored.into(),
            })
        }
        Event::Placed { seat, cell } => EventMessage::Placed(v1::OffboardPlaced {
            seat: seat.index() as u32,
            cell: cell.index() as u32,
        }),
        Event::Declined { seat } => {
            EventMessage::Declined(v1::OffboardDeclined { seat: seat.index() as u32 })
        }
    }
}

fn write_past(past: Past) -> v1::OffboardPastPosition {
    let (red, yellow, actor, recovering) = past.parts();
    v1::OffboardPastPosition { red, yellow, actor: actor as u32, recovering }
}

fn read_past(message: &v1::OffboardPastPosition) -> Option<Past> {
    Past::new(message.red, message.yellow, message.actor as usize, message.recovering)
}

const ENDS: [(End, v1::OffboardEnd); 5] = [
    (End::Points, v1::OffboardEnd::Points),
    (End::Repetition, v1::OffboardEnd::Repetition),
    (End::QuietLimit, v1::OffboardEnd::QuietLimit),
    (End::OutOfReach, v1::OffboardEnd::OutOfReach),
    (End::NoMove, v1::OffboardEnd::NoMove),
];

fn write_end(end: Option<End>) -> i32 {
    let message = ENDS.iter().find(|(rule, _)| Some(*rule) == end);
    message.map_or(0, |(_, message)| *message as i32)
}

fn read_end(number: i32) -> Result<Option<End>, Faults> {
    if number == 0 {
        return Ok(None);
    }
    let end = ENDS.iter().find(|(_, message)| *message as i32 == number);
    end.map(|(end, _)| Some(*end))
        .ok_or_else(|| Faults::one("offboard.end", number, "an end, 0 to 5"))
}
