//! What an editor renders during a pause.

use crate::evaluation::{Evaluation, Need, Runner};
use crate::findings::diagnostics::diagnostics;
use crate::findings::levels;
use crate::findings::rendered::{RenderFindings, RenderedInFile};
use crate::findings::suppressions::{self, SuppressionFindings};
use crate::input_sets::sets::WorkspaceSet;
use crate::render::{FoundInPrint, PrintedBySets, SetFindings, files_of, is_beyond_ytt};
use crate::running::with_code::with_code;
use crate::state::State;
use lofting_check::{Diagnostic, Severity};
use lofting_diagnostic::{Distinct, Identity};
use lofting_document::FileId;
use lofting_memo::CancelFlag;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Renders all input sets that contain one of `files`; `None` if `cancel` was raised. Code that has to run first is
/// reported to the caller.
pub(crate) fn render_findings(
    state: &Arc<State>,
    files: &[FileId],
    runner: &Runner,
    reported: &mut dyn FnMut(Evaluation),
    cancel: &CancelFlag,
) -> Option<RenderFindings> {
    let mut sets: Vec<usize> =
        files.iter().flat_map(|file| state.sets.indices_of_file(*file)).map(|(index, _)| index).collect();
    sets.sort_unstable();
    sets.dedup();
    // Other errors are determined with a state that knows nothing of earlier renderings.
    let mut alone = (**state).clone();
    alone.rendered = Arc::default();
    let state = Arc::new(alone);
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
    let state = with_code(&state, &needed, Need::Values, runner, 1, reported);
    let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
    let stops = |finding: &Diagnostic| is_error(finding) && !is_beyond_ytt(&state, finding);
    let is_wrong = |file: FileId| {
        let file = state.file(file);
        file.is_some_and(|file| diagnostics(&state, file, cancel).list.iter().any(stops))
    };
    let mut found: FxHashMap<FileId, Distinct> = FxHashMap::default();
    let mut printed = PrintedBySets::default();
    for (index, set) in with_sets {
        if cancel.is_cancelled() {
            return None;
        }
        let of_set = SetFindings::of(&state, index, set, &is_wrong, 1, cancel);
        printed.add(index, of_set.printed);
        for finding in of_set.findings {
            // Several sets share templates, and the mistakes in them.
            found.entry(finding.span.file).or_default().push(finding);
        }
    }
    if cancel.is_cancelled() {
        return None;
    }
    let printed = printed.of_all(&state);
    let mut found: FxHashMap<FileId, Vec<Diagnostic>> =
        found.into_iter().map(|(id, found)| (id, found.into_list())).collect();
    let ids: FxHashSet<FileId> = found.keys().copied().chain(printed.files()).collect();
    let of_file = |id: FileId| {
        let file = state.file(id)?;
        let mut list = found.remove(&id).unwrap_or_default();
        let alone = diagnostics(&state, file, cancel).list;
        let known = FoundInPrint::of(list.iter());
        let refuted = alone.iter().filter(|finding| printed.refutes(&state, finding, &known));
        let refuted: Vec<Identity> = refuted.map(Diagnostic::identity).collect();
        suppressions::apply(file, &mut list, SuppressionFindings::Nothing);
        levels::apply(&state, file, &mut list);
        let in_file = RenderedInFile { revision: file.revision, list, refuted };
        (!in_file.list.is_empty() || !in_file.refuted.is_empty()).then_some((id, in_file))
    };
    Some(RenderFindings { files: ids.into_iter().filter_map(of_file).collect(), too_large })
}
