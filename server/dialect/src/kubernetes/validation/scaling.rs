//! How many pods there are: `HorizontalPodAutoscaler` and `PodDisruptionBudget`.

use super::decoded::Decoded;
use super::look::{Look, MOST};
use super::selectors::selector;
use crate::kubernetes::rules::number_range;

/// What a metric can be about, by its type.
const METRICS: [(&str, &str); 5] = [
    ("Resource", "resource"),
    ("ContainerResource", "containerResource"),
    ("Pods", "pods"),
    ("Object", "object"),
    ("External", "external"),
];

/// `validateHorizontalPodAutoscalerSpec`
pub(super) fn autoscaler(spec: &Decoded<'_>, look: &mut Look) {
    replicas(spec, look);
    for metric in spec.items("metrics") {
        self::metric(&metric, look);
    }
    for direction in ["scaleUp", "scaleDown"] {
        let Some(rules) = spec.below(&["behavior", direction]) else { continue };
        look.number(&rules, "stabilizationWindowSeconds", 0..=3600);
        look.has_items(&rules, "policies");
        for policy in rules.items("policies") {
            look.number(&policy, "value", 1..=MOST);
            look.number(&policy, "periodSeconds", 1..=1800);
        }
    }
}

/// The first version, which only knows the use of processors.
pub(super) fn first_autoscaler(spec: &Decoded<'_>, look: &mut Look) {
    replicas(spec, look);
    look.number(spec, "targetCPUUtilizationPercentage", 1..=MOST);
}

/// What both versions have.
fn replicas(spec: &Decoded<'_>, look: &mut Look) {
    // None at all are possible where a feature of the server is on.
    look.number(spec, "minReplicas", 0..=MOST);
    look.number(spec, "maxReplicas", 1..=MOST);
    let number = |key: &str| spec.key(key).and_then(|field| Some((field.int()?, field)));
    if let (Some((least, _)), Some((most, field))) = (number("minReplicas"), number("maxReplicas"))
        && (1..least).contains(&most)
    {
        let message = format!("`maxReplicas` should be at least {least}, which is `minReplicas`, but is {most}");
        look.found.push(number_range::said(look.span(field.range()), message));
    }
    if let Some(target) = spec.key("scaleTargetRef") {
        for key in ["kind", "name"] {
            look.filled(&target, key);
        }
    }
}

fn metric(metric: &Decoded<'_>, look: &mut Look) {
    let Some(kind) = metric.text_at("type") else { return };
    let Some((_, own)) = METRICS.iter().find(|(known, _)| *known == kind) else { return };
    look.required(metric, own);
    for (_, other) in METRICS.iter().filter(|(_, key)| key != own) {
        if let Some(field) = metric.key(other) {
            look.excluded(&field, &format!("has no place in a metric of type `{kind}`, which has `{own}`"));
        }
    }
    if let Some(own) = metric.key(own).filter(|_| matches!(kind.as_str(), "Resource" | "ContainerResource")) {
        look.filled(&own, "name");
    }
    let Some(target) = metric.below(&[own, "target"]) else { return };
    for amount in ["value", "averageValue"].iter().filter_map(|key| target.key(key)) {
        look.quantity(&amount);
    }
    if matches!(kind.as_str(), "Resource" | "ContainerResource") {
        look.number(&target, "averageUtilization", 1..=MOST);
        look.exactly_one(&target, &["averageUtilization", "averageValue"]);
    }
}

/// `ValidatePodDisruptionBudgetSpec`
pub(super) fn budget(spec: &Decoded<'_>, look: &mut Look) {
    let keys = ["minAvailable", "maxUnavailable"];
    look.at_most_one(spec, &keys);
    for key in keys {
        look.amount(spec, key);
        look.share(spec, key);
    }
    if let Some(own) = spec.key("selector") {
        selector(&own, look);
    }
}
