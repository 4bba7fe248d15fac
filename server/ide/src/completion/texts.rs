//! Texts in arguments of annotations that name something else: keys of the node below, libraries, allowed values.

use super::context::Cursor;
use crate::completion_item::About;
use crate::governing::governing;
use crate::likely_values::{LikelyText, texts};
use crate::pages::declared_below;
use crate::path;
use crate::significant::significant_after;
use crate::target::{Target, target_at};
use lofting_document::{FileId, Key};
use lofting_schema::{Schema, SchemaId, Shape};
use lofting_syntax::Item;
use lofting_workspace::Snapshot;
use std::ops::Range;
use std::sync::Arc;

impl LikelyText {
    fn of_key(schema: &Arc<Schema>, key: &Key, node: SchemaId) -> Option<LikelyText> {
        let Key::String(name) = key else { return None };
        let about = Some(About::Node(schema.clone(), node));
        Some(LikelyText { text: name.to_string(), detail: Some(schema.type_words(node)), about })
    }
}

/// The annotation that the cursor is in.
#[derive(Clone, Copy)]
pub(super) struct Annotated<'a> {
    pub snapshot: &'a Snapshot,
    pub file: FileId,
    pub cursor: &'a Cursor<'a>,
    /// Where its comment ends, in bytes.
    pub end: usize,
}

impl Annotated<'_> {
    /// What a text as this argument can be; nothing where that cannot be listed.
    pub fn texts(&self, annotation: &str, parameter: &str) -> Vec<LikelyText> {
        match (annotation, parameter) {
            ("schema/validation", "one_not_null") => self.keys_of_node(),
            ("overlay/match", "by") | ("overlay/match-child-defaults", "by") => self.keys_of_items(),
            ("library/ref", _) => self.libraries(),
            ("schema/default", _) => match self.node() {
                Some((schema, id)) => texts(&schema, id),
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Whether a rule of `@schema/validation` says something about values of the type of the value below.
    pub fn fits(&self, annotation: &str, parameter: &str) -> bool {
        if annotation != "schema/validation" {
            return true;
        }
        let Some((schema, id)) = self.node() else { return true };
        match (schema.node(id).shape(), parameter) {
            (Shape::Any | Shape::Unknown | Shape::Union(_), _) => true,
            (Shape::Map(_), "one_not_null" | "min_len" | "max_len") => true,
            (Shape::Map(_), "min" | "max" | "one_of") | (_, "one_not_null") => false,
            (Shape::Array(_), "min" | "max") => false,
            (Shape::Bool | Shape::Null, "min" | "max" | "min_len" | "max_len") => false,
            (Shape::Int | Shape::Float, "min_len" | "max_len") => false,
            _ => true,
        }
    }

    /// The node of the schema in this file to which the annotation belongs.
    fn node(&self) -> Option<(Arc<Schema>, SchemaId)> {
        declared_below(self.snapshot, self.file, self.end)
    }

    fn keys_of_node(&self) -> Vec<LikelyText> {
        let Some((schema, id)) = self.node() else { return Vec::new() };
        let Shape::Map(map) = schema.node(id).shape() else { return Vec::new() };
        map.keys.iter().filter_map(|key| LikelyText::of_key(&schema, &key.key, key.schema)).collect()
    }

    /// Keys by which an item of an array can be distinguished from others: those that the schema declares, and those that it has.
    fn keys_of_items(&self) -> Vec<LikelyText> {
        let Some(target) = self.target() else { return Vec::new() };
        let mut texts: Vec<LikelyText> = Vec::new();
        let (tree, at) = (self.cursor.tree, target.range.start);
        if let Some(governing) = governing(self.snapshot, self.file, tree, target.document, &target.path, at) {
            for id in governing.nodes_at(&target.path) {
                let Shape::Map(map) = governing.schema.node(id).shape() else { continue };
                texts.extend(
                    map.keys.iter().filter_map(|key| LikelyText::of_key(&governing.schema, &key.key, key.schema)),
                );
            }
        }
        let item = tree.path_at(at).into_iter().rev().find_map(Item::cast);
        let entries = item.and_then(|item| item.value().map()).into_iter().flat_map(|map| map.entries());
        for key in entries.take(MAX_KEYS).filter_map(|entry| path::key_of(self.cursor.profile, entry.key()?)) {
            if let Key::String(name) = key
                && !texts.iter().any(|known| known.text == name.as_str())
            {
                texts.push(LikelyText { text: name.to_string(), detail: None, about: None });
            }
        }
        texts
    }

    fn target(&self) -> Option<Target<'_>> {
        let next = significant_after(self.cursor.tree, self.cursor.text, self.end)?;
        target_at(self.cursor.tree, self.cursor.profile, next.range().start)
    }

    /// The private libraries that templates of the directory, or of those above it, can call (docs/ytt.md 15).
    fn libraries(&self) -> Vec<LikelyText> {
        let path = self.snapshot.path(self.file);
        let folders = path.ancestors().skip(1).take(MAX_FOLDERS).map(|folder| folder.join("_ytt_lib"));
        let found = folders.map(|folder| self.snapshot.children(&folder)).find(|names| !names.is_empty());
        let names =
            found.into_iter().flatten().filter_map(|name| name.strip_suffix('/').map(|name| format!("@{name}")));
        names.map(|text| LikelyText { text, detail: Some("a private library".to_owned()), about: None }).collect()
    }
}

/// Keys of an item that are looked at.
const MAX_KEYS: usize = 100;

/// Folders above a file that are looked at.
const MAX_FOLDERS: usize = 32;

/// The range of an unfinished text: between its quotes, or as far as its word goes where no other quote follows.
pub(super) fn begun(cursor: &Cursor<'_>, range: &Range<usize>) -> (Range<usize>, char) {
    let text = cursor.text.slice(range.clone());
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\'')).unwrap_or('"');
    let is_closed = text.len() > 1 && text.ends_with(quote);
    if is_closed {
        return (range.clone(), quote);
    }
    let rest = cursor.text.slice(cursor.offset..range.end.max(cursor.offset));
    let word = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len());
    let mut end = cursor.offset + word;
    if cursor.text.slice(end..range.end.max(end)).starts_with(quote) {
        end += 1;
    }
    (range.start..end, quote)
}

/// Schemas and folders to which a path can lead from a file, by their names after the last slash of the typed text.
pub(super) fn paths(snapshot: &Snapshot, file: FileId, typed: &str) -> Vec<String> {
    let folder = typed.rfind('/').and_then(|at| typed.get(..=at)).unwrap_or_default();
    let own = snapshot.path(file);
    let Some(base) = own.parent() else { return Vec::new() };
    let is_own = |name: &String| folder.is_empty() && own.file_name().is_some_and(|own| own == name.as_str());
    let is_schema = |name: &String| {
        let ending = name.rsplit('.').next().unwrap_or_default();
        name.ends_with('/') || matches!(ending, "yml" | "yaml" | "json")
    };
    snapshot.children(&base.join(folder)).into_iter().filter(|name| !is_own(name) && is_schema(name)).collect()
}
