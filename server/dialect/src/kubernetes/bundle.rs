//! Bundles of schemas, in the layouts in which they are published: a file for each kind, or one document with all
//! definitions.

use super::claims::SCHEMA;
use crate::{BundledAt, SchemaName};
use lofting_document::{Key, Node, NodeValue};
use smol_str::SmolStr;

/// What a document of Kubernetes' API says about a definition.
const KINDS: &str = "x-kubernetes-group-version-kind";

/// Where a bundle may have the schema of a kind, the most likely place first. A bundle is a document with definitions, a
/// folder or the URL of one, or a path or URL with the kind in it: `crds/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json`.
pub(super) fn places(bundle: &str, name: &SchemaName) -> Vec<BundledAt> {
    let kind = name.kind.to_lowercase();
    let (group, version) = name.name.rsplit_once('/').unwrap_or(("", &name.name));
    // What ends up in a path is part of a name.
    let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'));
    if kind.is_empty() || ![kind.as_str(), group, version].into_iter().all(|it| is_name(it) && !it.contains("..")) {
        return Vec::new();
    }
    let short = group.split('.').next().unwrap_or_default();
    let suffix = if short.is_empty() { format!("-{version}") } else { format!("-{short}-{version}") };
    if bundle.contains("{{") {
        let filled = fill(
            bundle,
            &[
                ("Group", group),
                ("ResourceKind", &kind),
                ("ResourceAPIVersion", version),
                ("KindSuffix", &suffix),
                ("NormalizedKubernetesVersion", "master"),
                ("StrictSuffix", ""),
            ],
        );
        return filled.map(BundledAt::Schema).into_iter().collect();
    }
    if [".json", ".yaml", ".yml"].iter().any(|ending| bundle.ends_with(ending)) {
        return vec![BundledAt::Definitions(bundle.to_owned())];
    }
    let folder = bundle.trim_end_matches('/');
    let flat = BundledAt::Schema(format!("{folder}/{kind}{suffix}.json"));
    if group.is_empty() {
        return vec![flat];
    }
    let nested = BundledAt::Schema(format!("{folder}/{group}/{kind}_{version}.json"));
    // Groups of Kubernetes itself have no domain or that of Kubernetes.
    let is_own = !group.contains('.') || group.ends_with(".k8s.io");
    if is_own { vec![flat, nested] } else { vec![nested, flat] }
}

/// A text with its variables replaced; None if it has others.
fn fill(text: &str, variables: &[(&str, &str)]) -> Option<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, following)) = rest.split_once("{{") {
        let (name, after) = following.split_once("}}")?;
        let name = name.trim().trim_start_matches('.');
        let (_, value) = variables.iter().find(|(known, _)| *known == name)?;
        filled += before;
        filled += value;
        rest = after;
    }
    Some(filled + rest)
}

/// The kinds that a document defines, each with the fragment that leads to its schema.
pub(super) fn definitions(document: &Node) -> Vec<(SchemaName, String)> {
    let below = |node: &'_ Node, key: &str| node.get(&Key::from(key)).cloned();
    let roots = [
        ("/definitions", below(document, "definitions")),
        ("/$defs", below(document, "$defs")),
        ("/components/schemas", below(document, "components").and_then(|node| below(&node, "schemas"))),
    ];
    let mut found = Vec::new();
    for (way, node) in roots {
        let Some(NodeValue::Map(items)) = node.map(|node| node.value) else { continue };
        for item in &items {
            let Some(NodeValue::Array(kinds)) = item.value.get(&Key::from(KINDS)).map(|node| &node.value) else {
                continue;
            };
            let key = item.key.to_string().replace('~', "~0").replace('/', "~1");
            for kind in kinds {
                let text = |key: &str| match &kind.value.get(&Key::from(key))?.value {
                    NodeValue::String(text) => Some(text.clone()),
                    _ => None,
                };
                let (Some(version), Some(kind)) = (text("version"), text("kind")) else { continue };
                let name: SmolStr = match text("group").filter(|group| !group.is_empty()) {
                    Some(group) => format!("{group}/{version}").into(),
                    None => version,
                };
                let name = SchemaName { kind, name, namespace: None, slot: SCHEMA };
                found.push((name, format!("{way}/{key}")));
            }
        }
    }
    found
}

/// The group and the kind of the schema at a URI, whose fragment leads to it in its document.
pub(super) fn kind_at(document: &Node, uri: &str) -> Option<(SmolStr, SmolStr)> {
    let fragment = uri.split_once('#').map_or("", |(_, fragment)| fragment);
    let schema = at(document, fragment)?;
    let elsewhere = text(schema, "$ref").and_then(|reference| at(document, reference.strip_prefix('#')?));
    let schema = elsewhere.unwrap_or(schema);
    let Some(kinds) = schema.get(&Key::from(KINDS)) else { return only_kind(schema) };
    let NodeValue::Array(kinds) = &kinds.value else { return None };
    let kind = &kinds.first()?.value;
    Some((text(kind, "group").unwrap_or_default(), text(kind, "kind")?))
}

/// The schema that a fragment leads to.
fn at<'n>(document: &'n Node, fragment: &str) -> Option<&'n Node> {
    let mut steps = fragment.split('/').skip(1).map(|step| step.replace("~1", "/").replace("~0", "~"));
    steps.try_fold(document, |node, step| node.get(&Key::from(step.as_str())))
}

fn text(node: &Node, key: &str) -> Option<SmolStr> {
    match &node.get(&Key::from(key))?.value {
        NodeValue::String(text) => Some(text.clone()),
        _ => None,
    }
}

/// The group and the kind of a schema that allows one version and one kind, as those do that are made for validation.
fn only_kind(schema: &Node) -> Option<(SmolStr, SmolStr)> {
    let properties = schema.get(&Key::from("properties"))?;
    let only = |key: &str| {
        let NodeValue::Array(words) = &properties.get(&Key::from(key))?.get(&Key::from("enum"))?.value else {
            return None;
        };
        match &words.first().filter(|_| words.len() == 1)?.value.value {
            NodeValue::String(word) => Some(word.clone()),
            _ => None,
        }
    };
    let (version, kind) = (only("apiVersion")?, only("kind")?);
    let group = version.rsplit_once('/').map_or("", |(group, _)| group);
    Some((group.into(), kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_of_all_forms() {
        for (text, want) in [
            ("{definitions: {a.B: DEFINITION}}", "/definitions/a.B"),
            ("{$defs: {a.B: DEFINITION}}", "/$defs/a.B"),
            ("{components: {schemas: {a.B: DEFINITION}}}", "/components/schemas/a.B"),
            ("{schemas: {a.B: DEFINITION}}", ""),
        ] {
            let kinds = "{x-kubernetes-group-version-kind: [{group: apps, version: v1, kind: Deployment}]}";
            let tree = lofting_syntax::parse(&text.replace("DEFINITION", kinds));
            let document = lofting_document::lower(
                lofting_document::FileId(0),
                &tree,
                lofting_syntax::resolve::Profile::Core12,
                lofting_document::Options::default(),
            );
            let found = definitions(&document.documents[0].value);
            let found: Vec<String> = found.into_iter().map(|(name, way)| format!("{} {way}", name.name)).collect();
            let want = if want.is_empty() { String::new() } else { format!("apps/v1 {want}") };
            assert_eq!(found.join(", "), want, "{text}");
        }
    }

    #[test]
    fn layouts_of_bundles() {
        let shown = |bundle: &str, kind: &str, version: &str| {
            let name = SchemaName { kind: kind.into(), name: version.into(), namespace: None, slot: SCHEMA };
            let place = |place: BundledAt| match place {
                BundledAt::Schema(place) => place,
                BundledAt::Definitions(place) => format!("in {place}"),
            };
            places(bundle, &name).into_iter().map(place).collect::<Vec<_>>().join(", ")
        };
        for (bundle, kind, version, want) in [
            ("k8s", "Pod", "v1", "k8s/pod-v1.json"),
            ("k8s/", "Deployment", "apps/v1", "k8s/deployment-apps-v1.json, k8s/apps/deployment_v1.json"),
            (
                "k8s",
                "Ingress",
                "networking.k8s.io/v1",
                "k8s/ingress-networking-v1.json, k8s/networking.k8s.io/ingress_v1.json",
            ),
            (
                "https://a.b/crds",
                "Application",
                "argoproj.io/v1alpha1",
                "https://a.b/crds/argoproj.io/application_v1alpha1.json, https://a.b/crds/application-argoproj-v1alpha1.json",
            ),
            (
                "https://a.b/{{.Group}}/{{ .ResourceKind }}_{{.ResourceAPIVersion}}.json",
                "Application",
                "argoproj.io/v1alpha1",
                "https://a.b/argoproj.io/application_v1alpha1.json",
            ),
            ("x/{{ .ResourceKind }}{{ .KindSuffix }}.json", "Deployment", "apps/v1", "x/deployment-apps-v1.json"),
            ("x/{{ .Other }}.json", "Deployment", "apps/v1", ""),
            ("swagger.json", "Deployment", "apps/v1", "in swagger.json"),
            ("k8s", "../../etc/passwd", "v1", ""),
            ("k8s", "Pod", "a/../b/v1", ""),
            ("k8s", "Pod", "../v1", ""),
        ] {
            assert_eq!(shown(bundle, kind, version), want, "{bundle} {kind} {version}");
        }
    }
}
