//! What is set up once for a cluster: classes, drivers, services of the API, and how requests are admitted.

use super::decoded::Decoded;
use super::look::{LABEL, Look, MOST, OLD_LABEL, PATH_OF_DOMAIN, PORTS, QUALIFIED, SUBDOMAIN, TextForm};
use super::pods::tolerated;
use super::selectors::selector;
use crate::kubernetes::rules::text_form;
use std::net::{Ipv4Addr, Ipv6Addr};

/// `ValidateIngressClass`
pub(super) fn ingress_class(spec: &Decoded<'_>, look: &mut Look) {
    look.required(spec, "controller");
    look.form(spec, "controller", PATH_OF_DOMAIN);
    let Some(parameters) = spec.key("parameters") else { return };
    for key in ["kind", "name"] {
        look.filled(&parameters, key);
    }
    match parameters.text_at("scope").as_deref() {
        Some("Namespace") => look.required(&parameters, "namespace"),
        Some("Cluster") | None if parameters.text_at("scope").is_some() || parameters.lacks("scope") => {
            if let Some(namespace) = parameters.key("namespace") {
                look.excluded(
                    &namespace,
                    "has no place in parameters of the whole cluster, which is the default `scope`",
                );
            }
        }
        _ => {}
    }
}

/// `ValidateAPIService`
pub(super) fn api_service(resource: &Decoded<'_>, look: &mut Look) {
    let Some(spec) = resource.key("spec") else { return };
    look.number(&spec, "groupPriorityMinimum", 1..=20_000);
    look.number(&spec, "versionPriority", 1..=1_000);
    look.form(&spec, "version", OLD_LABEL);
    look.form(&spec, "group", SUBDOMAIN);
    if let (Some(group), Some(version)) = (spec.text_at("group"), spec.text_at("version"))
        && let Some(metadata) = resource.key("metadata")
        && let Some(name) = metadata.key("name")
    {
        let wanted = format!("{version}.{group}");
        if name.text().is_some_and(|text| !text.is_empty() && text != wanted) {
            let message = format!("the name should be `{wanted}`: the version and the group");
            let span = look.span(name.range());
            look.found.push(text_form::said(span, message).meant(span, &wanted));
        }
    }
    match spec.key("service") {
        Some(service) => {
            for key in ["name", "namespace"] {
                look.required(&service, key);
            }
            look.number(&service, "port", PORTS);
            if spec.is_set("insecureSkipTLSVerify") && spec.has("caBundle") {
                look.at_most_one(&spec, &["insecureSkipTLSVerify", "caBundle"]);
            }
        }
        None if spec.lacks("service") => {
            let skips = spec.key("insecureSkipTLSVerify").filter(|_| spec.is_set("insecureSkipTLSVerify"));
            for field in skips.into_iter().chain(spec.key("caBundle").filter(|bundle| !bundle.is_blank())) {
                look.excluded(&field, "has a meaning beside a `service` only");
            }
        }
        None => {}
    }
}

/// `ValidateEndpointSlice`
pub(super) fn endpoint_slice(resource: &Decoded<'_>, look: &mut Look) {
    let form = match resource.text_at("addressType").as_deref() {
        Some("IPv4") => Some(IPV4),
        Some("IPv6") => Some(IPV6),
        Some("FQDN") => Some(SUBDOMAIN),
        _ => None,
    };
    for endpoint in resource.items("endpoints") {
        look.has_items(&endpoint, "addresses");
        for address in endpoint.items("addresses") {
            if let Some(form) = form {
                look.formed(&address, form);
            }
        }
        look.form(&endpoint, "hostname", LABEL);
        look.form(&endpoint, "nodeName", SUBDOMAIN);
    }
    let ports = resource.items("ports");
    look.unique_at(&ports, "name", "the port");
    for port in ports {
        look.form(&port, "name", LABEL);
        look.number(&port, "port", PORTS);
    }
}

const IPV4: TextForm = (is_ipv4, "an address of IP version 4 that others can reach");
const IPV6: TextForm = (
    |text| text.parse::<Ipv6Addr>().is_ok_and(|own| !own.is_loopback() && !own.is_unspecified()),
    "an address of IP version 6 that others can reach",
);

/// Zeros at the beginning of parts were once accepted.
fn is_ipv4(text: &str) -> bool {
    let parts: Option<Vec<u8>> = text.split('.').map(|part| part.parse().ok()).collect();
    let Some([a, b, c, d]) = parts.as_deref() else { return false };
    let own = Ipv4Addr::new(*a, *b, *c, *d);
    !own.is_loopback() && !own.is_unspecified() && !own.is_link_local()
}

/// `ValidateStorageClass`
pub(super) fn storage_class(resource: &Decoded<'_>, look: &mut Look) {
    let is_provisioner: TextForm = (|text| (QUALIFIED.0)(&text.to_lowercase()), QUALIFIED.1);
    look.filled(resource, "provisioner");
    look.form(resource, "provisioner", is_provisioner);
}

/// Priorities above it are those of the system.
const HIGHEST: i128 = 1_000_000_000;

/// `ValidatePriorityClass`
pub(super) fn priority_class(resource: &Decoded<'_>, look: &mut Look) {
    const SYSTEM: [&str; 2] = ["system-cluster-critical", "system-node-critical"];
    let Some(metadata) = resource.key("metadata") else { return };
    if metadata.text_at("name").is_some_and(|name| SYSTEM.contains(&name.as_str())) {
        return;
    }
    look.form(&metadata, "name", (|name| !name.starts_with("system-"), "a name that does not begin with `system-`"));
    look.number(resource, "value", -i128::from(i32::MAX) - 1..=HIGHEST);
}

/// `ValidateRuntimeClass`
pub(super) fn runtime_class(resource: &Decoded<'_>, look: &mut Look) {
    look.filled(resource, "handler");
    look.form(resource, "handler", LABEL);
    let Some(scheduling) = resource.key("scheduling") else { return };
    if let Some(nodes) = scheduling.key("nodeSelector") {
        super::containers::labels(&nodes, look);
    }
    for toleration in scheduling.items("tolerations") {
        tolerated(&toleration, look);
    }
}

/// `ValidateCSIDriver`
pub(super) fn driver(resource: &Decoded<'_>, look: &mut Look) {
    if let Some(metadata) = resource.key("metadata") {
        look.form(&metadata, "name", (|name| name.len() <= 63, "a name of at most 63 characters"));
    }
}

/// `ValidateLeaseSpec`
pub(super) fn lease(spec: &Decoded<'_>, look: &mut Look) {
    look.number(spec, "leaseDurationSeconds", 1..=MOST);
    look.number(spec, "leaseTransitions", 0..=MOST);
}

/// `ValidateFlowSchemaSpec`
pub(super) fn flow_schema(spec: &Decoded<'_>, look: &mut Look) {
    // 0 is absent, and there is a default.
    look.number(spec, "matchingPrecedence", 0..=10_000);
    if let Some(level) = spec.key("priorityLevelConfiguration") {
        look.filled(&level, "name");
    }
    for rule in spec.items("rules") {
        look.has_items(&rule, "subjects");
        for subject in rule.items("subjects") {
            let own = match subject.text_at("kind").as_deref() {
                Some("User") => "user",
                Some("Group") => "group",
                Some("ServiceAccount") => "serviceAccount",
                _ => continue,
            };
            look.required(&subject, own);
            for other in ["user", "group", "serviceAccount"].iter().filter(|key| **key != own) {
                if let Some(field) = subject.key(other) {
                    look.excluded(&field, &format!("has no place in a subject that has `{own}`"));
                }
            }
        }
    }
}

/// `ValidateValidatingAdmissionPolicy`
pub(super) fn policy(spec: &Decoded<'_>, look: &mut Look) {
    look.required(spec, "matchConstraints");
    if let Some(constraints) = spec.key("matchConstraints") {
        look.nonempty(&constraints, "resourceRules");
        for key in ["namespaceSelector", "objectSelector"] {
            if let Some(own) = constraints.key(key) {
                selector(&own, look);
            }
        }
    }
    let is_bare = |key: &str| spec.lacks(key) || spec.key(key).is_some_and(|items| items.is_empty());
    if is_bare("validations") && is_bare("auditAnnotations") {
        look.missing(spec, "the policy has neither `validations` nor `auditAnnotations`".to_owned());
    }
    for validation in spec.items("validations") {
        look.filled(&validation, "expression");
    }
    look.unique_at(&spec.items("variables"), "name", "the variable");
    look.unique_at(&spec.items("matchConditions"), "name", "the condition");
    look.unique_at(&spec.items("auditAnnotations"), "key", "the annotation");
}

/// `ValidateValidatingAdmissionPolicyBinding`
pub(super) fn policy_binding(spec: &Decoded<'_>, look: &mut Look) {
    look.required(spec, "policyName");
    look.nonempty(spec, "validationActions");
    let actions = spec.items("validationActions");
    let named = |name: &str| actions.iter().find(|action| action.text().is_some_and(|text| text == name));
    if let (Some(_), Some(warn)) = (named("Deny"), named("Warn")) {
        let message = "`Deny` and `Warn` cannot both be there: a refusal has the message already";
        look.found.push(text_form::said(look.span(warn.range()), message));
    }
    if let Some(parameters) = spec.key("paramRef") {
        look.exactly_one(&parameters, &["name", "selector"]);
        look.required(&parameters, "parameterNotFoundAction");
    }
}
