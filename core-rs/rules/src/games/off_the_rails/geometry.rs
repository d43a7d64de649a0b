//! R1: the boards as data, their squares and the four directions.

use super::options::Board;

/// Squares on a side of the largest board.
pub(super) const MAX_SIZE: usize = 9;
/// Squares of the largest board.
pub(super) const MAX_SQUARES: usize = MAX_SIZE * MAX_SIZE;
/// Mines, colours.
pub(super) const MINES: usize = 4;
/// Squares of a mine but its centre, which are also the cards of its colour.
pub(super) const NUMBERS: usize = 8;
/// Directions.
pub(super) const SIDES: usize = 4;

/// A side of the board or of a square, an exit, a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Side {
    North,
    East,
    South,
    West,
}

impl Side {
    /// All, in order.
    pub const ALL: [Self; SIDES] = [Self::North, Self::East, Self::South, Self::West];

    /// The opposite one.
    #[inline]
    pub const fn opposite(self) -> Self {
        Self::ALL[(self as usize + 2) % SIDES]
    }

    /// Its letter in notation.
    pub const fn letter(self) -> char {
        ['N', 'E', 'S', 'W'][self as usize]
    }

    /// The side of a letter.
    pub(super) fn parse(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|side| side.letter() == letter)
    }
}

/// The colour of a mine, its cards and its tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Mine {
    Red,
    Yellow,
    Green,
    Blue,
}

impl Mine {
    /// All, in order.
    pub const ALL: [Self; MINES] = [Self::Red, Self::Yellow, Self::Green, Self::Blue];

    /// Its letter in notation.
    pub const fn letter(self) -> char {
        ['r', 'y', 'g', 'b'][self as usize]
    }
}

/// An underground square, numbered a1, b1 … row by row from the south.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Square(pub(super) u8);

impl Square {
    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A set of squares; bit i = square i.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Squares(pub(super) u128);

impl Squares {
    pub(super) const EMPTY: Self = Self(0);

    #[inline]
    pub(super) const fn one(square: Square) -> Self {
        Self(1 << square.0)
    }

    #[inline]
    pub(super) const fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 == 1
    }

    #[inline]
    pub(super) fn insert(&mut self, square: Square) {
        self.0 |= 1 << square.0;
    }

    #[inline]
    pub(super) fn remove(&mut self, square: Square) {
        self.0 &= !(1 << square.0);
    }

    #[inline]
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline]
    pub(super) const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    #[inline]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The first one.
    #[inline]
    pub(super) fn first(self) -> Option<Square> {
        (!self.is_empty()).then(|| Square(self.0.trailing_zeros() as u8))
    }

    /// The squares, by rising number.
    pub(super) fn iter(self) -> impl Iterator<Item = Square> {
        let rest = std::iter::successors(Some(self.0), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|&rest| rest != 0).map(|rest| Square(rest.trailing_zeros() as u8))
    }

    pub(super) const fn words(self) -> [u64; 2] {
        [self.0 as u64, (self.0 >> 64) as u64]
    }
}

/// What lies beyond a square in a direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    Square(Square),
    Surface,
}

/// A board.
#[derive(Debug)]
pub(super) struct Geometry {
    /// Squares on a side.
    pub(super) size: usize,
    /// Squares on which tracks can be laid: all but the centres of mines.
    pub(super) buildable: Squares,
    /// The squares of each mine by number.
    pub(super) mines: [[Square; NUMBERS]; MINES],
    /// The next square on each side; [`OUTSIDE`] if a Surface square lies there.
    next: [[u8; MAX_SQUARES]; SIDES],
    /// The squares next to each square.
    neighbours: [Squares; MAX_SQUARES],
}

const OUTSIDE: u8 = u8::MAX;

/// The centres of the mines, red, yellow, green, blue, as file and rank from 0.
static COMPACT: Geometry = Geometry::new(8, [(2, 5), (5, 5), (5, 2), (2, 2)]);
static AISLE: Geometry = Geometry::new(9, [(2, 6), (6, 6), (6, 2), (2, 2)]);

impl Geometry {
    const fn new(size: usize, centres: [(usize, usize); MINES]) -> Self {
        let mut board = Self {
            size,
            buildable: Squares((1 << (size * size)) - 1),
            mines: [[Square(0); NUMBERS]; MINES],
            next: [[OUTSIDE; MAX_SQUARES]; SIDES],
            neighbours: [Squares::EMPTY; MAX_SQUARES],
        };
        let mut square = 0;
        while square < size * size {
            board.join(square);
            square += 1;
        }
        let mut mine = 0;
        while mine < MINES {
            let (file, rank) = centres[mine];
            board.dig(mine, rank * size + file);
            mine += 1;
        }
        board
    }

    /// Notes what is next to a square.
    const fn join(&mut self, square: usize) {
        let (file, rank, size) = (square % self.size, square / self.size, self.size);
        let inside = [rank + 1 < size, file + 1 < size, rank > 0, file > 0];
        let next = [square + size, square + 1, square.wrapping_sub(size), square.wrapping_sub(1)];
        let mut side = 0;
        while side < SIDES {
            if inside[side] {
                self.next[side][square] = next[side] as u8;
                self.neighbours[square].0 |= 1 << next[side];
            }
            side += 1;
        }
    }

    /// Numbers the squares round a centre, row by row from the north-west.
    const fn dig(&mut self, mine: usize, centre: usize) {
        let (north, south) = (centre + self.size, centre - self.size);
        let round =
            [north - 1, north, north + 1, centre - 1, centre + 1, south - 1, south, south + 1];
        let mut number = 0;
        while number < NUMBERS {
            self.mines[mine][number] = Square(round[number] as u8);
            number += 1;
        }
        self.buildable.0 &= !(1 << centre);
    }

    #[inline]
    pub(super) fn of(board: Board) -> &'static Self {
        match board {
            Board::Compact => &COMPACT,
            Board::Aisle => &AISLE,
        }
    }

    /// The number of squares.
    #[inline]
    pub(super) const fn squares(&self) -> usize {
        self.size * self.size
    }

    /// The square of a number, if the board has it.
    pub(super) fn square(&self, number: usize) -> Option<Square> {
        (number < self.squares()).then_some(Square(number as u8))
    }

    #[inline]
    pub(super) fn beyond(&self, square: Square, side: Side) -> Beyond {
        match self.next[side as usize][square.index()] {
            OUTSIDE => Beyond::Surface,
            next => Beyond::Square(Square(next)),
        }
    }

    /// The squares orthogonally next to a square.
    #[inline]
    pub(super) fn neighbours(&self, square: Square) -> Squares {
        self.neighbours[square.index()]
    }

    /// The squares orthogonally next to any of a set.
    pub(super) fn next_to(&self, squares: Squares) -> Squares {
        squares.iter().fold(Squares::EMPTY, |next, square| next.or(self.neighbours(square)))
    }

    /// The border square before a Surface square of a side.
    #[inline]
    pub(super) fn border(&self, side: Side, place: u8) -> Square {
        let (size, last) = (self.size as u8, self.size as u8 - 1);
        Square(match side {
            Side::North => last * size + place,
            Side::East => place * size + last,
            Side::South => place,
            Side::West => place * size,
        })
    }

    /// The place on its side, by file or rank, of the Surface square beyond a border square.
    #[inline]
    pub(super) fn surface_place(&self, square: Square, side: Side) -> u8 {
        let size = self.size as u8;
        match side {
            Side::North | Side::South => square.0 % size,
            Side::East | Side::West => square.0 / size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_there_and_back_leads_home_or_over_the_border() {
        for board in [Board::Compact, Board::Aisle] {
            let board = Geometry::of(board);
            let mut borders = 0;
            for square in (0..board.squares()).filter_map(|number| board.square(number)) {
                for side in Side::ALL {
                    match board.beyond(square, side) {
                        Beyond::Square(next) => {
                            assert_eq!(board.beyond(next, side.opposite()), Beyond::Square(square));
                            assert!(board.neighbours(square).contains(next));
                        }
                        Beyond::Surface => {
                            let place = board.surface_place(square, side);
                            assert_eq!(board.border(side, place), square);
                            borders += 1;
                        }
                    }
                }
            }
            assert_eq!(borders, 4 * board.size);
        }
    }

    #[test]
    fn the_mines_lie_apart_round_squares_without_track() {
        for board in [Board::Compact, Board::Aisle] {
            let board = Geometry::of(board);
            let mines = board.mines.iter().flatten();
            let all = mines.fold(Squares::EMPTY, |all, &square| all.or(Squares::one(square)));
            assert_eq!((all.len(), board.buildable.len()), (32, board.squares() - 4));
            assert_eq!(all.and(board.buildable), all);
        }
        // COMPACT: red is round c6, so 1 is b7 and 8 is d5.
        let red = Geometry::of(Board::Compact).mines[0];
        assert_eq!([red[0], red[3], red[7]].map(Square::index), [6 * 8 + 1, 5 * 8 + 1, 4 * 8 + 3]);
    }
}
