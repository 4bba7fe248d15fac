use crate::at::At;
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::{Cause, Certainty, Subject, rule};
use lofting_schema::{Admits, Expected, FreeKeys};

rule! {
    /// # A map has too many or too few keys of a kind
    ///
    /// ## What
    /// The schema says how many keys matching a pattern a map needs (`expects=` of `#@schema/key`, 1 by default), and
    /// the final values have a different number.
    ///
    /// ## Why
    /// There is no default for a key without a fixed name: it must be given.
    ///
    /// ## Example
    /// ```yaml
    /// #! schema
    /// #@schema/definition data_values=True
    /// ---
    /// database:
    ///   #@schema/key allowed="^(postgres|mysql)$"
    ///   _: {host: localhost}
    /// #! values
    /// database: {}
    /// ```
    ///
    /// ## How to fix
    /// Give as many keys as the message asks for.
    pub static RULE: Rule = Rule {
        code: "schema/key-count",
        stage: Stage::Type,
        severity: Severity::Error,
        shared: true,
        subject: Subject::Key,
        certainty: Certainty::NeedsAllValues,
        cause: Cause::Inside,
    };
}

pub(crate) fn finding(at: &At<'_>, free: &FreeKeys, found: usize) -> Diagnostic {
    let which = match &free.admits {
        Admits::All => String::new(),
        Admits::Pattern(pattern) => format!(" matching `{}`", pattern.source),
        Admits::Function(_) => " that its function allows".to_owned(),
    };
    let expected = free.expected_words();
    let is_one = matches!(free.expects.last(), Some(Expected::Exactly(1) | Expected::AtLeast(1)));
    let keys = if is_one { "key" } else { "keys" };
    let message = format!("{} needs {expected} {keys}{which}, but has {found}", at.subject());
    Diagnostic::new(&RULE, at.name, message).found(found.to_string(), expected).related(free.span, "said here")
}
