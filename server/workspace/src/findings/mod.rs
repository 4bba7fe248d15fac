//! The findings of a file, alone and in the calls that it is part of.

pub(crate) mod base_values;
pub(crate) mod calls;
pub(crate) mod damage;
pub(crate) mod diagnostics;
pub(crate) mod levels;
pub(crate) mod merged;
pub(crate) mod suppressions;
pub(crate) mod unopened;
pub(crate) mod unused_keys;
pub(crate) mod unused_library;
