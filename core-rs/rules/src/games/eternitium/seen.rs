//! From what a viewer sees to a position that agrees with it.

use super::bag::Bag;
use super::cards::{Card, Symbol, Type};
use super::determinize::number_of;
use super::event::Eras;
use super::options::{Rules, path};
use super::saved::{Saved, Shape};
use super::state::{ERAS, Eternitium, Step};
use super::view::{Player, View};
use crate::chance::Fast;
use crate::error::Faults;
use crate::position::Position;
use crate::vocab::{Seat, Viewer};

/// More cards than a match is played with, of all kinds together.
const MOST_CARDS: u32 = 255;

/// What a viewer sees, as an untrusted caller gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Who sees it.
    pub viewer: Viewer,
    /// What lies open, and what the viewer itself has. Other seats' hands and decks are empty, and
    /// so are stacks, pile and decks of technologies.
    pub open: Saved,
    /// By seat; as many as the seats of `open`.
    pub players: Vec<SeenPlayer>,
    /// Basic, Advanced.
    pub deck_sizes: [u32; 2],
    /// What the viewer's Scanner shows.
    pub scanned: Vec<Symbol>,
}

/// What all see of a seat beside what lies open.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SeenPlayer {
    pub eras: u32,
    pub top: Option<Symbol>,
    pub hand_size: u32,
    pub deck_size: u32,
    /// Basic, Advanced.
    pub technologies: [u32; 2],
    /// At the end: all cards it owns.
    pub owned: Vec<Card>,
}

impl Seen {
    /// A position that agrees with it; lists every fault. What the viewer is shown beside this
    /// must be compared afterwards.
    pub fn imagine(&self) -> Result<Position<Eternitium>, Faults> {
        let rules = Rules::new(&self.open.options)?;
        let mut faults = Faults::default();
        self.check_shape(&rules, &mut faults);
        faults.or(())?;
        let view = self.view(rules);
        view.check_numbers()?;
        // Any deal will do.
        let state = view.determinize(&mut Fast::new(0));
        let mut faults = Faults::default();
        state.check_cards(&mut faults);
        state.check_course(&mut faults);
        faults.or(Position::from_parts(state, ()))
    }

    /// Numbers that must be in range before a view can be made.
    fn check_shape(&self, rules: &Rules, faults: &mut Faults) {
        self.open.check_shape(rules, faults);
        let mut shape = Shape { rules, faults };
        for (number, player) in self.players.iter().enumerate() {
            let field = |name: &str| format!("players[{number}].{name}");
            shape.range(&field("eras"), player.eras, 0, 4 * u32::from(ERAS));
            shape.range(&field("hand_size"), player.hand_size, 0, MOST_CARDS);
            shape.range(&field("deck_size"), player.deck_size, 0, MOST_CARDS);
            shape.range(&field("basics"), player.technologies[0], 0, MOST_CARDS);
            shape.range(&field("advanced"), player.technologies[1], 0, MOST_CARDS);
            shape.cards(&field("owned"), &player.owned);
        }
        shape.range("basic_deck_size", self.deck_sizes[0], 0, MOST_CARDS);
        shape.range("advanced_deck_size", self.deck_sizes[1], 0, MOST_CARDS);
        shape.range("scanned", self.scanned.len() as u32, 0, 2);
    }

    /// The view of what lies open, with the numbers of what does not.
    fn view(&self, rules: Rules) -> View {
        let mut view = View::of(&self.open.state(rules), self.viewer);
        view.deck_sizes = self.deck_sizes.map(|size| size as usize);
        let is_over = view.step == Step::Over;
        for (player, seen) in view.players.iter_mut().zip(&self.players) {
            *player = Player {
                eras: seen.eras as usize,
                top: seen.top,
                hand_size: seen.hand_size as usize,
                deck_size: seen.deck_size as usize,
                technologies: seen.technologies.map(|number| number as usize),
                owned: is_over.then(|| seen.owned.iter().copied().collect()),
                ..*player
            };
        }
        if let Some(own) = &mut view.own {
            own.scanned = self.scanned.iter().copied().collect::<Eras>();
        }
        view
    }
}

impl View {
    /// No more is seen than there is: so the rest can be dealt.
    fn check_numbers(&self) -> Result<(), Faults> {
        let mut faults = Faults::default();
        for symbol in Symbol::ALL {
            let seen = self.number_of_era(symbol);
            if seen > ERAS.into() {
                faults.add(&path("eras"), seen, format!("at most {ERAS} with a {symbol:?}"));
            }
        }
        for card in Card::all() {
            let (seen, most) = (self.number_seen(card), number_of(&self.rules, card));
            if seen > most {
                let expected = format!("at most {most} of {}", card.name());
                faults.add(&path("cards"), seen, expected);
            }
        }
        faults.or(())?;
        self.others().try_for_each(|seat| self.check_player(seat))?;
        self.check_known()
    }

    /// Eras of a symbol that the viewer sees.
    fn number_of_era(&self, symbol: Symbol) -> usize {
        let seen = self.seats().flat_map(|seat| self.seen_eras(seat));
        let seen = seen.chain(self.visible.into_iter().flatten());
        usize::from(self.gone[symbol as usize]) + seen.filter(|&era| era == symbol).count()
    }

    /// Cards of a kind that the viewer sees.
    fn number_seen(&self, card: Card) -> usize {
        let piles = self.players.iter().flat_map(|player| [player.discard, player.removed]);
        let own = self.own.iter().flat_map(|own| [own.hand, own.deck]);
        let bags = piles.chain(own).chain([self.play_area]);
        let in_rows = self.rows.as_flattened().iter().filter(|&&other| other == Some(card)).count();
        let supply = self.supply.get(card.number()).map_or(0, |&left| left.into());
        bags.map(|bag| bag.count(card)).sum::<usize>() + in_rows + supply
    }

    /// The numbers of a seat's cards cover what lies open of them.
    fn check_player(&self, seat: Seat) -> Result<(), Faults> {
        let field = |name: &str| path(&format!("players[{}].{name}", seat.index()));
        let (player, open) = (self.player(seat), self.open_cards(seat));
        let lacks = |owned: &Bag| Card::all().find(|&card| owned.count(card) < open.count(card));
        if let Some(card) = player.owned.as_ref().and_then(lacks) {
            return Err(Faults::one(&field("owned"), card.name(), "the cards that lie open"));
        }
        for (of, name) in Type::ALL.into_iter().zip(["basics", "advanced"]) {
            let (given, least) = (player.technologies[of as usize], open.count_of(of));
            if given < least {
                let expected = format!("at least {least}, which lie open");
                return Err(Faults::one(&field(name), given, expected));
            }
        }
        let hidden = Type::ALL.map(|of| player.technologies[of as usize] - open.count_of(of));
        let (given, least) = (player.hand_size + player.deck_size, hidden.iter().sum::<usize>());
        if given < least {
            let expected = format!("at least {least} technologies in hand and deck");
            return Err(Faults::one(&field("deck_size"), given, expected));
        }
        Ok(())
    }

    /// What is known of other seats' hidden cards is there, and is not more than they have.
    fn check_known(&self) -> Result<(), Faults> {
        let mut unseen = self.unseen_cards();
        for seat in self.others() {
            let field = |name: &str| path(&format!("players[{}].{name}", seat.index()));
            let known = self.known_of(seat);
            if let Some(card) = known.kinds().find(|&card| known.count(card) > unseen.count(card)) {
                let expected = format!("its {} among the cards not seen", card.name());
                return Err(Faults::one(&field("deck_size"), "a card too few", expected));
            }
            unseen = unseen.without(known);
            if let Some((hidden, least)) = self.too_few_hidden(seat, known) {
                let expected = format!("at least {least} of the kinds known to be there");
                return Err(Faults::one(&field("deck_size"), hidden, expected));
            }
        }
        Ok(())
    }
}
