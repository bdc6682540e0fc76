//! `memory_search`: the memories that have something of a few words, the best first, by the local ranker.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;

use serde_json::json;

use super::{Done, Tool, Toolbox, Work};
use crate::base::front_matter;
use crate::base::time::Moment;
use crate::memory::file::MemoryType;
use crate::memory::index::decode;
use crate::memory::ranker::{Builder, Document, Wanted};
use crate::turn::call::Outcome;

pub const TOOL: Tool = Tool {
    name: "memory_search",
    doc: "Finds memories by words: by their names, descriptions and texts, in other forms of the words too, the best \
          first. Gives a line each; Read one before you rely on it.",
    schema: || {
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "Words, or a question"},
                "limit": {"type": "integer", "description": "How many at most; 10 without it, never more than 50"}
            },
            "required": ["query"]
        })
    },
};

const USUAL: usize = 10;
const MOST: usize = 50;

/// A memory as its line tells it.
struct Line {
    path: String,
    kind: Option<String>,
    description: Option<String>,
    saved: Option<Moment>,
}

impl Toolbox {
    pub(super) fn memory_search(&self, work: &Work<'_>) -> Done {
        let input = work.input();
        let query = input.text("query")?;
        if query.trim().is_empty() {
            return Err("query is empty: give a few words".to_string());
        }
        let most = input.number("limit", 1)?.unwrap_or(USUAL).min(MOST);
        let folder = self.memory_root()?;
        let (mut builder, mut lines) = (Builder::default(), Vec::new());
        let mut unread = 0;
        for path in self.memories(&folder).paths() {
            if work.stop.load(Ordering::Relaxed) {
                return Err("it was stopped".to_string());
            }
            let typed = folder.join(&path).display().to_string();
            let spot = self.cage.readable(&typed);
            let Ok((bytes, saved)) = spot.and_then(|spot| self.bytes_of(&spot, &typed)) else {
                unread += 1;
                continue;
            };
            let text = decode(&bytes);
            let front = front_matter::read(&text);
            let kind = MemoryType::read(&front);
            builder.add(&Document::of_text(&path, &text, &front, &kind, saved));
            let said = front.get("description").or(front.get("name"));
            lines.push(Line {
                kind: kind.word().map(str::to_string),
                description: said.map(|said| said.split_whitespace().collect::<Vec<_>>().join(" ")),
                saved,
                path,
            });
        }
        let wanted = Wanted {
            most,
            sure: false,
            now: work.now,
        };
        let hits = builder.finish().rank(query, &wanted);
        let many = match hits.len() {
            1 => "1 memory".to_string(),
            many => format!("{many} memories"),
        };
        let mut text = match hits.is_empty() {
            true => format!("No memory of {} has anything of that.", folder.display()),
            false => format!("{many} of {}, the best first:", folder.display()),
        };
        for hit in &hits {
            let line = &lines[hit.at];
            let kind = line.kind.as_deref().unwrap_or("no type");
            let said = line.description.as_deref().unwrap_or("no description");
            let saved = line.saved.map(|saved| {
                let days = saved.days_before(work.now).max(0);
                format!(" (saved {}, {days} days ago)", saved.date())
            });
            let saved = saved.unwrap_or_default();
            let _ = write!(text, "\n- [{kind}] {}{saved}: {said}", line.path);
        }
        if unread > 0 {
            let _ = write!(text, "\n[{unread} more can't be read.]");
        }
        let told = format!("memory_search {query} · {many}");
        Ok(Outcome::done(work.call, text, told))
    }
}
