//! From the syntax tree to documents as data.

use crate::code::{BlockKind, Reader, Statement};
use crate::expression::from_expression;
use crate::ownership::{Owner, OwnerKind, Owners, owners};
use crate::{ArrayItem, Document, DocumentSet, FileId, Issue, Key, MapItem, Node, NodeValue, Note, Notes, Span};
use lofting_annotation::{Annotation, CommentKind, read_comment};
use lofting_eval::read_expression_at;
use lofting_syntax::resolve::{
    Profile, Resolved, StrictProblem, decode_base64, resolve_text, short_tag, strict_problem,
};
use lofting_syntax::{Map, Token, Tree, Value, ValueKind};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use std::borrow::Cow;

/// What a ytt call can say about reading files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Options {
    /// `--implicit-map-key-overrides`: a repeated key replaces the earlier one.
    pub implicit_map_key_overrides: bool,
    /// `--ignore-unknown-comments`: ordinary comments are fine in templates.
    pub ignore_unknown_comments: bool,
    /// `--strict`: unquoted text that a careful reader could take for something else is refused.
    pub strict: bool,
    /// Keep what only running the template can decide about: bodies of functions, text with `(@ @)`,
    /// repeated keys. For compiling it, not for reading values.
    pub for_evaluation: bool,
}

/// Values nested deeper are unknown: far beyond what people write, and it bounds the stack of all who
/// walk the result.
const DEPTH_LIMIT: usize = 400;

/// How many nodes aliases may add to a file. ytt itself gives up on excessive aliasing; a person who
/// writes aliases stays thousands of times below this.
const ALIAS_BUDGET: usize = 250_000;

/// Reads the documents of a file. Never fails: what can not be read is unknown, and what is certainly
/// wrong beyond syntax is an issue.
pub fn lower(file: FileId, tree: &Tree, profile: Profile, options: Options) -> DocumentSet {
    let mut lower = Lower::new(file, tree, profile, options);
    let documents = lower.documents();
    lower.finish(documents)
}

struct Lower<'t> {
    file: FileId,
    tree: &'t Tree,
    profile: Profile,
    options: Options,
    owners: Owners,
    /// Comments before this one have met their owners.
    cursor: usize,
    is_template: bool,
    issues: Vec<Issue>,
    /// What an anchor's name stands for at this point of the document.
    anchors: FxHashMap<String, Value<'t>>,
    /// What each alias stands for, by its offset: an alias inside an anchored value means what it
    /// meant where it was written, also when the value is copied later.
    aliases: FxHashMap<usize, Value<'t>>,
    /// Offsets of the anchored values that are being read.
    open_anchors: Vec<usize>,
    budget: usize,
    budget_told: bool,
    reader: Reader,
    /// Open blocks with their first lines.
    blocks: Vec<(BlockKind, Span)>,
    /// `if/end` and the like waits for its node.
    node_bound: Option<(BlockKind, Span)>,
}

/// What holds for a value from above.
#[derive(Clone, Copy)]
struct Context {
    depth: usize,
    /// Strings may hold `(@ @)` templates.
    templated: bool,
    /// This is a copy through an alias: comments belong to the original only (reference 4.4).
    copy: bool,
}

impl Context {
    fn deeper(self) -> Self {
        Context { depth: self.depth + 1, ..self }
    }
}

/// What the code around an item says about it.
struct Placement {
    conditional: bool,
    /// It is part of a function's body and not of the document.
    in_function: bool,
}

impl<'t> Lower<'t> {
    fn new(file: FileId, tree: &'t Tree, profile: Profile, options: Options) -> Self {
        let owners = if matches!(profile, Profile::Ytt) { owners(tree) } else { Owners::default() };
        let mut lower = Lower {
            file,
            tree,
            profile,
            options,
            owners,
            cursor: 0,
            is_template: false,
            issues: Vec::new(),
            anchors: FxHashMap::default(),
            aliases: FxHashMap::default(),
            open_anchors: Vec::new(),
            budget: ALIAS_BUDGET,
            budget_told: false,
            reader: Reader::default(),
            blocks: Vec::new(),
            node_bound: None,
        };
        lower.survey();
        lower
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    /// Looks at all comments once: is this a template, and what do its comments get wrong.
    fn survey(&mut self) {
        if !matches!(self.profile, Profile::Ytt) {
            return;
        }
        let bom = self.tree.len() >= 3 && self.tree.text(0..3) == "\u{feff}";
        let mut ordinary = Vec::new();
        let mut lost = None;
        for comment in self.owners.comments() {
            if bom && comment.range.start == 3 {
                lost = Some(self.span(comment.range.clone()));
                continue;
            }
            let text = self.tree.text(comment.range.clone());
            // The second character decides; arguments are read only where they are needed.
            match text.as_bytes().get(1) {
                Some(b'@') => self.is_template = true,
                Some(b'!') => {}
                _ => ordinary.push(self.span(comment.range.clone())),
            }
        }
        if self.is_template && !self.options.ignore_unknown_comments {
            self.issues.extend(ordinary.into_iter().map(|span| Issue::OrdinaryComment { span }));
        }
        if bom {
            self.issues.push(Issue::ByteOrderMark { span: self.span(0..3), comment: lost });
        }
    }

    fn documents(&mut self) -> Vec<Document> {
        let mut documents = Vec::new();
        for document in self.tree.documents() {
            self.anchors.clear();
            self.aliases.clear();
            let marker = document.start_marker().map(|token| token.range());
            let (mut notes, mut placement) = (Notes::default(), Placement { conditional: false, in_function: false });
            if let Some(marker) = &marker {
                notes = self.notes(Owner { kind: OwnerKind::Document, offset: marker.start });
                placement = self.placement(0);
            }
            let context = Context { depth: 0, templated: is_templated(&notes), copy: false };
            let empty = marker.as_ref().map_or(document.range().start, |marker| marker.end);
            let value = match document.root() {
                Some(root) => self.item_value(root, &notes, context),
                None => Node::missing(self.span(empty..empty)),
            };
            let value = self.computed(value, &notes);
            if placement.in_function && !self.options.for_evaluation {
                continue;
            }
            documents.push(Document {
                span: self.span(document.range()),
                marker: marker.map(|range| self.span(range)),
                notes,
                value,
                conditional: placement.conditional,
            });
        }
        documents
    }

    fn finish(mut self, mut documents: Vec<Document>) -> DocumentSet {
        // Code behind the last node belongs to ytt's invisible end document.
        let tail = match self.is_template {
            true => self.notes_of(self.cursor..self.owners.comments().len()),
            false => Notes::default(),
        };
        let unclosed: Vec<Issue> = self.blocks.drain(..).map(|(_, span)| Issue::UnclosedBlock { span }).collect();
        self.issues.extend(unclosed);
        // The invisible first document of a file that starts with comments and then `---` is dropped
        // (reference 4.5).
        if documents
            .first()
            .is_some_and(|first| first.marker.is_none() && first.value.missing && first.notes.computed.is_none())
        {
            documents.remove(0);
        }
        self.issues.sort_by_key(|issue| issue.span().start);
        DocumentSet { documents, is_template: self.is_template, issues: self.issues, tail }
    }

    // Comments and code ------------------------------------------------------------------------

    fn notes(&mut self, owner: Owner) -> Notes {
        let owned = self.owners.next_owned_by(owner, &mut self.cursor);
        if owned.is_empty() || !self.is_template {
            return Notes::default();
        }
        self.notes_of(owned)
    }

    fn notes_of(&mut self, owned: std::ops::Range<usize>) -> Notes {
        let mut notes = Notes::default();
        for index in owned {
            let Some(comment) = self.owners.comments().get(index).cloned() else { continue };
            let text = self.tree.text(comment.range.clone());
            let span = self.span(comment.range.clone());
            match read_comment(&text, comment.range.start).kind {
                CommentKind::Code { code } => self.code(code, comment.same_line, span, &mut notes),
                CommentKind::Annotation(annotation) => match annotation.name.as_str() {
                    // The long forms of code comments.
                    "template/code" => self.code(annotation.arguments_range, false, span, &mut notes),
                    "template/value" => self.code(annotation.arguments_range, true, span, &mut notes),
                    _ => notes.annotations.push(self.annotation(annotation, span)),
                },
                CommentKind::Ytt | CommentKind::Ordinary => {}
            }
        }
        notes
    }

    fn annotation(&mut self, annotation: Annotation, span: Span) -> Note {
        // Arguments of every annotation are evaluated, also of those that mean nothing (reference 5.3).
        for error in &annotation.arguments.errors {
            let issue = Issue::Arguments { span: self.span(error.range.clone()), message: error.message.clone() };
            self.issues.push(issue);
        }
        Note {
            name: SmolStr::from(annotation.name.as_str()),
            span,
            name_span: self.span(annotation.name_range),
            arguments: annotation.arguments,
        }
    }

    fn code(&mut self, code: std::ops::Range<usize>, value: bool, comment: Span, notes: &mut Notes) {
        let span = self.span(code.clone());
        if value {
            notes.computed = Some(span);
            return;
        }
        notes.code.push(span);
        if let Some((_, opening)) = self.node_bound {
            self.issues.push(Issue::CodeAfterSlashEnd { span: comment, opening });
        }
        let text = self.tree.text(code);
        let Some((statement, first)) = self.reader.line(&text, span) else { return };
        match statement {
            Statement::Open(kind) => self.blocks.push((kind, first)),
            Statement::NodeBound(kind) => self.node_bound = Some((kind, first)),
            Statement::End if self.blocks.pop().is_none() => self.issues.push(Issue::UnexpectedEnd { span: first }),
            Statement::Branch if self.blocks.is_empty() => self.issues.push(Issue::UnexpectedEnd { span: first }),
            Statement::End | Statement::Branch | Statement::Other => {}
        }
    }

    /// What the blocks opened since the collection began (when `outer` blocks were open) say about the
    /// node whose comments were just read.
    fn placement(&mut self, outer: usize) -> Placement {
        let bound = self.node_bound.take();
        let mut placement = Placement { conditional: false, in_function: false };
        let inner = self.blocks.get(outer..).unwrap_or(&[]);
        for (kind, _) in inner.iter().chain(bound.as_ref()) {
            match kind {
                BlockKind::Conditional => placement.conditional = true,
                BlockKind::Function => placement.in_function = true,
            }
        }
        placement
    }

    // Values -----------------------------------------------------------------------------------

    /// The value of a document or item: its anchor is registered, code gives way to "unknown".
    fn item_value(&mut self, value: Value<'t>, notes: &Notes, context: Context) -> Node {
        let context = Context { templated: context.templated || is_templated(notes), ..context };
        self.value(value, context)
    }

    fn value(&mut self, value: Value<'t>, context: Context) -> Node {
        let span = self.span(value.range());
        if context.copy && !self.spend(span) {
            return Node::unknown(span);
        }
        if context.depth > DEPTH_LIMIT {
            self.issues.push(Issue::DepthLimit { span });
            return Node::unknown(span);
        }
        if let Some(alias) = value.alias() {
            return self.alias(alias, span, context);
        }
        let anchored = match value.anchor() {
            Some(anchor) if !context.copy => {
                let name = anchor.text().trim_start_matches('&').to_owned();
                self.anchors.insert(name, value);
                true
            }
            anchor => anchor.is_some(),
        };
        if anchored {
            self.open_anchors.push(value.range().start);
        }
        let node = self.content(value, span, context);
        if anchored {
            self.open_anchors.pop();
        }
        node
    }

    fn content(&mut self, value: Value<'t>, span: Span, context: Context) -> Node {
        if let Some(map) = value.map() {
            let (items, partial) = self.map(map, context);
            return Node { partial, ..Node::new(NodeValue::Map(items), span) };
        }
        if let Some(seq) = value.seq() {
            let (items, partial) = self.seq(seq.items(), context);
            return Node { partial, ..Node::new(NodeValue::Array(items), span) };
        }
        let missing = matches!(value.kind(), ValueKind::Missing);
        Node { missing, ..Node::new(self.scalar(value, span, context), span) }
    }

    fn scalar(&mut self, value: Value<'t>, span: Span, context: Context) -> NodeValue {
        let tag = value.tag().map(|tag| tag.text());
        let Some(scalar) = value.scalar() else {
            let text = matches!(tag.as_deref(), Some("!!str" | "tag:yaml.org,2002:str"));
            return if text { NodeValue::String(SmolStr::default()) } else { NodeValue::Null };
        };
        let plain = value.kind() == ValueKind::Plain;
        let text = scalar.value();
        if self.options.strict && plain && tag.is_none() {
            self.strict(&text, span);
        }
        match resolve_text(self.profile, plain, &text, tag.as_deref()) {
            Ok(Resolved::String) => self.text(text, tag.as_deref(), context),
            Ok(Resolved::Null) => NodeValue::Null,
            Ok(Resolved::Bool(value)) => NodeValue::Bool(value),
            Ok(Resolved::Int(value)) => NodeValue::Int(value),
            Ok(Resolved::Float(value)) => NodeValue::Float(value),
            Err(error) => {
                self.issues.push(Issue::Tag { span, message: error.message });
                NodeValue::Unknown
            }
        }
    }

    fn text(&self, text: Cow<'_, str>, tag: Option<&str>, context: Context) -> NodeValue {
        if let Some(tag) = tag
            && short_tag(tag) == "!!binary"
            && let Some(bytes) = decode_base64(&text)
        {
            return NodeValue::String(String::from_utf8_lossy(&bytes).into());
        }
        if context.templated && text.contains("(@") && !self.options.for_evaluation {
            return NodeValue::Unknown;
        }
        NodeValue::String(SmolStr::from(text))
    }

    /// `--strict` (reference 4.6).
    fn strict(&mut self, text: &str, span: Span) {
        if let Some(problem) = strict_problem(text) {
            let reading = match problem {
                StrictProblem::Ambiguous(tag) => Some(tag),
                StrictProblem::Whitespace | StrictProblem::Colon | StrictProblem::TripleDash => None,
            };
            self.issues.push(Issue::Strict { span, text: text.to_owned(), reading });
        }
    }

    fn map(&mut self, map: Map<'t>, context: Context) -> (Vec<MapItem>, bool) {
        let half_typed_is_null = map.is_flow();
        let outer = self.blocks.len();
        let mut partial = false;
        let mut keys = Keys::default();
        for entry in map.entries() {
            let start = entry.node().range().start;
            let notes = self.item_notes(OwnerKind::MapItem, start, context);
            let placement = self.placement(outer);
            let parts = entry.parts();
            if parts.is_incomplete && !half_typed_is_null {
                partial = true;
                // Read for the anchors and the code in it.
                let _ = self.item_value(parts.value, &notes, context.deeper());
                continue;
            }
            let (key, key_span) = self.key(parts.key, start, context, &notes);
            let value = self.item_value(parts.value, &notes, context.deeper());
            partial |= placement.conditional || key.is_none();
            let conditional = placement.conditional;
            if matches!(&key, Some(Key::String(text)) if text == "<<") && is_merge_key(parts.key) {
                let (added, complete) = self.merged(value);
                partial |= !complete;
                for item in added {
                    self.insert(MapItem { merged: true, conditional, ..item }, &mut keys, context);
                }
                continue;
            }
            let splices = self.splices(&notes);
            partial |= splices;
            let value = self.computed(value, &notes);
            let Some(key) = key else { continue };
            let elsewhere = placement.in_function || (splices && key.as_str() == Some("_"));
            if elsewhere && !self.options.for_evaluation {
                continue;
            }
            let span = self.span(start..value.span.range().end.max(key_span.range().end));
            let item = MapItem { key, key_span, span, value, notes, merged: false, conditional };
            self.insert(item, &mut keys, context);
        }
        (keys.finish(), partial)
    }

    /// Adds an item, minding the rules for repeated keys (reference 4.3).
    fn insert(&mut self, item: MapItem, keys: &mut Keys, context: Context) {
        let first = if item.conditional || self.options.for_evaluation { None } else { keys.first(&item.key) };
        if let Some((index, first)) = first {
            let (span, key) = (item.key_span, item.key.clone());
            if self.is_template && (self.options.implicit_map_key_overrides || item.notes.has("yaml/map-key-override"))
            {
                // The later item replaces and takes the later place.
                keys.replaced.push(index);
            } else if context.copy {
                // Told where the original stands.
            } else if self.is_template {
                self.issues.push(Issue::DuplicateKey { span, first, key });
            } else {
                self.issues.push(Issue::RepeatedKey { span, first, key });
            }
        }
        keys.push(item);
    }

    /// The items that `<<: value` brings, and whether these are all.
    fn merged(&mut self, value: Node) -> (Vec<MapItem>, bool) {
        match value.value {
            NodeValue::Map(items) => (items, !value.partial),
            NodeValue::Unknown => (Vec::new(), false),
            _ => {
                self.issues.push(Issue::MergeValue { span: value.span });
                (Vec::new(), true)
            }
        }
    }

    fn seq(
        &mut self,
        values: impl Iterator<Item = lofting_syntax::Item<'t>>,
        context: Context,
    ) -> (Vec<ArrayItem>, bool) {
        let outer = self.blocks.len();
        let (mut items, mut partial) = (Vec::new(), false);
        for item in values {
            let range = item.range();
            let notes = self.item_notes(OwnerKind::ArrayItem, range.start, context);
            let placement = self.placement(outer);
            let value = self.item_value(item.value(), &notes, context.deeper());
            let splices = self.splices(&notes);
            partial |= splices || placement.conditional;
            let value = self.computed(value, &notes);
            if (placement.in_function || splices) && !self.options.for_evaluation {
                continue;
            }
            let span = item.dash().map_or(range, |dash| dash.range());
            items.push(ArrayItem { span: self.span(span), value, notes, conditional: placement.conditional });
        }
        (items, partial)
    }

    fn item_notes(&mut self, kind: OwnerKind, offset: usize, context: Context) -> Notes {
        if context.copy { Notes::default() } else { self.notes(Owner { kind, offset }) }
    }

    /// The value of a node whose value may come from code: then it must have none of its own
    /// (reference 5.4). Literal expressions need no evaluation.
    fn computed(&mut self, value: Node, notes: &Notes) -> Node {
        let Some(code) = notes.computed else { return value };
        if self.options.for_evaluation {
            return value;
        }
        if !matches!(value.value, NodeValue::Null) {
            self.issues.push(Issue::CodeAndValue { span: code, value: value.span });
            return Node::unknown(value.span);
        }
        let text = self.tree.text(code.range());
        let expression = read_expression_at(&text, code.range().start);
        for error in &expression.errors {
            let issue = Issue::Code { span: self.span(error.range.clone()), message: error.message.clone() };
            self.issues.push(issue);
        }
        if expression.errors.is_empty() && expression.expr.is_literal() {
            return from_expression(self.file, &expression.expr);
        }
        Node::unknown(value.span)
    }

    /// Whether the value may be `template.replace(...)`, which puts other items in this one's place
    /// (reference 7.6).
    fn splices(&self, notes: &Notes) -> bool {
        notes.computed.is_some_and(|code| self.tree.text(code.range()).contains(".replace("))
    }

    fn key(&mut self, key: Option<Value<'t>>, start: usize, context: Context, notes: &Notes) -> (Option<Key>, Span) {
        let Some(value) = key else {
            return (Some(Key::Null), self.span(start..start));
        };
        let span = self.span(value.range());
        let templated = context.templated || is_templated(notes);
        // Keys take part in anchors and aliases like values.
        let node = self.value(value, Context { templated, ..context.deeper() });
        let key = match node.value {
            NodeValue::Null => Some(Key::Null),
            NodeValue::Bool(value) => Some(Key::Bool(value)),
            NodeValue::Int(value) => Some(Key::Int(value)),
            NodeValue::Float(value) => Some(Key::Float(value.to_bits())),
            NodeValue::String(text) => Some(Key::String(text)),
            NodeValue::Map(_) | NodeValue::Array(_) => {
                self.issues.push(Issue::CollectionKey { span });
                None
            }
            NodeValue::Unknown => None,
        };
        (key, span)
    }

    // Aliases ----------------------------------------------------------------------------------

    fn alias(&mut self, alias: Token<'t>, span: Span, context: Context) -> Node {
        let offset = alias.range().start;
        let name = alias.text().trim_start_matches('*').to_owned();
        let known = if context.copy { self.aliases.get(&offset) } else { self.anchors.get(&name) };
        let Some(target) = known.copied() else {
            if !context.copy {
                self.issues.push(Issue::UnknownAlias { span, name });
            }
            return Node::unknown(span);
        };
        self.aliases.insert(offset, target);
        if self.open_anchors.contains(&target.range().start) {
            if !context.copy {
                self.issues.push(Issue::AliasCycle { span, name });
            }
            return Node::unknown(span);
        }
        if !self.spend(span) {
            return Node::unknown(span);
        }
        self.value(target, Context { copy: true, ..context.deeper() })
    }

    fn spend(&mut self, span: Span) -> bool {
        if let Some(left) = self.budget.checked_sub(1) {
            self.budget = left;
            return true;
        }
        if !self.budget_told {
            self.budget_told = true;
            self.issues.push(Issue::AliasLimit { span });
        }
        false
    }
}

/// The items of a map while it is read.
#[derive(Default)]
struct Keys {
    items: Vec<MapItem>,
    /// Index of the item that counts so far.
    seen: FxHashMap<Key, usize>,
    /// Indices of items that a later one has replaced, ascending per key.
    replaced: Vec<usize>,
}

impl Keys {
    fn first(&self, key: &Key) -> Option<(usize, Span)> {
        let index = *self.seen.get(key)?;
        Some((index, self.items.get(index)?.key_span))
    }

    fn push(&mut self, item: MapItem) {
        if !item.conditional {
            self.seen.insert(item.key.clone(), self.items.len());
        }
        self.items.push(item);
    }

    fn finish(mut self) -> Vec<MapItem> {
        if self.replaced.is_empty() {
            return self.items;
        }
        self.replaced.sort_unstable();
        let (mut index, mut gone) = (0, self.replaced.iter().peekable());
        self.items.retain(|_| {
            let keep = gone.next_if(|next| **next == index).is_none();
            index += 1;
            keep
        });
        self.items
    }
}

fn is_templated(notes: &Notes) -> bool {
    notes.has("yaml/text-templated-strings")
}

/// `<<` merges only where it is written plain.
fn is_merge_key(key: Option<Value<'_>>) -> bool {
    key.is_some_and(|key| matches!(key.kind(), ValueKind::Plain))
}
