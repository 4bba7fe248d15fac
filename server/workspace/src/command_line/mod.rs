//! The checks and other operations of the command line.

pub(crate) mod alone;
pub(crate) mod changed_output;
pub(crate) mod check_below;
pub(crate) mod check_error;
pub(crate) mod check_given;
pub(crate) mod check_set;
pub(crate) mod coverage;
pub(crate) mod format_files;
pub(crate) mod given_documents;
pub(crate) mod given_schema;
pub(crate) mod kept_findings;
pub(crate) mod new_findings;
pub(crate) mod outcome;
pub(crate) mod progress;
pub(crate) mod render_error;
pub(crate) mod render_sets;
pub(crate) mod report;
pub(crate) mod touched;
