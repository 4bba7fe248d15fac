//! The workloads and services of one file, for rules about what they say of each other.

use super::SEMANTICS;
use super::pods::{Pods, has_misspelt_template, is_computed, is_misspelt, labels, pods, template};
use crate::WrittenSteps;
use crate::resources::{Resource, resources};
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;
use smol_str::SmolStr;
use std::ops::Range;

/// Kinds whose pods are those that their selector selects.
pub(super) const SELECTING: [&str; 4] = ["Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"];

pub(super) type Labels = Vec<(SmolStr, SmolStr)>;

/// The workloads and services of a file.
pub(super) struct Beside<'t> {
    file: FileId,
    pub workloads: Vec<Workload<'t>>,
    pub services: Vec<Service<'t>>,
}

/// A workload.
pub(super) struct Workload<'t> {
    pub resource: Resource<'t>,
    pub pods: Pods,
    /// The labels of its pods, as they are written.
    pub written: Option<WrittenSteps<'t>>,
    /// None if not all are known.
    pub labels: Option<Labels>,
    namespace: Option<SmolStr>,
}

/// A service.
pub(super) struct Service<'t> {
    resource: Resource<'t>,
    namespace: Option<SmolStr>,
}

impl<'t> Beside<'t> {
    pub fn of(tree: &'t Tree, file: FileId) -> Self {
        let mut beside = Beside { file, workloads: Vec::new(), services: Vec::new() };
        for resource in resources(tree, SEMANTICS.profile) {
            let namespace = resource.root.key("metadata").and_then(|metadata| metadata.key("namespace")?.text());
            if let Some(template) = template(&resource) {
                let metadata = template.key("metadata");
                let is_misspelt = metadata
                    .as_ref()
                    .map_or_else(|| is_misspelt(&template, "metadata"), |it| is_misspelt(it, "labels"));
                let written = metadata.and_then(|metadata| metadata.key("labels"));
                let none = (!is_misspelt).then(Labels::new);
                let labels = written.as_ref().map_or(none, labels);
                let pods = pods(&resource).unwrap_or_default();
                beside.workloads.push(Workload { resource, pods, written, labels, namespace });
            } else if has_misspelt_template(&resource) {
                let (pods, written, labels) = (Pods::default(), None, None);
                beside.workloads.push(Workload { resource, pods, written, labels, namespace });
            } else if resource.kind.as_deref() == Some("Service") && resource.version == "v1" {
                beside.services.push(Service { resource, namespace });
            }
        }
        beside
    }

    pub fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range)
    }

    /// The `spec` of a service, its selector, and the workloads that it selects. None if that is not certain, or if
    /// there are no workloads.
    pub fn selected(&self, service: &Service<'t>) -> Option<Selected<'_, 't>> {
        let spec = service.resource.root.key("spec")?;
        let is_external = spec.key("type").and_then(|kind| kind.text()).is_some_and(|kind| kind == "ExternalName");
        let selector = spec.key("selector").filter(|_| !is_external)?;
        let wanted = labels(&selector).filter(|wanted| !wanted.is_empty())?;
        let near = || self.workloads.iter().filter(|workload| is_same(&workload.namespace, &service.namespace));
        near().next()?;
        let mut workloads = Vec::new();
        for workload in near() {
            let labels = workload.labels.as_ref()?;
            if wanted.iter().all(|wanted| labels.contains(wanted)) {
                workloads.push(workload);
            }
        }
        Some(Selected { spec, selector, workloads })
    }
}

/// What a service selects.
pub(super) struct Selected<'b, 't> {
    pub spec: WrittenSteps<'t>,
    pub selector: WrittenSteps<'t>,
    pub workloads: Vec<&'b Workload<'t>>,
}

/// Whether two namespaces may be the same: where none is written, that is decided elsewhere.
fn is_same(one: &Option<SmolStr>, other: &Option<SmolStr>) -> bool {
    one.as_ref().zip(other.as_ref()).is_none_or(|(one, other)| one == other || is_computed(one) || is_computed(other))
}
