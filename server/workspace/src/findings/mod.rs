//! The findings of a file, alone and in the calls that it is part of.

pub(crate) mod base_values;
pub(crate) mod begun;
pub(crate) mod branch;
pub(crate) mod calls;
pub(crate) mod closed_files;
pub(crate) mod damage;
pub(crate) mod decided;
pub(crate) mod depth;
pub(crate) mod diagnostics;
pub(crate) mod inline_findings;
pub(crate) mod levels;
pub(crate) mod meant;
pub(crate) mod memos;
pub(crate) mod merged;
pub(crate) mod merged_at;
pub(crate) mod rendered;
pub(crate) mod said;
pub(crate) mod shared;
pub(crate) mod state;
pub(crate) mod suppressions;
pub(crate) mod unused_definitions;
pub(crate) mod unused_keys;
pub(crate) mod unused_library;
pub(crate) mod waits;
