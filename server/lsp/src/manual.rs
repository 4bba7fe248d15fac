//! Addresses in the published manual.

use lofting_diagnostic::{Rule, manual};

/// Where the manual describes a rule.
pub(crate) fn address(rule: &Rule) -> String {
    format!("{}/blob/main/docs/rules.md#{}", env!("CARGO_PKG_REPOSITORY"), manual::anchor(rule.code))
}
