//! Where pods run: affinities, how they are spread, and what they tolerate.

use super::decoded::Decoded;
use super::look::{LABEL, LABEL_VALUE, Look, MOST, QUALIFIED};
use super::selectors::{node_terms, selector};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

pub(super) fn affinity(spec: &Decoded<'_>, look: &mut Look) {
    const REQUIRED: &str = "requiredDuringSchedulingIgnoredDuringExecution";
    const PREFERRED: &str = "preferredDuringSchedulingIgnoredDuringExecution";
    let Some(affinity) = spec.key("affinity") else { return };
    if let Some(node) = affinity.key("nodeAffinity") {
        if let Some(required) = node.key(REQUIRED) {
            look.has_items(&required, "nodeSelectorTerms");
            for term in required.items("nodeSelectorTerms") {
                node_terms(&term, look);
            }
        }
        for preferred in node.items(PREFERRED) {
            look.number(&preferred, "weight", 1..=100);
            if let Some(term) = preferred.key("preference") {
                node_terms(&term, look);
            }
        }
    }
    for of_pods in ["podAffinity", "podAntiAffinity"].iter().filter_map(|key| affinity.key(key)) {
        let mut terms = of_pods.items(REQUIRED);
        for preferred in of_pods.items(PREFERRED) {
            look.number(&preferred, "weight", 1..=100);
            terms.extend(preferred.key("podAffinityTerm"));
        }
        for term in terms {
            look.filled(&term, "topologyKey");
            look.form(&term, "topologyKey", QUALIFIED);
            for key in ["labelSelector", "namespaceSelector"] {
                if let Some(own) = term.key(key) {
                    selector(&own, look);
                }
            }
            for name in term.items("namespaces") {
                look.formed(&name, LABEL);
            }
            keys_of_labels(&term, look);
        }
    }
}

pub(super) fn spread(spec: &Decoded<'_>, look: &mut Look) {
    let mut known = FxHashMap::default();
    for constraint in spec.items("topologySpreadConstraints") {
        look.number(&constraint, "maxSkew", 1..=MOST);
        look.filled(&constraint, "topologyKey");
        look.number(&constraint, "minDomains", 1..=MOST);
        let is_wish = constraint.text_at("whenUnsatisfiable").is_some_and(|text| text == "ScheduleAnyway");
        if let Some(domains) = constraint.key("minDomains").filter(|_| is_wish) {
            look.excluded(&domains, "has a meaning with `whenUnsatisfiable: DoNotSchedule` only");
        }
        if let Some(own) = constraint.key("labelSelector") {
            selector(&own, look);
        }
        keys_of_labels(&constraint, look);
        repeated_keys(&constraint, look);
        if let (Some(key), Some(when)) = (constraint.key("topologyKey"), constraint.text_at("whenUnsatisfiable"))
            && let Some(text) = key.text().filter(|text| !text.is_empty())
        {
            look.unique(&mut known, format!("{text} {when}").into(), key.range(), "the constraint");
        }
    }
}

/// Labels whose values are those of the pod, beside a selector (`validateMatchLabelKeysAndMismatchLabelKeys`).
fn keys_of_labels(holder: &Decoded<'_>, look: &mut Look) {
    const KEYS: [&str; 2] = ["matchLabelKeys", "mismatchLabelKeys"];
    for keys in KEYS.iter().filter_map(|key| holder.key(key)).filter(|keys| !keys.is_empty()) {
        if holder.lacks("labelSelector") {
            let before = look.found.len();
            look.excluded(&keys, "has a meaning beside a `labelSelector` only");
            look.follows(before, holder, &["labelSelector"]);
        }
        keys.all().iter().for_each(|key| look.formed(key, QUALIFIED));
    }
    let [same, other] = KEYS.map(|key| holder.items(key));
    let other: FxHashSet<SmolStr> = other.iter().filter_map(|key| key.text()).collect();
    for key in same.iter().filter(|key| key.text().is_some_and(|text| other.contains(&text))) {
        look.excluded_item(key, "is in `mismatchLabelKeys`, too");
    }
}

/// The selector cannot have such a label as well.
fn repeated_keys(constraint: &Decoded<'_>, look: &mut Look) {
    let Some(own) = constraint.key("labelSelector") else { return };
    let wanted = own.key("matchLabels").map(|labels| labels.entries()).unwrap_or_default();
    let mut selected: FxHashSet<SmolStr> = wanted.into_iter().map(|(name, _)| name).collect();
    selected.extend(own.items("matchExpressions").iter().filter_map(|expression| expression.text_at("key")));
    for key in constraint.items("matchLabelKeys") {
        if key.text().is_some_and(|text| selected.contains(&text)) {
            look.excluded_item(&key, "is in the `labelSelector`, too");
        }
    }
}

/// The effects of taints that end no pods. An empty text is none of them.
const OTHER_EFFECTS: [&str; 3] = ["NoSchedule", "PreferNoSchedule", ""];

/// `ValidateTolerations`
pub(super) fn tolerated(toleration: &Decoded<'_>, look: &mut Look) {
    look.form(toleration, "key", QUALIFIED);
    let operator = toleration.text_at("operator");
    let is_whole = toleration.is_whole();
    match operator.as_deref() {
        Some("Exists") => {
            if let Some(value) = toleration.key("value").filter(|value| !value.is_blank()) {
                look.excluded(&value, "has no place beside `operator: Exists`, which is about the key alone");
            }
        }
        None | Some("" | "Equal") if !toleration.has("operator") || operator.as_deref() == Some("Equal") => {
            look.form(toleration, "value", LABEL_VALUE);
            if is_whole && toleration.lacks("key") {
                look.missing(
                    toleration,
                    &["key", "operator"],
                    format!("{} has no `key`, which only `operator: Exists` can do without", toleration.name()),
                );
            }
        }
        _ => {}
    }
    let effect = toleration.text_at("effect");
    if let Some(seconds) = toleration.key("tolerationSeconds")
        && (effect.is_some_and(|effect| OTHER_EFFECTS.contains(&effect.as_str())) || toleration.lacks("effect"))
    {
        let before = look.found.len();
        look.excluded(&seconds, "has a meaning with `effect: NoExecute` only");
        look.follows(before, toleration, &["effect"]);
    }
}
