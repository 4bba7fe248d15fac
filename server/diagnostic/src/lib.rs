//! Findings and the rules they come from.
//!
//! A [`Rule`] is a static with its documentation; a [`Diagnostic`] is one finding of a rule; a [`Registry`] knows every
//! rule by its code. Nothing here finds anything: that is done by the crates that declare the rules.
#![forbid(unsafe_code)]

mod diagnostic;
mod fix;
mod level;
pub mod manual;
mod registry;
mod rule;
pub mod suggest;
pub mod words;

pub use diagnostic::{Diagnostic, Distinct, Identity, Lack, Related, Tag, drop_at};
pub use fix::{Confidence, Fix};
pub use level::{Level, Levels, apply_levels};
pub use registry::Registry;
pub use rule::{Allowance, Cause, Certainty, Readers, Rule, Said, Section, Severity, Stage, Status, Subject};
