use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Fix, rule};
use lofting_document::{Issue, Refused, Span};

rule! {
    /// # YAML that ytt's library does not read
    ///
    /// ## What
    /// The text is YAML, and ytt refuses it: its YAML library is older than YAML 1.2.
    ///
    /// ## Why
    /// ytt cannot read the file. It stops at `\/` and at pairs of `\u` escapes in double quotes; between brackets at
    /// unquoted text that begins with a colon or contains a question mark, at a bracket directly after the colon of an
    /// unquoted key, at a key that is not on the line of its colon, and at tags without a blank after them; at tags
    /// with `#`; at names of anchors with characters other than letters, digits, `-` and `_`; at keys of more
    /// than 1024 characters; at the text of a block scalar at the left margin; at a document that follows `...` without
    /// `---`; and at a byte order mark before `---`, which makes YAML read it as text.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// pattern: "a\/b"
    /// ```
    ///
    /// ## How to fix
    /// Write it in another way: `/` needs no escape, and text in quotes may contain anything.
    pub static RULE: Rule = Rule {
        code: "ytt/refused-yaml",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::Refused { span, what } = place.issue {
        found.push(finding(*span, *what));
    }
}

fn finding(span: Span, what: Refused) -> Diagnostic {
    let (message, help) = match what {
        Refused::Slash => ("ytt does not know the escape `\\/`", "write `/`"),
        Refused::Pair => ("ytt cannot read a character that is written as two escapes", "write the character itself"),
        Refused::Colon => ("between brackets ytt cannot read text that begins with a colon", "put the text in quotes"),
        Refused::Question => ("between brackets ytt cannot read text with a question mark", "put the text in quotes"),
        Refused::Bracket => ("ytt cannot read a bracket directly after a colon", "put a blank after the colon"),
        Refused::KeyLines => (
            "between brackets ytt reads a key only on the line of its colon",
            "write the key and its colon on one line, or `? ` before the key",
        ),
        Refused::Tag => (
            "for ytt a tag ends before a blank, and cannot contain `#`",
            "put a blank after the tag, or choose another tag",
        ),
        Refused::Name => ("for ytt this name may contain letters, digits, `-` and `_` only", "choose another name"),
        Refused::LongKey => {
            ("ytt reads no key of more than 1024 characters", "write `? ` before it, and `: ` on the next line")
        }
        Refused::Margin => ("ytt reads the text of a block scalar only where it is indented", "indent the text"),
        Refused::NoMarker => ("ytt needs `---` before a document that follows `...`", "put `---` above it"),
        Refused::Mark => (
            "the byte order mark before it makes text of this line for ytt",
            "save the file as UTF-8 without byte order mark",
        ),
    };
    let finding = Diagnostic::new(&RULE, span, message).help(help);
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
