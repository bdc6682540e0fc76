//! Colours and weights by role. Views name roles; only this file knows what they look like. The
//! theme is the terminal's own 16 colours; black and white are never set.

use ratatui::style::{Color, Modifier, Style};

use crate::memory::file::MemoryType;

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

/// How roles look here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    pub color: bool,
}

impl Theme {
    /// The style of a role.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        let (color, modifier) = match role {
            Role::Text => (None, Modifier::empty()),
            Role::Dim | Role::Cut => (None, Modifier::DIM),
            Role::Strong => (None, Modifier::BOLD),
            Role::Title | Role::Match => (None, Modifier::BOLD.union(Modifier::UNDERLINED)),
            Role::Accent => (Some(Color::Cyan), Modifier::BOLD),
            Role::Selection => (None, Modifier::REVERSED),
            Role::Ok | Role::Code | Role::Added => (Some(Color::Green), Modifier::empty()),
            Role::Removed => (Some(Color::Red), Modifier::empty()),
            Role::Note | Role::TypeReference | Role::Named => {
                (Some(Color::Blue), Modifier::empty())
            }
            Role::Warning | Role::TypeProject | Role::Literal => {
                (Some(Color::Yellow), Modifier::empty())
            }
            Role::Error => (Some(Color::Red), Modifier::BOLD),
            Role::Emphasis => (None, Modifier::ITALIC),
            Role::Struck => (None, Modifier::CROSSED_OUT),
            Role::Link => (Some(Color::Blue), Modifier::UNDERLINED),
            Role::TypeUser | Role::Keyword => (Some(Color::Magenta), Modifier::empty()),
            Role::TypeFeedback => (Some(Color::Cyan), Modifier::empty()),
        };
        let style = Style::new().add_modifier(modifier);
        match color {
            Some(color) if self.color => style.fg(color),
            Some(_) | None => style,
        }
    }

    /// The hue of a type.
    #[must_use]
    pub fn of_type(self, kind: &MemoryType) -> Style {
        self.style(match kind {
            MemoryType::User => Role::TypeUser,
            MemoryType::Feedback => Role::TypeFeedback,
            MemoryType::Project => Role::TypeProject,
            MemoryType::Reference => Role::TypeReference,
            MemoryType::Unknown(_) | MemoryType::Missing => Role::Warning,
        })
    }
}
