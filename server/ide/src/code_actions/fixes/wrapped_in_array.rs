//! Turns a map into the only item of an array, where an array is required, or each of its entries into an item that has a name
//! and a value.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::Editing;
use crate::code_actions::governed::governed_at;
use crate::code_actions::offers::Offers;
use crate::path;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_document::Key;
use lofting_document::write::double_quoted;
use lofting_schema::{Schema, SchemaId, Shape};
use lofting_syntax::resolve::{Resolved, resolve};
use lofting_syntax::{Entry, Map, Scalar};

/// How a map becomes items of an array.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Taken {
    /// As an item.
    Whole,
    /// Each of its entries, as an item with the key and the value.
    Entries,
}

/// The keys of items that have a name and a value.
const NAME: &str = "name";
const VALUE: &str = "value";

/// How the items of an array can be made of a map with these keys.
fn taken(schema: &Schema, item: SchemaId, written: &[Key]) -> Option<Taken> {
    let map = match schema.node(item).shape() {
        Shape::Map(map) => map,
        Shape::Any | Shape::Unknown => return Some(Taken::Whole),
        _ => return None,
    };
    let has = |name: &str| map.get(&Key::from(name)).is_some();
    if map.keys.is_empty() || written.is_empty() || written.iter().any(|key| map.get(key).is_some()) {
        return Some(Taken::Whole);
    }
    (has(NAME) && has(VALUE)).then_some(Taken::Entries)
}

/// Makes an item of each entry of a map whose values are scalars on the lines of their keys.
fn named_items(context: &Context<'_>, map: Map<'_>, offers: &mut Offers<'_>) {
    let profile = context.snapshot.profile(context.file);
    // What is read as a number or a boolean is in quotes.
    let as_text = |scalar: &Scalar<'_>| {
        let written = context.text.slice(scalar.range()).into_owned();
        let is_text = matches!(resolve(profile, scalar, None), Ok(Resolved::String));
        let text = if is_text { written } else { double_quoted(&scalar.value()) };
        Some(text).filter(|text| !text.contains('\n'))
    };
    let pair = |entry: Entry<'_>| {
        let (key, value) = (as_text(&entry.key()?.scalar()?)?, entry.value());
        if value.anchor().is_some() || value.tag().is_some() || value.alias().is_some() {
            return None;
        }
        let text = if value.is_missing() { "\"\"".to_owned() } else { as_text(&value.scalar()?)? };
        Some((format!("{NAME}: {key}"), format!("{VALUE}: {text}")))
    };
    let pairs: Option<Vec<(String, String)>> = map.entries().map(pair).collect();
    let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) else { return };
    offers.add("Make items of its keys", Confidence::Likely, || {
        let range = map.range();
        let text = if map.is_flow() {
            let items: Vec<String> = pairs.iter().map(|(name, value)| format!("{{{name}, {value}}}")).collect();
            format!("[{}]", items.join(", "))
        } else {
            let column = range.start - context.text.line_range(context.text.line_of(range.start)).start;
            let between = format!("{}{}", context.newline(), " ".repeat(column));
            let items: Vec<String> = pairs.iter().map(|(name, value)| format!("- {name}{between}  {value}")).collect();
            items.join(&between)
        };
        let end = range.start + context.text.slice(range.clone()).trim_end().len();
        Some(Change::of(vec![(context.span(range.start..end), text)]))
    });
}

pub(super) static FIX: FindingFix = FindingFix { rules: Rules::Of(&[&rules::TYPE_MISMATCH]), offer };

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let wants_array = finding.expected.as_deref().is_some_and(|expected| expected.starts_with("array"));
    if !wants_array || finding.found.as_deref() != Some("map") {
        return;
    }
    let editing = Editing::new(context.snapshot, context.file);
    let Some(entry) = editing.entry_of(finding.span.range()) else { return };
    let value = entry.value();
    let profile = context.snapshot.profile(context.file);
    let Some(map) = value.map().filter(|_| value.anchor().is_none() && value.tag().is_none()) else { return };
    let written: Vec<Key> = map.entries().filter_map(|entry| path::key_of(profile, entry.key()?)).collect();
    let Some(governed) = governed_at(context, &editing, finding.span) else { return };
    let items = governed.nodes.iter().filter_map(|id| match governed.schema.node(*id).shape() {
        Shape::Array(array) => Some(array.item),
        _ => None,
    });
    match items.filter_map(|item| taken(&governed.schema, item, &written)).min() {
        Some(Taken::Whole) => {}
        Some(Taken::Entries) => return named_items(context, map, offers),
        None => return,
    }
    if map.is_flow() {
        let (start, end) = (map.range().start, value.content_range().end);
        let brackets = [(start, "["), (end, "]")].map(|(at, text)| (context.span(at..at), text.to_owned()));
        offers.add("Make it the item of an array", Confidence::Likely, || Some(Change::of(brackets.to_vec())));
        return;
    }
    offers.add("Make it the item of an array", Confidence::Likely, || {
        let lines = context.text.line_of(map.range().start)..=context.text.line_of(value.content_range().end);
        let mut edits = Vec::new();
        for number in lines {
            let line = context.text.line_range(number);
            let is_first = edits.is_empty();
            if is_first && context.text.slice(line.start..map.range().start).trim().is_empty() {
                let at = map.range().start;
                edits.push((context.span(at..at), "- ".to_owned()));
            } else if !line.is_empty() && !is_first {
                edits.push((context.span(line.start..line.start), "  ".to_owned()));
            }
        }
        (!edits.is_empty()).then(|| Change::of(edits))
    });
}
