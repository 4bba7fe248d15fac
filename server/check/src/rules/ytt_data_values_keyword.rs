use crate::place::{Look, Looks};
use crate::{Diagnostic, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::{Document, Span};
use lofting_eval::ExprKind;

rule! {
    /// # An argument that data values do not take
    ///
    /// ## What
    /// `#@data/values` takes no argument but `after_library_module=`, which is `True` or `False`, and that only
    /// together with `#@library/ref`.
    ///
    /// ## Why
    /// ytt refuses the file.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values sorted=True
    /// ---
    /// port: 80
    /// ```
    ///
    /// ## How to fix
    /// Remove the argument.
    pub static RULE: Rule = Rule {
        code: "ytt/data-values-keyword",
        stage: Stage::Overlay,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Document(look)]);

fn look(document: &Document, found: &mut Vec<Diagnostic>) {
    let Some(note) = document.notes.get("data/values") else { return };
    for keyword in &note.arguments.keywords {
        let known = keyword.name == "after_library_module" && document.notes.has("library/ref");
        if !known {
            let span = Span::new(note.span.file, keyword.name_range.clone());
            found.push(match keyword.name.as_str() {
                "after_library_module" => without_library(span),
                name => finding(span, name),
            });
        } else if !matches!(keyword.value.kind, ExprKind::Bool(_) | ExprKind::Code | ExprKind::Missing) {
            let span = Span::new(note.span.file, keyword.value.range.clone());
            let was = keyword.value.type_name().unwrap_or("something else");
            found.push(wrong_kind(span, &keyword.name, was));
        }
    }
}

pub(crate) fn finding(span: Span, keyword: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`@data/values` takes no argument `{keyword}`"))
}

/// The argument for values of libraries, on other values.
fn without_library(span: Span) -> Diagnostic {
    let message = "`after_library_module=` is only for values of a library, which `@library/ref` names";
    Diagnostic::new(&RULE, span, message).help("write `#@library/ref \"@NAME\"` above, or remove the argument")
}

pub(crate) fn wrong_kind(span: Span, keyword: &str, was: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{keyword}=` takes `True` or `False`, but is {was}"))
}
