//! Document symbols: the outline of a file.

use crate::describe;
use lofting_document::FileId;
use lofting_syntax::resolve::{self, Profile, Resolved};
use lofting_syntax::{Document, Map, Seq, Value, ValueKind};
use lofting_workspace::Snapshot;
use std::ops::Range;

#[cfg(test)]
mod tests;

/// The kind of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolKind {
    /// One of several documents.
    Document,
    /// A map.
    Map,
    /// An array.
    Array,
    /// Text.
    String,
    /// An integer or float.
    Number,
    /// A boolean.
    Boolean,
    /// Null, or nothing written.
    Null,
    /// An alias.
    Alias,
}

/// One line of the outline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    /// The key, or the index in an array.
    pub name: String,
    /// The value in short.
    pub detail: Option<String>,
    /// What it is.
    pub kind: SymbolKind,
    /// The bytes of the whole symbol.
    pub range: Range<usize>,
    /// The bytes of its name, inside `range`.
    pub selection_range: Range<usize>,
    /// What is inside.
    pub children: Vec<Symbol>,
}

/// Larger outlines are of no use, and some editors stall on them.
const MAX_SYMBOLS: usize = 10_000;
/// Deeper levels are left out, which also bounds the recursion.
const MAX_DEPTH: usize = 40;

/// The outline of a file, in the order of the text.
pub fn document_symbols(snapshot: &Snapshot, file: FileId) -> Vec<Symbol> {
    let tree = snapshot.tree(file);
    let mut outline = Outline { left: MAX_SYMBOLS, profile: snapshot.profile(file) };
    let documents: Vec<Document<'_>> = tree.documents().take(MAX_SYMBOLS).collect();
    if let [document] = documents.as_slice() {
        return document.root().map_or_else(Vec::new, |root| outline.children(root, 0));
    }
    let mut symbols = Vec::new();
    for (index, document) in documents.iter().enumerate() {
        if !outline.take() {
            break;
        }
        let range = document.range();
        let marker = document.start_marker().map_or(range.start..range.start, |marker| marker.range());
        symbols.push(Symbol {
            name: format!("document {}", index + 1),
            detail: None,
            kind: SymbolKind::Document,
            range: range.start..document.node().content_end().max(marker.end),
            selection_range: marker,
            children: document.root().map_or_else(Vec::new, |root| outline.children(root, 1)),
        });
    }
    symbols
}

struct Outline {
    left: usize,
    /// The rule set for plain scalars.
    profile: Profile,
}

impl Outline {
    fn take(&mut self) -> bool {
        let some = self.left > 0;
        self.left = self.left.saturating_sub(1);
        some
    }

    fn children(&mut self, value: Value<'_>, depth: usize) -> Vec<Symbol> {
        if depth >= MAX_DEPTH {
            return Vec::new();
        }
        match (value.map(), value.seq()) {
            (Some(map), _) => self.entries(map, depth),
            (_, Some(seq)) => self.items(seq, depth),
            _ => Vec::new(),
        }
    }

    fn entries(&mut self, map: Map<'_>, depth: usize) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        for entry in map.entries() {
            if !self.take() {
                break;
            }
            let Some(key) = entry.key() else { continue };
            let name = match key.scalar() {
                Some(scalar) => scalar.value().into_owned(),
                None => key.alias().map_or_else(|| "?".to_owned(), |alias| alias.text().into_owned()),
            };
            let value = entry.value();
            symbols.push(self.symbol(name, value, entry.range(), key.range(), depth));
        }
        symbols
    }

    fn items(&mut self, seq: Seq<'_>, depth: usize) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        for (index, item) in seq.items().enumerate() {
            if !self.take() {
                break;
            }
            let value = item.value();
            let selection = item.dash().map_or_else(|| value.range(), |dash| dash.range());
            let mut symbol = self.symbol(format!("[{index}]"), value, item.range(), selection, depth);
            if symbol.detail.is_none() {
                // A map in an array is described by its first value, usually its name.
                symbol.detail = symbol.children.first().and_then(|child| child.detail.clone());
            }
            symbols.push(symbol);
        }
        symbols
    }

    fn symbol(
        &mut self,
        name: String,
        value: Value<'_>,
        range: Range<usize>,
        selection: Range<usize>,
        depth: usize,
    ) -> Symbol {
        let range = range.start.min(selection.start)..range.end.max(selection.end);
        Symbol {
            // Editors refuse symbols without a name.
            name: if name.is_empty() { "\"\"".to_owned() } else { describe::shorten(name) },
            detail: detail(value),
            kind: kind(self.profile, value),
            range,
            selection_range: selection,
            children: self.children(value, depth + 1),
        }
    }
}

fn kind(profile: Profile, value: Value<'_>) -> SymbolKind {
    match value.kind() {
        ValueKind::BlockMap | ValueKind::FlowMap => SymbolKind::Map,
        ValueKind::BlockSeq | ValueKind::FlowSeq => SymbolKind::Array,
        ValueKind::Missing => SymbolKind::Null,
        ValueKind::Alias => SymbolKind::Alias,
        ValueKind::Plain => {
            let Some(scalar) = value.scalar() else { return SymbolKind::String };
            let tag = value.tag();
            let tag = tag.as_ref().map(|tag| tag.text());
            match resolve::resolve(profile, &scalar, tag.as_deref()) {
                Ok(Resolved::Null) => SymbolKind::Null,
                Ok(Resolved::Bool(_)) => SymbolKind::Boolean,
                Ok(Resolved::Int(_) | Resolved::Float(_)) => SymbolKind::Number,
                Ok(Resolved::String) | Err(_) => SymbolKind::String,
            }
        }
        _ => SymbolKind::String,
    }
}

fn detail(value: Value<'_>) -> Option<String> {
    if let Some(alias) = value.alias() {
        return Some(alias.text().into_owned());
    }
    let text = value.scalar()?.value().into_owned();
    let first = text.lines().next().unwrap_or_default();
    Some(describe::shorten(if first.len() < text.len() { format!("{first}…") } else { text }))
}
