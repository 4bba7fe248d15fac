//! Containers (`validateContainers`).

use super::decoded::Decoded;
use super::look::{LABEL, LABEL_VALUE, Look, MOST, PORT_NAME, PORTS, QUALIFIED, climbs, stays_below};
use super::stored::CONFIG_KEY;
use super::{probes, resources};
use rustc_hash::FxHashMap;
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

/// Users and groups.
const IDS: std::ops::RangeInclusive<i128> = 0..=MOST;

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
        for key in ["configMapRef", "secretRef"] {
            if let Some(named) = source.key(key) {
                look.required(&named, "name");
            }
        }
    }
    mounts(container, look);
    probes::probes(container, order, look);
    if let Some(resources) = container.key("resources") {
        resources::resources(&resources, look);
    }
    if let Some(context) = container.key("securityContext") {
        security(&context, look);
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

fn variable(variable: &Decoded<'_>, look: &mut Look) {
    // What names consist of was less in versions before 1.34.
    let is_name = |text: &str| text.chars().all(|c| (' '..='~').contains(&c) && c != '=');
    look.form(variable, "name", (is_name, "the name of a variable: printable characters of ASCII without `=`"));
    look.filled(variable, "name");
    let Some(from) = variable.key("valueFrom") else { return };
    if variable.has("value") {
        look.at_most_one(variable, &["value", "valueFrom"]);
    }
    look.exactly_one(&from, &SOURCES);
    if let Some(field) = from.key("fieldRef") {
        look.form(&field, "fieldPath", (is_field, "a path such as `metadata.name`, `spec.nodeName` or `status.podIP`"));
    }
    for key in ["configMapKeyRef", "secretKeyRef"] {
        if let Some(named) = from.key(key) {
            look.required(&named, "name");
            look.form(&named, "key", CONFIG_KEY);
        }
    }
}

/// Whether a field of a pod can be the value of a variable.
fn is_field(path: &str) -> bool {
    // The last one is what an early version called the name of the node.
    const KNOWN: [&str; 10] = [
        "metadata.name",
        "metadata.namespace",
        "metadata.uid",
        "spec.nodeName",
        "spec.serviceAccountName",
        "status.hostIP",
        "status.hostIPs",
        "status.podIP",
        "status.podIPs",
        "spec.host",
    ];
    KNOWN.contains(&path) || path.starts_with("metadata.labels['") || path.starts_with("metadata.annotations['")
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
        if mount.has("subPath") && mount.has("subPathExpr") {
            look.at_most_one(mount, &["subPath", "subPathExpr"]);
        }
        for key in ["subPath", "subPathExpr"] {
            look.form(
                mount,
                key,
                (stays_below, "a path inside the volume, without `/` at its beginning and without `..`"),
            );
        }
        let is_shared = mount.text_at("mountPropagation").is_some_and(|text| text == "Bidirectional");
        if let Some(field) = mount.key("mountPropagation").filter(|_| is_shared && is_unprivileged(container)) {
            look.excluded(&field, "can be `Bidirectional` in privileged containers only");
        }
    }
    for device in &devices {
        look.form(device, "devicePath", (|path| !climbs(path), "a path without `..`"));
    }
}

/// Whether a container is certainly not privileged.
fn is_unprivileged(container: &Decoded<'_>) -> bool {
    match container.key("securityContext") {
        Some(context) => context.is_unset("privileged") || context.lacks("privileged"),
        None => container.lacks("securityContext"),
    }
}

/// What the security contexts of pods and containers have in common.
pub(super) fn identities(context: &Decoded<'_>, look: &mut Look) {
    look.numbers(context, &["runAsUser", "runAsGroup", "fsGroup"], &IDS);
    for key in ["seccompProfile", "appArmorProfile"] {
        let Some(profile) = context.key(key) else { continue };
        match profile.text_at("type").as_deref() {
            Some("Localhost") => look.required(&profile, "localhostProfile"),
            Some("RuntimeDefault" | "Unconfined") => {
                if let Some(local) = profile.key("localhostProfile") {
                    look.excluded(&local, "has a meaning with the type `Localhost` only");
                }
            }
            _ => {}
        }
        if key == "seccompProfile" {
            look.form(&profile, "localhostProfile", (stays_below, "a relative path without `..`"));
        }
    }
}

fn security(context: &Decoded<'_>, look: &mut Look) {
    identities(context, look);
    if !context.is_unset("allowPrivilegeEscalation") {
        return;
    }
    let Some(refused) = context.key("allowPrivilegeEscalation") else { return };
    if context.is_set("privileged") {
        look.excluded(&refused, "cannot be false in a privileged container");
    }
    let added = context.below(&["capabilities", "add"]).map(|added| added.all()).unwrap_or_default();
    if added.iter().any(|capability| capability.text().is_some_and(|text| text == "CAP_SYS_ADMIN")) {
        look.excluded(&refused, "cannot be false in a container with `CAP_SYS_ADMIN`");
    }
}

/// The ports of the host that containers take, each of which only one can have.
pub(super) fn host_ports(spec: &Decoded<'_>, look: &mut Look) {
    let shares = spec.is_set("hostNetwork");
    let mut taken = FxHashMap::default();
    for port in spec.items("containers").iter().flat_map(|container| container.items("ports")) {
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
