//! How good the local ranker is, on labelled questions (`tests/fixtures/recall`): it was tuned on one half and
//! is judged by the other.

#![allow(
    clippy::cast_precision_loss,
    reason = "there are some hundred questions"
)]

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use loci::base::disk::Disk;
use loci::base::front_matter;
use loci::base::time::Moment;
use loci::memory::ranker::{Builder, Document, Index, Wanted};
use loci::memory::scan;
use serde_json::Value;

/// Figures of one half and kind.
#[derive(Debug, Default)]
struct Figures {
    questions: f32,
    right_empty: f32,
    precision: f32,
    recall: f32,
    rank: f32,
}

struct Project {
    index: Index,
    paths: Vec<String>,
}

fn project(folder: &Path) -> Project {
    let disk = Disk::system();
    let mut builder = Builder::default();
    let mut paths = Vec::new();
    let listed = scan::list(&disk, folder).memories;
    scan::pages(&disk, folder, listed, |memory, bytes| {
        let bytes = bytes.unwrap();
        let text = String::from_utf8_lossy(bytes);
        let front = front_matter::read(&text);
        let day = front.get("modified").or_else(|| front.get("created"));
        let saved = day.and_then(|day| Moment::parse(day).or_else(|| Moment::of_date(day)));
        assert!(
            saved.is_some(),
            "{} says not when it was saved",
            memory.path
        );
        builder.add(&Document::of(&memory, bytes, saved));
        paths.push(memory.path.to_string());
    });
    Project {
        index: builder.finish(),
        paths,
    }
}

fn texts(value: &Value) -> Vec<&str> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one.as_str().unwrap())
        .collect()
}

fn figures() -> HashMap<(String, String), Figures> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/recall");
    let questions = fs::read_to_string(root.join("questions.json")).unwrap();
    let questions: Vec<Value> = serde_json::from_str(&questions).unwrap();
    let now = Moment::of_date("2026-11-30").unwrap();
    let mut projects: HashMap<&str, Project> = HashMap::new();
    let mut figures: HashMap<(String, String), Figures> = HashMap::new();
    for question in &questions {
        let field = |key: &str| question[key].as_str().unwrap();
        let name = field("project");
        let Project { index, paths } = projects
            .entry(name)
            .or_insert_with(|| project(&root.join(name)));
        let wanted = Wanted {
            most: 5,
            sure: true,
            now,
        };
        let hits = index.rank(field("question"), &wanted);
        let wants = texts(&question["wants"]);
        let right: Vec<bool> = hits
            .iter()
            .map(|hit| wants.contains(&paths[hit.at].as_str()))
            .collect();
        let rights = right.iter().filter(|right| **right).count() as f32;
        let of = figures
            .entry((field("half").to_string(), field("kind").to_string()))
            .or_default();
        of.questions += 1.0;
        of.right_empty += f32::from(u8::from(hits.is_empty() == wants.is_empty()));
        of.precision += rights / (right.len().max(1) as f32);
        of.recall += rights / (wants.len().max(1) as f32);
        of.rank += right
            .iter()
            .position(|right| *right)
            .map_or(0.0, |at| 1.0 / (at as f32 + 1.0));
    }
    for of in figures.values_mut() {
        for sum in [
            &mut of.right_empty,
            &mut of.precision,
            &mut of.recall,
            &mut of.rank,
        ] {
            *sum /= of.questions;
        }
    }
    figures
}

#[test]
fn the_ranker_finds_what_words_can_find_and_stays_silent_else() {
    let figures = figures();
    let mut keys: Vec<_> = figures.keys().collect();
    keys.sort();
    for key in keys {
        let of = &figures[key];
        println!(
            "{} {:<8} {:2} questions · precision@5 {:.3} · recall@5 {:.3} · MRR {:.3} · rightly empty or not {:.3}",
            key.0, key.1, of.questions, of.precision, of.recall, of.rank, of.right_empty
        );
    }
    for half in ["tune", "kept"] {
        let of = |kind: &str| &figures[&(half.to_string(), kind.to_string())];
        assert!(of("words").recall >= 0.80, "{half}: {:?}", of("words"));
        assert!(of("none").right_empty >= 0.90, "{half}: {:?}", of("none"));
    }
}
