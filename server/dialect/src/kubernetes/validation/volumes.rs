//! Volumes of pods (`ValidateVolumes`).

use super::decoded::Decoded;
use super::look::{LABEL, Look, climbs, stays_below};

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

/// The bits of a file's mode.
const MODES: std::ops::RangeInclusive<i128> = 0..=0o777;

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

fn source(volume: &Decoded<'_>, look: &mut Look) {
    if let Some(size) = volume.key("emptyDir").and_then(|own| own.key("sizeLimit")) {
        look.quantity(&size);
    }
    if let Some(claim) = volume.key("persistentVolumeClaim") {
        look.filled(&claim, "claimName");
    }
    for (key, name) in [("secret", "secretName"), ("configMap", "name")] {
        if let Some(source) = volume.key(key) {
            look.required(&source, name);
            files(&source, look);
        }
    }
    if let Some(host) = volume.key("hostPath") {
        look.filled(&host, "path");
        look.form(&host, "path", (|path| !climbs(path), "a path without `..`"));
    }
    if let Some(nfs) = volume.key("nfs") {
        for key in ["server", "path"] {
            look.filled(&nfs, key);
        }
        look.form(&nfs, "path", (|path| path.starts_with('/'), "a path that begins with `/`"));
    }
    if let Some(csi) = volume.key("csi") {
        look.filled(&csi, "driver");
    }
    if let Some(ephemeral) = volume.key("ephemeral") {
        look.required(&ephemeral, "volumeClaimTemplate");
        if let Some(template) = ephemeral.key("volumeClaimTemplate") {
            look.required(&template, "spec");
            if let Some(spec) = template.key("spec") {
                super::stored::claim(&spec, look);
            }
        }
    }
    if let Some(downward) = volume.key("downwardAPI") {
        downward_files(&downward, look);
    }
    if let Some(projected) = volume.key("projected") {
        look.number(&projected, "defaultMode", MODES);
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
        }
    }
}

/// The keys that become files.
fn files(source: &Decoded<'_>, look: &mut Look) {
    look.number(source, "defaultMode", MODES);
    for item in source.items("items") {
        for key in ["key", "path"] {
            look.filled(&item, key);
        }
        look.number(&item, "mode", MODES);
        path(&item, look);
    }
}

fn downward_files(downward: &Decoded<'_>, look: &mut Look) {
    look.number(downward, "defaultMode", MODES);
    for item in downward.items("items") {
        look.filled(&item, "path");
        path(&item, look);
        look.number(&item, "mode", MODES);
        look.exactly_one(&item, &["fieldRef", "resourceFieldRef"]);
    }
}

fn path(holder: &Decoded<'_>, look: &mut Look) {
    look.form(holder, "path", (stays_below, "a path inside the volume, without `/` at its beginning and without `..`"));
}
