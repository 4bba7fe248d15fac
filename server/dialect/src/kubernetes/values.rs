//! Fields of Kubernetes' own kinds that take one of a few words. Their schemas take any text; the API server's own code
//! refuses others.

mod keys;
mod words;

pub(super) use keys::likely;

use super::beside::around;
use super::claims::SCHEMA;
use super::definition;
use super::pods::{CONTAINERS, Written, is_computed, template, way_to_template};
use super::rules::unknown_value;
use super::validation;
use super::workloads::SELECTING;
use crate::WrittenSteps;
use crate::inside::{Inside, Proposal, ProposalKind, TextPlace};
use crate::resources::Resource;
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_schema::Step;
use lofting_syntax::Tree;
use words::{Field, OF_CONTAINERS, OF_KINDS, OF_PODS, OFFERED, OFFERED_OF_CONTAINERS, of_affinity, words_of_affinity};

/// The values of such fields in a resource, with the words that they may be.
fn fields<'t>(resource: &Resource<'t>) -> Vec<(WrittenSteps<'t>, &'static [&'static str])> {
    let (mut found, mut placed) = (Vec::new(), Vec::new());
    let mut add = |from: &WrittenSteps<'t>, fields: &[Field]| {
        // Few of them are there.
        let keys = from.keys();
        let is_there = |(path, _): &&Field| path.first().is_some_and(|first| keys.iter().any(|key| key == first));
        for (path, words) in fields.iter().filter(is_there) {
            found.extend(from.reached(path).into_iter().map(|value| (value, *words)));
        }
    };
    if let Some(spec) = template(resource).and_then(|template| template.key("spec")) {
        add(&spec, OF_PODS);
        placed.extend(spec.key("affinity").iter().flat_map(of_affinity));
        for container in CONTAINERS.iter().filter_map(|key| spec.key(key)).flat_map(|array| array.items()) {
            add(&container, OF_CONTAINERS);
        }
    }
    let is_own = |(version, kind, _): &&(&str, &str, &[Field])| {
        resource.version == *version && resource.kind.as_deref() == Some(*kind)
    };
    for (.., fields) in OF_KINDS.iter().filter(is_own) {
        add(&resource.root, fields);
    }
    found.extend(placed);
    found
}

/// Words in a resource that the API server refuses.
pub(super) fn look(resource: &Resource<'_>, file: FileId, found: &mut Vec<Diagnostic>) {
    for (value, words) in fields(resource) {
        let Some(written) = Written::of(&value) else { continue };
        let is_known = if written.name.is_empty() { !refuses_empty(&value) } else { is_computed(&written.name) };
        if !is_known && !words.contains(&written.name.as_str()) {
            let at = if written.name.is_empty() { value.value().content_range() } else { written.at };
            found.push(unknown_value::finding(Span::new(file, at), &written.name, words));
        }
    }
}

/// Keys whose word the server neither replaces by a default when it is empty, nor takes: all other empty words are as if
/// they were absent.
const NEVER_EMPTY: [&[&str]; 18] = [
    &["pathType"],
    &["sideEffects"],
    &["failurePolicy"],
    &["operator"],
    &["whenUnsatisfiable"],
    &["mountPropagation"],
    &["volumeMode"],
    &["accessModes"],
    &["seccompProfile", "type"],
    &["fsGroupChangePolicy"],
    &["internalTrafficPolicy"],
    &["ipFamilyPolicy"],
    &["volumeBindingMode"],
    &["metrics", "type"],
    &["target", "type"],
    &["policyTypes"],
    &["roleRef", "kind"],
    &["rules", "scope"],
];

/// Whether the word of a field cannot be empty.
fn refuses_empty(value: &WrittenSteps<'_>) -> bool {
    let path = value.path();
    let keys: Vec<&str> =
        path.iter().filter_map(|step| if let Step::Key(key) = step { key.as_str() } else { None }).collect();
    // That of a toleration may be empty.
    !keys.contains(&"tolerations") && NEVER_EMPTY.iter().any(|end| keys.ends_with(end))
}

/// Whether a kind may have such fields.
pub(super) fn concerns(kind: &str) -> bool {
    super::workloads::concerns(kind) || OF_KINDS.iter().any(|(_, known, _)| *known == kind)
}

/// The words that a resource takes at the end of a way from its root, where `[]` is an item.
fn words_at(resource: &Resource<'_>, way: &[&str]) -> Option<&'static [&'static str]> {
    let kind = resource.kind.as_deref()?;
    let find = |fields: &[Field], way: &[&str]| fields.iter().find(|(own, _)| *own == way).map(|(_, words)| *words);
    let of_pods = || {
        let of_pod = way.strip_prefix(way_to_template(resource)?)?.strip_prefix(&["spec"])?;
        match of_pod {
            ["restartPolicy"] => Some(restarts_of(kind)),
            ["affinity", rest @ ..] => words_of_affinity(rest),
            [list, "[]", rest @ ..] if CONTAINERS.contains(list) => {
                find(OFFERED_OF_CONTAINERS, rest).or_else(|| find(OF_CONTAINERS, rest))
            }
            rest => find(OF_PODS, rest),
        }
    };
    let mut own =
        OFFERED.iter().chain(OF_KINDS).filter(|(version, known, _)| *known == kind && *version == resource.version);
    own.find_map(|(.., fields)| find(fields, way)).or_else(of_pods)
}

/// The policies of restarts that pods of a kind can have.
fn restarts_of(kind: &str) -> &'static [&'static str] {
    match kind {
        "Job" | "CronJob" => &["OnFailure", "Never"],
        kind if SELECTING.contains(&kind) || kind == "ReplicationController" => &["Always"],
        _ => &["Always", "OnFailure", "Never"],
    }
}

/// The way from the root of the resource at a place, with that resource. None through keys that are not strings.
pub(super) fn way_at<'p, 't>(tree: &'t Tree, place: &TextPlace<'p>) -> Option<(Resource<'t>, Vec<&'p str>)> {
    let resource = around(tree, place.at)?;
    let steps = place.path.get(resource.root.path().len()..)?.iter();
    let way: Option<Vec<&str>> = steps
        .map(|step| match step {
            Step::Key(key) => key.as_str(),
            Step::Index(_) | Step::Item => Some("[]"),
            Step::Nowhere => None,
        })
        .collect();
    Some((resource, way?))
}

/// The words that may be written at a place.
pub(super) fn at(tree: &Tree, place: &TextPlace<'_>) -> Option<Inside> {
    let (resource, way) = way_at(tree, place)?;
    let words = words_at(&resource, &way)?;
    let proposal = |word: &&str| Proposal {
        label: (*word).to_owned(),
        kind: ProposalKind::Value,
        detail: None,
        replace: 0..place.text.len(),
        text: (*word).to_owned(),
        goes_on: false,
    };
    Some(Inside { word: None, proposals: words.iter().map(proposal).collect() })
}

/// The keys that the map at a place cannot have, although its schema has them.
pub(super) fn excluded(tree: &Tree, place: &TextPlace<'_>) -> Vec<&'static str> {
    let Some((resource, way)) = way_at(tree, place) else { return Vec::new() };
    let mut keys = validation::excluded(&resource, place.path, place.at);
    let of_pod = way_to_template(&resource).and_then(|template| way.strip_prefix(template));
    if of_pod == Some(&["spec"]) {
        keys.extend(excluded_of(resource.kind.as_deref().unwrap_or_default()));
    }
    // The kind's schema has the keywords of all schemas.
    if resource.kind.as_deref() == Some(definition::KIND) && way.contains(&SCHEMA) {
        keys.extend(definition::unsupported());
    }
    keys
}

/// The keys that new pods of a kind cannot have.
fn excluded_of(kind: &str) -> &'static [&'static str] {
    if SELECTING.contains(&kind) { &["ephemeralContainers", "activeDeadlineSeconds"] } else { &["ephemeralContainers"] }
}

#[cfg(test)]
mod tests {
    use super::{excluded, look};
    use crate::inside::TextPlace;
    use crate::kubernetes::SEMANTICS;
    use crate::resources::resources;
    use lofting_document::FileId;
    use lofting_schema::Step;

    fn found(text: &str) -> Vec<String> {
        let (tree, mut all) = (lofting_syntax::parse(text), Vec::new());
        resources(&tree, SEMANTICS.profile).iter().for_each(|resource| look(resource, FileId(0), &mut all));
        let shown = |finding: &lofting_diagnostic::Diagnostic| {
            let fix = finding.fixes.first().and_then(|fix| fix.edits.first());
            let new = fix.map_or("", |(_, new)| new.as_str());
            format!("{} -> {new}", &text[finding.span.range()])
        };
        all.iter().map(shown).collect()
    }

    /// The keys that a map has no place for, at the end of a way.
    fn keys(text: &str, way: &[&str]) -> Vec<&'static str> {
        let tree = lofting_syntax::parse(text);
        let step = |key: &&str| if *key == "[]" { Step::Item } else { Step::Key((*key).into()) };
        let path: Vec<Step> = way.iter().map(step).collect();
        excluded(&tree, &TextPlace { document: 0, path: &path, text: "", offset: 0, at: text.trim_end().len() })
    }

    #[test]
    fn keywords_that_the_server_refuses_are_not_offered() {
        let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: {versions: [{schema: \
                          {openAPIV3Schema: {type: object}}}]}\n";
        let found = keys(&definition[..definition.len() - 5], &["spec", "versions", "[]", "schema", "openAPIV3Schema"]);
        assert!(found.contains(&"$ref") && found.contains(&"patternProperties") && !found.contains(&"properties"));
    }

    /// What the server refuses beside a key is not offered there.
    #[test]
    fn of_keys_that_exclude_each_other_one_is_enough() {
        let pod = "apiVersion: v1
kind: Pod
spec:
  volumes:
  - name: a
    emptyDir: {}
  - name: b
  containers:
  - name: a
    livenessProbe:
      httpGet: {port: 80}
  - name: b
    livenessProbe:
    env:
    - name: A
      value: x
    - name: B
      value: ''
    - name: C
      value: x
";
        let until = |end: &str| &pod[..pod.rfind(end).expect("a text") + end.len()];
        let volume = ["spec", "volumes", "[]"];
        let sources = keys(until("emptyDir: {}"), &volume);
        assert!(sources.contains(&"hostPath") && sources.contains(&"secret") && !sources.contains(&"emptyDir"));
        assert_eq!(keys(until("emptyDir"), &volume), [""; 0], "the key is being written");
        assert_eq!(keys(until("emptyDir: {}\n  - name: b"), &volume), [""; 0], "another volume");
        let probe = ["spec", "containers", "[]", "livenessProbe"];
        assert_eq!(keys(until("{port: 80}"), &probe), ["exec", "tcpSocket", "grpc"]);
        assert_eq!(keys(until("livenessProbe:"), &probe), [""; 0], "the probe of another container");
        let variable = ["spec", "containers", "[]", "env", "[]"];
        assert_eq!(keys(pod, &variable), ["valueFrom"]);
        assert_eq!(keys(until("value: ''"), &variable), [""; 0], "an empty text is none");
    }

    #[test]
    fn keys_of_running_pods_are_not_offered_for_new_ones() {
        let deployment = "apiVersion: apps/v1\nkind: Deployment\nspec: {template: {spec: {a: b}}}\n";
        let way = ["spec", "template", "spec"];
        assert_eq!(keys(deployment, &way), ["ephemeralContainers", "activeDeadlineSeconds"]);
        assert_eq!(keys(deployment, &way[..2]), [""; 0]);
        assert_eq!(keys(&deployment.replace("apps/v1", "example.com/v1"), &way), [""; 0]);
        let job = deployment.replace("Deployment", "Job").replace("apps", "batch");
        assert_eq!(keys(&job, &way), ["ephemeralContainers"]);
    }

    #[test]
    fn words_are_those_that_the_server_accepts() {
        let deployment = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  strategy: {type: RollignUpdate}\n  template:\n    \
                          spec:\n      restartPolicy: Always\n      containers:\n      - imagePullPolicy: 'always'\n        \
                          ports: [{protocol: TPC}, {protocol: \"${P}\"}, {protocol: }, {protocol: UDP}]\n";
        let mut all = found(deployment);
        all.sort();
        assert_eq!(all, ["RollignUpdate -> RollingUpdate", "TPC -> TCP", "always -> Always"]);
        let affinity = "apiVersion: v1\nkind: Pod\nspec:\n  affinity:\n    nodeAffinity:\n      \
                        preferredDuringSchedulingIgnoredDuringExecution: [{preference: {matchExpressions: [{operator: in}], \
                        matchFields: [{key: metadata.nmae, operator: In}]}}]\n    podAffinity:\n      \
                        requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchExpressions: [{operator: \
                        Exist}]}}]\n";
        let mut all = found(affinity);
        all.sort();
        assert_eq!(all, ["Exist -> Exists", "in -> In", "metadata.nmae -> metadata.name"]);
        assert_eq!(found(&affinity.replace("operator: in}", "operator: ''}")).len(), 3);
        assert!(found("apiVersion: v1\nkind: Service\nspec: {type: '', sessionAffinity: ''}\n").is_empty());
        let service = "apiVersion: v1\nkind: Service\nspec: {type: ClsuterIP, ipFamilies: [IPv4, IPv5]}\n";
        let mut all = found(service);
        all.sort();
        assert_eq!(all.first().map(String::as_str), Some("ClsuterIP -> ClusterIP"));
        assert_eq!(all.len(), 2);
        assert!(found(&service.replace("v1\n", "example.com/v1\n")).is_empty(), "a kind of others");
    }
}
