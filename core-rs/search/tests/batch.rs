//! The laws of batches, for every game.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{Game, LegalSet, Position, Seat, SeatSet, Viewer};
use tablestate_search::batch::{
    Actions, Batch, Bots, Form, NO_ACTION, NO_ACTOR, OVER, Part, Parts, REFUSED, RESET,
};
use tablestate_search::{Bot, Searched, choose};

const SIZE: usize = 70;

/// A batch with the parts that its last step wrote.
struct Table<G: Game> {
    batch: Batch<G>,
    parts: [Vec<u8>; Part::COUNT],
}

trait Playable: Searched<Options: Sync, History: Send + Sync> + Send + Sync {}
impl<G: Searched<Options: Sync, History: Send + Sync> + Send + Sync> Playable for G {}

impl<G: Playable> Table<G> {
    fn new(auto_reset: bool) -> Self {
        Self::against(auto_reset, &[])
    }

    fn against(auto_reset: bool, bots: &[Option<Bot>]) -> Self {
        let seeds: Vec<u64> = (0..SIZE as u64).collect();
        let bots = Bots::new(bots.to_vec(), Arc::default());
        Self::of(Batch::start(&options::<G>(), &seeds, auto_reset, bots))
    }

    fn of(batch: Batch<G>) -> Self {
        let parts = Part::ALL.map(|part| vec![9; batch.size() * batch.widths().of_part(part)]);
        let mut table = Self { batch, parts };
        table.step(None, None);
        table
    }

    fn step(&mut self, actions: Option<Actions<'_>>, pool: Option<&rayon::ThreadPool>) {
        let parts = Parts::new(self.parts.each_mut().map(Vec::as_mut_slice));
        self.batch.step(actions, None, parts, pool);
    }

    fn at(&self, part: Part, slot: usize) -> &[u8] {
        let width = self.batch.widths().of_part(part);
        &self.parts[part as usize][slot * width..(slot + 1) * width]
    }

    fn flags(&self, slot: usize) -> u8 {
        self.at(Part::Flags, slot)[0]
    }

    fn action(&self, slot: usize) -> u16 {
        let bytes = self.at(Part::Actions, slot);
        u16::from_le_bytes([bytes[0], bytes[1]])
    }

    fn returns(&self, slot: usize) -> Vec<f32> {
        let floats = self.at(Part::Returns, slot).chunks_exact(4);
        floats.map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
    }

    fn draw(&mut self, chance: &mut Fast, pool: Option<&rayon::ThreadPool>) {
        let bytes = draws(chance);
        self.step(Some(Actions { form: Form::Draw, bytes: &bytes }), pool);
    }
}

fn options<G: Game>() -> G::Options {
    G::complete(&G::Options::default()).expect("the defaults are sound")
}

fn draws(chance: &mut Fast) -> Vec<u8> {
    (0..SIZE).flat_map(|_| chance.draw(u32::MAX).to_le_bytes()).collect()
}

/// What the parts of a slot must be, told from its position alone.
fn check_parts<G: Playable>(table: &Table<G>, slot: usize) {
    let position = table.batch.position(slot);
    let state = position.state();
    let actor = state.actor();
    let number = actor.map_or(NO_ACTOR, |seat| seat.index() as u8);
    assert_eq!(table.at(Part::Actors, slot), [number]);
    let mut mask = vec![0; state.actions().div_ceil(8)];
    state.legal().write_mask(&mut mask);
    assert_eq!(table.at(Part::Masks, slot), mask);
    let mut observation = vec![0; state.observation_bytes()];
    if let Some(seat) = actor {
        position.observe(Viewer::Seat(seat), &mut observation);
    }
    assert_eq!(table.at(Part::Observations, slot), observation);
    assert_eq!(table.flags(slot) & OVER != 0, actor.is_none() || table.flags(slot) & RESET != 0);
}

/// The forms of an action lead to the same, and what is shown is what stands.
fn forms_agree<G: Playable>() {
    let mut chance = Fast::new(8);
    let mut tables = [(); 3].map(|()| Table::<G>::new(true));
    for _ in 0..150 {
        let bytes = draws(&mut chance);
        let legal: Vec<Vec<u16>> = (0..SIZE).map(|slot| indices(&tables[0], slot)).collect();
        tables[0].step(Some(Actions { form: Form::Draw, bytes: &bytes }), None);
        let taken: Vec<u16> = (0..SIZE).map(|slot| tables[0].action(slot)).collect();
        let ranks = taken.iter().zip(&legal).map(|(action, legal)| {
            legal.iter().position(|index| index == action).expect("a legal action") as u16
        });
        let ranks: Vec<u8> = ranks.flat_map(u16::to_le_bytes).collect();
        let indices: Vec<u8> = taken.iter().flat_map(|index| index.to_le_bytes()).collect();
        tables[1].step(Some(Actions { form: Form::Rank, bytes: &ranks }), None);
        tables[2].step(Some(Actions { form: Form::Index, bytes: &indices }), None);
        assert_eq!(tables[0].parts, tables[1].parts);
        assert_eq!(tables[0].parts, tables[2].parts);
        (0..SIZE).for_each(|slot| check_parts(&tables[0], slot));
    }
}

fn indices<G: Playable>(table: &Table<G>, slot: usize) -> Vec<u16> {
    let mask = table.at(Part::Masks, slot);
    (0..8 * mask.len() as u16).filter(|i| mask[usize::from(i / 8)] >> (i % 8) & 1 == 1).collect()
}

/// What comes of a step does not depend on the number of threads.
fn threads_change_nothing<G: Playable>() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("three threads");
    let [mut alone, mut together] = [(); 2].map(|()| Table::<G>::new(true));
    for round in 0..100 {
        alone.draw(&mut Fast::new(round), None);
        together.draw(&mut Fast::new(round), Some(&pool));
        assert_eq!(alone.parts, together.parts);
        assert_eq!(alone.batch.ended(), together.batch.ended());
    }
}

/// An action that is not legal marks its slot and changes nothing, neither there nor elsewhere.
fn refused_actions_change_nothing<G: Playable>() {
    let mut table = Table::<G>::new(false);
    let mut chance = Fast::new(3);
    for _ in 0..30 {
        table.draw(&mut chance, None);
        let before: Vec<Position<G>> =
            (0..SIZE).map(|slot| table.batch.position(slot).clone()).collect();
        let all = table.batch.widths().actions as u32 + 3;
        let tried: Vec<u16> = (0..SIZE)
            .map(|slot| if slot % 9 == 0 { NO_ACTION } else { chance.draw(all) as u16 })
            .collect();
        let legal: Vec<Vec<u16>> = (0..SIZE).map(|slot| indices(&table, slot)).collect();
        let bytes: Vec<u8> = tried.iter().flat_map(|index| index.to_le_bytes()).collect();
        table.step(Some(Actions { form: Form::Index, bytes: &bytes }), None);
        for slot in 0..SIZE {
            let is_legal = legal[slot].contains(&tried[slot]);
            assert_eq!(table.flags(slot) & REFUSED == 0, is_legal);
            assert_eq!(table.action(slot), if is_legal { tried[slot] } else { NO_ACTION });
            assert!(is_legal || *table.batch.position(slot) == before[slot]);
            check_parts(&table, slot);
        }
    }
}

/// A batch that sets ended games up again shows what one that does not has shown.
fn the_end_of_a_game_is_not_lost<G: Playable>() {
    let [mut going_on, mut staying] = [true, false].map(Table::<G>::new);
    let mut chance = Fast::new(4);
    let mut ended = [false; SIZE];
    while !ended.iter().all(|&ended| ended) {
        let bytes = draws(&mut chance);
        going_on.step(Some(Actions { form: Form::Draw, bytes: &bytes }), None);
        staying.step(Some(Actions { form: Form::Draw, bytes: &bytes }), None);
        let (slots, last) = going_on.batch.ended();
        let (width, seats) = (going_on.at(Part::Observations, 0).len(), last_seats(&going_on));
        assert_eq!(last.len(), slots.len() * seats * width);
        for slot in 0..SIZE {
            if ended[slot] {
                continue;
            }
            let ends = slots.iter().position(|&ended| ended == slot as u32);
            assert_eq!(going_on.flags(slot), if ends.is_some() { OVER | RESET } else { 0 });
            assert_eq!(going_on.returns(slot), staying.returns(slot));
            let position = staying.batch.position(slot);
            let Some(number) = ends else {
                assert_eq!(going_on.batch.position(slot), position);
                continue;
            };
            ended[slot] = true;
            assert!(position.state().actor().is_none());
            for seat in 0..seats {
                let mut seen = vec![0; width];
                position.observe(Viewer::Seat(Seat::new(seat).expect("a seat")), &mut seen);
                let begin = (number * seats + seat) * width;
                assert_eq!(last[begin..begin + width], seen);
            }
            assert!(going_on.batch.position(slot).state().actor().is_some());
        }
    }
    let outcome = staying.batch.position(0).outcome(SeatSet::EMPTY).expect("it is over");
    let returns: Vec<f32> = outcome.returns().iter().map(|&value| value as f32).collect();
    assert_eq!(staying.returns(0), returns);
    staying.draw(&mut chance, None);
    assert!((0..SIZE).all(|slot| staying.flags(slot) == OVER | REFUSED));
}

fn last_seats<G: Playable>(table: &Table<G>) -> usize {
    table.batch.widths().seats
}

/// A copy goes the same way as its original; with a seed of its own, another where chance has a
/// say.
fn copies_go_the_same_way<G: Playable>(has_chance: bool) {
    let mut table = Table::<G>::new(true);
    table.draw(&mut Fast::new(1), None);
    let all: Vec<usize> = (0..SIZE).collect();
    let mut twin = Table::of(table.batch.copy(&all, None));
    let mut fork = Table::of(table.batch.copy(&all, Some(5)));
    for round in 0..60 {
        table.draw(&mut Fast::new(round), None);
        twin.draw(&mut Fast::new(round), None);
        fork.draw(&mut Fast::new(round), None);
        assert_eq!(table.parts, twin.parts);
    }
    assert_eq!(table.parts != fork.parts, has_chance);
    let fan = table.batch.copy(&[3, 3, 0], None);
    assert_eq!(fan.size(), 3);
    assert_eq!(fan.position(0), table.batch.position(3));
    assert_eq!(fan.position(0), fan.position(1));
    assert_eq!(fan.position(2), table.batch.position(0));
}

/// A bot acts at once whenever it is its turn, as it would outside of a batch: in new games, after
/// actions, in games put in.
fn bots_act_at_once<G: Playable>() {
    for bots in [[None, Some(Bot::Greedy)], [Some(Bot::Random), None]] {
        let own = Seat::new(usize::from(bots[0].is_some())).expect("a seat");
        let mut table = Table::<G>::against(true, &bots);
        let plain = Batch::<G>::start(&options::<G>(), &[0], false, Bots::default());
        let mut chance = Fast::new(0);
        let mut expected = Position::<G>::new(&G::Options::default(), &mut chance, &mut ())
            .expect("the defaults are sound");
        assert_eq!(*plain.position(0), expected);
        play_on(&mut expected, &bots, &mut chance);
        let mut draws_of = Fast::new(7);
        for _ in 0..80 {
            assert!((0..SIZE).all(|slot| table.at(Part::Actors, slot) == [own.index() as u8]));
            assert_eq!(*table.batch.position(0), expected);
            table.draw(&mut draws_of, None);
            let index = usize::from(table.action(0));
            let action = expected.state().action_at(index).expect("an action");
            expected.apply_unchecked(action, &mut chance, &mut ());
            play_on(&mut expected, &bots, &mut chance);
            if table.flags(0) & RESET != 0 {
                break;
            }
        }
        let begun = plain.position(0).clone();
        assert!(table.batch.put(0, begun));
        assert_eq!(table.batch.position(0).state().actor(), Some(own));
    }
}

fn play_on<G: Searched>(position: &mut Position<G>, bots: &[Option<Bot>], chance: &mut Fast) {
    while let Some(seat) = position.state().actor()
        && let Some(bot) = bots[seat.index()]
    {
        let action = choose(bot, position, chance).expect("the game goes on");
        position.apply_unchecked(action, chance, &mut ());
    }
}

fn all_laws<G: Playable>(has_chance: bool) {
    bots_act_at_once::<G>();
    forms_agree::<G>();
    threads_change_nothing::<G>();
    refused_actions_change_nothing::<G>();
    the_end_of_a_game_is_not_lost::<G>();
    copies_go_the_same_way::<G>(has_chance);
}

#[test]
fn the_laws_of_batches_hold_for_offboard() {
    all_laws::<Offboard>(false);
}

#[test]
fn the_laws_of_batches_hold_for_offtrack() {
    all_laws::<OffTrack>(true);
}

#[test]
fn the_laws_of_batches_hold_for_eternitium() {
    all_laws::<Eternitium>(true);
}

#[test]
fn the_laws_of_batches_hold_for_off_the_rails() {
    all_laws::<OffTheRails>(true);
}

#[test]
fn a_state_of_another_layout_is_not_put_in() {
    use tablestate_rules::games::offtrack::Options;
    let mut table = Table::<OffTrack>::new(false);
    let before = table.batch.position(0).clone();
    let other = Options { seats: Some(4), ..Options::default() };
    let position = Position::new(&other, &mut Fast::new(1), &mut ()).expect("sound options");
    assert!(!table.batch.put(0, position));
    assert_eq!(*table.batch.position(0), before);
    let own = table.batch.position(1).clone();
    assert!(table.batch.put(0, own.clone()));
    assert_eq!(*table.batch.position(0), own);
}

#[test]
fn bots_that_are_told_to_stop_act_no_more() {
    let bots = |stop| Bots::new(vec![Some(Bot::Random), None], Arc::new(AtomicBool::new(stop)));
    let actor = |stop| {
        let batch = Batch::<Offboard>::start(&options::<Offboard>(), &[1], false, bots(stop));
        batch.position(0).state().actor().map(Seat::index)
    };
    assert_eq!([actor(false), actor(true)], [Some(1), Some(0)]);
}
