//! The registry: files, pages and codes of all rules. Whether the examples are true, tests of the whole pipeline check.

use super::{registry, sample};
use crate::place::{EntryPlace, Look};
use lofting_diagnostic::Said;
use lofting_document::{FileId, Key, Span};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_rule_has_its_file_and_its_page() {
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
        for code in registry().codes(rule) {
            let family = code.split('/').next().unwrap_or_default();
            let sections = rule.sections().into_iter().filter(|section| section.readers.contain(family));
            let mut headings: Vec<&str> = sections.map(|section| section.heading).collect();
            headings.dedup();
            if headings != ["What", "Why", "Example", "How to fix"] {
                wrong.push(format!("{code}: the sections are {headings:?}"));
            }
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
fn what_rules_say_instead_of_schemas_is_a_rule_of_schemas() {
    for rule in registry().rules() {
        for said in rule.instead_of {
            let Said::Value(name) = said else { continue };
            assert!(registry().rules().iter().any(|of| of.shared && of.name() == *name), "{rule}: {name}");
        }
    }
}

#[test]
fn every_fault_of_the_parser_has_its_rule() {
    for fault in lofting_syntax::ErrorCode::ALL {
        assert_eq!(super::of_fault(*fault).code, fault.code());
    }
}

#[test]
fn every_code_that_can_be_produced_is_in_the_manual() {
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let mut pages = BTreeSet::new();
    for (path, text) in lofting_diagnostic::manual::pages(registry()) {
        let written = std::fs::read_to_string(manual.join(&path)).unwrap_or_default();
        assert_eq!(written, text, "docs/{path} is old: run `cargo xtask docs`");
        assert!(pages.insert(path.clone()), "two rules have the page {path}");
    }
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

/// A new rule begins as a copy of the sample (`cargo xtask new-rule`).
#[test]
fn the_sample_is_a_rule() {
    let headings: Vec<&str> = sample::RULE.sections().iter().map(|section| section.heading).collect();
    assert_eq!(headings, ["What", "Why", "Example", "How to fix"]);
    let [Look::Entry(look)] = sample::LOOKS.at else { panic!("it looks at entries") };
    let mut found = Vec::new();
    for key in ["changeme", "other"] {
        let span = Span::new(FileId(0), 0..key.len());
        look(&EntryPlace { key: &Key::String(key.into()), span, notes: None, merged: false, source: &() }, &mut found);
    }
    assert!(matches!(found.as_slice(), [finding] if *finding.rule == sample::RULE), "{found:?}");
}
