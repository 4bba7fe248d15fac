//! What a values file is laid over in the calls that it takes part in.
//!
//! Where its own values come last, all that is said about them follows from them and from what lies before them. That
//! does not change while somebody types in the file, so it is merged once.

#[cfg(test)]
mod tests;

use crate::association::schema_state::SchemaState;
use crate::evaluation::Callbacks;
use crate::files::file::File;
use crate::findings::calls::{own_documents, plain_documents};
use crate::input_sets::sets::{Part, SetOrigin, WorkspaceSet};
use crate::source::TextSource;
use crate::state::State;
use lofting_document::{Document, FileId, Node};
use lofting_memo::Stamp;
use lofting_overlay::Mode;
use lofting_values::DataValues;
use std::sync::Arc;

/// The values before those of a file, merged onto the schema's defaults; none if they bring rules of their own.
pub(crate) struct BaseValues(pub Option<Arc<Node>>);

/// What a file's values are laid over.
pub(crate) enum BaseOf {
    /// The schema's defaults.
    Defaults,
    /// Other values.
    Values {
        /// Merged onto the schema's defaults.
        values: Arc<Node>,
        /// Stands for what they mean, whatever their places.
        meaning: Stamp,
    },
    /// Nothing that could be named alone: calls differ, or other values come later.
    Varies,
}

/// What the values of `file` are laid over, which have this schema in all calls that decide about it.
/// `sets`: the sets that decide, with the file's part in each.
pub(crate) fn base_of(state: &State, file: FileId, sets: &[(usize, Part)], schema: &SchemaState) -> BaseOf {
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
    let Some(values) = state.memos.base_values.get(state, needs_code, file, &inputs, merge).0.clone() else {
        return BaseOf::Varies;
    };
    // Places in the schema may move without these values meaning anything else.
    let inputs = state.inputs(stamps().chain([schema.meaning]));
    let meaning = state.memos.base_meanings.get(file, &inputs, Stamp::next);
    BaseOf::Values { values, meaning: *meaning }
}

/// Whether in every call that decides about `file` nothing but its own values lies over the schema's defaults.
pub(crate) fn lies_alone(state: &State, file: FileId) -> bool {
    let earlier =
        |(index, part): (usize, Part)| state.sets.sets.get(index).and_then(|set| earlier_files(state, set, part, file));
    state.sets.deciding(file).into_iter().all(|set| earlier(set).is_some_and(|files| files.is_empty()))
}

/// The values files of a set that come before `file`; none if others come later or it is not known alone what
/// becomes of its values.
fn earlier_files(state: &State, set: &WorkspaceSet, part: Part, file: FileId) -> Option<Vec<(FileId, Mode)>> {
    let known = matches!(part, Part::Template | Part::PlainValues)
        // What the command line is given is reported at ytt's places.
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
    // From the end: of a set with thousands of files all but one are done with here.
    if files.next_back().is_none_or(|(last, _)| last != file) {
        return None;
    }
    let files: Vec<(FileId, Mode)> = files.collect();
    files.iter().all(|(other, _)| *other != file).then_some(files)
}

/// The values of `files` on the defaults; none if they bring rules of their own.
fn merge(state: &State, files: &[(&Arc<File>, Mode)], schema: &SchemaState) -> Option<Node> {
    let functions = Callbacks { texts: TextSource::State(state), runner: state.runner.as_ref() };
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
    Some(values.finish())
}
