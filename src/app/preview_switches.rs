//! The switches of the Preview view as a grid: key, name and state of each.

use std::path::Path;

use crate::base::text;
use crate::base::time::grouped;
use crate::context::memory_prompt::Recall;
use crate::context::preview::{Layout, Moment, Preview, Switches};

/// From these cells on two switches stand side by side.
const SIDE_BY_SIDE: usize = 68;

/// One switch as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// As wide as the widest key.
    pub key: String,
    pub name: &'static str,
    /// May be foreign text.
    pub state: String,
    /// Nobody chose it.
    pub guessed: bool,
    /// It is as it is at the start.
    pub usual: bool,
}

/// The switches row by row. `keys`: the key of each and its name, in the order of [`states`].
#[must_use]
pub fn rows(
    preview: &Preview,
    switches: &Switches,
    keys: &[(String, &'static str)],
    cells: usize,
) -> Vec<Vec<Switch>> {
    let widest = keys.iter().map(|(key, _)| text::width(key)).max();
    let all = keys.iter().zip(states(preview, switches));
    let all: Vec<Switch> = all
        .map(|((key, name), (state, guessed, usual))| Switch {
            key: text::fit(key, widest.unwrap_or(0)),
            name,
            state,
            guessed,
            usual,
        })
        .collect();
    let columns = if cells >= SIDE_BY_SIDE { 2 } else { 1 };
    all.chunks(columns).map(<[Switch]>::to_vec).collect()
}

/// The state of each switch: layout, version, model, recall, compacted, resumed, file, question, turns;
/// whether it is guessed, and whether it is as at the start.
fn states(preview: &Preview, switches: &Switches) -> [(String, bool, bool); 9] {
    let start = Switches::default();
    let yes = |is: bool| (if is { "yes" } else { "no" }.to_string(), false, !is);
    let layout = match switches.layout {
        Layout::Ours => "ours",
        Layout::Observed(_) => "observed",
    };
    let version = preview.observed.as_ref().map_or_else(
        || ("–".to_string(), false, true),
        |shown| (shown.version.clone(), shown.guessed, shown.guessed),
    );
    let recall = match switches.recall {
        Recall::Index => "index",
        Recall::Prefetch => "prefetch",
        Recall::Off => "off",
    };
    let none = |given: Option<String>| {
        let is_none = given.is_none();
        (given.unwrap_or_else(|| "none".to_string()), false, is_none)
    };
    let read = switches.read.as_deref().map(Path::display);
    let is_guess = switches.model.is_none();
    [
        (layout.to_string(), false, layout == "observed"),
        version,
        (preview.model.clone(), is_guess, is_guess),
        (recall.to_string(), false, switches.recall == start.recall),
        yes(switches.moment == Moment::Compacted),
        yes(switches.moment == Moment::Resumed),
        none(read.map(|path| path.to_string())),
        none(switches.prompt.clone()),
        (
            grouped(switches.turns),
            false,
            switches.turns == start.turns,
        ),
    ]
}
