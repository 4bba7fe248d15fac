//! The values that a values file is merged onto in its calls.
//!
//! If its own values come last, all findings about them follow from them and from the values before them. Those do not
//! change while the user types in the file, so they are merged only once.

#[cfg(test)]
mod tests;

use crate::association::schema_state::SchemaState;
use crate::caches::weight;
use crate::evaluation::Callbacks;
use crate::files::file::File;
use crate::findings::calls::{own_documents, plain_documents};
use crate::findings::state::CheckState;
use crate::input_sets::sets::{FileRole, SetOrigin, WorkspaceSet};
use crate::source::TextSource;
use lofting_check::{DataValues, check_merged_keys};
use lofting_document::{Document, FileId, Node};
use lofting_memo::{Stamp, Weigh, recorder};
use lofting_overlay::Mode;
use std::sync::Arc;

/// The values before those of a file, merged onto the schema's defaults; `None` if these do not determine what is found.
pub(crate) struct BaseValues(pub Option<Arc<Node>>);

impl Weigh for BaseValues {
    fn weight(&self) -> usize {
        self.0.as_deref().map_or(0, weight::of_node)
    }
}

/// What a file's values are merged onto.
pub(crate) enum BaseOf {
    /// The schema's defaults.
    Defaults,
    /// Other values.
    Values {
        /// Merged onto the schema's defaults.
        values: Arc<Node>,
        /// Identifies their meaning, whatever their positions.
        meaning: Stamp,
    },
    /// It cannot be determined alone: calls differ, or other values come later.
    Varies,
}

/// What the values of `file` are merged onto, given that they have this schema in all relevant calls. `sets`: the
/// relevant sets, with the file's part in each.
pub(crate) fn base_of(state: &CheckState, file: FileId, sets: &[(usize, FileRole)], schema: &SchemaState) -> BaseOf {
    let mut earlier: Option<Vec<(FileId, Mode)>> = None;
    for (index, part) in sets {
        let found = state.sets.sets.get(*index).and_then(|set| earlier_files(state, set, *part, file));
        let Some(found) = found else { return BaseOf::Varies };
        if earlier.as_ref().is_some_and(|known| *known != found) {
            return BaseOf::Varies;
        }
        earlier = Some(found);
    }
    let earlier = earlier.unwrap_or_default();
    if earlier.is_empty() {
        return BaseOf::Defaults;
    }
    let files: Vec<(&Arc<File>, Mode)> =
        earlier.iter().filter_map(|(id, mode)| Some((state.file(*id)?, *mode))).collect();
    let needs_code = files.iter().any(|(file, mode)| *mode == Mode::Annotated && file.needs_run());
    let stamps = || std::iter::once(state.attempt).chain(files.iter().map(|(file, _)| state.stamp(file)));
    let inputs = state.inputs(stamps().chain([schema.stamp]));
    let merge = || BaseValues(merge(state, &files, schema).map(Arc::new));
    let values = || state.check_memos.base_values.get(state.calls_functions(), needs_code, file, &inputs, merge);
    // Positions in the schema may change without changing what these values mean.
    let inputs_of_meaning = state.inputs(stamps().chain([schema.meaning]));
    let meaning = state.check_memos.base_meanings.get(file, &inputs_of_meaning, Stamp::next);
    match recorder::only("values before", || stamps().chain([schema.meaning]), values).0.clone() {
        Some(values) => BaseOf::Values { values, meaning: *meaning },
        None => BaseOf::Varies,
    }
}

/// Whether in every relevant call only the values of `file` are merged onto the schema's defaults.
pub(crate) fn lies_alone(state: &CheckState, file: FileId) -> bool {
    let earlier = |(index, part): (usize, FileRole)| {
        state.sets.sets.get(index).and_then(|set| earlier_files(state, set, part, file))
    };
    state.sets.deciding(file).into_iter().all(|set| earlier(set).is_some_and(|files| files.is_empty()))
}

/// The values files of a set that come before `file`; `None` if others come later or the result for the file cannot be
/// determined alone.
fn earlier_files(state: &CheckState, set: &WorkspaceSet, part: FileRole, file: FileId) -> Option<Vec<(FileId, Mode)>> {
    let known = matches!(part, FileRole::Template | FileRole::PlainValues)
        // Findings of command line input are reported where ytt reports them.
        && set.origin != SetOrigin::Flags
        && set.flags.is_empty()
        && !set.options.disable_validation
        && (set.alternatives.is_empty() || set.alternatives.contains(&file));
    if !known {
        return None;
    }
    let exists = |id: &FileId| state.file(*id).is_some_and(|file| file.exists());
    let has_values = |id: &FileId| state.file(*id).is_some_and(|file| file.facts.values && file.holds().values);
    let annotated = set.templates.iter().filter(|id| has_values(id)).map(|id| (*id, Mode::Annotated));
    let alternative = set.alternatives.iter().filter(|id| **id == file);
    let plain = set.plain.iter().chain(alternative).map(|id| (*id, Mode::Plain));
    let mut files = annotated.chain(plain).filter(|(id, _)| exists(id));
    // From the end: in a set with thousands of files, all but one stop here.
    if files.next_back().is_none_or(|(last, _)| last != file) {
        return None;
    }
    let files: Vec<(FileId, Mode)> = files.collect();
    files.iter().all(|(other, _)| *other != file).then_some(files)
}

/// The values of `files` merged onto the defaults; `None` if they have rules of their own, or a key twice.
fn merge(state: &CheckState, files: &[(&Arc<File>, Mode)], schema: &SchemaState) -> Option<Node> {
    let functions = Callbacks { texts: TextSource::All(state), runner: state.runner.as_ref() };
    let mut values = DataValues::new(Some(&schema.schema));
    for (file, mode) in files {
        let documents: Vec<&Document> = match mode {
            Mode::Annotated => own_documents(state, file).collect(),
            _ => plain_documents(state, file).collect(),
        };
        for document in documents {
            values.lay(document, *mode, &functions);
        }
    }
    if values.current().and_then(lofting_dialect::ytt::asserted).is_some() {
        return None;
    }
    let values = values.finish();
    // An overlay may give a map a key twice: then what matches it is not known from its text.
    check_merged_keys([&values]).is_empty().then_some(values)
}
