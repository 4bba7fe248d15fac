//! Services (`ValidateService`).

use super::addresses::{ADDRESS, NETWORK, OUTER, address};
use super::containers::labels;
use super::decoded::Decoded;
use super::look::{LABEL, Look, PORT_NAME, PORTS, QUALIFIED, SUBDOMAIN, TextForm};
use crate::kubernetes::rules::text_form;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// How many seconds a client stays with a pod at most.
const A_DAY: i128 = 86_400;

/// What only services have that are reached from outside by a balancer.
const OF_BALANCERS: [&str; 3] = ["loadBalancerClass", "allocateLoadBalancerNodePorts", "loadBalancerSourceRanges"];

/// The annotation that did what `loadBalancerSourceRanges` does.
const RANGES: &str = "service.beta.kubernetes.io/load-balancer-source-ranges";

pub(super) fn service(resource: &Decoded<'_>, look: &mut Look) {
    let Some(spec) = &resource.key("spec") else { return };
    let kind = match spec.key("type") {
        None => spec.lacks("type").then(|| SmolStr::new_static("ClusterIP")),
        Some(kind) => kind.text(),
    };
    let Some(kind) = kind else { return ports(spec, "", look) };
    let is_headless = spec.text_at("clusterIP").is_some_and(|address| address == "None");
    match kind.as_str() {
        "ExternalName" => {
            look.required(spec, "externalName");
            let is_name = |text: &str| (SUBDOMAIN.0)(text.strip_suffix('.').unwrap_or(text));
            look.form(spec, "externalName", (is_name, SUBDOMAIN.1));
            for key in ["clusterIP", "ipFamilies", "ipFamilyPolicy"] {
                if let Some(field) = spec.key(key).filter(|field| !field.is_blank() && !field.is_empty()) {
                    look.excluded(&field, "has no place in a service of type `ExternalName`");
                }
            }
        }
        "ClusterIP" | "NodePort" | "LoadBalancer" => {
            let is_known = spec.lacks("clusterIP") || spec.text_at("clusterIP").is_some();
            if is_known && !is_headless {
                look.nonempty(spec, "ports");
            }
            if let Some(address) = spec.key("clusterIP").filter(|_| is_headless && kind != "ClusterIP") {
                look.excluded(&address, &format!("cannot be `None` in a service of type `{kind}`"));
            }
        }
        _ => {}
    }
    ports(spec, &kind, look);
    outside(spec, &kind, look);
    annotated(resource, spec, &kind, look);
    if kind != "ExternalName" {
        addresses(spec, look);
    }
    if let Some(selector) = spec.key("selector") {
        labels(&selector, look);
    }
    let is_address = |text: &str| text == "None" || (ADDRESS.0)(text);
    look.form(spec, "clusterIP", (is_address, "an IP address or `None`"));
    for address in spec.items("externalIPs") {
        look.formed(&address, OUTER);
    }
    affinity(spec, look);
}

/// What depends on whether a service is reached from outside the cluster.
fn outside(spec: &Decoded<'_>, kind: &str, look: &mut Look) {
    let is_checked =
        kind == "LoadBalancer" && spec.text_at("externalTrafficPolicy").is_some_and(|text| text == "Local");
    let is_known = spec.lacks("externalTrafficPolicy") || spec.text_at("externalTrafficPolicy").is_some();
    if is_checked {
        look.number(spec, "healthCheckNodePort", 0..=*PORTS.end());
    } else if let Some(port) = spec.key("healthCheckNodePort").filter(|port| is_known && port.int() != Some(0)) {
        look.excluded(&port, "has a meaning with the type `LoadBalancer` and `externalTrafficPolicy: Local` only");
    }
    if !matches!(kind, "ClusterIP" | "NodePort" | "ExternalName") {
        look.form(spec, "loadBalancerClass", QUALIFIED);
        for range in spec.items("loadBalancerSourceRanges") {
            look.formed(&range, NETWORK);
        }
        return;
    }
    let before = look.found.len();
    for field in OF_BALANCERS.iter().filter_map(|key| spec.key(key)).filter(|field| !field.is_empty()) {
        look.excluded(&field, "has a meaning with the type `LoadBalancer` only");
    }
    look.follows(before, spec, &["type"]);
    let has_addresses = kind == "ClusterIP" && !spec.lacks("externalIPs");
    let is_inside = kind != "NodePort" && !has_addresses;
    if let Some(policy) = spec.key("externalTrafficPolicy").filter(|policy| is_inside && !policy.is_blank()) {
        let before = look.found.len();
        look.excluded(&policy, "has a meaning with the types `NodePort` and `LoadBalancer` only");
        look.follows(before, spec, &["type", "externalIPs"]);
    }
}

fn annotated(resource: &Decoded<'_>, spec: &Decoded<'_>, kind: &str, look: &mut Look) {
    let Some(ranges) = resource.below(&["metadata", "annotations"]).and_then(|own| own.key(RANGES)) else { return };
    if !spec.lacks("loadBalancerSourceRanges") {
        return;
    }
    if matches!(kind, "ClusterIP" | "NodePort" | "ExternalName") {
        look.excluded(&ranges, "has a meaning with the type `LoadBalancer` only");
    } else {
        let are_ranges = |text: &str| text.trim().is_empty() || text.trim().split(',').all(NETWORK.0);
        look.formed(&ranges, (are_ranges, "networks such as `10.0.0.0/8`, with commas between them"));
    }
}

/// Addresses inside the cluster, of which there may be one of each version of IP
/// (`ValidateServiceClusterIPsRelatedFields`).
fn addresses(spec: &Decoded<'_>, look: &mut Look) {
    let families = spec.items("ipFamilies");
    look.unique_items(&families, "the version");
    let all = spec.items("clusterIPs");
    if spec.text_at("ipFamilyPolicy").is_some_and(|policy| policy == "SingleStack") {
        let several = [("ipFamilies", &families), ("clusterIPs", &all)].into_iter().find(|(_, items)| items.len() == 2);
        if let Some(array) = several.and_then(|(key, _)| spec.key(key)) {
            look.excluded(&array, "cannot have two items beside `ipFamilyPolicy: SingleStack`");
        }
    }
    // The address alone is the first of all. The two keys are so alike that one looks like the other, misspelt.
    let is_alone = spec.is_whole() && all.is_empty() && !spec.is_begun("clusterIPs");
    if let Some(field) = spec.key("clusterIP").filter(|_| is_alone)
        && let Some(family) = families.first()
    {
        of_family(&field, family, look);
    }
    let Some(array) = spec.key("clusterIPs").filter(|_| !all.is_empty()) else { return };
    let first = all.first().and_then(|first| first.text());
    let one = spec.key("clusterIP").filter(|one| !one.is_blank());
    if let (Some(one), Some(first)) = (one.as_ref().and_then(|one| one.text()), &first)
        && one != *first
    {
        let message = format!("the first item of `clusterIPs` should be `{one}`, which is `clusterIP`");
        look.found.push(text_form::said(look.span(array.place()), message));
        return;
    }
    // The two keys are so alike that one looks like the other, misspelt.
    if spec.is_whole() && one.is_none() && !spec.is_begun("clusterIP") {
        look.excluded(&array, "has a meaning beside `clusterIP` only, which is the first of them");
        return;
    }
    let texts: Option<Vec<SmolStr>> = all.iter().map(|item| item.text()).collect();
    let Some(texts) = texts else { return };
    if first.is_some_and(|first| first == "None") && texts.len() > 1 {
        look.excluded(&array, "can have no other item beside `None`");
        return;
    }
    for item in all.iter().skip(1) {
        look.formed(item, ADDRESS);
    }
    let versions: Vec<bool> = texts.iter().filter_map(|text| Some(address(text)?.is_ipv6())).collect();
    let is_repeated = versions.len() > 1 && versions.windows(2).any(|two| two[0] == two[1]);
    if is_repeated || texts.len() > 2 {
        look.excluded(&array, "can have one address of each version of IP only");
    }
    if versions.len() == texts.len() {
        all.iter().zip(&families).for_each(|(item, family)| of_family(item, family, look));
    }
}

/// An address of the version that belongs to it.
fn of_family(item: &Decoded<'_>, family: &Decoded<'_>, look: &mut Look) {
    let is_new = match family.text().as_deref() {
        Some("IPv4") => false,
        Some("IPv6") => true,
        _ => return,
    };
    if item.text().and_then(|text| address(&text)).is_some_and(|own| own.is_ipv6() != is_new) {
        let message = format!("`{}` is not an address of the version that `ipFamilies` has here", item.written());
        look.found.push(text_form::said(look.span(item.range()), message));
    }
}

fn affinity(spec: &Decoded<'_>, look: &mut Look) {
    let Some(configured) = spec.key("sessionAffinityConfig") else { return };
    // Without affinity the server removes its configuration before it looks at it.
    let is_used = spec.text_at("sessionAffinity").is_some_and(|text| text == "ClientIP");
    if let Some(client) = configured.key("clientIP").filter(|_| is_used) {
        look.number(&client, "timeoutSeconds", 1..=A_DAY);
    }
}

fn ports(spec: &Decoded<'_>, kind: &str, look: &mut Look) {
    let ports = spec.items("ports");
    look.unique_at(&ports, "name", "the name");
    let (mut known, mut nodes) = (FxHashMap::default(), FxHashMap::default());
    for port in &ports {
        if ports.len() > 1 {
            look.required(port, "name");
        }
        const NAME: TextForm = LABEL;
        look.form(port, "name", NAME);
        look.number(port, "port", PORTS);
        // 0 is the `port`.
        look.number(port, "targetPort", 0..=*PORTS.end());
        look.number_or_form(port, "targetPort", PORT_NAME);
        look.form(port, "appProtocol", QUALIFIED);
        if !port.is_whole() {
            continue;
        }
        let protocol = match port.key("protocol") {
            None => Some(SmolStr::new_static("TCP")),
            Some(protocol) => protocol.text(),
        };
        let Some(protocol) = protocol else { continue };
        if let Some(field) = port.key("port")
            && let Some(number) = field.int()
        {
            let before = look.found.len();
            look.unique(&mut known, format!("{number}/{protocol}").into(), field.range(), "the port");
            look.follows(before, port, &["protocol"]);
        }
        let Some(node) = port.key("nodePort") else { continue };
        let Some(number) = node.int().filter(|number| *number != 0) else { continue };
        if kind == "ClusterIP" {
            let before = look.found.len();
            look.excluded(&node, "has no place in a service of type `ClusterIP`");
            look.follows(before, spec, &["type"]);
        }
        look.unique(&mut nodes, format!("{number}/{protocol}").into(), node.range(), "the port of nodes");
    }
}
