//! What was found out about positions.

use super::tree::Window;
use super::{FOUND, Score};

/// What a score says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is this or less.
    Upper,
    /// The value is this or more.
    Lower,
    /// The value is this.
    Exact,
}

impl Bound {
    /// What a score says that came out of a search with this window.
    pub(super) fn of(score: Score, window: Window) -> Self {
        match score {
            _ if score <= window.alpha => Self::Upper,
            _ if score >= window.beta => Self::Lower,
            _ => Self::Exact,
        }
    }
}

/// What was found out about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    score: Score,
    /// The action that was best or good enough, by index.
    pub(super) action: u16,
    depth: i8,
    bound: Bound,
}

/// No entry: no position is searched to less than no depth.
const NONE: Entry = Entry { key: 0, score: 0, action: 0, depth: -1, bound: Bound::Exact };

/// A table of positions; a new result takes the place of an older one.
pub(super) struct Table {
    entries: Vec<Entry>,
}

impl Table {
    /// A table of 2^`bits` entries of 16 bytes.
    pub(super) fn new(bits: u32) -> Self {
        Self { entries: vec![NONE; 1 << bits] }
    }

    /// What is known of a position.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&Entry> {
        let entry = &self.entries[self.slot(key)];
        (entry.key == key && entry.depth >= 0).then_some(entry)
    }

    /// Notes a result; `ply` actions lie between the root and the position.
    #[inline]
    pub(super) fn put(&mut self, key: u64, found: Found, action: u16, ply: usize) {
        let (score, depth) = (found.score_from_here(ply), found.depth as i8);
        let slot = self.slot(key);
        self.entries[slot] = Entry { key, score, action, depth, bound: found.bound };
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }
}

/// A result of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) score: Score,
    pub(super) bound: Bound,
    /// To which depth it was searched, at least 0.
    pub(super) depth: i32,
}

impl Entry {
    /// The result, for a position `ply` actions from the root.
    #[inline]
    pub(super) fn found(&self, ply: usize) -> Found {
        let score = match self.score {
            FOUND.. => self.score - ply as Score,
            ..=LOST => self.score + ply as Score,
            score => score,
        };
        Found { score, bound: self.bound, depth: self.depth.into() }
    }
}

impl Found {
    /// Whether the value is known well enough for the window.
    #[inline]
    pub(super) fn settles(&self, window: Window) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.score >= window.beta,
            Bound::Upper => self.score <= window.alpha,
        }
    }

    /// Wins and losses are counted from the root; in the table, from the position.
    #[inline]
    fn score_from_here(&self, ply: usize) -> Score {
        match self.score {
            FOUND.. => self.score + ply as Score,
            ..=LOST => self.score - ply as Score,
            score => score,
        }
    }
}

const LOST: Score = -FOUND;
