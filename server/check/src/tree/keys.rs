//! The keys of a values file.

use super::Task;
use crate::memo::{Clean, Memo};
use crate::rules;
use crate::view::{Parts, TreeFile, TreeView};
use lofting_diagnostic::Diagnostic;
use lofting_document::{Key, Span};
use lofting_syntax::{Element, Kind, Node};
use rustc_hash::FxHashMap;

/// The findings that lowering would make for the keys below a collection; None if the file has to be lowered.
pub(crate) fn check_keys(
    file: TreeFile,
    root: Option<Node<'_>>,
    is_template: bool,
    clean: &mut Clean,
) -> Option<Vec<Diagnostic>> {
    let mut keys = Keys { file, is_template, found: Vec::new() };
    if let Some(root) = root {
        keys.below(root, clean)?;
    }
    Some(keys.found)
}

struct Keys {
    file: TreeFile,
    is_template: bool,
    found: Vec<Diagnostic>,
}

impl Keys {
    /// Checks every key as lowering would; None if the file has to be lowered.
    fn below<'t>(&mut self, root: Node<'t>, clean: &mut Clean) -> Option<()> {
        let mut stack = vec![Task::Visit(root)];
        let mut seen = Seen::default();
        while let Some(task) = stack.pop() {
            let node = match task {
                Task::Visit(node) => node,
                Task::Leave(node, before) => {
                    if self.found.len() == before {
                        clean.insert(node);
                    }
                    continue;
                }
            };
            if let Some(green) = node.green().filter(|green| Memo::is_worth(green)) {
                if clean.contains(green) {
                    continue;
                }
                stack.push(Task::Leave(green, self.found.len()));
            }
            seen.clear();
            // A key is compared with all others of its map; items are independent, so groups of an array's items can be
            // skipped.
            let is_map = matches!(node.kind(), Kind::BlockMap | Kind::FlowMap);
            let entries = is_map.then(|| node.children()).into_iter().flatten();
            let parts = (!is_map).then(|| node.parts()).into_iter().flatten();
            for child in entries.chain(parts) {
                let Element::Node(child) = child else { continue };
                match child.kind() {
                    Kind::Group => stack.push(Task::Visit(child)),
                    Kind::MapEntry => self.entry(child, &mut seen, &mut stack)?,
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

    fn entry<'t>(&mut self, entry: Node<'t>, seen: &mut Seen, stack: &mut Vec<Task<'t>>) -> Option<()> {
        let (written, value) = match TreeView::entry(self.file, entry) {
            Parts::Pair(written, value) => (written, value),
            Parts::Incomplete => return Some(()),
            Parts::Odd => return None,
        };
        if written.is_merge() {
            return None;
        }
        let (key, span) = (written.key(), written.span());
        if let (Key::Bool(truth), true) = (&key, self.is_template) {
            let text = entry.tree().text(span.range());
            self.found.extend(rules::ytt_ambiguous_key::unless_plain(span, &text, *truth));
        }
        if let Some((key, first)) = seen.insert(key, span) {
            self.found.push(match self.is_template {
                true => rules::ytt_duplicate_key::finding(span, first, &key),
                false => rules::yaml_repeated_key::finding(span, first, &key),
            });
        }
        stack.extend(value.collection().map(Task::Visit));
        Some(())
    }
}

/// The keys of one map.
#[derive(Default)]
struct Seen {
    /// The last place of each key.
    keys: Vec<(Key, Span)>,
    /// The index of each key in the list, once there are too many for a linear search.
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

    /// Adds a key with its place; if it was there before, returns it with its last place.
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
