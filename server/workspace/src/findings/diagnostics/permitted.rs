//! What ytt's options permit in a file.

use lofting_check::Diagnostic;
use lofting_diagnostic::Allowance;
use lofting_document::Options;

/// What the options permit with which a file is read.
pub(super) struct Permitted {
    unknown_comments: bool,
    key_overrides: bool,
}

impl Permitted {
    /// What these options permit.
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
