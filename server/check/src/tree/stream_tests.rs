//! Streams of values: each document in its tree, and all of them merged, must have the same findings.

use super::ValuesStream;
use super::tests::{Numbers, by_merging, schema, schema_of};
use crate::memo::MetPlace;
use crate::values::NoAssertions;
use crate::view::TreeFile;
use crate::{CheckMemo, Diagnostic, Style, TreeSource, ValuesCheck, check_documents, check_shadowed};
use lofting_document::{Document, FileId, Key, Options, ValueHeads, lower};
use lofting_schema::{Schema, Step};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{LONG, Tree, parse};
use rustc_hash::FxHashMap;

const FILE: FileId = FileId(1);

/// The findings of the merged documents.
fn merged(tree: &Tree, schema: &Schema, style: Style) -> Vec<Diagnostic> {
    let source = TreeSource { file: FILE, tree };
    let set = lower(FILE, tree, Profile::Ytt, Options::default());
    let is_annotated = style == Style::Annotated;
    let governed = |document: &&Document| if is_annotated { document.is_data_values() } else { !document.is_empty() };
    let documents: Vec<&Document> = set.documents.iter().filter(governed).collect();
    let mut found = by_merging(&documents, schema, style, &NoAssertions, &source);
    found.retain(|finding| finding.span.file == FILE);
    found.extend(check_documents(&set, &source));
    found.extend(check_shadowed(&set.documents));
    crate::limit(&mut found, 0);
    found
}

/// The findings in the tree; None if the documents have to be merged.
fn in_tree(tree: &Tree, schema: &Schema, style: Style, memo: &mut CheckMemo) -> Option<Vec<Diagnostic>> {
    if style == Style::Annotated && !ValueHeads::default().are_all(tree) {
        return None;
    }
    let source = TreeSource { file: FILE, tree };
    memo.begin(&[], None, None);
    let stream = ValuesStream::new(TreeFile::new(FILE, Profile::Ytt), tree, style, memo)?;
    let mut found = stream.check(&ValuesCheck::over_defaults(schema, style, &source), memo)?;
    crate::limit(&mut found, 0);
    Some(found)
}

/// What a document of the stream may consist of.
const ENTRIES: [&str; 22] = [
    "name: web\n",
    "name: \"\"\n",
    "name:\n",
    "port: 80\n",
    "port: \"80\"\n",
    "port: {a: 1}\n",
    "on: perhaps\n",
    "tls:\n  secret: x\n",
    "tls: null\n",
    "tls: [x]\n",
    "hosts:\n- a\n- 1\n",
    "hosts: []\n",
    "hosts: x\n",
    "routes:\n- host: a\n  weight: 20\n- host: b\n  weight: 0\n  paths:\n  - prefixx: /\n",
    "routes:\n- host: 'it''s'\n  weight: 10\n",
    "extra:\n  b: [1, 2]\n",
    "extra:\n  a: {c: 1}\n",
    "store:\n  s3: a\n",
    "store:\n  gcs: b\n",
    "title: old\n",
    "typo: 1\n",
    "nam",
];

fn document(numbers: &mut Numbers) -> String {
    let entries: String = (0..numbers.below(4)).map(|_| ENTRIES[numbers.below(ENTRIES.len())]).collect();
    format!("---\n{entries}")
}

/// What is above each document.
const STYLES: [(Style, &str); 2] = [(Style::Plain, ""), (Style::Annotated, "#@data/values\n")];

#[test]
fn documents_of_a_stream_are_checked_as_if_they_were_merged() {
    let schema = schema();
    for (style, head) in STYLES {
        let mut numbers = Numbers(7);
        let (mut apart, mut with_findings) = (0, 0);
        for _ in 0..600 {
            let text: String = (0..2 + numbers.below(3)).map(|_| format!("{head}{}", document(&mut numbers))).collect();
            let tree = parse(&text);
            let Some(found) = in_tree(&tree, &schema, style, &mut CheckMemo::default()) else { continue };
            assert_eq!(found, merged(&tree, &schema, style), "{text}");
            apart += 1;
            with_findings += usize::from(!found.is_empty());
        }
        assert!(apart > 50 && with_findings > 50, "{apart} streams, {with_findings} of them with findings");
    }
}

/// What is remembered never leads to other findings, whatever is typed and wherever documents begin.
#[test]
fn edits_of_long_streams() {
    let schema = schema();
    for (style, head) in STYLES {
        let mut numbers = Numbers(3);
        let document_of = |number: usize| format!("{head}---\nroutes:\n- host: h{number}\n  weight: 3\n");
        let start: String = (0..200).map(document_of).collect();
        let mut text = start.clone();
        let mut tree = parse(&text);
        let mut memo = CheckMemo::default();
        let mut apart = 0;
        for turn in 0..150 {
            let (range, new) = match numbers.below(4) {
                0 => {
                    let begin = format!("{head}---\n");
                    let lines: Vec<usize> = text.match_indices(&begin).map(|(at, _)| at).collect();
                    let at = lines.get(numbers.below(lines.len())).copied().unwrap_or_default();
                    (at..at, format!("{head}{}", document(&mut numbers)))
                }
                _ => {
                    let (range, new) = numbers.edit(&text);
                    (range, new.to_owned())
                }
            };
            text.replace_range(range.clone(), &new);
            tree = tree.edit(range, &new);
            let found = in_tree(&tree, &schema, style, &mut memo);
            let fresh = parse(&text);
            assert_eq!(found, in_tree(&fresh, &schema, style, &mut CheckMemo::default()), "turn {turn}");
            if let Some(found) = found {
                apart += 1;
                if turn % 10 == 0 {
                    assert_eq!(found, merged(&fresh, &schema, style), "turn {turn}");
                }
            } else {
                // What has to be merged would stay so.
                text.clone_from(&start);
                tree = tree.edit(0..tree.len(), &text);
            }
        }
        assert!(apart > 25, "{apart}");
    }
}

#[test]
fn a_later_document_decides() {
    let schema = schema();
    let mut memo = CheckMemo::default();
    let mut found = |text: &str| in_tree(&parse(text), &schema, Style::Plain, &mut memo).map(|found| found.len());
    let (bad, good) = ("---\nroutes:\n- weight: 20\n", "---\nroutes:\n- weight: 2\n");
    assert_eq!(found(&format!("{bad}{good}")), Some(0));
    assert_eq!(found(&format!("{good}{bad}")), Some(1));
    assert_eq!(found(&format!("{good}{bad}---\nport: 1\n")), Some(1));
    // Whether both are there at once only the merged values tell.
    assert_eq!(found("---\nstore:\n  s3: a\n---\nstore:\n  gcs: b\n"), None);
    assert_eq!(found("---\nstore:\n  s3: a\n---\nport: 2\n"), Some(0));
    assert_eq!(found("---\nport: {}\n---\nport: 2\n"), None);
}

/// Two keys below `of` whose places have the same number.
fn keys_of_one_number(of: &Step) -> (String, String) {
    let mut seen = FxHashMap::default();
    (0..1_000_000)
        .find_map(|number| {
            let name = format!("key{number}");
            let place = MetPlace::given([of, &Step::Key(Key::String(name.as_str().into()))]);
            seen.insert(place, name.clone()).map(|other| (other, name))
        })
        .expect("two keys")
}

/// What another document gives at a place that only has the same number says nothing about a value.
#[test]
fn places_of_one_number_are_told_apart() {
    let (one, other) = keys_of_one_number(&Step::Key(Key::String("of".into())));
    let rule = "#@schema/validation max=5";
    let schema = schema_of(&format!("#@data/values-schema\n---\nof:\n  {rule}\n  {one}: 0\n  {rule}\n  {other}: 0\n"));
    let mut memo = CheckMemo::default();
    let mut found = |values: &[(&str, u32)]| {
        let documents = values.iter().map(|(key, value)| format!("---\nof:\n  {key}: {value}\n"));
        let text: String = documents.collect();
        let tree = parse(&text);
        let found = in_tree(&tree, &schema, Style::Plain, &mut memo).expect("documents that are apart");
        assert_eq!(found, merged(&tree, &schema, Style::Plain), "{text}");
        found.len()
    };
    assert_eq!(found(&[(&one, 9), (&other, 1)]), 1);
    assert_eq!(found(&[(&one, 9), (&other, 9)]), 2);
    assert_eq!(found(&[(&one, 9), (&other, 1), (&one, 1)]), 0);
    assert_eq!(found(&[(&one, 9), (&one, 1), (&other, 1)]), 0);
    assert_eq!(found(&[(&one, 1), (&other, 9), (&one, 9), (&other, 1)]), 1);
}

/// Of many values that break rules, those count that no later document gives, however many there are.
#[test]
fn many_values_that_later_documents_decide() {
    let keys: Vec<String> = (0..40).map(|number| format!("key{number}")).collect();
    let declared: String = keys.iter().map(|key| format!("#@schema/validation max=5\n{key}: 0\n")).collect();
    let schema = schema_of(&format!("#@data/values-schema\n---\n{declared}"));
    let mut numbers = Numbers(5);
    let mut memo = CheckMemo::default();
    for _ in 0..30 {
        let text: String =
            (0..120).map(|_| format!("---\n{}: {}\n", keys[numbers.below(keys.len())], 4 + numbers.below(3))).collect();
        let tree = parse(&text);
        let found = in_tree(&tree, &schema, Style::Plain, &mut memo).expect("documents that are apart");
        assert!(!found.is_empty());
        assert_eq!(found, merged(&tree, &schema, Style::Plain), "{text}");
    }
}

/// ytt reads no document after `...` without `---`: only lowering says so. In a long stream, the documents before it are
/// remembered.
#[test]
fn a_document_after_an_end_needs_its_marker() {
    let schema = schema();
    let many: String = (0..200).map(|number| format!("---\nname: n{number}\n")).collect();
    for head in ["", "name: a\n", "...\nname: a\n", &many] {
        let mut memo = CheckMemo::default();
        for tail in ["---\nport: 1\n", "...\n---\nport: 1\n", "...\nport: 1\n", "--- |\ntext\n"] {
            let tree = parse(&format!("{head}{tail}{many}"));
            let expected = merged(&tree, &schema, Style::Plain);
            if let Some(found) = in_tree(&tree, &schema, Style::Plain, &mut memo) {
                assert_eq!(found, expected, "{head:.20} {tail}");
            }
        }
    }
    // What was first and fits is a further one now.
    let mut memo = CheckMemo::default();
    let text = format!("name: a\n{many}");
    let first = parse(&text);
    assert_eq!(in_tree(&first, &schema, Style::Plain, &mut memo).map(|found| found.len()), Some(0));
    assert_eq!(in_tree(&first.edit(0..0, "port: 1\n...\n"), &schema, Style::Plain, &mut memo), None);
}

/// Two threads read the halves of a long stream of which nothing is known.
#[test]
fn halves_of_long_streams() {
    let schema = schema();
    for (style, head) in STYLES {
        let routes = "- host: a\n  weight: 3\n".repeat(20);
        let used = parse(&format!("{head}---\nname: web\n{head}---\nroutes:\n{routes}"));
        for is_refused in [false, true] {
            let mut text = String::new();
            for number in 0..LONG / 24 {
                let weight = if number % 9_001 == 7 { "x" } else { "3" };
                text.push_str(&format!("{head}---\nroutes:\n- host: h{number}\n  weight: {weight}\n"));
            }
            // A document that cannot be read apart.
            text.push_str(if is_refused { "---\n&a b: *a\n" } else { "" });
            let tree = parse(&text);
            let mut memo = CheckMemo::default();
            let found = in_tree(&tree, &schema, style, &mut memo);
            let mut in_order = CheckMemo::default();
            let _ = in_tree(&used, &schema, style, &mut in_order);
            assert!(!in_order.is_new());
            assert_eq!(found, in_tree(&tree, &schema, style, &mut in_order));
            assert_eq!(found.is_none(), is_refused);
            if let Some(found) = found {
                assert!(found.len() > 1, "in both halves");
                assert_eq!(in_tree(&tree, &schema, style, &mut memo), Some(found), "again");
            }
        }
    }
}
