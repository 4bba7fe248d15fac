//! The findings of rendering: in a set, and in an editor's files during a pause.

use super::{files_of, render, resources};
use crate::evaluation::{Evaluation, Need, Runner, with_code};
use crate::files::file::File;
use crate::findings::calls::{CallReport, calls_of};
use crate::findings::diagnostics::diagnostics;
use crate::findings::levels;
use crate::findings::suppressions::{self, Told};
use crate::input_sets::sets::WorkspaceSet;
use crate::state::State;
use lofting_check::{Diagnostic, Related, Severity};
use lofting_document::{FileId, Span};
use lofting_memo::{CancelFlag, Stamp};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How many values files are named as those with errors.
const MAX_VALUES: usize = 5;

/// How many files an editor renders after a pause of typing, in all sets and calls together: this keeps one core busy
/// only for a moment. The command line renders all of them.
pub(crate) const MOST_RENDERED: usize = 2_000;

/// The findings of rendering the calls of a set.
#[derive(Default)]
pub(crate) struct SetFindings {
    /// Each one once, however many calls it was found in.
    pub findings: Vec<Diagnostic>,
    /// Calls that were rendered.
    pub rendered: usize,
    /// What was not rendered, with reasons for the user.
    pub left_out: Vec<String>,
}

impl SetFindings {
    /// Renders all calls of a set whose files and values have no errors. `is_wrong`: there is an error in a file.
    pub fn of(
        state: &State,
        index: usize,
        set: &WorkspaceSet,
        is_wrong: &dyn Fn(FileId) -> bool,
        cancel: &CancelFlag,
    ) -> SetFindings {
        let title = set.title();
        let why = set.not_rendered().or_else(|| {
            let mut files = files_of(state, set).filter(|file| !set.alternatives.contains(file));
            files.any(is_wrong).then_some("its files have errors")
        });
        if let Some(why) = why {
            let left_out = vec![format!("the input set {title} is not rendered: {why}")];
            return SetFindings { left_out, ..SetFindings::default() };
        }
        let mut of_set = SetFindings::default();
        let mut found: Vec<(Diagnostic, Vec<FileId>)> = Vec::new();
        for (alternative, call) in calls_of(state, index).into_iter().take(state.most_calls) {
            if cancel.is_cancelled() {
                break;
            }
            if alternative.is_some_and(is_wrong) || has_errors(&call) {
                let file = alternative.and_then(|file| state.file(file));
                let with = file.map_or(String::new(), |file| format!(" with {}", state.shown(&file.path)));
                of_set.left_out.push(format!("the input set {title}{with} is not rendered: its values have errors"));
                continue;
            }
            of_set.rendered += 1;
            let rendered = render(state, set, &call.values, Some((index, alternative)), cancel);
            let output = rendered.files.map(|files| resources::findings(state, &files, cancel)).unwrap_or_default();
            for finding in rendered.findings.into_iter().chain(output) {
                match found.iter_mut().find(|(known, _)| *known == finding) {
                    Some((_, with)) => with.extend(alternative),
                    None => found.push((finding, alternative.into_iter().collect())),
                }
            }
        }
        for (mut finding, with) in found {
            // An error that occurs only with some values names them.
            if with.len() < of_set.rendered {
                finding.related.extend(
                    with.into_iter()
                        .take(MAX_VALUES)
                        .map(|file| Related { span: Span::new(file, 0..0), message: "with these values".to_owned() }),
                );
            }
            of_set.findings.push(finding);
        }
        of_set
    }
}

/// Code that cannot load a file says why; if the file itself already has that error, it is reported only there.
pub(super) fn drop_followers(found: &mut Vec<Diagnostic>) {
    let causes: FxHashMap<Span, String> = found.iter().map(|finding| (finding.span, finding.message.clone())).collect();
    found.retain(|finding| {
        let is_cause = |place: &Span| {
            let message = causes.get(place).filter(|_| *place != finding.span);
            message.is_some_and(|message| finding.message.ends_with(message.as_str()))
        };
        !finding.related.iter().any(|related| is_cause(&related.span))
    });
}

fn has_errors(call: &CallReport) -> bool {
    call.by_file.values().flatten().any(|finding| finding.severity == Severity::Error)
}

/// The findings of rendering in files of the workspace. If the text of a file has changed since, nothing is known about
/// it.
#[derive(Default)]
pub struct RenderFindings {
    files: FxHashMap<FileId, OfFile>,
    /// Titles of the sets that were left to `lofting check --render`.
    pub(crate) too_large: Vec<String>,
}

#[derive(PartialEq)]
struct OfFile {
    /// The text that was rendered.
    revision: Stamp,
    list: Vec<Diagnostic>,
}

impl RenderFindings {
    /// The findings in the current text of a file.
    pub(crate) fn of(&self, file: &File) -> &[Diagnostic] {
        let here = self.files.get(&file.id).filter(|here| here.revision == file.revision);
        here.map_or(&[], |here| &here.list)
    }

    /// Whether both are the same for the same texts.
    pub(crate) fn says_the_same(&self, other: &RenderFindings) -> bool {
        self.files == other.files
    }
}

/// Renders all input sets that contain one of `files`; `None` if `cancel` was raised. Code that has to run first is
/// reported to the caller.
pub(crate) fn render_findings(
    state: &Arc<State>,
    files: &[FileId],
    runner: &Runner,
    told: &mut dyn FnMut(Evaluation),
    cancel: &CancelFlag,
) -> Option<RenderFindings> {
    let mut sets: Vec<usize> =
        files.iter().flat_map(|file| state.sets.indices_of_file(*file)).map(|(index, _)| index).collect();
    sets.sort_unstable();
    sets.dedup();
    // Other errors are determined with a state that knows nothing of earlier renderings.
    let state = Arc::new(State { rendered: Arc::default(), ..(**state).clone() });
    let with_sets = sets.iter().filter_map(|index| Some((*index, state.sets.sets.get(*index)?)));
    let mut left = state.most_rendered;
    let mut is_affordable = |set: &WorkspaceSet| {
        let calls = set.alternatives.len().clamp(1, state.most_calls.max(1));
        let rest = left.checked_sub(set.inputs.len().saturating_mul(calls));
        left = rest.unwrap_or(left);
        rest.is_some()
    };
    let (with_sets, too_large): (Vec<_>, Vec<_>) = with_sets
        .filter(|(_, set)| set.not_rendered().is_none())
        .partition::<Vec<(usize, &WorkspaceSet)>, _>(|(_, set)| is_affordable(set));
    let too_large = too_large.into_iter().map(|(_, set)| set.title().to_owned()).collect();
    let needed: FxHashSet<FileId> = with_sets.iter().flat_map(|(_, set)| files_of(&state, set)).collect();
    let needed: Vec<FileId> = needed.into_iter().collect();
    let state = with_code(&state, &needed, Need::Values, runner, 1, told);
    let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
    let is_wrong = |file: FileId| {
        let file = state.file(file);
        file.is_some_and(|file| diagnostics(&state, file, cancel).list.iter().any(is_error))
    };
    let mut found: FxHashMap<FileId, Vec<Diagnostic>> = FxHashMap::default();
    for (index, set) in with_sets {
        if cancel.is_cancelled() {
            return None;
        }
        for finding in SetFindings::of(&state, index, set, &is_wrong, cancel).findings {
            // Several sets share templates, and the mistakes in them.
            let known = found.entry(finding.span.file).or_default();
            if !known.contains(&finding) {
                known.push(finding);
            }
        }
    }
    if cancel.is_cancelled() {
        return None;
    }
    let of_file = |(id, mut list): (FileId, Vec<Diagnostic>)| {
        let file = state.file(id)?;
        suppressions::apply(file, &mut list, Told::Nothing);
        levels::apply(&state, file, &mut list);
        (!list.is_empty()).then(|| (id, OfFile { revision: file.revision, list }))
    };
    Some(RenderFindings { files: found.into_iter().filter_map(of_file).collect(), too_large })
}
