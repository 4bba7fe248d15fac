//! How far a check is, for a person who waits.

/// What a check does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStep {
    /// It reads the files of the workspace.
    Reading {
        /// How many are read.
        files: usize,
    },
    /// It looks for schemas, on disk and on hosts that the user allows.
    Schemas,
    /// It runs the code of templates and schemas.
    Code,
    /// It compares files with their schemas.
    Checking {
        /// How many files are done.
        done: usize,
        /// How many there are.
        of: usize,
    },
    /// It renders input sets.
    Rendering,
}

/// Who is notified of each step, from any thread.
pub type Progress<'a> = &'a (dyn Fn(CheckStep) + Sync);
