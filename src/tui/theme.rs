//! How roles look: colours and weights. Views name roles; which colour a role has is the palette's,
//! which weight it has is told here.

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

pub use crate::config::theme::Role;

use crate::config::settings::Glyphs;
use crate::config::theme::{Palette, Tint};
use crate::memory::file::MemoryType;
use crate::tui::glyph;

/// How roles look here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    color: bool,
    ascii: bool,
    palette: Palette,
}

impl Theme {
    /// Without colour the palette does not matter; weights always hold.
    #[must_use]
    pub fn new(color: bool, glyphs: Glyphs, palette: Palette) -> Self {
        Self {
            color,
            ascii: glyphs == Glyphs::Ascii,
            palette,
        }
    }

    /// The terminal's own 16 colours.
    #[must_use]
    pub const fn terminal(color: bool) -> Self {
        Self {
            color,
            ascii: false,
            palette: Palette::TERMINAL,
        }
    }

    /// The style of a role.
    #[must_use]
    pub fn style(self, role: Role) -> Style {
        let tint = match self.palette.tint(role) {
            // What is of the text's colour keeps the colour that it stands on.
            tint if tint == self.palette.tint(Role::Text) => Tint::Default,
            tint => tint,
        };
        let color = color(tint).filter(|_| self.color);
        let modifier = match role {
            // A colour of its own says it better than a terminal's notion of dim.
            Role::Dim | Role::Cut if color.is_some() => Modifier::empty(),
            Role::Dim | Role::Cut => Modifier::DIM,
            Role::Strong | Role::Accent | Role::Error => Modifier::BOLD,
            Role::Title | Role::Match => Modifier::BOLD.union(Modifier::UNDERLINED),
            Role::Selection => Modifier::REVERSED,
            Role::Emphasis => Modifier::ITALIC,
            Role::Struck => Modifier::CROSSED_OUT,
            Role::Link => Modifier::UNDERLINED,
            Role::Text
            | Role::Ok
            | Role::Note
            | Role::Warning
            | Role::Code
            | Role::Literal
            | Role::Keyword
            | Role::Named
            | Role::Added
            | Role::Removed
            | Role::TypeUser
            | Role::TypeFeedback
            | Role::TypeProject
            | Role::TypeReference => Modifier::empty(),
        };
        let style = Style::new().add_modifier(modifier);
        color.map_or(style, |color| style.fg(color))
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

    /// A style for text of a file that is read as it is: no mark of ours, whatever it holds.
    #[must_use]
    pub fn verbatim(self, style: Style) -> Style {
        match self.ascii {
            true => style.add_modifier(glyph::VERBATIM),
            false => style,
        }
    }

    /// A mark of ours of which the ASCII form is wider than one cell.
    #[must_use]
    pub fn mark(self, mark: &'static str) -> &'static str {
        glyph::form(mark, self.ascii)
    }

    /// What is done to a frame when all is drawn: the colours behind and of what has none, and the
    /// forms of our marks.
    pub fn finish(self, buffer: &mut Buffer) {
        if self.ascii {
            glyph::to_ascii(buffer);
        }
        let text = color(self.palette.tint(Role::Text)).filter(|_| self.color);
        let behind = color(self.palette.background).filter(|_| self.color);
        if text.is_none() && behind.is_none() {
            return;
        }
        for cell in &mut buffer.content {
            if let (Color::Reset, Some(text)) = (cell.fg, text) {
                cell.fg = text;
            }
            if let (Color::Reset, Some(behind)) = (cell.bg, behind) {
                cell.bg = behind;
            }
        }
    }
}

/// `None`: the terminal's own.
fn color(tint: Tint) -> Option<Color> {
    const OWN: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    match tint {
        Tint::Default => None,
        Tint::Own(number) => OWN.get(usize::from(number)).copied(),
        Tint::Rgb(red, green, blue) => Some(Color::Rgb(red, green, blue)),
    }
}
