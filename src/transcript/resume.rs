//! What a resumed session would send of a transcript: the way from the leaf to the last boundary, what
//! belongs beside it, and the cleaning. Lines are named, their texts stay in the file.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use super::entry::Kind;
use super::graph::{Graph, Node};
use super::message::Role;
use super::names::Name;
use super::source::Source;
use super::spoken;

/// The line that is added where a turn was cut off, and the answer to a prompt that had none.
pub const CONTINUE: &str = "Continue from where you left off.";
pub const NO_RESPONSE: &str = "No response requested.";

/// Why a line is not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    SideChain,
    SideBranch,
    NoResult,
    NoToolUse,
    OnlyThinking,
    Empty,
    Glued,
    Unreadable,
    Lost,
}

impl Why {
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::SideChain => "side-chain",
            Self::SideBranch => "side branch",
            Self::NoResult => "tool use without a result",
            Self::NoToolUse => "tool result without its tool use",
            Self::OnlyThinking => "only thinking",
            Self::Empty => "empty",
            Self::Glued => "shares its line with another object",
            Self::Unreadable => "unreadable line",
            Self::Lost => "kept by the boundary, but not in this file",
        }
    }
}

/// One message that is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sent {
    /// A line of the transcript.
    Line {
        node: usize,
        /// It stands before the boundary and stays in the conversation: its `usage` counts as zero, or the
        /// old size would start the next compaction at once.
        is_kept: bool,
        /// The next message is the same speaker's, and text meets text: a line break parts them.
        is_joined: bool,
    },
    /// A line that is made for the purpose.
    Made { role: Role, text: &'static str },
}

/// What a resume would send.
#[derive(Debug)]
pub struct Chain {
    pub graph: Graph,
    pub messages: Vec<Sent>,
    /// Lines behind the boundary that are not sent, by their ids where they have one.
    pub dropped: Vec<(Option<Arc<str>>, Why)>,
    /// Whether a parent was missing or the links ran in a circle, so that the order of the file stands in.
    pub is_broken: bool,
    /// Tool uses and results that are left out of messages which say something else.
    left_out: HashSet<Name>,
}

impl Chain {
    /// Reads it from a transcript of `end` bytes.
    ///
    /// # Errors
    /// As the system says.
    pub fn read<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Self> {
        Ok(Self::of(Graph::read(source, end)?))
    }

    #[must_use]
    pub fn of(graph: Graph) -> Self {
        let kept: HashSet<usize> = kept(&graph).iter().copied().collect();
        let (order, is_broken) = match path(&graph) {
            Some(path) => (with_what_is_beside(&graph, &path), false),
            None => (in_file_order(&graph, &kept), true),
        };
        let order = with_kept(&graph, order);
        let mut dropped = left_behind(&graph, &order);
        let (order, left_out) = cleaned(&graph, order, &mut dropped);
        let messages = sent(&graph, &order, &kept);
        Self {
            graph,
            messages,
            dropped,
            is_broken,
            left_out,
        }
    }

    /// The id of a message; none for one that is made.
    #[must_use]
    pub fn uuid(&self, sent: &Sent) -> Option<&Arc<str>> {
        match sent {
            Sent::Line { node, .. } => {
                let uuid = self.graph.nodes[*node].uuid?;
                Some(self.graph.names.text(uuid))
            }
            Sent::Made { .. } => None,
        }
    }

    #[must_use]
    pub fn role(&self, sent: &Sent) -> Role {
        match sent {
            Sent::Line { node, .. } => self.graph.nodes[*node].role,
            Sent::Made { role, .. } => *role,
        }
    }

    /// What a message says, read from the file; see [`spoken`].
    ///
    /// # Errors
    /// As the system says.
    pub fn text<S: Source + ?Sized>(&self, source: &S, sent: &Sent) -> io::Result<String> {
        match sent {
            Sent::Made { text, .. } => Ok((*text).to_string()),
            Sent::Line {
                node, is_joined, ..
            } => {
                let range = self.graph.nodes[*node].range.clone();
                let is_out = |id: &str| {
                    let name = self.graph.names.known(id);
                    name.is_some_and(|name| self.left_out.contains(&name))
                };
                let mut text = spoken::of_line(source, range, &is_out)?;
                if *is_joined {
                    text.push('\n');
                }
                Ok(text)
            }
        }
    }
}

fn kept(graph: &Graph) -> &[usize] {
    graph
        .boundary
        .as_ref()
        .map_or(&[], |boundary| &boundary.kept)
}

/// The lines from the boundary to the leaf; `None` where a parent is missing or the links run in a circle.
fn path(graph: &Graph) -> Option<Vec<usize>> {
    let boundary = graph.boundary.as_ref();
    let first = graph.nodes.len() - kept(graph).len();
    let mut path = Vec::new();
    let mut seen = HashSet::new();
    let mut next = graph.leaf;
    while let Some(at) = next {
        if !seen.insert(at) {
            return None;
        }
        path.push(at);
        next = match graph.nodes[at].parent {
            None => None,
            Some(parent) if boundary.is_some_and(|it| it.uuid == Some(parent)) => None,
            Some(parent) => {
                let parent = graph.node(parent)?;
                // What was kept stands before the boundary, and so does all that it hangs on.
                (parent < first).then_some(parent)
            }
        };
    }
    path.reverse();
    path.retain(|at| graph.nodes[*at].kind.is_message());
    Some(path)
}

fn in_file_order(graph: &Graph, kept: &HashSet<usize>) -> Vec<usize> {
    let nodes = graph.nodes.iter().enumerate();
    let main = nodes
        .filter(|(at, node)| node.kind.is_message() && !node.is_sidechain && !kept.contains(at));
    main.map(|(at, _)| at).collect()
}

/// The path, with the other lines of its API messages and the tool results that were left beside it: each
/// hangs on the line of its own tool use.
fn with_what_is_beside(graph: &Graph, path: &[usize]) -> Vec<usize> {
    let mut parts: HashMap<Name, Vec<usize>> = HashMap::new();
    let mut results: HashMap<Name, Vec<usize>> = HashMap::new();
    let main = |node: &Node| node.kind.is_message() && !node.is_sidechain;
    for (at, node) in graph
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| main(node))
    {
        if node.kind == Kind::Assistant {
            put(&mut parts, node.message, at);
        }
        for of in &node.results {
            put(&mut results, Some(*of), at);
        }
    }
    let on_path: HashSet<usize> = path.iter().copied().collect();
    let mut done = HashSet::new();
    let mut order = Vec::new();
    for at in path.iter().copied() {
        if done.contains(&at) {
            continue;
        }
        let node = &graph.nodes[at];
        let group = node.message.filter(|_| node.kind == Kind::Assistant);
        let group = group.and_then(|id| parts.get(&id)).cloned();
        let group = group.unwrap_or_else(|| vec![at]);
        let mut answers = Vec::new();
        for of in group.iter().flat_map(|part| &graph.nodes[*part].uses) {
            let all = results.get(of).map_or(&[][..], Vec::as_slice);
            let best = all.iter().find(|at| on_path.contains(at)).or(all.last());
            answers.extend(best);
        }
        answers.sort_unstable();
        order.extend(
            group
                .into_iter()
                .chain(answers)
                .filter(|at| done.insert(*at)),
        );
    }
    order
}

/// Puts one more under a key.
fn put(lists: &mut HashMap<Name, Vec<usize>>, key: Option<Name>, value: usize) {
    if let Some(key) = key {
        lists.entry(key).or_default().push(value);
    }
}

/// The messages from before the boundary follow their anchor, which is the summary.
fn with_kept(graph: &Graph, mut order: Vec<usize>) -> Vec<usize> {
    let Some(boundary) = &graph.boundary else {
        return order;
    };
    let anchor = boundary.anchor.and_then(|anchor| graph.node(anchor));
    let place = order.iter().position(|at| Some(*at) == anchor);
    let place = place.map_or(0, |place| place + 1);
    order.splice(place..place, boundary.kept.iter().copied());
    order
}

/// The messages that are in no conversation, and the lines that nobody can read.
fn left_behind(graph: &Graph, order: &[usize]) -> Vec<(Option<Arc<str>>, Why)> {
    let sent: HashSet<usize> = order.iter().copied().collect();
    let text = |name: Name| Arc::clone(graph.names.text(name));
    let nodes = graph.nodes.iter().enumerate();
    let behind = nodes.filter(|(at, node)| node.kind.is_message() && !sent.contains(at));
    let behind = behind.map(|(_, node)| match node.is_sidechain {
        true => (node.uuid.map(text), Why::SideChain),
        false => (node.uuid.map(text), Why::SideBranch),
    });
    let glued = graph.glued.iter().flat_map(|(_, ids)| ids);
    let glued = glued.map(|id| (Some(text(*id)), Why::Glued));
    let unreadable = graph.unreadable.iter().map(|_| (None, Why::Unreadable));
    let lost = graph.boundary.iter().flat_map(|boundary| &boundary.lost);
    let lost = lost.map(|id| (Some(text(*id)), Why::Lost));
    behind.chain(glued).chain(unreadable).chain(lost).collect()
}

/// The messages without what a provider would refuse; and the tool uses and results that have no other half.
fn cleaned(
    graph: &Graph,
    order: Vec<usize>,
    dropped: &mut Vec<(Option<Arc<str>>, Why)>,
) -> (Vec<usize>, HashSet<Name>) {
    let nodes = || order.iter().map(|at| &graph.nodes[*at]);
    let uses: HashSet<Name> = nodes().flat_map(|node| &node.uses).copied().collect();
    let results: HashSet<Name> = nodes().flat_map(|node| &node.results).copied().collect();
    let left_out: HashSet<Name> = uses.symmetric_difference(&results).copied().collect();
    let has = |list: &[Name]| list.iter().any(|id| !left_out.contains(id));
    let speaks = |node: &Node| node.says || has(&node.uses) || has(&node.results);
    // The lines of one API message are sent as one: thoughts stay with what they led to.
    let spoken: HashSet<Name> = nodes()
        .filter(|node| speaks(node))
        .filter_map(|node| node.message)
        .collect();
    let why = |node: &Node| {
        if speaks(node) {
            return None;
        }
        if !node.uses.is_empty() {
            return Some(Why::NoResult);
        }
        if !node.results.is_empty() {
            return Some(Why::NoToolUse);
        }
        match node.thinks {
            true if node.message.is_some_and(|id| spoken.contains(&id)) => None,
            true => Some(Why::OnlyThinking),
            false => Some(Why::Empty),
        }
    };
    let mut clean = Vec::with_capacity(order.len());
    for at in order {
        let node = &graph.nodes[at];
        match why(node) {
            None => clean.push(at),
            Some(why) => {
                let uuid = node.uuid.map(|uuid| Arc::clone(graph.names.text(uuid)));
                dropped.push((uuid, why));
            }
        }
    }
    (clean, left_out)
}

/// The messages, with the lines that are made where the last turn has no end.
fn sent(graph: &Graph, order: &[usize], kept: &HashSet<usize>) -> Vec<Sent> {
    let mut messages = Vec::with_capacity(order.len() + 2);
    let last = order.last().map(|at| &graph.nodes[*at]);
    let ending = last.map_or(Ending::Answered, |last| ending(graph, last));
    for (index, at) in order.iter().copied().enumerate() {
        let node = &graph.nodes[at];
        let next = order.get(index + 1).map(|at| &graph.nodes[*at]);
        let meets_text = match next {
            Some(next) => next.role == Role::User && next.begins_with_text,
            None => ending == Ending::CutOff,
        };
        messages.push(Sent::Line {
            node: at,
            is_kept: kept.contains(&at),
            is_joined: node.role == Role::User && node.ends_with_text && meets_text,
        });
    }
    if ending == Ending::CutOff {
        messages.push(Sent::Made {
            role: Role::User,
            text: CONTINUE,
        });
    }
    if ending != Ending::Answered {
        messages.push(Sent::Made {
            role: Role::Assistant,
            text: NO_RESPONSE,
        });
    }
    messages
}

/// How the conversation ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    Answered,
    /// With a prompt.
    Asked,
    /// In the middle of a turn: with a tool's result.
    CutOff,
}

/// Seen: from 2.1.220 on, what is attached to a prompt makes a turn of it; from 2.1.270 on, what a command
/// printed waits for nothing.
fn ending(graph: &Graph, last: &Node) -> Ending {
    let since = |version: [u32; 3]| graph.version.is_some_and(|own| own >= version);
    if last.role != Role::User || (last.is_local_output && since([2, 1, 270])) {
        return Ending::Answered;
    }
    match !last.results.is_empty() || (graph.is_attached_to && since([2, 1, 220])) {
        true => Ending::CutOff,
        false => Ending::Asked,
    }
}

#[cfg(test)]
#[path = "resume_tests.rs"]
mod tests;
