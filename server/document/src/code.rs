//! Reads code comments as a sequence of statements, to find which blocks (`if`, `for`, `def` ... `end`) are open at a
//! node.
//!
//! A template is one program in document order, in which nodes are statements (docs/ytt.md 7.1). The blocks around a
//! node say whether it is certainly part of the document, may be, or belongs to a function. Code is read only as far as
//! that needs.

use crate::Span;
use lofting_eval::node_bound;

/// What a block means for the nodes in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// `if`, `for`, `while`: the nodes may or may not be present.
    Conditional,
    /// `def`: the nodes are the result of a function.
    Function,
}

/// A statement, as far as it matters for the structure of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Statement {
    /// Opens a block that `end` closes.
    Open(BlockKind),
    /// `elif ...:`, `else:`
    Branch,
    /// `else: x = 1`: continues a block and ends it.
    LastBranch,
    /// `end`
    End,
    /// Like [`Statement::Open`], but the colon is missing: the head is half-typed.
    HalfOpen(BlockKind),
    /// `if/end ...:` and the like: applies to the next node only.
    NodeBound(BlockKind),
    /// `elif/end ...:`, `else/end:`: ends the block before it and applies to the next node only.
    BoundBranch,
    /// Anything else.
    Other,
}

/// Joins lines into statements: a statement continues while a bracket or a triple-quoted string is open, or after a
/// backslash. With a forgotten closing bracket, the rest of the file must not count as inside it. So a line that can
/// only begin a statement begins one, and so does a line after a node.
#[derive(Debug, Default)]
pub struct CodeReader {
    /// Kind and place of the statement's first line, while the statement continues.
    first: Option<(Statement, Span)>,
    /// Open brackets with their offsets in the file.
    open: Vec<(u8, usize)>,
    triple: Option<u8>,
    /// The quote of a string that continues after a backslash at the end of its line.
    quote: Option<u8>,
    /// The statement has a colon outside brackets.
    colon: bool,
    /// Brackets that were never closed, with their offsets in the file.
    pub unclosed: Vec<(u8, usize)>,
}

impl CodeReader {
    /// Reads one code comment. Returns the statements that are now complete, each with the place of its first line.
    pub fn line(&mut self, code: &str, span: Span) -> Vec<(Statement, Span)> {
        let mut complete = Vec::new();
        if self.triple.is_none() && self.quote.is_none() && !self.open.is_empty() && begins_statement(code) {
            complete.extend(self.interrupt());
        }
        // An `end` needs no line of its own.
        let (mut code, mut start) = (code, span.range().start);
        while let Some(rest) = after_end(code).filter(|_| self.first.is_none()) {
            complete.push((Statement::End, span));
            start += code.len() - rest.len();
            code = rest;
        }
        let scan = self.scan(code, start);
        let (word, first) = match self.first.take() {
            Some(known) => known,
            None => (first_word(code), span),
        };
        self.colon |= scan.has_colon;
        if !self.open.is_empty() || self.triple.is_some() || scan.continues {
            self.first = Some((word, first));
            return complete;
        }
        let statement = match word {
            Statement::Open(kind) if !self.colon => Statement::HalfOpen(kind),
            Statement::Branch if self.colon && !scan.ends_with_colon => Statement::LastBranch,
            // The one-line form `if x: y = 1` has no `end`.
            Statement::Open(_) | Statement::Branch if !scan.ends_with_colon => Statement::Other,
            // ytt opens a block at any colon before a line end.
            Statement::Other if scan.ends_with_colon => Statement::Open(BlockKind::Conditional),
            other => other,
        };
        self.colon = false;
        complete.push((statement, first));
        complete
    }

    /// Whether the statement continues on the next line.
    pub fn is_open(&self) -> bool {
        self.first.is_some()
    }

    /// Whether a string continues on the next line, so that white space at the end of this line is part of it.
    pub fn is_in_string(&self) -> bool {
        self.triple.is_some() || self.quote.is_some()
    }

    /// Ends a statement that was left open, because something other than code follows.
    pub fn interrupt(&mut self) -> Option<(Statement, Span)> {
        let (word, first) = self.first.take()?;
        let mut unclosed = std::mem::take(&mut self.unclosed);
        unclosed.extend(self.open.first());
        *self = CodeReader { unclosed, ..CodeReader::default() };
        let statement = match word {
            Statement::Open(kind) => Statement::HalfOpen(kind),
            other => other,
        };
        Some((statement, first))
    }

    /// Reads a line that starts at byte `start` of the file.
    fn scan(&mut self, code: &str, start: usize) -> Scan {
        let bytes = code.as_bytes();
        let (mut at, mut last, mut has_colon) = (0, 0u8, false);
        let mut quote = self.quote.take();
        while let Some(&byte) = bytes.get(at) {
            if let Some(open) = self.triple {
                if byte == b'\\' {
                    at += 1;
                } else if bytes[at..].starts_with(&[open; 3]) {
                    self.triple = None;
                    at += 2;
                    last = open;
                }
            } else if let Some(open) = quote {
                if byte == b'\\' {
                    at += 1;
                } else if byte == open {
                    quote = None;
                    last = open;
                }
            } else {
                match byte {
                    b'#' => break,
                    b'"' | b'\'' if bytes[at..].starts_with(&[byte; 3]) => {
                        self.triple = Some(byte);
                        at += 2;
                    }
                    b'"' | b'\'' => quote = Some(byte),
                    b'(' | b'[' | b'{' => self.open.push((byte, start + at)),
                    b')' | b']' | b'}' => {
                        self.open.pop();
                    }
                    b':' => has_colon |= self.open.is_empty(),
                    _ => {}
                }
                if !byte.is_ascii_whitespace() {
                    last = byte;
                }
            }
            at += 1;
        }
        let continues = last == b'\\' || quote.is_some() && code.trim_end().ends_with('\\');
        self.quote = quote.filter(|_| continues);
        Scan { ends_with_colon: last == b':', has_colon, continues }
    }
}

struct Scan {
    ends_with_colon: bool,
    has_colon: bool,
    continues: bool,
}

/// Whether a line begins with a word that can only begin a statement, or that must do so here, judging by how the line
/// ends.
fn begins_statement(code: &str) -> bool {
    let code = code.trim();
    let word = code.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    match word {
        "end" => code == "end",
        "def" | "load" | "return" | "elif" | "break" | "continue" => true,
        "if" | "for" | "else" | "while" => code.ends_with(':'),
        _ => false,
    }
}

/// The code after an `end` on its line, if there is any.
fn after_end(code: &str) -> Option<&str> {
    let rest = code.trim_start().strip_prefix("end")?;
    let after = rest.trim_start();
    (after.len() < rest.len() && !after.is_empty() && !after.starts_with(['#', '\\'])).then_some(after)
}

/// The kind of a line of code, judged by its first word.
pub(crate) fn first_word(code: &str) -> Statement {
    match node_bound(code) {
        Some("elif" | "else") => return Statement::BoundBranch,
        Some("def") => return Statement::NodeBound(BlockKind::Function),
        Some(_) => return Statement::NodeBound(BlockKind::Conditional),
        None => {}
    }
    let code = code.trim_start();
    let end = code.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '/')).unwrap_or(code.len());
    use BlockKind::{Conditional, Function};
    match &code[..end] {
        "if" | "for" | "while" => Statement::Open(Conditional),
        "def" => Statement::Open(Function),
        "elif" | "else" => Statement::Branch,
        "end" => Statement::End,
        _ => Statement::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn statements(lines: &[&str]) -> Vec<Statement> {
        let mut reader = CodeReader::default();
        let span = Span::new(FileId(0), 0..0);
        lines.iter().flat_map(|line| reader.line(line, span)).map(|(statement, _)| statement).collect()
    }

    #[test]
    fn blocks_and_their_ends() {
        use Statement::*;
        assert_eq!(statements(&[" if x:", " else:", " end"]), [Open(BlockKind::Conditional), Branch, End]);
        assert_eq!(statements(&[" end end # twice"]), [End, End]);
        assert_eq!(statements(&[" end if x:", "end  x = [", "1]"]), [End, Open(BlockKind::Conditional), End, Other]);
        assert_eq!(
            statements(&[" def f(a,", "   b):", " return {", "  1: 2}", "end"]),
            [Open(BlockKind::Function), Other, End]
        );
        assert_eq!(
            statements(&[" if/end x:", " for/end i in y:", "def/end f():"]),
            [NodeBound(BlockKind::Conditional), NodeBound(BlockKind::Conditional), NodeBound(BlockKind::Function)]
        );
        assert_eq!(statements(&[" elif/end x:", "else/end:"]), [BoundBranch, BoundBranch]);
    }

    #[test]
    fn one_line_forms_close_themselves() {
        assert_eq!(statements(&[" def f(x): return x + 1", " if x: y = 1", " end_ = 1"]), [Statement::Other; 3]);
        assert_eq!(
            statements(&[" if x:", " else: y = 1"]),
            [Statement::Open(BlockKind::Conditional), Statement::LastBranch]
        );
    }

    #[test]
    fn what_is_half_typed_does_not_swallow_the_rest() {
        use Statement::*;
        let conditional = BlockKind::Conditional;
        assert_eq!(statements(&[" x = f(", " end"]), [Other, End]);
        assert_eq!(statements(&[" def f(", " return [", " end"]), [HalfOpen(BlockKind::Function), Other, End]);
        assert_eq!(statements(&[" x = [", " if y:", " end"]), [Other, Open(conditional), End]);
        assert_eq!(statements(&[" x = [y", " for y in z", " if y]"]), [Other]);
        assert_eq!(statements(&[" if x", " end"]), [HalfOpen(conditional), End]);
        assert_eq!(statements(&[" if x: y = 1"]), [Other]);
        assert_eq!(statements(&[" x = \"a \\", " {\\\"b: \\", " end\"", " end"]), [Other, End]);
        let mut reader = CodeReader::default();
        assert!(reader.line(" if f(", Span::new(FileId(0), 0..0)).is_empty());
        assert_eq!(reader.interrupt().map(|(statement, _)| statement), Some(HalfOpen(conditional)));
        assert_eq!(reader.interrupt(), None);
    }

    #[test]
    fn strings_and_comments_hide_colons_and_brackets() {
        assert_eq!(statements(&[" x = \"if (\"", " y = '''a:", "  b:", " c'''", " z = 1 # :"]), [Statement::Other; 3]);
        assert_eq!(
            statements(&[" if x: # why", " x = 1 + \\", "  2"]),
            [Statement::Open(BlockKind::Conditional), Statement::Other]
        );
    }
}
