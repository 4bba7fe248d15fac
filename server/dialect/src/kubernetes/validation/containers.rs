//! Containers (`validateContainers`).

use super::decoded::Decoded;
use super::look::{
    CONFIG_KEY, DOWN, INSIDE, LABEL, LABEL_VALUE, Look, PORT_NAME, PORTS, QUALIFIED, SUBDOMAIN, TextForm,
};
use super::sources::{FIELDS_OF_VARIABLES, field, of_resources};
use super::table::{Row, RowKind};
use super::{probes, resources, security};
use crate::kubernetes::rules::excluded_field;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

/// When containers of a pod run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// They run side by side.
    Running,
    /// They run first.
    Initial,
}

/// Sources of a variable.
const SOURCES: [&str; 5] = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];

/// Checks a container. Those of documents that are not whole may lack what the document that they are merged onto has.
pub(super) fn container(container: &Decoded<'_>, order: Order, is_whole: bool, look: &mut Look) {
    look.form(container, "name", LABEL);
    if !is_whole && !container.has("image") {
        return;
    }
    look.filled(container, "name");
    look.required(container, "image");
    ports(container, look);
    for variable in container.items("env") {
        self::variable(&variable, look);
    }
    for source in container.items("envFrom") {
        look.exactly_one(&source, &["configMapRef", "secretRef"]);
        look.rows(&source, OF_GROUPS);
    }
    mounts(container, look);
    probes::probes(container, order, look);
    if let Some(resources) = container.key("resources") {
        resources::resources(&resources, look);
    }
    if let Some(context) = container.key("securityContext") {
        security::container(&context, look);
    }
}

fn ports(container: &Decoded<'_>, look: &mut Look) {
    let ports = container.items("ports");
    look.unique_at(&ports, "name", "the name");
    for port in &ports {
        look.number(port, "containerPort", PORTS);
        look.number(port, "hostPort", 0..=65535);
        look.form(port, "name", PORT_NAME);
    }
}

/// What names consist of was less in versions before 1.34.
const VARIABLE: TextForm = (
    |text| text.chars().all(|c| (' '..='~').contains(&c) && c != '='),
    "the name of a variable: printable characters of ASCII without `=`",
);

/// Where variables come from.
const NAMED: &[Row] = &[
    (&["configMapKeyRef"], &["name"], RowKind::There),
    (&["configMapKeyRef"], &["name"], RowKind::Like(SUBDOMAIN)),
    (&["configMapKeyRef"], &["key"], RowKind::Filled),
    (&["configMapKeyRef"], &["key"], RowKind::Like(CONFIG_KEY)),
    (&["secretKeyRef"], &["name"], RowKind::There),
    (&["secretKeyRef"], &["name"], RowKind::Like(SUBDOMAIN)),
    (&["secretKeyRef"], &["key"], RowKind::Filled),
    (&["secretKeyRef"], &["key"], RowKind::Like(CONFIG_KEY)),
];

const OF_GROUPS: &[Row] = &[
    (&[], &["prefix"], RowKind::Like(VARIABLE)),
    (&["configMapRef"], &["name"], RowKind::There),
    (&["secretRef"], &["name"], RowKind::There),
    (&["configMapRef"], &["name"], RowKind::Like(SUBDOMAIN)),
    (&["secretRef"], &["name"], RowKind::Like(SUBDOMAIN)),
];

fn variable(variable: &Decoded<'_>, look: &mut Look) {
    look.form(variable, "name", VARIABLE);
    look.filled(variable, "name");
    look.at_most_one_filled(variable, &["value", "valueFrom"]);
    let Some(from) = variable.key("valueFrom") else { return };
    look.exactly_one(&from, &SOURCES);
    if let Some(own) = from.key("fieldRef") {
        field(&own, FIELDS_OF_VARIABLES, look);
    }
    if let Some(own) = from.key("resourceFieldRef") {
        of_resources(&own, look);
    }
    look.rows(&from, NAMED);
}

fn mounts(container: &Decoded<'_>, look: &mut Look) {
    let mounts = container.items("volumeMounts");
    let devices = container.items("volumeDevices");
    look.unique_at(&mounts, "mountPath", "a mount at");
    look.unique_at(&devices, "name", "the device");
    look.unique_at(&devices, "devicePath", "a device at");
    for mount in &mounts {
        for key in ["name", "mountPath"] {
            look.filled(mount, key);
        }
        look.at_most_one_filled(mount, &["subPath", "subPathExpr"]);
        for key in ["subPath", "subPathExpr"] {
            look.form(mount, key, INSIDE);
        }
        recursion(mount, look);
        let is_shared = mount.text_at("mountPropagation").is_some_and(|text| text == "Bidirectional");
        if let Some(field) = mount.key("mountPropagation").filter(|_| is_shared && is_unprivileged(container)) {
            look.excluded(&field, "can be `Bidirectional` in privileged containers only");
        }
    }
    for device in &devices {
        look.form(device, "devicePath", DOWN);
    }
    for (key, path, what) in [("name", "name", "the volume"), ("devicePath", "mountPath", "a mount at")] {
        let mounted: FxHashSet<SmolStr> = mounts.iter().filter_map(|mount| mount.text_at(path)).collect();
        for field in devices.iter().filter_map(|device| device.key(key)) {
            if let Some(text) = field.text().filter(|text| mounted.contains(text)) {
                let message = format!("{what} `{text}` is in `volumeMounts` already");
                look.found.push(excluded_field::finding(look.span(field.range()), message));
            }
        }
    }
}

/// Whether mounts inside a mount can be read only, too (`validateMountRecursiveReadOnly`).
fn recursion(mount: &Decoded<'_>, look: &mut Look) {
    let is_asked =
        mount.text_at("recursiveReadOnly").is_some_and(|text| matches!(text.as_str(), "Enabled" | "IfPossible"));
    let Some(field) = mount.key("recursiveReadOnly").filter(|_| is_asked) else { return };
    if mount.lacks("readOnly") || mount.is_unset("readOnly") {
        look.excluded(&field, "has a meaning beside `readOnly: true` only");
    } else if mount.text_at("mountPropagation").is_some_and(|text| text != "None") {
        look.excluded(&field, "has a meaning beside `mountPropagation: None` only, which is the default");
    }
}

/// Whether a container is certainly not privileged.
fn is_unprivileged(container: &Decoded<'_>) -> bool {
    match container.key("securityContext") {
        Some(context) => context.is_unset("privileged") || context.lacks("privileged"),
        None => container.lacks("securityContext"),
    }
}

/// The ports of the host that containers take, each of which only one can have.
pub(super) fn host_ports(spec: &Decoded<'_>, look: &mut Look) {
    let shares = spec.is_set("hostNetwork");
    let ports_of = |key: &str| -> Vec<Vec<Decoded<'_>>> {
        spec.items(key).iter().map(|container| container.items("ports")).collect()
    };
    taken(&ports_of("containers").concat(), shares, look);
    // Containers that run one after the other do not disturb each other.
    for ports in ports_of("initContainers") {
        taken(&ports, false, look);
    }
}

/// `shares`: the pod is in the network of the host.
fn taken(ports: &[Decoded<'_>], shares: bool, look: &mut Look) {
    let mut taken = FxHashMap::default();
    for port in ports {
        let Some(field) = port.key("hostPort") else { continue };
        let Some(number) = field.int().filter(|number| *number != 0) else { continue };
        if !port.is_whole() {
            continue;
        }
        let protocol = port.text_at("protocol").unwrap_or_else(|| SmolStr::new_static("TCP"));
        let address = port.text_at("hostIP").unwrap_or_default();
        let name =
            if address.is_empty() { format!("{number}/{protocol}") } else { format!("{address}:{number}/{protocol}") };
        look.unique(&mut taken, name.into(), field.range(), "the port of the host");
        if shares && port.key("containerPort").and_then(|own| own.int()).is_some_and(|own| own != number) {
            look.excluded(&field, "has to be the `containerPort`, because the pod is in the network of the host");
        }
    }
}

/// The labels in a map from names to values.
pub(super) fn labels(map: &Decoded<'_>, look: &mut Look) {
    for (name, value) in map.entries() {
        look.formed_key(&value, &name, QUALIFIED);
        look.formed(&value, LABEL_VALUE);
    }
}
