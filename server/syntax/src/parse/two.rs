//! A large text read from two places at once.
//!
//! What is read from further down is a tree of its own, and the text above it is what an edit puts in front of it:
//! entries of the one are taken over into the other as they are when somebody types ([`super::reuse`]). So the result
//! is that of reading all from the start, wherever the text was cut.

#[cfg(test)]
mod tests;

use super::Parser;
use super::input::Input;
use super::loose;
use super::reuse::Reuse;
use crate::green::Green;
use crate::source::Source;
use crate::tree::Tree;
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, available_parallelism, scope};

/// Below this a second thread costs more than it gains.
const LARGE: usize = 512 * 1024;

/// How much text is looked at for a good place to cut.
const NEAR: usize = 32 * 1024;

/// The text from `at` on.
pub(super) struct Ahead<'a> {
    at: usize,
    text: &'a str,
    /// Its tree, once it is read: by whoever comes first.
    green: &'a OnceLock<Arc<Green>>,
}

impl<'a> Ahead<'a> {
    fn read(&self) -> &'a Arc<Green> {
        self.green.get_or_init(|| Parser::new(Input::whole(self.text), None).run())
    }
}

impl Parser<'_> {
    /// Once the text above is read, what was read ahead may be taken over.
    #[inline]
    pub(super) fn look_ahead(&mut self) {
        if let Some(ahead) = self.ahead.take_if(|ahead| ahead.at <= self.pos) {
            self.reuse = Some(Reuse::new(ahead.read(), 0..0, ahead.at));
        }
    }
}

/// Where to cut a text, if it is large enough: before the line that is the least indented of those around, so that
/// all entries behind it are siblings or further out.
pub(super) fn cut(text: &str) -> Option<usize> {
    if text.len() < LARGE || available_parallelism().map_or(1, usize::from) < 2 {
        return None;
    }
    // Whoever reads the upper part copies the text as well.
    let near = text.len() / 5 * 2;
    let bytes = text.as_bytes().get(near..near + NEAR)?;
    let starts = memchr::memchr_iter(b'\n', bytes).map(|at| at + 1);
    let indented = starts.filter_map(|start| {
        let line = bytes.get(start..)?;
        let column = line.iter().position(|byte| *byte != b' ')?;
        let first = *line.get(column)?;
        // Items may stand at the column of the key they belong to.
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
        // Without a thread the parser reads it when it comes there.
        let _ = Builder::new().spawn_scoped(scope, || {
            ahead().read();
        });
        let source = Arc::new(Source::new(text));
        let mut parser = Parser::new(Input::whole(text), None);
        parser.ahead = Some(ahead());
        loose::settle(Tree { source, green: parser.run(), loose: false })
    })
}
