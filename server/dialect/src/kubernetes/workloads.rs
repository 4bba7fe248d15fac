//! Workloads: what they say of their own pods, and what services say of them.

use super::pods::{
    Pods, Ports, Written, first_key, has_misspelt_template, is_computed, is_misspelt, is_whole, labels, pods, template,
};
use super::rules::{missing_port, missing_volume, unmatched_selector};
use crate::WrittenSteps;
use crate::resources::Resource;
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Span};
use smol_str::SmolStr;
use std::ops::Range;

/// Kinds whose pods are those that their selector selects.
pub(super) const SELECTING: [&str; 4] = ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"];

/// Whether a kind is a workload or a service.
pub(super) fn concerns(kind: &str) -> bool {
    SELECTING.contains(&kind)
        || matches!(kind, "Pod" | "PodTemplate" | "ReplicationController" | "Job" | "CronJob" | "Service")
}

pub(super) type Labels = Vec<(SmolStr, SmolStr)>;

/// A workload.
pub(super) struct Workload<'r, 't> {
    file: FileId,
    pub resource: &'r Resource<'t>,
    pub pods: Pods,
    /// The labels of its pods, as they are written.
    pub written: Option<WrittenSteps<'t>>,
    /// None if not all are known.
    pub labels: Option<Labels>,
    /// The key without which there are none, and the first key of the map that lacks it.
    pub without: Option<(Range<usize>, &'static str)>,
}

impl<'r, 't> Workload<'r, 't> {
    fn of(resource: &'r Resource<'t>, file: FileId) -> Option<Self> {
        let Some(template) = template(resource) else {
            let pods = Pods::default();
            let unknown = Workload { file, resource, pods, written: None, labels: None, without: None };
            return has_misspelt_template(resource).then_some(unknown);
        };
        let metadata = template.key("metadata");
        let (holder, key) = metadata.as_ref().map_or((&template, "metadata"), |metadata| (metadata, "labels"));
        let none = (is_whole(holder) && !is_misspelt(holder, key)).then(Labels::new);
        let written = metadata.as_ref().and_then(|metadata| metadata.key("labels"));
        let labels = written.as_ref().map_or(none, labels);
        let without = first_key(holder).filter(|_| written.is_none()).map(|beside| (beside, key));
        Some(Workload { file, resource, pods: pods(resource).unwrap_or_default(), written, labels, without })
    }

    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }
}

/// What the selectors of services look at.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Selectable {
    pub namespace: Namespace,
    /// None if not all are known.
    pub labels: Option<Labels>,
    pub ports: Ports,
}

/// A service with a selector whose labels are known.
#[derive(Debug)]
pub(super) struct Selecting {
    pub namespace: Namespace,
    /// At least one label.
    pub wanted: Labels,
    /// The key of the selector, in bytes from where the part of the file begins.
    pub selector: Range<usize>,
    /// The ports that it names, likewise.
    pub targets: Vec<Written>,
}

impl Selecting {
    /// Whether it selects a workload. Without a namespace, one may be in any.
    pub fn selects(&self, workload: &Selectable) -> bool {
        let namespaces = self.namespace.as_ref().zip(workload.namespace.as_ref());
        namespaces.is_none_or(|(own, other)| own == other)
            && workload.labels.as_ref().is_some_and(|labels| self.wanted.iter().all(|label| labels.contains(label)))
    }

    /// Whether two services say the same, wherever that is written.
    fn is_like(&self, other: &Selecting) -> bool {
        let names = |service: &Selecting| service.targets.iter().map(|port| port.name.clone()).collect::<Vec<_>>();
        self.namespace == other.namespace && self.wanted == other.wanted && names(self) == names(other)
    }
}

/// What a resource says that concerns others.
#[derive(Debug)]
pub(super) enum Neighbour {
    Workload(Selectable),
    Service(Selecting),
}

impl Neighbour {
    /// Whether two resources say the same to others.
    pub fn is_like(&self, other: &Neighbour) -> bool {
        match (self, other) {
            (Neighbour::Workload(one), Neighbour::Workload(other)) => one == other,
            (Neighbour::Service(one), Neighbour::Service(other)) => one.is_like(other),
            _ => false,
        }
    }
}

/// The namespace that a resource names. None if none is written or if it is filled in later: then it may be any.
pub(super) type Namespace = Option<SmolStr>;

/// Adds what is wrong in a workload. Gives what a workload or a service, in a part that begins at `start`, says to others.
pub(super) fn look(
    resource: &Resource<'_>,
    file: FileId,
    start: usize,
    found: &mut Vec<Diagnostic>,
) -> Option<Neighbour> {
    if let Some(workload) = Workload::of(resource, file) {
        for look in [missing_volume::look, missing_port::look, unmatched_selector::look] {
            look(&workload, found);
        }
        let ports = Ports::of(&workload.pods.containers);
        return Some(Neighbour::Workload(Selectable {
            namespace: namespace(resource),
            labels: workload.labels,
            ports,
        }));
    }
    selecting(resource, start).map(Neighbour::Service)
}

/// The namespace that a resource names.
fn namespace(resource: &Resource<'_>) -> Namespace {
    let written = resource.root.key("metadata").and_then(|metadata| metadata.key("namespace")?.text());
    written.filter(|namespace| !is_computed(namespace))
}

/// What a workload has that services select, and its pods. None for other resources.
pub(super) fn selectable(resource: &Resource<'_>) -> Option<(Selectable, Pods)> {
    let Workload { pods, labels, .. } = Workload::of(resource, FileId(0))?;
    Some((Selectable { namespace: namespace(resource), labels, ports: Ports::of(&pods.containers) }, pods))
}

/// What a service in a part that begins at `start` selects, if it selects anything.
pub(super) fn selecting(resource: &Resource<'_>, start: usize) -> Option<Selecting> {
    if resource.kind.as_deref() != Some("Service") || resource.version != "v1" {
        return None;
    }
    let spec = resource.root.key("spec")?;
    let is_external = spec.text_at("type").is_some_and(|kind| kind == "ExternalName");
    let selector = spec.key("selector").filter(|_| !is_external)?;
    let wanted = labels(&selector).filter(|wanted| !wanted.is_empty())?;
    let inside = |range: Range<usize>| range.start.saturating_sub(start)..range.end.saturating_sub(start);
    let ports = spec.key("ports").map(|ports| ports.items()).unwrap_or_default();
    let targets = ports.iter().filter_map(|port| Written::of(&port.key("targetPort")?));
    let targets = targets.map(|port| Written { at: inside(port.at), ..port }).collect();
    let selector = inside(selector.key_range());
    Some(Selecting { namespace: namespace(resource), wanted, selector, targets })
}
