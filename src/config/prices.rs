//! What models cost: `[prices."MODEL-PREFIX"]` in `config.toml`. No price comes with the program: a model
//! without a row costs "–", never 0.

use std::path::Path;

use toml_edit::Item;

use crate::base::disk::Disk;
use crate::config::file::{Fault, Field, TomlFile};
use crate::config::settings::FILE;

/// What a base price is multiplied with, in hundredths, where a row has only that.
const READ: u64 = 10;
const WRITE_5M: u64 = 125;
const WRITE_1H: u64 = 200;

/// The prices of one model, in millionths of a US dollar a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Price {
    pub input: u64,
    pub output: u64,
    pub cache_write_5m: u64,
    pub cache_write_1h: u64,
    pub cache_read: u64,
}

/// The table: how the names of models begin, and what those cost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Prices {
    rows: Vec<(String, Price)>,
}

impl Prices {
    /// Made-up ones.
    #[cfg(test)]
    #[must_use]
    pub fn made_up(rows: Vec<(String, Price)>) -> Self {
        Self { rows }
    }

    /// The price of a model: of the row with the longest beginning of its name.
    #[must_use]
    pub fn of(&self, model: &str) -> Option<&Price> {
        let fits = self
            .rows
            .iter()
            .filter(|(prefix, _)| model.starts_with(prefix.as_str()));
        fits.max_by_key(|(prefix, _)| prefix.len())
            .map(|(_, price)| price)
    }

    /// The table as `config.toml` holds it now, and what is wrong in it. What is wrong elsewhere in the
    /// file is not told here.
    ///
    /// # Errors
    /// What is wrong with the file as a whole.
    pub fn read(disk: &Disk, folder: &Path) -> Result<(Self, Vec<Fault>), Fault> {
        let mut prices = Self::default();
        let mut faults = Vec::new();
        let Some(file) = TomlFile::read(disk, &folder.join(FILE))? else {
            return Ok((prices, faults));
        };
        for field in file.fields() {
            if field.key != "prices" {
                continue;
            }
            if let Some(table) = field.value.as_table_like() {
                for row in file.fields_of(table) {
                    faults.extend(prices.take(&file, row));
                }
            }
        }
        Ok((prices, faults))
    }

    /// The rows as they stand in a `config.toml`.
    #[must_use]
    pub fn to_toml(&self) -> String {
        self.rows
            .iter()
            .map(|(prefix, price)| {
                format!(
                    "\n[prices.{}]\ninput = {}\noutput = {}\ncache_write_5m = {}\ncache_write_1h = {}\n\
                     cache_read = {}\n",
                    toml_edit::Value::from(prefix.as_str()),
                    dollars(price.input),
                    dollars(price.output),
                    dollars(price.cache_write_5m),
                    dollars(price.cache_write_1h),
                    dollars(price.cache_read),
                )
            })
            .collect()
    }

    /// Takes one row. What is wrong in it is told with its line; without an input price it is no row.
    pub(super) fn take(&mut self, file: &TomlFile, row: Field<'_>) -> Vec<Fault> {
        let Some(table) = row.value.as_table_like() else {
            let said = format!(
                "[prices] {} must be a table, [prices.{0:?}]; it is left out",
                row.key
            );
            return vec![file.fault(row, said)];
        };
        let mut faults = Vec::new();
        let mut set: [Option<u64>; 5] = [None; 5];
        for field in file.fields_of(table) {
            let at = NAMES.iter().position(|name| *name == field.key);
            match (at, amount(field.value)) {
                (Some(at), Some(amount)) => set[at] = Some(amount),
                (Some(_), None) => faults.push(file.fault(
                    field,
                    format!(
                        "{} must be US dollars a million tokens, like 3 or 0.3; it is left out",
                        field.key
                    ),
                )),
                (None, _) => faults.push(file.fault(
                    field,
                    format!(
                        "{} is no price: a row has {}; it is left out",
                        field.key,
                        NAMES.join(", ")
                    ),
                )),
            }
        }
        let [input, output, write_5m, write_1h, read] = set;
        match (input, output) {
            (Some(input), Some(output)) => {
                let price = Price {
                    input,
                    output,
                    cache_write_5m: write_5m.unwrap_or(input * WRITE_5M / 100),
                    cache_write_1h: write_1h.unwrap_or(input * WRITE_1H / 100),
                    cache_read: read.unwrap_or(input * READ / 100),
                };
                self.rows.push((row.key.to_string(), price));
            }
            _ => faults.push(file.fault(
                row,
                format!(
                    "[prices.{:?}] needs input and output; the row is left out",
                    row.key
                ),
            )),
        }
        faults
    }
}

const NAMES: [&str; 5] = [
    "input",
    "output",
    "cache_write_5m",
    "cache_write_1h",
    "cache_read",
];

/// Millionths of a dollar; at most a million dollars.
fn amount(value: &Item) -> Option<u64> {
    let number = value.as_float().or_else(|| {
        let whole = i32::try_from(value.as_integer()?).ok()?;
        Some(f64::from(whole))
    })?;
    let in_range = (0.0..=1e6).contains(&number);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 10^12"
    )]
    in_range.then(|| (number * 1e6).round() as u64)
}

/// Dollars as TOML reads them back: `3.0`, `0.3`.
fn dollars(millionths: u64) -> String {
    let text = format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
    let short = text.trim_end_matches('0');
    match short.ends_with('.') {
        true => format!("{short}0"),
        false => short.to_string(),
    }
}

#[cfg(test)]
#[path = "prices_tests.rs"]
mod tests;
