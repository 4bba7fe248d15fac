//! Which files are given to `ytt` together: sets of `lofting.toml`, commands found in the workspace, and their files.

pub(crate) mod config_paths;
pub(crate) mod flags;
pub(crate) mod inline;
pub(crate) mod job;
pub(crate) mod left_out;
pub(crate) mod listing;
pub(crate) mod resolve;
pub(crate) mod sets;
pub(crate) mod state;
