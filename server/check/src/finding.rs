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

    /// Whether one more finding of a rule may be kept, if it is as severe as the rule.
    pub(crate) fn has_room(&self, rule: &Rule, limit: usize) -> bool {
        self.kept.of(rule.code, rule.severity) < limit
    }

    /// Keeps a finding, or only counts it; whether it is kept. The limit is one for each rule and severity: however many
    /// hints there are, and whatever is not reported because of levels and comments, no error is lost.
    pub(crate) fn add(&mut self, finding: Finding, limit: usize) -> bool {
        let count = self.kept.count(finding.diagnostic.rule.code, finding.diagnostic.severity);
        let is_kept = *count < limit;
        if is_kept {
            *count += 1;
            self.findings.push(finding);
        } else {
            self.more += 1;
        }
        is_kept
    }
}

/// How many findings are kept, by the code of their rule and by severity.
#[derive(Debug, Clone, Default, PartialEq)]
struct KeptByRule(FxHashMap<(&'static str, Severity), usize>);

impl KeptByRule {
    fn of(&self, rule: &'static str, severity: Severity) -> usize {
        self.0.get(&(rule, severity)).copied().unwrap_or_default()
    }

    fn count(&mut self, rule: &'static str, severity: Severity) -> &mut usize {
        self.0.entry((rule, severity)).or_default()
    }
}

/// What is kept of findings in many files: in each file, up to a limit for each rule and severity.
#[derive(Debug, Default)]
pub struct KeptInFiles {
    by_file: FxHashMap<FileId, KeptByRule>,
    has_dropped: bool,
}

impl KeptInFiles {
    /// Whether a finding is kept. It is counted.
    pub fn takes(&mut self, finding: &Diagnostic, limit: usize) -> bool {
        let kept = self.by_file.entry(finding.span.file).or_default();
        let count = kept.count(finding.rule.code, finding.severity);
        let is_kept = *count < limit;
        *count += usize::from(is_kept);
        self.has_dropped |= !is_kept;
        is_kept
    }

    /// Whether one was not kept.
    pub fn has_dropped(&self) -> bool {
        self.has_dropped
    }
}
