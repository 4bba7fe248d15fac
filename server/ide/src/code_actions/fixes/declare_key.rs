//! Declares an undeclared key in the schema, with the type of its value.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::editing::{Editing, Edits};
use crate::code_actions::governed::governed_at;
use crate::code_actions::inferred::{declared, inferred};
use crate::code_actions::offers::Offers;
use crate::completion::Style;
use crate::json::is_named_json;
use crate::path::{self, key_of};
use crate::yaml_text::{self, ScalarContext};
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_dialect::{DIALECTS, Dialect, NewKey};
use lofting_document::write::{to_json, to_yaml};
use lofting_document::{Key, Node, NodeValue, Options, Span, lower_entry};
use lofting_syntax::{Document, Entry, Value};

pub(super) static FIX: FindingFix =
    FindingFix { rules: Rules::Of(&[&rules::UNDECLARED_KEY, &rules::UNREAD_KEY]), offer };

/// Longer schemas are written on lines of their own, in bytes.
const LINE: usize = 80;

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let snapshot = context.snapshot;
    let Some(place) = finding.related.first().map(|related| snapshot.placed(related.span)) else { return };
    // Schemas that are built in, or come from the web, are not the user's.
    if !snapshot.is_own(place.file) {
        return;
    }
    let editing = Editing::new(snapshot, context.file);
    let Some(entry) = editing.entry_at(finding.span.range().start) else { return };
    // A key `on` is not meant as a boolean.
    let name = entry.key().and_then(|key| key_of(snapshot.profile(context.file), key));
    let Some(name) = name.filter(|name| matches!(name, Key::String(_) | Key::Int(_))) else { return };
    let Some(governed) = governed_at(context, &editing, finding.span) else { return };
    let family = governed.schema.semantics().family;
    let is_spoken = |dialect: &&'static dyn Dialect| dialect.semantics().family == family;
    let Some(dialect) = DIALECTS.iter().find(is_spoken) else { return };
    let schema = Editing::new(snapshot, place.file);
    let Some(holder) = holder(&schema, context, place) else { return };
    let key = context.text.slice(finding.span.range()).into_owned();
    // Schemas of ytt and OpenChoreo grow with their values. Others usually describe what some program reads.
    let confidence = match family {
        "json-schema" | "kubernetes" => Confidence::Possible,
        _ => Confidence::Likely,
    };
    offers.add(format!("Declare `{key}` in the schema"), confidence, || {
        let edits = if dialect.by_annotations() {
            by_value(context, &schema, holder, entry, &key, finding.family.is_none())
        } else {
            let options = Options { plain: true, merges_lists: true, ..Options::default() };
            let item = lower_entry(context.file, entry.node(), snapshot.profile(context.file), options)?;
            let new = dialect.new_key(&snapshot.tree(place.file), place.range().start, &name, &item.value)?;
            let is_json = is_named_json(snapshot, place.file);
            in_words(context, &schema, (place, holder), &name, &new, is_json)
        };
        edits.map(Change::of)
    });
}

/// The value in which keys are declared, as far as it can take one.
fn holder<'t>(schema: &'t Editing, context: &Context<'_>, place: Span) -> Option<Value<'t>> {
    let named = schema.named(context.snapshot.profile(place.file), place.range()).map(|named| named.value);
    let value = named.or_else(|| {
        // The schema is the whole document.
        let document = schema.tree().path_at(place.range().start).into_iter().find_map(Document::cast)?;
        document.root()
    })?;
    (value.map().is_some() || value.is_missing()).then_some(value)
}

/// A declaration by a value that has its type, with annotations where the language is ytt's own.
fn by_value(
    context: &Context<'_>,
    schema: &Editing,
    holder: Value<'_>,
    entry: Entry<'_>,
    key: &str,
    is_ytt: bool,
) -> Option<Edits> {
    let value = inferred(&context.tree(), context.snapshot.profile(context.file), entry.value());
    let style = schema.style();
    let flow = value.in_flow(false);
    if !is_ytt && flow.is_none() {
        return None;
    }
    let write = |column: Option<usize>| match column {
        Some(column) => Some(declared(key, None, &value, column, style)),
        None => Some(format!("{key}: {}", flow.clone()?)),
    };
    schema.with_entry(holder, &write)
}

/// A declaration in the words of a language.
fn in_words(
    context: &Context<'_>,
    schema: &Editing,
    (place, holder): (Span, Value<'_>),
    name: &Key,
    new: &NewKey,
    is_json: bool,
) -> Option<Edits> {
    let profile = context.snapshot.profile(place.file);
    let style = schema.style();
    let key = |name: &Key, place: ScalarContext| {
        if is_json {
            to_json(&Node::new(NodeValue::String(name.to_string().into()), new.schema.span))
        } else {
            yaml_text::key(name, place)
        }
    };
    let in_flow = || format!("{}: {}", key(name, ScalarContext::Flow), on_one_line(&new.schema, is_json));
    let write = |column: Option<usize>| match column {
        Some(column) => Some(format!("{}:{}", key(name, ScalarContext::Block), below(&new.schema, column, style))),
        None => Some(in_flow()),
    };
    let Some(keyword) = new.below.map(Key::from) else { return schema.with_entry(holder, &write) };
    if let Some(properties) = path::value_of(profile, holder, &keyword) {
        return schema.with_entry(properties, &write);
    }
    let write_all = |column: Option<usize>| match column {
        Some(column) => {
            let inner = column + style.indent;
            let room = format!("{}{}", style.newline, " ".repeat(inner));
            Some(format!("{}:{room}{}", key(&keyword, ScalarContext::Block), write(Some(inner))?))
        }
        None => Some(format!("{}: {{{}}}", key(&keyword, ScalarContext::Flow), in_flow())),
    };
    schema.with_entry(holder, &write_all)
}

/// The text after the colon of a key in a column.
fn below(node: &Node, column: usize, style: Style) -> String {
    let is_map = matches!(&node.value, NodeValue::Map(items) if items.iter().next().is_some());
    let line = on_one_line(node, false);
    if !is_map || line.len() <= LINE {
        return format!(" {line}");
    }
    let room = format!("{}{}", style.newline, " ".repeat(column + style.indent));
    to_yaml(node).lines().map(|line| format!("{room}{line}")).collect()
}

fn on_one_line(node: &Node, is_json: bool) -> String {
    let yaml = yaml_text::value(node, ScalarContext::Flow).filter(|_| !is_json);
    yaml.unwrap_or_else(|| to_json(node))
}
