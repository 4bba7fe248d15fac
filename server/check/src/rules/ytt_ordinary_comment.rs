use super::ytt_annotation_as_comment::as_annotation;
use crate::place::{IssuePlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_annotation::looks_like_annotation;
use lofting_diagnostic::{Allowance, Cause, rule};
use lofting_document::{Issue, Span};

rule! {
    /// # An ordinary comment in a ytt file
    ///
    /// ## What
    /// A file with at least one `#@` comment is a template to ytt, and there a comment must begin with `#!`, or with
    /// `#@` if it is an annotation or code.
    ///
    /// ## Why
    /// ytt refuses the whole file, so that a mistyped annotation (`# @schema/nullable`, `#schema/nullable`) is not
    /// mistaken for a comment.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// # the port to listen on
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Write `#!` instead of `#`. If it was meant as an annotation, write `#@` without a space.
    /// `--ignore-unknown-comments` turns the rule off.
    pub static RULE: Rule = Rule {
        code: "ytt/ordinary-comment",
        stage: Stage::Template,
        severity: Severity::Error,
        allowance: Some(Allowance::IgnoreUnknownComments),
        cause: Cause::FirstAnnotation,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Issue(look)]);

fn look(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::OrdinaryComment { span } = place.issue {
        found.push(finding(*span, place.source.text(*span).as_deref()));
    }
}

/// `text` is the comment, if it is known.
fn finding(span: Span, text: Option<&str>) -> Diagnostic {
    let hash = Span { end: span.start + 1, ..span };
    let finding = Diagnostic::new(&RULE, span, "in a file with ytt annotations, comments have to begin with `#!`");
    let finding = match text.and_then(|text| looks_like_annotation(text, span.start as usize)) {
        Some(meant) => finding
            .help(format!("write `#@{}` without a space if it is meant as an annotation, else `#!`", meant.name))
            .fix(as_annotation(span, &meant)),
        None => finding.help("write `#!` instead of `#`"),
    };
    finding.fix(Fix::replace("Make it a ytt comment (`#!`)", hash, "#!").sure())
}
