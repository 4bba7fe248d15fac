//! `--format text`: source excerpts with carets, for people.

use std::fmt::Write;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use lofting_check::{Diagnostic, Severity, rules};
use lofting_document::Span;
use lofting_text::{Breaks, Text, visible_at};
use lofting_workspace::CheckReport;

use super::Findings;
use crate::terminal;

/// How many lines of a finding are shown; of a longer one, only the first line is.
const LINES_SHOWN: usize = 6;

/// Longer lines (in bytes) are cut to this much around the finding.
const LINE_WIDTH: usize = 400;

/// All findings and a summary, with colours if requested.
pub(crate) fn render(report: &CheckReport, colour: bool) -> String {
    render_findings(&Findings::of(report, usize::MAX, true, false), colour)
}

/// The shown findings, how many are hidden, and a summary of the report unless only findings are wanted.
pub(super) fn render_findings(findings: &Findings<'_>, colour: bool) -> String {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for diagnostic in &findings.shown {
        out.push_str(&renderer.render(&[group(findings.report, diagnostic)]));
        out.push_str("\n\n");
    }
    if findings.hidden > 0 {
        let _ = writeln!(out, "{} not shown (--max-findings)", counted(findings.hidden, "finding"));
    }
    if !findings.quiet {
        out.push_str(&summary(findings.report));
    }
    out
}

pub(super) fn counted(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

fn summary(report: &CheckReport) -> String {
    let mut line = format!("{} checked: ", counted(report.files.len(), "file"));
    let _ = write!(line, "{}", counted(report.count(Severity::Error), "error"));
    let _ = write!(line, ", {}", counted(report.count(Severity::Warning), "warning"));
    let stopped = report.count_of(&rules::NOT_EVALUATED);
    if stopped > 0 {
        let _ = write!(line, ", {} not evaluated to the end", counted(stopped, "place"));
    }
    line.push('\n');
    for (schema, count) in &report.coverage.with {
        let _ = writeln!(line, "  {} checked with {}", counted(*count, "file"), terminal::line(schema));
    }
    for (why, count) in &report.coverage.without {
        let _ = writeln!(line, "  {} without a schema: {why}", counted(*count, "file"));
    }
    if report.coverage.templates > 0 {
        let _ = writeln!(
            line,
            "  {} not checked: templates of Helm, Jinja or the like",
            counted(report.coverage.templates, "file")
        );
    }
    line
}

fn group<'a>(report: &'a CheckReport, diagnostic: &'a Diagnostic) -> Group<'a> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
        Severity::Hint => Level::NOTE.with_name("hint"),
    };
    let label = match (&diagnostic.expected, &diagnostic.found) {
        (Some(expected), Some(found)) => {
            Some(terminal::line(&format!("expected {expected}, found {found}")).into_owned())
        }
        _ => None,
    };
    let mut group = level
        .primary_title(terminal::lines(&diagnostic.message))
        .id(diagnostic.code())
        .elements(std::iter::empty::<Snippet<'_, Annotation<'_>>>());
    group = group.element(excerpt(report, diagnostic.span, AnnotationKind::Primary, label));
    // Texts of the program are not files of the user's.
    for related in diagnostic.related.iter().filter(|related| report.snapshot.is_file(related.span.file)) {
        let label = terminal::line(&related.message).into_owned();
        group = group.element(excerpt(report, related.span, AnnotationKind::Context, Some(label)));
    }
    match &diagnostic.help {
        Some(help) => group.element(Level::HELP.message(terminal::lines(help))),
        None => group,
    }
}

/// The lines around a span, so that rendering does not depend on the size of the file.
fn excerpt<'a>(
    report: &'a CheckReport,
    span: Span,
    kind: AnnotationKind,
    label: Option<String>,
) -> Snippet<'a, Annotation<'a>> {
    let text = report.snapshot.text(span.file);
    let (window, marked) = window(&text, span.range());
    let line = text.line_of(window.start);
    let mut marks = [marked.start - window.start, marked.end - window.start];
    let source = visible_at(&text.slice(window), Breaks::Kept, &mut marks);
    let annotation = kind.span(marks[0]..marks[1]).label(label);
    Snippet::source(source).line_start(line + 1).path(terminal::line(report.name(span.file))).annotation(annotation)
}

/// The bytes to show for a range, and those of them to mark.
fn window(text: &Text, range: Range<usize>) -> (Range<usize>, Range<usize>) {
    let start = text.round_down(range.start);
    let end = text.round_down(range.end).max(start);
    let (first, last) = (text.line_of(start), text.line_of(end));
    let first_line = text.line_range(first);
    let (mut window, mut marked) = if last - first < LINES_SHOWN {
        (first_line.start..text.line_range(last).end.max(end), start..end)
    } else {
        let end = first_line.end.max(start);
        (first_line.start..end, start..end)
    };
    if window.len() > LINES_SHOWN * LINE_WIDTH {
        // A minified file: only the surroundings are shown.
        marked.end = text.round_down(marked.end.min(marked.start + LINE_WIDTH));
        window.start = text.round_down(window.start.max(marked.start.saturating_sub(LINE_WIDTH / 4)));
        window.end = text.round_down(window.end.min(marked.end + LINE_WIDTH / 4));
    }
    (window, marked)
}
