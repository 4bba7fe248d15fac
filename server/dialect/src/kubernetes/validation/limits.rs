//! What a namespace may use: `LimitRange` and `ResourceQuota`.

use super::decoded::Decoded;
use super::look::{Look, QUALIFIED};
use super::resources::{is_known, meaning, overcommits};
use crate::kubernetes::pods::is_computed;
use crate::kubernetes::rules::{number_range, repeated_name, text_form, unknown_value};
use lofting_cel::library::quantity::Quantity;
use lofting_diagnostic::suggest::nearest;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// What limits without a domain can be for.
const TYPES: [&str; 3] = ["Pod", "Container", "PersistentVolumeClaim"];

const TYPE: &str = "`Pod`, `Container`, `PersistentVolumeClaim`, or a name with a domain before it";

/// Counts of objects, which are whole numbers.
const COUNTS: [&str; 9] = [
    "configmaps",
    "persistentvolumeclaims",
    "replicationcontrollers",
    "resourcequotas",
    "secrets",
    "services",
    "services.loadbalancers",
    "services.nodeports",
    "pods",
];

/// Other amounts without a domain that quotas know.
const AMOUNTS: [&str; 10] = [
    "cpu",
    "memory",
    "ephemeral-storage",
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
    "requests.storage",
];

/// What limits of another type than pods and containers know as well.
const STORAGE: &str = "storage";

/// Scopes that no pod is in both of.
const OPPOSED: [[&str; 2]; 2] = [["BestEffort", "NotBestEffort"], ["Terminating", "NotTerminating"]];

/// Scopes that only select pods.
const OF_PODS: [&str; 6] =
    ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating", "PriorityClass", "CrossNamespacePodAffinity"];

/// Which of two amounts cannot be above the other one: their keys, and the key that is at fault.
const ORDER: [(&str, &str, &str); 6] = [
    ("min", "max", "min"),
    ("min", "defaultRequest", "defaultRequest"),
    ("defaultRequest", "max", "defaultRequest"),
    ("defaultRequest", "default", "defaultRequest"),
    ("min", "default", "default"),
    ("default", "max", "default"),
];

/// Whether running pods use it. Pods of the best effort use nothing that they ask for.
fn is_of_running(name: &str) -> bool {
    AMOUNTS.contains(&name) && name != "requests.storage"
}

fn is_standard(name: &str) -> bool {
    COUNTS.contains(&name) || AMOUNTS.contains(&name)
}

fn is_type(text: &str) -> bool {
    (QUALIFIED.0)(text) && (text.contains('/') || TYPES.contains(&text))
}

/// Whether a quota knows a resource.
fn is_of_quota(name: &str) -> bool {
    let is_huge = || name.starts_with("hugepages-") || name.starts_with("requests.hugepages-");
    (QUALIFIED.0)(name) && (name.contains('/') || is_standard(name) || is_huge())
}

/// `ValidateLimitRange`
pub(super) fn range(spec: &Decoded<'_>, look: &mut Look) {
    let limits = spec.items("limits");
    look.unique_at(&limits, "type", "a limit of type");
    for limit in &limits {
        if let Some((field, text)) = limit.key("type").and_then(|field| Some((field.clone(), field.text()?)))
            && !text.is_empty()
            && !is_type(&text)
        {
            let same = TYPES.into_iter().find(|known| known.eq_ignore_ascii_case(&text));
            let meant = same.or_else(|| nearest(&text, TYPES));
            look.found.push(text_form::finding(look.span(field.range()), &text, TYPE, meant));
        }
        let Some(kind) = limit.text_at("type") else { continue };
        let is_of_pods = matches!(kind.as_str(), "Pod" | "Container");
        let mut amounts: FxHashMap<(&str, SmolStr), (Decoded<'_>, Quantity)> = FxHashMap::default();
        let mut all_fit = true;
        for key in ["max", "min", "default", "defaultRequest", "maxLimitRequestRatio"] {
            let Some(map) = limit.key(key) else { continue };
            if kind == "Pod" && key.starts_with("default") && !map.is_empty() {
                look.excluded(&map, "has no place in a limit of type `Pod`");
                continue;
            }
            for (name, field) in map.entries() {
                let fits = is_known(&name) || !is_of_pods && (is_of_quota(&name) || name == STORAGE);
                all_fit &= fits;
                if !fits && !is_computed(&name) {
                    unknown(&field, &name, "limit", &["cpu", "memory", "ephemeral-storage", STORAGE], look);
                }
                amounts.extend(look.quantity(&field).map(|quantity| ((key, name), (field, quantity))));
            }
        }
        let bounds = ["min", "max"];
        // A name that is not a resource may be meant for it.
        if kind == "PersistentVolumeClaim" && all_fit && bounds.iter().all(|key| lacks_below(limit, key, STORAGE)) {
            look.missing(
                limit,
                &bounds,
                "a limit of type `PersistentVolumeClaim` has a `min` or `max` of `storage`".to_owned(),
            );
        }
        ordered(&amounts, look);
    }
}

/// Whether a key in a map below is certainly absent.
fn lacks_below(holder: &Decoded<'_>, key: &str, name: &str) -> bool {
    holder.key(key).map_or_else(|| holder.lacks(key), |map| map.lacks(name))
}

fn ordered(amounts: &FxHashMap<(&str, SmolStr), (Decoded<'_>, Quantity)>, look: &mut Look) {
    let mut found = Vec::new();
    for ((key, name), (field, quantity)) in amounts {
        for (low, high, at_fault) in ORDER.iter().filter(|(low, ..)| low == key) {
            let Some((other, most)) = amounts.get(&(*high, name.clone())) else { continue };
            if quantity.compare(most).is_gt() {
                let place = if at_fault == low { field } else { other };
                found.push((place.range(), format!("`{low}` of `{name}` cannot be above `{high}`")));
            }
        }
        let of = |key| amounts.get(&(key, name.clone()));
        if *key == "maxLimitRequestRatio" {
            let below_one = Quantity::parse("1").is_some_and(|one| quantity.compare(&one).is_lt());
            let most = of("max").zip(of("min")).map(|((_, max), (_, min))| max.approximate() / min.approximate());
            if below_one {
                found.push((field.range(), format!("the ratio of `{name}` cannot be below 1")));
            } else if most.is_some_and(|most| quantity.approximate() > most * (1.0 + f64::EPSILON)) {
                found.push((field.range(), format!("the ratio of `{name}` cannot be above that of `max` to `min`")));
            }
        }
        let given = || of("default").filter(|(_, given)| quantity.compare(given).is_ne());
        if *key == "defaultRequest" && !overcommits(name) && given().is_some() {
            let message =
                format!("`defaultRequest` of `{name}` should be `default`, because it cannot be overcommitted");
            found.push((field.range(), message));
        }
    }
    found.sort_by(|one, other| (one.0.start, &one.1).cmp(&(other.0.start, &other.1)));
    // One amount that is too large or too small is one mistake.
    found.dedup_by_key(|(range, _)| range.start);
    for (range, message) in found {
        look.found.push(number_range::said(look.span(range), message));
    }
}

/// `ValidateResourceQuotaSpec`
pub(super) fn quota(spec: &Decoded<'_>, look: &mut Look) {
    let hard = spec.key("hard").map(|map| map.entries()).unwrap_or_default();
    for (name, field) in &hard {
        if !is_of_quota(name) && !is_computed(name) {
            unknown(field, name, "quota", &[COUNTS.as_slice(), AMOUNTS.as_slice()].concat(), look);
        }
        let Some(quantity) = look.quantity(field) else { continue };
        if quantity.order().is_lt() {
            look.found.push(number_range::said(look.span(field.range()), format!("`{name}` cannot be negative")));
        } else if COUNTS.contains(&name.as_str()) && !quantity.is_whole() {
            look.found.push(number_range::said(look.span(field.range()), format!("`{name}` should be an integer")));
        }
    }
    let mut scopes = spec.items("scopes");
    opposed(&scopes, look);
    let selected = spec.reached(&["scopeSelector", "matchExpressions", "[]", "scopeName"]);
    opposed(&selected, look);
    scopes.extend(selected);
    out_of_scope(&scopes, &hard, look);
    for expression in spec.below(&["scopeSelector"]).map(|own| own.items("matchExpressions")).unwrap_or_default() {
        let operator = expression.text_at("operator");
        match operator.as_deref() {
            Some("In" | "NotIn") => look.nonempty(&expression, "values"),
            Some("Exists" | "DoesNotExist") => {
                if let Some(values) = expression.key("values").filter(|values| !values.is_empty()) {
                    look.excluded(&values, "has no place where only the existence of a scope matters");
                }
            }
            _ => {}
        }
        let selects_alone = |scope: &SmolStr| OF_PODS.contains(&scope.as_str()) && scope != "PriorityClass";
        if let Some(field) =
            expression.key("operator").filter(|_| expression.text_at("scopeName").is_some_and(|it| selects_alone(&it)))
            && let Some(text) = operator.filter(|text| matches!(text.as_str(), "In" | "NotIn" | "DoesNotExist"))
        {
            look.found.push(unknown_value::finding(look.span(field.range()), &text, &["Exists"]));
        }
    }
}

/// Scopes that exclude each other.
fn opposed(scopes: &[Decoded<'_>], look: &mut Look) {
    let named = |name: &str| scopes.iter().find(|scope| scope.text().is_some_and(|text| text == name));
    for [one, other] in OPPOSED {
        if let (Some(first), Some(second)) = (named(one), named(other)) {
            let is_turned = second.range().start < first.range().start;
            let (first, second) = if is_turned { (second, first) } else { (first, second) };
            let message = format!("no pod is in the scopes `{one}` and `{other}`");
            let finding = repeated_name::finding(look.span(second.range()), look.span(first.range()), message);
            look.found.push(finding);
        }
    }
}

/// What is limited although a scope is not about it.
fn out_of_scope(scopes: &[Decoded<'_>], hard: &[(SmolStr, Decoded<'_>)], look: &mut Look) {
    let texts = || scopes.iter().filter_map(|scope| scope.text().filter(|text| OF_PODS.contains(&text.as_str())));
    for (name, field) in hard.iter().filter(|(name, _)| name != "pods" && is_standard(name)) {
        let is_excluding = |scope: &SmolStr| scope == "BestEffort" || !is_of_running(name);
        if let Some(scope) = texts().find(is_excluding) {
            look.excluded(
                field,
                &format!("cannot be limited in the scope `{scope}`, which is about other pods or resources"),
            );
        }
    }
}

/// A resource that a kind does not know.
fn unknown(field: &Decoded<'_>, name: &str, what: &str, known: &[&str], look: &mut Look) {
    let span = look.span(field.place());
    let finding = text_form::said(span, format!("`{name}` is not a resource that a {what} knows"));
    look.found.push(meaning(finding, span, name, known));
}
