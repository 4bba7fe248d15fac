//! The place of a finding, as rules see it.

use crate::path::{PathId, Paths, Step};
use crate::view::{Source, View};
use lofting_document::{Key, Span};
use lofting_schema::semantics::{Notation, Semantics, Words};
use lofting_syntax::resolve::Profile;

/// How much of a written key a message shows, in bytes.
const LONGEST: usize = 40;

/// The place of a finding.
pub(crate) struct At<'w> {
    /// The key, dash or marker.
    pub name: Span,
    pub(crate) path: PathId,
    pub(crate) paths: &'w Paths,
    pub(crate) source: &'w dyn Source,
    /// The root is a single value instead of a document.
    pub(crate) whole: bool,
    pub(crate) semantics: &'static Semantics,
}

impl<'w> At<'w> {
    /// The place of a value in a document.
    pub(crate) fn of(
        name: Span,
        path: PathId,
        paths: &'w Paths,
        source: &'w dyn Source,
        semantics: &'static Semantics,
    ) -> Self {
        At { name, path, paths, source, whole: false, semantics }
    }

    /// The semantics of the schema's language.
    pub fn semantics(&self) -> &'static Semantics {
        self.semantics
    }

    /// The value's path, as the schema's language writes it.
    pub fn path(&self) -> String {
        match self.paths.last(self.path) {
            None => self.words().document.to_owned(),
            Some(_) => self.paths.display(self.path),
        }
    }

    /// The words of the schema's language for messages.
    pub fn words(&self) -> &'static Words {
        &self.semantics.words
    }

    /// How values of bounds are written.
    pub fn notation(&self) -> Notation {
        self.semantics.words.notation
    }

    /// Whether messages name what was found and expected in ytt's own words. Users of other languages do not know
    /// these.
    pub fn speaks_ytt(&self) -> bool {
        self.notation() == Notation::Starlark
    }

    /// How plain scalars of the text are read.
    pub fn profile(&self) -> Profile {
        self.semantics.profile
    }

    /// What a message calls the value.
    pub fn subject(&self) -> String {
        match self.paths.last(self.path) {
            None if self.whole => "the value".to_string(),
            Some(Step::Key(key)) if key.as_str().is_none() => format!("`{}`", self.written(key)),
            _ => self.paths.name(self.path),
        }
    }

    /// A key as the author wrote it: `y` for a key that is read as a boolean.
    pub fn written(&self, key: &Key) -> String {
        let text = || self.text(self.name).filter(|text| text.len() <= LONGEST && !text.contains(['\n', ':']));
        let written = if key.as_str().is_none() { text() } else { None };
        written.filter(|text| !text.trim().is_empty()).unwrap_or_else(|| key.to_string())
    }

    /// What a message calls the collection that holds the value.
    pub fn holder(&self) -> String {
        let holder = self.paths.parent(self.path);
        match self.paths.last(holder) {
            None if self.whole => "the value".to_string(),
            _ => self.paths.name(holder),
        }
    }

    /// Whether the value is an array item.
    pub fn is_item(&self) -> bool {
        matches!(self.paths.last(self.path), Some(Step::Index(_)))
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> Option<String> {
        self.source.text(span).map(|text| text.into_owned())
    }

    /// Whether the value begins on a later line than its key or dash.
    pub fn is_below(&self, span: Span) -> bool {
        let between = Span { start: self.name.end, end: span.start.max(self.name.end), ..span };
        span.file == self.name.file && self.has_line_break(between)
    }

    /// Whether a collection in flow style is on the line of its key or dash, and only there.
    fn is_beside(&self, span: Span) -> bool {
        span.file == self.name.file
            && span.start > self.name.end
            && !self.is_below(span)
            && self.source.text(span).is_some_and(|text| text.starts_with(['{', '[']) && !text.contains(['\n', '\r']))
    }

    fn has_line_break(&self, span: Span) -> bool {
        self.source.text(span).is_some_and(|text| text.contains(['\n', '\r']))
    }

    /// The range to underline for a wrong value: the value, if it is on one line; the key, if the value is missing or
    /// longer, or a collection below its key. ytt always names the line of the key.
    pub fn value_span<V: View>(&self, value: V) -> Span {
        let span = value.span();
        if value.kind().is_collection() && !self.is_beside(span) {
            return self.name;
        }
        if span.file != self.name.file {
            // A merge keeps the existing key and takes the new value.
            return span;
        }
        if value.is_missing() || span.start == span.end {
            return self.name;
        }
        if span.start < self.name.end {
            return if span.start == self.name.start { span } else { self.name };
        }
        // A single line below the key may be the beginning of more: it is the line being typed.
        if self.is_below(span) && self.has_line_break(span) { self.name } else { span }
    }

    /// The range to underline for what is wrong with a value as it is after merging: the key of a collection, whose
    /// items and entries may come from several files, or else that of [`At::value_span`].
    pub fn merged_span<V: View>(&self, value: V) -> Span {
        if value.kind().is_collection() { self.name } else { self.value_span(value) }
    }
}
