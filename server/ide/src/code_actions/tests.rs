//! Offering and applying actions, and a property of all actions: each fixes its finding and causes no other.

mod alike;
mod declared;
mod extracted;
mod files;
mod fixed;
mod missing;
mod offered;
mod planted;
mod syntax;

use super::context::Context;
use super::offers::Offers;
use super::refactorings::Refactoring;
use super::{Abilities, ActionsAsked, Change, Changes, CodeAction, code_actions};
use crate::fixture::{Fixture, open};
use expect_test::{Expect, expect};
use lofting_diagnostic::Confidence;
use lofting_document::{FileId, Node, NodeValue};
use lofting_workspace::{CancelFlag, Snapshot};
use std::ops::Range;

const ABLE: Abilities = Abilities { creates_files: true };

/// All actions for a range, with the changes.
fn all_at(snapshot: &Snapshot, file: FileId, range: Range<usize>) -> Vec<CodeAction> {
    let asked =
        ActionsAsked { kinds: &["quickfix", "refactor"], abilities: ABLE, changes: Changes::All, unasked: false };
    code_actions(snapshot, file, range, &asked, &CancelFlag::new())
}

/// The snapshot after a change, without new files.
fn applied(snapshot: &Snapshot, change: &Change) -> Snapshot {
    let mut files: Vec<FileId> = change.edits.iter().map(|(span, _)| span.file).collect();
    files.sort();
    files.dedup();
    files.into_iter().fold(snapshot.clone(), |now, file| {
        let text = change.apply(file, &snapshot.text(file).to_string()).expect("edits that do not overlap");
        now.with_text(file, &text)
    })
}

/// The text after the first change that a refactoring offers at the cursor, if it offers one.
pub(super) fn changed_by(refactoring: &Refactoring, fixture: &str) -> Option<String> {
    let Fixture { snapshot, file, offset, .. } = open(fixture);
    let context = Context::new(&snapshot, file, offset..offset, ABLE);
    let mut offers = Offers::new(Changes::All, refactoring.kind, None);
    (refactoring.offer)(&context, &mut offers);
    let change = offers.found().into_iter().next()?.change?;
    Some(applied(&snapshot, &change).text(file).to_string())
}

/// The titles of the actions at the cursor; `*` marks preferred ones.
pub(super) fn titles(fixture: &Fixture) -> String {
    let found = all_at(&fixture.snapshot, fixture.file, fixture.offset..fixture.offset);
    let line = |action: &CodeAction| {
        let mark = if action.preferred { "* " } else { "" };
        format!("{mark}{} ({}, {:?})\n", action.name.title, action.kind.as_str(), action.confidence)
    };
    found.iter().map(line).collect()
}

/// Checks the actions at the cursor, without suppressions.
#[track_caller]
pub(super) fn check_titles(fixture: &str, expected: Expect) {
    let titles = titles(&open(fixture));
    let own = titles.lines().filter(|line| !line.starts_with("Ignore ") && !line.starts_with("Switch "));
    expected.assert_eq(&own.map(|line| format!("{line}\n")).collect::<String>());
}

/// Checks the texts that an action changes or creates.
#[track_caller]
pub(super) fn check_change(fixture: &str, title: &str, expected: Expect) {
    let fixture = open(fixture);
    let found = all_at(&fixture.snapshot, fixture.file, fixture.offset..fixture.offset);
    let action = found.into_iter().find(|action| action.name.title == title);
    let Some(action) = action else { panic!("offered are:\n{}", titles(&fixture)) };
    let change = action.change.expect("it was asked for");
    let after = applied(&fixture.snapshot, &change);
    let mut files: Vec<FileId> = change.edits.iter().map(|(span, _)| span.file).collect();
    files.sort();
    files.dedup();
    let mut shown = String::new();
    for file in files {
        if file != fixture.file {
            shown += &format!("#- {}\n", after.shown_path(file));
        }
        shown += &after.text(file).to_string();
    }
    for (path, text) in change.new_files {
        shown += &format!("#- new {}\n{text}", path.file_name().unwrap_or_default().to_string_lossy());
    }
    expected.assert_eq(&shown);
}

#[test]
fn what_is_offered_stands_anywhere_on_the_line() {
    let fixture =
        "#- schema.yml\n#@data/values-schema\n---\nport: 80\n#- values.yml\n#@data/values\n---\np$0ort: \"90\"\n";
    check_titles(
        fixture,
        expect![[r#"
        * Remove the quotes (quickfix, Sure)
    "#]],
    );
    check_change(
        fixture,
        "Remove the quotes",
        expect![[r#"
        #@data/values
        ---
        port: 90
    "#]],
    );
    check_titles(
        &fixture.replace("p$0ort", "port").replace("#@data/values\n---\np", "#@data/va$0lues\n---\np"),
        expect![[r#"
            Make it plain values (refactor.rewrite, Possible)
        "#]],
    );
}

#[test]
fn a_change_is_only_made_where_it_is_wanted() {
    let fixture =
        open("#- schema.yml\n#@data/values-schema\n---\nport: 80\n#- values.yml\n#@data/values\n---\nport: \"9$00\"\n");
    let asked = ActionsAsked { kinds: &[], abilities: ABLE, changes: Changes::None, unasked: false };
    let at = fixture.offset..fixture.offset;
    let found = code_actions(&fixture.snapshot, fixture.file, at.clone(), &asked, &CancelFlag::new());
    assert!(found.iter().all(|action| action.change.is_none()) && found.len() > 2, "{found:?}");
    for action in found {
        let (name, cancel) = (&action.name, CancelFlag::new());
        let change = super::change_of(&fixture.snapshot, fixture.file, at.clone(), name, ABLE, &cancel);
        assert!(change.is_some(), "{name:?}");
    }
}

#[test]
fn a_plan_that_would_lose_a_value_says_so() {
    let fixture = open(
        "#- schema.yml\n#@data/values-schema\n---\nb:\n  a: 1\n#- values.yml\n#@data/values\n---\na: 1\nb:\n  a: 2\n\
         #- moves.toml\nschema = \"schema.yml\"\n[[move]]\n$0key = \"a\"\nto = \"b.a\"\n",
    );
    let at = fixture.offset..fixture.offset;
    let offered = |changes| {
        let asked = ActionsAsked { kinds: &[], abilities: ABLE, changes, unasked: false };
        code_actions(&fixture.snapshot, fixture.file, at.clone(), &asked, &CancelFlag::new())
    };
    let found = offered(Changes::None);
    let [action] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(action.name.title, "Apply this move of `a`");
    let change = super::change_of(&fixture.snapshot, fixture.file, at.clone(), &action.name, ABLE, &CancelFlag::new());
    let refused = change.and_then(|change| change.refused).expect("a reason");
    assert_eq!(
        refused,
        "Nothing is changed, because values would be lost.\n\
         values.yml: line 5: `b.a` is set already, and one of the two values would be lost"
    );
    // Editors that want changes at once are not offered what changes nothing.
    assert_eq!(offered(Changes::All), []);
}

#[test]
fn kinds_hold_those_below() {
    use super::ActionKind;
    assert!(ActionKind::Extract.is_below("refactor") && ActionKind::Extract.is_below("refactor.extract"));
    assert!(ActionKind::FixAll.is_below("source.fixAll") && ActionKind::FixAll.is_below(""));
    assert!(!ActionKind::Extract.is_below("refactor.ex") && !ActionKind::QuickFix.is_below("quickfix.other"));
}

#[test]
fn all_that_is_certain_is_fixed_at_once() {
    let fixture = open(
        "#- schema.yml\n#@data/values-schema\n---\nport: 80\nhost: \"\"\ntags: [\"\"]\n\
         #- values.yml\n#@data/values\n---\n# why\nport: \"90\"\nhost: 1\nhots: x\ntags: [1, a, true]\n",
    );
    let fixed = super::fix_all(&fixture.snapshot, fixture.file, Confidence::Sure, &CancelFlag::new()).expect("some");
    expect![[r#"
        #@data/values
        ---
        #! why
        port: 90
        host: "1"
        hots: x
        tags: ["1", a, "true"]
    "#]]
    .assert_eq(&fixed.text);
    assert_eq!(fixed.done.len(), 5, "{:?}", fixed.done);
}

/// The number of findings that are shown is limited, but all of them are fixed, in every kind of file.
#[test]
fn more_is_fixed_than_is_shown() {
    let (many, more) = (1_100, 10_500);
    let (schema, head) = ("#- schema.yml\n#@data/values-schema\n---\ntags: [\"\"]\n", "#@data/values\n---\n");
    let numbers = "- 1\n".repeat(many);
    for values in [
        format!("{schema}#- values.yml\ntags:\n{numbers}"),
        format!("{schema}#- values.yml\n{head}tags:\n{numbers}"),
        format!("{schema}#- values.yml\n{head}tags: []\n{head}tags:\n{numbers}"),
        format!(
            "#- s.json\n{{\"properties\": {{\"tags\": {{\"items\": {{\"type\": \"string\"}}}}}}}}\n\
             #- values.yml\n# yaml-language-server: $schema=s.json\ntags:\n{numbers}"
        ),
    ] {
        let fixture = open(&values);
        let all = fixture.snapshot.all_diagnostics(fixture.file, &CancelFlag::new());
        let fixed = all.iter().filter(|finding| !finding.fixes.is_empty()).count();
        assert_eq!(fixed, many, "{}", values.lines().take(7).collect::<Vec<_>>().join("|"));
    }
    let fixture = open(&format!("{schema}#- values.yml\ntags:\n{}", "- 1\n".repeat(more)));
    let fixed = super::fix_all(&fixture.snapshot, fixture.file, Confidence::Sure, &CancelFlag::new()).expect("some");
    let (left, quoted) = (fixed.text.matches("- 1\n").count(), fixed.text.matches("- \"1\"\n").count());
    assert_eq!((left, quoted), (0, more));
}

#[test]
fn suppressions() {
    let fixture = "#- schema.yml\n#@data/values-schema\n---\nport: 80\n#- values.yml\n#@data/values\n---\n  #! why\n  p$0ort: x\n";
    check_change(
        fixture,
        "Ignore `ytt/type-mismatch` here",
        expect![[r#"
        #@data/values
        ---
          #! why
          #! lofting: ignore ytt/type-mismatch
          port: x
    "#]],
    );
    check_change(
        fixture,
        "Ignore `ytt/type-mismatch` in this file",
        expect![[r#"
        #! lofting: ignore-file ytt/type-mismatch
        #@data/values
        ---
          #! why
          port: x
    "#]],
    );
    let known = fixture.replace("#! why", "#! lofting: ignore ytt/min -- later");
    check_change(
        &known,
        "Ignore `ytt/type-mismatch` here",
        expect![[r#"
        #@data/values
        ---
          #! lofting: ignore ytt/min ytt/type-mismatch -- later
          port: x
    "#]],
    );
}

#[test]
fn an_undeclared_key_is_declared_with_the_type_of_its_value() {
    let declare = |values: &str, expected: Expect| {
        let schema = "#- schema.yml\n#@data/values-schema\n---\na: 1\nb:\n  c: 1\n\nd: {e: 1}\n";
        let fixture = format!("{schema}#- values.yml\n#@data/values\n---\n{values}");
        check_change(&fixture, "Declare `x` in the schema", expected);
    };
    declare(
        "x$0: [{p: 1, q: a}, {p: 2.5, r: null}]\n",
        expect![[r#"
        #- schema.yml
        #@data/values-schema
        ---
        a: 1
        b:
          c: 1

        d: {e: 1}
        x:
        - p: 0.0
          q: ""
          #@schema/nullable
          r: ""
    "#]],
    );
    declare(
        "b:\n  x$0:\n    deep: on\n    any: {}\n    none: []\n",
        expect![[r#"
        #- schema.yml
        #@data/values-schema
        ---
        a: 1
        b:
          c: 1
          x:
            deep: on
            #@schema/type any=True
            any: {}
            #@schema/type any=True
            none: []

        d: {e: 1}
    "#]],
    );
    declare(
        "d:\n  x$0: \"1\"\n",
        expect![[r#"
        #- schema.yml
        #@data/values-schema
        ---
        a: 1
        b:
          c: 1

        d: {e: 1, x: "1"}
    "#]],
    );
}

#[test]
fn a_schema_is_written_for_values() {
    check_change(
        "#- values.yml\n#@data/values\n---\n$0#! Where it runs.\nhost: example.org\nport: 80\ntags: [a, 1]\ndb:\n  # many\n  # words\n  size: 1.5\n  hosts:\n  - name: x\n  - port: 1\ntext: |\n  two\n  lines\nempty:\n",
        "Write a schema for these values",
        expect![[r#"
            #- new schema.yml
            #@data/values-schema
            ---
            #@schema/desc "Where it runs."
            host: example.org
            port: 80
            #@schema/type any=True
            tags: []
            db:
              #@schema/desc "many words"
              size: 1.5
              hosts:
              - name: ""
                port: 0
            text: "two\nlines\n"
            #@schema/nullable
            empty: ""
        "#]],
    );
}

#[test]
fn values_change_their_form() {
    let schema = "#- schema.yml\n#@data/values-schema\n---\na: 1\n";
    let plain = format!("{schema}#- values.yml\n# lofting: schema=schema.yml\na$0: 2 # two\n");
    check_change(
        &plain,
        "Make it a document with data values",
        expect![[r##"
        #@data/values
        ---
        #! lofting: schema=schema.yml
        a: 2 #! two
    "##]],
    );
    let annotated = format!("{schema}#- values.yml\n#@data/$0values\n---\na: 2\n");
    check_change(
        &annotated,
        "Make it plain values",
        expect![[r#"
        ---
        a: 2
    "#]],
    );
}

/// What `ytt` gets as plain values must not have annotations.
#[test]
fn values_that_are_given_as_plain_ones_stay_plain() {
    let config = "#- lofting.toml\n[sets.one]\nfiles = [\"schema.yml\"]\nvalues = [\"values.yml\"]\n";
    let fixture = open(&format!("{config}#- schema.yml\n#@data/values-schema\n---\na: 1\n#- values.yml\na$0: 2\n"));
    assert!(!titles(&fixture).contains("data values"), "{}", titles(&fixture));
}

#[test]
fn collections_in_flow_style_are_found_around_the_cursor() {
    let schema = "#- schema.json\n{}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\n";
    for (text, expect) in [
        (
            "a: {b: [1, {c$0: x}], d: y}\n",
            expect![[r#"
            # yaml-language-server: $schema=schema.json
            a:
              b:
              - 1
              - c: x
              d: y
        "#]],
        ),
        (
            "a:\n  - {b: 1, c$0: [x]}\n  - d\n",
            expect![[r#"
            # yaml-language-server: $schema=schema.json
            a:
              - b: 1
                c:
                  - x
              - d
        "#]],
        ),
        (
            "- [$0a, b]\n",
            expect![[r#"
            # yaml-language-server: $schema=schema.json
            - - a
              - b
        "#]],
        ),
    ] {
        check_change(&format!("{schema}{text}"), "Write it on lines of its own", expect);
    }
}

/// What is inside brackets has no lines of its own, and JSON has nothing else.
#[test]
fn collections_inside_others_stay_in_flow_style() {
    let schema = "#- schema.json\n{}\n";
    for text in [
        "#- z.json\n{\n  \"p$0\": {\n    \"a\": 1,\n    \"b\": 2\n  }\n}\n",
        "#- z.json\n{\"x\": 1,\n\"p\": [\n1, $02]\n}\n",
        "#- z.json\n\"p$0\": {\"a\": 1}\n",
        "#- s.schema.json\n{\n  \"$defs$0\": {\n    \"a\": {}\n  }\n}\n",
        "#- z.yaml\n# $schema: schema.json\n{\n  p$0: {a: 1}\n}\n",
        "#- z.yaml\n# $schema: schema.json\n[\n  {p$0: {a: 1}}\n]\n",
    ] {
        let titles = titles(&open(&format!("{schema}{text}")));
        assert!(!titles.contains("lines of its own"), "{text}: {titles}");
    }
}

/// The titles of refactorings that change nothing but how a text is written.
const OF_STYLE: [&str; 5] = [
    "Write it on lines of its own",
    "Write it on one line",
    "Write it as a block of text",
    "Sort the keys as in the schema",
    "Write what `",
];

/// A text with collections in each other, by turns in both styles.
fn nested(seed: &mut u64, depth: usize, column: usize, in_flow: bool) -> String {
    let mut next = |most: u64| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % most
    };
    let scalars = ["1", "'a, b'", "x", "\"p\\nq\"", "null", "no: w", "&n 1", "*n", "!!str 1", ""];
    let (kind, count) = (next(if depth == 0 { 1 } else { 3 }), next(3) + 1);
    if kind == 0 {
        let scalar = scalars[next(if in_flow { 5 } else { 9 }) as usize];
        return if in_flow || scalar != "no: w" { scalar.to_owned() } else { "w".to_owned() };
    }
    let is_flow = in_flow || next(2) == 0;
    let broken = is_flow && next(2) == 0;
    let inner: Vec<String> = (0..count).map(|_| nested(seed, depth - 1, column + 2, is_flow)).collect();
    let room = " ".repeat(column);
    match (kind, is_flow) {
        (1, true) => {
            let between = if broken { format!(",\n{room}  ") } else { ", ".to_owned() };
            let entries: Vec<String> = inner.iter().enumerate().map(|(at, it)| format!("k{}: {it}", at ^ 1)).collect();
            format!("{{{}}}", entries.join(&between))
        }
        (_, true) => format!("[{}]", inner.join(if broken { ",\n          " } else { ", " })),
        (1, false) => {
            let entry = |(at, it): (usize, &String)| format!("\n{room}k{}: {it}", at ^ 1);
            inner.iter().enumerate().map(entry).collect()
        }
        _ => inner.iter().map(|it| format!("\n{room}- {}", it.trim_start_matches('\n').trim_start())).collect(),
    }
}

/// A value without its place and the order of its keys.
fn data_of(node: &Node) -> String {
    match &node.value {
        NodeValue::Map(items) => {
            let mut shown: Vec<String> = items.iter().map(|it| format!("{}: {}", it.key, data_of(&it.value))).collect();
            shown.sort();
            format!("{{{}}}", shown.join(", "))
        }
        NodeValue::Array(items) => {
            format!("[{}]", items.iter().map(|item| data_of(&item.value)).collect::<Vec<_>>().join(", "))
        }
        scalar => format!("{scalar:?}"),
    }
}

/// Whatever refactoring of style is applied, and wherever: the data stays the same.
#[test]
fn refactorings_of_style_keep_the_data() {
    let schema = "#- schema.json\n{\"properties\": {\"k0\": {}, \"k1\": {}}}\n";
    let data = |snapshot: &Snapshot, file: FileId| {
        let lowered = snapshot.lowered(file);
        let documents = lowered.documents.iter();
        documents.map(|document| data_of(&document.value)).collect::<Vec<_>>()
    };
    let (mut seed, mut applied_actions) = (7, 0);
    for number in 0..150 {
        let body = nested(&mut seed, 4, 0, false);
        let text = body.trim_start_matches('\n');
        let name = if number % 3 == 0 { "#- a.json\n" } else { "#- a.yaml\n# $schema: schema.json\n" };
        let fixture = open(&format!("{schema}{name}$0{text}\n"));
        let (snapshot, file) = (&fixture.snapshot, fixture.file);
        let whole = snapshot.text(file).to_string();
        if !snapshot.tree(file).errors().is_empty() {
            continue;
        }
        let before = data(snapshot, file);
        for at in (0..whole.len()).filter(|at| whole.is_char_boundary(*at)).step_by(2) {
            for action in all_at(snapshot, file, at..at) {
                let title = &action.name.title;
                if !OF_STYLE.iter().any(|of| title.starts_with(of)) {
                    continue;
                }
                let Some(change) = &action.change else { continue };
                let after = applied(snapshot, change);
                let new = after.text(file).to_string();
                assert!(after.tree(file).errors().is_empty(), "{title} at {at} of\n{whole}gives\n{new}");
                assert_eq!(data(&after, file), before, "{title} at {at} of\n{whole}gives\n{new}");
                applied_actions += 1;
            }
        }
    }
    assert!(applied_actions > 300, "only {applied_actions}");
}

#[test]
fn a_quoted_text_becomes_a_block() {
    let schema = "#- schema.json\n{}\n#- a.yaml\n# yaml-language-server: $schema=schema.json\n";
    for (text, expect) in [
        (
            "a:\n  b$0: \"one\\ntwo\\n\\n  three\"\n  c: 1\n",
            expect![[r#"
            # yaml-language-server: $schema=schema.json
            a:
              b: |-
                one
                two

                  three
              c: 1
        "#]],
        ),
        (
            "- 'one\n\n  t$0wo'\n- x\n",
            expect![[r#"
            # yaml-language-server: $schema=schema.json
            - |-
              one
              two
            - x
        "#]],
        ),
        (
            "- a: &x \"  on$0e\\ntwo\\n\"",
            expect![[r#"
            # yaml-language-server: $schema=schema.json
            - a: &x |2
                  one
                two
        "#]],
        ),
    ] {
        check_change(&format!("{schema}{text}"), "Write it as a block of text", expect);
    }
    for text in [
        "a$0: \"one\"\n",
        "a$0: \"one\\n\"\n",
        "a$0: \"one\\n\\n\"\n",
        "a$0: \"\\n\"\n",
        "a$0: \"one\\n \\ntwo\"\n",
        "a$0: \"one\\u0007\\ntwo\"\n",
        "a$0: \"one\\ntwo\" # why\n",
        "a: {b$0: \"one\\ntwo\"}\n",
        "a$0: \"one\\n",
    ] {
        let titles = titles(&open(&format!("{schema}{text}")));
        let is_offered = titles.contains("block of text");
        assert_eq!(is_offered, text == "a$0: \"one\\n\"\n", "{text:?}: {titles}");
    }
}

#[test]
fn keys_that_are_missing_in_a_document() {
    let schema = "#- schema.json\n{\"properties\": {\"a\": {\"type\": \"string\"}, \"b\": {\"type\": \"integer\"}}, \"required\": [\"a\", \"b\"]}\n\
        #- a.yaml\n# yaml-language-server: $schema=schema.json\n";
    for (text, expect) in [
        (
            "x$0: 1\n",
            expect![[r##"
            # yaml-language-server: $schema=schema.json
            x: 1
            a: ""
            b: 0
        "##]],
        ),
        (
            "# about\n\nx$0: 1\n",
            expect![[r##"
            # yaml-language-server: $schema=schema.json
            # about

            x: 1
            a: ""
            b: 0
        "##]],
        ),
        (
            "---\nx$0: 1\n",
            expect![[r##"
            # yaml-language-server: $schema=schema.json
            ---
            x: 1
            a: ""
            b: 0
        "##]],
        ),
        (
            "{$0}\n",
            expect![[r##"
            # yaml-language-server: $schema=schema.json
            {a: "", b: 0}
        "##]],
        ),
    ] {
        check_change(&format!("{schema}{text}"), "Add all keys that are missing", expect);
    }
}

#[test]
fn what_is_empty_has_one_style() {
    for text in ["a$0: {}\n", "a$0: []\n", "- $0[]\n"] {
        let offered = titles(&open(&format!("#- a.yml\n#@data/values\n---\nb:\n  {text}")));
        assert!(!offered.contains("lines of its own"), "{text}: {offered}");
    }
}

#[test]
fn collections_change_their_style() {
    check_change(
        "#- a.yml\n#@data/values\n---\nb:\n- a$0: {b: [1, {c: x, d: []}], 'e f': \"g\"}\n  h: 1\n",
        "Write it on lines of its own",
        expect![[r#"
            #@data/values
            ---
            b:
            - a:
                b:
                - 1
                - c: x
                  d: []
                'e f': "g"
              h: 1
        "#]],
    );
    check_change(
        "#- a.yml\n#@data/values\n---\na$0:\n  b:\n  - 1\n  - c: x, y\n    d:\n  e: {}\nf: 1\n",
        "Write it on one line",
        expect![[r#"
            #@data/values
            ---
            a: {b: [1, {c: "x, y", d: null}], e: {}}
            f: 1
        "#]],
    );
    // A comment cannot be inserted between brackets.
    let commented = "#- schema.yml\n#@data/values-schema\n---\na:\n  b: 1\n  c: 2\n#- a.yml\n#@data/values\n---\na$0:\n  b: 1 #! why\n  c: 2\n";
    check_titles(commented, expect![""]);
}

#[test]
fn keys_are_sorted_as_their_schema_has_them() {
    let schema = "#- schema.yml\n#@data/values-schema\n---\na: 1\nb: {x: 1, y2: 1}\nc: \"\"\n";
    let values = "#- values.yml\n#@data/values\n-$0--\nc: |\n  text\n\n#! of b\nb: #! why\n  y2: 1\n  x: 2\n#@overlay/match missing_ok=True\na: 1\n";
    check_change(
        &format!("{schema}{values}"),
        "Sort the keys as in the schema",
        expect![[r#"
        #@data/values
        ---
        #@overlay/match missing_ok=True
        a: 1

        #! of b
        b: #! why
          y2: 1
          x: 2
        c: |
          text
    "#]],
    );
}

#[test]
fn aliases_are_written_out() {
    let base = "#- a.yml\n#@data/values\n---\nbase: &base\n  a: 1\n  b: {c: [1]}\n";
    check_change(
        &format!("{base}x:\n  d: 2\n  <<$0: *base #! why\n"),
        "Write what `*base` stands for in its place",
        expect![[r#"
        #@data/values
        ---
        base: &base
          a: 1
          b: {c: [1]}
        x:
          d: 2
          a: 1
          b:
            c:
            - 1 #! why
    "#]],
    );
    check_change(
        &format!("{base}x: *$0base\ny: 1\n"),
        "Write what `*base` stands for in its place",
        expect![[r#"
        #@data/values
        ---
        base: &base
          a: 1
          b: {c: [1]}
        x:
          a: 1
          b:
            c:
            - 1
        y: 1
    "#]],
    );
}

#[test]
fn a_document_becomes_a_file() {
    check_change(
        "#- a.yml\n#@data/values-schema\n---\na: 1\n\n#@library/ref \"@x\"\n#@data/values\n--$0-\nb: 1\n---\nc: 1\n",
        "Move this document into a file of its own",
        expect![[r#"
            #@data/values-schema
            ---
            a: 1

            ---
            c: 1
            #- new a-2.yml
            #@library/ref "@x"
            #@data/values
            ---
            b: 1
        "#]],
    );
}

#[test]
fn values_are_written_for_a_schema() {
    check_change(
        "#- schema.yml\n#@data/$0values-schema\n---\n#@schema/desc \"Where it runs.\"\nhost: example.org\n#@schema/deprecated \"no\"\nold: 1\n#@schema/nullable\ntls:\n  key: a\ndb:\n  ports: [0]\n  #@schema/title \"The size\"\n  size: 1.5\n",
        "Write a values file for this schema",
        expect![[r#"
            #- new values.yml
            #@data/values
            ---
            #! Where it runs.
            host: example.org
            tls: null
            db:
              ports: []
              #! The size
              size: 1.5
        "#]],
    );
}

/// Syntax is checked in files that are known to be data.
const HEAD: &str = "#@data/values\n---\n";

#[test]
fn a_tab_has_the_width_that_agrees_with_the_lines_around_it() {
    for (text, want) in [
        ("a:\n\tb:\n    - c\n", "a:\n  b:\n    - c\n"),
        ("a:\n\tb:\n    c: 1\n", "a:\n  b:\n    c: 1\n"),
        ("a:\n  b: 1\n\tc: 1\n", "a:\n  b: 1\n  c: 1\n"),
        ("a:\n    b: 1\n\tc: 1\n", "a:\n    b: 1\n    c: 1\n"),
        ("a:\n\tb: 1\n    c: 1\n", "a:\n    b: 1\n    c: 1\n"),
        ("a:\n\t- b: 1\n    c: x\n", "a:\n  - b: 1\n    c: x\n"),
        ("a:\n\t- - b: 1\n      c: x\n", "a:\n  - - b: 1\n      c: x\n"),
    ] {
        let (text, want) = (format!("{HEAD}{text}"), format!("{HEAD}{want}"));
        let fixture = open(&format!("#- a.yml\n{text}"));
        let at = text.find('\t').unwrap_or_default();
        let found = all_at(&fixture.snapshot, fixture.file, at..at + 1);
        let change = found.iter().find(|action| action.name.title == "Replace tabs by spaces");
        let change = change.and_then(|action| action.change.as_ref()).unwrap_or_else(|| panic!("{text}: {found:#?}"));
        assert_eq!(applied(&fixture.snapshot, change).text(fixture.file).to_string(), want, "{text}");
    }
}

#[test]
fn what_stands_too_deep_alone_is_moved_and_not_the_line_below_it() {
    for (text, want) in [(" a: 1\nb: 2\nc: 3\n", Some("a: 1\nb: 2\nc: 3\n")), ("a:\n  b: 1\n c: 2\n", None)] {
        let (text, want) = (format!("{HEAD}{text}"), want.map(|want| format!("{HEAD}{want}")));
        let fixture = open(&format!("#- a.yml\n{text}"));
        let findings = fixture.snapshot.diagnostics(fixture.file, &CancelFlag::new());
        let at = findings.first().unwrap_or_else(|| panic!("{text}")).marked().range();
        let found = all_at(&fixture.snapshot, fixture.file, at);
        let change = found.iter().find(|action| action.name.title.starts_with("Move what is above"));
        let change = change.and_then(|action| action.change.as_ref());
        let after = change.map(|change| applied(&fixture.snapshot, change).text(fixture.file).to_string());
        assert_eq!(after, want, "{text}");
    }
}

#[test]
fn entries_become_items_with_names() {
    let definition = "#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.com}
spec:
  group: example.com
  names: {kind: Boat, plural: boats}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          env:
            type: array
            items: {type: object, required: [name], properties: {name: {type: string}, value: {type: string}}}
";
    let written = |env: &str| {
        format!("{definition}#- own.yaml\napiVersion: example.com/v1\nkind: Boat\nmetadata: {{name: a}}\n{env}")
    };
    check_change(
        &written("$0env:\n  FOO: bar\n  PORT: 80\n  NONE:\n"),
        "Make items of its keys",
        expect![[r#"
            apiVersion: example.com/v1
            kind: Boat
            metadata: {name: a}
            env:
              - name: FOO
                value: bar
              - name: PORT
                value: "80"
              - name: NONE
                value: ""
        "#]],
    );
    check_change(
        &written("$0env: {FOO: bar, DEBUG: true}\n"),
        "Make items of its keys",
        expect![[r#"
            apiVersion: example.com/v1
            kind: Boat
            metadata: {name: a}
            env: [{name: FOO, value: bar}, {name: DEBUG, value: "true"}]
        "#]],
    );
    check_change(
        &written("$0env:\n  name: FOO\n  value: bar\n"),
        "Make it the item of an array",
        expect![[r#"
            apiVersion: example.com/v1
            kind: Boat
            metadata: {name: a}
            env:
              - name: FOO
                value: bar
        "#]],
    );
}
