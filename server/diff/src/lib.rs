//! Compares two versions of a schema: what changed, and whom it breaks.
//!
//! All languages are compared in the schema model, so that a change is reported in the same way whichever language it is
//! written in. What a language decides (whether unknown keys are refused, whether defaults replace missing keys) is in
//! its semantics. Reads no files and prints nothing: texts come in, changes as data go out.
#![forbid(unsafe_code)]

mod accepted;
mod alternatives;
mod bounds;
mod change;
mod clauses;
mod compare;
mod evidence;
mod language;
mod listed;
mod moved;
mod names;
mod pairs;
mod pattern;
mod place;
mod renamed;
mod retired;
pub mod rules;
mod witness;
mod words;

pub use change::{Breaks, Change, Fate, Kind, OldKey, Part, Path, PathStep, Renamed, Severity};
pub use language::{Compared, Incomparable, Language, NoVersion, compare};
pub use rules::ChangeRule;
