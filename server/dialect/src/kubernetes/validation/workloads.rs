//! Deployments, other workloads, and jobs.

use super::containers::labels;
use super::decoded::Decoded;
use super::look::{LABEL, Look, MOST, PATH_OF_DOMAIN, SUBDOMAIN, number_or_share};
use super::pods::template;
use super::schedule;
use super::selectors::selector;
use super::table::RowKind;
use crate::kubernetes::pods::is_computed;
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
        if own.is_bare("matchLabels") && own.is_bare("matchExpressions") {
            look.missing(own, &["matchLabels", "matchExpressions"], "the selector is empty".to_owned());
        }
    }
    // Patches have no selector.
    if let Some(template) = spec.key("template").filter(|template| own.is_some() && template.has("metadata")) {
        look.required(&template, "spec");
    }
    if let Some(template) = spec.key("template").and_then(|template| template.key("spec")) {
        self::template(&template, own.is_some(), look);
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
    // Patches have no selector, which is that of the labels if it is absent.
    let is_whole = spec.has("selector");
    if is_whole {
        look.required(spec, "template");
    }
    if let Some(template) = spec.key("template").and_then(|template| template.key("spec")) {
        self::template(&template, is_whole, look);
        restarts(&template, &["Always"], look);
    }
}

pub(super) fn deployment(spec: &Decoded<'_>, look: &mut Look) {
    running(spec, look);
    deadline(spec, look);
    let Some(strategy) = spec.key("strategy") else { return };
    let Some(rolling) = strategy.key("rollingUpdate") else { return };
    if strategy.text_at("type").is_some_and(|kind| kind == "Recreate") {
        look.excluded(&rolling, "has a meaning with the strategy `RollingUpdate` only");
        return;
    }
    look.share(&rolling, "maxUnavailable");
    surge(&rolling, None, look);
}

/// How many seconds a deployment may take where none are written.
const DEADLINE: i128 = 600;

/// Pods have to be able to become ready before the deadline.
fn deadline(spec: &Decoded<'_>, look: &mut Look) {
    // Patches have no selector, and leave out what they do not change.
    let is_whole = spec.has("selector");
    let number = |key: &str, default: i128| match spec.key(key) {
        Some(field) => field.int(),
        None => (is_whole && spec.lacks(key)).then_some(default),
    };
    let (Some(deadline), Some(ready)) = (number("progressDeadlineSeconds", DEADLINE), number("minReadySeconds", 0))
    else {
        return;
    };
    let written = spec.key("progressDeadlineSeconds").or_else(|| spec.key("minReadySeconds"));
    if let Some(field) = written.filter(|_| (0..=ready).contains(&deadline)) {
        let message = format!(
            "`progressDeadlineSeconds`, which is {deadline}, should be greater than `minReadySeconds`, which is {ready}"
        );
        look.found.push(number_range::said(look.span(field.range()), message));
    }
}

pub(super) fn daemon_set(spec: &Decoded<'_>, look: &mut Look) {
    running(spec, look);
    let strategy = spec.key("updateStrategy");
    let strategy = strategy.filter(|own| own.text_at("type").is_none_or(|kind| kind == "RollingUpdate"));
    let Some(rolling) = strategy.and_then(|strategy| strategy.key("rollingUpdate")) else { return };
    for key in ["maxUnavailable", "maxSurge"] {
        look.share(&rolling, key);
    }
    surge(&rolling, Some(0), look);
    let is_some = |key: &str| rolling.key(key).as_ref().and_then(number_or_share).is_some_and(|number| number > 0);
    if is_some("maxUnavailable") && is_some("maxSurge") {
        look.at_most_one(&rolling, &["maxUnavailable", "maxSurge"]);
    } else if let Some(surge) = rolling.key("maxSurge").filter(|_| is_some("maxSurge"))
        && rolling.lacks("maxUnavailable")
    {
        let before = look.found.len();
        look.excluded(&surge, "has a meaning beside `maxUnavailable: 0` only, which is 1 by default");
        look.follows(before, &rolling, &["maxUnavailable"]);
    }
}

/// How many pods may be missing and how many may be too many: one of them has to be above zero. `most` is how many may
/// be too many where that is not written.
fn surge(rolling: &Decoded<'_>, most: Option<i128>, look: &mut Look) {
    let is_none = |key: &str| match rolling.key(key) {
        Some(field) => number_or_share(&field) == Some(0),
        None => key == "maxSurge" && most == Some(0) && rolling.lacks(key),
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
    look.rows(spec, &[(&["ordinals"], &["start"], RowKind::Within(0, MOST))]);
    for amounts in ["requests", "limits"] {
        for held in spec.reached(&["volumeClaimTemplates", "[]", "spec", "resources", amounts]) {
            for (_, amount) in held.entries() {
                // Only what a quantity looks like matters here.
                look.quantity(&amount);
            }
        }
    }
    let Some(strategy) = spec.key("updateStrategy") else { return };
    let Some(rolling) = strategy.key("rollingUpdate") else { return };
    if strategy.text_at("type").is_some_and(|kind| kind == "OnDelete") {
        look.excluded(&rolling, "has a meaning with the strategy `RollingUpdate` only");
    }
    look.number(&rolling, "partition", 0..=MOST);
}

pub(super) fn job(resource: &Decoded<'_>, look: &mut Look) {
    let Some(spec) = resource.key("spec") else { return };
    jobs(&spec, true, look);
    if let (Some(name), Some(count)) =
        (resource.below(&["metadata", "name"]), spec.key("completions").and_then(|count| count.int()))
        && spec.text_at("completionMode").is_some_and(|mode| mode == "Indexed")
        && let Some(text) = name.text().filter(|text| count > 0 && (SUBDOMAIN.0)(text))
        && !(LABEL.0)(&format!("{text}-{}", count - 1))
    {
        let message =
            "the name should be shorter and have no periods, because the numbered pods have it in their host names";
        look.found.push(text_form::said(look.span(name.range()), message));
    }
}

/// The template of pods that is a resource.
pub(super) fn of_its_own(resource: &Decoded<'_>, look: &mut Look) {
    if let Some(spec) = resource.below(&["template", "spec"]) {
        template(&spec, true, look);
    }
}

/// A job, or, unless it `is_own`, the jobs that another resource makes.
fn jobs(spec: &Decoded<'_>, is_own: bool, look: &mut Look) {
    look.numbers(spec, &OF_JOBS, &(0..=MOST));
    look.number(spec, "activeDeadlineSeconds", 0..=i128::from(i64::MAX));
    look.form(spec, "managedBy", PATH_OF_DOMAIN);
    look.short(spec, "managedBy", 63);
    // A job that has neither gets both; what is made from a template later does not.
    let is_completed = is_own && spec.lacks("completions") && spec.lacks("parallelism");
    if spec.text_at("completionMode").is_some_and(|mode| mode == "Indexed") && !is_completed {
        look.required(spec, "completions");
    }
    selected(spec, is_own, look);
    super::jobs::indexed(spec, look);
    super::jobs::failures(spec, look);
    let Some(template) = spec.key("template").and_then(|template| template.key("spec")) else { return };
    let containers = template.items("containers");
    let has_images = !containers.is_empty() && containers.iter().all(|own| own.has("image"));
    self::template(&template, has_images || template.has("restartPolicy"), look);
    if spec.has("podFailurePolicy") {
        restarts(&template, &["Never"], look);
    } else {
        restarts(&template, &["OnFailure", "Never"], look);
    }
    if has_images && template.lacks("restartPolicy") {
        let message = "the pods of a job have a `restartPolicy`, which is `OnFailure` or `Never`";
        look.missing(&template, &["restartPolicy"], message.to_owned());
    }
}

/// The pods of a job are selected by labels that the server generates, unless it is asked not to.
fn selected(spec: &Decoded<'_>, is_own: bool, look: &mut Look) {
    let own = spec.key("selector");
    if let Some(own) = &own {
        selector(own, look);
    }
    let is_manual = spec.is_set("manualSelector");
    if let Some(manual) = spec.key("manualSelector").filter(|_| is_manual && !is_own) {
        look.excluded(&manual, "cannot be true here: the selectors of these jobs are generated");
    }
    match own {
        Some(own) => {
            let is_generated = spec.lacks("manualSelector") || spec.is_unset("manualSelector");
            if is_generated && (!is_own || asks_for_others(&own)) {
                let before = look.found.len();
                look.excluded(&own, "is generated; leave it out");
                look.follows(before, spec, &["manualSelector"]);
            }
        }
        None if is_manual && is_own => look.required(spec, "selector"),
        None => {}
    }
}

/// Whether a selector asks for labels that are not those of the job's name.
fn asks_for_others(selector: &Decoded<'_>) -> bool {
    const NAMES: [&str; 2] = ["batch.kubernetes.io/job-name", "job-name"];
    let is_other = |key: &str| !NAMES.contains(&key) && !is_computed(key);
    let wanted = selector.key("matchLabels").map(|labels| labels.entries()).unwrap_or_default();
    let asks = |expression: &Decoded<'_>| {
        matches!(expression.text_at("operator").as_deref(), Some("In" | "Exists"))
            && expression.text_at("key").is_some_and(|key| is_other(&key))
    };
    wanted.iter().any(|(key, _)| is_other(key)) || selector.items("matchExpressions").iter().any(asks)
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
