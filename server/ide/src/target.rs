//! The key, value or item at an offset, with its path.

use crate::path::{self, Step};
use lofting_syntax::{Document, Entry, Item, Kind, Tree, Value};
use std::ops::Range;

/// What stands at an offset.
#[derive(Debug)]
pub(crate) struct Target<'t> {
    /// The document it stands in.
    pub document: Option<Document<'t>>,
    /// The way to the value (of a key: to the value of the key).
    pub path: Vec<Step>,
    /// The key, scalar, alias or dash.
    pub range: Range<usize>,
    /// The key as written, if the value has one.
    pub key: Option<Value<'t>>,
    /// It is the key itself rather than its value.
    pub on_key: bool,
    /// It is an alias.
    pub is_alias: bool,
}

/// The target at `offset`; `None` between things.
pub(crate) fn target_at(tree: &Tree, offset: usize) -> Option<Target<'_>> {
    // The offset behind a word belongs to the word.
    let on_token = |offset: usize| {
        let token = tree.token_at(offset)?;
        let range = token.range();
        (!token.kind().is_trivia() && range.start <= offset && offset <= range.end).then_some(token)
    };
    let is_name = |kind: Kind| !matches!(kind, Kind::Colon | Kind::Comma | Kind::CloseBrace | Kind::CloseBracket);
    let token = on_token(offset)
        .filter(|token| is_name(token.kind()))
        .or_else(|| offset.checked_sub(1).and_then(on_token).filter(|token| is_name(token.kind())))?;
    let at = token.range().start;
    let nodes = tree.path_at(at);
    let mut document = None;
    let mut path = Vec::new();
    let mut found = None;
    for (index, node) in nodes.iter().enumerate() {
        let inner = nodes.get(index + 1).is_some();
        match node.kind() {
            Kind::Document => document = Document::cast(*node),
            Kind::MapEntry => {
                let entry = Entry::cast(*node)?;
                path.push(path::step_into(entry));
                let key = entry.key();
                if let Some(key) = key.filter(|key| holds(&key.content_range(), at)) {
                    found = Some((key.content_range(), Some(key), true, key.alias().is_some()));
                    break;
                }
                let value = entry.value();
                found = Some((token.range(), key, false, value.alias().is_some()));
                if !inner && !holds(&value.range(), at) {
                    found = None;
                }
            }
            Kind::SeqEntry => {
                let item = Item::cast(*node)?;
                path.push(Step::Item);
                found = Some((token.range(), None, false, item.value().alias().is_some()));
            }
            _ => {}
        }
    }
    let (range, key, on_key, is_alias) = found?;
    // Inside a collection only its keys, scalars and dashes mean something.
    let kind = token.kind();
    if matches!(kind, Kind::OpenBrace | Kind::OpenBracket | Kind::Question | Kind::ErrorText | Kind::Tag) {
        return None;
    }
    let is_alias = is_alias && kind == Kind::Alias;
    Some(Target { document, path, range, key, on_key, is_alias })
}

fn holds(range: &Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}
