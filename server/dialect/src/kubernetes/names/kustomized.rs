//! Names in kustomizations: those of what they generate, and those of what they patch.

use super::super::kustomization::{GENERATORS, is_plain, root_of};
use super::super::pods::is_computed;
use super::{NAMED, NamesFound, parts};
use crate::resources::{API_VERSION, KIND};
use crate::{Claim, Role, WrittenSteps};
use lofting_syntax::Document;

/// The group of kustomizations, which need not be written.
const GROUP: &str = "kustomize.config.k8s.io/";

/// Where resources are named by their kind and name.
const SELECTED: [&[&str]; 4] = [
    &["patches", "[]", "target"],
    &["patchesJson6902", "[]", "target"],
    &["replacements", "[]", "source"],
    &["replacements", "[]", "targets", "[]", "select"],
];

/// The kinds of resources whose replicas a kustomization counts by their name.
const COUNTED: [&str; 3] = ["Deployment", "StatefulSet", "ReplicaSet"];

/// The keys of kustomizations. A document that has no others, and no version, is one.
const OWN: [&str; 30] = [
    "bases",
    "buildMetadata",
    "commonAnnotations",
    "commonLabels",
    "components",
    "configMapGenerator",
    "configurations",
    "crds",
    "generatorOptions",
    "generators",
    "helmCharts",
    "helmGlobals",
    "images",
    "labels",
    "metadata",
    "namePrefix",
    "nameSuffix",
    "namespace",
    "openapi",
    "patches",
    "patchesJson6902",
    "patchesStrategicMerge",
    "replacements",
    "replicas",
    "resources",
    "secretGenerator",
    "sortOptions",
    "transformers",
    "validators",
    "vars",
];

/// Claims the names in a kustomization, which is the first document of its file.
pub(in crate::kubernetes) fn claims(document: &Document<'_>, claims: &mut Vec<Claim>) {
    let Some(root) = root_of(document) else { return };
    let is_kustomization = match root.key(API_VERSION) {
        Some(version) => version.text().is_some_and(|version| version.starts_with(GROUP)),
        None => {
            let is_own = |key: &str| key == KIND || OWN.contains(&key);
            let mut keys =
                root.map().into_iter().flat_map(|map| map.entries()).filter_map(|entry| entry.key()?.scalar());
            keys.all(|key| is_own(&key.value())) && OWN.iter().any(|key| root.key(key).is_some())
                || GENERATORS.iter().any(|(key, _)| root.key(key).is_some())
        }
    };
    if !is_kustomization {
        return;
    }
    let mut found = NamesFound { document: 0, namespace: None, claims };
    for (key, kind) in GENERATORS {
        for generator in root.reached(&[key, "[]"]) {
            generated(&mut found, &generator, kind);
        }
    }
    for selected in SELECTED.into_iter().flat_map(|path| root.reached(path)) {
        let text = |key: &str| selected.key(key)?.text();
        let (Some(kind), Some(name)) = (text("kind"), selected.key("name")) else { continue };
        let Some((kind, ..)) = NAMED.iter().find(|(known, ..)| *known == kind) else { continue };
        let Some(text) = name.text().filter(|text| is_plain(text)) else { continue };
        let role = Role::Reference(found.named(kind, &text, None), std::slice::from_ref(kind));
        found.claims.extend(name.claim_text(0, 0..text.len(), role));
    }
    for name in root.reached(&["replicas", "[]", "name"]) {
        let Some(text) = name.text().filter(|text| is_plain(text)) else { continue };
        for kind in COUNTED {
            let role = Role::Mention(found.named(kind, &text, None));
            found.claims.extend(name.clone().claim_text(0, 0..text.len(), role));
        }
    }
}

fn generated(found: &mut NamesFound<'_>, generator: &WrittenSteps<'_>, kind: &str) {
    let Some(name) = generator.key("name") else { return };
    let Some(text) = name.text().filter(|text| !text.is_empty() && !is_computed(text)) else { return };
    let role = Role::Name(found.named(kind, &text, None));
    found.claims.extend(name.claim_text(0, 0..text.len(), role));
    let Some(part) = parts::key_of(kind) else { return };
    for (list, is_path) in [("literals", false), ("files", true)] {
        for entry in generator.reached(&[list, "[]"]) {
            let Some(written) = entry.text().filter(|written| !is_computed(written)) else { continue };
            let key = match written.find('=') {
                Some(equals) => 0..equals,
                None if is_path => written.rfind('/').map_or(0, |slash| slash + 1)..written.len(),
                None => continue,
            };
            let Some(own) = written.get(key.clone()).filter(|own| !own.is_empty()) else { continue };
            let role = Role::Name(found.named(part, &format!("{text}/{own}"), None));
            found.claims.extend(entry.claim_text(0, key, role));
        }
    }
    // What is in the files of variables, and what others merge into it, is not known here.
    let is_whole = ["envs", "env", "behavior"].iter().all(|key| generator.key(key).is_none());
    if is_whole && ["literals", "files"].iter().any(|key| generator.key(key).is_some()) {
        let whole = Role::Name(found.named(part, &format!("{text}/"), None));
        found.claims.extend(generator.key("name").and_then(|name| name.claim_text(0, 0..0, whole)));
    }
}
