use crate::place::{EntryPlace, Look, Looks, ScalarPlace};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::{Status, rule};
use lofting_document::Span;
use lofting_syntax::{foreign_space, is_foreign_space};
use std::ops::Range;

rule! {
    /// # A space that is a letter for YAML
    ///
    /// ## What
    /// A key or value without quotes begins with a space of Unicode, such as the no-break space (`U+00A0`), or a key ends with
    /// one. A value begins like a key or an item, with such a space after the colon or dash.
    ///
    /// ## Why
    /// YAML takes only the space and the tab for blanks. Other spaces do not indent a line, and are a part of the key or
    /// value: the key differs from the one that can be seen, and is at another depth, and `5` is a string. Examples that are
    /// copied from web pages and word processors contain such spaces.
    ///
    /// ## Example
    /// No example: the character cannot be seen on this page.
    ///
    /// ## How to fix
    /// Write ordinary spaces. Where the character is meant, put the text in quotes.
    pub static RULE: Rule = Rule {
        code: "yaml/unicode-space",
        stage: Stage::Lint,
        severity: Severity::Warning,
        status: Status::Preview,
    };
}

pub(crate) static LOOKS: Looks = Looks::everywhere(&[Look::Entry(key), Look::Scalar(value)]);

fn key(place: &EntryPlace<'_>, found: &mut Vec<Diagnostic>) {
    let Some(key) = place.key.as_str().filter(|key| !key.is_ascii() && !place.merged) else { return };
    if !key.starts_with(is_foreign_space) && !key.ends_with(is_foreign_space) {
        return;
    }
    let Some(written) = place.source.text(place.span) else { return };
    match leading(&written) {
        Some(spaces) => {
            let ordinary = " ".repeat(written.get(spaces.clone()).unwrap_or_default().chars().count());
            found.push(finding(place.span, &written, spaces, "key", &ordinary));
        }
        None => {
            let end = written.trim_end_matches(is_foreign_space).len();
            // In quotes it is meant.
            if end < written.len() {
                found.push(finding(place.span, &written, end..written.len(), "key", ""));
            }
        }
    }
}

fn value(place: &ScalarPlace<'_>, found: &mut Vec<Diagnostic>) {
    let may_be = |text: &str| !text.is_ascii() && (leading(text).is_some() || foreign_space(text.as_bytes()).is_some());
    let Some(written) = place.written_if(may_be) else { return };
    let spaces = leading(&written).map(|spaces| (spaces, ""));
    let spaces = spaces.or_else(|| Some((foreign_space(written.as_bytes())?, " ")));
    found.extend(spaces.map(|(spaces, ordinary)| finding(place.span, &written, spaces, "value", ordinary)));
}

/// The spaces with which a text begins.
fn leading(text: &str) -> Option<Range<usize>> {
    let len = text.len() - text.trim_start_matches(is_foreign_space).len();
    (len > 0).then_some(0..len)
}

fn finding(whole: Span, written: &str, spaces: Range<usize>, of: &str, ordinary: &str) -> Diagnostic {
    let code = written.get(spaces.clone()).and_then(|spaces| spaces.chars().next()).map_or(0, u32::from);
    let at = |offset: usize| whole.start.saturating_add(u32::try_from(offset).unwrap_or(u32::MAX));
    let span = Span { start: at(spaces.start), end: at(spaces.end), ..whole };
    let message = format!("this space (U+{code:04X}) is a part of the {of}: YAML takes only ordinary ones for blanks");
    let title = if ordinary.is_empty() { "Remove it" } else { "Write an ordinary space" };
    Diagnostic::new(&RULE, span, message).fix(Fix::replace(title, span, ordinary))
}
