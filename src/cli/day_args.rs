//! The days that sums and lists are of.

use crate::cli::failure::Failure;
use crate::transcript::days::Days;

/// A range of days.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct DayRange {
    /// From this day on, in UTC
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = Days::day)]
    pub since: Option<String>,
    /// As far as this day, with it, in UTC
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = Days::day)]
    pub until: Option<String>,
}

impl DayRange {
    /// The days.
    ///
    /// # Errors
    /// Wrong usage: no day lies between them.
    pub fn days(&self) -> Result<Days, Failure> {
        if let (Some(since), Some(until)) = (&self.since, &self.until)
            && since > until
        {
            let message = format!(
                "--since {since} is after --until {until}: no day lies between them, give the earlier one first"
            );
            return Err(Failure::usage("usage", message));
        }
        Ok(Days {
            since: self.since.clone(),
            until: self.until.clone(),
        })
    }
}
