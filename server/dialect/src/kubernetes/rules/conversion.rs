use crate::kubernetes::fields::Fields;
use crate::kubernetes::look::{Definition, Look};
use lofting_cel::refusals;
use lofting_diagnostic::{Diagnostic, Severity, Stage, rule};
use lofting_document::Span;

rule! {
    /// # A conversion of versions that cannot work
    ///
    /// ## What
    /// With `strategy: Webhook`, `webhook.clientConfig` has either `url` or `service`, and `conversionReviewVersions` contains
    /// `v1` or `v1beta1`. With `strategy: None` there is no webhook.
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
    ///     schema:
    ///       openAPIV3Schema:
    ///         type: object
    ///         properties:
    ///           spec: {type: object}
    ///   conversion:
    ///     strategy: Webhook
    /// ```
    ///
    /// ## How to fix
    /// Add what is missing, or use `strategy: None`.
    pub static RULE: Rule = Rule {
        code: "kubernetes/conversion",
        stage: Stage::Schema,
        severity: Severity::Error,
    };
}

pub(in crate::kubernetes) static LOOK: Look = Look::Definition(look);

fn look(definition: &Definition<'_>, found: &mut Vec<Diagnostic>) {
    let Some(conversion) = definition.spec.below("conversion") else { return };
    let Some(strategy) = conversion.text("strategy") else { return };
    match (strategy.text, conversion.entry("webhook")) {
        ("Webhook", None) if conversion.lacks("webhook") => {
            let message = "`webhook` is missing, which says what is called";
            found.push(finding(strategy.span, message));
        }
        ("Webhook", Some(entry)) => webhook(Fields(&entry.value), entry.key_span, found),
        ("None", Some(entry)) => {
            let message = "`webhook` belongs to the strategy `Webhook`";
            found.push(finding(entry.key_span, message).related(strategy.span, "the strategy"));
        }
        _ => {}
    }
}

fn webhook(webhook: Fields<'_>, name: Span, found: &mut Vec<Diagnostic>) {
    let mut report = |span, message: &str| found.push(finding(span, message));
    match webhook.entry("clientConfig") {
        None if webhook.lacks("clientConfig") => report(name, "`clientConfig` is missing, which says what is called"),
        None => {}
        Some(entry) => {
            let config = Fields(&entry.value);
            if let Some(bundle) = config.text("caBundle").filter(|bundle| !is_base64(bundle.text)) {
                report(bundle.span, "the certificates should be encoded in Base64");
            }
            match (config.text("url"), config.entry("service")) {
                (Some(url), None) => {
                    if let Some(message) = wrong_url(url.text) {
                        report(url.span, message);
                    }
                }
                (Some(_), Some(_)) => report(entry.key_span, "a webhook has either `url` or `service`"),
                (None, Some(service)) => {
                    if let Some(path) = Fields(&service.value).text("path")
                        && let Some(message) = wrong_path(path.text)
                    {
                        report(path.span, &message);
                    }
                }
                (None, None) if config.value("url").is_some() => {
                    report(entry.key_span, "the address is empty; it should be `https://host/path`");
                }
                (None, None) if config.lacks("url") && config.lacks("service") => {
                    report(entry.key_span, "a webhook has either `url` or `service`");
                }
                (None, None) => {}
            }
        }
    }
    let mut known: Vec<&str> = Vec::new();
    for version in webhook.texts("conversionReviewVersions") {
        if known.contains(&version.text) {
            found.push(finding(version.span, format!("`{}` is there already", version.text)));
        }
        known.push(version.text);
    }
    if !known.is_empty()
        && !known.iter().any(|version| matches!(*version, "v1" | "v1beta1"))
        && let Some(entry) = webhook.entry("conversionReviewVersions")
    {
        let message = "the API server knows `v1` and `v1beta1`; one of them should be listed";
        found.push(finding(entry.value.span, message));
    }
}

/// What is wrong with the path of a service's webhook.
fn wrong_path(path: &str) -> Option<String> {
    let Some(rest) = path.strip_prefix('/') else { return Some("the path should begin with `/`".to_owned()) };
    let rest = rest.strip_suffix('/').unwrap_or(rest);
    if path == "/" {
        return None;
    }
    let wrong = rest.split('/').find(|segment| !refusals("dns1123Subdomain", segment).is_empty())?;
    Some(match wrong {
        "" => "a part of the path is empty".to_owned(),
        wrong => format!(
            "`{wrong}` cannot be a part of the path: it consists of lower-case letters, digits, hyphens and periods"
        ),
    })
}

/// Whether a text is Base64 as Go reads it: with padding, and in any number of lines.
fn is_base64(text: &str) -> bool {
    let text: Vec<u8> = text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n')).collect();
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let (digits, _) = text.split_at(text.len() - padding);
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    text.len().is_multiple_of(4) && padding <= 2 && digits.iter().all(is_digit)
}

/// What is wrong with the address of a webhook.
fn wrong_url(url: &str) -> Option<&'static str> {
    let rest = url.split_at_checked("https://".len()).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("https://"));
    let Some((_, rest)) = rest else { return Some("the address should begin with `https://`") };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    // A question mark at the end begins no query.
    let query = url.split_once('?').map_or("", |(_, query)| query);
    match () {
        () if host.is_empty() => Some("the address has no host; it should be `https://host/path`"),
        () if host.contains('@') => Some("the address cannot contain a user"),
        () if !query.is_empty() => Some("the address cannot contain a query"),
        () if url.contains('#') => Some("the address cannot contain a fragment"),
        () => None,
    }
}

/// A finding at this place.
fn finding(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(&RULE, span, message)
}
