//! Services (`ValidateService`).

use super::containers::labels;
use super::decoded::Decoded;
use super::look::{LABEL, Look, PORT_NAME, PORTS, SUBDOMAIN, TextForm};
use super::network::{ADDRESS, NETWORK};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// How many seconds a client stays with a pod at most.
const A_DAY: i128 = 86_400;

/// What only services have that are reached from outside by a balancer.
const OF_BALANCERS: [&str; 3] = ["loadBalancerClass", "allocateLoadBalancerNodePorts", "loadBalancerSourceRanges"];

pub(super) fn service(spec: &Decoded<'_>, look: &mut Look) {
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
            if let Some(address) = spec.key("clusterIP").filter(|address| !address.is_blank()) {
                look.excluded(&address, "has no place in a service of type `ExternalName`");
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
    if let Some(selector) = spec.key("selector") {
        labels(&selector, look);
    }
    let is_address = |text: &str| text == "None" || (ADDRESS.0)(text);
    look.form(spec, "clusterIP", (is_address, "an IP address or `None`"));
    for address in spec.items("externalIPs") {
        look.formed(&address, ADDRESS);
    }
    affinity(spec, look);
}

/// What depends on whether a service is reached from outside the cluster.
fn outside(spec: &Decoded<'_>, kind: &str, look: &mut Look) {
    if !matches!(kind, "ClusterIP" | "NodePort" | "ExternalName") {
        for range in spec.items("loadBalancerSourceRanges") {
            look.formed(&range, NETWORK);
        }
        return;
    }
    for field in OF_BALANCERS.iter().filter_map(|key| spec.key(key)).filter(|field| !field.is_empty()) {
        look.excluded(&field, "has a meaning with the type `LoadBalancer` only");
    }
    let is_inside = kind == "ClusterIP" && spec.lacks("externalIPs");
    if let Some(policy) = spec.key("externalTrafficPolicy").filter(|policy| is_inside && !policy.is_blank()) {
        look.excluded(&policy, "has a meaning with the types `NodePort` and `LoadBalancer` only");
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
        look.form(port, "targetPort", PORT_NAME);
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
            look.unique(&mut known, format!("{number}/{protocol}").into(), field.range(), "the port");
        }
        let Some(node) = port.key("nodePort") else { continue };
        let Some(number) = node.int().filter(|number| *number != 0) else { continue };
        if kind == "ClusterIP" {
            look.excluded(&node, "has no place in a service of type `ClusterIP`");
        }
        look.unique(&mut nodes, format!("{number}/{protocol}").into(), node.range(), "the port of nodes");
    }
}
