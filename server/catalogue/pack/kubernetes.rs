//! Kubernetes' definitions: the newest version whole, and of each older one what is different.

use crate::archive::Package;
use crate::packed::Packed;
use anyhow::bail;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// What a definition of the API says about its kinds.
const KINDS: &str = "x-kubernetes-group-version-kind";

/// The definitions of one version by name, as texts.
type Definitions = BTreeMap<String, String>;

/// Packs the definitions of these minor versions.
pub fn pack(packed: &mut Packed, package: &Package, versions: RangeInclusive<u32>) -> anyhow::Result<()> {
    let origin = packed.origin("Kubernetes", package, &package.licence, false).to_string();
    let mut newer: Option<Definitions> = None;
    for minor in versions.rev() {
        let (definitions, kinds) = read(package, minor)?;
        let what = if newer.is_none() { "the newest Kubernetes" } else { "older Kubernetes" };
        let mut layer = Vec::new();
        let mut namespace = "";
        for (name, text) in &definitions {
            if newer.as_ref().and_then(|newer| newer.get(name)) == Some(text) {
                continue;
            }
            // A kind mostly refers to definitions of its own group and version, which share a block.
            let own = name.rsplit_once('.').map_or("", |(namespace, _)| namespace);
            if newer.is_none() && own != namespace && own.ends_with("core.v1") != namespace.ends_with("core.v1") {
                packed.close(what);
            }
            namespace = own;
            layer.push(format!("definition\t{name}\t{}", packed.text(what, text).join("\t")));
            let own_kinds = kinds.iter().filter(|(_, definition)| definition == name);
            layer.extend(own_kinds.map(|((version, kind), _)| format!("kind\t{version}\t{kind}\t{name}")));
        }
        packed.close(what);
        let gone = newer.iter().flat_map(Definitions::keys).filter(|name| !definitions.contains_key(*name));
        layer.extend(gone.map(|name| format!("without\t{name}")));
        let block = packed.block(what, (layer.join("\n") + "\n").as_bytes());
        packed.line(&["version", "1", &minor.to_string(), &origin, &block.to_string()]);
        newer = Some(definitions);
    }
    Ok(())
}

/// Kinds with their group and version, and the names of their definitions.
type Kinds = BTreeSet<((String, String), String)>;

/// The definitions of a version, and its kinds.
fn read(package: &Package, minor: u32) -> anyhow::Result<(Definitions, Kinds)> {
    let path = format!("kubernetes_validate/kubernetes-json-schema/v1.{minor}.0-local/_definitions.json");
    let mut document = package.json(&path)?;
    let Some(Value::Object(written)) = document.get_mut("$defs").map(Value::take) else {
        bail!("{path} has no `$defs`");
    };
    let mut kinds = BTreeSet::new();
    let mut definitions = Definitions::new();
    for (name, mut definition) in written {
        for kind in definition.get(KINDS).and_then(Value::as_array).into_iter().flatten() {
            let text = |key: &str| kind.get(key).and_then(Value::as_str).unwrap_or_default();
            // Options of requests are in every group, and no documents.
            if name.contains(".apimachinery.") {
                continue;
            }
            let version = match text("group") {
                "" => text("version").to_owned(),
                group => format!("{group}/{}", text("version")),
            };
            kinds.insert(((version, text("kind").to_owned()), name.clone()));
        }
        if let Some(members) = definition.as_object_mut() {
            members.remove(KINDS);
        }
        restore(&mut definition);
        // What the API server reads there, which its own document only says in the description.
        if name.ends_with(".IntOrString") {
            definition = json!({"format": "int-or-string", "type": "string"});
        } else if name.ends_with(".resource.Quantity") {
            definition = json!({"type": ["string", "number"]});
        }
        definitions.insert(name, definition.to_string());
    }
    Ok((definitions, kinds))
}

/// Undoes what the package changed: there every value may be null, and references lead to `$defs`.
fn restore(schema: &mut Value) {
    match schema {
        Value::Object(members) => restore_members(members),
        Value::Array(items) => items.iter_mut().for_each(restore),
        _ => {}
    }
}

fn restore_members(members: &mut Map<String, Value>) {
    if let Some(Value::Array(types)) = members.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            members.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = members.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::String(to)) = members.get_mut("$ref") {
        *to = to.replacen("#/$defs/", "#/definitions/", 1);
    }
    members.values_mut().for_each(restore);
}
