//! Views read back: from what a viewer was shown to a position that agrees with it.

use prost::Message;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{AnyOptions, AnyPosition, Faults, Position, Seat, Viewer};

use crate::any::check_size;
use crate::compare::Compare;
use crate::step::Refusal;
use crate::{WireGame, v1};

/// No view of any game comes near to this.
const MOST_BYTES: usize = 8 * 1024;

/// A position that agrees with what a viewer was shown, made from that alone: it shows the viewer
/// the very same message. What the viewer does not see is filled in somehow; who is to be
/// truth-blind draws anew with [`tablestate_rules::Game::determinize`]. The options are those of
/// the match, completed.
pub fn load_view(
    options: &AnyOptions,
    viewer: Viewer,
    bytes: &[u8],
) -> Result<AnyPosition, Refusal> {
    check_size("view", bytes, MOST_BYTES).map_err(Refusal::Invalid)?;
    let view = v1::GameView::decode(bytes)?;
    match options {
        AnyOptions::Offboard(options) => read::<Offboard>(options, viewer, &view),
        AnyOptions::OffTrack(options) => read::<OffTrack>(options, viewer, &view),
        AnyOptions::Eternitium(options) => read::<Eternitium>(options, viewer, &view),
        AnyOptions::OffTheRails(options) => read::<OffTheRails>(options, viewer, &view),
    }
    .map_err(Refusal::Invalid)
}

/// A game whose views can be read back.
pub(crate) trait ReadView: WireGame {
    /// The game's own message in a view.
    type Message: Compare;

    /// The message, if the view is one of this game.
    fn content(view: &v1::GameView) -> Option<&Self::Message>;

    /// A position made from what the viewer sees; the viewer is at the table. What follows from
    /// the rest is not looked at: the position may show the viewer something else. Lists every
    /// fault, with paths that begin at the view.
    fn imagine(
        options: &Self::Options,
        viewer: Viewer,
        view: &Self::Message,
    ) -> Result<Position<Self>, Faults>;
}

/// Whether the viewer is the seat of a number.
pub(crate) fn is_seat(viewer: Viewer, number: usize) -> bool {
    Seat::new(number).is_some_and(|seat| viewer == Viewer::Seat(seat))
}

fn read<G: ReadView>(
    options: &G::Options,
    viewer: Viewer,
    view: &v1::GameView,
) -> Result<AnyPosition, Faults> {
    check_viewer(viewer, G::seats_of(options))?;
    let content = G::content(view)
        .ok_or_else(|| Faults::one("view.game", "not set", "a view of the options' game"))?;
    let position = G::imagine(options, viewer, content).map_err(|faults| faults.under("view"))?;
    let mut faults = Faults::default();
    let again = G::write_view(&position.view(viewer));
    if let Some(again) = G::content(&again) {
        content.compare(again, &format!("view.{}", G::INFO.id), &mut faults);
    }
    faults.or(G::any(position))
}

fn check_viewer(viewer: Viewer, seats: usize) -> Result<(), Faults> {
    match viewer {
        Viewer::Seat(seat) if seat.index() >= seats => Err(Faults::one(
            "seat",
            seat.index(),
            format!("a seat of the options, 0 to {}", seats - 1),
        )),
        _ => Ok(()),
    }
}
