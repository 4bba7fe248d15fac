//! Blocks of code in a text from which lines are removed: what opens a block goes together with its `#@ end`.

use lofting_annotation::{CommentKind, read_comment};
use lofting_document::{FileId, Span, Statement, StatementReader};
use lofting_text::Text;
use std::ops::Range;

/// How many lines below a removed part are searched for the end of its blocks.
const LINES: usize = 100;

/// A part of a text, with the lines below it that end the blocks which begin in it. None if it has only a part of a block
/// in any other way, so that the rest would not be code any more.
pub(super) fn closed(text: &Text, range: Range<usize>) -> Option<Range<usize>> {
    if !text.slice(range.clone()).contains("#@") {
        return Some(range);
    }
    let mut blocks = Blocks::default();
    let (first, last) = (text.line_of(range.start), text.line_of(range.end.max(range.start + 1) - 1));
    for number in first..=last {
        lofting_memo::step();
        let line = text.line_range(number);
        if range.start <= line.start {
            blocks.read(&text.slice(line.clone()), line.start)?;
        }
    }
    let mut end = range.end;
    for number in (last + 1..text.line_count()).take(LINES) {
        if blocks.open == 0 {
            break;
        }
        let line = text.line_range(number);
        let content = text.slice(line.clone());
        if !content.trim().is_empty() && !content.trim_start().starts_with('#') {
            return None;
        }
        blocks.read(&content, line.start)?;
        // A part that ends within a line leaves the line break to what is below.
        let is_whole = range.end > text.line_range(last).end;
        end = if is_whole { text.line_range(number + 1).start.max(line.end) } else { line.end };
    }
    (blocks.open == 0).then_some(range.start..end)
}

/// Whether the lines above a node have code that applies to this node only, such as `#@ if/end`.
pub(super) fn is_bound(text: &Text, node: usize) -> bool {
    let own = text.line_of(node);
    let above = (own.saturating_sub(LINES)..own).rev().map(|number| (number, text.line_range(number)));
    let lines = above.map(|(_, line)| (text.slice(line.clone()).into_owned(), line.start));
    let comments = lines.take_while(|(line, _)| line.trim_start().starts_with('#') || line.trim().is_empty());
    let code = comments.into_iter().find_map(|(line, start)| Some((code_of(&line, start)?.to_owned(), start)));
    code.is_some_and(|(code, start)| {
        let statements = StatementReader::default().line(&code, Span::new(FileId(0), start..start));
        let is_bound = |statement: &Statement| matches!(statement, Statement::NodeBound(_) | Statement::BoundBranch);
        statements.iter().any(|(statement, _)| is_bound(statement))
    })
}

/// The blocks that are open in lines of a text.
#[derive(Default)]
struct Blocks {
    reader: StatementReader,
    open: usize,
}

impl Blocks {
    /// None if the line ends or divides a block that began before.
    fn read(&mut self, line: &str, start: usize) -> Option<()> {
        let Some(code) = code_of(line, start) else { return Some(()) };
        // Statements are counted, so their places do not matter.
        for (statement, _) in self.reader.line(code, Span::new(FileId(0), start..start)) {
            match statement {
                Statement::Open(_) | Statement::HalfOpen(_) => self.open += 1,
                Statement::End | Statement::LastBranch => self.open = self.open.checked_sub(1)?,
                Statement::Branch | Statement::BoundBranch if self.open == 0 => return None,
                Statement::BoundBranch => self.open -= 1,
                Statement::Branch | Statement::NodeBound(_) | Statement::Other => {}
            }
        }
        Some(())
    }
}

/// The code of a line that has nothing else.
fn code_of(line: &str, start: usize) -> Option<&str> {
    let comment = line.trim();
    let at = start + line.len() - line.trim_start().len();
    match read_comment(comment, at).kind {
        CommentKind::Code { code } if comment.starts_with('#') => line.get(code.start - start..code.end - start),
        _ => None,
    }
}
