//! How the screen looks, as far as a person chooses it: the theme, the themes that there are, and
//! what the terminal says of its background. How that is drawn is not known here.

use std::path::PathBuf;

use crate::app::App;
use crate::app::list::List;
use crate::app::message::Effect;
use crate::app::overlay::Overlay;
use crate::app::proof_view::ProofView;
use crate::config::settings::Glyphs;
use crate::config::theme::{self, Palette, Theme};

/// Whether the terminal's background is dark or light.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    Dark,
    Light,
}

/// What is chosen, and what can be.
#[derive(Debug, Clone)]
pub struct Look {
    themes: Vec<Theme>,
    /// The name of one of them, or `auto`.
    pub chosen: String,
    pub glyphs: Glyphs,
    /// Whether anything moves by itself.
    pub motion: bool,
    /// `None` until the terminal has said.
    background: Option<Background>,
    /// The terminal has been asked since it last had the focus.
    asked: bool,
}

impl Look {
    #[must_use]
    pub fn new(themes: Vec<Theme>, chosen: String, glyphs: Glyphs, motion: bool) -> Self {
        Self {
            themes,
            chosen,
            glyphs,
            motion,
            background: None,
            asked: false,
        }
    }

    /// The names that can be chosen: those of the themes, and `auto`.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let names = self.themes.iter().map(|theme| theme.name.clone());
        names.chain([theme::AUTO.to_string()]).collect()
    }

    /// The colours of a theme. `auto` has the terminal's own until the terminal has said how it is.
    #[must_use]
    pub fn palette(&self, name: &str) -> Palette {
        let name = match (name == theme::AUTO, self.background) {
            (false, _) => name,
            (true, Some(Background::Dark)) => "dark",
            (true, Some(Background::Light)) => "light",
            (true, None) => "terminal",
        };
        let found = self.themes.iter().find(|theme| theme.name == name);
        found.map_or(Palette::TERMINAL, |theme| theme.palette)
    }

    /// Whether the terminal is to be asked about its background for this theme. It is asked once.
    pub fn asks(&mut self, name: &str) -> bool {
        name == theme::AUTO && !std::mem::replace(&mut self.asked, true)
    }

    /// What the terminal said.
    pub fn learn(&mut self, background: Background) {
        self.background = Some(background);
    }

    /// The terminal has the focus again: it may look different now.
    pub fn doubt(&mut self) {
        self.asked = false;
    }
}

/// The themes to choose from. The screen has the one under the cursor meanwhile.
#[derive(Debug, Clone)]
pub struct Themes {
    pub names: Vec<String>,
    /// That which is kept unless another is chosen.
    pub kept: String,
    pub list: List,
}

impl Themes {
    #[must_use]
    pub fn of(look: &Look) -> Self {
        let names = look.names();
        let place = names.iter().position(|name| *name == look.chosen);
        let mut list = List::default();
        list.go(place.unwrap_or(0), names.len());
        Self {
            names,
            kept: look.chosen.clone(),
            list,
        }
    }

    /// That under the cursor.
    #[must_use]
    pub fn shown(&self) -> &str {
        self.names.get(self.list.cursor).unwrap_or(&self.kept)
    }
}

/// Work that has been going on for more than a moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Working {
    /// How often it was looked at.
    pub beats: usize,
    /// How long it has taken.
    pub seconds: u64,
}

impl App {
    /// Whether something that a person asked for is being done.
    #[must_use]
    pub fn is_working(&self) -> bool {
        let searches = matches!(&self.overlay, Some(Overlay::Finder(finder)) if finder.searching);
        let sessions = self.sessions.is_reading()
            || self
                .sessions
                .search
                .as_ref()
                .is_some_and(|it| it.is_running)
            || self
                .session
                .as_ref()
                .is_some_and(|it| it.is_reading() || it.seeking.is_some())
            || self.proof.as_ref().is_some_and(ProofView::is_reading);
        searches || sessions || self.ledger.is_reading() || !self.doing.is_empty()
    }

    pub(super) fn beat(&mut self, seconds: u64) {
        let beats = self.working.map_or(0, |working| working.beats + 1);
        self.working = Some(Working { beats, seconds });
    }

    /// The name of the theme that is shown: that which is looked at, else the chosen one.
    #[must_use]
    pub fn theme(&self) -> &str {
        match &self.overlay {
            Some(Overlay::Themes(themes)) => themes.shown(),
            _ => &self.look.chosen,
        }
    }

    /// Has the terminal asked for its background, if what is shown depends on it.
    pub(super) fn ask_background(&mut self, effects: &mut Vec<Effect>) {
        let theme = self.theme().to_string();
        if self.look.asks(&theme) {
            effects.push(Effect::AskBackground);
        }
    }

    /// Has the theme from now on, and keeps it in the settings.
    pub(super) fn choose_theme(&mut self, name: &str, effects: &mut Vec<Effect>) {
        self.look.chosen = name.to_string();
        effects.push(Effect::KeepTheme(name.to_string()));
    }

    pub(super) fn theme_kept(&mut self, kept: Result<PathBuf, String>) {
        match kept {
            Ok(path) => {
                let name = self.look.chosen.clone();
                self.say(format!("theme {name}, kept in {}", path.display()));
            }
            Err(said) => {
                let said = format!("the theme holds until you leave: {said}");
                self.fail(said);
            }
        }
    }
}

#[cfg(test)]
#[path = "look_tests.rs"]
mod tests;
