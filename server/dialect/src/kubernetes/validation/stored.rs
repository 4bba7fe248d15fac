//! What is stored in the cluster: `ConfigMap`, `Secret`, and claims of volumes.

use super::decoded::Decoded;
use super::look::{Look, SUBDOMAIN, TextForm};
use super::selectors::selector;
use crate::kubernetes::rules::{number_range, text_form};
use lofting_cel::library::quantity::Quantity;
use lofting_syntax::resolve::decode_base64;
use rustc_hash::FxHashMap;
use serde_json::Value;
use smol_str::SmolStr;

/// A key of a `ConfigMap` or `Secret`.
pub(super) const CONFIG_KEY: TextForm =
    (is_key, "up to 253 letters, digits, `-`, `_` and `.`, and not begin with `..`");

/// The keys that secrets of a type have.
const TYPES: [(&str, &[&str]); 4] = [
    ("kubernetes.io/tls", &["tls.crt", "tls.key"]),
    ("kubernetes.io/dockerconfigjson", &[".dockerconfigjson"]),
    ("kubernetes.io/dockercfg", &[".dockercfg"]),
    ("kubernetes.io/ssh-auth", &["ssh-privatekey"]),
];

fn is_key(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.len() <= 253 && text.chars().all(is_allowed) && text != "." && !text.starts_with("..")
}

/// The keys of both maps are files of one folder.
pub(super) fn config_map(resource: &Decoded<'_>, look: &mut Look) {
    let (own, binary) = (keys(resource, "data", look), keys(resource, "binaryData", look));
    let mut known = FxHashMap::default();
    for (name, field) in own.into_iter().chain(binary) {
        look.unique(&mut known, name, field.place(), "the key");
    }
}

fn keys<'t>(resource: &Decoded<'t>, key: &str, look: &mut Look) -> Vec<(SmolStr, Decoded<'t>)> {
    let entries = resource.key(key).map(|map| map.entries()).unwrap_or_default();
    for (name, field) in &entries {
        look.formed_key(field, name, CONFIG_KEY);
    }
    entries
}

pub(super) fn secret(resource: &Decoded<'_>, look: &mut Look) {
    for key in ["data", "stringData"] {
        keys(resource, key, look);
    }
    let Some(kind) = resource.key("type") else { return };
    let Some(text) = kind.text() else { return };
    let maps = || ["data", "stringData"].iter().filter_map(|key| resource.key(key));
    if !resource.is_whole() || !maps().all(|map| map.is_whole()) {
        return;
    }
    let has = |key: &str| maps().any(|map| map.steps().key(key).is_some());
    let required = TYPES.iter().find(|(known, _)| *known == text).map(|(_, keys)| *keys).unwrap_or_default();
    for key in required.iter().filter(|key| !has(key)) {
        look.missing(&kind, format!("a secret of type `{text}` has the key `{key}`, but this has not"));
    }
    if let Some((_, key)) = CONFIGURATIONS.iter().find(|(known, _)| *known == text) {
        configuration(resource, key, look);
    }
    if text == "kubernetes.io/basic-auth" && !has("username") && !has("password") {
        look.missing(
            &kind,
            format!("a secret of type `{text}` has the key `username` or `password`, but this has neither"),
        );
    }
    if text == "kubernetes.io/service-account-token" {
        const OWNER: &str = "kubernetes.io/service-account.name";
        let annotations = resource.below(&["metadata", "annotations"]);
        if annotations.map_or_else(
            || resource.key("metadata").is_some_and(|own| own.lacks("annotations")),
            |own| own.lacks(OWNER),
        ) {
            look.missing(&kind, format!("a secret of type `{text}` has the annotation `{OWNER}`, but this has not"));
        }
    }
}

/// The types of secrets that hold JSON, and the key with it.
const CONFIGURATIONS: [(&str, &str); 2] =
    [("kubernetes.io/dockerconfigjson", ".dockerconfigjson"), ("kubernetes.io/dockercfg", ".dockercfg")];

/// How the registries of images are configured, which is a map in JSON.
fn configuration(resource: &Decoded<'_>, key: &str, look: &mut Look) {
    let of = |map: &str| resource.key(map).and_then(|map| map.key(key));
    // What is written as text takes the place of the other.
    let (field, content) = match (of("stringData"), of("data")) {
        (Some(field), _) => (field.clone(), field.text().map(|text| text.as_bytes().to_vec())),
        (None, Some(field)) => (field.clone(), field.text().and_then(|text| decode_base64(text.as_str()))),
        (None, None) => return,
    };
    let is_map = |json: &[u8]| match serde_json::from_slice::<Value>(json) {
        Ok(json) => json.is_object() || json.is_null(),
        // The depth that is read is bounded; the server reads more.
        Err(why) => why.to_string().starts_with("recursion limit"),
    };
    if content.is_some_and(|json| !is_map(&json)) {
        let message = format!("the content of `{key}` is not a map in JSON, such as {{\"auths\": {{}}}}");
        look.found.push(text_form::said(look.span(field.range()), message));
    }
}

/// A claim of a volume (`ValidatePersistentVolumeClaimSpec`).
pub(super) fn claim(spec: &Decoded<'_>, look: &mut Look) {
    look.nonempty(spec, "accessModes");
    access_modes(spec, look);
    look.form(spec, "storageClassName", SUBDOMAIN);
    if let Some(own) = spec.key("selector") {
        selector(&own, look);
    }
    match spec.below(&["resources", "requests"]) {
        Some(requests) => {
            look.required(&requests, "storage");
            storage(&requests, look);
        }
        None => match spec.key("resources") {
            Some(resources) => look.required(&resources, "requests"),
            None => look.required(spec, "resources"),
        },
    }
}

fn access_modes(spec: &Decoded<'_>, look: &mut Look) {
    const ALONE: &str = "ReadWriteOncePod";
    let modes = spec.items("accessModes");
    let alone = modes.iter().find(|mode| mode.text().is_some_and(|text| text == ALONE));
    if let Some(alone) = alone.filter(|_| modes.len() > 1) {
        let finding = text_form::said(look.span(alone.range()), format!("no other mode can be beside `{ALONE}`"));
        look.found.push(finding);
    }
}

fn storage(amounts: &Decoded<'_>, look: &mut Look) {
    let Some(storage) = amounts.key("storage") else { return };
    let is_some =
        look.quantity(&storage).zip(Quantity::parse("0")).is_none_or(|(own, none)| own.compare(&none).is_gt());
    if !is_some {
        look.found.push(number_range::said(look.span(storage.range()), "`storage` should be greater than 0"));
    }
}

/// A volume (`ValidatePersistentVolumeSpec`).
pub(super) fn volume(spec: &Decoded<'_>, look: &mut Look) {
    look.nonempty(spec, "accessModes");
    access_modes(spec, look);
    look.form(spec, "storageClassName", SUBDOMAIN);
    match spec.key("capacity") {
        Some(capacity) => {
            look.required(&capacity, "storage");
            storage(&capacity, look);
        }
        None => look.required(spec, "capacity"),
    }
    look.exactly_one(
        spec,
        &[
            "awsElasticBlockStore",
            "azureDisk",
            "azureFile",
            "cephfs",
            "cinder",
            "csi",
            "fc",
            "flexVolume",
            "gcePersistentDisk",
            "glusterfs",
            "hostPath",
            "iscsi",
            "local",
            "nfs",
            "photonPersistentDisk",
            "portworxVolume",
            "quobyte",
            "rbd",
            "scaleIO",
            "storageos",
            "vsphereVolume",
        ],
    );
    if spec.has("local") {
        look.required(spec, "nodeAffinity");
    }
    if let Some(host) = spec.key("hostPath") {
        look.filled(&host, "path");
        look.form(&host, "path", (|path| !super::look::climbs(path), "a path without `..`"));
    }
}
