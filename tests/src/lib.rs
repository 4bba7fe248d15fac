//! Tests across crates, and what they share with the bench.

pub mod catalogue;
pub mod history;
pub mod made_up;
pub mod server_errors;
pub mod shapes;
pub mod web;

use serde_json::Value;

/// Whether a pulled report of diagnostics is one that is replaced when code of users has run: nothing else says so.
pub fn is_partial(report: &Value) -> bool {
    report["resultId"].as_str().is_some_and(|id| id.starts_with("partial-"))
}
