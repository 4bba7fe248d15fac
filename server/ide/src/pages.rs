//! The texts about nodes of schemas and values, for every feature that shows them.

pub(crate) mod effective;
pub(crate) mod undeclared;

use crate::describe;
use crate::document_kind::{document_kind, document_of_comment};
use crate::markdown::{Page, Words};
use crate::path::Step;
use crate::significant::significant_after;
use crate::target::{Target, target_at};
use lofting_annotation::catalog::Vocabulary;
use lofting_document::{FileId, Span};
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::{Kind, Tree};
use lofting_workspace::{FileKind, Snapshot, file_uri};
use std::ops::Range;
use std::sync::Arc;

/// The comment around an offset.
pub(crate) fn comment_at(tree: &Tree, offset: usize) -> Option<(usize, String)> {
    let token = [Some(offset), offset.checked_sub(1)].into_iter().flatten().find_map(|offset| {
        tree.token_at(offset).filter(|token| token.kind() == Kind::Comment && token.range().start <= offset)
    })?;
    Some((token.range().start, token.text().into_owned()))
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

/// The node that the schema in a file declares after an offset, where the comments of the node end.
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

/// The description of a node, and where it is declared.
pub(crate) fn describe_node(snapshot: &Snapshot, file: FileId, schema: &Schema, id: SchemaId, path: &[Step]) -> Page {
    let page = described(snapshot, schema, id, path);
    let declared = schema.node(id).declared.name;
    if let Some(origin) = snapshot.built_in_words(declared.file) {
        return page.words(Words::default().ours("Schema: ").quoting(origin));
    }
    if !snapshot.is_file(declared.file) {
        return page;
    }
    if declared.file != file || snapshot.kind(file) != FileKind::Schema {
        return page.words(Words::default().ours("Declared in ").words(link(snapshot, declared)));
    }
    page
}

/// The page without the place where it is declared.
pub(crate) fn described(snapshot: &Snapshot, schema: &Schema, id: SchemaId, path: &[Step]) -> Page {
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
pub(crate) fn name_of(path: &[Step]) -> String {
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

/// A link to the place where it is declared.
pub(crate) fn link(snapshot: &Snapshot, span: Span) -> Words {
    let opened = snapshot.placed(span);
    let address = file_uri(snapshot.path(opened.file));
    Words::default().place(place(snapshot, span), address, line_of(snapshot, opened))
}

/// The line (from 0) in which a span begins.
fn line_of(snapshot: &Snapshot, span: Span) -> usize {
    snapshot.text(span.file).line_of(span.range().start)
}

/// The language of the annotation in a comment.
pub(crate) fn vocabulary_of(snapshot: &Snapshot, file: FileId, comment: &Range<usize>) -> Vocabulary {
    let tree = snapshot.tree(file);
    let document = document_of_comment(&tree, &snapshot.text(file), comment);
    document.map_or(Vocabulary::Shipped, |document| document_kind(&tree, document, None).vocabulary())
}
