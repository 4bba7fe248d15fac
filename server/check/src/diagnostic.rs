//! The one structure for a finding, whoever shows it.

use crate::rules::Rule;
use lofting_document::Span;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// ytt refuses the input, or it can not mean what is written.
    Error,
    /// It works, but most likely not as meant.
    Warning,
    /// Good to know.
    Info,
    /// A small remark, shown unobtrusively.
    Hint,
}

impl Severity {
    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
            Severity::Hint => "hint",
        }
    }
}

/// The step at which ytt would have stopped (ytt reference 2). Ours are all reported at once; the
/// stage says which of them ytt would show first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stage {
    /// The text is not YAML.
    Parse,
    /// Comments, annotation arguments or code.
    Template,
    /// The schema is not valid.
    Schema,
    /// Documents can not be merged.
    Overlay,
    /// Values do not fit the schema.
    Type,
    /// Values break validation rules.
    Validation,
    /// Beyond what ytt looks at; never an error.
    Lint,
}

impl Stage {
    /// The word used in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Stage::Parse => "parse",
            Stage::Template => "template",
            Stage::Schema => "schema",
            Stage::Overlay => "overlay",
            Stage::Type => "type",
            Stage::Validation => "validation",
            Stage::Lint => "lint",
        }
    }
}

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

/// A change that mends a finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Fix {
    /// What it does, as the label of a menu entry.
    pub title: String,
    /// Replacements; spans do not overlap. An empty span inserts.
    pub edits: Vec<(Span, String)>,
}

impl Fix {
    /// A fix that replaces one range.
    pub fn replace(title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        Fix { title: title.into(), edits: vec![(span, text.into())] }
    }
}

/// A finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    /// The rule, `ytt/type-mismatch`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// Where ytt would have stopped.
    pub stage: Stage,
    /// What to underline. Its first line is the line ytt names.
    pub span: Span,
    /// One or two sentences a newcomer understands.
    pub message: String,
    /// What is there, in ytt's word (`string`).
    pub found: Option<String>,
    /// What is wanted, in ytt's words (`integer`).
    pub expected: Option<String>,
    /// Path of the value, `service.ports[0].port`, `(document)` for the whole.
    pub path: Option<String>,
    /// Further places.
    pub related: Vec<Related>,
    /// How to mend it.
    pub help: Option<String>,
    /// Changes that mend it, best first.
    pub fixes: Vec<Fix>,
    /// How to draw it.
    pub tags: Vec<Tag>,
}

impl Diagnostic {
    /// A finding of `rule`, with the rule's stage and severity.
    pub fn new(rule: &'static Rule, span: Span, message: impl Into<String>) -> Self {
        Diagnostic {
            code: rule.code,
            severity: rule.severity,
            stage: rule.stage,
            span,
            message: message.into(),
            found: None,
            expected: None,
            path: None,
            related: Vec::new(),
            help: None,
            fixes: Vec::new(),
            tags: Vec::new(),
        }
    }

    /// Says it of another stage than the rule's own.
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

    /// Adds how to mend it.
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

    /// Adds a change that mends it.
    #[must_use]
    pub fn fix(mut self, fix: Fix) -> Self {
        self.fixes.push(fix);
        self
    }

    /// Adds a way to draw it.
    #[must_use]
    pub fn tag(mut self, tag: Tag) -> Self {
        self.tags.push(tag);
        self
    }
}

/// Findings shown per file. An editor gets slow and a reader gains nothing beyond it.
pub const LIMIT: usize = 1_000;

/// Sorts findings by place, drops repeated ones, and keeps [`LIMIT`] of them with a note about the
/// rest. `more` counts those that were not even put into words.
pub fn limit(findings: &mut Vec<Diagnostic>, more: usize) {
    findings.sort_by(|a, b| {
        let place = |d: &Diagnostic| (d.span.file, d.span.start, d.severity, d.span.end);
        place(a).cmp(&place(b)).then_with(|| a.code.cmp(b.code))
    });
    findings
        .dedup_by(|later, kept| later.code == kept.code && later.span == kept.span && later.message == kept.message);
    let dropped = findings.len().saturating_sub(LIMIT) + more;
    if dropped > 0 {
        // Errors decide the verdict: they are kept before anything milder.
        findings.sort_by_key(|d| d.severity);
        findings.truncate(LIMIT);
        findings.sort_by_key(|d| (d.span.file, d.span.start));
        if let Some(last) = findings.last() {
            let note = crate::rules::too_many_findings(last.span, dropped);
            findings.push(note);
        }
    }
}
