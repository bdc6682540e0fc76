//! Settings: our own files, limits and places, and the reference client's own settings, read only.
//! Knows nothing of the screen.

pub mod client;
pub mod file;
pub mod health;
pub mod keep_theme;
pub mod keys;
pub mod limits;
pub mod model;
pub mod places;
pub mod prices;
pub mod recall;
pub mod secrets;
pub mod settings;
pub mod theme;

use std::path::Path;

use crate::base::disk::Disk;
use file::{Fault, TomlFile};
use settings::Settings;
use theme::Theme;

/// Our configuration folder, read once.
#[derive(Debug, Clone, Default)]
pub struct Config {
    pub settings: Settings,
    /// All themes that can be chosen, `auto` aside.
    pub themes: Vec<Theme>,
    /// What `keys.toml` asks for.
    pub keys: Vec<keys::Wanted>,
    /// What is wrong in these files. For the rest the defaults hold.
    pub faults: Vec<Fault>,
}

impl Config {
    /// Reads our files. `is_code` tells the codes that a finding can have.
    #[must_use]
    pub fn read(disk: &Disk, folder: &Path, is_code: impl Fn(&str) -> bool) -> Self {
        let mut config = Self::default();
        let (themes, of_themes) = theme::read(disk, &folder.join(theme::FOLDER));
        config.themes = themes;
        let is_theme =
            |name: &str| name == theme::AUTO || config.themes.iter().any(|one| one.name == name);
        match TomlFile::read(disk, &folder.join(settings::FILE)) {
            Ok(None) => {}
            Ok(Some(file)) => {
                let (settings, faults) = Settings::from(&file, is_code, is_theme);
                config.settings = settings;
                config.faults.extend(faults);
            }
            Err(fault) => config.faults.push(fault),
        }
        match TomlFile::read(disk, &folder.join(keys::FILE)) {
            Ok(None) => {}
            Ok(Some(file)) => {
                let (keys, faults) = keys::read(&file);
                config.keys = keys;
                config.faults.extend(faults);
            }
            Err(fault) => config.faults.push(fault),
        }
        config.faults.extend(of_themes);
        config
    }
}
