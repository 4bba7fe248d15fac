use super::unread;
use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Issue;

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
        found.push(unread::finding(&RULE, "ytt", *span, *what));
    }
}
