//! Suppresses a finding: here, in the whole file, or for all files of a `lofting.toml`.

use crate::code_actions::Change;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::json::is_named_json;
use lofting_check::{Diagnostic, rules};
use lofting_diagnostic::Confidence;
use lofting_document::Span;
use lofting_workspace::config::{StatementKind, statements};
use lofting_workspace::{FileKind, NameKind};

pub(super) fn offer(context: &Context<'_>, finding: &Diagnostic, offers: &mut Offers<'_>) {
    let code = finding.code();
    if is_with_comments(context) && !rules::OF_SUPPRESSIONS.contains(&finding.rule) {
        if let Some(edit) = here(context, finding, &code) {
            offers.add(format!("Ignore `{code}` here"), Confidence::Possible, || Some(Change::of(vec![edit])));
        }
        offers.add(format!("Ignore `{code}` in this file"), Confidence::Possible, || {
            Some(Change::of(vec![in_file(context, &code)]))
        });
    }
    if let Some(configuration) = context.snapshot.configuration_of(context.file) {
        offers.add(format!("Switch `{code}` off in `lofting.toml`"), Confidence::Possible, || {
            let text = context.snapshot.text(configuration).to_string();
            let (at, line) = off(&text, &code)?;
            Some(Change::replace(Span::new(configuration, at..at), line))
        });
    }
}

/// Whether suppression comments are read in the file.
fn is_with_comments(context: &Context<'_>) -> bool {
    let name = NameKind::of_path(context.snapshot.path(context.file));
    !matches!(name, NameKind::Text | NameKind::TextLibrary) && !is_named_json(context.snapshot, context.file)
}

/// A comment above the line of the finding; None where a comment would become part of a text.
fn here(context: &Context<'_>, finding: &Diagnostic, code: &str) -> Option<(Span, String)> {
    let number = context.text.line_of(finding.span.range().start);
    let line = context.text.line_range(number);
    let kind = context.snapshot.kind(context.file);
    let is_yaml =
        kind != FileKind::Configuration && NameKind::of_path(context.snapshot.path(context.file)) != NameKind::Starlark;
    if is_yaml {
        let tree = context.tree();
        let goes_through = |before: usize| {
            let token = tree.token_at(before)?;
            (token.range().end > line.start && !token.kind().is_trivia()).then_some(())
        };
        if line.start.checked_sub(1).and_then(goes_through).is_some() {
            return None;
        }
    }
    if let Some(above) = number.checked_sub(1).and_then(|above| added_to(context, above, "ignore", code)) {
        return Some(above);
    }
    let text = context.text.slice(line.clone());
    // Nothing can be inserted before a byte order mark.
    if text.starts_with('\u{feff}') {
        return None;
    }
    let indentation = " ".repeat(text.len() - text.trim_start_matches(' ').len());
    let comment = format!("{indentation}{} lofting: ignore {code}{}", context.comment_mark(), context.newline());
    Some((context.span(line.start..line.start), comment))
}

/// A comment at the top, after a byte order mark.
fn in_file(context: &Context<'_>, code: &str) -> (Span, String) {
    if let Some(top) = added_to(context, 0, "ignore-file", code) {
        return top;
    }
    let start = if context.text.slice(0..3).starts_with('\u{feff}') { 3 } else { 0 };
    let comment = format!("{} lofting: ignore-file {code}{}", context.comment_mark(), context.newline());
    (context.span(start..start), comment)
}

/// Adds the code to those of an existing comment.
fn added_to(context: &Context<'_>, line: usize, word: &str, code: &str) -> Option<(Span, String)> {
    let range = context.text.line_range(line);
    let text = context.text.slice(range.clone());
    let comment = text.trim_start().strip_prefix('#')?;
    let codes = comment.trim_start_matches('!').trim_start().strip_prefix("lofting:")?.trim_start();
    let codes = codes.strip_prefix(word)?;
    if !codes.starts_with([' ', '\t']) {
        return None;
    }
    let start = range.end - codes.len();
    // A reason may follow two dashes.
    let at = start + codes.split(" -- ").next().unwrap_or_default().trim_end().len();
    Some((context.span(at..at), format!(" {code}")))
}

/// Where and what to insert in a `lofting.toml` to switch a rule off; None if the rule is mentioned already.
fn off(text: &str, code: &str) -> Option<(usize, String)> {
    let (mut header, mut inside) = (None, false);
    for statement in statements(text) {
        match statement.kind {
            StatementKind::Header(names) => {
                inside = matches!(names.as_slice(), [(name, _)] if name == "rules");
                if inside {
                    header = Some(statement.range.start);
                }
            }
            StatementKind::Entry((name, _)) if inside && name == code => return None,
            StatementKind::Entry(_) => {}
        }
    }
    let entry = format!("\"{code}\" = \"off\"\n");
    let Some(header) = header else {
        let gap = if text.is_empty() || text.ends_with("\n\n") {
            ""
        } else if text.ends_with('\n') {
            "\n"
        } else {
            "\n\n"
        };
        return Some((text.len(), format!("{gap}[rules]\n{entry}")));
    };
    match text.get(header..)?.find('\n') {
        Some(end) => Some((header + end + 1, entry)),
        None => Some((text.len(), format!("\n{entry}"))),
    }
}
