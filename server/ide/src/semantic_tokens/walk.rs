//! Walks the tree of a file, or the part of it that is asked for, with what schemas and languages say about each place.

use super::contexts::{ContextId, Contexts, Node as SchemaNode, Place};
use super::lines::Lines;
use super::memo::{TokenMemo, is_chunk};
use super::scalars::surprising;
use super::{SemanticToken, TokenChoices};
use crate::document_kind::{DocumentKind, document_kind};
use crate::path::key_of;
use crate::token_kinds::{SemanticKind, SemanticModifiers, Stretch};
use lofting_dialect::inside::{TextReader, TextWordKind, TextsAt};
use lofting_document::FileId;
use lofting_schema::{Schema, Step};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Element, Entry, Item, Kind, Node, Tree, Value};
use lofting_text::Text;
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

/// What a walk found.
#[derive(Default)]
pub(super) struct Walked {
    /// Tokens in no particular order.
    pub stretches: Vec<Stretch>,
    /// Remembered tokens of parts, each with the line from which they count.
    chunks: Vec<(usize, Arc<[SemanticToken]>)>,
}

impl Walked {
    /// How many tokens are remembered ones.
    pub fn remembered(&self) -> usize {
        self.chunks.iter().map(|(_, tokens)| tokens.len()).sum()
    }

    /// Adds the remembered ones at the lines where they are now.
    pub fn add_remembered(&self, tokens: &mut Vec<SemanticToken>) {
        for (line, chunk) in &self.chunks {
            let first = u32::try_from(*line).unwrap_or(u32::MAX);
            let moved = |token: &SemanticToken| SemanticToken { line: token.line.saturating_add(first), ..*token };
            tokens.extend(chunk.iter().map(moved));
        }
    }
}

/// A part of the text that a schema governs.
struct GovernedText {
    /// An offset inside it.
    inside: usize,
    /// Steps from the root of its document.
    depth: usize,
    node: SchemaNode,
}

/// The file that is walked.
struct Walk<'s> {
    snapshot: &'s Snapshot,
    file: FileId,
    kind: FileKind,
    tree: &'s Tree,
    text: &'s Text,
    profile: Profile,
    range: &'s Range<usize>,
    schemas: Vec<Arc<Schema>>,
    /// In the order of the text.
    parts: Vec<GovernedText>,
    /// Schemas that govern all documents with values.
    whole: Vec<SchemaNode>,
    /// Where the documents begin, if texts in them may be in other languages.
    documents: Option<Vec<usize>>,
}

/// What is still to be looked at.
enum Task<'t> {
    /// The stream, or a group of its documents.
    Stream(Node<'t>),
    /// A document with its number.
    Document(Document<'t>),
    /// A collection, an entry, or a group of entries, with its number of steps from the root.
    Node(Node<'t>, ContextId, usize),
}

/// Walks the part of a file that touches `range` (bytes).
pub(super) fn walk(
    snapshot: &Snapshot,
    file: FileId,
    kind: FileKind,
    range: &Range<usize>,
    choices: TokenChoices,
    memo: Option<&mut TokenMemo>,
) -> Walked {
    let (tree, text) = (snapshot.tree(file), snapshot.text(file));
    let mut walk = Walk {
        snapshot,
        file,
        kind,
        tree: &tree,
        text: &text,
        profile: snapshot.profile(file),
        range,
        schemas: Vec::new(),
        parts: Vec::new(),
        whole: Vec::new(),
        documents: None,
    };
    if choices.keys {
        walk.find_schemas();
    }
    if kind == FileKind::Parts && snapshot.reads_texts(file) {
        walk.documents = Some(tree.documents().map(|document| document.range().start).collect());
    }
    // Where texts are read by languages, tokens depend on more than the text of a part.
    match memo.filter(|_| walk.documents.is_none()) {
        Some(memo) => {
            memo.begin(&walk.schemas, walk.profile, choices);
            let walked = walk.from(Task::Stream(tree.root()), &mut Known::Remembered(memo));
            memo.end();
            walked
        }
        None => walk.from(Task::Stream(tree.root()), &mut Known::Contexts(&mut Contexts::default())),
    }
}

/// What is known from earlier.
enum Known<'m> {
    /// Tokens of parts can be remembered.
    Remembered(&'m mut TokenMemo),
    /// Tokens are not remembered, only contexts.
    Contexts(&'m mut Contexts),
}

impl Known<'_> {
    fn contexts(&mut self) -> &mut Contexts {
        match self {
            Known::Remembered(memo) => &mut memo.contexts,
            Known::Contexts(contexts) => contexts,
        }
    }
}

impl<'s> Walk<'s> {
    fn find_schemas(&mut self) {
        match self.kind {
            FileKind::DataValues | FileKind::PlainValues => {
                let association = self.snapshot.association(self.file);
                let mut found: Vec<Arc<Schema>> = association.schemas().map(|schema| schema.schema.clone()).collect();
                if found.is_empty() {
                    found.extend(self.snapshot.named_schema(self.file));
                }
                self.whole = found.iter().enumerate().map(|(number, schema)| (number, schema.root())).collect();
                self.schemas = found;
            }
            FileKind::Parts => {
                for part in self.snapshot.governed(self.file) {
                    // Documents of one kind share their schema, and are adjacent.
                    let mut known = self.schemas.iter().enumerate().rev().take(NEAR);
                    let known = known.find(|(_, known)| Arc::ptr_eq(known, &part.schema)).map(|(number, _)| number);
                    let number = known.unwrap_or_else(|| {
                        self.schemas.push(part.schema.clone());
                        self.schemas.len() - 1
                    });
                    let node = (number, part.node);
                    self.parts.push(GovernedText { inside: part.key.start, depth: part.at.len(), node });
                }
                self.parts.sort_by_key(|part| part.inside);
            }
            _ => {}
        }
    }

    /// The parts that begin inside a range.
    fn parts_in(&self, range: &Range<usize>) -> &[GovernedText] {
        let from = self.parts.partition_point(|part| part.inside < range.start);
        let to = self.parts.partition_point(|part| part.inside < range.end.max(range.start + 1));
        self.parts.get(from..to).unwrap_or_default()
    }

    /// The nodes that govern the value of an entry, item or document, with its number of steps from the root.
    fn governed(&self, range: &Range<usize>, depth: usize) -> Vec<SchemaNode> {
        self.parts_in(range).iter().filter(|part| part.depth == depth).map(|part| part.node).collect()
    }

    fn reader(&self, place: &Place) -> Option<TextReader> {
        let start = *self.documents.as_ref()?.get(place.document)?;
        let document = self.tree.path_at(start).into_iter().find_map(Document::cast)?;
        self.snapshot
            .text_reader(self.file, &TextsAt { document: place.document, root: document.root()?, path: &place.path })
    }

    fn from(&self, first: Task<'s>, known: &mut Known<'_>) -> Walked {
        let mut walked = Walked::default();
        let mut open = vec![first];
        while let Some(task) = open.pop() {
            match task {
                Task::Stream(node) => self.children(node, &mut open, |node| match Document::cast(node) {
                    Some(document) => Some(Task::Document(document)),
                    None => (node.kind() == Kind::Group).then_some(Task::Stream(node)),
                }),
                Task::Document(document) => self.document(document, known, &mut walked, &mut open),
                Task::Node(node, context, depth) => {
                    if let Known::Remembered(memo) = known
                        && is_chunk(&node)
                    {
                        walked.chunks.extend(self.chunk(node, context, depth, memo));
                        continue;
                    }
                    self.node(node, context, depth, known, &mut walked, &mut open);
                }
            }
        }
        walked
    }

    /// Adds the work for the children of a node, in their order.
    fn children(&self, node: Node<'s>, open: &mut Vec<Task<'s>>, task: impl Fn(Node<'s>) -> Option<Task<'s>>) {
        let from = open.len();
        for part in node.parts() {
            let range = part.range();
            if range.start >= self.range.end && !range.is_empty() {
                break;
            }
            if let Element::Node(child) = part
                && range.end > self.range.start
            {
                open.extend(task(child));
            }
        }
        if let Some(added) = open.get_mut(from..) {
            added.reverse();
        }
    }

    /// The tokens of a part, remembered by its node.
    fn chunk(
        &self,
        node: Node<'s>,
        context: ContextId,
        depth: usize,
        memo: &mut TokenMemo,
    ) -> Option<(usize, Arc<[SemanticToken]>)> {
        let range = node.range();
        let line = self.text.line_of(range.start);
        let mut key = TokenMemo::key(&node, context)?;
        key.column = range.start - self.text.line_range(line).start;
        key.depth = depth;
        let parts = self.parts_in(&range).iter();
        key.parts = parts.map(|part| (part.inside - range.start, part.depth, part.node)).collect();
        let make = |contexts: &mut Contexts| {
            let Walked { mut stretches, .. } =
                self.from(Task::Node(node, context, depth), &mut Known::Contexts(contexts));
            stretches.sort_by_key(|stretch| stretch.range.start);
            let mut tokens = Vec::with_capacity(stretches.len());
            let mut lines = Lines::new(self.text, range);
            let first = u32::try_from(lines.line()).unwrap_or(u32::MAX);
            stretches.iter().for_each(|stretch| lines.add(stretch, &mut tokens));
            tokens.iter_mut().for_each(|token| token.line = token.line.saturating_sub(first));
            tokens
        };
        Some((line, memo.get(key, &node, make)))
    }

    fn document(&self, document: Document<'s>, known: &mut Known<'_>, walked: &mut Walked, open: &mut Vec<Task<'s>>) {
        let Some(root) = document.root() else { return };
        let range = document.range();
        let has_values = match self.kind {
            FileKind::PlainValues => true,
            FileKind::DataValues => document_kind(self.tree, document, None) == DocumentKind::Values,
            _ => false,
        };
        let nodes = if has_values { self.whole.clone() } else { self.governed(&range, 0) };
        let number = self.documents.as_ref().map(|starts| starts.partition_point(|start| *start < range.start));
        let place = number.map(|document| Place { document, path: Vec::new() });
        let context = known.contexts().get(nodes, place, &|place| self.reader(place));
        self.value(root, context, 0, known, walked, open);
    }

    fn node(
        &self,
        node: Node<'s>,
        context: ContextId,
        depth: usize,
        known: &mut Known<'_>,
        walked: &mut Walked,
        open: &mut Vec<Task<'s>>,
    ) {
        if let Some(entry) = Entry::cast(node) {
            let parts = entry.parts();
            let mut below = ContextId::NONE;
            if let Some(key) = parts.key {
                below = self.key(key, context, known, walked);
                open.extend(key.node().map(|node| Task::Node(node, ContextId::NONE, depth + 1)));
            }
            below = self.part_of(node, below, depth + 1, known);
            self.value(parts.value, below, depth + 1, known, walked, open);
        } else if let Some(item) = Item::cast(node) {
            let below = match context {
                ContextId::NONE => context,
                _ => known.contexts().step(&self.schemas, context, Step::Item, &|place| self.reader(place)).context,
            };
            let below = self.part_of(node, below, depth + 1, known);
            self.value(item.value(), below, depth + 1, known, walked, open);
        } else {
            self.children(node, open, |child| Some(Task::Node(child, context, depth)));
        }
    }

    /// The context of the value of an entry or item, which a schema of its own may govern.
    fn part_of(&self, node: Node<'s>, below: ContextId, depth: usize, known: &mut Known<'_>) -> ContextId {
        if self.parts.is_empty() {
            return below;
        }
        match self.governed(&node.range(), depth) {
            nodes if nodes.is_empty() => below,
            nodes => known.contexts().governed(below, nodes, &|place| self.reader(place)),
        }
    }

    /// Looks at a key; returns what applies to its value.
    fn key(&self, key: Value<'s>, context: ContextId, known: &mut Known<'_>, walked: &mut Walked) -> ContextId {
        names(key, walked);
        if context == ContextId::NONE {
            return context;
        }
        let Some(name) = key_of(self.profile, key) else { return ContextId::NONE };
        let below = known.contexts().step(&self.schemas, context, Step::Key(name), &|place| self.reader(place));
        // Code in a key is coloured as code.
        if let Some(modifiers) = below.key
            && !self.tree.text(key.content_range()).contains("(@")
        {
            walked.stretches.push(Stretch { range: key.content_range(), kind: SemanticKind::Property, modifiers });
        }
        below.context
    }

    fn value(
        &self,
        value: Value<'s>,
        context: ContextId,
        depth: usize,
        known: &mut Known<'_>,
        walked: &mut Walked,
        open: &mut Vec<Task<'s>>,
    ) {
        names(value, walked);
        if let Some(node) = value.node() {
            open.push(Task::Node(node, context, depth));
            return;
        }
        let Some(scalar) = value.scalar() else { return };
        if let Some(read) = known.contexts().reader(context) {
            let words = read(&scalar.value_in(self.profile));
            if !words.is_empty() {
                let origins = scalar.origins(self.profile);
                let stretch = |(range, kind)| Stretch::new(origins.written(range), kind_of(kind));
                walked.stretches.extend(words.into_iter().map(stretch));
                return;
            }
        }
        if let Some(kind) = surprising(self.profile, value, &scalar) {
            walked.stretches.push(Stretch::new(value.content_range(), kind));
        }
    }
}

/// With how many schemas, from the last on, that of a part is compared.
const NEAR: usize = 64;

/// The anchor or alias of a value.
fn names(value: Value<'_>, walked: &mut Walked) {
    if let Some(anchor) = value.anchor() {
        let modifiers = SemanticModifiers::DECLARATION;
        walked.stretches.push(Stretch { range: anchor.range(), kind: SemanticKind::Variable, modifiers });
    }
    if let Some(alias) = value.alias() {
        walked.stretches.push(Stretch::new(alias.range(), SemanticKind::Variable));
    }
}

fn kind_of(word: TextWordKind) -> SemanticKind {
    match word {
        TextWordKind::Mark => SemanticKind::Macro,
        TextWordKind::Type => SemanticKind::Type,
        TextWordKind::Option => SemanticKind::Parameter,
        TextWordKind::Operator => SemanticKind::Operator,
        TextWordKind::Variable => SemanticKind::Variable,
        TextWordKind::Function => SemanticKind::Function,
        TextWordKind::Field => SemanticKind::Property,
        TextWordKind::Keyword => SemanticKind::Keyword,
        TextWordKind::String => SemanticKind::String,
        TextWordKind::Number => SemanticKind::Number,
    }
}
