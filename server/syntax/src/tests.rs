//! Trees of half-typed texts, checked by eye: the damage stays on its line, and the lines above and below keep their
//! place.

use crate::{Kind, Tree, debug, parse};
use expect_test::{Expect, expect};
use std::ops::Range;

#[track_caller]
fn check(text: &str, expected: Expect) {
    let tree = parse(text);
    assert_eq!(tree.to_text(), text);
    expected.assert_eq(&debug::outline(&tree));
}

#[test]
fn lossless_dump() {
    let tree = parse("a: 1 # c\n");
    expect![[r##"
        STREAM 0..9
          DOCUMENT 0..9
            BLOCK_MAP 0..9
              MAP_ENTRY 0..9
                PLAIN 0..1 "a"
                COLON 1..2 ":"
                WHITESPACE 2..3 " "
                PLAIN 3..4 "1"
                WHITESPACE 4..5 " "
                COMMENT 5..8 "# c"
                NEWLINE 8..9 "\n"
    "##]]
    .assert_eq(&debug::dump(&tree));
}

#[test]
fn half_key_between_two_keys() {
    check(
        "db:\n  host: a\n  po\n  name: b\napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "host": "a"
              "po" (no colon): Missing
              "name": "b"
            "app": "c"
        ! 3: missing-colon "po"
    "#]],
    );
}

#[test]
fn half_key_at_end() {
    check(
        "db:\n  host: a\nap",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "host": "a"
            "ap" (no colon): Missing
        ! 3: missing-colon "ap"
    "#]],
    );
}

#[test]
fn empty_indented_line() {
    check(
        "db:\n  host: a\n  \napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "host": "a"
            "app": "c"
    "#]],
    );
}

#[test]
fn unclosed_double_quote() {
    check(
        "db:\n  host: \"a\n  port: 1\napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "host": "a"
              "port": "1"
            "app": "c"
        ! 2: unclosed-quote "\"a"
    "#]],
    );
}

#[test]
fn unclosed_single_quote() {
    check(
        "db:\n  host: 'a\n  port: 1\napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "host": "a"
              "port": "1"
            "app": "c"
        ! 2: unclosed-quote "'a"
    "#]],
    );
}

#[test]
fn unclosed_list() {
    check(
        "db:\n  ports: [1, 2\n  host: a\napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "ports": FlowSeq
                - "1"
                - "2"
              "host": "a"
            "app": "c"
        ! 2: unclosed-flow "["
    "#]],
    );
}

#[test]
fn unclosed_flow_map() {
    check(
        "db: {host: a, po\napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": FlowMap
              "host": "a"
              "po" (no colon): Missing
            "app": "c"
        ! 1: unclosed-flow "{"
    "#]],
    );
}

#[test]
fn one_column_too_deep() {
    check(
        "db:\n  host: a\n   port: 1\napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "host": "a"
              "port": "1"
            "app": "c"
        ! 3: bad-indentation "port"
    "#]],
    );
}

#[test]
fn dedent_between_two_levels() {
    check(
        "db:\n    host: a\n  port: 1\napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "host": "a"
              "port": "1"
            "app": "c"
        ! 3: bad-indentation "port"
    "#]],
    );
}

#[test]
fn tab_indentation() {
    check(
        "db:\n\thost: a\n\tport: 1\napp: c\n",
        expect![[r#"
        document
          BlockMap
            "db": BlockMap
              "host": "a"
              "port": "1"
            "app": "c"
        ! 2: tab-indentation "\t"
        ! 3: tab-indentation "\t"
    "#]],
    );
}

#[test]
fn two_colons_on_a_line() {
    check(
        "a: b: c\nd: e\n",
        expect![[r#"
        document
          BlockMap
            "a": "b: c"
            "d": "e"
        ! 1: nested-mapping ":"
    "#]],
    );
}

#[test]
fn dash_with_nothing() {
    check(
        "env:\n- a\n-\n- c\napp: d\n",
        expect![[r#"
        document
          BlockMap
            "env": BlockSeq
              - "a"
              - Missing
              - "c"
            "app": "d"
    "#]],
    );
}

#[test]
fn empty_anchor_alias_and_tag() {
    check(
        "a: &\nb: *\nc: !\nd: 1\n",
        expect![[r#"
        document
          BlockMap
            "a": & Missing
            "b": *
            "c": ! Missing
            "d": "1"
        ! 1: empty-name "&"
        ! 2: empty-name "*"
    "#]],
    );
}

#[test]
fn keys_that_are_aliases() {
    check(
        "a: &web 1\n*web: 2\nb:\n  *web: 3\n*web:\n  c: 4\ne:\n  *web:\n    f: 5\nd: {*web: 5, *web : 6}\nl:\n- *web: :7\n",
        expect![[r#"
            document
              BlockMap
                "a": &web "1"
                *web: "2"
                "b": BlockMap
                  *web: "3"
                *web: BlockMap
                  "c": "4"
                "e": BlockMap
                  *web: BlockMap
                    "f": "5"
                "d": FlowMap
                  *web: "5"
                  *web: "6"
                "l": BlockSeq
                  - BlockMap
                    *web: ":7"
            ! 2: alias-colon "*web:"
            ! 4: alias-colon "*web:"
            ! 5: alias-colon "*web:"
            ! 8: alias-colon "*web:"
            ! 10: alias-colon "*web:"
            ! 12: alias-colon "*web:"
        "#]],
    );
}

#[test]
fn aliases_whose_names_end_with_a_colon() {
    check(
        "&a: key: &a value\nfoo:\n  *a:\nbar: *a: # the same\nlist: [*a:, {*a: : 1}]\n*a: : 2\n",
        expect![[r#"
            document
              BlockMap
                &a: "key": &a "value"
                "foo": *a:
                "bar": *a:
                "list": FlowSeq
                  - *a:
                  - FlowMap
                    *a:: "1"
                *a:: "2"
        "#]],
    );
}

#[test]
fn junk_after_a_block_header() {
    check(
        "a: >- junk\n  text\nb: 1\n",
        expect![[r#"
        document
          BlockMap
            "a": "text"
            "b": "1"
        ! 1: block-scalar-header "junk"
    "#]],
    );
}

#[test]
fn annotations_above_a_half_first_key() {
    check(
        "#@data/values\n---\n#@schema/desc \"x\"\nna\n#@schema/nullable\nb: 1\n",
        expect![[r#"
            document
              BlockMap
                "na" (no colon): Missing
                "b": "1"
            ! 4: missing-colon "na"
        "#]],
    );
}

#[test]
fn two_broken_levels() {
    check(
        "a:\n  b:\n    hal\n  oth\nc: 1\n",
        expect![[r#"
        document
          BlockMap
            "a": BlockMap
              "b": "hal"
              "oth" (no colon): Missing
            "c": "1"
        ! 4: missing-colon "oth"
    "#]],
    );
}

#[test]
fn item_inside_a_mapping() {
    check(
        "a: 1\n- b\nc: 2\n",
        expect![[r#"
        document
          BlockMap
            "a": "1"
            error node "- b\n"
            "c": "2"
        ! 2: unexpected-item "- b"
    "#]],
    );
}

#[test]
fn reserved_characters() {
    check(
        "a: @x\nb: %y\nc: `z\nd: 1\n",
        expect![[r#"
        document
          BlockMap
            "a": "@x"
            "b": "%y"
            "c": "`z"
            "d": "1"
        ! 1: reserved-character "@"
        ! 2: reserved-character "%"
        ! 3: reserved-character "`"
    "#]],
    );
}

#[test]
fn key_without_space_after_the_colon() {
    check(
        "name: x\nlogLevel:info\nport: 1\n",
        expect![[r#"
        document
          BlockMap
            "name": "x"
            "logLevel:info" (no colon): Missing
            "port": "1"
        ! 2: missing-colon "logLevel:info"
    "#]],
    );
}

#[test]
fn half_first_key_of_an_item() {
    check(
        "env:\n- na\n  value: x\n- name: b\n",
        expect![[r#"
        document
          BlockMap
            "env": BlockSeq
              - BlockMap
                "na" (no colon): Missing
                "value": "x"
              - BlockMap
                "name": "b"
        ! 2: missing-colon "na"
    "#]],
    );
}

#[test]
fn half_key_above_its_children() {
    check(
        "image\n  tag: x\nname: y\n",
        expect![[r#"
        document
          BlockMap
            "image" (no colon): BlockMap
              "tag": "x"
            "name": "y"
        ! 1: missing-colon "image"
    "#]],
    );
}

#[test]
fn merge_conflict() {
    check(
        "a:\n  b: 1\n<<<<<<< HEAD\n  c: 2\n=======\n  c: 3\n>>>>>>> other\n  d: 4\n",
        expect![[r#"
        document
          BlockMap
            "a": BlockMap
              "b": "1"
              error node "<<<<<<< HEAD\n"
              "c": "2"
              error node "=======\n"
              "c": "3"
              error node ">>>>>>> other\n"
              "d": "4"
        ! 3: conflict-marker "<<<<<<< HEAD"
        ! 5: conflict-marker "======="
        ! 7: conflict-marker ">>>>>>> other"
    "#]],
    );
}

#[test]
fn unclosed_quote_in_flow() {
    check(
        "image: {tag: \"la}\nname: x\n",
        expect![[r#"
        document
          BlockMap
            "image": FlowMap
              "tag": "la"
            "name": "x"
        ! 1: unclosed-quote "\"la"
    "#]],
    );
}

#[test]
fn list_on_the_line_of_its_key() {
    check(
        "a: - b\n   - c\nd: 1\n",
        expect![[r#"
        document
          BlockMap
            "a": BlockSeq
              - "b"
              - "c"
            "d": "1"
        ! 1: inline-sequence "-"
    "#]],
    );
}

#[test]
fn token_at_every_offset() {
    let long: String = (0..400).map(|line| format!("k{line}: [a, {{b: c}}] # d\n")).collect();
    for text in ["a: 1\n", "a:\n  - b\n", "", "\n", long.as_str()] {
        let tree = parse(text);
        for offset in 0..=text.len() {
            let token = tree.token_at(offset);
            let range = token.map(|token| token.range());
            let holds = range
                .as_ref()
                .is_some_and(|range| range.contains(&offset) || offset == text.len() && range.end == offset);
            assert!(holds || text.is_empty(), "{offset}: {range:?}");
            let path = tree.path_at(offset);
            assert!(path.iter().all(|node| node.range().start <= offset && offset <= node.range().end));
        }
    }
}

#[test]
fn ranges_of_values() {
    let text = "a: &x !t  v # c\nb:\nc: |\n  x\n\nd:   # e\n  f: 1 \n  g:\nh: [1, 2] \n";
    let tree = parse(text);
    let root = tree.documents().next().and_then(|document| document.root());
    let map = root.and_then(|root| root.map()).expect("a mapping");
    let of = |name: &str| {
        let mut entries = map.entries();
        let entry = entries.find(|entry| entry.key().is_some_and(|key| &text[key.range()] == name));
        entry.expect("the key")
    };
    assert_eq!(&text[of("a").value().range()], "&x !t  v");
    assert_eq!(&text[of("a").value().content_range()], "v");
    assert_eq!(&text[of("a").range()], "a: &x !t  v");
    let missing = of("b").value();
    assert!(missing.is_missing());
    assert_eq!(missing.range(), of("b").colon().expect("a colon").range().end..of("b").range().end);
    assert_eq!(&text[of("c").value().range()], "|\n  x");
    assert_eq!(&text[of("d").value().range()], "f: 1 \n  g:");
    assert_eq!(&text[of("h").value().range()], "[1, 2]");
}

#[test]
fn typing_at_the_margin_inside_a_nested_mapping() {
    check(
        "root:\n  a:\n    b: 1\nx  c:\n    d: 2\n  e:\n    f: 3\n  g: 4\n",
        expect![[r#"
        document
          BlockMap
            "root": BlockMap
              "a": BlockMap
                "b": "1"
            "x  c": BlockMap
              "d": "2"
              "e": BlockMap
                "f": "3"
              "g": "4"
        ! 6: bad-indentation "e"
    "#]],
    );
}

/// An entry that the edit made misplaced is reused, although a line follows that it cannot contain.
#[test]
fn item_below_an_entry_that_an_edit_displaced() {
    let text = "  half\n   e: 1\n  e: 1\n  e:\n    b: 2\n  - a: 1\n";
    let edited = parse(text).edit(9..9, "1\n...\n");
    assert_eq!(debug::dump(&edited), debug::dump(&parse(&edited.to_text())));
}

/// A comment directly after a bracket or a value, and a hyphen alone between brackets: mistakes for the grammar, which the
/// library of ytt reads.
#[test]
fn what_the_library_of_ytt_reads_between_brackets() {
    use crate::ErrorCode::{CommentSpace, UnexpectedText};
    use crate::resolve::Profile;
    for (text, wanted) in [
        ("a: [#c\n  b]\n", vec![CommentSpace]),
        ("a: {#c\n  b: 1,#d\n  c: [1]#e\n}#f\n", vec![CommentSpace; 4]),
        ("a: [b, \"c\"#d\n  ]\n", vec![CommentSpace]),
        ("a: [b, -, c]\n", vec![UnexpectedText]),
        ("a: [-]\nb: {c: -}\nd: {-, e: 1}\n", vec![UnexpectedText; 3]),
        ("a: [1,\n-]\n", vec![UnexpectedText]),
    ] {
        let tree = crate::parse(text);
        assert_eq!(tree.errors().iter().map(|error| error.code).collect::<Vec<_>>(), wanted, "{text}");
        assert_eq!(tree.errors_in(Profile::Ytt), [], "{text}");
        let comments: Vec<String> = tree.comments().map(|comment| comment.text().into_owned()).collect();
        assert_eq!(comments.len(), text.matches('#').count(), "{text}: {comments:?}");
    }
    for text in ["a: [- ]\n", "a: [-\n  ]\n", "a: [b, - , c]\n", "a: -\n b\n"] {
        assert!(!crate::parse(text).errors_in(Profile::Ytt).is_empty(), "{text}");
    }
}

#[test]
fn headers_of_block_scalars_at_the_column_of_their_key() {
    use crate::ErrorCode::BadIndentation;
    use crate::resolve::Profile;
    for (text, value) in [
        ("a:\n|\n x\nb: c\n", "x\n"),
        ("a: \n|- # c\n x\nb: c\n", "x"),
        ("a: !!str\n\n>+\n  x\n\n", "x\n\n"),
        ("a: # c\n|2\n   x\n", " x\n"),
        ("a:\n|\n", ""),
        ("a:\n>", ""),
    ] {
        let tree = parse(text);
        assert_eq!(tree.errors().iter().map(|error| error.code).collect::<Vec<_>>(), [BadIndentation], "{text}");
        assert_eq!(tree.errors_in(Profile::Ytt), [], "{text}");
        let root = tree.documents().next().and_then(|document| document.root()).expect("a value");
        let entry = root.map().and_then(|map| map.entries().next()).expect("an entry");
        assert_eq!(entry.value().scalar().expect("a scalar").value(), value, "{text}");
    }
    for text in ["-\n>\n", "x:\n- a:\n  |\n   x\n- b\n"] {
        assert_eq!(parse(text).errors_in(Profile::Ytt), [], "{text}");
    }
    for text in ["a:\n> x\n", "- a:\n|\n x\n", "a:\n|||||||\nb: c\n", "a: b\n|\n x\n", "x:\n  a:\n |\n   x\n"] {
        assert!(!parse(text).errors_in(Profile::Ytt).is_empty(), "{text}");
    }
}

#[test]
fn an_edit_that_changes_a_single_token() {
    let text = "a: one\nb:\n- two # c\n- \"three\"\n#@ x\nc: {d: four}\ne: #@ y\n---\nf: five\n";
    let tree = parse(text);
    for (word, kind) in [
        ("one", Kind::Plain),
        ("two", Kind::Plain),
        ("three", Kind::DoubleQuoted),
        ("four", Kind::Plain),
        ("five", Kind::Plain),
        ("# c", Kind::Comment),
        ("b:", Kind::Plain),
    ] {
        let at = text.find(word).unwrap();
        for (range, new) in [(at + 1..at + 1, "x"), (at..at + 1, if kind == Kind::Comment { "#" } else { "xé" })] {
            let after = tree.edit(range.clone(), new);
            let changed = after.only_changed_token(&tree, range.clone()).unwrap_or_else(|| panic!("{word} {new}"));
            assert_eq!(changed.kind, kind, "{word}");
            assert_eq!(changed.new.len() + range.len(), changed.old.len() + new.len(), "{word}");
            assert_eq!(changed.old.start, changed.new.start);
        }
        for new in ["\n", ": ", "\"", "["] {
            let after = tree.edit(at + 1..at + 1, new);
            let same = match kind {
                Kind::Plain => new == "\"" || new == "[" && word != "four",
                Kind::DoubleQuoted => matches!(new, ": " | "["),
                _ => new != "\n",
            };
            assert_eq!(after.only_changed_token(&tree, at + 1..at + 1).is_some(), same, "{word} {new:?}");
        }
    }
}

#[test]
fn control_characters_are_reported_at_every_place() {
    let wrong = |text: &str| {
        let errors = crate::parse(text).errors();
        errors.iter().find(|error| error.code == crate::ErrorCode::ControlCharacter).map(|error| error.range.clone())
    };
    assert_eq!(wrong("a: \"x\u{7}y\"\n"), Some(5..6));
    assert_eq!(wrong("a: 1 # \u{7f}\n"), Some(7..8));
    assert_eq!(wrong("a: \u{9f}\n"), Some(3..5));
    assert_eq!(wrong("a: \u{ffff}\n"), Some(3..6));
    assert_eq!(wrong("a: \"\t\u{85}\u{a0}\u{feff}\u{e9}\u{1f600}\"\r\n"), None);
    // The first one in a long text, even after an edit.
    let long = format!("{}b: \u{1}\nc: \u{2}\n", "a: 1\n".repeat(5000));
    assert_eq!(wrong(&long), Some(25_003..25_004));
    let tree = crate::parse(&long).edit(25_003..25_004, "x");
    let errors = tree.errors();
    assert_eq!(errors.first().map(|error| error.range.clone()), Some(25_008..25_009));
}

#[test]
fn separators_that_cut_off_text_are_reported_to_readers_of_yaml_1_1() {
    let wrong = |text: &str, profile| {
        let errors = crate::parse(text).errors_in(profile);
        errors.iter().find(|error| error.code == crate::ErrorCode::LineSeparator).map(|error| error.range.clone())
    };
    for (text, expected) in [
        ("a: x\u{2028}y\n", Some(4..7)),
        ("a: x\u{85}y\n", Some(4..6)),
        ("a:\n  b: x\u{2029}  y\n", Some(9..12)),
        ("a:\n  b: x\u{2029}   y\n", None),
        ("a:\n  - x\u{2029}y\n", Some(8..11)),
        ("a\u{2028}b: 1\n", Some(1..4)),
        ("# x\u{2028}y\na: 1\n", Some(3..6)),
        ("# x\u{2028}# y\na: 1 # z\u{2028}\n", None),
        ("a: |\n  x\u{2028}y\n", Some(8..11)),
        ("a: |\n  x\u{2028}  y\n  z\u{2028}\n\n", None),
        ("a: >\n  x\u{2028}\n  y\u{2028}z\n", Some(15..18)),
        ("a: \"x\u{2028}y\"\nb: 'x\u{2028}y'\nc: [x\u{2028}y, {z\u{2028}: 1}]\n", None),
        ("x\u{2028}y\n", None),
        // One error on a line is enough.
        ("a: 1\u{2028}b: 2\n", None),
    ] {
        for profile in [crate::resolve::Profile::Ytt, crate::resolve::Profile::Yaml11] {
            assert_eq!(wrong(text, profile), expected, "{text:?}");
        }
        assert_eq!(wrong(text, crate::resolve::Profile::Core12), None, "{text:?}");
    }
    // After edits as well.
    let tree = crate::parse(&format!("{}b: x\nc: 1\n", "a: 1\n".repeat(5000)));
    let edited = tree.edit(25_004..25_004, "\u{2028}y");
    let found =
        |tree: &crate::Tree| tree.errors_in(crate::resolve::Profile::Ytt).first().map(|error| error.range.clone());
    assert_eq!((found(&tree), found(&edited)), (None, Some(25_004..25_007)));
}

/// The addresses of all nodes of a tree that edits may share.
fn shared(tree: &crate::Tree) -> std::collections::HashSet<*const crate::Green> {
    let mut found = std::collections::HashSet::new();
    let mut open = vec![tree.root()];
    while let Some(node) = open.pop() {
        found.extend(node.green().map(std::sync::Arc::as_ptr));
        open.extend(node.parts().filter_map(crate::Element::node));
    }
    found
}

#[test]
fn an_edit_of_text_that_goes_on_too_far_left_reads_what_it_changes() {
    let entry = "  b: \"x\n  y\"\n  c:\n    d: 1\n";
    let tree = parse(&format!("k:\n{}", entry.repeat(500)));
    let at = "k:\n".len() + 250 * entry.len() + entry.find('1').expect("a number");
    let mut edited = tree.edit(at..at, "2");
    let lost = |from: &crate::Tree, to: &crate::Tree| shared(from).difference(&shared(to)).count();
    assert!(tree.is_loose() && edited.is_loose());
    assert!(lost(&tree, &edited) < 30 && shared(&tree).len() > 500, "{} nodes are read again", lost(&tree, &edited));
    // While there is an error, and after it, when the tree is again what it was before.
    let before = edited.clone();
    for (insert, is_loose) in [("\"", false), ("", true)] {
        edited = edited.edit(at..at + usize::from(insert.is_empty()), insert);
        assert_eq!(edited.is_loose(), is_loose);
    }
    assert!(lost(&before, &edited) < 30, "{} nodes are read again", lost(&before, &edited));
}

/// Whether the text is read without regard to columns, and whether it then has no errors.
fn loose(text: &str) -> (bool, bool) {
    let tree = parse(text);
    (tree.is_loose(), tree.errors().is_empty())
}

#[test]
fn quoted_and_flow_scalars_may_go_on_at_the_column_of_their_key() {
    let whole = [
        "a:\n  b: 'text\n  of more'\n  c: 1\n",
        "a: \"text\nof more\"\nb: 1\n",
        "a: [x,\nz]\nb: {\n\"c\": 1\n}\n",
        "- 'a\n\nb'\n- c\n",
        "a: {b: [1,\n2], c: 'd\ne'}\n",
        "a: 'it''s\nso'  # why\nb: 'x\ny'\n",
        "a: {\nb: c\n}\n",
        "x:\n  a: {\n  b: c\n  }\n",
        "x:\n  a: {\n b: c\n }\n",
        "- a: {\n  b: c\n  }",
        "- {\nb: c\n}\n",
        "a: [\nb: c\n]\n",
        "a: {b: 1,\nc: 2\n}\nd: 3\n",
        "a: [\n'q\n t: u'\n]\n",
        "a: {\n# }\nb: '{', \"c\": \"]\n}\"\n}\n",
        "a: {\nb:\"q,\n\"c\":\"}\"\n}\n",
        "a: {\n\tb: c\n}\n",
        "a: {\n\t# c\n\tb: c\n}\n",
        "a: {\n  b:\n\t1\n}\n",
        "b: '\n\t  x\n\n  y '\n",
        "a: {b: \r1, c: 2}\r",
        "a: {\r\nb: c\r\n}\r\n",
    ];
    for text in whole {
        assert_eq!(loose(text), (true, true), "{text}");
    }
    let tree = parse("a: 'text\n  of\n\nmore'\nb: 1\n");
    let root = tree.documents().next().and_then(|document| document.root()).expect("a value");
    let value = root.map().and_then(|map| map.entries().next()).map(|entry| entry.value()).expect("an entry");
    assert_eq!(value.scalar().expect("a scalar").value(), "text of\nmore");
}

#[test]
fn values_that_go_on_too_far_left_are_found() {
    let lines = |text: &str| {
        let values = parse(text).loose_values();
        let ends = |lines: Vec<Range<usize>>| lines.into_iter().map(|line| (line.start, line.end)).collect::<Vec<_>>();
        values.into_iter().map(|value| (value.column, ends(value.lines))).collect::<Vec<_>>()
    };
    assert_eq!(lines("a:\n  b: 'text\n  of\n\n   more'\n  c: 1\n"), [(2, vec![(14, 16)])]);
    assert_eq!(lines("- a: [x,\n y, [\n  z]]\n  b: \"1\n    2\"\n"), [(2, vec![(9, 10), (15, 17)])]);
    assert_eq!(lines("a:\n- 'x\r\ny'\n"), [(0, vec![(9, 9)])]);
    assert_eq!(lines("a: {\n\tb: c\n  }\n"), [(0, vec![(5, 6)])]);
    assert_eq!(lines("a: 'x\n y'\n"), []);
    assert_eq!(lines("a: 'x\ny\n"), []);
}

#[test]
fn a_half_typed_quote_or_bracket_swallows_nothing() {
    let half_typed = [
        "a: \"x\nb: \"y\"\n",
        "a: \"x\nb: y\nc: \"z\"\n",
        "a: 'it\nb: don't care\n",
        "a: \"\nb: \"y\"\nc: z\n",
        "a: [x\nb: 1\n",
        "a: {x: 1,\nb: [1]\nc: 2\n",
        "a: [\nb:\n- c\n",
        "a: \"x\nb: \"\n",
        "a: 'x\n---\nb: y'\n",
        "a: {\nb: c\nd: e\n",
        "a: {\nb: c\nd: e\n}\n",
        "a: [\nb: {c: d}\ne: [f]\n",
        "a: {\nb: '}'\nc: 1 # }\n",
        "a: [\n- b\n- c]\n",
        "a: {\n---\nb: c}\n",
    ];
    for text in half_typed {
        assert_eq!(loose(text), (false, false), "{text}");
    }
}

#[test]
fn text_that_goes_on_left_of_its_key_is_edited_as_any_other() {
    let texts = [
        "a: {\nb: c\n}\nd: 1\n",
        "a: [1,\n-]\n",
        "a: 'x\nb: y\n",
        "a: 'x\ny'\nb: 1\n",
        "a: 'x\ny'\nb: [\n",
        "a: [x,\ny]\n",
        "a: [x,\ny\nb: 1\n",
        "a: 1\n",
    ];
    for from in texts {
        for to in texts {
            let edited = parse(from).edit(0..from.len(), to);
            let fresh = parse(to);
            assert_eq!(edited.is_loose(), fresh.is_loose(), "{from} {to}");
            assert_eq!(edited.errors(), fresh.errors(), "{from} {to}");
        }
        // Typed one character at a time.
        let mut tree = parse("");
        for (at, letter) in from.char_indices() {
            tree = tree.edit(at..at, letter.encode_utf8(&mut [0; 4]));
            let fresh = parse(&from[..at + letter.len_utf8()]);
            assert_eq!((tree.is_loose(), tree.errors()), (fresh.is_loose(), fresh.errors()), "{from} {at}");
        }
    }
}

/// Anchors count within a document. What is known of parts is right after edits, too.
#[test]
fn anchors_that_nothing_refers_to() {
    let texts = |tree: &Tree, most: usize| -> Vec<String> {
        let found = tree.unused_anchors(most).into_iter();
        found.map(|at| tree.token_at(at).expect("an anchor").text().into_owned()).collect()
    };
    let text = "a: &one 1\nb: *one\nc: &two {d: &three [&four x]}\n---\ne: &one 2\nf: [*four]\n";
    let mut tree = parse(text);
    assert_eq!(texts(&tree, 9), ["&two", "&three", "&four", "&one"]);
    assert_eq!(texts(&tree, 2), ["&two", "&three"]);
    tree = tree.edit(text.len()..text.len(), "g: *one\n");
    assert_eq!(texts(&tree, 9), ["&two", "&three", "&four"]);
    let document = |number: usize| format!("a: &x{number} {}\nb: *x{number}\n---\n", "text ".repeat(300));
    let long: String = (0..400).map(document).collect();
    tree = parse(&long);
    assert_eq!(texts(&tree, 9), Vec::<String>::new());
    let at = long.find("*x200").expect("an alias");
    tree = tree.edit(at..at + 5, "1");
    assert_eq!(texts(&tree, 9), ["&x200"]);
    tree = tree.edit(at..at + 1, "*x200");
    assert_eq!(texts(&tree, 9), Vec::<String>::new());
}
