//! The result of a check on the command line, as data; printing it is done elsewhere.

use crate::command_line::coverage::{Coverage, Unchecked};
use crate::findings::levels;
use crate::findings::suppressions::{self, SuppressionFindings};
use crate::render::{FoundInPrint, Printed};
use crate::snapshot::Snapshot;
use lofting_check::{Diagnostic, LIMIT, Rule, Severity};
use lofting_diagnostic::Distinct;
use lofting_document::FileId;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a check found.
pub struct CheckReport {
    /// The checked files, for texts and positions.
    pub snapshot: Snapshot,
    /// The files that were checked, by name, including those without findings.
    pub files: Vec<CheckedFile>,
    /// How messages name files, including those that only occur as related places.
    pub names: FxHashMap<FileId, String>,
    /// What the user should know about the check itself: limits that were reached.
    pub messages: Vec<String>,
    /// What was asked for and could not be used, or not as a whole.
    pub unchecked: Vec<Unchecked>,
    /// What the files were checked with.
    pub coverage: Coverage,
    /// What the files with findings had in the folder as it was, if the difference is one that is easily undone.
    pub earlier: Option<Box<CheckReport>>,
    /// How many findings of one file it has.
    pub(crate) most: usize,
}

/// A file with its findings.
pub struct CheckedFile {
    /// The file.
    pub file: FileId,
    /// Its name in messages: as the user gave it.
    pub shown: String,
    /// Its findings, in order.
    pub diagnostics: Arc<[Diagnostic]>,
}

impl CheckReport {
    /// All findings, by file name and place.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.files.iter().flat_map(|file| file.diagnostics.iter())
    }

    /// Number of findings of a severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics().filter(|finding| finding.severity == severity).count()
    }

    /// Number of findings of a rule.
    pub fn count_of(&self, rule: &Rule) -> usize {
        self.diagnostics().filter(|finding| finding.rule == rule).count()
    }

    /// Turns the findings of a rule into errors.
    pub fn raise(&mut self, rule: &Rule) {
        for file in &mut self.files {
            if file.diagnostics.iter().any(|finding| finding.rule == rule) {
                let mut found = file.diagnostics.to_vec();
                found.iter_mut().filter(|finding| finding.rule == rule).for_each(|finding| {
                    finding.severity = Severity::Error;
                });
                file.diagnostics = found.into();
            }
        }
    }

    /// Keeps as many findings of each file as are shown, once they were compared with earlier ones.
    pub fn limit(&mut self) {
        self.most = LIMIT;
        for file in self.files.iter_mut().filter(|file| file.diagnostics.len() > LIMIT) {
            let mut found = file.diagnostics.to_vec();
            lofting_check::limit(&mut found, 0);
            file.diagnostics = found.into();
        }
    }

    /// Whether there are no errors.
    pub fn is_ok(&self) -> bool {
        self.count(Severity::Error) == 0
    }

    /// Whether some code was not run to its end, so that its result is unknown.
    pub fn is_incomplete(&self) -> bool {
        self.unchecked.iter().any(|unchecked| unchecked.code_failed)
            || self.diagnostics().any(lofting_check::is_not_evaluated)
    }

    /// Drops what does not hold for what was printed. `found`: the findings there.
    pub(crate) fn drop_refuted<'d>(&mut self, printed: &Printed, found: impl Iterator<Item = &'d Diagnostic>) {
        let (state, found) = (&self.snapshot.state, FoundInPrint::of(found));
        let is_refuted = |finding: &Diagnostic| printed.refutes(state, finding, &found);
        for checked in self.files.iter_mut().filter(|checked| checked.diagnostics.iter().any(is_refuted)) {
            checked.diagnostics = checked.diagnostics.iter().filter(|finding| !is_refuted(finding)).cloned().collect();
        }
    }

    /// Adds findings to those of a file, unless comments suppress them.
    pub(crate) fn add(&mut self, file: FileId, mut more: Vec<Diagnostic>) {
        let position = self.files.iter().position(|checked| checked.file == file);
        let known = position.map(|at| self.files.remove(at));
        let found: Vec<Diagnostic> = known.iter().flat_map(|checked| checked.diagnostics.iter().cloned()).collect();
        let state = &self.snapshot.state;
        if let Some(file) = state.file(file) {
            suppressions::apply(file, &mut more, SuppressionFindings::Nothing);
            levels::apply(state, file, &mut more);
        }
        let mut all = Distinct::default();
        all.extend(found.into_iter().chain(more));
        let mut found = all.into_list();
        lofting_check::limit_to(self.most, &mut found, 0);
        let shown = known.map_or_else(|| self.name(file).to_owned(), |checked| checked.shown);
        self.files.push(CheckedFile { file, shown, diagnostics: found.into() });
    }

    /// The name of a file in messages.
    pub fn name(&self, file: FileId) -> &str {
        self.names.get(&file).map_or("", String::as_str)
    }
}
