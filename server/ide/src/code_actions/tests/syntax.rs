//! Syntax errors, and blocks of code that changes leave whole.

use super::{check_change, titles};
use crate::fixture::open;
use expect_test::expect;

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
fn a_tab_is_replaced_in_the_column_of_a_neighbour() {
    let replaced = |text: &str, expected| check_change(&format!("{HEAD}{text}"), "Replace tabs by spaces", expected);
    replaced("name: x\nport: 1\n$0\ttags: a\n", expect![[r#"
        #@data/values
        ---
        name: x
        port: 1
        tags: a
    "#]]);
    replaced("a:\n$0\t  host: x\n  port: 1\n", expect![[r#"
        #@data/values
        ---
        a:
          host: x
          port: 1
    "#]]);
    replaced("a:\n  port: 1\n$0\t  host: x\n\t  more: x\n", expect![[r#"
        #@data/values
        ---
        a:
          port: 1
          host: x
          more: x
    "#]]);
}

#[test]
fn a_comment_is_one_of_the_kind_of_file() {
    let schema = "#- a.schema.json\n{}\n#- a.yaml\n# yaml-language-server: $schema=a.schema.json\n";
    check_change(&format!("{schema}name: \"x1\" $0b\n"), "Make it a comment", expect![[r##"
        # yaml-language-server: $schema=a.schema.json
        name: "x1" # b
    "##]]);
    check_change(&format!("{HEAD}name: \"x1\" $0b\n"), "Make it a comment", expect![[r##"
        #@data/values
        ---
        name: "x1" #! b
    "##]]);
}

#[test]
fn blocks_of_code_go_with_what_they_are_around() {
    let head = "#- a.yml\n#@ x = 1\n---\nspec: 1\n";
    check_change(&format!("{head}sp$0ec:\n  a:\n    #@ if True:\n    b: 1\n    #@ end\n"), "Remove the key", expect![[r#"
        #@ x = 1
        ---
        spec: 1
    "#]]);
    check_change(
        &format!("{head}sp$0ec:\n#@ for x in [1]:\n- a:\n    #@ if x:\n    b: 1\n    #@ else:\n    b: 2\n    #@ end\n#@ end\nc: 1\n"),
        "Remove the key",
        expect![[r#"
            #@ x = 1
            ---
            spec: 1
            c: 1
        "#]],
    );
    check_change("#- a.yml\n---\nsp$0ec: #@ 1\n  a:\n    #@ if True:\n    b: 1\n    #@ end\nc: 1\n", "Remove the written value", expect![[r#"
        ---
        spec: #@ 1
        c: 1
    "#]]);
    // Here the rest would not be code any more, or belong to another key.
    for text in ["#@ if True:\nsp$0ec:\n  a: 1\n  #@ else:\n  b: 1\n#@ end\n", "#@ if/end True:\nsp$0ec: 2\nc: 1\n"] {
        let titles = titles(&open(&format!("{head}{text}")));
        assert!(!titles.contains("Remove the key"), "{text}: {titles}");
    }
}

#[test]
fn an_annotation_gets_the_marker_that_it_needs() {
    check_change("#- a.yml\n#@data/values-schema\nna$0me: a\n", "Write `---` below the annotation", expect![[r#"
        #@data/values-schema
        ---
        name: a
    "#]]);
}
