//! Lets two bots play against each other and prints how it went.
//!
//! `duel GAME BOT OPPONENT PAIRS SEED`: two seats, default options. Every deal is played twice, with
//! the seats swapped. Printed are the first bot's score, draws half; its 95 % interval, from the
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

/// The first bot's score in a game: 1, ½ or 0.
fn play<G: Searched>(bots: [Bot; 2], is_swapped: bool, seed: u64, times: &mut Times) -> f64 {
    let mut deal = Fast::new(seed);
    let mut thoughts = Fast::new(!seed);
    let options = G::Options::default();
    let mut position: Position<G> =
        Position::new(&options, &mut deal, &mut ()).expect("the defaults are sound");
    while let Some(seat) = position.state().actor() {
        let who = seat.index() ^ usize::from(is_swapped);
        let begun = Instant::now();
        let action = choose(bots[who], &position, &mut thoughts).expect("the game is not over");
        if position.state().legal().count() > 1 {
            times[who].push(begun.elapsed().as_secs_f64() * 1e3);
        }
        position.apply_unchecked(action, &mut deal, &mut ());
    }
    let outcome = position.outcome(SeatSet::EMPTY).expect("the game is over");
    outcome.shares()[usize::from(is_swapped)]
}

fn duel<G: Searched>(bots: [Bot; 2], pairs: u64, seed: u64) {
    let mut times = Times::default();
    let pair = |number| {
        let scores = [false, true].map(|swap| play::<G>(bots, swap, seed + number, &mut times));
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
    let [game, bot, opponent, pairs, seed] = &arguments[..] else {
        panic!("duel GAME BOT OPPONENT PAIRS SEED")
    };
    let bots = [bot, opponent].map(|name| Bot::named(name).expect("a bot"));
    let (pairs, seed) = (pairs.parse().expect("pairs"), seed.parse().expect("a seed"));
    match game.as_str() {
        "offboard" => duel::<Offboard>(bots, pairs, seed),
        "offtrack" => duel::<OffTrack>(bots, pairs, seed),
        "eternitium" => duel::<Eternitium>(bots, pairs, seed),
        "off_the_rails" => duel::<OffTheRails>(bots, pairs, seed),
        other => panic!("no game {other}"),
    }
}
