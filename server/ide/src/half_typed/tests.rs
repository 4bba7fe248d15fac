mod languages;

use super::{LastEdit, without_half_typed};
use crate::diagnostics;
use crate::fixture::{open, open_app};
use lofting_workspace::CancelFlag;
use std::sync::Arc;

#[test]
fn what_a_value_lacks_may_come_next() {
    let steps = |step: &str| format!("{{\"properties\": {{\"steps\": {{\"items\": {step}}}}}}}");
    for step in [
        "{\"oneOf\": [{\"required\": [\"uses\"]}, {\"required\": [\"run\"]}]}",
        "{\"anyOf\": [{\"required\": [\"uses\"]}, {\"required\": [\"run\"]}]}",
        "{\"required\": [\"uses\"]}",
        "{\"minProperties\": 3}",
        "{\"not\": {\"maxProperties\": 2}}",
    ] {
        let text = format!(
            "#- s.json\n{}\n#- v.yaml\n# yaml-language-server: $schema=s.json\nsteps:\n- name: [a]\n  if: x\n  r$0\n",
            steps(step)
        );
        let fixture = open(&text);
        let found = diagnostics(&fixture.snapshot, fixture.file, &CancelFlag::new());
        assert!(!found.is_empty(), "{step}");
        let edit = LastEdit::new(&(fixture.offset - 1..fixture.offset - 1), "r");
        let shown = without_half_typed(&fixture.snapshot, fixture.file, found, Some(&edit));
        let text = fixture.snapshot.text(fixture.file);
        let typed = text.line_of(fixture.offset);
        let others = shown.iter().filter(|finding| text.line_of(finding.marked().range().start) != typed);
        let lines: Vec<_> = others.map(|finding| (finding.rule.code, finding.message.clone())).collect();
        assert_eq!(lines, [], "{step}");
    }
}

/// Lines and codes of the findings that are shown, with or without knowing that white space was inserted up to the
/// cursor.
fn shown(values: &str, entered: bool) -> Vec<(usize, &'static str)> {
    let fixture = open_app(values);
    let found = diagnostics(&fixture.snapshot, fixture.file, &CancelFlag::new());
    let before = fixture.text[..fixture.offset].trim_end().len();
    let edit = LastEdit::new(&(before..before), &fixture.text[before..fixture.offset]);
    let shown = without_half_typed(&fixture.snapshot, fixture.file, found, entered.then_some(&edit));
    let text = fixture.snapshot.text(fixture.file);
    shown.iter().map(|finding| (text.line_of(finding.marked().range().start), finding.rule.code)).collect()
}

#[test]
fn the_line_above_is_quiet_while_the_first_child_is_typed() {
    for key in
        ["image:", "image: #! c", "image: &a", "image: !!map", "ingress:\n  host: a\n  tls:", "env:\n- secretRef:"]
    {
        let line = key.matches('\n').count();
        let depth = key.lines().last().expect("a line").find(|c: char| c.is_ascii_alphabetic()).expect("a key");
        for begun in ["", "&", "&a", "&a ", "!", "!t", "#", "# c", "#!", "#! c", "#@", "#@sch", "\t"] {
            for after in ["", "\n", "\nname: x\n"] {
                let values = format!("{key}\n{}{begun}$0{after}", " ".repeat(depth + 2));
                let above: Vec<_> = shown(&values, false).into_iter().filter(|(at, _)| *at == line).collect();
                assert_eq!(above, [], "{values:?}");
            }
        }
    }
}

#[test]
fn what_is_typed_is_reported_on_its_own_line() {
    for begun in ["n", "'p", "\"p", "'p'", "1", "~", "null", "-1.5", "true", "&a n", "!!str n", "\"a b\""] {
        for after in ["", "\n", "\nname: x\n"] {
            let found = shown(&format!("image:\n  {begun}$0{after}"), false);
            assert!(!found.is_empty() && found.iter().all(|(line, _)| *line == 1), "{begun:?}: {found:?}");
        }
    }
}

#[test]
fn items_wait_for_the_key_of_a_document() {
    for begun in ["e", "en", "'env", "env"] {
        let below = format!("{begun}$0\n#! c\n- name: a\n- name: b\n");
        let elsewhere: Vec<_> = shown(&below, true).into_iter().filter(|(at, _)| *at > 0).collect();
        assert_eq!(elsewhere, [], "{begun:?}");
    }
    // As well below a key, with comments or code between.
    for between in ["", "  #! c\n", "  #@ for i in [1]:\n"] {
        let below = format!("spec:\n  co$0\n{between}  - x: 1\n");
        let elsewhere: Vec<_> =
            shown(&below, true).into_iter().filter(|(at, code)| *at != 1 && code.starts_with("yaml/")).collect();
        assert_eq!(elsewhere, [], "{below}");
    }
    assert!(shown("text\n#! c\n- name: a\n$0", true).contains(&(2, "yaml/unexpected-content")), "typed elsewhere");
}

#[test]
fn a_new_line_of_no_depth_is_room_if_it_was_just_made() {
    for (values, line) in [("args:\n$0", 0), ("args:\n$0\nname: x\n", 0), ("env:\n- secretRef:\n$0", 1)] {
        assert_eq!(shown(values, true), []);
        assert!(shown(values, false).iter().all(|(at, _)| *at == line));
    }
    assert_eq!(shown("args:\n\nname: x\n$0\n", true), [(0, "ytt/type-mismatch")], "elsewhere");
}

#[test]
fn what_is_finished_is_reported() {
    for values in [
        "image:",
        "image:\n",
        "image:\nname: x\n",
        "image:\n\nname: x\n",
        "image:\n# c\nname: x\n",
        "image: ~\n  \nname: x\n",
        "image: \"\"\n  # c\n",
    ] {
        assert_eq!(shown(values, false), [(0, "ytt/type-mismatch")], "{values:?}");
    }
    // About the key, not its value.
    assert_eq!(shown("unknown:\n  $0\n", false), [(0, "ytt/undeclared-key")]);
}

/// Lines and codes of the findings that are shown for a schema while the text before the cursor is typed on its line.
fn shown_in_schema(schema: &str) -> Vec<(usize, &'static str)> {
    let fixture = open(&format!("#- schema.yml\n{schema}"));
    let found = diagnostics(&fixture.snapshot, fixture.file, &CancelFlag::new());
    let edit = LastEdit::new(&(fixture.offset..fixture.offset), "");
    let shown = without_half_typed(&fixture.snapshot, fixture.file, found, Some(&edit));
    let text = fixture.snapshot.text(fixture.file);
    shown.iter().map(|finding| (text.line_of(finding.marked().range().start), finding.rule.code)).collect()
}

#[test]
fn the_node_is_not_blamed_for_an_annotation_being_typed() {
    for name in ["desc", "title", "type", "default", "examples", "deprecated", "nullable x="] {
        for (before, after) in [("", ""), ("", "  #@schema/nullable\n"), ("  #@schema/nullable\n", "")] {
            let schema = format!("#@data/values-schema\n---\na:\n{before}  #@schema/{name}$0\n{after}  b: 1\n");
            let line = 3 + before.lines().count();
            let found = shown_in_schema(&schema);
            assert!(found.iter().all(|(at, _)| *at == line), "{schema}: {found:?}");
            // The user types elsewhere.
            let elsewhere = schema.replace("$0", "").replace("1\n", "1$0\n");
            assert!(!shown_in_schema(&elsewhere).is_empty(), "{elsewhere}");
        }
    }
}

#[test]
fn a_block_is_not_blamed_for_its_other_end_being_typed() {
    const REST: &str = "#@data/values-schema\n---\nb: 1\n";
    for end in ["#", "#@", "#@ ", "#@ e", "#@ en", "#@en"] {
        let found = shown_in_schema(&format!("#@ def f():\na: 1\n{end}$0\n{REST}"));
        assert!(found.iter().all(|(at, _)| *at == 2), "{end}: {found:?}");
        let elsewhere = shown_in_schema(&format!("#@ def f():\na: 1\n{end}\n{REST}$0"));
        assert!(elsewhere.contains(&(0, "ytt/unclosed-block")), "{end}: {elsewhere:?}");
    }
    for begin in ["#", "#@", "#@ ", "#@ d", "#@ def", "#@ def f", "#@ def f(", "#@ def f()"] {
        let found = shown_in_schema(&format!("{begin}$0\na: 1\n#@ end\n{REST}"));
        assert!(found.iter().all(|(_, code)| *code != "ytt/unexpected-end"), "{begin}: {found:?}");
    }
    let elsewhere = shown_in_schema(&format!("a: 1\n#@ end\n{REST}$0"));
    assert!(elsewhere.contains(&(1, "ytt/unexpected-end")), "{elsewhere:?}");
}

#[test]
fn the_first_annotation_being_typed_blames_no_comment() {
    let check = |values: &str| shown_in_schema(&format!("#@data/values-schema\n---\nb: 1\n#- values.yml\n{values}"));
    let mixed = |found: &[(usize, &str)]| found.contains(&(0, "ytt/ordinary-comment"));
    assert!(!mixed(&check("# c\nb: 1\n#@$0\n")));
    assert!(mixed(&check("# c\nb: 1\n#@ x = 1\n#@$0\n")), "it was there before");
}

#[test]
fn a_document_is_not_blamed_for_its_first_key_being_typed() {
    let check = |values: &str| shown_in_schema(&format!("#@data/values-schema\n---\nb: [1]\n#- values.yml\n{values}"));
    for rest in ["", "- 80\n- 81\n", "  c: 1\n"] {
        let found = check(&format!("#@data/values\n---\n#! c\nb$0\n{rest}"));
        assert!(found.iter().all(|(at, _)| *at != 1), "{rest}: {found:?}");
    }
    assert_eq!(check("#@data/values\n---\nb\n- 80\n$0"), [(1, "ytt/type-mismatch")], "elsewhere");
}

#[test]
fn what_follows_from_the_line_being_typed_is_not_reported_below() {
    for (schema, line) in [
        ("#$0\n---\na: 1\n---\n#@data/values\n", 2),
        ("#@data/values-schema\n-$0\na: 1\n", 2),
        ("#@data/values-schema\n---\n#@schema$0\na: [1, a]\n", 3),
        ("#@data/values-schema\n---\n#@schema/ty$0\n#@schema/examples (\"x\", 1)\na: \"\"\n", 4),
    ] {
        let found = shown_in_schema(schema);
        assert!(found.iter().all(|(at, _)| *at < line), "{schema}: {found:?}");
    }
}

#[test]
fn a_name_may_be_given_or_loaded_by_the_line_being_typed() {
    for line in ["#", "#@", "#@ ", "#@ ch", "#@   chosen", "#@ lo", "#@ load(\"@ytt:s"] {
        assert!(super::is_beginning_of_name(line, "undefined: chosen"), "{line}");
    }
    for line in ["", "a: 1", "#@ other", "#@ chosen = 1"] {
        assert!(!super::is_beginning_of_name(line, "undefined: chosen"), "{line}");
    }
    assert!(!super::is_beginning_of_name("#@ ch", "division by zero"));
}

#[test]
fn a_list_without_anything_of_the_kind_is_the_same() {
    let fixture = open_app("image:\nreplicas: x\n");
    let found = diagnostics(&fixture.snapshot, fixture.file, &CancelFlag::new());
    let shown = without_half_typed(&fixture.snapshot, fixture.file, found.clone(), None);
    assert!(Arc::ptr_eq(&found, &shown));
}

/// Lines and codes of the findings that are shown for a schema in a file that was just opened.
fn opened(schema: &str) -> Vec<(usize, &'static str)> {
    let fixture = open(&format!("#- schema.yml\n{schema}$0"));
    let found = diagnostics(&fixture.snapshot, fixture.file, &CancelFlag::new());
    let shown = without_half_typed(&fixture.snapshot, fixture.file, found, None);
    let text = fixture.snapshot.text(fixture.file);
    shown.iter().map(|finding| (text.line_of(finding.marked().range().start), finding.rule.code)).collect()
}

#[test]
fn an_opened_file_is_quiet_but_for_its_half_typed_line() {
    for half in ["#@sc", "#@schema/typ", "#@schema/type any", "#@schema/nul"] {
        let found = opened(&format!("#@data/values-schema\n---\na: 1\n{half}\nb: null\n"));
        assert!(found.iter().all(|(at, _)| *at == 3), "{half}: {found:?}");
    }
    for half in ["#@ e", "#@ en", "#@", "#@ "] {
        let found = opened(&format!("#@ def f():\na: 1\n{half}\n#@data/values-schema\n---\nb: #@ f()\n"));
        assert!(found.iter().all(|(at, _)| *at == 2), "{half}: {found:?}");
    }
    // `data/values` begins another name, too.
    let values = "#- schema.yml\n#@data/values-schema\n---\na: 1\n#- values.yml\n#@data/values\n---\na: x\n$0";
    let fixture = open(values);
    let found = diagnostics(&fixture.snapshot, fixture.file, &CancelFlag::new());
    assert_eq!(without_half_typed(&fixture.snapshot, fixture.file, found, None).len(), 1);
    // All findings of a file without a line like this are shown.
    assert_eq!(
        opened("#@data/values-schema\n---\n# no\na: null\n"),
        [(2, "ytt/ordinary-comment"), (3, "ytt/schema-null-value")]
    );
    assert_eq!(opened("#@data/values-schema\n---\n#\na: null\n"), [(2, "ytt/ordinary-comment")]);
    // Of two mistakes the second is not that of the first.
    let both = opened("#@data/values-schema\n---\n#@schema/desc\na: 1\n#@schema/title\nb: 1\n");
    assert_eq!(both, [(2, "ytt/schema-text-arguments"), (4, "ytt/schema-text-arguments")]);
}

#[test]
fn nothing_is_said_to_be_unused_in_a_file_that_was_just_opened() {
    let half = "#@ x = 1\n#@data/values-schema\n---\na: 1\n#@schema/desc \"\" +\nb: 1\n";
    assert!(opened(half).iter().all(|(at, _)| *at == 4), "{:?}", opened(half));
    assert_eq!(opened("#@ x = 1\n#@data/values-schema\n---\na: 1\n"), []);
}

#[test]
fn the_annotation_is_marked_and_not_the_node_below() {
    let annotations = [
        "desc",
        "title 5",
        "type any",
        "default",
        "default \"x\"",
        "examples",
        "examples (\"a\", \"b\")",
        "deprecated",
        "nullable x=1",
        "validation",
        "validation foo=1",
        "validation min=",
    ];
    for annotation in annotations {
        let found = opened(&format!("#@data/values-schema\n---\n#@schema/{annotation}\n#! c\na: 1\n"));
        assert!(!found.is_empty() && found.iter().all(|(at, _)| *at == 2), "{annotation}: {found:?}");
    }
}
