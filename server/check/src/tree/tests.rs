use super::{Reading, ValuesTree, check_keys};
use crate::memo::Clean;
use crate::view::{TreeFile, TreeReader};
use crate::{
    Assertions, CheckMemo, Diagnostic, Root, Style, TreeSource, ValuesCheck, ValuesDocument, ValuesSet,
    check_documents, place_in,
};
use lofting_document::{Document, FileId, Options, lower};
use lofting_overlay::{Mode, NoFunctions};
use lofting_schema::Schema;
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Tree, parse};

const SCHEMA: &str = r#"#@data/values-schema
---
name: ""
port: 0
ratio: 0.5
on: false
#@schema/nullable
tls:
  secret: ""
hosts:
- ""
routes:
- host: ""
  #@schema/validation min=1, max=10
  weight: 1
  paths:
  - prefix: ""
#@schema/type any=True
extra:
  a: 1
#@schema/validation one_not_null=["s3", "gcs"]
store:
  #@schema/nullable
  s3: ""
  #@schema/nullable
  gcs: ""
#@schema/deprecated "use name"
title: ""
"#;

/// The findings of documents of one file that are merged, each with its place in that file where it has one.
pub(super) fn by_merging(
    documents: &[&Document],
    schema: &Schema,
    style: Style,
    assertions: &dyn Assertions,
    source: &TreeSource<'_>,
) -> Vec<Diagnostic> {
    let mode = if style == Style::Annotated { Mode::Annotated } else { Mode::Plain };
    let given: Vec<ValuesDocument<'_>> = documents.iter().map(|document| ValuesDocument { document, mode }).collect();
    let (functions, validations, limit) = (&NoFunctions, true, crate::LIMIT);
    let check = ValuesSet { schema: Some(schema), functions, assertions, source, validations, limit };
    let mut found = check.check(&given).findings;
    for finding in found.iter_mut().filter(|finding| finding.span.file != source.file) {
        documents.iter().rev().any(|document| place_in(finding, document));
    }
    found
}

pub(super) fn schema() -> Schema {
    schema_of(SCHEMA)
}

/// A schema, and values with collections so long that their trees hold them in groups.
pub(super) fn long() -> (Schema, String) {
    let keys: String = (0..300).map(|number| format!("  key_{number}: {number}\n")).collect();
    let items: String = (0..300).map(|number| format!("- host: h{number}\n  weight: {}\n", number % 12)).collect();
    let hosts: String = (0..300).map(|number| format!("- {number}.example.com\n")).collect();
    let values = format!("many:\n{keys}routes:\n{items}hosts:\n{hosts}");
    (schema_of(&format!("{SCHEMA}many:\n{keys}")), values)
}

pub(super) fn schema_of(text: &str) -> Schema {
    let set = lower(FileId(9), &parse(text), Profile::Ytt, Options::default());
    let documents: Vec<_> = set.documents.iter().collect();
    lofting_dialect::ytt::read(&documents).schema
}

/// The findings by way of lowering.
fn lowered(tree: &Tree, schema: &Schema, mode: Style) -> Vec<Diagnostic> {
    let file = FileId(1);
    let source = TreeSource { file, tree };
    let set = lower(file, tree, Profile::Ytt, Options::default());
    let mut found = check_documents(&set, &source);
    for document in &set.documents {
        if let Some(root) = Root::document(document) {
            found.extend(ValuesCheck::over_defaults(schema, mode, &source).run(root).into_diagnostics());
        }
    }
    crate::limit(&mut found, 0);
    found
}

/// The findings in the tree; None if the file has to be lowered.
fn in_tree(tree: &Tree, schema: &Schema, mode: Style, memo: &mut CheckMemo) -> Option<Vec<Diagnostic>> {
    let file = FileId(1);
    let source = TreeSource { file, tree };
    memo.begin(&[], None, None);
    let mut values = ValuesTree::new(TreeFile::new(file, Profile::Ytt), tree, None, memo)?;
    let findings = values.check(&ValuesCheck::over_defaults(schema, mode, &source), memo, None)?;
    let mut found = values.documents().to_vec();
    found.extend(findings.into_diagnostics());
    crate::limit(&mut found, 0);
    Some(found)
}

pub(super) const VALUES: &str = r#"name: web
port: "80"
ratio: 1
on: perhaps
tls:
  secert: x
hosts: [a, 1, {b: 2}, {port, name: 1}]
routes:
- host: 'it''s'
  weight: 20
  paths:
  - prefix: "a\tb"
  - prefixx: /
- host: >
    folded
    text
  weight: 0
extra:
  b: [1, 2]
  b: 3
store: {s3: a, gcs: b, azure}
title: old
name: again
typo: |
  block
"#;

#[test]
fn agrees_with_lowering() {
    let schema = schema();
    let tree = parse(VALUES);
    let mut memo = CheckMemo::default();
    let found = in_tree(&tree, &schema, Style::Plain, &mut memo).expect("nothing that needs lowering");
    assert_eq!(found, lowered(&tree, &schema, Style::Plain));
    assert!(found.len() > 10);
    // And again from memory.
    assert_eq!(in_tree(&tree, &schema, Style::Plain, &mut memo), Some(found));
}

/// Values in which keys are there twice at each depth: also where they lie below a line that is damaged.
const REPEATED: &str = "\
port: 1
tls:
  secret: a
  secret: b
routes:
- host: a
  paths:
  - prefix: a
    prefix: b
  - prefix: c
  host: b
extra:
  a:
    b: 1
    b: 2
  a: 1
port: 2
";

#[test]
fn keys_below_a_damaged_line_are_compared_as_in_lowering() {
    let schema = schema();
    let (mut memo, mut repeated) = (CheckMemo::default(), 0);
    let lines: Vec<&str> = REPEATED.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let (indent, rest) = line.split_at(line.len() - line.trim_start_matches([' ', '-']).len());
        let damaged =
            [line.replacen(':', "", 1), format!("{indent}}}"), format!("{indent}'{rest}"), format!("{indent}{rest} x")];
        for damaged in damaged {
            let mut lines = lines.clone();
            lines[at] = &damaged;
            let text = lines.join("\n") + "\n";
            for text in [text.clone(), format!("#@data/values\n---\n{text}")] {
                let style = if text.starts_with('#') { Style::Annotated } else { Style::Plain };
                let tree = parse(&text);
                if let Some(mut found) = in_tree(&tree, &schema, style, &mut memo) {
                    let mut lowered = lowered(&tree, &schema, style);
                    for found in [&mut found, &mut lowered] {
                        found.retain(|finding| finding.rule.code.ends_with("-key"));
                    }
                    let spans = |found: &[Diagnostic]| found.iter().map(|found| found.span.range()).collect::<Vec<_>>();
                    assert!(found == lowered, "{:?}, lowered {:?}\n{text}", spans(&found), spans(&lowered));
                    repeated += found.len();
                }
            }
        }
    }
    assert!(repeated > 200, "{repeated}");
}

#[test]
fn annotated_documents() {
    let schema = schema();
    let tree = parse(&format!("#! values\n#@data/values\n---\n# ordinary\n{VALUES}"));
    let mut memo = CheckMemo::default();
    let found = in_tree(&tree, &schema, Style::Annotated, &mut memo).expect("nothing that needs lowering");
    assert_eq!(found, lowered(&tree, &schema, Style::Annotated));
}

#[test]
fn what_needs_lowering() {
    let mut memo = CheckMemo::default();
    for text in [
        "a: &x 1\n",
        "a: !!str 1\n",
        "<<: {a: 1}\n",
        "? a\n: 1\n",
        "a: 1\n---\nb: 2\n",
        "#@data/values\n---\na: #@ 1\n",
        "#@data/values\n---\n#@schema/nullable\na: 1\n",
        "...\na: 1\n",
        "# comment\n...\na: 1\n",
        "--- |\ntext\n",
    ] {
        let tree = parse(text);
        let values = ValuesTree::new(TreeFile::new(FileId(1), Profile::Ytt), &tree, None, &mut memo);
        assert!(values.and_then(|mut values| values.keys(&mut memo)).is_none(), "{text}");
    }
}

/// In a large file, two threads find the same as one, and the same as lowering.
#[test]
fn large_files() {
    let (schema, values) = long();
    let many: String = (0..lofting_syntax::LONG / 20).map(|number| format!("- prefix: path_{number}\n")).collect();
    let large = format!("{values}extra:\n  paths:\n{}", many.replace("- ", "  - "));
    for (added, lowers) in [
        ("", false),
        ("port: x\nname: [1]\n", false),
        ("port: 1\nport: 2\n", false),
        // In what is taken as it is, which the check of values compares as well.
        ("  - {prefix: a, prefix: b}\n", false),
        ("  - a: [{b: {c: 1, d: [], c: 2}}]\n  more: {a: {b: 1, b: 2}}\n", false),
        ("extra_2: {<<: {a: 1}}\n", true),
    ] {
        let tree = parse(&format!("{large}{added}"));
        for mode in [Style::Plain, Style::Annotated] {
            let mut memo = CheckMemo::default();
            let found = in_tree(&tree, &schema, mode, &mut memo);
            assert_eq!(found.is_none(), lowers, "{added}");
            if let Some(found) = found {
                assert_eq!(found, lowered(&tree, &schema, mode), "{added}");
                // What is remembered by now gives the same.
                assert_eq!(Some(found), in_tree(&tree, &schema, mode, &mut memo), "{added}");
            }
        }
    }
}

/// Pseudo-random numbers with a fixed seed, so that a failure can be repeated.
pub(super) struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }

    /// A random edit: the bytes to replace, and the new text.
    pub fn edit(&mut self, text: &str) -> (std::ops::Range<usize>, &'static str) {
        let mut start = self.below(text.len() + 1);
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = (start + self.below(6)).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        (start..end, PIECES[self.below(PIECES.len())])
    }

    /// A random edit of whole lines: one is copied, taken out or broken, or its key becomes another one.
    fn edit_of_lines(&mut self, text: &str) -> (std::ops::Range<usize>, String) {
        let lines: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let (from, to) = (lines[self.below(lines.len() - 1)], lines[self.below(lines.len() - 1)]);
        let line = text[from..].split_inclusive('\n').next().unwrap_or_default().to_owned();
        match self.below(4) {
            0 => (to..to, line),
            1 => (from..from + line.len(), String::new()),
            2 => (from + line.len() - 1..from + line.len() - 1, "7".to_owned()),
            _ => (to..to, "  half\n".to_owned()),
        }
    }
}

/// Texts that are typed into the values.
const PIECES: [&str; 24] = [
    "x",
    ":",
    " ",
    "\n",
    "  ",
    "- ",
    "\"",
    "port: 1\n",
    "routes:\n",
    "- host: a\n",
    "  weight: 99\n",
    "[",
    "]",
    "{",
    "}",
    ",",
    "#@ x",
    "# c",
    "null",
    "5",
    "\n---\n",
    "'",
    "extra:\n",
    "é",
];

#[test]
fn memory_agrees_with_a_fresh_look_after_every_edit() {
    let schema = schema();
    // Long enough for collections that are worth remembering.
    let text = VALUES.repeat(2);
    for mode in [Style::Plain, Style::Annotated] {
        (0..30).for_each(|seed| typed(&schema, &text, mode, seed, false));
    }
}

#[test]
fn memory_of_long_collections_agrees_with_a_fresh_look_after_every_edit() {
    let (schema, text) = long();
    for mode in [Style::Plain, Style::Annotated] {
        (0..5).for_each(|seed| typed(&schema, &text, mode, seed, true));
    }
}

/// Types in random places and compares; `fixes` undoes edits that break the text, so that not everything happens in
/// broken text.
fn typed(schema: &Schema, text: &str, mode: Style, seed: u64, fixes: bool) {
    let mut numbers = Numbers(seed);
    let mut text = text.to_owned();
    let mut tree = parse(&text);
    let mut memo = CheckMemo::default();
    for _ in 0..40 {
        let before = (text.clone(), tree.clone());
        let (range, new) = numbers.edit(&text);
        text.replace_range(range.clone(), new);
        tree = tree.edit(range.clone(), new);
        let Some(found) = in_tree(&tree, schema, mode, &mut memo) else { continue };
        // What is remembered makes no difference, in broken text neither.
        let fresh = in_tree(&tree, schema, mode, &mut CheckMemo::default());
        assert_eq!(Some(&found), fresh.as_ref(), "seed {seed}, after {new:?} at {range:?}:\n{text}");
        let wanted = lowered(&tree, schema, mode);
        let more: Vec<_> = found.iter().filter(|finding| !wanted.contains(finding)).collect();
        let less: Vec<_> = wanted.iter().filter(|finding| !found.contains(finding)).collect();
        // In broken text, either of them may be more cautious.
        let broken = !tree.errors().is_empty();
        assert!(
            broken || more.is_empty() && less.is_empty() && found.len() == wanted.len(),
            "seed {seed}, after {new:?} at {range:?}:\n{text}\nonly here: {more:#?}\nmissing: {less:#?}"
        );
        if fixes && broken {
            (text, tree) = before;
        }
    }
}

/// What is remembered of the keys of long maps gives what a fresh look gives, wherever lines come and go.
#[test]
fn keys_of_long_maps_are_compared_after_every_edit() {
    let file = TreeFile::new(FileId(1), Profile::Ytt);
    let keys = |indent: &str| (0..500).map(|number| format!("{indent}key_{number}: {number}\n")).collect::<String>();
    for seed in 0..6 {
        let mut numbers = Numbers(seed);
        let mut text = format!("first:\n{}second:\n{}{}", keys("  "), keys("  "), keys(""));
        let mut tree = parse(&text);
        let (mut clean, mut repeated) = (Clean::default(), 0);
        for _ in 0..40 {
            let (range, new) = numbers.edit_of_lines(&text);
            text.replace_range(range.clone(), &new);
            tree = tree.edit(range.clone(), &new);
            let root = tree.documents().next().and_then(|document| document.root());
            let reader = TreeReader::new(file, &tree);
            let root = reader.root(root).expect("no anchors");
            let reading = Reading { reader, is_template: false, in_proposal: false };
            let kept = check_keys(reading, root, &mut clean).map(sorted);
            let fresh = check_keys(reading, root, &mut Clean::default()).map(sorted);
            assert_eq!(kept, fresh, "seed {seed}, after {new:?} at {range:?}");
            repeated += kept.map_or(0, |found| found.len());
        }
        assert!(repeated > 0);
    }
}

/// A plain file must not repeat a key in a map of any type either.
#[test]
fn repeated_keys_below_any_are_found_after_every_edit() {
    let schema = schema();
    let keys = |indent: &str| (0..400).map(|number| format!("{indent}key_{number}: {number}\n")).collect::<String>();
    let mut repeated = 0;
    for seed in 0..6 {
        let mut numbers = Numbers(seed);
        let mut text =
            format!("extra:\n  first:\n{}  items:\n{}{}", keys("    "), "  - a: 1\n    b: 2\n".repeat(200), keys("  "));
        let mut tree = parse(&text);
        let mut memo = CheckMemo::default();
        for _ in 0..40 {
            let (range, new) = numbers.edit_of_lines(&text);
            text.replace_range(range.clone(), &new);
            tree = tree.edit(range.clone(), &new);
            let Some(found) = in_tree(&tree, &schema, Style::Plain, &mut memo) else { continue };
            let fresh = in_tree(&tree, &schema, Style::Plain, &mut CheckMemo::default());
            assert_eq!(Some(&found), fresh.as_ref(), "seed {seed}, after {new:?} at {range:?}");
            repeated += found.iter().filter(|finding| finding.rule == &crate::rules::DUPLICATE_KEY).count();
        }
    }
    assert!(repeated > 0);
}

fn sorted(mut found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.sort_by_key(|finding| finding.span.range().start);
    found
}

/// One mistake is one finding, where it is written and not at its anchor.
#[test]
fn what_a_merge_key_does_not_take() {
    let found = |text: &str| {
        let tree = parse(text);
        let set = lower(FileId(1), &tree, Profile::Core12, Options { merges_lists: true, ..Options::default() });
        let found = check_documents(&set, &TreeSource { file: FileId(1), tree: &tree });
        found.into_iter().map(|found| format!("{} {}", &text[found.span.range()], found.message)).collect::<Vec<_>>()
    };
    let wrong = |what: &str| vec![format!("{what} `<<` takes a map or an array of maps")];
    assert_eq!(found("a: &a [one, two, three]\nb:\n- <<: *a\n- four\n"), wrong("*a"));
    assert_eq!(found("a: &a one\nb: {<<: *a, c: 1}\n"), wrong("*a"));
    assert_eq!(found("a: &a one\nb: {<<: [{d: 1}, *a], c: 1}\n"), wrong("*a"));
    assert_eq!(found("b: {<<: [{d: 1}, two], c: 1}\n"), wrong("two"));
    assert_eq!(found("a: &a {b: 1}\nc: {<<: [*a, {d: 1}]}\n"), Vec::<String>::new());
}
