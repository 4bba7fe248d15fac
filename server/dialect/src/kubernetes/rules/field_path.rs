use crate::kubernetes::fields::{Fields, Text, has_lines};
use crate::kubernetes::look::Look;
use crate::kubernetes::paths;
use lofting_diagnostic::{Cause, Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A path in a definition does not lead to a field
    ///
    /// ## What
    /// Paths begin with a period: `.spec.replicas`. Selectable fields and `fieldPath` of rules lead to fields of the schema,
    /// `specReplicasPath` below `.spec` and `statusReplicasPath` below `.status`.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.example.com}
    /// spec:
    ///   group: example.com
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     selectableFields:
    ///     - jsonPath: .spec.colour
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object}
    /// ```
    ///
    /// ## How to fix
    /// Write the path of a field that the schema declares.
    pub static RULE: Rule = Rule {
        code: "kubernetes/field-path",
        stage: Stage::Schema,
        severity: Severity::Error,
        cause: Cause::NameGiven,
    };
}

pub(in crate::kubernetes) static LOOKS: [Look; 2] = [Look::Version(look), Look::Schema(look_at_rules)];

/// How many fields can be selected by.
const SELECTABLE: usize = 8;

fn look(version: Fields<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(scale) = version.below("subresources").and_then(|subresources| subresources.below("scale")) {
        self::scale(scale, found);
    }
    for column in version.items("additionalPrinterColumns").iter().map(|item| Fields(&item.value)) {
        found.extend(column.written("jsonPath").and_then(no_path));
    }
    let schema = version.below("schema").and_then(|schema| schema.below("openAPIV3Schema"));
    selectable(version, schema, found);
}

/// Rules in CEL are reported at the field that they name.
fn look_at_rules(schema: Fields<'_>, found: &mut Vec<Diagnostic>) {
    for rule in schema.items("x-kubernetes-validations").iter().map(|item| Fields(&item.value)) {
        let Some(Text { text: path, span }) = rule.text("fieldPath") else { continue };
        let wrong = match paths::field(schema, path, paths::Brackets::Allowed) {
            _ if path.trim().is_empty() => Some("the path is blank".to_owned()),
            _ if has_lines(path) => Some("the path should be on one line".to_owned()),
            Err(why) => Some(format!("`{path}` {why}")),
            Ok(_) => None,
        };
        found.extend(wrong.map(|message| finding(span, message)));
    }
}

/// A path has to begin with a period.
fn no_path(path: Text<'_>) -> Option<Diagnostic> {
    let message = match path.text {
        "" => "the path is empty".to_owned(),
        path => format!("`{path}` does not begin with a period"),
    };
    (!path.text.starts_with('.')).then(|| finding(path.span, message))
}

fn scale(scale: Fields<'_>, found: &mut Vec<Diagnostic>) {
    let below: [(&str, &[&str]); 3] = [
        ("specReplicasPath", &[".spec."]),
        ("statusReplicasPath", &[".status."]),
        ("labelSelectorPath", &[".spec.", ".status."]),
    ];
    for (key, roots) in below {
        let Some(path) = scale.text(key) else { continue };
        if let Some(finding) = no_path(path) {
            found.push(finding);
        } else if !roots.iter().any(|root| path.text.starts_with(root)) {
            let roots: Vec<String> = roots.iter().map(|root| format!("`{}`", root.trim_end_matches('.'))).collect();
            let message = format!("`{}` does not lead to a field below {}", path.text, roots.join(" or "));
            found.push(finding(path.span, message));
        }
    }
}

fn selectable(version: Fields<'_>, schema: Option<Fields<'_>>, found: &mut Vec<Diagnostic>) {
    let Some(schema) = schema else { return };
    let mut known: Vec<Text<'_>> = Vec::new();
    for field in version.items("selectableFields").iter().map(|item| Fields(&item.value)) {
        let Some(path) = field.written("jsonPath") else { continue };
        let message = match paths::field(schema, path.text, paths::Brackets::Refused) {
            _ if path.text.is_empty() => Some("the path is empty".to_owned()),
            Err(why) => Some(format!("`{}` {why}", path.text)),
            Ok(_) if path.text == ".metadata" || path.text.starts_with(".metadata.") => {
                Some("fields of `metadata` cannot be selected".to_owned())
            }
            Ok(Some(field)) => match field.text("type") {
                Some(of) if !matches!(of.text, "string" | "boolean" | "integer") => Some(format!(
                    "`{}` leads to a value of type {}; only strings, booleans and integers can be selected",
                    path.text, of.text
                )),
                None if field.lacks("type") => Some(format!(
                    "`{}` leads to a value without a type; only strings, booleans and integers can be selected",
                    path.text
                )),
                _ => None,
            },
            Ok(None) => None,
        };
        if let Some(message) = message {
            found.push(finding(path.span, message));
        } else if let Some(first) = known.iter().find(|known| known.text == path.text) {
            let message = format!("`{}` is selectable already", path.text);
            found.push(finding(path.span, message).related(first.span, "the first time"));
        } else {
            known.push(path);
        }
    }
    if let Some(more) = known.get(SELECTABLE) {
        found.push(finding(more.span, format!("at most {SELECTABLE} fields can be selected")));
    }
}

/// A finding at this place.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
