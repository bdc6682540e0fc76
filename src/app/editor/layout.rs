//! Where form and body of an edit lie in their pane: numbers in cells, drawing is elsewhere.

use crate::app::editor::{Editor, Spot};
use crate::app::layout::Area;

/// Rows for fields, a rule, rows for the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditLayout {
    pub form: Area,
    /// The first field in view.
    pub first: usize,
    pub rule: Area,
    pub body: Area,
}

impl EditLayout {
    /// Lays an edit out. The form takes the upper half at most, and shows the field with the cursor.
    #[must_use]
    pub fn of(editor: &Editor, inside: Area) -> Self {
        let fields = editor.fields.len();
        let most = usize::from(inside.height / 2).max(1);
        let rows = fields.min(most);
        let first = match editor.spot {
            Spot::Field(at) => (at + 1).saturating_sub(rows),
            Spot::Body => 0,
        };
        let rows = u16::try_from(rows).unwrap_or(0);
        let row = |y: u16, height: u16| Area {
            y: inside.y.saturating_add(y),
            height,
            ..inside
        };
        Self {
            form: row(0, rows),
            first,
            rule: row(rows, 1.min(inside.height.saturating_sub(rows))),
            body: row(rows + 1, inside.height.saturating_sub(rows + 1)),
        }
    }
}
