//! The chance of matches is the one that `docs/chance.md` describes: the vectors that an
//! independent verifier is held against.

use std::fmt::Debug;
use std::str::FromStr;

use tablestate_rules::chance::{Chance, Match};

const VECTORS: &str = include_str!("../../../tests/data/chance.txt");

/// The lines of a kind: what is given, and the draws that follow from it.
fn lines(kind: &'static str) -> impl Iterator<Item = (Vec<&'static str>, Vec<u32>)> {
    VECTORS.lines().filter_map(move |line| {
        let (given, draws) = line.strip_prefix(kind)?.split_once(" -> ")?;
        Some((given.split_whitespace().collect(), list(draws)))
    })
}

fn list(text: &str) -> Vec<u32> {
    text.split(',').map(number).collect()
}

fn number<N: FromStr<Err: Debug>>(text: &str) -> N {
    text.parse().expect("a number")
}

fn seed(hex: &str) -> [u8; 32] {
    std::array::from_fn(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).expect("hex digits"))
}

fn draws(mut chance: Match, sizes: &str) -> Vec<u32> {
    list(sizes).into_iter().map(|n| chance.draw(n)).collect()
}

#[test]
fn the_draws_of_games_are_those_of_the_vectors() {
    let mut checked = 0;
    for (given, expected) in lines("game ") {
        let [key, stream, sizes] = given[..] else { panic!("{given:?}") };
        assert_eq!(draws(Match::game(&seed(key), number(stream)), sizes), expected, "{given:?}");
        checked += expected.len();
    }
    assert!(checked > 300, "{checked} draws");
}

#[test]
fn the_draws_of_bots_are_those_of_the_vectors() {
    let mut checked = 0;
    for (given, expected) in lines("bot ") {
        let [key, seat, ply, sizes] = given[..] else { panic!("{given:?}") };
        let chance = Match::bot(&seed(key), number(seat), number(ply));
        assert_eq!(draws(chance, sizes), expected, "{given:?}");
        checked += expected.len();
    }
    assert!(checked >= 60, "{checked} draws");
}
