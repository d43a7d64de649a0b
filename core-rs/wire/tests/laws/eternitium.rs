//! Eternitium under the laws.

use tablestate_rules::games::eternitium::{
    Action, Aim, Card, Eternitium, Options, Place, Step, View,
};
use tablestate_rules::{AnyPosition, Game, Position, Seat, Viewer};

use crate::battery::{Subject, check_default_play, check_laws};
use crate::recorded::check_recorded;
use crate::seen::check_reading;

struct Subjects;

impl Subject for Subjects {
    type Game = Eternitium;
    const LONGEST: usize = 20_000;

    fn options(number: u64) -> Options {
        let number = number as u32;
        // Few kinds make rows that cannot be filled, few Eras and rounds make short games.
        let few = |card: Card| (card, if card.number().is_multiple_of(3) { 5 } else { 0 });
        let technologies = Card::all().filter(|card| card.is_for_sale());
        Options {
            seats: Some(2 + number % 4),
            eras_per_seat: Some([3, 11, 4, 8][number as usize / 4 % 4]),
            technology_copies: match number % 3 {
                0 => technologies.map(few).collect(),
                1 => technologies.map(|card| (card, 10)).collect(),
                _ => Vec::new(),
            },
            max_rounds: Some([5, 60, 20][number as usize / 5 % 3]),
        }
    }

    fn weight(state: &Eternitium, action: Action) -> u32 {
        match action {
            Action::Play(card, aim) if card.type_of().is_some() => match aim {
                Aim::None => 30,
                Aim::Seat(_) | Aim::Card(_) => 12,
            },
            Action::Play(..) if view(state).player(actor(state)).top.is_some() => 30,
            Action::Advanced(Place::Row(_)) => 8,
            Action::Advanced(Place::Unseen) | Action::Remove(_) => 4,
            Action::Basic(..) => 2,
            Action::EndPlay | Action::NoTechnology => 6,
            _ => 1,
        }
    }

    fn conserved(before: &Eternitium, after: &Eternitium) {
        assert_eq!(places(before), places(after));
        let [was, is] = [before, after].map(view);
        assert!(was.gone.iter().zip(is.gone).all(|(&was, is)| was <= is), "Eras stay out");
        assert!(was.supply.iter().zip(is.supply).all(|(&was, is)| was >= is));
        for (seat, player) in is.players.iter().enumerate() {
            let owned = player.hand_size + player.deck_size + player.discard.len();
            let least = if is.step == Step::TakeBasic { 5 } else { 6 };
            let play_area = if is.to_act.index() == seat { is.play_area.len() } else { 0 };
            assert!(owned + play_area >= least, "a deck never falls below six cards");
            assert!(player.removed.len() >= was.players[seat].removed.len());
        }
    }

    fn known(any: AnyPosition) -> Position<Eternitium> {
        let AnyPosition::Eternitium(position) = any else { panic!("a position of Eternitium") };
        position
    }
}

fn view(state: &Eternitium) -> View {
    state.view(&(), Viewer::Spectator)
}

fn actor(state: &Eternitium) -> Seat {
    state.actor().expect("somebody is to act")
}

/// How many Eras, Portals and technologies there are in all places together.
fn places(state: &Eternitium) -> (usize, usize) {
    let view = view(state);
    let visible = view.visible.iter().flatten().count();
    let gone: usize = view.gone.iter().map(|&gone| usize::from(gone)).sum();
    let stacks: usize = view.players.iter().map(|player| player.eras).sum();
    let of_seats: usize = view
        .players
        .iter()
        .map(|p| p.hand_size + p.deck_size + p.discard.len() + p.removed.len())
        .sum();
    let supply: usize = view.supply.iter().map(|&left| usize::from(left)).sum();
    let rows = view.rows.iter().flatten().flatten().count();
    let decks: usize = view.deck_sizes.iter().sum();
    let cards = of_seats + view.play_area.len() + supply + rows + decks;
    (view.pile_size + visible + gone + stacks, cards)
}

#[test]
fn the_laws_hold() {
    check_laws::<Subjects>(48);
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
    assert!(size_of::<Eternitium>() <= 640, "{} bytes", size_of::<Eternitium>());
}

#[test]
fn viewers_are_shown_what_is_recorded() {
    check_recorded::<Subjects>();
}
