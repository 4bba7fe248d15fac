//! Addresses in the published manual.

use lofting_diagnostic::{Rule, manual};

/// The page of a rule, which stays there as long as the rule.
pub(crate) fn address(rule: &Rule) -> String {
    format!("{}/blob/main/docs/{}.md", env!("CARGO_PKG_REPOSITORY"), manual::path(rule))
}
