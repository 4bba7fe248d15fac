//! The crate as its users see it. One file per topic.

mod agreement;
mod associations;
mod bundles;
mod changes;
mod checks;
mod commands;
mod data_values;
mod evaluations;
mod fetched;
mod interrupted;
mod last_runs;
mod libraries;
mod limits;
mod linked;
mod memory;
mod no_data;
mod noting;
mod openapi;
mod parts;
mod referents;
mod resources;
mod schema_search;
mod sets;
mod suppressions;
mod unused;
mod unused_patterns;
