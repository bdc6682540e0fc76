//! Themes: which colour each role has. The built-in ones, and a person's own in `themes/*.toml`,
//! which take what they leave out from one of those. Knows nothing of how a colour is drawn.

use crate::base::disk::Disk;
use crate::config::file::{Fault, TomlFile};
use std::path::Path;

/// The folder of own themes in our configuration folder.
pub const FOLDER: &str = "themes";

/// The theme that follows the terminal's background: dark or light, as it turns out to be.
pub const AUTO: &str = "auto";

/// What a piece of text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What is read.
    Text,
    /// What explains.
    Dim,
    /// What is chosen or named.
    Strong,
    /// The focus: border, title, marker of the cursor's row. Nothing else.
    Accent,
    /// The row under the cursor of the pane that has the focus.
    Selection,
    Ok,
    Note,
    Warning,
    Error,
    /// What the model does not see.
    Cut,
    /// The first heading of a text.
    Title,
    Code,
    Emphasis,
    Struck,
    Link,
    /// In painted code: constants, keywords, what is defined or called.
    Literal,
    Keyword,
    Named,
    /// The characters that a search hit.
    Match,
    /// Lines of a diff.
    Added,
    Removed,
    TypeUser,
    TypeFeedback,
    TypeProject,
    TypeReference,
}

/// How many roles there are.
const ROLES: usize = 25;

impl Role {
    pub const ALL: [Self; ROLES] = [
        Self::Text,
        Self::Dim,
        Self::Strong,
        Self::Accent,
        Self::Selection,
        Self::Ok,
        Self::Note,
        Self::Warning,
        Self::Error,
        Self::Cut,
        Self::Title,
        Self::Code,
        Self::Emphasis,
        Self::Struck,
        Self::Link,
        Self::Literal,
        Self::Keyword,
        Self::Named,
        Self::Match,
        Self::Added,
        Self::Removed,
        Self::TypeUser,
        Self::TypeFeedback,
        Self::TypeProject,
        Self::TypeReference,
    ];

    /// What a theme's file calls it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Dim => "dim",
            Self::Strong => "strong",
            Self::Accent => "accent",
            Self::Selection => "selection",
            Self::Ok => "ok",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
            Self::Cut => "cut",
            Self::Title => "title",
            Self::Code => "code",
            Self::Emphasis => "emphasis",
            Self::Struck => "struck",
            Self::Link => "link",
            Self::Literal => "literal",
            Self::Keyword => "keyword",
            Self::Named => "named",
            Self::Match => "match",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::TypeUser => "type-user",
            Self::TypeFeedback => "type-feedback",
            Self::TypeProject => "type-project",
            Self::TypeReference => "type-reference",
        }
    }
}

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    /// The terminal's own text or background.
    Default,
    /// One of the terminal's own 16: 0 to 15.
    Own(u8),
    Rgb(u8, u8, u8),
}

/// The names of the terminal's own 16 colours, in their order.
const OWN: [&str; 16] = [
    "black",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "bright-black",
    "bright-red",
    "bright-green",
    "bright-yellow",
    "bright-blue",
    "bright-magenta",
    "bright-cyan",
    "bright-white",
];

impl Tint {
    /// Reads `#rrggbb`, a name of the 16, or `default`.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        if word == "default" {
            return Some(Self::Default);
        }
        if let Some(hex) = word.strip_prefix('#') {
            let is_hex = hex.len() == 6 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            let [_, red, green, blue] = u32::from_str_radix(hex, 16).ok()?.to_be_bytes();
            return is_hex.then_some(Self::Rgb(red, green, blue));
        }
        let place = OWN.iter().position(|name| *name == word)?;
        u8::try_from(place).ok().map(Self::Own)
    }
}

/// A colour for each role, and one behind all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    tints: [Tint; ROLES],
    pub background: Tint,
}

impl Palette {
    /// The terminal's own 16 colours; black and white are never set.
    pub const TERMINAL: Self = Self {
        tints: tints(
            Tint::Default,
            Tint::Default,
            &Hues {
                accent: Tint::Own(6),
                ok: Tint::Own(2),
                note: Tint::Own(4),
                warning: Tint::Own(3),
                error: Tint::Own(1),
                user: Tint::Own(5),
                feedback: Tint::Own(6),
            },
        ),
        background: Tint::Default,
    };

    pub const DARK: Self = Self {
        tints: tints(
            rgb(0x00d7_dae0),
            rgb(0x0090_98a6),
            &Hues {
                accent: rgb(0x0060_d4e4),
                ok: rgb(0x008c_cf7e),
                note: rgb(0x0084_b4ff),
                warning: rgb(0x00e5_c76b),
                error: rgb(0x00ff_7a7a),
                user: rgb(0x00d7_a1f0),
                feedback: rgb(0x0070_cfd4),
            },
        ),
        background: rgb(0x0017_1a1f),
    };

    pub const LIGHT: Self = Self {
        tints: tints(
            rgb(0x0024_292f),
            rgb(0x005f_656d),
            &Hues {
                accent: rgb(0x0000_6a78),
                ok: rgb(0x001a_6b2b),
                note: rgb(0x000b_57b8),
                warning: rgb(0x0080_5400),
                error: rgb(0x00b3_261e),
                user: rgb(0x0078_3ca6),
                feedback: rgb(0x0000_666c),
            },
        ),
        background: rgb(0x00fb_faf7),
    };

    /// The colour of a role.
    #[must_use]
    pub fn tint(&self, role: Role) -> Tint {
        self.tints[role as usize]
    }

    fn set(&mut self, role: Role, tint: Tint) {
        self.tints[role as usize] = tint;
    }
}

const fn rgb(number: u32) -> Tint {
    let [_, red, green, blue] = number.to_be_bytes();
    Tint::Rgb(red, green, blue)
}

/// The hues that the roles of a built-in theme share.
struct Hues {
    accent: Tint,
    ok: Tint,
    note: Tint,
    warning: Tint,
    error: Tint,
    user: Tint,
    feedback: Tint,
}

const fn tints(text: Tint, dim: Tint, hues: &Hues) -> [Tint; ROLES] {
    let mut tints = [text; ROLES];
    tints[Role::Dim as usize] = dim;
    tints[Role::Cut as usize] = dim;
    tints[Role::Accent as usize] = hues.accent;
    tints[Role::Ok as usize] = hues.ok;
    tints[Role::Code as usize] = hues.ok;
    tints[Role::Added as usize] = hues.ok;
    tints[Role::Removed as usize] = hues.error;
    tints[Role::Note as usize] = hues.note;
    tints[Role::Link as usize] = hues.note;
    tints[Role::TypeReference as usize] = hues.note;
    tints[Role::Named as usize] = hues.note;
    tints[Role::Literal as usize] = hues.warning;
    tints[Role::Keyword as usize] = hues.user;
    tints[Role::Warning as usize] = hues.warning;
    tints[Role::TypeProject as usize] = hues.warning;
    tints[Role::Error as usize] = hues.error;
    tints[Role::TypeUser as usize] = hues.user;
    tints[Role::TypeFeedback as usize] = hues.feedback;
    tints
}

/// A theme by its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    pub name: String,
    pub palette: Palette,
}

/// The built-in themes.
#[must_use]
pub fn built_in() -> Vec<Theme> {
    let theme = |name: &str, palette| Theme {
        name: name.to_string(),
        palette,
    };
    vec![
        theme("terminal", Palette::TERMINAL),
        theme("dark", Palette::DARK),
        theme("light", Palette::LIGHT),
    ]
}

/// The built-in themes and those of a folder, by name, with what is wrong in their files. A file
/// that bears a built-in name takes its place.
#[must_use]
pub fn read(disk: &Disk, folder: &Path) -> (Vec<Theme>, Vec<Fault>) {
    let mut themes = built_in();
    let mut faults = Vec::new();
    let mut names: Vec<String> = disk
        .list(folder)
        .unwrap_or_default()
        .into_iter()
        .filter_map(|item| Some(item.name.to_str()?.strip_suffix(".toml")?.to_string()))
        .collect();
    names.sort_unstable();
    for name in names {
        let path = folder.join(format!("{name}.toml"));
        if name == AUTO {
            faults.push(Fault {
                file: path,
                line: None,
                message: "auto is the theme that follows the terminal: give the file another name"
                    .to_string(),
            });
            continue;
        }
        match TomlFile::read(disk, &path) {
            Ok(None) => {}
            Ok(Some(file)) => {
                let (palette, own) = palette(&file);
                faults.extend(own);
                themes.retain(|theme| theme.name != name);
                themes.push(Theme { name, palette });
            }
            Err(fault) => faults.push(Fault {
                message: fault
                    .message
                    .replace("the defaults hold", "the theme is left out"),
                ..fault
            }),
        }
    }
    (themes, faults)
}

fn palette(file: &TomlFile) -> (Palette, Vec<Fault>) {
    let mut faults = Vec::new();
    let fields = file.fields();
    let base = fields.iter().find(|field| field.key == "base");
    let mut palette = Palette::TERMINAL;
    if let Some(field) = base {
        let word = field.value.as_str().unwrap_or_default();
        let built_in = built_in();
        match built_in.iter().find(|theme| theme.name == word) {
            Some(theme) => palette = theme.palette,
            None => faults.push(file.fault(
                *field,
                "base must be \"terminal\", \"dark\" or \"light\"; \"terminal\" holds",
            )),
        }
    }
    for field in fields.into_iter().filter(|field| field.key != "base") {
        let role = Role::ALL.into_iter().find(|role| role.word() == field.key);
        if role.is_none() && field.key != "background" {
            let roles: Vec<&str> = Role::ALL.iter().map(|role| role.word()).collect();
            let known = roles.join(", ");
            let said = format!(
                "{} is no role; there are base, background, {known}",
                field.key
            );
            faults.push(file.fault(field, said));
            continue;
        }
        let Some(tint) = field.value.as_str().and_then(Tint::read) else {
            let said = format!(
                "{} must be \"#rrggbb\", \"default\" or a name such as \"cyan\" or \"bright-cyan\"; that of the base holds",
                field.key
            );
            faults.push(file.fault(field, said));
            continue;
        };
        match role {
            Some(role) => palette.set(role, tint),
            None => palette.background = tint,
        }
    }
    (palette, faults)
}

#[cfg(test)]
#[path = "theme_tests.rs"]
mod tests;
