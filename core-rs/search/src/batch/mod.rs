//! Many games stepped together: the engine of `Simulate` and of `engine.Batch`.
//!
//! A batch keeps games of one game and one set of options in slots. Every slot has chance of its
//! own, so what comes of a step depends neither on the other slots nor on the number of threads.

mod any;
mod bots;
mod layout;
mod slot;

pub use any::AnyBatch;
pub use bots::Bots;
pub use layout::{Actions, Form, Part, Parts, Widths};
pub use slot::{NO_ACTION, NO_ACTOR, OVER, REFUSED, RESET};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use tablestate_rules::chance::Fast;
use tablestate_rules::{Chance, Game, Position, Seat};

use crate::search::Searched;
use slot::Slot;

/// Fewer slots than this are not worth another thread's attention.
const LEAST_CHUNK: usize = 32;

/// Games of one kind and one set of options.
#[derive(Clone)]
pub struct Batch<G: Game> {
    slots: Vec<Slot<G>>,
    widths: Widths,
    /// What ended games are set up with again; none: they stay as they are.
    reset: Option<G::Options>,
    bots: Bots,
}

/// What every slot of a step has in common.
struct Common<'a, G: Game> {
    widths: &'a Widths,
    form: Form,
    observer: Option<Seat>,
    reset: Option<&'a G::Options>,
    bots: &'a Bots,
}

/// Slots that one thread steps, with their actions and their places in the parts.
struct Chunk<'a, G: Game> {
    slots: &'a mut [Slot<G>],
    actions: &'a [u8],
    parts: Parts<'a>,
}

impl<G: Searched + Send + Sync> Batch<G>
where
    G::History: Send + Sync,
    G::Options: Sync,
{
    /// New games, one for each seed. The options must have come from [`Game::complete`].
    ///
    /// Whenever it is a bot's turn it acts at once, with the chance of its slot.
    pub fn start(options: &G::Options, seeds: &[u64], auto_reset: bool, bots: Bots) -> Self {
        let slots: Vec<_> = seeds.iter().map(|&seed| Slot::start(options, seed, &bots)).collect();
        let widths = slots.first().map(Slot::widths).unwrap_or_default();
        Self { slots, widths, reset: auto_reset.then(|| options.clone()), bots }
    }

    /// How many games it has.
    pub fn size(&self) -> usize {
        self.slots.len()
    }

    /// How many bytes a slot takes in each part.
    pub fn widths(&self) -> &Widths {
        &self.widths
    }

    /// The game of a slot; the caller has checked that the slot exists, here and below.
    pub fn position(&self, slot: usize) -> &Position<G> {
        self.slots[slot].position()
    }

    /// Puts another game into a slot, which keeps its chance; false, and nothing is changed, if
    /// its actions or observations are laid out in another way.
    pub fn put(&mut self, slot: usize, position: Position<G>) -> bool {
        let fits = Slot::widths_of(&position) == self.widths;
        if fits {
            self.slots[slot].put(position, &self.bots);
        }
        fits
    }

    /// The chosen slots as a batch of their own, in the order given, each as often as it is
    /// named. With a seed they go on with fresh chance, without with the same as the originals.
    pub fn copy(&self, chosen: &[usize], seed: Option<u64>) -> Self {
        let mut slots: Vec<_> = chosen.iter().map(|&slot| self.slots[slot].clone()).collect();
        if let Some(seed) = seed {
            slots.iter_mut().zip(seeds(seed)).for_each(|(slot, seed)| slot.reseed(seed));
        }
        Self { slots, widths: self.widths, reset: self.reset.clone(), bots: self.bots.clone() }
    }

    /// Takes an action in every slot, or none at all, and writes the parts that are wanted.
    ///
    /// The observations are those of `observer`, or of each game's actor. An action that is not
    /// legal changes nothing and marks its slot as [`REFUSED`]. The caller has checked that
    /// actions and parts have the right lengths.
    pub fn step(
        &mut self,
        actions: Option<Actions<'_>>,
        observer: Option<Seat>,
        parts: Parts<'_>,
        pool: Option<&ThreadPool>,
    ) {
        let Actions { form, bytes } = actions.unwrap_or(Actions::NONE);
        let reset = self.reset.as_ref();
        let common = Common { widths: &self.widths, form, observer, reset, bots: &self.bots };
        let whole = Chunk { slots: &mut self.slots, actions: bytes, parts };
        match pool {
            None => whole.step(&common),
            Some(pool) => {
                let size = whole.slots.len().div_ceil(pool.current_num_threads() * 4);
                let chunks = whole.cut(size.max(LEAST_CHUNK), &common);
                pool.install(|| chunks.into_par_iter().for_each(|chunk| chunk.step(&common)));
            }
        }
    }

    /// The slots whose game the last step ended and set up again, rising, and what every seat
    /// saw at the end of it: an observation for each seat of each of these slots.
    pub fn ended(&self) -> (Vec<u32>, Vec<u8>) {
        let (mut slots, mut observations) = (Vec::new(), Vec::new());
        for (number, slot) in self.slots.iter().enumerate() {
            if let Some(last) = slot.last() {
                slots.push(number as u32);
                slot::observe_all(last, &self.widths, &mut observations);
            }
        }
        (slots, observations)
    }
}

impl<'a, G: Searched> Chunk<'a, G> {
    fn step(mut self, common: &Common<'_, G>) {
        let width = common.form.width();
        for (number, slot) in self.slots.iter_mut().enumerate() {
            slot.begin_step();
            if let Some(bytes) = self.actions.get(number * width..(number + 1) * width)
                && width > 0
            {
                slot.take(common.form, Form::code(bytes), common.reset, common.bots);
            }
            slot.write(common.widths, common.observer, number, &mut self.parts);
        }
    }

    fn cut(self, size: usize, common: &Common<'_, G>) -> Vec<Self> {
        let width = common.form.width();
        let mut chunks = Vec::new();
        let Self { mut slots, mut actions, mut parts } = self;
        while slots.len() > size {
            let (head, rest) = slots.split_at_mut(size);
            let (head_actions, rest_actions) = actions.split_at(size * width);
            let (head_parts, rest_parts) = parts.split_at(size, common.widths);
            chunks.push(Self { slots: head, actions: head_actions, parts: head_parts });
            (slots, actions, parts) = (rest, rest_actions, rest_parts);
        }
        chunks.push(Self { slots, actions, parts });
        chunks
    }
}

/// Seeds that follow from one.
pub fn seeds(seed: u64) -> impl Iterator<Item = u64> {
    let mut chance = Fast::new(seed);
    let mut half = move || u64::from(chance.draw(u32::MAX));
    std::iter::repeat_with(move || half() << 32 ^ half())
}
