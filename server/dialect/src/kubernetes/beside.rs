//! What resources of one file say of each other and of their own parts: mounts and volumes, probes and ports, selectors
//! and labels.

use super::SEMANTICS;
use super::pods::{Declared, Pods, Written, is_computed, labels, pods, template};
use super::rules::{missing_port, missing_volume, unmatched_selector};
use crate::WrittenSteps;
use crate::inside::{Inside, NamedInside, Proposal, ProposalKind, TextPlace};
use crate::resources::{Resource, resources};
use lofting_diagnostic::Diagnostic;
use lofting_diagnostic::suggest::nearest;
use lofting_document::{FileId, Span};
use lofting_schema::Step;
use lofting_syntax::Tree;
use smol_str::SmolStr;

/// Kinds whose pods are those that their selector selects.
const SELECTING: [&str; 4] = ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"];

/// Whether a kind says something of others or of its own parts.
pub(super) fn concerns(kind: &str) -> bool {
    SELECTING.contains(&kind) || matches!(kind, "Pod" | "ReplicationController" | "Job" | "CronJob" | "Service")
}

type Labels = Vec<(SmolStr, SmolStr)>;

/// A workload of the file.
struct Workload {
    namespace: Option<SmolStr>,
    /// None if not all are known.
    labels: Option<Labels>,
    ports: Declared,
}

/// Everything that does not fit.
pub(super) fn findings(tree: &Tree, file: FileId) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let (mut workloads, mut services) = (Vec::new(), Vec::new());
    for resource in resources(tree, SEMANTICS.profile) {
        let namespace = resource.root.key("metadata").and_then(|metadata| metadata.key("namespace")?.text());
        if let Some(template) = template(&resource) {
            let own = pods(&resource).unwrap_or_default();
            self::own_parts(&own, file, &mut found);
            let written = template.key("metadata").and_then(|metadata| metadata.key("labels"));
            let labels = match &written {
                Some(written) => self::labels(written),
                None => Some(Labels::new()),
            };
            if let (Some(written), Some(labels)) = (&written, &labels) {
                found.extend(own_selector(&resource, written, labels, file));
            }
            let mut ports = Declared::default();
            for container in own.containers {
                ports.is_partial |= container.ports.is_partial;
                ports.names.extend(container.ports.names);
            }
            workloads.push(Workload { namespace, labels, ports });
        } else if resource.kind.as_deref() == Some("Service") && resource.version == "v1" {
            services.push((namespace, resource));
        }
    }
    for (namespace, service) in services {
        let near: Vec<&Workload> =
            workloads.iter().filter(|workload| is_same(&workload.namespace, &namespace)).collect();
        self::service(&service, &near, file, &mut found);
    }
    found
}

/// Whether two namespaces may be the same: where none is written, that is decided elsewhere.
fn is_same(one: &Option<SmolStr>, other: &Option<SmolStr>) -> bool {
    one.as_ref().zip(other.as_ref()).is_none_or(|(one, other)| one == other || is_computed(one) || is_computed(other))
}

fn selects(selector: &Labels, labels: &Labels) -> bool {
    selector.iter().all(|wanted| labels.contains(wanted))
}

/// Volumes that are mounted, and ports that probes name.
fn own_parts(pods: &Pods, file: FileId, found: &mut Vec<Diagnostic>) {
    for container in pods.containers.iter().filter(|container| container.is_whole) {
        for mount in container.mounts.iter().filter(|mount| missing(mount, &pods.volumes)) {
            let meant = nearest(&mount.name, pods.volumes.names.iter().map(|volume| volume.name.as_str()));
            found.push(missing_volume::finding(Span::new(file, mount.at.clone()), &mount.name, meant));
        }
        for port in container.uses.iter().filter(|port| missing(port, &container.ports)) {
            let meant = nearest(&port.name, container.ports.names.iter().map(|port| port.name.as_str()));
            let whose = "the container has";
            found.push(missing_port::finding(Span::new(file, port.at.clone()), &port.name, whose, meant));
        }
    }
}

fn missing(used: &Written, declared: &Declared) -> bool {
    !declared.is_partial && !used.name.is_empty() && !is_computed(&used.name) && !declared.has(&used.name)
}

/// A workload has to select its own pods.
fn own_selector(
    resource: &Resource<'_>,
    written: &WrittenSteps<'_>,
    labels: &Labels,
    file: FileId,
) -> Option<Diagnostic> {
    resource.kind.as_deref().filter(|kind| SELECTING.contains(kind))?;
    let wanted = resource.root.key("spec")?.key("selector")?.key("matchLabels")?;
    let selector = self::labels(&wanted)?;
    let (name, value) = selector.iter().find(|wanted| !labels.contains(wanted))?;
    let label = wanted.key(name)?;
    let place = Span::new(file, label.key_range());
    let message = format!("the pods of this workload have no label `{name}: {value}`");
    let finding = unmatched_selector::refused(place, message);
    Some(finding.related(Span::new(file, written.key_range()), "the labels of its pods"))
}

/// A service of a file with workloads selects some of them.
fn service(service: &Resource<'_>, workloads: &[&Workload], file: FileId, found: &mut Vec<Diagnostic>) {
    let Some(spec) = service.root.key("spec") else { return };
    let is_external = spec.key("type").and_then(|kind| kind.text()).is_some_and(|kind| kind == "ExternalName");
    let Some(written) = spec.key("selector").filter(|_| !is_external) else { return };
    let Some(selector) = labels(&written).filter(|selector| !selector.is_empty()) else { return };
    if workloads.is_empty() || workloads.iter().any(|workload| workload.labels.is_none()) {
        return;
    }
    let selected: Vec<&&Workload> =
        workloads.iter().filter(|own| own.labels.as_ref().is_some_and(|labels| selects(&selector, labels))).collect();
    if selected.is_empty() {
        found.push(unmatched_selector::finding(Span::new(file, written.key_range())));
        return;
    }
    if selected.iter().any(|workload| workload.ports.is_partial) {
        return;
    }
    let names = || selected.iter().flat_map(|workload| workload.ports.names.iter().map(|port| port.name.as_str()));
    for port in spec.key("ports").map(|ports| ports.items()).unwrap_or_default() {
        let Some(target) = port.key("targetPort").and_then(|target| Written::of(&target)) else { continue };
        let is_known = target.name.is_empty() || is_computed(&target.name) || names().any(|name| name == target.name);
        if !is_known {
            let whose = "the pods that are selected have";
            let place = Span::new(file, target.at);
            found.push(missing_port::finding(place, &target.name, whose, nearest(&target.name, names())));
        }
    }
}

/// What has a name inside of pods.
struct Inner {
    kind: &'static str,
    declared: Vec<Written>,
    uses: Vec<Written>,
}

/// The groups of names in the pods of a resource.
fn inner(pods: Pods) -> Vec<Inner> {
    let mut groups = Vec::new();
    let mut mounts = Vec::new();
    for container in pods.containers {
        mounts.extend(container.mounts);
        groups.push(Inner { kind: "port", declared: container.ports.names, uses: container.uses });
    }
    groups.push(Inner { kind: "volume", declared: pods.volumes.names, uses: mounts });
    groups
}

/// The volume or port whose name is at a byte offset.
pub(super) fn named(tree: &Tree, offset: usize) -> Option<NamedInside> {
    let holds = |written: &&Written| written.at.start <= offset && offset <= written.at.end;
    let around = resources(tree, SEMANTICS.profile).into_iter().find(|resource| is_around(resource, offset))?;
    inner(pods(&around)?).into_iter().find_map(|group| {
        let origin = group.declared.iter().chain(&group.uses).find(holds)?.clone();
        let places =
            |all: &[Written]| all.iter().filter(|own| own.name == origin.name).map(|own| own.at.clone()).collect();
        Some(NamedInside {
            kind: group.kind,
            declared: places(&group.declared),
            references: places(&group.uses),
            refuses: no_label,
            name: origin.name.to_string(),
            origin: origin.at,
        })
    })
}

fn is_around(resource: &Resource<'_>, offset: usize) -> bool {
    let range = resource.root.value().range();
    range.start <= offset && offset <= range.end
}

fn no_label(name: &str) -> Option<String> {
    let is_wrong = !lofting_cel::refusals("dns1123Label", name).is_empty();
    is_wrong.then(|| format!("`{name}` cannot be the name: it consists of lower-case letters, digits and hyphens"))
}

/// The names of volumes where one is mounted, and of ports where one is called.
pub(super) fn at(tree: &Tree, place: &TextPlace<'_>) -> Option<Inside> {
    let names: Vec<&str> = place
        .path
        .iter()
        .filter_map(|step| match step {
            Step::Key(key) => key.as_str(),
            _ => None,
        })
        .collect();
    let is_mount = matches!(names[..], [.., "volumeMounts" | "volumeDevices", "name"]);
    let is_call = matches!(names[..], [.., "httpGet" | "tcpSocket", "port"]);
    if !is_mount && !is_call {
        return None;
    }
    let around = resources(tree, SEMANTICS.profile).into_iter().find(|resource| is_around(resource, place.at))?;
    let pods = pods(&around)?;
    let declared: Vec<Written> = match is_mount {
        true => pods.volumes.names,
        false => pods.containers.into_iter().flat_map(|container| container.ports.names).collect(),
    };
    let proposal = |written: Written| Proposal {
        label: written.name.to_string(),
        kind: ProposalKind::Value,
        detail: None,
        replace: 0..place.text.len(),
        text: written.name.to_string(),
        goes_on: false,
    };
    Some(Inside { word: None, proposals: declared.into_iter().map(proposal).collect() })
}

#[cfg(test)]
mod tests;
