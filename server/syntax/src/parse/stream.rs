//! Documents: markers, directives, and the text between them.

use super::scan;
use super::{Parser, Step, ValueStart};
use crate::error::ErrorCode;
use crate::green::flag;
use crate::kind::Kind;

impl Parser<'_> {
    /// Between two documents: begins the next one, if there is more text.
    pub(super) fn between_documents(&mut self) -> Step {
        self.byte_order_mark();
        let Some(peek) = self.peek() else {
            let total = self.input.total();
            self.trivia_to(total);
            return Step::End;
        };
        self.trivia_to(peek.line_start);
        self.byte_order_mark();
        let line = self.input.rest_of_line(self.pos);
        if peek.marker && line.starts_with(b"...") {
            // An end marker without a document.
            self.token(Kind::DocEnd, self.pos + 3);
            self.finish_line();
            return Step::Next;
        }
        if self.take_over_document() {
            return Step::Next;
        }
        self.open(Kind::Document, -1);
        if let Some(frame) = self.frames.last_mut() {
            // A document depends on no other.
            frame.flags |= flag::EXACT;
        }
        let mut directives = false;
        let mut version = false;
        while self.input.rest_of_line(self.pos).first() == Some(&b'%') {
            self.directive(&mut version);
            directives = true;
            let Some(peek) = self.peek() else { break };
            self.trivia_to(peek.line_start);
        }
        let line = self.input.rest_of_line(self.pos);
        if scan::marker(line) && line.starts_with(b"---") {
            self.token(Kind::DocStart, self.pos + 3);
            if self.marked_below() {
                return Step::Value(ValueStart {
                    column: -1,
                    same_column_seq: false,
                    compact: true,
                    start_line: false,
                });
            }
            return Step::Value(ValueStart { column: -1, same_column_seq: false, compact: false, start_line: true });
        }
        if directives {
            let at = self.pos;
            self.error(ErrorCode::MissingDocumentStart, at.saturating_sub(1)..at);
            if self.peek().is_none_or(|peek| peek.marker) {
                return Step::Next;
            }
        }
        Step::Value(ValueStart { column: -1, same_column_seq: false, compact: true, start_line: false })
    }

    /// Skips a byte order mark at the beginning of the line after a marker: each document may have one.
    fn marked_below(&mut self) -> bool {
        let line_end = self.input.line_end(self.pos);
        let next = line_end + self.input.break_len(line_end);
        let is_alone = self.input.rest_of_line(self.pos).iter().all(|&byte| scan::is_blank(byte));
        if !is_alone || next == line_end || !self.input.rest_of_line(next).starts_with("\u{feff}".as_bytes()) {
            return false;
        }
        self.trivia_to(next);
        self.byte_order_mark();
        true
    }

    fn byte_order_mark(&mut self) {
        if self.input.rest_of_line(self.pos).starts_with("\u{feff}".as_bytes()) {
            self.token(Kind::Bom, self.pos + 3);
            self.line_start = self.pos;
            self.peeked = None;
        }
    }

    fn directive(&mut self, version: &mut bool) {
        let line_end = self.input.line_end(self.pos);
        let line = self.input.rest_of_line(self.pos);
        let comment = (1..line.len()).find(|&at| line[at] == b'#' && scan::is_blank(line[at - 1]));
        let mut len = comment.unwrap_or(line.len());
        while len > 1 && scan::is_blank(line[len - 1]) {
            len -= 1;
        }
        let text = String::from_utf8_lossy(&line[..len]).into_owned();
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let valid = match words.first().copied() {
            Some("%YAML") => {
                let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
                let good = words.len() == 2 && words[1].split_once('.').is_some_and(|(a, b)| number(a) && number(b));
                let again = std::mem::replace(version, true);
                good && !again
            }
            Some("%TAG") => words.len() == 3 && words[1].starts_with('!') && words[1].ends_with('!'),
            Some(word) => word.len() > 1,
            None => false,
        };
        let end = self.pos + len;
        if !valid {
            self.error(ErrorCode::InvalidDirective, self.pos..end);
        }
        self.token(Kind::Directive, end);
        self.blanks();
        self.token(Kind::Comment, line_end);
        self.line_break();
    }

    /// A marker line while a document is open.
    pub(super) fn document_end(&mut self) -> Step {
        let Some(peek) = self.peek() else { return Step::Next };
        let line = self.input.rest_of_line(peek.line_start);
        if line.starts_with(b"...") {
            self.close_to(2);
            self.trivia_to(peek.line_start);
            return self.end_marker();
        }
        self.close_to(1);
        self.between_documents()
    }

    fn end_marker(&mut self) -> Step {
        self.token(Kind::DocEnd, self.pos + 3);
        self.finish_line();
        self.close();
        self.between_documents()
    }
}
