//! Which files are given to `ytt` together: sets of `lofting.toml`, commands found in the workspace, and their files.

pub mod config;
pub(crate) mod discover;
pub(crate) mod discovered;
pub(crate) mod flags;
pub(crate) mod inline;
pub mod inputs;
pub(crate) mod job;
pub(crate) mod left_out;
pub(crate) mod listing;
pub(crate) mod probe;
pub(crate) mod refresh;
pub(crate) mod resolve;
pub(crate) mod scope;
pub(crate) mod sets;
