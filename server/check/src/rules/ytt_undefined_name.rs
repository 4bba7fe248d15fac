use crate::place::{AnnotationPlace, Look, Looks};
use crate::{Diagnostic, Fix, Severity, Stage};
use lofting_diagnostic::rule;
use lofting_document::Span;

rule! {
    /// # An undefined name
    ///
    /// ## What
    /// Arguments of annotations are Starlark, which writes `True`, `False` and `None` with a capital letter. `true`,
    /// `false` and `null` are names that are not defined.
    ///
    /// ## Why
    /// ytt cannot compile the file.
    ///
    /// ## Example
    /// ```yaml
    /// #@data/values-schema
    /// ---
    /// #@schema/type any=true
    /// host: ""
    /// ```
    ///
    /// ## How to fix
    /// Write `True`, `False` or `None`.
    pub static RULE: Rule = Rule {
        code: "ytt/undefined-name",
        stage: Stage::Template,
        severity: Severity::Error,
    };
}

pub(crate) static LOOKS: Looks = Looks::in_templates(&[Look::Annotation(look)]);

fn look(place: &AnnotationPlace<'_>, found: &mut Vec<Diagnostic>) {
    for name in &place.note.arguments.names {
        found.extend(finding(Span::new(place.note.span.file, name.range.clone()), &name.name));
    }
}

/// None if the name may be defined somewhere.
pub(crate) fn finding(span: Span, name: &str) -> Option<Diagnostic> {
    let meant = match name {
        "true" => "True",
        "false" => "False",
        "null" | "nil" | "none" => "None",
        _ => return None,
    };
    Some(
        Diagnostic::new(&RULE, span, format!("`{name}` is not defined"))
            .help(format!("Starlark writes `{meant}`"))
            .fix(Fix::replace(format!("Change to `{meant}`"), span, meant)),
    )
}
