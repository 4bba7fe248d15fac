//! What ytt's options permit in a file.

use crate::files::file::File;
use crate::findings::state::CheckState;
use crate::inputs::InputOptions;
use lofting_check::Diagnostic;
use lofting_diagnostic::Allowance;
use lofting_document::Options;

/// What the options of all sets of a file permit; what only some of them permit stays an error.
pub(super) struct Permitted {
    unknown_comments: bool,
    key_overrides: bool,
}

impl Permitted {
    /// None if the file is in no set.
    pub(super) fn of(state: &CheckState, file: &File) -> Option<Permitted> {
        let mut options = state.sets.of_file(file.id).map(|(set, _)| set.options);
        let first = options.next()?;
        let allowed = options.fold(first, |all, one| InputOptions {
            ignore_unknown_comments: all.ignore_unknown_comments && one.ignore_unknown_comments,
            implicit_map_key_overrides: all.implicit_map_key_overrides && one.implicit_map_key_overrides,
            ..all
        });
        Some(Permitted {
            unknown_comments: allowed.ignore_unknown_comments,
            key_overrides: allowed.implicit_map_key_overrides,
        })
    }

    /// What one set of options permits.
    pub(super) fn by(options: &Options) -> Permitted {
        Permitted {
            unknown_comments: options.ignore_unknown_comments,
            key_overrides: options.implicit_map_key_overrides,
        }
    }

    /// Whether they permit this finding.
    pub(super) fn has(&self, finding: &Diagnostic) -> bool {
        match finding.rule.allowance {
            Some(Allowance::IgnoreUnknownComments) => self.unknown_comments,
            // Only where a template is evaluated: what is merged is not looked at again.
            Some(Allowance::ImplicitMapKeyOverrides) => self.key_overrides && finding.stage == finding.rule.stage,
            None => false,
        }
    }
}
