//! The notation of decisions, read and written.

use super::action::{Action, CONTENTS, Change, Hand, SurfaceSquare};
use super::cart::Colour;
use super::geometry::{Geometry, Side, Square};
use super::jewels::{Jewel, Jewels};
use super::missions::Mission;
use super::track::Track;
use crate::error::Faults;

/// A square of a board, as "c4".
pub(super) fn write_square(geometry: &Geometry, square: Square) -> String {
    let (rank, file) = (square.index() / geometry.size, square.index() % geometry.size);
    format!("{}{}", file_letter(file), rank + 1)
}

/// A Surface square, as "Na" or "E3".
pub(super) fn write_surface(surface: SurfaceSquare) -> String {
    let place = usize::from(surface.place);
    match surface.side {
        Side::North | Side::South => format!("{}{}", surface.side.letter(), file_letter(place)),
        Side::East | Side::West => format!("{}{}", surface.side.letter(), place + 1),
    }
}

fn file_letter(file: usize) -> char {
    (b'a' + file as u8) as char
}

pub(super) fn write_action(geometry: &Geometry, action: Action) -> String {
    let square = |square| write_square(geometry, square);
    match action {
        Action::PlaceTrack(place, track) => format!("{}{track}", square(place)),
        Action::Upgrade(place, track) => format!("{}+{track}", square(place)),
        Action::PlaceCart(surface) => write_surface(surface),
        Action::Speed(cart, Change::Faster) => format!("{}+", cart.letter()),
        Action::Speed(cart, Change::Slower) => format!("{}-", cart.letter()),
        Action::EndActions => ".".into(),
        Action::First(cart) => cart.letter().to_string(),
        Action::Take(jewel) => format!("*{}", jewel.letter()),
        Action::TakeNothing => "*".into(),
        Action::Face(exit) => format!("^{}", exit.letter()),
        Action::Odd(jewel) => format!("-{}", jewel.letter()),
        Action::Split(left) => format!("={left}"),
        Action::Hand(Hand::Left) => "L".into(),
        Action::Hand(Hand::Right) => "R".into(),
        Action::Turn(exit) => format!("~{}", exit.letter()),
        Action::Claim(mission) => format!("#{}", mission.number()),
        Action::ClaimNone => "#".into(),
        Action::Token(place) => format!("!{}", square(place)),
    }
}

pub(super) fn read_action(geometry: &Geometry, text: &str) -> Result<Action, Faults> {
    let chars: Vec<char> = text.chars().collect();
    read_chars(geometry, &chars).ok_or_else(|| {
        let expected =
            "a decision as \"c4NS\", \"c4+NES\", \"Na\", \"w+\", \"*r\", \"^N\" or \".\"";
        Faults::one("notation", text, expected)
    })
}

fn read_chars(geometry: &Geometry, text: &[char]) -> Option<Action> {
    Some(match *text {
        ['.'] => Action::EndActions,
        ['L'] => Action::Hand(Hand::Left),
        ['R'] => Action::Hand(Hand::Right),
        ['*'] => Action::TakeNothing,
        ['*', jewel] => Action::Take(Jewel::parse(jewel)?),
        ['-', jewel] => Action::Odd(Jewel::parse(jewel)?),
        ['^', exit] => Action::Face(Side::parse(exit)?),
        ['~', exit] => Action::Turn(Side::parse(exit)?),
        ['=', ref left @ ..] => Action::Split(read_hand(left)?),
        ['#'] => Action::ClaimNone,
        ['#', ref number @ ..] => Action::Claim(read_mission(number)?),
        ['!', ref place @ ..] => Action::Token(read_square(geometry, place)?),
        [cart] => Action::First(Colour::parse(cart)?),
        [cart, '+'] => Action::Speed(Colour::parse(cart)?, Change::Faster),
        [cart, '-'] => Action::Speed(Colour::parse(cart)?, Change::Slower),
        [side, place] => Action::PlaceCart(read_surface(geometry, side, place)?),
        [file, rank, '+', ref exits @ ..] => {
            let square = read_square(geometry, &[file, rank])?;
            Action::Upgrade(square, read_track(&Track::LARGER, exits)?)
        }
        [file, rank, ref exits @ ..] => {
            let square = read_square(geometry, &[file, rank])?;
            Action::PlaceTrack(square, read_track(&Track::PAIRS, exits)?)
        }
        [] => return None,
    })
}

/// A track is written in one way only: its exits are sorted.
fn read_track(shapes: &[Track], exits: &[char]) -> Option<Track> {
    let text: String = exits.iter().collect();
    shapes.iter().copied().find(|track| track.to_string() == text)
}

fn read_hand(left: &[char]) -> Option<Jewels> {
    let text: String = left.iter().collect();
    CONTENTS.iter().copied().find(|content| content.to_string() == text)
}

fn read_mission(number: &[char]) -> Option<Mission> {
    let text: String = number.iter().collect();
    Mission::all().find(|mission| mission.number().to_string() == text)
}

fn read_square(geometry: &Geometry, text: &[char]) -> Option<Square> {
    let [file, rank] = *text else { return None };
    let (file, rank) = (read_file(geometry, file)?, read_rank(geometry, rank)?);
    geometry.square(rank * geometry.size + file)
}

fn read_surface(geometry: &Geometry, side: char, place: char) -> Option<SurfaceSquare> {
    let side = Side::parse(side)?;
    let place = match side {
        Side::North | Side::South => read_file(geometry, place)?,
        Side::East | Side::West => read_rank(geometry, place)?,
    };
    Some(SurfaceSquare { side, place: place as u8 })
}

fn read_file(geometry: &Geometry, letter: char) -> Option<usize> {
    (0..geometry.size).find(|&file| file_letter(file) == letter)
}

fn read_rank(geometry: &Geometry, digit: char) -> Option<usize> {
    let rank = (digit.to_digit(10)? as usize).checked_sub(1)?;
    (rank < geometry.size).then_some(rank)
}
