//! The single structure for findings, for all outputs.

use crate::{Fix, Rule, Severity, Stage};
use lofting_document::{FileId, Key, Span};
use std::borrow::Cow;
use std::collections::HashSet;

/// How an editor may draw the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Struck through.
    Deprecated,
    /// Faded.
    Unnecessary,
}

/// A further place that explains a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: String,
}

/// What a map does not have. A key of the map that nothing declares may be meant for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Lack {
    /// Any one of these keys would make up for it.
    pub keys: Vec<Key>,
    /// A key that the map has, which tells maps apart. None if it is not known, or if the map is empty.
    pub beside: Option<Span>,
    /// One of the keys has to be there. Otherwise the finding only follows from their absence.
    pub is_required: bool,
    /// Keys of the map that the finding is about as well: nothing else is reported about them.
    pub instead: Vec<Span>,
}

/// A finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// The rule; its code is shown.
    pub rule: &'static Rule,
    /// The schema language that a shared rule reports for, if it is not the one in the rule's own code.
    pub family: Option<&'static str>,
    /// How severe it is.
    pub severity: Severity,
    /// Where ytt would have stopped.
    pub stage: Stage,
    /// The range to underline. Its first line is the line that ytt names.
    pub span: Span,
    /// The first further place is the annotation that is wrong, and `span` only the node below it, which ytt names.
    pub blames_first: bool,
    /// One or two sentences that a newcomer understands.
    pub message: String,
    /// What was found, in ytt's words (`string`).
    pub found: Option<String>,
    /// What is expected, in ytt's words (`integer`).
    pub expected: Option<String>,
    /// Path of the value, `service.ports[0].port`, `(document)` for the whole.
    pub path: Option<String>,
    /// The key that it is about, if it is missing and so not written anywhere.
    pub key: Option<Key>,
    /// What is missing, until findings about one mistake have been joined.
    pub lack: Option<Box<Lack>>,
    /// The keys that a rule of the schema reads, if it reads nothing else of the value, until findings about one mistake
    /// have been joined.
    pub reads: Vec<Key>,
    /// Further places.
    pub related: Vec<Related>,
    /// How to fix it.
    pub help: Option<String>,
    /// Changes that fix it, best first.
    pub fixes: Vec<Fix>,
    /// How to draw it.
    pub tags: Vec<Tag>,
    /// How many further findings of its rule were not made, because there are more than anyone reads.
    pub unmade: usize,
}

/// What makes two findings one, even if they come from different schemas: the code of the rule, the place and the message.
/// Related places may differ.
pub type Identity = (&'static str, Span, String);

/// Findings, each once.
#[derive(Debug, Default)]
pub struct Distinct {
    list: Vec<Diagnostic>,
    known: HashSet<Identity>,
}

impl Distinct {
    /// Adds a finding, unless one is there that says as much.
    pub fn push(&mut self, finding: Diagnostic) {
        if self.known.insert(finding.identity()) {
            self.list.push(finding);
        }
    }

    /// The findings, in the order in which they were added.
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.list
    }
}

impl Extend<Diagnostic> for Distinct {
    fn extend<T: IntoIterator<Item = Diagnostic>>(&mut self, findings: T) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

/// Drops what a list has at these indices.
pub fn drop_at<T>(list: &mut Vec<T>, is_dropped: impl Fn(usize) -> bool) {
    let mut index = 0..;
    list.retain(|_| !index.next().is_some_and(&is_dropped));
}

impl Diagnostic {
    /// What it shares with findings that say nothing new.
    pub fn identity(&self) -> Identity {
        (self.rule.code, self.span, self.message.clone())
    }

    /// A finding of `rule`, with the rule's stage and severity.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            rule,
            family: None,
            severity: rule.severity,
            stage: rule.stage,
            span,
            blames_first: false,
            message: message.into(),
            found: None,
            expected: None,
            path: None,
            key: None,
            lack: None,
            reads: Vec::new(),
            related: Vec::new(),
            help: None,
            fixes: Vec::new(),
            tags: Vec::new(),
            unmade: 0,
        }
    }

    /// A finding that says what is wrong with a value in a schema; `inner` is the finding about the value itself.
    pub fn about_value(rule: &'static Rule, span: Span, what: &str, inner: &Diagnostic) -> Self {
        Diagnostic {
            found: inner.found.clone(),
            expected: inner.expected.clone(),
            path: inner.path.clone(),
            ..Diagnostic::new(rule, span, format!("{what}: {}", inner.message))
        }
    }

    /// The stable code of its rule, `ytt/type-mismatch`. Rules that languages share are reported with the name of the
    /// language that governs the value.
    pub fn code(&self) -> Cow<'static, str> {
        match self.family {
            Some(family) => Cow::Owned(format!("{family}/{}", self.rule.name())),
            None => Cow::Borrowed(self.rule.code),
        }
    }

    /// Sets the schema language.
    #[must_use]
    pub fn family(mut self, family: &'static str) -> Self {
        self.family = (self.rule.shared && family != self.rule.family()).then_some(family);
        self
    }

    /// Whether it reports that a value is null, usually because none is written.
    pub fn is_about_null(&self) -> bool {
        matches!(self.found.as_deref(), Some("null" | "null value" | "value is null"))
    }

    /// Sets a stage that differs from the rule's own.
    #[must_use]
    pub fn stage(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }

    /// Adds ytt's pair of words.
    #[must_use]
    pub fn found(mut self, found: impl Into<String>, expected: impl Into<String>) -> Self {
        self.found = Some(found.into());
        self.expected = Some(expected.into());
        self
    }

    /// Sets the missing key.
    #[must_use]
    pub fn key(mut self, key: &Key) -> Self {
        self.key = Some(key.clone());
        self
    }

    /// Sets what is missing.
    #[must_use]
    pub fn lack(mut self, lack: Lack) -> Self {
        self.lack = Some(Box::new(lack));
        self
    }

    /// Adds how to fix it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push(Related { span, message: message.into() });
        self
    }

    /// Adds the annotation that is wrong, where ytt names the node to which it belongs.
    #[must_use]
    pub fn blames(mut self, annotation: Span, message: impl Into<String>) -> Self {
        self.blames_first = annotation.file == self.span.file;
        self.related.insert(0, Related { span: annotation, message: message.into() });
        self
    }

    /// The range to underline in an editor.
    pub fn marked(&self) -> Span {
        self.related.first().filter(|_| self.blames_first).map_or(self.span, |related| related.span)
    }

    /// The message and, on a line of its own, the help: for readers that show one text only.
    pub fn message_with_help(&self) -> String {
        let help = self.help.iter().map(|help| format!("\n{help}"));
        std::iter::once(self.message.clone()).chain(help).collect()
    }

    /// The places beside the one that is underlined.
    pub fn places_beside(&self) -> impl Iterator<Item = Related> + '_ {
        let marked = self.marked();
        let node = Related { span: self.span, message: "the value it is for".to_owned() };
        let node = (marked != self.span).then_some(node);
        node.into_iter().chain(self.related.iter().filter(move |related| related.span != marked).cloned())
    }

    /// All places of it.
    pub fn spans_mut(&mut self) -> impl Iterator<Item = &mut Span> {
        std::iter::once(&mut self.span)
            .chain(self.related.iter_mut().map(|related| &mut related.span))
            .chain(self.fixes.iter_mut().flat_map(|fix| fix.edits.iter_mut().map(|(span, _)| span)))
            .chain(self.lack.iter_mut().flat_map(|lack| lack.beside.iter_mut().chain(&mut lack.instead)))
    }

    /// Moves its places in a file by so many bytes, as when text was inserted before them or deleted.
    pub fn shift(&mut self, file: FileId, by: i64) {
        let moved = |offset: u32| u32::try_from(i64::from(offset) + by).unwrap_or(offset);
        for span in self.spans_mut().filter(|span| span.file == file) {
            *span = Span { start: moved(span.start), end: moved(span.end), ..*span };
        }
    }

    /// Adds a change that fixes it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Says which name was most likely meant, and offers it in place of what is written at `span`.
    #[must_use]
    pub fn meant(self, span: Span, name: &str) -> Self {
        let fix = Fix::replace(format!("Change to `{name}`"), span, name);
        self.help(format!("did you mean `{name}`?")).fix(fix)
    }

    /// Adds a way to draw it.
    #[must_use]
    pub fn tag(mut self, tag: Tag) -> Self {
        self.tags.push(tag);
        self
    }
}
