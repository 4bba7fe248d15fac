//! The tree proper: immutable nodes with relative lengths, shared between revisions.

use crate::error::ErrorCode;
use crate::kind::{Kind, TOKENS};
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
    /// it looked at behind it, its column and the collection's kind: a reparse may take it over.
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
#[derive(Clone, Copy, Debug)]
pub(crate) enum Child<'a> {
    Token { kind: Kind, len: u32 },
    Node(&'a Arc<Green>),
}

impl Child<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            Child::Token { len, .. } => len as usize,
            Child::Node(node) => node.len as usize,
        }
    }
}

/// One word per child: kind in the upper bits, length in the lower ones. Nodes are kept beside.
const LENGTH_BITS: u32 = 26;
const LENGTH: u32 = (1 << LENGTH_BITS) - 1;
/// Stands for the next node.
const NODE: u32 = 63 << LENGTH_BITS;

/// Adds a token as a word; two words if it is 64 MB or longer.
#[inline]
pub(crate) fn push_token(words: &mut Vec<u32>, kind: Kind, len: u32) {
    if len < LENGTH {
        words.push((kind as u32) << LENGTH_BITS | len);
    } else {
        words.push((kind as u32) << LENGTH_BITS | LENGTH);
        words.push(len);
    }
}

/// A token as one word; `None` if it is too long for that.
#[inline]
pub(crate) fn token_word(kind: Kind, len: usize) -> Option<u32> {
    (len < LENGTH as usize).then_some((kind as u32) << LENGTH_BITS | len as u32)
}

/// Adds the place of a node.
pub(crate) fn push_node(words: &mut Vec<u32>) {
    words.push(NODE);
}

/// Words of a node: most entries are one short line, whose words need no allocation.
#[derive(Debug)]
pub(crate) enum Words {
    Inline(u8, [u32; 7]),
    Heap(Box<[u32]>),
}

impl Words {
    pub(crate) fn new(words: &[u32]) -> Words {
        let mut inline = [0; 7];
        match inline.get_mut(..words.len()) {
            Some(place) => {
                place.copy_from_slice(words);
                Words::Inline(words.len() as u8, inline)
            }
            None => Words::Heap(words.into()),
        }
    }

    fn as_slice(&self) -> &[u32] {
        match self {
            Words::Inline(len, words) => words.get(..*len as usize).unwrap_or(&[]),
            Words::Heap(words) => words,
        }
    }
}

/// Nodes inside a node: an entry holds one value, so that one needs no allocation.
#[derive(Debug, Default)]
pub(crate) enum Nodes {
    #[default]
    None,
    One(Arc<Green>),
    Many(Box<[Arc<Green>]>),
}

impl Nodes {
    /// Takes the last nodes of a list, from `first` on.
    pub(crate) fn split_off(list: &mut Vec<Arc<Green>>, first: usize) -> Nodes {
        match list.len().saturating_sub(first) {
            0 => Nodes::None,
            1 => list.pop().map_or(Nodes::None, Nodes::One),
            _ => Nodes::Many(list.drain(first..).collect()),
        }
    }

    pub(crate) fn as_slice(&self) -> &[Arc<Green>] {
        match self {
            Nodes::None => &[],
            Nodes::One(node) => std::slice::from_ref(node),
            Nodes::Many(nodes) => nodes,
        }
    }
}

impl From<Vec<Arc<Green>>> for Nodes {
    fn from(mut list: Vec<Arc<Green>>) -> Nodes {
        if list.len() > 1 { Nodes::Many(list.into_boxed_slice()) } else { Nodes::split_off(&mut list, 0) }
    }
}

/// Children of a green node in order, groups not looked through.
#[derive(Clone, Debug)]
pub(crate) struct GreenChildren<'a> {
    words: std::slice::Iter<'a, u32>,
    nodes: std::slice::Iter<'a, Arc<Green>>,
}

impl<'a> Iterator for GreenChildren<'a> {
    type Item = Child<'a>;

    #[inline]
    fn next(&mut self) -> Option<Child<'a>> {
        match next_token(&mut self.words)? {
            Some((kind, len)) => Some(Child::Token { kind, len }),
            None => self.nodes.next().map(Child::Node),
        }
    }
}

/// Reads a word: a token, or (`Some(None)`) the place of a node.
#[inline]
fn next_token(words: &mut std::slice::Iter<'_, u32>) -> Option<Option<(Kind, u32)>> {
    let word = *words.next()?;
    if word >= NODE {
        return Some(None);
    }
    let kind = TOKENS.get((word >> LENGTH_BITS) as usize).copied().unwrap_or(Kind::ErrorText);
    let mut len = word & LENGTH;
    if len == LENGTH {
        len = words.next().copied().unwrap_or(0);
    }
    Some(Some((kind, len)))
}

/// A child on its way into a node.
enum Owned {
    Token { kind: Kind, len: u32 },
    Node(Arc<Green>),
}

impl Owned {
    fn level(&self) -> Option<u8> {
        match self {
            Owned::Token { .. } => None,
            Owned::Node(node) => Some(node.level),
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
    pub(crate) words: Words,
    pub(crate) nodes: Nodes,
}

impl Green {
    pub(crate) fn children(&self) -> GreenChildren<'_> {
        GreenChildren { words: self.words.as_slice().iter(), nodes: self.nodes.as_slice().iter() }
    }

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

    /// Number of nodes directly inside, groups looked through.
    pub fn count(&self) -> usize {
        // Groups nest as deep as the logarithm of what they hold.
        let of = |node: &Arc<Green>| if node.kind == Kind::Group { node.count() } else { 1 };
        match self.level {
            1 => self.nodes.as_slice().len(),
            _ => self.nodes.as_slice().iter().map(of).sum(),
        }
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
pub(crate) fn group(words: &[u32], nodes: Vec<Arc<Green>>) -> (Vec<u32>, Vec<Arc<Green>>) {
    let mut children = Vec::with_capacity(words.len());
    let mut nodes = nodes.into_iter();
    let mut words = words.iter();
    while let Some(token) = next_token(&mut words) {
        match token {
            Some((kind, len)) => children.push(Owned::Token { kind, len }),
            None => children.extend(nodes.next().map(Owned::Node)),
        }
    }
    let mut level = 0u8;
    while children.len() > WIDEST {
        let before = children.len();
        let highest = children.iter().filter_map(Owned::level).max().unwrap_or(0);
        children = group_level(children, level);
        if level > highest && children.len() >= before || level == u8::MAX - 1 {
            break;
        }
        level += 1;
    }
    split(children)
}

fn split(children: Vec<Owned>) -> (Vec<u32>, Vec<Arc<Green>>) {
    let mut words = Vec::with_capacity(children.len());
    let mut nodes = Vec::new();
    for child in children {
        match child {
            Owned::Token { kind, len } => push_token(&mut words, kind, len),
            Owned::Node(node) => {
                push_node(&mut words);
                nodes.push(node);
            }
        }
    }
    (words, nodes)
}

/// Groups each run of nodes of one level.
fn group_level(children: Vec<Owned>, level: u8) -> Vec<Owned> {
    let mut grouped = Vec::with_capacity(children.len() / 8 + 8);
    let mut run: Vec<Owned> = Vec::new();
    for child in children {
        match child.level() {
            Some(other) if other != level => {
                flush_run(&mut run, &mut grouped, level);
                grouped.push(child);
            }
            None if run.is_empty() => grouped.push(child),
            _ => run.push(child),
        }
    }
    flush_run(&mut run, &mut grouped, level);
    grouped
}

fn flush_run(run: &mut Vec<Owned>, out: &mut Vec<Owned>, level: u8) {
    let nodes = run.iter().filter(|child| child.level().is_some()).count();
    if nodes < 2 {
        out.append(run);
        return;
    }
    // Spread evenly, so that no group is nearly empty.
    let parts = nodes.div_ceil(GROUP);
    let each = nodes.div_ceil(parts);
    let mut current: Vec<Owned> = Vec::with_capacity(each * 2);
    let mut inside = 0;
    for child in run.drain(..) {
        if child.level().is_some() {
            if inside == each {
                close_group(&mut current, out, level);
                inside = 0;
            }
            inside += 1;
        }
        current.push(child);
    }
    close_group(&mut current, out, level);
}

/// Makes a group of the children up to the last node; the tokens behind it stay outside.
fn close_group(current: &mut Vec<Owned>, out: &mut Vec<Owned>, level: u8) {
    let last = current.iter().rposition(|child| child.level().is_some());
    let tail = current.split_off(last.map_or(0, |last| last + 1));
    if !current.is_empty() {
        let children = std::mem::take(current);
        out.push(Owned::Node(Arc::new(new_group(children, level + 1))));
    }
    out.extend(tail);
}

fn new_group(children: Vec<Owned>, level: u8) -> Green {
    let mut flags = flag::EXACT;
    let mut column = None;
    let (mut len, mut reach, mut height) = (0u32, 0u32, 0u16);
    for child in &children {
        match child {
            Owned::Token { kind, len: token } => {
                len += token;
                flags |= token_flags(*kind);
            }
            Owned::Node(node) => {
                len += node.len;
                flags |= node.flags & flag::INHERITED;
                if node.flags & flag::EXACT == 0 || *column.get_or_insert(node.column) != node.column {
                    flags &= !flag::EXACT;
                }
                reach = reach.max(len + node.lookahead);
                height = height.max(node.height);
            }
        }
    }
    let (words, nodes) = split(children);
    Green {
        kind: Kind::Group,
        flags,
        level,
        height: height.saturating_add(1),
        len,
        lookahead: reach.saturating_sub(len),
        column: column.unwrap_or(0),
        errors: None,
        words: Words::new(&words),
        nodes: nodes.into(),
    }
}

/// What a token tells about the nodes around it. A tag's handle is told by the parser.
#[inline]
pub(crate) fn token_flags(kind: Kind) -> u8 {
    match kind {
        Kind::Comment => flag::COMMENT,
        Kind::Anchor | Kind::Alias => flag::NAME,
        _ => 0,
    }
}
