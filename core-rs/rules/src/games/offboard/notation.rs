//! The position notation of the rules, read with every fault and written.

use std::fmt;

use super::geometry::{CELLS, TARGETS, row};
use super::options::path;
use super::state::Marble;
use crate::error::Faults;
use crate::vocab::Seat;

/// The start.
pub const START: &str = "5/YYYRRR/1YY1RR1/2Y2R2/9/2R2Y2/1RR1YY1/RRRYYY/5 r ............ 0-0 - 0 1";

/// What a position in notation says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Board {
    pub(super) cells: [Option<Marble>; CELLS],
    pub(super) targets: [Option<Marble>; TARGETS],
    pub(super) scores: [u8; 2],
    pub(super) to_act: Seat,
    pub(super) recovering: bool,
    pub(super) quiet_turns: u16,
    pub(super) turn: u32,
}

/// The highest turn number of a given position: far from where counting would end.
const TURN_MAX: u32 = 1_000_000_000;

/// A winner stood at 23 of 24 points at most before its last 3.
const SCORE_MAX: u32 = 26;
/// The highest quiet limit.
const QUIET_MAX: u32 = 1000;

const ROW_NAMES: [char; 9] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];

impl Board {
    /// Reads a position; lists every fault.
    pub(super) fn parse(text: &str) -> Result<Self, Faults> {
        let fields: Vec<_> = text.split(' ').collect();
        let [rows, to_act, targets, scores, recovery, quiet, turn] = fields[..] else {
            let value = format!("{} fields", fields.len());
            return Err(Faults::one(&path("position"), value, "7 fields split by one space"));
        };
        let mut reader = Reader::default();
        let cells = reader.cells(rows);
        let to_act = reader.seat(to_act);
        let board = Self {
            cells,
            to_act: to_act.unwrap_or(Seat::of(0)),
            targets: reader.targets(targets),
            scores: reader.scores(scores),
            recovering: reader.recovery(recovery, to_act),
            quiet_turns: reader.number(quiet, "quiet turns", 0, QUIET_MAX) as u16,
            turn: reader.number(turn, "the turn number", 1, TURN_MAX),
        };
        reader.faults.or(board)
    }
}

/// Reads the fields and notes what is wrong with them.
#[derive(Default)]
struct Reader {
    faults: Faults,
}

impl Reader {
    fn fault(&mut self, value: &str, expected: impl Into<String>) {
        self.faults.add(&path("position"), value, expected);
    }

    fn cells(&mut self, text: &str) -> [Option<Marble>; CELLS] {
        let mut cells = [None; CELLS];
        let rows: Vec<_> = text.split('/').collect();
        if rows.len() != ROW_NAMES.len() {
            self.fault(text, "9 rows, i to a, split by \"/\"");
            return cells;
        }
        for (number, text) in rows.into_iter().rev().enumerate() {
            let place = row(number);
            match read_row(text, place.len()) {
                Some(marbles) => cells[place].copy_from_slice(&marbles),
                None => self.fault(
                    text,
                    format!(
                        "row {} of {} cells: \"R\", \"Y\", and one digit for a run of empty cells",
                        ROW_NAMES[number],
                        place.len()
                    ),
                ),
            }
        }
        cells
    }

    fn seat(&mut self, text: &str) -> Option<Seat> {
        let seat = match text {
            "r" => Some(Seat::of(0)),
            "y" => Some(Seat::of(1)),
            _ => None,
        };
        if seat.is_none() {
            self.fault(text, "the seat to act, \"r\" or \"y\"");
        }
        seat
    }

    fn targets(&mut self, text: &str) -> [Option<Marble>; TARGETS] {
        let targets: Option<Vec<_>> = text.chars().map(marble).collect();
        match targets.as_deref().map(<[_; TARGETS]>::try_from) {
            Some(Ok(targets)) => targets,
            _ => {
                self.fault(text, "12 targets, each \".\", \"R\" or \"Y\"");
                [None; TARGETS]
            }
        }
    }

    fn scores(&mut self, text: &str) -> [u8; 2] {
        let Some((red, yellow)) = text.split_once('-') else {
            self.fault(text, "the scores as \"red-yellow\"");
            return [0; 2];
        };
        [red, yellow].map(|score| self.number(score, "a score", 0, SCORE_MAX) as u8)
    }

    /// Only the seat to act can have a recovery to choose.
    fn recovery(&mut self, text: &str, to_act: Option<Seat>) -> bool {
        match text {
            "-" => false,
            "r" | "y" => {
                let owner = Seat::of(u8::from(text == "y"));
                if to_act.is_some_and(|seat| seat != owner) {
                    self.fault(text, "a pending recovery of the seat to act only");
                }
                true
            }
            _ => {
                self.fault(text, "the pending recovery, \"r\", \"y\" or \"-\"");
                false
            }
        }
    }

    fn number(&mut self, text: &str, what: &str, low: u32, high: u32) -> u32 {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let leading_zero = text.len() > 1 && text.starts_with('0');
        let value = text.parse().ok().filter(|value| (low..=high).contains(value));
        match value {
            Some(value) if digits && !leading_zero => value,
            _ => {
                self.fault(text, format!("{what}, {low} to {high} without leading zeros"));
                low
            }
        }
    }
}

/// The cells of a row; none if the text is not exactly such a row.
fn read_row(text: &str, cells: usize) -> Option<Vec<Option<Marble>>> {
    let mut row = Vec::new();
    let mut after_run = false;
    for character in text.chars() {
        let run = character.to_digit(10);
        match run {
            // Two digits side by side would be one run, split.
            Some(length) if length > 0 && !after_run => {
                row.resize(row.len() + length as usize, None)
            }
            Some(_) => return None,
            None => row.push(Some(marble(character)??)),
        }
        after_run = run.is_some();
    }
    (row.len() == cells).then_some(row)
}

/// The marble of a letter; `.` is none.
fn marble(letter: char) -> Option<Option<Marble>> {
    match letter {
        '.' => Some(None),
        'R' => Some(Some(Marble::Red)),
        'Y' => Some(Some(Marble::Yellow)),
        _ => None,
    }
}

fn letter(marble: Marble) -> char {
    match marble {
        Marble::Red => 'R',
        Marble::Yellow => 'Y',
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for number in (0..ROW_NAMES.len()).rev() {
            write_row(f, &self.cells[row(number)])?;
            f.write_str(if number > 0 { "/" } else { " " })?;
        }
        let seat = if self.to_act.index() == 0 { 'r' } else { 'y' };
        let targets: String =
            self.targets.iter().map(|marble| marble.map_or('.', letter)).collect();
        let recovery = if self.recovering { seat } else { '-' };
        let ([red, yellow], quiet, turn) = (self.scores, self.quiet_turns, self.turn);
        write!(f, "{seat} {targets} {red}-{yellow} {recovery} {quiet} {turn}")
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, cells: &[Option<Marble>]) -> fmt::Result {
    for run in cells.chunk_by(|a, b| a.is_none() && b.is_none()) {
        match run[0] {
            Some(marble) => write!(f, "{}", letter(marble))?,
            None => write!(f, "{}", run.len())?,
        }
    }
    Ok(())
}
