//! What everybody sees, as a message.

use tablestate_rules::games::off_the_rails::{
    SavedCart, SavedCollision, SavedDeeds, SavedDrawn, SavedMotion, SavedPlace, SavedPlayer,
    SavedSquare, SavedTable, Side, Step,
};

use super::{write_colour, write_jewels, write_mine, write_side};
use crate::v1::{self, OffTheRailsCartPlace as CartPlace};

/// The steps by their numbers in messages.
pub(super) const STEPS: [Step; 12] = [
    Step::Over,
    Step::Actions,
    Step::First,
    Step::Take,
    Step::Face,
    Step::Odd,
    Step::Split,
    Step::Hand,
    Step::TurnActive,
    Step::TurnOpposing,
    Step::Claim,
    Step::Token,
];

pub(super) fn write_table(table: &SavedTable) -> v1::OffTheRailsTable {
    v1::OffTheRailsTable {
        step: STEPS.iter().position(|&step| step == table.step).unwrap_or(0) as i32,
        turn_of: table.turn_of,
        actions_taken: table.actions_taken,
        squares: table.squares.iter().map(write_square).collect(),
        players: table.players.iter().map(write_player).collect(),
        bag: table.bag.clone(),
        removed: table.removed.clone(),
        cards: table.cards.iter().map(|numbers| write_cards(numbers)).collect(),
        deck: Some(write_deck(table)),
        chasm: Some(v1::OffTheRailsChasm {
            opener: table.opener,
            open: table.is_open,
            to_come: table.to_come.clone(),
            put_out: table.put_out.clone(),
        }),
        missions: table.missions.clone(),
        deeds: write_deeds(&table.deeds),
        r#move: table.motion.as_ref().map(write_motion),
        collision: table.collision.as_ref().map(write_collision),
        token: table.drawn.as_ref().map(write_drawn),
    }
}

fn write_square(square: &SavedSquare) -> v1::OffTheRailsSquare {
    v1::OffTheRailsSquare {
        square: Some(square.square),
        exits: square.exits.iter().copied().map(write_side).collect(),
        jewels: write_jewels(square.jewels.iter().copied()),
        token: square.token.map_or(0, write_mine),
    }
}

fn write_player(player: &SavedPlayer) -> v1::OffTheRailsPlayer {
    let [white, black] = &player.carts;
    v1::OffTheRailsPlayer {
        white: Some(write_cart(white)),
        black: Some(write_cart(black)),
        stockpile: player.stockpile.clone(),
        claimed: player.claimed.clone(),
    }
}

fn write_cart(cart: &SavedCart) -> v1::OffTheRailsCart {
    let (place, square) = match cart.place {
        SavedPlace::Supply => (CartPlace::Supply, None),
        SavedPlace::Underground(square) => (CartPlace::Underground, Some(square)),
        SavedPlace::Surface(place) => (CartPlace::Surface, Some(place)),
        SavedPlace::Out => (CartPlace::Out, None),
    };
    v1::OffTheRailsCart {
        place: place.into(),
        square,
        facing: write_optional_side(cart.facing),
        speed: cart.speed,
        hold: write_jewels(cart.hold.iter().copied()),
    }
}

fn write_cards(numbers: &[u32]) -> v1::OffTheRailsCards {
    v1::OffTheRailsCards { numbers: numbers.to_vec() }
}

fn write_deck(table: &SavedTable) -> v1::OffTheRailsDeck {
    v1::OffTheRailsDeck {
        size: table.deck_size,
        top: table.deck_top.iter().copied().map(write_mine).collect(),
        chasm_card_on_top: table.chasm_card_on_top,
    }
}

fn write_deeds(deeds: &SavedDeeds) -> Option<v1::OffTheRailsDeeds> {
    let [white_banked, black_banked] = deeds.banked;
    let is_something = deeds != &SavedDeeds::default();
    let message = v1::OffTheRailsDeeds { white_banked, black_banked, met: deeds.met.clone() };
    is_something.then_some(message)
}

fn write_motion(motion: &SavedMotion) -> v1::OffTheRailsMove {
    v1::OffTheRailsMove {
        cart: write_colour(motion.cart),
        steps_left: motion.steps_left,
        takings_left: motion.takings_left,
        entered_by: write_optional_side(motion.entered_by),
        other_to_move: motion.other_to_move,
        taken_from: motion.taken_from.clone(),
    }
}

fn write_collision(collision: &SavedCollision) -> v1::OffTheRailsCollision {
    let (seat, colour) = (Some(collision.seat), write_colour(collision.colour));
    v1::OffTheRailsCollision {
        opposing: Some(v1::OffTheRailsCartName { seat, colour }),
        hit_side: write_side(collision.hit_side),
    }
}

fn write_drawn(drawn: &SavedDrawn) -> v1::OffTheRailsToken {
    v1::OffTheRailsToken { colour: write_mine(drawn.colour), die: drawn.die }
}

pub(super) fn write_optional_side(side: Option<Side>) -> i32 {
    side.map_or(0, write_side)
}
