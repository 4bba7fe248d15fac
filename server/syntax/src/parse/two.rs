//! Reads a large text on two threads.
//!
//! The lower part is parsed as a tree of its own. The parser of the upper part then treats the upper text as if it had
//! been inserted before the lower one: it reuses the entries of the lower tree as after an edit ([`super::reuse`]). So
//! the result is that of reading everything from the start, wherever the text was cut.

#[cfg(test)]
mod tests;

use super::Parser;
use super::input::Input;
use super::loose;
use super::reuse::Reuse;
use crate::green::Green;
use crate::halves::is_for_two;
use crate::source::Source;
use crate::tree::Tree;
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, scope};

/// How much text is searched for a good place to cut.
const NEAR: usize = 32 * 1024;

/// The text from `at` on.
pub(super) struct Ahead<'a> {
    at: usize,
    text: &'a str,
    /// Its tree, once either thread has read it.
    green: &'a OnceLock<Arc<Green>>,
}

impl<'a> Ahead<'a> {
    fn read(&self) -> &'a Arc<Green> {
        self.green.get_or_init(|| Parser::new(Input::whole(self.text), None).run())
    }
}

impl Parser<'_> {
    /// Allows the reuse of what was read ahead, once the upper part has been read.
    #[inline]
    pub(super) fn look_ahead(&mut self) {
        if let Some(ahead) = self.ahead.take_if(|ahead| ahead.at <= self.pos) {
            self.reuse = Some(Reuse::new(ahead.read(), 0..0, ahead.at));
        }
    }
}

/// Where to cut a text, if it is large enough: before the least indented of the lines around, so that all entries after
/// it are siblings or further out.
pub(super) fn cut(text: &str) -> Option<usize> {
    if !is_for_two(text.len()) {
        return None;
    }
    // The thread that reads the upper part also copies the text, so its part is smaller.
    let near = text.len() / 5 * 2;
    let bytes = text.as_bytes().get(near..near + NEAR)?;
    let starts = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1);
    let indented = starts.filter_map(|start| {
        let line = bytes.get(start..)?;
        let column = line.iter().position(|byte| *byte != b' ')?;
        let first = *line.get(column)?;
        // Items may be at the column of the key they belong to.
        let entry = !matches!(first, b'#' | b'\t' | b'\n' | b'\r');
        entry.then_some((column, first == b'-', start))
    });
    indented.min().map(|(.., start)| near + start)
}

/// Reads a text that is cut at the start of a line.
pub(super) fn parse_at(text: &str, cut: usize) -> Tree {
    let Some(below) = text.get(cut..) else {
        return super::parse(text);
    };
    let green = OnceLock::new();
    let ahead = || Ahead { at: cut, text: below, green: &green };
    scope(|scope| {
        // If no thread can be started, the parser reads this part when it gets there.
        let _ = Builder::new().spawn_scoped(scope, || {
            ahead().read();
        });
        let source = Arc::new(Source::new(text));
        let mut parser = Parser::new(Input::whole(text), None);
        parser.ahead = Some(ahead());
        loose::settle(Tree::strict(source, parser.run(), Arc::default()), None)
    })
}
