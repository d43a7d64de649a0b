//! Alpha-beta beside plain minimax.

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::offboard::{Offboard, Options};
use tablestate_rules::{Game, History, LegalSet, Position, Seat};

use super::root::Root;
use super::table::Table;
use super::tree::{Pruning, at_the_end};
use super::{Judged, Score, WIN};

/// What a search to a depth has to find: every line to its end, nothing skipped.
struct Minimax {
    history: <Offboard as Game>::History,
    path: Vec<u64>,
}

impl Minimax {
    fn of(position: &Position<Offboard>, depth: i32) -> Score {
        let (state, history) = (position.state(), position.history().clone());
        let seat = state.actor().expect("the game goes on");
        Self { history, path: Vec::new() }.value(state, seat, depth, 0)
    }

    fn value(&mut self, state: &Offboard, seat: Seat, depth: i32, ply: usize) -> Score {
        if depth <= 0 {
            return self.best(state, seat, &state.loud(), 0, ply).max(state.judge());
        }
        let hash = state.hash();
        if self.path.contains(&hash) {
            return 0;
        }
        self.path.push(hash);
        let best = self.best(state, seat, &state.legal(), depth, ply);
        self.path.pop();
        best
    }

    fn best(
        &mut self,
        state: &Offboard,
        seat: Seat,
        legal: &<Offboard as Game>::Legal<'_>,
        depth: i32,
        ply: usize,
    ) -> Score {
        let mut best = -WIN;
        legal.for_each(|action| {
            let (mark, mut child) = (self.history.mark(), state.clone());
            child.apply_unchecked(action, &mut self.history, &mut Fast::new(0), &mut ());
            best = best.max(match child.actor() {
                None => at_the_end(&child, seat, ply + 1),
                Some(next) if next == seat => self.value(&child, next, depth - 1, ply + 1),
                Some(next) => -self.value(&child, next, depth - 1, ply + 1),
            });
            self.history.rewind(mark);
        });
        best
    }
}

/// Positions of random games with these options, all of which go on.
fn positions(options: &Options, count: usize, plies: u32) -> Vec<Position<Offboard>> {
    let mut chance = Fast::new(11);
    let start = Position::<Offboard>::new(options, &mut chance, &mut ()).expect("sound options");
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = start.clone();
        let plies = chance.draw(plies) as usize;
        position.playout(plies, &mut chance);
        if position.state().actor().is_some() {
            positions.push(position);
        }
    }
    positions
}

fn searched(position: &Position<Offboard>, depth: i32, table_bits: u32, pruning: Pruning) -> Score {
    let seat = position.state().actor().expect("the game goes on");
    let mut root = Root::new(position, seat, Table::new(table_bits), pruning);
    for depth in 1..=depth {
        root.deepen(depth).expect("nobody stops it");
    }
    root.actions[0].score
}

fn equals_minimax(options: &Options, count: usize, depth: i32) {
    for position in positions(options, count, 90) {
        let value = Minimax::of(&position, depth);
        for table_bits in [0, 16] {
            let found = searched(&position, depth, table_bits, Pruning::Sound);
            assert_eq!(found, value, "{}, table of {table_bits} bits", position.state().position());
        }
    }
}

fn at(position: &str) -> Options {
    Options { position: Some(position.to_owned()), ..Options::default() }
}

/// Few marbles, near exits and full targets.
const FEW: &str = "Y4/1R4/2R4/8/RRY3Y2/8/7/1YY3/R4 r .R.Y.R..Y..R 3-2 - 0 1";
const RECOVERY: &str = "Y4/1R4/2R4/8/RRY3Y2/8/7/1YY3/R4 y RRRYYRRR..RR 3-2 y 0 1";

#[test]
fn the_value_is_that_of_minimax() {
    equals_minimax(&Options::default(), 40, 2);
    equals_minimax(&Options::default(), 3, 3);
    equals_minimax(&Options { points_to_win: Some(2), ..Options::default() }, 30, 2);
    equals_minimax(&at(FEW), 20, 3);
    equals_minimax(&at(RECOVERY), 20, 3);
}

#[test]
fn the_value_is_that_of_minimax_when_the_quiet_limit_is_near() {
    let near = at(&FEW.replace("- 0 1", "- 7 1"));
    equals_minimax(&Options { quiet_limit: Some(10), ..near }, 10, 4);
}

#[test]
fn a_selective_search_finds_most_of_the_values() {
    let mut equal = 0;
    for position in positions(&at(FEW), 30, 40) {
        let value = searched(&position, 4, 16, Pruning::Sound);
        equal += u32::from(searched(&position, 4, 16, Pruning::Selective) == value);
    }
    assert!(equal >= 15, "{equal} of 30");
}
