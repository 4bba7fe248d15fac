//! The findings of a check of values.

use crate::path::Step;
use lofting_diagnostic::{Diagnostic, Rule, Severity};
use lofting_document::FileId;
use lofting_schema::Kinds;
use rustc_hash::FxHashMap;

/// A finding with the path of its value as steps, for comparing documents.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The value it is about.
    pub steps: Vec<Step>,
    /// The kinds of the value, or those that a missing one may have; all of them if that is not known.
    pub(crate) kinds: Kinds,
}

impl Finding {
    /// A finding about a value of unknown kind.
    pub fn new(diagnostic: Diagnostic, steps: Vec<Step>) -> Self {
        Finding { diagnostic, steps, kinds: Kinds::ANY }
    }
}

/// The result of a check.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// The findings, in no particular order; see [`crate::limit`].
    pub findings: Vec<Finding>,
    /// How many further findings were only counted.
    pub more: usize,
    /// Something was met that only the merged values tell.
    pub needs_merging: bool,
    kept: KeptByRule,
}

impl Findings {
    /// The results of calls.
    pub(crate) fn of_calls(findings: Vec<Finding>, more: usize) -> Self {
        Findings { findings, more, ..Findings::default() }
    }

    /// Whether one more finding of a rule in a file may be kept, if it is as severe as the rule.
    pub(crate) fn has_room(&self, rule: &Rule, file: FileId, limit: usize) -> bool {
        self.kept.0.get(&(rule.code, rule.severity, file)).is_none_or(|count| *count < limit)
    }

    /// Keeps a finding, or only counts it; whether it is kept.
    pub(crate) fn add(&mut self, finding: Finding, limit: usize) -> bool {
        let is_kept = self.kept.add(&finding.diagnostic, limit);
        if is_kept {
            self.findings.push(finding);
        } else {
            self.more += 1;
        }
        is_kept
    }
}

/// How many findings are kept, by the code of their rule, severity and file. Each has a limit of its own: however many
/// hints there are, and whatever is not reported because of levels and comments, no error is lost.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct KeptByRule(FxHashMap<(&'static str, Severity, FileId), usize>);

impl KeptByRule {
    /// Counts a finding that is kept, if there is room for it; whether there is.
    pub fn add(&mut self, finding: &Diagnostic, limit: usize) -> bool {
        let count = self.0.entry((finding.rule.code, finding.severity, finding.span.file)).or_default();
        let has_room = *count < limit;
        *count += usize::from(has_room);
        has_room
    }
}

/// What is kept of findings in many files: in each file, up to a limit for each rule and severity.
#[derive(Debug, Default)]
pub struct KeptInFiles {
    kept: KeptByRule,
    has_dropped: bool,
}

impl KeptInFiles {
    /// Whether a finding is kept. It is counted.
    pub fn takes(&mut self, finding: &Diagnostic, limit: usize) -> bool {
        let is_kept = self.kept.add(finding, limit);
        self.has_dropped |= !is_kept;
        is_kept
    }

    /// Whether one was not kept.
    pub fn has_dropped(&self) -> bool {
        self.has_dropped
    }
}
