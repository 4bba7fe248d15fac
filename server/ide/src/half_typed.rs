//! Findings on other lines that are caused by what is just being typed.
//!
//! They are correct, so checks report them. But while the user types there, they would only distract; editors are sent
//! them after a pause in typing.

use self::words::{
    LABELS, gives_type, indentation, is_beginning_of_block, is_beginning_of_code, is_beginning_of_end,
    is_beginning_of_given_name, is_beginning_of_key, is_beginning_of_name, is_beginning_of_return, is_code,
    is_open_string, is_unwritten, names_key,
};
use lofting_check::Diagnostic;
use lofting_diagnostic::{Cause, Severity, Stage, Subject};
use lofting_document::FileId;
use lofting_syntax::Tree;
use lofting_text::Text;
use lofting_workspace::Snapshot;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

#[cfg(test)]
mod tests;
mod words;

/// The languages in which a document says its kind, which decides what may be in it.
const OF_KINDS: &[&str] = &["kubernetes/", "openchoreo/"];

/// How many lines below a key are looked at.
const LINES: usize = 20;

/// How many lines of an opened file are taken for half-typed ones.
const UNFINISHED: usize = 4;

/// How much of a line is read, in bytes, to see whether it may be half-typed.
const BEGINNING: usize = 64;

/// How many lines of a node below an annotation are looked at.
const NODE_LINES: usize = 2_000;

/// The last edit of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastEdit {
    /// What it inserted, in bytes of the new text.
    pub inserted: Range<usize>,
    /// It only inserted white space with a line break.
    pub made_room: bool,
}

impl LastEdit {
    /// The edit that replaced `replaced` by `new`.
    pub fn new(replaced: &Range<usize>, new: &str) -> Self {
        let made_room = replaced.is_empty() && new.contains('\n') && new.trim().is_empty();
        LastEdit { inserted: replaced.start..replaced.start + new.len(), made_room }
    }
}

/// `found` without findings caused by something that is just being typed on another line; the same list if there are
/// none.
///
/// * The value of a key or dash below which there is so far only room: white space, comments, anchors or tags, all
///   deeper than the key. Room without indentation is only known from the last edit.
/// * A document that is a single string, while its first key is typed.
/// * Findings about the node below an annotation, or about a block of code, while the line of that annotation or
///   the other end of the block was edited last: an annotation decides what may be in its node.
pub fn without_half_typed(
    snapshot: &Snapshot,
    file: FileId,
    found: Arc<[Diagnostic]>,
    last: Option<&LastEdit>,
) -> Arc<[Diagnostic]> {
    if found.is_empty() {
        return found;
    }
    let text = snapshot.text(file);
    let unfinished =
        if last.is_none() { unfinished_lines(&found, file, &text, &snapshot.tree(file)) } else { Vec::new() };
    let mut typed = vec![Typed::new(snapshot, file, last)];
    typed.extend(unfinished.iter().map(|line| Typed::in_line(snapshot, file, *line)));
    // Of two lines that may each be the cause of the other's finding, the first is.
    let may_be_of = |finding: &Diagnostic, typed: &Typed<'_>| {
        let at = text.line_of(finding.marked().range().start);
        typed.line.is_none_or(|line| line < at || !unfinished.contains(&at))
    };
    let half_typed = |finding: &Diagnostic| {
        let causes = || typed.iter().any(|typed| may_be_of(finding, typed) && typed.is_about(finding));
        finding.span.file == file && causes()
    };
    if !found.iter().any(half_typed) {
        return found;
    }
    found.iter().filter(|finding| !half_typed(finding)).cloned().collect()
}

/// The first lines that look half-typed: damaged ones, annotations and code with findings that no other line causes,
/// and their beginnings, which have no findings. In a file that was just opened, one of them was left like this by the
/// last edit.
fn unfinished_lines(found: &[Diagnostic], file: FileId, text: &Text, tree: &Tree) -> Vec<usize> {
    let is_of_line = |finding: &&Diagnostic| {
        let is_own = matches!(
            finding.rule.cause,
            Cause::OwnLine
                | Cause::RelatedPlace
                | Cause::RelatedPlaceOrReturn
                | Cause::CodeBeside
                | Cause::DocumentHead
        );
        is_own && finding.span.file == file && finding.severity <= Severity::Warning
    };
    let mut lines: Vec<usize> = Vec::new();
    for finding in found.iter().filter(is_of_line) {
        let marked = finding.marked().range();
        let line = text.line_of(marked.start);
        let is_code = || text.slice(text.line_range(line).start..marked.end).contains("#@");
        if !lines.contains(&line) && (finding.stage == Stage::Parse || is_code()) {
            lines.push(line);
        }
        if lines.len() == UNFINISHED {
            break;
        }
    }
    // Code is in comments, and most lines of a long file have none.
    // Of those with a comment, most show at its beginning that they are finished.
    let commented = tree.comments().flat_map(|comment| {
        let (written, range) = (comment.text(), comment.range());
        let is_own = written.trim_end() == "#" || written.starts_with("#@");
        let below = text.slice(range.end..(range.end + BEGINNING).min(text.len()));
        let is_below = below.trim_start().is_empty() || below.trim_start().starts_with(['-', '#']);
        let line = (is_own || is_below).then(|| text.line_of(range.start));
        [line.filter(|_| is_own), line.filter(|_| is_below).map(|line| line + 1)].into_iter().flatten()
    });
    let is_begun = |line: &usize| {
        let content = text.slice(text.line_range(*line));
        is_beginning_of_code(&content) || matches!(content.trim_end(), "-" | "--")
    };
    // Below annotations, a document may begin.
    let near = commented.filter(|line| *line < text.line_count());
    let mut begun: Vec<usize> = near.filter(|line| !lines.contains(line) && is_begun(line)).take(UNFINISHED).collect();
    begun.dedup();
    lines.extend(begun);
    lines.sort_unstable();
    lines
}

/// What is known about the place of typing.
struct Typed<'s> {
    snapshot: &'s Snapshot,
    text: Text,
    file: FileId,
    /// The line of the last edit.
    line: Option<usize>,
    /// Where it ended, in bytes.
    cursor: usize,
    /// The lines of the node below that line, if an annotation is typed there and that was asked.
    annotated: OnceCell<Option<Range<usize>>>,
    /// The line without indentation that was just made.
    room: Option<usize>,
    /// Whether `#@` occurs only once in the text, if that was asked.
    one_annotation: OnceCell<bool>,
}

/// Whether a line says the kind of a resource, as a whole or among other keys in braces.
fn says_kind(line: &str) -> bool {
    let is_begun = |before: &str| before.trim_end().is_empty() || before.trim_end().ends_with(['-', '{', ',']);
    let mut found = ["kind:", "apiVersion:"].into_iter().flat_map(|key| line.match_indices(key));
    found.any(|(at, _)| line.get(..at).is_some_and(is_begun))
}

impl<'s> Typed<'s> {
    fn new(snapshot: &'s Snapshot, file: FileId, last: Option<&LastEdit>) -> Self {
        let text = snapshot.text(file);
        let line = last.map(|edit| text.line_of(edit.inserted.end));
        let room = last.filter(|edit| edit.made_room).and_then(|edit| blank_line(&text, &edit.inserted));
        let cursor = last.map_or(0, |edit| edit.inserted.end);
        Typed { snapshot, text, file, line, cursor, annotated: OnceCell::new(), room, one_annotation: OnceCell::new() }
    }

    /// Typing at the end of a line.
    fn in_line(snapshot: &'s Snapshot, file: FileId, line: usize) -> Self {
        let end = snapshot.text(file).line_range(line).end;
        Typed::new(snapshot, file, Some(&LastEdit { inserted: end..end, made_room: false }))
    }

    /// Whether a finding is caused by what is being typed, but is elsewhere.
    fn is_about(&self, finding: &Diagnostic) -> bool {
        let cause = finding.rule.cause;
        let of_value = finding.is_about_null() || cause == Cause::ValueBelow;
        if of_value && self.is_begun(finding.span.range()) {
            return true;
        }
        let at = self.text.line_of(finding.marked().range().start);
        let node_at = self.text.line_of(finding.span.range().start);
        // Whatever the line of the last edit was, it or the next one may use the name.
        if cause == Cause::AnyLine {
            return true;
        }
        let Some(line) = self.line.filter(|line| *line != at) else { return false };
        if cause == Cause::AnnotationBeside && self.lines_below(at).is_some_and(|node| node.contains(&line)) {
            return true;
        }
        let typed = || self.text.slice(self.text.line_range(line));
        if self.is_first_of_document(finding.span.range(), line) && !typed().contains(':') {
            return true;
        }
        let of_node = matches!(finding.rule.stage, Stage::Schema | Stage::Overlay | Stage::Type | Stage::Validation);
        if of_node && self.is_annotated(node_at, line) {
            return true;
        }
        // The key that is missing, or the declaration of one.
        let missing = finding.key.as_ref().and_then(|key| key.as_str().map(Cow::Borrowed));
        let undeclared = || self.text.slice(finding.span.range());
        if missing.is_some() && at < line && self.is_end_of_block(at, line) {
            return true;
        }
        // As long as the kind is not known, neither is what may be in the document.
        let is_of_kind = finding.rule.stage != Stage::Parse && OF_KINDS.iter().any(|of| finding.code().starts_with(of));
        if says_kind(&typed()) && is_of_kind {
            return true;
        }
        let name = missing.or_else(|| (finding.rule.subject == Subject::Key).then(undeclared));
        if name.is_some_and(|name| is_beginning_of_key(&typed(), &name)) {
            return true;
        }
        match cause {
            Cause::OwnLine | Cause::ValueBelow | Cause::AnyLine => false,
            // Another block may seem to lack its end.
            Cause::EndOfBlock => is_beginning_of_end(&typed()),
            Cause::BeginningOfBlock => at > line && is_beginning_of_block(&typed()),
            // The beginning of `#@data/values-schema`, of `%TAG` and of `---`.
            Cause::DocumentHead => typed().starts_with(['#', '%']) || matches!(typed().trim_end(), "-" | "--"),
            Cause::DocumentStart => node_at >= line && matches!(typed().trim_end(), "-" | "--"),
            Cause::LoneDash => at > line && typed().trim() == "-",
            Cause::LoneKey => {
                let typed = typed();
                let is_key =
                    !typed.trim().is_empty() && !typed.contains(':') && !typed.trim_start().starts_with(['-', '#']);
                at > line && is_key && (indentation(&typed) == 0 || self.are_comments(line, at))
            }
            Cause::NameAbove if at < line => {
                is_open_string(&finding.message) && is_code(&typed()) && self.are_comments(at, line)
            }
            Cause::NameAbove => is_beginning_of_name(&typed(), &finding.message),
            Cause::NameGiven => is_beginning_of_given_name(&typed(), &finding.message),
            Cause::TypeGiven => gives_type(&typed()),
            Cause::MapBeside => at < line && line - at < LINES && self.is_begun_beside(finding.span.range(), line),
            Cause::Inside => {
                at < line && line - at < LINES && (self.is_deeper(at, line) || self.is_in_document_of(at, line))
            }
            Cause::AnnotationBeside => {
                typed().trim_start().starts_with('#') && at.abs_diff(line) < LINES && self.are_comments(at, line)
            }
            Cause::Beside => {
                let is_near = at.abs_diff(line) < LINES && self.are_comments(at, line);
                is_near && (at < line || typed().trim_start().starts_with('#'))
            }
            Cause::CodeBeside => is_code(&typed()) && at.abs_diff(line) < LINES && self.are_comments(at, line),
            Cause::SameText => self.is_in_text_of(finding, line),
            Cause::Table => typed().trim_start().starts_with('[') || self.is_in_table(at, line),
            Cause::FirstAnnotation => typed().trim_start().starts_with("#@") && self.has_one_annotation(),
            Cause::RelatedPlace => self.is_related(finding, line),
            Cause::Compared => {
                self.is_below_related(finding, line)
                    || names_key(&finding.message, &typed())
                    || (finding.message.contains("label") && self.is_among_labels(line))
            }
            Cause::RelatedPlaceOrReturn => {
                self.is_related(finding, line) || (at > line && is_beginning_of_return(&typed()))
            }
        }
    }

    /// Whether a line belongs to the node below the annotation that is typed in `line`.
    fn is_annotated(&self, at: usize, line: usize) -> bool {
        let node = self.annotated.get_or_init(|| self.node_below(line));
        node.as_ref().is_some_and(|node| node.contains(&at))
    }

    /// The lines of the node to which an annotation belongs whose beginning is typed in `line`.
    fn node_below(&self, line: usize) -> Option<Range<usize>> {
        let start = self.text.line_range(line).start;
        let typed = self.text.slice(start..self.cursor.max(start));
        let typed = typed.trim_start();
        let is_annotation = typed == "#" || typed.strip_prefix("#@").is_some_and(|name| !name.starts_with(' '));
        if is_annotation { self.lines_below(line) } else { None }
    }

    /// The lines of the node that is written from the next line on that is not a comment.
    fn lines_below(&self, line: usize) -> Option<Range<usize>> {
        let content = |line| self.text.slice(self.text.line_range(line));
        let says_nothing = |content: &str| content.trim().is_empty() || content.trim_start().starts_with('#');
        let count = self.text.line_count();
        let first = (line + 1..count.min(line + LINES)).find(|line| !says_nothing(&content(*line)))?;
        let head = content(first);
        let depth = indentation(&head);
        let (is_document, is_item) = (head.starts_with("---"), head.trim_start().starts_with('-'));
        let is_after = |line: &usize| {
            let content = content(*line);
            let own = indentation(&content);
            if is_document {
                content.starts_with("---") || content.starts_with("...")
            } else if says_nothing(&content) || own > depth {
                false
            } else {
                own < depth || is_item || !content.trim_start().starts_with('-')
            }
        };
        let most = count.min(first + NODE_LINES);
        Some(first..(first + 1..most).find(is_after).unwrap_or(most))
    }

    /// Whether `line` is below `at` in the same table of `lofting.toml`.
    fn is_in_table(&self, at: usize, line: usize) -> bool {
        let is_header = |line| self.text.slice(self.text.line_range(line)).trim_start().starts_with('[');
        at < line && line - at < NODE_LINES && !(at + 1..=line).any(is_header)
    }

    /// Whether a line belongs to the scalar that a finding is in.
    fn is_in_text_of(&self, finding: &Diagnostic, line: usize) -> bool {
        let tree = self.snapshot.tree(self.file);
        let scalar = tree.scalar_at(finding.marked().range().start);
        scalar.is_some_and(|scalar| {
            let lines = self.text.line_of(scalar.range().start)..=self.text.line_of(scalar.range().end);
            lines.contains(&line)
        })
    }

    /// Whether another position that a finding names is on a line.
    fn is_related(&self, finding: &Diagnostic, line: usize) -> bool {
        let mut related = finding.related.iter().map(|related| related.span);
        related.any(|span| span.file == self.file && self.text.line_of(span.range().start) == line)
    }

    /// Whether a line below a key is empty, or has the beginning of another key of the same map.
    fn is_begun_beside(&self, key: Range<usize>, line: usize) -> bool {
        let at = self.text.line_of(key.start);
        let column = key.start - self.text.line_range(at).start;
        let content = |line| self.text.slice(self.text.line_range(line));
        let typed = content(line);
        let is_unfinished = typed.trim().is_empty() || indentation(&typed) == column && !typed.contains(':');
        let is_in_map = |line| {
            let content = content(line);
            content.trim().is_empty() || indentation(&content) >= column
        };
        is_unfinished && (at + 1..=line).all(is_in_map)
    }

    /// Whether a line is deeper below another position that a finding names, or on the line of it.
    fn is_below_related(&self, finding: &Diagnostic, line: usize) -> bool {
        let own = finding.related.iter().map(|related| related.span).filter(|span| span.file == self.file);
        own.map(|span| self.text.line_of(span.range().start))
            .any(|at| at == line || at < line && line - at < LINES && self.is_deeper(at, line))
    }

    /// Whether a line is below the key of labels or of a selector, without a key between them.
    fn is_among_labels(&self, line: usize) -> bool {
        let content = |line| self.text.slice(self.text.line_range(line));
        let depth = indentation(&content(line));
        let mut above = (line.saturating_sub(LINES)..line).rev().map(content);
        let key = above.find(|above| !above.trim().is_empty() && indentation(above) < depth);
        let is_of_labels =
            |line: &str| LABELS.iter().any(|key| line.trim_start().trim_start_matches("- ").starts_with(key));
        is_of_labels(&content(line)) || key.is_some_and(|key| is_of_labels(&key))
    }

    /// Whether a line begins a document without indentation to which another one belongs.
    fn is_in_document_of(&self, first: usize, line: usize) -> bool {
        let content = |line| self.text.slice(self.text.line_range(line));
        let is_mark = |line| content(line).starts_with("---") || content(line).starts_with("...");
        let mut before = (first.saturating_sub(LINES)..first).rev();
        let is_content = |line: &usize| !matches!(content(*line).trim_start().chars().next(), None | Some('#'));
        let is_first = before.find(is_content).is_none_or(is_mark);
        is_first && indentation(&content(first)) == 0 && !(first + 1..=line).any(is_mark)
    }

    /// Whether all lines below one, up to another, are deeper than it, or blank.
    fn is_deeper(&self, above: usize, line: usize) -> bool {
        let content = |line| self.text.slice(self.text.line_range(line));
        let depth = indentation(&content(above));
        let is_below = |content: &str| content.trim().is_empty() || indentation(content) > depth;
        (above + 1..=line).all(|line| is_below(&content(line)))
    }

    /// Whether a line is the last one with content of the map that is reported at another one: what is missing in it may
    /// come next. Maps are reported at the key above them, a document at its first line.
    fn is_end_of_block(&self, at: usize, line: usize) -> bool {
        let content = |line| self.text.slice(self.text.line_range(line));
        let is_document_end = |content: &str| content.starts_with("---") || content.starts_with("...");
        let count = self.text.line_count();
        let next = (line + 1..count.min(line + LINES)).find(|line| !content(*line).trim().is_empty()).map(content);
        let next = next.filter(|next| !is_document_end(next));
        let depth = indentation(&content(at));
        if self.is_deeper(at, line) {
            return next.is_none_or(|next| indentation(&next) <= depth);
        }
        next.is_none() && depth == 0 && !(at + 1..=line).any(|line| is_document_end(&content(line)))
    }

    /// Whether a line is the first one with content below the `---` in `marker`: as long as it is a word without its
    /// colon, the whole document is one string.
    fn is_first_of_document(&self, marker: Range<usize>, line: usize) -> bool {
        let at = self.text.line_of(marker.start);
        let says_nothing = |line| {
            let content = self.text.slice(self.text.line_range(line));
            matches!(content.trim_start().chars().next(), None | Some('#'))
        };
        at < line && line - at < LINES && self.text.slice(marker) == "---" && (at + 1..line).all(says_nothing)
    }

    /// Whether `#@` occurs only once in the text. Computed once for all findings.
    fn has_one_annotation(&self) -> bool {
        *self.one_annotation.get_or_init(|| self.text.to_string().matches("#@").count() == 1)
    }

    /// Whether all lines between two are comments.
    fn are_comments(&self, a: usize, b: usize) -> bool {
        let comment = |line| self.text.slice(self.text.line_range(line)).trim_start().starts_with('#');
        (a.min(b) + 1..a.max(b)).all(comment)
    }

    /// Whether the value of the key (or dash) in `name` is just being typed on a line below it.
    fn is_begun(&self, name: Range<usize>) -> bool {
        let text = &self.text;
        let line = text.line_of(name.start);
        let range = text.line_range(line);
        let head = text.slice(range.start..name.start);
        let rest = text.slice(name.end.min(range.end)..range.end);
        let rest = match rest.trim_start().strip_prefix(':') {
            Some(rest) => rest,
            None if text.slice(name) == "-" => &rest,
            None => return false,
        };
        // Code next to the key is its value.
        if !is_unwritten(rest) || rest.contains("#@") {
            return false;
        }
        // After dashes the key's own column counts: `- key:`.
        let depth = if head.trim_start_matches([' ', '-']).is_empty() { head.len() } else { indentation(&head) };
        let mut begun = false;
        for line in line + 1..text.line_count().min(line + 1 + LINES) {
            let content = text.slice(text.line_range(line));
            let (is_blank, own) = (content.trim().is_empty(), indentation(&content));
            // Items of an array may be in the column of their key.
            let inside = own > depth
                || Some(line) == self.room
                || (own == depth && (is_blank && depth > 0 || !is_blank && Some(line) == self.line));
            if !is_blank && !inside {
                break;
            }
            if !is_unwritten(&content) {
                return begun && own <= depth;
            }
            begun |= inside;
        }
        begun
    }
}

/// The blank line among those that an edit touched.
fn blank_line(text: &Text, inserted: &Range<usize>) -> Option<usize> {
    let (first, last) = (text.line_of(inserted.start), text.line_of(inserted.end));
    let is_blank = |line: &usize| text.slice(text.line_range(*line)).trim().is_empty();
    (first..=last.min(first + LINES)).rev().find(is_blank)
}
