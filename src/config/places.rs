//! Where our own files lie (spec 11.1).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Our own folders. None need exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// Logs and panic reports.
    pub state: PathBuf,
    pub config: PathBuf,
}

impl Places {
    /// From the environment: `LOCI_STATE_DIR`, else `XDG_STATE_HOME/loci`, else `~/.local/state/loci`;
    /// `LOCI_CONFIG_DIR`, else `XDG_CONFIG_HOME/loci`, else `~/.config/loci`. Empty and relative XDG
    /// values are ignored, as that specification asks.
    #[must_use]
    pub fn from(vars: &BTreeMap<String, String>, home: &Path) -> Self {
        let place = |own: &str, base: &str, fallback: &str| {
            let set = |name: &str| {
                vars.get(name)
                    .filter(|value| !value.is_empty())
                    .map(PathBuf::from)
            };
            set(own).unwrap_or_else(|| {
                set(base)
                    .filter(|path| path.is_absolute())
                    .unwrap_or_else(|| home.join(fallback))
                    .join("loci")
            })
        };
        Self {
            state: place("LOCI_STATE_DIR", "XDG_STATE_HOME", ".local/state"),
            config: place("LOCI_CONFIG_DIR", "XDG_CONFIG_HOME", ".config"),
        }
    }

    /// The same, relative ones taken from a folder.
    #[must_use]
    pub fn below(self, folder: &Path) -> Self {
        Self {
            state: folder.join(self.state),
            config: folder.join(self.config),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_variables_come_first_then_xdg_then_home() {
        let vars = |pairs: &[(&str, &str)]| {
            pairs
                .iter()
                .map(|(k, v)| ((*k).to_string(), (*v).to_string()))
                .collect()
        };
        let home = Path::new("/home/u");
        assert_eq!(
            Places::from(&vars(&[]), home).state,
            Path::new("/home/u/.local/state/loci")
        );
        assert_eq!(
            Places::from(&vars(&[("XDG_STATE_HOME", "/s")]), home).state,
            Path::new("/s/loci")
        );
        assert_eq!(
            Places::from(&vars(&[("XDG_CONFIG_HOME", "s")]), home).config,
            Path::new("/home/u/.config/loci")
        );
        assert_eq!(
            Places::from(
                &vars(&[("LOCI_STATE_DIR", "/l"), ("XDG_STATE_HOME", "/s")]),
                home
            )
            .state,
            Path::new("/l")
        );
    }
}
