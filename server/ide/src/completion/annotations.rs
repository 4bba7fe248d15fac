//! Names and arguments of annotations, inside comments.

use super::context::Cursor;
use super::texts::{self, Annotated};
use crate::completion_item::{CompletionItem, CompletionOptions, ItemKind, escape_snippet};
use crate::document_kind::{DocumentKind, document_kind, document_of_comment};
use crate::likely_values::LikelyText;
use crate::markdown::{Page, Words};
use crate::significant::{significant_after, significant_before};
use crate::yaml_text::{self, ScalarContext};
use lofting_annotation::catalog::{Area, Entry, Parameter, Passing, Vocabulary, proposed_heads};
use lofting_annotation::{Annotation, CommentKind, read_comment};
use lofting_document::write::double_quoted;
use lofting_document::{FileId, MapItem, Node, NodeValue, Options, OwnerKind, lower_entry};
use lofting_eval::{ArgumentSite, Expr, ExprKind, SitePart};
use lofting_syntax::{Kind, Token};
use std::ops::Range;

/// What is known about the place of the comment.
struct CommentContext {
    kind: DocumentKind,
    /// The node below that will own the comment, if that is known.
    owner: Option<OwnerKind>,
    /// The file is a ytt template even without this comment.
    is_template: bool,
    /// The value of the node that will own the comment, as an argument.
    value: Option<String>,
}

/// The completions at the cursor, which is after the `#` of the comment in `range`.
pub(super) fn items(
    annotated: &Annotated<'_>,
    range: Range<usize>,
    options: &CompletionOptions,
    is_template: bool,
) -> Vec<CompletionItem> {
    let cursor = annotated.cursor;
    let text = cursor.tree.text(range.clone()).into_owned();
    let place = place(cursor, &range, is_template);
    match read_comment(&text, range.start).kind {
        CommentKind::Annotation(annotation) if cursor.offset <= annotation.name_range.end => {
            if cursor.offset < annotation.name_range.start {
                return Vec::new();
            }
            let only_name = !annotation.arguments_range.is_empty();
            names(&place, annotation.name_range, "", only_name, options)
        }
        CommentKind::Annotation(annotation) => arguments(annotated, &place, &annotation, options),
        // Directly after `#@`; what follows may be the arguments.
        CommentKind::Code { .. } if cursor.offset == range.start + 2 => {
            let has_more = text.get(2..).is_some_and(|after| !after.trim().is_empty());
            names(&place, cursor.offset..cursor.offset, "", has_more, options)
        }
        // After a lone `#` in a template, only `#@` and `#!` are possible.
        CommentKind::Ordinary if text == "#" && place.is_template => {
            names(&place, range.start..cursor.offset, "#@", false, options)
        }
        _ => Vec::new(),
    }
}

fn place(cursor: &Cursor<'_>, range: &Range<usize>, is_template: bool) -> CommentContext {
    let next = significant_after(cursor.tree, cursor.text, range.end);
    let before = significant_before(cursor.tree, cursor.text, range.start);
    let document = document_of_comment(cursor.tree, cursor.text, range);
    let kind = document.map_or(DocumentKind::Other, |document| document_kind(cursor.tree, document, Some(range.start)));
    // A comment after a node on the same line belongs to that node (docs/ytt.md 5.2).
    let own_line = before.is_none_or(|before| before.range().end <= cursor.line.start);
    let owner = match before.filter(|_| !own_line) {
        Some(before) => owner_beside(cursor, before),
        None => next.map(|next| match next.kind() {
            Kind::DocStart => OwnerKind::Document,
            Kind::Dash => OwnerKind::ArrayItem,
            _ => OwnerKind::MapItem,
        }),
    };
    let node = if own_line { next } else { before };
    let value = node.and_then(|node| value_of(cursor, node.range().start));
    CommentContext { kind, owner, is_template: is_template || kind != DocumentKind::Other, value }
}

/// The innermost node that is before a comment on its line.
fn owner_beside(cursor: &Cursor<'_>, before: Token<'_>) -> Option<OwnerKind> {
    if before.kind() == Kind::DocStart {
        return Some(OwnerKind::Document);
    }
    let path = cursor.tree.path_at(before.range().start);
    path.iter().rev().find_map(|node| match node.kind() {
        Kind::MapEntry => Some(OwnerKind::MapItem),
        Kind::SeqEntry => Some(OwnerKind::ArrayItem),
        _ => None,
    })
}

/// Longer values are not written as arguments, in bytes.
const ARGUMENT: usize = 200;
/// Deeper values are not, either.
const DEPTH: usize = 8;

/// The value of the entry at an offset as an expression; None for arrays, whose default is empty whatever they hold.
fn value_of(cursor: &Cursor<'_>, offset: usize) -> Option<String> {
    let entry = cursor.tree.path_at(offset).into_iter().rev().find(|node| node.kind() == Kind::MapEntry)?;
    if entry.range().len() > ARGUMENT {
        return Some("{}".to_owned())
            .filter(|_| lofting_syntax::Entry::cast(entry).is_some_and(|it| it.value().map().is_some()));
    }
    let item = lower_entry(FileId(0), entry, cursor.profile, Options::default())?;
    match &item.value.value {
        NodeValue::Array(_) => None,
        _ => expression(&item.value, DEPTH),
    }
}

/// A value as an expression of Starlark.
fn expression(value: &Node, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    Some(match &value.value {
        NodeValue::Null => "None".to_owned(),
        NodeValue::Bool(true) => "True".to_owned(),
        NodeValue::Bool(false) => "False".to_owned(),
        NodeValue::Int(_) | NodeValue::Float(_) => yaml_text::scalar(&value.value, ScalarContext::Flow)?,
        NodeValue::String(text) => double_quoted(text),
        NodeValue::Array(items) => {
            let items: Option<Vec<String>> = items.iter().map(|item| expression(&item.value, depth)).collect();
            format!("[{}]", items?.join(", "))
        }
        NodeValue::Map(items) => {
            let item = |item: &MapItem| {
                Some(format!("{}: {}", double_quoted(item.key.as_str()?), expression(&item.value, depth)?))
            };
            let items: Option<Vec<String>> = items.iter().map(item).collect();
            format!("{{{}}}", items?.join(", "))
        }
        NodeValue::Unknown => return None,
    })
}

/// A snippet with the value of the node where it stands for any of its type.
fn with_value(place: &CommentContext, snippet: &str) -> String {
    match &place.value {
        Some(value) => snippet.replace(ANY_DEFAULT, &format!("${{1:{}}}", escape_snippet(value))),
        None => snippet.to_owned(),
    }
}

/// The placeholder for a value of the type of a node.
const ANY_DEFAULT: &str = "${1:[]}";

/// Names of annotations. `replace` is the range of the name, or the cursor; `lead` is inserted before it.
fn names(
    place: &CommentContext,
    replace: Range<usize>,
    lead: &str,
    only_name: bool,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let mut items: Vec<CompletionItem> = Vec::new();
    let vocabulary = place.kind.vocabulary();
    // A schema of a proposal can begin wherever a ytt schema can, and has a single head.
    let heads = proposed_heads().filter(|_| vocabulary == Vocabulary::Shipped && place.kind == DocumentKind::Other);
    let is_head = |entry: &Entry| proposed_heads().any(|head| head.name == entry.name);
    let own = vocabulary.entries().filter(|entry| !is_head(entry));
    for entry in own.chain(heads.filter(|_| place.owner == Some(OwnerKind::Document))) {
        let Some(rank) = rank(place, entry) else { continue };
        let snippet = !only_name && options.snippets && entry.snippet.contains('$');
        let text = if only_name {
            entry.name.to_owned()
        } else if snippet {
            with_value(place, entry.snippet)
        } else {
            entry.plain.to_owned()
        };
        let edit = (replace.clone(), format!("{lead}{text}"));
        items.push(CompletionItem {
            detail: Some(signature(entry)).filter(|signature| !signature.is_empty()),
            about: Some(documentation(entry).into()),
            is_snippet: snippet,
            sort_text: format!("{rank}{:03}", items.len()),
            filter_text: format!("{lead}{}", entry.name),
            triggers_suggest: !only_name && entry.plain.ends_with(' '),
            ..CompletionItem::new(entry.name, ItemKind::Annotation, edit)
        });
    }
    items
}

/// How well an annotation fits; `None` where it has no meaning.
fn rank(place: &CommentContext, entry: &Entry) -> Option<char> {
    let fits = match place.owner {
        None => true,
        Some(OwnerKind::Document) => entry.places.document,
        Some(OwnerKind::MapItem) => entry.places.map_item,
        Some(OwnerKind::ArrayItem) => entry.places.array_item,
    };
    if !fits {
        return None;
    }
    let first = match place.kind {
        DocumentKind::Schema(_) => matches!(entry.area, Area::Schema),
        DocumentKind::Values => matches!(entry.area, Area::Values | Area::Overlay),
        DocumentKind::Other => place.owner == Some(OwnerKind::Document) && entry.name.starts_with("data/"),
    };
    let last = place.kind.vocabulary() == Vocabulary::Shipped && !entry.is_shipped();
    Some(if first {
        'a'
    } else if last {
        'c'
    } else {
        'b'
    })
}

/// Whether an expression can begin at the cursor in the comment in `range`: an argument, or part of one, that is more
/// than a boolean.
pub(super) fn takes_expression(cursor: &Cursor<'_>, range: Range<usize>) -> bool {
    let text = cursor.tree.text(range.clone()).into_owned();
    let CommentKind::Annotation(annotation) = read_comment(&text, range.start).kind else { return false };
    let document = document_of_comment(cursor.tree, cursor.text, &range);
    let kind = document.map_or(DocumentKind::Other, |document| document_kind(cursor.tree, document, Some(range.start)));
    let entry = kind.vocabulary().find(&annotation.name);
    let Some(entry) = entry.filter(|_| cursor.offset > annotation.name_range.end) else { return false };
    let mut site = annotation.arguments.argument_at(cursor.offset);
    let word = word_around(cursor, &annotation);
    if is_begun(&site, &word) {
        (site.part, site.word) = (SitePart::NameOrValue, word);
    }
    let in_text = site.innermost.is_some_and(|value| matches!(value.kind, ExprKind::String(_)));
    // Heads are read before any code runs.
    if in_text || proposed_heads().any(|head| head.name == entry.name) {
        return false;
    }
    let parameter = match (site.part, site.keyword) {
        (SitePart::Name, _) => None,
        (_, Some(keyword)) => entry.keyword(&keyword.name),
        // An operator, or the operand after one.
        (_, None) if !begins_argument(&text, range.start, &annotation, &site.word) => return true,
        (_, None) => positional(entry, &annotation, &site),
    };
    parameter.is_some_and(|parameter| !parameter.types.starts_with("bool"))
}

/// The parameter of an argument without a name. There is none after one with a name.
fn positional<'e>(entry: &'e Entry, annotation: &Annotation, site: &ArgumentSite<'_>) -> Option<&'e Parameter> {
    let mut named = annotation.arguments.keywords.iter().map(|keyword| keyword.name_range.start);
    let is_after_named = named.any(|start| start < site.word.start);
    entry.positional(site.positional_before).filter(|_| !is_after_named)
}

/// Whether an argument begins at a word of a comment, which begins at byte `start`: nothing else is between it and
/// the comma or name before it.
fn begins_argument(comment: &str, start: usize, annotation: &Annotation, word: &Range<usize>) -> bool {
    let mut commas = annotation.arguments.commas.iter().copied().filter(|comma| *comma < word.start);
    let from = commas.next_back().map_or(annotation.name_range.end, |comma| comma + 1);
    let between = from.saturating_sub(start)..word.start.saturating_sub(start);
    comment.get(between).is_none_or(|between| between.trim_start_matches('(').trim().is_empty())
}

/// The bytes of the word at the cursor.
fn word_around(cursor: &Cursor<'_>, annotation: &Annotation) -> Range<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let before = cursor.text.slice(annotation.name_range.end.min(cursor.offset)..cursor.offset);
    let after = cursor.text.slice(cursor.offset..cursor.line.end);
    let start = cursor.offset - (before.len() - before.trim_end_matches(is_letter).len());
    start..cursor.offset + (after.len() - after.trim_start_matches(is_letter).len())
}

/// Whether a word is all that there is of an argument: also one of the language, such as `for`, may become a name.
fn is_begun(site: &ArgumentSite<'_>, word: &Range<usize>) -> bool {
    let is_in_word = |value: &Expr| word.start <= value.range.start && value.range.end <= word.end;
    site.keyword.is_none() && site.value.is_none_or(is_in_word)
}

/// Whether what follows a word of a comment makes it the name of a keyword argument.
fn is_before_equals(cursor: &Cursor<'_>, word: &Range<usize>) -> bool {
    let after = cursor.text.slice(word.end..cursor.line.end.max(word.end));
    let after = after.trim_start();
    after.starts_with('=') && !after.starts_with("==")
}

/// Arguments of a known annotation.
fn arguments(
    annotated: &Annotated<'_>,
    place: &CommentContext,
    annotation: &Annotation,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    let Some(entry) = place.kind.vocabulary().find(&annotation.name) else { return Vec::new() };
    let cursor = annotated.cursor;
    let offset = cursor.offset;
    let mut site = annotation.arguments.argument_at(offset);
    let word = word_around(cursor, annotation);
    if is_begun(&site, &word) {
        (site.part, site.word) = (SitePart::NameOrValue, word.clone());
    }
    if site.keyword.is_none_or(|keyword| keyword.name_range.start >= offset) && is_before_equals(cursor, &word) {
        (site.part, site.word) = (SitePart::Name, word);
    }
    let line = cursor.text.slice(cursor.line.clone());
    if matches!(site.part, SitePart::NameOrValue | SitePart::Name)
        && !begins_argument(&line, cursor.line.start, annotation, &site.word)
    {
        return Vec::new();
    }
    // An unfinished string, alone or in a list.
    let begun = site.innermost.filter(|value| matches!(value.kind, ExprKind::String(_)));
    let in_list = site.innermost.is_some_and(|value| matches!(value.kind, ExprKind::List(_) | ExprKind::Tuple(_)));
    let parameter = || match site.keyword {
        Some(keyword) => entry.keyword(&keyword.name),
        None => entry.positional(site.positional_before),
    };
    match site.part {
        SitePart::Value => {
            let parameter = parameter();
            if let Some(parameter) = parameter.filter(|_| begun.is_some() || in_list) {
                let texts = annotated.texts(entry.name, parameter.name);
                if !texts.is_empty() {
                    let (replace, quote) = match begun {
                        Some(value) => texts::begun(annotated.cursor, &value.range),
                        None => (site.word, '"'),
                    };
                    return text_items(texts, &replace, quote);
                }
                let replace = begun.map_or(site.word, |value| value.range.clone());
                return choices(parameter, &replace);
            }
            // Only for arguments that consist of the word: inside lists and strings nothing is known.
            let whole = site.value.is_none_or(|value| value.range == site.word || value.range.is_empty());
            let parameter = parameter.filter(|_| whole);
            parameter.map_or_else(Vec::new, |parameter| values(place, parameter, site.word, options))
        }
        SitePart::Name | SitePart::NameOrValue => {
            let used = |name: &str| {
                annotation.arguments.keywords.iter().any(|keyword| {
                    keyword.name == name && !(keyword.name_range.start <= offset && offset <= keyword.name_range.end)
                })
            };
            let has_equals = site.part == SitePart::Name;
            let keywords = entry
                .parameters
                .iter()
                .filter(|parameter| parameter.passing == Passing::Keyword && !used(parameter.name))
                .filter(|parameter| annotated.fits(entry.name, parameter.name));
            let mut items: Vec<CompletionItem> =
                keywords.map(|parameter| keyword_item(parameter, site.word.clone(), has_equals, options)).collect();
            let positional = positional(entry, annotation, &site).filter(|_| !has_equals);
            items.extend(
                positional.into_iter().flat_map(|parameter| values(place, parameter, site.word.clone(), options)),
            );
            for (index, item) in items.iter_mut().enumerate() {
                item.sort_text = format!("{index:03}");
            }
            items
        }
    }
}

/// Texts as strings of Starlark, with their quotes.
fn text_items(texts: Vec<LikelyText>, replace: &Range<usize>, quote: char) -> Vec<CompletionItem> {
    let item = |(index, text): (usize, LikelyText)| {
        let plain = !text.text.contains(['"', '\'', '\\', '\n']);
        let written = format!("{quote}{}{quote}", text.text);
        plain.then(|| CompletionItem {
            detail: text.detail,
            about: text.about,
            sort_text: format!("{index:03}"),
            filter_text: written.clone(),
            ..CompletionItem::new(text.text, ItemKind::Constant, (replace.clone(), written))
        })
    };
    texts.into_iter().enumerate().filter_map(item).collect()
}

fn keyword_item(
    parameter: &Parameter,
    replace: Range<usize>,
    has_equals: bool,
    options: &CompletionOptions,
) -> CompletionItem {
    let (text, is_snippet) = if has_equals {
        (parameter.name.to_owned(), false)
    } else if options.snippets {
        (format!("{}={}", parameter.name, parameter.value_snippet), parameter.value_snippet.contains('$'))
    } else {
        (format!("{}=", parameter.name), false)
    };
    item(format!("{}=", parameter.name), ItemKind::Keyword, parameter, (replace, text), is_snippet)
}

/// Values of an argument that can be listed.
fn choices(parameter: &Parameter, replace: &Range<usize>) -> Vec<CompletionItem> {
    let value = |(index, text): (usize, &&str)| CompletionItem {
        sort_text: format!("{index:03}"),
        ..item((*text).to_owned(), ItemKind::Constant, parameter, (replace.clone(), (*text).to_owned()), false)
    };
    parameter.choices.iter().enumerate().map(value).collect()
}

/// Values of one argument: those that can be listed, both booleans, or its pattern.
fn values(
    place: &CommentContext,
    parameter: &Parameter,
    replace: Range<usize>,
    options: &CompletionOptions,
) -> Vec<CompletionItem> {
    if !parameter.choices.is_empty() {
        return choices(parameter, &replace);
    }
    let value =
        |text: &str| item(text.to_owned(), ItemKind::Constant, parameter, (replace.clone(), text.to_owned()), false);
    if parameter.types.starts_with("bool") {
        return vec![value("True"), value("False")];
    }
    if !options.snippets || !replace.is_empty() {
        return Vec::new();
    }
    let label = format!("{} ({})", parameter.name, parameter.types);
    vec![item(label, ItemKind::Snippet, parameter, (replace, with_value(place, parameter.value_snippet)), true)]
}

fn item(
    label: String,
    kind: ItemKind,
    parameter: &Parameter,
    edit: (Range<usize>, String),
    is_snippet: bool,
) -> CompletionItem {
    CompletionItem {
        detail: Some(parameter.types.to_owned()),
        about: Some(Words::default().ours(parameter.doc).into()).filter(|_| !parameter.doc.is_empty()),
        is_snippet,
        sort_text: "000".to_owned(),
        ..CompletionItem::new(label, kind, edit)
    }
}

/// `rule…, min=, max=`
pub(crate) fn signature(entry: &Entry) -> String {
    let words: Vec<String> = entry
        .parameters
        .iter()
        .map(|parameter| match parameter.passing {
            Passing::Positional => parameter.name.to_owned(),
            Passing::Repeated => format!("{}…", parameter.name),
            Passing::Keyword => format!("{}=", parameter.name),
        })
        .collect();
    words.join(", ")
}

/// The summary and the details.
pub(crate) fn documentation(entry: &Entry) -> Page {
    let page = Page::from(Words::default().ours(entry.summary));
    if entry.doc.is_empty() { page } else { page.words(Words::default().ours(entry.doc)) }
}
