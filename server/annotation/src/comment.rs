//! Reading one comment (docs/ytt.md 5.1 and 5.3).

use std::ops::Range;

use lofting_eval::{Arguments, ReadError, read_arguments_at};

/// A comment and how ytt understands it.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// Bytes from the `#` to the end of the line, without the line break.
    pub range: Range<usize>,
    /// How ytt understands it.
    pub kind: CommentKind,
}

/// The four kinds of comment.
#[expect(clippy::large_enum_variant, reason = "read and taken apart at once, never stored")]
#[derive(Clone, Debug, PartialEq)]
pub enum CommentKind {
    /// `#! text` or `#@comment text`: ignored by ytt.
    Ytt,
    /// `# text`: an error in a template, fine elsewhere.
    Ordinary,
    /// `#@ code`: a line of Starlark, or the value of the node that it follows on the same line.
    Code {
        /// The code after `#@ `; may be empty.
        code: Range<usize>,
    },
    /// `#@name arguments`
    Annotation(Annotation),
}

/// `#@name arguments`, whether ytt knows the name or not.
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Everything up to the first space, as written: even a tab or a parenthesis is part of the name.
    pub name: String,
    /// The range of the name.
    pub name_range: Range<usize>,
    /// The whole comment.
    pub range: Range<usize>,
    /// The text after the first space; empty, at the end of the comment, if there is no space.
    pub arguments_range: Range<usize>,
    /// The arguments; their ranges count from the same base as the other ranges.
    pub arguments: Arguments,
}

/// Reads one comment. `text` begins with `#` and runs to the end of its line; `offset` is where it starts in the file,
/// and all ranges count from the start of the file.
pub fn read_comment(text: &str, offset: usize) -> Comment {
    let text = text.trim_end_matches(['\n', '\r']);
    let range = offset..offset + text.len();
    let kind = match text.get(1..2) {
        Some("!") => CommentKind::Ytt,
        Some("@") => after_at(text, offset),
        _ => CommentKind::Ordinary,
    };
    Comment { range, kind }
}

fn after_at(text: &str, offset: usize) -> CommentKind {
    let rest = text.get(2..).unwrap_or("");
    // Only a space ends the name (docs/ytt.md 5.3).
    let name_len = rest.find(' ').unwrap_or(rest.len());
    let end = offset + text.len();
    let arguments_start = (offset + 2 + name_len + 1).min(end);
    if name_len == 0 {
        return CommentKind::Code { code: arguments_start..end };
    }
    let name = rest.get(..name_len).unwrap_or("").to_owned();
    // The long form of `#!`.
    if name == "comment" {
        return CommentKind::Ytt;
    }
    let name_range = offset + 2..offset + 2 + name_len;
    let source = text.get(arguments_start - offset..).unwrap_or("");
    // The long forms hold code instead of an argument list.
    let mut arguments = match name.as_str() {
        "template/code" | "template/value" => Arguments { range: arguments_start..end, ..Arguments::default() },
        _ => read_arguments_at(source, arguments_start),
    };
    for error in &mut arguments.errors {
        let at = error.range.start.saturating_sub(offset);
        if text.get(at..).is_some_and(|rest| rest.starts_with("#@")) {
            error.message = "only one annotation fits on a line; move this one to a line of its own".to_owned();
        }
    }
    // ytt puts the name between quotes, so these characters would end the quotes.
    if name.contains(['"', '\\']) {
        let message = "there must be a space between an annotation's name and its arguments".to_owned();
        // Further errors in the arguments only follow from this one.
        arguments.errors = vec![ReadError { range: name_range.clone(), message }];
    }
    // No annotation begins like this, so it is meant as code.
    if name.starts_with('\t') && !arguments.errors.is_empty() {
        let message = "ytt takes this for an annotation: code needs a space after `#@`, not a tab".to_owned();
        arguments.errors = vec![ReadError { range: name_range.clone(), message }];
    }
    let arguments_range = arguments_start..end;
    CommentKind::Annotation(Annotation { name, name_range, range: offset..end, arguments_range, arguments })
}
