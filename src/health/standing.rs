//! The family of findings about a project's standing rules: files that are large, foreign, lost by a
//! compaction or never loaded; imports that lead nowhere; patterns that can't be read. The path of each
//! finding is absolute: these files lie in no memory folder.

use std::path::Path;

use crate::base::time::grouped;
use crate::config::limits::{RULE_CHARS, RULE_LINES};
use crate::health::code::{Code, Severity};
use crate::health::finding::Finding;
use crate::health::gathered::{Gathered, Spot};
use crate::health::rules::Rules;
use crate::health::{secrets, strict};
use crate::instructions::paths::Misread;
use crate::instructions::{
    Edge, EdgeState, Instruction, Instructions, Layer, LeftOut, NoImport, Noted, Noticed, Role,
    Survey, Why,
};

/// What is found of the standing rules of a working directory. `project` is its key, `root` the folder
/// that it is about.
#[must_use]
pub fn standing(survey: &Survey, project: &str, root: &Path, rules: &Rules) -> Vec<Finding> {
    let mut out = Gathered::new(project, rules);
    for entry in &survey.start.entries {
        foreign(entry, root, &mut out);
    }
    for all in [&survey.start, &survey.below] {
        for (path, text) in texts(all) {
            let lines = Lines { all, path };
            sizes(path, text, &mut out);
            unenforced(&lines, text, &mut out);
            let spot = path.to_string_lossy();
            secrets::look(&spot, text, |line| lines.of(line - 1), &mut out);
        }
        for rule in &all.conditional {
            let lines = Lines {
                all,
                path: &rule.path,
            };
            let back = "a file that its `paths:` match is read again";
            lost(&lines, &rule.text, back, &mut out);
        }
        all.edges.iter().for_each(|edge| import(edge, &mut out));
        all.left_out.iter().for_each(|one| unloaded(one, &mut out));
        all.notes
            .iter()
            .filter(|note| !is_told_of_its_list(note, &all.notes))
            .for_each(|note| misread(note, &mut out));
    }
    for entry in &survey.below.entries {
        let lines = Lines {
            all: &survey.below,
            path: &entry.path,
        };
        let back = "a file beside it is read again";
        lost(&lines, &entry.text, back, &mut out);
    }
    out.finish()
}

/// The lines of a file, by those of its text.
struct Lines<'a> {
    all: &'a Instructions,
    path: &'a Path,
}

impl Lines<'_> {
    fn of(&self, line: usize) -> Option<usize> {
        self.all.lines.get(self.path)?.get(line).copied()
    }
}

fn texts(all: &Instructions) -> impl Iterator<Item = (&Path, &str)> {
    let entries = all.entries.iter().map(|one| (&*one.path, &*one.text));
    let waiting = all.conditional.iter().map(|one| (&*one.path, &*one.text));
    entries.chain(waiting)
}

fn foreign(entry: &Instruction, root: &Path, out: &mut Gathered<'_>) {
    let is_of_project = match entry.layer {
        Layer::Managed | Layer::User => false,
        Layer::Project | Layer::Local => entry.role != Role::Import,
    };
    if is_of_project && !entry.path.starts_with(root) {
        let message = format!(
            "it lies above the project {} and is loaded in it all the same: move what is not meant for it, or name the file in claudeMdExcludes",
            root.display()
        );
        add(out, Code::RuleForeign, &entry.path, None, message);
    }
}

fn sizes(path: &Path, text: &str, out: &mut Gathered<'_>) {
    let characters = text.chars().count();
    if characters > RULE_CHARS {
        let message = format!(
            "it has {} characters, and all of them are sent: keep what each task needs, and put the rest into rules with `paths:`",
            grouped(characters)
        );
        add(out, Code::RuleLarge, path, None, message);
    }
    let lines = text.lines().count();
    if lines > RULE_LINES {
        let message = format!(
            "it has {} lines: of a long list fewer are followed; under {RULE_LINES} is good advice",
            grouped(lines)
        );
        add(out, Code::RuleLong, path, None, message);
    }
}

fn unenforced(lines: &Lines<'_>, text: &str, out: &mut Gathered<'_>) {
    let mut found = strict::unenforced(text);
    let Some(first) = found.next() else { return };
    let message = format!(
        "`{}` enforces nothing{}: a hook that refuses the act does, or the system prompt",
        first.word,
        more(found.count())
    );
    let line = lines.of(first.line);
    add(out, Code::RuleUnenforced, lines.path, line, message);
}

fn lost(lines: &Lines<'_>, text: &str, back: &str, out: &mut Gathered<'_>) {
    let mut found = strict::strict(text);
    let Some(first) = found.next() else { return };
    let message = format!(
        "`{}`{} stands in a file that a compaction loses, and that comes back only when {back}: what must always hold belongs into the project's CLAUDE.md",
        first.word,
        more(found.count())
    );
    let line = lines.of(first.line);
    add(out, Code::RuleLost, lines.path, line, message);
}

fn more(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => " (and 1 more line like it)".to_string(),
        count => format!(" (and {count} more lines like it)"),
    }
}

fn import(edge: &Edge, out: &mut Gathered<'_>) {
    let line = Some(edge.line);
    let written = &edge.written;
    let mut tell = |code, what: &str| {
        let message = format!("`@{written}` {what}");
        add(out, code, &edge.from, line, message);
    };
    match &edge.state {
        // Whoever takes a file out by a setting knows of it.
        EdgeState::Loaded
        // In code, in links and within words nobody means one.
        | EdgeState::NoImport(
            NoImport::Mention
            | NoImport::Code
            | NoImport::Html
            | NoImport::Link
            | NoImport::Word,
        )
        | EdgeState::LeftOut(Why::Excluded { .. } | Why::NoSource) => {}
        EdgeState::Already => {
            tell(
                Code::ImportTwice,
                "is loaded already: each file comes once, where it is named first",
            );
        }
        EdgeState::NoImport(NoImport::Enclosed) => {
            let message = format!(
                "`@{written}` looks like an import, but the client does not follow it: leave a space before the @ and none of the sentence's signs behind the path"
            );
            let path = edge.from.to_string_lossy();
            let spot = Spot { path: &path, line };
            out.add_as(Severity::Note, Code::ImportMissing, spot, message, None);
        }
        EdgeState::LeftOut(why @ Why::Cycle) => tell(Code::ImportCycle, &why.sentence()),
        EdgeState::LeftOut(why @ Why::TooDeep) => tell(Code::ImportDeep, &why.sentence()),
        EdgeState::LeftOut(why @ Why::External) => tell(Code::ImportOutside, &why.sentence()),
        EdgeState::LeftOut(
            why @ (Why::Missing { .. }
            | Why::Folder
            | Why::Binary
            | Why::TooLarge { .. }
            | Why::Unreadable(_)
            | Why::Empty
            | Why::MainCheckout
            | Why::Dangling
            | Why::StoodIn(_)
            | Why::OverLimit
            | Why::NotJudged
            | Why::FolderTooDeep
            | Why::TooMany
            | Why::Spelling(_)),
        ) => tell(Code::ImportMissing, &why.sentence()),
    }
}

/// A file that lies where the client looks, or nearly, and gives nothing.
fn unloaded(one: &LeftOut, out: &mut Gathered<'_>) {
    if one.named.is_some() {
        return;
    }
    let code = match &one.why {
        Why::Excluded { .. } | Why::NoSource | Why::MainCheckout => return,
        Why::OverLimit | Why::NotJudged => Code::PathsLimits,
        Why::Missing { .. }
        | Why::Folder
        | Why::Binary
        | Why::TooLarge { .. }
        | Why::Unreadable(_)
        | Why::TooDeep
        | Why::FolderTooDeep
        | Why::Cycle
        | Why::External
        | Why::Empty
        | Why::Dangling
        | Why::StoodIn(_)
        | Why::TooMany
        | Why::Spelling(_) => Code::RuleUnloaded,
    };
    add(
        out,
        code,
        &one.path,
        None,
        format!("it {}", one.why.sentence()),
    );
}

/// Whether it is of the one pattern that a list is taken as which can't be read: that is told of the list.
fn is_told_of_its_list(note: &Noted, all: &[Noted]) -> bool {
    let is_its_list = |one: &Noted| {
        one.path == note.path && matches!(one.what, Noticed::Misread(Misread::FlowList { .. }))
    };
    matches!(note.what, Noticed::BadGlob { .. }) && all.iter().any(is_its_list)
}

fn misread(note: &Noted, out: &mut Gathered<'_>) {
    let mut tell = |severity, line, message: String| {
        let path = note.path.to_string_lossy();
        let spot = Spot { path: &path, line };
        out.add_as(severity, Code::GlobInvalid, spot, message, None);
    };
    let warning = Severity::Warning;
    match &note.what {
        Noticed::BadGlob { pattern, reason } => {
            let message = format!("the pattern `{pattern}` can't be read ({reason}): it matches nothing");
            tell(warning, None, message);
        }
        Noticed::Misread(Misread::List { line }) => tell(
            warning,
            Some(*line),
            "this list can't be read, so the rule always loads: quote the patterns".to_string(),
        ),
        Noticed::Misread(Misread::FlowList { line }) => tell(
            warning,
            Some(*line),
            "this list can't be read, so it is taken as one pattern and the rule never loads: quote the patterns".to_string(),
        ),
        Noticed::Misread(Misread::NoPattern { line }) => tell(
            warning,
            Some(*line),
            "this is no pattern, so the rule always loads: quote it".to_string(),
        ),
        Noticed::Misread(Misread::Unclosed { line }) => tell(
            warning,
            Some(*line),
            "the front matter is never closed, so the rule always loads: close it with `---`".to_string(),
        ),
        Noticed::Misread(Misread::Globs { line }) => tell(
            Severity::Note,
            Some(*line),
            "`globs:` is a legacy key, so the rule always loads: call it `paths:`".to_string(),
        ),
    }
}

fn add(out: &mut Gathered<'_>, code: Code, path: &Path, line: Option<usize>, message: String) {
    let path = path.to_string_lossy();
    let spot = Spot { path: &path, line };
    out.add(code, spot, message, None);
}

#[cfg(test)]
#[path = "standing_tests.rs"]
mod tests;
