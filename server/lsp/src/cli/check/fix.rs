//! `lofting check --fix`: applies the safe fixes to the checked files, or shows what it would do.

use lofting_check::Diagnostic;
use lofting_diagnostic::Confidence;
use lofting_ide::{Fixed, fix_all};
use lofting_workspace::{CancelFlag, CheckReport, CheckedFile};

use super::super::patch::patch;
use super::super::rewrite::{Links, rewrite};
use super::{Arguments, check};
use crate::terminal;

/// The result of fixing.
pub(super) enum FixOutcome {
    /// The fixes were written; what is left is checked and reported as usual.
    Written,
    /// The changes were shown, or there are none.
    Shown {
        /// There are changes.
        differs: bool,
    },
}

/// Fixes the files.
pub(super) fn run(arguments: &Arguments) -> Result<FixOutcome, String> {
    let report = check(arguments)?;
    let least = if arguments.r#unsafe { Confidence::Likely } else { Confidence::Sure };
    let of_file = |checked: &CheckedFile| {
        let is_here = |finding: &Diagnostic| finding.span.file == checked.file;
        // Flags and standard input are not files.
        let is_file = report.snapshot.path(checked.file).is_absolute();
        let fixed = is_file && checked.diagnostics.iter().any(is_here);
        fixed.then(|| fix_all(&report.snapshot, checked.file, least, &CancelFlag::new())).flatten()
    };
    let fixed: Vec<(&CheckedFile, Fixed)> =
        report.files.iter().filter_map(|checked| Some((checked, of_file(checked)?))).collect();
    let outcome = if arguments.diff {
        for (checked, fixed) in &fixed {
            let patch = patch(&checked.shown, &fixed.before, &fixed.text);
            terminal::print_patch(&patch).map_err(|error| error.to_string())?;
        }
        FixOutcome::Shown { differs: !fixed.is_empty() }
    } else {
        fixed.iter().for_each(|(checked, fixed)| write(&report, checked, fixed));
        FixOutcome::Written
    };
    if fixed.is_empty() {
        terminal::say("lofting: found nothing that is safe to fix automatically");
    }
    Ok(outcome)
}

/// Writes a fixed file. One that cannot be written is left as it is, and the others are still fixed.
fn write(report: &CheckReport, checked: &CheckedFile, fixed: &Fixed) {
    let name = terminal::line(&checked.shown);
    match rewrite(report.snapshot.path(checked.file), Links::Refused, &fixed.before, &fixed.text) {
        Ok(()) => {
            for (code, title) in &fixed.done {
                terminal::say(&format!("{name}: {code}: {}", terminal::line(title)));
            }
        }
        Err(why) => terminal::say(&format!("lofting: {name} was left as it is: {why}")),
    }
}
