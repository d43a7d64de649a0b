//! The messages of `off_the_rails.proto`: options, decisions and the words they share. Tables,
//! views, events and full states have files of their own.

mod event;
mod saved;
mod seen;
mod table;
mod view;

use tablestate_rules::games::off_the_rails::{
    Action, Board, CartName, Change, Colour, Hand, Jewel, Mine, Mission, OffTheRails, Options,
    ShownEvent, Side, Square, SurfaceSquare, Track, View,
};
use tablestate_rules::{AnyPosition, Faults, Position};

use crate::games::not_of;
use crate::{WireGame, v1};
use v1::off_the_rails_action::Action as ActionMessage;

pub(crate) use saved::read_state;

impl WireGame for OffTheRails {
    fn any(position: Position<Self>) -> AnyPosition {
        AnyPosition::OffTheRails(position)
    }

    fn write_options(options: &Options) -> v1::GameOptions {
        let options = write_options(options);
        v1::GameOptions { game: Some(v1::game_options::Game::OffTheRails(options)) }
    }

    fn write_action(&self, action: Action) -> v1::GameAction {
        let action = v1::OffTheRailsAction { action: Some(write_action(action)) };
        v1::GameAction { game: Some(v1::game_action::Game::OffTheRails(action)) }
    }

    fn read_action(&self, message: &v1::GameAction) -> Result<Action, Faults> {
        let action = match &message.game {
            Some(v1::game_action::Game::OffTheRails(action)) => action.action.as_ref(),
            other => return Err(not_of(<Self as tablestate_rules::Game>::INFO.id, other.as_ref())),
        };
        let Some(action) = action else {
            return Err(Faults::one("off_the_rails.action", "not set", "one of the decisions"));
        };
        self.read_action_message(action).map_err(|faults| faults.under("off_the_rails"))
    }

    fn write_event(event: &ShownEvent) -> v1::GameEvent {
        let event = event::write_event(event);
        v1::GameEvent { game: Some(v1::game_event::Game::OffTheRails(event)) }
    }

    fn write_view(view: &View<'_>) -> v1::GameView {
        v1::GameView { game: Some(v1::game_view::Game::OffTheRails(view::write_view(view))) }
    }

    fn write_state(position: &Position<Self>) -> v1::GameState {
        let state = saved::write_state(position);
        v1::GameState { game: Some(v1::game_state::Game::OffTheRails(state)) }
    }
}

/// The options of a message. A board that there is not is a fault.
pub(crate) fn read_options(message: &v1::OffTheRailsOptions) -> Result<Options, Faults> {
    let board = match message.board {
        0 => None,
        1 => Some(Board::Compact),
        2 => Some(Board::Aisle),
        other => {
            let expected = "a board, 1 or 2, or left out";
            return Err(Faults::one("off_the_rails.board", other, expected));
        }
    };
    Ok(Options {
        seats: message.seats,
        board,
        deposit_cards: message.deposit_cards,
        missions: message.missions,
        bumper_cars: message.bumper_cars,
        chasm_die: message.chasm_die,
    })
}

fn write_options(options: &Options) -> v1::OffTheRailsOptions {
    v1::OffTheRailsOptions {
        seats: options.seats,
        board: options.board.map_or(0, write_board),
        deposit_cards: options.deposit_cards,
        missions: options.missions,
        bumper_cars: options.bumper_cars,
        chasm_die: options.chasm_die,
    }
}

fn write_board(board: Board) -> i32 {
    match board {
        Board::Compact => 1,
        Board::Aisle => 2,
    }
}

fn write_action(action: Action) -> ActionMessage {
    match action {
        Action::PlaceTrack(square, track) => ActionMessage::PlaceTrack(write_track(square, track)),
        Action::Upgrade(square, track) => ActionMessage::Upgrade(write_track(square, track)),
        Action::PlaceCart(surface) => ActionMessage::PlaceCart(write_surface(surface)),
        Action::Speed(cart, change) => ActionMessage::Speed(v1::OffTheRailsSpeed {
            cart: write_colour(cart),
            slower: change == Change::Slower,
        }),
        Action::EndActions => ActionMessage::EndActions(v1::OffTheRailsEndActions {}),
        Action::First(cart) => ActionMessage::First(write_colour(cart)),
        Action::Take(jewel) => ActionMessage::Take(write_jewel(jewel)),
        Action::TakeNothing => ActionMessage::TakeNothing(v1::OffTheRailsTakeNothing {}),
        Action::Face(exit) => ActionMessage::Face(write_side(exit)),
        Action::Odd(jewel) => ActionMessage::Odd(write_jewel(jewel)),
        Action::Split(left) => {
            ActionMessage::Split(v1::OffTheRailsSplit { left: write_jewels(left.iter()) })
        }
        Action::Hand(hand) => ActionMessage::Hand(write_hand(hand)),
        Action::Turn(exit) => ActionMessage::Turn(write_side(exit)),
        Action::Claim(mission) => ActionMessage::Claim(mission.number() as u32),
        Action::ClaimNone => ActionMessage::ClaimNone(v1::OffTheRailsClaimNone {}),
        Action::Token(square) => ActionMessage::Token(square.index() as u32),
    }
}

/// Reads a decision; squares must be on the board of the position.
trait ReadAction {
    fn read_action_message(&self, action: &ActionMessage) -> Result<Action, Faults>;
}

impl ReadAction for OffTheRails {
    fn read_action_message(&self, action: &ActionMessage) -> Result<Action, Faults> {
        Ok(match action {
            ActionMessage::PlaceTrack(track) => {
                let (square, track) = read_track(self, "place_track", track)?;
                Action::place_track(square, track)
                    .ok_or_else(|| wrong_exits("place_track", "two different exits"))?
            }
            ActionMessage::Upgrade(track) => {
                let (square, track) = read_track(self, "upgrade", track)?;
                Action::upgrade(square, track)
                    .ok_or_else(|| wrong_exits("upgrade", "three or four different exits"))?
            }
            ActionMessage::PlaceCart(surface) => Action::PlaceCart(read_surface(self, surface)?),
            ActionMessage::Speed(speed) => {
                let change = if speed.slower { Change::Slower } else { Change::Faster };
                Action::Speed(read_colour("speed.cart", speed.cart)?, change)
            }
            ActionMessage::EndActions(_) => Action::EndActions,
            ActionMessage::First(cart) => Action::First(read_colour("first", *cart)?),
            ActionMessage::Take(jewel) => Action::Take(read_jewel("take", *jewel)?),
            ActionMessage::TakeNothing(_) => Action::TakeNothing,
            ActionMessage::Face(exit) => Action::Face(read_side("face", *exit)?),
            ActionMessage::Odd(jewel) => Action::Odd(read_jewel("odd", *jewel)?),
            ActionMessage::Split(split) => read_split(split)?,
            ActionMessage::Hand(hand) => Action::Hand(read_hand("hand", *hand)?),
            ActionMessage::Turn(exit) => Action::Turn(read_side("turn", *exit)?),
            ActionMessage::Claim(number) => Action::Claim(read_mission("claim", *number)?),
            ActionMessage::ClaimNone(_) => Action::ClaimNone,
            ActionMessage::Token(square) => Action::Token(read_square(self, "token", *square)?),
        })
    }
}

fn wrong_exits(field: &str, expected: &str) -> Faults {
    Faults::one(&format!("{field}.exits"), "other exits", expected)
}

fn write_track(square: Square, track: Track) -> v1::OffTheRailsTrack {
    v1::OffTheRailsTrack { square: Some(square.index() as u32), exits: write_exits(track) }
}

fn read_track(
    state: &OffTheRails,
    field: &str,
    message: &v1::OffTheRailsTrack,
) -> Result<(Square, Track), Faults> {
    let place = format!("{field}.square");
    let number = message.square.ok_or_else(|| Faults::one(&place, "not set", "a square"))?;
    let square = read_square(state, &place, number)?;
    let field = format!("{field}.exits");
    let exits: Result<Vec<Side>, Faults> =
        message.exits.iter().map(|&exit| read_side(&field, exit)).collect();
    let exits = exits?;
    if !exits.is_sorted_by(|one, other| one < other) {
        return Err(Faults::one(&field, exits.len(), "different exits, sorted"));
    }
    Ok((square, exits.into_iter().collect()))
}

fn read_square(state: &OffTheRails, field: &str, number: u32) -> Result<Square, Faults> {
    let table = state.table();
    let square = table.squares().find(|square| square.index() == number as usize);
    let last = table.squares().count() - 1;
    square.ok_or_else(|| Faults::one(field, number, format!("a square, 0 to {last}")))
}

fn write_surface(surface: SurfaceSquare) -> v1::OffTheRailsSurface {
    v1::OffTheRailsSurface { side: write_side(surface.side), place: Some(surface.place.into()) }
}

fn read_surface(
    state: &OffTheRails,
    message: &v1::OffTheRailsSurface,
) -> Result<SurfaceSquare, Faults> {
    let side = read_side("place_cart.side", message.side)?;
    let last = state.table().size() - 1;
    let expected = format!("a file or rank, 0 to {last}");
    match message.place {
        Some(place) if place as usize <= last => Ok(SurfaceSquare { side, place: place as u8 }),
        Some(place) => Err(Faults::one("place_cart.place", place, expected)),
        None => Err(Faults::one("place_cart.place", "not set", expected)),
    }
}

fn read_split(split: &v1::OffTheRailsSplit) -> Result<Action, Faults> {
    let left: Result<Vec<Jewel>, Faults> =
        split.left.iter().map(|&jewel| read_jewel("split.left", jewel)).collect();
    let left = left?;
    if !left.is_sorted() || !(1..=2).contains(&left.len()) {
        return Err(Faults::one("split.left", left.len(), "one or two jewels, sorted"));
    }
    Ok(Action::Split(left.into_iter().collect()))
}

fn write_cart_name(name: CartName) -> v1::OffTheRailsCartName {
    let seat = Some(name.seat.index() as u32);
    v1::OffTheRailsCartName { seat, colour: write_colour(name.colour) }
}

fn write_exits(track: Track) -> Vec<i32> {
    track.exits().map(write_side).collect()
}

fn write_side(side: Side) -> i32 {
    side as i32 + 1
}

fn write_jewel(jewel: Jewel) -> i32 {
    jewel as i32 + 1
}

fn write_jewels(jewels: impl IntoIterator<Item = Jewel>) -> Vec<i32> {
    jewels.into_iter().map(write_jewel).collect()
}

fn write_mine(mine: Mine) -> i32 {
    mine as i32 + 1
}

fn write_colour(colour: Colour) -> i32 {
    colour as i32 + 1
}

fn write_hand(hand: Hand) -> i32 {
    hand as i32 + 1
}

/// What a number of a message stands for, counted from 1.
fn read_one<T: Copy>(all: &[T], field: &str, number: i32, what: &str) -> Result<T, Faults> {
    let found = all.get((number as usize).wrapping_sub(1)).copied();
    found.ok_or_else(|| Faults::one(field, number, format!("{what}, 1 to {}", all.len())))
}

fn read_side(field: &str, number: i32) -> Result<Side, Faults> {
    read_one(&Side::ALL, field, number, "a side")
}

fn read_jewel(field: &str, number: i32) -> Result<Jewel, Faults> {
    read_one(&Jewel::ALL, field, number, "a kind of jewel")
}

fn read_mine(field: &str, number: i32) -> Result<Mine, Faults> {
    read_one(&Mine::ALL, field, number, "a colour")
}

fn read_colour(field: &str, number: i32) -> Result<Colour, Faults> {
    read_one(&Colour::ALL, field, number, "a cart")
}

fn read_hand(field: &str, number: i32) -> Result<Hand, Faults> {
    read_one(&Hand::ALL, field, number, "a hand")
}

fn read_mission(field: &str, number: u32) -> Result<Mission, Faults> {
    let mission = Mission::new(number as usize);
    mission.ok_or_else(|| Faults::one(field, number, "a mission, 1 to 11"))
}
