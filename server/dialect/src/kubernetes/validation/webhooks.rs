//! What admits resources: webhooks (`validateWebhook`), and policies in expressions.

use super::admission;
use super::decoded::Decoded;
use super::look::{Look, OLD_LABEL, PORTS, QUALIFIED, SUBDOMAIN};
use super::selectors::selector;
use super::table::{Row, RowKind};
use crate::kubernetes::rules::text_form;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;

const OPERATIONS: [&str; 5] = ["CREATE", "UPDATE", "DELETE", "CONNECT", "*"];

/// Versions of what the server sends.
const REVIEWS: [&str; 2] = ["v1", "v1beta1"];

fn is_url(text: &str) -> bool {
    let host = |rest: &str| rest.split('/').next().is_some_and(|host| !host.is_empty() && !host.contains('@'));
    text.strip_prefix("https://").is_some_and(|rest| host(rest) && !rest.contains(['?', '#']))
}

fn is_path(text: &str) -> bool {
    let Some(rest) = text.strip_prefix('/') else { return false };
    rest.is_empty() || rest.strip_suffix('/').unwrap_or(rest).split('/').all(SUBDOMAIN.0)
}

pub(super) fn webhooks(resource: &Decoded<'_>, look: &mut Look) {
    let webhooks = resource.items("webhooks");
    look.unique_at(&webhooks, "name", "the webhook");
    for webhook in &webhooks {
        let is_qualified = |name: &str| (SUBDOMAIN.0)(name) && name.split('.').count() > 2;
        look.form(
            webhook,
            "name",
            (is_qualified, "a name of at least three parts with periods between them, such as `check.example.com`"),
        );
        look.number(webhook, "timeoutSeconds", 1..=30);
        look.has_items(webhook, "admissionReviewVersions");
        for key in ["namespaceSelector", "objectSelector"] {
            if let Some(own) = webhook.key(key) {
                selector(&own, look);
            }
        }
        admission::conditions(webhook, false, look);
        if let Some(client) = webhook.key("clientConfig") {
            look.exactly_one(&client, &["url", "service"]);
            look.form(&client, "url", (is_url, "an address that begins with `https://`, without a user, `?` and `#`"));
            if let Some(service) = client.key("service") {
                for key in ["name", "namespace"] {
                    look.filled(&service, key);
                }
                look.number(&service, "port", PORTS);
                look.form(&service, "path", (is_path, "a path that begins with `/`, whose parts are names of DNS"));
            }
        }
        webhook.items("rules").iter().for_each(|rule| self::rule(rule, look));
        conditions(webhook, look);
        let versions = webhook.items("admissionReviewVersions");
        look.unique_items(&versions, "the version");
        for version in &versions {
            look.formed(version, OLD_LABEL);
        }
        let texts: Option<Vec<SmolStr>> = versions.iter().map(|version| version.text()).collect();
        if let Some(field) = webhook.key("admissionReviewVersions")
            && texts
                .is_some_and(|texts| !texts.is_empty() && !texts.iter().any(|text| REVIEWS.contains(&text.as_str())))
        {
            let message = "none of these is a version that the server sends, which are `v1` and `v1beta1`";
            look.found.push(text_form::said(look.span(field.place()), message));
        }
    }
}

/// What is looked at before a request is sent or judged.
fn conditions(holder: &Decoded<'_>, look: &mut Look) {
    look.at_most(holder, "matchConditions", 64);
    look.rows(
        holder,
        &[
            (&["matchConditions", "[]"], &["name", "expression"], RowKind::Filled),
            (&["matchConditions", "[]"], &["name"], RowKind::Like(QUALIFIED)),
        ],
    );
    look.unique_at(&holder.items("matchConditions"), "name", "the condition");
}

/// `validateRuleWithOperations`
fn rule(rule: &Decoded<'_>, look: &mut Look) {
    for key in ["operations", "apiGroups", "apiVersions", "resources"] {
        look.nonempty(rule, key);
    }
    for operation in rule.items("operations") {
        look.worded(&operation, &OPERATIONS);
    }
    for key in ["operations", "apiGroups", "apiVersions"] {
        alone(rule, key, look);
    }
    covered(&rule.items("resources"), look);
}

/// `*` stands for everything, and nothing else is beside it.
pub(super) fn alone(holder: &Decoded<'_>, key: &str, look: &mut Look) {
    everything(&holder.items(key), "*", look);
}

/// Whether an item stands for everything although it is not the only one.
fn everything(items: &[Decoded<'_>], word: &str, look: &mut Look) -> bool {
    let all = items.iter().find(|item| item.text().is_some_and(|text| text == word)).filter(|_| items.len() > 1);
    if let Some(all) = all {
        look.excluded_item(all, "stands for everything, and no other item can be beside it");
    }
    all.is_some()
}

/// Resources that an item before them stands for: `a/*` for `a/b`, and `*/b` as well (`validateResources`).
fn covered(resources: &[Decoded<'_>], look: &mut Look) {
    if everything(resources, "*/*", look) {
        return;
    }
    let texts: Vec<(SmolStr, &Decoded<'_>)> = resources.iter().filter_map(|item| Some((item.text()?, item))).collect();
    // The server looks at the last resource only.
    let whole = texts.iter().filter(|(text, _)| !text.contains('/'));
    if let Some((_, last)) = whole.clone().next_back().filter(|(text, _)| text != "*")
        && whole.into_iter().any(|(text, _)| text == "*")
    {
        look.excluded_item(last, "cannot be beside `*`, which stands for it already");
    }
    let mut before: FxHashSet<&str> = FxHashSet::default();
    for (text, item) in &texts {
        let Some((resource, part)) = text.split_once('/') else { continue };
        let by = [format!("{resource}/*"), format!("*/{part}")].into_iter().find(|by| before.contains(by.as_str()));
        if let Some(by) = by {
            look.excluded_item(item, &format!("cannot be after `{by}`, which stands for it already"));
        }
        before.insert(text);
    }
}

/// What expressions of policies and their surroundings have.
const OF_POLICIES: &[Row] = &[
    (&["paramKind"], &["apiVersion", "kind"], RowKind::There),
    (&["validations", "[]"], &["expression"], RowKind::Filled),
    (&["variables", "[]"], &["name", "expression"], RowKind::Filled),
    (&["auditAnnotations", "[]"], &["key", "valueExpression"], RowKind::Filled),
];

/// `ValidateValidatingAdmissionPolicy`
pub(super) fn policy(spec: &Decoded<'_>, look: &mut Look) {
    look.required(spec, "matchConstraints");
    if let Some(constraints) = spec.key("matchConstraints") {
        look.nonempty(&constraints, "resourceRules");
        for key in ["resourceRules", "excludeResourceRules"] {
            constraints.items(key).iter().for_each(|rule| self::rule(rule, look));
        }
        for key in ["namespaceSelector", "objectSelector"] {
            if let Some(own) = constraints.key(key) {
                selector(&own, look);
            }
        }
    }
    if spec.is_bare("validations") && spec.is_bare("auditAnnotations") {
        look.missing(
            spec,
            &["validations", "auditAnnotations"],
            "the policy has neither `validations` nor `auditAnnotations`".to_owned(),
        );
    }
    look.rows(spec, OF_POLICIES);
    admission::validating(spec, look);
    look.unique_at(&spec.items("variables"), "name", "the variable");
    conditions(spec, look);
    look.unique_at(&spec.items("auditAnnotations"), "key", "the annotation");
}

const OF_CHANGES: &[Row] = &[
    (&["paramKind"], &["apiVersion", "kind"], RowKind::There),
    (&["variables", "[]"], &["name", "expression"], RowKind::Filled),
];

/// `ValidateMutatingAdmissionPolicy`
pub(super) fn changing_policy(spec: &Decoded<'_>, look: &mut Look) {
    look.rows(spec, OF_CHANGES);
    look.unique_at(&spec.items("variables"), "name", "the variable");
    conditions(spec, look);
    admission::mutating(spec, look);
}

/// `ValidateValidatingAdmissionPolicyBinding`
pub(super) fn policy_binding(spec: &Decoded<'_>, look: &mut Look) {
    look.required(spec, "policyName");
    look.nonempty(spec, "validationActions");
    let actions = spec.items("validationActions");
    let named = |name: &str| actions.iter().find(|action| action.text().is_some_and(|text| text == name));
    look.unique_items(&actions, "the action");
    if let (Some(_), Some(warn)) = (named("Deny"), named("Warn")) {
        let message = "`Deny` and `Warn` cannot both be there: a refusal has the message already";
        look.found.push(text_form::said(look.span(warn.range()), message));
    }
    if let Some(parameters) = spec.key("paramRef") {
        look.exactly_one(&parameters, &["name", "selector"]);
        look.required(&parameters, "parameterNotFoundAction");
    }
}
