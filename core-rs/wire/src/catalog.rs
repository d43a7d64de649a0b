//! What the games tell about themselves.

use sha2::{Digest, Sha256};
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::vocab::{ActionPlane, GameInfo, ObservationField, OptionInfo};
use tablestate_rules::{AnyOptions, Game};

use crate::{WireGame, v1};

/// The names of the games, in alphabetical order.
pub fn games() -> Vec<&'static str> {
    vec![Eternitium::INFO.id, OffTheRails::INFO.id, Offboard::INFO.id, OffTrack::INFO.id]
}

/// What a game tells about itself; none if there is no game of this name. The bots are the
/// caller's to fill in.
pub fn game_info(game: &str) -> Option<v1::GameInfo> {
    match game {
        _ if game == Offboard::INFO.id => Some(write_info::<Offboard>(&defaults_of::<Offboard>())),
        _ if game == OffTrack::INFO.id => Some(write_info::<OffTrack>(&defaults_of::<OffTrack>())),
        _ if game == Eternitium::INFO.id => {
            Some(write_info::<Eternitium>(&defaults_of::<Eternitium>()))
        }
        _ if game == OffTheRails::INFO.id => {
            Some(write_info::<OffTheRails>(&defaults_of::<OffTheRails>()))
        }
        _ => None,
    }
}

/// The same of the game of these options, with the layouts that they lead to.
pub fn game_info_for(options: &AnyOptions) -> v1::GameInfo {
    match options {
        AnyOptions::Offboard(options) => write_info::<Offboard>(options),
        AnyOptions::OffTrack(options) => write_info::<OffTrack>(options),
        AnyOptions::Eternitium(options) => write_info::<Eternitium>(options),
        AnyOptions::OffTheRails(options) => write_info::<OffTheRails>(options),
    }
}

fn defaults_of<G: WireGame>() -> G::Options {
    G::complete(&G::Options::default()).expect("default options are sound")
}

fn write_info<G: WireGame>(options: &G::Options) -> v1::GameInfo {
    let (info, defaults) = (G::INFO, defaults_of::<G>());
    v1::GameInfo {
        game: info.id.into(),
        title: info.title.into(),
        rules_version: info.rules_version,
        min_seats: info.min_seats as u32,
        max_seats: info.max_seats as u32,
        default_options: Some(G::write_options(&defaults)),
        options: info.options.iter().map(write_option).collect(),
        action_space: Some(write_action_space(&G::action_planes(options))),
        observation_space: Some(write_observation_space(&info, &G::observation_fields(options))),
        bots: Vec::new(),
        summary: info.summary.into(),
    }
}

fn write_option(option: &OptionInfo) -> v1::OptionInfo {
    v1::OptionInfo {
        name: option.name.into(),
        default_value: option.default.into(),
        values: option.values.into(),
        meaning: option.meaning.into(),
    }
}

fn write_action_space(planes: &[ActionPlane]) -> v1::ActionSpace {
    let size = planes.last().map_or(0, |p| p.offset + p.shape.iter().product::<usize>());
    v1::ActionSpace {
        size: size as u32,
        planes: planes.iter().map(write_plane).collect(),
        digest: layout_digest(planes),
    }
}

fn write_plane(plane: &ActionPlane) -> v1::ActionPlane {
    v1::ActionPlane {
        kind: plane.kind.into(),
        offset: plane.offset as u32,
        shape: plane.shape.iter().map(|&size| size as u32).collect(),
        axes: plane.axes.iter().map(|&axis| axis.into()).collect(),
    }
}

/// SHA-256 over one line a plane: kind, offset, and the sizes of the axes, split by spaces.
fn layout_digest(planes: &[ActionPlane]) -> String {
    let mut hasher = Sha256::new();
    for plane in planes {
        let sizes: String = plane.shape.iter().map(|size| format!(" {size}")).collect();
        hasher.update(format!("{} {}{sizes}\n", plane.kind, plane.offset));
    }
    hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn write_observation_space(info: &GameInfo, fields: &[ObservationField]) -> v1::ObservationSpace {
    let mut offset = 0;
    let mut place = |field: &ObservationField| {
        let message = v1::ObservationField {
            name: field.name.into(),
            offset,
            size: field.size as u32,
            meaning: field.meaning.into(),
        };
        offset += field.size as u32;
        message
    };
    let fields: Vec<_> = fields.iter().map(&mut place).collect();
    v1::ObservationSpace {
        size: fields.iter().map(|field| field.size).sum(),
        version: info.observation_version,
        fields,
    }
}
