//! The examples in the manual are true: each rule finds its own example.

use crate::opened::{Opened, examples, framed};
use lofting_check::rules;
use std::collections::BTreeSet;

/// Rules whose finding needs more than one file: an evaluator, rendering, a setting, an unreadable file, or a text too
/// large for the manual.
const NOT_SHOWN: &[&str] = &[
    "lofting/",
    // It needs the version of a cluster.
    "kubernetes/removed-api",
    // These need all files of a workspace.
    "schema/ambiguous-referent",
    "schema/missing-referent",
    // Invisible in the manual, or too long.
    "yaml/block-scalar-indentation",
    "yaml/control-character",
    "yaml/too-deep",
    "yaml/alias-limit",
    "yaml/depth-limit",
    "ytt/annotation-in-plain-values",
    "ytt/byte-order-mark",
    "ytt/data-values-key",
    "ytt/evaluation",
    "ytt/library-not-evaluated",
    "ytt/not-evaluated",
    "ytt/overlay-function",
    "ytt/strict",
    "ytt/unused-library",
    "ytt/validation",
    "ytt/when",
];

#[test]
fn every_rule_finds_its_example() {
    let mut wrong = Vec::new();
    let shown = |code: &str| !NOT_SHOWN.iter().any(|name| code.starts_with(name));
    for rule in rules::registry().rules().iter().filter(|rule| shown(rule.code)) {
        let mut found = BTreeSet::new();
        // What is YAML for others alone is not looked at, and some rules have to know all files.
        let framed = examples(rule).into_iter().flat_map(|files| framed(&files).into_iter().chain([files]));
        for opened in framed.map(|files| Opened::scanned(&files)) {
            found.extend(
                (0..opened.files.len())
                    .flat_map(|number| opened.findings(number))
                    .map(|found| found.code().into_owned()),
            );
        }
        if !found.iter().any(|code| code == rule.code || rule.shared && code.ends_with(rule.name())) {
            wrong.push(format!("{rule}: its example gives {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
