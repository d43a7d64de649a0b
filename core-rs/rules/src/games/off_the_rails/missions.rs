//! The missions (R19) as a table, and what a turn brings for them (R29).

use super::cart::{Colour, FASTEST, HOLD, SLOWEST};
use super::jewels::{Jewel, Jewels};
use super::state::Table;
use crate::chance::Chance;
use crate::vocab::Seat;

/// Missions, numbered from 1.
pub(super) const MISSIONS: usize = 11;

/// The mission of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mission(u8);

impl Mission {
    pub(super) const FULL_HOLD: Self = Self(1);
    pub(super) const SPECTRUM: Self = Self(2);
    pub(super) const EXPRESS: Self = Self(3);
    pub(super) const SLOW_FREIGHT: Self = Self(4);
    pub(super) const THROUGH_TRAFFIC: Self = Self(5);
    pub(super) const SHAKEDOWN: Self = Self(6);
    pub(super) const WRECKER: Self = Self(7);
    pub(super) const QUARRYMAN: Self = Self(8);
    pub(super) const DOUBLE_SHIFT: Self = Self(9);
    pub(super) const GRAND_TOUR: Self = Self(10);
    pub(super) const LONG_HAUL: Self = Self(11);

    /// The mission of a number, if there is one.
    pub fn new(number: usize) -> Option<Self> {
        (1..=MISSIONS).contains(&number).then_some(Self(number as u8))
    }

    /// All, by rising number.
    pub fn all() -> impl Iterator<Item = Self> {
        (1..=MISSIONS as u8).map(Self)
    }

    /// Its number, from 1.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    const fn bit(self) -> u16 {
        1 << (self.0 - 1)
    }
}

/// A set of missions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Missions(u16);

impl Missions {
    /// None.
    pub const NONE: Self = Self(0);

    /// Those that can be dealt: some speak of what bumper cars never do.
    pub(super) fn dealt_from(bumper_cars: bool) -> Self {
        let never = [Mission::SHAKEDOWN, Mission::WRECKER];
        Mission::all().filter(|mission| !(bumper_cars && never.contains(mission))).collect()
    }

    /// Those that what is noted of a turn can meet; 9 follows from what the carts have banked.
    pub(super) fn noted() -> Self {
        let others = [Mission::SPECTRUM, Mission::QUARRYMAN, Mission::DOUBLE_SHIFT];
        Mission::all().filter(|mission| !others.contains(mission)).collect()
    }

    /// Whether a mission is in the set.
    pub const fn contains(self, mission: Mission) -> bool {
        self.0 & mission.bit() != 0
    }

    pub(super) fn insert(&mut self, mission: Mission) {
        self.0 |= mission.bit();
    }

    pub(super) fn remove(&mut self, mission: Mission) {
        self.0 &= !mission.bit();
    }

    /// Takes one out: one draw from those in the set.
    pub(super) fn draw(&mut self, chance: &mut impl Chance) -> Option<Mission> {
        let drawn = self.iter().nth(chance.draw(self.len() as u32) as usize)?;
        self.remove(drawn);
        Some(drawn)
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// How many.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The missions, by rising number.
    pub fn iter(self) -> impl Iterator<Item = Mission> {
        Mission::all().filter(move |&mission| self.contains(mission))
    }

    /// Bit n the mission of number n + 1.
    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    pub(super) const fn word(self) -> u64 {
        self.0 as u64
    }
}

impl FromIterator<Mission> for Missions {
    fn from_iter<I: IntoIterator<Item = Mission>>(missions: I) -> Self {
        let mut set = Self::NONE;
        missions.into_iter().for_each(|mission| set.insert(mission));
        set
    }
}

/// R29: what a turn has brought for missions; nothing is noted without them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deeds {
    /// Which cart has banked at least one jewel: white, black.
    pub banked: [bool; 2],
    /// The missions that what was done meets, of those that speak of what is done.
    pub met: Missions,
}

impl Deeds {
    pub(super) const fn word(self) -> u64 {
        self.met.word() << 2 | (self.banked[1] as u64) << 1 | self.banked[0] as u64
    }
}

impl Table {
    /// Notes that the turn meets a mission.
    pub(super) fn note(&mut self, mission: Mission) {
        if self.rules.missions {
            self.deeds.met.insert(mission);
        }
    }

    /// Notes what banking a hold meets.
    pub(super) fn note_banked(&mut self, colour: Colour, hold: Jewels, speed: u8, opposite: bool) {
        if !self.rules.missions || hold.is_empty() {
            return;
        }
        self.deeds.banked[colour as usize] = true;
        for (mission, is_met) in [
            (Mission::FULL_HOLD, hold.len() == HOLD),
            (Mission::EXPRESS, speed == FASTEST),
            (Mission::SLOW_FREIGHT, speed == SLOWEST),
            (Mission::THROUGH_TRAFFIC, opposite),
        ] {
            if is_met {
                self.note(mission);
            }
        }
    }

    /// The face-up missions that a seat meets in its turn.
    #[inline]
    pub(super) fn met(&self, seat: Seat) -> Missions {
        if self.missions.is_empty() {
            return Missions::NONE;
        }
        let pile = self.stockpile(seat);
        let has = |jewel| pile.count(jewel) > 0;
        let precious = [Jewel::Ruby, Jewel::Emerald, Jewel::Gold, Jewel::Diamond];
        let standing = [
            (Mission::SPECTRUM, precious.into_iter().all(has)),
            (Mission::QUARRYMAN, pile.count(Jewel::Rock) >= 3),
            (Mission::DOUBLE_SHIFT, self.deeds.banked == [true; 2]),
        ];
        let standing = standing.into_iter().filter(|&(_, is_met)| is_met);
        let standing: Missions = standing.map(|(mission, _)| mission).collect();
        self.deeds.met.or(standing).and(self.missions)
    }
}
