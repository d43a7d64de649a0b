//! What holds for searches whose evaluator is outside.

use tablestate_rules::chance::Fast;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{Chance, Game, LegalSet, Position, SeatSet, Viewer};
use tablestate_search::batch::{Part, Widths};
use tablestate_search::evaluated::{Answers, Forest, Leaves, MOST_NODES, Packing, Plan};

const PLAN: Plan =
    Plan { simulations: 60, leaves: 1, exploration: 1.25, seed: 7, most_nodes: MOST_NODES };

trait Any: Game<History: Send + Sync> + Send + Sync {}
impl<G: Game<History: Send + Sync> + Send + Sync> Any for G {}

/// Priors of all indices and the actor's value, from what it sees.
type Judge = fn(observation: &[u8], mask: &[u8], actions: usize) -> (Vec<f32>, f32);

/// Knows nothing.
fn even(_: &[u8], _: &[u8], actions: usize) -> (Vec<f32>, f32) {
    (vec![1.0; actions], 0.0)
}

/// Believes something else of every position.
fn firm(observation: &[u8], mask: &[u8], actions: usize) -> (Vec<f32>, f32) {
    let bytes = observation.iter().chain(mask);
    let seed =
        bytes.fold(17u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
    let mut chance = Fast::new(seed);
    let priors = (0..actions).map(|_| chance.draw(1000) as f32 / 100.0).collect();
    (priors, chance.draw(2001) as f32 / 1000.0 - 1.0)
}

/// Leaves as they were written.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    roots: Vec<u8>,
    actors: Vec<u8>,
    masks: Vec<u8>,
    observations: Vec<u8>,
}

fn seen<G: Any>(forest: &Forest<G>) -> Seen {
    let (leaves, widths) = (forest.waiting(), forest.widths());
    let room = |width| vec![0; leaves * width];
    let mut seen = Seen {
        roots: room(4),
        actors: room(1),
        masks: room(widths.of_part(Part::Masks)),
        observations: room(widths.of_part(Part::Observations)),
    };
    forest.write(Leaves {
        roots: &mut seen.roots,
        actors: &mut seen.actors,
        masks: &mut seen.masks,
        observations: &mut seen.observations,
    });
    seen
}

fn packed(numbers: impl IntoIterator<Item = f32>) -> Vec<u8> {
    numbers.into_iter().flat_map(f32::to_le_bytes).collect()
}

/// Answers with a prior for each index.
fn all<'a>(priors: &'a [u8], values: &'a [u8]) -> Answers<'a> {
    Answers { priors, packing: Packing::All, values }
}

/// Grows trees to the end; all that was handed out.
fn grow<G: Any>(forest: &mut Forest<G>, judge: Judge) -> Vec<Seen> {
    let widths = *forest.widths();
    let (masks, sights) = (widths.of_part(Part::Masks), widths.of_part(Part::Observations));
    let mut rounds = Vec::new();
    while forest.gather(None, &|| false) > 0 {
        let seen = seen(forest);
        let each = seen.observations.chunks(sights).zip(seen.masks.chunks(masks));
        let (mut priors, mut values) = (Vec::new(), Vec::new());
        for (observation, mask) in each {
            let (prior, value) = judge(observation, mask, widths.actions);
            priors.extend(packed(prior));
            values.extend(packed([value]));
        }
        let answers = all(&priors, &values);
        forest.answer(answers, None).expect("sound answers");
        rounds.push(seen);
    }
    rounds
}

/// Visits and values of each root's actions.
fn found<G: Any>(forest: &Forest<G>) -> Vec<Vec<(u32, f32)>> {
    let actions = forest.widths().actions;
    let mut visits = vec![1; 4 * forest.size() * actions];
    let mut values = visits.clone();
    forest.write_actions(&mut visits, &mut values);
    let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let each = visits.chunks(4).zip(values.chunks(4));
    let all: Vec<_> = each.map(|(n, v)| (word(n), f32::from_bits(word(v)))).collect();
    all.chunks(actions).map(<[_]>::to_vec).collect()
}

fn begun<G: Any>(chance: &mut Fast) -> Position<G> {
    Position::new(&G::Options::default(), chance, &mut ()).expect("the defaults are sound")
}

/// Positions along games at random, some actions apart.
fn samples<G: Any>(count: usize) -> Vec<Position<G>> {
    let (mut chance, mut found) = (Fast::new(3), Vec::new());
    while found.len() < count {
        let mut position = begun::<G>(&mut chance);
        while position.state().actor().is_some() && found.len() < count {
            found.push(position.clone());
            position.playout(13, &mut chance);
        }
    }
    found
}

fn legal<G: Game>(state: &G) -> Vec<usize> {
    let mut indices = Vec::new();
    state.legal().for_each(|action| indices.push(state.index(action)));
    indices
}

fn every_simulation_begins_with_a_legal_action<G: Any>() {
    let positions = samples::<G>(6);
    for leaves in [1, 5, 64] {
        let plan = Plan { leaves, ..PLAN };
        let mut forest = Forest::new(&positions, plan).expect("one layout");
        let rounds = grow(&mut forest, firm);
        let first = &rounds[0];
        assert_eq!(first.roots, (0..6u32).flat_map(u32::to_le_bytes).collect::<Vec<_>>());
        for (position, actions) in positions.iter().zip(found(&forest)) {
            let legal = legal(position.state());
            assert_eq!(actions.iter().map(|&(visits, _)| visits).sum::<u32>(), PLAN.simulations);
            for (action, &(visits, value)) in actions.iter().enumerate() {
                assert!((-1.0..=1.0).contains(&value));
                assert!(visits == 0 || legal.contains(&action));
            }
        }
        for (actions, line) in found(&forest).iter().zip(forest.lines()) {
            let most = actions.iter().map(|&(visits, _)| visits).max();
            assert_eq!(Some(actions[usize::from(line[0])].0), most);
        }
    }
}

#[test]
fn every_simulation_begins_with_a_legal_action_in_every_game() {
    every_simulation_begins_with_a_legal_action::<Offboard>();
    every_simulation_begins_with_a_legal_action::<OffTrack>();
    every_simulation_begins_with_a_legal_action::<Eternitium>();
    every_simulation_begins_with_a_legal_action::<OffTheRails>();
}

fn equal_answers_give_equal_leaves<G: Any>() {
    let positions = samples::<G>(20);
    let plan = Plan { leaves: 4, ..PLAN };
    let mut forest = Forest::new(&positions, plan).expect("one layout");
    let rounds = grow(&mut forest, firm);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
    let mut again = Forest::new(&positions, plan).expect("one layout");
    for round in rounds {
        assert!(again.gather(Some(&pool), &|| false) > 0);
        assert_eq!(seen(&again), round);
        let widths = *again.widths();
        let sights = round.observations.chunks(widths.of_part(Part::Observations));
        let masks = round.masks.chunks(widths.of_part(Part::Masks));
        let judged: Vec<_> = sights.zip(masks).map(|(o, m)| firm(o, m, widths.actions)).collect();
        let values = packed(judged.iter().map(|(_, value)| *value));
        let masks = round.masks.chunks(widths.of_part(Part::Masks));
        let legal = judged.iter().zip(masks).flat_map(|((priors, _), mask)| {
            let is_legal = |action: &usize| mask[action / 8] >> (action % 8) & 1 == 1;
            (0..widths.actions).filter(is_legal).map(|action| priors[action])
        });
        let priors = packed(legal);
        let answers = Answers { priors: &priors, packing: Packing::Legal, values: &values };
        again.answer(answers, Some(&pool)).expect("sound answers");
    }
    assert_eq!(again.gather(None, &|| false), 0);
    assert_eq!(found(&again), found(&forest));
    assert_eq!(again.lines(), forest.lines());
}

#[test]
fn equal_answers_give_equal_leaves_however_packed_and_on_any_number_of_threads() {
    equal_answers_give_equal_leaves::<Offboard>();
    equal_answers_give_equal_leaves::<OffTrack>();
    equal_answers_give_equal_leaves::<Eternitium>();
    equal_answers_give_equal_leaves::<OffTheRails>();
}

/// Whether anything was hidden.
fn leaves_do_not_depend_on_what_is_hidden<G: Any>() -> bool {
    let (mut chance, mut differ) = (Fast::new(5), false);
    for position in samples::<G>(12) {
        let Some(actor) = position.state().actor() else { continue };
        let twin = Position::<G>::determinize(&position.view(Viewer::Seat(actor)), &mut chance);
        differ |= twin.state() != position.state();
        let plan = Plan { leaves: 3, ..PLAN };
        let [mut one, mut other] =
            [position, twin].map(|truth| Forest::new(&[truth], plan).expect("one layout"));
        assert_eq!(grow(&mut one, firm), grow(&mut other, firm));
        assert_eq!(found(&one), found(&other));
    }
    differ
}

#[test]
fn leaves_do_not_depend_on_what_the_actor_does_not_see() {
    leaves_do_not_depend_on_what_is_hidden::<Offboard>();
    leaves_do_not_depend_on_what_is_hidden::<OffTheRails>();
    assert!(leaves_do_not_depend_on_what_is_hidden::<OffTrack>());
    assert!(leaves_do_not_depend_on_what_is_hidden::<Eternitium>());
}

/// The actions that win at once.
fn winning(position: &Position<Offboard>) -> Vec<usize> {
    let state = position.state();
    let actor = state.actor().expect("the game goes on").index();
    let wins = |&index: &usize| {
        let mut next = position.clone();
        let action = state.action_at(index).expect("a legal action");
        next.apply_unchecked(action, &mut Fast::new(0), &mut ());
        next.outcome(SeatSet::EMPTY).is_some_and(|end| end.returns()[actor] == 1.0)
    };
    legal(state).into_iter().filter(wins).collect()
}

#[test]
fn who_knows_nothing_still_finds_what_wins_at_once() {
    let mut chance = Fast::new(11);
    let mut found_some = 0;
    while found_some < 5 {
        let mut position = begun::<Offboard>(&mut chance);
        while position.state().actor().is_some() && winning(&position).is_empty() {
            position.playout(1, &mut chance);
        }
        if position.state().actor().is_none() {
            continue;
        }
        let plan = Plan { simulations: 600, leaves: 4, ..PLAN };
        let mut forest = Forest::new(std::slice::from_ref(&position), plan).expect("one layout");
        grow(&mut forest, even);
        let best = usize::from(forest.lines()[0][0]);
        assert!(winning(&position).contains(&best));
        found_some += 1;
    }
}

/// PUCT as the textbook has it: alternating, no hidden cards, no dice, one leaf at a time.
#[derive(Default)]
struct Textbook {
    visits: u32,
    sum: f64,
    /// Index, prior and what is below.
    children: Vec<(usize, f32, Textbook)>,
}

impl Textbook {
    /// One simulation; what it is worth to seat 0.
    fn simulate(&mut self, position: &Position<Offboard>, widths: &Widths) -> f64 {
        let Some(actor) = position.state().actor() else {
            return position.outcome(SeatSet::EMPTY).expect("the end").returns()[0];
        };
        let sign = if actor.index() == 0 { 1.0 } else { -1.0 };
        if self.children.is_empty() {
            let mut mask = vec![0; widths.of_part(Part::Masks)];
            position.state().legal().write_mask(&mut mask);
            let mut observation = vec![0; widths.of_part(Part::Observations)];
            position.observe(Viewer::Seat(actor), &mut observation);
            let (priors, value) = firm(&observation, &mask, widths.actions);
            let legal = legal(position.state());
            let sum: f64 = legal.iter().map(|&action| f64::from(priors[action])).sum();
            let share = |action: usize| (f64::from(priors[action]) / sum) as f32;
            let child = |action| (action, share(action), Self::default());
            self.children = legal.into_iter().map(child).collect();
            return sign * f64::from(value);
        }
        let taken: u32 = self.children.iter().map(|(_, _, child)| child.visits).sum();
        let all: f64 = self.children.iter().map(|&(_, prior, _)| f64::from(prior)).sum();
        let score = |(_, prior, child): &(usize, f32, Self)| {
            let visits = f64::from(child.visits);
            let mean = if child.visits > 0 { child.sum / visits } else { 0.0 };
            let doubt = f64::from(taken + 1).sqrt() / (1.0 + visits);
            mean + PLAN.exploration * (f64::from(*prior) / all) * doubt
        };
        let mut best = 0;
        for place in 1..self.children.len() {
            if score(&self.children[place]) > score(&self.children[best]) {
                best = place;
            }
        }
        let (index, _, child) = &mut self.children[best];
        let mut next = position.clone();
        let action = position.state().action_at(*index).expect("a legal action");
        next.apply_unchecked(action, &mut Fast::new(0), &mut ());
        let value = child.simulate(&next, widths);
        child.visits += 1;
        child.sum += sign * value;
        value
    }
}

#[test]
fn with_one_leaf_a_round_the_search_is_that_of_the_textbook() {
    for position in samples::<Offboard>(8) {
        let plan = Plan { simulations: 400, ..PLAN };
        let mut forest = Forest::new(std::slice::from_ref(&position), plan).expect("one layout");
        grow(&mut forest, firm);
        let mut textbook = Textbook::default();
        for _ in 0..=plan.simulations {
            textbook.simulate(&position, forest.widths());
        }
        let found = &found(&forest)[0];
        for (action, _, child) in textbook.children {
            let mean = if child.visits > 0 { child.sum / f64::from(child.visits) } else { 0.0 };
            assert_eq!(found[action], (child.visits, mean as f32));
        }
    }
}

#[test]
fn noise_in_the_first_round_steers_the_root() {
    let position = samples::<Offboard>(1).remove(0);
    let mut forest = Forest::new(std::slice::from_ref(&position), PLAN).expect("one layout");
    let only = *legal(position.state()).last().expect("the game goes on");
    assert_eq!(forest.gather(None, &|| false), 1);
    let actions = forest.widths().actions;
    let priors = packed((0..actions).map(|action| if action == only { 1.0 } else { 0.0 }));
    let values = packed([0.0]);
    let answers = all(&priors, &values);
    forest.answer(answers, None).expect("sound answers");
    grow(&mut forest, even);
    assert_eq!(found(&forest)[0][only].0, PLAN.simulations);
}

#[test]
fn wrong_answers_are_named_and_change_nothing() {
    let positions = samples::<Offboard>(2);
    let mut forest = Forest::new(&positions, PLAN).expect("one layout");
    forest.gather(None, &|| false);
    let (before, actions) = (seen(&forest), forest.widths().actions);
    let (first, second) = (legal(positions[0].state())[0], legal(positions[1].state())[0]);
    let mut priors = vec![1.0; 2 * actions];
    let refused = |forest: &mut Forest<Offboard>, priors: &[f32], values: &[f32]| {
        let (priors, values) = (packed(priors.to_vec()), packed(values.to_vec()));
        let faults = forest.answer(all(&priors, &values), None);
        faults.expect_err("they are wrong").iter().map(|fault| fault.field.clone()).collect()
    };
    let fields: Vec<_> = refused(&mut forest, &priors[1..], &[0.0; 3]);
    assert_eq!(fields, ["priors", "values"]);
    let fields: Vec<_> = refused(&mut forest, &priors, &[0.0, 1.5]);
    assert_eq!(fields, ["values[1][0]"]);
    priors[first] = f32::NAN;
    priors[actions + second] = -1.0;
    let fields: Vec<_> = refused(&mut forest, &priors, &[0.0; 4]);
    assert_eq!(fields, [format!("priors[0][{first}]"), format!("priors[1][{second}]")]);
    assert_eq!(forest.gather(None, &|| false), 2);
    assert_eq!(seen(&forest), before);
}

#[test]
fn a_tree_that_has_grown_is_asked_on_and_grows_no_further() {
    let position = samples::<OffTrack>(1).remove(0);
    let plan = Plan { most_nodes: 100, simulations: 300, ..PLAN };
    let mut forest = Forest::new(std::slice::from_ref(&position), plan).expect("one layout");
    grow(&mut forest, firm);
    let visits = found(&forest)[0].iter().map(|&(visits, _)| visits).sum::<u32>();
    assert_eq!(visits, plan.simulations);
}

#[test]
fn a_game_that_is_over_is_not_asked_about() {
    let mut chance = Fast::new(1);
    let mut over = begun::<OffTrack>(&mut chance);
    over.playout(usize::MAX, &mut chance);
    let returns = over.outcome(SeatSet::EMPTY).expect("the end").returns();
    let mut forest = Forest::new(&[over, begun(&mut chance)], PLAN).expect("one layout");
    for seen in grow(&mut forest, even) {
        assert!(seen.roots.chunks(4).all(|root| root == 1u32.to_le_bytes()));
    }
    assert!(found(&forest)[0].iter().all(|&(visits, _)| visits == 0));
    let mut written = vec![0; 4 * 2 * forest.widths().seats];
    forest.write_returns(&mut written);
    let expected = packed(returns.iter().map(|&value| value as f32));
    assert_eq!(written[..expected.len()], expected);
    assert_eq!(forest.actors()[0], None);
}
