//! Off the Rails under the laws.

use tablestate_rules::games::off_the_rails::{
    Action, Board, Mine, OffTheRails, Options, Place, SavedTable, Side, Square, Step, Table,
};
use tablestate_rules::{AnyPosition, Position};

use crate::battery::{Subject, check_default_play, check_laws};

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

    /// Carts soon go round on tracks that lead on, and meet.
    fn weight(state: &OffTheRails, action: Action) -> u32 {
        let table = state.table();
        match action {
            Action::PlaceTrack(square, _) => 1 + 12 * leads_here(table, square),
            Action::Upgrade(..) => 8,
            Action::PlaceCart(surface) => {
                let square = border(table, surface.side, surface.place);
                if table.track(square).leads(surface.side) { 300 } else { 2 }
            }
            Action::Speed(..) => 10,
            Action::EndActions => 8,
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

/// How many exits of neighbours and of Surface squares lead to a square.
fn leads_here(table: &Table, square: Square) -> u32 {
    let leads = |side: &Side| match table.neighbour(square, *side) {
        Some(next) => table.track(next).leads(side.opposite()),
        None => true,
    };
    Side::ALL.iter().filter(|side| leads(side)).count() as u32
}

/// The border square before a Surface square.
fn border(table: &Table, side: Side, place: u8) -> Square {
    let on_border = |square: &Square| table.neighbour(*square, side).is_none();
    table.squares().filter(on_border).nth(place.into()).expect("a border square")
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
fn default_play_ends() {
    check_default_play::<Subjects>(48);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<OffTheRails>() <= 768, "{} bytes", size_of::<OffTheRails>());
}

/// Biased play would show little if carts hardly ever met.
#[test]
fn biased_play_meets_the_rules() {
    use tablestate_rules::chance::{Chance, Fast};
    use tablestate_rules::{Game, LegalSet};
    let mut steps = std::collections::BTreeMap::new();
    for number in 0..200 {
        let mut chance = Fast::new(number);
        let options = Subjects::options(number);
        let mut position =
            Position::<OffTheRails>::new(&options, &mut chance, &mut ()).expect("sound");
        while position.state().actor().is_some() {
            *steps.entry(position.state().table().step() as u8).or_insert(0) += 1;
            let mut weighted = Vec::new();
            position.state().legal().for_each(|action| {
                let weight = Subjects::weight(position.state(), action);
                weighted.extend(std::iter::repeat_n(action, weight as usize));
            });
            let action = weighted[chance.draw(weighted.len() as u32) as usize];
            position.apply_unchecked(action, &mut chance, &mut ());
        }
    }
    for step in Step::Actions as u8..Step::Over as u8 {
        assert!(steps.get(&step).is_some_and(|&times| times >= 3), "{steps:?}");
    }
}

#[test]
fn carts_stand_on_the_surface_only_until_they_move() {
    use tablestate_rules::chance::Fast;
    use tablestate_rules::games::off_the_rails::CartName;
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
