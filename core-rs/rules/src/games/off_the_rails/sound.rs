//! What holds in every state: a state from outside is checked against it.

use super::action::CONTENTS;
use super::cart::{Cart, CartName, HOLD, Place};
use super::deck::{CHASM, Deck, FROM_DECK_4, whole};
use super::geometry::{Beyond, Mine, Squares};
use super::jewels::{Jewel, Jewels, PIECES};
use super::missions::{Deeds, Mission, Missions};
use super::options::path;
use super::state::{Collision, Motion, OffTheRails, Step, TOKENS, Table};
use crate::error::Faults;

/// Tokens of a colour.
const ALL_TOKENS: usize = TOKENS as usize + 1;
/// From the Chasm Card on: cards left and turns taken together.
const AFTER_CHASM_CARD: std::ops::RangeInclusive<usize> = 4..=8;

impl OffTheRails {
    /// Notes everything that cannot be.
    pub(super) fn check(&self, faults: &mut Faults) {
        let mut inspection = Inspection { table: &self.table, faults };
        inspection.jewels();
        inspection.squares();
        inspection.carts();
        inspection.deck();
        inspection.chasm();
        inspection.missions();
        inspection.course();
        if self.table.step == Step::Hand {
            inspection.left_hand(self.left_hand.unwrap_or_default());
        }
    }
}

struct Inspection<'a> {
    table: &'a Table,
    faults: &'a mut Faults,
}

impl Inspection<'_> {
    fn expect(
        &mut self,
        holds: bool,
        field: &str,
        value: impl std::fmt::Display,
        expected: impl Into<String>,
    ) {
        if !holds {
            self.faults.add(&path(&format!("table.{field}")), value, expected);
        }
    }

    /// All jewels are there.
    fn jewels(&mut self) {
        let table = self.table;
        let carts = table.carts.as_flattened().iter().map(|cart| cart.hold);
        let places = table.jewels.iter().chain(&table.stockpiles).copied().chain(carts);
        let places: Vec<Jewels> = places.chain([table.bag, table.removed]).collect();
        for jewel in Jewel::ALL {
            let there: usize = places.iter().map(|jewels| jewels.count(jewel)).sum();
            let all = PIECES[jewel as usize];
            self.expect(there == all.into(), "jewels", there, format!("{all} {jewel:?}"));
        }
    }

    fn squares(&mut self) {
        let table = self.table;
        let tokens = table.chasm.squares();
        let laid: usize = table.chasm.tokens.iter().map(|squares| squares.len()).sum();
        let tracks = table.tracks.squares();
        let built = tracks.without(table.geometry().buildable.without(tokens));
        let expected = "no track on a mine centre or under a token";
        self.expect(built.is_empty() && laid == tokens.len(), "squares", built.len(), expected);
        let mut deposits = Squares::EMPTY;
        for (mine, &seen) in Mine::ALL.into_iter().zip(&table.deck.seen) {
            let squares = table.geometry().mines[mine as usize].iter().enumerate();
            let turned = squares.filter(|(number, _)| seen >> number & 1 == 1);
            turned.for_each(|(_, &square)| deposits.insert(square));
        }
        let lying = table.squares().filter(|&square| !table.jewels(square).is_empty());
        let may_lie = tracks.or(deposits).without(tokens);
        let astray = lying.filter(|&square| !may_lie.contains(square)).count();
        let expected = "jewels on tracks, or where a deposit was, never under a token";
        self.expect(astray == 0, "squares", astray, expected);
    }

    fn carts(&mut self) {
        for name in self.table.cart_names() {
            let colour = ["white", "black"][name.colour as usize];
            let field = format!("players[{}].{colour}", name.seat.index());
            let cart = self.table.cart(name);
            match cart.place {
                Place::Underground(_) => self.underground(&field, name, cart),
                Place::Surface(_) => self.on_surface(&field, name, cart),
                Place::Supply => {
                    self.expect(cart.facing.is_none(), &field, "facing", "none off the board");
                }
                Place::Out => {
                    let can_be = cart.facing.is_none() && self.table.chasm.is_open;
                    self.expect(can_be, &field, "out", "in the game until the Chasm is open");
                }
            }
        }
    }

    /// On track, alone, facing an exit; the active cart at a choice has no facing.
    fn underground(&mut self, field: &str, name: CartName, cart: &Cart) {
        let table = self.table;
        let Some(square) = cart.square() else { return };
        let here = |other: &CartName| table.cart(*other).square() == Some(square);
        let is_alone = table.cart_names().filter(here).count() == 1;
        self.expect(is_alone, field, "a square", "one that no other cart is on");
        let track = table.track(square);
        self.expect(!track.is_empty(), field, "a square", "one with track");
        let chooses = table.active() == Some(name) && matches!(table.step, Step::Take | Step::Face);
        let faces = cart.facing.is_some_and(|side| track.leads(side));
        let expected = if chooses { "no facing (R26)" } else { "an exit of its square" };
        let is_sound = if chooses { cart.facing.is_none() } else { faces };
        self.expect(is_sound, &format!("{field}.facing"), track, expected);
    }

    /// R25.
    fn on_surface(&mut self, field: &str, name: CartName, cart: &Cart) {
        let table = self.table;
        let is_other = |motion: Motion| motion.other_to_move && motion.cart != name.colour;
        let is_to_move =
            matches!(table.step, Step::Actions | Step::First) || table.motion.is_some_and(is_other);
        let beside = table.cart(CartName { colour: name.colour.other(), ..name });
        let is_sound = table.turn == name.seat
            && is_to_move
            && cart.hold.is_empty()
            && cart.facing == Some(table.side(name.seat).opposite())
            && beside.place != cart.place;
        self.expect(is_sound, field, "on the Surface", "R25, and no two on a square");
    }

    /// The cards seen, the deck on top and the number of cards fit each other.
    fn deck(&mut self) {
        let table = self.table;
        let Deck { size, top, seen } = table.deck;
        let left = match size {
            0..=4 => size,
            5..=FROM_DECK_4 => size - 4,
            _ => (size - FROM_DECK_4 - 1) % 4 + 1,
        };
        let has_chasm_card = top & CHASM != 0;
        let may_have = (5..=FROM_DECK_4).contains(&size);
        let is_top = top.count_ones() == left.into() && (may_have || !has_chasm_card);
        let must_have = size == FROM_DECK_4;
        self.expect(
            is_top && (has_chasm_card || !must_have),
            "deck.top",
            top.count_ones(),
            format!("what can be left of a deck with {size} cards in all"),
        );
        // Of every colour: the opening card, one of each deck gone, one of the deck on top.
        let decks_left = match size {
            0..=FROM_DECK_4 => size.div_ceil(4).min(2),
            _ => 2 + (size - FROM_DECK_4).div_ceil(4),
        };
        let gone = (table.rules.deposit_cards - 1) / 4 - decks_left;
        for (mine, seen) in Mine::ALL.into_iter().zip(seen) {
            let from_top = u8::from((whole(size.max(1)) & !top) >> mine as u8 & 1 == 1 && size > 0);
            let turned = 1 + gone + from_top + u8::from(table.chasm.is_open);
            let field = format!("cards[{}]", mine as usize);
            let number = seen.count_ones();
            self.expect(number == turned.into(), &field, number, format!("{turned} cards"));
        }
    }

    fn chasm(&mut self) {
        let (table, chasm) = (self.table, &self.table.chasm);
        let opener = chasm.opener.map_or(String::from("none"), |seat| seat.index().to_string());
        let is_known = chasm.opener.is_some() != table.deck.holds_chasm_card();
        self.expect(is_known, "chasm.opener", &opener, "a seat, once the Chasm Card is turned");
        if let Some(seat) = chasm.opener.filter(|_| !chasm.is_open) {
            let seats = table.seats();
            let to_come = (seat.index() + seats - table.turn.index()) % seats + 1;
            let sum = usize::from(table.deck.size) + seats - to_come;
            let expected = "so many turns since the Chasm Card as the decks allow";
            self.expect(AFTER_CHASM_CARD.contains(&sum), "chasm.opener", &opener, expected);
        }
        let is_early = chasm.is_open && chasm.opener.is_none();
        self.expect(!is_early, "chasm.open", chasm.is_open, "false without an opener");
        for mine in Mine::ALL {
            self.tokens(mine);
        }
    }

    fn tokens(&mut self, mine: Mine) {
        let (table, chasm) = (self.table, &self.table.chasm);
        let [laid, to_come, put_out] = table.tokens(mine);
        let drawn = table.drawn.filter(|drawn| drawn.colour == mine).map_or(0, |_| 1);
        if !chasm.is_open {
            let is_whole = (laid, to_come, put_out) == (0, TOKENS.into(), 0);
            self.expect(is_whole, "chasm.to_come", to_come, "4 until the Chasm is open");
            return;
        }
        let all = laid + to_come + put_out + drawn;
        self.expect(all == ALL_TOKENS, "chasm.to_come", all, "5 tokens of each colour in all");
        let seen = table.deck.seen[mine as usize];
        let squares = table.geometry().mines[mine as usize].iter().enumerate();
        let mut shown = squares.filter(|(number, _)| seen >> number & 1 == 1);
        let is_opened = shown.any(|(_, &square)| chasm.tokens[mine as usize].contains(square));
        let expected = "a token of each colour on a square whose card was shown";
        self.expect(is_opened, "squares", laid, expected);
    }

    fn missions(&mut self) {
        let table = self.table;
        let claimed = table.claimed.iter().copied().fold(Missions::NONE, Missions::or);
        let held: usize = table.claimed.iter().map(|claimed| claimed.len()).sum();
        let all = table.missions.or(claimed);
        let expected = if table.rules.missions { table.seats() + 1 } else { 0 };
        let dealt = Missions::dealt_from(table.rules.bumper_cars);
        let is_sound = held + table.missions.len() == expected
            && all.len() == expected
            && all.and(dealt) == all;
        self.expect(is_sound, "missions", all.len(), format!("{expected} different ones"));
        let may_be = match table.step {
            _ if !table.rules.missions => Missions::NONE,
            Step::Actions | Step::First | Step::Token | Step::Over => Missions::NONE,
            _ => dealt.and(Missions::noted()),
        };
        let Deeds { banked, met } = table.deeds;
        let is_sound = met.and(may_be) == met && self.banking_fits(banked, met, may_be);
        self.expect(is_sound, "deeds", met.len(), "what can have been done in this turn");
    }

    /// A cart that has banked is in supply; only banking meets some missions.
    fn banking_fits(&self, banked: [bool; 2], met: Missions, may_be: Missions) -> bool {
        let table = self.table;
        let carts = table.carts[table.turn.index()].iter().zip(banked);
        let mut in_supply = carts.map(|(cart, banked)| !banked || cart.place == Place::Supply);
        let by_banking =
            [Mission::FULL_HOLD, Mission::EXPRESS, Mission::SLOW_FREIGHT, Mission::THROUGH_TRAFFIC];
        let has_banked = banked.contains(&true);
        let needs_banking = by_banking.into_iter().any(|mission| met.contains(mission));
        in_supply.all(|holds| holds)
            && (has_banked || !needs_banking)
            && (!may_be.is_empty() || !has_banked)
    }

    /// The step fits the position, and its decision is one that is asked.
    fn course(&mut self) {
        let table = self.table;
        let step = table.step;
        let moves = (Step::Take as u8..=Step::TurnOpposing as u8).contains(&(step as u8));
        let collides = (Step::Odd as u8..=Step::TurnOpposing as u8).contains(&(step as u8));
        self.expect(table.motion.is_some() == moves, "move", moves, "a move in its steps only");
        let is_there = table.collision.is_some();
        self.expect(is_there == collides, "collision", is_there, "a collision in its steps only");
        let is_drawn = table.drawn.is_some();
        self.expect(is_drawn == (step == Step::Token), "token", is_drawn, "one in the step TOKEN");
        let acts = table.actions_taken == 0 || step == Step::Actions;
        self.expect(acts, "actions_taken", table.actions_taken, "0 after the action phase");
        self.end();
        if let Some(motion) = table.motion.filter(|_| moves) {
            self.motion(motion);
        }
        if let Some(collision) = table.collision.filter(|_| collides && table.motion.is_some()) {
            self.collision(collision);
        }
        let is_asked = self.is_asked();
        self.expect(is_asked, "step", format!("{step:?}"), "one whose decision is asked here");
    }

    /// R16.
    fn end(&mut self) {
        let table = self.table;
        let has_cart = table.is_cart_on_board();
        let is_sound = match table.step {
            Step::Over => table.chasm.is_open && !has_cart,
            _ if !table.chasm.is_open => table.step != Step::Token,
            Step::Token => true,
            // At its beginning a turn has a cart that was there before.
            Step::Actions | Step::First => {
                !table.occupied().is_empty() && table.chasm.tokens_to_come() > 0
            }
            _ => table.chasm.tokens_to_come() > 0,
        };
        self.expect(
            is_sound,
            "step",
            format!("{:?}", table.step),
            "over if and only if R16 says so",
        );
    }

    fn motion(&mut self, motion: Motion) {
        let table = self.table;
        let name = CartName { seat: table.turn, colour: motion.cart };
        let cart = table.cart(name);
        let other = table.cart(CartName { colour: motion.cart.other(), ..name });
        let other_is_sound = !motion.other_to_move || other.is_on_board();
        self.expect(other_is_sound, "move.other_to_move", true, "a cart on the board");
        let goes_on = matches!(table.step, Step::Take | Step::Face);
        let most = if goes_on { cart.speed.saturating_sub(1) } else { 0 };
        let steps = motion.steps_left;
        self.expect(steps <= most, "move.steps_left", steps, format!("at most {most}"));
        let takings = match table.step {
            Step::Take if steps == 0 => 1..=2,
            Step::Take => 1..=1,
            _ => 0..=0,
        };
        let left = motion.takings_left;
        self.expect(takings.contains(&left), "move.takings_left", left, "as many as R8 allows");
        let track = cart.square().map(|square| table.track(square));
        let entered = match (motion.entered_by, track) {
            (Some(side), Some(track)) => {
                let has_turned = table.step == Step::TurnOpposing;
                track.leads(side) && (cart.facing == Some(side)) == has_turned
            }
            (Some(_), None) => false,
            (None, _) => !goes_on,
        };
        self.expect(entered, "move.entered_by", entered, "an exit that the cart does not face");
        let [first, _] = motion.taken_from;
        let may_keep =
            goes_on && table.rules.missions && !table.deeds.met.contains(Mission::GRAND_TOUR);
        self.expect(first.is_none() || may_keep, "move.taken_from", "a square", "none here");
        let is_known = !goes_on || cart.square().is_some();
        self.expect(is_known, "move.cart", is_known, "a cart underground");
    }

    /// The two carts stand next to each other, as far as they are on the board.
    fn collision(&mut self, collision: Collision) {
        let table = self.table;
        let Some(active) = table.active() else { return };
        let Collision { opposing, hit_side } = collision;
        let [at, from] = [opposing, active].map(|name| table.cart(name).square());
        let neighbour = at.map(|square| table.geometry().beyond(square, hit_side));
        let faces = table.cart(active).facing == Some(hit_side.opposite());
        // A cart that came from the Surface and derailed stands nowhere.
        let hit_from = match neighbour {
            Some(Beyond::Square(next)) => from.is_none_or(|from| from == next),
            Some(Beyond::Surface) => hit_side == table.side(active.seat) && from.is_none(),
            None => table.step == Step::TurnActive,
        };
        let is_gone = from.is_some() || !table.cart(active).is_on_board();
        let is_sound = opposing != active
            && hit_from
            && is_gone
            && (faces || from.is_none() || table.step == Step::TurnOpposing);
        let expected = "a cart of another name, hit from where the active one stands";
        self.expect(is_sound, "collision", opposing.seat.index(), expected);
        let drops = matches!(table.step, Step::Odd | Step::Split | Step::Hand);
        let connected = at.is_some_and(|square| table.tracks.leads(square, hit_side));
        let may_drop = connected && !table.rules.bumper_cars;
        self.expect(may_drop || !drops, "collision", drops, "squares that are connected");
    }

    /// "Decisions": one possible answer is not asked for.
    fn is_asked(&self) -> bool {
        let table = self.table;
        let hold = table.opposing_hold();
        match table.step {
            Step::Actions | Step::Over => true,
            Step::First => table.carts[table.turn.index()].iter().all(Cart::is_on_board),
            Step::Take => table.active().is_some_and(|name| {
                let cart = table.cart(name);
                let lies = |square| !table.jewels(square).is_empty();
                cart.hold.len() < HOLD && cart.square().is_some_and(lies)
            }),
            Step::Face => table.facings().len() > 1,
            Step::Odd => hold.len() % 2 == 1 && hold.only_kind().is_none(),
            Step::Split => table.splits().count_ones() > 1,
            Step::Hand => table.splits() != 0,
            Step::TurnActive => {
                let has_moved = table.motion.is_some_and(|motion| motion.entered_by.is_some());
                !has_moved && table.turns_asked().len() > 1
            }
            Step::TurnOpposing => {
                let faced = table.opposing().and_then(|name| table.cart(name).facing);
                let was_hit = table.collision.is_some_and(|hit| faced == Some(hit.hit_side));
                was_hit && table.turns_asked().len() > 1
            }
            Step::Claim => !table.met(table.turn).is_empty(),
            Step::Token => table.token_squares().len() > 1,
        }
    }

    fn left_hand(&mut self, hand: Jewels) {
        let splits = self.table.splits();
        let number = CONTENTS.iter().position(|&content| content == hand);
        let is_half = number.is_some_and(|number| splits >> number & 1 == 1);
        if !is_half {
            self.faults.add(&path("left_hand"), hand.len(), "half of the opposing cart's hold");
        }
    }
}
