use lofting_diagnostic::{Cause, Certainty, Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # An unknown type
    ///
    /// ## What
    /// A definition names a type that is not `string`, `integer`, `number` or `boolean`, not an array (`[]string`) or
    /// map (`map<string>`), and not a custom type. In `openAPIV3Schema`, `type` is one of `string`, `integer`, `number`,
    /// `boolean`, `array` and `object`. Names are case-sensitive.
    ///
    /// ## Why
    /// The platform refuses the document, or, with `openAPIV3Schema`, every value of the field.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: openchoreo.dev/v1alpha1
    /// kind: Trait
    /// metadata: {name: sized}
    /// spec:
    ///   schema:
    ///     parameters:
    ///       replicas: int
    /// ```
    ///
    /// ## How to fix
    /// Correct the name, or define the type below `types`.
    pub static RULE: Rule = Rule {
        code: "openchoreo/unknown-type",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::NameGiven,
        certainty: Certainty::NeedsWholeText,
    };
}

pub(crate) fn finding(span: Span, name: &str, meant: Option<&str>) -> Diagnostic {
    let finding = match name {
        "" => Diagnostic::new(&RULE, span, "a type is missing here"),
        _ => Diagnostic::new(&RULE, span, format!("there is no type `{name}`")),
    };
    match (meant, name) {
        (Some(meant), _) => finding.meant(span, meant),
        (None, "array" | "list") => finding.help("a list names the type of its items: `[]string`"),
        (None, "map") => finding.help("a map names the type of its values: `map<string>`"),
        (None, "any" | "null") => finding.help("each field has one type; nothing stands for any value"),
        _ => finding.help("types are `string`, `integer`, `number`, `boolean`, lists, maps, and those below `types`"),
    }
}

/// The finding for the keyword `type`; `meant` is the type that was probably meant, with the text to write.
pub(crate) fn keyword(span: Span, name: &str, meant: Option<(&str, String)>) -> Diagnostic {
    let types = "`type` should be one of `string`, `integer`, `number`, `boolean`, `array` and `object`";
    let finding = Diagnostic::new(&RULE, span, format!("{types}, but is `{name}`"));
    match meant {
        Some((meant, new)) => finding.help(format!("did you mean `{meant}`?")).fix(Fix::replace(
            format!("Change to `{meant}`"),
            span,
            new,
        )),
        None => finding,
    }
}
