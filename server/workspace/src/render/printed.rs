//! Findings in files that ytt passes on. What such a file says by itself is what is printed, unless overlays change it:
//! then what is printed decides.

use super::{RenderedContent, RenderedFile};
use crate::association::associate::kind;
use crate::association::kind::FileKind;
use crate::input_sets::sets::{FileRole, WorkspaceSet};
use crate::state::State;
use lofting_check::{Diagnostic, Stage};
use lofting_dialect::kubernetes::REMOVED_API;
use lofting_document::{FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether ytt knows nothing of a finding, because it only passes on what it is about: it does not keep ytt from rendering.
pub(crate) fn is_beyond_ytt(state: &State, finding: &Diagnostic) -> bool {
    let id = finding.span.file;
    let is_passed_on = || {
        let file = state.file(id).filter(|file| !file.facts.ytt);
        let has_values = |(_, role): (_, FileRole)| role != FileRole::Template && role.is_read();
        file.is_some_and(|file| matches!(kind(state, file), FileKind::Parts | FileKind::Other))
            && !state.sets.indices_of_file(id).any(has_values)
    };
    !matches!(finding.stage, Stage::Parse | Stage::Template) && is_passed_on()
}

/// The files of a set that were passed on, and what of them was printed without being checked again.
#[derive(Default)]
pub(crate) struct Printed {
    files: FxHashMap<FileId, Vec<Span>>,
}

impl Printed {
    /// The files of one call. `checked`: the documents that were printed and checked.
    pub fn of(state: &State, set: &WorkspaceSet, files: &[RenderedFile], checked: &FxHashSet<Span>) -> Printed {
        let is_plain = |id: &FileId| state.file(*id).is_some_and(|file| !file.facts.ytt);
        let mut printed: FxHashMap<FileId, Vec<Span>> =
            set.templates.iter().copied().filter(is_plain).map(|id| (id, Vec::new())).collect();
        let documents = files.iter().flat_map(|file| match &file.content {
            RenderedContent::Documents(documents) => documents.as_slice(),
            RenderedContent::Text(_) => &[],
        });
        // Those of libraries are printed by the templates that ask for them.
        for document in documents.filter(|document| is_plain(&document.span.file)) {
            let unchecked = printed.entry(document.span.file).or_default();
            if !checked.contains(&document.span) {
                unchecked.push(document.span);
            }
        }
        Printed { files: printed }
    }

    /// Adds another call: only files that both have printed are known.
    pub fn and(&mut self, mut other: Printed) {
        self.files.retain(|file, unchecked| {
            let spans = other.files.remove(file);
            unchecked.extend(spans.iter().flatten().copied());
            spans.is_some()
        });
    }

    /// The files of which all that counts was printed.
    pub fn files(&self) -> impl Iterator<Item = FileId> {
        self.files.keys().copied()
    }

    /// Whether a finding in a file by itself does not hold for what is printed.
    pub fn refutes(&self, state: &State, finding: &Diagnostic, found: &FoundInPrint<'_>) -> bool {
        let Some(unchecked) = self.files.get(&finding.span.file) else { return false };
        let Span { start, end, .. } = finding.span;
        let is_about_value = matches!(finding.stage, Stage::Type | Stage::Validation) || *finding.rule == REMOVED_API;
        let is_unchecked = unchecked.iter().any(|span| span.start <= start && end <= span.end);
        !is_unchecked && is_about_value && is_beyond_ytt(state, finding) && !found.has(finding)
    }
}

/// The findings in what is printed, to look for others among them.
pub(crate) struct FoundInPrint<'d> {
    findings: FxHashSet<(&'static str, Span, &'d str)>,
}

impl<'d> FoundInPrint<'d> {
    pub fn of(findings: impl Iterator<Item = &'d Diagnostic>) -> Self {
        FoundInPrint { findings: findings.map(Self::told).collect() }
    }

    fn told(finding: &Diagnostic) -> (&'static str, Span, &str) {
        (finding.rule.code, finding.span, &finding.message)
    }

    fn has(&self, finding: &Diagnostic) -> bool {
        self.findings.contains(&Self::told(finding))
    }
}

/// What several sets have printed.
#[derive(Default)]
pub(crate) struct PrintedBySets {
    sets: FxHashMap<usize, Printed>,
}

impl PrintedBySets {
    /// Adds the set of a number.
    pub fn add(&mut self, set: usize, printed: Printed) {
        self.sets.insert(set, printed);
    }

    /// The files that all sets with them have printed.
    pub fn of_all(&self, state: &State) -> Printed {
        let of_file = |file: FileId| {
            let sets = state.sets.indices_of_file(file).map(|(set, _)| set);
            let spans = sets.map(|set| self.sets.get(&set)?.files.get(&file));
            spans.collect::<Option<Vec<_>>>().map(|spans| spans.into_iter().flatten().copied().collect())
        };
        let files: FxHashSet<FileId> = self.sets.values().flat_map(|printed| printed.files.keys().copied()).collect();
        Printed { files: files.into_iter().filter_map(|file| Some((file, of_file(file)?))).collect() }
    }
}
