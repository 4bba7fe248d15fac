//! Statements of code that cannot be read, in YAML and in files of code.

use super::Collect;
use crate::files::file::File;
use crate::files::scan::is_code;
use crate::findings::state::CheckState;
use crate::input_sets::sets::FileRole;
use crate::inputs::NameKind;
use lofting_check::Severity;
use lofting_document::Span;
use lofting_eval::code::StatementMistake;
use std::collections::BTreeSet;

/// Whether a file of code is an input of `ytt`, which reads it at least if others load it.
pub(crate) fn is_code_of_set(state: &CheckState, file: &File) -> bool {
    is_code(&file.path)
        && state.sets.of_file(file.id).any(|(_, part)| matches!(part, FileRole::Template | FileRole::Library))
}

impl Collect<'_> {
    /// Statements of code that cannot be read, as far as nothing was found in them yet.
    pub(super) fn statements(&mut self) {
        let mut roles = self.state.sets.of_file(self.file.id).map(|(_, part)| part);
        let is_no_code = |part| matches!(part, FileRole::PlainValues | FileRole::LibraryValues | FileRole::NoTemplate);
        let mistakes = &self.file.code().mistakes;
        if mistakes.is_empty() || is_code(&self.file.path) && roles.any(is_no_code) {
            return;
        }
        let errors = self.found.iter().filter(|known| known.severity == Severity::Error);
        let known: BTreeSet<usize> = errors.map(|known| known.marked().range().start).collect();
        let is_new =
            |mistake: &&StatementMistake| known.range(mistake.statement.start..=mistake.statement.end).next().is_none();
        let mut new = mistakes.iter().filter(is_new);
        for StatementMistake { range, message, .. } in new.by_ref().take(self.limit) {
            self.found.push(lofting_check::code_syntax(Span::new(self.file.id, range.clone()), message));
        }
        self.more += new.count();
    }

    /// Whether it is a file of code, apart from YAML, of which it is known that ytt reads it, or that is opened.
    pub(super) fn is_code_to_check(&self) -> bool {
        let is_given = || is_code_of_set(self.state, self.file) || self.state.named.contains(&self.file.id);
        match NameKind::of_path(&self.file.path) {
            NameKind::Starlark => self.file.is_open() || is_given(),
            NameKind::Text | NameKind::TextLibrary => is_given(),
            NameKind::Yaml | NameKind::YamlLibrary | NameKind::Data => false,
        }
    }
}
