//! What a model is asked: one request as it was built, in the shape of Anthropic's Messages API. Knows
//! nothing of what it says.

use serde_json::Value;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ask {
    /// The body as it is sent, byte for byte, to a provider that speaks that protocol; for others it is
    /// translated. With `"stream":true` the answer comes bit by bit.
    pub body: String,
    /// Names of beta features, for the header.
    pub betas: Vec<String>,
}

impl Ask {
    /// Its body without what only an answer needs: what is sent to be counted.
    #[must_use]
    pub fn to_count(&self) -> String {
        let mut body: Value = serde_json::from_str(&self.body).unwrap_or_default();
        if let Some(fields) = body.as_object_mut() {
            fields.remove("max_tokens");
            fields.remove("stream");
        }
        body.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_has_no_field_of_an_answer() {
        let body = r#"{"model":"m","max_tokens":9,"stream":true,"system":[],"messages":[{"role":"user"}]}"#;
        let ask = Ask {
            body: body.to_string(),
            betas: Vec::new(),
        };
        assert_eq!(
            ask.to_count(),
            r#"{"messages":[{"role":"user"}],"model":"m","system":[]}"#
        );
    }
}
