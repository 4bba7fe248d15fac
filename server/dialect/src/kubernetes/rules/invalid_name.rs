use crate::kubernetes::fields::{Fields, Text};
use crate::kubernetes::look::{Definition, Look};
use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A name in a definition that Kubernetes does not allow
    ///
    /// ## What
    /// Names of groups, versions and kinds are DNS names: lower-case letters, digits and hyphens, beginning with a letter. A
    /// group is a domain with at least one period; the case of `kind` and `listKind` is free, but they have to differ.
    ///
    /// ## Why
    /// The API server refuses the definition.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: apiextensions.k8s.io/v1
    /// kind: CustomResourceDefinition
    /// metadata: {name: boats.example}
    /// spec:
    ///   group: example
    ///   names: {kind: Boat, plural: boats}
    ///   scope: Namespaced
    ///   versions:
    ///   - name: v1
    ///     served: true
    ///     storage: true
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object}
    /// ```
    ///
    /// ## How to fix
    /// Write the name as the message says.
    pub static RULE: Rule = Rule {
        code: "kubernetes/invalid-name",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Definition(look);

fn look(&Definition { spec, .. }: &Definition<'_>, found: &mut Vec<Diagnostic>) {
    let versions = spec.items("versions").iter().map(|item| Fields(&item.value).text("name"));
    versions.for_each(|name| label(name, found));
    let called = spec
        .below("conversion")
        .filter(|conversion| conversion.text("strategy").is_some_and(|strategy| strategy.text == "Webhook"));
    let webhook = called.and_then(|conversion| conversion.below("webhook"));
    let mut reviewed: Vec<&str> = Vec::new();
    for version in webhook.into_iter().flat_map(|webhook| webhook.texts("conversionReviewVersions")) {
        if !reviewed.contains(&version.text) {
            label(Some(version), found);
        }
        reviewed.push(version.text);
    }
    let group = spec.text("group");
    if let Some(group) = group {
        if !is_domain(group.text) {
            found.push(finding(group.span, no_domain(group.text)));
        } else if !group.text.contains('.') {
            let message = format!("`{}` has no period: a group is a domain, such as `boats.example.com`", group.text);
            found.push(finding(group.span, message));
        }
    }
    let Some(names) = spec.below("names") else { return };
    for key in ["plural", "singular"] {
        label(names.text(key), found);
    }
    for key in ["kind", "listKind"] {
        if let Some(name) = names.text(key).filter(|name| !is_label(&name.text.to_lowercase())) {
            let message = format!("`{}` is not a valid {key}: {LETTERS}, in upper or lower case", name.text);
            found.push(finding(name.span, message));
        }
    }
    for key in ["shortNames", "categories"] {
        names.texts(key).for_each(|name| label(Some(name), found));
    }
    if let (Some(kind), Some(list)) = (names.text("kind"), names.text("listKind"))
        && kind.text == list.text
    {
        let finding = finding(list.span, "`listKind` cannot be the kind itself");
        let fix = Fix::replace(format!("Change to `{}List`", kind.text), list.span, format!("{}List", kind.text));
        found.push(finding.related(kind.span, "the kind").fix(fix));
    }
}

/// What a label of DNS consists of.
const LETTERS: &str =
    "it should consist of up to 63 letters, digits and hyphens, begin with a letter and not end with a hyphen";

/// Reports a name that is not a DNS label.
fn label(name: Option<Text<'_>>, found: &mut Vec<Diagnostic>) {
    let Some(name) = name.filter(|name| !is_label(name.text)) else { return };
    let lower = name.text.to_lowercase();
    let finding = finding(name.span, format!("`{}` is not a valid name: {LETTERS}, in lower case", name.text));
    found.push(if is_label(&lower) {
        finding.fix(Fix::replace(format!("Change to `{lower}`"), name.span, lower))
    } else {
        finding
    });
}

/// Whether a name is a label as RFC 1035 has it.
fn is_label(name: &str) -> bool {
    name.len() <= 63 && name.starts_with(|c: char| c.is_ascii_lowercase()) && is_part(name)
}

fn is_part(part: &str) -> bool {
    let is_inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !part.is_empty() && part.chars().all(is_inner) && !part.starts_with('-') && !part.ends_with('-')
}

/// Whether a name is a subdomain as RFC 1123 has it.
fn is_domain(name: &str) -> bool {
    name.len() <= 253 && name.split('.').all(is_part)
}

fn no_domain(name: &str) -> String {
    format!("`{name}` is not a domain: parts of lower-case letters, digits and hyphens, separated by periods")
}

/// A finding at this place.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
