//! One game of a batch.

use tablestate_rules::chance::Fast;
use tablestate_rules::{Game, LegalSet, Position, Seat, SeatSet, Viewer};

use super::bots::Bots;
use super::layout::{Form, Part, Parts, Widths};
use crate::player;
use crate::search::Searched;

/// Flag: the game is over, or was and has been set up again.
pub const OVER: u8 = 1;
/// Flag: the action was not legal, or the game was over; nothing was done.
pub const REFUSED: u8 = 2;
/// Flag: the game was over and a new one has been set up.
pub const RESET: u8 = 4;
/// The actor when the game is over.
pub const NO_ACTOR: u8 = u8::MAX;
/// The action when none was taken.
pub const NO_ACTION: u16 = u16::MAX;

#[derive(Clone)]
pub(super) struct Slot<G: Game> {
    position: Position<G>,
    chance: Fast,
    flags: u8,
    taken: u16,
    /// The end of a game that was set up again in the last step.
    last: Option<Box<Position<G>>>,
}

impl<G: Searched> Slot<G> {
    pub(super) fn start(options: &G::Options, seed: u64, bots: &Bots) -> Self {
        let mut chance = Fast::new(seed);
        let position = set_up(options, &mut chance);
        let mut slot = Self { position, chance, flags: 0, taken: NO_ACTION, last: None };
        slot.play_bots(bots);
        slot
    }

    pub(super) fn widths(&self) -> Widths {
        Self::widths_of(&self.position)
    }

    pub(super) fn widths_of(position: &Position<G>) -> Widths {
        Widths::of(position.state())
    }

    pub(super) fn position(&self) -> &Position<G> {
        &self.position
    }

    pub(super) fn last(&self) -> Option<&Position<G>> {
        self.last.as_deref()
    }

    pub(super) fn put(&mut self, position: Position<G>, bots: &Bots) {
        self.position = position;
        self.begin_step();
        self.play_bots(bots);
    }

    pub(super) fn reseed(&mut self, seed: u64) {
        self.chance = Fast::new(seed);
    }

    pub(super) fn begin_step(&mut self) {
        self.flags = 0;
        self.taken = NO_ACTION;
        self.last = None;
    }

    #[inline]
    pub(super) fn take(&mut self, form: Form, code: u32, reset: Option<&G::Options>, bots: &Bots) {
        let Some(action) = self.choose(form, code) else {
            self.flags = REFUSED;
            return;
        };
        self.taken = self.position.state().index(action) as u16;
        self.position.apply_unchecked(action, &mut self.chance, &mut ());
        self.play_bots(bots);
        if let Some(options) = reset
            && self.position.state().actor().is_none()
        {
            let next = set_up(options, &mut self.chance);
            self.last = Some(Box::new(std::mem::replace(&mut self.position, next)));
            self.flags = OVER | RESET;
            self.play_bots(bots);
        }
    }

    /// Lets the bots act until it is the turn of a seat that has none, or the game is over.
    #[inline]
    fn play_bots(&mut self, bots: &Bots) {
        while let Some(seat) = self.position.state().actor()
            && let Some(bot) = bots.of(seat)
            && let Some(action) = player::choose(bot, &self.position, &mut self.chance)
        {
            self.position.apply_unchecked(action, &mut self.chance, &mut ());
        }
    }

    #[inline]
    fn choose(&self, form: Form, code: u32) -> Option<G::Action> {
        let state = self.position.state();
        if form == Form::Index {
            return state.action_at(code as usize).filter(|&a| state.check(a).is_ok());
        }
        let legal = state.legal();
        let count = legal.count();
        let rank = match form {
            Form::Draw => ((u64::from(code) * count as u64) >> 32) as usize,
            _ => code as usize,
        };
        (rank < count).then(|| legal.nth(rank))
    }

    /// Writes the slot's place in every part that is wanted.
    #[inline]
    pub(super) fn write(
        &self,
        widths: &Widths,
        observer: Option<Seat>,
        number: usize,
        parts: &mut Parts<'_>,
    ) {
        let state = self.position.state();
        let actor = state.actor();
        if let Some([byte]) = parts.at(Part::Actors, widths, number) {
            *byte = actor.map_or(NO_ACTOR, |seat| seat.index() as u8);
        }
        if let Some([byte]) = parts.at(Part::Flags, widths, number) {
            *byte = if actor.is_none() { self.flags | OVER } else { self.flags };
        }
        if let Some(bytes) = parts.at(Part::Actions, widths, number) {
            bytes.copy_from_slice(&self.taken.to_le_bytes());
        }
        if let Some(bytes) = parts.at(Part::Returns, widths, number) {
            self.write_returns(bytes);
        }
        if let Some(mask) = parts.at(Part::Masks, widths, number) {
            mask.fill(0);
            state.legal().write_mask(mask);
        }
        if let Some(bytes) = parts.at(Part::Observations, widths, number) {
            match observer.or(actor) {
                Some(seat) => self.position.observe(Viewer::Seat(seat), bytes),
                None => bytes.fill(0),
            }
        }
    }

    fn write_returns(&self, bytes: &mut [u8]) {
        let ended = self.last().unwrap_or(&self.position);
        match ended.outcome(SeatSet::EMPTY) {
            None => bytes.fill(0),
            Some(outcome) => {
                let returns = outcome.returns();
                for (bytes, value) in bytes.chunks_exact_mut(4).zip(returns) {
                    bytes.copy_from_slice(&(value as f32).to_le_bytes());
                }
            }
        }
    }
}

/// Appends what every seat sees.
pub(super) fn observe_all<G: Game>(
    position: &Position<G>,
    widths: &Widths,
    observations: &mut Vec<u8>,
) {
    let width = widths.of_part(Part::Observations);
    for seat in SeatSet::first(widths.seats).iter() {
        let begin = observations.len();
        observations.resize(begin + width, 0);
        position.observe(Viewer::Seat(seat), &mut observations[begin..]);
    }
}

fn set_up<G: Game>(options: &G::Options, chance: &mut Fast) -> Position<G> {
    let (state, history) = G::new(options, chance, &mut ());
    Position::from_parts(state, history)
}
