//! Classes of storage, and what provides it.

use super::decoded::Decoded;
use super::look::{Look, QUALIFIED, SUBDOMAIN, TextForm};
use super::table::{Row, RowKind};
use crate::kubernetes::rules::text_form;

const TOPOLOGIES: &[Row] = &[
    (&["matchLabelExpressions", "[]"], &["key"], RowKind::Like(QUALIFIED)),
    (&["matchLabelExpressions", "[]"], &["values"], RowKind::Items),
];

/// The name of a driver.
pub(super) const DRIVER: TextForm = (
    |text| text.len() <= 63 && (SUBDOMAIN.0)(&text.to_lowercase()),
    "up to 63 letters, digits, hyphens and periods, with a letter or digit at both ends",
);

/// `ValidateStorageClass`
pub(super) fn storage_class(resource: &Decoded<'_>, look: &mut Look) {
    let is_provisioner: TextForm = (|text| (QUALIFIED.0)(&text.to_lowercase()), QUALIFIED.1);
    look.filled(resource, "provisioner");
    look.form(resource, "provisioner", is_provisioner);
    if let Some(unnamed) = resource.key("parameters").and_then(|parameters| parameters.key("")) {
        look.found.push(text_form::said(look.span(unnamed.place()), "the name of a parameter cannot be empty"));
    }
    for term in resource.items("allowedTopologies") {
        look.rows(&term, TOPOLOGIES);
        let expressions = term.items("matchLabelExpressions");
        look.unique_at(&expressions, "key", "the key");
        for expression in &expressions {
            look.unique_items(&expression.items("values"), "the value");
        }
    }
}

/// `ValidateCSIDriver`
pub(super) fn driver(resource: &Decoded<'_>, look: &mut Look) {
    if let Some(metadata) = resource.key("metadata") {
        look.form(&metadata, "name", (|name| name.len() <= 63, "a name of at most 63 characters"));
    }
    let Some(spec) = resource.key("spec") else { return };
    look.rows(&spec, &[(&["tokenRequests", "[]"], &["expirationSeconds"], RowKind::Within(600, 1 << 32))]);
    look.unique_at(&spec.items("tokenRequests"), "audience", "the audience");
}

const OF_NODES: &[Row] = &[
    (&["drivers", "[]"], &["name", "nodeID"], RowKind::Filled),
    (&["drivers", "[]"], &["name"], RowKind::Like(DRIVER)),
];

/// `ValidateCSINode`
pub(super) fn node(spec: &Decoded<'_>, look: &mut Look) {
    look.rows(spec, OF_NODES);
    let drivers = spec.items("drivers");
    look.unique_at(&drivers, "name", "the driver");
    for driver in &drivers {
        let keys = driver.items("topologyKeys");
        look.unique_items(&keys, "the key");
        for key in &keys {
            look.formed(key, QUALIFIED);
        }
    }
}

/// `ValidateVolumeAttachment`
pub(super) fn attachment(spec: &Decoded<'_>, look: &mut Look) {
    look.rows(
        spec,
        &[
            (&[], &["attacher", "nodeName"], RowKind::Filled),
            (&[], &["attacher"], RowKind::Like(DRIVER)),
            (&[], &["nodeName"], RowKind::Like(SUBDOMAIN)),
        ],
    );
    if let Some(source) = spec.key("source") {
        look.exactly_one(&source, &["persistentVolumeName", "inlineVolumeSpec"]);
    }
}
