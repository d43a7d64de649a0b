//! Chance: every random event is a draw `0..n` from a list in canonical order.
//!
//! Four sources: [`Match`] (a published function of a match's seed), [`Fast`] (playouts),
//! [`Scripted`] (given draws: logs and tests) and [`Enumerating`] (every possible line).

mod enumerating;
mod fast;
mod seeded;

pub use enumerating::Enumerating;
pub use fast::Fast;
pub use seeded::Match;

/// The one source of randomness of the rules.
pub trait Chance {
    /// A number below `n`, which must not be 0, each with equal chance.
    fn draw(&mut self, n: u32) -> u32;
}

impl<C: Chance> Chance for &mut C {
    fn draw(&mut self, n: u32) -> u32 {
        (**self).draw(n)
    }
}

/// Passes draws on and writes them down.
#[derive(Debug)]
pub struct Recording<C> {
    source: C,
    draws: Vec<u32>,
    bounds: Vec<u32>,
}

impl<C: Chance> Recording<C> {
    /// Records the draws from a source.
    pub fn new(source: C) -> Self {
        Self { source, draws: Vec::new(), bounds: Vec::new() }
    }

    /// The draws, in order, and how many values each could have had.
    pub fn into_draws(self) -> (Vec<u32>, Vec<u32>) {
        (self.draws, self.bounds)
    }
}

impl<C: Chance> Chance for Recording<C> {
    fn draw(&mut self, n: u32) -> u32 {
        let value = self.source.draw(n);
        self.draws.push(value);
        self.bounds.push(n);
        value
    }
}

/// Gives the draws of a list. Draws that do not fit are noted, not refused: the caller asks
/// [`Scripted::is_spent`] or [`Scripted::missing`] afterwards and throws the result away if the
/// list did not fit.
#[derive(Debug)]
pub struct Scripted<'a> {
    rest: &'a [u32],
    fits: bool,
    missing: Option<u32>,
}

impl<'a> Scripted<'a> {
    /// A source of these draws.
    pub fn new(draws: &'a [u32]) -> Self {
        Self { rest: draws, fits: true, missing: None }
    }

    /// Whether every draw was asked for, no more were, and each was in range.
    pub fn is_spent(&self) -> bool {
        self.fits && self.rest.is_empty()
    }

    /// How many values the first draw could have had that the list no longer held; none if the
    /// list sufficed, or an earlier draw did not fit.
    pub fn missing(&self) -> Option<u32> {
        self.missing
    }
}

impl Chance for Scripted<'_> {
    fn draw(&mut self, n: u32) -> u32 {
        match self.rest.split_first() {
            Some((&value, rest)) if value < n => {
                self.rest = rest;
                value
            }
            rest => {
                if self.fits && rest.is_none() {
                    self.missing = Some(n);
                }
                self.fits = false;
                0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripted_draws_come_back_and_misfits_are_noted() {
        let mut chance = Recording::new(Scripted::new(&[1, 0, 4]));
        assert_eq!([chance.draw(2), chance.draw(1), chance.draw(5)], [1, 0, 4]);
        assert!(chance.source.is_spent());
        assert_eq!(chance.into_draws(), (vec![1, 0, 4], vec![2, 1, 5]));
        for (draws, n, missing) in [(&[2][..], 2, None), (&[][..], 3, Some(3))] {
            let mut chance = Scripted::new(draws);
            assert_eq!(chance.draw(n), 0);
            chance.draw(5);
            assert!(!chance.is_spent());
            assert_eq!(chance.missing(), missing);
        }
        assert!(!Scripted::new(&[0]).is_spent());
    }
}
