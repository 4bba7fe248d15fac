//! Files: those on disk and in editors, and what each says by itself.

pub(crate) mod beside;
pub(crate) mod claimed;
pub(crate) mod claims;
pub(crate) mod contents;
pub(crate) mod deferred;
mod earlier;
pub(crate) mod facts;
pub(crate) mod fetched;
pub(crate) mod file;
pub(crate) mod given;
pub(crate) mod libraries;
pub(crate) mod markers;
pub mod modeline;
pub(crate) mod other_names;
pub(crate) mod overlaid;
pub(crate) mod scan;
pub(crate) mod sources;
pub(crate) mod table;
