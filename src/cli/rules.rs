//! `rules`: the standing rules of a project in the order in which they are sent, what waits for a file
//! to be read, and what is left out and why.

use std::path::Path;

use serde::Serialize;

use crate::agents::rules::{RuleFile, RuleList, RuleState, layer_word, role_word};
use crate::base::display;
use crate::base::time::grouped;
use crate::cli::failure::Stop;
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;

pub fn run(opened: &Opened, json: bool, output: &mut Output) -> Result<(), Stop> {
    let rules = opened.store.rules_of(opened.store.cwd());
    if json {
        output.json(&shape(&rules))?;
        return Ok(());
    }
    let colour = output.look.colour;
    if let Some(off) = &rules.off {
        let said = format!("▲ no rule is sent: {}", display::line(off));
        output.line(&colour.paint(Style::Warning, &said))?;
    }
    if rules.files.is_empty() {
        output.line("no rules: neither a CLAUDE.md nor a rules folder is read here")?;
        return Ok(());
    }
    for rule in &rules.files {
        let (mark, style, says) = said(rule);
        let title = format!("{}{}", "  ".repeat(usize::from(rule.depth)), rule.title);
        let size = match rule.state {
            RuleState::LeftOut { .. } => String::new(),
            RuleState::Sent | RuleState::Waits { .. } => format!("≈{}", grouped(rule.tokens)),
        };
        output.line(&format!(
            "{} {:<7}  {size:>7}  {}  {}",
            colour.paint(style, mark),
            layer_word(rule.layer),
            display::line(&title),
            colour.paint(Style::Dim, &display::line(&says)),
        ))?;
    }
    for (edge, why) in rules.not_imports() {
        let title = rules.places.title(&edge.from);
        let said = format!(
            "· {} {} ({title}:{})",
            edge.shown(),
            why.sentence(),
            edge.line
        );
        output.line(&colour.paint(Style::Dim, &display::line(&said)))?;
    }
    let total = format!(
        "{} sent with every request: {}, ≈ {} tokens with the line that names each",
        words::counted(
            rules.files.iter().filter(|it| it.survives()).count(),
            "file is",
            "files are"
        ),
        words::size(rules.bytes() as u64),
        grouped(rules.tokens()),
    );
    output.line(&colour.paint(Style::Dim, &total))?;
    Ok(())
}

/// Mark, style and words of a state.
fn said(rule: &RuleFile) -> (&'static str, Style, String) {
    match &rule.state {
        RuleState::Sent => ("✓", Style::Ok, String::new()),
        RuleState::Waits { patterns, .. } => {
            let says = format!("once a file is read that matches {}", patterns.join(", "));
            ("·", Style::Dim, says)
        }
        RuleState::LeftOut { why, named } => {
            let named = named.as_ref().map_or(String::new(), |(from, line)| {
                format!(" ({}:{line})", from.display())
            });
            let style = if rule.is_missing() {
                Style::Error
            } else {
                Style::Warning
            };
            let mark = if rule.is_missing() { "⊘" } else { "▲" };
            (mark, style, format!("{}{named}", why.sentence()))
        }
    }
}

#[derive(Serialize)]
struct RulesShape<'a> {
    off: Option<&'a str>,
    /// Of what is sent with every request.
    bytes: usize,
    tokens: usize,
    rules: Vec<RuleShape<'a>>,
    not_imports: Vec<NotAnImportShape>,
}

/// What only looks like an import.
#[derive(Serialize)]
struct NotAnImportShape {
    path: String,
    line: usize,
    written: String,
    why: &'static str,
}

#[derive(Serialize)]
struct RuleShape<'a> {
    path: String,
    layer: &'static str,
    role: Option<&'static str>,
    state: &'static str,
    bytes: usize,
    tokens: usize,
    survives_compaction: bool,
    imported_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    patterns: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    named_in: Option<NamedShape>,
}

#[derive(Serialize)]
struct NamedShape {
    path: String,
    line: usize,
}

fn shape(rules: &RuleList) -> RulesShape<'_> {
    fn shaped<'a>(rule: &'a RuleFile, rules: &RuleList) -> RuleShape<'a> {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let parent = rule.imported_by.and_then(|at| rules.files.get(at));
        RuleShape {
            path: path(&rule.path),
            layer: layer_word(rule.layer),
            role: rule.role.map(|role| role_word(Some(role))),
            state: match rule.state {
                RuleState::Sent => "sent",
                RuleState::Waits { .. } => "waits",
                RuleState::LeftOut { .. } => "left-out",
            },
            bytes: rule.bytes,
            tokens: rule.tokens,
            survives_compaction: rule.survives(),
            imported_by: parent.map(|parent| path(&parent.path)),
            patterns: match &rule.state {
                RuleState::Waits { patterns, .. } => Some(patterns.as_slice()),
                RuleState::Sent | RuleState::LeftOut { .. } => None,
            },
            why: match &rule.state {
                RuleState::LeftOut { why, .. } => Some(why.sentence()),
                RuleState::Sent | RuleState::Waits { .. } => None,
            },
            named_in: match &rule.state {
                RuleState::LeftOut {
                    named: Some((from, line)),
                    ..
                } => Some(NamedShape {
                    path: path(from),
                    line: *line,
                }),
                RuleState::Sent | RuleState::Waits { .. } | RuleState::LeftOut { .. } => None,
            },
        }
    }
    RulesShape {
        off: rules.off.as_deref(),
        bytes: rules.bytes(),
        tokens: rules.tokens(),
        rules: rules.files.iter().map(|rule| shaped(rule, rules)).collect(),
        not_imports: rules
            .not_imports()
            .map(|(edge, why)| NotAnImportShape {
                path: edge.from.to_string_lossy().into_owned(),
                line: edge.line,
                written: edge.shown(),
                why: why.sentence(),
            })
            .collect(),
    }
}
