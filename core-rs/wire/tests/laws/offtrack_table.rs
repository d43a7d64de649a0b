//! Positions of OffTrack built by hand.

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::offtrack::{
    ActionCard, Card, Event, OffTrack, Options, Saved, SavedLine, Step,
};
use tablestate_rules::{Game, Illegal, LegalSet, Position};

/// The cards of a text as "a6b3c0+".
pub(crate) fn cards(text: &str) -> Vec<Card> {
    let mut cards: Vec<Card> = Vec::new();
    let mut signs = text.bytes();
    while let Some(sign) = signs.next() {
        if sign == b'+' {
            let last = cards.pop().expect("a card before its sign");
            cards.push(last.redeemed());
            continue;
        }
        let figure = signs.next().expect("a figure behind the era");
        let kind = 9 * usize::from(sign - b'a') + usize::from(figure - b'0');
        cards.push(Card::new(kind).expect("a card"));
    }
    cards
}

/// Two seats, seat 0 at its main step with this hand, seat 1 with five cards of the last era,
/// these lines, all else in the decks.
pub(crate) fn table(lines: &[&str], hand: &str) -> Saved {
    let start = Position::<OffTrack>::new(&Options::default(), &mut Fast::new(0), &mut ());
    let mut saved = Saved::of(&start.expect("the defaults are sound"));
    saved.lines =
        lines.iter().map(|line| SavedLine { cards: cards(line), ..SavedLine::default() }).collect();
    saved.seats[0].hand = cards(hand);
    saved.seats[1].hand = cards("f0f1f2f3f4");
    fill_decks(&mut saved);
    saved
}

/// Puts every card that is nowhere else into the decks.
pub(crate) fn fill_decks(saved: &mut Saved) {
    let copies = saved.options.decks.expect("complete options") as usize;
    let types = 9 * saved.options.eras.expect("complete options") as usize;
    let seats = saved.seats.iter().flat_map(|seat| seat.hand.iter().chain(&seat.pile));
    let lines = saved.lines.iter().flat_map(|line| &line.cards);
    let rest = saved.boxed.iter().chain(&saved.discard);
    let placed: Vec<Card> = seats.chain(lines).chain(rest).map(|card| card.unredeemed()).collect();
    let missing = |card: &Card| copies - placed.iter().filter(|other| *other == card).count();
    saved.deck = (0..types)
        .filter_map(Card::new)
        .flat_map(|card| std::iter::repeat_n(card, missing(&card)))
        .collect();
}

/// The seat holds an action from the deck; if it is its turn, it has to decide about it.
pub(crate) fn hold(saved: &mut Saved, seat: usize, action: ActionCard) {
    take_action(saved, action);
    saved.seats[seat].held = Some(action);
    if saved.turn_of as usize == seat {
        saved.step = Step::Held;
    }
}

/// The seat whose turn it is has drawn an action.
pub(crate) fn draw(saved: &mut Saved, action: ActionCard) {
    take_action(saved, action);
    saved.drawn = Some(action);
    saved.step = Step::Drawn;
}

fn take_action(saved: &mut Saved, action: ActionCard) {
    let place = saved.action_deck.iter().position(|other| *other == action);
    saved.action_deck.remove(place.expect("a copy in the deck"));
}

pub(crate) fn restored(saved: &Saved) -> Position<OffTrack> {
    saved.restore().expect("a position that can be")
}

/// Plays a decision with the given chance; returns what it brought about.
pub(crate) fn play_with(
    position: &mut Position<OffTrack>,
    notation: &str,
    chance: &mut impl Chance,
) -> Result<Vec<Event>, Illegal> {
    let action = position.state().parse(notation).expect("a notation");
    let mut events = Vec::new();
    position.apply(action, chance, &mut events)?;
    Ok(events)
}

/// Plays a decision; returns what it brought about.
pub(crate) fn play(
    position: &mut Position<OffTrack>,
    notation: &str,
) -> Result<Vec<Event>, Illegal> {
    play_with(position, notation, &mut Fast::new(0))
}

/// The position after decisions that are legal.
pub(crate) fn after(saved: &Saved, notations: &[&str]) -> Position<OffTrack> {
    let mut position = restored(saved);
    for notation in notations {
        play(&mut position, notation).expect("a legal decision");
    }
    position
}

/// A field of the position's notation, from 1.
pub(crate) fn field(position: &Position<OffTrack>, number: usize) -> String {
    let text = position.state().position();
    text.split(' ').nth(number - 1).expect("sixteen fields").to_owned()
}

/// The lines and the score pile of seat 0.
pub(crate) fn lines_and_pile(position: &Position<OffTrack>) -> (String, String) {
    let piles = field(position, 5);
    let (own, _) = piles.split_once('/').expect("two seats");
    (field(position, 3), own.to_owned())
}

/// The legal decisions in notation.
pub(crate) fn legal(position: &Position<OffTrack>) -> Vec<String> {
    let mut notations = Vec::new();
    let state = position.state();
    state.legal().for_each(|action| notations.push(state.notation(action)));
    notations
}
