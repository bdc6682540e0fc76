//! `trash`: what lies there and by which key it comes back; all of it removed for good, on `--yes`.

use std::io;

use serde::Serialize;

use crate::base::display;
use crate::cli::args::Global;
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::history::age;
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::words;
use crate::store::trash::{Item, Manifest};

pub fn list(opened: &Opened, json: bool, output: &mut Output) -> Result<(), Stop> {
    let trashed = opened.writer.trashed();
    if json {
        output.json(&TrashShape {
            trash: shapes(&trashed),
            removed: None,
        })?;
    } else {
        lines(opened, &trashed, output)?;
    }
    Ok(())
}

/// Empties the trash. Without `--yes` it only says what would go.
pub fn empty(global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let trashed = opened.writer.trashed();
    if global.dry_run {
        list(&opened, global.json, output)?;
        say("a dry run: nothing was removed");
        return Ok(());
    }
    if trashed.is_empty() || global.yes {
        opened
            .writer
            .empty_trash(opened.store.now())
            .map_err(Failure::from)?;
        if global.json {
            output.json(&TrashShape {
                trash: Vec::new(),
                removed: Some(shapes(&trashed)),
            })?;
        } else {
            output.line(&format!("{} removed for good", items(&trashed)))?;
        }
        return Ok(());
    }
    if !global.json {
        lines(&opened, &trashed, output)?;
        output.finish()?;
    }
    let message = format!(
        "{} would be removed for good: --yes does it",
        items(&trashed)
    );
    Err(Failure::usage("confirm", message)
        .at(opened.writer.trash_folder())
        .into())
}

fn items(trashed: &[Manifest]) -> String {
    let count = trashed.iter().map(|manifest| manifest.items.len()).sum();
    words::counted(count, "item", "items")
}

fn lines(opened: &Opened, trashed: &[Manifest], output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    if trashed.is_empty() {
        return output.line("the trash is empty");
    }
    for manifest in trashed.iter().rev() {
        output.line(&format!(
            "{}  {:>5}  {}",
            colour.paint(Style::Dim, &display::line(&manifest.key)),
            age(&manifest.time, opened),
            colour.paint(
                Style::Bold,
                &display::line(&words::homely(&manifest.title, &opened.home))
            ),
        ))?;
        for item in &manifest.items {
            let path = words::short_path(&item.path, &opened.home);
            output.line(&format!("  {}", display::line(&path)))?;
        }
    }
    Ok(())
}

#[derive(Serialize)]
struct TrashShape<'a> {
    trash: Vec<ManifestShape<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<Vec<ManifestShape<'a>>>,
}

#[derive(Serialize)]
struct ManifestShape<'a> {
    key: &'a str,
    time: &'a str,
    title: &'a str,
    items: &'a [Item],
}

/// The newest first.
fn shapes(trashed: &[Manifest]) -> Vec<ManifestShape<'_>> {
    trashed
        .iter()
        .rev()
        .map(|manifest| ManifestShape {
            key: &manifest.key,
            time: &manifest.time,
            title: &manifest.title,
            items: &manifest.items,
        })
        .collect()
}
