//! The spec of a pod (`ValidatePodSpec`).

use super::addresses::ADDRESS;
use super::containers::{Order, container, host_ports, labels};
use super::decoded::Decoded;
use super::look::{LABEL, Look, MOST, QUALIFIED, SUBDOMAIN, TextForm};
use super::placing::{affinity, spread, tolerated};
use super::security;
use super::table::{Row, RowKind};
use super::volumes::volumes;
use crate::kubernetes::rules::{number_range, text_form};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use std::ops::Range;

const ROWS: &[Row] = &[
    (&["readinessGates", "[]"], &["conditionType"], RowKind::Filled),
    (&["readinessGates", "[]"], &["conditionType"], RowKind::Like(QUALIFIED)),
    (&["schedulingGates", "[]"], &["name"], RowKind::Filled),
    (&["schedulingGates", "[]"], &["name"], RowKind::Like(QUALIFIED)),
    (&["dnsConfig", "options", "[]"], &["name"], RowKind::There),
];

const OF_CLAIMS: &[Row] = &[
    (&["resourceClaims", "[]"], &["name"], RowKind::Filled),
    (&["resourceClaims", "[]"], &["name"], RowKind::Like(LABEL)),
    (&["resourceClaims", "[]"], &["resourceClaimName", "resourceClaimTemplateName"], RowKind::Like(SUBDOMAIN)),
];

/// The most servers and domains that names are searched with, and how long the names of the domains are together.
const SERVERS: usize = 3;
const DOMAINS: usize = 32;
const LENGTH: usize = 2048;

/// A domain that names are searched in. Earlier versions refuse underscores and `.` alone.
const DOMAIN: TextForm = (
    |text| text == "." || (SUBDOMAIN.0)(&text.strip_suffix('.').unwrap_or(text).replace('_', "a")),
    "a domain of lower-case letters, digits, `-`, `_` and `.`",
);

/// Checks pods. `is_whole`: what they lack is added by nothing.
pub(super) fn pod(spec: &Decoded<'_>, is_whole: bool, look: &mut Look) {
    look.has_items(spec, "containers");
    let mut names: Vec<(SmolStr, Range<usize>)> = Vec::new();
    for (key, order) in [("initContainers", Order::Initial), ("containers", Order::Running)] {
        for own in spec.items(key) {
            container(&own, order, is_whole, look);
            let name = own.key("name").and_then(|name| Some((name.text()?, name.range())));
            names.extend(name.filter(|(text, _)| !text.is_empty()));
        }
    }
    names.sort_by_key(|(_, range)| range.start);
    let mut known = FxHashMap::default();
    for (name, range) in names {
        look.unique(&mut known, name, range, "the container");
    }
    devices(spec, look);
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
    security::pod(spec, look);
    security::system(spec, look);
    look.rows(spec, ROWS);
    super::resources::amounts(spec, "overhead", &[], look);
    look.unique_at(&spec.items("schedulingGates"), "name", "the gate");
    claims(spec, look);
    sleeps(spec, look);
    if let Some(late) = spec.key("ephemeralContainers").filter(|late| !late.is_empty()) {
        look.excluded(&late, "has no place in a new pod: such containers are added to a running one");
    }
    // The network of the host is possible with a feature of later servers.
    for key in ["hostPID", "hostIPC"] {
        if let Some(field) = spec.key(key).filter(|_| spec.is_unset("hostUsers") && spec.is_set(key)) {
            look.excluded(&field, "cannot be true beside `hostUsers: false`");
        }
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
}

/// Containers that say what they run. Those of patches leave out that and more.
fn whole_containers<'t>(spec: &Decoded<'t>) -> Vec<Decoded<'t>> {
    let all = ["containers", "initContainers"].iter().flat_map(|key| spec.items(key));
    all.filter(|container| container.has("image")).collect()
}

/// Pods of their own, which no other resource makes (`ValidatePodCreate`).
pub(super) fn own(spec: &Decoded<'_>, look: &mut Look) {
    pod(spec, true, look);
    for container in whole_containers(spec) {
        look.form(&container, "image", (|text| text.trim() == text, "the name of an image, without spaces around it"));
    }
    if let Some(node) = spec.key("nodeName").filter(|node| !node.is_blank())
        && !spec.items("schedulingGates").is_empty()
    {
        look.excluded(&node, "cannot be there beside `schedulingGates`, which keep the pod from every node");
    }
}

/// Pods that other resources make.
pub(super) fn template(spec: &Decoded<'_>, is_whole: bool, look: &mut Look) {
    pod(spec, is_whole, look);
    // A limit of the namespace may add what pods of their own lack, and so may the resources of the pod.
    if spec.lacks("resources") {
        for container in whole_containers(spec) {
            super::resources::huge_alone(&container, look);
        }
    }
}

/// How long a pod may take to end, in seconds, if that is not written.
const GRACE: i128 = 30;

/// Nothing sleeps longer than a pod may take to end.
fn sleeps(spec: &Decoded<'_>, look: &mut Look) {
    let grace = match spec.key("terminationGracePeriodSeconds") {
        Some(field) => field.int(),
        None => spec.lacks("terminationGracePeriodSeconds").then_some(GRACE),
    };
    let Some(grace) = grace.filter(|grace| *grace >= 0) else { return };
    for container in whole_containers(spec) {
        for event in ["postStart", "preStop"] {
            if let Some(sleep) = container.below(&["lifecycle", event, "sleep"]) {
                look.number(&sleep, "seconds", 0..=grace);
            }
        }
    }
}

/// Devices are claims of volumes, and nothing that is mounted.
fn devices(spec: &Decoded<'_>, look: &mut Look) {
    let is_mounted = |volume: &Decoded<'_>| volume.lacks("persistentVolumeClaim") && volume.lacks("ephemeral");
    let volumes = spec.items("volumes");
    let mounted: FxHashSet<SmolStr> =
        volumes.iter().filter(|volume| is_mounted(volume)).filter_map(|volume| volume.text_at("name")).collect();
    for container in whole_containers(spec) {
        for device in container.items("volumeDevices") {
            if let Some(name) =
                device.key("name").filter(|name| name.text().is_some_and(|text| mounted.contains(&text)))
            {
                look.excluded_item(&name, "cannot be a device: only volumes of claims can");
            }
        }
        look.unique_at(&container.items("resizePolicy"), "resourceName", "the policy of");
    }
}

/// Claims of devices, and what containers use of them.
fn claims(spec: &Decoded<'_>, look: &mut Look) {
    let claims = spec.items("resourceClaims");
    look.rows(spec, OF_CLAIMS);
    look.unique_at(&claims, "name", "the claim");
    for claim in &claims {
        look.exactly_one(claim, &["resourceClaimName", "resourceClaimTemplateName"]);
    }
    let names: Option<Vec<SmolStr>> = claims.iter().map(|claim| claim.text_at("name")).collect();
    let Some(names) = names.filter(|_| !claims.is_empty() || spec.lacks("resourceClaims")) else { return };
    for container in whole_containers(spec) {
        for field in container.reached(&["resources", "claims", "[]", "name"]) {
            if let Some(text) = field.text().filter(|text| !text.is_empty() && !names.contains(text)) {
                let message = format!("the pod has no claim `{text}` in its `resourceClaims`");
                look.found.push(text_form::said(look.span(field.range()), message));
            }
        }
    }
}

fn names_of_hosts(spec: &Decoded<'_>, look: &mut Look) {
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
            look.at_most(own, "nameservers", SERVERS);
            for address in own.items("nameservers") {
                look.formed(&address, ADDRESS);
            }
            look.at_most(own, "searches", DOMAINS);
            let domains = own.items("searches");
            let texts: Vec<SmolStr> = domains.iter().filter_map(|domain| domain.text()).collect();
            let length = texts.iter().map(|text| text.len() + 1).sum::<usize>().saturating_sub(1);
            if let Some(all) = own.key("searches").filter(|_| length > LENGTH && texts.len() <= DOMAINS) {
                let message = format!("`searches` should have at most {LENGTH} characters, but has {length}");
                look.found.push(number_range::said(look.span(all.place()), message));
            }
            domains.iter().for_each(|domain| look.formed(domain, DOMAIN));
            if is_none {
                look.nonempty(own, "nameservers");
            }
        }
        None if is_none => look.required(spec, "dnsConfig"),
        None => {}
    }
}
