//! Edits of a tree that keep everything else: comments, indentation, line breaks.

use super::blocks::{closed, is_bound};
use crate::completion::Style;
use crate::path::{Step, step_into};
use crate::significant::significant_after;
use lofting_annotation::{CommentKind, read_comment};
use lofting_document::{FileId, Span};
use lofting_syntax::resolve::Profile;
use lofting_syntax::{Document, Entry, Item, Kind, Map, Node, Tree, Value};
use lofting_text::Text;
use lofting_workspace::Snapshot;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

/// A file to edit.
pub(crate) struct Editing {
    file: FileId,
    text: Text,
    tree: Arc<Tree>,
    /// Its layout; determined on first use.
    style: OnceCell<Style>,
}

/// A value with the path to it.
pub(crate) struct Named<'t> {
    pub document: Option<Document<'t>>,
    /// From the root of the document.
    pub path: Vec<Step>,
    pub value: Value<'t>,
}

/// Replacements in one text.
pub(crate) type Edits = Vec<(Span, String)>;

/// How many comments above a node are searched for its annotations.
const COMMENTS: usize = 100;

/// Whether a text has only comments and blank lines.
fn is_before_content(text: &str) -> bool {
    text.lines().all(|line| line.trim_start().is_empty() || line.trim_start().starts_with('#'))
}

impl Editing {
    pub fn new(snapshot: &Snapshot, file: FileId) -> Editing {
        let text = snapshot.text(file);
        Editing { file, tree: snapshot.tree(file), text, style: OnceCell::new() }
    }

    /// The tree of the file.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The layout of the file. Reads its first lines, so it is not for deciding whether to offer an action.
    pub fn style(&self) -> Style {
        *self.style.get_or_init(|| Style::of(&self.text))
    }

    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    /// The innermost entry whose key lies at an offset.
    pub fn entry_at(&self, offset: usize) -> Option<Entry<'_>> {
        let holds = |entry: &Entry<'_>| {
            let key = entry.key().map(|key| key.range());
            key.is_some_and(|key| key.start <= offset && offset <= key.end)
        };
        self.tree.path_at(offset).into_iter().rev().filter_map(Entry::cast).find(holds)
    }

    /// The innermost entry whose key begins at the start of a finding, or whose value the finding is about.
    pub fn entry_of(&self, place: Range<usize>) -> Option<Entry<'_>> {
        let has_value = |entry: &Entry<'_>| entry.value().range() == place;
        let of_value = || self.tree.path_at(place.start).into_iter().rev().filter_map(Entry::cast).find(has_value);
        self.entry_at(place.start).or_else(of_value)
    }

    /// The node that directly contains an entry, an item or the value of a document.
    fn parent_of(&self, node: Node<'_>) -> Option<Node<'_>> {
        let path = self.tree.path_at(node.range().start);
        let at = path.iter().position(|other| other.range() == node.range() && other.kind() == node.kind())?;
        path.get(at.checked_sub(1)?).copied()
    }

    /// The `---` around an offset.
    pub fn marker_at(&self, offset: usize) -> Option<Range<usize>> {
        let document = self.tree.path_at(offset).into_iter().find_map(Document::cast)?;
        let marker = document.start_marker()?.range();
        (marker.start <= offset && offset <= marker.end).then_some(marker)
    }

    /// The whole lines of an entry, with the comments directly above it. None if it shares a line with something else.
    pub fn lines_of(&self, entry: Entry<'_>) -> Option<Range<usize>> {
        let key = entry.range().start;
        self.indentation(key)?;
        let end = self.next_line(entry.range().end.max(key + 1) - 1);
        let mut start = self.line(key).start;
        for number in (0..self.text.line_of(key)).rev().take(COMMENTS) {
            let line = self.text.line_range(number);
            let text = self.text.slice(line.clone());
            // Blank lines above are included, because they separate the key from others.
            let belongs = text.trim().is_empty() || text.trim_start().starts_with('#');
            if !belongs || self.tree.token_at(line.start).is_some_and(|token| token.kind() == Kind::BlockBody) {
                break;
            }
            start = line.start;
        }
        let map = self.parent_of(entry.node())?;
        Some(start.max(self.line(map.range().start).start)..end)
    }

    /// The end of the first node that begins after an offset, including its last line.
    pub fn end_of_node_below(&self, offset: usize) -> Option<usize> {
        let next = significant_after(&self.tree, &self.text, offset)?.range().start;
        let path = self.tree.path_at(next);
        let begins = |node: &&Node<'_>| {
            let is_node = matches!(node.kind(), Kind::MapEntry | Kind::SeqEntry);
            is_node && node.range().start == next
        };
        let node = path.iter().find(begins)?;
        Some(self.next_line(node.content_end().max(next + 1) - 1))
    }

    /// The map of an entry.
    pub fn map_of(&self, entry: Entry<'_>) -> Option<Map<'_>> {
        Map::cast(self.parent_of(entry.node())?)
    }

    fn line(&self, offset: usize) -> Range<usize> {
        self.text.line_range(self.text.line_of(offset))
    }

    /// The start of the line after the one that contains an offset.
    fn next_line(&self, offset: usize) -> usize {
        self.text.line_range(self.text.line_of(offset) + 1).start
    }

    /// The length of the blanks before an offset, if nothing else is before it on its line.
    fn indentation(&self, offset: usize) -> Option<usize> {
        let before = self.text.slice(self.line(offset).start..offset);
        before.bytes().all(|byte| byte == b' ').then_some(before.len())
    }

    /// Removes an entry from its map, with the annotations above it; a map without further entries becomes `{}`.
    pub fn without(&self, entry: Entry<'_>) -> Option<Edits> {
        let map = Map::cast(self.parent_of(entry.node())?)?;
        if entry.question().is_some() {
            return None;
        }
        if map.is_flow() {
            return self.without_in_flow(map, entry);
        }
        let key = entry.range().start;
        let is_only = map.entries().nth(1).is_none();
        let holder = self.parent_of(map.node())?;
        // An empty document would be null.
        let left = if is_only && holder.kind() == Kind::Document {
            format!("{}{{}}{}", " ".repeat(self.indentation(key)?), self.style().newline)
        } else {
            String::new()
        };
        let end = self.next_line(entry.range().end.max(key + 1) - 1);
        let mut edits = match self.indentation(key) {
            // What code above the key says of it, it would say of what comes next.
            Some(_) if is_bound(&self.text, key) => return None,
            Some(_) => vec![(self.span(closed(&self.text, self.annotated_from(key)..end)?), left)],
            // The first key after a dash: the next one moves up to it.
            None => {
                let next = map.entries().find(|other| other.range().start > key).map(|next| next.range().start);
                let is_near = |next: &usize| self.text.slice(entry.range().end..*next).trim().is_empty();
                let end = next.filter(is_near).unwrap_or(entry.range().end);
                vec![(self.span(closed(&self.text, key..end)?), String::new())]
            }
        };
        if is_only {
            edits.extend(self.emptied(holder)?);
        }
        edits.sort_by_key(|(span, _)| span.start);
        Some(edits)
    }

    /// Makes the map in an entry or item empty.
    fn emptied(&self, holder: Node<'_>) -> Option<Edits> {
        let at = match holder.kind() {
            Kind::MapEntry => Entry::cast(holder)?.colon()?.range().end,
            Kind::SeqEntry => Item::cast(holder)?.dash()?.range().end,
            _ => return Some(Vec::new()),
        };
        let properties =
            Entry::cast(holder).map(|entry| entry.value()).or(Item::cast(holder).map(|item| item.value()))?;
        if properties.anchor().is_some() || properties.tag().is_some() {
            return None;
        }
        Some(vec![(self.span(at..at), " {}".to_owned())])
    }

    fn without_in_flow(&self, map: Map<'_>, entry: Entry<'_>) -> Option<Edits> {
        let entries: Vec<Entry<'_>> = map.entries().collect();
        let at = entries.iter().position(|other| other.range() == entry.range())?;
        let range = match (at.checked_sub(1).and_then(|before| entries.get(before)), entries.get(at + 1)) {
            (_, Some(next)) => entry.range().start..next.range().start,
            (Some(before), None) => before.range().end..entry.range().end,
            (None, None) => entry.range(),
        };
        Some(vec![(self.span(range), String::new())])
    }

    /// The start of the first line that belongs to the node at `start`: its annotations, or its own line.
    pub fn annotated_from(&self, start: usize) -> usize {
        let mut first = self.line(start).start;
        let own = self.text.line_of(start);
        for number in (own.saturating_sub(COMMENTS)..own).rev() {
            let line = self.text.line_range(number);
            let text = self.text.slice(line.clone());
            let comment = text.trim_start();
            if !comment.starts_with('#') {
                break;
            }
            match read_comment(comment.trim_end(), line.start).kind {
                CommentKind::Annotation(_) => first = line.start,
                CommentKind::Code { .. } => break,
                _ => {}
            }
        }
        first
    }

    /// The end of the arguments of the annotation with this name above the node at `start`.
    pub fn annotation_above(&self, start: usize, name: &str) -> Option<usize> {
        let own = self.text.line_of(start);
        (self.text.line_of(self.annotated_from(start))..own).find_map(|number| {
            let line = self.text.line_range(number);
            let text = self.text.slice(line.clone());
            let comment = text.trim();
            let at = line.start + text.len() - text.trim_start().len();
            match read_comment(comment, at).kind {
                CommentKind::Annotation(found) if found.name == name && !found.arguments_range.is_empty() => {
                    Some(found.arguments_range.end)
                }
                _ => None,
            }
        })
    }

    /// Inserts a comment on its own line above the node at `start`, where it belongs to that node. None in flow style.
    pub fn comment_above(&self, start: usize, comment: &str) -> Option<Edits> {
        let newline = self.style().newline;
        if let Some(column) = self.indentation(start) {
            let at = self.line(start).start;
            let line = format!("{}{comment}{newline}", " ".repeat(column));
            return Some(vec![(self.span(at..at), line)]);
        }
        // After a dash the comment would belong to the item, so the key gets a line of its own.
        let line = self.line(start);
        let before = self.text.slice(line.start..start);
        if !before.trim_start().starts_with('-') || !before.chars().all(|c| matches!(c, '-' | ' ')) {
            return None;
        }
        let room = " ".repeat(before.len());
        let from = line.start + before.trim_end().len();
        Some(vec![(self.span(from..start), format!("{newline}{room}{comment}{newline}{room}"))])
    }

    /// The value that a finding is about, given by its key, dash, document marker, or itself.
    pub fn named(&self, profile: Profile, name: Range<usize>) -> Option<Named<'_>> {
        let (mut document, mut path) = (None, Vec::new());
        for node in self.tree.path_at(name.start) {
            let (names, value) = match node.kind() {
                Kind::Document => {
                    let here = Document::cast(node)?;
                    document = Some(here);
                    // A document is also named by the place where it begins.
                    if let Some(root) = here.root().filter(|_| name.is_empty()) {
                        let text = self.text.slice(name.start.min(root.range().start)..root.range().start);
                        if name.start <= root.range().start && is_before_content(&text) {
                            return Some(Named { document, path, value: root });
                        }
                    }
                    (vec![here.start_marker().map(|marker| marker.range())], here.root())
                }
                Kind::MapEntry => {
                    let entry = Entry::cast(node)?;
                    path.push(step_into(profile, entry));
                    let key = entry.key();
                    (vec![key.map(|key| key.range()), key.map(|key| key.content_range())], Some(entry.value()))
                }
                Kind::SeqEntry => {
                    path.push(Step::Item);
                    let item = Item::cast(node)?;
                    (vec![item.dash().map(|dash| dash.range())], Some(item.value()))
                }
                _ => continue,
            };
            let Some(value) = value else { continue };
            let mut names = names.into_iter().flatten().chain([value.range(), value.content_range()]);
            if names.any(|range| range == name) {
                return Some(Named { document, path, value });
            }
        }
        None
    }

    /// Adds an entry at the end of a value that is a map or missing. `of_column` writes the entry for a map at that
    /// column, without the last line break; None stands for flow style.
    pub fn with_entry(&self, value: Value<'_>, of_column: &dyn Fn(Option<usize>) -> Option<String>) -> Option<Edits> {
        let newline = self.style().newline;
        let Some(map) = value.map() else {
            return self.with_first_entry(value, of_column);
        };
        let last = map.entries().last();
        if map.is_flow() {
            let entry = of_column(None)?;
            let (at, entry) = match last {
                // As the last entry, on a line of its own or not.
                Some(last) => match self.indentation(last.range().start) {
                    Some(room) => (last.range().end, format!(",{newline}{}{entry}", " ".repeat(room))),
                    None => (last.range().end, format!(", {entry}")),
                },
                None => (map.range().start + 1, entry),
            };
            return Some(vec![(self.span(at..at), entry)]);
        }
        let (column, last) = (map.column()?, last?);
        let entry = of_column(Some(column))?;
        let end = last.range().end;
        let next = self.next_line(end.saturating_sub(1).max(last.range().start));
        let room = " ".repeat(column);
        let line = self.line(end.saturating_sub(1).max(last.range().start));
        // The last line of a text may have no line break.
        let edit = if next > line.end {
            (next, format!("{room}{entry}{newline}"))
        } else {
            (line.end, format!("{newline}{room}{entry}"))
        };
        Some(vec![(self.span(edit.0..edit.0), edit.1)])
    }

    /// Adds the first entry: for a missing value and for `{}`.
    fn with_first_entry(&self, value: Value<'_>, of_column: &dyn Fn(Option<usize>) -> Option<String>) -> Option<Edits> {
        if !value.is_missing() || value.anchor().is_some() || value.tag().is_some() {
            return None;
        }
        let entry = Entry::cast(value.owner())?;
        let (colon, column) = (entry.colon()?.range().end, self.column_of(entry.range().start) + self.style().indent);
        let text = of_column(Some(column))?;
        let line = self.line(colon);
        let room = " ".repeat(column);
        Some(vec![(self.span(line.end..line.end), format!("{}{room}{text}", self.style().newline))])
    }

    fn column_of(&self, offset: usize) -> usize {
        offset - self.line(offset).start
    }
}
