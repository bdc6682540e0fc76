//! What the Preview view says of a request as a whole, in sentences.

use crate::base::time::grouped;
use crate::context::observed::models::AutoCompact;
use crate::context::part::Place;
use crate::context::preview::{Moment, Preview};

/// Whose request it is: `observed 2.1.332 · claude-opus-5-5`.
#[must_use]
pub fn title(preview: &Preview) -> String {
    let whose = match &preview.observed {
        None => "our own chat".to_string(),
        Some(shown) => format!("observed {}", shown.version),
    };
    let switches = &preview.asked.switches;
    let of = match (&preview.agent, switches.moment) {
        (Some(agent), _) => format!(" · the sub-agent {}", agent.file.name),
        (None, Moment::New) if switches.edited.is_some() => " · a session that goes on".to_string(),
        (None, _) => String::new(),
    };
    format!("{whose} · {}{of}", preview.model)
}

/// When the client compacts; `None`: that is not known.
#[must_use]
pub fn compacts(preview: &Preview) -> Option<String> {
    Some(match preview.compacts.as_ref()? {
        AutoCompact::At(tokens) => format!("compacts of itself at {}", grouped(*tokens)),
        AutoCompact::WhenRefused => {
            "compacts only once the provider refuses a prompt as too long".to_string()
        }
        AutoCompact::Off(by) => format!("does not compact of itself: {by}"),
    })
}

/// What turns cost.
#[must_use]
pub fn money(preview: &Preview) -> String {
    match &preview.money {
        None => format!(
            "no price for {}: [prices] in config.toml gives one",
            preview.model
        ),
        Some(money) => format!(
            "input {}{} first turn · {} later · {} cold",
            preview.about(),
            money.turns.first,
            money.turns.later,
            money.turns.cold
        ),
    }
}

/// What a change that is not saved yet makes of it.
#[must_use]
pub fn difference(preview: &Preview) -> Option<String> {
    let difference = preview.difference?;
    let change = |about: &str, (before, after): (usize, usize)| {
        format!("{about}{} → {} tokens", grouped(before), grouped(after))
    };
    let read = difference
        .as_read
        .map(|read| format!(" · whenever it is read {}", change("≈ ", read)));
    let read = read.unwrap_or_default();
    Some(format!(
        "once it is saved: {}{read}",
        change(preview.about(), difference.tokens)
    ))
}

/// Where a part stands: `messages[0] user`.
#[must_use]
pub fn place_words(place: Place) -> String {
    match place {
        Place::Tools => "tools".to_string(),
        Place::System { .. } => "system".to_string(),
        Place::Message { message, role, .. } => format!("messages[{message}] {}", role.word()),
    }
}
