use super::unread;
use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Issue;

rule! {
    /// # A tab on a blank line
    ///
    /// ## What
    /// A line has only white space, or white space and a comment, and the white space contains a tab.
    ///
    /// ## Why
    /// YAML ignores it. ytt takes the tab for indentation, which must consist of spaces, and cannot read the file.
    /// Where an unquoted string may continue, a tab that is deeper than its key does no harm.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values
    /// ---
    /// port: 80
    /// 	#! There is a tab before this comment.
    /// name: web
    /// ```
    ///
    /// ## How to fix
    /// Remove the tab.
    pub static RULE: Rule = Rule {
        code: "ytt/blank-tab",
        stage: Stage::Parse,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::BlankTab { span } = place.issue {
        found.push(unread::tab(&RULE, "ytt", *span));
    }
}
