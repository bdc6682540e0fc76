//! What lies on top of the panes: the help and the palette, both made from the table of actions, and
//! what asks a person something.

use fuzzy_matcher::FuzzyMatcher;
use fuzzy_matcher::skim::SkimMatcherV2;

use crate::app::action::{Action, HelpLine, Keymap, Scope, TABLE};
use crate::app::conflict::Merge;
use crate::app::dialog::{Choice, PastChange, Prompt, Review};
use crate::app::field::Field;
use crate::app::finder::Finder;
use crate::app::list::List;
use crate::app::look::Themes;
use crate::app::projects::Projects;

/// A layer on top.
#[derive(Debug, Clone)]
pub enum Overlay {
    Help(Help),
    Palette(Palette),
    Finder(Box<Finder>),
    Review(Box<Review>),
    /// A change of the history.
    Past(Box<PastChange>),
    Prompt(Prompt),
    Choice(Choice),
    Merge(Box<Merge>),
    Themes(Themes),
    /// The project that memories go to.
    Projects(Box<Projects>),
    /// Words that narrow what a pane lists, typed into its border.
    Filter(Filter),
}

/// Words being typed that narrow a list.
#[derive(Debug, Clone)]
pub struct Filter {
    pub of: Filtered,
    pub field: Field,
}

/// What is narrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filtered {
    Tree,
    Health,
    Projects,
    Sessions,
    Ledger,
}

/// An action of so many places is their own; of more it is a common one.
const OWN_PLACES: usize = 2;

/// The help: every action, filtered by what is typed.
#[derive(Debug, Clone)]
pub struct Help {
    pub filter: Field,
    pub list: List,
    all: Vec<HelpLine>,
}

/// The palette: actions that match what is typed, the best first.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    pub input: Field,
    pub list: List,
}

/// An action that the palette offers and the characters of its name that matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    pub action: Action,
    pub matched: Vec<usize>,
}

impl Overlay {
    #[must_use]
    pub fn scope(&self) -> Scope {
        match self {
            Self::Help(_) => Scope::Help,
            Self::Palette(_) => Scope::Palette,
            Self::Finder(_) => Scope::Finder,
            Self::Review(_) => Scope::Review,
            Self::Past(_) => Scope::Past,
            Self::Prompt(_) => Scope::Prompt,
            Self::Choice(_) | Self::Themes(_) => Scope::Choice,
            Self::Merge(_) => Scope::Merge,
            Self::Projects(_) => Scope::Target,
            Self::Filter(_) => Scope::Filter,
        }
    }

    /// The line that is typed into, if there is one.
    pub fn field(&mut self) -> Option<&mut Field> {
        match self {
            Self::Help(help) => Some(&mut help.filter),
            Self::Palette(palette) => Some(&mut palette.input),
            Self::Finder(finder) => Some(&mut finder.input),
            Self::Prompt(prompt) => Some(&mut prompt.field),
            Self::Projects(projects) => Some(&mut projects.filter),
            Self::Filter(filter) => Some(&mut filter.field),
            Self::Review(_)
            | Self::Past(_)
            | Self::Choice(_)
            | Self::Merge(_)
            | Self::Themes(_) => None,
        }
    }

    /// The rows that are moved through, if there are any.
    pub fn list(&mut self) -> Option<&mut List> {
        match self {
            Self::Help(help) => Some(&mut help.list),
            Self::Palette(palette) => Some(&mut palette.list),
            Self::Finder(finder) => Some(&mut finder.list),
            Self::Review(review) => Some(&mut review.list),
            Self::Past(past) => Some(&mut past.list),
            Self::Choice(choice) => Some(&mut choice.list),
            Self::Merge(merge) => Some(&mut merge.list),
            Self::Themes(themes) => Some(&mut themes.list),
            Self::Projects(projects) => Some(&mut projects.list),
            Self::Prompt(_) | Self::Filter(_) => None,
        }
    }

    /// Something else is typed now: the list begins anew, what was said of the old is over.
    pub fn typed(&mut self) {
        if let Some(list) = self.list() {
            *list = List::default();
        }
        if let Self::Prompt(prompt) = self {
            prompt.said = None;
        }
    }

    /// What Enter, or a second click on a row, does to the chosen row of a list that is found in.
    #[must_use]
    pub fn chooses(&self) -> Option<Action> {
        match self {
            Self::Palette(_) => Some(Action::Run),
            Self::Finder(_) => Some(Action::Open),
            Self::Themes(_) | Self::Projects(_) => Some(Action::Confirm),
            Self::Help(_)
            | Self::Review(_)
            | Self::Past(_)
            | Self::Prompt(_)
            | Self::Choice(_)
            | Self::Merge(_)
            | Self::Filter(_) => None,
        }
    }

    /// Moves the cursor off a row that can't be chosen, on in its direction.
    pub fn leave_rule(&mut self, down: bool) {
        if let Self::Finder(finder) = self {
            finder.leave_rule(down);
        }
    }

    /// Rows that it lists.
    #[must_use]
    pub fn length(&self) -> usize {
        match self {
            Self::Help(help) => help.lines().len(),
            Self::Palette(palette) => palette.offers().len(),
            Self::Finder(finder) => finder.length(),
            Self::Review(review) => review.diff.length(),
            Self::Past(past) => past.diff.length(),
            Self::Choice(choice) => choice.answers.len(),
            Self::Merge(merge) => merge.length(),
            Self::Themes(themes) => themes.names.len(),
            Self::Projects(projects) => projects.offers().len(),
            Self::Prompt(_) | Self::Filter(_) => 0,
        }
    }
}

impl Help {
    /// All keys that hold: first those of the place where it is asked, the fewer others have them the
    /// earlier, so that its own come before the common ones.
    #[must_use]
    pub fn of(keymap: &Keymap, asked: Scope) -> Self {
        let mut all = keymap.help_lines();
        all.sort_by_key(
            |line| match line.scopes.contains(&asked) && !line.keys.is_empty() {
                true => (false, line.scopes.len()),
                false => (true, 0),
            },
        );
        Self {
            filter: Field::default(),
            list: List::default(),
            all,
        }
    }

    /// Lines whose name, doc or keys hold every typed word; behind them those of which a word names the place,
    /// where that is the line's own.
    #[must_use]
    pub fn lines(&self) -> Vec<&HelpLine> {
        let typed = self.filter.text().to_lowercase();
        let words: Vec<_> = typed.split_whitespace().collect();
        let says = |line: &&HelpLine| {
            let (entry, keys) = (line.entry, line.written_keys());
            let hay = format!("{} {} {keys}", entry.name, entry.doc).to_lowercase();
            words.iter().all(|word| hay.contains(word))
        };
        let is_placed = |line: &&HelpLine| {
            let (entry, keys) = (line.entry, line.written_keys());
            let place = match line.scopes.len() <= OWN_PLACES {
                true => line.places(),
                false => String::new(),
            };
            let hay = format!("{} {} {keys} {place}", entry.name, entry.doc).to_lowercase();
            words.iter().all(|word| hay.contains(word))
        };
        let (mut found, rest): (Vec<_>, Vec<_>) = self.all.iter().partition(says);
        found.extend(rest.into_iter().filter(is_placed));
        found
    }
}

impl Palette {
    /// What it offers: all actions a pane knows, the best match first.
    #[must_use]
    pub fn offers(&self) -> Vec<Offer> {
        let typed = self.input.text().trim();
        let matcher = SkimMatcherV2::default().ignore_case();
        let mut offers: Vec<_> = TABLE
            .iter()
            .filter(|entry| is_offered(entry.action))
            .filter_map(|entry| {
                let (score, matched) = if typed.is_empty() {
                    (0, Vec::new())
                } else {
                    match matcher.fuzzy_indices(entry.name, typed) {
                        Some(found) => found,
                        // The sentence finds it too, below all names.
                        None => (matcher.fuzzy_match(entry.doc, typed)? - 1_000, Vec::new()),
                    }
                };
                let offer = Offer {
                    action: entry.action,
                    matched,
                };
                Some((score, offer))
            })
            .collect();
        offers.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        offers.into_iter().map(|(_, offer)| offer).collect()
    }

    /// The action under the cursor.
    #[must_use]
    pub fn chosen(&self) -> Option<Action> {
        self.offers()
            .get(self.list.cursor)
            .map(|offer| offer.action)
    }
}

/// The palette does not offer itself, nor what only works inside of it.
fn is_offered(action: Action) -> bool {
    !matches!(
        action,
        Action::Palette
            | Action::Run
            | Action::Cancel
            | Action::Confirm
            | Action::OldPaths
            | Action::NextField
            | Action::PreviousField
            | Action::TakeMine
            | Action::TakeTheirs
            | Action::TakeBoth
            | Action::TakeBase
    )
}

#[cfg(test)]
#[path = "overlay_tests.rs"]
mod tests;
