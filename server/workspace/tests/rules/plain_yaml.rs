//! YAML that is nothing of ytt's: what YAML allows is not an error, and no finding speaks of ytt.

use crate::opened::Opened;
use lofting_check::Severity;
use lofting_fixture::File;
use std::fs;
use std::path::Path;

/// What is special about a text, the text, and the codes of what is found in it with a schema for maps, for arrays and for
/// everything else. Without a schema it is the same without `yaml/collection-key`.
const TEXTS: &[(&str, &str, &[&str])] = &[
    ("an array as a key", "? [a, b]\n: 1\n", &["yaml/collection-key"]),
    ("a map as a key", "? {a: b}\n: 1\n", &["yaml/collection-key"]),
    ("a block as a key", "?\n  a: b\n:\n  - 1\n", &["yaml/collection-key"]),
    ("a flow map before the colon", "{a: b}: 1\n", &["yaml/collection-key"]),
    ("an array as a key between brackets", "{[a]: 1, ? {b: 1} : 2}\n", &["yaml/collection-key", "yaml/collection-key"]),
    ("an alias of an array as a key", "a: &x [1]\n? *x\n: 2\n", &["yaml/collection-key"]),
    ("a value that lacks its key", "a: 1\n[b]: 2\n", &["yaml/collection-key"]),
    ("an alias as a key", "a: &x b\n*x : 2\n", &[]),
    ("a set", "? a\n? b\n", &[]),
    ("a tagged set", "--- !!set\n? a\n? b\n", &[]),
    ("an ordered map", "--- !!omap\n- a: 1\n- b: 2\n", &[]),
    ("keys of all types", "1: a\n1.5: b\ntrue: c\nnull: d\n~x: e\n2020-01-01: f\n", &[]),
    ("no key", "a: 1\n: web\n", &[]),
    ("no key between brackets", "{a: 1, : web}\n", &[]),
    ("an escaped slash", "a: \"b\\/c\"\n", &[]),
    ("a character as two escapes", "a: \"\\ud83d\\ude00\"\n", &[]),
    ("text that begins with a colon", "a: [:b, ::c]\n", &[]),
    ("a question mark between brackets", "a: [b?c, d?]\n", &[]),
    ("a bracket after a colon", "{a:[b], \"c\":[d]}\n", &[]),
    ("names of anchors", "a: &b.c/d:é x\nb: *b.c/d:é\n", &[]),
    ("text at the margin", "--- |\ntext\n", &[]),
    ("a document after its end", "a: 1\n...\nb: 2\n", &[]),
    ("a byte order mark", "\u{feff}# comment\n---\na: 1\n", &[]),
    ("YAML 1.2", "%YAML 1.2\n---\na: 1\n", &[]),
    ("YAML 1.1", "%YAML 1.1\n---\na: 1\n", &[]),
    ("an unknown directive", "%FOO bar\n---\na: 1\n", &[]),
    ("a handle", "%TAG !e! tag:example.com,2000:\n---\na: !e!b c\n", &[]),
    ("a blank line with a tab", "a:\n\t\n  b: 1\n", &[]),
    ("a tab after a dash", "-\t1\n-\t2\n", &[]),
    ("words that were boolean", "on: yes\noff: no\n", &[]),
    ("numbers of YAML 1.1", "a: 0b1\nb: 1_000\nc: 190:20:30\nd: 0o7\n", &[]),
    ("a merge key", "a: &a {b: 1}\nc:\n  <<: *a\n  b: 2\n", &[]),
    ("several merge keys", "a: &a {b: 1}\nc:\n  <<: [*a, {d: 1}]\n", &[]),
    ("tags of an application", "a: !include b.yml\nc: !!python/name:d.e\n", &[]),
    ("a comment with an exclamation mark", "#! text\na: 1 #! more\n", &[]),
    ("a tag that does not fit", "a: !!int b\n", &["yaml/tag"]),
    ("a key twice", "a: 1\na: 2\n", &["yaml/repeated-key"]),
    ("no key twice", ": 1\n: 2\n", &["yaml/repeated-key"]),
    ("an alias of nothing", "a: *b\n", &["yaml/unknown-alias"]),
    ("an alias of itself", "a: &a [*a]\n", &["yaml/alias-cycle"]),
    ("other spaces as indentation", "a:\n\u{a0}\u{a0}b: 1\n", &["yaml/unicode-space"]),
    ("another space before a colon", "a\u{3000}: 1\n", &["yaml/unicode-space"]),
    ("another space before a value", "a: \u{a0}5\n", &["yaml/unicode-space"]),
    ("another space after the colon of an item", "- a:\u{202f}5\n", &["yaml/unicode-space"]),
    ("another space after a colon", "a: 1\nb:\u{a0}2\n", &["yaml/missing-space"]),
    ("another space after a dash", "a:\n- b\n-\u{a0}c\n", &["yaml/missing-space"]),
    ("other spaces in a text", "a: b\u{a0}c\n\"\u{a0}e\": '\u{a0}f'\ng: |\n  \u{a0}h\n", &[]),
    ("a merged value that is no map", "a:\n  <<: 1\n", &["yaml/merge-value"]),
];

/// The codes and severities of what is found in a text, without a schema or with one.
fn found(text: &str, with_schema: bool) -> Vec<(String, Severity)> {
    let file = |path: &str, text: String| File { path: path.to_owned(), text };
    let mut files = vec![file("app.yml", text.to_owned())];
    if with_schema {
        let named = "[[schemas]]\nfiles = [\"app.yml\"]\npath = \"any.json\"\n";
        files.push(file("any.json", "{}\n".to_owned()));
        files.push(file("lofting.toml", named.to_owned()));
    }
    let opened = Opened::scanned(&files);
    opened.findings(0).iter().map(|finding| (finding.code().into_owned(), finding.severity)).collect()
}

#[test]
fn nothing_that_yaml_allows_is_an_error() {
    for (what, text, codes) in TEXTS {
        for with_schema in [false, true] {
            let wanted: Vec<&str> =
                codes.iter().copied().filter(|code| with_schema || *code != "yaml/collection-key").collect();
            let found = found(text, with_schema);
            let found: Vec<&str> = found.iter().map(|(code, _)| code.as_str()).collect();
            assert_eq!(found, wanted, "{what}, with a schema: {with_schema}\n{text}");
        }
    }
}

#[test]
fn no_valid_case_of_the_yaml_test_suite_is_an_error() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/yaml-test-suite");
    let Ok(cases) = fs::read_dir(folder) else {
        eprintln!("skipped: not present");
        return;
    };
    let cases = cases.flatten().map(|case| case.path()).filter(|case| !case.join("error").exists());
    let mut wrong = Vec::new();
    for case in cases {
        let Ok(text) = fs::read_to_string(case.join("in.yaml")) else { continue };
        for with_schema in [false, true] {
            let found = found(&text, with_schema);
            let is_wrong =
                |(code, severity): &(String, Severity)| *severity == Severity::Error || code.starts_with("ytt/");
            if found.iter().any(is_wrong) {
                wrong.push(format!("{}, with a schema: {with_schema}: {found:?}", case.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
