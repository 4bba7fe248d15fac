//! The tree proper: immutable nodes with relative lengths, shared between revisions.

mod one_line;

use crate::error::ErrorCode;
use crate::kind::{Kind, TOKENS};
use std::sync::Arc;

pub(crate) use one_line::{LineParts, OneLine};

/// Properties of a node or of something inside it.
pub(crate) mod flag {
    /// The node or something inside it has errors.
    pub(crate) const ERROR: u8 = 1;
    /// An anchor or an alias.
    pub(crate) const NAME: u8 = 2;
    /// A tag with a handle of its own (`!e!tag`).
    pub(crate) const HANDLE: u8 = 4;
    /// A comment.
    pub(crate) const COMMENT: u8 = 8;
    /// The node is where its collection expects it and depends only on its own text, the text after it that
    /// was looked at, its column and the collection's kind. So a reparse may reuse it.
    pub(crate) const EXACT: u8 = 16;
    /// The nesting limit was reached inside, so the node depends on its depth.
    pub(crate) const DEEP: u8 = 32;
    /// A spelling that YAML libraries read in different ways.
    pub(crate) const UNUSUAL: u8 = 64;
    /// These are inherited from children.
    pub(crate) const INHERITED: u8 = ERROR | NAME | HANDLE | COMMENT | DEEP | UNUSUAL;
}

/// An error with its place relative to the node that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RelativeError {
    pub(crate) code: ErrorCode,
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// A node held by a shared pointer, or a one-line entry stored in the words of its collection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GreenNode<'a> {
    Shared(&'a Arc<Green>),
    Line(OneLine),
}

impl<'a> GreenNode<'a> {
    #[inline]
    pub(crate) fn kind(self) -> Kind {
        match self {
            GreenNode::Shared(node) => node.kind,
            GreenNode::Line(line) => line.kind(),
        }
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        match self {
            GreenNode::Shared(node) => node.len as usize,
            GreenNode::Line(line) => line.len() as usize,
        }
    }

    #[inline]
    pub(crate) fn flags(self) -> u8 {
        match self {
            GreenNode::Shared(node) => node.flags,
            GreenNode::Line(line) => line.flags(),
        }
    }

    /// See [`Green::column`].
    #[inline]
    pub(crate) fn column(self) -> u32 {
        match self {
            GreenNode::Shared(node) => node.column,
            GreenNode::Line(line) => line.column(),
        }
    }

    /// See [`Green::lookahead`].
    #[inline]
    pub(crate) fn lookahead(self) -> u32 {
        match self {
            GreenNode::Shared(node) => node.lookahead,
            GreenNode::Line(line) => line.lookahead(),
        }
    }

    /// See [`Green::height`].
    #[inline]
    pub(crate) fn height(self) -> u16 {
        match self {
            GreenNode::Shared(node) => node.height,
            GreenNode::Line(_) => 1,
        }
    }

    /// Whether there is no content in it, such as in a group of comments. Nodes with content begin with some.
    pub(crate) fn is_trivia(self) -> bool {
        self.children().all(Child::is_trivia)
    }

    #[inline]
    pub(crate) fn children(self) -> GreenChildren<'a> {
        match self {
            GreenNode::Shared(node) => node.children(),
            GreenNode::Line(line) => GreenChildren::Line { line, step: 0 },
        }
    }
}

/// A token or a node.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Child<'a> {
    Token { kind: Kind, len: u32 },
    Node(GreenNode<'a>),
}

impl Child<'_> {
    #[inline]
    pub(crate) fn len(self) -> usize {
        match self {
            Child::Token { len, .. } => len as usize,
            Child::Node(node) => node.len(),
        }
    }

    /// See [`GreenNode::is_trivia`].
    pub(crate) fn is_trivia(self) -> bool {
        match self {
            Child::Token { kind, .. } => kind.is_trivia(),
            Child::Node(node) => node.is_trivia(),
        }
    }

    /// Whether it is a token without content.
    #[inline]
    pub(crate) fn is_trivial_token(self) -> bool {
        matches!(self, Child::Token { kind, .. } if kind.is_trivia())
    }
}

/// One word per token: kind in the upper bits, length in the lower ones. A one-line entry takes three words, see
/// [`OneLine`]; other nodes are stored separately.
const LENGTH_BITS: u32 = 26;
const LENGTH: u32 = (1 << LENGTH_BITS) - 1;
/// Marks the place of the next node.
const NODE: u32 = 63 << LENGTH_BITS;

/// Adds a token as one word; as two if it is 64 MB or longer.
#[inline]
pub(crate) fn push_token(words: &mut Vec<u32>, kind: Kind, len: u32) {
    if len < LENGTH {
        words.push((kind as u32) << LENGTH_BITS | len);
    } else {
        words.push((kind as u32) << LENGTH_BITS | LENGTH);
        words.push(len);
    }
}

/// Adds the place of a node.
pub(crate) fn push_node(words: &mut Vec<u32>) {
    words.push(NODE);
}

/// Children of a node: its words, and the nodes inside it. An entry holds one value and most collections are small, so
/// a few words and one node need no allocation of their own.
#[derive(Debug)]
pub(crate) enum Body {
    Few(u8, [u32; 9]),
    Words(Box<[u32]>),
    FewAndNode(u8, [u32; 7], Arc<Green>),
    WordsAndNode(Box<[u32]>, Arc<Green>),
    WordsAndNodes(Box<[u32]>, Box<[Arc<Green>]>),
    Rare(Box<Rare>),
}

/// Children of a group or of a node with errors of its own.
#[derive(Debug)]
pub(crate) struct Rare {
    errors: Vec<RelativeError>,
    /// For a group: how many levels of groups it contains; else 0.
    level: u8,
    /// For a group: the number of nodes in it, including those in inner groups.
    count: usize,
    words: Box<[u32]>,
    nodes: Box<[Arc<Green>]>,
}

impl Body {
    /// Takes the nodes of a list from index `first` on.
    pub(crate) fn new(words: &[u32], list: &mut Vec<Arc<Green>>, first: usize) -> Body {
        match list.len().saturating_sub(first) {
            0 => few(words).map_or_else(|| Body::Words(words.into()), |(len, few)| Body::Few(len, few)),
            1 => match list.pop() {
                Some(node) => match few(words) {
                    Some((len, few)) => Body::FewAndNode(len, few, node),
                    None => Body::WordsAndNode(words.into(), node),
                },
                None => Body::Words(words.into()),
            },
            _ => Body::WordsAndNodes(words.into(), list.drain(first..).collect()),
        }
    }

    /// Like [`Body::new`], for a node that has errors of its own.
    pub(crate) fn with_errors(
        words: &[u32],
        list: &mut Vec<Arc<Green>>,
        first: usize,
        errors: Vec<RelativeError>,
    ) -> Body {
        let nodes = list.drain(first.min(list.len())..).collect();
        Body::Rare(Box::new(Rare { errors, level: 0, count: 0, words: words.into(), nodes }))
    }

    fn words(&self) -> &[u32] {
        match self {
            Body::Few(len, words) => words.get(..usize::from(*len)).unwrap_or(&[]),
            Body::FewAndNode(len, words, _) => words.get(..usize::from(*len)).unwrap_or(&[]),
            Body::Words(words) | Body::WordsAndNode(words, _) | Body::WordsAndNodes(words, _) => words,
            Body::Rare(rare) => &rare.words,
        }
    }

    fn nodes(&self) -> &[Arc<Green>] {
        match self {
            Body::Few(..) | Body::Words(_) => &[],
            Body::FewAndNode(_, _, node) | Body::WordsAndNode(_, node) => std::slice::from_ref(node),
            Body::WordsAndNodes(_, nodes) => nodes,
            Body::Rare(rare) => &rare.nodes,
        }
    }

    fn rare(&self) -> Option<&Rare> {
        match self {
            Body::Rare(rare) => Some(rare),
            _ => None,
        }
    }
}

/// The words in place, if they are few enough to fit into a node.
#[inline]
fn few<const N: usize>(words: &[u32]) -> Option<(u8, [u32; N])> {
    let mut few = [0; N];
    few.get_mut(..words.len())?.copy_from_slice(words);
    Some((words.len() as u8, few))
}

/// Children of a green node in order. Groups are returned as they are.
#[derive(Clone, Debug)]
pub(crate) enum GreenChildren<'a> {
    Shared { words: std::slice::Iter<'a, u32>, nodes: std::slice::Iter<'a, Arc<Green>> },
    Line { line: OneLine, step: u8 },
}

impl<'a> Iterator for GreenChildren<'a> {
    type Item = Child<'a>;

    #[inline]
    fn next(&mut self) -> Option<Child<'a>> {
        match self {
            GreenChildren::Shared { words, nodes } => Some(match next_word(words)? {
                Word::Token { kind, len } => Child::Token { kind, len },
                Word::Line(line) => Child::Node(GreenNode::Line(line)),
                Word::Node => Child::Node(GreenNode::Shared(nodes.next()?)),
            }),
            GreenChildren::Line { line, step } => loop {
                let (kind, len) = line.step(*step)?;
                *step += 1;
                if len > 0 {
                    return Some(Child::Token { kind, len });
                }
            },
        }
    }
}

/// The meaning of one or a few words.
enum Word {
    Token {
        kind: Kind,
        len: u32,
    },
    Line(OneLine),
    /// The place of the next node.
    Node,
}

#[inline]
fn next_word(words: &mut std::slice::Iter<'_, u32>) -> Option<Word> {
    let word = *words.next()?;
    if word >= one_line::LINE {
        return Some(if word >= NODE { Word::Node } else { Word::Line(OneLine::read(word, words)) });
    }
    let kind = TOKENS.get((word >> LENGTH_BITS) as usize).copied().unwrap_or(Kind::ErrorText);
    let mut len = word & LENGTH;
    if len == LENGTH {
        len = words.next().copied().unwrap_or(0);
    }
    Some(Word::Token { kind, len })
}

/// Whether there are more children than a node may have without groups.
pub(crate) fn is_long(words: &[u32]) -> bool {
    let mut rest = words.iter();
    words.len() > WIDEST && std::iter::from_fn(|| next_word(&mut rest)).nth(WIDEST).is_some()
}

/// A child that is not part of a node yet.
enum Owned {
    Token { kind: Kind, len: u32 },
    Line(OneLine),
    Node(Arc<Green>),
}

impl Owned {
    fn level(&self) -> Option<u8> {
        match self {
            Owned::Token { .. } => None,
            Owned::Line(_) => Some(0),
            Owned::Node(node) => Some(node.level()),
        }
    }
}

/// A node: its kind, length and children. It does not know its place in the text, so revisions of a text share all
/// nodes that an edit did not touch.
#[derive(Debug)]
pub struct Green {
    pub(crate) kind: Kind,
    pub(crate) flags: u8,
    /// How many levels of nodes it contains, including groups.
    pub(crate) height: u16,
    pub(crate) len: u32,
    /// How many bytes after its end were looked at to read it.
    pub(crate) lookahead: u32,
    /// For a block collection or its entries: their column. For a flow collection and its entries: the column of the
    /// enclosing block, plus one.
    pub(crate) column: u32,
    pub(crate) body: Body,
}

impl Green {
    #[inline]
    pub(crate) fn children(&self) -> GreenChildren<'_> {
        GreenChildren::Shared { words: self.body.words().iter(), nodes: self.body.nodes().iter() }
    }

    /// Errors of the node itself.
    pub(crate) fn errors(&self) -> &[RelativeError] {
        self.body.rare().map_or(&[], |rare| &rare.errors)
    }

    /// For a group: how many levels of groups it contains; else 0.
    fn level(&self) -> u8 {
        self.body.rare().map_or(0, |rare| rare.level)
    }

    /// The kind of the node.
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

    /// Number of nodes directly inside, including those in groups.
    pub fn count(&self) -> usize {
        if let Some(rare) = self.body.rare()
            && self.kind == Kind::Group
        {
            return rare.count;
        }
        let of = |child: Child<'_>| match child {
            Child::Token { .. } => 0,
            Child::Node(GreenNode::Shared(node)) if node.kind == Kind::Group => node.count(),
            Child::Node(_) => 1,
        };
        self.children().map(of).sum()
    }
}

/// A node with more children than this gets groups, and so does a longer run of tokens.
const WIDEST: usize = 128;
/// Nodes in one group.
const GROUP: usize = 48;

/// Puts the children of a long node into groups, so that a later edit copies a few hundred pointers instead of all, and
/// an offset is found without passing everything before it. A group of nodes begins and ends with one, so that a
/// reparse can reuse it between two entries; the tokens between two groups are outside both. Many tokens in a row, such
/// as comments stacked above an entry, get groups of their own, which are never reused.
pub(crate) fn group(words: &[u32], nodes: Vec<Arc<Green>>) -> (Vec<u32>, Vec<Arc<Green>>) {
    let mut children = Vec::with_capacity(words.len());
    let mut nodes = nodes.into_iter();
    let mut words = words.iter();
    while let Some(word) = next_word(&mut words) {
        match word {
            Word::Token { kind, len } => children.push(Owned::Token { kind, len }),
            Word::Line(line) => children.push(Owned::Line(line)),
            Word::Node => children.extend(nodes.next().map(Owned::Node)),
        }
    }
    let mut children = group_tokens(children);
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
            Owned::Line(line) => words.extend_from_slice(line.words()),
            Owned::Node(node) => {
                push_node(&mut words);
                nodes.push(node);
            }
        }
    }
    (words, nodes)
}

/// Puts long runs of tokens into groups of the first level.
fn group_tokens(children: Vec<Owned>) -> Vec<Owned> {
    let mut grouped = Vec::with_capacity(children.len());
    let mut run: Vec<Owned> = Vec::new();
    for child in children {
        if child.level().is_some() {
            flush_tokens(&mut run, &mut grouped);
            grouped.push(child);
        } else {
            run.push(child);
        }
    }
    flush_tokens(&mut run, &mut grouped);
    grouped
}

fn flush_tokens(run: &mut Vec<Owned>, out: &mut Vec<Owned>) {
    if run.len() <= WIDEST {
        out.append(run);
        return;
    }
    let mut tokens = run.drain(..).peekable();
    while tokens.peek().is_some() {
        let part = tokens.by_ref().take(GROUP).collect();
        out.push(Owned::Node(Arc::new(new_group(part, 1))));
    }
}

/// Puts each run of nodes into groups of one level.
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
    // The nodes are spread evenly, so that no group is nearly empty.
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

/// Makes a group of the children up to the last node; the tokens after it stay outside.
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
    let mut flags = if children.iter().any(|child| child.level().is_some()) { flag::EXACT } else { 0 };
    let mut column = None;
    let (mut len, mut reach, mut height, mut count) = (0u32, 0u32, 0u16, 0);
    for child in &children {
        let node = match child {
            Owned::Token { kind, len: token } => {
                len += token;
                flags |= token_flags(*kind);
                continue;
            }
            Owned::Line(line) => GreenNode::Line(*line),
            Owned::Node(node) => GreenNode::Shared(node),
        };
        len += node.len() as u32;
        flags |= node.flags() & flag::INHERITED;
        if node.flags() & flag::EXACT == 0 || *column.get_or_insert(node.column()) != node.column() {
            flags &= !flag::EXACT;
        }
        reach = reach.max(len + node.lookahead());
        height = height.max(node.height());
        count += match node {
            GreenNode::Shared(inner) if inner.kind == Kind::Group => inner.count(),
            _ => 1,
        };
    }
    let (words, nodes) = split(children);
    Green {
        kind: Kind::Group,
        flags,
        height: height.saturating_add(1),
        len,
        lookahead: reach.saturating_sub(len),
        column: column.unwrap_or(0),
        body: Body::Rare(Box::new(Rare { errors: Vec::new(), level, count, words: words.into(), nodes: nodes.into() })),
    }
}

/// The flags that a token sets for the nodes around it. The parser sets the flag for a tag's handle.
#[inline]
pub(crate) fn token_flags(kind: Kind) -> u8 {
    match kind {
        Kind::Comment => flag::COMMENT,
        Kind::Anchor | Kind::Alias => flag::NAME,
        _ => 0,
    }
}
