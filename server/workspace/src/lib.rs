//! Which files there are, which of them an editor holds, which schema governs which document and
//! why; hands out consistent snapshots with everything that was derived from a text made once.
//!
//! The file system ends here: nothing below this crate reads a file. This crate knows no protocol, no
//! threads pools and no terminal.
#![forbid(unsafe_code)]

mod associate;
pub mod association;
mod before;
mod calls;
mod cancel;
mod check_given;
mod check_set;
mod complete;
pub mod config;
mod damage;
mod diagnostics;
mod discover;
mod discovered;
mod disk;
mod disk_look;
mod editing;
mod evaluation;
mod facts;
mod file;
#[cfg(test)]
mod fixture;
mod flags;
mod governed;
mod inline;
pub mod inputs;
mod kind;
mod left_out;
mod levels;
mod listing;
mod load;
mod merged;
pub mod modeline;
mod nearest;
mod outcome;
mod parts;
mod path;
mod probe;
mod reads;
mod refresh;
mod render;
mod render_sets;
mod report;
mod scan;
mod schema_state;
mod scope;
mod sets;
mod setting_globs;
mod settings;
mod shared;
mod snapshot;
mod source;
mod stamp;
mod state;
mod suppressions;
mod table;
#[cfg(test)]
mod tests;
mod threads;
mod walk;
mod workspace;

pub use association::{Association, Reason, SchemaRef};
pub use cancel::CancelFlag;
pub use check_given::{GivenSchema, check_given};
pub use check_set::{CheckError, Rendering, check_input_set, check_workspace, render_input_set, render_workspace};
pub use diagnostics::Findings;
pub use discovered::{CommandInText, ytt_commands};
pub use disk::{MAX_FILE_SIZE, Reach, ReadProblem, Trust, read_text};
pub use disk_look::{DiskFound, DiskLook};
pub use editing::Editing;
pub use evaluation::{Evaluation, Need, Runner};
pub use governed::{Governed, GovernedBy};
pub use kind::{FileKind, NameKind};
pub use listing::{ListingJob, ListingsFound};
pub use merged::Merged;
pub use outcome::{Outcome, input_set_outcome};
pub use path::normalise;
pub use reads::{FlagKey, GivenKey, Reads};
pub use render::{RenderedContent, RenderedFile};
pub use render_sets::render_set;
pub use report::{CheckReport, CheckedFile};
pub use scan::{ScanProgress, ScanResult, Scanner};
pub use schema_state::SchemaState;
pub use settings::{OtherYamlFeatures, SchemaSetting, SettingName, Settings};
pub use snapshot::{SetFiles, Snapshot};
pub use workspace::{WATCHED, Workspace};
