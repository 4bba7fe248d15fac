//! Moves a value of a template into the schema: the template reads it as a data value then, and it is the default.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::inferred::{declared, inferred};
use crate::code_actions::offers::Offers;
use crate::code_actions::{ActionKind, Change};
use crate::path::Step;
use lofting_diagnostic::Confidence;
use lofting_document::{Key, Span};
use lofting_eval::is_field_name;
use lofting_schema::{Schema, Shape};
use lofting_syntax::ValueKind;
use lofting_syntax::resolve::{Resolved, resolve};
use lofting_workspace::FileKind;
use std::ops::Range;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Extract, offer };

/// The module that holds the data values.
const MODULE: &str = "@ytt:data";

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let (snapshot, file) = (context.snapshot, context.file);
    if !matches!(snapshot.kind(file), FileKind::Template | FileKind::Library) {
        return;
    }
    let (editing, profile) = (Editing::new(snapshot, file), snapshot.profile(file));
    let Some(entry) = editing.entry_at(context.range.start) else { return };
    let (value, range) = (entry.value(), entry.value().content_range());
    let is_scalar = matches!(value.kind(), ValueKind::Plain | ValueKind::SingleQuoted | ValueKind::DoubleQuoted);
    let is_bare = value.anchor().is_none() && value.tag().is_none();
    let is_null = value.scalar().is_none_or(|it| matches!(resolve(profile, &it, None), Ok(Resolved::Null) | Err(_)));
    // Code ends with its line, so nothing may follow it.
    let line = context.text.line_range(context.text.line_of(range.start));
    let is_alone = range.end <= line.end && context.text.slice(range.end..line.end).trim().is_empty();
    let is_in_block = editing.map_of(entry).is_some_and(|map| !map.is_flow());
    let is_template = context.text.slice(range.clone()).contains("(@");
    if !is_scalar || !is_bare || is_null || !is_alone || !is_in_block || is_template {
        return;
    }
    let Some(named) = entry.key().and_then(|key| editing.named(profile, key.range())) else { return };
    let Some((place, schema)) = only_schema(context) else { return };
    let Some(name) = name_of(&schema, &named.path) else { return };
    offers.add(format!("Move the value into the schema as `{name}`"), Confidence::Possible, || {
        let holder = Editing::new(snapshot, place.file);
        let root = holder.named(snapshot.profile(place.file), place.range())?.value;
        let (kind, style) = (inferred(&context.tree(), profile, value), holder.style());
        let write = |column: Option<usize>| match column {
            Some(column) => Some(declared(&name, None, &kind, column, style)),
            None => Some(format!("{name}: {}", kind.in_flow(false)?)),
        };
        let mut edits = holder.with_entry(root, &write)?;
        let (local, load) = data_module(context);
        edits.extend(load.map(|(at, text)| (context.span(at), text)));
        edits.push((context.span(range), format!("#@ {local}.values.{name}")));
        Some(Change::of(edits))
    });
}

/// The place of the root of the schema whose values the code of the file reads; None if there are several.
fn only_schema(context: &Context<'_>) -> Option<(Span, std::sync::Arc<Schema>)> {
    let reads = context.snapshot.reads(context.file);
    let root = |schema: &Schema| context.snapshot.placed(schema.node(schema.root()).declared.name);
    let first = reads.schemas.first()?;
    let place = root(&first.schema);
    let is_same = reads.schemas.iter().all(|other| root(&other.schema) == place);
    (is_same && context.snapshot.is_own(place.file)).then(|| (place, first.schema.clone()))
}

/// A name that the schema does not declare yet, made of the last keys of a path.
fn name_of(schema: &Schema, path: &[Step]) -> Option<String> {
    let Shape::Map(root) = schema.node(schema.root()).shape() else { return None };
    let mut keys = path.iter().rev().filter_map(|step| match step {
        Step::Key(key) => Some(word(&key.to_string())),
        Step::Index(_) | Step::Item | Step::Nowhere => None,
    });
    let mut name = keys.next()?;
    while !is_field_name(&name) || root.by_key.contains_key(&Key::from(name.as_str())) {
        name = format!("{}_{name}", keys.next()?);
    }
    Some(name)
}

/// A key as a name in code.
fn word(key: &str) -> String {
    key.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// The name of the module with the data values, and the line that loads it if the file does not.
fn data_module(context: &Context<'_>) -> (String, Option<(Range<usize>, String)>) {
    let code = context.snapshot.code(context.file);
    let loads = code.loads.iter().filter(|load| load.module == MODULE);
    match loads.flat_map(|load| &load.names).find(|name| name.name == "data") {
        Some(name) => (name.local.clone(), None),
        None => {
            let line = format!("#@ load(\"{MODULE}\", \"data\"){}", context.newline());
            ("data".to_owned(), Some((0..0, line)))
        }
    }
}
