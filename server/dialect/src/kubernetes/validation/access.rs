//! Roles and what binds them.

use super::decoded::Decoded;
use super::look::{Look, SEGMENT, SUBDOMAIN};
use super::selectors::selector;
use crate::kubernetes::pods::is_misspelt;

const GROUP: &str = "rbac.authorization.k8s.io";

/// `ValidatePolicyRule`. Roles of a namespace cannot allow addresses that are not resources.
pub(super) fn role(resource: &Decoded<'_>, in_namespace: bool, look: &mut Look) {
    for rule in resource.items("rules") {
        look.has_items(&rule, "verbs");
        let urls = rule.key("nonResourceURLs").filter(|urls| !urls.is_empty());
        let Some(urls) = urls else {
            named(&rule, in_namespace, look);
            continue;
        };
        if in_namespace {
            look.excluded(&urls, "has no place in a `Role`, only in a `ClusterRole`");
        }
        let others = ["apiGroups", "resources", "resourceNames"].iter().filter_map(|key| rule.key(key));
        if let Some(field) = others.into_iter().find(|field| !field.is_empty()) {
            look.excluded(&field, "cannot be there beside `nonResourceURLs`");
        }
    }
    if let Some(rule) = resource.key("aggregationRule") {
        look.nonempty(&rule, "clusterRoleSelectors");
    }
    for own in resource.reached(&["aggregationRule", "clusterRoleSelectors", "[]"]) {
        selector(&own, look);
    }
}

/// A rule about resources, which it names with their groups.
fn named(rule: &Decoded<'_>, in_namespace: bool, look: &mut Look) {
    let keys = ["apiGroups", "resources"];
    if is_misspelt(rule.steps(), "nonResourceURLs") {
        return;
    }
    if !in_namespace && keys.iter().all(|key| rule.lacks(key)) && rule.lacks("nonResourceURLs") {
        let message = format!("{} has neither `resources` of `apiGroups` nor `nonResourceURLs`", rule.name());
        return look.missing(rule, &["nonResourceURLs", "resources", "apiGroups"], message);
    }
    for key in keys {
        look.nonempty(rule, key);
    }
}

/// `ValidateRoleBinding` and `ValidateClusterRoleBinding`.
pub(super) fn binding(resource: &Decoded<'_>, in_namespace: bool, look: &mut Look) {
    if let Some(role) = resource.key("roleRef") {
        look.filled(&role, "name");
        look.form(&role, "name", SEGMENT);
        look.word(&role, "apiGroup", &[GROUP]);
        if !in_namespace && role.text_at("kind").is_some_and(|kind| kind == "Role") {
            look.word(&role, "kind", &["ClusterRole"]);
        }
    }
    for subject in resource.items("subjects") {
        look.filled(&subject, "name");
        match subject.text_at("kind").as_deref() {
            Some("ServiceAccount") => {
                look.form(&subject, "name", SUBDOMAIN);
                // In a role binding it is the namespace of the binding.
                if !in_namespace {
                    look.required(&subject, "namespace");
                }
                if let Some(group) = subject.key("apiGroup").filter(|group| !group.is_blank()) {
                    look.excluded(&group, "has to be empty for a `ServiceAccount`");
                }
            }
            Some("User" | "Group") => look.word(&subject, "apiGroup", &[GROUP]),
            _ => {}
        }
    }
}
