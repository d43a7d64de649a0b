//! Lets two bots play against each other and prints how it went.
//!
//! `duel GAME BOT OPPONENT PAIRS SEED OPENING`: two seats, default options. The first OPENING actions of
//! a game are drawn at random: a game without chance needs some, or all its games are one. Every deal
//! is played twice, with the seats swapped. Printed are the first bot's score, draws half; its 95 % interval, from the
//! spread of the pairs; and how many milliseconds the decisions of each bot took that had a choice.

use std::time::Instant;

use tablestate_rules::chance::Fast;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{LegalSet, Position, SeatSet};
use tablestate_search::{Bot, Searched, choose};

/// The 97.5 % quantile of the normal distribution.
const QUANTILE: f64 = 1.96;

/// Milliseconds of the decisions of each of the two bots.
type Times = [Vec<f64>; 2];

/// What is to be played.
struct Duel {
    bots: [Bot; 2],
    pairs: u64,
    seed: u64,
    /// Actions at random before the bots begin.
    opening: usize,
}

/// The first bot's score in a game: 1, ½ or 0.
fn play<G: Searched>(duel: &Duel, is_swapped: bool, seed: u64, times: &mut Times) -> f64 {
    let mut deal = Fast::new(seed);
    let mut thoughts = Fast::new(!seed);
    let options = G::Options::default();
    let mut position: Position<G> =
        Position::new(&options, &mut deal, &mut ()).expect("the defaults are sound");
    position.playout(duel.opening, &mut deal);
    while let Some(seat) = position.state().actor() {
        let who = seat.index() ^ usize::from(is_swapped);
        let begun = Instant::now();
        let action =
            choose(duel.bots[who], &position, &mut thoughts).expect("the game is not over");
        if position.state().legal().count() > 1 {
            times[who].push(begun.elapsed().as_secs_f64() * 1e3);
        }
        position.apply_unchecked(action, &mut deal, &mut ());
    }
    let outcome = position.outcome(SeatSet::EMPTY).expect("the game is over");
    outcome.shares()[usize::from(is_swapped)]
}

fn fight<G: Searched>(duel: &Duel) {
    let &Duel { bots, pairs, seed, .. } = duel;
    let mut times = Times::default();
    let pair = |number| {
        let scores = [false, true].map(|swap| play::<G>(duel, swap, seed + number, &mut times));
        (scores[0] + scores[1]) / 2.0
    };
    let scores: Vec<f64> = (0..pairs).map(pair).collect();
    let (mean, margin) = mean_and_margin(&scores);
    println!(
        "{} {} {}: {:.1} % [{:.1}, {:.1}] in {} games",
        G::INFO.id,
        bots[0].name(),
        bots[1].name(),
        100.0 * mean,
        100.0 * (mean - margin),
        100.0 * (mean + margin),
        2 * pairs,
    );
    bots.into_iter().zip(&mut times).for_each(|(bot, times)| print_times(bot, times));
}

fn mean_and_margin(scores: &[f64]) -> (f64, f64) {
    let count = scores.len() as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, QUANTILE * (variance / count).sqrt())
}

fn print_times(bot: Bot, times: &mut [f64]) {
    times.sort_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!(
        "  {:6} {} decisions, ms: p50 {:.3}, p95 {:.3}, max {:.3}",
        bot.name(),
        times.len(),
        at(0.5),
        at(0.95),
        at(1.0)
    );
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, bot, opponent, pairs, seed, opening] = &arguments[..] else {
        panic!("duel GAME BOT OPPONENT PAIRS SEED OPENING")
    };
    let bots = [bot, opponent].map(|name| Bot::named(name).expect("a bot"));
    let number = |text: &str| text.parse::<u64>().expect("a number");
    let (pairs, seed, opening) = (number(pairs), number(seed), number(opening) as usize);
    let duel = Duel { bots, pairs, seed, opening };
    match game.as_str() {
        "offboard" => fight::<Offboard>(&duel),
        "offtrack" => fight::<OffTrack>(&duel),
        "eternitium" => fight::<Eternitium>(&duel),
        "off_the_rails" => fight::<OffTheRails>(&duel),
        other => panic!("no game {other}"),
    }
}
