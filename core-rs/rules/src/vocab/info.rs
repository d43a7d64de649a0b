//! What a game tells about itself.

/// What there is to know of a game before playing it.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// Its name in requests.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it is about, in a sentence.
    pub summary: &'static str,
    /// The version of its rules, stored with every match.
    pub rules_version: u32,
    /// The fewest seats.
    pub min_seats: usize,
    /// The most seats.
    pub max_seats: usize,
    /// Its options.
    pub options: &'static [OptionInfo],
    /// The version of the observation's layout.
    pub observation_version: u32,
}

/// One option of a game.
#[derive(Clone, Debug)]
pub struct OptionInfo {
    /// The field's name.
    pub name: &'static str,
    /// Its default, as text.
    pub default: &'static str,
    /// The values it takes, as text.
    pub values: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The indices of one kind of action.
#[derive(Clone, Debug)]
pub struct ActionPlane {
    /// The kind, in capitals.
    pub kind: &'static str,
    /// The first index.
    pub offset: usize,
    /// The size of each axis, the last varying fastest.
    pub shape: Vec<usize>,
    /// What each axis counts.
    pub axes: Vec<&'static str>,
}

/// A field of the observation.
#[derive(Clone, Debug)]
pub struct ObservationField {
    /// Its name.
    pub name: &'static str,
    /// How many bytes.
    pub size: usize,
    /// What the bytes hold.
    pub meaning: &'static str,
}
