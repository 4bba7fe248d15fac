//! The examples in the manual are true: each is found by its rule.

use super::RULES;
use crate::fixture::Fixture;
use std::collections::BTreeSet;
use std::path::Path;

/// Rules whose finding needs more than a file: an evaluator, rendering, a setting, an unreadable file, or a text
/// too large for a manual.
const NOT_SHOWN: &[&str] = &[
    "lofting/",
    "yaml/alias-limit",
    "yaml/depth-limit",
    "ytt/annotation-in-plain-values",
    "ytt/byte-order-mark",
    "ytt/data-values-key",
    "ytt/evaluation",
    "ytt/library-unused",
    "ytt/not-evaluated",
    "ytt/overlay-function",
    "ytt/strict",
    "ytt/validation",
    "ytt/when",
];

/// The module documentation of a rule's file.
fn documentation(file: &Path) -> String {
    let text = std::fs::read_to_string(file).expect("a readable source");
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    lines.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
}

/// The files of an example: `#! schema`, `#! values` and `#! template` begin one each.
fn files(example: &str) -> String {
    if let Some((schema, template)) =
        example.strip_prefix("#! schema\n").and_then(|rest| rest.split_once("#! template\n"))
    {
        return format!("#- schema.yml\n#@data/values-schema\n---\n{schema}#- app.yml\n{template}");
    }
    match example.strip_prefix("#! schema\n").and_then(|rest| rest.split_once("#! values\n")) {
        Some((schema, values)) => {
            format!("#- schema.yml\n#@data/values-schema\n---\n{schema}#- values.yml\n#@data/values\n---\n{values}")
        }
        None => format!("#- all.yml\n{example}"),
    }
}

#[test]
fn every_rule_is_documented_and_its_example_is_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let mut wrong = Vec::new();
    for rule in RULES {
        let file = folder.join(format!("{}.rs", rule.code.replace(['/', '-'], "_")));
        if !file.is_file() {
            wrong.push(format!("{}: no file {}", rule.code, file.display()));
            continue;
        }
        let text = documentation(&file);
        for part in ["# ", "## What\n", "## Why\n", "## Example\n", "## How to mend\n"] {
            if !text.contains(part) {
                wrong.push(format!("{}: no {part:?} in its documentation", rule.code));
            }
        }
        if NOT_SHOWN.iter().any(|name| rule.code.starts_with(name)) {
            continue;
        }
        let example = text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next());
        let Some(example) = example else {
            wrong.push(format!("{}: no example", rule.code));
            continue;
        };
        let found: BTreeSet<&str> =
            Fixture::new(&files(example)).findings().iter().map(|finding| finding.code).collect();
        if !found.contains(rule.code) {
            wrong.push(format!("{}: its example gives {found:?}:\n{example}", rule.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn codes_are_unique() {
    let codes: BTreeSet<&str> = RULES.iter().map(|rule| rule.code).collect();
    assert_eq!(codes.len(), RULES.len());
}
