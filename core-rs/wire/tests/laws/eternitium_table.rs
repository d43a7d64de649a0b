//! Positions of Eternitium built by hand.

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::eternitium::{
    Card, Eternitium, Event, Options, Saved, SavedDeck, SavedStack, Step, Symbol,
};
use tablestate_rules::{Game, Illegal, LegalSet, Position};

/// The letters of all kinds, by number.
const LETTERS: &str = "cstdDPQVCXROLNMGWE";

/// A kind by its letter.
pub(crate) fn card(letter: char) -> Card {
    LETTERS.find(letter).and_then(Card::new).expect("a kind")
}

/// The cards of a text as "csDV", sorted.
pub(crate) fn cards(text: &str) -> Vec<Card> {
    let mut cards: Vec<Card> = text.chars().map(card).collect();
    cards.sort_unstable();
    cards
}

/// A stack as the notation of positions writes it.
pub(crate) fn stack(text: &str) -> SavedStack {
    let (face_up, text) = text.strip_prefix('^').map_or((false, text), |rest| (true, rest));
    let (above, rest) = text.split_once('(').expect("shuffled Eras");
    let (shuffled, under) = rest.split_once(')').expect("shuffled Eras");
    let eras = |text: &str| -> Vec<Symbol> {
        let era = |letter| "cstd".find(letter).map(|place| Symbol::ALL[place]);
        text.chars().filter_map(era).collect()
    };
    let count = |letter| shuffled.chars().filter(|&other| other == letter).count() as u32;
    let (above, under) = (eras(above), eras(under));
    let shuffled = ['c', 's', 't', 'd'].map(count).to_vec();
    // Without shuffled Eras all are under.
    if shuffled.iter().all(|&count| count == 0) {
        return SavedStack { face_up, above: under, shuffled, under: above };
    }
    SavedStack { face_up, above, shuffled, under }
}

/// Seats with these Era stacks and hands, seat 0 at its play step. Each has its starter cards and
/// Recyclers up to six in its deck; the rows are VCX and OGN, the visible Eras circle and square;
/// all else lies in the supply, the pile and the decks.
pub(crate) fn table(seats: &[(&str, &str)]) -> Saved {
    let options = Options { seats: Some(seats.len() as u32), ..Options::default() };
    let start = Position::<Eternitium>::new(&options, &mut Fast::new(0), &mut ());
    let mut saved = Saved::of(&start.expect("sound options"));
    saved.step = Step::Play;
    for (seat, (eras, hand)) in saved.seats.iter_mut().zip(seats) {
        seat.stack = stack(eras);
        seat.hand = cards(hand);
        let starter = cards("cstdD").into_iter();
        seat.deck = starter.filter(|card| !seat.hand.contains(card)).collect();
        while seat.hand.len() + seat.deck.len() < 6 {
            seat.deck.push(card('R'));
        }
    }
    saved.visible = vec![Some(Symbol::Circle), Some(Symbol::Square)];
    saved.rows = ["VCX", "OGN"].map(|row| row.chars().map(|letter| Some(card(letter))).collect());
    fill(&mut saved);
    saved
}

/// Puts everything that is nowhere else into the supply, the pile and the decks.
pub(crate) fn fill(saved: &mut Saved) {
    let seats = saved.seats.iter();
    let placed: Vec<Card> = seats
        .flat_map(|seat| [&seat.hand, &seat.deck, &seat.discard, &seat.removed])
        .chain([&saved.play_area])
        .flatten()
        .copied()
        .chain(saved.rows.iter().flatten().flatten().copied())
        .chain(saved.decks.iter().flat_map(|deck| deck.under.clone()))
        .collect();
    let placed = |card: Card| placed.iter().filter(|&&other| other == card).count();
    let portals = 3 * saved.seats.len();
    saved.supply =
        (0..4).filter_map(Card::new).map(|card| (portals - placed(card)) as u32).collect();
    let copies = saved.options.technology_copies.clone();
    for (of, letters) in [(0, "PQVCXR"), (1, "OLNMGWE")] {
        let left = |&(card, copies): &(Card, u32)| {
            let belongs = letters.chars().any(|letter| self::card(letter) == card);
            let left = if belongs { copies as usize - placed(card) } else { 0 };
            std::iter::repeat_n(card, left)
        };
        let under = std::mem::take(&mut saved.decks[of].under);
        saved.decks[of] = SavedDeck { shuffled: copies.iter().flat_map(left).collect(), under };
    }
    saved.pile = (0..4).map(|symbol| 15 - era_count(saved, symbol)).collect();
}

/// Eras of a symbol that are not in the pile.
fn era_count(saved: &Saved, symbol: usize) -> u32 {
    let is = |era: &&Symbol| **era as usize == symbol;
    let stacks = saved.seats.iter().map(|seat| {
        let stack = &seat.stack;
        let fixed = stack.above.iter().chain(&stack.under).filter(is).count();
        stack.shuffled[symbol] + fixed as u32
    });
    stacks.sum::<u32>()
        + saved.visible.iter().flatten().filter(is).count() as u32
        + saved.gone[symbol]
}

/// All Eras of the pile have left the game.
pub(crate) fn without_pile(mut saved: Saved) -> Saved {
    for symbol in 0..4 {
        saved.gone[symbol] += std::mem::take(&mut saved.pile[symbol]);
    }
    saved
}

/// Those visible Eras that are absent have left the game; the pile too.
pub(crate) fn with_visible(mut saved: Saved, visible: [Option<Symbol>; 2]) -> Saved {
    saved.visible = visible.to_vec();
    fill(&mut saved);
    without_pile(saved)
}

pub(crate) fn restored(saved: &Saved) -> Position<Eternitium> {
    saved.restore().expect("a position that can be")
}

/// Plays a decision with the given chance; returns what it brought about.
pub(crate) fn play_with(
    position: &mut Position<Eternitium>,
    notation: &str,
    chance: &mut impl Chance,
) -> Result<Vec<Event>, Illegal> {
    let action = position.state().parse(notation).expect("a notation");
    let mut events = Vec::new();
    position.apply(action, chance, &mut events)?;
    Ok(events)
}

/// The position after decisions that are legal.
pub(crate) fn after(saved: &Saved, notations: &[&str]) -> Position<Eternitium> {
    let mut position = restored(saved);
    for notation in notations {
        play_with(&mut position, notation, &mut Fast::new(0)).expect("a legal decision");
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
pub(crate) fn field(position: &Position<Eternitium>, number: usize) -> String {
    let text = position.state().position();
    text.split(' ').nth(number - 1).expect("eighteen fields").to_owned()
}

/// The legal decisions in notation.
pub(crate) fn legal(position: &Position<Eternitium>) -> Vec<String> {
    let mut notations = Vec::new();
    let state = position.state();
    state.legal().for_each(|action| notations.push(state.notation(action)));
    notations
}
