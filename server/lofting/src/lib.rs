//! Lofting for programs: what it finds, knows and changes, as data.
//!
//! A [`Workspace`] knows the files of a folder. It hands out a [`Snapshot`] of one file together with everything that
//! matters to it, at one moment; all answers come from a snapshot, so that they agree with each other and with its
//! [`Snapshot::version`].
//!
//! ```
//! use lofting::{Certainty, Workspace};
//!
//! # fn main() -> Result<(), lofting::Problem> {
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let folder = folder.path();
//! let mut workspace = Workspace::open(folder);
//! workspace.edit("schema.json", r#"{"properties": {"port": {"type": "integer"}}, "additionalProperties": false}"#)?;
//! workspace.edit("app.yml", "# yaml-language-server: $schema=schema.json\nport: \"80\"\n")?;
//! let snapshot = workspace.snapshot("app.yml")?;
//! let findings = snapshot.findings();
//! assert_eq!(findings[0].code, "json-schema/type-mismatch");
//! assert_eq!(findings[0].fixes[0].certainty, Certainty::Sure);
//! let fixed = findings[0].fixes[0].apply(&snapshot).expect("its edits are those of one file");
//! assert_eq!(fixed, "# yaml-language-server: $schema=schema.json\nport: 80\n");
//! # Ok(())
//! # }
//! ```
//!
//! The answers can be written as JSON with `serde`; docs/programs.md describes it, and docs/json has a schema for each.
#![forbid(unsafe_code)]

mod completions;
mod documentation;
mod explanation;
mod finding;
mod fixing;
mod outline;
mod place;
mod problem;
mod renaming;
mod snapshot;
mod value;
mod workspace;

pub use completions::{Completion, Completions};
pub use documentation::{DeclaredAt, Documentation, DocumentationChoice, DocumentedExample, DocumentedValue};
pub use explanation::{
    Explanation, FinalValue, GivenValue, GovernedPart, GoverningSchema, SchemaExplanation, SchemaNode, SchemaPlace,
};
pub use finding::{Certainty, Finding, Fix, RelatedPlace, Severity};
pub use fixing::{AppliedFix, FixAnswer, FixChoice, FixedFile, NotWritten};
pub use outline::{Outline, OutlineChoice, tokens};
pub use place::{DocumentVersion, Edit, End, FilePart, PositionEncoding, Range, version_of};
pub use problem::Problem;
pub use renaming::{ChangedFile, Renaming};
pub use snapshot::Snapshot;
pub use workspace::{Services, Workspace};

/// The version of the form of all answers. Within it members are only added.
pub const VERSION: u32 = 1;
