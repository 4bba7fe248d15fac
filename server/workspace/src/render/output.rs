//! The output of the calls that a file is part of, for users who watch it while they write.

use super::values::{parse_findings, text_findings};
use super::{Level, Render, Rendered, RenderedFile, render};
use crate::files::file::File;
use crate::findings::calls;
use crate::input_sets::sets::WorkspaceSet;
use crate::inputs::{InputFile, Role, Source};
use crate::state::State;
use lofting_check::{Diagnostic, Severity};
use lofting_document::FileId;
use lofting_memo::CancelFlag;

/// A call that a file is part of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputCall {
    /// Its title: its input set, and the values file that distinguishes it from other calls of the set.
    pub title: String,
    /// A short form of the title: paths without their directories.
    pub label: String,
    pub(crate) set: usize,
    pub(crate) alternative: Option<FileId>,
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct Output {
    /// The files in ytt's order; `None` if there are errors, or if something is not known.
    pub files: Option<Vec<RenderedFile>>,
    /// Errors in the values, or from rendering.
    pub findings: Vec<Diagnostic>,
    /// Why nothing was rendered although there are no known errors.
    pub not_rendered: Option<&'static str>,
}

/// The calls that a file is part of.
pub(crate) fn output_calls(state: &State, file: &File) -> Vec<OutputCall> {
    let deciding = state.sets.deciding(file.id);
    let mut sets: Vec<usize> = if deciding.is_empty() {
        match state.sets.indices_of_file(file.id).map(|(index, _)| index).collect::<Vec<_>>() {
            sets if sets.is_empty() => with_input(state, file),
            sets => sets,
        }
    } else {
        deciding.into_iter().map(|(index, _)| index).collect()
    };
    sets.dedup();
    let sets = sets.into_iter().filter_map(|index| Some((index, state.sets.sets.get(index)?)));
    let calls = sets.flat_map(|(index, set)| {
        let own = set.alternatives.contains(&file.id).then_some(file.id);
        calls_of_set(state, index, set, own)
    });
    calls.collect()
}

/// The calls of a set, or only that with one of its alternatives.
pub(crate) fn calls_of_set(
    state: &State,
    index: usize,
    set: &WorkspaceSet,
    alternative: Option<FileId>,
) -> Vec<OutputCall> {
    let title = set.title();
    let alternatives: Vec<FileId> = match alternative {
        Some(only) => vec![only],
        None => set.alternatives.iter().copied().take(state.most_calls).collect(),
    };
    let call = |alternative: Option<FileId>| {
        let with = alternative.and_then(|id| state.file(id)).map(|file| state.shown(&file.path));
        let label = label(title, with.as_deref());
        let title = with.map_or_else(|| title.to_owned(), |with| format!("{title} with {with}"));
        OutputCall { title, label, set: index, alternative }
    };
    if alternatives.is_empty() {
        vec![call(None)]
    } else {
        alternatives.into_iter().map(|alternative| call(Some(alternative))).collect()
    }
}

/// The sets that a file is an input of without being searched for schema and values: text templates and code.
fn with_input(state: &State, file: &File) -> Vec<usize> {
    let is_file = |input: &InputFile| matches!(&input.source, Source::Path(path) if **path == *file.path);
    let sets = state.sets.sets.iter().enumerate();
    sets.filter(|(_, set)| set.inputs.iter().any(is_file)).map(|(index, _)| index).collect()
}

/// A set and its values file in a few words.
fn label(title: &str, values: Option<&str>) -> String {
    let last = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let title = last(title);
    values.map_or_else(|| title.clone(), |values| format!("{title} with {}", last(values)))
}

/// The files whose code has to run before a file's calls can be rendered.
pub(crate) fn output_inputs(state: &State, file: &File) -> Vec<FileId> {
    let sets = output_calls(state, file).into_iter().filter_map(|call| state.sets.sets.get(call.set));
    let mut files: Vec<FileId> = sets.flat_map(|set| set.templates.iter().copied()).chain([file.id]).collect();
    files.sort_unstable();
    files.dedup();
    files
}

/// Renders a call. The state must be one that can run code.
pub(crate) fn output(state: &State, call: &OutputCall) -> Output {
    let nothing = |why| Output { files: None, findings: Vec::new(), not_rendered: Some(why) };
    let Some(set) = state.sets.sets.get(call.set) else { return nothing("its input set no longer exists") };
    if let Some(why) = set.not_rendered() {
        return nothing(why);
    }
    let report = calls::report(state, call.set, set, call.alternative);
    let mut wrong = wrong_before_values(state, set);
    wrong.extend(report.by_file.values().flatten().cloned());
    wrong.retain(|finding| finding.severity == Severity::Error);
    if !wrong.is_empty() {
        wrong.sort_by_key(|finding| (finding.span.file, finding.span.start));
        return Output { files: None, findings: wrong, not_rendered: None };
    }
    let Rendered { files, findings, .. } =
        render(state, set, &report.values, Some((call.set, call.alternative)), 1, &CancelFlag::new());
    Output { files, findings, not_rendered: None }
}

/// Errors that stop ytt before it has values: in the text of a file, or in the code of schema and values.
fn wrong_before_values(state: &State, set: &WorkspaceSet) -> Vec<Diagnostic> {
    let render = Render::new(state, set);
    let root = Level::unaddressed(&render, "");
    let mut found = Vec::new();
    for (input, file) in &root.files {
        match input.role {
            Role::YamlTemplate if file.holds().template => found.extend(text_findings(&render, file)),
            Role::YamlTemplate | Role::YamlPlain => found.extend(parse_findings(&render, file, &file.plain())),
            _ => {}
        }
        let failure = state.evaluations.of(file).and_then(|evaluated| evaluated.error.as_ref());
        found.extend(failure.and_then(|failure| failure.finding(failure.file().unwrap_or(file.id))));
    }
    found
}
