//! Converts a document's schemas into the other of the two forms, for editors. The shorthand of releases before 1.0 is
//! below `spec.schema`; OpenAPI schemas are below the name of each section.

use super::claims::{ENVIRONMENT, Form, OPENAPI, OVERRIDES, PARAMETERS, SCHEMA, SHORTHAND, SLOTS, SYSTEM};
use super::shorthand::literal::entry as item;
use super::shorthand::{TYPES, write};
use super::templates::UseForm;
use super::{rules, templates, written};
use crate::inside::Own;
use crate::{Claim, FileView, Role, SchemaPart};
use lofting_diagnostic::Severity;
use lofting_document::write::{to_yaml, yaml_with_places};
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use lofting_schema::Step;
use lofting_syntax::{Entry, Kind, Map, Tree};
use std::collections::BTreeSet;
use std::ops::Range;

/// Replacements in the file.
type Edits = Vec<(Range<usize>, String)>;

/// The possible conversions at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Conversion {
    /// Everything below `spec.schema` becomes sections with `openAPIV3Schema`.
    ToOpenApi,
    /// A section in shorthand becomes `openAPIV3Schema` at the same place.
    InPlace,
    /// All sections move below `spec.schema`.
    ToShorthand,
}

impl Conversion {
    fn title(self) -> &'static str {
        match self {
            Conversion::ToOpenApi | Conversion::InPlace => "Convert the schema to `openAPIV3Schema`",
            Conversion::ToShorthand => "Convert the schema to shorthand",
        }
    }
}

/// A document whose schemas can be converted.
struct Convertible<'f> {
    conversion: Conversion,
    document: usize,
    claims: Vec<&'f Claim>,
}

/// The titles of the conversions that are possible at the key of a section.
pub(super) fn titles(file: &dyn FileView, own: &Own<'_>, offset: usize) -> Vec<&'static str> {
    find(file, own, offset).iter().map(|found| found.conversion.title()).collect()
}

/// The edits of a conversion; None if the schema has errors, or would need a change elsewhere.
pub(super) fn edits(file: &dyn FileView, own: &Own<'_>, offset: usize, title: &str) -> Option<Edits> {
    let found = find(file, own, offset).filter(|found| found.conversion.title() == title)?;
    let mut edits = match found.conversion {
        Conversion::ToOpenApi => to_openapi(file, &found)?,
        Conversion::InPlace => in_place(file, &found, offset)?,
        Conversion::ToShorthand => to_shorthand(file, &found)?,
    };
    let names = match found.conversion {
        Conversion::ToOpenApi => Some((OVERRIDES, ENVIRONMENT)),
        Conversion::ToShorthand => Some((ENVIRONMENT, OVERRIDES)),
        Conversion::InPlace => None,
    };
    if let Some((before, after)) = names {
        let uses = templates::uses(file, own, Some(found.document)).into_iter().filter(|used| used.name == before);
        edits.extend(uses.filter(|used| used.form == UseForm::Variable).map(|used| (used.range, after.to_owned())));
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    Some(edits)
}

fn find<'f>(file: &dyn FileView, own: &Own<'f>, offset: usize) -> Option<Convertible<'f>> {
    let tree = file.tree();
    let keys = keys_to(tree, offset)?;
    let document = tree.documents().position(|document| {
        let range = document.range();
        range.start <= offset && offset <= range.end
    })?;
    let is_schema = |claim: &&Claim| matches!(claim.role, Role::Schema(_));
    let schemas = || own.claims.in_document(document).iter().filter(is_schema);
    let below = |key: &'static str| schemas().filter(move |claim| key_at(claim, 1) == Some(key)).collect::<Vec<_>>();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    let (conversion, claims) = match keys.as_slice() {
        ["spec", SCHEMA] | ["spec", SCHEMA, SHORTHAND] => (Conversion::ToOpenApi, below(SCHEMA)),
        ["spec", SCHEMA, key] | ["spec", SCHEMA, SHORTHAND, key] => {
            let is_section = *key == TYPES || SLOTS.iter().any(|(slot, _)| slot == key);
            (Conversion::ToOpenApi, if is_section { below(SCHEMA) } else { Vec::new() })
        }
        ["spec", section, rest @ ..] => {
            let (section, _) = SLOTS.iter().find(|(slot, _)| slot == section)?;
            match rest {
                [] | [SHORTHAND | OPENAPI] => {}
                _ => return None,
            }
            let own = below(section);
            if own.iter().any(|claim| Form::at(&claim.at) != Form::OpenApi) {
                (Conversion::InPlace, own)
            } else if own.is_empty() {
                return None;
            } else {
                let all = schemas().filter(|claim| Form::at(&claim.at) == Form::OpenApi).collect();
                (Conversion::ToShorthand, all)
            }
        }
        _ => return None,
    };
    // Values that the platform sets for a workflow have no section in today's form.
    let has_system = claims.iter().any(|claim| key_at(claim, claim.at.len().saturating_sub(1)) == Some(SYSTEM));
    (!claims.is_empty() && !has_system).then_some(Convertible { conversion, document, claims })
}

fn key_at(claim: &Claim, index: usize) -> Option<&str> {
    match claim.at.get(index) {
        Some(Step::Key(key)) => key.as_str(),
        _ => None,
    }
}

/// The keys from the root of a document to the one at an offset, in block style.
fn keys_to(tree: &Tree, offset: usize) -> Option<Vec<String>> {
    let mut keys = Vec::new();
    let mut at_key = false;
    for node in tree.path_at(offset) {
        match node.kind() {
            Kind::FlowMap | Kind::FlowSeq | Kind::SeqEntry => return None,
            Kind::MapEntry => {
                let key = Entry::cast(node)?.key()?;
                at_key = key.range().start <= offset && offset <= key.range().end;
                keys.push(key.scalar()?.value().into_owned());
            }
            _ => {}
        }
    }
    at_key.then_some(keys)
}

/// The entry at the end of a path of keys, if no map on the way is in flow style.
fn entry_of<'t>(tree: &'t Tree, document: usize, keys: &[&str]) -> Option<Entry<'t>> {
    let mut value = tree.documents().nth(document)?.root()?;
    let mut found = None;
    for key in keys {
        let map: Map<'t> = value.map().filter(|map| !map.is_flow())?;
        let entry = map.entries().filter(|entry| entry.is_named(key)).last()?;
        value = entry.value();
        found = Some(entry);
    }
    found
}

/// The bytes of an entry, from its key to the end of its value.
fn range_of(tree: &Tree, entry: &Entry<'_>) -> Range<usize> {
    let range = entry.range();
    let text = tree.text(range.clone());
    range.start..range.start + text.trim_end().len()
}

/// The blanks before an entry that is the first on its line.
fn indentation(tree: &Tree, start: usize) -> Option<usize> {
    let before = tree.text(0..start);
    let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
    line.bytes().all(|byte| byte == b' ').then_some(line.len())
}

/// A place for a node that is not written yet.
fn nowhere(file: &dyn FileView, found: &Convertible<'_>) -> Option<Span> {
    Some(Span::new(file.documents().documents.get(found.document)?.value.span.file, 0..0))
}

fn map_of(items: Vec<MapItem>, span: Span) -> Node {
    Node::new(NodeValue::Map(items.into()), span)
}

/// A schema in OpenAPI, if it has no errors.
fn sound(file: &dyn FileView, claim: &Claim) -> Option<Node> {
    let document = file.documents().documents.get(claim.document)?;
    let written = written(&SchemaPart { document, claim: Some(claim), tree: Some(file.tree()) })?;
    let is_wrong = written.faults.iter().any(|fault| rules::shorthand_finding(fault).severity == Severity::Error);
    (!is_wrong).then(|| written.schema.into_owned())
}

fn to_openapi(file: &dyn FileView, found: &Convertible<'_>) -> Option<Edits> {
    let tree = file.tree();
    let range = range_of(tree, &entry_of(tree, found.document, &["spec", SCHEMA])?);
    let mut sections = Vec::new();
    for claim in &found.claims {
        let Role::Schema(name) = &claim.role else { continue };
        let schema = sound(file, claim)?;
        // There must be no such section yet.
        entry_of(tree, found.document, &["spec", name.slot]).is_none().then_some(())?;
        let key = Span::new(schema.span.file, claim.key.clone());
        let section = map_of(vec![item(Key::from(OPENAPI), key, schema)], key);
        sections.push(item(Key::from(name.slot), key, section));
    }
    let node = map_of(sections, nowhere(file, found)?);
    Some(vec![(range.clone(), laid_out(tree, &node, range.start, &[])?)])
}

fn in_place(file: &dyn FileView, found: &Convertible<'_>, offset: usize) -> Option<Edits> {
    let tree = file.tree();
    let keys = keys_to(tree, offset)?;
    let claim = found.claims.first()?;
    let entry = entry_of(tree, found.document, &["spec", keys.get(1)?, SHORTHAND])?;
    let range = range_of(tree, &entry);
    let schema = sound(file, claim)?;
    let key = Span::new(schema.span.file, claim.key.clone());
    let node = map_of(vec![item(Key::from(OPENAPI), key, schema)], key);
    Some(vec![(range.clone(), laid_out(tree, &node, range.start, &[])?)])
}

fn to_shorthand(file: &dyn FileView, found: &Convertible<'_>) -> Option<Edits> {
    let tree = file.tree();
    if entry_of(tree, found.document, &["spec", SCHEMA]).is_some() {
        return None;
    }
    let (mut types, mut fields, mut lost): (Vec<MapItem>, Vec<MapItem>, Vec<String>) = Default::default();
    let mut ranges = Vec::new();
    for claim in &found.claims {
        let Role::Schema(name) = &claim.role else { continue };
        let schema = sound(file, claim)?;
        let key = if name.slot == ENVIRONMENT { OVERRIDES } else { PARAMETERS };
        let written = write::write(&schema);
        for left in &written.left_out {
            let path = if left.path.is_empty() { String::new() } else { format!(".{}", left.path) };
            lost.push(format!("# not carried over: {key}{path}: {}", left.message));
        }
        let own = written.types.as_ref().map(|types| &types.value);
        for one in match own {
            Some(NodeValue::Map(items)) => items.iter(),
            _ => [].iter(),
        } {
            match types.iter().find(|known| known.key == one.key) {
                // Two different definitions of one name cannot be combined.
                Some(known) if to_yaml(&known.value) != to_yaml(&one.value) => return None,
                Some(_) => {}
                None => types.push(one.clone()),
            }
        }
        let at = Span::new(schema.span.file, claim.key.clone());
        fields.push(item(Key::from(key), at, written.fields));
        ranges.push(range_of(tree, &entry_of(tree, found.document, &["spec", key_at(claim, 1)?])?));
    }
    let (nowhere, mut sections) = (nowhere(file, found)?, Vec::new());
    if !types.is_empty() {
        sections.push(item(Key::from(TYPES), nowhere, map_of(types, nowhere)));
    }
    sections.extend(fields);
    let node = map_of(vec![item(Key::from(SCHEMA), nowhere, map_of(sections, nowhere))], nowhere);
    ranges.sort_by_key(|range| range.start);
    let (first, others) = ranges.split_first()?;
    let mut edits = vec![(first.clone(), laid_out(tree, &node, first.start, &lost)?)];
    let text = tree.text(0..tree.len());
    for range in others {
        // Including the line that would be left empty.
        let start = text.get(..range.start)?.trim_end_matches(' ').len();
        let end = text.get(range.end..)?.find('\n').map_or(text.len(), |at| range.end + at + 1);
        edits.push((start..end, String::new()));
    }
    Some(edits)
}

/// A map written for a place, its first key without indentation, after these lines and with the comments of its source.
fn laid_out(tree: &Tree, node: &Node, start: usize, above: &[String]) -> Option<String> {
    let indent = " ".repeat(indentation(tree, start)?);
    let source = tree.text(0..tree.len());
    let (text, places) = yaml_with_places(node);
    let mut lines: Vec<String> = above.iter().map(|line| format!("{indent}{line}")).collect();
    let mut copied = BTreeSet::new();
    for (line, place) in text.lines().zip(places) {
        let inner: String = line.chars().take_while(|c| *c == ' ').collect();
        let at = place.range().start;
        // Keywords have the place of the shorthand they were made from; comments are kept only at keys that exist in
        // both forms.
        let key = line.trim_start().split(':').next().unwrap_or_default();
        let is_same = !key.is_empty() && source.get(at..).is_some_and(|rest| rest.starts_with(key));
        let comments = if is_same { comments_of(tree, &source, at, start, &mut copied) } else { Vec::new() };
        lines.extend(comments.into_iter().map(|comment| format!("{indent}{inner}{comment}")));
        lines.push(if line.is_empty() { String::new() } else { format!("{indent}{line}") });
    }
    Some(lines.join("\n").trim_start_matches(' ').to_owned())
}

/// The comments of a line that were not copied yet: those on their own lines above it, starting at `from`, and the one
/// at its end.
fn comments_of(tree: &Tree, source: &str, at: usize, from: usize, copied: &mut BTreeSet<usize>) -> Vec<String> {
    let start = source.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let mut found = Vec::new();
    if start < from || !copied.insert(start) {
        return found;
    }
    let mut above = source.get(from..start).unwrap_or_default().lines().rev();
    found.extend(above.by_ref().map(str::trim).take_while(|line| line.starts_with('#')).map(str::to_owned));
    found.reverse();
    let end = source.get(at..).and_then(|rest| rest.find('\n')).map_or(source.len(), |end| at + end);
    let mut at = start;
    while let Some(token) = tree.token_at(at).filter(|_| at < end) {
        if token.kind() == Kind::Comment && token.range().start > start {
            found.push(token.text().trim_end().to_owned());
        }
        at = token.range().end.max(at + 1);
    }
    found
}
