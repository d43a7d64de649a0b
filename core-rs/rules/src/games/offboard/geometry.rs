//! The board of Offboard as data: cells, directions, lanes, exits and targets.
//!
//! **Lanes.** A board is kept six times, each turned so that one direction is "the next cell".
//! In lane `d` a step in direction `d` is bit + 1, so runs of marbles are runs of bits and one
//! piece of code generates moves for all directions at once. The hexagon looks the same however
//! it is turned, so all lanes share the tables of line ends.

/// Number of cells.
pub const CELLS: usize = 61;
/// Number of directions, and of sides and corners of the board.
pub(super) const DIRECTIONS: usize = 6;
/// Number of targets.
pub const TARGETS: usize = 12;
/// Marbles of one colour seen in the six lanes.
pub(super) type Lanes = [u64; DIRECTIONS];
/// All cells, in any lane.
pub(super) const ALL: u64 = (1 << CELLS) - 1;

const ROWS: usize = 9;

/// A cell, 0–60: a1, a2 … i9, row by row from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell(u8);

impl Cell {
    /// The cell of this number.
    pub const fn new(number: usize) -> Option<Self> {
        if number < CELLS { Some(Self(number as u8)) } else { None }
    }

    pub(super) const fn of(number: u32) -> Self {
        Self(number as u8)
    }

    /// Its number.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The cell of a name as "e5".
    pub fn parse(name: &str) -> Option<Self> {
        let [row @ b'a'..=b'i', number @ b'1'..=b'9'] = *name.as_bytes() else { return None };
        let place = (i32::from(row - b'a'), i32::from(number - b'0'));
        number_of(place).map(Self)
    }

    /// The neighbour in a direction, if that is on the board.
    pub fn step(self, direction: Direction) -> Option<Self> {
        let ((row, number), (up, right)) = (place_of(self.index()), direction.step());
        number_of((row + up, number + right)).map(Self)
    }

    /// Whether the neighbour in a direction is on the board.
    pub(super) const fn has_next(self, direction: Direction) -> bool {
        LINE_ENDS >> self.bit(direction) & 1 == 0
    }

    /// The bit of this cell in each lane.
    pub(super) const fn lanes(self) -> &'static Lanes {
        &CELL_LANES[self.0 as usize]
    }

    /// The bit number of this cell in the lane of a direction.
    pub(super) const fn bit(self, direction: Direction) -> u32 {
        LANE[direction as usize][self.0 as usize] as u32
    }

    /// The cell of a bit number in the lane of a direction.
    pub(super) const fn at_bit(direction: Direction, bit: u32) -> Self {
        Self(CELL[direction as usize][bit as usize])
    }
}

impl std::fmt::Display for Cell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (row, number) = place_of(self.index());
        write!(f, "{}{number}", (b'a' + row as u8) as char)
    }
}

/// A step, in the order of the action index: each is the one before turned by 60°.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Direction {
    E,
    NE,
    NW,
    W,
    SW,
    SE,
}

impl Direction {
    /// All directions, in order.
    pub const ALL: [Self; DIRECTIONS] = [Self::E, Self::NE, Self::NW, Self::W, Self::SW, Self::SE];

    /// The step as (row, number).
    const fn step(self) -> (i32, i32) {
        match self {
            Self::E => (0, 1),
            Self::NE => (1, 1),
            Self::NW => (1, 0),
            Self::W => (0, -1),
            Self::SW => (-1, -1),
            Self::SE => (-1, 0),
        }
    }
}

/// The first number of each row and the index of its first cell.
const ROW_START: [(i32, u8); ROWS] =
    [(1, 0), (1, 5), (1, 11), (1, 18), (1, 26), (2, 35), (3, 43), (4, 50), (5, 56)];

/// The cells of a row, as indices.
pub(super) fn row(row: usize) -> std::ops::Range<usize> {
    let end = if row + 1 < ROWS { ROW_START[row + 1].1 as usize } else { CELLS };
    ROW_START[row].1 as usize..end
}

/// The index of the cell at (row, number), if that is on the board.
const fn number_of((row, number): (i32, i32)) -> Option<u8> {
    if row < 0 || row >= ROWS as i32 || number < 1 || number > 9 || (row - number + 1).abs() > 4 {
        return None;
    }
    let (first, index) = ROW_START[row as usize];
    Some(index + (number - first) as u8)
}

const fn place_of(cell: usize) -> (i32, i32) {
    let mut row = ROWS - 1;
    while ROW_START[row].1 as usize > cell {
        row -= 1;
    }
    let (first, index) = ROW_START[row];
    (row as i32, first + (cell - index as usize) as i32)
}

/// Turns a cell about the centre e5 by 60°, so that E becomes NE.
const fn turned(cell: usize) -> usize {
    let (row, number) = place_of(cell);
    let (up, right) = (row - 4, number - 5);
    match number_of((right + 4, right - up + 5)) {
        Some(cell) => cell as usize,
        None => panic!("a turned board covers itself"),
    }
}

/// `CELL[d][bit]`: the cell at a bit of lane d. `LANE[d][cell]`: the inverse.
static CELL: [[u8; CELLS]; DIRECTIONS] = cells_by_lane();
static LANE: [[u8; CELLS]; DIRECTIONS] = invert(cells_by_lane());
static CELL_LANES: [Lanes; CELLS] = lanes_by_cell(invert(cells_by_lane()));

const fn cells_by_lane() -> [[u8; CELLS]; DIRECTIONS] {
    let mut table = [[0; CELLS]; DIRECTIONS];
    let mut bit = 0;
    while bit < CELLS {
        let (mut cell, mut lane) = (bit, 0);
        while lane < DIRECTIONS {
            table[lane][bit] = cell as u8;
            cell = turned(cell);
            lane += 1;
        }
        bit += 1;
    }
    table
}

const fn invert(cells: [[u8; CELLS]; DIRECTIONS]) -> [[u8; CELLS]; DIRECTIONS] {
    let mut table = [[0; CELLS]; DIRECTIONS];
    let mut i = 0;
    while i < CELLS * DIRECTIONS {
        let (lane, bit) = (i / CELLS, i % CELLS);
        table[lane][cells[lane][bit] as usize] = bit as u8;
        i += 1;
    }
    table
}

const fn lanes_by_cell(lanes: [[u8; CELLS]; DIRECTIONS]) -> [Lanes; CELLS] {
    let mut table = [[0; DIRECTIONS]; CELLS];
    let mut i = 0;
    while i < CELLS * DIRECTIONS {
        let (lane, cell) = (i / CELLS, i % CELLS);
        table[cell][lane] = 1 << lanes[lane][cell];
        i += 1;
    }
    table
}

/// `ROOM[bit]`: cells from this one to the end of its line, itself included; in any lane.
pub(super) static ROOM: [u8; CELLS] = room();
/// The cells without a next cell, in any lane.
pub(super) const LINE_ENDS: u64 = line_ends(room());

const fn room() -> [u8; CELLS] {
    let mut table = [1; CELLS];
    let mut bit = CELLS - 1;
    while bit > 0 {
        bit -= 1;
        // Lane E is the board as it is: a line is a row.
        if place_of(bit).0 == place_of(bit + 1).0 {
            table[bit] = table[bit + 1] + 1;
        }
    }
    table
}

const fn line_ends(room: [u8; CELLS]) -> u64 {
    let (mut ends, mut bit) = (0, 0);
    while bit < CELLS {
        if room[bit] == 1 {
            ends |= 1 << bit;
        }
        bit += 1;
    }
    ends
}

/// The mask of lane `d` with its bits moved to the numbers of the cells.
#[inline]
pub(super) fn by_cell(direction: Direction, mask: u64) -> u64 {
    let lane = direction as usize;
    let turned_back = if lane < DIRECTIONS / 2 { mask } else { opposite(mask) };
    permute(&BY_CELL[lane % (DIRECTIONS / 2)], turned_back)
}

/// The masks of all lanes with their bits moved to the numbers of the cells.
#[inline]
pub(super) fn all_by_cell(lanes: &Lanes) -> Lanes {
    let [e, ne, nw, w, sw, se] = *lanes;
    let [_, by_ne, by_nw] = &BY_CELL; // Lane E is the board as it is.
    [
        e,
        permute(by_ne, ne),
        permute(by_nw, nw),
        opposite(w),
        permute(by_ne, opposite(sw)),
        permute(by_nw, opposite(se)),
    ]
}

/// A mask of one lane in the lane of the opposite direction: the board turned by 180°.
#[inline]
const fn opposite(mask: u64) -> u64 {
    mask.reverse_bits() >> (64 - CELLS)
}

/// Bits of a mask that are moved by one look at a table: few enough for the tables to stay in
/// the processor's nearest cache.
const CHUNK: usize = 6;
const CHUNKS: usize = CELLS.div_ceil(CHUNK);

/// For each chunk of a mask and each of its values, where its bits go.
type Permutation = [[u64; 1 << CHUNK]; CHUNKS];
/// The lanes of E, NE and NW. The others are theirs turned by 180°.
static BY_CELL: [Permutation; 3] = [permutation(0), permutation(1), permutation(2)];

#[inline]
fn permute(table: &Permutation, mask: u64) -> u64 {
    let mut moved = 0;
    for (chunk, values) in table.iter().enumerate() {
        moved |= values[(mask >> (chunk * CHUNK)) as usize % (1 << CHUNK)];
    }
    moved
}

const fn permutation(lane: usize) -> Permutation {
    let cells = cells_by_lane()[lane];
    let mut table = [[0; 1 << CHUNK]; CHUNKS];
    let mut i = 0;
    while i < CHUNKS << CHUNK {
        let (chunk, value): (usize, usize) = (i >> CHUNK, i % (1 << CHUNK));
        if value > 0 {
            let bit = chunk * CHUNK + value.trailing_zeros() as usize;
            let moved = if bit < CELLS { 1 << cells[bit] } else { 0 };
            table[chunk][value] = table[chunk][value & (value - 1)] | moved;
        }
        i += 1;
    }
    table
}

/// The value of each target, when no others are given.
pub const DEFAULT_VALUES: [u8; TARGETS] = [1, 1, 2, 3, 1, 3, 2, 2, 3, 1, 3, 2];

/// Where an exit leads: the first target; but the second, if that is worth less. Only the exits
/// straight out of a corner have two (R2).
pub(super) type ExitTargets = (u8, u8);

/// The targets of the exit from `cell` in `direction`. (0, 0) where the next cell is on the board.
pub(super) const fn exit(cell: Cell, direction: Direction) -> ExitTargets {
    EXITS[direction as usize][cell.0 as usize]
}

static EXITS: [[ExitTargets; CELLS]; DIRECTIONS] = exits();

const SW: usize = Direction::SW as usize;
const SE: usize = Direction::SE as usize;
/// The exits of the bottom side: (number on row a, direction, target).
const BOTTOM_EXITS: [(usize, usize, u8); 8] = [
    (1, SE, 0),
    (2, SW, 0),
    (2, SE, 0),
    (3, SW, 0),
    (3, SE, 1),
    (4, SW, 1),
    (4, SE, 1),
    (5, SW, 1),
];
/// The targets that meet at each corner, from a1 on round; the first is taken on equal values.
const CORNER_TARGETS: [ExitTargets; DIRECTIONS] =
    [(0, 11), (1, 2), (3, 4), (5, 6), (8, 7), (10, 9)];

const fn exits() -> [[ExitTargets; CELLS]; DIRECTIONS] {
    let cells = cells_by_lane();
    let mut table = [[(0, 0); CELLS]; DIRECTIONS];
    let mut side = 0;
    while side < DIRECTIONS {
        let mut i = 0;
        while i < BOTTOM_EXITS.len() {
            let (number, direction, target) = BOTTOM_EXITS[i];
            let cell = cells[side][number - 1] as usize;
            let target = target + 2 * side as u8;
            table[(direction + side) % DIRECTIONS][cell] = (target, target);
            i += 1;
        }
        table[(SW + side) % DIRECTIONS][cells[side][0] as usize] = CORNER_TARGETS[side];
        side += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(name: &str) -> Cell {
        Cell::parse(name).expect("a cell of the board")
    }

    #[test]
    fn names_and_numbers_agree() {
        for number in 0..CELLS {
            let there = Cell::new(number).expect("a cell");
            assert_eq!(cell(&there.to_string()), there);
        }
        for name in ["a6", "b7", "f1", "i4", "j5", "e0", "e10", "", "E5", "é5"] {
            assert_eq!(Cell::parse(name), None, "{name}");
        }
        assert_eq!((cell("a1").0, cell("e5").0, cell("i9").0), (0, 30, 60));
    }

    #[test]
    fn in_each_lane_the_next_bit_is_the_next_cell() {
        for direction in Direction::ALL {
            for number in 0..CELLS {
                let from = Cell::of(number as u32);
                let bit = from.bit(direction);
                assert_eq!(Cell::at_bit(direction, bit), from);
                match from.step(direction) {
                    Some(to) => assert_eq!(to.bit(direction), bit + 1),
                    None => assert_eq!(LINE_ENDS >> bit & 1, 1),
                }
                assert_eq!(by_cell(direction, 1 << bit), 1 << number);
                let mut lanes = [0; DIRECTIONS];
                lanes[direction as usize] = 1 << bit;
                assert_eq!(all_by_cell(&lanes)[direction as usize], 1 << number);
            }
        }
        assert_eq!(LINE_ENDS.count_ones(), 9);
    }

    #[test]
    fn there_are_54_exits_with_the_targets_of_the_rules() {
        let leads = |name: &str, direction| exit(cell(name), direction);
        assert_eq!(leads("a3", Direction::SE), (1, 1));
        assert_eq!(leads("a1", Direction::SW), (0, 11));
        assert_eq!(leads("e9", Direction::E), (3, 4));
        assert_eq!(leads("i5", Direction::NW), (8, 7));
        assert_eq!(leads("e1", Direction::SW), (10, 10));
        assert_eq!(leads("a1", Direction::W), (11, 11));
        let all: Vec<_> = Direction::ALL
            .iter()
            .flat_map(|&d| (0..61).map(move |n| (Cell::of(n), d)))
            .filter(|&(cell, direction)| cell.step(direction).is_none())
            .collect();
        assert_eq!(all.len(), 54);
        for target in 0..TARGETS as u8 {
            let straight = |&&(c, d): &&(Cell, Direction)| exit(c, d) == (target, target);
            assert_eq!(all.iter().filter(straight).count(), 4);
        }
    }
}
