//! Maps as the API server decodes them: what is null is absent, and what is not known may be anything.

use lofting_diagnostic::suggest::is_slip;
use lofting_document::{ArrayItem, Key, MapItem, Node, NodeValue, Span, is_substituted};

/// A map in a definition; anything else has no keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'n>(pub &'n Node);

/// A string and where it is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Text<'n> {
    pub text: &'n str,
    pub span: Span,
}

impl<'n> Fields<'n> {
    /// The entry of a key.
    pub fn entry(self, key: &str) -> Option<&'n MapItem> {
        let NodeValue::Map(items) = &self.0.value else { return None };
        let item = items.get(items.position(&Key::from(key))?)?;
        (item.value.value != NodeValue::Null).then_some(item)
    }

    /// The value of a key.
    pub fn value(self, key: &str) -> Option<&'n Node> {
        self.entry(key).map(|item| &item.value)
    }

    /// The map below a key.
    pub fn below(self, key: &str) -> Option<Fields<'n>> {
        self.value(key).map(Fields)
    }

    /// The string below a key, unless something is put into it later, or it is empty: an empty string counts as absent.
    pub fn text(self, key: &str) -> Option<Text<'n>> {
        let node = self.value(key)?;
        text(node).filter(|text| !text.text.is_empty())
    }

    /// A string, however blank it is.
    pub fn written(self, key: &str) -> Option<Text<'n>> {
        text(self.value(key)?)
    }

    /// Whether a key is certainly absent. One that is misspelt is reported as that.
    pub fn lacks(self, key: &str) -> bool {
        let is_empty = |node: &Node| matches!(&node.value, NodeValue::String(text) if text.is_empty());
        let is_whole = matches!(self.0.value, NodeValue::Map(_)) && !self.0.partial;
        is_whole && self.value(key).is_none_or(is_empty) && !has_slip(self.0, key)
    }

    /// Whether a flag is set.
    pub fn is_set(self, key: &str) -> bool {
        self.value(key).is_some_and(|node| node.value == NodeValue::Bool(true))
    }

    /// The entries of the map below a key.
    pub fn entries(self, key: &str) -> &'n [MapItem] {
        match self.value(key).map(|node| &node.value) {
            Some(NodeValue::Map(items)) => items,
            _ => &[],
        }
    }

    /// The items of the array below a key.
    pub fn items(self, key: &str) -> &'n [ArrayItem] {
        match self.value(key).map(|node| &node.value) {
            Some(NodeValue::Array(items)) => items,
            _ => &[],
        }
    }

    /// The strings in the array below a key.
    pub fn texts(self, key: &str) -> impl Iterator<Item = Text<'n>> {
        self.items(key).iter().filter_map(|item| text(&item.value))
    }

    /// Where something that is absent should be reported: at the first entry of the map, or at the map.
    pub fn place(self) -> Span {
        match &self.0.value {
            NodeValue::Map(items) => items.first().map_or(self.0.span, |item| item.key_span),
            _ => self.0.span,
        }
    }
}

/// Whether a map has a key that is most likely a misspelling of another one.
pub(super) fn has_slip(map: &Node, name: &str) -> bool {
    let NodeValue::Map(items) = &map.value else { return false };
    items.iter().any(|item| matches!(&item.key, Key::String(key) if key != name && is_slip(key, name)))
}

/// A string that is final.
fn text(node: &Node) -> Option<Text<'_>> {
    match &node.value {
        NodeValue::String(text) if !is_substituted(text) => Some(Text { text, span: node.span }),
        _ => None,
    }
}

/// Whether a text is on several lines.
pub(super) fn has_lines(text: &str) -> bool {
    text.contains(['\n', '\r'])
}
