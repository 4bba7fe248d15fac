//! What formatting must keep, over texts of all kinds: what values mean, whose comments are, what code says; and that
//! formatting again changes nothing.

#[path = "../../../syntax/tests/properties/text.rs"]
mod text;

use lofting_document::{OwnedComment, OwnerKind, owners};
use lofting_format::{LineEnding, Options, Quotes, Sequences, apply, format, format_range};
use lofting_syntax::{Tree, events::events, parse};
use proptest::prelude::*;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Options that are as far from each other as can be.
fn options() -> Vec<Options> {
    vec![
        Options::default(),
        Options { indent: Some(4), sequences: Some(Sequences::Indented), blank_lines: Some(0), ..Options::default() },
        Options {
            indent: Some(1),
            sequences: Some(Sequences::Column),
            quotes: Some(Quotes::Double),
            ..Options::default()
        },
        Options {
            indent: Some(3),
            quotes: Some(Quotes::Single),
            trim_trailing_spaces: Some(false),
            ..Options::default()
        },
        Options { line_ending: Some(LineEnding::Lf), final_newline: Some(false), ..Options::default() },
        Options { line_ending: Some(LineEnding::CrLf), sequences: Some(Sequences::Indented), ..Options::default() },
    ]
}

/// What a text means to a reader, the kind of quotes aside.
fn meaning(tree: &Tree) -> Vec<String> {
    events(tree).into_iter().map(|event| event.replace('"', "'")).collect()
}

/// The words of a comment, whether it follows its owner on the line, and the owner by its place in the text without white space.
type Owned = (String, bool, Option<(OwnerKind, usize)>);

/// Each comment with its owner.
fn comments(tree: &Tree) -> Vec<Owned> {
    let text = tree.to_text();
    let mut solid = Vec::with_capacity(text.len() + 1);
    let mut count = 0;
    for byte in text.bytes() {
        solid.push(count);
        count += usize::from(!byte.is_ascii_whitespace());
    }
    solid.push(count);
    let owners = owners(tree);
    let one = |comment: &OwnedComment| {
        let words: String = text[comment.range.clone()].split_ascii_whitespace().collect();
        (words, comment.same_line, comment.owner.map(|owner| (owner.kind, solid[owner.offset])))
    };
    owners.comments().iter().map(one).collect()
}

/// A byte order mark, which takes no column.
const MARK: char = '\u{feff}';

fn check(text: &str) {
    let tree = parse(text);
    for options in options() {
        let Ok(edits) = format(&tree, &options) else { return };
        let out = apply(text, &edits);
        same(text, &tree, &out, &options);
        let again = format(&parse(&out), &options).expect("as good as before");
        assert!(again.is_empty(), "not settled with {options:?}\n{text}\n{text:?}\nbecomes\n{out}\nand {again:?}");
        let minimal = edits.iter().all(|edit| text[edit.range.clone()] != edit.text);
        assert!(minimal, "an edit that changes nothing: {edits:?}\n{text}");
        if !text.contains(MARK) {
            let marked = format!("{MARK}{text}");
            let edits = format(&parse(&marked), &options).unwrap_or_default();
            assert_eq!(
                apply(&marked, &edits),
                format!("{MARK}{out}"),
                "another layout after a byte order mark: {text:?}"
            );
        }
    }
}

/// Some lines alone.
fn check_range(text: &str, range: Range<usize>) {
    let tree = parse(text);
    for options in options() {
        let Ok(edits) = format_range(&tree, &options, range.clone()) else { return };
        let out = apply(text, &edits);
        same(text, &tree, &out, &options);
        let lines = text[..range.start.min(text.len())].rfind('\n').map_or(0, |at| at + 1);
        assert!(edits.iter().all(|edit| edit.range.start >= lines), "outside the lines: {edits:?}");
    }
}

fn same(text: &str, tree: &Tree, out: &str, options: &Options) {
    let after = parse(out);
    let context = || format!("with {options:?}\n{text}\n{text:?}\nbecomes\n{out}\n{out:?}");
    assert!(after.errors().is_empty(), "{:?} {}", after.errors(), context());
    assert!(
        meaning(tree) == meaning(&after),
        "another meaning: {:#?}\n{:#?}\n{}",
        meaning(tree),
        meaning(&after),
        context()
    );
    assert_eq!(comments(tree), comments(&after), "other owners {}", context());
    let solid = |text: &str| {
        text.chars().filter(|c| !c.is_ascii_whitespace()).map(|c| if c == '"' { '\'' } else { c }).collect::<String>()
    };
    assert!(solid(text) == solid(out), "other text {}", context());
}

fn yaml_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            yaml_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
            found.push(path);
        }
    }
}

#[test]
fn real_files() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for (folder, least) in [("examples", 5), ("tests/conformance", 100), ("../shared/conformance", 1000)] {
        let mut files = Vec::new();
        yaml_files(&root.join(folder), &mut files);
        if files.is_empty() && folder.starts_with("..") {
            eprintln!("skipped: {folder} is not present");
            continue;
        }
        assert!(files.len() >= least, "{folder} has {} files", files.len());
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let own = files.iter().skip(thread).step_by(threads);
                let texts = own.filter_map(|path| std::fs::read_to_string(path).ok());
                scope.spawn(move || texts.filter(|text| text.len() < 200_000).for_each(|text| check(&text)));
            }
        });
    }
}

fn cases(count: u32) -> ProptestConfig {
    // PROPTEST_CASES raises the number for long runs.
    let count = std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(count);
    ProptestConfig { cases: count, failure_persistence: None, ..ProptestConfig::default() }
}

/// Templates: what ytt's users write between and after nodes.
fn template() -> impl Strategy<Value = String> {
    let line = prop::sample::select(
        &[
            "a: 1\n",
            "a:\n",
            "- b\n",
            "- c: 1\n",
            "d: |\n",
            "text\n",
            "e: 'f\n",
            "'\n",
            "g: [1,\n",
            "]\n",
            "h: #@ x\n",
            "---\n",
            "\n",
            "#@ if x:\n",
            "#@ for y in x:\n",
            "#@ def f():\n",
            "#@ else:\n",
            "#@ end\n",
            "#@ if/end x:\n",
            "#@ g(\n",
            "#@ )\n",
            "#@   z = 1\n",
            "#@ '''\n",
            "#@ \"a \\\n",
            "#@schema/nullable\n",
            "#@overlay/match missing_ok=True\n",
            "#! note\n",
            "# plain\n",
            "#key: 1\n",
            "#  deep: 1\n",
        ][..],
    );
    let one = (prop::sample::select(&[0usize, 0, 0, 1, 2, 2, 2, 3, 4, 4, 6, 8][..]), line);
    prop::collection::vec(one.prop_map(|(indent, line)| format!("{:indent$}{line}", "")), 1..14)
        .prop_map(|lines| lines.concat())
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn documents(text in text::document()) {
        check(&text);
    }

    #[test]
    fn soup(text in text::soup()) {
        check(&text);
    }

    #[test]
    fn text_that_goes_on_too_far_left(text in text::loose()) {
        check(&text);
    }

    #[test]
    fn templates(text in template()) {
        check(&text);
    }

    #[test]
    fn ranges(text in prop_oneof![text::document(), template()], start in 0usize..200, len in 0usize..100) {
        let start = (0..=start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let end = (0..=(start + len).min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(start);
        check_range(&text, start..end.max(start));
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn long_collections(text in text::long()) {
        check(&text);
    }
}
