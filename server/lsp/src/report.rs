//! Output formats for findings outside editors.
//!
//! A check never formats: it returns diagnostics, and each format is one file here.

pub(crate) mod json;
pub(crate) mod text;
