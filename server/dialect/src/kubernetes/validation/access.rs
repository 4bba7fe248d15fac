//! Roles and what binds them.

use super::decoded::Decoded;
use super::look::Look;
use super::selectors::selector;
use crate::kubernetes::rules::unknown_value;

const GROUP: &str = "rbac.authorization.k8s.io";

/// `ValidatePolicyRule`. Roles of a namespace cannot allow addresses that are not resources.
pub(super) fn role(resource: &Decoded<'_>, in_namespace: bool, look: &mut Look) {
    for rule in resource.items("rules") {
        look.has_items(&rule, "verbs");
        let urls = rule.key("nonResourceURLs").filter(|urls| !urls.is_empty());
        let Some(urls) = urls else {
            for key in ["apiGroups", "resources"] {
                look.nonempty(&rule, key);
            }
            continue;
        };
        if in_namespace {
            look.excluded(&urls, "has no place in a `Role`, only in a `ClusterRole`");
        }
        for key in ["apiGroups", "resources", "resourceNames"] {
            if let Some(field) = rule.key(key).filter(|field| !field.is_empty()) {
                look.excluded(&field, "cannot be there beside `nonResourceURLs`");
            }
        }
    }
    for own in resource.reached(&["aggregationRule", "clusterRoleSelectors", "[]"]) {
        selector(&own, look);
    }
}

/// `ValidateRoleBinding` and `ValidateClusterRoleBinding`.
pub(super) fn binding(resource: &Decoded<'_>, in_namespace: bool, look: &mut Look) {
    if let Some(role) = resource.key("roleRef") {
        look.filled(&role, "name");
        one_of(&role, "apiGroup", &[GROUP], look);
        if !in_namespace && role.text_at("kind").is_some_and(|kind| kind == "Role") {
            one_of(&role, "kind", &["ClusterRole"], look);
        }
    }
    for subject in resource.items("subjects") {
        look.filled(&subject, "name");
        match subject.text_at("kind").as_deref() {
            Some("ServiceAccount") => {
                // In a role binding it is the namespace of the binding.
                if !in_namespace {
                    look.required(&subject, "namespace");
                }
                if let Some(group) = subject.key("apiGroup").filter(|group| !group.is_blank()) {
                    look.excluded(&group, "is empty for a `ServiceAccount`");
                }
            }
            Some("User" | "Group") => one_of(&subject, "apiGroup", &[GROUP], look),
            _ => {}
        }
    }
}

/// A text that is one of a few words.
fn one_of(holder: &Decoded<'_>, key: &str, words: &[&str], look: &mut Look) {
    let Some(field) = holder.key(key) else { return };
    if let Some(text) = field.text().filter(|text| !text.is_empty() && !words.contains(&text.as_str())) {
        let finding = unknown_value::finding(look.span(field.range()), &text, words);
        look.found.push(finding);
    }
}
