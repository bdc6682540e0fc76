//! The marks that we draw, and what stands for each where a terminal draws marks of ambiguous width
//! two cells wide (`glyphs = "ascii"`). The only list of them: every frame's last look goes by it.
//! What files say is not ours, and stays as it is.

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::Modifier;
use unicode_width::UnicodeWidthStr as _;

/// Our marks and their forms. Those of two cells are chosen where they are drawn, by [`form`].
const FORMS: &[(&str, &str)] = &[
    ("✓", "+"),
    ("▲", "!"),
    ("✗", "x"),
    ("·", "-"),
    ("◷", "~"),
    ("◌", "o"),
    ("⊘", "0"),
    ("●", "*"),
    ("✎", "#"),
    ("↔", "<>"),
    ("⇄", "="),
    ("✂", ">8"),
    ("…", "~"),
    ("≈", "~"),
    ("–", "-"),
    ("—", "-"),
    ("▣", "#"),
    ("▢", "_"),
    ("×", "x"),
    ("≥", ">"),
    ("→", ">"),
    ("←", "<"),
    ("›", ">"),
    ("‹", "<"),
    ("▾", "v"),
    ("▸", ">"),
    ("•", "*"),
    ("▎", "|"),
    ("▌", ">"),
    ("▓", "#"),
    ("░", "."),
    ("▁", "."),
    ("▂", "."),
    ("▃", ":"),
    ("▄", ":"),
    ("▅", "="),
    ("▆", "="),
    ("▇", "#"),
    ("█", "#"),
    ("¿", "?"),
    ("�", "?"),
    ("─", "-"),
    ("│", "|"),
    ("┃", "#"),
    ("┼", "+"),
    ("├", "+"),
    ("└", "+"),
    ("⠋", "|"),
    ("⠙", "/"),
    ("⠸", "-"),
    ("⠴", "\\"),
    ("⠦", "|"),
    ("⠇", "/"),
    ("╭", "+"),
    ("╮", "+"),
    ("╰", "+"),
    ("╯", "+"),
];

/// What marks a cell whose text is a file's own: no terminal is asked to blink.
pub const VERBATIM: Modifier = Modifier::SLOW_BLINK;

/// A mark of ours as it is drawn.
#[must_use]
pub fn form(mark: &'static str, ascii: bool) -> &'static str {
    let found = FORMS.iter().find(|(own, _)| ascii && *own == mark);
    found.map_or(mark, |(_, form)| form)
}

/// Puts the forms in the place of our marks.
pub fn to_ascii(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        if cell.symbol().is_ascii() {
            cell.modifier.remove(VERBATIM);
            continue;
        }
        if !cell.modifier.contains(VERBATIM)
            && let Some((_, form)) = FORMS.iter().find(|(own, _)| *own == cell.symbol())
            && form.len() == 1
        {
            cell.set_symbol(form);
        }
        cell.modifier.remove(VERBATIM);
    }
}

/// Whether some terminals draw it wider than it is counted.
#[must_use]
pub fn is_ambiguous(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    !symbol.is_ascii() && symbol.width() != symbol.width_cjk()
}

#[cfg(test)]
#[path = "glyph_tests.rs"]
mod tests;
