//! One check of one folder: takes each file once, as bytes, keeps what is compared between files, and
//! gives the findings. Reads nothing itself.

use std::collections::{HashMap, HashSet};

use crate::base::front_matter;
use crate::base::time::Moment;
use crate::health::Examined;
use crate::health::code::Code;
use crate::health::facts::Facts;
use crate::health::gathered::{Gathered, Spot};
use crate::health::index::{self, IndexPage};
use crate::health::page::Page;
use crate::health::rules::Rules;
use crate::health::{
    ages, dates, front_matter as fields, layout, links, names, secrets, sizes, text,
};
use crate::memory::file::{Memory, Unread};
use crate::memory::index::decode;
use crate::store::sha256;

/// A check under way.
pub struct Check<'a> {
    rules: &'a Rules,
    now: Moment,
    out: Gathered<'a>,
    all: Vec<Facts>,
    indexes: Vec<IndexPage>,
    /// Whether an index is there, readable or not.
    has_index: bool,
    /// Digests of the copies that a synchroniser left, and of their originals.
    digests: HashMap<String, String>,
    wanted: HashSet<String>,
}

impl<'a> Check<'a> {
    /// `paths` are those of all memories that will be given, relative to the memory folder.
    pub fn new<'p>(
        project: &'a str,
        paths: impl Iterator<Item = &'p str>,
        rules: &'a Rules,
        now: Moment,
    ) -> Self {
        let copies = paths.filter_map(|path| Some((path, names::original(path)?)));
        let wanted = copies.flat_map(|(path, of)| [path.to_string(), of]);
        Self {
            rules,
            now,
            out: Gathered::new(project, rules),
            all: Vec::new(),
            indexes: Vec::new(),
            has_index: false,
            digests: HashMap::new(),
            wanted: wanted.collect(),
        }
    }

    /// Takes a memory and its bytes; without bytes it is one that is not to be read.
    pub fn memory(&mut self, memory: Memory, bytes: Option<&[u8]>) {
        let Some(bytes) = bytes else {
            if let Some(why) = &memory.unread {
                self.unsafe_path(&memory.path, why);
            }
            self.all.push(Facts::unread(memory));
            return;
        };
        self.digest(&memory.path, bytes);
        let text = decode(bytes);
        let front = front_matter::read(&text);
        let page = Page::new(&memory, bytes, &text, &front);
        let facts = Facts::of(&page);
        let is_whole = bytes.len() as u64 == memory.bytes;
        text::bytes(&memory.path, bytes, is_whole, &mut self.out);
        text::invisible(&memory.path, &text, &mut self.out);
        secrets::look(&memory.path, &text, Some, &mut self.out);
        if facts.copy_of.is_none() {
            fields::look(&page, &mut self.out);
            sizes::look(&page, &mut self.out);
            dates::look(&page, &mut self.out);
        }
        self.all.push(facts);
    }

    /// Takes an index: `prefix` is empty or `team/`. `leads_out`: it is a link that leaves the folder
    /// and was read there.
    pub fn index(&mut self, prefix: &'static str, bytes: &[u8], leads_out: bool) {
        self.has_index = true;
        let path = [prefix, crate::memory::scan::INDEX_FILE].concat();
        self.digest(&path, bytes);
        text::bytes(&path, bytes, true, &mut self.out);
        let is_ours = !leads_out && simdutf8::basic::from_utf8(bytes).is_ok();
        let page = IndexPage::new(&path, prefix, bytes, is_ours);
        text::invisible(&path, &page.text, &mut self.out);
        secrets::look(&path, &page.text, Some, &mut self.out);
        self.indexes.push(page);
    }

    /// Takes a day log, which is no memory.
    pub fn log(&mut self, path: &str, bytes: &[u8]) {
        text::bytes(path, bytes, true, &mut self.out);
        secrets::look(path, &decode(bytes), Some, &mut self.out);
    }

    /// Takes the path of what is not to be read, and why.
    pub fn unread(&mut self, path: &str, why: &Unread) {
        self.unsafe_path(path, why);
    }

    /// Takes an index that is there and can't be read.
    pub fn unread_index(&mut self, path: &str, why: &Unread) {
        self.has_index = true;
        self.unsafe_path(path, why);
    }

    /// Takes a folder that was not entered, and the sentence that says why.
    pub fn not_entered(&mut self, path: &str, sentence: &str) {
        let message = format!("{sentence}; what is in it is no memory to us");
        self.out
            .add(Code::UnsafePath, Spot::file(path), message, None);
    }

    /// The findings: the worst first, then by code, path and line.
    #[must_use]
    pub fn finish(mut self) -> Examined {
        self.all.sort_by(|a, b| a.memory.path.cmp(&b.memory.path));
        let all = &self.all;
        let out = &mut self.out;
        for index in &mut self.indexes {
            index.resolve(all);
        }
        for index in &self.indexes {
            index::look(index, all, out);
        }
        let is_tiny = !self.has_index && !all.is_empty() && all.iter().all(is_dated);
        if !self.indexes.is_empty() {
            index::reach(&self.indexes, all, self.rules, self.now, out);
        } else if !self.has_index && !is_tiny && !all.is_empty() {
            let message = "there is no index: no session is told of these memories unless it searches; make one with a line for each".to_string();
            let spot = Spot::file(crate::memory::scan::INDEX_FILE);
            out.add(Code::IndexMissing, spot, message, None);
        }
        let digests = &self.digests;
        let compared = |copy: &str, of: &str| match (digests.get(copy), digests.get(of)) {
            (_, None) => names::Copied::Alone,
            (copy, of) if copy == of => names::Copied::Same,
            (_, Some(_)) => names::Copied::Other,
        };
        names::look(all, out);
        names::copies(all, compared, out);
        links::look(all, out);
        ages::look(all, is_tiny, self.rules, self.now, out);
        layout::look(all, out);
        let said = self.all.iter().filter_map(|one| {
            let session = one.origin.clone()?;
            Some((one.memory.path.clone(), session))
        });
        let origins = said.collect();
        let memories = self.all.into_iter().map(|one| one.memory);
        Examined {
            findings: self.out.finish(),
            memories: memories.collect(),
            origins,
        }
    }

    fn digest(&mut self, path: &str, bytes: &[u8]) {
        if self.wanted.contains(path) {
            self.digests.insert(path.to_string(), sha256(bytes));
        }
    }

    fn unsafe_path(&mut self, path: &str, why: &Unread) {
        let message = format!("it {why}");
        self.out
            .add(Code::UnsafePath, Spot::file(path), message, None);
    }
}

fn is_dated(one: &Facts) -> bool {
    one.memory.created.is_some()
}
