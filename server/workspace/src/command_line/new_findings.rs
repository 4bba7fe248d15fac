//! What a check finds that an earlier state of the same files did not have.

use crate::command_line::report::CheckReport;
use lofting_check::{Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

/// What makes two findings the same, whatever their lines are: the file, the rule, and the place in the document; where
/// there is none, the words.
type Identity = (String, String, String);

fn identity(report: &CheckReport, finding: &Diagnostic) -> Identity {
    let place = match (&finding.path, &finding.key) {
        (Some(path), Some(key)) => format!("{path}\0{key}"),
        (Some(path), None) => path.clone(),
        (None, _) => finding.message.clone(),
    };
    (report.name(finding.span.file).to_owned(), finding.code().into_owned(), place)
}

/// How bad a finding is: the greater the worse.
fn weight(severity: Severity) -> u8 {
    match severity {
        Severity::Error => 3,
        Severity::Warning => 2,
        Severity::Info => 1,
        Severity::Hint => 0,
    }
}

impl CheckReport {
    /// Which of its findings are new, in their order. Each finding of the earlier report stands for one that is not worse;
    /// those with the same words come first.
    pub fn is_new(&self, earlier: &CheckReport) -> Vec<bool> {
        let mut known: FxHashMap<Identity, Vec<&Diagnostic>> = FxHashMap::default();
        for finding in earlier.diagnostics() {
            known.entry(identity(earlier, finding)).or_default().push(finding);
        }
        let all: Vec<(Identity, &Diagnostic)> =
            self.diagnostics().map(|finding| (identity(self, finding), finding)).collect();
        let mut is_new = vec![true; all.len()];
        for same_words in [true, false] {
            for ((identity, finding), is_new) in all.iter().zip(&mut is_new).filter(|(_, is_new)| **is_new) {
                let Some(known) = known.get_mut(identity) else { continue };
                let stands_for = |old: &&Diagnostic| {
                    weight(old.severity) >= weight(finding.severity) && (!same_words || old.message == finding.message)
                };
                if let Some(at) = known.iter().position(stands_for) {
                    known.swap_remove(at);
                    *is_new = false;
                }
            }
        }
        is_new
    }

    /// The names of the files that have findings.
    pub fn files_with_findings(&self) -> FxHashSet<String> {
        self.diagnostics().map(|finding| self.name(finding.span.file).to_owned()).collect()
    }

    /// Keeps only findings that an earlier report does not have.
    pub fn without(&mut self, earlier: &CheckReport) {
        let mut is_new = self.is_new(earlier).into_iter();
        for file in &mut self.files {
            file.diagnostics = file.diagnostics.iter().filter(|_| is_new.next().unwrap_or(true)).cloned().collect();
        }
    }
}
