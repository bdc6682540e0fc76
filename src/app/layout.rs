//! Where the panes lie: from the size, the focus and the width that a person gave the tree. Plain
//! numbers in cells; drawing is elsewhere.

use crate::app::agent::Width;

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
    /// The agent at the side.
    Agent,
}

/// Smallest size that is drawn as panes.
pub const SMALLEST: Size = Size {
    width: 40,
    height: 10,
};

/// From these widths on two panes stand side by side, and three.
const TWO_PANES: u16 = 60;
const THREE_PANES: u16 = 100;
const NARROWEST_AGENT: u16 = 34;
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
    pub agent: Option<Area>,
    pub footer: Area,
}

/// What a person wants of the widths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wanted {
    /// What they dragged the tree's border to.
    pub tree: Option<u16>,
    /// How wide the agent is, where it is shown.
    pub agent: Option<Width>,
}

impl Layout {
    /// Lays out a screen. Where not all panes have room, the one with the focus and its neighbour are shown.
    #[must_use]
    pub fn of(size: Size, focus: Pane, wanted: Wanted) -> Self {
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
        let [tree, main, agent] = match (wanted.agent, focus) {
            (Some(Width::Full), Pane::Agent) => [None, None, Some(middle)],
            _ if size.width < TWO_PANES => match focus {
                Pane::Tree => [Some(middle), None, None],
                Pane::Main => [None, Some(middle), None],
                Pane::Agent => [None, None, Some(middle)],
            },
            (None, _) => {
                let [tree, main] = split(middle, tree_width(size.width, wanted.tree));
                [Some(tree), Some(main), None]
            }
            (Some(_), Pane::Tree) if size.width < THREE_PANES => {
                let [tree, main] = split(middle, tree_width(size.width, wanted.tree));
                [Some(tree), Some(main), None]
            }
            (Some(_), Pane::Main | Pane::Agent) if size.width < THREE_PANES => {
                let [main, agent] = split(middle, size.width - agent_width(size.width));
                [None, Some(main), Some(agent)]
            }
            (Some(_), _) => {
                let [rest, agent] = split(middle, size.width - agent_width(size.width));
                let [tree, main] = split(rest, tree_width(rest.width, wanted.tree));
                [Some(tree), Some(main), Some(agent)]
            }
        };
        Self::Panes(Panes {
            header: row(0),
            tree,
            main,
            agent,
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
            (Self::Panes(panes), Pane::Agent) => panes.agent,
        }
    }
}

/// Cells of the tree beside the main pane.
fn tree_width(width: u16, wanted: Option<u16>) -> u16 {
    let usual = (width * 2 / 5).min(42);
    wanted
        .unwrap_or(usual)
        .clamp(NARROWEST_TREE, width - NARROWEST_MAIN)
}

fn agent_width(width: u16) -> u16 {
    (width / 3)
        .clamp(NARROWEST_AGENT, 80)
        .min(width - NARROWEST_MAIN)
}

/// An area in two, the first so many cells wide.
fn split(area: Area, width: u16) -> [Area; 2] {
    let right = Area {
        x: area.x + width,
        width: area.width - width,
        ..area
    };
    [Area { width, ..area }, right]
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;
