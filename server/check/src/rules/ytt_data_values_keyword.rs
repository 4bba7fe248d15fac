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
            found.push(finding(span, &keyword.name));
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

pub(crate) fn wrong_kind(span: Span, keyword: &str, was: &str) -> Diagnostic {
    Diagnostic::new(&RULE, span, format!("`{keyword}=` takes `True` or `False`, but is {was}"))
}
