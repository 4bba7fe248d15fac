//! Findings and their fixes.

use lofting_diagnostic::{Confidence, Diagnostic};
use lofting_document::Span;
use lofting_ide::{CodeAction, fixes_of};
use schemars::JsonSchema;
use serde::Serialize;

use crate::place::{Edit, Range, applied};
use crate::{FilePart, Snapshot};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Hint,
    /// Worth reading.
    Info,
    /// Probably wrong.
    Warning,
    /// Wrong.
    Error,
}

/// How certain a fix is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// One way of several.
    Possible,
    /// Most likely what was meant.
    Likely,
    /// Nothing else can be meant, and nothing is lost.
    Sure,
}

impl Certainty {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Certainty::Possible => "possible",
            Certainty::Likely => "likely",
            Certainty::Sure => "sure",
        }
    }

    pub(crate) fn confidence(self) -> Confidence {
        match self {
            Certainty::Possible => Confidence::Possible,
            Certainty::Likely => Confidence::Likely,
            Certainty::Sure => Confidence::Sure,
        }
    }
}

impl From<Confidence> for Certainty {
    fn from(confidence: Confidence) -> Certainty {
        match confidence {
            Confidence::Possible => Certainty::Possible,
            Confidence::Likely => Certainty::Likely,
            Confidence::Sure => Certainty::Sure,
        }
    }
}

/// What a rule reports.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Finding {
    /// The file.
    pub file: String,
    /// What is marked.
    pub range: Range,
    /// How much it matters.
    pub severity: Severity,
    /// The rule.
    pub code: String,
    /// What is wrong, in a sentence or two.
    pub message: String,
    /// The path of the value, `service.ports[0].port`; None if it is not about a value.
    pub path: Option<String>,
    /// Further places.
    pub related: Vec<RelatedPlace>,
    /// How to fix it; None if that is obvious.
    pub help: Option<String>,
    /// Changes that fix it, best first.
    pub fixes: Vec<Fix>,
}

/// A further place of a finding.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RelatedPlace {
    /// The place.
    #[serde(flatten)]
    pub place: FilePart,
    /// What is there.
    pub message: String,
}

/// A change that fixes a finding.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Fix {
    /// What it does.
    pub title: String,
    /// How certain it is.
    pub certainty: Certainty,
    /// Replacements that belong together; those in one file do not overlap.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// The text of the snapshot's file after the fix; None if it changes other files.
    pub fn apply(&self, snapshot: &Snapshot) -> Option<String> {
        let edits: Vec<&Edit> = self.edits.iter().collect();
        let is_own = edits.iter().all(|edit| edit.file == snapshot.name);
        is_own.then(|| applied(&snapshot.text(), &edits)).flatten()
    }
}

impl Finding {
    pub(crate) fn of(snapshot: &Snapshot, finding: &Diagnostic) -> Finding {
        let edit = |edit: (Span, String)| snapshot.edit(edit);
        let fix = |action: CodeAction| {
            let edits = action.change?.edits.into_iter().map(edit).collect();
            Some(Fix { title: action.name.title, certainty: action.confidence.into(), edits })
        };
        let related = finding
            .related
            .iter()
            .map(|related| RelatedPlace { place: snapshot.place(related.span), message: related.message.clone() });
        Finding {
            file: snapshot.name_of(finding.span.file),
            range: snapshot.range(finding.span),
            severity: match finding.severity {
                lofting_diagnostic::Severity::Error => Severity::Error,
                lofting_diagnostic::Severity::Warning => Severity::Warning,
                lofting_diagnostic::Severity::Info => Severity::Info,
                lofting_diagnostic::Severity::Hint => Severity::Hint,
            },
            code: finding.code().into_owned(),
            message: finding.message.clone(),
            path: finding.path.clone(),
            related: related.collect(),
            help: finding.help.clone(),
            fixes: fixes_of(&snapshot.inner, finding).into_iter().filter_map(fix).collect(),
        }
    }
}
