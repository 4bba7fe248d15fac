use super::ytt_unknown_annotation;
use crate::place::{AnnotationPlace, IssuePlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_annotation::catalog;
use lofting_diagnostic::rule;
use lofting_document::{Issue, Span};
use lofting_eval::is_keyword;

rule! {
    /// # Code without a space before it
    ///
    /// ## What
    /// `#@` is followed by code without a space between them.
    ///
    /// ## Why
    /// Without the space it is the name of an annotation, and ytt ignores those it does not know: a value stays null.
    /// Where a block does not begin or end because of it, ytt cannot compile the file, and it is an error.
    ///
    /// ## Example
    /// ```yaml
    /// #@ port = 80
    /// port: #@port
    /// ```
    ///
    /// ## How to fix
    /// Write a space after `#@`.
    pub static RULE: Rule = Rule {
        code: "ytt/code-without-space",
        stage: Stage::Lint,
        severity: Severity::Warning,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Annotation(look), Look::Issue(look_at_blocks)]);

fn look(place: &AnnotationPlace<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(of_annotation(place));
}

fn look_at_blocks(place: &IssuePlace<'_>, found: &mut Vec<Diagnostic>) {
    if let Issue::CodeWithoutSpace { span, unclosed } = place.issue {
        found.push(of_block(*span, *unclosed));
    }
}

/// The finding for code that ytt takes as the name of an annotation.
pub(crate) fn of_annotation(place: &AnnotationPlace<'_>) -> Option<Diagnostic> {
    let AnnotationPlace { note, in_proposal, is_value } = *place;
    let name = note.name.trim_start_matches('\t');
    let has_tab = name.len() < note.name.len();
    // Of what has no meaning as arguments, these say what is wrong.
    if has_tab && !note.arguments.errors.is_empty() {
        return None;
    }
    // Brackets and quotes in a name have a finding of their own.
    if catalog::find(name).is_some() || name.is_empty() || name.contains(['/', '(', '[', '{', '"', '\'']) {
        return None;
    }
    let word = name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
    if !is_value && ytt_unknown_annotation::with_slash(name, in_proposal).is_some() {
        return None;
    }
    let is_code = has_tab || is_keyword(word) || name.contains(['.', '=']);
    if !is_code && !is_value {
        return None;
    }
    let message = if is_value {
        "ytt takes this for an annotation, and the value is null: code needs a space after `#@`"
    } else {
        "ytt takes this for an annotation and ignores it: code needs a space after `#@`"
    };
    Some(Diagnostic::new(&RULE, note.name_span, message).fix(space(note.span)))
}

/// The finding for a comment that would begin or end a block. `unclosed` is the head that the `end` would close.
fn of_block(comment: Span, unclosed: Option<Span>) -> Diagnostic {
    let message = match unclosed {
        Some(_) => "ytt takes this for an annotation, and the block above is not closed: code needs a space after `#@`",
        None => "ytt takes this for an annotation, and no block begins here: code needs a space after `#@`",
    };
    let mut finding = Diagnostic::new(&RULE, Span { start: comment.start + 2, ..comment }, message);
    finding.severity = Severity::Error;
    finding.stage = Stage::Template;
    let finding = finding.fix(space(comment));
    match unclosed {
        Some(head) => finding.related(head, "this block is not closed"),
        None => finding,
    }
}

/// Drops other findings on a comment that decides about a block.
pub(crate) fn once(found: &mut Vec<Diagnostic>) {
    let is_of_block = |finding: &Diagnostic| *finding.rule == RULE && finding.severity == Severity::Error;
    let blocks: Vec<u32> =
        found.iter().filter(|finding| is_of_block(finding)).map(|finding| finding.span.start).collect();
    if !blocks.is_empty() {
        found.retain(|finding| *finding.rule != RULE || is_of_block(finding) || !blocks.contains(&finding.span.start));
    }
}

fn space(comment: Span) -> Fix {
    let after = Span { start: comment.start + 2, end: comment.start + 2, ..comment };
    Fix::replace("Write a space after `#@`", after, " ")
}
