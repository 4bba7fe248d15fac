use crate::fixture::{Fixture, shown, strings};
use crate::inputs::{InputContext, InputFlags, InputSet};
use crate::settings::Settings;
use crate::{CancelFlag, CheckReport, check_input_set, check_workspace};
use expect_test::{Expect, expect};
use std::sync::Arc;

fn report(report: &CheckReport) -> String {
    let mut lines = String::new();
    for file in &report.files {
        for line in shown(&report.snapshot, file.file).lines() {
            lines.push_str(&format!("{}:{line}\n", file.shown));
        }
    }
    lines.push_str(&format!("{} files, ok: {}\n", report.files.len(), report.is_ok()));
    lines
}

/// What a check of paths below a folder finds.
pub(super) fn checked(base: &std::path::Path, paths: &[&str]) -> CheckReport {
    check_workspace(base, &strings(paths), Settings::default(), no_evaluator(), &CancelFlag::new()).unwrap()
}

fn check_set(text: &str, flags: InputFlags, expect: Expect) {
    let fixture = Fixture::new(text, Settings::default());
    let context = InputContext {
        base: fixture.root(),
        environment: vec![("P_prot".to_owned(), "99".to_owned())],
        streams: [("-".to_owned(), "port: y\n".to_owned())].into(),
    };
    let set = InputSet::from_flags(&flags, &context).unwrap();
    expect.assert_eq(&report(&check_input_set(&set, Settings::default(), no_evaluator())));
}

const APP: &str = "#- config/schema.yml
#@data/values-schema
---
port: 80
hosts: ['']
#- config/values.yml
#@data/values
---
port: x
#- config/deployment.yml
port: #@ data.values.port
# a comment
#- config/plain.yml
a: 'open
#- config/notes.md
# [
#- config/_ytt_lib/x/broken.yml
a: [
#- prod.yml
hosts: [1]
";

#[test]
fn an_input_set_is_checked_as_one_call() {
    check_set(
        APP,
        InputFlags {
            files: strings(&["config"]),
            data_values_files: strings(&["prod.yml", "-"]),
            data_values: strings(&["port=1"]),
            data_values_yaml: strings(&["hosts=[a, 5]", "port={"]),
            data_values_env: strings(&["P"]),
            ..InputFlags::default()
        },
        expect![[r#"
            (data-value arg):1:1 ytt/type-mismatch `port` should be an integer, but is the string "1"
            (data-value-yaml arg):1:11 ytt/type-mismatch item 2 of `hosts` should be a string, but is the integer 5
            (data-value-yaml arg):1:6 yaml/unclosed-flow this bracket is not closed
            (data-values-env arg) P:1:1 ytt/undeclared-key `prot` is not declared in the schema of the document
            config/deployment.yml:2:1 ytt/ordinary-comment in a file with ytt annotations, comments have to begin with `#!`
            config/plain.yml:1:4 yaml/unclosed-quote the quoted text is not closed
            config/values.yml:3:7 ytt/type-mismatch `port` should be an integer, but is the string "x"
            prod.yml:1:9 ytt/type-mismatch item 1 of `hosts` should be a string, but is the integer 1
            stdin.yml:1:7 ytt/type-mismatch `port` should be an integer, but is the boolean true
            10 files, ok: false
        "#]],
    );
}

#[test]
fn switches_change_what_is_an_error() {
    let text = "#- schema.yml
#@data/values-schema
---
#@schema/validation min=10
port: 1
# remark
host: ''
host: a
";
    let files = strings(&["schema.yml"]);
    check_set(
        text,
        InputFlags { files: files.clone(), ..InputFlags::default() },
        expect![[r#"
            schema.yml:4:7 ytt/min `port` should be at least 10, but is 1
            schema.yml:5:1 ytt/ordinary-comment in a file with ytt annotations, comments have to begin with `#!`
            schema.yml:7:1 ytt/duplicate-key `host` is already given in this map
            1 files, ok: false
        "#]],
    );
    let mut flags = InputFlags { files, ..InputFlags::default() };
    flags.options.ignore_unknown_comments = true;
    flags.options.implicit_map_key_overrides = true;
    flags.options.disable_validation = true;
    check_set(
        text,
        flags,
        expect![[r#"
        1 files, ok: true
    "#]],
    );
}

#[test]
fn all_yaml_is_parsed_as_strictly_whether_it_is_a_template_or_not() {
    let text = "#- config/plain.yml\nport: yes\nhost: !!int x\n#- config/template.yml\n#@ if True:\nport: yes\n#@ end\n\
                #- config/data.json\n{\"a\": yes}\n";
    let mut flags = InputFlags { files: strings(&["config"]), ..InputFlags::default() };
    check_set(
        text,
        flags.clone(),
        expect![[r#"
        config/plain.yml:2:7 yaml/tag `x` is text, it cannot be read as !!int
        2 files, ok: false
    "#]],
    );
    flags.options.strict = true;
    check_set(
        text,
        flags,
        expect![[r#"
        config/plain.yml:1:7 ytt/strict `yes` is not clear in strict mode: it could be a string or a boolean
        config/plain.yml:2:7 yaml/tag `x` is text, it cannot be read as !!int
        config/template.yml:2:7 ytt/strict `yes` is not clear in strict mode: it could be a string or a boolean
        2 files, ok: false
    "#]],
    );
}

#[test]
fn a_default_that_a_later_schema_outdates_is_reported_there() {
    check_set(
        "#- s1.yml\n#@data/values-schema\n---\n#@schema/default 5\na: 1\n#- s2.yml\n#@data/values-schema\n---\na: text\n",
        InputFlags { files: strings(&["s1.yml", "s2.yml"]), ..InputFlags::default() },
        expect![[r#"
            s2.yml:3:4 ytt/schema-default-type the default does not fit: the value should be a string, but is the integer 5
            2 files, ok: false
        "#]],
    );
}

#[test]
fn values_in_flags_are_read_as_files_are() {
    let text = "#- schema.yml\n#@data/values-schema\n---\na: ''\n'': ''\n";
    let mut flags = InputFlags {
        files: strings(&["schema.yml"]),
        data_values_yaml: strings(&["a=yes", "a=!!int x", "a=text # a comment", "='empty'"]),
        ..InputFlags::default()
    };
    check_set(
        text,
        flags.clone(),
        expect![[r#"
        (data-value-yaml arg):1:1 ytt/type-mismatch `a` should be a string, but is the boolean true
        (data-value-yaml arg):1:3 yaml/tag `x` is text, it cannot be read as !!int
        5 files, ok: false
    "#]],
    );
    flags.options.strict = true;
    check_set(
        text,
        flags,
        expect![[r#"
        (data-value-yaml arg):1:3 ytt/strict `yes` is not clear in strict mode: it could be a string or a boolean
        (data-value-yaml arg):1:3 yaml/tag `x` is text, it cannot be read as !!int
        5 files, ok: false
    "#]],
    );
}

#[test]
fn plain_values_with_annotations_are_refused() {
    check_set(
        "#- schema.yml
#@data/values-schema
---
port: 80
#- values.yml
#@data/values
---
port: 80
",
        InputFlags {
            files: strings(&["schema.yml"]),
            data_values_files: strings(&["values.yml"]),
            ..InputFlags::default()
        },
        expect![[r#"
            values.yml:1:1 ytt/annotation-in-plain-values plain values files cannot have `#@` comments
            2 files, ok: false
        "#]],
    );
}

#[test]
fn a_workspace_is_checked_by_association() {
    let fixture = Fixture::new(
        "#- app/schema.yml
#@data/values-schema
---
port: 80
#- app/values.yml
port: x
#- app/deployment.yml
a: 1
a: 'open
#- app/readme.txt
x
#- lookalike.yml
# @data/values-schema
---
a: 1
",
        Settings::default(),
    );
    let base = fixture.root();
    let check = |paths: &[&str]| {
        report(
            &check_workspace(&base, &strings(paths), Settings::default(), no_evaluator(), &CancelFlag::new()).unwrap(),
        )
    };
    expect![[r#"
        app/deployment.yml:2:1 yaml/repeated-key `a` is already given in this map; only this last one counts
        app/deployment.yml:2:4 yaml/unclosed-quote the quoted text is not closed
        app/values.yml:1:7 ytt/type-mismatch `port` should be an integer, but is the string "x"
        lookalike.yml:1:1 ytt/annotation-as-comment ytt does not see this as the annotation `@data/values-schema`
        4 files, ok: false
    "#]]
    .assert_eq(&check(&[]));
    expect![[r#"
        ./app/values.yml:1:7 ytt/type-mismatch `port` should be an integer, but is the string "x"
        app/deployment.yml:2:1 yaml/repeated-key `a` is already given in this map; only this last one counts
        app/deployment.yml:2:4 yaml/unclosed-quote the quoted text is not closed
        2 files, ok: false
    "#]]
    .assert_eq(&check(&["./app/values.yml", "app/deployment.yml"]));
    expect![[r#"
        app/deployment.yml:2:1 yaml/repeated-key `a` is already given in this map; only this last one counts
        app/deployment.yml:2:4 yaml/unclosed-quote the quoted text is not closed
        app/values.yml:1:7 ytt/type-mismatch `port` should be an integer, but is the string "x"
        3 files, ok: false
    "#]]
    .assert_eq(&check(&["app/"]));
    let missing = check_workspace(&base, &strings(&["nope"]), Settings::default(), no_evaluator(), &CancelFlag::new());
    assert_eq!(missing.err().unwrap().to_string(), "nope: there is no such file or directory");
}

#[test]
fn yaml_without_a_schema_is_checked_unless_another_server_does_so() {
    let fixture = Fixture::new("#- service.yml\napiVersion: v1\nkind: Service\nx: 'open\n", Settings::default());
    let base = fixture.root();
    let check = |settings: Settings| {
        report(&check_workspace(&base, &[], settings, no_evaluator(), &CancelFlag::new()).unwrap())
    };
    expect![[r#"
        service.yml:3:4 yaml/unclosed-quote the quoted text is not closed
        1 files, ok: false
    "#]]
    .assert_eq(&check(Settings::default()));
    let left = Settings { validate_other_yaml: false, ..Settings::default() };
    assert_eq!(check(left), "0 files, ok: true\n");
}

pub(super) fn no_evaluator() -> Arc<dyn lofting_eval::Evaluator> {
    Arc::new(lofting_eval::NoEvaluator)
}
