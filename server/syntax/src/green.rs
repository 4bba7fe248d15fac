//! The tree proper: immutable nodes with relative lengths, shared between revisions.

use crate::error::ErrorCode;
use crate::kind::Kind;
use std::sync::Arc;

/// Facts about a node or what is inside it.
pub(crate) mod flag {
    /// The node or something inside it has errors.
    pub(crate) const ERROR: u8 = 1;
    /// An anchor or an alias.
    pub(crate) const NAME: u8 = 2;
    /// A tag with a handle of its own (`!e!tag`).
    pub(crate) const HANDLE: u8 = 4;
    /// A comment.
    pub(crate) const COMMENT: u8 = 8;
    /// The node stands where its collection wants it and depends on nothing but its own text, what
    /// it looked at behind it, and the collection's kind and column: a reparse may take it over.
    pub(crate) const EXACT: u8 = 16;
    /// The limit of nesting was met inside, so the node depends on its depth.
    pub(crate) const DEEP: u8 = 32;
    /// These are inherited from children.
    pub(crate) const INHERITED: u8 = ERROR | NAME | HANDLE | COMMENT | DEEP;
}

/// An error with its place relative to the node that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RelativeError {
    pub(crate) code: ErrorCode,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A token, or a node behind a shared pointer.
#[derive(Clone, Debug)]
pub(crate) enum GreenChild {
    Token { kind: Kind, len: u32 },
    Node(Arc<Green>),
}

impl GreenChild {
    pub(crate) fn len(&self) -> usize {
        match self {
            GreenChild::Token { len, .. } => *len as usize,
            GreenChild::Node(node) => node.len as usize,
        }
    }

    fn level(&self) -> Option<u8> {
        match self {
            GreenChild::Token { .. } => None,
            GreenChild::Node(node) => Some(node.level),
        }
    }
}

/// A node: what it is, how long, and its children. Knows nothing of its place in the text, so that
/// revisions of a text share all nodes an edit did not touch.
#[derive(Debug)]
pub struct Green {
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
    /// Of a group: how many groups deep; else 0.
    pub(crate) level: u8,
    /// How many nodes deep (groups included).
    pub(crate) height: u16,
    pub(crate) len: u32,
    /// How many bytes behind its end were looked at to read it.
    pub(crate) lookahead: u32,
    /// Of a block collection or its entries: their column. Of a flow collection and its entries:
    /// the column of the block around, plus one.
    pub(crate) column: u32,
    pub(crate) errors: Option<Box<[RelativeError]>>,
    pub(crate) children: Box<[GreenChild]>,
}

impl Green {
    /// What the node is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether the node has no text.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the node or something inside it has a syntax error.
    pub fn has_errors(&self) -> bool {
        self.flags & flag::ERROR != 0
    }

    /// Whether the node or something inside it is a comment.
    pub fn has_comments(&self) -> bool {
        self.flags & flag::COMMENT != 0
    }

    /// Whether the node or something inside it is an anchor or an alias.
    pub fn has_names(&self) -> bool {
        self.flags & flag::NAME != 0
    }
}

/// Longest list of children a node gets; longer ones are put into groups.
const WIDEST: usize = 128;
/// Nodes in one group.
const GROUP: usize = 48;

/// Puts the children of a long collection into groups so that a later edit copies some hundred
/// pointers and not all. A group begins and ends with a node, so that a reparse can take it over
/// between two entries; what stands between two groups stays outside.
pub(crate) fn group(mut children: Vec<GreenChild>, column: u32) -> Vec<GreenChild> {
    let mut level = 0u8;
    while children.len() > WIDEST {
        let before = children.len();
        let highest = children.iter().filter_map(GreenChild::level).max().unwrap_or(0);
        children = group_level(children, level, column);
        if level > highest && children.len() >= before {
            break;
        }
        level = level.saturating_add(1);
        if level == u8::MAX {
            break;
        }
    }
    children
}

/// Groups each run of nodes of one level.
fn group_level(children: Vec<GreenChild>, level: u8, column: u32) -> Vec<GreenChild> {
    let mut grouped = Vec::with_capacity(children.len() / 8 + 8);
    let mut run: Vec<GreenChild> = Vec::new();
    for child in children {
        match child.level() {
            Some(other) if other != level => {
                flush_run(&mut run, &mut grouped, level, column);
                grouped.push(child);
            }
            None if run.is_empty() => grouped.push(child),
            _ => run.push(child),
        }
    }
    flush_run(&mut run, &mut grouped, level, column);
    grouped
}

fn flush_run(run: &mut Vec<GreenChild>, out: &mut Vec<GreenChild>, level: u8, column: u32) {
    let nodes = run.iter().filter(|child| child.level().is_some()).count();
    if nodes < 2 {
        out.append(run);
        return;
    }
    // Spread evenly, so that no group is nearly empty.
    let parts = nodes.div_ceil(GROUP);
    let each = nodes.div_ceil(parts);
    let mut current: Vec<GreenChild> = Vec::with_capacity(each * 2);
    let mut inside = 0;
    for child in run.drain(..) {
        if inside == each || (inside == 0 && child.level().is_none()) {
            if inside > 0 && child.level().is_some() {
                let tail = close_group(&mut current, out, level, column);
                out.extend(tail);
                inside = 0;
            } else if inside == 0 {
                out.push(child);
                continue;
            }
        }
        inside += usize::from(child.level().is_some());
        current.push(child);
    }
    let tail = close_group(&mut current, out, level, column);
    out.extend(tail);
}

/// Makes a group of the children up to the last node and returns the tokens behind it.
fn close_group(current: &mut Vec<GreenChild>, out: &mut Vec<GreenChild>, level: u8, column: u32) -> Vec<GreenChild> {
    let last = current.iter().rposition(|child| child.level().is_some());
    let tail = current.split_off(last.map_or(0, |last| last + 1));
    if !current.is_empty() {
        let children = std::mem::take(current);
        out.push(GreenChild::Node(Arc::new(new_group(children, level + 1, column))));
    }
    tail
}

fn new_group(children: Vec<GreenChild>, level: u8, column: u32) -> Green {
    let mut flags = flag::EXACT;
    let (mut len, mut reach, mut height) = (0u32, 0u32, 0u16);
    for child in &children {
        len += child.len() as u32;
        match child {
            GreenChild::Token { kind, .. } => flags |= token_flags(*kind),
            GreenChild::Node(node) => {
                flags |= node.flags & flag::INHERITED;
                if node.flags & flag::EXACT == 0 || node.column != column {
                    flags &= !flag::EXACT;
                }
                reach = reach.max(len + node.lookahead);
                height = height.max(node.height);
            }
        }
    }
    Green {
        kind: Kind::Group,
        flags,
        level,
        height: height.saturating_add(1),
        len,
        lookahead: reach.saturating_sub(len),
        column,
        errors: None,
        children: children.into_boxed_slice(),
    }
}

/// What a token tells about the nodes around it. A tag's handle is told by the parser.
pub(crate) fn token_flags(kind: Kind) -> u8 {
    match kind {
        Kind::Comment => flag::COMMENT,
        Kind::Anchor | Kind::Alias => flag::NAME,
        _ => 0,
    }
}
