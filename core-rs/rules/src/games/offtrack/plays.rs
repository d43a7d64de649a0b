//! What the eight actions do, in the order of the rules' table.

use super::action::{Play, Spot};
use super::cards::Card;
use super::event::{Event, EventOf};
use super::state::OffTrack;
use crate::game::Events;

impl OffTrack {
    /// Carries out an action whose target is legal.
    pub(super) fn play(&mut self, play: Play, events: &mut impl Events<Event>) {
        match play {
            Play::Shear(Spot { line, index }) => self.shear(line.into(), index.into(), events),
            Play::Mend { branch, onto } => {
                self.mend(branch.into(), onto.map(usize::from), events);
            }
            Play::Shunt { from: Spot { line, index }, onto } => {
                self.shunt(line.into(), index.into(), onto.into(), events);
            }
            Play::Recall(Spot { line, index }) => self.recall(line.into(), index.into(), events),
            Play::Loop(line) => self.flip(line.into(), events),
            Play::Redeem(line) => self.redeem(line.into(), events),
            Play::Quarantine(line) => self.quarantine(line.into(), events),
            Play::Breach(line) => self.breach(line.into(), events),
        }
    }

    fn shear(&mut self, line: usize, index: usize, events: &mut impl Events<Event>) {
        if self.lines.branches() < usize::from(self.rules.max_branches) {
            let branch = self.lines.open_branch();
            events.emit(|| EventOf::Sheared { line, index, branch: Some(branch) });
            self.cut_off(line, index, branch);
            self.count_line(branch, events);
        } else {
            events.emit(|| EventOf::Sheared { line, index, branch: None });
            let nearest = if self.lines.is_flipped(line) { index - 1 } else { index + 1 };
            self.score(line, nearest, events);
            self.box_past(line, index, events);
        }
    }

    /// Moves the cards past an index to an empty branch, their order kept.
    fn cut_off(&mut self, line: usize, index: usize, branch: usize) {
        if self.lines.is_flipped(line) {
            for place in 0..index {
                let card = self.lines.remove(line, 0);
                self.lines.insert(branch, place, card);
            }
        } else {
            while self.lines.len(line) > index + 1 {
                let last = self.lines.len(line) - 1;
                let card = self.lines.remove(line, last);
                self.lines.insert(branch, 0, card);
            }
        }
    }

    /// Boxes what lies past a card whose nearest neighbour there was scored.
    fn box_past(&mut self, line: usize, index: usize, events: &mut impl Events<Event>) {
        let past = if self.lines.is_flipped(line) {
            0..index - 1
        } else {
            index + 1..self.lines.len(line)
        };
        if past.is_empty() {
            return;
        }
        let cards = || past.clone().map(|place| self.lines.card(line, place)).collect();
        events.emit(|| EventOf::Boxed { line, cards: cards() });
        for place in past.rev() {
            let card = self.lines.remove(line, place);
            self.boxed.insert(card);
        }
    }

    /// The acting seat scores a card.
    fn score(&mut self, line: usize, index: usize, events: &mut impl Events<Event>) {
        let (seat, card) = (self.to_act, self.lines.remove(line, index));
        self.piles[seat.index()].insert(card);
        events.emit(|| EventOf::Scored { seat, line, card });
    }

    fn mend(&mut self, branch: usize, onto: Option<usize>, events: &mut impl Events<Event>) {
        if let Some(edge) = self.lines.edge(branch) {
            self.score(branch, edge, events);
        }
        let Some(onto) = onto else { return };
        while self.lines.len(branch) > 0 {
            self.move_card(branch, 0, onto, events);
        }
    }

    fn move_card(
        &mut self,
        from: usize,
        index: usize,
        onto: usize,
        events: &mut impl Events<Event>,
    ) {
        let card = self.lines.remove(from, index);
        self.lines.add(onto, card);
        events.emit(|| EventOf::Moved { from, onto, card });
    }

    fn shunt(&mut self, line: usize, index: usize, onto: usize, events: &mut impl Events<Event>) {
        self.move_card(line, index, onto, events);
        self.count_line(onto, events);
    }

    /// R19: the card goes beside the harvest edge, on its far side from the add end.
    fn recall(&mut self, line: usize, index: usize, events: &mut impl Events<Event>) {
        let Some(edge) = self.lines.edge(line) else { return };
        let to = self.beside_edge(line, index, edge);
        self.lines.move_within(line, index, to);
        events.emit(|| EventOf::Recalled { line, from: index, to });
        self.lines.pin(line, to);
        events.emit(|| EventOf::Pinned { line, index: to });
        self.collect(line, to, events);
    }

    /// Where a card at `index` comes to lie beside the edge: before it, or behind it while the
    /// line is flipped. The edge itself stays where it is.
    fn beside_edge(&self, line: usize, index: usize, edge: usize) -> usize {
        let flipped = self.lines.is_flipped(line);
        match index {
            _ if index == edge => edge,
            _ if index < edge => edge - usize::from(!flipped),
            _ => edge + usize::from(flipped),
        }
    }

    fn flip(&mut self, line: usize, events: &mut impl Events<Event>) {
        self.lines.flip(line);
        events.emit(|| EventOf::Flipped { line });
    }

    fn redeem(&mut self, line: usize, events: &mut impl Events<Event>) {
        let negative = |card: &Card| card.value() < 0;
        events.emit(|| EventOf::Redeemed {
            line,
            cards: self.lines.cards(line).filter(negative).collect(),
        });
        for index in 0..self.lines.len(line) {
            let card = self.lines.card(line, index);
            self.lines.replace(line, index, card.redeemed());
        }
    }

    fn quarantine(&mut self, line: usize, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        self.lines.seal(line, seat);
        events.emit(|| EventOf::Sealed { line, seat });
    }

    fn breach(&mut self, line: usize, events: &mut impl Events<Event>) {
        if self.lines.is_open(line) {
            if let Some(edge) = self.lines.edge(line) {
                self.score(line, edge, events);
            }
        } else {
            self.lines.open(line);
            events.emit(|| EventOf::Opened { line });
        }
    }
}
