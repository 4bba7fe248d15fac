use super::DocumentNames;
use crate::document::check_documents;
use crate::memo::CheckMemo;
use crate::part::check_keys_in_tree;
use crate::syntax::TreeSource;
use crate::view::{Kind, NodeView, TreeFile, TreeReader, TreeView, View};
use lofting_diagnostic::Diagnostic;
use lofting_document::{DocumentReader, DocumentSet, FileId, Options, Span};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Tree, parse};

const FILE: FileId = FileId(1);

const PROFILES: [Profile; 4] = [Profile::Core12, Profile::Yaml11, Profile::Json, Profile::Ytt];

/// Numbers that look like chance.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % bound
    }

    fn pick(&mut self, list: &[&'static str]) -> &'static str {
        list[self.below(list.len())]
    }

    /// A map or array with names in it.
    fn block(&mut self, out: &mut String, indent: usize, names: &mut usize) {
        let is_map = indent == 0 || self.below(4) > 0;
        for _ in 0..1 + self.below(4) {
            let head = match is_map {
                true if self.below(5) == 0 => "<<:".to_owned(),
                true => self.pick(&["a:", "b:", "c:", "'d':", "&k e:", "f:"]).to_owned(),
                false => "-".to_owned(),
            };
            *out += &format!("{:indent$}{head}", "");
            self.value(out, indent, names);
        }
    }

    fn value(&mut self, out: &mut String, indent: usize, names: &mut usize) {
        for _ in 0..self.below(3) {
            match self.below(5) {
                0 => {
                    // Now and then a name is given again.
                    *names += usize::from(self.below(100) > 0);
                    *out += &format!(" &n{names}");
                }
                1 => {
                    *out += " ";
                    *out +=
                        self.pick(&["!!str", "!Ref", "!!int", "!", "!!binary", "!<tag:yaml.org,2002:str>", "!!map"]);
                }
                _ => {}
            }
        }
        match self.below(12) {
            0 | 1 if indent < 8 => {
                *out += "\n";
                self.block(out, indent + 2, names);
            }
            2..=4 => *out += &format!(" *n{}\n", 1 + self.below(*names + 1)),
            5 => *out += &format!(" [*n{}, {{a: 1, g: *n1}}]\n", 1 + self.below(*names + 1)),
            6 => *out += &format!(" {{<<: *n{}, a: 5, h}}\n", 1 + self.below(*names + 1)),
            7 => *out += &format!(" |\n{:1$}text\n", "", indent + 2),
            8 => *out += "\n",
            _ => {
                let text =
                    self.pick(&["1", "x", "~", "\"y\\n\"", "'it''s'", "true", "1.5", "aGk=", "[]", "{}", "two words"]);
                *out += &format!(" {text}\n");
            }
        }
    }
}

/// What a view says about a value and all that is in it.
fn told<V: View>(view: V, out: &mut String, indent: usize) {
    let span = view.span();
    // The node of a collection may end later, also if its meaning is not known.
    let end = if view.scalar().is_none() { 0 } else { span.end };
    let (missing, partial) = (view.is_missing(), view.kind().is_collection() && view.is_partial());
    let scalar = view.scalar().filter(|_| view.kind() != Kind::Unknown);
    *out += &format!("{:?} {}..{end} {missing} {partial} {scalar:?}\n", view.kind(), span.start);
    let mut inside = |name: String, value: V| {
        *out += &format!("{:indent$}{name}: ", "");
        told(value, out, indent + 1);
    };
    match view.kind() {
        Kind::Map => {
            view.entries().for_each(|entry| inside(format!("{:?} {:?}", entry.key, entry.key_span), entry.value))
        }
        Kind::Array => view.items().for_each(|item| inside(format!("{:?}", item.span), item.value)),
        _ => {}
    }
}

fn lowered(tree: &Tree, document: &Document<'_>, profile: Profile) -> DocumentSet {
    let is_ytt = profile == Profile::Ytt;
    let options = Options { merges_lists: !is_ytt, plain: is_ytt, ..Options::default() };
    DocumentReader::new(FILE, tree, profile, options).read(document)
}

/// Where something is reported, each once: a copy of a value is reported at its place again.
fn places(found: Vec<Diagnostic>) -> Vec<(Span, &'static str)> {
    let mut places: Vec<_> = found.into_iter().map(|finding| (finding.span, finding.rule.code)).collect();
    places.sort_by_key(|(span, code)| (span.start, span.end, *code));
    places.dedup();
    places
}

/// How a document is read in its tree: what is found, and the value. None if it has to be lowered.
fn in_tree<'t>(
    tree: &'t Tree,
    document: &Document<'t>,
    profile: Profile,
    memo: &mut CheckMemo,
    with: impl FnOnce(TreeView<'_>),
) -> Option<Vec<Diagnostic>> {
    let names = DocumentNames::of(document, memo)?;
    let reader = TreeReader::of_document(TreeFile::new(FILE, profile), tree, &names);
    let found = check_keys_in_tree(reader, document, memo)?;
    with(reader.root(document.root())?);
    Some(found)
}

#[test]
fn a_document_with_names_is_read_in_its_tree_as_lowering_reads_it() {
    let (mut read, mut merged) = (0, 0);
    for seed in 1_u64..6_000 {
        let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut text = String::new();
        chance.block(&mut text, 0, &mut 0);
        let tree = parse(&text);
        // After an error in the text, both tell only something of what is meant.
        if !tree.errors().iter().all(|error| error.message.contains("no anchor")) {
            continue;
        }
        let document = tree.documents().next().expect("a document");
        for profile in PROFILES {
            let set = lowered(&tree, &document, profile);
            let mut view_told = String::new();
            let found = in_tree(&tree, &document, profile, &mut CheckMemo::default(), |view| {
                told(view, &mut view_told, 0);
            });
            let Some(found) = found else { continue };
            let mut data_told = String::new();
            told(NodeView(&set.documents[0].value), &mut data_told, 0);
            assert_eq!(view_told, data_told, "seed {seed}, {profile:?}:\n{text}");
            let source = TreeSource { file: FILE, tree: &tree };
            assert_eq!(places(found), places(check_documents(&set, &source)), "seed {seed}, {profile:?}:\n{text}");
            read += 1;
            merged += usize::from(text.contains("<<: *") || text.contains("<<: [*"));
        }
    }
    assert!(read > 3_000 && merged > 500, "{read} {merged}");
}

/// After an edit, what is remembered of other parts depends on the values of their aliases.
#[test]
fn after_edits_of_anchored_values_all_is_as_read_afresh() {
    let mut read = 0;
    for seed in 1_u64..1_500 {
        let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let (mut text, mut names) = (String::new(), 0);
        for _ in 0..4 {
            chance.block(&mut text, 0, &mut names);
        }
        let mut tree = parse(&text);
        let mut memo = CheckMemo::default();
        for _ in 0..4 {
            let at = (0..=chance.below(text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
            let new = chance.pick(&["x", "\n", "&n1 ", "*n1", " ", ": 1\n", "[", "z: &n3 [1]\n"]);
            text.insert_str(at, new);
            tree = tree.edit(at..at, new);
            let Some(document) = tree.documents().next() else { continue };
            let mut known = String::new();
            let kept = in_tree(&tree, &document, Profile::Core12, &mut memo, |view| told(view, &mut known, 0));
            let (mut fresh_known, fresh_tree) = (String::new(), parse(&text));
            let document = fresh_tree.documents().next().expect("a document");
            let fresh = in_tree(&fresh_tree, &document, Profile::Core12, &mut CheckMemo::default(), |view| {
                told(view, &mut fresh_known, 0);
            });
            assert_eq!(known, fresh_known, "seed {seed}, after {new:?} at {at}:\n{text}");
            assert_eq!(kept.map(places), fresh.map(places), "seed {seed}, after {new:?} at {at}:\n{text}");
            read += usize::from(!known.is_empty());
        }
    }
    assert!(read > 150, "{read}");
}

/// The first entry of a map is read anew by each edit in it, here the one with the anchor.
#[test]
fn an_edit_elsewhere_changes_nothing_that_aliases_stand_for() {
    let items: String = (0..400).map(|n| format!("  - name: n{n}\n    <<: *b\n    w: a{n}\n")).collect();
    let mut text = format!("base: &b\n  x: 1\nitems:\n{items}");
    let (mut tree, mut memo) = (parse(&text), CheckMemo::default());
    let mut stamps = Vec::new();
    for edited in ["a200", "a0", "a399", "x: 1", "a200"] {
        let at = text.find(edited).expect("a place");
        text.insert(at, 'x');
        tree = tree.edit(at..at, "x");
        let document = tree.documents().next().expect("a document");
        stamps.push(DocumentNames::of(&document, &mut memo).expect("names").stamp());
    }
    assert_eq!(stamps, [1, 1, 1, 2, 2]);
}

/// Each map is asked for what is merged into it once, however many are merged into each other.
#[test]
fn maps_that_are_merged_into_each_other_take_no_more_than_their_number() {
    let chain: String = (1..60).map(|n| format!("a{n}: &a{n}\n  <<: *a{}\n  k{n}: 1\n", n - 1)).collect();
    let chain = format!("a0: &a0 {{k: 1}}\n{chain}");
    let nested = format!("a: &a {{k: 1}}\nb: {}*a{}\n", "{<<: ".repeat(200), "}".repeat(200));
    for (text, keys) in [(chain, 60 * 61 / 2 + 60), (nested, 2 + 1 + 1)] {
        let tree = parse(&text);
        let document = tree.documents().next().expect("a document");
        let mut told_of = String::new();
        let found = in_tree(&tree, &document, Profile::Core12, &mut CheckMemo::default(), |view| {
            told(view, &mut told_of, 0);
        });
        assert!(found.is_some_and(|found| found.is_empty()), "{text}");
        assert_eq!(told_of.lines().count(), keys + 1, "{told_of}");
    }
}

/// A long value keeps its node when its tag changes.
#[test]
fn another_tag_is_another_value() {
    let keys: String = (0..200).map(|n| format!("    k{n}: 1\n")).collect();
    let text = format!("first: 1\na: &a\n  b:\n{keys}c: *a\n");
    let mut tree = parse(&text);
    let mut memo = CheckMemo::default();
    let at = text.find("&a").expect("an anchor") + 2;
    let mut stamps = Vec::new();
    for (range, new) in [(at..at, " !x"), (at..at + 3, ""), (at..at, " !y")] {
        tree = tree.edit(range, new);
        let document = tree.documents().next().expect("a document");
        stamps.push(DocumentNames::of(&document, &mut memo).expect("names").stamp());
    }
    assert_eq!(stamps, [1, 2, 3]);
}
