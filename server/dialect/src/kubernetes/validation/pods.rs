//! The spec of a pod (`ValidatePodSpec`).

use super::containers::{Order, container, host_ports, identities, labels};
use super::decoded::Decoded;
use super::look::{LABEL, LABEL_VALUE, Look, MOST, QUALIFIED, SUBDOMAIN, TextForm};
use super::selectors::{node_terms, selector};
use super::volumes::volumes;
use rustc_hash::FxHashMap;
use std::net::IpAddr;

/// Checks pods. `is_whole`: what they lack is added by nothing.
pub(super) fn pod(spec: &Decoded<'_>, is_whole: bool, look: &mut Look) {
    look.has_items(spec, "containers");
    let mut names = FxHashMap::default();
    for (key, order) in [("initContainers", Order::Initial), ("containers", Order::Running)] {
        for own in spec.items(key) {
            container(&own, order, is_whole, look);
            if let Some(name) = own.key("name")
                && let Some(text) = name.text().filter(|text| !text.is_empty())
            {
                look.unique(&mut names, text, name.range(), "the container");
            }
        }
    }
    host_ports(spec, look);
    volumes(spec, look);
    look.number(spec, "activeDeadlineSeconds", 1..=MOST);
    for key in ["hostname", "subdomain"] {
        look.form(spec, key, LABEL);
    }
    for key in ["serviceAccountName", "priorityClassName", "nodeName", "runtimeClassName"] {
        look.form(spec, key, SUBDOMAIN);
    }
    if let Some(selector) = spec.key("nodeSelector") {
        labels(&selector, look);
    }
    if let Some(context) = spec.key("securityContext") {
        identities(&context, look);
    }
    if spec.is_set("shareProcessNamespace") && spec.is_set("hostPID") {
        look.at_most_one(spec, &["shareProcessNamespace", "hostPID"]);
    }
    names_of_hosts(spec, look);
    affinity(spec, look);
    spread(spec, look);
    for toleration in spec.items("tolerations") {
        tolerated(&toleration, look);
    }
    for gate in spec.items("readinessGates") {
        look.form(&gate, "conditionType", QUALIFIED);
    }
}

fn names_of_hosts(spec: &Decoded<'_>, look: &mut Look) {
    const ADDRESS: TextForm = (|text| text.parse::<IpAddr>().is_ok(), "an IP address");
    for alias in spec.items("hostAliases") {
        look.form(&alias, "ip", ADDRESS);
        for name in alias.items("hostnames") {
            look.formed(&name, SUBDOMAIN);
        }
    }
    let own = spec.key("dnsConfig");
    let is_none = spec.text_at("dnsPolicy").is_some_and(|policy| policy == "None");
    match &own {
        Some(own) => {
            for address in own.items("nameservers") {
                look.formed(&address, ADDRESS);
            }
            if is_none {
                look.nonempty(own, "nameservers");
            }
        }
        None if is_none => look.required(spec, "dnsConfig"),
        None => {}
    }
}

fn affinity(spec: &Decoded<'_>, look: &mut Look) {
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
        }
    }
}

fn spread(spec: &Decoded<'_>, look: &mut Look) {
    let mut known = FxHashMap::default();
    for constraint in spec.items("topologySpreadConstraints") {
        look.number(&constraint, "maxSkew", 1..=MOST);
        look.filled(&constraint, "topologyKey");
        look.form(&constraint, "topologyKey", QUALIFIED);
        look.number(&constraint, "minDomains", 1..=MOST);
        let is_wish = constraint.text_at("whenUnsatisfiable").is_some_and(|text| text == "ScheduleAnyway");
        if let Some(domains) = constraint.key("minDomains").filter(|_| is_wish) {
            look.excluded(&domains, "has a meaning with `whenUnsatisfiable: DoNotSchedule` only");
        }
        match constraint.key("labelSelector") {
            Some(own) => selector(&own, look),
            None if constraint.lacks("labelSelector") => {
                if let Some(keys) = constraint.key("matchLabelKeys").filter(|keys| !keys.is_empty()) {
                    look.excluded(&keys, "has a meaning beside a `labelSelector` only");
                }
            }
            None => {}
        }
        if let (Some(key), Some(when)) = (constraint.key("topologyKey"), constraint.text_at("whenUnsatisfiable"))
            && let Some(text) = key.text().filter(|text| !text.is_empty())
        {
            look.unique(&mut known, format!("{text} {when}").into(), key.range(), "the constraint");
        }
    }
}

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
                    format!("{} has no `key`, which only `operator: Exists` can do without", toleration.name()),
                );
            }
        }
        _ => {}
    }
    let effect = toleration.text_at("effect");
    if let Some(seconds) = toleration.key("tolerationSeconds")
        && (effect.is_some_and(|effect| effect != "NoExecute") || toleration.lacks("effect"))
    {
        look.excluded(&seconds, "has a meaning with `effect: NoExecute` only");
    }
}
