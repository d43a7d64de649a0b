//! Off the Rails under the laws.

use std::collections::BTreeMap;

use tablestate_rules::chance::Fast;
use tablestate_rules::games::off_the_rails::{
    Action, Board, CartName, Change, Colour, Mine, OffTheRails, Options, Place, SavedTable, Side,
    Square, Step, Table, Track,
};
use tablestate_rules::{AnyPosition, Game, Position};

use crate::battery::{Subject, check_default_play, check_laws, check_laws_from, choose};
use crate::off_the_rails_table::{overgrown, restored};
use crate::recorded::check_recorded;
use crate::seen::check_reading;

struct Subjects;

impl Subject for Subjects {
    type Game = OffTheRails;
    const LONGEST: usize = 2_000;

    fn options(number: u64) -> Options {
        let number = number as u32;
        let is_odd = |part: u32| Some(!(number / part).is_multiple_of(2));
        Options {
            seats: Some(2 + number % 3),
            board: Some([Board::Compact, Board::Aisle][number as usize / 3 % 2]),
            deposit_cards: Some([25, 13, 21, 17][number as usize / 2 % 4]),
            missions: is_odd(2),
            bumper_cars: Some(number % 8 == 5),
            chasm_die: is_odd(4),
        }
    }

    /// Tracks lead on, carts are slow and stay: so they meet.
    fn weight(state: &OffTheRails, action: Action) -> u32 {
        let table = state.table();
        match action {
            Action::PlaceTrack(square, track) => {
                [1, 20, 200][met_exits(table, square, track)] * (1 + 20 * wanted(table, square))
            }
            Action::Upgrade(square, track) => 5 * met_exits(table, square, track) as u32,
            Action::PlaceCart(surface) => {
                let name = CartName { seat: table.turn(), colour: Colour::White };
                let inward = surface.side.opposite();
                let way = table.preview_from(name, Place::Surface(surface.place), inward);
                if way.squares.len() > 2 { 4_000 } else { 2 }
            }
            Action::Speed(_, Change::Slower) => 300,
            Action::Take(_) | Action::Claim(_) => 6,
            _ => 1,
        }
    }

    fn conserved(before: &OffTheRails, after: &OffTheRails) {
        let (was, is) = (before.table(), after.table());
        let [was_plain, is_plain] = [was, is].map(SavedTable::of);
        assert_eq!(jewels(&is_plain), 66, "jewels");
        for mine in Mine::ALL {
            let kept = usize::from(!is.is_chasm_open());
            let drawn = is_plain.drawn.as_ref().is_some_and(|drawn| drawn.colour == mine);
            let there: usize = is.tokens(mine).iter().sum();
            assert_eq!(there + kept + usize::from(drawn), 5, "tokens of a colour");
        }
        assert_eq!(cards(is), 33, "deposit cards and the Chasm Card");
        assert!(was_plain.removed.iter().zip(&is_plain.removed).all(|(was, is)| was <= is));
        assert!(was.deck_size() >= is.deck_size(), "cards do not come back");
        assert!(u8::from(was.is_chasm_open()) <= u8::from(is.is_chasm_open()));
    }

    fn known(any: AnyPosition) -> Position<OffTheRails> {
        let AnyPosition::OffTheRails(position) = any else { panic!("one of Off the Rails") };
        position
    }
}

/// How many exits of a track would meet exits of its neighbours or a Surface square.
fn met_exits(table: &Table, square: Square, track: Track) -> usize {
    let is_met = |side: &Side| match table.neighbour(square, *side) {
        Some(next) => table.track(next).leads(side.opposite()),
        None => true,
    };
    track.exits().filter(is_met).count().min(2)
}

/// How many carts would run onto a square that has no track.
fn wanted(table: &Table, square: Square) -> u32 {
    let ends = |name: &CartName| {
        let cart = table.cart(*name);
        let at = cart.square().zip(cart.facing);
        at.and_then(|(square, facing)| table.neighbour(square, facing)) == Some(square)
    };
    table.cart_names().filter(ends).count() as u32
}

fn jewels(table: &SavedTable) -> usize {
    let counts = |counts: &[u32]| counts.iter().sum::<u32>() as usize;
    let lying: usize = table.squares.iter().map(|square| square.jewels.len()).sum();
    let carts = table.players.iter().flat_map(|player| &player.carts);
    let held: usize = carts.map(|cart| cart.hold.len()).sum();
    let banked: usize = table.players.iter().map(|player| counts(&player.stockpile)).sum();
    lying + held + banked + counts(&table.bag) + counts(&table.removed)
}

/// The cards seen, those of the deposit deck, of the Chasm Deck, and those left out.
fn cards(table: &Table) -> usize {
    let seen: usize = Mine::ALL.into_iter().map(|mine| table.cards_seen(mine)).sum();
    let plain = SavedTable::of(table);
    let chasm_card = usize::from(plain.opener.is_some());
    let chasm_deck = if plain.is_open { 0 } else { 4 };
    let left_out = 28 - (table.deposit_cards() - 1) - 4;
    seen + chasm_card + table.deck_size() + chasm_deck + left_out
}

#[test]
fn the_laws_hold() {
    check_laws::<Subjects>(96);
}

#[test]
fn views_can_be_read_back() {
    check_reading::<Subjects>(16);
}

#[test]
fn default_play_ends() {
    check_default_play::<Subjects>(48);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<OffTheRails>() <= 768, "{} bytes", size_of::<OffTheRails>());
}

/// Built boards with loaded carts: there carts meet, and turn, and the Chasm opens under them.
#[test]
fn the_laws_hold_on_overgrown_boards() {
    for number in 0..60 {
        let mut chance = Fast::new(1_000 + number);
        let start = restored(&overgrown(&Subjects::options(number), &mut chance));
        check_laws_from::<Subjects>(start, number % 2 == 0, &mut chance);
    }
}

/// Every decision comes up there.
#[test]
fn overgrown_boards_meet_the_rules() {
    let mut steps = BTreeMap::new();
    for number in 0..300 {
        let mut chance = Fast::new(number);
        let mut position = restored(&overgrown(&Subjects::options(number), &mut chance));
        while position.state().actor().is_some() {
            *steps.entry(position.state().table().step() as u8).or_insert(0) += 1;
            let action = choose::<Subjects>(&position, number % 2 == 0, &mut chance);
            position.apply_unchecked(action, &mut chance, &mut ());
        }
    }
    for step in Step::Actions as u8..Step::Over as u8 {
        assert!(steps.get(&step).is_some_and(|&times| times >= 10), "{steps:?}");
    }
}

#[test]
fn carts_stand_on_the_surface_only_until_they_move() {
    for number in 0..40 {
        let mut chance = Fast::new(number);
        let mut position =
            Position::<OffTheRails>::new(&Subjects::options(number), &mut chance, &mut ())
                .expect("sound");
        while let Some(action) = position.draw_action(&mut chance) {
            position.apply_unchecked(action, &mut chance, &mut ());
            let table = position.state().table();
            let others = table.cart_names().filter(|name: &CartName| name.seat != table.turn());
            let on_surface = |name: CartName| matches!(table.cart(name).place, Place::Surface(_));
            assert!(!others.into_iter().any(on_surface), "R25");
        }
    }
}

#[test]
fn viewers_are_shown_what_is_recorded() {
    check_recorded::<Subjects>();
}
