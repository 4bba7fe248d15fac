//! A text has one list of findings for all callers: `lofting check` with and without names, ytt's flags, `values`,
//! and the editor.

use super::checks::no_evaluator;
use crate::command_line::outcome::input_set_outcome;
use crate::fixture::{Fixture, strings};
use crate::inputs::{InputContext, InputFlags, InputSet};
use crate::settings::Settings;
use crate::{CancelFlag, CheckReport, check_input_set, check_workspace};
use expect_test::{Expect, expect};
use lofting_check::Diagnostic;

const SCHEMA: &str = "#- schema.yml\n#@data/values-schema\n---\na: 1\nb: x\n";

fn codes<'d>(findings: impl Iterator<Item = &'d Diagnostic>) -> String {
    let mut codes: Vec<String> =
        findings.map(|finding| format!("{} {}", finding.severity.as_str(), finding.code())).collect();
    codes.sort();
    codes.dedup();
    if codes.is_empty() { "nothing".to_owned() } else { codes.join(", ") }
}

/// What each way of asking says about a file beside the schema.
fn asked(file: &str, text: &str) -> String {
    let mut fixture = Fixture::new(SCHEMA, Settings::default());
    fixture.write(file, text);
    let base = fixture.root();
    let context = InputContext { base: base.clone(), environment: Vec::new(), streams: Default::default() };
    let of_file = |report: &CheckReport| {
        let checked = report.files.iter().find(|checked| checked.shown == file);
        checked.map_or("not checked".to_owned(), |checked| codes(checked.diagnostics.iter()))
    };
    let workspace = |paths: &[&str]| {
        check_workspace(&base, &strings(paths), Settings::default(), no_evaluator(), &CancelFlag::new())
            .expect("a check")
    };
    let set = |flags: InputFlags| InputSet::from_flags(&flags, &context).expect("a set");
    let given = || set(InputFlags { files: strings(&["schema.yml", file]), ..InputFlags::default() });
    let plain = set(InputFlags {
        files: strings(&["schema.yml"]),
        data_values_files: strings(&[file]),
        ..InputFlags::default()
    });
    let mut lines = vec![
        format!("check: {}", of_file(&workspace(&[]))),
        format!("check FILE: {}", of_file(&workspace(&[file]))),
        format!("check -f: {}", of_file(&check_input_set(&given(), Settings::default(), no_evaluator()))),
        format!("values -f: {}", codes(input_set_outcome(&given(), no_evaluator()).report.diagnostics())),
        format!("check --data-values-file: {}", of_file(&check_input_set(&plain, Settings::default(), no_evaluator()))),
        format!("values --data-values-file: {}", codes(input_set_outcome(&plain, no_evaluator()).report.diagnostics())),
    ];
    fixture.workspace.scan(&mut |_| {}, &CancelFlag::new());
    let id = fixture.open(file, text);
    lines.push(format!("editor: {}", codes(fixture.workspace.snapshot().diagnostics(id, &CancelFlag::new()).iter())));
    lines.join("\n") + "\n"
}

#[track_caller]
fn check(file: &str, text: &str, expected: Expect) {
    expected.assert_eq(&asked(file, text));
}

#[test]
fn a_byte_order_mark_before_an_annotation() {
    // What its name is, makes no difference.
    for file in ["values.yml", "other.yml"] {
        check(
            file,
            "\u{feff}#@data/values\n---\na: 2\n",
            expect![[r#"
        check: warning ytt/byte-order-mark
        check FILE: warning ytt/byte-order-mark
        check -f: warning ytt/byte-order-mark
        values -f: warning ytt/byte-order-mark
        check --data-values-file: error ytt/annotation-in-plain-values, warning ytt/byte-order-mark
        values --data-values-file: error ytt/annotation-in-plain-values, warning ytt/byte-order-mark
        editor: warning ytt/byte-order-mark
    "#]],
        );
    }
}

#[test]
fn a_byte_order_mark_before_values() {
    check(
        "values.yml",
        "\u{feff}a: 2\n",
        expect![[r#"
        check: error ytt/undeclared-key, warning ytt/byte-order-mark
        check FILE: error ytt/undeclared-key, warning ytt/byte-order-mark
        check -f: nothing
        values -f: nothing
        check --data-values-file: error ytt/undeclared-key, warning ytt/byte-order-mark
        values --data-values-file: error ytt/undeclared-key, warning ytt/byte-order-mark
        editor: error ytt/undeclared-key, warning ytt/byte-order-mark
    "#]],
    );
}

#[test]
fn repeated_keys() {
    check(
        "values.yml",
        "#@data/values\n---\na: 2\na: 3\n",
        expect![[r#"
        check: error ytt/duplicate-key
        check FILE: error ytt/duplicate-key
        check -f: error ytt/duplicate-key
        values -f: error ytt/duplicate-key
        check --data-values-file: error ytt/annotation-in-plain-values, error ytt/duplicate-key
        values --data-values-file: error ytt/annotation-in-plain-values, error ytt/duplicate-key
        editor: error ytt/duplicate-key
    "#]],
    );
    check(
        "values.yml",
        "a: 2\na: 3\n",
        expect![[r#"
        check: warning yaml/repeated-key
        check FILE: warning yaml/repeated-key
        check -f: nothing
        values -f: nothing
        check --data-values-file: warning yaml/repeated-key
        values --data-values-file: warning yaml/repeated-key
        editor: warning yaml/repeated-key
    "#]],
    );
}

#[test]
fn code_and_text() {
    check(
        "lib.star",
        "x = 1 +\n",
        expect![[r#"
        check: not checked
        check FILE: error ytt/code-syntax
        check -f: not checked
        values -f: nothing
        check --data-values-file: error ytt/type-mismatch
        values --data-values-file: error ytt/type-mismatch
        editor: error ytt/code-syntax
    "#]],
    );
    check(
        "notes.txt",
        "(@ x @)\n#@data/values\n",
        expect![[r#"
            check: not checked
            check FILE: nothing
            check -f: not checked
            values -f: nothing
            check --data-values-file: error ytt/annotation-in-plain-values
            values --data-values-file: error ytt/annotation-in-plain-values
            editor: nothing
        "#]],
    );
}

#[test]
fn damage() {
    check(
        "values.yml",
        "a: [1\nb: }\n",
        expect![[r#"
            check: error yaml/unclosed-flow
            check FILE: error yaml/unclosed-flow
            check -f: error yaml/unclosed-flow
            values -f: error yaml/unclosed-flow
            check --data-values-file: error yaml/unclosed-flow
            values --data-values-file: error yaml/unclosed-flow
            editor: error yaml/unclosed-flow
        "#]],
    );
    check(
        "values.yml",
        "#@data/values\n---\na: [1\nb: }\n",
        expect![[r#"
            check: error yaml/unclosed-flow
            check FILE: error yaml/unclosed-flow
            check -f: error yaml/unclosed-flow
            values -f: error yaml/unclosed-flow
            check --data-values-file: error yaml/unclosed-flow
            values --data-values-file: error yaml/unclosed-flow
            editor: error yaml/unclosed-flow
        "#]],
    );
}

/// Whether an overlay on an item is blamed for matching nothing, with these files, and no declaration that says which
/// belong together.
fn is_blamed(files: &[(&str, &str)], configuration: &str) -> bool {
    let schema = "#@data/values-schema\n---\nitems:\n- name: \"\"\n";
    let fixture = Fixture::new("", Settings::default());
    fixture.write("config/schema.yml", schema);
    for (path, text) in files {
        fixture.write(path, text);
    }
    if !configuration.is_empty() {
        fixture.write("lofting.toml", configuration);
    }
    let report = check_workspace(&fixture.root(), &[], Settings::default(), no_evaluator(), &CancelFlag::new())
        .expect("a check");
    report.diagnostics().any(|finding| finding.code() == "ytt/overlay-matches")
}

#[test]
fn what_other_values_may_bring_is_not_missed() {
    let overlay = ("config/prod.yml", "#@data/values\n---\nitems:\n#@overlay/match by=\"name\"\n- name: a\n");
    let brings = ("config/base.yml", "#@data/values\n---\nitems:\n- name: a\n");
    assert!(is_blamed(&[overlay], ""), "there are no other values");
    assert!(!is_blamed(&[overlay, brings], ""));
    let set = "[sets.all]\nfiles = [\"config\"]\n";
    assert!(!is_blamed(&[overlay, brings], set));
    let other = ("config/base.yml", "#@data/values\n---\nitems:\n- name: b\n");
    assert!(is_blamed(&[overlay, other], set), "all values are known");
}
