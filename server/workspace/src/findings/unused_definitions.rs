//! Definitions of JSON Schemas that nothing leads to.

use crate::association::definitions::unused;
use crate::files::file::File;
use crate::findings::state::CheckState;
use lofting_check::Diagnostic;
use lofting_dialect::json_schema::rules::unused_definition;
use lofting_memo::{Stamp, recorder};

/// What the findings of a file depend on, if it is a schema.
pub(crate) fn stamp(state: &CheckState, file: &File) -> Option<Stamp> {
    unused(state, file).map(|unused| unused.stamp)
}

/// The unused definitions of a file.
pub(crate) fn findings(state: &CheckState, file: &File) -> Vec<Diagnostic> {
    let unused = recorder::only("definitions", || stamp(state, file), || unused(state, file));
    let found = unused.iter().flat_map(|unused| &unused.found);
    found.map(|(name, span)| unused_definition(*span, name)).collect()
}
