//! The input of a call, field by field: what is missing or of another kind is said in a sentence.

use serde_json::Value;

pub struct Input<'a>(pub &'a Value);

impl<'a> Input<'a> {
    /// A text that has to be there.
    pub fn text(&self, key: &str) -> Result<&'a str, String> {
        self.optional_text(key)?
            .ok_or_else(|| format!("{key} is missing: it has to be a text"))
    }

    pub fn optional_text(&self, key: &str) -> Result<Option<&'a str>, String> {
        match &self.0[key] {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text)),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                Err(format!("{key} has to be a text"))
            }
        }
    }

    /// A whole number from `least` on; models write some of them as texts.
    pub fn number(&self, key: &str, least: usize) -> Result<Option<usize>, String> {
        let wrong = || format!("{key} has to be a whole number from {least} on");
        let number = match &self.0[key] {
            Value::Null => return Ok(None),
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.trim().parse().ok(),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
        };
        let number = number.and_then(|number| usize::try_from(number).ok());
        number
            .filter(|number| *number >= least)
            .map(Some)
            .ok_or_else(wrong)
    }

    pub fn flag(&self, key: &str) -> Result<bool, String> {
        match &self.0[key] {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            Value::String(text) if text == "true" => Ok(true),
            Value::String(text) if text == "false" => Ok(false),
            Value::String(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                Err(format!("{key} has to be true or false"))
            }
        }
    }
}
