//! Tracks: a set of exits for each square.

use super::geometry::{SIDES, Side, Square, Squares};

/// Exits of a square, N 1, E 2, S 4, W 8; at least two if there is track.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Track(u8);

/// Straights and corners.
pub(super) const PAIRS: usize = 6;
/// Ts and the cross.
pub(super) const LARGER: usize = 5;

impl Track {
    /// No track.
    pub const NONE: Self = Self(0);
    /// The straights and corners: `NE NS NW ES EW SW`.
    pub(super) const PAIRS: [Self; PAIRS] =
        [Self(0b0011), Self(0b0101), Self(0b1001), Self(0b0110), Self(0b1010), Self(0b1100)];
    /// The Ts and the cross: `NES NEW NSW ESW NESW`.
    pub(super) const LARGER: [Self; LARGER] =
        [Self(0b0111), Self(0b1011), Self(0b1101), Self(0b1110), Self(0b1111)];

    /// N 1, E 2, S 4, W 8.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Whether it has this exit.
    #[inline]
    pub const fn leads(self, side: Side) -> bool {
        self.0 >> side as u8 & 1 == 1
    }

    /// How many exits.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is no track.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// It without an exit.
    #[inline]
    pub(super) const fn without(self, side: Side) -> Self {
        Self(self.0 & !(1 << side as u8))
    }

    /// The only exit; none if there are several or none.
    #[inline]
    pub(super) fn only_exit(self) -> Option<Side> {
        self.0.is_power_of_two().then(|| Side::ALL[self.0.trailing_zeros() as usize])
    }

    /// The exits, sorted.
    pub fn exits(self) -> impl Iterator<Item = Side> {
        Side::ALL.into_iter().filter(move |&side| self.leads(side))
    }
}

impl FromIterator<Side> for Track {
    fn from_iter<I: IntoIterator<Item = Side>>(exits: I) -> Self {
        Self(exits.into_iter().fold(0, |bits, side| bits | 1 << side as u8))
    }
}

impl std::fmt::Debug for Track {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

/// The letters of the exits.
impl std::fmt::Display for Track {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.exits().try_for_each(|side| write!(f, "{}", side.letter()))
    }
}

/// The tracks of a board: for each direction the squares with such an exit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tracks([Squares; SIDES]);

impl Tracks {
    #[inline]
    pub(super) fn at(&self, square: Square) -> Track {
        let bit = |side: usize| u8::from(self.0[side].contains(square)) << side;
        Track(bit(0) | bit(1) | bit(2) | bit(3))
    }

    #[inline]
    pub(super) fn leads(&self, square: Square, side: Side) -> bool {
        self.0[side as usize].contains(square)
    }

    #[inline]
    pub(super) fn lay(&mut self, square: Square, track: Track) {
        for side in Side::ALL {
            let exits = &mut self.0[side as usize];
            if track.leads(side) { exits.insert(square) } else { exits.remove(square) }
        }
    }

    /// The squares with track.
    #[inline]
    pub(super) fn squares(&self) -> Squares {
        let [north, east, south, west] = self.0;
        north.or(east).or(south.or(west))
    }

    /// The squares that can be upgraded to each of [`Track::LARGER`]: one exit is added, none is
    /// lost.
    #[inline]
    pub(super) fn upgrades(&self) -> [Squares; LARGER] {
        let [north, east, south, west] = self.0;
        let cross = north.and(east).and(south).and(west);
        let larger = north.and(east).and(south.or(west)).or(south.and(west).and(north.or(east)));
        let pairs = self.squares().without(larger);
        let to = |missing: Squares| pairs.without(missing);
        [to(west), to(south), to(east), to(north), larger.without(cross)]
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.iter().flat_map(|exits| exits.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn upgrades_add_one_exit() {
        let all = [Track::NONE].into_iter().chain(Track::PAIRS).chain(Track::LARGER);
        let mut tracks = Tracks::default();
        for (number, track) in all.clone().enumerate() {
            tracks.lay(Square(number as u8), track);
        }
        for (number, track) in all.enumerate() {
            let square = Square(number as u8);
            assert_eq!((tracks.at(square), tracks.squares().contains(square)), (track, number > 0));
            for (to, squares) in Track::LARGER.into_iter().zip(tracks.upgrades()) {
                let adds_one =
                    to.len() == track.len() + 1 && to.bits() & track.bits() == track.bits();
                assert_eq!(squares.contains(square), adds_one && number > 0, "{track} to {to}");
            }
        }
    }

    #[test]
    fn shapes_are_sorted_by_their_exits() {
        let text =
            |tracks: &[Track]| tracks.iter().map(Track::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(text(&Track::PAIRS), "NE NS NW ES EW SW");
        assert_eq!(text(&Track::LARGER), "NES NEW NSW ESW NESW");
    }
}
