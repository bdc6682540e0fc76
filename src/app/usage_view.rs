//! The Usage view as a model: what sessions cost, by day for the bars, and by day, project, session or model
//! for the table; all of it, or what is left when it was narrowed. Knows nothing of how it is read.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::app::list::List;
use crate::base::time::Moment;
use crate::transcript::days::Days;
use crate::transcript::usage::{Spent, Sum};

const DAY: i64 = 86_400;

/// What was read of the bills of all sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UsageRead {
    pub spent: Vec<Spent>,
    /// The first day (`YYYY-MM-DD`, in UTC) of which all is known; `None`: something could not be read.
    pub since: Option<String>,
    /// What sessions are called, by their id.
    pub titles: HashMap<String, String>,
}

/// What a row of the table is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum By {
    #[default]
    Day,
    Project,
    Session,
    Model,
}

impl By {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Day => Self::Project,
            Self::Project => Self::Session,
            Self::Session => Self::Model,
            Self::Model => Self::Day,
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Project => "project",
            Self::Session => "session",
            Self::Model => "model",
        }
    }

    /// What of this kind something was spent on.
    fn of(self, spent: &Spent) -> &str {
        match self {
            Self::Day => &spent.day,
            Self::Project => &spent.project,
            Self::Session => &spent.session,
            Self::Model => &spent.model,
        }
    }
}

/// What the bars show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bars {
    Cost,
    Tokens,
    /// Each API message once.
    Answers,
}

impl Bars {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Cost => Self::Tokens,
            Self::Tokens => Self::Answers,
            Self::Answers => Self::Cost,
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Tokens => "tokens",
            Self::Answers => "answers",
        }
    }
}

/// The days that are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Span {
    #[default]
    All,
    Month,
    Week,
    Today,
}

impl Span {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::All => Self::Month,
            Self::Month => Self::Week,
            Self::Week => Self::Today,
            Self::Today => Self::All,
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::All => "all days",
            Self::Month => "last 30 days",
            Self::Week => "last 7 days",
            Self::Today => "today",
        }
    }

    /// The days that are meant, today among them.
    fn days(self, today: Moment) -> Days {
        let back = match self {
            Self::All => return Days::default(),
            Self::Month => 29,
            Self::Week => 6,
            Self::Today => 0,
        };
        let first = Moment::from_seconds(today.seconds.saturating_sub(back * DAY));
        Days {
            since: Some(first.date()),
            until: None,
        }
    }
}

/// What the table is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageSort {
    /// The dearest first; where prices are missing the most tokens.
    Cost,
    /// By name; days the newest first.
    Name,
}

impl UsageSort {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Cost => Self::Name,
            Self::Name => Self::Cost,
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Cost => "cost",
            Self::Name => "name",
        }
    }
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageRow {
    /// A day, the key of a project, the id of a session, a model.
    pub name: String,
    /// The key of a session's project.
    pub project: Option<String>,
    pub sum: Sum,
}

/// How the lines inside of the pane are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parts {
    pub totals: usize,
    /// Lines of the bars, and whether dates stand below them.
    pub bars: usize,
    pub has_dates: bool,
}

impl Parts {
    /// Of so many lines.
    #[must_use]
    pub fn of(height: usize) -> Self {
        let (totals, bars, has_dates) = match height {
            0..=3 => (0, 0, false),
            4..=5 => (1, 0, false),
            6..=11 => (1, 1, false),
            12..=15 => (3, 2, true),
            16.. => (3, (height / 3).min(12), true),
        };
        Self {
            totals,
            bars,
            has_dates,
        }
    }

    /// Lines above the first row of the table: its head is one.
    #[must_use]
    pub fn above(self) -> usize {
        self.totals + self.bars + usize::from(self.has_dates) + 1
    }
}

/// The state of the view.
#[derive(Debug, Clone, Default)]
pub struct UsageView {
    read: Option<UsageRead>,
    rows: Vec<UsageRow>,
    all: Sum,
    /// Models without a price, by name.
    unpriced: Vec<String>,
    /// By the number of the day, counted from 1970.
    days: BTreeMap<i64, Sum>,
    by: By,
    span: Span,
    /// What a span ends with.
    today: Option<Moment>,
    /// None was chosen: cost where it is known.
    bars: Option<Bars>,
    /// By day it begins with the newest, else with the dearest: that of each that was turned round.
    turned: [bool; 4],
    /// What it was narrowed to, one after the other.
    only: Vec<(By, String)>,
    height: usize,
    above: usize,
    pub list: List,
}

impl UsageView {
    #[must_use]
    pub fn rows(&self) -> &[UsageRow] {
        &self.rows
    }

    #[must_use]
    pub fn read(&self) -> Option<&UsageRead> {
        self.read.as_ref()
    }

    /// The row under the cursor.
    #[must_use]
    pub fn chosen(&self) -> Option<&UsageRow> {
        self.rows.get(self.list.cursor)
    }

    /// The sum of what is shown.
    #[must_use]
    pub fn all(&self) -> &Sum {
        &self.all
    }

    /// The models in what is shown of which no price is known.
    #[must_use]
    pub fn unpriced(&self) -> &[String] {
        &self.unpriced
    }

    /// The sums of the days by their numbers, counted from 1970.
    #[must_use]
    pub fn days(&self) -> &BTreeMap<i64, Sum> {
        &self.days
    }

    #[must_use]
    pub fn by(&self) -> By {
        self.by
    }

    /// What the bars show.
    #[must_use]
    pub fn bars(&self) -> Bars {
        let known = match self.all.dollars() {
            Some(_) => Bars::Cost,
            None => Bars::Tokens,
        };
        self.bars.unwrap_or(known)
    }

    #[must_use]
    pub fn sort(&self) -> UsageSort {
        let usual = match self.by {
            By::Day => UsageSort::Name,
            By::Project | By::Session | By::Model => UsageSort::Cost,
        };
        match self.turned[self.by as usize] {
            true => usual.next(),
            false => usual,
        }
    }

    /// What it was narrowed to.
    #[must_use]
    pub fn only(&self) -> &[(By, String)] {
        &self.only
    }

    /// The day that it was narrowed to.
    #[must_use]
    pub fn chosen_day(&self) -> Option<&str> {
        let day = self.only.iter().find(|(by, _)| *by == By::Day);
        day.map(|(_, day)| day.as_str())
    }

    /// What a session is called: its title, else its id.
    #[must_use]
    pub fn title<'a>(&'a self, session: &'a str) -> &'a str {
        let titles = self.read.as_ref().map(|read| &read.titles);
        let title = titles.and_then(|titles| titles.get(session));
        title.map_or(session, String::as_str)
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Lines above the first row.
    #[must_use]
    pub fn above(&self) -> usize {
        self.above
    }

    /// The days that are shown.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    pub fn span_next(&mut self) {
        self.span = self.span.next();
        self.build();
    }

    /// Takes what day it is.
    pub fn turn_to(&mut self, now: Moment) {
        let is_other = self.today.is_none_or(|today| today.date() != now.date());
        if is_other {
            self.today = Some(now);
            self.build();
        }
    }

    pub fn take(&mut self, read: UsageRead) {
        self.read = Some(read);
        self.build();
    }

    pub fn show_next_bars(&mut self) {
        self.bars = Some(self.bars().next());
    }

    pub fn sort_by_next(&mut self) {
        let turned = &mut self.turned[self.by as usize];
        *turned = !*turned;
        self.build();
    }

    pub fn group_by_next(&mut self) {
        self.by = self.by.next();
        self.list = List::default();
        self.build();
    }

    /// Shows only what was spent on the row under the cursor, by session; `false`: it is a session, or none.
    pub fn narrow(&mut self) -> bool {
        let name = match (self.by, self.chosen()) {
            (By::Session, _) | (_, None) => return false,
            (_, Some(row)) => row.name.clone(),
        };
        self.only.retain(|(by, _)| *by != self.by);
        self.only.push((self.by, name));
        self.by = By::Session;
        self.list = List::default();
        self.build();
        true
    }

    /// Takes the last narrowing back, the cursor where it was; `false`: there is none.
    pub fn widen(&mut self) -> bool {
        let Some((by, name)) = self.only.pop() else {
            return false;
        };
        self.by = by;
        self.build();
        let at = self.rows.iter().position(|row| row.name == name);
        self.list.go(at.unwrap_or(0), self.rows.len());
        true
    }

    fn build(&mut self) {
        let Some(read) = &self.read else { return };
        let chosen = self.chosen().map(|row| (&row.name, &row.project));
        let chosen = chosen.map(|(name, project)| (name.clone(), project.clone()));
        let by = self.by;
        let mut rows: BTreeMap<(&str, Option<&str>), Sum> = BTreeMap::new();
        self.all = Sum::default();
        self.days.clear();
        let mut unpriced = BTreeSet::new();
        let shown = self.today.map(|today| self.span.days(today));
        let shown = shown.unwrap_or_default();
        for spent in read.spent.iter().filter(|spent| shown.hold(&spent.day)) {
            let is_in = |of: &(By, String)| of.0.of(spent) == of.1;
            // The bars show all days, also where the table is narrowed to one.
            let is_drawn = self.only.iter().all(|of| of.0 == By::Day || is_in(of));
            if is_drawn && let Some(day) = Moment::of_date(&spent.day) {
                let day = self.days.entry(day.seconds.div_euclid(DAY));
                day.or_default().merge(&spent.sum);
            }
            if self.only.iter().all(is_in) {
                self.all.merge(&spent.sum);
                if spent.sum.dollars().is_none() {
                    unpriced.insert(spent.model.clone());
                }
                let project = (by == By::Session).then_some(&*spent.project);
                let row = rows.entry((by.of(spent), project)).or_default();
                row.merge(&spent.sum);
            }
        }
        self.unpriced = unpriced.into_iter().collect();
        let rows = rows.into_iter().map(|((name, project), sum)| UsageRow {
            name: name.to_string(),
            project: project.map(str::to_string),
            sum,
        });
        let mut rows: Vec<UsageRow> = rows.collect();
        match self.sort() {
            UsageSort::Cost => rows.sort_by(|a, b| {
                let dollars = |row: &UsageRow| row.sum.dollars().unwrap_or(-1.0);
                let dearer = dollars(b).total_cmp(&dollars(a));
                dearer.then_with(|| b.sum.tokens().cmp(&a.sum.tokens()))
            }),
            UsageSort::Name if by == By::Day => rows.reverse(),
            UsageSort::Name => {
                rows.sort_by_cached_key(|row| self.title(&row.name).to_lowercase());
            }
        }
        let is_chosen = |row: &UsageRow| {
            let chosen = chosen.as_ref();
            chosen.is_some_and(|(name, project)| row.name == *name && row.project == *project)
        };
        let at = rows.iter().position(is_chosen);
        self.rows = rows;
        let at = at.unwrap_or(self.list.cursor);
        self.list.go(at, self.rows.len());
    }

    /// Takes how many lines are inside of the pane and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.above = Parts::of(height).above();
        self.height = height.saturating_sub(self.above);
        self.list.settle(self.rows.len(), self.height);
    }
}

#[cfg(test)]
#[path = "usage_view_tests.rs"]
mod tests;
