//! Setting a match up.

use super::course::Course;
use super::deck::Deck;
use super::event::{Event, EventOf};
use super::geometry::{MAX_SQUARES, MINES, Mine, Squares};
use super::jewels::Jewels;
use super::missions::{Deeds, Missions};
use super::options::Rules;
use super::state::{Chasm, OffTheRails, Step, TOKENS, Table};
use super::track::Tracks;
use crate::chance::Chance;
use crate::game::Events;
use crate::vocab::Seat;

impl Table {
    /// An empty board, all jewels in the bag, all carts in supply.
    pub(super) fn bare(rules: Rules) -> Self {
        Self {
            rules,
            step: Step::Actions,
            turn: Seat::of(0),
            actions_taken: 0,
            tracks: Tracks::default(),
            jewels: [Jewels::EMPTY; MAX_SQUARES],
            carts: Default::default(),
            bag: Jewels::all(),
            removed: Jewels::EMPTY,
            stockpiles: Default::default(),
            deck: Deck::new(rules.deposit_cards),
            chasm: Chasm::closed(),
            missions: Missions::NONE,
            claimed: Default::default(),
            deeds: Deeds::default(),
            motion: None,
            collision: None,
            drawn: None,
        }
    }
}

impl Chasm {
    /// All tokens are to come.
    pub(super) fn closed() -> Self {
        Self {
            opener: None,
            is_open: false,
            tokens: [Squares::EMPTY; MINES],
            to_come: [TOKENS; MINES],
            put_out: [0; MINES],
        }
    }
}

impl OffTheRails {
    /// The opening deposits, the missions, and seat 0 begins.
    pub(super) fn at_start(
        rules: Rules,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) -> Self {
        let mut state = Self { table: Table::bare(rules), left_hand: None };
        let mut course = Course { state: &mut state, chance, events };
        Mine::ALL.into_iter().for_each(|mine| course.open_deposit(mine));
        course.deal_missions();
        let seat = course.table().turn;
        course.events.emit(|| EventOf::TurnStarted { seat });
        state
    }
}

impl<C: Chance, E: Events<Event>> Course<'_, C, E> {
    /// Deck 6: one card of each colour.
    fn open_deposit(&mut self, mine: Mine) {
        let number = self.state.table.deck.show(mine, self.chance);
        self.deposit(mine, number);
    }

    /// One more than there are seats.
    fn deal_missions(&mut self) {
        let rules = self.table().rules;
        if !rules.missions {
            return;
        }
        let mut rest = Missions::dealt_from(rules.bumper_cars);
        let dealt = (0..=rules.seats()).filter_map(|_| rest.draw(self.chance));
        let missions: Missions = dealt.collect();
        self.table().missions = missions;
        self.events.emit(|| EventOf::MissionsDealt { missions });
    }
}
