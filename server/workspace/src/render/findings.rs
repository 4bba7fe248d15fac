//! The findings of rendering: in a set, and in an editor's files during a pause.

use super::printed::Printed;
use super::resources::{self, Resources};
use super::together::{self, Around};
use super::{RenderedFile, own_files_of, render};
use crate::findings::calls::{CallReport, calls_of};
use crate::findings::meant::{MadeBy, join_meant};
use crate::findings::said::drop_said;
use crate::input_sets::sets::WorkspaceSet;
use crate::state::State;
use lofting_check::{Diagnostic, KeptInFiles, Related, Severity};
use lofting_document::{FileId, Span};
use lofting_memo::CancelFlag;
use rustc_hash::{FxHashMap, FxHashSet};

/// How many values files are named as those with errors.
const MAX_VALUES: usize = 5;

/// The findings of rendering the calls of a set.
#[derive(Default)]
pub(crate) struct SetFindings {
    /// Each one once, however many calls it was found in.
    pub findings: Vec<Diagnostic>,
    /// Calls that were rendered.
    pub rendered: usize,
    /// What was not rendered, with reasons for the user.
    pub left_out: Vec<String>,
    /// What all calls have printed.
    pub printed: Printed,
}

impl SetFindings {
    /// Renders all calls of a set whose files and values have no errors. `is_wrong`: there is an error in a file.
    pub fn of(
        state: &State,
        index: usize,
        set: &WorkspaceSet,
        is_wrong: &dyn Fn(FileId) -> bool,
        threads: usize,
        cancel: &CancelFlag,
    ) -> SetFindings {
        let title = set.title();
        let why = set.not_rendered().or_else(|| {
            let mut files = own_files_of(state, set).filter(|file| !set.alternatives.contains(file));
            files.any(is_wrong).then_some("its files have errors")
        });
        if let Some(why) = why {
            let left_out = vec![format!("the input set {title} is not rendered: {why}")];
            return SetFindings { left_out, ..SetFindings::default() };
        }
        let mut of_set = SetFindings::default();
        let mut found: Vec<(Diagnostic, Vec<FileId>)> = Vec::new();
        let mut printed: Option<Printed> = None;
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
            let rendered = render(state, set, &call.values, Some((index, alternative)), threads, cancel);
            let output = rendered.files.map(|files| OutputFindings::of(state, set, &files, Around::Workspace, cancel));
            let output = output.unwrap_or_default();
            match &mut printed {
                Some(printed) => printed.and(output.printed),
                None => printed = Some(output.printed),
            }
            for finding in rendered.findings.into_iter().chain(output.found) {
                match found.iter_mut().find(|(known, _)| *known == finding) {
                    Some((_, with)) => with.extend(alternative),
                    None => found.push((finding, alternative.into_iter().collect())),
                }
            }
        }
        // A call that is left out may print something else.
        of_set.printed = printed.filter(|_| of_set.left_out.is_empty()).unwrap_or_default();
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

/// What is wrong with the output of a call by the rules of what it is.
#[derive(Default)]
pub(crate) struct OutputFindings {
    pub found: Vec<Diagnostic>,
    pub printed: Printed,
}

impl OutputFindings {
    pub fn of(
        state: &State,
        set: &WorkspaceSet,
        files: &[RenderedFile],
        around: Around,
        cancel: &CancelFlag,
    ) -> OutputFindings {
        let mut kept = KeptInFiles::default();
        let Resources { mut found, checked } = resources::findings(state, files, &mut kept, cancel);
        found.extend(together::findings(state, files, around, &mut kept, cancel));
        drop_said(state, &mut found, |id| state.file(id).map(|file| &**file));
        join_meant(&mut found, MadeBy::Code, |id| state.file(id).map(|file| &**file));
        let printed = checked.filter(|_| !kept.has_dropped() && !cancel.is_cancelled());
        let printed = printed.map(|checked| Printed::of(state, set, files, &checked)).unwrap_or_default();
        OutputFindings { found, printed }
    }
}

/// Code that cannot load a file says why; if the file itself already has that error, it is reported only there.
pub(super) fn drop_followers(found: &mut Vec<Diagnostic>) {
    // Each file of a cycle of loads says the same.
    let mut in_cycles: FxHashSet<Span> = FxHashSet::default();
    found.retain(|finding| {
        if !finding.message.contains("cycle in load graph") {
            return true;
        }
        let is_said = in_cycles.contains(&finding.span);
        in_cycles.extend(finding.related.iter().map(|related| related.span));
        !is_said
    });
    // A library file fails where it is loaded as it does by itself.
    let mut said: FxHashSet<(Span, String)> = FxHashSet::default();
    found.retain(|finding| said.insert((finding.span, finding.message.clone())));
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
