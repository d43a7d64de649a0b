//! Positions of Off the Rails built by hand.

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::off_the_rails::{
    Action, Event, Jewel, Mine, OffTheRails, Options, Saved, SavedCart, SavedDeeds, SavedPlace,
    SavedSquare, Side, Square,
};
use tablestate_rules::{Game, Illegal, LegalSet, Position};

/// Jewels of each kind.
const PIECES: [u32; 5] = [12, 24, 15, 10, 5];

/// A square of COMPACT by its name.
pub(crate) fn square(name: &str) -> u32 {
    let mut letters = name.bytes();
    let file = letters.next().map_or(0, |file| file - b'a');
    let rank = letters.next().map_or(0, |rank| rank - b'1');
    u32::from(rank) * 8 + u32::from(file)
}

pub(crate) fn side(letter: char) -> Side {
    let found = Side::ALL.into_iter().find(|side| side.letter() == letter);
    found.expect("a side")
}

/// The jewels of a text as "kre".
pub(crate) fn jewels(text: &str) -> Vec<Jewel> {
    let jewel = |letter| Jewel::ALL.into_iter().find(|jewel| jewel.letter() == letter);
    text.chars().filter_map(jewel).collect()
}

/// How many of each kind.
pub(crate) fn counts(text: &str) -> Vec<u32> {
    let count = |jewel| jewels(text).iter().filter(|&&other| other == jewel).count() as u32;
    Jewel::ALL.map(count).to_vec()
}

/// A cart as the notation of positions writes it: "s", "o", "c4N3kre", "Na3".
fn cart(text: &str) -> SavedCart {
    let away = |place| SavedCart { place, facing: None, speed: 0, hold: Vec::new() };
    match text {
        "s" => return away(SavedPlace::Supply),
        "o" => return away(SavedPlace::Out),
        _ => {}
    }
    let letters: Vec<char> = text.chars().collect();
    let place = if letters[0].is_ascii_uppercase() {
        let digit = letters[1].to_digit(10).map(|rank| rank - 1);
        SavedPlace::Surface(digit.unwrap_or_else(|| letters[1] as u32 - 'a' as u32))
    } else {
        SavedPlace::Underground(square(&text[..2]))
    };
    let facing = (letters[2] != '?').then(|| side(letters[2]));
    let speed = letters[3].to_digit(10).expect("a speed");
    SavedCart { place, facing, speed, hold: jewels(&text[4..]) }
}

/// A bare board of COMPACT with these options, seat 0 at its actions.
pub(crate) fn bare(options: Options) -> Saved {
    let start = Position::<OffTheRails>::new(&options, &mut Fast::new(0), &mut ());
    let mut saved = Saved::of(&start.expect("sound options"));
    saved.table.squares.clear();
    fill(&mut saved);
    saved
}

/// Two seats with these tracks, jewels lying, and carts, as the fields of a position write them.
pub(crate) fn table(tracks: &str, lying: &str, carts: &str) -> Saved {
    let seats = carts.split('/').count() as u32;
    lay(bare(Options { seats: Some(seats), ..Options::default() }), tracks, lying, carts)
}

pub(crate) fn lay(mut saved: Saved, tracks: &str, lying: &str, carts: &str) -> Saved {
    for text in tracks.split(',').filter(|text| !text.is_empty()) {
        at(&mut saved, text).exits = text[2..].chars().map(side).collect();
    }
    for text in lying.split(',').filter(|text| !text.is_empty()) {
        at(&mut saved, text).jewels = jewels(&text[2..]);
    }
    for (player, text) in saved.table.players.iter_mut().zip(carts.split('/')) {
        let (white, black) = text.split_once(',').expect("two carts");
        player.carts = [cart(white), cart(black)];
    }
    fill(&mut saved);
    saved
}

/// The square that a text begins with.
pub(crate) fn at<'a>(saved: &'a mut Saved, text: &str) -> &'a mut SavedSquare {
    at_number(saved, square(&text[..2]))
}

fn at_number(saved: &mut Saved, number: u32) -> &mut SavedSquare {
    let squares = &mut saved.table.squares;
    let place = squares.partition_point(|other| other.square < number);
    if squares.get(place).is_none_or(|other| other.square != number) {
        squares.insert(place, SavedSquare { square: number, ..SavedSquare::default() });
    }
    &mut squares[place]
}

/// Puts every jewel that is nowhere else into the bag.
pub(crate) fn fill(saved: &mut Saved) {
    let table = &mut saved.table;
    let carts = table.players.iter().flat_map(|player| &player.carts);
    let held = carts.flat_map(|cart| &cart.hold);
    let placed: Vec<Jewel> =
        table.squares.iter().flat_map(|square| &square.jewels).chain(held).copied().collect();
    table.bag = (0..5)
        .map(|kind| {
            let lying = placed.iter().filter(|jewel| **jewel as usize == kind).count() as u32;
            let piles: u32 = table.players.iter().map(|player| player.stockpile[kind]).sum();
            PIECES[kind] - lying - piles - table.removed[kind]
        })
        .collect();
}

/// The Chasm stands open: opened by the last seat, its tokens on number 1 of each mine.
pub(crate) fn opened(mut saved: Saved) -> Saved {
    let table = &mut saved.table;
    table.deck_size = 3;
    table.deck_top = vec![Mine::Yellow, Mine::Green, Mine::Blue];
    table.chasm_card_on_top = false;
    table.opener = Some(table.players.len() as u32 - 1);
    table.is_open = true;
    // Of 17 cards: the opening, three decks gone, red turned of the last; and the one shown.
    table.cards = [6, 5, 5, 5].iter().map(|&last| (1..=last).collect()).collect();
    for (text, mine) in ["b7", "e7", "e4", "b4"].into_iter().zip(Mine::ALL) {
        at(&mut saved, text).token = Some(mine);
    }
    saved
}

/// A start of these options whose board is full of junctions, with loaded carts all over.
pub(crate) fn overgrown(options: &Options, chance: &mut Fast) -> Saved {
    let start = Position::<OffTheRails>::new(options, chance, &mut ()).expect("sound options");
    let table = start.state().table();
    let mut saved = Saved::of(&start);
    let mut free: Vec<u32> = Vec::new();
    for square in table.squares() {
        let is_built = chance.draw(8) > 0 && legal_track(&start, square);
        if is_built {
            let exits = 2 + (chance.draw(8) + 3) as usize / 5;
            at_number(&mut saved, square.index() as u32).exits = some_exits(exits, chance);
            free.push(square.index() as u32);
        }
    }
    for seat in 0..saved.table.players.len() {
        for colour in 0..2 {
            let place = free.swap_remove(chance.draw(free.len() as u32) as usize);
            let cart = standing_cart(&mut saved, place, chance);
            saved.table.players[seat].carts[colour] = cart;
        }
    }
    saved
}

fn legal_track(start: &Position<OffTheRails>, square: Square) -> bool {
    let straight = [Side::North, Side::South].into_iter().collect();
    Action::place_track(square, straight).is_some_and(|a| start.state().check(a).is_ok())
}

fn some_exits(number: usize, chance: &mut Fast) -> Vec<Side> {
    let mut exits = Side::ALL.to_vec();
    while exits.len() > number {
        exits.remove(chance.draw(exits.len() as u32) as usize);
    }
    exits
}

/// A cart on a square with track; what it holds comes from the bag.
fn standing_cart(saved: &mut Saved, place: u32, chance: &mut Fast) -> SavedCart {
    let exits = at_number(saved, place).exits.clone();
    let mut hold = Vec::new();
    for _ in 0..chance.draw(6) {
        let jewel = Jewel::ALL[chance.draw(5) as usize];
        let left = &mut saved.table.bag[jewel as usize];
        if *left > 0 {
            *left -= 1;
            hold.push(jewel);
        }
    }
    hold.sort_unstable();
    SavedCart {
        place: SavedPlace::Underground(place),
        facing: Some(exits[chance.draw(exits.len() as u32) as usize]),
        speed: 1 + chance.draw(6),
        hold,
    }
}

/// With these missions face up.
pub(crate) fn with_missions(mut saved: Saved, missions: [u32; 3]) -> Saved {
    saved.options.missions = Some(true);
    saved.table.missions = missions.to_vec();
    saved.table.deeds = SavedDeeds::default();
    saved
}

pub(crate) fn restored(saved: &Saved) -> Position<OffTheRails> {
    saved.restore().unwrap_or_else(|faults| panic!("a position that can be: {faults}"))
}

/// Plays a decision with the given chance; returns what it brought about.
pub(crate) fn play_with(
    position: &mut Position<OffTheRails>,
    notation: &str,
    chance: &mut impl Chance,
) -> Result<Vec<Event>, Illegal> {
    let action = position.state().parse(notation).expect("a notation");
    let mut events = Vec::new();
    position.apply(action, chance, &mut events)?;
    Ok(events)
}

/// The position after decisions that are legal.
pub(crate) fn after(saved: &Saved, notations: &[&str]) -> Position<OffTheRails> {
    let mut position = restored(saved);
    for notation in notations {
        let played = play_with(&mut position, notation, &mut Fast::new(0));
        played.unwrap_or_else(|illegal| panic!("{notation} is legal, but {illegal}"));
    }
    position
}

/// Why a decision is refused: the rule.
pub(crate) fn refusal(saved: &Saved, notations: &[&str], refused: &str) -> &'static str {
    let mut position = after(saved, notations);
    let fault = play_with(&mut position, refused, &mut Fast::new(0));
    fault.expect_err("an illegal decision").rule
}

/// A field of the position's notation, from 1.
pub(crate) fn field(position: &Position<OffTheRails>, number: usize) -> String {
    let text = position.state().position();
    text.split(' ').nth(number - 1).expect("eighteen fields").to_owned()
}

/// The carts after decisions.
pub(crate) fn carts(saved: &Saved, notations: &[&str]) -> String {
    field(&after(saved, notations), 8)
}

/// The legal decisions in notation.
pub(crate) fn legal(position: &Position<OffTheRails>) -> Vec<String> {
    let mut notations = Vec::new();
    let state = position.state();
    state.legal().for_each(|action| notations.push(state.notation(action)));
    notations
}
