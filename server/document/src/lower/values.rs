//! Scalars, computed values, anchors and aliases.

use super::refused::marked_key;
use super::{Context, DEPTH_LIMIT, Lower, is_templated};
use crate::expression::from_expression;
use crate::ownership::{Owner, OwnerKind};
use crate::write::printed_key;
use crate::{Issue, Key, MapItem, Node, NodeValue, Notes, Span, is_substituted, is_substituted_key};
use lofting_eval::{bytes, read_expression_at};
use lofting_syntax::resolve::{
    Profile, Resolved, StrictProblem, decode_base64, is_of_application, resolve_text, short_tag, strict_problem,
};
use lofting_syntax::{Kind, Token, Value, ValueKind};
use smol_str::SmolStr;
use std::borrow::Cow;

/// How deeply maps and arrays may be nested in place of keys: each of these keys contains the text of those inside it.
const KEY_LEVELS: u8 = 30;

/// What some editors write before the text.
const BYTE_ORDER_MARK: &str = "\u{feff}";

impl<'t> Lower<'t> {
    /// The value of a document or item. Registers its anchor; a value that code computes is unknown.
    pub(super) fn item_value(&mut self, value: Value<'t>, notes: &Notes, context: Context) -> Node {
        let context = Context { templated: context.templated || is_templated(notes), ..context };
        self.value(value, context)
    }

    pub(super) fn value(&mut self, value: Value<'t>, context: Context) -> Node {
        let span = self.span(value.range());
        if context.copy && !self.spend(span) {
            return Node::unknown(span);
        }
        if context.depth > DEPTH_LIMIT {
            self.is_too_deep(span);
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
            self.open_anchors.push(value.start());
        }
        let mut node = self.content(value, span, context);
        // ytt ignores unknown tags; in the JSON Schema profile they change the meaning of the value.
        let tag = value.tag().filter(|_| self.profile == Profile::Core12);
        if tag.is_some_and(|tag| is_of_application(&self.written_out(tag.text()))) {
            node.value = NodeValue::Unknown;
        }
        if anchored {
            self.open_anchors.pop();
        }
        node
    }

    fn content(&mut self, value: Value<'t>, span: Span, context: Context) -> Node {
        if let Some(text) = self.text_with_colon(value) {
            return Node::new(NodeValue::String(text), span);
        }
        if self.marked_key(value, Kind::SeqEntry).is_some() {
            // An item of an array is a map with this key.
            let key = Node::new(self.scalar(value, span, context), span);
            let item = self.lone_key(&key);
            return Node::new(NodeValue::Map(item.into_iter().collect::<Vec<_>>().into()), span);
        }
        if let Some(map) = value.map() {
            let (items, partial) = self.map(map, context);
            return Node { partial, ..Node::new(NodeValue::Map(items.into()), span) };
        }
        if let Some(seq) = value.seq() {
            let (items, partial) = self.seq(seq.items(), context);
            return Node { partial, ..Node::new(NodeValue::Array(items), span) };
        }
        let missing = matches!(value.kind(), ValueKind::Missing);
        let content = match self.scalar(value, span, context) {
            NodeValue::String(text) if self.options.substituted && is_substituted(&text) && context.keys == 0 => {
                NodeValue::Unknown
            }
            content => content,
        };
        Node { missing, ..Node::new(content, span) }
    }

    fn scalar(&mut self, value: Value<'t>, span: Span, context: Context) -> NodeValue {
        let tag = value.tag().map(|tag| self.written_out(tag.text()));
        let Some(scalar) = value.scalar() else {
            return self.tagged_nothing(tag.as_deref(), span);
        };
        let plain = value.kind() == ValueKind::Plain;
        let mut text = scalar.value_in(self.profile);
        if plain && let Some(colon) = self.takes_colon(scalar.range().end) {
            text.to_mut().push_str(&colon);
        }
        if let Some(key) = self.marked_key(value, Kind::SeqEntry).or_else(|| self.marked_key(value, Kind::MapEntry)) {
            text = key;
        }
        if self.marked == Some(scalar.range().start) {
            return NodeValue::String(format!("{BYTE_ORDER_MARK}{}", scalar.raw()).into());
        }
        if self.options.strict && plain && tag.is_none() {
            self.strict(&text, span);
        }
        match resolve_text(self.profile, plain, &text, tag.as_deref()) {
            Ok(Resolved::String) => self.text(text, tag.as_deref(), context),
            Ok(Resolved::Null) => NodeValue::Null,
            Ok(Resolved::Bool(value)) => NodeValue::Bool(value),
            Ok(Resolved::Int(value)) => NodeValue::int(value),
            Ok(Resolved::Float(value)) => NodeValue::Float(value),
            Err(error) => {
                self.issues.push(Issue::Tag { span, message: error.message });
                NodeValue::Unknown
            }
        }
    }

    /// The value of a tag alone: for ytt's library that of the empty text.
    fn tagged_nothing(&mut self, tag: Option<&str>, span: Span) -> NodeValue {
        let Some(tag) = tag else { return NodeValue::Null };
        if !self.profile.library().tags_empty_text() {
            let is_text = short_tag(tag) == "!!str";
            return if is_text { NodeValue::String(SmolStr::default()) } else { NodeValue::Null };
        }
        match resolve_text(self.profile, true, "", Some(tag)) {
            Ok(Resolved::String) => NodeValue::String(SmolStr::default()),
            Ok(_) => NodeValue::Null,
            Err(error) => {
                self.issues.push(Issue::Tag { span, message: error.message });
                NodeValue::Unknown
            }
        }
    }

    /// The colon with which the unquoted text that ends at `end` goes on, and the blanks before it: between brackets,
    /// where no white space follows it.
    fn takes_colon(&self, end: usize) -> Option<Cow<'t, str>> {
        if !self.text_ends_in_colons {
            return None;
        }
        let is_blank = self.tree.text(end..self.tree.len().min(end + 1)).starts_with([' ', '\t']);
        let blanks = if is_blank { self.tree.token_at(end) } else { None };
        let colon = blanks.map_or(end, |blanks| blanks.range().end);
        let behind = self.tree.text(colon..self.tree.len().min(colon + 2));
        matches!(behind.as_bytes(), [b':', b',' | b']' | b'}']).then(|| self.tree.text(end..colon + 1))
    }

    /// The text of an item like `[fe80::]`, in which YAML 1.2 sees a key.
    fn text_with_colon(&self, item: Value<'t>) -> Option<SmolStr> {
        let map = item.map().filter(|map| self.text_ends_in_colons && map.is_flow())?;
        let start = map.range().start;
        let is_single = self.tree.text(start..self.tree.len().min(start + 1)) != "{";
        let entry = map.entries().next().filter(|entry| is_single && entry.question().is_none())?;
        let key = entry.key().filter(|key| key.kind() == ValueKind::Plain)?;
        let text = key.scalar()?;
        let colon = self.takes_colon(text.range().end)?;
        Some(format!("{}{colon}", text.value_in(self.profile)).into())
    }

    /// The key that an unquoted text with a question mark is for yaml.v2, if the text begins an entry of this kind
    /// between brackets.
    fn marked_key(&self, value: Value<'t>, kind: Kind) -> Option<Cow<'t, str>> {
        if !self.text_ends_in_colons || value.kind() != ValueKind::Plain {
            return None;
        }
        let scalar = value.scalar()?;
        let start = scalar.range().start;
        if self.tree.text(start..start + 1) != "?" {
            return None;
        }
        let key = marked_key(&scalar.value_in(self.profile))?.to_owned();
        let path = self.tree.path_at(start);
        let mut path = path.iter().rev();
        let entry = path.find(|node| matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry))?;
        let around = path.find(|node| node.kind() != Kind::Group)?;
        let begins = entry.kind() == kind && entry.range().start == start;
        (begins && matches!(around.kind(), Kind::FlowMap | Kind::FlowSeq)).then_some(Cow::Owned(key))
    }

    /// An item without a value, if its key is a scalar.
    fn lone_key(&self, key: &Node) -> Option<MapItem> {
        let end = key.span.range().end;
        let value = Node::missing(self.span(end..end));
        let (key_span, notes) = (key.span, Notes::default());
        let key = Key::of_scalar(&key.value)?;
        Some(MapItem { key, key_span, span: key_span, value, notes, merged: false, conditional: false })
    }

    /// A tag with its handle replaced by the prefix it stands for.
    pub(super) fn written_out<'a>(&self, tag: Cow<'a, str>) -> Cow<'a, str> {
        let end = tag.get(1..).and_then(|rest| rest.find('!')).map_or(1, |at| at + 2);
        let (handle, rest) = tag.split_at_checked(end).unwrap_or((&tag, ""));
        match self.handles.get(handle) {
            Some(prefix) if !rest.starts_with('<') => Cow::Owned(format!("{prefix}{rest}")),
            _ => tag,
        }
    }

    fn text(&self, text: Cow<'_, str>, tag: Option<&str>, context: Context) -> NodeValue {
        if let Some(tag) = tag
            && short_tag(tag) == "!!binary"
            && let Some(bytes) = decode_base64(&text)
        {
            return NodeValue::String(bytes::text(&bytes).into());
        }
        if context.templated && lofting_eval::code::is_text_template(&text) && !self.options.for_evaluation {
            return NodeValue::Unknown;
        }
        NodeValue::String(SmolStr::from(text))
    }

    /// Reports what `--strict` refuses (docs/ytt.md 4.6).
    fn strict(&mut self, text: &str, span: Span) {
        if let Some(problem) = strict_problem(text) {
            let reading = match problem {
                StrictProblem::Ambiguous(tag) => Some(tag),
                StrictProblem::Whitespace | StrictProblem::Colon | StrictProblem::TripleDash => None,
            };
            self.issues.push(Issue::Strict { span, text: text.to_owned(), reading });
        }
    }

    pub(super) fn item_notes(&mut self, kind: OwnerKind, offset: usize, context: Context) -> Notes {
        if context.copy { self.notes_of_copy(offset) } else { self.notes(Owner { kind, offset }) }
    }

    /// The value of a node whose comment may compute it; then nothing else may be written as its value (docs/ytt.md
    /// 5.4). Literal expressions need no evaluation.
    pub(super) fn computed(&mut self, value: Node, notes: &Notes) -> Node {
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
        if let Some(error) = expression.errors.first() {
            let issue = Issue::Code { span: self.span(error.range.clone()), message: error.message.clone() };
            self.issues.push(issue);
        }
        if expression.errors.is_empty() && expression.expr.is_literal() {
            return from_expression(self.file, &expression.expr);
        }
        Node::unknown(value.span)
    }

    /// Whether the value may be `template.replace(...)`, which puts other items in place of this one (docs/ytt.md 7.6).
    pub(super) fn splices(&self, notes: &Notes) -> bool {
        notes.computed.is_some_and(|code| self.tree.text(code.range()).contains(".replace("))
    }

    pub(super) fn key(
        &mut self,
        key: Option<Value<'t>>,
        start: usize,
        context: Context,
        notes: &Notes,
    ) -> (Option<Key>, Span) {
        let Some(value) = key else {
            return (Some(Key::Null), self.span(start..start));
        };
        let span = self.span(value.range());
        let templated = context.templated || is_templated(notes);
        let too_deep = self.too_deep;
        if context.keys > KEY_LEVELS {
            self.is_too_deep(span);
            return (None, span);
        }
        // Keys can have anchors and be aliases, as values can.
        let node = self.value(value, Context { templated, keys: context.keys + 1, ..context.deeper() });
        let key = match node.value {
            NodeValue::String(text) if self.options.substituted && is_substituted_key(&text) => None,
            // A part of it is not known.
            NodeValue::Map(_) | NodeValue::Array(_) if self.too_deep > too_deep => None,
            NodeValue::Map(_) | NodeValue::Array(_) => self.collection_key(&node, context),
            NodeValue::Unknown => {
                self.templated_keys |= templated;
                None
            }
            scalar => Key::of_scalar(&scalar),
        };
        (key, span)
    }

    /// In plain YAML ytt passes such a key through; a template fails when it gets there (docs/ytt.md 4.2).
    fn collection_key(&mut self, key: &Node, context: Context) -> Option<Key> {
        let is_ytt = self.profile.is_of_ytt();
        if !context.unused && (!is_ytt || self.is_template && !context.conditional) {
            self.issues.push(Issue::CollectionKey { span: key.span });
        }
        is_ytt.then(|| Key::Collection(printed_key(key, &|span| self.lines.counted_by_go(self.tree, span)).into()))
    }

    fn is_too_deep(&mut self, span: Span) {
        self.too_deep += 1;
        self.issues.push(Issue::DepthLimit { span });
    }

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
        if self.open_anchors.contains(&target.start()) {
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
        if !self.budget_reported {
            self.budget_reported = true;
            self.issues.push(Issue::AliasLimit { span });
        }
        false
    }
}
