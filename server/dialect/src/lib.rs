//! Schema languages, each in a folder of its own.
#![forbid(unsafe_code)]

pub mod ytt;
