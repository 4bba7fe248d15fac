//! Checking a file in its syntax tree, without lowering it: what a keystroke in a large values file
//! needs. Covers what most values files are; for others it says so, and the caller lowers them.

#[cfg(test)]
mod coded_tests;
#[cfg(test)]
mod tests;

use crate::document::check_documents;
use crate::memo::Memo;
use crate::rules;
use crate::syntax::TreeSource;
use crate::values::{Assertions, Findings, Root, ValuesCheck};
use crate::view::{Overlay, Parts, TreeView};
use lofting_diagnostic::Diagnostic;
use lofting_document::{DocumentSet, FileId, Key, Options, Span, lower};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Element, Green, Kind, Node, Tree, parse};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A values file that can be checked in its tree: one document, no code below its marker, no
/// anchors, aliases, tags, merge keys or explicit keys.
pub struct ValuesTree<'t> {
    file: FileId,
    tree: &'t Tree,
    value: TreeView<'t>,
    /// What stands above the content: annotations of the document.
    header: DocumentSet,
    name: Span,
    found: Vec<Diagnostic>,
}

impl<'t> ValuesTree<'t> {
    /// Looks whether the file is such a file, and finds what is wrong with it beyond syntax and
    /// schemas. None: it has to be lowered.
    pub fn new(file: FileId, tree: &'t Tree, memo: &mut Memo) -> Option<Self> {
        // ytt reads a byte order mark in its own way, which the lowering knows.
        if tree.root().has_names() || tree.text(0..3.min(tree.root().range().end)) == "\u{feff}" {
            return None;
        }
        let mut documents = tree.documents().filter(|document| {
            document.root().is_some() || document.start_marker().is_some() || document.end_marker().is_some()
        });
        let document = documents.next()?;
        if documents.next().is_some() {
            return None;
        }
        let root = document.root()?;
        let marker = document.start_marker().map(|marker| marker.range());
        let header_end = marker.as_ref().map_or(0, |marker| marker.end);
        let value = TreeView::root(file, tree, Some(root))?;
        let name = Span::new(file, marker.unwrap_or_else(|| root.range()));
        let header = match header_end {
            0 => DocumentSet::default(),
            end => lower(file, &parse(&tree.text(0..end)), Profile::Ytt, Options::default()),
        };
        let is_template = header.is_template;
        let mut values = ValuesTree { file, tree, value, header, name, found: Vec::new() };
        let source = TreeSource { file, tree };
        let ordinary = values.ordinary_comments(header_end, memo)?;
        if is_template {
            values.found = check_documents(&values.header, &source);
            values.found.extend(
                ordinary
                    .into_iter()
                    .map(|span| rules::ytt_ordinary_comment::finding(span, Some(&tree.text(span.range())))),
            );
        }
        values.keys(is_template, memo)?;
        Some(values)
    }

    /// The document's annotations, as a document without content; none without a marker.
    pub fn header(&self) -> Option<&lofting_document::Document> {
        self.header.documents.last()
    }

    /// Whether the file is a plain YAML file for ytt.
    pub fn is_plain(&self) -> bool {
        !self.header.is_template
    }

    /// What is wrong beyond syntax and schemas, as [`check_documents`] finds it.
    pub fn documents(&self) -> &[Diagnostic] {
        &self.found
    }

    /// Checks the values against a schema. The memo has to have begun with a stamp that stands for
    /// the schema and all else in `check`. With `assertions` the rules that are code are asked as well,
    /// for values that nothing else is laid over.
    pub fn check(&self, check: &ValuesCheck<'_>, memo: &mut Memo, assertions: Option<&dyn Assertions>) -> Findings {
        let root = Root { value: self.value, name: self.name, overlay: self.overlay() };
        check.run_with_memo(root, self.file, memo, assertions)
    }

    /// Whether the document says how it wants to be merged.
    pub fn has_overlay(&self) -> bool {
        self.overlay() != Overlay::default()
    }

    fn overlay(&self) -> Overlay {
        self.header().map_or_else(Overlay::default, |document| Overlay::read(&document.notes))
    }

    /// Comments below the marker that ytt does not know, in a template; none if there are annotations or code.
    fn ordinary_comments(&self, header_end: usize, memo: &mut Memo) -> Option<Vec<Span>> {
        let is_template = self.header.is_template;
        let mut ordinary = Vec::new();
        let mut stack = vec![Task::Visit(self.tree.root())];
        while let Some(task) = stack.pop() {
            let node = match task {
                Task::Visit(node) => node,
                Task::Leave(node, before) => {
                    if ordinary.len() == before {
                        memo.set_silent(node, is_template);
                    }
                    continue;
                }
            };
            if !node.has_comments() || node.range().end <= header_end {
                continue;
            }
            // A node above the marker tells less than all that is in it.
            if let Some(green) = node.green().filter(|green| Memo::is_worth(green))
                && node.range().start >= header_end
            {
                if memo.is_silent(green, is_template) {
                    continue;
                }
                stack.push(Task::Leave(green, ordinary.len()));
            }
            for part in node.parts() {
                let token = match part {
                    Element::Node(node) => {
                        stack.push(Task::Visit(node));
                        continue;
                    }
                    Element::Token(token) => token,
                };
                let range = token.range();
                if token.kind() != Kind::Comment || range.start < header_end {
                    continue;
                }
                match token.text().as_bytes().get(1) {
                    Some(b'@') => return None,
                    Some(b'!') => {}
                    _ if is_template => ordinary.push(Span::new(self.file, range)),
                    _ => {}
                }
            }
        }
        Some(ordinary)
    }

    /// Looks at every key for what lowering would say about it; none if lowering has to.
    fn keys(&mut self, is_template: bool, memo: &mut Memo) -> Option<()> {
        let Some(root) = self.value.collection() else { return Some(()) };
        let mut stack = vec![Task::Visit(root)];
        let mut seen = Seen::default();
        while let Some(task) = stack.pop() {
            let node = match task {
                Task::Visit(node) => node,
                Task::Leave(node, before) => {
                    if self.found.len() == before {
                        memo.set_clean(node);
                    }
                    continue;
                }
            };
            if let Some(green) = node.green().filter(|green| Memo::is_worth(green)) {
                if memo.is_clean(green) {
                    continue;
                }
                stack.push(Task::Leave(green, self.found.len()));
            }
            seen.clear();
            // Keys are compared with all others of their map; items stand for themselves, so that those of an array
            // can be passed over in groups.
            let is_map = matches!(node.kind(), Kind::BlockMap | Kind::FlowMap);
            let entries = is_map.then(|| node.children()).into_iter().flatten();
            let parts = (!is_map).then(|| node.parts()).into_iter().flatten();
            for child in entries.chain(parts) {
                let Element::Node(child) = child else { continue };
                match child.kind() {
                    Kind::Group => stack.push(Task::Visit(child)),
                    Kind::MapEntry => self.entry(child, is_template, &mut seen, &mut stack)?,
                    Kind::SeqEntry => {
                        let (_, value) = TreeView::item(self.file, child)?;
                        stack.extend(value.collection().map(Task::Visit));
                    }
                    // Broken text.
                    _ => {}
                }
            }
        }
        Some(())
    }

    fn entry(&mut self, entry: Node<'t>, is_template: bool, seen: &mut Seen, stack: &mut Vec<Task<'t>>) -> Option<()> {
        let (written, value) = match TreeView::entry(self.file, entry) {
            Parts::Pair(written, value) => (written, value),
            Parts::Incomplete => return Some(()),
            Parts::Odd => return None,
        };
        if written.is_merge() {
            return None;
        }
        let (key, span) = (written.key(), written.span());
        if let (Key::Bool(truth), true) = (&key, is_template) {
            let text = self.tree.text(span.range());
            self.found.extend(rules::ytt_ambiguous_key::unless_plain(span, &text, *truth));
        }
        if let Some((key, first)) = seen.insert(key, span) {
            self.found.push(match is_template {
                true => rules::ytt_duplicate_key::finding(span, first, &key),
                false => rules::yaml_repeated_key::finding(span, first, &key),
            });
        }
        stack.extend(value.collection().map(Task::Visit));
        Some(())
    }
}

/// Keys of one map.
#[derive(Default)]
struct Seen {
    /// The last place of each of them.
    keys: Vec<(Key, Span)>,
    /// Where in the list a key is, once there are more of them than are quicker compared one by one.
    index: FxHashMap<Key, usize>,
}

impl Seen {
    const FEW: usize = 16;

    fn clear(&mut self) {
        self.keys.clear();
        if !self.index.is_empty() {
            self.index.clear();
        }
    }

    /// Notes a key and where it stands; if it was there before, gives it back with its last place.
    fn insert(&mut self, key: Key, span: Span) -> Option<(Key, Span)> {
        let found = match self.index.is_empty() {
            true => self.keys.iter().position(|(seen, _)| *seen == key),
            false => self.index.get(&key).copied(),
        };
        if let Some((_, place)) = found.and_then(|at| self.keys.get_mut(at)) {
            return Some((key, std::mem::replace(place, span)));
        }
        let at = self.keys.len();
        if at == Self::FEW {
            self.index.extend(self.keys.iter().enumerate().map(|(at, (key, _))| (key.clone(), at)));
        }
        if at >= Self::FEW {
            self.index.insert(key.clone(), at);
        }
        self.keys.push((key, span));
        None
    }
}

enum Task<'t> {
    Visit(Node<'t>),
    Leave(&'t Arc<Green>, usize),
}
