use super::bounds;
use crate::at::At;
use crate::view::{Scalar, View};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::write::double_quoted;
use lofting_syntax::resolve::needs_quotes_in_flow;

rule! {
    /// # A string does not begin or end as its schema says
    ///
    /// ## What
    /// The schema declares how the string begins (`prefix=`, `starts_with=`) or ends (`ends_with=`).
    ///
    /// ## Why
    /// Whatever reads the value relies on it.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/definition data_values=True
    /// ---
    /// #@schema/validate starts_with="https://"
    /// endpoint: https://example.org
    /// #! values
    /// endpoint: example.org
    /// ```
    ///
    /// ## How to fix
    /// Give a string that begins or ends this way.
    pub static RULE: Rule = Rule {
        code: "schema/affix",
        stage: Stage::Validation,
        severity: Severity::Error,
        shared: true,
    };
}

/// Which end of the text.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Start,
    End,
}

pub(crate) fn finding<V: View>(at: &At<'_>, value: V, affix: &str, end: End) -> Diagnostic {
    let verb = match end {
        End::Start => "start",
        End::End => "end",
    };
    let message = format!("{} should {verb} with `{affix}`, but is {}", at.subject(), bounds::plain(at, value));
    let expected = format!("a string {verb}ing with {affix}");
    let finding = Diagnostic::new(&RULE, at.value_span(value), message).found(bounds::plain(at, value), expected);
    let span = finding.span;
    let Some(Scalar::String(text)) = value.scalar().filter(|_| span == value.span()) else { return finding };
    let (title, whole) = match end {
        End::Start => (format!("Write `{affix}` before it"), format!("{affix}{text}")),
        End::End => (format!("Write `{affix}` after it"), format!("{text}{affix}")),
    };
    let written = if needs_quotes_in_flow(at.profile(), &whole) { double_quoted(&whole) } else { whole };
    finding.fix(Fix::replace(title, span, written))
}
