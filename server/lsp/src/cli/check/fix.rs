//! `lofting check --fix`: `lofting fix` for the checked files, before the check.

use lofting::{Certainty, FixChoice, PositionEncoding};

use super::super::fix::{NOTHING_TO_FIX, done, fixed_files, say_left, write};
use super::super::patch::patch;
use super::{Arguments, check};
use crate::terminal;

/// The result of fixing.
pub(super) enum FixOutcome {
    /// The fixes were written; what is left is checked and reported as usual.
    Written {
        /// Whether a file could not be written.
        is_one_left: bool,
    },
    /// The changes were shown, or there are none.
    Shown {
        /// Whether there are changes.
        differs: bool,
    },
}

/// Fixes the files. One that cannot be written is left as it is, and the others are still fixed.
pub(super) fn run(arguments: &Arguments) -> anyhow::Result<FixOutcome> {
    let report = check(arguments)?;
    let certainty = if arguments.r#unsafe { Certainty::Likely } else { Certainty::Sure };
    let choice = FixChoice { certainty, only: Vec::new() };
    let fixed = fixed_files(&report, &choice, PositionEncoding::default());
    if fixed.is_empty() {
        terminal::say(NOTHING_TO_FIX);
    }
    if arguments.diff {
        for (_, file) in &fixed {
            let patch = patch(&file.file, &file.before, &file.after);
            terminal::print_patch(&patch)?;
        }
        return Ok(FixOutcome::Shown { differs: !fixed.is_empty() });
    }
    let mut is_one_left = false;
    for (path, file) in &fixed {
        match write(path, file) {
            Ok(()) => terminal::say(done(file).trim_end()),
            Err(why) => {
                is_one_left = true;
                say_left(&file.file, why);
            }
        }
    }
    Ok(FixOutcome::Written { is_one_left })
}
