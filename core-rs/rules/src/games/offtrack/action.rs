//! The decisions of OffTrack and their index.

use super::cards::{Card, HAND};
use super::options::Rules;
use super::state::{ActionCard, OffTrack};

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Play the held or drawn action.
    Play(Play),
    /// Discard it.
    Discard,
    /// Hold it until the next turn.
    Hold,
    /// Add a card to a line.
    Append {
        /// The card from the hand.
        card: Card,
        /// Where it goes.
        line: u8,
    },
    /// Discard the cards of these places of the sorted hand, place i as bit i;
    /// [`Action::NOT_IN_HAND`] for cards that are not all there.
    Cycle(u8),
    /// Nothing can be done.
    Skip,
    /// Draw an action.
    Draw,
    /// End the turn.
    End,
}

/// An action card with its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// Cut a line behind a card.
    Shear(Spot),
    /// Score a branch's edge and move its rest.
    Mend {
        /// The branch.
        branch: u8,
        /// Where its rest goes; none for a branch of one card (R18).
        onto: Option<u8>,
    },
    /// Move a card to another line.
    Shunt {
        /// The card.
        from: Spot,
        /// The other line.
        onto: u8,
    },
    /// Move a card to the harvest edge.
    Recall(Spot),
    /// Flip a line.
    Loop(u8),
    /// Turn a line's negative cards positive.
    Redeem(u8),
    /// Seal a line.
    Quarantine(u8),
    /// Score a branch's edge, or open a sealed line.
    Breach(u8),
}

/// A card on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The line.
    pub line: u8,
    /// Its index there, from the oldest.
    pub index: u8,
}

impl Action {
    /// In a [`Action::Cycle`]: a place that no hand has, for cards that are not in the hand.
    pub const NOT_IN_HAND: u8 = 1 << HAND;
}

impl Spot {
    /// Where a card lies that is not on the table.
    pub const NOWHERE: Self = Self { line: u8::MAX, index: u8::MAX };
}

impl Play {
    /// Which card is played.
    pub fn card(self) -> ActionCard {
        match self {
            Self::Shear(_) => ActionCard::Shear,
            Self::Mend { .. } => ActionCard::Mend,
            Self::Shunt { .. } => ActionCard::QuantumShunt,
            Self::Recall(_) => ActionCard::Recall,
            Self::Loop(_) => ActionCard::ParadoxLoop,
            Self::Redeem(_) => ActionCard::Redeem,
            Self::Quarantine(_) => ActionCard::Quarantine,
            Self::Breach(_) => ActionCard::Breach,
        }
    }
}

/// The first index of each plane; they follow one another in the order of the rules' "Index".
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    copies: usize,
    lines: usize,
    mend: usize,
    shunt: usize,
    recall: usize,
    /// Loop, Redeem, Quarantine and Breach follow one another, a line each.
    by_line: usize,
    pub(super) discard: usize,
    pub(super) hold: usize,
    append: usize,
    cycle: usize,
    pub(super) skip: usize,
    pub(super) draw: usize,
    pub(super) end: usize,
}

/// Sets of places of a hand of five.
const CYCLES: usize = 32;

impl Layout {
    #[inline]
    pub(super) fn new(rules: &Rules) -> Self {
        let (copies, lines) = (rules.decks as usize, rules.lines());
        let cards = rules.types() * copies;
        let mend = cards;
        let shunt = mend + (lines - 1) * lines;
        let recall = shunt + cards * lines;
        let by_line = recall + cards;
        let discard = by_line + 4 * lines;
        let append = discard + 2;
        let cycle = append + rules.types() * lines;
        let skip = cycle + CYCLES;
        Self {
            copies,
            lines,
            mend,
            shunt,
            recall,
            by_line,
            discard,
            hold: discard + 1,
            append,
            cycle,
            skip,
            draw: skip + 1,
            end: skip + 2,
        }
    }

    /// The number of indices.
    #[inline]
    pub(super) fn size(&self) -> usize {
        self.end + 1
    }

    #[inline]
    pub(super) fn shear(&self, kind: usize, nth: usize) -> usize {
        kind * self.copies + nth
    }

    #[inline]
    pub(super) fn mend(&self, branch: usize, onto: usize) -> usize {
        self.mend + (branch - 1) * self.lines + onto
    }

    #[inline]
    pub(super) fn shunt(&self, kind: usize, nth: usize, onto: usize) -> usize {
        self.shunt + (kind * self.copies + nth) * self.lines + onto
    }

    #[inline]
    pub(super) fn recall(&self, kind: usize, nth: usize) -> usize {
        self.recall + kind * self.copies + nth
    }

    /// The first index of `APPEND`.
    pub(super) fn append_plane(&self) -> usize {
        self.append
    }

    /// The index of an action whose target is a line.
    #[inline]
    pub(super) fn on_line(&self, action: ActionCard, line: usize) -> usize {
        self.by_line + (action as usize - ActionCard::ParadoxLoop as usize) * self.lines + line
    }

    #[inline]
    pub(super) fn append(&self, card: Card, line: usize) -> usize {
        self.append + card.kind() * self.lines + line
    }

    #[inline]
    pub(super) fn cycle(&self, places: u8) -> usize {
        self.cycle + places as usize
    }
}

impl OffTrack {
    pub(super) fn index_of(&self, action: Action) -> usize {
        let layout = self.layout();
        match action {
            Action::Play(play) => self.index_of_play(&layout, play),
            Action::Discard => layout.discard,
            Action::Hold => layout.hold,
            Action::Append { card, line } => layout.append(card, line.into()),
            Action::Cycle(places) => layout.cycle(places),
            Action::Skip => layout.skip,
            Action::Draw => layout.draw,
            Action::End => layout.end,
        }
    }

    fn index_of_play(&self, layout: &Layout, play: Play) -> usize {
        match play {
            Play::Shear(spot) => {
                let (kind, nth) = self.name_of(spot);
                layout.shear(kind, nth)
            }
            Play::Mend { branch, onto } => {
                layout.mend(branch.into(), onto.unwrap_or(branch).into())
            }
            Play::Shunt { from, onto } => {
                let (kind, nth) = self.name_of(from);
                layout.shunt(kind, nth, onto.into())
            }
            Play::Recall(spot) => {
                let (kind, nth) = self.name_of(spot);
                layout.recall(kind, nth)
            }
            Play::Loop(line) | Play::Redeem(line) | Play::Quarantine(line) | Play::Breach(line) => {
                layout.on_line(play.card(), line.into())
            }
        }
    }

    /// A card's type, and which of that type it is on the table.
    fn name_of(&self, spot: Spot) -> (usize, usize) {
        let (line, index) = (usize::from(spot.line), usize::from(spot.index));
        let kind = self.lines.card(line, index).kind();
        let is_first = self.rules.decks == 1 || self.lines.find(kind, 0) == Some((line, index));
        (kind, usize::from(!is_first))
    }

    #[inline]
    pub(super) fn action_of(&self, index: usize) -> Option<Action> {
        let layout = self.layout();
        if index >= layout.size() {
            return None;
        }
        if index < layout.discard {
            return Some(Action::Play(self.play_of(&layout, index)));
        }
        if index == layout.discard {
            return Some(Action::Discard);
        }
        if index == layout.hold {
            return Some(Action::Hold);
        }
        if index < layout.cycle {
            let place = index - layout.append;
            let (kind, line) = (place / layout.lines, place % layout.lines);
            return Some(Action::Append { card: Card::of(kind), line: line as u8 });
        }
        if index < layout.skip {
            return Some(Action::Cycle((index - layout.cycle) as u8));
        }
        Some([Action::Skip, Action::Draw, Action::End][index - layout.skip])
    }

    fn play_of(&self, layout: &Layout, index: usize) -> Play {
        if index < layout.mend {
            return Play::Shear(self.spot_of(layout, index));
        }
        if index < layout.shunt {
            let place = index - layout.mend;
            let (branch, onto) = ((place / layout.lines + 1) as u8, (place % layout.lines) as u8);
            return Play::Mend { branch, onto: (onto != branch).then_some(onto) };
        }
        if index < layout.recall {
            let place = index - layout.shunt;
            let from = self.spot_of(layout, place / layout.lines);
            return Play::Shunt { from, onto: (place % layout.lines) as u8 };
        }
        if index < layout.by_line {
            return Play::Recall(self.spot_of(layout, index - layout.recall));
        }
        let place = index - layout.by_line;
        let line = (place % layout.lines) as u8;
        let make = [Play::Loop, Play::Redeem, Play::Quarantine, Play::Breach];
        make[place / layout.lines](line)
    }

    /// Where a card lies that an index names by its type.
    fn spot_of(&self, layout: &Layout, place: usize) -> Spot {
        match self.lines.find(place / layout.copies, place % layout.copies) {
            Some((line, index)) => Spot { line: line as u8, index: index as u8 },
            None => Spot::NOWHERE,
        }
    }

    #[inline]
    pub(super) fn layout(&self) -> Layout {
        Layout::new(&self.rules)
    }
}
