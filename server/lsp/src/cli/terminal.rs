//! Output for people at a terminal or in a build log.
//!
//! Names of files, messages and excerpts come from a workspace. Control characters are escaped, and text that the
//! runners of GitHub and Azure would take as a command is broken up. Data (`--format json`, the YAML of `values`) is
//! written unchanged.

use std::borrow::Cow;
use std::io::Write;

use lofting_text::{Breaks, visible};

/// A name or a value on one line.
pub(crate) fn line(text: &str) -> Cow<'_, str> {
    visible(text, Breaks::Shown)
}

/// A text of several lines.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    visible(text, Breaks::Kept)
}

/// Writes to stderr. Text of several lines may be our own rendering, with colours.
pub(crate) fn say(text: &str) {
    eprintln!("{}", without_commands(text));
}

/// Writes text for people to stdout.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    print_data(&without_commands(text))
}

/// Writes data to stdout, byte for byte. If the reader is gone, such as `head`, that is no failure.
pub(crate) fn print_data(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// A text without commands of a runner: no line that begins with `::` (`::error::`, `::add-path::`), and no `##[group]`
/// or `##vso[task…]`.
fn without_commands(text: &str) -> Cow<'_, str> {
    let begins = |line: &str| line.trim_start().starts_with("::");
    if !text.contains("##") && !text.split(['\n', '\r']).any(begins) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive(['\n', '\r']) {
        let blank = line.len() - line.trim_start().len();
        let (blank, rest) = line.split_at(blank);
        out.push_str(blank);
        if rest.starts_with("::") {
            out.push('\\');
        }
        out.push_str(&rest.replace("##[", "#\\#[").replace("##vso[", "#\\#vso["));
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::without_commands;

    #[test]
    fn runners_find_no_commands() {
        for (text, expected) in [
            ("error: a::b ## c\n", "error: a::b ## c\n"),
            ("::error::x", "\\::error::x"),
            ("a\n \t::add-path::/tmp\n", "a\n \t\\::add-path::/tmp\n"),
            ("a\r::set-env::x", "a\r\\::set-env::x"),
            ("a ##[error]b ###[x]", "a #\\#[error]b ##\\#[x]"),
            ("##vso[task.setvariable]x", "#\\#vso[task.setvariable]x"),
        ] {
            assert_eq!(without_commands(text), expected, "{text:?}");
        }
    }
}
