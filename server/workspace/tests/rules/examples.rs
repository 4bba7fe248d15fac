//! The examples in the manual are true: each rule finds its own example.

use crate::opened::{Opened, all_examples, examples, framed};
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::manual;
use std::collections::BTreeSet;

/// Rules whose finding needs more than one file: an evaluator, rendering, a setting, an unreadable file, or a text too
/// large for the manual.
const NOT_SHOWN: &[&str] = &[
    "lofting/",
    // It needs the version of a cluster.
    "kubernetes/removed-api",
    // These need all files of a workspace.
    "kubernetes/missing-file",
    "kubernetes/unmatched-patch",
    "schema/ambiguous-referent",
    "schema/missing-referent",
    // It needs the name of the file.
    "yaml/undeclared-name",
    // Invisible in the manual, or too long.
    "yaml/block-scalar-indentation",
    "yaml/control-character",
    "yaml/line-separator",
    "yaml/missing-space",
    "yaml/unicode-space",
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

/// Words that only users of ytt know.
const WORDS_OF_YTT: &[&str] =
    &["ytt", "#@", "map item", "array item", "Starlark", "NoneType", "dict", "data value", "overlay", "allowed values"];

/// What a finding says, and the page that it leads to.
fn texts_of(finding: &Diagnostic) -> Vec<String> {
    let own = [Some(finding.message.clone()), finding.found.clone(), finding.expected.clone(), finding.help.clone()];
    let related = finding.related.iter().map(|related| related.message.clone());
    let fixes = finding.fixes.iter().map(|fix| fix.title.clone());
    own.into_iter().flatten().chain(related).chain(fixes).collect()
}

#[test]
fn users_of_other_languages_meet_no_words_of_ytt() {
    let is_of_ytt = |file: &lofting_fixture::File| file.text.contains("#@") || file.text.contains("#!");
    let (mut seen, mut wrong) = (BTreeSet::new(), BTreeSet::new());
    // Comments that look like annotations are about ytt, wherever they are.
    let others = all_examples().filter(|(code, _)| *code != "ytt/annotation-as-comment");
    let of_others = others.map(|(_, files)| files).filter(|files| !files.iter().any(is_of_ytt));
    for opened in of_others.map(|files| Opened::scanned(&files)) {
        for finding in (0..opened.files.len()).flat_map(|number| opened.findings(number)) {
            let code = finding.code().into_owned();
            let page = manual::section(finding.rule, &code);
            let shown = [vec![page], texts_of(&finding)].concat();
            for (text, word) in shown.iter().flat_map(|text| WORDS_OF_YTT.iter().map(move |word| (text, word))) {
                if text.contains(word) {
                    wrong.insert(format!(
                        "{code}: `{word}` in {}",
                        text.lines().find(|line| line.contains(word)).unwrap_or(text)
                    ));
                }
            }
            seen.insert(code);
        }
    }
    assert!(seen.len() > 60 && seen.contains("json-schema/max-len"), "{seen:?}");
    assert!(wrong.is_empty(), "{}", Vec::from_iter(wrong).join("\n"));
}
