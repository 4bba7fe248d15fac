//! Keys that maps of any keys are likely to have: labels of other resources in the file, and names of what is measured.

use super::super::SEMANTICS;
use super::super::pods::{CONTAINERS, labels, template, way_to_template};
use super::super::workloads::{SELECTING, selectable};
use super::way_at;
use crate::inside::TextPlace;
use crate::resources::{Resource, resources};
use lofting_syntax::Tree;
use smol_str::SmolStr;

/// A key, with its value if that is known.
type Likely = (SmolStr, Option<SmolStr>);

/// What containers ask for.
const OF_CONTAINERS: &[&str] = &["cpu", "memory", "ephemeral-storage"];

/// What a claim of a volume asks for.
const OF_CLAIMS: &[&str] = &["storage"];

/// How many labels are offered, and how many resources are looked at for them.
const MOST: usize = 50;
const RESOURCES: usize = 1_000;

/// The keys that are likely in the map at a place.
pub(in crate::kubernetes) fn likely(tree: &Tree, place: &TextPlace<'_>) -> Vec<Likely> {
    let Some((resource, way)) = way_at(tree, place) else { return Vec::new() };
    if let Some(names) = measured(&resource, &way) {
        return names.iter().map(|name| (SmolStr::new_static(name), None)).collect();
    }
    let kind = resource.kind.as_deref().unwrap_or_default();
    let template_of = way_to_template(&resource);
    let is_own = |rest: &[&str]| template_of.and_then(|template| way.strip_prefix(template)) == Some(rest);
    let mut found = Vec::new();
    if SELECTING.contains(&kind) && template_of.is_some() && way == ["spec", "selector", "matchLabels"] {
        // A workload selects its own pods.
        add(&mut found, own_labels(&resource));
    } else if SELECTING.contains(&kind) && is_own(&["metadata", "labels"]) {
        let selector = resource.root.key("spec").and_then(|spec| spec.key("selector")?.key("matchLabels"));
        add(&mut found, selector.as_ref().and_then(labels));
    } else if selects(&resource, &way) {
        for other in resources(tree, SEMANTICS.profile).iter().take(RESOURCES) {
            lofting_memo::step();
            add(&mut found, selectable(other).and_then(|(own, _)| own.labels));
        }
    }
    found
}

/// The labels of the pods that a workload makes.
fn own_labels(resource: &Resource<'_>) -> Option<Vec<(SmolStr, SmolStr)>> {
    labels(&template(resource)?.key("metadata")?.key("labels")?)
}

fn add(found: &mut Vec<Likely>, labels: Option<Vec<(SmolStr, SmolStr)>>) {
    for (name, value) in labels.into_iter().flatten() {
        let likely = (name, Some(value));
        if found.len() < MOST && !found.contains(&likely) {
            found.push(likely);
        }
    }
}

/// Whether the map at the end of a way selects pods.
fn selects(resource: &Resource<'_>, way: &[&str]) -> bool {
    match (resource.version.as_str(), resource.kind.as_deref().unwrap_or_default()) {
        ("v1", "Service") => way == ["spec", "selector"],
        ("policy/v1", "PodDisruptionBudget") => way == ["spec", "selector", "matchLabels"],
        ("networking.k8s.io/v1", "NetworkPolicy") => matches!(way, [.., "podSelector", "matchLabels"]),
        _ => matches!(
            way,
            [.., "podAffinityTerm", "labelSelector", "matchLabels"]
                | [.., "topologySpreadConstraints", "[]", "labelSelector", "matchLabels"]
                | [.., "podAffinity" | "podAntiAffinity", _, "[]", "labelSelector", "matchLabels"]
        ),
    }
}

/// The names of what is measured at the end of a way.
fn measured(resource: &Resource<'_>, way: &[&str]) -> Option<&'static [&'static str]> {
    let claim = match resource.kind.as_deref()? {
        "PersistentVolumeClaim" if resource.version == "v1" => Some(way),
        "StatefulSet" if resource.version == "apps/v1" => way.strip_prefix(&["spec", "volumeClaimTemplates", "[]"]),
        _ => None,
    };
    if matches!(claim, Some(["spec", "resources", "requests" | "limits"])) {
        return Some(OF_CLAIMS);
    }
    let of_pod = way.strip_prefix(way_to_template(resource)?)?.strip_prefix(&["spec"])?;
    let is_container = matches!(of_pod, [list, "[]", "resources", "requests" | "limits"] if CONTAINERS.contains(list));
    is_container.then_some(OF_CONTAINERS)
}

#[cfg(test)]
mod tests {
    use super::likely;
    use crate::inside::TextPlace;
    use lofting_schema::Step;

    const TEXT: &str = "apiVersion: apps/v1
kind: Deployment
spec:
  selector:
    matchLabels:
  template:
    metadata: {labels: {app: boat, tier: web}}
    spec:
      containers:
      - name: crew
        resources:
          limits:
---
apiVersion: v1
kind: Pod
metadata: {labels: {app: raft}}
---
apiVersion: v1
kind: Service
spec:
  selector:
---
apiVersion: apps/v1
kind: StatefulSet
spec:
  selector: {matchLabels: {app: pier}}
  template:
    metadata:
      labels:
";

    /// What is likely after the last of the keys on the way, each of which is the next one in the text.
    fn found(kind: &str, way: &[&str]) -> Vec<String> {
        let mut at = TEXT.find(&format!("kind: {kind}")).expect("a kind");
        for key in way.iter().filter(|key| **key != "[]") {
            let key = format!("{key}:");
            at += TEXT[at..].find(&key).expect("a key") + key.len();
        }
        let step = |key: &&str| if *key == "[]" { Step::Item } else { Step::Key((*key).into()) };
        let path: Vec<Step> = way.iter().map(step).collect();
        let place = TextPlace { document: 0, path: &path, text: "", offset: 0, at };
        let all = likely(&lofting_syntax::parse(TEXT), &place).into_iter();
        all.map(|(name, value)| value.map_or(name.to_string(), |value| format!("{name}: {value}"))).collect()
    }

    #[test]
    fn labels_are_those_of_pods_in_the_file() {
        assert_eq!(found("Deployment", &["spec", "selector", "matchLabels"]), ["app: boat", "tier: web"]);
        assert_eq!(found("Service", &["spec", "selector"]), ["app: boat", "tier: web", "app: raft"]);
        assert_eq!(found("StatefulSet", &["spec", "template", "metadata", "labels"]), ["app: pier"]);
        assert_eq!(found("Deployment", &["spec", "template", "spec"]), [""; 0]);
    }

    #[test]
    fn containers_ask_for_what_is_measured() {
        let way = ["spec", "template", "spec", "containers", "[]", "resources", "limits"];
        assert_eq!(found("Deployment", &way), ["cpu", "memory", "ephemeral-storage"]);
    }
}
