//! Streams of data values in which nothing else is annotated, recognised from what an edit touched.

use lofting_syntax::{CommentReader, Document, Element, Green, Kind, Node, Tree};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The annotation above each document.
const HEAD: &str = "#@data/values";

/// When more parts than this are known, those that no tree has any more are forgotten.
const SWEEP: usize = 1_024;

/// Parts of a document of this length (bytes) are remembered; shorter ones are read again.
const REMEMBERED: usize = 512;

/// What is known about the heads of documents, from one revision of a text to the next.
#[derive(Debug, Default)]
pub struct ValueHeads {
    /// Groups of documents that are all such values, if one such head is above them.
    groups: Remembered,
    /// Parts of documents in which all comments are for people.
    quiet: Remembered,
}

/// Parts of trees by their address, which they keep as long as they are here.
#[derive(Debug, Default)]
struct Remembered {
    parts: FxHashMap<usize, Arc<Green>>,
    sweep_at: usize,
}

impl Remembered {
    fn holds(&self, part: &Arc<Green>) -> bool {
        self.parts.contains_key(&Arc::as_ptr(part).addr())
    }

    fn add(&mut self, part: &Arc<Green>) {
        self.parts.insert(Arc::as_ptr(part).addr(), Arc::clone(part));
    }

    /// Forgets what no tree has any more, if much has been added.
    fn sweep(&mut self) {
        if self.parts.len() > self.sweep_at.max(SWEEP) {
            self.parts.retain(|_, part| Arc::strong_count(part) > 1);
            self.sweep_at = 2 * self.parts.len();
        }
    }
}

impl ValueHeads {
    /// Whether each document of a text begins with `---` and has `#@data/values` above it, and no other annotation, code or
    /// ordinary comment is in the text.
    pub fn are_all(&mut self, tree: &Tree) -> bool {
        let mut heads = 0;
        let are_all = self.read(tree.root(), &mut heads) && heads == 0;
        self.groups.sweep();
        self.quiet.sweep();
        are_all
    }

    /// Reads what is in the root of a tree, or in a group in it. `heads`: how many there are above the next document. Groups
    /// have few levels.
    fn read(&mut self, node: Node<'_>, heads: &mut usize) -> bool {
        node.parts().all(|part| match part {
            Element::Token(token) => match token.kind() {
                Kind::Comment if token.text() == HEAD => {
                    *heads += 1;
                    true
                }
                Kind::Comment => is_for_people(&token.text()),
                Kind::Whitespace | Kind::Newline => true,
                _ => false,
            },
            Element::Node(group) if group.kind() == Kind::Group => {
                let Some(green) = group.green() else { return false };
                let is_below_one = *heads == 1;
                if is_below_one && self.groups.holds(green) {
                    *heads = 0;
                    return true;
                }
                if !self.read(group, heads) {
                    return false;
                }
                if is_below_one && *heads == 0 {
                    self.groups.add(green);
                }
                true
            }
            Element::Node(node) => {
                let document = Document::cast(node);
                std::mem::take(heads) == 1 && document.is_some_and(|document| self.is_plain(&document))
            }
        })
    }

    /// Whether a document begins with its marker, and has no comments in it but those for people.
    fn is_plain(&mut self, document: &Document<'_>) -> bool {
        let node = document.node();
        let begins = node.tokens().next().is_some_and(|token| token.kind() == Kind::DocStart);
        begins && document.end_marker().is_none() && self.is_quiet(node)
    }

    /// Whether all comments in a node are for people. Trees have bounded depth, and so has this recursion.
    fn is_quiet(&mut self, node: Node<'_>) -> bool {
        if !node.has_comments() {
            return true;
        }
        let Some(green) = node.green().filter(|_| node.range().len() >= REMEMBERED) else {
            return node.tree().comments_in(node.range()).all(|comment| is_for_people(&comment.text()));
        };
        if self.quiet.holds(green) {
            return true;
        }
        let mut reader = CommentReader::default();
        let is_quiet = node.parts().all(|part| match part {
            Element::Token(token) => !reader.is_comment(token.kind()) || is_for_people(&token.text()),
            Element::Node(node) => self.is_quiet(node),
        });
        if is_quiet {
            self.quiet.add(green);
        }
        is_quiet
    }
}

fn is_for_people(comment: &str) -> bool {
    comment.starts_with("#!")
}

#[cfg(test)]
mod tests {
    use super::ValueHeads;
    use lofting_syntax::parse;

    #[test]
    fn heads_of_documents() {
        let are_all = |text: &str| ValueHeads::default().are_all(&parse(text));
        let value = "#@data/values\n---\na: 1\n";
        assert!(are_all(value));
        assert!(are_all(&format!("{value}#! why\n{value}{value}#! end\n")));
        for other in [
            "---\na: 1\n",
            "#@data/values\n#@library/ref \"x\"\n---\na: 1\n",
            "#@data/values\n#@data/values\n---\na: 1\n",
            "#@data/values\n---\n#@overlay/replace\na: 1\n",
            "#@data/values\n---\na: 1\n  #@library/ref \"x\"\n",
            "#@data/values\n--- #@ x\na: 1\n",
            "#@data/values\n---\na: 1 # why\n",
            "#@data/values-schema\n---\na: 1\n",
            "#@data/values\n",
            "...\n",
        ] {
            assert!(!are_all(other), "{other}");
            assert!(!are_all(&format!("{value}{other}")), "{other}");
            assert!(!are_all(&format!("{other}{value}")), "{other}");
        }
    }

    #[test]
    fn comments_in_a_long_document_are_read_as_in_a_short_one() {
        let filler: String =
            (0..200).map(|number| format!("#! {number}\nk{number}: [{number}, #! x\n  1]\n")).collect();
        for (line, want) in [
            ("a: | # why\n  x\n", true),
            ("a: |2- #@ why\n  # x\n", true),
            ("a: 1 # why\n", false),
            ("a: #@ 1\n", false),
            ("#@overlay/replace\na: 1\n", false),
            ("a:\n- 1 #! one\n#! two\n- 2\n", true),
            ("a:\n- 1 #! one\n# two\n- 2\n", false),
        ] {
            for text in [
                format!("#@data/values\n---\n{line}"),
                format!("#@data/values\n---\n{line}{filler}"),
                format!("#@data/values\n---\n{filler}{line}"),
                format!("#@data/values\n---\nlong:{}", format!("\n{filler}{line}{filler}").replace('\n', "\n  ")),
                format!("#@data/values\n---\n{}", line.replace("x", &"word ".repeat(200))),
            ] {
                assert_eq!(ValueHeads::default().are_all(&parse(&text)), want, "{text}");
            }
        }
    }

    /// An edit is seen wherever it is in a document, whatever is remembered of the rest.
    #[test]
    fn edits_of_a_long_document() {
        let item = |number| format!("#! {number}\n- a: {number}\n  b:\n    c: {number} #! c\n");
        let mut text = String::from("#@data/values\n---\nitems:\n");
        text.extend((0..1_000).map(item));
        let mut tree = parse(&text);
        let mut heads = ValueHeads::default();
        assert!(heads.are_all(&tree));
        for number in [0, 1, 500, 998, 999] {
            for (at, other) in
                [("#! ", "# "), (" #! c", " #@ c"), ("#! ", "#@ "), ("\n    c", "\n    #@overlay/remove\n    c")]
            {
                let start = text.find(&item(number)).and_then(|start| Some(start + text[start..].find(at)?));
                let start = start.expect("it is there");
                for (old, new, want) in [(at, other, false), (other, at, true)] {
                    text.replace_range(start..start + old.len(), new);
                    tree = tree.edit(start..start + old.len(), new);
                    assert_eq!(heads.are_all(&tree), want, "{number}: {new}");
                }
            }
        }
    }

    /// What is known of groups never says more than reading everything.
    #[test]
    fn edits_of_a_long_stream() {
        let mut text: String = (0..1_000).map(|number| format!("#@data/values\n---\na: {number}\n")).collect();
        let mut tree = parse(&text);
        let mut heads = ValueHeads::default();
        assert!(heads.are_all(&tree));
        for (at, removed, new, are_all) in [
            ("a: 500\n", 3, "b: ", true),
            ("#@data/values\n---\na: 700\n", 13, "", false),
            ("---\na: 700\n", 0, "#@data/values\n", true),
            ("---\na: 700\n", 0, "\n", true),
            ("a: 900\n", 0, "#@overlay/replace\n", false),
            ("#@overlay/replace\n", 18, "", true),
            ("#@data/values\n---\na: 0\n", 0, "#@data/values\n", false),
        ] {
            let start = text.find(at).expect(at);
            text.replace_range(start..start + removed, new);
            tree = tree.edit(start..start + removed, new);
            assert_eq!(heads.are_all(&tree), are_all, "{at}");
            assert_eq!(ValueHeads::default().are_all(&parse(&text)), are_all, "{at}");
        }
    }
}
