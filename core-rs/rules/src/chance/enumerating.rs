//! Every line that chance can take, one after the other.

use super::Chance;

/// Walks through all lines of draws of an event: run the event once a line.
///
/// ```
/// use tablestate_rules::chance::{Chance, Enumerating};
///
/// let mut chance = Enumerating::default();
/// let mut sums = Vec::new();
/// while chance.next_line() {
///     let sum = chance.draw(2) + chance.draw(3);
///     sums.push((sum, chance.probability()));
/// }
/// assert_eq!(sums.len(), 6);
/// assert_eq!(sums[5].0, 3);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Enumerating {
    /// Each draw of the line: its value and how many values it could have had.
    line: Vec<(u32, u32)>,
    /// Draws of the line that the event has asked for so far.
    taken: usize,
    begun: bool,
}

impl Enumerating {
    /// Goes on to the next line; false when there is none left.
    pub fn next_line(&mut self) -> bool {
        self.taken = 0;
        if !self.begun {
            self.begun = true;
            return true;
        }
        while let Some((value, n)) = self.line.pop() {
            if value + 1 < n {
                self.line.push((value + 1, n));
                return true;
            }
        }
        false
    }

    /// The probability of the line so far.
    pub fn probability(&self) -> f64 {
        self.line[..self.taken].iter().map(|&(_, n)| 1.0 / f64::from(n)).product()
    }

    /// The draws of the line so far.
    pub fn draws(&self) -> impl Iterator<Item = u32> {
        self.line[..self.taken].iter().map(|&(value, _)| value)
    }
}

impl Chance for Enumerating {
    fn draw(&mut self, n: u32) -> u32 {
        if self.taken == self.line.len() {
            self.line.push((0, n));
        }
        self.taken += 1;
        self.line[self.taken - 1].0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_different_lengths_are_all_walked_with_probability_one_in_all() {
        let mut chance = Enumerating::default();
        let (mut lines, mut total) = (Vec::new(), 0.0);
        while chance.next_line() {
            if chance.draw(3) == 1 {
                chance.draw(2);
            }
            lines.push(chance.draws().collect::<Vec<_>>());
            total += chance.probability();
        }
        assert_eq!(lines, [vec![0], vec![1, 0], vec![1, 1], vec![2]]);
        assert!((total - 1.0).abs() < 1e-12);
    }
}
