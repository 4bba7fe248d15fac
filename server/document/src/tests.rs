//! Lowering, shown as text: `key = value`, `~` before what is conditional, `…` after what is partial,
//! `<` before merged items, `[names]` of owned annotations.

use crate::*;
use expect_test::{Expect, expect};
use lofting_syntax::resolve::Profile;
use std::fmt::Write;

fn lowered(text: &str) -> DocumentSet {
    lowered_with(text, Options::default())
}

fn lowered_with(text: &str, options: Options) -> DocumentSet {
    lower(FileId(0), &lofting_syntax::parse(text), Profile::Ytt, options)
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&show(text, &lowered(text)));
}

fn show(text: &str, set: &DocumentSet) -> String {
    let mut out = String::new();
    for document in &set.documents {
        write!(out, "---").unwrap();
        if document.conditional {
            out.push('~');
        }
        notes(&document.notes, &mut out);
        value(&document.value, 1, &mut out);
    }
    for issue in &set.issues {
        let span = issue.span().range();
        let name = format!("{issue:?}");
        let name = name.split([' ', '{']).next().unwrap_or_default();
        let line = 1 + text[..span.start].matches('\n').count();
        writeln!(out, "! {name} line {line} {:?}", &text[span]).unwrap();
    }
    out
}

fn notes(notes: &Notes, out: &mut String) {
    let names: Vec<&str> = notes.annotations.iter().map(|note| note.name.as_str()).collect();
    if !names.is_empty() {
        write!(out, " [{}]", names.join(" ")).unwrap();
    }
}

fn value(node: &Node, indent: usize, out: &mut String) {
    let partial = if node.partial { " …" } else { "" };
    match &node.value {
        NodeValue::Map(items) => {
            writeln!(out, " map{partial}").unwrap();
            for item in items {
                let marks = [(item.conditional, "~"), (item.merged, "<")];
                let marks: String = marks.iter().filter(|(on, _)| *on).map(|(_, mark)| *mark).collect();
                write!(out, "{}{marks}{:?}", "  ".repeat(indent), item.key).unwrap();
                notes(&item.notes, out);
                value(&item.value, indent + 1, out);
            }
        }
        NodeValue::Array(items) => {
            writeln!(out, " array{partial}").unwrap();
            for item in items {
                write!(out, "{}{}-", "  ".repeat(indent), if item.conditional { "~" } else { "" }).unwrap();
                notes(&item.notes, out);
                value(&item.value, indent + 1, out);
            }
        }
        NodeValue::Null if node.missing => writeln!(out, " = missing").unwrap(),
        other => writeln!(out, " = {other:?}").unwrap(),
    }
}

#[test]
fn keys_and_values_have_types() {
    check(
        "a: 1\nb: 1.0\nc: yes\n1: x\ny: ~\ne:\nf: \"1\"\n",
        expect![[r#"
        --- map
          String("a") = Int(1)
          String("b") = Float(1.0)
          String("c") = Bool(true)
          Int(1) = String("x")
          Bool(true) = Null
          String("e") = missing
          String("f") = String("1")
    "#]],
    );
}

#[test]
fn comments_belong_to_nodes_by_line() {
    check(
        "#@data/values-schema\n---\n#@a/above\ndbs: #@a/same-line\n#@b/above\n- host: x #@c/same-line\n#@d/next\n\n  port: 1\n#@e/end\n",
        expect![[r#"
            --- [data/values-schema] map
              String("dbs") [a/above a/same-line] array
                - [b/above] map
                  String("host") [c/same-line] = String("x")
                  String("port") [d/next] = Int(1)
        "#]],
    );
}

#[test]
fn the_last_node_of_a_line_owns_the_comment_after_it() {
    check(
        "m: {a: 1, b: 2} #@x\nl: [1, 2] #@y\nn:\n- #@z\n",
        expect![[r#"
        --- map
          String("m") map
            String("a") = Int(1)
            String("b") [x] = Int(2)
          String("l") array
            - = Int(1)
            - [y] = Int(2)
          Bool(false) array
            - [z] = missing
    "#]],
    );
    check(
        "-\n  #@inner\n  a: 1\n- - 0 #@deep\n#@outer\n- - 1\n",
        expect![[r#"
        --- array
          - map
            String("a") [inner] = Int(1)
          - array
            - [deep] = Int(0)
          - [outer] array
            - = Int(1)
    "#]],
    );
}

#[test]
fn comments_after_multi_line_text_go_to_the_next_node() {
    check(
        "a: \"one\n  two\" #@schema/nullable\nb: 1\n",
        expect![[r#"
        --- map
          String("a") = String("one two")
          String("b") [schema/nullable] = Int(1)
    "#]],
    );
    check(
        "a: | #@header\n  #@not a comment\nb: >-\n  x\n#@b2\nc: 1\n",
        expect![[r##"
            --- map
              String("a") = String("#@not a comment\n")
              String("b") = String("x")
              String("c") [b2] = Int(1)
        "##]],
    );
}

#[test]
fn documents_and_their_markers() {
    check(
        "--- #@data/values-schema\na: 1\n#@data/values\n---\nb: 2\n",
        expect![[r#"
        --- [data/values-schema] map
          String("a") = Int(1)
        --- [data/values] map
          String("b") = Int(2)
    "#]],
    );
    check(
        "#@ x = 1\n#@data/values\n---\n#! nothing\n",
        expect![[r#"
        --- [data/values] = missing
    "#]],
    );
    check(
        "#@on/item\na: 1\n",
        expect![[r#"
        --- map
          String("a") [on/item] = Int(1)
    "#]],
    );
    check(
        "just text\n",
        expect![[r#"
        --- = String("just text")
    "#]],
    );
    check("", expect![[""]]);
}

#[test]
fn ordinary_comments_are_wrong_only_in_templates() {
    check(
        "# fine\na: 1\n",
        expect![[r#"
        --- map
          String("a") = Int(1)
    "#]],
    );
    check(
        "# wrong\na: 1 # too\nb: #@ 1\n",
        expect![[r##"
        --- map
          String("a") = Int(1)
          String("b") = Int(1)
        ! OrdinaryComment line 1 "# wrong"
        ! OrdinaryComment line 2 "# too"
    "##]],
    );
    let set = lowered_with("# x\na: #@ 1\n", Options { ignore_unknown_comments: true, ..Options::default() });
    assert_eq!(set.issues, []);
}

#[test]
fn anchors_aliases_and_merge_keys() {
    check(
        "one: &o\n  #@schema/nullable\n  x: 1\ntwo: *o\nthree:\n  <<: *o\n  z: 2\nfour: *no\n",
        expect![[r#"
        --- map
          String("one") map
            String("x") [schema/nullable] = Int(1)
          String("two") map
            String("x") = Int(1)
          String("three") map
            <String("x") = Int(1)
            String("z") = Int(2)
          String("four") = Unknown
        ! UnknownAlias line 8 "*no"
    "#]],
    );
    check(
        "a: &a {x: 1}\nm:\n  <<: [*a]\n  \"<<\": 2\n",
        expect![[r#"
        --- map
          String("a") map
            String("x") = Int(1)
          String("m") map
            String("<<") = Int(2)
        ! MergeValue line 3 "[*a]"
    "#]],
    );
    check(
        "a: &a [*a]\nb: *a\n",
        expect![[r#"
        --- map
          String("a") array
            - = Unknown
          String("b") array
            - = Unknown
        ! AliasCycle line 1 "*a"
    "#]],
    );
}

#[test]
fn what_merges() {
    for (text, wrong) in [
        ("a: &x {b: 1}\nc: {<<: *x}\nd: &x 5\n", vec!["MergeValue \"*x\""]),
        ("a: &x {b: 1}\nc: {<<: *x}\nd: &x {e: 5}\n", vec![]),
        ("a: &x {b: 1}\nc: {<<: *x}\n---\nd: &x 5\n", vec![]),
        ("a: &x []\nc: {<<: *x}\n", vec!["MergeValue \"*x\""]),
        ("c: {<<: [], c: 2}\n", vec![]),
        ("c: {<<: [{c: 2}]}\n", vec!["MergeValue \"[{c: 2}]\""]),
        ("!!str <<: 1\n", vec![]),
        ("!x <<: 1\n", vec![]),
        ("'<<': 1\n", vec![]),
        ("! <<: 1\n", vec!["MergeValue \"1\""]),
        ("!!merge '<<': 1\n", vec!["MergeValue \"1\""]),
    ] {
        assert_eq!(issues(text), wrong, "{text:?}");
    }
}

#[test]
fn comments_after_copied_items_belong_to_the_last_copy() {
    check(
        "a: &v\n  #@schema/nullable\n  p: #@ 1 + x\n  q: 2\nb: *v\nc: *v\n",
        expect![[r#"
            --- map
              String("a") map
                String("p") [schema/nullable] = missing
                String("q") = Int(2)
              String("b") map
                String("p") = missing
                String("q") = Int(2)
              String("c") map
                String("p") = Unknown
                String("q") = Int(2)
        "#]],
    );
    check(
        "a: &v {p: 1}\nb: [*v, *v] #@schema/nullable\n",
        expect![[r#"
        --- map
          String("a") map
            String("p") = Int(1)
          String("b") array
            - map
              String("p") = Int(1)
            - [schema/nullable] map
              String("p") = Int(1)
    "#]],
    );
    check(
        "a: [&v {p: 1}, *v, {q: 2}] #@schema/nullable\n",
        expect![[r#"
        --- map
          String("a") array
            - map
              String("p") = Int(1)
            - map
              String("p") = Int(1)
            - map
              String("q") [schema/nullable] = Int(2)
    "#]],
    );
    check(
        "a: &v {p: 1} #@schema/nullable\nb:\n  <<: *v\n  q: 3\n",
        expect![[r#"
        --- map
          String("a") map
            String("p") = Int(1)
          String("b") map
            <String("p") [schema/nullable] = Int(1)
            String("q") = Int(3)
    "#]],
    );
}

#[test]
fn aliases_mean_what_they_meant_where_they_are_written() {
    check(
        "x: &x 1\ny: &y [*x]\nx2: &x 2\nz: *y\n",
        expect![[r#"
        --- map
          String("x") = Int(1)
          Bool(true) array
            - = Int(1)
          String("x2") = Int(2)
          String("z") array
            - = Int(1)
    "#]],
    );
}

#[test]
fn billion_laughs_stay_bounded() {
    let mut text = String::from("a0: &a0 [1]\n");
    for level in 1..30 {
        writeln!(text, "a{level}: &a{level} [*a{0}, *a{0}, *a{0}, *a{0}]", level - 1).unwrap();
    }
    let set = lowered(&text);
    assert_eq!(set.issues.iter().filter(|issue| matches!(issue, Issue::AliasLimit { .. })).count(), 1);
}

#[test]
fn deep_nesting_stays_bounded() {
    for text in ["[".repeat(100_000), "- ".repeat(100_000), "{a: ".repeat(50_000)] {
        let _ = lowered(&text);
    }
}

#[test]
fn repeated_keys() {
    check(
        "a: 1\nb: 3\na: 2 #! plain file\n",
        expect![[r#"
        --- map
          String("a") = Int(1)
          String("b") = Int(3)
          String("a") = Int(2)
        ! RepeatedKey line 3 "a"
    "#]],
    );
    check(
        "#@data/values\n---\na: 1\nb: 3\na: 2\n",
        expect![[r#"
        --- [data/values] map
          String("a") = Int(1)
          String("b") = Int(3)
          String("a") = Int(2)
        ! DuplicateKey line 5 "a"
    "#]],
    );
    check(
        "#@data/values\n---\na: 1\n#@yaml/map-key-override\na: two\nb: 3\n",
        expect![[r#"
        --- [data/values] map
          String("a") [yaml/map-key-override] = String("two")
          String("b") = Int(3)
    "#]],
    );
    let options = Options { implicit_map_key_overrides: true, ..Options::default() };
    let text = "#@data/values\n---\na: 1\nb: 3\na: 2\na: 4\n";
    expect![[r#"
        --- [data/values] map
          String("b") = Int(3)
          String("a") = Int(4)
    "#]]
    .assert_eq(&show(text, &lowered_with(text, options)));
    check(
        "#@data/values\n---\nb: &b {p: 1}\nd:\n  <<: *b\n  p: 2\n",
        expect![[r#"
        --- [data/values] map
          String("b") map
            String("p") = Int(1)
          String("d") map
            <String("p") = Int(1)
            String("p") = Int(2)
        ! DuplicateKey line 6 "p"
    "#]],
    );
}

#[test]
fn computed_values() {
    check(
        "a: #@ f(x)\nb: #@ [1, \"two\"]\nc: 1 #@ 2\nd: #@ 1 +\ne: #@template/value x\n",
        expect![[r#"
        --- map
          String("a") = Unknown
          String("b") array
            - = Int(1)
            - = String("two")
          String("c") = Unknown
          String("d") = Unknown
          String("e") = Unknown
        ! CodeAndValue line 3 "2"
        ! Code line 4 "+"
    "#]],
    );
    check(
        "--- #@ f()\n",
        expect![[r#"
        --- = Unknown
    "#]],
    );
}

#[test]
fn blocks_of_code_make_items_uncertain() {
    check(
        "#@ def f():\nx: 1\n#@ end\n---\na: 1\n#@ if y:\nb: 2\n#@ else:\nb: 3\n#@ end\nc:\n#@ for/end i in l:\n- #@ i\n- z\n",
        expect![[r#"
            --- map
            --- map …
              String("a") = Int(1)
              ~String("b") = Int(2)
              ~String("b") = Int(3)
              String("c") array …
                ~- = Unknown
                - = String("z")
        "#]],
    );
    check(
        "#@data/values-schema\n---\n#@ def db():\nhost: \"\"\n#@ end\none: #@ db()\n",
        expect![[r#"
        --- [data/values-schema] map
          String("one") = Unknown
    "#]],
    );
    check(
        "a: 1\n#@ if x:\nb: 1\n",
        expect![[r#"
        --- map …
          String("a") = Int(1)
          ~String("b") = Int(1)
        ! UnclosedBlock line 2 "if x:"
    "#]],
    );
    check(
        "a: 1\n#@ end\nb: 1\n",
        expect![[r#"
        --- map
          String("a") = Int(1)
          String("b") = Int(1)
        ! UnexpectedEnd line 2 "end"
    "#]],
    );
    check(
        "#@ if x\na: 1\n#@ end\n#@ y = [\nb: 1\n#@ def f(\n#@ end\n",
        expect![[r#"
        --- map …
          ~String("a") = Int(1)
          String("b") = Int(1)
        ! HalfOpenBlock line 1 "if x"
        ! Code line 4 "["
        ! HalfOpenBlock line 6 "def f("
        ! Code line 6 "("
    "#]],
    );
    check(
        "#@ if/end x:\n#@ y = 1\na: 1\n",
        expect![[r##"
        --- map …
          ~String("a") = Int(1)
        ! CodeAfterSlashEnd line 2 "#@ y = 1"
    "##]],
    );
    check(
        "a: 0\n_: #@ template.replace(more())\n#@yaml/text-templated-strings\nb: \"x (@= y @)\"\n",
        expect![[r#"
        --- map …
          String("a") = Int(0)
          String("b") [yaml/text-templated-strings] = Unknown
    "#]],
    );
}

#[test]
fn tags_and_half_typed_text() {
    check(
        "a: !!str 12\nb: !!int x\nc: !!str\nd: !mine x\n",
        expect![[r#"
        --- map
          String("a") = String("12")
          String("b") = Unknown
          String("c") = String("")
          String("d") = String("x")
        ! Tag line 2 "!!int x"
    "#]],
    );
    check(
        "a: 1\npor\nb: 2\n",
        expect![[r#"
        --- map …
          String("a") = Int(1)
          String("b") = Int(2)
    "#]],
    );
}

/// Plain YAML may have them, and a template where it does not get to them.
#[test]
fn maps_and_arrays_as_keys() {
    check(
        "? {a: [1, ~]}\n: v\n? [{}, x]\n: 2\n",
        expect![[r#"
        --- map
          Collection("a:\n- value: 1\n  line: 1\n- value: null\n  line: 1") = String("v")
          Collection("- value: {}\n  line: 3\n- value: x\n  line: 3") = Int(2)
    "#]],
    );
    for (text, wrong) in [
        ("#@ x = 1\n? [a]\n: 1\n", 1),
        ("#@ if x:\n? [a]\n: 1\n#@ end\n", 0),
        ("#@ if/end x:\na:\n- ? {b: 1}\n", 0),
        ("#@ def f():\na:\n- ? {b: 1}\n#@ end\n", 0),
        ("#@ if/end x:\na: 1\n? {b: 1}\n", 1),
    ] {
        let found = issues(text).iter().filter(|issue| issue.starts_with("CollectionKey")).count();
        assert_eq!(found, wrong, "{text:?}");
    }
}

#[test]
fn binary_values_keep_bytes_that_are_not_utf_8() {
    check(
        "a: !!binary aGk=\nb: !!binary |\n  /w\n  ==\n",
        expect![[r#"
            --- map
              String("a") = String("hi")
              String("b") = String("\u{10ffff}")
        "#]],
    );
}

#[test]
fn a_tag_without_a_value_is_that_of_the_empty_text() {
    check(
        "a: !foo\nb: !!seq\nc: !\nd: !<x> &x\ne: !!null\nf: {g: !!map , !h : 1}\ni: !!binary\n",
        expect![[r#"
        --- map
          String("a") = String("")
          String("b") = String("")
          String("c") = String("")
          String("d") = String("")
          String("e") = missing
          String("f") map
            String("g") = String("")
            String("") = Int(1)
          String("i") = String("")
    "#]],
    );
    for tag in ["!!int", "!!float", "!!bool", "!!timestamp"] {
        let text = format!("a: {tag}\n");
        assert_eq!(issues(&text), [format!("Tag {tag:?}")], "{text}");
        let other = lower(FileId(0), &lofting_syntax::parse(&text), Profile::Core12, Options::default());
        assert_eq!(other.issues, [], "{text}");
    }
}

#[test]
fn strict_mode_wants_quotes() {
    let options = Options { strict: true, ..Options::default() };
    let text = "a: yes\nb: two words\nc: x:y\nd: 1.5\ne: \"yes\"\nf: plain\n";
    expect![[r#"
        --- map
          String("a") = Bool(true)
          String("b") = String("two words")
          String("c") = String("x:y")
          String("d") = Float(1.5)
          String("e") = String("yes")
          String("f") = String("plain")
        ! Strict line 1 "yes"
        ! Strict line 2 "two words"
        ! Strict line 3 "x:y"
    "#]]
    .assert_eq(&show(text, &lowered_with(text, options)));
}

#[test]
fn a_byte_order_mark_hides_the_first_line() {
    check(
        "\u{feff}#@data/values-schema\n---\na: 1\n",
        expect![[r#"
        --- map
          String("a") = Int(1)
        ! ByteOrderMark line 1 "\u{feff}"
    "#]],
    );
}

#[test]
fn directives_say_yaml_1_1_or_nothing() {
    check(
        "%YAML 1.1\n%TAG ! tag:x,2000:\n---\na: 1\n...\n%YAML 1.2\n---\nb: 1\n...\n%FOO\n---\nc: 1\n",
        expect![[r#"
        --- map
          String("a") = Int(1)
        --- map
          String("b") = Int(1)
        --- map
          String("c") = Int(1)
        ! Directive line 6 "%YAML 1.2"
        ! Directive line 10 "%FOO"
    "#]],
    );
}

#[test]
fn owners_for_an_offset() {
    let text = "#@ x = 1\n#@data/values\n---\n#@a\nkey: 1 #@b\n#@c\n";
    let tree = lofting_syntax::parse(text);
    let owners = owners(&tree);
    let kind = |name: &str| owners.at(text.find(name).unwrap()).and_then(|comment| comment.owner);
    let document = Owner { kind: OwnerKind::Document, offset: text.find("---").unwrap() };
    let item = Owner { kind: OwnerKind::MapItem, offset: text.find("key").unwrap() };
    assert_eq!(
        (kind("#@data"), kind("#@a\n"), kind("#@b"), kind("#@c")),
        (Some(document), Some(item), Some(item), None)
    );
    let owned = |owner| owners.comments().iter().filter(|comment| comment.owner == Some(owner)).count();
    assert_eq!((owned(document), owned(item)), (2, 2));
    assert_eq!(owners.at(text.find("key").unwrap()), None);
}

#[test]
fn what_stands_after_a_block_scalars_header_is_no_comment() {
    for header in ["| # why", ">- # @x", "|+ #@ code", "| #@schema/nullable"] {
        let set = lowered(&format!("#@ x = 1\na: {header}\n  text\n#! b\nb: | #! no\n  c\n"));
        assert_eq!(set.issues, [], "{header}");
        let notes = &set.documents[0].value;
        assert!(notes.get(&"a".into()).is_some_and(|value| matches!(value.value, NodeValue::String(_))), "{header}");
    }
}

#[test]
fn the_end_of_a_file_ends_no_line_of_a_block_scalar() {
    for (text, wanted) in
        [("a: |\n  x", "x"), ("a: >\n  x\n  y", "x y"), ("a: |+\n  x\n", "x\n"), ("a: |\n  x\n\n", "x\n")]
    {
        let set = lowered(text);
        let value = set.documents[0].value.get(&"a".into()).map(|value| &value.value);
        assert_eq!(value, Some(&NodeValue::String(wanted.into())), "{text:?}");
    }
}

#[test]
fn tag_handles_stand_for_what_is_declared() {
    let set = lowered("%TAG !y! tag:yaml.org,2002:\n---\na: !y!int '1'\nb: !y!str 2\nc: !other '3'\n");
    let value = |key: &str| set.documents[0].value.get(&key.into()).map(|value| value.value.clone());
    assert_eq!(value("a"), Some(NodeValue::int(1)));
    assert_eq!(value("b"), Some(NodeValue::String("2".into())));
    assert_eq!(value("c"), Some(NodeValue::String("3".into())));
}

/// The kinds of issues, each with the text it points to.
fn issues(text: &str) -> Vec<String> {
    let set = lowered(text);
    let name = |issue: &Issue| format!("{issue:?}").split([' ', '{']).next().unwrap_or_default().to_owned();
    set.issues.iter().map(|issue| format!("{} {:?}", name(issue), &text[issue.span().range()])).collect()
}

#[test]
fn entries_have_something_before_their_colon() {
    for (text, wrong) in [
        ("a: 1\n: 1\n", 1),
        (": 1\n", 1),
        ("a:\n  : 1\n  b: 2\n", 1),
        ("a: {: 1}\n", 1),
        ("a: [: 1]\n", 1),
        ("a: {b: 1, : 2}\n", 1),
        ("? \n: 1\n", 0),
        ("&x : 1\n", 0),
        ("!!null : 1\n", 0),
        ("'': 1\n", 0),
        ("~: 1\n", 0),
        ("x: &v {: 1}\ny: *v\n", 1),
    ] {
        assert_eq!(issues(text), vec!["NoKey \":\""; wrong], "{text:?}");
    }
}

#[test]
fn what_yaml_v2_does_not_read_is_refused() {
    let long = "k".repeat(1025);
    for (text, what) in [
        ("a: \"x\\/y\"\n", "Slash \\/"),
        ("\"x\\/y\": 1\n", "Slash \\/"),
        ("a: [\"\\\\\\/\"]\n", "Slash \\/"),
        ("a: \"\\ud83d\\ude00\"\n", "Pair \\ud83d\\ude00"),
        ("a: [ ::x ]\n", "Colon :"),
        ("a: [b, :x]\n", "Colon :"),
        ("a: {b: :x}\n", "Colon :"),
        ("a: {:x}\n", "Colon :"),
        ("a: [http://x/?q=1]\n", "Question ?"),
        ("a: {b?: 1}\n", "Question ?"),
        ("a: [b\n  c?]\n", "Question ?"),
        ("a: {b:[1]}\n", "Bracket ["),
        ("a: [b:{c: 1}]\n", "Bracket {"),
        ("a: {b :[1]}\n", "Bracket ["),
        ("a: {? b :{}}\n", "Bracket {"),
        ("a: {q\n : w}\n", "KeyLines q"),
        ("{a\n: b}\n", "KeyLines a"),
        ("a: {\"q\n r\": w}\n", "KeyLines \"q"),
        ("a: {b # c\n : d}\n", "KeyLines b # c"),
        ("a: {q\n  r: w}\n", "KeyLines q"),
        ("a: {&a\n  q: w}\n", "KeyLines &a"),
        ("a: {[b,\n c]: d}\n", "KeyLines [b,"),
        ("a: {q\n :{r: s}}\n", "KeyLines q"),
        ("a: [!t]\n", "Tag !t"),
        ("a: [!!str, b]\n", "Tag !!str"),
        ("a: {!t}\n", "Tag !t"),
        ("a: !!st#r 12\n", "Tag !!st#r"),
        ("a: &b.c 1\n", "Name &b.c"),
        ("a: 1\n...\nb: 2\n", "NoMarker b: 2"),
        ("...\nb: 2\nc: 3\n", "NoMarker b: 2"),
        ("# c\n...\nb: 2\n", "NoMarker b: 2"),
        ("--- |\n  \nx\ny\n", "Margin x"),
        (">-\nb: 1\n", "Margin b: 1"),
        ("\u{feff}---\na: 1\n", "Mark ---"),
        ("\u{feff}#@ x = 1\na: 1\n", "Mark #@ x = 1"),
        (&format!("{long}: 1\n"), &format!("LongKey {long}")),
        (&format!("a: {{\"{long}\": 1}}\n"), &format!("LongKey \"{long}\"")),
    ] {
        let refused = lowered(text).issues.into_iter().filter_map(|issue| match issue {
            Issue::Refused { span, what } => Some(format!("{what:?} {}", &text[span.range()])),
            _ => None,
        });
        assert_eq!(refused.collect::<Vec<_>>(), [what], "{text:?}");
    }
    for text in [
        "a: x?y\n? b\n: ::c\n",
        "a: [x::y, a:b, '?', \"a\\\\/b\", {? c : 1}, {\"d\":[1]}]\n",
        "a: {\"b\" :{c: 1}, \"d\" :[1]}\n",
        "a: {? b\n : c,\n  d:\n    e, ? [f,\n g] : h, i:\n  {j: k}}\n",
        "a: [!t b, !t ]\nb: !t,x 1\nc: !!st[r 12\nd: !!!!int str\n",
        "a: 1\n...\n---\nb: 1\n... # why\n",
        "%TAG !e! x:\n---\na: &b-c_D1 1\nd: *b-c_D1\n",
        "--- |\n x\n\n",
        &format!("a: {long}\n? {long}\n: 1\n"),
    ] {
        assert_eq!(issues(text), Vec::<String>::new(), "{text:?}");
    }
}

#[test]
fn between_brackets_a_colon_that_no_blank_follows_is_text() {
    check(
        "a: [001:db8::, b:, {c:}, i :]\nd: {e: fe80::, f:, \"g\":, j  :, k: l :}\nh:\n",
        expect![[r#"
            --- map
              String("a") array
                - = String("001:db8::")
                - = String("b:")
                - map
                  String("c:") = missing
                - = String("i :")
              String("d") map
                String("e") = String("fe80::")
                String("f:") = missing
                String("g") = missing
                String("j  :") = missing
                String("k") = String("l :")
              String("h") = missing
        "#]],
    );
}

#[test]
fn between_brackets_a_question_mark_needs_no_blank() {
    check(
        "a: [?b, c, ?12: d, [?e]]\nf: {?g: h, ?: i, ?on}\nj: ?k\n",
        expect![[r#"
        --- map
          String("a") array
            - map
              String("b") = missing
            - = String("c")
            - map
              Int(12) = String("d")
            - array
              - map
                String("e") = missing
          String("f") map
            String("g") = String("h")
            Null = String("i")
            Bool(true) = missing
          String("j") = String("?k")
    "#]],
    );
    for text in ["a: [?b?]\n", "a: [?-]\n", "a: {b: ?c}\n", "a: [&b ?c]\n"] {
        assert_eq!(issues(text).len(), 1, "{text:?}");
    }
}

#[test]
fn a_byte_order_mark_is_part_of_the_first_key_for_ytt() {
    for (merges_lists, first) in [(false, "\u{feff}a"), (true, "a")] {
        let tree = lofting_syntax::parse("\u{feff}a: 1\nb: 2\n");
        let options = Options { merges_lists, ..Options::default() };
        let set = lower(FileId(0), &tree, Profile::Ytt, options);
        let NodeValue::Map(items) = &set.documents[0].value.value else { panic!("no map") };
        assert_eq!(items.iter().map(|item| item.key.to_string()).collect::<Vec<_>>(), [first, "b"]);
    }
}

#[test]
fn tabs_are_refused_where_yaml_v2_does_not_pass_over_them() {
    let refused = [
        "a: 1\n\t\nb: 2\n",
        "a: 1\n\t# why\nb: 2\n",
        "\t\na: 1\n",
        "a: 'x'\n\t\nb: 2\n",
        "a: 'x'\n    \t\nb: 2\n",
        "a:\n\t\n  b: 2\n",
        "a: 1 # why\n  \t\nb: 2\n",
        "a:\n  b: 1\n  \t\n  c: 2\n",
        "- a: 1\n  \t\n- b\n",
        "a: one\n\t\n  two\n",
        "a: 1\n\n\t\n\nb: 2\n",
        "a: []\n\t\n",
        "a: 1\r\n\t\r\nb: 2\r\n",
        "a: |\n \t\n",
        "a: |\n  \t\n  x\n",
        "a: >\n   \t\n  x\n",
        "a: |\n  x\n\t\n  y\n",
        "a: |\r\n  x\r\n \t\r\n  y\r\n",
        "a: |\n  \t# text\n",
        "a: |2\n \t\n  x\n",
        "b:\n  a: |-2\n   \t\n    x\n",
        "- |\n  x\n \t\n  y\n",
        "a: |\n  \tx\n",
        "a: >\n  \tx\n  y\n",
        "-\tx\n",
        "- \tx\n",
        "- -\tx\n",
        "-\t\n",
        "a:\n  \tx\n",
        "? \ta\n: 1\n",
        "? a\n:\tb\n",
        "a: |+\n  x\n\n\t\n",
        "a: |+\n  x\n\t\n",
        "a:\n  b: |+\n    x\n \t\n  c: 1\n",
        "a: [b\n\tc]\n",
        "a: [b,\n\tc\n\t]\n",
        "a: {b: c\n\td}\n",
        "a: [b\n\n\t\n  ]\n",
        "a: {\n\t\"b\": {\n\t\t\"c\": 1\n\t}\n}\n",
        "x:\n  a: [b\n  \tc]\n",
        "- - [b\n \tc]\n",
    ];
    for text in refused {
        assert_eq!(issues(text).len(), 1, "{text:?}: {:?}", issues(text));
    }
    let passed_over = [
        "a: 1\n  \t\nb: 2\n",
        "a:\n  b: 1\n   \t\n  c: 2\n",
        "a: [\n\t\n  1]\n",
        "a: {b: 1,\n\t# why\n  c: 2}\n",
        "a: 'x\n\t\n  y'\n",
        "a: |\n  x\n  \t\n  y\n",
        "a: |2\n  \t\n  x\n",
        "a: |\n  x\n   \t# text\n",
        "b:\n  a: |2-\n    \t\n    x\n",
        "word\n\t\n",
        "a: 1\t\nb: 2 \t # why\n",
        "a: |2\n  \tx\n",
        "a: |\n  x\n  \ty\n",
        "a:\tb\n",
        "---\tb\n",
        "a: [\n\t1]\n",
        "a: 'x\n  \ty'\n",
        "a: x\n  \ty\n",
        "- 'a':\tb\n",
        "--- [b\n\tc]\n",
        "{\n\t\"b\": {\n\t\t\"c\": 1\n\t}\n}\n",
        "a: {\n\t\"b\": {\n\t\t\"c\": \"1\"\n\t}\n}\n",
        "a: [\n\tb: c\n]\n",
        "a: [b # c\n\t]\n",
        "x:\n  a: {\n\t  b: c\n  }\n",
        "x:\n  a: [b\n   \tc]\n",
        "b: '\n\t  x\n\n  y '\n",
    ];
    for text in passed_over {
        assert_eq!(issues(text), Vec::<String>::new(), "{text:?}");
    }
}

/// Where no comment is an annotation, documents read one by one are those of the whole file.
#[test]
fn documents_read_apart_are_those_of_the_file() {
    let text = "# first\n---\na: &x [1, 2]\nb: *x\n---\nb: *x\n<<: {c: 1}\n...\n%TAG !t! tag:yaml.org,2002:\n---\nn: !t!str 1\n\
        ? [a, b]\n: c\n---\n---\nk: 1\nk: &y 2\nm: {<<: &z {p: *y}}\nq: *z\n# last\n";
    for profile in [Profile::Ytt, Profile::Core12, Profile::Json] {
        let tree = lofting_syntax::parse(text);
        let whole = lower(FileId(0), &tree, profile, Options::default());
        let mut reader = DocumentReader::new(FileId(0), &tree, profile, Options::default());
        let apart: Vec<DocumentSet> = tree.documents().map(|document| reader.read(&document)).collect();
        let issues: Vec<Issue> = apart.iter().flat_map(|set| set.issues.clone()).collect();
        assert_eq!(format!("{issues:#?}"), format!("{:#?}", whole.issues));
        // A file that begins with comments above `---` has an invisible first document.
        let documents: Vec<Document> = apart.into_iter().flat_map(|set| set.documents).collect();
        let documents = &documents[documents.len() - whole.documents.len()..];
        assert_eq!(format!("{documents:#?}"), format!("{:#?}", whole.documents));
    }
}

/// Aliases in many documents add no more than those of one.
#[test]
fn documents_read_apart_share_what_aliases_may_add() {
    let bomb = |depth: usize| {
        let level = |i: usize| format!("a{}: &a{} [{}]\n", i + 1, i + 1, vec![format!("*a{i}"); 10].join(", "));
        "---\na0: &a0 [x]\n".to_owned() + &(0..depth).map(level).collect::<String>()
    };
    let text = bomb(4).repeat(30);
    let tree = lofting_syntax::parse(&text);
    let mut reader = DocumentReader::new(FileId(0), &tree, Profile::Core12, Options::default());
    let limits = tree.documents().filter(|document| {
        let read = reader.read(document);
        read.issues.iter().any(|issue| matches!(issue, Issue::AliasLimit { .. }))
    });
    assert!(limits.count() > 5);
}

/// Each level of maps in place of keys contains the text of those inside it.
#[test]
fn maps_as_keys_have_a_limit_of_levels() {
    for (levels, is_read) in [(1, true), (30, true), (31, false), (1_000, false)] {
        let text = format!("k: {}a: 1{}\n", "{".repeat(levels + 1), "}: 1".repeat(levels) + "}");
        let set = lower(FileId(0), &lofting_syntax::parse(&text), Profile::Ytt, Options::default());
        let limits = set.issues.iter().filter(|issue| matches!(issue, Issue::DepthLimit { .. })).count();
        assert_eq!(limits, usize::from(!is_read), "{levels}");
    }
}

/// Documents are made of these; millions of them are in memory at a time.
#[test]
fn what_documents_are_made_of_is_small() {
    assert_eq!((size_of::<Key>(), size_of::<NodeValue>(), size_of::<Node>()), (24, 32, 56));
    assert_eq!((size_of::<MapItem>(), size_of::<ArrayItem>()), (120, 80));
}
