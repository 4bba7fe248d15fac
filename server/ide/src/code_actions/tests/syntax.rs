//! Syntax errors, and blocks of code that changes leave whole.

use super::{check_change, titles};
use crate::fixture::open;
use expect_test::{Expect, expect};
use lofting_diagnostic::Confidence;
use lofting_workspace::CancelFlag;

const HEAD: &str = "#- a.yml\n#@data/values\n---\n";

#[test]
fn an_indented_marker_of_a_document_begins_its_line() {
    check_change(
        "#- a.yml\n#@data/values-schema\n -$0--\nname: a\n",
        "Remove the blanks before `---`",
        expect![[r#"
            #@data/values-schema
            ---
            name: a
        "#]],
    );
}

#[test]
fn a_dash_without_a_space_begins_an_item() {
    let spaced = |text: &str, expected| check_change(&format!("{HEAD}{text}"), "Write a space after `-`", expected);
    spaced(
        "all:\n-name: web\n  $0image: x\n",
        expect![[r#"
            #@data/values
            ---
            all:
            - name: web
              image: x
        "#]],
    );
    spaced(
        "all:\n- x\n$0-y\n",
        expect![[r#"
            #@data/values
            ---
            all:
            - x
            - y
        "#]],
    );
}

#[test]
fn a_tab_is_replaced_in_the_column_of_a_neighbour() {
    let replaced = |text: &str, expected| check_change(&format!("{HEAD}{text}"), "Replace tabs by spaces", expected);
    replaced(
        "name: x\nport: 1\n$0\ttags: a\n",
        expect![[r#"
        #@data/values
        ---
        name: x
        port: 1
        tags: a
    "#]],
    );
    replaced(
        "a:\n$0\t  host: x\n  port: 1\n",
        expect![[r#"
        #@data/values
        ---
        a:
          host: x
          port: 1
    "#]],
    );
    replaced(
        "a:\n  port: 1\n$0\t  host: x\n\t  more: x\n",
        expect![[r#"
        #@data/values
        ---
        a:
          port: 1
          host: x
          more: x
    "#]],
    );
}

#[test]
fn a_comment_is_one_of_the_kind_of_file() {
    let schema = "#- a.schema.json\n{}\n#- a.yaml\n# yaml-language-server: $schema=a.schema.json\n";
    check_change(
        &format!("{schema}name: \"x1\" $0b\n"),
        "Make it a comment",
        expect![[r##"
        # yaml-language-server: $schema=a.schema.json
        name: "x1" # b
    "##]],
    );
    check_change(
        &format!("{HEAD}name: \"x1\" $0b\n"),
        "Make it a comment",
        expect![[r##"
        #@data/values
        ---
        name: "x1" #! b
    "##]],
    );
}

#[test]
fn blocks_of_code_go_with_what_they_are_around() {
    let head = "#- a.yml\n#@ x = 1\n---\nspec: 1\n";
    check_change(
        &format!("{head}sp$0ec:\n  a:\n    #@ if True:\n    b: 1\n    #@ end\n"),
        "Remove the key",
        expect![[r#"
        #@ x = 1
        ---
        spec: 1
    "#]],
    );
    check_change(
        &format!(
            "{head}sp$0ec:\n#@ for x in [1]:\n- a:\n    #@ if x:\n    b: 1\n    #@ else:\n    b: 2\n    #@ end\n#@ end\nc: 1\n"
        ),
        "Remove the key",
        expect![[r#"
            #@ x = 1
            ---
            spec: 1
            c: 1
        "#]],
    );
    check_change(
        "#- a.yml\n---\nsp$0ec: #@ 1\n  a:\n    #@ if True:\n    b: 1\n    #@ end\nc: 1\n",
        "Remove the written value",
        expect![[r#"
        ---
        spec: #@ 1
        c: 1
    "#]],
    );
    // Here the rest would not be code any more, or belong to another key.
    for text in ["#@ if True:\nsp$0ec:\n  a: 1\n  #@ else:\n  b: 1\n#@ end\n", "#@ if/end True:\nsp$0ec: 2\nc: 1\n"] {
        let titles = titles(&open(&format!("{head}{text}")));
        assert!(!titles.contains("Remove the key"), "{text}: {titles}");
    }
}

#[test]
fn an_annotation_gets_the_marker_that_it_needs() {
    check_change(
        "#- a.yml\n#@data/values-schema\nna$0me: a\n",
        "Write `---` below the annotation",
        expect![[r#"
        #@data/values-schema
        ---
        name: a
    "#]],
    );
}

/// The findings of the file with the cursor, and the text after all fixes that are likely.
fn found_and_fixed(fixture: &str) -> String {
    let fixture = open(fixture);
    let found = fixture.snapshot.diagnostics(fixture.file, &CancelFlag::new());
    let found: String = found.iter().map(|finding| format!("{}: {}\n", finding.code(), finding.message)).collect();
    let fixed = super::super::fix_all(&fixture.snapshot, fixture.file, Confidence::Likely, &CancelFlag::new());
    format!("{found}{}", fixed.map_or("not fixed\n".to_owned(), |fixed| fixed.text))
}

#[test]
fn a_text_with_special_characters_needs_quotes() {
    let schema = "#- s.yml\n{}\n#- values.yml\n# yaml-language-server: $schema=s.yml\n";
    let check = |text: &str, expected: Expect| expected.assert_eq(&found_and_fixed(&format!("{schema}{text}")));
    check(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  host: *.example.com\n",
        expect![[r#"
        yaml/unknown-alias: a text that begins with `*` needs quotes
        # yaml-language-server: $schema=s.yml
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a}
        data:
          host: "*.example.com"
    "#]],
    );
    check(
        "a: &web 1\nb: *wbe\n",
        expect![[r#"
        yaml/unknown-alias: there is no anchor `*wbe` above
        # yaml-language-server: $schema=s.yml
        a: &web 1
        b: *web
    "#]],
    );
    check(
        "metadata: {name: ${APP}, list: [a-${B}/c, d]}\n",
        expect![[r#"
        yaml/missing-comma: a text with `${` between brackets needs quotes
        # yaml-language-server: $schema=s.yml
        metadata: {name: "${APP}", list: ["a-${B}/c", d]}
    "#]],
    );
    check(
        "metadata: {name: {{ x }}}\nb: {{ y }}\n",
        expect![[r#"
        not fixed
    "#]],
    );
    check(
        "metadata: {name: a {b: c}}\n",
        expect![[r#"
        yaml/missing-comma: no comma before this entry
        # yaml-language-server: $schema=s.yml
        metadata: {name: a, {b: c}}
    "#]],
    );
}

#[test]
fn a_document_that_begins_without_its_marker_is_one_mistake() {
    let resource = |kind: &str| format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: web\n");
    let check = |text: String, expected: Expect| expected.assert_eq(&found_and_fixed(&text));
    check(
        format!("#- a.yaml\n{}data: {{}}\n# The other one.\n{}", resource("ConfigMap"), resource("Secret")),
        expect![[r#"
        yaml/forgotten-document-start: a new resource begins here without `---` before it
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: web
        data: {}
        ---
        # The other one.
        apiVersion: v1
        kind: Secret
        metadata:
          name: web
    "#]],
    );
    check(
        format!("#- a.yaml\n{}{}{}", resource("ConfigMap"), resource("Secret"), resource("Service")),
        expect![[r#"
            yaml/forgotten-document-start: a new resource begins here without `---` before it
            yaml/forgotten-document-start: a new resource begins here without `---` before it
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: web
            ---
            apiVersion: v1
            kind: Secret
            metadata:
              name: web
            ---
            apiVersion: v1
            kind: Service
            metadata:
              name: web
        "#]],
    );
    // A key that is repeated within one of them is that.
    check(
        format!("#- a.yaml\n{}data: {{}}\ndata: {{}}\n{}", resource("ConfigMap"), resource("Secret")),
        expect![[r#"
        yaml/repeated-key: `data` is already given in this map; only this last one counts
        yaml/forgotten-document-start: a new resource begins here without `---` before it
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: web
        data: {}
        ---
        apiVersion: v1
        kind: Secret
        metadata:
          name: web
    "#]],
    );
    check(
        format!("#- a.yaml\n{}kind: Secret\n", resource("ConfigMap")),
        expect![[r#"
        yaml/repeated-key: `kind` is already given in this map; only this last one counts
        not fixed
    "#]],
    );
    check(
        "#- a.yaml\nname: a\nport: 1\nname: b\nport: 2\nmore: 1\n".to_owned(),
        expect![[r#"
        yaml/forgotten-document-start: a new document begins here without `---` before it
        not fixed
    "#]],
    );
    check(
        "#- a.yaml\nname: a\nport: 1\nport: 2\n".to_owned(),
        expect![[r#"
        yaml/repeated-key: `port` is already given in this map; only this last one counts
        not fixed
    "#]],
    );
}
