//! Offboard under the laws, and its worked cases.

use tablestate_rules::games::offboard::{Action, CELLS, Cell, Marble, Offboard, Options, Saved};
use tablestate_rules::{
    AnyPosition, Game, Illegal, LegalSet, Position, Reason, SeatSet, chance::Fast,
};

use crate::battery::{Subject, check_default_play, check_laws, same_hash};
use crate::recorded::check_recorded;
use crate::seen::check_reading;

struct Subjects;

/// Targets partly filled, marbles on the rim, recoveries at hand.
const STARTS: [Option<&str>; 3] = [
    None,
    Some("5/6/7/8/RRRRRYYY1/8/7/6/5 r RY...RY..R.. 0-0 - 0 1"),
    Some("YY1RR/Y4R/R5Y/8/RRR1YYY2/2Y2R2/R5Y/Y4R/RR1YY y RRRR..YYYY.. 3-2 y 7 40"),
];

impl Subject for Subjects {
    type Game = Offboard;
    const LONGEST: usize = 20_000;

    fn options(number: u64) -> Options {
        Options {
            points_to_win: Some(4 + (number / 3 % 9) as u32),
            quiet_limit: Some(10 + (number * 7 % 90) as u32),
            position: STARTS[number as usize % STARTS.len()].map(str::to_owned),
            target_values: Vec::new(),
        }
    }

    fn weight(state: &Offboard, action: Action) -> u32 {
        match action {
            Action::Move { tail, direction } => {
                let Some(next) = tail.step(direction) else { return 1 };
                if state.marble_at(next).is_some() { 6 } else { 1 }
            }
            Action::Place(_) => 1,
            Action::Decline => 20,
        }
    }

    fn conserved(before: &Offboard, after: &Offboard) {
        for marble in Marble::BOTH {
            let count = |state: &Offboard| {
                let on_board = (0..CELLS).filter_map(Cell::new);
                let on_board = on_board.filter(|cell| state.marble_at(*cell) == Some(marble));
                let in_targets = (0..12).filter(|target| state.marble_in(*target) == Some(marble));
                on_board.count() + in_targets.count()
            };
            // A marble waiting to be recovered, or one given up, is neither here nor there.
            assert!(count(before).abs_diff(count(after)) <= 1);
        }
        for (earlier, later) in before.scores().iter().zip(after.scores()) {
            assert!((*earlier..=earlier + 3).contains(&later));
        }
    }

    fn known(any: AnyPosition) -> Position<Offboard> {
        let AnyPosition::Offboard(position) = any else { panic!("a position of Offboard") };
        position
    }
}

#[test]
fn the_laws_hold() {
    check_laws::<Subjects>(60);
}

#[test]
fn views_can_be_read_back() {
    check_reading::<Subjects>(24);
}

#[test]
fn default_play_ends() {
    check_default_play::<Subjects>(60);
}

/// A position with these rows i to a, red to act.
fn position(rows: &str, rest: &str) -> Position<Offboard> {
    let options = Options { position: Some(format!("{rows} {rest}")), ..Options::default() };
    Position::new(&options, &mut Fast::new(0), &mut ()).expect("a sound position")
}

fn row_e(row: &str) -> Position<Offboard> {
    position(&format!("5/6/7/8/{row}/8/7/6/YY3"), "r ............ 0-0 - 0 1")
}

fn play(position: &mut Position<Offboard>, notation: &str) -> Result<(), Illegal> {
    let action = position.state().parse(notation).expect("a notation");
    position.apply(action, &mut Fast::new(0), &mut ())
}

fn after(mut position: Position<Offboard>, notation: &str) -> String {
    play(&mut position, notation).expect("a legal action");
    position.state().position()
}

#[test]
fn case_1_a_group_steps_from_its_tail() {
    assert!(after(row_e("2RRR4"), "e3e4").starts_with("5/6/7/8/3RRR3/"));
    assert!(after(row_e("2RRR4"), "e4e5").starts_with("5/6/7/8/2R1RR3/"));
}

#[test]
fn case_2_a_smaller_run_is_pushed() {
    assert!(after(row_e("RRRRRYY2"), "e1e2").starts_with("5/6/7/8/1RRRRRYY1/"));
}

#[test]
fn case_3_a_corner_leads_to_its_lower_target() {
    let ended = after(row_e("RRRRRYYYY"), "e1e2");
    assert_eq!(ended, "5/6/7/8/1RRRRRYYY/8/7/6/YY3 y ....Y....... 1-0 - 0 2");
    let full = position("5/6/7/8/RRRRRYYYY/8/7/6/YY3", "r ....R....... 0-0 - 0 1");
    let ended = after(full, "e1e2");
    assert_eq!(ended, "5/6/7/8/1RRRRRYYY/8/7/6/YY3 y ....R....... 0-0 y 1 2");
}

#[test]
fn case_4_what_is_refused() {
    for (row, notation) in [("1RRYY4", "e2e3"), ("1RRYR4", "e2e3"), ("7RR", "e8e9")] {
        let mut position = row_e(row);
        let before = position.clone();
        assert_eq!(play(&mut position, notation).expect_err("illegal").rule, "Move");
        assert_eq!(position, before);
    }
}

#[test]
fn case_5_a_gap_stops_the_run() {
    assert!(after(row_e("1RRY1Y3"), "e2e3").starts_with("5/6/7/8/2RRYY3/"));
}

#[test]
fn case_6_a_recovery_is_placed_or_declined() {
    let waiting = position("5/6/7/8/RR2YY3/8/7/6/5", "y ............ 0-0 y 3 8");
    assert_eq!(waiting.state().legal().count(), 57 + 1);
    let mut declined = waiting.clone();
    play(&mut declined, "-").expect("always offered");
    assert_eq!(declined.state().actor(), waiting.state().actor());
    assert_eq!(play(&mut declined, "*a1").expect_err("given up").rule, "Recovery");
    play(&mut declined, "e5e4").expect("the ordinary moves");
    assert!(after(waiting, "*a1").ends_with("/Y4 r ............ 0-0 - 4 9"));
}

#[test]
fn case_7_the_points_end_the_game_at_once() {
    let mut position = position("5/6/7/8/9/5RRY/7/6/YY3", "r ............ 5-0 - 3 8");
    play(&mut position, "d6d7").expect("out by d8 E, to target 3 of value 3");
    let outcome = position.outcome(SeatSet::EMPTY).expect("over");
    assert_eq!((outcome.reason, &outcome.scores[..]), (Reason::OffboardPoints, &[8, 0][..]));
    assert_eq!(position.state().actor(), None);
    assert!(position.state().position().ends_with("r ...Y........ 8-0 - 0 8"));
}

#[test]
fn two_routes_to_a_position_hash_alike() {
    let play_all = |notations: [&str; 4]| {
        let mut position =
            Position::<Offboard>::new(&Options::default(), &mut Fast::new(0), &mut ())
                .expect("start");
        for notation in notations {
            play(&mut position, notation).expect("legal");
        }
        position
    };
    same_hash(
        &play_all(["b1a1", "b6a5", "b2a2", "h4i5"]).clone(),
        &play_all(["b2a2", "h4i5", "b1a1", "b6a5"]),
    );
}

#[test]
fn every_fault_of_a_position_is_listed() {
    let options = Options {
        points_to_win: Some(99),
        position: Some("5/6/7/8/10/8/7/6/44 x ..... 01-30 z 2000 0".into()),
        target_values: vec![4; 12],
        ..Options::default()
    };
    let faults = Offboard::complete(&options).expect_err("full of faults");
    assert_eq!(faults.iter().count(), 12 + 1 + 9);
    assert!(Offboard::complete(&Options { position: Some(String::new()), ..options }).is_err());
}

#[test]
fn a_saved_game_that_cannot_be_is_refused() {
    let saved = Saved::of(&row_e("2RRR4"));
    assert!(saved.restore().is_ok());
    let ended =
        Saved { end: Some(tablestate_rules::games::offboard::End::Points), ..saved.clone() };
    assert!(ended.restore().is_err());
    let thrice = Saved { history: vec![saved.history[0]; 3], ..saved };
    assert!(thrice.restore().is_err());
}

#[test]
fn viewers_are_shown_what_is_recorded() {
    check_recorded::<Subjects>();
}
