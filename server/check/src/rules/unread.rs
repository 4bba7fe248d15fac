//! What yaml.v2 refuses, in the words of the rules for its readers.

use crate::Diagnostic;
use lofting_diagnostic::{Fix, Rule};
use lofting_document::{Refused, Span};

/// `reader`: who reads with the library, as in "ytt cannot read this".
pub(crate) fn finding(rule: &'static Rule, reader: &str, span: Span, what: Refused) -> Diagnostic {
    let (message, help) = match what {
        Refused::Slash => (format!("{reader} does not know the escape `\\/`"), "write `/`"),
        Refused::Pair => {
            (format!("{reader} cannot read a character that is written as two escapes"), "write the character itself")
        }
        Refused::Colon => {
            (format!("between brackets {reader} cannot read text that begins with a colon"), "put the text in quotes")
        }
        Refused::Question => {
            (format!("between brackets {reader} cannot read text with a question mark"), "put the text in quotes")
        }
        Refused::Bracket => {
            (format!("{reader} cannot read a bracket directly after a colon"), "put a blank after the colon")
        }
        Refused::KeyLines => (
            format!("between brackets {reader} reads a key only on the line of its colon"),
            "write the key and its colon on one line, or `? ` before the key",
        ),
        Refused::Tag => (
            format!("for {reader} a tag ends before a blank, and cannot contain `#`"),
            "put a blank after the tag, or choose another tag",
        ),
        Refused::Name => {
            (format!("for {reader} this name may contain letters, digits, `-` and `_` only"), "choose another name")
        }
        Refused::LongKey => (
            format!("{reader} reads no key of more than 1024 characters"),
            "write `? ` before it, and `: ` on the next line",
        ),
        Refused::Margin => {
            (format!("{reader} reads the text of a block scalar only where it is indented"), "indent the text")
        }
        Refused::NoMarker => {
            (format!("{reader} needs `---` before a document that follows `...`"), "put `---` above it")
        }
        Refused::Mark => (
            format!("the byte order mark before it makes text of this line for {reader}"),
            "save the file as UTF-8 without byte order mark",
        ),
    };
    let finding = Diagnostic::new(rule, span, message).help(help);
    match what {
        Refused::Slash => finding.fix(Fix::replace("Write `/`", span, "/").sure()),
        Refused::Bracket => {
            let before = Span { end: span.start, ..span };
            finding.fix(Fix::replace("Put a blank after the colon", before, " ").sure())
        }
        Refused::NoMarker => {
            let before = Span { end: span.start, ..span };
            finding.fix(Fix::replace("Put `---` above it", before, "---\n").sure())
        }
        _ => finding,
    }
}

/// A tab where the library takes it for indentation.
pub(crate) fn tab(rule: &'static Rule, reader: &str, span: Span) -> Diagnostic {
    Diagnostic::new(rule, span, format!("{reader} cannot read a line that begins with a tab"))
        .fix(Fix::replace("Remove the tab", span, "").sure())
}
