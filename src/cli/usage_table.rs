//! The tables of `usage`, as wide as what they hold. On a terminal that is narrower than they are, numbers
//! get short, then columns are left out and names cut; a pipe gets all.

use std::collections::BTreeMap;
use std::io;

use crate::base::number::short;
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::cli::output::{Output, Style};
use crate::cli::usage::shown;
use crate::transcript::usage::{Sum, Totals};

/// Cells of a name at most, and on a narrow terminal at least.
const NAME_CELLS: (usize, usize) = (40, 10);

/// Cells between two columns.
const GAP: usize = 2;

/// What stands in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Input,
    Output,
    Read,
    Written,
    Answers,
    Hits,
    Cost,
}

const ALL: [Column; 7] = [
    Column::Input,
    Column::Output,
    Column::Read,
    Column::Written,
    Column::Answers,
    Column::Hits,
    Column::Cost,
];

/// What goes first where there is no room.
const LEAVE: [Column; 6] = [
    Column::Hits,
    Column::Written,
    Column::Read,
    Column::Input,
    Column::Answers,
    Column::Output,
];

impl Column {
    fn head(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Read => "cache read",
            Self::Written => "written",
            Self::Answers => "answers",
            Self::Hits => "hits",
            Self::Cost => "cost",
        }
    }

    fn cell(self, sum: &Sum, is_short: bool) -> String {
        let number = |number: u64| match is_short {
            true => short(number),
            false => grouped(usize::try_from(number).unwrap_or(usize::MAX)),
        };
        match self {
            Self::Input => number(sum.usage.input),
            Self::Output => number(sum.usage.output),
            Self::Read => number(sum.usage.cache_read),
            Self::Written => number(sum.usage.cache_creation),
            Self::Answers => number(sum.messages),
            Self::Hits => sum.cache_shares().map_or("–".to_string(), |(_, hit)| {
                format!("{} %", display::percent(hit))
            }),
            Self::Cost => cost(sum),
        }
    }
}

/// What is known of a cost; `≥` where it is a part.
fn cost(sum: &Sum) -> String {
    match sum.known_dollars() {
        (known, 0) => dollars(known),
        (0.0, _) => "–".to_string(),
        (known, _) => format!("≥ {}", dollars(known)),
    }
}

/// `$3,376.02`.
fn dollars(dollars: f64) -> String {
    let text = format!("{dollars:.2}");
    let (whole, cents) = text.split_once('.').unwrap_or((&text, "00"));
    match whole.parse() {
        Ok(whole) => format!("${}.{cents}", grouped(whole)),
        Err(_) => format!("${text}"),
    }
}

/// How the tables are set: both alike.
struct Set {
    columns: Vec<(Column, usize)>,
    name: usize,
    is_short: bool,
}

impl Set {
    /// What fits into so many cells.
    fn of(names: usize, sums: &[&Sum], cells: Option<usize>) -> Self {
        let name = names.min(NAME_CELLS.0);
        let full = Self::with(&ALL, name, sums, false);
        let Some(cells) = cells.filter(|cells| full.cells() > *cells) else {
            return full;
        };
        let mut columns = ALL.to_vec();
        let mut leave = LEAVE.iter();
        loop {
            let mut set = Self::with(&columns, name, sums, true);
            let over = set.cells().saturating_sub(cells);
            if name.saturating_sub(over) >= name.min(NAME_CELLS.1) {
                set.name -= over;
                return set;
            }
            match leave.next() {
                Some(left) => columns.retain(|column| column != left),
                None => return set,
            }
        }
    }

    fn with(columns: &[Column], name: usize, sums: &[&Sum], is_short: bool) -> Self {
        let width = |column: &Column| {
            let cells = sums
                .iter()
                .map(|sum| text::width(&column.cell(sum, is_short)));
            cells.max().unwrap_or(0).max(text::width(column.head()))
        };
        let columns = columns.iter().map(|column| (*column, width(column)));
        Self {
            columns: columns.collect(),
            name,
            is_short,
        }
    }

    fn cells(&self) -> usize {
        let columns = self.columns.iter().map(|(_, width)| GAP + width);
        self.name + columns.sum::<usize>()
    }

    fn line(&self, name: &str, cell: impl Fn(Column) -> String) -> String {
        let mut line = text::fit(name, self.name);
        for (column, width) in &self.columns {
            let cell = cell(*column);
            line.push_str(&" ".repeat(GAP + width.saturating_sub(text::width(&cell))));
            line.push_str(&cell);
        }
        line
    }
}

/// The sums by day and by model, each with that of all.
pub fn lines(totals: &Totals, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let tables: [(&str, &BTreeMap<String, Sum>); 2] =
        [("day (UTC)", &totals.by_day), ("model", &totals.by_model)];
    let rows = tables.iter().flat_map(|(_, sums)| sums.iter());
    let names = rows.clone().map(|(name, _)| text::width(&shown(name)));
    let names = names.chain(tables.iter().map(|(title, _)| text::width(title)));
    let sums: Vec<&Sum> = rows.map(|(_, sum)| sum).chain([&totals.all]).collect();
    let set = Set::of(names.max().unwrap_or(0), &sums, output.look.cells);
    for (title, sums) in tables {
        let head = set.line(title, |column| column.head().to_string());
        output.line(&colour.paint(Style::Bold, &head))?;
        for (name, sum) in sums {
            output.line(&set.line(&shown(name), |column| column.cell(sum, set.is_short)))?;
        }
        let all = set.line("all", |column| column.cell(&totals.all, set.is_short));
        output.line(&colour.paint(Style::Bold, &all))?;
        output.line("")?;
    }
    Ok(())
}

#[cfg(test)]
#[path = "usage_table_tests.rs"]
mod tests;
