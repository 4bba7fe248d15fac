use crate::place::{CommentPlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_annotation::{Lookalike, looks_like_annotation};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # An annotation that ytt does not see
    ///
    /// ## What
    /// The comment looks like an annotation (`# @schema/...`, `# @data/values`), but the space makes it an ordinary
    /// comment. The file has no ytt annotation at all, so ytt silently reads it as plain YAML.
    ///
    /// ## Why
    /// Such a schema is silently ignored, and nothing is checked.
    ///
    /// ## Example
    /// ```yaml
    /// # @data/values-schema
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Remove the space: `#@data/values-schema`.
    pub static RULE: Rule = Rule {
        code: "ytt/annotation-as-comment",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_plain_files(&[Look::Comment(look)]);

fn look(place: &CommentPlace<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(finding(place.span, place.text));
}

pub(crate) fn finding(span: Span, text: &str) -> Option<Diagnostic> {
    let meant = looks_like_annotation(text, span.start as usize)?;
    let name = meant.name;
    Some(
        Diagnostic::new(&RULE, span, format!("ytt does not see this as the annotation `@{name}`"))
            .help(format!("write `#@{name}`, with nothing between `#`, `@` and the name"))
            .fix(as_annotation(span, &meant)),
    )
}

/// The fix that turns the comment into the annotation that was meant.
pub(crate) fn as_annotation(comment: Span, meant: &Lookalike) -> Fix {
    let prefix = Span::new(comment.file, meant.prefix.clone());
    Fix::replace(format!("Make it the annotation `#@{}`", meant.name), prefix, "#@")
}
