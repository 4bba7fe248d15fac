//! Volumes of pods (`ValidateVolumes`).

use super::decoded::Decoded;
use super::look::{ABSOLUTE, DOWN, INSIDE, LABEL, Look, TextForm, stays_below};
use super::sources::{FIELDS_OF_FILES, field, of_resources};
use super::storage::DRIVER;
use super::table::{Row, RowKind};
use crate::kubernetes::rules::number_range;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

/// What a volume can be. One that is nothing of it is an `emptyDir`.
const SOURCES: [&str; 30] = [
    "awsElasticBlockStore",
    "azureDisk",
    "azureFile",
    "cephfs",
    "cinder",
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "fc",
    "flexVolume",
    "flocker",
    "gcePersistentDisk",
    "gitRepo",
    "glusterfs",
    "hostPath",
    "image",
    "iscsi",
    "nfs",
    "persistentVolumeClaim",
    "photonPersistentDisk",
    "portworxVolume",
    "projected",
    "quobyte",
    "rbd",
    "scaleIO",
    "secret",
    "storageos",
    "vsphereVolume",
];

/// What a source of a projected volume can be.
const PROJECTED: [&str; 6] =
    ["clusterTrustBundle", "configMap", "downwardAPI", "podCertificate", "secret", "serviceAccountToken"];

pub(super) fn volumes(spec: &Decoded<'_>, look: &mut Look) {
    let volumes = spec.items("volumes");
    look.unique_at(&volumes, "name", "the volume");
    for volume in &volumes {
        look.filled(volume, "name");
        look.form(volume, "name", LABEL);
        look.at_most_one(volume, &SOURCES);
        source(volume, look);
    }
}

/// What sources of volumes have, those of pods and those of the cluster.
const ROWS: &[Row] = &[
    (&["hostPath"], &["path"], RowKind::Filled),
    (&["hostPath"], &["path"], RowKind::Like(DOWN)),
    (&["nfs"], &["server", "path"], RowKind::Filled),
    (&["nfs"], &["path"], RowKind::Like(ABSOLUTE)),
    (&["gcePersistentDisk"], &["pdName"], RowKind::Filled),
    (&["awsElasticBlockStore"], &["volumeID"], RowKind::Filled),
    (&["gcePersistentDisk"], &["partition"], RowKind::Within(0, 255)),
    (&["awsElasticBlockStore"], &["partition"], RowKind::Within(0, 255)),
    (&["iscsi"], &["targetPortal", "iqn"], RowKind::Filled),
    (&["iscsi"], &["iqn", "initiatorName"], RowKind::Like(INITIATOR)),
    (&["iscsi"], &["lun"], RowKind::Within(0, 255)),
    (&["glusterfs"], &["endpoints", "path"], RowKind::Filled),
    (&["rbd"], &["monitors"], RowKind::Items),
    (&["rbd"], &["image"], RowKind::Filled),
    (&["cephfs"], &["monitors"], RowKind::Items),
    (&["cinder"], &["volumeID"], RowKind::Filled),
    (&["flexVolume"], &["driver"], RowKind::Filled),
    (&["azureFile"], &["secretName", "shareName"], RowKind::Filled),
    (&["azureDisk"], &["diskName", "diskURI"], RowKind::Filled),
    (&["vsphereVolume"], &["volumePath"], RowKind::Filled),
    (&["photonPersistentDisk"], &["pdID"], RowKind::Filled),
    (&["portworxVolume"], &["volumeID"], RowKind::Filled),
    (&["quobyte"], &["registry", "volume"], RowKind::Filled),
    (&["scaleIO"], &["gateway", "system"], RowKind::Filled),
    (&["scaleIO"], &["volumeName"], RowKind::There),
    (&["storageos"], &["volumeName"], RowKind::There),
    (&["storageos"], &["volumeName", "volumeNamespace"], RowKind::Like(LABEL)),
    (&["csi"], &["driver"], RowKind::Filled),
    (&["csi"], &["driver"], RowKind::Like(DRIVER)),
];

/// What only volumes of pods have.
const OF_PODS: &[Row] = &[
    (&["persistentVolumeClaim"], &["claimName"], RowKind::Filled),
    (&["gitRepo"], &["repository"], RowKind::Filled),
    (&["gitRepo"], &["directory"], RowKind::Like(INSIDE)),
    (&["csi", "nodePublishSecretRef"], &["name"], RowKind::There),
    (&["ephemeral"], &["volumeClaimTemplate"], RowKind::There),
    (&["ephemeral", "volumeClaimTemplate"], &["spec"], RowKind::There),
];

const INITIATOR: TextForm = (is_initiator, "a name of iSCSI, such as `iqn.2015-02.example.com:storage`");

fn is_initiator(text: &str) -> bool {
    let is_hexadecimal = |rest: &str, length: usize| {
        rest.chars().count() == length + 1 && rest.chars().skip(1).all(|c| c.is_ascii_alphanumeric())
    };
    if let Some(rest) = text.strip_prefix("iqn.") {
        let Some((domain, name)) = rest.split_once(':') else { return false };
        let is_date = |at: usize, byte: u8| if at == 4 { byte == b'-' } else { byte.is_ascii_digit() };
        let is_dated = domain.get(..7).is_some_and(|date| date.bytes().enumerate().all(|(at, byte)| is_date(at, byte)));
        let host = domain.get(7..).and_then(|rest| rest.strip_prefix('.')).unwrap_or_default();
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.');
        let is_named = !name.is_empty() && !name.contains(|c: char| ",;*&$|".contains(c) || c.is_whitespace());
        return is_dated && is_named && !host.is_empty() && host.chars().all(is_allowed);
    }
    let rest = |kind: &str| text.strip_prefix(kind);
    rest("eui").is_some_and(|rest| is_hexadecimal(rest, 16)) || rest("naa").is_some_and(|rest| is_hexadecimal(rest, 32))
}

/// Sources that both pods and the cluster have.
pub(super) fn sources(volume: &Decoded<'_>, look: &mut Look) {
    look.rows(volume, ROWS);
    if let Some(own) = volume.key("flocker") {
        look.exactly_one(&own, &["datasetName", "datasetUUID"]);
    }
    if let Some(own) = volume.key("iscsi")
        && (own.is_set("chapAuthDiscovery") || own.is_set("chapAuthSession"))
    {
        look.required(&own, "secretRef");
    }
    if let Some(own) = volume.key("fc") {
        fibre(&own, look);
    }
    let options = volume.below(&["flexVolume", "options"]).map(|options| options.entries()).unwrap_or_default();
    for (name, field) in options {
        let domain = format!(".{}", name.split('/').next().unwrap_or_default().to_lowercase());
        if domain.ends_with(".kubernetes.io") || domain.ends_with(".k8s.io") {
            look.excluded(&field, "cannot be an option: the domain belongs to Kubernetes");
        }
    }
    let Some(disk) = volume.key("azureDisk") else { return };
    let kind = disk.text_at("kind").or_else(|| disk.lacks("kind").then(|| SmolStr::new_static("Shared")));
    match kind.as_deref() {
        Some("Managed") => look.form(
            &disk,
            "diskURI",
            (
                |text| text.starts_with("/subscriptions/"),
                "the address of a managed disk, which begins with `/subscriptions/`",
            ),
        ),
        Some("Shared" | "Dedicated") => look.form(
            &disk,
            "diskURI",
            (
                |text| text.starts_with("https://"),
                "an address that begins with `https://`, unless the `kind` is `Managed`",
            ),
        ),
        _ => {}
    }
}

/// `validateFCVolumeSource`
fn fibre(own: &Decoded<'_>, look: &mut Look) {
    let filled = |key: &str| own.key(key).filter(|items| !items.is_empty());
    match (filled("targetWWNs"), filled("wwids")) {
        (Some(_), Some(other)) => look.excluded(&other, "cannot be there beside `targetWWNs`"),
        (Some(_), None) => look.required(own, "lun"),
        (None, None) if ["targetWWNs", "wwids"].iter().all(|key| own.lacks(key) || own.key(key).is_some()) => {
            look.missing(own, &["targetWWNs", "wwids"], format!("{} has none of `targetWWNs`, `wwids`", own.name()));
        }
        _ => {}
    }
    if filled("targetWWNs").is_some() {
        look.number(own, "lun", 0..=255);
    }
}

fn source(volume: &Decoded<'_>, look: &mut Look) {
    sources(volume, look);
    look.rows(volume, OF_PODS);
    if let Some(size) = volume.key("emptyDir").and_then(|own| own.key("sizeLimit"))
        && look.quantity(&size).is_some_and(|size| size.order().is_lt())
    {
        look.found.push(number_range::said(look.span(size.range()), "`sizeLimit` cannot be negative"));
    }
    for (key, name) in [("secret", "secretName"), ("configMap", "name")] {
        if let Some(source) = volume.key(key) {
            look.required(&source, name);
            files(&source, look);
        }
    }
    if let Some(template) = volume.below(&["ephemeral", "volumeClaimTemplate"]) {
        let named = template.key("metadata").map(|own| own.entries()).unwrap_or_default();
        for (_, field) in named.into_iter().filter(|(name, _)| !matches!(name.as_str(), "labels" | "annotations")) {
            look.excluded(&field, "has no place in the template of a claim, which can have `labels` and `annotations`");
        }
        if let Some(spec) = template.key("spec") {
            super::stored::claim(&spec, look);
        }
    }
    if let Some(downward) = volume.key("downwardAPI") {
        downward_files(&downward, look);
    }
    if let Some(projected) = volume.key("projected") {
        self::projected(&projected, look);
    }
}

/// `validateProjectedVolumeSource`
fn projected(projected: &Decoded<'_>, look: &mut Look) {
    look.mode(projected, "defaultMode");
    let mut known = FxHashMap::default();
    for source in projected.items("sources") {
        look.at_most_one(&source, &PROJECTED);
        for named in ["secret", "configMap"].iter().filter_map(|key| source.key(key)) {
            look.required(&named, "name");
            files(&named, look);
        }
        if let Some(downward) = source.key("downwardAPI") {
            downward_files(&downward, look);
        }
        if let Some(token) = source.key("serviceAccountToken") {
            look.number(&token, "expirationSeconds", 600..=1 << 32);
            look.filled(&token, "path");
            path(&token, look);
        }
        for key in ["secret", "configMap", "downwardAPI"] {
            for path in source.reached(&[key, "items", "[]", "path"]) {
                if let Some(text) = path.text().filter(|text| !text.is_empty()) {
                    look.unique(&mut known, text, path.range(), "a file at");
                }
            }
        }
    }
}

/// The keys that become files.
fn files(source: &Decoded<'_>, look: &mut Look) {
    look.mode(source, "defaultMode");
    for item in source.items("items") {
        for key in ["key", "path"] {
            look.filled(&item, key);
        }
        look.mode(&item, "mode");
        path(&item, look);
    }
}

fn downward_files(downward: &Decoded<'_>, look: &mut Look) {
    look.mode(downward, "defaultMode");
    for item in downward.items("items") {
        look.filled(&item, "path");
        path(&item, look);
        look.mode(&item, "mode");
        look.exactly_one(&item, &["fieldRef", "resourceFieldRef"]);
        if let Some(own) = item.key("fieldRef") {
            field(&own, FIELDS_OF_FILES, look);
        }
        if let Some(own) = item.key("resourceFieldRef") {
            look.required(&own, "containerName");
            of_resources(&own, look);
        }
    }
}

fn path(holder: &Decoded<'_>, look: &mut Look) {
    let is_inside = |path: &str| stays_below(path) && !path.starts_with("..");
    look.form(
        holder,
        "path",
        (is_inside, "a path inside the volume, without `/` and `..` at its beginning and without `..`"),
    );
}
