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
use crate::findings::complete::Complete;
use crate::input_sets::sets::{Part, SetOrigin, WorkspaceSet};
use crate::source::TextSource;
use crate::stamp::Stamp;
use crate::state::State;
use lofting_document::{Document, FileId, Node};
use lofting_overlay::Mode;
use lofting_values::DataValues;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The values before those of a file.
pub(crate) struct BaseValues {
    /// Merged onto the schema's defaults.
    pub values: Node,
    /// Differs between any two.
    pub stamp: Stamp,
}

/// What a file's values are laid over.
pub(crate) enum BaseOf {
    /// The schema's defaults.
    Defaults,
    /// Other values.
    Values(Arc<BaseValues>),
    /// Nothing that could be named alone: calls differ, or other values come later.
    Varies,
}

/// Values by the file they lie before, with the states they were merged from; only the newest are kept.
#[derive(Default)]
pub(crate) struct BaseValuesCache {
    slots: Mutex<FxHashMap<FileId, Slot>>,
}

/// Merged values with the states they were merged from.
type Slot = (Vec<Stamp>, Arc<Complete<Option<Arc<BaseValues>>>>);

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
    let stamps = files.iter().map(|(file, _)| state.stamp(file));
    let key: Vec<Stamp> = [schema.stamp, state.attempt].into_iter().chain(stamps).collect();
    let slot = state.base_values.slot(file, key);
    let merge = || Some(Arc::new(BaseValues { values: merge(state, &files, schema)?, stamp: Stamp::next() }));
    Arc::unwrap_or_clone(slot.get(state, needs_code, merge)).map_or(BaseOf::Varies, BaseOf::Values)
}

impl BaseValuesCache {
    pub fn forget(&self, file: FileId) {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner).remove(&file);
    }

    fn slot(&self, file: FileId, key: Vec<Stamp>) -> Arc<Complete<Option<Arc<BaseValues>>>> {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        match slots.get(&file).filter(|(made_from, _)| *made_from == key) {
            Some((_, known)) => known.clone(),
            None => {
                let slot = Arc::<Complete<_>>::default();
                slots.insert(file, (key, slot.clone()));
                slot
            }
        }
    }
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
