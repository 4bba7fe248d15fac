//! What the server's own code says of Kubernetes' own kinds, beyond their schemas, when they are created (the functions
//! `Validate…` of its packages). Only what every server of the versions that are known refuses is an error: what depends on
//! a feature of the server, on its flags or on other resources is left out.

mod access;
mod addresses;
mod admission;
mod asked;
mod cluster;
mod containers;
mod decoded;
mod devices;
mod endpoints;
mod flows;
mod jobs;
mod limits;
mod look;
mod network;
mod placing;
mod pods;
mod probes;
mod resources;
mod scaling;
mod schedule;
mod security;
mod selectors;
mod services;
mod sources;
mod storage;
mod stored;
mod table;
mod volumes;
mod webhooks;
mod workloads;

use crate::resources::Resource;
use asked::AskedKeys;
use decoded::Decoded;
use lofting_diagnostic::Diagnostic;
use lofting_document::FileId;
use lofting_schema::Step;
use look::Look;
pub(super) use look::{has_label_form, is_label, is_label_name, is_port_name};

/// A check of a resource, from its root or from its `spec`.
#[derive(Clone, Copy)]
enum Check {
    Root(fn(&Decoded<'_>, &mut Look)),
    Spec(fn(&Decoded<'_>, &mut Look)),
}

/// The checks by the version and the kind.
const CHECKS: [(&str, &str, Check); 56] = [
    ("v1", "Pod", Check::Spec(pods::own)),
    ("v1", "ConfigMap", Check::Root(stored::config_map)),
    ("v1", "Secret", Check::Root(stored::secret)),
    ("v1", "Service", Check::Root(services::service)),
    ("v1", "Endpoints", Check::Root(endpoints::endpoints)),
    ("v1", "Node", Check::Spec(endpoints::node)),
    ("v1", "Namespace", Check::Root(stored::namespace)),
    ("v1", "PodTemplate", Check::Root(workloads::of_its_own)),
    ("v1", "ReplicationController", Check::Spec(workloads::controller)),
    ("v1", "PersistentVolume", Check::Spec(stored::volume)),
    ("v1", "PersistentVolumeClaim", Check::Spec(stored::claim)),
    ("v1", "LimitRange", Check::Spec(limits::range)),
    ("v1", "ResourceQuota", Check::Spec(limits::quota)),
    ("apps/v1", "Deployment", Check::Spec(workloads::deployment)),
    ("apps/v1", "ReplicaSet", Check::Spec(workloads::running)),
    ("apps/v1", "StatefulSet", Check::Spec(workloads::stateful_set)),
    ("apps/v1", "DaemonSet", Check::Spec(workloads::daemon_set)),
    ("batch/v1", "Job", Check::Root(workloads::job)),
    ("batch/v1", "CronJob", Check::Root(workloads::cron_job)),
    ("networking.k8s.io/v1", "Ingress", Check::Root(network::ingress)),
    ("networking.k8s.io/v1", "NetworkPolicy", Check::Spec(network::policy)),
    ("networking.k8s.io/v1", "IngressClass", Check::Spec(cluster::ingress_class)),
    ("apiregistration.k8s.io/v1", "APIService", Check::Root(cluster::api_service)),
    ("discovery.k8s.io/v1", "EndpointSlice", Check::Root(endpoints::endpoint_slice)),
    ("storage.k8s.io/v1", "StorageClass", Check::Root(storage::storage_class)),
    ("storage.k8s.io/v1", "CSIDriver", Check::Root(storage::driver)),
    ("storage.k8s.io/v1", "CSINode", Check::Spec(storage::node)),
    ("storage.k8s.io/v1", "VolumeAttachment", Check::Spec(storage::attachment)),
    ("certificates.k8s.io/v1", "CertificateSigningRequest", Check::Spec(cluster::signing_request)),
    ("scheduling.k8s.io/v1", "PriorityClass", Check::Root(cluster::priority_class)),
    ("node.k8s.io/v1", "RuntimeClass", Check::Root(cluster::runtime_class)),
    ("coordination.k8s.io/v1", "Lease", Check::Spec(cluster::lease)),
    ("flowcontrol.apiserver.k8s.io/v1", "FlowSchema", Check::Spec(flows::flow_schema)),
    ("flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", Check::Spec(flows::level)),
    ("policy/v1", "PodDisruptionBudget", Check::Spec(scaling::budget)),
    ("autoscaling/v2", "HorizontalPodAutoscaler", Check::Spec(scaling::autoscaler)),
    ("autoscaling/v1", "HorizontalPodAutoscaler", Check::Spec(scaling::first_autoscaler)),
    ("resource.k8s.io/v1", "DeviceClass", Check::Spec(devices::class)),
    ("resource.k8s.io/v1", "ResourceClaim", Check::Spec(devices::claim)),
    ("resource.k8s.io/v1", "ResourceClaimTemplate", Check::Spec(devices::claim_template)),
    ("resource.k8s.io/v1beta2", "DeviceClass", Check::Spec(devices::class)),
    ("resource.k8s.io/v1beta2", "ResourceClaim", Check::Spec(devices::claim)),
    ("resource.k8s.io/v1beta2", "ResourceClaimTemplate", Check::Spec(devices::claim_template)),
    ("resource.k8s.io/v1beta1", "DeviceClass", Check::Spec(devices::class)),
    ("resource.k8s.io/v1beta1", "ResourceClaim", Check::Spec(devices::claim)),
    ("resource.k8s.io/v1beta1", "ResourceClaimTemplate", Check::Spec(devices::claim_template)),
    ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", Check::Spec(webhooks::policy)),
    ("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", Check::Spec(webhooks::changing_policy)),
    ("admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy", Check::Spec(webhooks::changing_policy)),
    ("admissionregistration.k8s.io/v1alpha1", "MutatingAdmissionPolicy", Check::Spec(webhooks::changing_policy)),
    ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", Check::Spec(webhooks::policy_binding)),
    ("rbac.authorization.k8s.io/v1", "Role", Check::Root(|role, look| access::role(role, true, look))),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", Check::Root(|role, look| access::role(role, false, look))),
    ("rbac.authorization.k8s.io/v1", "RoleBinding", Check::Root(|binding, look| access::binding(binding, true, look))),
    (
        "rbac.authorization.k8s.io/v1",
        "ClusterRoleBinding",
        Check::Root(|binding, look| access::binding(binding, false, look)),
    ),
    ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", Check::Root(webhooks::webhooks)),
];

/// The kinds whose `spec` cannot be empty: something in it is required, by the schema or by the server.
const WITH_SPEC: [&str; 12] = [
    "Pod",
    "Service",
    "ReplicationController",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "Deployment",
    "ReplicaSet",
    "StatefulSet",
    "DaemonSet",
    "Job",
    "CronJob",
    "Ingress",
];

/// A kind that is checked like another one.
const ALIKE: (&str, &str) = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");

/// Whether a kind is checked.
pub(super) fn concerns(kind: &str) -> bool {
    kind == ALIKE.0 || CHECKS.iter().any(|(_, known, _)| *known == kind)
}

/// What the server refuses of a resource.
pub(super) fn look(resource: &Resource<'_>, file: FileId, found: &mut Vec<Diagnostic>) {
    let mut look = Look::new(file);
    run(resource, &mut look);
    found.extend(look.found);
}

/// The keys that a map in a resource cannot have because of others that it has. `at` is a place in the map.
pub(super) fn excluded(resource: &Resource<'_>, path: &[Step], at: usize) -> Vec<&'static str> {
    let mut look = Look::asking(AskedKeys::new(path, at));
    run(resource, &mut look);
    look.excluded_keys()
}

fn run(resource: &Resource<'_>, look: &mut Look) {
    let kind = resource.kind.as_deref().unwrap_or_default();
    let kind = if kind == ALIKE.0 { ALIKE.1 } else { kind };
    let own = CHECKS.iter().find(|(version, known, _)| *version == resource.version && *known == kind);
    let Some((.., check)) = own else { return };
    let root = Decoded::new(resource.root.clone());
    if WITH_SPEC.contains(&kind) {
        look.unwritten(&root, "spec");
    }
    match check {
        Check::Root(check) => check(&root, look),
        Check::Spec(check) => {
            if let Some(spec) = root.key("spec") {
                check(&spec, look);
            }
        }
    }
    stored::finalizers(&root, &["metadata", "finalizers"], look);
}

#[cfg(test)]
mod tests;
