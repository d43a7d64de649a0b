//! Which decisions are legal, as a mask and one at a time.

use super::action::{Action, Layout, Play, Spot};
use super::lines::{COLLAPSE, MAX_LINES};
use super::state::{ActionCard, OffTrack, Step};
use crate::error::Illegal;
use crate::vocab::Mask;

/// Room for the largest index: 8 eras, 2 decks, 4 branches make 1 445.
pub(super) const MASK_WORDS: usize = 23;

pub(super) type LegalMask = Mask<MASK_WORDS>;

impl OffTrack {
    /// The legal indices.
    #[inline]
    pub(super) fn legal_mask(&self) -> LegalMask {
        let layout = self.layout();
        let mut mask = LegalMask::new(layout.size());
        match self.step {
            Step::Held | Step::Drawn => self.mark_action(&layout, &mut mask),
            Step::Main => self.mark_main(&layout, &mut mask),
            Step::Offer => {
                mask.set(layout.draw);
                mask.set(layout.end);
            }
            Step::Over => {}
        }
        mask
    }

    fn mark_action(&self, layout: &Layout, mask: &mut LegalMask) {
        mask.set(layout.discard);
        if self.may_hold() {
            mask.set(layout.hold);
        }
        match self.action_in_question() {
            Some(ActionCard::Shear) => self.for_each_spot(|line, index, kind, nth| {
                if self.can_shear(line, index) {
                    mask.set(layout.shear(kind, nth));
                }
            }),
            Some(ActionCard::QuantumShunt) => self.for_each_spot(|line, _, kind, nth| {
                for onto in (0..self.lines.count()).filter(|&onto| self.can_shunt(line, onto)) {
                    mask.set(layout.shunt(kind, nth, onto));
                }
            }),
            Some(ActionCard::Recall) => self.for_each_spot(|line, _, kind, nth| {
                if self.lines.len(line) >= 2 {
                    mask.set(layout.recall(kind, nth));
                }
            }),
            Some(ActionCard::Mend) => self.mark_mends(layout, mask),
            Some(action) => self.mark_lines(layout, action, mask),
            None => {}
        }
    }

    fn mark_mends(&self, layout: &Layout, mask: &mut LegalMask) {
        for branch in 1..self.lines.count() {
            for onto in 0..self.lines.count() {
                if self.can_mend(branch, (onto != branch).then_some(onto)) {
                    mask.set(layout.mend(branch, onto));
                }
            }
        }
    }

    fn mark_lines(&self, layout: &Layout, action: ActionCard, mask: &mut LegalMask) {
        for line in 0..self.lines.count() {
            if self.can_target_line(action, line) {
                mask.set(layout.on_line(action, line));
            }
        }
    }

    fn mark_main(&self, layout: &Layout, mask: &mut LegalMask) {
        if self.must_skip() {
            return mask.set(layout.skip);
        }
        for line in (0..self.lines.count()).filter(|&line| self.lines.takes_cards(line)) {
            for card in self.hand().cards() {
                mask.set(layout.append(card, line));
            }
        }
        if self.may_cycle() {
            mask.set_bits(layout.cycle(0), self.cycles());
        }
    }

    /// Calls `visit` with line, index, type and number of that type for each card on the table.
    #[inline]
    fn for_each_spot(&self, mut visit: impl FnMut(usize, usize, usize, usize)) {
        let mut seen = 0u128;
        for line in 0..self.lines.count() {
            for (index, card) in self.lines.cards(line).enumerate() {
                let kind = card.kind();
                visit(line, index, kind, (seen >> kind & 1) as usize);
                seen |= 1 << kind;
            }
        }
    }

    /// R10: a held action cannot be held again; R13: nor one that the house rule drew.
    fn may_hold(&self) -> bool {
        self.step == Step::Drawn && !self.rules.every_turn
    }

    fn may_cycle(&self) -> bool {
        !self.cycled.contains(self.to_act)
    }

    /// The sets of places that can be cycled, bit p = the set p: none only from an empty hand.
    fn cycles(&self) -> u32 {
        let choices = self.hand().choices();
        if self.hand().is_empty() { choices } else { choices & !1 }
    }

    fn may_append(&self) -> bool {
        let takes = (0..self.lines.count()).any(|line| self.lines.takes_cards(line));
        takes && !self.hand().is_empty()
    }

    /// R11: no line is open; R11b: neither an append nor a cycle is possible.
    pub(super) fn must_skip(&self) -> bool {
        self.none_is_open() || !(self.may_append() || self.may_cycle())
    }

    fn none_is_open(&self) -> bool {
        !(0..self.lines.count()).any(|line| self.lines.is_open(line))
    }

    /// The card is on an open line and there is one past it towards the add end.
    fn can_shear(&self, line: usize, index: usize) -> bool {
        let last = if self.lines.is_flipped(line) { 0 } else { self.lines.len(line) - 1 };
        self.lines.is_open(line) && index != last
    }

    /// A non-empty open branch and another open line; a branch must stay below seven. R18: a
    /// branch of one card takes no second line.
    fn can_mend(&self, branch: usize, onto: Option<usize>) -> bool {
        let moving = match self.lines.len(branch) {
            cards if branch == 0 || cards == 0 || !self.lines.is_open(branch) => return false,
            cards => cards - 1,
        };
        match onto {
            None => moving == 0,
            Some(onto) => {
                let fits = onto == 0 || self.lines.len(onto) + moving < COLLAPSE;
                moving > 0 && self.lines.is_open(onto) && fits
            }
        }
    }

    fn can_shunt(&self, line: usize, onto: usize) -> bool {
        line != onto && self.lines.is_open(line) && self.lines.takes_cards(onto)
    }

    /// Whether an action whose target is a line can be played on this one.
    fn can_target_line(&self, action: ActionCard, line: usize) -> bool {
        let open = self.lines.is_open(line);
        match action {
            ActionCard::ParadoxLoop => !self.lines.is_flipped(line),
            ActionCard::Redeem => self.lines.cards(line).any(|card| card.value() < 0),
            ActionCard::Quarantine => open,
            ActionCard::Breach => !open || line > 0 && self.lines.len(line) >= 2,
            _ => false,
        }
    }

    pub(super) fn check_action(&self, action: Action) -> Result<(), Illegal> {
        match (self.step, action) {
            (Step::Over, _) => illegal("End", "the match is over"),
            (Step::Held | Step::Drawn, Action::Play(play)) => self.check_play(play),
            (Step::Held | Step::Drawn, Action::Discard)
            | (Step::Offer, Action::Draw | Action::End) => Ok(()),
            (Step::Drawn, Action::Hold) if self.may_hold() => Ok(()),
            (Step::Drawn, Action::Hold) => illegal("R13", "the house rule's action cannot be held"),
            (Step::Held, Action::Hold) => illegal("R10", "a held action cannot be held again"),
            (Step::Held | Step::Drawn, _) => {
                illegal("Held action", "the action must be decided about first")
            }
            (Step::Main, Action::Append { .. } | Action::Cycle(_) | Action::Skip) => {
                self.check_main(action)
            }
            (Step::Main, _) => illegal("Main step", "this is the time to append or cycle"),
            (Step::Offer, _) => illegal("Action", "this is the time to draw or end"),
        }
    }

    fn check_main(&self, action: Action) -> Result<(), Illegal> {
        let skipping = self.must_skip();
        match action {
            Action::Skip if skipping => Ok(()),
            Action::Skip => illegal("R11", "an append or a cycle is possible"),
            _ if self.none_is_open() => illegal("R11", "no line is open: only a skip is possible"),
            _ if skipping => illegal("R11b", "nothing but a skip is possible"),
            Action::Append { card, line } => {
                let line = usize::from(line);
                if !self.hand().cards().any(|own| own == card) {
                    return illegal("Append", "the card is not in the hand");
                }
                self.check_line(line)
            }
            Action::Cycle(_) if !self.may_cycle() => {
                illegal("Cycle", "the seat's last main step was a cycle")
            }
            Action::Cycle(0) if !self.hand().is_empty() => {
                illegal("Cycle", "only an empty hand cycles no card")
            }
            Action::Cycle(places) => {
                if places >= Action::NOT_IN_HAND || self.cycles() >> places & 1 == 0 {
                    return illegal("Cycle", "no such cards are in the hand");
                }
                Ok(())
            }
            _ => illegal("Main step", "this is the time to append or cycle"),
        }
    }

    /// Whether a line takes an append.
    fn check_line(&self, line: usize) -> Result<(), Illegal> {
        if line >= self.lines.count() {
            return illegal("Append", "there is no such line");
        }
        if !self.lines.is_open(line) {
            return illegal("Quarantine", "the line is sealed");
        }
        if !self.lines.takes_cards(line) {
            return illegal("R5", "a waiting branch takes no cards");
        }
        Ok(())
    }

    fn check_play(&self, play: Play) -> Result<(), Illegal> {
        if self.action_in_question() != Some(play.card()) {
            return illegal("Actions", "the seat has not this action to decide about");
        }
        if !self.is_there(play) {
            return illegal("Actions", "there is no such card or line on the table");
        }
        if self.is_target(play) { Ok(()) } else { self.no_target(play) }
    }

    /// Whether the cards and lines that an action names are on the table.
    fn is_there(&self, play: Play) -> bool {
        let stands = |line: u8| usize::from(line) < self.lines.count();
        let lies = |spot: Spot| {
            stands(spot.line) && usize::from(spot.index) < self.lines.len(spot.line.into())
        };
        match play {
            Play::Shear(spot) | Play::Recall(spot) => lies(spot),
            Play::Mend { branch, onto } => stands(branch) && onto.is_none_or(stands),
            Play::Shunt { from, onto } => lies(from) && stands(onto),
            Play::Loop(line) | Play::Redeem(line) | Play::Quarantine(line) | Play::Breach(line) => {
                stands(line)
            }
        }
    }

    /// Whether what is there is a target of the action.
    fn is_target(&self, play: Play) -> bool {
        match play {
            Play::Shear(spot) => self.can_shear(spot.line.into(), spot.index.into()),
            Play::Mend { branch, onto } => {
                onto != Some(branch) && self.can_mend(branch.into(), onto.map(usize::from))
            }
            Play::Shunt { from, onto } => self.can_shunt(from.line.into(), onto.into()),
            Play::Recall(spot) => self.lines.len(spot.line.into()) >= 2,
            Play::Loop(line) | Play::Redeem(line) | Play::Quarantine(line) | Play::Breach(line) => {
                self.can_target_line(play.card(), line.into())
            }
        }
    }

    fn no_target(&self, play: Play) -> Result<(), Illegal> {
        let is_sealed = |line: u8| !self.lines.is_open(line.into());
        match play {
            Play::Mend { branch, onto: Some(_) }
                if branch > 0 && self.lines.len(branch.into()) == 1 =>
            {
                illegal("R18", "a branch of one card takes no second line")
            }
            Play::Shear(Spot { line, .. })
            | Play::Mend { branch: line, .. }
            | Play::Shunt { from: Spot { line, .. }, .. }
            | Play::Quarantine(line)
                if is_sealed(line) =>
            {
                illegal("Quarantine", "the line is sealed")
            }
            Play::Mend { onto: Some(onto), .. } | Play::Shunt { onto, .. } if is_sealed(onto) => {
                illegal("Quarantine", "the line is sealed")
            }
            Play::Shunt { from, onto } if from.line != onto => {
                illegal("R5", "a waiting branch takes no cards")
            }
            _ => illegal("Actions", "this is no target of the action"),
        }
    }

    /// `DISCARD`; the whole hand, or the card of lowest value on the first line; `SKIP`; `END`.
    pub(super) fn default(&self) -> Option<Action> {
        match self.step {
            Step::Held | Step::Drawn => Some(Action::Discard),
            Step::Offer => Some(Action::End),
            Step::Over => None,
            Step::Main if self.must_skip() => Some(Action::Skip),
            Step::Main if self.may_cycle() => Some(Action::Cycle((1u8 << self.hand().len()) - 1)),
            Step::Main => {
                let card = self.hand().cards().min_by_key(|card| card.value())?;
                let line = (0..self.lines.count()).find(|&line| self.lines.takes_cards(line))?;
                Some(Action::Append { card, line: line as u8 })
            }
        }
    }
}

const _: () = assert!(MAX_LINES <= 8, "flips are bits of 8");

fn illegal(rule: &'static str, why: &'static str) -> Result<(), Illegal> {
    Err(Illegal { rule, why })
}
