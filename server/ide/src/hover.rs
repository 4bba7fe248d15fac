//! Hover: the purpose and type of a key or value, and where they are declared; the effect of an annotation.

use crate::completion::{annotation_documentation, annotation_signature};
use crate::configuration;
use crate::describe;
use crate::document_kind::{document_kind, document_of_comment};
use crate::governing::{Governing, governing};
use crate::inside;
use crate::markdown::{Marked, Markup, Page, Words};
use crate::path::Step;
use crate::significant::significant_after;
use crate::starlark;
use crate::target::{Target, target_at};
use lofting_annotation::catalog::{Entry, Parameter, Passing, Status, Vocabulary};
use lofting_annotation::{Annotation, CommentKind, read_comment};
use lofting_document::{FileId, Key, Span};
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::{Kind, Tree};
use lofting_workspace::{FileKind, Snapshot, file_uri};
use std::ops::Range;
use std::sync::Arc;

mod aliases;
#[cfg(test)]
mod described_tests;
pub(crate) mod effective;
#[cfg(test)]
mod tests;
pub(crate) mod undeclared;
mod validation;

/// A hover text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// In the requested markup.
    pub text: Marked,
    /// The bytes it is about.
    pub range: Range<usize>,
}

/// More arguments than this are only named.
const MAX_PARAMETERS: usize = 2;
/// The same of a proposal, which has no manual.
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
    let told = comment.as_ref().and_then(|(start, text)| annotation(snapshot, file, (*start, text), offset));
    let told = told.or_else(|| starlark::hover(snapshot, file, offset));
    let (page, range) = match (told, comment) {
        (Some(told), _) => told,
        (None, Some((start, text))) => validation::hover(snapshot, file, (start, &text))?,
        (None, None) => value(snapshot, file, &tree, offset)?,
    };
    Some(Hover { text: page.marked(markup), range })
}

/// The text, and the bytes it is about.
pub(crate) type Told = (Page, Range<usize>);

/// The comment around an offset.
pub(crate) fn comment_at(tree: &Tree, offset: usize) -> Option<(usize, String)> {
    let token = [Some(offset), offset.checked_sub(1)].into_iter().flatten().find_map(|offset| {
        tree.token_at(offset).filter(|token| token.kind() == Kind::Comment && token.range().start <= offset)
    })?;
    Some((token.range().start, token.text().into_owned()))
}

fn value(snapshot: &Snapshot, file: FileId, tree: &Tree, offset: usize) -> Option<Told> {
    if let Some(found) = inside::at(snapshot, file, tree, offset) {
        if let Some((schema, id, range)) = found.node() {
            let name = Step::Key(Key::from(tree.text(range.clone()).as_ref()));
            return Some((describe_node(snapshot, file, &schema, id, &[name]), range));
        }
        return found.hover();
    }
    if let Some(told) = aliases::hover(snapshot, file, tree, offset) {
        return Some(told);
    }
    let target = target_at(tree, snapshot.profile(file), offset)?;
    let (schema, ids, path) = match governing(snapshot, file, tree, target.document, &target.path, offset) {
        Some(governing) => {
            let (ids, path) = target.schemas(&governing);
            if ids.is_empty() {
                return Some((undeclared::page(snapshot, &governing, &target.path)?, target.range));
            }
            let ids = shown(&governing, ids, &path);
            (governing.schema, ids, path)
        }
        None if snapshot.kind(file) == FileKind::Schema => {
            let schema = snapshot.association(file).schema.as_ref()?.schema.clone();
            let ids = declared_at(&schema, file, &target).into_iter().collect();
            (schema, ids, target.path.clone())
        }
        None => {
            let mut schemas = snapshot.schemas_in(file).into_iter();
            let declares = |schema: Arc<Schema>| declared_at(&schema, file, &target).map(|id| (schema, id));
            let (schema, id) = schemas.find_map(declares)?;
            return Some((described(snapshot, &schema, id, &target.path), target.range));
        }
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

/// In a schema file: the node that is declared by the key or dash at the target.
pub(crate) fn declared_at(schema: &Schema, file: FileId, target: &Target<'_>) -> Option<SchemaId> {
    let name = match target.key {
        Some(key) => key.content_range(),
        None => target.range.clone(),
    };
    let is_here = |span: Span| span.file == file && span.range().start == name.start;
    schema.nodes().find(|(_, node)| is_here(node.declared.name)).map(|(id, _)| id)
}

/// The node that the schema in a file declares behind an offset, where the comments of the node end.
pub(crate) fn declared_below(snapshot: &Snapshot, file: FileId, offset: usize) -> Option<(Arc<Schema>, SchemaId)> {
    if snapshot.kind(file) != FileKind::Schema {
        return None;
    }
    let tree = snapshot.tree(file);
    let next = significant_after(&tree, &snapshot.text(file), offset)?;
    let target = target_at(&tree, snapshot.profile(file), next.range().start)?;
    let schema = snapshot.association(file).schema.as_ref()?.schema.clone();
    let node = declared_at(&schema, file, &target)?;
    Some((schema, node))
}

pub(crate) fn describe_node(snapshot: &Snapshot, file: FileId, schema: &Schema, id: SchemaId, path: &[Step]) -> Page {
    let page = described(snapshot, schema, id, path);
    let declared = schema.node(id).declared.name;
    if !snapshot.is_file(declared.file) {
        return page;
    }
    if declared.file != file || snapshot.kind(file) != FileKind::Schema {
        return page.words(Words::default().ours("Declared in ").words(link(snapshot, declared)));
    }
    page
}

/// The same without the place where it is declared.
fn described(snapshot: &Snapshot, schema: &Schema, id: SchemaId, path: &[Step]) -> Page {
    let node = schema.node(id);
    let name = name_of(path);
    let title = node.docs.title.as_ref().map(|title| title.text.as_str()).or(node.docs.inferred_title.as_deref());
    let heading = match title.filter(|title| !title.is_empty()) {
        Some(title) => Words::default().strong(title).ours(" (").code(name).ours(")"),
        None => Words::default().strong(name),
    };
    Page::from(heading.ours(": ").text(schema.type_words(id))).page(describe::facts(snapshot, schema, id))
}

/// The last key of a path, with `[]` for each array below it.
fn name_of(path: &[Step]) -> String {
    let items = path.iter().rev().take_while(|step| **step == Step::Item).count();
    let key = match path.iter().rev().nth(items) {
        Some(Step::Key(key)) => key.to_string(),
        _ => String::new(),
    };
    match format!("{key}{}", "[]".repeat(items)) {
        name if name.is_empty() => "document".to_owned(),
        name => name,
    }
}

/// `config/schema.yml:7`
pub(crate) fn place(snapshot: &Snapshot, span: Span) -> String {
    format!("{}:{}", snapshot.shown_path(span.file), line_of(snapshot, span) + 1)
}

/// The same as a link to there.
pub(crate) fn link(snapshot: &Snapshot, span: Span) -> Words {
    let opened = snapshot.placed(span);
    let address = file_uri(snapshot.path(opened.file));
    Words::default().place(place(snapshot, span), address, line_of(snapshot, opened))
}

/// The line (from 0) in which a span begins.
fn line_of(snapshot: &Snapshot, span: Span) -> usize {
    snapshot.text(span.file).line_of(span.range().start)
}

fn annotation(snapshot: &Snapshot, file: FileId, (start, text): (usize, &str), offset: usize) -> Option<Told> {
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
    // What many arguments mean is told where one of them stands.
    let most = if entry.manual().is_some() { MAX_PARAMETERS } else { MAX_OF_PROPOSALS };
    let page = match entry.parameters.len() <= most {
        true => page.list(entry.parameters.iter().map(parameter).collect()),
        false => page,
    };
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

/// The language of the annotation in a comment.
pub(crate) fn vocabulary_of(snapshot: &Snapshot, file: FileId, comment: &Range<usize>) -> Vocabulary {
    let tree = snapshot.tree(file);
    let document = document_of_comment(&tree, &snapshot.text(file), comment);
    document.map_or(Vocabulary::Shipped, |document| document_kind(&tree, document, None).vocabulary())
}

/// The keyword argument whose name is at the offset.
fn keyword(annotation: &Annotation, entry: &Entry, offset: usize) -> Option<Told> {
    let at = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    let keyword = annotation.arguments.keywords.iter().find(|keyword| at(&keyword.name_range))?;
    let parameter = entry.keyword(&keyword.name)?;
    let head = Words::default().code(format!("{}=", parameter.name)).ours(" (").ours(parameter.types).ours(")");
    Some((Page::from(head).words(Words::default().ours(parameter.doc)), keyword.name_range.clone()))
}
