//! Annotations of overlays among values: what is found in the tree is what merging finds.

use super::ValuesTree;
use super::tests::{Numbers, VALUES, by_merging, long, schema};
use crate::values::NoAssertions;
use crate::view::TreeFile;
use crate::{CheckMemo, Diagnostic, Style, TreeSource, ValuesCheck, check_documents, check_overlay_head};
use lofting_document::{Document, FileId, Options, lower};
use lofting_schema::Schema;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Tree, parse};

const FILE: FileId = FileId(1);
const HEAD: &str = "#@data/values\n---\n";

type Shown = (u32, u32, String, String, Option<String>);

fn sorted(found: Vec<Diagnostic>) -> Vec<Shown> {
    let own = found.into_iter().filter(|finding| finding.span.file == FILE);
    let mut shown: Vec<Shown> = own
        .map(|found| (found.span.start, found.span.end, found.code().into_owned(), found.message, found.path))
        .collect();
    shown.sort();
    shown
}

fn in_tree(tree: &Tree, schema: &Schema, memo: &mut CheckMemo) -> Option<Vec<Shown>> {
    memo.begin(&[], None, None);
    let mut values = ValuesTree::new(TreeFile::new(FILE, Profile::Ytt), tree, None, memo)?;
    let source = TreeSource { file: FILE, tree };
    let findings = values.check(&ValuesCheck::over_defaults(schema, Style::Annotated, &source), memo, None)?;
    let mut found = values.documents().to_vec();
    found.extend(values.header().into_iter().flat_map(check_overlay_head));
    found.extend(findings.into_diagnostics());
    Some(sorted(found))
}

/// The findings by way of merging.
fn merged(tree: &Tree, schema: &Schema) -> Vec<Shown> {
    let source = TreeSource { file: FILE, tree };
    let set = lower(FILE, tree, Profile::Ytt, Options::default());
    let documents: Vec<&Document> = set.documents.iter().collect();
    let mut found = by_merging(&documents, schema, Style::Annotated, &NoAssertions, &source);
    found.extend(check_documents(&set, &source));
    sorted(found)
}

/// Whether a text is read in its tree; asserts that this finds what merging finds.
fn is_read(text: &str, schema: &Schema) -> bool {
    let tree = parse(text);
    let found = in_tree(&tree, schema, &mut CheckMemo::default());
    if let Some(found) = &found {
        assert_eq!(*found, merged(&tree, schema), "{text}");
    }
    found.is_some()
}

#[test]
fn what_is_read_in_the_tree() {
    let schema = schema();
    for (text, reads) in [
        ("#@overlay/replace\nname: 1\n", true),
        ("name: 1 #@overlay/replace\n", true),
        ("#! why\n\n#@overlay/replace or_add=True\nroutes:\n- host: 1\n  weight: 20\n", true),
        ("routes: #@overlay/replace\n- host: 1\n", true),
        ("routes:\n#@overlay/append\n- host: 1\n- #@overlay/append\n  host: 2\n  paths: [1]\n", true),
        ("routes:\n- host: 1\n  #@overlay/append\n- host: 2\n  #@overlay/match missing_ok=True\n- wieght: 2\n", true),
        ("#@overlay/match missing_ok=True\nnane: x\n#@overlay/match missing_ok=False\nfoo: x\n", true),
        (
            "#@overlay/match-child-defaults missing_ok=True\ntls:\n  secert: x\n  #@overlay/match missing_ok=False\n  b: 1\n",
            true,
        ),
        ("#@overlay/match-child-defaults missing_ok=True\nextra:\n  b: {c: 1}\n  a: 1\nextra_2: 1\n", true),
        ("extra:\n  #@overlay/match missing_ok=True\n  b: {c: 1}\n  c: 1\n", true),
        ("#@overlay/replace\nstore: {s3: a, gcs: b}\n", true),
        ("#@overlay/replace\ntls:\n  #@overlay/match missing_ok=True\n  secret: 1\n  b: 2\n", true),
        ("#@overlay/replace\nname:\n", true),
        ("#@overlay/merge\n#@overlay/match missing_ok=True\ntls: {secret: 1}\n", true),
        ("#@overlay/replace\nname\nport: x\n", true),
        // A rule looks at the whole map.
        ("store:\n  #@overlay/replace\n  s3: a\n  gcs: b\n", false),
        ("#@overlay/replace\nstore:\n  #@overlay/replace\n  s3: a\n  gcs: b\n", true),
        // Merging the entry alone tells what they do.
        ("#@overlay/remove\nname: x\nport: x\n", true),
        ("#@overlay/remove\nport: x\n", true),
        ("routes:\n#@overlay/match by=\"host\"\n- host: a\nport: x\n", true),
        ("routes:\n- host: a\n#@overlay/match by=\"host\"\n- host: a\n  weight: 20\n", true),
        (
            "routes:\n- host: a\n#@overlay/match by=\"host\"\n#@overlay/insert after=True\n- host: a\n  weight: x\n",
            true,
        ),
        ("routes:\n- host: a\n#@overlay/match by=\"host\"\n#@overlay/remove\n- host: a\n  weight: x\n", true),
        (
            "routes:\n#@overlay/match by=\"host\", missing_ok=True\n- host: a\n  paths:\n  #@overlay/match by=\"prefix\"\n  - prefix: a\n",
            true,
        ),
        ("#@overlay/replace\nroutes:\n#@overlay/match by=\"host\"\n- host: a\n  weight: 20\n", true),
        (
            "#@overlay/match-child-defaults missing_ok=True\nroutes:\n#@overlay/match by=\"host\"\n- host: a\n  weight: 20\n",
            true,
        ),
        ("routes:\n#@overlay/replace\n- host: a\n", true),
        ("#@overlay/match expects=1\nname: x\n", true),
        ("#@overlay/match expects=2\nname: x\n", true),
        ("#@overlay/match missing_ok=1\nname: x\n", true),
        ("#@overlay/match when=2\nname: 1\n", true),
        ("#@overlay/assert\nname: y\n", true),
        ("#@overlay/match missing_ok=True\n#@overlay/match missing_ok=False\nname: x\n", true),
        ("#@overlay/replace\n#@overlay/merge\nname: x\n", true),
        ("tls:\n  #@overlay/remove\n  secret: 1\n  #@overlay/match-child-defaults expects=2\n  b: x\n", true),
        ("#@overlay/merge\ntls:\n  #@overlay/match-child-defaults expects=2\n  b: x\n", true),
        ("tls:\n  #@overlay/remove\n  secret: 1\n  b: x\n", true),
        ("extra:\n  #@overlay/remove\n  a: 1\n", false),
        ("store:\n  #@overlay/remove\n  s3: a\n  gcs: b\n", false),
        // What they do is not known from the entry alone.
        ("#@overlay/match by=\"host\"\nroutes:\n- host: 1\n", false),
        ("#@overlay/remove\nfoo: x\n", false),
        ("#@overlay/append\nname: x\n", false),
        ("#@overlay/replace #@overlay/merge\nname: x\n", false),
        ("#@overlay/match by=x\nname: x\n", false),
        ("#@overlay/replase\nname: x\n", false),
        ("#@schema/nullable\nname: x\n", false),
        ("#@ x = 1\nname: x\n", false),
        // They belong to another node than it seems, or to none.
        ("name:\n  #@overlay/replace\n  x\nport: 1\n", false),
        ("name: x\n#@overlay/replace\n", false),
        ("tls:\n  secret: x\n  #@overlay/replace\n", false),
        ("tls: {secret: x} #@overlay/replace\n", false),
        ("hosts:\n  #@overlay/append\n  [a, b]\n", false),
        ("hosts: [a, #@overlay/append\n  b]\n", false),
        ("name: |\n  #@overlay/remove\n  x\n", true),
    ] {
        assert_eq!(is_read(&format!("{HEAD}{text}"), &schema), reads, "{text}");
    }
    for (text, reads) in [
        ("#@data/values\n#@overlay/match-child-defaults missing_ok=True\n---\n#@overlay/replace\nnane: 1\n", true),
        (
            "#@data/values\n#@overlay/match-child-defaults expects=1\n---\n#@overlay/match missing_ok=True\nname: 1\n",
            false,
        ),
        ("#@data/values\n--- #@overlay/replace\nname: 1\n", false),
        ("#@data/values\n---\n#@overlay/replace\nname: 1\n---\n#@overlay/replace\nport: 1\n", false),
    ] {
        assert_eq!(is_read(text, &schema), reads, "{text}");
    }
}

/// Texts that are typed into the values: as a line of its own, with the indentation of the line below.
const LINES: [&str; 20] = [
    "#@overlay/replace",
    "#@overlay/replace or_add=True",
    "#@overlay/match missing_ok=True",
    "#@overlay/match missing_ok=False",
    "#@overlay/match-child-defaults missing_ok=True",
    "#@overlay/merge",
    "#@overlay/append",
    "#@overlay/remove",
    "#@overlay/match by=\"host\"",
    "#@overlay/match by=\"host\", missing_ok=True",
    "#@overlay/insert before=True",
    "#@overlay/match expects=\"0+\"",
    "#@overlay/assert",
    "#! why",
    "",
    "- host: a",
    "name: b",
    "weight: 99",
    "nane: b",
    "extra: {a: 1, b: {c: 1}}",
];

#[test]
fn memory_agrees_with_merging_after_every_edit() {
    let schema = schema();
    let values = VALUES.replace("name: again\n", "").replace("  b: 3\n", "");
    let long: String = (0..20).map(|number| format!("- host: h{number}\n  #@overlay/merge\n  weight: 5\n")).collect();
    let values = values.replace("- host: >", &format!("#@overlay/append\n{long}- host: >"));
    let text = format!("{HEAD}#@overlay/replace\n{values}");
    let read: usize = (0..60).map(|seed| typed(&schema, &text, seed, 40)).sum();
    assert!(read > 500, "{read}");
}

#[test]
fn memory_of_long_collections_agrees_with_merging_after_every_edit() {
    let (schema, text) = long();
    let annotated = text
        .replace("- host: h1", "#@overlay/append\n- host: h1")
        .replace("  key_2", "  #@overlay/match missing_ok=True\n  key_2")
        .replace("many:", "#@overlay/replace\nmany:");
    let text = format!("{HEAD}{annotated}");
    let read: usize = (0..6).map(|seed| typed(&schema, &text, seed, 40)).sum();
    assert!(read > 60, "{read}");
}

/// Types in random places and compares; returns how often the text was read in its tree.
fn typed(schema: &Schema, text: &str, seed: u64, times: usize) -> usize {
    let mut numbers = Numbers(seed);
    let mut text = text.to_owned();
    let mut tree = parse(&text);
    let mut memo = CheckMemo::default();
    let mut read = 0;
    for _ in 0..times {
        let before = (text.clone(), tree.clone());
        let starts: Vec<usize> =
            text.match_indices('\n').map(|(at, _)| at + 1).filter(|at| *at >= HEAD.len()).collect();
        let at = starts[numbers.below(starts.len())];
        let line = text[at..].split_inclusive('\n').next().unwrap_or_default();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let (range, new) = match numbers.below(4) {
            0 => (at..at + line.len(), String::new()),
            1 => {
                let (range, new) = numbers.edit(&text[HEAD.len()..]);
                (range.start + HEAD.len()..range.end + HEAD.len(), new.to_owned())
            }
            _ => (at..at, format!("{}{}\n", " ".repeat(indent), LINES[numbers.below(LINES.len())])),
        };
        text.replace_range(range.clone(), &new);
        tree = tree.edit(range.clone(), &new);
        let found = in_tree(&tree, schema, &mut memo);
        let fresh = in_tree(&tree, schema, &mut CheckMemo::default());
        assert_eq!(found, fresh, "seed {seed}, after {new:?} at {range:?}:\n{text}");
        // In broken text, either of them may be more cautious; what a key means that is there twice is up to them.
        let is_twice = |found: &Vec<Shown>| found.iter().any(|(_, _, code, ..)| code == "ytt/duplicate-key");
        let Some(found) = found.filter(|found| tree.errors().is_empty() && !is_twice(found)) else {
            (text, tree) = before;
            continue;
        };
        read += 1;
        let wanted = merged(&tree, schema);
        let more: Vec<_> = found.iter().filter(|finding| !wanted.contains(finding)).collect();
        let less: Vec<_> = wanted.iter().filter(|finding| !found.contains(finding)).collect();
        assert!(
            more.is_empty() && less.is_empty(),
            "seed {seed}, after {new:?} at {range:?}:\n{text}\nonly here: {more:#?}\nmissing: {less:#?}"
        );
    }
    read
}
