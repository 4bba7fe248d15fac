//! Hover: the purpose and type of a key or value, and where they are declared; the effect of an annotation.

use crate::answers::Hovered;
use crate::completion::{annotation_documentation, annotation_signature};
use crate::configuration;
use crate::governing::{Governing, governing_read, scalar_at};
use crate::inside;
use crate::markdown::{Marked, Markup, Page, Words};
use crate::pages::{comment_at, declared_at, describe_node, described, effective, undeclared, vocabulary_of};
use crate::path::Step;
use crate::starlark;
use crate::target::{Target, target_at};
use lofting_annotation::catalog::{Entry, Parameter, Passing, Status, Vocabulary};
use lofting_annotation::{Annotation, CommentKind, read_comment};
use lofting_document::{FileId, Key, NodeValue, Span};
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::Tree;
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;
use std::sync::Arc;

mod aliases;
#[cfg(test)]
mod alternative_tests;
#[cfg(test)]
mod described_tests;
#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;
mod validation;

/// A hover text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// In the requested markup.
    pub text: Marked,
    /// The bytes it is about.
    pub range: Range<usize>,
}

/// The maximum number of arguments that are described; more are only named.
const MAX_PARAMETERS: usize = 2;
/// The maximum for a proposal, which has no manual.
const MAX_OF_PROPOSALS: usize = 4;

/// At most this many alternatives of a union are described.
const MAX_ALTERNATIVES: usize = 4;

/// What is known about the thing at `offset` (bytes).
pub fn hover(snapshot: &Snapshot, file: FileId, offset: usize, markup: Markup) -> Option<Hover> {
    if snapshot.kind(file) == FileKind::Configuration {
        let (page, range) = configuration::hover(snapshot, file, offset)?;
        return Some(Hover { text: page.marked(markup), range });
    }
    let tree = snapshot.tree(file);
    let comment = comment_at(&tree, offset);
    let hovered = comment.as_ref().and_then(|(start, text)| annotation(snapshot, file, (*start, text), offset));
    let hovered = hovered.or_else(|| starlark::hover(snapshot, file, offset));
    let (page, range) = match (hovered, comment) {
        (Some(hovered), _) => hovered,
        (None, Some((start, text))) => validation::hover(snapshot, file, (start, &text))?,
        (None, None) => value(snapshot, file, &tree, offset)?,
    };
    Some(Hover { text: page.marked(markup), range })
}

fn value(snapshot: &Snapshot, file: FileId, tree: &Tree, offset: usize) -> Option<Hovered> {
    if let Some(found) = inside::at(snapshot, file, tree, offset) {
        if let Some((schema, id, range)) = found.node() {
            let name = Step::Key(Key::from(tree.text(range.clone()).as_ref()));
            return Some((describe_node(snapshot, file, &schema, id, &[name]), range));
        }
        // Of a word that is one of several, or names something, its schema says more.
        if let Some(hovered) = found.hover() {
            return Some(hovered);
        }
    }
    if let Some(hovered) = aliases::hover(snapshot, file, tree, offset) {
        return Some(hovered);
    }
    let target = target_at(tree, snapshot.profile(file), offset)?;
    let (schema, ids, path) = match governing_read(snapshot, file, tree, target.document, &target.path, offset) {
        Some(governing) => {
            let (ids, path) = target.schemas(&governing);
            // What is allowed there may be a schema that is written in the document.
            if ids.is_empty()
                && let Some(declared) = declared(snapshot, file, &target)
            {
                return Some(declared);
            }
            if ids.is_empty() {
                return Some((undeclared::page(snapshot, &governing, &target.path)?, target.range));
            }
            let scalar = target.document.filter(|_| path.len() == target.path.len());
            let scalar = scalar.and_then(|document| scalar_at(document, snapshot.profile(file), &path, offset));
            let ids = accepting(&governing.schema, ids, scalar.as_ref());
            let ids = shown(&governing, ids, &path);
            (governing.schema, ids, path)
        }
        None if snapshot.kind(file) == FileKind::Schema => {
            let schema = snapshot.association(file).schema.as_ref()?.schema.clone();
            let ids = declared_at(&schema, file, &target).into_iter().collect();
            (schema, ids, target.path.clone())
        }
        None => return declared(snapshot, file, &target),
    };
    let parts = ids.iter().take(MAX_ALTERNATIVES);
    let page = Page::several(parts.map(|id| describe_node(snapshot, file, &schema, *id, &path)));
    if page.is_empty() {
        return None;
    }
    // A half-typed key is not a value yet.
    let is_value = path.len() == target.path.len();
    let effective = is_value.then(|| effective::effective(snapshot, file, &target)).flatten();
    Some((page.page(effective.unwrap_or_default()), target.range))
}

/// What a schema in the file declares where the target is.
fn declared(snapshot: &Snapshot, file: FileId, target: &Target<'_>) -> Option<Hovered> {
    let mut schemas = snapshot.schemas_in(file).into_iter();
    let declares = |schema: Arc<Schema>| declared_at(&schema, file, target).map(|id| (schema, id));
    let (schema, id) = schemas.find_map(declares)?;
    Some((described(snapshot, &schema, id, &target.path), target.range.clone()))
}

/// The alternatives that a written value may be; all of them if it fits no alternative.
fn accepting(schema: &Schema, ids: Vec<SchemaId>, value: Option<&NodeValue>) -> Vec<SchemaId> {
    let Some(value) = value else { return ids };
    let accepting: Vec<_> = ids.iter().copied().filter(|id| schema.accepts(*id, value) != Some(false)).collect();
    if accepting.is_empty() { ids } else { accepting }
}

/// The nodes to describe: first those that only join others and are described themselves, then those that they join. If
/// there are many, those with a description.
fn shown(governing: &Governing, ids: Vec<SchemaId>, path: &[Step]) -> Vec<SchemaId> {
    let described = |id: &SchemaId| governing.schema.node(*id).docs.description.as_ref();
    let mut found: Vec<SchemaId> = governing.documented_at(path);
    found.retain(|id| {
        described(id).is_none_or(|own| ids.iter().all(|id| described(id).is_none_or(|it| *it.text != *own.text)))
    });
    found.truncate(MAX_ALTERNATIVES / 2);
    let mut ids = ids;
    if found.len() + ids.len() > MAX_ALTERNATIVES {
        ids.sort_by_key(|id| described(id).is_none());
    }
    found.extend(ids);
    found
}

fn annotation(snapshot: &Snapshot, file: FileId, (start, text): (usize, &str), offset: usize) -> Option<Hovered> {
    let CommentKind::Annotation(annotation) = read_comment(text, start).kind else { return None };
    let vocabulary = vocabulary_of(snapshot, file, &(start..start + text.len()));
    let entry = vocabulary.find(&annotation.name)?;
    let allowed = validation::words(snapshot, file, Span::new(file, start..start + text.len()));
    if let Some((page, range)) = keyword(&annotation, entry, offset) {
        return Some((page.page(allowed.unwrap_or_default()), range));
    }
    if offset > annotation.name_range.end {
        return None;
    }
    let signature = annotation_signature(entry);
    let gap = if signature.is_empty() { "" } else { " " };
    let mut page = Page::from(Words::default().strong(format!("@{}", entry.name)).ours(gap).code(signature));
    if let (Status::Ignored { instead, effect }, Vocabulary::Shipped) = (entry.status, vocabulary) {
        let words = Words::default().ours("ytt ignores it, as it was proposed and never built.");
        let words = match instead {
            Some(instead) => words.ours(" Use ").code(format!("@{instead}")).ours("."),
            None => words,
        };
        page = page.words(if effect.is_empty() { words } else { words.ours(" ").ours(effect) });
    }
    let parameter = |parameter: &Parameter| {
        let name = match parameter.passing {
            Passing::Keyword => format!("{}=", parameter.name),
            _ => parameter.name.to_owned(),
        };
        Words::default().code(name).ours(" (").ours(parameter.types).ours("): ").ours(parameter.doc)
    };
    let page = page.page(annotation_documentation(entry));
    // If there are many arguments, each is described where it is written.
    let most = if entry.manual().is_some() { MAX_PARAMETERS } else { MAX_OF_PROPOSALS };
    let page =
        if entry.parameters.len() <= most { page.list(entry.parameters.iter().map(parameter).collect()) } else { page };
    let page = match entry.manual() {
        Some(address) => page.words(Words::default().web("ytt's manual", address)),
        None => page,
    };
    let page = match allowed {
        Some(allowed) => Page::several([allowed, page]),
        None => page,
    };
    Some((page, start..annotation.name_range.end))
}

/// The keyword argument whose name is at the offset.
fn keyword(annotation: &Annotation, entry: &Entry, offset: usize) -> Option<Hovered> {
    let at = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    let keyword = annotation.arguments.keywords.iter().find(|keyword| at(&keyword.name_range))?;
    let parameter = entry.keyword(&keyword.name)?;
    let head = Words::default().code(format!("{}=", parameter.name)).ours(" (").ours(parameter.types).ours(")");
    Some((Page::from(head).words(Words::default().ours(parameter.doc)), keyword.name_range.clone()))
}
