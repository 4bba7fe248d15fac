//! Code comments as a sequence of statements: which blocks (`if`, `for`, `def` ... `end`) are open
//! where a node stands.
//!
//! A template is one program in document order in which nodes are statements (ytt reference 7.1), so
//! the blocks around a node say whether it is in the document for certain, may be, or belongs to a
//! function. This reads only as much of the code as that needs.

use crate::Span;

/// What a block does with the nodes in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// `if`, `for`, `while`: the nodes may be there.
    Conditional,
    /// `def`: the nodes are a function's result.
    Function,
}

/// A statement as far as block structure goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statement {
    /// Opens a block that `end` closes.
    Open(BlockKind),
    /// `elif ...:`, `else:`
    Branch,
    /// `end`
    End,
    /// `if/end ...:` and the like: holds for the next node only.
    NodeBound(BlockKind),
    /// Anything else.
    Other,
}

/// Joins the lines of a statement: they continue while a bracket or a triple-quoted string is open or
/// the line ends in a backslash.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// First word and place of the statement's first line, while it continues.
    first: Option<(Statement, Span)>,
    depth: u32,
    triple: Option<u8>,
}

impl Reader {
    /// Reads one code comment. Answers the statement when it is complete, with the place of its first line.
    pub(crate) fn line(&mut self, code: &str, span: Span) -> Option<(Statement, Span)> {
        let scan = self.scan(code);
        let (word, first) = match self.first.take() {
            Some(known) => known,
            None => (first_word(code), span),
        };
        if self.depth > 0 || self.triple.is_some() || scan.continues {
            self.first = Some((word, first));
            return None;
        }
        let statement = match word {
            // One-line forms `if x: y = 1` close themselves.
            Statement::Open(_) | Statement::Branch if !scan.ends_with_colon => Statement::Other,
            // ytt opens a block at any colon before a line end.
            Statement::Other if scan.ends_with_colon => Statement::Open(BlockKind::Conditional),
            other => other,
        };
        Some((statement, first))
    }

    fn scan(&mut self, code: &str) -> Scan {
        let bytes = code.as_bytes();
        let (mut at, mut last) = (0, 0u8);
        let mut quote: Option<u8> = None;
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
                    b'(' | b'[' | b'{' => self.depth += 1,
                    b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
                    _ => {}
                }
                if !byte.is_ascii_whitespace() {
                    last = byte;
                }
            }
            at += 1;
        }
        Scan { ends_with_colon: last == b':', continues: last == b'\\' }
    }
}

struct Scan {
    ends_with_colon: bool,
    continues: bool,
}

fn first_word(code: &str) -> Statement {
    let code = code.trim_start();
    let end = code.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '/')).unwrap_or(code.len());
    use BlockKind::{Conditional, Function};
    match &code[..end] {
        "if" | "for" | "while" => Statement::Open(Conditional),
        "def" => Statement::Open(Function),
        "elif" | "else" => Statement::Branch,
        "end" => Statement::End,
        "if/end" | "elif/end" | "else/end" | "for/end" | "while/end" => Statement::NodeBound(Conditional),
        "def/end" => Statement::NodeBound(Function),
        _ => Statement::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileId;

    fn statements(lines: &[&str]) -> Vec<Statement> {
        let mut reader = Reader::default();
        let span = Span::new(FileId(0), 0..0);
        lines.iter().filter_map(|line| reader.line(line, span)).map(|(statement, _)| statement).collect()
    }

    #[test]
    fn blocks_and_their_ends() {
        use Statement::*;
        assert_eq!(statements(&[" if x:", " else:", " end"]), [Open(BlockKind::Conditional), Branch, End]);
        assert_eq!(
            statements(&[" def f(a,", "   b):", " return {", "  1: 2}", "end"]),
            [Open(BlockKind::Function), Other, End]
        );
        assert_eq!(
            statements(&[" if/end x:", " for/end i in y:", "def/end f():"]),
            [NodeBound(BlockKind::Conditional), NodeBound(BlockKind::Conditional), NodeBound(BlockKind::Function)]
        );
    }

    #[test]
    fn one_line_forms_close_themselves() {
        assert_eq!(statements(&[" def f(x): return x + 1", " if x: y = 1", " end_ = 1"]), [Statement::Other; 3]);
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
