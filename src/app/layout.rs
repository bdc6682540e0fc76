//! Where the panes lie: from the size, the focus and the width that a person gave the tree. Plain
//! numbers in cells; drawing is elsewhere.

/// A size in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    pub width: u16,
    pub height: u16,
}

/// A rectangle in cells, from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Area {
    pub x: u16,
    pub y: u16,
    pub width: u16,
    pub height: u16,
}

impl Area {
    #[must_use]
    pub fn contains(self, x: u16, y: u16) -> bool {
        (self.x..self.x.saturating_add(self.width)).contains(&x)
            && (self.y..self.y.saturating_add(self.height)).contains(&y)
    }

    /// What is inside a border of one cell.
    #[must_use]
    pub fn inside(self) -> Self {
        Self {
            x: self.x.saturating_add(1),
            y: self.y.saturating_add(1),
            width: self.width.saturating_sub(2),
            height: self.height.saturating_sub(2),
        }
    }

    /// What is inside a border of one cell and, left and right, a padding of one.
    #[must_use]
    pub fn padded(self) -> Self {
        let inside = self.inside();
        Self {
            x: inside.x.saturating_add(1),
            width: inside.width.saturating_sub(2),
            ..inside
        }
    }
}

/// The panes that can have the focus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pane {
    Tree,
    Main,
}

/// Smallest size that is drawn as panes.
pub const SMALLEST: Size = Size {
    width: 40,
    height: 10,
};

/// From this width on two panes stand side by side.
const TWO_PANES: u16 = 60;
const NARROWEST_TREE: u16 = 20;
const NARROWEST_MAIN: u16 = 30;

/// Where everything lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Less than [`SMALLEST`]: one sentence.
    TooSmall,
    Panes(Panes),
}

/// Header and footer of one line each, the panes between them; a pane without an area is not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Panes {
    pub header: Area,
    pub tree: Option<Area>,
    pub main: Option<Area>,
    pub footer: Area,
}

impl Layout {
    /// Lays out a screen. `tree_width` is what a person dragged the border to, if anything.
    #[must_use]
    pub fn of(size: Size, focus: Pane, tree_width: Option<u16>) -> Self {
        if size.width < SMALLEST.width || size.height < SMALLEST.height {
            return Self::TooSmall;
        }
        let row = |y| Area {
            x: 0,
            y,
            width: size.width,
            height: 1,
        };
        let middle = Area {
            y: 1,
            height: size.height - 2,
            ..row(0)
        };
        let (tree, main) = if size.width < TWO_PANES {
            match focus {
                Pane::Tree => (Some(middle), None),
                Pane::Main => (None, Some(middle)),
            }
        } else {
            let width = tree_width
                .unwrap_or_else(|| (size.width * 2 / 5).min(42))
                .clamp(NARROWEST_TREE, size.width - NARROWEST_MAIN);
            let main = Area {
                x: width,
                width: size.width - width,
                ..middle
            };
            (Some(Area { width, ..middle }), Some(main))
        };
        Self::Panes(Panes {
            header: row(0),
            tree,
            main,
            footer: row(size.height - 1),
        })
    }

    /// The area of a pane, if it is shown.
    #[must_use]
    pub fn pane(&self, pane: Pane) -> Option<Area> {
        match (self, pane) {
            (Self::TooSmall, _) => None,
            (Self::Panes(panes), Pane::Tree) => panes.tree,
            (Self::Panes(panes), Pane::Main) => panes.main,
        }
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
