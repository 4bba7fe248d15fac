//! The result of a `ytt` call with a named input set: values merged in ytt's order, checked after every document,
//! validated at the end.

use crate::association::schema_state::SchemaState;
use crate::association::shared::SchemaFiles;
use crate::caches::weight;
use crate::evaluation::{Callbacks, is_due};
use crate::files::file::File;
use crate::findings::state::CheckState;
use crate::input_sets::flags;
use crate::input_sets::sets::CallId;
use crate::input_sets::sets::{FileRole, SetOrigin, WorkspaceSet};
use crate::source::TextSource;
use lofting_check::{Diagnostic, Stage, ValuesDocument, ValuesSet, place_in};
use lofting_document::{Document, FileId, Node, NodeValue};
use lofting_memo::Weigh;
use lofting_memo::{Inputs, Stamp, recorder};
use lofting_overlay::Mode;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The outcome of a call.
#[derive(Debug)]
pub(crate) struct CallReport {
    /// Findings by the file they are in.
    pub by_file: FxHashMap<FileId, Vec<Diagnostic>>,
    /// The final data values.
    pub values: Node,
    /// At least one document or flag provides values.
    pub has_values: bool,
    /// The schema, if the set has one.
    pub schema: Option<Arc<SchemaState>>,
}

impl Weigh for CallReport {
    fn weight(&self) -> usize {
        weight::of_node(&self.values) + self.by_file.values().flatten().map(weight::of_diagnostic).sum::<usize>()
    }
}

/// How many calls of one set an editor checks for one file: a set with hundreds of stages shares one schema and
/// hundreds of values files, and an edit of the schema must not wait for all of them. The command line checks all of
/// them.
pub(crate) const MOST_CALLS: usize = 50;

/// The calls of a set that `file` is part of.
pub(crate) fn reports_with(state: &CheckState, index: usize, file: FileId) -> Vec<Arc<CallReport>> {
    calls_with(state, index, file).into_iter().map(|(_, report)| report).collect()
}

/// The calls of a set that `file` is part of, each with its alternative.
pub(crate) fn calls_with(state: &CheckState, index: usize, file: FileId) -> Vec<(Option<FileId>, Arc<CallReport>)> {
    let Some(set) = state.sets.sets.get(index) else { return Vec::new() };
    let calls = || alternatives_with(state, set, file).into_iter();
    let call = |alternative: Option<FileId>| (alternative, report(state, index, set, alternative));
    // Of the schema only the meaning matters: findings follow its places.
    let needs = || {
        let values = stamps_with(state, file).into_iter().chain([state.attempt]);
        let schemas =
            calls().filter_map(|alternative| Call::of(state, set, (index, alternative)).files.schema_in(state));
        values.chain(schemas.map(|schema| schema.meaning)).collect::<Vec<_>>()
    };
    recorder::only("calls", needs, || calls().map(call).collect())
}

/// The alternatives of the calls that `file` is part of; that of a set without any is `None`.
fn alternatives_with(state: &CheckState, set: &WorkspaceSet, file: FileId) -> Vec<Option<FileId>> {
    if set.alternatives.contains(&file) {
        return vec![Some(file)];
    }
    if set.alternatives.is_empty() {
        return vec![None];
    }
    set.alternatives.iter().take(state.most_calls).copied().map(Some).collect()
}

/// The only call of a set without alternatives.
pub(crate) fn only_call_of(state: &CheckState, index: usize) -> Option<Arc<CallReport>> {
    let set = state.sets.sets.get(index)?;
    Some(report(state, index, set, None))
}

/// All calls of a set, each with its alternative.
pub(crate) fn calls_of(state: &CheckState, index: usize) -> Vec<(Option<FileId>, Arc<CallReport>)> {
    let Some(set) = state.sets.sets.get(index) else { return Vec::new() };
    let call = |alternative: Option<FileId>| (alternative, report(state, index, set, alternative));
    match set.alternatives.as_slice() {
        [] => vec![call(None)],
        alternatives => alternatives.iter().map(|other| call(Some(*other))).collect(),
    }
}

/// The values files whose text affects findings in `file`: those merged with it in its sets, and for a `lofting.toml`
/// those of its sets.
pub(crate) fn inputs_with(state: &CheckState, file: FileId) -> Vec<&Arc<File>> {
    let deciding = state.sets.deciding(file).into_iter().map(|(index, _)| index);
    let described = state.sets_described_by(file).iter().copied();
    let mut inputs = Vec::new();
    for set in deciding.chain(described).filter_map(|index| state.sets.sets.get(index)) {
        let templates = set.templates.iter().filter_map(|id| state.file(*id)).filter(|file| file.facts.values);
        inputs.extend(templates);
        inputs.extend(set.plain.iter().filter_map(|id| state.file(*id)));
        if !set.alternatives.contains(&file) {
            inputs.extend(set.alternatives.iter().take(state.most_calls).filter_map(|id| state.file(*id)));
        }
    }
    inputs
}

/// The calls of a set that `file` is part of, as far as they are already known or need no code to be run.
pub(crate) fn ready_calls_with(
    state: &CheckState,
    index: usize,
    file: FileId,
) -> Vec<(Option<FileId>, Arc<CallReport>)> {
    let Some(set) = state.sets.sets.get(index) else { return Vec::new() };
    let call = |alternative| Some((alternative, ready(state, index, set, alternative)?));
    alternatives_with(state, set, file).into_iter().filter_map(call).collect()
}

/// Whether [`ready_calls_with`] lacks calls of a set.
pub(crate) fn waits_for_calls(state: &CheckState, index: usize, file: FileId) -> bool {
    let Some(set) = state.sets.sets.get(index) else { return false };
    let waits = |alternative| {
        let id = (index, alternative);
        let call = Call::of(state, set, id);
        call.runs_code(state) && state.check_memos.calls.known(&id, &call.inputs).is_none()
    };
    alternatives_with(state, set, file).into_iter().any(waits)
}

/// Identifies the values of a set, as far as they affect findings.
#[derive(Clone, Copy)]
pub(crate) struct ValuesStamp {
    /// For the values that every call gets.
    all: Stamp,
    /// For values files, one for each call.
    alternatives: Stamp,
    /// For the meaning of their schema, which need not be the one that governs a file of the set.
    schema: Option<Stamp>,
}

impl ValuesStamp {
    fn of(state: &CheckState, index: usize, set: &WorkspaceSet) -> ValuesStamp {
        let stamp = |of_all: bool, files: &mut dyn Iterator<Item = &Arc<File>>| {
            let inputs = state.inputs(files.map(|file| state.stamp(file)));
            *state.check_memos.set_values.get((index, of_all), &inputs, Stamp::next)
        };
        let templates = set.templates.iter().filter_map(|id| state.file(*id)).filter(|file| file.facts.values);
        let plain = set.plain.iter().filter_map(|id| state.file(*id));
        let alternatives = set.alternatives.iter().take(state.most_calls).filter_map(|id| state.file(*id));
        let schema = Some(SchemaFiles::of_set(state, index)).filter(|files| !files.is_empty());
        ValuesStamp {
            all: stamp(true, &mut templates.chain(plain)),
            alternatives: stamp(false, &mut { alternatives }),
            schema: schema.map(|files| files.read(state).meaning),
        }
    }
}

/// Stamps of everything that [`inputs_with`] returns, and of what sets say.
pub(crate) fn stamps_with(state: &CheckState, file: FileId) -> Vec<Stamp> {
    let deciding = state.sets.deciding(file).into_iter().map(|(index, part)| (index, part == FileRole::Flag));
    let mut stamps = Vec::new();
    for (index, is_flag) in deciding.chain(state.sets_described_by(file).iter().map(|index| (*index, true))) {
        let Some(set) = state.sets.sets.get(index) else { continue };
        let stamp =
            state.check_shared.values.get((index, state.calls_functions()), |_| ValuesStamp::of(state, index, set));
        stamps.extend([stamp.all, state.sets.stamp]);
        stamps.extend(stamp.schema);
        // Nothing governs the file of a flag, so that findings there do not follow the places in the schema.
        if let Some(schema) = Some(SchemaFiles::of_set(state, index)).filter(|files| is_flag && !files.is_empty()) {
            stamps.push(schema.read(state).stamp);
        }
        if !set.alternatives.contains(&file) {
            stamps.push(stamp.alternatives);
        }
    }
    stamps
}

/// What a call is made from.
pub(crate) struct Call {
    files: CallFiles,
    inputs: Inputs,
    /// Its inputs depend on code.
    needs_code: bool,
}

impl Call {
    fn of(state: &CheckState, set: &WorkspaceSet, id: CallId) -> Arc<Call> {
        state.check_shared.calls.get(id, |_| {
            let files = CallFiles::of(state, set, id.1);
            // Findings about flags show what is written there.
            let flags = set.flags.iter().filter_map(|flag| state.file(flag.file));
            let stamps = files.all().chain(flags).map(|file| state.stamp(file));
            let inputs = state.inputs([state.sets.stamp, state.attempt].into_iter().chain(stamps));
            let needs_code = files.schema.iter().chain(&files.values).any(|file| file.needs_run());
            Arc::new(Call { files, inputs, needs_code })
        })
    }

    /// Whether code runs while its values are merged.
    fn runs_code(&self, state: &CheckState) -> bool {
        let CallFiles { schema, values, .. } = &self.files;
        schema.iter().any(|file| is_due(state, file)) || values.iter().any(|file| file.needs_run())
    }
}

/// The files that a call reads, by their purpose.
struct CallFiles {
    schema: Vec<Arc<File>>,
    values: Vec<Arc<File>>,
    plain: Vec<Arc<File>>,
}

impl CallFiles {
    fn of(state: &CheckState, set: &WorkspaceSet, alternative: Option<FileId>) -> CallFiles {
        let existing = |ids: &[FileId]| -> Vec<Arc<File>> {
            ids.iter().filter_map(|id| state.file(*id)).filter(|file| file.exists()).cloned().collect()
        };
        let templates = existing(&set.templates);
        let schema = templates.iter().filter(|file| file.facts.schema && file.holds().schema).cloned().collect();
        let values = templates.iter().filter(|file| file.facts.values && file.holds().values).cloned().collect();
        let mut plain = existing(&set.plain);
        plain.extend(alternative.and_then(|id| state.file(id)).cloned());
        CallFiles { schema, values, plain }
    }

    /// The schema. If it is only for libraries, the root library has none.
    fn schema_in(&self, state: &CheckState) -> Option<Arc<SchemaState>> {
        let read = || SchemaFiles::of(state, self.schema.iter().cloned()).read(state);
        (!self.schema.is_empty()).then(read).filter(|schema| schema.schema_documents().next().is_some())
    }

    fn all(&self) -> impl Iterator<Item = &Arc<File>> {
        self.schema.iter().chain(&self.values).chain(&self.plain)
    }
}

/// The call of a set with one of its alternatives.
pub(crate) fn report(
    state: &CheckState,
    index: usize,
    set: &WorkspaceSet,
    alternative: Option<FileId>,
) -> Arc<CallReport> {
    let id = (index, alternative);
    let call = Call::of(state, set, id);
    let made = || make_report(state, set, &call.files, !set.options.disable_validation);
    state.check_memos.calls.get(state.calls_functions(), call.needs_code, id, &call.inputs, made)
}

/// The report if it was already made, or as much of it as can be made without running code, which the caller must not
/// wait for.
fn ready(state: &CheckState, index: usize, set: &WorkspaceSet, alternative: Option<FileId>) -> Option<Arc<CallReport>> {
    let id = (index, alternative);
    let call = Call::of(state, set, id);
    if let Some(report) = state.check_memos.calls.known(&id, &call.inputs) {
        return Some(report);
    }
    if call.runs_code(state) {
        return state.calls_functions().then(|| report(state, index, set, alternative));
    }
    Some(state.check_memos.merged_calls.get(id, &call.inputs, || make_report(state, set, &call.files, false)))
}

/// Merges the values of a call and checks them.
fn make_report(state: &CheckState, set: &WorkspaceSet, files: &CallFiles, validations: bool) -> CallReport {
    let CallFiles { values, plain, .. } = files;
    let schema = files.schema_in(state);
    let mut findings = Vec::new();
    let mut documents: Vec<(&Document, Mode)> = Vec::new();
    for file in values {
        documents.extend(own_documents(state, file).map(|document| (document, Mode::Annotated)));
    }
    for file in plain {
        documents.extend(plain_documents(state, file).map(|document| (document, Mode::Plain)));
    }
    let mut given = Vec::new();
    for flag in &set.flags {
        match flags::document(flag, set.options.strict) {
            // A value for a library is checked against that library's schema.
            Ok(document) if flag.value.library.is_none() => given.push(document),
            Ok(_) => {}
            Err(errors) => findings.extend(errors),
        }
    }
    documents.extend(given.iter().map(|(document, mode)| (document, *mode)));

    let texts = TextSource::All(state);
    let functions = Callbacks { texts, runner: state.runner.as_ref() };
    let check = ValuesSet {
        schema: schema.as_ref().map(|schema| &*schema.schema),
        functions: &functions,
        assertions: &functions,
        source: &texts,
        validations,
        limit: lofting_check::MADE,
    };
    let documents: Vec<ValuesDocument<'_>> =
        documents.into_iter().map(|(document, mode)| ValuesDocument { document, mode }).collect();
    let has_values = !documents.is_empty();
    let report = check.check(&documents);
    findings.extend(report.findings);
    if set.origin != SetOrigin::Flags {
        // ytt names the schema's key for a map that breaks a rule; the author of the values wants to see it there.
        for finding in findings.iter_mut().filter(|finding| finding.stage == Stage::Validation) {
            let is_schema = schema.as_ref().is_some_and(|schema| schema.files.contains(&finding.span.file));
            if is_schema {
                documents.iter().rev().any(|given| place_in(finding, given.document));
            }
        }
    }
    if let Some(schema) = &schema {
        schema.keep_certain(&mut findings, false);
    }
    let mut by_file: FxHashMap<FileId, Vec<Diagnostic>> = FxHashMap::default();
    for finding in findings {
        by_file.entry(finding.span.file).or_default().push(finding);
    }
    CallReport { by_file, values: report.values, has_values, schema }
}

/// Data values documents of a file that are for its own library.
pub(crate) fn own_documents<'a>(state: &'a CheckState, file: &'a File) -> impl Iterator<Item = &'a Document> {
    let own = |document: &&Document| document.is_data_values() && !document.notes.has("library/ref");
    state.documents(file).documents.iter().filter(own).filter(|document| !document.conditional)
}

/// Documents of a plain values file. ytt ignores those without a value (docs/ytt.md 11.3).
pub(crate) fn plain_documents<'a>(state: &'a CheckState, file: &'a File) -> impl Iterator<Item = &'a Document> {
    state.documents(file).documents.iter().filter(|document| !matches!(document.value.value, NodeValue::Null))
}
