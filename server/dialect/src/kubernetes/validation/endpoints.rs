//! Where requests end: `Endpoints`, `EndpointSlice`, and nodes.

use super::addresses::{NETWORK, OUTER, OUTER_V4, OUTER_V6};
use super::decoded::Decoded;
use super::look::{LABEL, LABEL_VALUE, Look, PORTS, QUALIFIED, SUBDOMAIN};
use super::table::{Row, RowKind};
use rustc_hash::FxHashMap;

const OF_SUBSETS: &[Row] = &[
    (&["addresses", "[]"], &["ip"], RowKind::Filled),
    (&["addresses", "[]"], &["ip"], RowKind::Like(OUTER)),
    (&["addresses", "[]"], &["hostname"], RowKind::Like(LABEL)),
    (&["addresses", "[]"], &["nodeName"], RowKind::Like(SUBDOMAIN)),
    (&["notReadyAddresses", "[]"], &["ip"], RowKind::Like(OUTER)),
    (&["notReadyAddresses", "[]"], &["hostname"], RowKind::Like(LABEL)),
    (&["ports", "[]"], &["name"], RowKind::Like(LABEL)),
    (&["ports", "[]"], &["port"], RowKind::Within(*PORTS.start(), *PORTS.end())),
    (&["ports", "[]"], &["appProtocol"], RowKind::Like(QUALIFIED)),
];

/// `ValidateEndpoints`
pub(super) fn endpoints(resource: &Decoded<'_>, look: &mut Look) {
    for subset in resource.items("subsets") {
        look.rows(&subset, OF_SUBSETS);
        if subset.is_bare("addresses") && subset.is_bare("notReadyAddresses") {
            look.missing(
                &subset,
                &["addresses", "notReadyAddresses"],
                format!("{} has neither `addresses` nor `notReadyAddresses`", subset.name()),
            );
        }
        let ports = subset.items("ports");
        if ports.len() > 1 {
            ports.iter().for_each(|port| look.required(port, "name"));
        }
    }
}

/// `ValidateEndpointSlice`
pub(super) fn endpoint_slice(resource: &Decoded<'_>, look: &mut Look) {
    let form = match resource.text_at("addressType").as_deref() {
        Some("IPv4") => Some(OUTER_V4),
        Some("IPv6") => Some(OUTER_V6),
        Some("FQDN") => Some(SUBDOMAIN),
        _ => None,
    };
    for endpoint in resource.items("endpoints") {
        look.has_items(&endpoint, "addresses");
        for address in endpoint.items("addresses") {
            if let Some(form) = form {
                look.formed(&address, form);
            }
        }
        look.form(&endpoint, "hostname", LABEL);
        look.form(&endpoint, "nodeName", SUBDOMAIN);
        let zones = endpoint.below(&["hints"]).map(|hints| hints.items("forZones")).unwrap_or_default();
        look.unique_at(&zones, "name", "the zone");
    }
    let ports = resource.items("ports");
    look.unique_at(&ports, "name", "the port");
    // A port without a name has an empty one.
    let mut nameless = ports.iter().filter(|port| port.is_whole() && port.lacks("name")).skip(1);
    if let Some(port) = nameless.next() {
        look.missing(port, &["name"], "only one port can be without a `name`".to_owned());
    }
    for port in ports {
        look.form(&port, "name", LABEL);
        look.number(&port, "port", PORTS);
        look.form(&port, "appProtocol", QUALIFIED);
    }
}

const TAINTS: &[Row] = &[
    (&["taints", "[]"], &["key", "effect"], RowKind::Filled),
    (&["taints", "[]"], &["key"], RowKind::Like(QUALIFIED)),
    (&["taints", "[]"], &["value"], RowKind::Like(LABEL_VALUE)),
];

/// `ValidateNode`
pub(super) fn node(spec: &Decoded<'_>, look: &mut Look) {
    look.rows(spec, TAINTS);
    let mut known = FxHashMap::default();
    for taint in spec.items("taints") {
        if let (Some(key), Some(effect)) = (taint.key("key"), taint.text_at("effect"))
            && let Some(text) = key.text().filter(|text| !text.is_empty())
        {
            look.unique(&mut known, format!("{text}:{effect}").into(), key.range(), "the taint");
        }
    }
    for network in spec.items("podCIDRs") {
        look.formed(&network, NETWORK);
    }
}
