//! The final data values that a file contributes to, one for each `ytt` call it is known to be part of.

use crate::association::associate::{associate, kind};
use crate::association::kind::FileKind;
use crate::association::reads::reads;
use crate::evaluation::Callbacks;
use crate::files::file::File;
use crate::findings::base_values::lies_alone;
use crate::findings::calls::{self, CallReport};
use crate::findings::state::CheckState;
use crate::input_sets::sets::SetOrigin;
use crate::source::TextSource;
use lofting_check::DataValues;
use lofting_document::{Document, FileId, Node};
use lofting_overlay::Mode;
use std::sync::Arc;

/// The final data values of one call.
#[derive(Clone)]
pub struct Merged {
    /// The input set, if it has a name.
    pub set: Option<Arc<str>>,
    /// The values file that distinguishes this call from others of the same set.
    pub alternative: Option<FileId>,
    /// The call is known; otherwise only the file itself and the schema that governs it are.
    pub known: bool,
    /// How many more values were replaced at the place that was asked for than the last value there says.
    pub left_out: usize,
    values: Values,
}

#[derive(Clone)]
enum Values {
    Call(Arc<CallReport>),
    Alone(Arc<Node>),
}

impl Merged {
    /// Values that were merged from some documents of a file.
    pub(crate) fn of_values(
        set: Option<Arc<str>>,
        alternative: Option<FileId>,
        known: bool,
        values: Node,
        left_out: usize,
    ) -> Self {
        Merged { set, alternative, known, left_out, values: Values::Alone(Arc::new(values)) }
    }

    /// The values. Each keeps the values that it replaced while merging.
    pub fn values(&self) -> &Node {
        match &self.values {
            Values::Call(report) => &report.values,
            Values::Alone(node) => node,
        }
    }
}

/// The calls that `file` is part of, or what can be said without any.
pub(crate) fn merged(state: &CheckState, file: &File) -> Vec<Merged> {
    let found = in_sets(state, file, &sets_of(state, file), calls::calls_with);
    if found.is_empty() { alone(state, file).into_iter().collect() } else { found }
}

/// Bytes of a file beyond which its only document is not merged just for a request.
pub(super) const QUICK: usize = 64 * 1024;

/// The merged values if they are already known or quickly computed, without running code. For a single document merging only adds
/// which default a value replaces, and that is not worth waiting for in a large file.
pub(crate) fn merged_quickly(state: &CheckState, file: &File) -> Vec<Merged> {
    let sets = sets_of(state, file);
    let quick = || file.tree().len() <= QUICK || file.tree().documents().nth(1).is_some();
    if !quick() && lies_alone(state, file.id) {
        return Vec::new();
    }
    if sets.is_empty() {
        alone(state, file).into_iter().collect()
    } else {
        in_sets(state, file, &sets, calls::ready_calls_with)
    }
}

/// Whether [`merged_quickly`] lacks something until code was run by [`merged`].
pub(crate) fn waits_for_merged(state: &CheckState, file: &File) -> bool {
    state.has_coded_files()
        && sets_of(state, file).into_iter().any(|index| calls::waits_for_calls(state, index, file.id))
}

/// The sets that a file is part of, or defines.
fn sets_of(state: &CheckState, file: &File) -> Vec<usize> {
    let mut sets: Vec<usize> = state.sets.deciding(file.id).into_iter().map(|(index, _)| index).collect();
    let described = state.sets.sets.iter().enumerate();
    sets.extend(
        described.filter(|(_, set)| set.origin == (SetOrigin::Config { file: file.id })).map(|(index, _)| index),
    );
    sets.dedup();
    sets
}

/// The calls of one set that a file is part of.
type CallsWith = fn(&CheckState, usize, FileId) -> Vec<(Option<FileId>, Arc<CallReport>)>;

fn in_sets(state: &CheckState, file: &File, sets: &[usize], calls_with: CallsWith) -> Vec<Merged> {
    let mut found = Vec::new();
    for index in sets.iter().copied() {
        let name = state.sets.sets.get(index).and_then(|set| set.name.clone());
        for (alternative, report) in calls_with(state, index, file.id) {
            if report.schema.is_some() || report.has_values {
                found.push(Merged {
                    set: name.clone(),
                    alternative,
                    known: true,
                    left_out: 0,
                    values: Values::Call(report),
                });
            }
        }
    }
    found
}

/// The file's own documents on the defaults of its schema.
fn alone(state: &CheckState, file: &File) -> Option<Merged> {
    let kind = kind(state, file);
    let schema = match kind {
        FileKind::Template | FileKind::Library => reads(state, file).schemas.first()?.clone(),
        _ => associate(state, file).schema.clone()?,
    };
    let functions = Callbacks { texts: TextSource::All(state), runner: state.runner.as_ref() };
    let mut values = DataValues::new(Some(&schema.schema));
    let documents = state.documents(file).clone();
    let (mode, own): (Mode, fn(&Document) -> bool) = match kind {
        FileKind::DataValues => (Mode::Annotated, |document| {
            document.is_data_values() && !document.notes.has("library/ref") && !document.conditional
        }),
        FileKind::PlainValues => (Mode::Plain, |document| !document.is_empty()),
        _ => (Mode::Plain, |_| false),
    };
    for document in documents.documents.iter().filter(|document| own(document)) {
        values.lay(document, mode, &functions);
    }
    Some(Merged::of_values(schema.set.clone(), None, false, values.finish(), 0))
}
