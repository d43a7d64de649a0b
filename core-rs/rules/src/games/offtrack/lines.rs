//! The lines on the table: Prime and its branches.

use super::cards::{Card, MAX_CARDS};
use crate::vocab::Seat;

/// The most lines: Prime and four branches.
pub(super) const MAX_LINES: usize = 5;
/// A branch of this many cards collapses.
pub(super) const COLLAPSE: usize = 7;
/// No seat, no index.
const NONE: u8 = u8::MAX;

/// The cards of all lines, one line after the other, and what holds for each line.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    cards: [u8; MAX_CARDS],
    /// Where each line ends.
    ends: [u8; MAX_LINES],
    count: u8,
    flipped: u8,
    /// R16: the index of the card that is the harvest edge.
    pinned: [u8; MAX_LINES],
    sealed_by: [u8; MAX_LINES],
    waiting_for: [u8; MAX_LINES],
}

impl Lines {
    /// Prime alone, empty.
    pub(super) fn new() -> Self {
        Self {
            cards: [0; MAX_CARDS],
            ends: [0; MAX_LINES],
            count: 1,
            flipped: 0,
            pinned: [NONE; MAX_LINES],
            sealed_by: [NONE; MAX_LINES],
            waiting_for: [NONE; MAX_LINES],
        }
    }

    /// How many lines stand.
    #[inline]
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// How many branches stand.
    pub(super) fn branches(&self) -> usize {
        self.count() - 1
    }

    #[inline]
    fn start(&self, line: usize) -> usize {
        if line == 0 { 0 } else { self.ends[line - 1] as usize }
    }

    #[inline]
    fn range(&self, line: usize) -> std::ops::Range<usize> {
        self.start(line)..self.ends[line] as usize
    }

    /// How many cards a line has.
    #[inline]
    pub fn len(&self, line: usize) -> usize {
        self.range(line).len()
    }

    /// The cards of a line, the oldest first.
    #[inline]
    pub fn cards(&self, line: usize) -> impl DoubleEndedIterator<Item = Card> + ExactSizeIterator {
        self.cards[self.range(line)].iter().map(|&face| Card::from_face(face))
    }

    /// The card at an index of a line.
    #[inline]
    pub fn card(&self, line: usize, index: usize) -> Card {
        Card::from_face(self.cards[self.range(line)][index])
    }

    /// Whether the add end is the oldest end.
    #[inline]
    pub fn is_flipped(&self, line: usize) -> bool {
        self.flipped >> line & 1 == 1
    }

    /// The pinned index.
    pub fn pinned(&self, line: usize) -> Option<usize> {
        some(self.pinned[line])
    }

    /// The seat that sealed a line.
    pub fn sealed_by(&self, line: usize) -> Option<Seat> {
        Seat::new(self.sealed_by[line].into())
    }

    /// The seat that a branch is waiting for.
    pub fn waiting_for(&self, line: usize) -> Option<Seat> {
        Seat::new(self.waiting_for[line].into())
    }

    /// Whether a line is not sealed.
    #[inline]
    pub(super) fn is_open(&self, line: usize) -> bool {
        self.sealed_by[line] == NONE
    }

    /// R5: whether cards can be added: open and not waiting.
    #[inline]
    pub(super) fn takes_cards(&self, line: usize) -> bool {
        self.is_open(line) && self.waiting_for[line] == NONE
    }

    /// R4: the index of the harvest edge; none in an empty line.
    pub(super) fn edge(&self, line: usize) -> Option<usize> {
        let last = self.len(line).checked_sub(1)?;
        Some(self.pinned(line).unwrap_or(if self.is_flipped(line) { last } else { 0 }))
    }

    /// Where an added card goes.
    fn add_index(&self, line: usize) -> usize {
        if self.is_flipped(line) { 0 } else { self.len(line) }
    }

    /// Puts a card at the add end; returns its index.
    pub(super) fn add(&mut self, line: usize, card: Card) -> usize {
        let index = self.add_index(line);
        self.insert(line, index, card);
        index
    }

    /// Puts a card in. A pin stays with its card.
    pub(super) fn insert(&mut self, line: usize, index: usize, card: Card) {
        let place = self.start(line) + index;
        let end = self.ends[self.count() - 1] as usize;
        self.cards.copy_within(place..end, place + 1);
        self.cards[place] = card.face();
        self.ends[line..self.count as usize].iter_mut().for_each(|end| *end += 1);
        let pinned = &mut self.pinned[line];
        *pinned += u8::from(*pinned != NONE && *pinned as usize >= index);
    }

    /// Takes a card away: its pin ends with it, and a branch that falls below seven cards waits
    /// no longer.
    pub(super) fn remove(&mut self, line: usize, index: usize) -> Card {
        let place = self.start(line) + index;
        let end = self.ends[self.count() - 1] as usize;
        let card = Card::from_face(self.cards[place]);
        self.cards.copy_within(place + 1..end, place);
        self.cards[end - 1] = 0;
        self.ends[line..self.count as usize].iter_mut().for_each(|end| *end -= 1);
        let pinned = &mut self.pinned[line];
        match usize::from(*pinned) {
            at if at == index => *pinned = NONE,
            at if at > index && *pinned != NONE => *pinned -= 1,
            _ => {}
        }
        if self.len(line) < COLLAPSE {
            self.waiting_for[line] = NONE;
        }
        card
    }

    /// Moves a card within its line. Pins are the caller's to set.
    pub(super) fn move_within(&mut self, line: usize, from: usize, to: usize) {
        let range = self.range(line);
        let cards = &mut self.cards[range];
        if from < to {
            cards[from..=to].rotate_left(1);
        } else {
            cards[to..=from].rotate_right(1);
        }
    }

    /// Opens an empty branch with the next number; returns it.
    pub(super) fn open_branch(&mut self) -> usize {
        let branch = self.count();
        self.ends[branch] = self.ends[branch - 1];
        self.count += 1;
        branch
    }

    pub(super) fn pin(&mut self, line: usize, index: usize) {
        self.pinned[line] = index as u8;
    }

    /// Flips a line; its pin ends.
    pub(super) fn flip(&mut self, line: usize) {
        self.flipped |= 1 << line;
        self.pinned[line] = NONE;
    }

    /// All flips end; pins stay.
    pub(super) fn end_flips(&mut self) {
        self.flipped = 0;
    }

    pub(super) fn seal(&mut self, line: usize, seat: Seat) {
        self.sealed_by[line] = seat.index() as u8;
    }

    pub(super) fn open(&mut self, line: usize) {
        self.sealed_by[line] = NONE;
    }

    pub(super) fn wait(&mut self, line: usize, seat: Seat) {
        self.waiting_for[line] = seat.index() as u8;
    }

    /// Gives a card another face.
    pub(super) fn replace(&mut self, line: usize, index: usize, card: Card) {
        let place = self.start(line) + index;
        self.cards[place] = card.face();
    }

    /// Where the card of a type lies that is number `nth` of that type on the table.
    pub(super) fn find(&self, kind: usize, nth: usize) -> Option<(usize, usize)> {
        let places = (0..self.count())
            .flat_map(|line| self.cards(line).enumerate().map(move |(i, card)| (line, i, card)));
        let mut matching = places.filter(|(_, _, card)| card.kind() == kind);
        matching.nth(nth).map(|(line, index, _)| (line, index))
    }

    /// The words that the lines are, for hashing.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let used = self.ends[self.count() - 1] as usize;
        let meta = self.ends.iter().chain([&self.count, &self.flipped]).chain(&self.pinned);
        let meta = meta.chain(&self.sealed_by).chain(&self.waiting_for).copied();
        let mut bytes = meta.chain(self.cards[..used].iter().copied()).fuse();
        std::iter::from_fn(move || {
            let mut eight = bytes.by_ref().take(8);
            let first = u64::from(eight.next()?);
            Some(eight.fold(first, |word, byte| word << 8 | u64::from(byte)))
        })
    }
}

fn some(index: u8) -> Option<usize> {
    (index != NONE).then_some(index.into())
}
