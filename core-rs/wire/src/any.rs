//! Content of positions whose game the caller does not know.

use prost::Message;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::vocab::GameInfo;
use tablestate_rules::{
    AnyOptions, AnyPosition, Faults, Game, LegalSet, Outcome, Position, Reason, SeatSet, Viewer,
    for_any,
};

use crate::games::{eternitium, off_the_rails, offboard, offtrack};
use crate::step::Refusal;
use crate::{WireGame, v1};

/// The legal actions of the actor by all their names; none when the game is over.
pub fn legal_actions(position: &AnyPosition) -> v1::LegalActions {
    for_any!(position, position => legal_actions_of(position.state()))
}

fn legal_actions_of<G: WireGame>(state: &G) -> v1::LegalActions {
    let legal = state.legal();
    let mut actions = Vec::with_capacity(legal.count());
    legal.for_each(|action| {
        actions.push(v1::LegalAction {
            index: state.index(action) as u32,
            notation: state.notation(action),
            action: Some(state.write_action(action)),
        });
    });
    v1::LegalActions { actions, mask: mask_of(state) }
}

/// The mask of the legal actions.
pub fn legal_mask(position: &AnyPosition) -> Vec<u8> {
    for_any!(position, position => mask_of(position.state()))
}

fn mask_of<G: Game>(state: &G) -> Vec<u8> {
    let mut mask = vec![0; state.actions().div_ceil(8)];
    state.legal().write_mask(&mut mask);
    mask
}

/// The legal actions in notation, by rising index.
pub fn legal_notations(position: &AnyPosition) -> Vec<String> {
    for_any!(position, position => {
        let mut notations = Vec::new();
        position.state().legal().for_each(|action| notations.push(position.state().notation(action)));
        notations
    })
}

/// What a viewer may see.
pub fn view(position: &AnyPosition, viewer: Viewer) -> v1::GameView {
    for_any!(position, position => view_of(position, viewer))
}

fn view_of<G: WireGame>(position: &Position<G>, viewer: Viewer) -> v1::GameView {
    G::write_view(&position.view(viewer))
}

/// What a viewer may see, as the bytes of the game's observation.
pub fn observation(position: &AnyPosition, viewer: Viewer) -> Vec<u8> {
    for_any!(position, position => observation_of(position, viewer))
}

fn observation_of<G: Game>(position: &Position<G>, viewer: Viewer) -> Vec<u8> {
    let mut observation = vec![0; position.state().observation_bytes()];
    position.observe(viewer, &mut observation);
    observation
}

/// The outcome, when the game is over or only one seat has not forfeited.
pub fn outcome(position: &AnyPosition, forfeited: SeatSet) -> Option<v1::Outcome> {
    for_any!(position, position => position.outcome(forfeited).as_ref().map(v1::Outcome::from))
}

/// The result when all seats that have not forfeited agree on a draw.
pub fn agreed_draw(position: &AnyPosition, forfeited: SeatSet) -> v1::Outcome {
    for_any!(position, position => v1::Outcome::from(&position.agreed_draw(forfeited)))
}

/// Everything that a position holds.
pub fn save(position: &AnyPosition) -> v1::GameState {
    for_any!(position, position => WireGame::write_state(position))
}

/// The position of a full state.
pub fn load(bytes: &[u8]) -> Result<AnyPosition, Refusal> {
    check_size("state", bytes, MOST_BYTES).map_err(Refusal::Invalid)?;
    let message = v1::GameState::decode(bytes)?;
    let position = match message.game {
        Some(v1::game_state::Game::Offboard(state)) => {
            offboard::read_state(&state).map(AnyPosition::Offboard)
        }
        Some(v1::game_state::Game::Offtrack(state)) => {
            offtrack::read_state(&state).map(AnyPosition::OffTrack)
        }
        Some(v1::game_state::Game::Eternitium(state)) => {
            eternitium::read_state(&state).map(AnyPosition::Eternitium)
        }
        Some(v1::game_state::Game::OffTheRails(state)) => {
            off_the_rails::read_state(&state).map(AnyPosition::OffTheRails)
        }
        None => Err(Faults::one("game", "not set", "the state of one game")),
    };
    position.map_err(|faults| Refusal::Invalid(faults.under("state")))
}

/// No options and no state of any game come near to this; reading more would take long.
pub(crate) const MOST_BYTES: usize = 64 * 1024;

/// Refuses a message that is too large to be what it should be, before it is read.
pub(crate) fn check_size(field: &str, bytes: &[u8], most: usize) -> Result<(), Faults> {
    if bytes.len() <= most {
        return Ok(());
    }
    let value = format!("{} bytes", bytes.len());
    Err(Faults::one(field, value, format!("at most {most} bytes")))
}

/// Writes options.
pub fn encode_options(options: &AnyOptions) -> Vec<u8> {
    match options {
        AnyOptions::Offboard(options) => Offboard::write_options(options).encode_to_vec(),
        AnyOptions::OffTrack(options) => OffTrack::write_options(options).encode_to_vec(),
        AnyOptions::Eternitium(options) => Eternitium::write_options(options).encode_to_vec(),
        AnyOptions::OffTheRails(options) => OffTheRails::write_options(options).encode_to_vec(),
    }
}

/// What the game of these options tells about itself.
pub fn info_of(options: &AnyOptions) -> GameInfo {
    match options {
        AnyOptions::Offboard(_) => Offboard::INFO,
        AnyOptions::OffTrack(_) => OffTrack::INFO,
        AnyOptions::Eternitium(_) => Eternitium::INFO,
        AnyOptions::OffTheRails(_) => OffTheRails::INFO,
    }
}

/// The number of seats that the options ask for.
pub fn seats_of(options: &AnyOptions) -> usize {
    match options {
        AnyOptions::Offboard(options) => Offboard::seats_of(options),
        AnyOptions::OffTrack(options) => OffTrack::seats_of(options),
        AnyOptions::Eternitium(options) => Eternitium::seats_of(options),
        AnyOptions::OffTheRails(options) => OffTheRails::seats_of(options),
    }
}

impl From<&Outcome> for v1::Outcome {
    fn from(outcome: &Outcome) -> Self {
        Self {
            winners: outcome.winners.iter().map(|seat| seat.index() as u32).collect(),
            reason: write_reason(outcome.reason).into(),
            scores: outcome.scores.to_vec(),
            shares: outcome.shares().to_vec(),
            returns: outcome.returns().to_vec(),
        }
    }
}

fn write_reason(reason: Reason) -> v1::OutcomeReason {
    match reason {
        Reason::Forfeit => v1::OutcomeReason::Forfeit,
        Reason::Agreement => v1::OutcomeReason::Agreement,
        Reason::OffboardPoints => v1::OutcomeReason::OffboardPoints,
        Reason::OffboardRepetition => v1::OutcomeReason::OffboardRepetition,
        Reason::OffboardQuietLimit => v1::OutcomeReason::OffboardQuietLimit,
        Reason::OffboardOutOfReach => v1::OutcomeReason::OffboardOutOfReach,
        Reason::OffboardNoMove => v1::OutcomeReason::OffboardNoMove,
        Reason::OffTrackRoundsPlayed => v1::OutcomeReason::OfftrackRoundsPlayed,
        Reason::EternitiumErasGone => v1::OutcomeReason::EternitiumErasGone,
        Reason::EternitiumMaxRounds => v1::OutcomeReason::EternitiumMaxRounds,
        Reason::OffTheRailsNoCartOnBoard => v1::OutcomeReason::OffTheRailsNoCartOnBoard,
        Reason::OffTheRailsLastToken => v1::OutcomeReason::OffTheRailsLastToken,
    }
}
