//! Findings for people and programs outside an editor.
//!
//! A check never formats: it gives diagnostics, and each format is one file here.

pub(crate) mod json;
pub(crate) mod text;
