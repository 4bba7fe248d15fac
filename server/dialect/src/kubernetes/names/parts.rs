//! Parts of resources that others name: the keys of ConfigMaps and Secrets, and the ports of Services. A part is named
//! `resource/part`, and `resource/` stands for a resource all of whose parts are known.

use super::super::pods::{CONTAINERS, is_computed, is_misspelt};
use super::NamesFound;
use crate::{Role, SchemaName, WrittenSteps};
use lofting_diagnostic::suggest::is_slip;
use smol_str::SmolStr;

const CONFIG_MAP: &str = "ConfigMap";
const SECRET: &str = "Secret";
const SERVICE: &str = "Service";

/// The keys of a kind, in words.
pub(super) fn key_of(kind: &str) -> Option<&'static str> {
    Some(match kind {
        CONFIG_MAP => CONFIG_MAP_KEY[0],
        SECRET => SECRET_KEY[0],
        _ => return None,
    })
}

const CONFIG_MAP_KEY: &[&str] = &["ConfigMap key"];
const SECRET_KEY: &[&str] = &["Secret key"];
/// A port by its number, which is an integer wherever it is named.
const SERVICE_PORT: &[&str] = &["Service port"];
const SERVICE_PORT_NAME: &[&str] = &["Service port name"];

/// The resource that has a part with this name.
pub fn owner(part: &SchemaName) -> Option<SchemaName> {
    let kinds =
        [(CONFIG_MAP, CONFIG_MAP_KEY), (SECRET, SECRET_KEY), (SERVICE, SERVICE_PORT), (SERVICE, SERVICE_PORT_NAME)];
    let (kind, _) = kinds.into_iter().find(|(_, parts)| parts.contains(&part.kind.as_str()))?;
    let (name, _) = part.name.split_once('/')?;
    Some(SchemaName { kind: kind.into(), name: name.into(), ..part.clone() })
}

/// Whether the resources with these parts are in namespaces.
pub(super) fn is_part(kind: &str) -> bool {
    [CONFIG_MAP_KEY, SECRET_KEY, SERVICE_PORT, SERVICE_PORT_NAME].into_iter().any(|kinds| kinds.contains(&kind))
}

/// Where a kind names ports of Services, from its root.
const PORTS: [(&str, &[&str]); 3] = [
    ("Ingress", &["spec", "defaultBackend", "service"]),
    ("Ingress", &["spec", "rules", "[]", "http", "paths", "[]", "backend", "service"]),
    ("HTTPRoute", &["spec", "rules", "[]", "backendRefs", "[]"]),
];

/// Claims the parts of the resource with this name.
pub(super) fn declared(found: &mut NamesFound<'_>, root: &WrittenSteps<'_>, kind: &str, name: &WrittenSteps<'_>) {
    let Some(owner) = name.text() else { return };
    let mut claim = |part: &str, parts: Parts<'_>| {
        let whole = Role::Name(found.named(part, &format!("{owner}/"), None));
        found.claims.extend(name.clone().claim_text(found.document, 0..0, whole));
        for (text, written) in parts {
            let role = Role::Name(found.named(part, &format!("{owner}/{text}"), None));
            found.claims.extend(match written {
                Part::Key(value) => Some(value.claim(found.document, role)),
                Part::Text(value) => value.claim_text(found.document, 0..text.len(), role),
            });
        }
    };
    // Where not all are known, nothing is missing.
    if kind == SERVICE {
        if let Some((numbers, names)) = ports(root) {
            claim(SERVICE_PORT[0], numbers);
            claim(SERVICE_PORT_NAME[0], names);
        }
    } else if let Some((key, keys)) = key_of(kind).zip(keys(root)) {
        claim(key, keys);
    }
}

/// Where a part is written: as a key, or as a text.
enum Part<'t> {
    Key(WrittenSteps<'t>),
    Text(WrittenSteps<'t>),
}

/// The keys with the data of a ConfigMap or Secret.
const MAPS: [&str; 3] = ["data", "binaryData", "stringData"];

/// Its other keys, which are none of these misspelt.
const OTHERS: [&str; 5] = ["apiVersion", "kind", "metadata", "immutable", "type"];

/// The keys of a ConfigMap or Secret; None if it has others, or none yet.
fn keys<'t>(root: &WrittenSteps<'t>) -> Option<Parts<'t>> {
    let mut found = Vec::new();
    let is_known = |key: &SmolStr| MAPS.iter().chain(&OTHERS).any(|known| key == known);
    if root.keys().iter().any(|key| !is_known(key) && MAPS.iter().any(|map| is_slip(key, map))) {
        return None;
    }
    for map in MAPS.into_iter().filter_map(|key| root.key(key)) {
        let entries = map.map()?;
        let keys = map.keys();
        if keys.len() != entries.entries().count() || keys.iter().any(|key| key == "<<" || is_computed(key)) {
            return None;
        }
        found.extend(map.entries().into_iter().map(|(key, value)| (key, Part::Key(value))));
    }
    (!found.is_empty()).then_some(found)
}

/// Parts with their texts.
type Parts<'t> = Vec<(SmolStr, Part<'t>)>;

/// The numbers and the names of the ports of a Service.
fn ports<'t>(root: &WrittenSteps<'t>) -> Option<(Parts<'t>, Parts<'t>)> {
    let ports = root.key("spec")?.key("ports")?;
    let (mut numbers, mut names) = (Vec::new(), Vec::new());
    for port in ports.items() {
        let number = port.key("port")?;
        numbers.push((scalar(&number)?, Part::Text(number)));
        if is_misspelt(&port, "name") {
            return None;
        }
        if let Some(name) = port.key("name") {
            names.push((scalar(&name)?, Part::Text(name)));
        }
    }
    (!numbers.is_empty()).then_some((numbers, names))
}

/// The text of a scalar that is there when the resource is applied.
fn scalar(written: &WrittenSteps<'_>) -> Option<SmolStr> {
    let text: SmolStr = written.value().scalar()?.value().as_ref().into();
    (!text.is_empty() && !is_computed(&text)).then_some(text)
}

/// Claims what a kind names of the parts of others.
pub(super) fn references(found: &mut NamesFound<'_>, root: &WrittenSteps<'_>, kind: &str) {
    for (_, path) in PORTS.iter().filter(|(known, _)| *known == kind) {
        for backend in root.reached(path) {
            let kind = backend.key("kind").and_then(|kind| kind.text());
            if kind.is_some_and(|kind| kind != SERVICE) {
                continue;
            }
            let Some(port) = backend.key("port") else { continue };
            if port.map().is_none() {
                found.port(&backend, port);
                continue;
            }
            match port.key("name") {
                Some(name) if scalar(&name).is_some_and(|name| !is_number(&name)) => {
                    found.part(SERVICE_PORT_NAME, &backend, "name", Some(name));
                }
                Some(_) => {}
                None => port.key("number").into_iter().for_each(|number| found.port(&backend, number)),
            }
        }
    }
}

/// Claims what pods name of the parts of others.
pub(super) fn references_of_pods(found: &mut NamesFound<'_>, spec: &WrittenSteps<'_>) {
    for container in CONTAINERS.iter().filter_map(|key| spec.key(key)).flat_map(|array| array.items()) {
        for from in container.reached(&["env", "[]", "valueFrom"]) {
            for (key, kinds) in [("configMapKeyRef", CONFIG_MAP_KEY), ("secretKeyRef", SECRET_KEY)] {
                if let Some(written) = from.key(key) {
                    let part = written.key("key");
                    found.part(kinds, &written, "name", part);
                }
            }
        }
    }
    let volumes = spec.reached(&["volumes", "[]"]);
    let projected = spec.reached(&["volumes", "[]", "projected", "sources", "[]"]);
    for volume in volumes.into_iter().chain(projected) {
        for (key, kinds) in [("configMap", CONFIG_MAP_KEY), ("secret", SECRET_KEY)] {
            let Some(written) = volume.key(key) else { continue };
            let name = if written.key("secretName").is_some() { "secretName" } else { "name" };
            for item in written.reached(&["items", "[]"]) {
                let part = item.key("key");
                found.part(kinds, &written, name, part);
            }
        }
    }
}

/// Whether a text is an integer. What is written in place of one, or where there should be none, is of the wrong type.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether what a map names need not be there.
pub(super) fn may_be_absent(around: &WrittenSteps<'_>) -> bool {
    around.key("optional").is_some_and(|optional| scalar(&optional).is_none_or(|text| text != "false"))
}

impl NamesFound<'_> {
    /// A port of the service that a map names.
    fn port(&mut self, around: &WrittenSteps<'_>, number: WrittenSteps<'_>) {
        if scalar(&number).is_some_and(|number| is_number(&number)) {
            self.part(SERVICE_PORT, around, "name", Some(number));
        }
    }

    /// A part of the resource that a map names.
    fn part(
        &mut self,
        kinds: &'static [&'static str],
        around: &WrittenSteps<'_>,
        name: &str,
        part: Option<WrittenSteps<'_>>,
    ) {
        let owner = around.key(name).and_then(|name| name.text());
        let owner = owner.filter(|name| !is_computed(name));
        let (Some(owner), Some(part)) = (owner, part) else { return };
        let (Some(text), Some(kind)) = (scalar(&part), kinds.first()) else { return };
        let namespace = around.key("namespace").and_then(|namespace| namespace.text());
        let named = self.named(kind, &format!("{owner}/{text}"), namespace);
        let is_needed = !may_be_absent(around);
        let role = if is_needed { Role::Reference(named, kinds) } else { Role::Mention(named) };
        self.claims.extend(part.claim_text(self.document, 0..text.len(), role));
    }
}
