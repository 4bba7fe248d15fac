//! How many findings are shown.

use crate::Diagnostic;
use crate::bound::{LIMIT, bound};
use crate::words::capped;
use lofting_document::FileId;

/// Longer messages are cut, in characters: code can fail with a message of megabytes.
const MESSAGE_LIMIT: usize = 2_000;

/// Related places shown with a finding.
const RELATED_LIMIT: usize = 40;

/// Cuts texts and lists that are too long to read.
fn cap(finding: &mut Diagnostic) {
    let cap = |text: &mut String| {
        if text.len() > MESSAGE_LIMIT {
            *text = capped(text, MESSAGE_LIMIT);
        }
    };
    cap(&mut finding.message);
    let more = [&mut finding.found, &mut finding.expected, &mut finding.path, &mut finding.help];
    more.into_iter().flatten().for_each(cap);
    finding.related.truncate(RELATED_LIMIT);
    finding.related.iter_mut().for_each(|related| cap(&mut related.message));
    finding.fixes.iter_mut().for_each(|fix| cap(&mut fix.title));
}

/// Sorts findings by place, drops repeated ones, and keeps [`LIMIT`] of them plus a note about the rest. `more` counts
/// findings that were not even made.
pub fn limit(findings: &mut Vec<Diagnostic>, more: usize) {
    limit_to(LIMIT, findings, more);
}

/// Keeps at most this many findings.
pub fn limit_to(most: usize, findings: &mut Vec<Diagnostic>, more: usize) {
    bound(findings);
    findings.iter_mut().for_each(cap);
    let more = more + findings.iter_mut().map(|finding| std::mem::take(&mut finding.unmade)).sum::<usize>();
    findings.sort_by(|a, b| {
        let place = |d: &Diagnostic| (d.span.file, d.span.start, d.severity, d.span.end);
        place(a).cmp(&place(b)).then_with(|| a.code().cmp(&b.code()))
    });
    findings
        .dedup_by(|later, kept| later.rule == kept.rule && later.span == kept.span && later.message == kept.message);
    // What one pattern gives up on, it gives up on everywhere.
    let mut reported: Option<FileId> = None;
    findings.retain(|finding| {
        *finding.rule != crate::rules::lofting_pattern_limit::RULE
            || reported.replace(finding.span.file) != Some(finding.span.file)
    });
    let dropped = findings.len().saturating_sub(most) + more;
    if dropped > 0 {
        // Errors decide the exit code, so they are kept before milder findings.
        findings.sort_by_key(|d| d.severity);
        findings.truncate(most);
        findings.sort_by_key(|d| (d.span.file, d.span.start));
        if let Some(last) = findings.last() {
            let note = crate::rules::too_many_findings(last.span, dropped);
            findings.push(note);
        }
    }
}
