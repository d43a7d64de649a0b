//! Which decisions are legal, as a mask and one at a time.

use super::action::{Action, Aim, Layout, Place, SIDES, Side};
use super::cards::{CARDS, Card, Symbol, Target, Type};
use super::options::MAX_PLAYERS;
use super::stack::ROW;
use super::state::{Eternitium, OWNED_TO_REMOVE, Step};
use crate::error::Illegal;
use crate::vocab::{Mask, Seat};

/// Room for the largest index.
const MASK_WORDS: usize = Layout::new(MAX_PLAYERS).size().div_ceil(64);

pub(super) type LegalMask = Mask<MASK_WORDS>;

impl Eternitium {
    /// The legal indices.
    #[inline]
    pub(super) fn legal_mask(&self) -> LegalMask {
        let layout = self.layout();
        let mut mask = LegalMask::new(layout.size());
        match self.step {
            Step::TakeBasic => mask.set_bits(layout.take_basic, self.places(Type::Basic)),
            Step::Portal => mask.set_bits(layout.portal, self.supplied()),
            Step::Play => self.mark_plays(&layout, &mut mask),
            Step::PutOnTop => {
                let positions = if self.stack().len() > 1 { 0b11 } else { 0b01 };
                mask.set_bits(layout.put_on_top, positions);
            }
            Step::Refit => self.mark_refit(&layout, &mut mask),
            Step::Technology => self.mark_technologies(&layout, &mut mask),
            Step::Over => {}
        }
        mask
    }

    fn mark_plays(&self, layout: &Layout, mask: &mut LegalMask) {
        mask.set(layout.end_play);
        if !self.turn.played {
            mask.set(layout.refit);
        }
        let hand = self.hand();
        for card in hand.kinds() {
            match card.kind().target {
                Target::OtherCard if !self.may_remove() => {}
                Target::OtherCard => {
                    let mut others = hand;
                    others.remove(card);
                    let first = layout.with_card(card);
                    others.kinds().for_each(|other| mask.set(first + other.number()));
                }
                target if target.is_seat() => {
                    if self.own_stack_allows(target) {
                        mask.set_bits(layout.at_seat(card), self.opponents_with_eras());
                    }
                }
                target => {
                    if self.may_play(card, target) {
                        mask.set(layout.play(card));
                    }
                }
            }
        }
    }

    fn mark_refit(&self, layout: &Layout, mask: &mut LegalMask) {
        let removes = self.may_remove();
        mask.set(layout.keep + CARDS);
        for card in self.hand().kinds() {
            mask.set(layout.keep + card.number());
            if removes {
                mask.set(layout.remove + card.number());
            }
        }
    }

    fn mark_technologies(&self, layout: &Layout, mask: &mut LegalMask) {
        mask.set(layout.no_technology);
        mask.set_bits(layout.advanced, self.places(Type::Advanced));
        let sides = match self.visible() {
            [false, false] => 0b100,
            [left, right] => u32::from(left) | u32::from(right) << 1,
        };
        let places = self.places(Type::Basic);
        let bits = (0..=ROW)
            .fold(0, |bits, place| bits | ((places >> place & 1) * sides) << (place * SIDES));
        mask.set_bits(layout.basic, bits);
    }

    /// Whether a card whose target nobody chooses can be played.
    #[inline]
    fn may_play(&self, card: Card, target: Target) -> bool {
        let stack = self.stack();
        match target {
            // R2: on a face-up Era only a Portal that matches. R5: none without an Era.
            Target::Era => match stack.face_up() {
                Some(era) => card.opens(era),
                None => !stack.is_empty(),
            },
            Target::FaceDownEra => !stack.is_empty() && !stack.face_up,
            Target::Stack => !stack.is_empty(),
            Target::Turn => !self.turn.is_extra && !self.turn.looped,
            _ => true,
        }
    }

    /// Whether the own stack is as a card that is aimed at an opponent needs it.
    #[inline]
    fn own_stack_allows(&self, target: Target) -> bool {
        match target {
            Target::OpponentAndStack => !self.stack().is_empty(),
            Target::OpponentAndFaceUpEra => self.stack().face_up,
            _ => true,
        }
    }

    #[inline]
    fn may_remove(&self) -> bool {
        self.owned(self.to_act).len() >= OWNED_TO_REMOVE
    }

    /// The opponents with Eras, as bits of the seats.
    #[inline]
    fn opponents_with_eras(&self) -> u32 {
        let has_eras = |seat: &Seat| !self.stacks[seat.index()].is_empty();
        self.opponents().filter(has_eras).fold(0, |bits, seat| bits | 1 << seat.index())
    }

    /// Where a technology can be taken from, as bits of the places, 3 for unseen.
    #[inline]
    fn places(&self, of: Type) -> u32 {
        let market = self.market(of);
        market.filled() | u32::from(market.deck_len() > 0) << ROW
    }

    /// The symbols of which the supply has Portals, as bits.
    #[inline]
    fn supplied(&self) -> u32 {
        let bit = |symbol: usize| u32::from(self.table.supply[symbol] > 0) << symbol;
        bit(0) | bit(1) | bit(2) | bit(3)
    }

    pub(super) fn check_action(&self, action: Action) -> Result<(), Illegal> {
        match (self.step, action) {
            (Step::Over, _) => illegal("End", "the match is over"),
            (Step::TakeBasic, Action::TakeBasic(place)) => {
                self.check_place("Set-up", Type::Basic, place)
            }
            (Step::TakeBasic, _) => illegal("Set-up", "the seat must take a Basic"),
            (Step::Portal, Action::Portal(symbol)) => self.check_supply(symbol),
            (Step::Portal, _) => illegal("a. Portal", "the seat must take a Portal"),
            (Step::Play, Action::EndPlay) => Ok(()),
            (Step::Play, Action::Refit) if self.turn.played => {
                illegal("Refit", "a card was played in this turn")
            }
            (Step::Play, Action::Refit) => Ok(()),
            (Step::Play, Action::Play(card, aim)) => self.check_play(card, aim),
            (Step::Play, _) => illegal("b. Play", "this is the time to play, refit or end"),
            (Step::PutOnTop, Action::PutOnTop(position)) => {
                let there = usize::from(position) < self.stack().len().min(2);
                if there { Ok(()) } else { illegal("Scanner", "no such Era was shown") }
            }
            (Step::PutOnTop, _) => illegal("Scanner", "an Era must be put on top"),
            (Step::Refit, Action::Remove(card)) => self.check_remove("Refit", card),
            (Step::Refit, Action::Keep(card)) => card.map_or(Ok(()), |card| self.check_hand(card)),
            (Step::Refit, _) => illegal("Refit", "this is the time to remove or keep cards"),
            (Step::Technology, Action::NoTechnology) => Ok(()),
            (Step::Technology, Action::Basic(place, side)) => {
                self.check_side(side)?;
                self.check_place("d. Technology", Type::Basic, place)
            }
            (Step::Technology, Action::Advanced(place)) => {
                self.check_place("d. Technology", Type::Advanced, place)
            }
            (Step::Technology, _) => {
                illegal("d. Technology", "this is the time to take a technology or none")
            }
        }
    }

    fn check_place(&self, section: &'static str, of: Type, place: Place) -> Result<(), Illegal> {
        match place {
            Place::Row(place)
                if self.market(of).row.get(usize::from(place)).is_some_and(Option::is_some) =>
            {
                Ok(())
            }
            Place::Row(_) => illegal(section, "this place of the row is empty"),
            Place::Unseen if self.market(of).deck_len() > 0 => Ok(()),
            Place::Unseen => illegal("R8", "the deck is empty"),
        }
    }

    fn check_side(&self, side: Option<Side>) -> Result<(), Illegal> {
        let visible = self.visible();
        match side {
            Some(side) if visible[side as usize] => Ok(()),
            None if visible == [false, false] => Ok(()),
            Some(_) => illegal("d. Technology", "there is no visible Era in this place"),
            None => illegal("d. Technology", "a Basic comes with a visible Era"),
        }
    }

    fn check_supply(&self, symbol: Symbol) -> Result<(), Illegal> {
        if self.table.supply[symbol as usize] > 0 {
            return Ok(());
        }
        illegal("a. Portal", "the supply has no Portal of this symbol")
    }

    fn check_hand(&self, card: Card) -> Result<(), Illegal> {
        let held = self.hand().count(card) > 0;
        if held { Ok(()) } else { illegal("b. Play", "the card is not in the hand") }
    }

    fn check_remove(&self, section: &'static str, card: Card) -> Result<(), Illegal> {
        self.check_hand(card)?;
        if self.may_remove() {
            return Ok(());
        }
        illegal(section, "a seat that owns fewer than seven cards removes none")
    }

    fn check_play(&self, card: Card, aim: Aim) -> Result<(), Illegal> {
        self.check_hand(card)?;
        match (card.kind().target, aim) {
            (Target::OtherCard, Aim::Card(other)) => {
                self.check_remove("Cards", other)?;
                let enough = card != other || self.hand().count(card) > 1;
                if enough { Ok(()) } else { illegal("R17", "there is no other such card in hand") }
            }
            (target, Aim::Seat(seat)) if target.is_seat() => self.check_opponent(target, seat),
            (target, Aim::None) if target.is_implied() => {
                if self.may_play(card, target) {
                    Ok(())
                } else {
                    self.no_target(target)
                }
            }
            _ => illegal("b. Play", "this is no target of the card"),
        }
    }

    fn check_opponent(&self, target: Target, seat: Seat) -> Result<(), Illegal> {
        if seat.index() >= self.rules.seats() || self.opponents_with_eras() >> seat.index() & 1 == 0
        {
            return illegal("b. Play", "the target is no opponent with Eras");
        }
        if self.own_stack_allows(target) { Ok(()) } else { self.no_target(target) }
    }

    fn no_target(&self, target: Target) -> Result<(), Illegal> {
        match target {
            Target::Turn => illegal("Cards", "Time Loop is played once, and not in an extra turn"),
            _ if self.stack().is_empty() => illegal("R5", "the own Era stack is empty"),
            Target::Era => illegal("R2", "the Portal does not match the face-up Era"),
            Target::FaceDownEra => illegal("Cards", "the own top Era is not face down"),
            _ => illegal("Cards", "the own top Era is not face up"),
        }
    }

    /// The first filled place; the first symbol; `END_PLAY`; 0; none; `NO_TECHNOLOGY`.
    pub(super) fn default(&self) -> Option<Action> {
        Some(match self.step {
            Step::TakeBasic => {
                let first = self.market(Type::Basic).filled().trailing_zeros();
                let place =
                    if first < ROW as u32 { Place::Row(first as u8) } else { Place::Unseen };
                Action::TakeBasic(place)
            }
            Step::Portal => Action::Portal(Symbol::ALL[self.supplied().trailing_zeros() as usize]),
            Step::Play => Action::EndPlay,
            Step::PutOnTop => Action::PutOnTop(0),
            Step::Refit => Action::Keep(None),
            Step::Technology => Action::NoTechnology,
            Step::Over => return None,
        })
    }
}

fn illegal(rule: &'static str, why: &'static str) -> Result<(), Illegal> {
    Err(Illegal { rule, why })
}
