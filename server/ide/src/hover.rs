//! Hover: what a key or value is for, of which type, and where that is said; what an annotation does.

use crate::completion::{annotation_documentation, annotation_signature};
use crate::describe::{self, Markup};
use crate::governing::governing_schema;
use crate::path::Step;
use crate::target::{Target, target_at};
use lofting_annotation::catalog::{self, Entry, Passing, Status};
use lofting_annotation::{Annotation, CommentKind, read_comment};
use lofting_document::{FileId, Span};
use lofting_schema::{Schema, SchemaId};
use lofting_syntax::{Kind, Tree};
use lofting_text::Encoding;
use lofting_workspace::{FileKind, Snapshot};
use std::ops::Range;

mod code;
mod effective;
#[cfg(test)]
mod tests;
mod validation;

/// A hover text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hover {
    /// In the asked markup.
    pub text: String,
    /// The bytes it is about.
    pub range: Range<usize>,
}

/// Longer hovers are cut: editors show them over the text.
const MAX_LENGTH: usize = 4_000;
/// At most this many alternatives of a union are described.
const MAX_ALTERNATIVES: usize = 4;

/// What is known about the thing at `offset` (bytes).
pub fn hover(snapshot: &Snapshot, file: FileId, offset: usize, markup: Markup) -> Option<Hover> {
    let tree = snapshot.tree(file);
    let comment = comment_at(&tree, offset);
    let told = comment.as_ref().and_then(|(start, text)| annotation(snapshot, file, (*start, text), offset, markup));
    let told = told.or_else(|| code::hover(snapshot, file, offset, markup));
    let mut hover = match (told, comment) {
        (Some(hover), _) => hover,
        (None, Some((start, text))) => validation::hover(snapshot, file, (start, &text), markup)?,
        (None, None) => value(snapshot, file, &tree, offset, markup)?,
    };
    if hover.text.len() > MAX_LENGTH {
        let mut end = MAX_LENGTH;
        while !hover.text.is_char_boundary(end) {
            end -= 1;
        }
        hover.text.truncate(end);
        hover.text.push('…');
    }
    Some(hover)
}

/// The comment around an offset.
pub(crate) fn comment_at(tree: &Tree, offset: usize) -> Option<(usize, String)> {
    let token = [Some(offset), offset.checked_sub(1)].into_iter().flatten().find_map(|offset| {
        tree.token_at(offset).filter(|token| token.kind() == Kind::Comment && token.range().start <= offset)
    })?;
    Some((token.range().start, token.text().into_owned()))
}

fn value(snapshot: &Snapshot, file: FileId, tree: &Tree, offset: usize, markup: Markup) -> Option<Hover> {
    let target = target_at(tree, offset)?;
    let (schema, ids, path) = match governing_schema(snapshot, file, tree, target.document) {
        Some(schema) => {
            let (ids, path) = target.schemas(&schema);
            (schema, ids, path)
        }
        None if snapshot.kind(file) == FileKind::Schema => {
            let schema = snapshot.association(file).schema?.schema;
            let ids = declared_at(&schema, file, &target).into_iter().collect();
            (schema, ids, target.path.clone())
        }
        None => return None,
    };
    let parts: Vec<String> = ids
        .iter()
        .take(MAX_ALTERNATIVES)
        .map(|id| describe_node(snapshot, file, &schema, *id, &path, markup))
        .collect();
    let mut text = parts.join(match markup {
        Markup::Markdown => "\n\n---\n\n",
        Markup::Plain => "\n\n",
    });
    // A half-typed key is no value yet.
    let is_value = !text.is_empty() && path.len() == target.path.len();
    if let Some(effective) = is_value.then(|| effective::effective(snapshot, file, &target, markup)).flatten() {
        text.push_str(&format!("\n\n{effective}"));
    }
    (!text.is_empty()).then_some(Hover { text, range: target.range })
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

fn describe_node(
    snapshot: &Snapshot,
    file: FileId,
    schema: &Schema,
    id: SchemaId,
    path: &[Step],
    markup: Markup,
) -> String {
    let node = schema.node(id);
    let strong = |text: &str| match markup {
        Markup::Markdown => format!("**{text}**"),
        Markup::Plain => text.to_owned(),
    };
    let name = name_of(path);
    let heading = match &node.docs.title {
        Some(title) => format!("{} ({})", strong(&title.text), describe::code(&name, markup)),
        None => strong(&name),
    };
    let mut text = format!("{heading}: {}", schema.type_words(id));
    let facts = describe::facts(snapshot, schema, id, markup);
    if !facts.is_empty() {
        text.push_str("\n\n");
        text.push_str(&facts);
    }
    let declared = node.declared.name;
    if declared.file != file || snapshot.kind(file) != FileKind::Schema {
        let place = place(snapshot, declared);
        text.push_str(&format!("\n\nDeclared in {}", describe::code(&place, markup)));
    }
    text
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
    let line = snapshot.text(span.file).position(span.range().start, Encoding::Utf8).line + 1;
    format!("{}:{line}", snapshot.shown_path(span.file))
}

fn annotation(
    snapshot: &Snapshot,
    file: FileId,
    (start, text): (usize, &str),
    offset: usize,
    markup: Markup,
) -> Option<Hover> {
    let CommentKind::Annotation(annotation) = read_comment(text, start).kind else { return None };
    let entry = catalog::find(&annotation.name)?;
    let allowed = validation::words(snapshot, file, Span::new(file, start..start + text.len()), markup);
    if let Some(mut hover) = keyword(&annotation, entry, offset, markup) {
        hover.text.extend(allowed.map(|words| format!("\n\n{words}")));
        return Some(hover);
    }
    if offset > annotation.name_range.end {
        return None;
    }
    let strong = |text: &str| match markup {
        Markup::Markdown => format!("**{text}**"),
        Markup::Plain => text.to_owned(),
    };
    let signature = annotation_signature(entry);
    let gap = if signature.is_empty() { "" } else { " " };
    let mut out = match allowed {
        Some(words) if markup == Markup::Markdown => format!("{words}\n\n---\n\n"),
        Some(words) => format!("{words}\n\n"),
        None => String::new(),
    };
    out.push_str(&strong(&format!("@{}", entry.name)));
    out.push_str(&format!("{gap}{}", describe::code_if(&signature, markup)));
    if let Status::Ignored { instead } = entry.status {
        out.push_str("\n\nytt ignores it.");
        if let Some(instead) = instead {
            out.push_str(&format!(" Use {}.", describe::code(&format!("@{instead}"), markup)));
        }
    }
    out.push_str("\n\n");
    out.push_str(&annotation_documentation(entry, markup));
    for parameter in entry.parameters {
        let name = match parameter.passing {
            Passing::Keyword => format!("{}=", parameter.name),
            _ => parameter.name.to_owned(),
        };
        let bullet = if markup == Markup::Markdown { "\n- " } else { "\n" };
        let doc = plain_if(parameter.doc, markup);
        out.push_str(&format!("{bullet}{} ({}): {doc}", describe::code(&name, markup), parameter.types));
    }
    Some(Hover { text: out, range: start..annotation.name_range.end })
}

/// The keyword argument whose name is at the offset.
fn keyword(annotation: &Annotation, entry: &Entry, offset: usize, markup: Markup) -> Option<Hover> {
    let at = |range: &Range<usize>| range.start <= offset && offset <= range.end;
    let keyword = annotation.arguments.keywords.iter().find(|keyword| at(&keyword.name_range))?;
    let parameter = entry.keyword(&keyword.name)?;
    let name = describe::code(&format!("{}=", parameter.name), markup);
    let text = format!("{name} ({})\n\n{}", parameter.types, plain_if(parameter.doc, markup));
    Some(Hover { text, range: keyword.name_range.clone() })
}

fn plain_if(text: &str, markup: Markup) -> String {
    match markup {
        Markup::Markdown => text.to_owned(),
        Markup::Plain => text.replace('`', ""),
    }
}
