//! What the programs that read well-known files refuse, beyond what schemas say.

use super::Collect;
use lofting_check::rules::REPEATED_KEY;
use lofting_check::{format_of, refused_repeated_key, undeclared_names};
use lofting_memo::recorder;

impl Collect<'_> {
    /// Names that the file does not declare, and keys that are written twice.
    pub(super) fn within(&mut self) {
        let Some(format) = format_of(&self.file.path).filter(|_| !self.file.facts.ytt) else { return };
        if format.refuses_repeated_keys {
            let of_rule = |finding: &&mut lofting_check::Diagnostic| *finding.rule == REPEATED_KEY;
            for finding in self.found.iter_mut().filter(of_rule) {
                *finding = refused_repeated_key(finding.clone(), format.reader);
            }
        }
        let state = self.state;
        let exists = |name: &&'static str| {
            let path = self.file.path.with_file_name(name);
            state.file_at(&path).is_some_and(|beside| beside.exists())
        };
        // What is merged with the file may declare what it names.
        let is_alone = recorder::only("files beside", || [state.structure], || !format.beside.iter().any(exists));
        if is_alone {
            self.found.extend(undeclared_names(self.file.id, self.file.tree(), format));
        }
    }
}
