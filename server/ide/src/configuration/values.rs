//! Values of keys: words, switches, paths, and keys of data values.

use super::item;
use crate::completion_item::{CompletionItem, ItemKind};
use crate::path::{Step, schemas_at};
use lofting_document::{FileId, Key};
use lofting_format::{Choice, Takes as Layout};
use lofting_schema::{Schema, SchemaId, Shape};
use lofting_workspace::config::{ConfigKey, StatementKind, Strings, Takes, statements};
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

/// What a string of a value names.
enum TextNames {
    /// A file or folder, beginning this many bytes after the start of the string.
    Path(usize),
    /// A data value.
    DataValue,
}

/// What can be written as a value, or as an item of one, in a range of bytes: between its quotes, if it has any.
pub(super) fn items(
    snapshot: &Snapshot,
    file: FileId,
    (text, offset): (&str, usize),
    key: &ConfigKey,
    (range, quote): (Range<usize>, Option<char>),
    in_array: bool,
) -> Vec<CompletionItem> {
    let typed = text.get(range.start..offset).unwrap_or_default();
    let named = match key.takes {
        Takes::Layout(Choice { takes: Layout::Word(words), .. }) if !in_array => {
            let words = words.iter().map(|word| word.word).enumerate();
            let insert = |word: &str| if quote.is_some() { word.to_owned() } else { format!("\"{word}\"") };
            return words
                .map(|(index, word)| item(word, ItemKind::EnumMember, (range.clone(), insert(word)), index))
                .collect();
        }
        Takes::Version if !in_array => {
            let insert = |version: &str| if quote.is_some() { version.to_owned() } else { format!("\"{version}\"") };
            let versions = snapshot.kubernetes_versions().into_iter().enumerate();
            return versions
                .map(|(index, it)| item(&it, ItemKind::Constant, (range.clone(), insert(&it)), index))
                .collect();
        }
        Takes::Switch(_) | Takes::BuiltIn | Takes::Layout(Choice { takes: Layout::Flag(_), .. })
            if quote.is_none() && !in_array =>
        {
            let words = ["true", "false"].into_iter().enumerate();
            return words
                .map(|(index, word)| item(word, ItemKind::Constant, (range.clone(), word.to_owned()), index))
                .collect();
        }
        Takes::Switch(_) | Takes::BuiltIn | Takes::Version | Takes::List(_, Strings::Other) => return Vec::new(),
        Takes::Url | Takes::Revision | Takes::Layout(_) => return Vec::new(),
        Takes::List(_, Strings::Keys) if typed.contains('=') => return Vec::new(),
        Takes::List(_, Strings::Keys) => TextNames::DataValue,
        // The path begins after the key.
        Takes::List(_, Strings::KeyAndPath) => match typed.find('=') {
            Some(equals) => TextNames::Path(equals + 1),
            None => TextNames::DataValue,
        },
        // A slash at the begin stands for the folder of the file.
        Takes::Patterns => TextNames::Path(usize::from(typed.starts_with('/'))),
        Takes::List(_, Strings::Paths) | Takes::Path | Takes::Bundle => TextNames::Path(0),
    };
    let is_item = in_array || matches!(key.takes, Takes::Path | Takes::Bundle);
    let insert = |name: &str| match quote {
        Some('"') => basic(name),
        Some(_) => name.to_owned(),
        None if is_item => format!("\"{}\"", basic(name)),
        None => format!("[\"{}\"]", basic(name)),
    };
    match named {
        TextNames::Path(from) => paths(snapshot, file, (text, offset), range.start + from..range.end, quote, &insert),
        TextNames::DataValue => data_values(snapshot, file, (text, offset), &range, &insert),
    }
}

/// Files and folders, by their names after the last slash of the typed text.
fn paths(
    snapshot: &Snapshot,
    file: FileId,
    (text, offset): (&str, usize),
    range: Range<usize>,
    quote: Option<char>,
    insert: &dyn Fn(&str) -> String,
) -> Vec<CompletionItem> {
    let typed = text.get(range.start..offset).unwrap_or_default();
    let within = typed.rfind('/').map_or(0, |at| at + 1);
    // The part of the path that contains the cursor is replaced.
    let rest = text.get(offset..range.end).unwrap_or_default();
    let end = rest.find('/').map_or(range.end, |at| offset + at + 1);
    let directory = snapshot.path(file).parent().map(|base| base.join(typed.get(..within).unwrap_or_default()));
    let Some(directory) = directory else { return Vec::new() };
    let range = range.start + within..end;
    let own = snapshot.path(file).file_name();
    let names = snapshot.children(&directory).into_iter().filter(|name| own.is_none_or(|own| own != name.as_str()));
    let path = |(index, name): (usize, String)| {
        let mut item = item(&name, ItemKind::File, (range.clone(), insert(&name)), index);
        item.triggers_suggest = name.ends_with('/') && quote.is_some();
        item
    };
    names.enumerate().map(path).collect()
}

/// Keys of the data values of the set around a place, below those that are typed with dots between them.
fn data_values(
    snapshot: &Snapshot,
    file: FileId,
    (text, offset): (&str, usize),
    range: &Range<usize>,
    insert: &dyn Fn(&str) -> String,
) -> Vec<CompletionItem> {
    let Some(schema) = schema_of_set(snapshot, file, text, offset) else { return Vec::new() };
    let typed = text.get(range.start..offset).unwrap_or_default();
    let above = typed.rfind('.').and_then(|at| typed.get(..at));
    let path: Vec<Step> =
        above.into_iter().flat_map(|above| above.split('.')).map(|key| Step::Key(key.into())).collect();
    let start = range.start + above.map_or(0, |above| above.len() + 1);
    let rest = text.get(offset..range.end).unwrap_or_default();
    let end = offset + rest.find(['.', '=']).unwrap_or(rest.len());
    let is_whole = end == range.end;
    let mut items = Vec::new();
    for id in schemas_at(&schema, &path) {
        let Shape::Map(map) = schema.node(id).shape() else { continue };
        for key in &map.keys {
            let Key::String(name) = &key.key else { continue };
            let after = if !is_whole {
                ""
            } else if is_map(&schema, key.schema) {
                "."
            } else {
                "="
            };
            let mut item = item(name, ItemKind::Key, (start..end, insert(&format!("{name}{after}"))), items.len());
            item.detail = Some(schema.type_words(key.schema));
            item.triggers_suggest = after == ".";
            items.push(item);
        }
    }
    items
}

fn is_map(schema: &Schema, id: SchemaId) -> bool {
    matches!(schema.node(id).shape(), Shape::Map(map) if !map.keys.is_empty())
}

/// The schema of the set in whose table a place is.
fn schema_of_set(snapshot: &Snapshot, file: FileId, text: &str, offset: usize) -> Option<Arc<Schema>> {
    let above = statements(text).into_iter().take_while(|statement| statement.range.start <= offset);
    let header = above.filter_map(|statement| match statement.kind {
        StatementKind::Header(names) => Some(names),
        StatementKind::Entry(_) => None,
    });
    let names = header.last()?;
    let [(table, _), (set, _)] = names.as_slice() else { return None };
    let files = snapshot.files_of_set(file, set).filter(|_| table == "sets")?;
    let mut inputs = files.inputs.into_iter().filter(|file| snapshot.kind(*file) == FileKind::Schema);
    inputs.find_map(|input| snapshot.association(input).schema.as_ref().map(|schema| schema.schema.clone()))
}

/// Escapes text for a basic TOML string.
fn basic(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
