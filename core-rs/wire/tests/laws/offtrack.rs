//! OffTrack under the laws.

use tablestate_rules::games::offtrack::{Action, OffTrack, Options, Play, Scoring};
use tablestate_rules::{AnyPosition, Game, Position, Viewer};

use crate::battery::{Subject, check_default_play, check_laws};
use crate::recorded::check_recorded;
use crate::seen::check_reading;

struct Subjects;

impl Subject for Subjects {
    type Game = OffTrack;
    const LONGEST: usize = 20_000;

    fn options(number: u64) -> Options {
        let number = number as u32;
        Options {
            seats: Some(2 + number % 3),
            scoring: Some(if number.is_multiple_of(5) { Scoring::Low } else { Scoring::High }),
            decks: Some(1 + number / 2 % 2),
            max_branches: Some(1 + number % 4),
            every_turn: Some(number.is_multiple_of(3)),
            eras: Some(3 + number % 6),
            action_copies: Some(1 + number % 8),
            rounds: Some(1 + number % 2),
        }
    }

    fn weight(_: &OffTrack, action: Action) -> u32 {
        match action {
            Action::Append { line, .. } if line > 0 => 40,
            Action::Append { .. } => 12,
            Action::Play(Play::Shear(_) | Play::Shunt { .. }) => 4,
            Action::Play(_) => 8,
            Action::Draw => 6,
            Action::Hold => 4,
            Action::Discard | Action::End | Action::Cycle(_) | Action::Skip => 1,
        }
    }

    /// Every card is in one place; what is in a place that counts cards is what there is.
    fn conserved(before: &OffTrack, after: &OffTrack) {
        let cards = |state: &OffTrack| {
            let view = state.view(&(), Viewer::Spectator);
            let on_lines: usize =
                (0..view.lines().count()).map(|line| view.lines().len(line)).sum();
            let by_seat = |seat| view.hand_size(seat) + view.pile(seat).len();
            let with_seats: usize = view.seats().map(by_seat).sum();
            let (deck, actions) = view.deck_sizes();
            let held = view.seats().filter(|&seat| view.holds_action(seat)).count();
            let cards = on_lines + with_seats + deck + view.discard().len() + view.boxed().len();
            (cards, actions + held + view.action_discard().count())
        };
        let ((cards_before, actions_before), (cards_after, actions_after)) =
            (cards(before), cards(after));
        assert_eq!(cards_before, cards_after);
        // A drawn action is in no pile.
        assert!(actions_before.abs_diff(actions_after) <= 1);
    }

    fn known(any: AnyPosition) -> Position<OffTrack> {
        let AnyPosition::OffTrack(position) = any else { panic!("a position of OffTrack") };
        position
    }
}

#[test]
fn the_laws_hold() {
    check_laws::<Subjects>(48);
}

#[test]
fn views_can_be_read_back() {
    check_reading::<Subjects>(24);
}

#[test]
fn default_play_ends() {
    check_default_play::<Subjects>(48);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<OffTrack>() <= 640, "{} bytes", size_of::<OffTrack>());
}

#[test]
fn viewers_are_shown_what_is_recorded() {
    check_recorded::<Subjects>();
}
