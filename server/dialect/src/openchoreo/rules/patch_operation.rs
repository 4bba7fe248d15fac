use lofting_diagnostic::{Certainty, Diagnostic, Fix, Said, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An operation that a patch cannot have
    ///
    /// ## What
    /// An operation of a patch is none of `add`, `replace` and `remove`, has no `path` or one that does not begin with `/`, has
    /// no `value` although it adds or replaces one, or has a `value` although it removes one. Documents with `spec.schema`
    /// are not looked at.
    ///
    /// ## Why
    /// The platform refuses the document.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: labels}
    /// spec:
    ///   patches:
    ///   - target: {group: apps, version: v1, kind: Deployment}
    ///     operations:
    ///     - {op: add, path: /metadata/labels/fast}
    /// ```
    ///
    /// ## How to fix
    /// Give a `value`, or use another operation.
    pub static RULE: Rule = Rule {
        code: "openchoreo/patch-operation",
        stage: Stage::Schema,
        severity: Severity::Error,
        certainty: Certainty::NeedsWholeText,
        instead_of: &[Said::Value("one-of"), Said::Lack],
    };
}

/// The finding for an operation without these keys.
pub(crate) fn missing(span: Span, keys: &[&str]) -> Diagnostic {
    let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
    Diagnostic::new(&RULE, span, format!("this operation needs {}", keys.join(" and ")))
        .help("an operation has `op`, `path` and, unless it removes something, `value`")
}

pub(crate) fn unknown(span: Span, name: &str, meant: Option<&str>, all: &[&str]) -> Diagnostic {
    let finding = Diagnostic::new(&RULE, span, format!("there is no operation `{name}`"));
    let finding = match meant {
        Some(meant) => finding.meant(span, meant),
        None => finding.help("there are `add`, `replace` and `remove`"),
    };
    let others = all.iter().filter(|other| meant != Some(**other));
    let change = |name: &&str| Fix::replace(format!("Change to `{name}`"), span, *name).possible();
    others.map(change).fold(finding, Diagnostic::fix)
}

/// The finding for a path that does not begin at the root.
pub(crate) fn path(span: Span, path: &str) -> Diagnostic {
    let fix = Fix::replace("Begin it with `/`", span, format!("/{path}"));
    let finding = Diagnostic::new(&RULE, span, "the path of an operation begins with `/`").fix(fix);
    Diagnostic { severity: Severity::Warning, ..finding }
}

pub(crate) fn value(span: Span) -> Diagnostic {
    Diagnostic::new(&RULE, span, "an operation that removes something cannot have a value").help("leave it out")
}
