//! One entry of a completion list.

use crate::describe;
use crate::markdown::{Marked, Markup, Page, Words};
use lofting_schema::{Schema, SchemaId};
use lofting_workspace::Snapshot;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What the client supports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CompletionOptions {
    /// Text with placeholders (snippets).
    pub snippets: bool,
    /// The editor requests completion automatically while the user types: only what cannot be in the way is offered.
    pub unasked: bool,
}

/// The kind of an item, which editors show as an icon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// A key of a map.
    Key,
    /// A value.
    Value,
    /// One of several allowed values.
    EnumMember,
    /// `true`, `false`, `null`.
    Constant,
    /// `- ` of an array.
    Item,
    /// Several keys at once.
    Snippet,
    /// `*name`
    Alias,
    /// The name of an annotation.
    Annotation,
    /// A keyword argument of an annotation, or a word of the language.
    Keyword,
    /// A function or method.
    Function,
    /// A name with a value.
    Variable,
    /// A module.
    Module,
    /// A file that can be loaded.
    File,
    /// A type.
    Type,
}

/// One completion. Every change is explicit; nothing depends on what an editor regards as a word.
#[derive(Debug, Clone)]
pub struct CompletionItem {
    /// What is shown.
    pub label: String,
    /// What it stands for.
    pub kind: ItemKind,
    /// Type or origin, in a few words.
    pub detail: Option<String>,
    /// What its documentation is about: see [`CompletionItem::documentation`].
    pub(crate) about: Option<About>,
    /// The bytes that are replaced (on one line, the cursor among them) and the text that takes their
    /// place. Further lines of the text carry their full indentation.
    pub edit: (Range<usize>, String),
    /// The text has placeholders in LSP's snippet syntax.
    pub is_snippet: bool,
    /// Further changes on the line that do not overlap the edit: corrected indentation.
    pub additional_edits: Vec<(Range<usize>, String)>,
    /// Items are sorted by this text.
    pub sort_text: String,
    /// Editors compare this with the replaced text while the user continues typing.
    pub filter_text: String,
    /// It should no longer be used.
    pub deprecated: bool,
    /// After accepting it, completion is useful again at the cursor.
    pub triggers_suggest: bool,
}

/// What an item is documented with. Documentation of a thousand keys is never read, so it is composed when an
/// editor shows it.
#[derive(Clone)]
pub(crate) enum About {
    /// This page.
    Page(Page),
    /// What a schema says about one of its nodes.
    Node(Arc<Schema>, SchemaId),
}

impl fmt::Debug for About {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            About::Page(page) => page.fmt(f),
            // Not the whole schema.
            About::Node(..) => f.write_str("a node of a schema"),
        }
    }
}

impl From<Page> for About {
    fn from(page: Page) -> Self {
        About::Page(page)
    }
}

impl From<Words> for About {
    fn from(words: Words) -> Self {
        About::Page(words.into())
    }
}

impl CompletionItem {
    /// An item that is shown as `label` and replaces a range of bytes with a text; without all that can be left out.
    pub(crate) fn new(label: impl Into<String>, kind: ItemKind, edit: (Range<usize>, String)) -> Self {
        let label = label.into();
        CompletionItem {
            filter_text: label.clone(),
            label,
            kind,
            detail: None,
            about: None,
            edit,
            is_snippet: false,
            additional_edits: Vec::new(),
            sort_text: String::new(),
            deprecated: false,
            triggers_suggest: false,
        }
    }

    /// The text for the panel beside the list, in the asked markup.
    pub fn documentation(&self, snapshot: &Snapshot, markup: Markup) -> Option<Marked> {
        match self.about.as_ref()? {
            About::Page(page) => (!page.is_empty()).then(|| page.marked(markup)),
            About::Node(schema, id) => {
                let mut facts = describe::facts(snapshot, schema, *id);
                if schema.node(*id).docs.description.is_none() {
                    // What is referred to, or the first of several alternatives, may be described instead.
                    let nodes = schema.speaking(*id).into_iter();
                    let described = nodes.filter_map(|id| schema.node(id).docs.description.as_ref()).next();
                    facts = described.map_or(facts.clone(), |it| Page::default().description(&*it.text).page(facts));
                }
                let page = match &schema.node(*id).docs.title {
                    Some(title) => Page::from(Words::default().text(&*title.text)).page(facts),
                    None => facts,
                };
                (!page.is_empty()).then(|| page.marked(markup))
            }
        }
    }

    /// The inserted text for editors that add the indentation of the cursor's line to further lines (LSP's
    /// `adjustIndentation`, and most snippet engines). `indentation` is the white space at the start of that line.
    pub fn text_relative_to(&self, indentation: &str) -> String {
        let (first, rest) = match self.edit.1.split_once('\n') {
            Some(parts) if !indentation.is_empty() => parts,
            _ => return self.edit.1.clone(),
        };
        let mut out = first.to_owned();
        for line in rest.split('\n') {
            out.push('\n');
            out.push_str(line.strip_prefix(indentation).unwrap_or(line));
        }
        out
    }
}

/// Escapes text for use in a snippet.
pub fn escape_snippet(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '$' | '}' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Escapes text for use as one alternative of a choice, `${1|a,b|}`.
pub(crate) fn escape_choice(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '$' | '}' | '\\' | ',' | '|') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
