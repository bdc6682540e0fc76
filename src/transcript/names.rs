//! Ids of lines, messages and tool uses, each kept once.

use std::collections::HashMap;
use std::sync::Arc;

/// An id that was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name(u32);

#[derive(Debug, Default)]
pub struct Names {
    known: HashMap<Arc<str>, Name>,
    texts: Vec<Arc<str>>,
}

impl Names {
    pub fn take(&mut self, text: &str) -> Name {
        if let Some(name) = self.known.get(text) {
            return *name;
        }
        let name = Name(u32::try_from(self.texts.len()).expect("fewer ids than bytes in any file"));
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.known.insert(text, name);
        name
    }

    #[must_use]
    pub fn known(&self, text: &str) -> Option<Name> {
        self.known.get(text).copied()
    }

    #[must_use]
    pub fn text(&self, name: Name) -> &Arc<str> {
        &self.texts[name.0 as usize]
    }
}
