//! Rewrites arguments of annotations: a string without quotes, an example without parentheses.

use super::{FindingFix, Rules};
use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use lofting_annotation::{Annotation, CommentKind, read_comment};
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_document::Span;
use lofting_document::write::double_quoted;
use lofting_syntax::Kind;

pub(super) static FIX: FindingFix = FindingFix {
    rules: Rules::Of(&[
        &rules::DATA_VALUES_KEYWORD,
        &rules::LIBRARY_REF,
        &rules::SCHEMA_DEFAULT_TYPE,
        &lofting_dialect::ytt::rules::EXAMPLES_ARGUMENTS,
        &lofting_dialect::ytt::rules::TEXT_ARGUMENTS,
    ]),
    offer,
};

fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let argument = finding.related.first().map_or(finding.span, |related| related.span);
    if *finding.rule == rules::SCHEMA_DEFAULT_TYPE {
        return default_of_type(context, finding, argument, offers);
    }
    let Some(annotation) = annotation_at(context, argument.range().start) else { return };
    let all = annotation.arguments_range.clone();
    let written = context.text.slice(all.clone()).trim().to_owned();
    let count = annotation.arguments.positional.len();
    if *finding.rule == rules::LIBRARY_REF {
        let quote = argument.range().start;
        let text = context.text.slice(argument.range());
        if text.starts_with(['"', '\'']) && !text.get(1..).is_some_and(|rest| rest.starts_with('@')) {
            let at = context.span(quote + 1..quote + 1);
            offers.add("Write `@` before the path", Confidence::Likely, || Some(Change::replace(at, "@")));
        }
        return;
    }
    if *finding.rule == rules::DATA_VALUES_KEYWORD {
        let only = annotation.arguments.keywords.len() == 1 && count == 0;
        let from = annotation.name_range.end;
        if only {
            let place = context.span(from..all.end);
            offers.add("Remove the argument", Confidence::Likely, || Some(Change::replace(place, "")));
        }
        return;
    }
    if written.is_empty() || !annotation.arguments.keywords.is_empty() {
        return;
    }
    let (title, new) = if *finding.rule == lofting_dialect::ytt::rules::TEXT_ARGUMENTS {
        if written.starts_with(['"', '\'']) { return } else { ("Put it in quotes", double_quoted(&written)) }
    } else {
        match count {
            // A description and a value, not two examples.
            2 if !written.starts_with('(') => ("Put the example in parentheses", format!("({written})")),
            1 if !written.starts_with('(') => ("Make it an example", format!("(\"\", {written})")),
            _ => return,
        }
    };
    offers.add(title, Confidence::Likely, || Some(Change::replace(context.span(all), new)));
}

/// A number in quotes where a number is required, or the reverse.
fn default_of_type(context: &Context<'_>, finding: &Diagnostic, place: Span, offers: &mut Offers<'_>) {
    if place.file != context.file {
        return;
    }
    let text = context.text.slice(place.range()).into_owned();
    let bare = text.trim_matches(['"', '\'']);
    let is_quoted = bare.len() + 2 == text.len();
    let is_number = match finding.expected.as_deref() {
        Some("integer") => bare.parse::<i64>().is_ok(),
        Some("float") => bare.parse::<f64>().is_ok_and(f64::is_finite),
        Some("string") if !is_quoted && bare.parse::<f64>().is_ok_and(f64::is_finite) => {
            let quoted = double_quoted(bare);
            offers.add("Put it in quotes", Confidence::Likely, || Some(Change::replace(place, quoted)));
            return;
        }
        _ => false,
    };
    if is_quoted && is_number {
        offers.add("Remove the quotes", Confidence::Likely, || Some(Change::replace(place, bare)));
    }
}

fn annotation_at(context: &Context<'_>, offset: usize) -> Option<Annotation> {
    let tree = context.tree();
    let token = tree.token_at(offset).filter(|token| token.kind() == Kind::Comment)?;
    match read_comment(&token.text(), token.range().start).kind {
        CommentKind::Annotation(annotation) => Some(annotation),
        _ => None,
    }
}
