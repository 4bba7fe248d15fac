//! Jobs whose pods are numbered, and what counts as a failure or a success of a job.

use super::decoded::Decoded;
use super::look::{Look, MOST, QUALIFIED};
use super::table::RowKind;
use crate::kubernetes::rules::{number_range, repeated_name, text_form};
use smol_str::SmolStr;

/// What has a meaning where the pods of a job are numbered.
pub(super) fn indexed(spec: &Decoded<'_>, look: &mut Look) {
    let is_other =
        spec.lacks("completionMode") || spec.text_at("completionMode").is_some_and(|mode| mode == "NonIndexed");
    for field in ["backoffLimitPerIndex", "successPolicy"].iter().filter_map(|key| spec.key(key)).filter(|_| is_other) {
        let before = look.found.len();
        look.excluded(&field, "has a meaning with `completionMode: Indexed` only");
        look.follows(before, spec, &["completionMode"]);
    }
    if spec.has("maxFailedIndexes") {
        look.required(spec, "backoffLimitPerIndex");
    }
    if spec.text_at("completionMode").is_none_or(|mode| mode != "Indexed") {
        return;
    }
    look.number(spec, "parallelism", 0..=MANY);
    look.number(spec, "maxFailedIndexes", 0..=MANY);
    let number = |key: &str| spec.key(key).and_then(|field| field.int());
    let completions = number("completions");
    if let (Some(count), Some(field)) = (completions, spec.key("maxFailedIndexes"))
        && field.int().is_some_and(|failed| (count.max(0)..=MANY).contains(&failed) && failed != count)
    {
        let message = format!("`maxFailedIndexes` should be at most {count}, which is `completions`");
        look.found.push(number_range::said(look.span(field.range()), message));
    }
    if completions.is_some_and(|count| count > MANY) && spec.has("backoffLimitPerIndex") {
        look.required(spec, "maxFailedIndexes");
        look.number(spec, "maxFailedIndexes", 0..=FEW);
        look.number(spec, "parallelism", 0..=FEW);
    }
    if let Some(policy) = spec.key("successPolicy") {
        successes(&policy, completions, look);
    }
}

/// How many pods are numbered, and how many if there are that many.
const MANY: i128 = 100_000;
const FEW: i128 = 10_000;

/// `validateSuccessPolicy`
fn successes(policy: &Decoded<'_>, completions: Option<i128>, look: &mut Look) {
    look.nonempty(policy, "rules");
    look.at_most(policy, "rules", 20);
    for rule in policy.items("rules") {
        if ["succeededCount", "succeededIndexes"].iter().all(|key| rule.lacks(key) && !rule.is_there(key)) {
            look.missing(
                &rule,
                &["succeededCount", "succeededIndexes"],
                format!("{} has none of `succeededCount`, `succeededIndexes`", rule.name()),
            );
        }
        let all = completions.filter(|count| *count >= 0);
        let numbered = rule.key("succeededIndexes").and_then(|field| Some((field.text()?, field)));
        let total = numbered.and_then(|(text, field)| match count_of(&text, all) {
            Some(count) => Some(count),
            None => {
                let most = all.map_or_else(String::new, |count| format!(" below {count}"));
                let words = format!("numbers and ranges{most} in order, with commas between them, such as `0,2-4`");
                look.found.push(text_form::finding(look.span(field.range()), &text, &words, None));
                None
            }
        });
        look.number(&rule, "succeededCount", 0..=total.or(all).unwrap_or(MOST));
    }
}

/// How many numbers are in ranges such as `0,2-4`, in order and below a number. None if they cannot be read.
fn count_of(text: &str, most: Option<i128>) -> Option<i128> {
    let (mut last, mut count) = (-1, 0);
    for part in text.split(',').filter(|_| !text.is_empty()) {
        lofting_memo::step();
        let number = |text: &str| text.parse::<i32>().ok().map(i128::from);
        let (first, end) = match part.split_once('-') {
            Some((first, end)) => {
                (number(first)?, number(end).filter(|end| number(first).is_some_and(|first| first < *end))?)
            }
            None => (number(part)?, number(part)?),
        };
        if first <= last || most.is_some_and(|most| end >= most) {
            return None;
        }
        (last, count) = (end, count + end - first + 1);
    }
    Some(count)
}

/// `validatePodFailurePolicy`
pub(super) fn failures(spec: &Decoded<'_>, look: &mut Look) {
    let Some(policy) = spec.key("podFailurePolicy") else { return };
    look.at_most(&policy, "rules", 20);
    for rule in policy.items("rules") {
        failure_rule(&rule, spec, look);
    }
    if let Some(replaced) = spec.key("podReplacementPolicy")
        && replaced.text().is_some_and(|text| text == "TerminatingOrFailed")
    {
        look.excluded(&replaced, "can only be `Failed` beside a `podFailurePolicy`");
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
        let before = look.found.len();
        look.excluded(&action, "can be `FailIndex` beside `backoffLimitPerIndex` only");
        look.follows(before, spec, &["backoffLimitPerIndex"]);
    }
    look.at_most(rule, "onPodConditions", 20);
    look.rows(rule, &[(&["onPodConditions", "[]"], &["type"], RowKind::Like(QUALIFIED))]);
    let Some(codes) = rule.key("onExitCodes") else { return };
    exit_codes(&codes, spec, look);
    look.has_items(&codes, "values");
    if codes.text_at("operator").is_some_and(|operator| operator == "In") {
        for value in codes.items("values").iter().filter(|value| value.int() == Some(0)) {
            let message = "0 cannot be among the values of `In`: it is not a failure";
            look.found.push(number_range::said(look.span(value.range()), message));
        }
    }
}

fn exit_codes(codes: &Decoded<'_>, spec: &Decoded<'_>, look: &mut Look) {
    look.at_most(codes, "values", 255);
    let numbers: Vec<(i128, Decoded<'_>)> =
        codes.items("values").into_iter().filter_map(|value| Some((value.int()?, value))).collect();
    for two in numbers.windows(2) {
        let [(before, first), (number, field)] = two else { continue };
        if number == before {
            let message = format!("{number} is there already");
            look.found.push(repeated_name::finding(look.span(field.range()), look.span(first.range()), message));
        } else if number < before {
            let message = format!("the values should be in order, but {number} is after {before}");
            look.found.push(number_range::said(look.span(field.range()), message));
        }
    }
    let Some(name) = codes.key("containerName") else { return };
    let pod = spec.key("template").and_then(|template| template.key("spec"));
    let containers: Vec<Decoded<'_>> =
        ["containers", "initContainers"].iter().filter_map(|key| Some(pod.as_ref()?.items(key))).flatten().collect();
    let names: Option<Vec<SmolStr>> = containers.iter().map(|container| container.text_at("name")).collect();
    if let (Some(text), Some(names)) = (name.text(), names)
        && !names.is_empty()
        && !names.contains(&text)
    {
        look.found.push(text_form::said(look.span(name.range()), format!("the pods have no container `{text}`")));
    }
}
