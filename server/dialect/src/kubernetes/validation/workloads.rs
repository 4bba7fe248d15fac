//! Deployments, other workloads, and jobs.

use super::containers::labels;
use super::decoded::Decoded;
use super::look::{Look, MOST};
use super::pods::pod;
use super::schedule;
use super::selectors::selector;
use crate::kubernetes::rules::{number_range, text_form, unknown_value};
use lofting_cel::zone;
use lofting_diagnostic::suggest::nearest;

const REPLICAS: [&str; 5] =
    ["replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds", "backoffLimit"];

/// Counts and times of jobs.
const OF_JOBS: [&str; 7] = [
    "parallelism",
    "completions",
    "backoffLimit",
    "ttlSecondsAfterFinished",
    "backoffLimitPerIndex",
    "maxFailedIndexes",
    "minReadySeconds",
];

/// Workloads whose pods go on.
pub(super) fn running(spec: &Decoded<'_>, look: &mut Look) {
    look.numbers(spec, &REPLICAS, &(0..=MOST));
    let own = spec.key("selector");
    if let Some(own) = &own {
        selector(own, look);
        let is_bare = |key| own.lacks(key) || own.key(key).is_some_and(|below| below.is_empty());
        if is_bare("matchLabels") && is_bare("matchExpressions") {
            look.missing(own, "the selector is empty".to_owned());
        }
    }
    if let Some(template) = spec.key("template").and_then(|template| template.key("spec")) {
        // Patches have no selector.
        pod(&template, own.is_some(), look);
        restarts(&template, &["Always"], look);
        if let Some(deadline) = template.key("activeDeadlineSeconds") {
            look.excluded(&deadline, "has no place in pods that go on");
        }
    }
}

/// `ReplicationController`, whose selector is a map of labels.
pub(super) fn controller(spec: &Decoded<'_>, look: &mut Look) {
    look.numbers(spec, &REPLICAS, &(0..=MOST));
    if let Some(selector) = spec.key("selector") {
        labels(&selector, look);
    }
    if let Some(template) = spec.key("template").and_then(|template| template.key("spec")) {
        pod(&template, false, look);
        restarts(&template, &["Always"], look);
    }
}

pub(super) fn deployment(spec: &Decoded<'_>, look: &mut Look) {
    running(spec, look);
    let Some(strategy) = spec.key("strategy") else { return };
    let Some(rolling) = strategy.key("rollingUpdate") else { return };
    if strategy.text_at("type").is_some_and(|kind| kind == "Recreate") {
        look.excluded(&rolling, "has a meaning with the strategy `RollingUpdate` only");
        return;
    }
    surge(&rolling, look);
}

pub(super) fn daemon_set(spec: &Decoded<'_>, look: &mut Look) {
    running(spec, look);
    let strategy = spec.key("updateStrategy");
    let strategy = strategy.filter(|own| own.text_at("type").is_none_or(|kind| kind == "RollingUpdate"));
    let Some(rolling) = strategy.and_then(|strategy| strategy.key("rollingUpdate")) else { return };
    surge(&rolling, look);
    let is_some = |key: &str| rolling.key(key).and_then(|field| field.int()).is_some_and(|number| number > 0);
    if is_some("maxUnavailable") && is_some("maxSurge") {
        look.at_most_one(&rolling, &["maxUnavailable", "maxSurge"]);
    }
}

/// How many pods may be missing and how many may be too many: one of them has to be above zero.
fn surge(rolling: &Decoded<'_>, look: &mut Look) {
    let is_none = |key: &str| {
        rolling.key(key).is_some_and(|field| field.int() == Some(0) || field.text().is_some_and(|text| text == "0%"))
    };
    for key in ["maxUnavailable", "maxSurge"] {
        look.amount(rolling, key);
    }
    if let Some(missing) = rolling.key("maxUnavailable").filter(|_| is_none("maxUnavailable") && is_none("maxSurge")) {
        let message = "`maxUnavailable` and `maxSurge` cannot both be 0: no pod could be replaced";
        look.found.push(number_range::said(look.span(missing.range()), message));
    }
}

pub(super) fn stateful_set(spec: &Decoded<'_>, look: &mut Look) {
    running(spec, look);
    let Some(strategy) = spec.key("updateStrategy") else { return };
    let Some(rolling) = strategy.key("rollingUpdate") else { return };
    if strategy.text_at("type").is_some_and(|kind| kind == "OnDelete") {
        look.excluded(&rolling, "has a meaning with the strategy `RollingUpdate` only");
    }
    look.number(&rolling, "partition", 0..=MOST);
}

pub(super) fn job(spec: &Decoded<'_>, look: &mut Look) {
    jobs(spec, true, look);
}

/// A job, or, unless it `is_own`, the jobs that another resource makes.
fn jobs(spec: &Decoded<'_>, is_own: bool, look: &mut Look) {
    look.numbers(spec, &OF_JOBS, &(0..=MOST));
    look.number(spec, "activeDeadlineSeconds", 0..=i128::from(i64::MAX));
    // A job that has neither gets both; what is made from a template later does not.
    let is_completed = is_own && spec.lacks("completions") && spec.lacks("parallelism");
    if spec.text_at("completionMode").is_some_and(|mode| mode == "Indexed") && !is_completed {
        look.required(spec, "completions");
    }
    if let Some(own) = spec.key("selector") {
        selector(&own, look);
    } else if spec.is_set("manualSelector") {
        look.required(spec, "selector");
    }
    indexed(spec, look);
    for rule in spec.reached(&["podFailurePolicy", "rules", "[]"]) {
        failure_rule(&rule, spec, look);
    }
    let Some(template) = spec.key("template").and_then(|template| template.key("spec")) else { return };
    let containers = template.items("containers");
    let has_images = !containers.is_empty() && containers.iter().all(|own| own.has("image"));
    pod(&template, has_images || template.has("restartPolicy"), look);
    if spec.has("podFailurePolicy") {
        restarts(&template, &["Never"], look);
    } else {
        restarts(&template, &["OnFailure", "Never"], look);
    }
    if has_images && template.lacks("restartPolicy") {
        look.missing(&template, "the pods of a job have a `restartPolicy`, which is `OnFailure` or `Never`".to_owned());
    }
}

/// What has a meaning where the pods of a job are numbered.
fn indexed(spec: &Decoded<'_>, look: &mut Look) {
    let is_other =
        spec.lacks("completionMode") || spec.text_at("completionMode").is_some_and(|mode| mode == "NonIndexed");
    for field in ["backoffLimitPerIndex", "successPolicy"].iter().filter_map(|key| spec.key(key)).filter(|_| is_other) {
        look.excluded(&field, "has a meaning with `completionMode: Indexed` only");
    }
    if spec.has("maxFailedIndexes") {
        look.required(spec, "backoffLimitPerIndex");
    }
}

/// `validatePodFailurePolicyRule`
fn failure_rule(rule: &Decoded<'_>, spec: &Decoded<'_>, look: &mut Look) {
    // No conditions are as good as an absent key.
    if !rule.key("onPodConditions").is_some_and(|conditions| conditions.is_empty()) {
        look.exactly_one(rule, &["onExitCodes", "onPodConditions"]);
    } else if rule.lacks("onExitCodes") {
        look.has_items(rule, "onPodConditions");
    }
    if let Some(action) = rule.key("action").filter(|action| action.text().is_some_and(|text| text == "FailIndex"))
        && spec.lacks("backoffLimitPerIndex")
    {
        look.excluded(&action, "can be `FailIndex` beside `backoffLimitPerIndex` only");
    }
    let Some(codes) = rule.key("onExitCodes") else { return };
    look.has_items(&codes, "values");
    if codes.text_at("operator").is_some_and(|operator| operator == "In") {
        for value in codes.items("values").iter().filter(|value| value.int() == Some(0)) {
            let message = "0 cannot be among the values of `In`: it is not a failure";
            look.found.push(number_range::said(look.span(value.range()), message));
        }
    }
}

/// Eleven more are added to the name for a job, whose name is the value of a label.
const NAME_OF_CRON_JOB: usize = 52;

pub(super) fn cron_job(resource: &Decoded<'_>, look: &mut Look) {
    if let Some(metadata) = resource.key("metadata") {
        let fits = |name: &str| name.len() <= NAME_OF_CRON_JOB;
        look.form(&metadata, "name", (fits, "a name of at most 52 characters, because its jobs have longer names"));
    }
    let Some(spec) = resource.key("spec") else { return };
    look.filled(&spec, "schedule");
    look.numbers(
        &spec,
        &["startingDeadlineSeconds", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"],
        &(0..=i128::from(i64::MAX)),
    );
    if let Some(schedule) = spec.key("schedule")
        && let Some(text) = schedule.text().filter(|text| !text.is_empty())
        && let Err(why) = schedule::check(&text)
    {
        look.found.push(text_form::said(look.span(schedule.range()), why.to_string()));
    }
    if let Some(zone) = spec.key("timeZone")
        && let Some(text) = zone.text().filter(|text| !text.is_empty() && !zone::exists(text))
    {
        let meant = zone::names().find(|name| name.eq_ignore_ascii_case(&text));
        let meant = meant.or_else(|| nearest(&text, zone::names()));
        let words = "the name of a time zone, such as `Europe/Berlin` or `Etc/UTC`";
        look.found.push(text_form::finding(look.span(zone.range()), &text, words, meant));
    }
    look.filled(&spec, "timeZone");
    let template = spec.key("jobTemplate");
    if let Some(labelled) = template.as_ref().and_then(|template| template.below(&["metadata", "labels"])) {
        labels(&labelled, look);
    }
    if let Some(spec) = template.and_then(|template| template.key("spec")) {
        jobs(&spec, false, look);
    }
}

/// The policy of restarts, of which a kind takes some only.
fn restarts(spec: &Decoded<'_>, allowed: &[&str], look: &mut Look) {
    const ALL: [&str; 3] = ["Always", "OnFailure", "Never"];
    let Some(policy) = spec.key("restartPolicy") else { return };
    let Some(text) = policy.text().filter(|text| ALL.contains(&text.as_str())) else { return };
    if !allowed.contains(&text.as_str()) {
        let finding = unknown_value::finding(look.span(policy.range()), &text, allowed);
        look.found.push(finding);
    }
}
