//! Which files there are, which of them an editor holds, which schema governs which document and
//! why; hands out consistent snapshots with everything that was derived from a text made once.
//!
//! The file system ends here: nothing below this crate reads a file. This crate knows no protocol, no thread pools and
//! no terminal.
#![forbid(unsafe_code)]

mod association;
mod caches;
mod command_line;
pub mod config;
mod discover;
mod disk;
mod evaluation;
mod files;
mod findings;
#[cfg(test)]
mod fixture;
mod floors;
mod formatting;
mod input_sets;
pub mod inputs;
mod render;
mod running;
mod settings;
mod snapshot;
mod source;
mod state;
#[cfg(test)]
mod tests;
mod threads;
mod workspace;

pub use association::choices::{ChosenSchema, FoundIn, SchemaChoice, SchemaChoices, WrittenIn};
pub use association::document_links::{Link, LinkTarget};
pub use association::governed::{Governed, GovernedBy, PartNaming};
pub use association::kind::FileKind;
pub use association::kustomizations::moved_path;
pub use association::naming::NamedBy;
pub use association::no_data::NoData;
pub use association::pointers::{NamedPlace, PointerTarget};
pub use association::reads::{FlagKey, GivenKey, Reads};
pub use association::reason::{Association, Reason, SchemaRef};
pub use association::referents::{Instead, NamedDocument};
pub use association::schema_state::SchemaState;
pub use association::search::{SearchFound, SearchJob};
pub use association::symbols::{FileSymbols, NamedSymbol, NamedSymbolKind};
pub use command_line::changed_output::{OtherOutput, Rendition, other_outputs};
pub use command_line::check_below::{Outside, check_workspace, render_workspace};
pub use command_line::check_error::{CheckError, CheckProblem};
pub use command_line::check_given::{GivenSchema, check_given};
pub use command_line::check_set::{
    AllRead, Rendering, check_input_set, render_after_reading, render_as_ytt, render_input_set,
};
pub use command_line::coverage::{Coverage, Unchecked};
pub use command_line::format_files::{FormattedFile, Layout, format_files, format_text};
pub use command_line::given_schema::{SchemaInFile, SchemaPlace, schema_in_file};
pub use command_line::outcome::{Outcome, input_set_outcome};
pub use command_line::progress::{CheckStep, Progress};
pub use command_line::render_error::RenderError;
pub use command_line::render_sets::{render_set, set_outcome};
pub use command_line::report::{CheckReport, CheckedFile};
pub use discover::command_files::{CommandInText, ytt_commands};
pub use disk::built_in::BuiltIn;
#[cfg(target_family = "wasm")]
pub use disk::memory;
pub use disk::mirror::Mirror;
pub use disk::path::{normalise, relative};
pub use disk::uri::{decoded as uri_decoded, encoded as uri_encoded, file_uri, path_of_file_uri};
pub use disk::{
    MAX_FILE_SIZE, Reach, ReadProblem, Stored, StoredFolder, StoredKind, Trust, last_change, read_bytes, read_pipe,
    read_text,
};
pub use evaluation::{Evaluation, Need, Runner};
pub use files::contents::{ContentHash, KeepsFindings};
pub use files::fetched::{Answer, Answered, Fetch, FetchedDocument, NotFetched, Wish, fetch_all};
pub use files::modeline;
pub use files::scan::{ScanProgress, ScanResult, Scanner};
pub use findings::branch::{BranchFindings, FoundSinceBranch};
pub use findings::diagnostics::Findings;
pub use findings::merged::Merged;
pub use findings::merged_at::AskedValue;
pub use findings::rendered::RenderFindings;
pub use input_sets::job::{SetsFound, SetsJob};
pub use inputs::NameKind;
pub use lofting_memo::{CancelFlag, recorder, until_abandoned};
pub use render::{AssumedSet, MadeParts, Origin, Output, OutputCall, RenderedContent, RenderedFile};
pub use settings::{OtherYamlFeatures, SchemaSetting, SettingName, Settings};
pub use snapshot::{SetFiles, Snapshot};
pub use workspace::disk_look::{DiskFound, DiskLook};
pub use workspace::editing::Editing;
pub use workspace::sets::Taken;
pub use workspace::{WATCHED, Workspace};
