//! The switches of the Preview view as a grid: key, name and state of each.

use std::path::PathBuf;

use crate::app::preview_edit::{AGENT, paths};
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
    let is_offered =
        |name: &str| name != AGENT || switches.agent.is_some() || !preview.agents.is_empty();
    let all = keys.iter().zip(states(preview, switches));
    let all = all.filter(|((_, name), _)| is_offered(name));
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

/// The state of each switch: layout, version, model, recall, compacted, resumed, file read, edited,
/// question, folders, agent, turns; whether it is guessed, and whether it is as at the start.
fn states(preview: &Preview, switches: &Switches) -> [(String, bool, bool); 12] {
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
    let path = |path: &Option<PathBuf>| path.as_deref().map(|it| it.display().to_string());
    let added = Some(paths(&switches.added)).filter(|all| !all.is_empty());
    let read = Some(paths(&switches.read)).filter(|all| !all.is_empty());
    let is_guess = switches.model.is_none();
    [
        (layout.to_string(), false, layout == "observed"),
        version,
        (preview.model.clone(), is_guess, is_guess),
        (recall.to_string(), false, switches.recall == start.recall),
        yes(switches.moment == Moment::Compacted),
        yes(switches.moment == Moment::Resumed),
        none(read),
        none(path(&switches.edited)),
        none(switches.prompt.clone()),
        none(added),
        match &switches.agent {
            Some(name) => (name.clone(), false, false),
            None => ("main".to_string(), false, true),
        },
        (
            grouped(switches.turns),
            false,
            switches.turns == start.turns,
        ),
    ]
}
