use crate::proposals::{is_sure, nearest};
use lofting_diagnostic::words::with_article;
use lofting_diagnostic::{Cause, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::{Note, Span};
use lofting_eval::{Expr, ExprKind};

rule! {
    /// # The head of a schema document is wrong
    ///
    /// ## What
    /// The annotation above `---` does not say that the document is a schema for data values, or there are two of them,
    /// or one is on an item.
    ///
    /// ## Why
    /// It decides how the document is read.
    ///
    /// ## Example
    /// ```yaml
    /// #@schema/definition data_values=False
    /// ---
    /// a: 1
    /// ```
    ///
    /// ## How to fix
    /// Write `#@schema/match data_values=True` or `#@schema/definition data_values=True`.
    pub static RULE: Rule = Rule {
        code: "proposals/head",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::DocumentHead,
    };
}

/// Looks at the head of a document, which is the first of its schema or a later one.
pub(crate) fn look(own: &Note, is_first: bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if own.name == "schema/amend" && is_first {
        found.push(finding(own.span, "there is nothing to amend: this is the first schema document"));
    }
    if is_sure(own) {
        let whole = format!("#@{} data_values=True", own.name);
        let wrong = arguments(own).map(|message| finding(own.span, &message));
        found.extend(wrong.map(|finding| match own.name.as_str() {
            "schema/match" | "schema/definition" => {
                finding.fix(Fix::replace("Write `data_values=True`", own.span, whole))
            }
            _ => finding,
        }));
    }
    found
}

pub(crate) fn finding(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}

fn arguments(note: &Note) -> Option<String> {
    let name = &note.name;
    let known: &[&str] = match name.as_str() {
        "schema/match" => &["data_values"],
        "schema/definition" => &["data_values", "name"],
        _ => &[],
    };
    let arguments = &note.arguments;
    if !arguments.positional.is_empty() {
        return Some(match known {
            [] => format!("`@{name}` takes no argument"),
            _ => format!("`@{name}` takes keyword arguments: write `data_values=True`"),
        });
    }
    if let Some(keyword) = arguments.keywords.iter().find(|keyword| !known.contains(&keyword.name.as_str())) {
        let meant =
            nearest(&keyword.name, known).map(|known| format!(": did you mean `{known}=`?")).unwrap_or_default();
        return Some(format!("`@{name}` has no argument `{}=`{meant}", keyword.name));
    }
    let given = |name: &str| arguments.keyword(name).map(|keyword| &keyword.value);
    match (given("data_values"), given("name")) {
        _ if known.is_empty() => None,
        (None, None) => Some("it is not stated what this schema is for: write `data_values=True`".to_owned()),
        (data_values, name) => data_values.and_then(for_data_values).or_else(|| name.and_then(named)),
    }
}

fn for_data_values(value: &Expr) -> Option<String> {
    match value.kind {
        ExprKind::Bool(true) => None,
        ExprKind::Bool(false) => Some("it is not stated what this schema is for: write `data_values=True`".to_owned()),
        _ => value.type_name().map(|found| format!("`data_values=` takes `True`, but is {}", with_article(found))),
    }
}

fn named(value: &Expr) -> Option<String> {
    match value.as_str() {
        Some("data/values") => None,
        Some(other) => Some(format!("a schema can only be for data/values, not for `{other}`")),
        None => value.type_name().map(|found| format!("`name=` takes \"data/values\", but is {}", with_article(found))),
    }
}
