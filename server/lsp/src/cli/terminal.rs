//! Output for people at a terminal or in a build log.
//!
//! Names of files, messages and excerpts come from a workspace. Control characters are escaped, and text that the
//! runners of GitHub and Azure would take as a command is broken up. Data (`--format json`, the YAML of `values`) is
//! written unchanged, and so is a patch that goes to a program.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};

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

/// Environment variables of runners that look for commands in what is printed.
const RUNNERS: [&str; 2] = ["GITHUB_ACTIONS", "TF_BUILD"];

/// Writes a patch to stdout: byte for byte, because `git apply` needs it, unless a terminal or a runner reads it.
pub(crate) fn print_patch(patch: &str) -> std::io::Result<()> {
    let acts = std::io::stdout().is_terminal() || RUNNERS.iter().any(|name| std::env::var_os(name).is_some());
    if acts { print_data(&harmless(patch)) } else { print_data(patch) }
}

/// Lines of any text with what is hidden in them shown, and without commands. Their ends stay as they are.
fn harmless(text: &str) -> String {
    let line = |line: &str| {
        let content = line.trim_end_matches('\n');
        let content = content.strip_suffix('\r').unwrap_or(content);
        // A tab moves the cursor, and no more.
        let shown: Vec<Cow<'_, str>> = content.split('\t').map(self::line).collect();
        format!("{}{}", shown.join("\t"), &line[content.len()..])
    };
    without_commands(&text.split_inclusive('\n').map(line).collect::<String>()).into_owned()
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
    use super::{harmless, without_commands};

    #[test]
    fn what_is_hidden_in_a_patch_is_shown_and_its_lines_stay_lines() {
        for (text, expected) in [
            ("-a:   1\r\n+a: 1\r\n", "-a:   1\r\n+a: 1\r\n"),
            (" a:\t\u{1b}[31m # \u{202e}x\n", " a:\t\\u{1b}[31m # \\u{202e}x\n"),
            (" ::error::x\n+a\r::error::x", " \\::error::x\n+a\\r::error::x"),
        ] {
            assert_eq!(harmless(text), expected, "{text:?}");
        }
    }

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
