//! Streams of data values in which nothing else is annotated, recognised from what an edit touched.

use lofting_syntax::{Document, Element, Green, Kind, Node, Tree};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The annotation above each document.
const HEAD: &str = "#@data/values";

/// When more groups than this are known, those that no tree has any more are forgotten.
const SWEEP: usize = 1_024;

/// What is known about the heads of documents, from one revision of a text to the next.
#[derive(Debug, Default)]
pub struct ValueHeads {
    /// Groups of documents that are all such values, if one such head is above them.
    groups: FxHashMap<usize, Arc<Green>>,
    sweep_at: usize,
}

impl ValueHeads {
    /// Whether each document of a text begins with `---` and has `#@data/values` above it, and no other annotation, code or
    /// ordinary comment is in the text.
    pub fn are_all(&mut self, tree: &Tree) -> bool {
        let mut heads = 0;
        let are_all = self.read(tree.root(), &mut heads) && heads == 0;
        if self.groups.len() > self.sweep_at.max(SWEEP) {
            self.groups.retain(|_, group| Arc::strong_count(group) > 1);
            self.sweep_at = 2 * self.groups.len();
        }
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
                let address = Arc::as_ptr(green).addr();
                let is_below_one = *heads == 1;
                if is_below_one && self.groups.contains_key(&address) {
                    *heads = 0;
                    return true;
                }
                if !self.read(group, heads) {
                    return false;
                }
                if is_below_one && *heads == 0 {
                    self.groups.insert(address, Arc::clone(green));
                }
                true
            }
            Element::Node(node) => {
                let document = Document::cast(node);
                std::mem::take(heads) == 1 && document.is_some_and(|document| is_plain(&document))
            }
        })
    }
}

/// Whether a document begins with its marker, and has no comments in it but those for people.
fn is_plain(document: &Document<'_>) -> bool {
    let node = document.node();
    let comments = || node.tree().comments_in(node.range()).all(|comment| is_for_people(&comment.text()));
    let begins = node.tokens().next().is_some_and(|token| token.kind() == Kind::DocStart);
    begins && document.end_marker().is_none() && (!node.has_comments() || comments())
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
