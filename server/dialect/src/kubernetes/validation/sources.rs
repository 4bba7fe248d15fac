//! What variables and files say of a pod: its fields, and the resources of its containers.

use super::decoded::Decoded;
use super::look::{Look, QUALIFIED};
use crate::kubernetes::rules::text_form;
use lofting_cel::library::quantity::Quantity;

/// Fields that variables can have. The last one is what an early version called the name of the node.
pub(super) const FIELDS_OF_VARIABLES: &[&str] = &[
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

/// Fields that files can have.
pub(super) const FIELDS_OF_FILES: &[&str] =
    &["metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid"];

/// Resources of containers.
const RESOURCES: [&str; 6] = [
    "limits.cpu",
    "limits.memory",
    "limits.ephemeral-storage",
    "requests.cpu",
    "requests.memory",
    "requests.ephemeral-storage",
];

const HUGE: [&str; 2] = ["limits.hugepages-", "requests.hugepages-"];

/// Maps of which one value can be named.
const MAPS: [&str; 2] = ["metadata.labels['", "metadata.annotations['"];

/// A field of the pod (`validateObjectFieldSelector`).
pub(super) fn field(reference: &Decoded<'_>, known: &'static [&'static str], look: &mut Look) {
    look.filled(reference, "fieldPath");
    let Some(path) = reference.key("fieldPath") else { return };
    let Some(text) = path.text().filter(|text| !text.is_empty() && !known.contains(&text.as_str())) else { return };
    let name = MAPS.iter().find_map(|map| text.strip_prefix(map)?.strip_suffix("']"));
    let Some(name) = name else {
        let words = "a path such as `metadata.name` or `metadata.labels['app']`";
        let known: Vec<String> = known.iter().map(|known| format!("`{known}`")).collect();
        let message = format!("`{text}` cannot be here: this should be {words}; known are {}", known.join(", "));
        look.found.push(text_form::said(look.span(path.range()), message));
        return;
    };
    // Annotations may have any case.
    let name = if text.starts_with(MAPS[1]) { name.to_lowercase() } else { name.to_owned() };
    if !(QUALIFIED.0)(&name) {
        look.found.push(text_form::finding(look.span(path.range()), &name, QUALIFIED.1, None));
    }
}

/// A resource of a container (`validateContainerResourceFieldSelector`).
pub(super) fn of_resources(reference: &Decoded<'_>, look: &mut Look) {
    look.filled(reference, "resource");
    let is_known = |text: &str| RESOURCES.contains(&text) || HUGE.iter().any(|begin| text.starts_with(begin));
    look.form(
        reference,
        "resource",
        (is_known, "`limits` or `requests`, a period and `cpu`, `memory`, `ephemeral-storage` or `hugepages-…`"),
    );
    let (Some(resource), Some(divisor)) = (reference.text_at("resource"), reference.key("divisor")) else { return };
    let Some(quantity) = look.quantity(&divisor).filter(|quantity| !quantity.order().is_eq() && is_known(&resource))
    else {
        return;
    };
    let (units, words): (&[&str], _) = if resource.ends_with(".cpu") {
        (&["1m", "1"], "`1m` or `1`")
    } else {
        (
            &["1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei"],
            "`1` with one unit, such as `1Mi`, or without",
        )
    };
    if !units.iter().filter_map(|unit| Quantity::parse(unit)).any(|unit| unit.compare(&quantity).is_eq()) {
        look.found.push(text_form::finding(look.span(divisor.range()), &divisor.written(), words, None));
    }
}
