//! How many pods there are: `HorizontalPodAutoscaler` and `PodDisruptionBudget`.

use super::decoded::Decoded;
use super::look::{LABEL, Look, MOST, SEGMENT};
use super::selectors::selector;
use super::table::{Row, RowKind};
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
    let metrics = spec.items("metrics");
    metrics.iter().for_each(|metric| self::metric(metric, look));
    let is_known = metrics.iter().all(|metric| metric.text_at("type").is_some());
    let can_idle = metrics.iter().any(|metric| metric.has("object") || metric.has("external"));
    if let Some(least) = spec.key("minReplicas").filter(|least| least.int() == Some(0) && is_known && !can_idle)
        && (spec.lacks("metrics") || !metrics.is_empty())
    {
        let message =
            "`minReplicas` should be at least 1, because no metric is there without pods: `Object` or `External`";
        look.found.push(number_range::said(look.span(least.range()), message));
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
        look.rows(
            &target,
            &[(&[], &["kind", "name"], RowKind::Filled), (&[], &["kind", "name"], RowKind::Like(SEGMENT))],
        );
    }
}

fn metric(metric: &Decoded<'_>, look: &mut Look) {
    let Some(kind) = metric.text_at("type") else { return };
    let Some((_, own)) = METRICS.iter().find(|(known, _)| *known == kind) else { return };
    let others: Vec<Decoded<'_>> =
        METRICS.iter().filter(|(_, key)| key != own).filter_map(|(_, other)| metric.key(other)).collect();
    for field in &others {
        look.excluded(field, &format!("has no place in a metric of type `{kind}`, which has `{own}`"));
    }
    // What is there in place of it is the mistake.
    if others.is_empty() {
        look.required(metric, own);
    }
    let Some(own) = metric.key(own) else { return };
    look.rows(&own, OF_METRICS);
    let Some(target) = own.key("target") else { return };
    for amount in ["value", "averageValue"].iter().filter_map(|key| target.key(key)) {
        look.positive(&amount);
    }
    look.number(&target, "averageUtilization", 1..=MOST);
    match kind.as_str() {
        "Resource" | "ContainerResource" => {
            for key in ["name", "container"] {
                look.filled(&own, key);
            }
            look.form(&own, "container", LABEL);
            look.exactly_one(&target, &["averageUtilization", "averageValue"]);
        }
        "Pods" => look.required(&target, "averageValue"),
        "External" => look.exactly_one(&target, &["value", "averageValue"]),
        _ if target.lacks("value") && target.lacks("averageValue") => {
            look.missing(
                &target,
                &["value", "averageValue"],
                "`target` has none of `value`, `averageValue`".to_owned(),
            );
        }
        _ => {}
    }
}

/// What identifies metrics and what they are about.
const OF_METRICS: &[Row] = &[
    (&["metric"], &["name"], RowKind::Filled),
    (&["metric"], &["name"], RowKind::Like(SEGMENT)),
    (&["describedObject"], &["kind", "name"], RowKind::Filled),
    (&["describedObject"], &["kind", "name"], RowKind::Like(SEGMENT)),
];

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
