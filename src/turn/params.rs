//! What the requests of our own chat are sent with: model, length of an answer, tools. It is latched with the
//! session, since all of it is part of the cache's key.

use crate::config::limits::{ANSWER_TOKENS, SMALL_ANSWER_TOKENS};
use crate::config::model::{Model, Protocol};
use crate::context::request::Params;
use crate::turn::tools;

/// By what is set up. Where no model is named there is none yet.
#[must_use]
pub fn params(settings: &Model) -> Params {
    Params {
        model: settings.main.clone().unwrap_or_default(),
        max_tokens: Some(answer_tokens(settings)),
        stream: true,
        tools: tools::described(),
        ..Params::default()
    }
}

/// A quarter of the window where that is set: an answer must leave room for what it answers. A server of
/// unknown make may have a small one.
fn answer_tokens(settings: &Model) -> u32 {
    let quarter = settings
        .window
        .map(|window| u32::try_from(window / 4).unwrap_or(u32::MAX));
    match (quarter, settings.provider.unwrap_or_default()) {
        (Some(quarter), _) => quarter.clamp(1, ANSWER_TOKENS),
        (None, Protocol::Anthropic) => ANSWER_TOKENS,
        (None, Protocol::OpenAi) => SMALL_ANSWER_TOKENS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_leaves_room_for_what_it_answers() {
        let tokens = |provider, window| {
            let settings = Model {
                provider,
                window,
                ..Model::default()
            };
            params(&settings).max_tokens
        };
        assert_eq!(tokens(None, None), Some(16_000));
        assert_eq!(tokens(Some(Protocol::OpenAi), None), Some(4_096));
        assert_eq!(tokens(Some(Protocol::OpenAi), Some(8_192)), Some(2_048));
        assert_eq!(tokens(None, Some(1_000_000)), Some(16_000));
    }
}
