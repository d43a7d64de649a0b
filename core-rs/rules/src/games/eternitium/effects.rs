//! What the cards do when they are played.

use super::action::Aim;
use super::cards::{Card, Effect, Target};
use super::event::{Event, EventOf};
use super::stack::exchange_tops;
use super::state::{Eternitium, REFILL_AFTER_GAMBLE, Step};
use crate::chance::Chance;
use crate::game::Events;
use crate::vocab::Seat;

impl Eternitium {
    /// b. A card goes to the play area and does what it does.
    pub(super) fn play(
        &mut self,
        card: Card,
        aim: Aim,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let seat = self.to_act;
        let opponent = if let Aim::Seat(opponent) = aim { Some(opponent) } else { None };
        self.turn.played = true;
        self.holdings[seat.index()].hand.remove(card);
        self.table.play_area.insert(card);
        events.emit(|| EventOf::Played { seat, card, opponent });
        if card.kind().target == Target::Era {
            self.open(card, chance, events);
        } else {
            self.carry_out(card, aim, chance, events);
        }
    }

    /// A Portal on the own top Era.
    fn open(&mut self, card: Card, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        let stack = &mut self.stacks[seat.index()];
        stack.fix(1, chance);
        let era = stack.fixed(0);
        if !stack.face_up {
            events.emit(|| EventOf::EraRevealed { seat, era });
        }
        if card.opens(era) {
            stack.take_top();
            self.table.gone[era as usize] += 1;
            events.emit(|| EventOf::EraLeft { seat, era });
            self.carry_out(card, Aim::None, chance, events);
        } else if card.kind().is_safe {
            stack.face_up = true;
            events.emit(|| EventOf::EraTurned { seat, era });
        } else {
            self.lose_gamble(chance, events);
        }
    }

    /// The stack is shuffled, the play step ends, the refill will be to 4. R3: a seat with this
    /// Era alone gains another first.
    fn lose_gamble(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        events.emit(|| EventOf::GambleLost { seat });
        let stack = &mut self.stacks[seat.index()];
        let is_last = stack.len() == 1;
        if let Some(era) = is_last.then(|| self.table.pile.draw(chance)).flatten() {
            stack.put_in(era);
            events.emit(|| EventOf::EraGainedUnseen { seat });
        }
        stack.shuffle();
        events.emit(|| EventOf::StackShuffled { seat });
        self.turn.refill = REFILL_AFTER_GAMBLE;
        self.discard(None, events);
    }

    fn carry_out(
        &mut self,
        card: Card,
        aim: Aim,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let seat = self.to_act;
        for &effect in card.kind().effects {
            match (effect, aim) {
                (Effect::TurnUp, _) => self.turn_up(seat, chance, events),
                (Effect::Draw(number), _) => {
                    self.draw_cards(seat, number.into(), None, chance, events);
                }
                (Effect::CoverAll, _) => {
                    self.opponents().for_each(|opponent| self.cover(opponent, events));
                }
                (Effect::ExtraTurn, _) => self.turn.looped = true,
                (Effect::Look, _) => self.look(chance, events),
                (Effect::RemoveOther, Aim::Card(other)) => self.remove(other, events),
                (Effect::Cover, Aim::Seat(opponent)) => self.cover(opponent, events),
                (Effect::Exchange, Aim::Seat(opponent)) => self.exchange(opponent, chance, events),
                (Effect::Exile, Aim::Seat(opponent)) => self.exile(opponent, events),
                // A legal aim is the one that the effects need.
                _ => {}
            }
        }
    }

    /// The top Era of a stack is turned face up, if there is one and it is not.
    #[inline]
    pub(super) fn turn_up(
        &mut self,
        seat: Seat,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let stack = &mut self.stacks[seat.index()];
        if stack.is_empty() || stack.face_up {
            return;
        }
        stack.fix(1, chance);
        stack.face_up = true;
        events.emit(|| EventOf::EraTurned { seat, era: stack.fixed(0) });
    }

    /// A top Era is turned face down, and the stack shuffled.
    fn cover(&mut self, seat: Seat, events: &mut impl Events<Event>) {
        let stack = &mut self.stacks[seat.index()];
        if stack.is_empty() {
            return;
        }
        if stack.face_up {
            events.emit(|| EventOf::EraCovered { seat });
        }
        stack.shuffle();
        events.emit(|| EventOf::StackShuffled { seat });
    }

    fn exchange(
        &mut self,
        opponent: Seat,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let seat = self.to_act;
        let stacks = self.stacks.get_disjoint_mut([seat.index(), opponent.index()]);
        let Ok([own, other]) = stacks else { return };
        own.fix(1, chance);
        other.fix(1, chance);
        exchange_tops(own, other);
        events.emit(|| EventOf::ErasExchanged { seat, opponent });
    }

    fn exile(&mut self, opponent: Seat, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        let Some(era) = self.stacks[seat.index()].take_top() else { return };
        self.stacks[opponent.index()].put_under(era);
        events.emit(|| EventOf::EraExiled { seat, opponent, era });
    }

    /// Scanner: the seat is shown its top two Eras, or the only one.
    fn look(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        self.stacks[seat.index()].fix(2, chance);
        self.step = Step::PutOnTop;
        events.emit(|| {
            let eras = self.stacks[seat.index()].first_two();
            EventOf::ErasSeen { seat, number: eras.len(), eras }
        });
    }

    /// The chosen Era goes on top, face up, the other face down below it.
    pub(super) fn put_on_top(&mut self, position: usize, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        let stack = &mut self.stacks[seat.index()];
        if position > 0 {
            stack.swap_top();
        }
        stack.face_up = true;
        self.step = Step::Play;
        events.emit(|| EventOf::PutOnTop { seat, position, era: stack.fixed(0) });
    }
}
