//! Starting and playing games by messages.

use prost::Message;
use tablestate_rules::chance::{Recording, Scripted};
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{
    AnyOptions, AnyPosition, Chance, Faults, Game, Illegal, Position, Viewer, for_any,
};

use crate::any::{MOST_BYTES, check_size};
use crate::games::{eternitium, off_the_rails, offboard, offtrack};
use crate::{WireGame, v1};

/// Why the core refuses.
#[derive(Debug)]
pub enum Refusal {
    /// The bytes are no message.
    Malformed,
    /// Fields are wrong whatever the state is.
    Invalid(Faults),
    /// Options of a game are wrong.
    Options(Faults),
    /// The action is not legal now.
    Illegal {
        /// Which rule forbids it.
        illegal: Illegal,
        /// The action in notation.
        notation: String,
    },
    /// A stored action or stored draws do not fit the game.
    Damaged,
}

impl From<prost::DecodeError> for Refusal {
    fn from(_: prost::DecodeError) -> Self {
        Self::Malformed
    }
}

/// What an action, or the set-up, brought about.
pub struct Step {
    /// The position after it.
    pub position: AnyPosition,
    /// The action in notation; empty for the set-up.
    pub notation: String,
    /// The values drawn by chance, in order.
    pub draws: Vec<u32>,
    /// How many values each draw could have had.
    pub bounds: Vec<u32>,
    events: Box<dyn EventLog>,
}

impl Step {
    /// The events as the viewer may know them, in order.
    pub fn events(&self, viewer: Viewer) -> Vec<Vec<u8>> {
        self.events.show(viewer)
    }
}

/// The events of a step, whatever the game.
trait EventLog: Send + Sync {
    fn show(&self, viewer: Viewer) -> Vec<Vec<u8>>;
}

struct GameEvents<G: Game>(Vec<G::Event>);

impl<G: WireGame> EventLog for GameEvents<G> {
    fn show(&self, viewer: Viewer) -> Vec<Vec<u8>> {
        let shown = self.0.iter().filter_map(|event| G::show(event, viewer));
        shown.map(|event| G::write_event(&event).encode_to_vec()).collect()
    }
}

/// Reads, completes and checks options.
pub fn complete(bytes: &[u8]) -> Result<AnyOptions, Refusal> {
    check_size("options", bytes, MOST_BYTES).map_err(Refusal::Options)?;
    let message = v1::GameOptions::decode(bytes)?;
    let options = match message.game {
        Some(v1::game_options::Game::Offboard(options)) => {
            let options = Offboard::complete(&offboard::read_options(&options));
            options.map(AnyOptions::Offboard)
        }
        Some(v1::game_options::Game::Offtrack(options)) => {
            let options = offtrack::read_options(&options);
            options.and_then(|options| OffTrack::complete(&options)).map(AnyOptions::OffTrack)
        }
        Some(v1::game_options::Game::Eternitium(options)) => {
            let options = eternitium::read_options(&options);
            let options = options.and_then(|options| Eternitium::complete(&options));
            options.map(AnyOptions::Eternitium)
        }
        Some(v1::game_options::Game::OffTheRails(options)) => {
            let options = off_the_rails::read_options(&options);
            let options = options.and_then(|options| OffTheRails::complete(&options));
            options.map(AnyOptions::OffTheRails)
        }
        None => Err(Faults::one("game", "not set", "the options of one game")),
    };
    options.map_err(|faults| Refusal::Options(faults.under("options")))
}

/// Sets a game up.
pub fn start(options: &AnyOptions, chance: impl Chance) -> Result<Step, Refusal> {
    match options {
        AnyOptions::Offboard(options) => start_as::<Offboard>(options, chance),
        AnyOptions::OffTrack(options) => start_as::<OffTrack>(options, chance),
        AnyOptions::Eternitium(options) => start_as::<Eternitium>(options, chance),
        AnyOptions::OffTheRails(options) => start_as::<OffTheRails>(options, chance),
    }
}

fn start_as<G: WireGame>(options: &G::Options, chance: impl Chance) -> Result<Step, Refusal> {
    let (mut chance, mut events) = (Recording::new(chance), Vec::new());
    let position = Position::<G>::new(options, &mut chance, &mut events)
        .map_err(|faults| Refusal::Options(faults.under("options")))?;
    let (draws, bounds) = chance.into_draws();
    Ok(Step {
        position: G::any(position),
        notation: String::new(),
        draws,
        bounds,
        events: Box::new(GameEvents::<G>(events)),
    })
}

/// Sets a game up from stored draws.
pub fn replay_start(options: &AnyOptions, draws: &[u32]) -> Result<Step, Refusal> {
    let mut chance = Scripted::new(draws);
    let step = start(options, &mut chance)?;
    if chance.is_spent() { Ok(step) } else { Err(Refusal::Damaged) }
}

/// The notation of a choice, if it is legal.
pub fn check(position: &AnyPosition, choice: &[u8]) -> Result<String, Refusal> {
    for_any!(position, position => {
        let state = position.state();
        let action = read_legal(state, choice)?;
        Ok(state.notation(action))
    })
}

/// Applies a choice.
pub fn apply(position: &AnyPosition, choice: &[u8], chance: impl Chance) -> Result<Step, Refusal> {
    for_any!(position, position => {
        let action = read_legal(position.state(), choice)?;
        Ok(step(position, action, chance))
    })
}

/// Applies a stored action with its stored draws.
pub fn replay(position: &AnyPosition, notation: &str, draws: &[u32]) -> Result<Step, Refusal> {
    for_any!(position, position => {
        let mut chance = Scripted::new(draws);
        let action = position.state().parse(notation).map_err(|_| Refusal::Damaged)?;
        position.state().check(action).map_err(|_| Refusal::Damaged)?;
        let step = step(position, action, &mut chance);
        if chance.is_spent() { Ok(step) } else { Err(Refusal::Damaged) }
    })
}

/// What comes of draws that may not suffice.
pub enum Attempt {
    /// They do not: the next draw can have so many values.
    Draw(u32),
    /// They do.
    Done(Box<Step>),
}

impl Attempt {
    fn of(step: Step, chance: &Scripted<'_>, draws: &[u32]) -> Result<Self, Refusal> {
        match chance.missing() {
            Some(bound) => Ok(Self::Draw(bound)),
            None if chance.is_spent() => Ok(Self::Done(Box::new(step))),
            None => {
                let asked = step.bounds.iter().zip(draws).position(|(bound, draw)| draw >= bound);
                let number = asked.unwrap_or(step.bounds.len());
                let expected = match asked {
                    Some(number) => format!("a number below {}", step.bounds[number]),
                    None => format!("{number} draws"),
                };
                let field = format!("draws[{number}]");
                Err(Refusal::Invalid(Faults::one(&field, draws[number], &expected)))
            }
        }
    }
}

/// Sets a game up from draws that may not suffice.
pub fn attempt_start(options: &AnyOptions, draws: &[u32]) -> Result<Attempt, Refusal> {
    let mut chance = Scripted::new(draws);
    let step = start(options, &mut chance)?;
    Attempt::of(step, &chance, draws)
}

/// Takes the action of an index with draws that may not suffice.
pub fn attempt(position: &AnyPosition, index: u32, draws: &[u32]) -> Result<Attempt, Refusal> {
    for_any!(position, position => {
        let state = position.state();
        let choice = read_index(state, index).map_err(Refusal::Invalid)?;
        let action = check_legal(state, choice)?;
        let mut chance = Scripted::new(draws);
        let step = step(position, action, &mut chance);
        Attempt::of(step, &chance, draws)
    })
}

fn step<G: WireGame>(position: &Position<G>, action: G::Action, chance: impl Chance) -> Step {
    let notation = position.state().notation(action);
    let (mut chance, mut events) = (Recording::new(chance), Vec::new());
    let mut next = position.clone();
    next.apply_unchecked(action, &mut chance, &mut events);
    let (draws, bounds) = chance.into_draws();
    Step {
        position: G::any(next),
        notation,
        draws,
        bounds,
        events: Box::new(GameEvents::<G>(events)),
    }
}

fn read_legal<G: WireGame>(state: &G, choice: &[u8]) -> Result<G::Action, Refusal> {
    let choice = v1::ActionChoice::decode(choice)?.choice;
    let action =
        read_choice(state, choice).map_err(|faults| Refusal::Invalid(faults.under("choice")))?;
    check_legal(state, action)
}

fn check_legal<G: WireGame>(state: &G, action: G::Action) -> Result<G::Action, Refusal> {
    let notation = || state.notation(action);
    state.check(action).map_err(|illegal| Refusal::Illegal { illegal, notation: notation() })?;
    Ok(action)
}

fn read_index<G: WireGame>(state: &G, index: u32) -> Result<G::Action, Faults> {
    state.action_at(index as usize).ok_or_else(|| {
        let expected = format!("an index below {} that names an action", state.actions());
        Faults::one("index", index, &expected)
    })
}

fn read_choice<G: WireGame>(
    state: &G,
    choice: Option<v1::action_choice::Choice>,
) -> Result<G::Action, Faults> {
    match choice {
        Some(v1::action_choice::Choice::Action(message)) => {
            state.read_action(&message).map_err(|faults| faults.under("action"))
        }
        Some(v1::action_choice::Choice::Notation(text)) => state.parse(&text),
        Some(v1::action_choice::Choice::Index(index)) => read_index(state, index),
        None => Err(Faults::one("choice", "not set", "action, notation or index")),
    }
}
