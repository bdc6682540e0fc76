//! Three texts, line by line: what both sides made of one base. Changes to different lines are
//! merged; the rest is shown hunk by hunk for a person to choose.

use std::ops::Range;

use similar::{Algorithm, DiffOp, capture_diff_slices};

/// A text as hunks in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ThreeWay {
    pub hunks: Vec<Hunk>,
    /// The whole text of the other side: what a choice is then applied to.
    pub theirs: Vec<u8>,
}

/// A run of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Hunk {
    /// Neither side changed it, only one did, or both alike: this is the result.
    Settled(Vec<u8>),
    /// Both sides changed it, and differently.
    Open {
        base: Vec<u8>,
        mine: Vec<u8>,
        theirs: Vec<u8>,
    },
}

impl ThreeWay {
    /// The merged bytes, if no hunk is open.
    #[must_use]
    pub fn clean(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        for hunk in &self.hunks {
            match hunk {
                Hunk::Settled(bytes) => out.extend_from_slice(bytes),
                Hunk::Open { .. } => return None,
            }
        }
        Some(out)
    }
}

/// A run of base lines and what one side made of it.
struct Region {
    base: Range<usize>,
    side: Range<usize>,
}

/// Merges two texts that were made from one base.
#[must_use]
pub fn three_way(base: &[u8], mine: &[u8], theirs: &[u8]) -> ThreeWay {
    let whole = theirs.to_vec();
    let (base, mine, theirs) = (lines(base), lines(mine), lines(theirs));
    let (mut left, mut right) = (
        regions(&base, &mine).into_iter().peekable(),
        regions(&base, &theirs).into_iter().peekable(),
    );
    let mut merge = Merge {
        base: &base,
        mine: &mine,
        theirs: &theirs,
        at: [0; 3],
        hunks: Vec::new(),
    };
    // An insertion comes before what else begins at its line.
    let order = |region: &Region| (region.base.start, !region.base.is_empty());
    while let Some(seed) = [left.peek(), right.peek()]
        .into_iter()
        .flatten()
        .min_by_key(|region| order(region))
    {
        let mut hunk = seed.base.clone();
        merge.copy_to(hunk.start);
        let mut last: [Option<Region>; 2] = [None, None];
        let mut grown = true;
        while grown {
            grown = false;
            for (side, regions) in [(0, &mut left), (1, &mut right)] {
                while let Some(region) = regions.next_if(|region| touches(region, &hunk)) {
                    hunk.end = hunk.end.max(region.base.end);
                    last[side] = Some(region);
                    grown = true;
                }
            }
        }
        merge.take(hunk.end, &last);
    }
    merge.copy_to(base.len());
    ThreeWay {
        hunks: merge.hunks,
        theirs: whole,
    }
}

/// Whether a region belongs to a hunk of the base. Two insertions at one point have no order of
/// their own, so they do; an insertion at the edge of a changed line does not.
fn touches(region: &Region, hunk: &Range<usize>) -> bool {
    match hunk.is_empty() {
        true => region.base == *hunk,
        false => region.base.start < hunk.end && region.base.end > hunk.start,
    }
}

struct Merge<'a> {
    base: &'a [&'a [u8]],
    mine: &'a [&'a [u8]],
    theirs: &'a [&'a [u8]],
    /// How far base, mine and theirs are used up, in lines.
    at: [usize; 3],
    hunks: Vec<Hunk>,
}

impl Merge<'_> {
    /// Takes lines that neither side changed, up to a line of the base.
    fn copy_to(&mut self, base: usize) {
        let count = base - self.at[0];
        if count > 0 {
            self.settle(self.base[self.at[0]..base].concat());
            self.at = self.at.map(|at| at + count);
        }
    }

    /// Takes a hunk that at least one side changed; `last` is the last region of each side in it.
    fn take(&mut self, base_end: usize, last: &[Option<Region>; 2]) {
        // Behind its last region a side holds the base's lines.
        let end = |side: usize| match &last[side] {
            Some(region) => region.side.end + base_end - region.base.end,
            None => self.at[side + 1] + base_end - self.at[0],
        };
        let (mine_end, theirs_end) = (end(0), end(1));
        let base = self.base[self.at[0]..base_end].concat();
        let mine = self.mine[self.at[1]..mine_end].concat();
        let theirs = self.theirs[self.at[2]..theirs_end].concat();
        self.at = [base_end, mine_end, theirs_end];
        match (mine == base, theirs == base) {
            (_, true) => self.settle(mine),
            (true, false) => self.settle(theirs),
            (false, false) if mine == theirs => self.settle(mine),
            (false, false) => self.hunks.push(Hunk::Open { base, mine, theirs }),
        }
    }

    fn settle(&mut self, bytes: Vec<u8>) {
        match self.hunks.last_mut() {
            Some(Hunk::Settled(last)) => last.extend_from_slice(&bytes),
            Some(Hunk::Open { .. }) | None => self.hunks.push(Hunk::Settled(bytes)),
        }
    }
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn regions(base: &[&[u8]], side: &[&[u8]]) -> Vec<Region> {
    capture_diff_slices(Algorithm::Myers, base, side)
        .into_iter()
        .filter(|op| !matches!(op, DiffOp::Equal { .. }))
        .map(|op| Region {
            base: op.old_range(),
            side: op.new_range(),
        })
        .collect()
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
