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

/// Writes a line to stderr in place of the previous one, which is not finished; an empty line only removes that one.
pub(crate) fn redraw(out: &mut impl Write, line: &str) -> std::io::Result<()> {
    write!(out, "\r{line}\u{1b}[K").and_then(|()| out.flush())
}

/// Clears the terminal on stdout; does nothing where stdout goes elsewhere.
pub(crate) fn clear() {
    if std::io::stdout().is_terminal() {
        let _ = print_data("\u{1b}[2J\u{1b}[3J\u{1b}[H");
    }
}

/// Writes text for people to stdout.
pub(crate) fn print(text: &str) -> std::io::Result<()> {
    print_data(&without_commands(text))
}

/// Writes data to stdout, byte for byte. If the reader is gone, such as `head`, that is not a failure.
pub(crate) fn print_data(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        // Which file is full or cannot be written is not known here; that it is none of the named ones is.
        result => result.map_err(|error| std::io::Error::new(error.kind(), format!("standard output: {error}"))),
    }
}

/// Environment variables of runners that look for commands in what is printed.
const RUNNERS: [&str; 5] = ["GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION", "GITLAB_CI", "TRAVIS"];

/// Writes what a person reads of the text of a file to stdout.
pub(crate) fn print_text(text: &str) -> std::io::Result<()> {
    print_data(&harmless(text))
}

/// Writes a patch to stdout: byte for byte, because `git apply` needs it, unless a terminal or a runner reads it.
pub(crate) fn print_patch(patch: &str) -> std::io::Result<()> {
    print_exact(patch)
}

/// Writes a text for another program to stdout: byte for byte, unless a terminal or a runner reads it.
pub(crate) fn print_exact(patch: &str) -> std::io::Result<()> {
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

/// What begins a command anywhere in a line: groups of GitLab and of Travis.
const MARKERS: [&str; 3] = ["section_start:", "section_end:", "travis_fold:"];

/// Whether GitHub's runner would look for a command. `::: FILE` is how excerpts name a further file; the name of a command
/// has no blank.
fn is_command(line: &str) -> bool {
    line.starts_with("::") && !line.starts_with("::: ")
}

/// A text without commands of a runner: no line that begins with `::` (GitHub's `::error::`, `::add-path::`), no
/// `##[group]`, `##vso[task…]` (Azure) or `##teamcity[…]`, and no mark of a group.
fn without_commands(text: &str) -> Cow<'_, str> {
    let begins = |line: &str| is_command(line.trim_start());
    let is_marked = MARKERS.iter().any(|marker| text.contains(marker));
    if !text.contains("##") && !is_marked && !text.split(['\n', '\r']).any(begins) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.split_inclusive(['\n', '\r']) {
        let blank = line.len() - line.trim_start().len();
        let (blank, rest) = line.split_at(blank);
        out.push_str(blank);
        if is_command(rest) {
            out.push('\\');
        }
        let from = out.len();
        push_broken(rest, &mut out);
        for marker in MARKERS {
            if out[from..].contains(marker) {
                let broken = out[from..].replace(marker, &marker.replace(':', "\\:"));
                out.replace_range(from.., &broken);
            }
        }
    }
    Cow::Owned(out)
}

/// Appends a line with `##`, letters and `[` broken up: what Azure and TeamCity look for, and who does as they do.
fn push_broken(line: &str, out: &mut String) {
    let mut parts = line.split("##").peekable();
    while let Some(part) = parts.next() {
        out.push_str(part);
        let Some(next) = parts.peek() else { return };
        let acts = next.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '#').starts_with('[');
        out.push_str(if acts { "#\\#" } else { "##" });
    }
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
            ("  ::: a.yml:1:2", "  ::: a.yml:1:2"),
            (":::error::x", "\\:::error::x"),
            ("a\n \t::add-path::/tmp\n", "a\n \t\\::add-path::/tmp\n"),
            ("a\r::set-env::x", "a\r\\::set-env::x"),
            ("a ##[error]b ###[x]", "a #\\#[error]b #\\##[x]"),
            ("##teamcity[message text='x']", "#\\#teamcity[message text='x']"),
            ("\\u{1b}[0Ksection_start:1:x", "\\u{1b}[0Ksection_start\\:1:x"),
            ("travis_fold:start:x", "travis_fold\\:start:x"),
            ("##vso[task.setvariable]x", "#\\#vso[task.setvariable]x"),
        ] {
            assert_eq!(without_commands(text), expected, "{text:?}");
        }
    }
}
