//! What is stored in the cluster: `ConfigMap`, `Secret`, and claims of volumes.

use super::decoded::Decoded;
use super::look::{CONFIG_KEY, DOWN, LABEL, Look, QUALIFIED, SUBDOMAIN};
use super::selectors::{node_terms, selector};
use super::table::{Row, RowKind};
use crate::kubernetes::pods::{is_computed, is_misspelt};
use crate::kubernetes::rules::{number_range, text_form};
use lofting_diagnostic::Fix;
use lofting_syntax::resolve::{decode_base64, encode_base64};
use rustc_hash::FxHashMap;
use serde_json::Value;
use smol_str::SmolStr;

/// The keys that secrets of a type have.
const TYPES: [(&str, &[&str]); 4] = [
    ("kubernetes.io/tls", &["tls.crt", "tls.key"]),
    ("kubernetes.io/dockerconfigjson", &[".dockerconfigjson"]),
    ("kubernetes.io/dockercfg", &[".dockercfg"]),
    ("kubernetes.io/ssh-auth", &["ssh-privatekey"]),
];

/// The keys of both maps are files of one folder.
pub(super) fn config_map(resource: &Decoded<'_>, look: &mut Look) {
    size(resource, &["data", "binaryData"], look);
    encoded(resource, "binaryData", "data", look);
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

/// The values of a map that are in Base64. Plain text belongs into another one.
fn encoded(resource: &Decoded<'_>, key: &str, plain: &str, look: &mut Look) {
    for (name, field) in resource.key(key).map(|map| map.entries()).unwrap_or_default() {
        lofting_memo::step();
        // In angle brackets it says what someone has to write there.
        let is_wrong = |text: &SmolStr| !is_base64(text) && !text.starts_with('<');
        let Some(text) = field.text().filter(is_wrong) else { continue };
        let message = format!("`{name}` is not Base64, which all values of `{key}` are");
        let (span, whole) = (look.span(field.range()), look.span(field.steps().value().content_range()));
        let fix = Fix::replace("Encode in Base64", whole, encode_base64(text.as_bytes()).replace('\n', "")).possible();
        look.found.push(text_form::said(span, message).help(format!("plain text belongs in `{plain}`")).fix(fix));
    }
}

/// Whether the server reads a text as Base64, in which it passes over line breaks.
fn is_base64(text: &str) -> bool {
    let digits = || text.bytes().filter(|byte| !matches!(byte, b'\r' | b'\n'));
    let padding = digits().filter(|byte| *byte == b'=').count();
    let body = digits().count() - padding;
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    padding <= 2 && (body + padding) % 4 == 0 && digits().take(body).all(is_digit)
}

/// How many bytes the values of a resource have at most.
const MOST: usize = 1024 * 1024;

/// The values of a resource have a limit together. Those in base64 are shorter.
fn size(resource: &Decoded<'_>, maps: &[&str], look: &mut Look) {
    if resource.range().len() <= MOST {
        return;
    }
    let is_encoded = |key: &str, kind: &str| key == "binaryData" || key == "data" && kind == "Secret";
    let kind = resource.text_at("kind").unwrap_or_default();
    let mut size = 0;
    for key in maps {
        for (_, field) in resource.key(key).map(|map| map.entries()).unwrap_or_default() {
            lofting_memo::step();
            let length = field.text().map_or(0, |text| text.len());
            size += if is_encoded(key, &kind) { length / 4 * 3 } else { length };
        }
    }
    if let Some(map) = maps.iter().find_map(|key| resource.key(key)).filter(|_| size > MOST) {
        let message = format!("the values should have at most {MOST} bytes together, but have {size}");
        look.found.push(number_range::said(look.span(map.place()), message));
    }
}

pub(super) fn secret(resource: &Decoded<'_>, look: &mut Look) {
    size(resource, &["data", "stringData"], look);
    for key in ["data", "stringData"] {
        keys(resource, key, look);
    }
    encoded(resource, "data", "stringData", look);
    let Some(kind) = resource.key("type") else { return };
    let Some(text) = kind.text() else { return };
    let maps = || ["data", "stringData"].iter().filter_map(|key| resource.key(key));
    if !resource.is_whole() || !maps().all(|map| map.is_whole()) {
        return;
    }
    let has = |key: &str| maps().any(|map| map.steps().key(key).is_some());
    let required = TYPES.iter().find(|(known, _)| *known == text).map(|(_, keys)| *keys).unwrap_or_default();
    let before = look.found.len();
    for key in required.iter().filter(|key| !has(key)) {
        look.missing(&kind, &[], format!("a secret of type `{text}` has the key `{key}`, but this has not"));
    }
    if text == "kubernetes.io/ssh-auth" {
        // What is written as text takes the place of the other.
        let key = ["stringData", "data"].iter().find_map(|map| resource.key(map)?.key("ssh-privatekey"));
        look.empty(key.filter(Decoded::is_blank), "ssh-privatekey");
    }
    if let Some((_, key)) = CONFIGURATIONS.iter().find(|(known, _)| *known == text) {
        configuration(resource, key, look);
    }
    if text == "kubernetes.io/basic-auth" && !has("username") && !has("password") {
        look.missing(
            &kind,
            &[],
            format!("a secret of type `{text}` has the key `username` or `password`, but this has neither"),
        );
    }
    look.follows(before, resource, &["data", "stringData"]);
    if text == "kubernetes.io/service-account-token" {
        const OWNER: &str = "kubernetes.io/service-account.name";
        let annotations = resource.below(&["metadata", "annotations"]);
        if annotations.map_or_else(
            || resource.key("metadata").is_some_and(|own| own.lacks("annotations")),
            |own| own.lacks(OWNER),
        ) {
            look.missing(
                &kind,
                &[],
                format!("a secret of type `{text}` has the annotation `{OWNER}`, but this has not"),
            );
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

/// What ends a resource without a domain in its name.
const FINALIZERS: [&str; 3] = ["kubernetes", "orphan", "foregroundDeletion"];

/// `ValidateNamespace`
pub(super) fn namespace(resource: &Decoded<'_>, look: &mut Look) {
    finalizers(resource, &["spec", "finalizers"], look);
}

/// Names of what ends a resource. Texts that cannot be names are found elsewhere.
pub(super) fn finalizers(resource: &Decoded<'_>, way: &[&str], look: &mut Look) {
    let is_named = |text: &str| text.contains('/') || FINALIZERS.contains(&text) || !(QUALIFIED.0)(text);
    for finalizer in resource.below(way).map(|own| own.all()).unwrap_or_default() {
        look.formed(&finalizer, (is_named, "a name with a domain and `/` before it, such as `example.com/own`"));
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
    if let Some(source) = spec.key("dataSourceRef") {
        look.rows(
            &source,
            &[(&[], &["kind", "name"], RowKind::Filled), (&[], &["apiGroup"], RowKind::Like(SUBDOMAIN))],
        );
        if let Some(kind) = source.key("kind").filter(|_| source.lacks("apiGroup"))
            && kind.text().is_some_and(|text| !text.is_empty() && text != "PersistentVolumeClaim")
        {
            look.missing(
                &source,
                &["apiGroup"],
                "`apiGroup` is missing, which only a `PersistentVolumeClaim` can do without".to_owned(),
            );
        }
    }
    match spec.below(&["resources", "requests"]) {
        Some(requests) => {
            look.required(&requests, "storage");
            if let Some(storage) = requests.key("storage") {
                look.positive(&storage);
            }
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

/// A volume of the cluster.
const OF_VOLUMES: &[Row] = &[
    (&["local"], &["path"], RowKind::Filled),
    (&["local"], &["path"], RowKind::Like(DOWN)),
    (&["nodeAffinity"], &["required"], RowKind::There),
    (&["nodeAffinity", "required"], &["nodeSelectorTerms"], RowKind::Items),
    (&["csi"], &["volumeHandle"], RowKind::Filled),
    (&["azureFile"], &["secretNamespace"], RowKind::Filled),
    (&["glusterfs"], &["endpointsNamespace"], RowKind::Filled),
    (&["glusterfs"], &["endpointsNamespace"], RowKind::Like(LABEL)),
];

/// Secrets of drivers, with their namespace.
const SECRETS: [&str; 4] =
    ["controllerPublishSecretRef", "controllerExpandSecretRef", "nodePublishSecretRef", "nodeExpandSecretRef"];

/// A volume (`ValidatePersistentVolumeSpec`).
pub(super) fn volume(spec: &Decoded<'_>, look: &mut Look) {
    look.nonempty(spec, "accessModes");
    access_modes(spec, look);
    look.form(spec, "storageClassName", SUBDOMAIN);
    match spec.key("capacity") {
        Some(capacity) => {
            let amounts = capacity.entries();
            if amounts.iter().all(|(name, _)| name == "storage" || is_computed(name)) {
                look.required(&capacity, "storage");
            }
            for (name, field) in amounts {
                if name == "storage" {
                    look.positive(&field);
                } else if !is_computed(&name) && !is_misspelt(capacity.steps(), "storage") {
                    look.excluded(&field, "has no place in the capacity of a volume, which has `storage` only");
                }
            }
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
    super::volumes::sources(spec, look);
    look.rows(spec, OF_VOLUMES);
    for term in spec.reached(&["nodeAffinity", "required", "nodeSelectorTerms", "[]"]) {
        node_terms(&term, look);
    }
    for secret in SECRETS.iter().filter_map(|key| spec.below(&["csi", key])) {
        for (key, form) in [("name", SUBDOMAIN), ("namespace", LABEL)] {
            look.required(&secret, key);
            look.form(&secret, key, form);
        }
    }
    let is_root = spec.below(&["hostPath", "path"]).and_then(|path| path.text()).is_some_and(|path| is_root(&path));
    if let Some(policy) = spec.key("persistentVolumeReclaimPolicy").filter(|_| is_root)
        && policy.text().is_some_and(|text| text == "Recycle")
    {
        look.excluded(&policy, "cannot be `Recycle` for the root of a machine");
    }
}

fn is_root(path: &str) -> bool {
    path.starts_with('/') && path.split('/').all(|part| matches!(part, "" | "."))
}
