//! Checks a file in its syntax tree without lowering it, which keeps a keystroke in a large values file cheap. Covers
//! the constructs of most values files; for other files it returns None, and the caller lowers them.

mod comments;
mod keys;
mod merged;
mod stream;

#[cfg(test)]
mod coded_tests;
#[cfg(test)]
mod overlay_tests;
#[cfg(test)]
mod stream_tests;
#[cfg(test)]
mod tests;

use self::comments::Comments;
pub(crate) use self::keys::{Reading, check_keys};
use self::merged::MergedInTree;
pub use self::stream::ValuesStream;
use crate::document::check_documents;
use crate::memo::{CheckMemo, Clean};
use crate::rules;
use crate::syntax::TreeSource;
use crate::values::{Assertions, Findings, MergedEntries, Root, ValuesCheck};
use crate::view::{DocumentNames, Overlay, TreeFile, TreeReader, TreeView, View};
use crate::visit::Visit;
use lofting_diagnostic::Diagnostic;
use lofting_dialect::data_values::{is_meant_as_proposal, is_proposal};
use lofting_document::{DocumentSet, Issue, Note, Options, OwnerKind, Span, lower};
use lofting_syntax::{Document, Element, Kind, LONG, Tree, ValueKind, parse};
use rustc_hash::FxHashSet;

/// A values file that can be checked in its tree: one document, no code below its marker, no explicit keys, no annotations
/// among the values except those of overlays, and anchors, aliases, tags and merge keys only if comments have no meaning.
pub struct ValuesTree<'t> {
    reader: TreeReader<'t>,
    value: TreeView<'t>,
    /// The text above the content: the annotations of the document.
    header: DocumentSet,
    header_end: usize,
    /// Where entries begin of which only merging tells what their annotations do.
    entries: FxHashSet<usize>,
    name: Span,
    found: Vec<Diagnostic>,
}

impl<'t> ValuesTree<'t> {
    /// Prepares a check, if the file qualifies as far as that is known without looking at its keys. None if it has to
    /// be lowered. `names` are those of its document, if no comment has a meaning.
    pub fn new(
        file: TreeFile,
        tree: &'t Tree,
        names: Option<&'t DocumentNames<'t>>,
        memo: &mut CheckMemo,
    ) -> Option<Self> {
        if !is_readable(file, tree) || names.is_none() && tree.root().has_names() {
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
        if is_refused(file, document, has_end_before(tree, document)) {
            return None;
        }
        let marker = document.start_marker().map(|marker| marker.range());
        let header_end = marker.as_ref().map_or(0, |marker| marker.end);
        let name = Span::new(file.id, marker.unwrap_or_else(|| root.range()));
        let header = match header_end {
            0 => DocumentSet::default(),
            end => lower(file.id, &parse(&tree.text(0..end)), file.profile, Options::default()),
        };
        let is_template = header.is_template;
        let comments = Comments { file: file.id, tree, header_end, is_template };
        let met = comments.look(memo)?;
        let overlays = met.is_annotated();
        if overlays && !is_plain_head(header.documents.last()?) {
            return None;
        }
        let file = TreeFile { overlays, ..file };
        let reader =
            names.map_or_else(|| TreeReader::new(file, tree), |names| TreeReader::of_document(file, tree, names));
        let value = reader.view(root)?;
        let entries = met.entries.iter().copied().collect();
        let mut values = ValuesTree { reader, value, header, header_end, entries, name, found: Vec::new() };
        let source = TreeSource { file: file.id, tree };
        if is_template {
            values.found = check_documents(&values.header, &source);
            let issues = met.ordinary.iter().map(|span| Issue::OrdinaryComment { span: *span });
            Visit::of(true, &source).issues(issues, &mut values.found);
        }
        Some(values)
    }

    /// The document's annotations, as a document without content; None without a marker.
    pub fn header(&self) -> Option<&lofting_document::Document> {
        self.header.documents.last()
    }

    fn value_span(&self) -> Span {
        View::span(self.value)
    }

    /// Whether ytt takes the file as plain YAML.
    pub fn is_plain(&self) -> bool {
        !self.header.is_template
    }

    /// Findings beyond syntax and schemas, as [`check_documents`] makes them; complete once the keys were checked.
    pub fn documents(&self) -> &[Diagnostic] {
        &self.found
    }

    /// Checks only the keys. None if the file has to be lowered.
    pub fn keys(&mut self, memo: &mut CheckMemo) -> Option<()> {
        let found = check_keys(self.reading(), self.value, &mut memo.clean)?;
        self.found.extend(found);
        Some(())
    }

    /// Checks the keys, and the values against a schema. `memo` must have been started with a stamp for the schema and
    /// everything else in `check`. With `assertions`, code rules are called as well, for values that nothing else is
    /// merged into. None if the file has to be lowered.
    pub fn check(
        &mut self,
        check: &ValuesCheck<'_>,
        memo: &mut CheckMemo,
        assertions: Option<&dyn Assertions>,
    ) -> Option<Findings> {
        let root = Root { overlay: self.overlay(), ..Root::new(self.value, self.name) };
        let merged = MergedInTree::new(self, check);
        let entries = (!self.entries.is_empty()).then_some(&merged as &dyn MergedEntries);
        // Code is called only once it is known that the file's keys can be checked here.
        if !memo.is_new() || self.reader.tree.len() < LONG || assertions.is_some() {
            let keys = check_keys(self.reading(), self.value, &mut memo.clean)?;
            if self.repeats_keys(&keys) {
                return None;
            }
            let found = check.run_with_memo(root, self.reader.file.id, memo, assertions, entries);
            self.found.extend(keys);
            return (!found.needs_merging).then_some(found);
        }
        let walk = |memo: &mut CheckMemo| check.run_with_memo(root, self.reader.file.id, memo, None, entries);
        let (keys, mut findings) = self.side_by_side(memo, walk);
        let keys = keys.filter(|keys| !self.repeats_keys(keys))?;
        if has_repeated_keys(&keys) {
            memo.forget_walked();
            findings = walk(memo);
        }
        self.found.extend(keys);
        memo.keep_all();
        (!findings.needs_merging).then_some(findings)
    }

    /// Whether annotations say how entries are merged of which one comes after another with its key: what the first one
    /// gives is merged with it.
    fn repeats_keys(&self, keys: &[Diagnostic]) -> bool {
        self.reader.file.overlays && has_repeated_keys(keys)
    }

    /// Checks the keys while `walk` checks the values: they remember different things. The walk takes all keys of a map for
    /// different, and is right if the other check finds that they are.
    fn side_by_side(
        &self,
        memo: &mut CheckMemo,
        walk: impl FnOnce(&mut CheckMemo) -> Findings,
    ) -> (Option<Vec<Diagnostic>>, Findings) {
        let (reading, root) = (self.reading(), self.value);
        let look = || {
            let mut clean = Clean::default();
            (check_keys(reading, root, &mut clean), clean)
        };
        memo.clean = Clean::assumed();
        let (looked, findings) = lofting_memo::side_by_side(lofting_eval::STACK, look, || walk(memo));
        let (keys, clean) = looked.unwrap_or_default();
        memo.clean = clean;
        (keys, findings)
    }

    fn reading(&self) -> Reading<'t> {
        let in_proposal = self.header().is_some_and(is_meant_as_proposal);
        Reading { reader: self.reader, is_template: self.header.is_template, in_proposal }
    }

    /// Whether there are overlay annotations above the document or in it.
    pub fn has_overlay(&self) -> bool {
        self.reader.file.overlays || self.overlay() != Overlay::default()
    }

    fn overlay(&self) -> Overlay {
        self.header().map_or_else(Overlay::default, |document| Overlay::read(&document.notes))
    }
}

/// Whether some of the findings about keys are about those that a map has twice.
fn has_repeated_keys(keys: &[Diagnostic]) -> bool {
    keys.iter().any(|finding| [&rules::REPEATED_KEY, &rules::DUPLICATE_KEY].contains(&finding.rule))
}

/// Whether the text of a file can be read in its tree, as far as that is known without looking at its keys.
fn is_readable(file: TreeFile, tree: &Tree) -> bool {
    // Only lowering handles a byte order mark as ytt does.
    let is_marked = || tree.text(0..3.min(tree.root().range().end)) == "\u{feff}";
    // Only lowering knows what ytt's library refuses, and which colons are text.
    let is_unusual = || file.profile.library().colons_need_space() && tree.root().is_unusual();
    let has_tabs = || file.profile.is_of_ytt() && tree.leading_tabs().next().is_some();
    !(is_marked() || is_unusual() || has_tabs())
}

/// Whether there is a `...` before the first document with content.
fn has_end_before(tree: &Tree, document: Document<'_>) -> bool {
    let start = document.range().start;
    let is_end = |child: Element<'_>| matches!(child, Element::Token(token) if token.kind() == Kind::DocEnd && token.range().start < start);
    tree.root().children().any(is_end)
}

/// Whether ytt's library refuses a document that it might read elsewhere: only lowering tells why. `ended`: there is a
/// `...` before it, after which it needs `---`.
fn is_refused(file: TreeFile, document: Document<'_>, ended: bool) -> bool {
    let Some(root) = document.root().filter(|_| file.profile.is_of_ytt()) else { return false };
    // Lines of a block scalar may be at the left margin if it is the document.
    let is_block = matches!(root.kind(), ValueKind::Literal | ValueKind::Folded);
    is_block || ended && document.start_marker().is_none()
}

/// Whether the annotations above a document leave no doubt what those inside it do.
fn is_plain_head(head: &lofting_document::Document) -> bool {
    let overlays: Vec<Note> =
        head.notes.annotations.iter().filter(|note| note.name.starts_with("overlay/")).cloned().collect();
    !is_proposal(head) && Overlay::is_plain(OwnerKind::Document, &overlays)
}
