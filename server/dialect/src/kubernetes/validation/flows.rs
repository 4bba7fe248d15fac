//! How many requests the server takes at once: `FlowSchema` and `PriorityLevelConfiguration`.

use super::decoded::Decoded;
use super::look::{Look, MOST};
use super::table::{Row, RowKind};
use super::webhooks::alone;
use crate::kubernetes::rules::number_range;

/// `ValidateFlowSchemaSpec`
pub(super) fn flow_schema(spec: &Decoded<'_>, look: &mut Look) {
    // 0 is absent, and there is a default.
    look.number(spec, "matchingPrecedence", 0..=10_000);
    if let Some(level) = spec.key("priorityLevelConfiguration") {
        look.filled(&level, "name");
    }
    for rule in spec.items("rules") {
        if rule.is_bare("resourceRules") && rule.is_bare("nonResourceRules") {
            look.missing(
                &rule,
                &["resourceRules", "nonResourceRules"],
                format!("{} has neither `resourceRules` nor `nonResourceRules`", rule.name()),
            );
        }
        for own in rule.items("resourceRules") {
            for key in ["verbs", "apiGroups", "resources"] {
                look.nonempty(&own, key);
                alone(&own, key, look);
            }
            alone(&own, "namespaces", look);
            if !own.is_set("clusterScope") && (own.lacks("clusterScope") || own.is_unset("clusterScope")) {
                look.nonempty(&own, "namespaces");
            }
        }
        for own in rule.items("nonResourceRules") {
            for key in ["verbs", "nonResourceURLs"] {
                look.nonempty(&own, key);
                alone(&own, key, look);
            }
            for url in own.items("nonResourceURLs") {
                let is_url = |url: &str| url == "*" || url.starts_with('/') && !url.contains("//");
                look.formed(&url, (is_url, "`*`, or a path that begins with `/`, without `//`"));
            }
        }
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

const OF_LEVELS: &[Row] = &[
    (&["limited"], &["nominalConcurrencyShares", "borrowingLimitPercent"], RowKind::Within(0, MOST)),
    (&["limited"], &["lendablePercent"], RowKind::Within(0, 100)),
    (&["exempt"], &["nominalConcurrencyShares"], RowKind::Within(0, MOST)),
    (&["exempt"], &["lendablePercent"], RowKind::Within(0, 100)),
    (&["limited", "limitResponse", "queuing"], &["queueLengthLimit", "handSize", "queues"], RowKind::Within(0, MOST)),
];

/// `ValidatePriorityLevelConfigurationSpec`
pub(super) fn level(spec: &Decoded<'_>, look: &mut Look) {
    look.rows(spec, OF_LEVELS);
    let (own, other) = match spec.text_at("type").as_deref() {
        Some("Limited") => ("limited", "exempt"),
        Some("Exempt") => ("exempt", "limited"),
        _ => return,
    };
    if own == "limited" {
        look.required(spec, own);
    }
    if let Some(field) = spec.key(other) {
        look.excluded(&field, &format!("has no place in a level that is `{own}`"));
    }
    let Some(response) = spec.below(&["limited", "limitResponse"]) else { return };
    match (response.text_at("type").as_deref(), response.key("queuing")) {
        (Some("Reject"), Some(queuing)) => look.excluded(&queuing, "has a meaning with the type `Queue` only"),
        (Some("Queue"), None) => look.required(&response, "queuing"),
        (Some("Queue"), Some(queuing)) => {
            let number = |key: &str| queuing.key(key).and_then(|field| Some((field.int()?, field)));
            if let (Some((size, field)), Some((queues, _))) = (number("handSize"), number("queues"))
                && (1..size).contains(&queues)
            {
                let message = format!("`handSize` should be at most {queues}, which is `queues`, but is {size}");
                look.found.push(number_range::said(look.span(field.range()), message));
            }
        }
        _ => {}
    }
}
