//! The examples in the manual are true: each rule finds its own example.

use super::registry;
use crate::fixture::Fixture;
use crate::{NodeView, Root, ValuesCheck};
use lofting_dialect::json_schema::JsonSchema;
use lofting_dialect::{Dialect, Part};
use lofting_document::{FileId, Options, lower};
use lofting_overlay::NoFunctions;
use std::collections::BTreeSet;
use std::path::Path;

/// Rules whose finding needs more than one file: an evaluator, rendering, a setting, an unreadable file, or a text too
/// large for the manual.
const NOT_SHOWN: &[&str] = &[
    "lofting/",
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

/// The codes of the findings when an example is read as a JSON Schema, with values or without.
fn of_json_schema(example: &str) -> Vec<String> {
    let Some(text) = example.strip_prefix("# schema\n") else { return Vec::new() };
    let (schema, values) = text.split_once("# values\n").unwrap_or((text, ""));
    let read = |text: &str| {
        let tree = lofting_syntax::parse(text);
        lower(FileId(0), &tree, JsonSchema.profile(), Options::default()).documents.into_iter().next()
    };
    let (Some(schema), values) = (read(schema), read(values)) else { return Vec::new() };
    let read = JsonSchema.read(&[Part { document: &schema, claim: None, tree: None }], &NoFunctions);
    let mut found = crate::check_schema(&read.schema, &read.faults, &());
    if let Some(values) = values.filter(|values| !values.value.missing) {
        let root = Root::new(NodeView(&values.value), values.value.span);
        found.extend(ValuesCheck::alone(&read.schema, &()).run(root).into_diagnostics());
    }
    found.iter().map(|finding| finding.code().to_string()).collect()
}

#[test]
fn every_rule_is_documented_and_its_example_is_found() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let mut wrong = Vec::new();
    for rule in registry().rules() {
        let file = folder.join(format!("{}.rs", rule.code.replace(['/', '-'], "_")));
        let of_dialect =
            format!("../dialect/src/{}/rules/{}.rs", rule.family().replace('-', "_"), rule.name().replace('-', "_"));
        if !file.is_file() && !Path::new(env!("CARGO_MANIFEST_DIR")).join(of_dialect).is_file() {
            wrong.push(format!("{rule}: no file {}", file.display()));
        }
        if rule.title().is_empty() {
            wrong.push(format!("{rule}: no title"));
        }
        let headings: Vec<&str> = rule.sections().iter().map(|section| section.heading).collect();
        if headings != ["What", "Why", "Example", "How to mend"] {
            wrong.push(format!("{rule}: its sections are {headings:?}"));
        }
        if NOT_SHOWN.iter().any(|name| rule.code.starts_with(name)) {
            continue;
        }
        let text = rule.section("Example");
        let example = text.split("```yaml\n").nth(1).and_then(|rest| rest.split("```").next());
        let Some(example) = example else {
            wrong.push(format!("{rule}: no example"));
            continue;
        };
        let fixture = Fixture::new(&lofting_fixture::of_example(example));
        let found = fixture.findings().into_iter().chain(fixture.written_defaults()).chain(fixture.unused_keys());
        let found: Vec<_> = found.map(|finding| finding.code().into_owned()).collect();
        let found: BTreeSet<String> = found.into_iter().chain(of_json_schema(example)).collect();
        let told = found.iter().any(|code| code == rule.code || rule.shared && code.ends_with(rule.name()));
        if !told {
            wrong.push(format!("{rule}: its example gives {found:?}:\n{example}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn codes_are_unique_and_found() {
    let rules = registry().rules();
    let codes: BTreeSet<&str> = rules.iter().map(|rule| rule.code).collect();
    assert_eq!(codes.len(), rules.len());
    for rule in rules {
        assert_eq!(registry().get(rule.code), Some(*rule));
    }
    assert_eq!(registry().get("ytt/no-such-rule"), None);
    assert_eq!(registry().nearest("ytt/undeclared-keys").map(|rule| rule.code), Some("ytt/undeclared-key"));
    assert_eq!(registry().nearest("type-mismatch").map(|rule| rule.code), Some("ytt/type-mismatch"));
    assert_eq!(registry().nearest("something/else-altogether"), None);
}

#[test]
fn every_fault_of_the_parser_has_its_rule() {
    for fault in lofting_syntax::ErrorCode::ALL {
        assert_eq!(super::of_fault(*fault).code, fault.code());
    }
}

#[test]
fn every_code_that_can_be_produced_is_in_the_manual() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules.md");
    let page = std::fs::read_to_string(page).expect("docs/rules.md");
    let rules = registry().rules().iter().map(|rule| format!("\n## `{}`\n", rule.code));
    let missing: Vec<String> = rules.filter(|line| !page.contains(line)).collect();
    assert!(missing.is_empty(), "run `cargo xtask docs`: {missing:?}");
}

/// Codes are written into files that live for years.
#[test]
fn no_code_means_two_rules_and_every_rule_says_since_when_it_exists() {
    let parts = |version: &str| version.split('.').map(str::parse).collect::<Result<Vec<u32>, _>>().expect("a version");
    let now = parts(env!("CARGO_PKG_VERSION"));
    let mut former = BTreeSet::new();
    for rule in registry().rules() {
        assert!(parts(rule.since) <= now, "{rule} exists since {}, which is later than today", rule.since);
        for code in rule.former {
            assert_eq!(registry().rules().iter().find(|other| other.code == *code), None, "{code} has two meanings");
            assert!(former.insert(*code), "{code} was two rules");
        }
    }
}
