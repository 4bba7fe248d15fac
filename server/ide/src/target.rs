//! The key, value or item at an offset, with its path.

use crate::governing::Governing;
use crate::path::{self, Step};
use lofting_document::Key;
use lofting_schema::{SchemaId, Shape};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Entry, Kind, Token, Tree, Value};
use std::ops::Range;

/// What is at an offset.
#[derive(Debug)]
pub(crate) struct Target<'t> {
    /// The document it is in.
    pub document: Option<Document<'t>>,
    /// The path to the value (for a key: to the value of the key).
    pub path: Vec<Step>,
    /// The key, scalar, alias or dash.
    pub range: Range<usize>,
    /// The key as written, if the value has one.
    pub key: Option<Value<'t>>,
    /// The word as a key, if it is a plain scalar: below a key it may be a half-typed key of the map there.
    pub half_key: Option<Key>,
}

impl Target<'_> {
    /// The schema nodes of the value, and the path that they are for.
    pub fn schemas(&self, governing: &Governing) -> (Vec<SchemaId>, Vec<Step>) {
        let schema = &governing.schema;
        let ids = governing.nodes_at(&self.path);
        let only_maps = !ids.is_empty() && ids.iter().all(|id| matches!(schema.node(*id).shape(), Shape::Map(_)));
        if let Some(key) = self.half_key.clone().filter(|_| only_maps) {
            let mut deeper = self.path.clone();
            deeper.push(Step::Key(key));
            let below = governing.nodes_at(&deeper);
            if !below.is_empty() {
                return (below, deeper);
            }
        }
        (ids, self.path.clone())
    }
}

/// The target at `offset`; `None` between things.
pub(crate) fn target_at(tree: &Tree, profile: Profile, offset: usize) -> Option<Target<'_>> {
    // The offset after a word belongs to the word.
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
                path.push(path::step_into(profile, entry));
                let key = entry.key();
                if let Some(key) = key.filter(|key| holds(&key.content_range(), at)) {
                    found = Some((key.content_range(), Some(key), true));
                    break;
                }
                let value = entry.value();
                found = Some((token.range(), key, false));
                if !inner && !holds(&value.range(), at) {
                    found = None;
                }
            }
            Kind::SeqEntry => {
                path.push(Step::Item);
                found = Some((token.range(), None, false));
            }
            _ => {}
        }
    }
    let (range, key, on_key) = found.or_else(|| root_word(token))?;
    // Inside a collection only its keys, scalars and dashes matter.
    let kind = token.kind();
    if matches!(kind, Kind::OpenBrace | Kind::OpenBracket | Kind::Question | Kind::ErrorText | Kind::Tag) {
        return None;
    }
    let half_key = match kind {
        Kind::Plain if !on_key => Some(Key::from(token.text().as_ref())),
        _ => None,
    };
    Some(Target { document, path, range, key, half_key })
}

/// A word that is the whole document.
fn root_word(token: Token<'_>) -> Option<(Range<usize>, Option<Value<'_>>, bool)> {
    (token.kind() == Kind::Plain).then(|| (token.range(), None, false))
}

fn holds(range: &Range<usize>, offset: usize) -> bool {
    range.start <= offset && offset <= range.end
}
