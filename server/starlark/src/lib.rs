//! Evaluates ytt's Starlark dialect with the `starlark` crates, behind `lofting_eval`'s wire types.
//!
//! The only crate of the workspace that may name a type of those crates.
#![forbid(unsafe_code)]
