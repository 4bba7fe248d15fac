//! Ingresses and policies of the network.

use super::addresses::{NETWORK, address, network};
use super::decoded::Decoded;
use super::look::{ABSOLUTE, LABEL, Look, PORT_NAME, PORTS, SEGMENT, SUBDOMAIN, TextForm};
use super::selectors::selector;
use super::table::{Row, RowKind};
use crate::kubernetes::rules::{number_range, text_form};

/// The annotation that did what `ingressClassName` does.
const CLASS: &str = "kubernetes.io/ingress.class";

/// A name of hosts, perhaps with `*` as its first part.
const HOST: TextForm = (
    |text| (SUBDOMAIN.0)(text.strip_prefix("*.").unwrap_or(text)),
    "the name of a host in lower case, perhaps with `*.` before it",
);

const NO_ADDRESS: TextForm = (|text| address(text).is_none(), "the name of a host, and no IP address");

/// `ValidateIngressCreate`
pub(super) fn ingress(resource: &Decoded<'_>, look: &mut Look) {
    let Some(spec) = resource.key("spec") else { return };
    let rules = spec.items("rules");
    let lacks_rules = spec.lacks("rules") || spec.key("rules").is_some_and(|rules| rules.is_empty());
    if spec.lacks("defaultBackend") && lacks_rules {
        look.missing(
            &spec,
            &["rules", "defaultBackend"],
            "the ingress has neither `rules` nor a `defaultBackend`".to_owned(),
        );
    }
    look.form(&spec, "ingressClassName", SUBDOMAIN);
    let annotated = resource.below(&["metadata", "annotations"]).and_then(|annotations| annotations.key(CLASS));
    if let Some(class) = annotated
        && let (Some(old), Some(new)) = (class.text(), spec.text_at("ingressClassName"))
        && old != new
    {
        look.excluded(&class, &format!("has to be the `ingressClassName`, which is `{new}`"));
    }
    if let Some(own) = spec.key("defaultBackend") {
        backend(&own, look);
    }
    look.rows(&spec, &[(&["tls", "[]"], &["secretName"], RowKind::Like(SUBDOMAIN))]);
    for host in spec.items("tls").iter().flat_map(|tls| tls.items("hosts")) {
        look.formed(&host, HOST);
    }
    for rule in rules {
        look.form(&rule, "host", HOST);
        look.form(&rule, "host", NO_ADDRESS);
        let Some(http) = rule.key("http") else { continue };
        look.has_items(&http, "paths");
        for path in http.items("paths") {
            match path.text_at("pathType").as_deref() {
                Some("Exact" | "Prefix") => {
                    look.required(&path, "path");
                    look.form(&path, "path", (is_clean, "a path that begins with `/`, without `//`, `.` and `..`"));
                }
                Some("ImplementationSpecific") => {
                    look.form(&path, "path", ABSOLUTE);
                }
                _ => {}
            }
            if let Some(own) = path.key("backend") {
                backend(&own, look);
            }
        }
    }
}

fn is_clean(path: &str) -> bool {
    const REFUSED: [&str; 5] = ["//", "/./", "/../", "%2f", "%2F"];
    path.starts_with('/')
        && !REFUSED.iter().any(|part| path.contains(part))
        && !path.ends_with("/..")
        && !path.ends_with("/.")
}

/// What a resource is referred to by.
pub(super) const REFERENCE: &[Row] = &[
    (&[], &["kind", "name"], RowKind::Filled),
    (&[], &["kind", "name"], RowKind::Like(SEGMENT)),
    (&[], &["apiGroup"], RowKind::Like(SUBDOMAIN)),
];

/// The keys that backends had before `networking.k8s.io/v1`.
const OLD_BACKEND: [&str; 2] = ["serviceName", "servicePort"];

fn backend(backend: &Decoded<'_>, look: &mut Look) {
    let old: Vec<Decoded<'_>> = OLD_BACKEND.iter().filter_map(|key| backend.key(key)).collect();
    if !old.is_empty() && !backend.has("service") && !backend.has("resource") {
        let name = backend.text_at("serviceName").unwrap_or_else(|| "NAME".into());
        let port = backend.key("servicePort").map_or_else(
            || "number: PORT".to_owned(),
            |port| port.text().map_or_else(|| format!("number: {}", port.written()), |name| format!("name: {name}")),
        );
        let names: Vec<String> = old.iter().map(Decoded::name).collect();
        let message = format!("earlier versions had {} where this one has `service`", names.join(" and "));
        return look.replaced(&old, message, format!("write `service: {{name: {name}, port: {{{port}}}}}`"));
    }
    look.exactly_one(backend, &["service", "resource"]);
    if let Some(resource) = backend.key("resource") {
        look.rows(&resource, REFERENCE);
    }
    let Some(service) = backend.key("service") else { return };
    look.filled(&service, "name");
    look.form(&service, "name", LABEL);
    match service.key("port") {
        Some(port) => {
            // An empty name and the number 0 are absent for the server.
            let has_no_number = port.key("number").is_some_and(|number| number.int() == Some(0));
            let has_no_name = port.key("name").is_some_and(|name| name.is_blank());
            if !has_no_number && !has_no_name {
                look.exactly_one(&port, &["name", "number"]);
            } else if has_no_name && port.lacks("number") {
                look.filled(&port, "name");
            }
            if !has_no_number || port.lacks("name") {
                look.number(&port, "number", PORTS);
            }
            look.form(&port, "name", PORT_NAME);
        }
        None => look.required(&service, "port"),
    }
}

/// `ValidateNetworkPolicySpec`
pub(super) fn policy(spec: &Decoded<'_>, look: &mut Look) {
    if let Some(own) = spec.key("podSelector") {
        selector(&own, look);
    }
    look.at_most(spec, "policyTypes", 2);
    for (direction, others) in [("ingress", "from"), ("egress", "to")] {
        for rule in spec.items(direction) {
            for port in rule.items("ports") {
                policy_port(&port, look);
            }
            for peer in rule.items(others) {
                self::peer(&peer, look);
            }
        }
    }
}

fn policy_port(port: &Decoded<'_>, look: &mut Look) {
    look.port(port, "port");
    let Some(end) = port.key("endPort") else { return };
    let first = port.key("port");
    if first.as_ref().is_some_and(|first| first.text().is_some()) || port.lacks("port") {
        let before = look.found.len();
        look.excluded(&end, "has a meaning beside a `port` with a number only");
        look.follows(before, port, &["port"]);
    }
    look.number(port, "endPort", PORTS);
    if let Some((first, last)) = first.and_then(|first| first.int()).zip(end.int())
        && last < first
    {
        let message = format!("`endPort` should be at least {first}, which is `port`, but is {last}");
        look.found.push(number_range::said(look.span(end.range()), message));
    }
}

fn peer(peer: &Decoded<'_>, look: &mut Look) {
    let keys = ["ipBlock", "podSelector", "namespaceSelector"];
    if keys.iter().all(|key| peer.lacks(key)) {
        look.missing(
            peer,
            &keys,
            format!("{} selects nothing: it has none of `ipBlock`, `podSelector`, `namespaceSelector`", peer.name()),
        );
    }
    for key in ["podSelector", "namespaceSelector"] {
        let Some(own) = peer.key(key) else { continue };
        selector(&own, look);
        if peer.has("ipBlock") {
            look.excluded(&own, "cannot be there beside an `ipBlock`");
        }
    }
    if let Some(block) = peer.key("ipBlock") {
        look.filled(&block, "cidr");
        look.form(&block, "cidr", NETWORK);
        for except in block.items("except") {
            look.formed(&except, NETWORK);
            if let (Some(all), Some(part)) = (block.text_at("cidr"), except.text())
                && let (Some(outer), Some(inner)) = (network(&all), network(&part))
                && !outer.is_around(&inner)
            {
                let message = format!("`{part}` should be a part of `{all}`, which is the `cidr`, and smaller than it");
                look.found.push(text_form::said(look.span(except.range()), message));
            }
        }
    }
}
