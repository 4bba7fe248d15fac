use crate::kubernetes::SEMANTICS;
use crate::resources::{API_VERSION, Resource, resources};
use lofting_diagnostic::{Diagnostic, Fix, Severity, Stage, Tag, rule};
use lofting_document::{FileId, Span};
use lofting_syntax::Tree;

rule! {
    /// # A version of an API that is gone
    ///
    /// ## What
    /// The `apiVersion` of a resource is one that Kubernetes removed from its API, or is going to.
    ///
    /// ## Why
    /// From the version on that the finding names, the API server refuses the resource. It is an error if `[kubernetes]`
    /// in `lofting.toml` says that the cluster has such a version, a warning if nothing says which version it has, and a hint
    /// as long as the API is only deprecated.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: policy/v1beta1
    /// kind: PodDisruptionBudget
    /// metadata: {name: web}
    /// ```
    ///
    /// ## How to fix
    /// Write the version that took its place. Where the resource looks the same there, a quick fix does it; otherwise compare
    /// its fields first.
    pub static RULE: Rule = Rule {
        code: "kubernetes/removed-api",
        stage: Stage::Schema,
        severity: Severity::Warning,
    };
}

/// The version of a cluster, and whether the user named it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cluster {
    /// Such as `(1, 34)`.
    pub version: (u32, u32),
    /// Otherwise it is an assumption.
    pub is_known: bool,
}

/// What became of a version of an API.
struct Fate {
    version: &'static str,
    kinds: &'static [&'static str],
    /// Since which minor version of Kubernetes 1 it is deprecated; 0 if that is not known.
    deprecated: u32,
    /// In which it was removed; None if it is still there.
    removed: Option<u32>,
    /// The version to write instead; empty if there is none.
    instead: &'static str,
    /// Resources look the same there.
    is_same: bool,
    /// What else there is to know.
    note: &'static str,
}

const fn gone(
    (version, kinds): (&'static str, &'static [&'static str]),
    (deprecated, removed): (u32, u32),
    instead: &'static str,
    is_same: bool,
) -> Fate {
    Fate { version, kinds, deprecated, removed: Some(removed), instead, is_same, note: "" }
}

const ROLES: &[&str] = &["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"];
const FLOWS: &[&str] = &["FlowSchema", "PriorityLevelConfiguration"];
const ADDRESSES: &[&str] = &["IPAddress", "ServiceCIDR"];
const POLICIES: &[&str] = &["ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding"];
const CLAIMS: &[&str] = &["ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"];
const REVIEWS: &[&str] =
    &["LocalSubjectAccessReview", "SelfSubjectAccessReview", "SelfSubjectRulesReview", "SubjectAccessReview"];

/// The facts, from Kubernetes' guide to deprecated APIs and from what each version defines.
static FATES: &[Fate] = &[
    // 1.16
    gone(("extensions/v1beta1", &["NetworkPolicy"]), (9, 16), "networking.k8s.io/v1", true),
    gone(("extensions/v1beta1", &["DaemonSet", "Deployment", "ReplicaSet"]), (9, 16), "apps/v1", false),
    gone(("apps/v1beta1", &["Deployment", "StatefulSet"]), (9, 16), "apps/v1", false),
    gone(("apps/v1beta2", &["DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"]), (9, 16), "apps/v1", true),
    Fate {
        note: "Pod Security Admission took its place: labels of namespaces",
        ..gone(("extensions/v1beta1", &["PodSecurityPolicy"]), (11, 16), "", false)
    },
    // 1.22
    gone(
        ("admissionregistration.k8s.io/v1beta1", &["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]),
        (19, 22),
        "admissionregistration.k8s.io/v1",
        false,
    ),
    gone(("apiextensions.k8s.io/v1beta1", &["CustomResourceDefinition"]), (16, 22), "apiextensions.k8s.io/v1", false),
    gone(("apiregistration.k8s.io/v1beta1", &["APIService"]), (19, 22), "apiregistration.k8s.io/v1", true),
    gone(("authentication.k8s.io/v1beta1", &["TokenReview"]), (19, 22), "authentication.k8s.io/v1", true),
    gone(("authorization.k8s.io/v1beta1", REVIEWS), (19, 22), "authorization.k8s.io/v1", false),
    gone(("certificates.k8s.io/v1beta1", &["CertificateSigningRequest"]), (19, 22), "certificates.k8s.io/v1", false),
    gone(("coordination.k8s.io/v1beta1", &["Lease"]), (19, 22), "coordination.k8s.io/v1", true),
    gone(("extensions/v1beta1", &["Ingress"]), (14, 22), "networking.k8s.io/v1", false),
    gone(("networking.k8s.io/v1beta1", &["Ingress"]), (19, 22), "networking.k8s.io/v1", false),
    gone(("networking.k8s.io/v1beta1", &["IngressClass"]), (19, 22), "networking.k8s.io/v1", true),
    gone(("rbac.authorization.k8s.io/v1alpha1", ROLES), (17, 22), "rbac.authorization.k8s.io/v1", true),
    gone(("rbac.authorization.k8s.io/v1beta1", ROLES), (17, 22), "rbac.authorization.k8s.io/v1", true),
    gone(("scheduling.k8s.io/v1alpha1", &["PriorityClass"]), (14, 22), "scheduling.k8s.io/v1", true),
    gone(("scheduling.k8s.io/v1beta1", &["PriorityClass"]), (14, 22), "scheduling.k8s.io/v1", true),
    gone(
        ("storage.k8s.io/v1beta1", &["CSIDriver", "CSINode", "StorageClass", "VolumeAttachment"]),
        (19, 22),
        "storage.k8s.io/v1",
        true,
    ),
    // 1.25
    gone(("batch/v1beta1", &["CronJob"]), (21, 25), "batch/v1", true),
    gone(("discovery.k8s.io/v1beta1", &["EndpointSlice"]), (21, 25), "discovery.k8s.io/v1", false),
    gone(("events.k8s.io/v1beta1", &["Event"]), (22, 25), "events.k8s.io/v1", false),
    gone(("autoscaling/v2beta1", &["HorizontalPodAutoscaler"]), (22, 25), "autoscaling/v2", false),
    Fate {
        note: "there an empty `spec.selector` selects all pods instead of none",
        ..gone(("policy/v1beta1", &["PodDisruptionBudget"]), (21, 25), "policy/v1", true)
    },
    Fate {
        note: "Pod Security Admission took its place: labels of namespaces",
        ..gone(("policy/v1beta1", &["PodSecurityPolicy"]), (21, 25), "", false)
    },
    gone(("node.k8s.io/v1beta1", &["RuntimeClass"]), (22, 25), "node.k8s.io/v1", true),
    // 1.26
    gone(("flowcontrol.apiserver.k8s.io/v1beta1", FLOWS), (23, 26), "flowcontrol.apiserver.k8s.io/v1", false),
    gone(("autoscaling/v2beta2", &["HorizontalPodAutoscaler"]), (23, 26), "autoscaling/v2", true),
    // 1.27
    gone(("storage.k8s.io/v1beta1", &["CSIStorageCapacity"]), (24, 27), "storage.k8s.io/v1", true),
    // 1.29
    gone(("flowcontrol.apiserver.k8s.io/v1beta2", &["FlowSchema"]), (26, 29), "flowcontrol.apiserver.k8s.io/v1", true),
    gone(
        ("flowcontrol.apiserver.k8s.io/v1beta2", &["PriorityLevelConfiguration"]),
        (26, 29),
        "flowcontrol.apiserver.k8s.io/v1",
        false,
    ),
    // 1.31 and later: those that few clusters had switched on.
    gone(("networking.k8s.io/v1alpha1", ADDRESSES), (31, 31), "networking.k8s.io/v1", true),
    gone(("resource.k8s.io/v1alpha2", CLAIMS), (31, 31), "resource.k8s.io/v1", false),
    gone(("flowcontrol.apiserver.k8s.io/v1beta3", FLOWS), (29, 32), "flowcontrol.apiserver.k8s.io/v1", true),
    gone(("admissionregistration.k8s.io/v1alpha1", POLICIES), (28, 32), "admissionregistration.k8s.io/v1", true),
    gone(("authentication.k8s.io/v1alpha1", &["SelfSubjectReview"]), (27, 32), "authentication.k8s.io/v1", true),
    gone(("authentication.k8s.io/v1beta1", &["SelfSubjectReview"]), (28, 33), "authentication.k8s.io/v1", true),
    gone(("admissionregistration.k8s.io/v1beta1", POLICIES), (30, 34), "admissionregistration.k8s.io/v1", true),
    gone(("resource.k8s.io/v1alpha3", CLAIMS), (34, 34), "resource.k8s.io/v1", false),
    gone(("resource.k8s.io/v1alpha3", &["DeviceClass"]), (34, 34), "resource.k8s.io/v1", false),
    gone(("storage.k8s.io/v1alpha1", &["VolumeAttributesClass"]), (34, 35), "storage.k8s.io/v1", true),
    gone(("networking.k8s.io/v1beta1", ADDRESSES), (33, 37), "networking.k8s.io/v1", true),
    gone(("storage.k8s.io/v1beta1", &["VolumeAttributesClass"]), (34, 37), "storage.k8s.io/v1", true),
    // Deprecated.
    Fate {
        removed: None,
        note: "Kubernetes offers no replacement",
        ..gone(("v1", &["ComponentStatus"]), (19, 0), "", false)
    },
    Fate {
        removed: None,
        note: "EndpointSlice (discovery.k8s.io/v1) takes its place",
        ..gone(("v1", &["Endpoints"]), (33, 0), "", false)
    },
];

fn fate(version: &str, kind: &str) -> Option<&'static Fate> {
    FATES.iter().find(|fate| fate.version == version && fate.kinds.contains(&kind))
}

/// Whether this version of a kind is deprecated or gone, in some version of Kubernetes.
pub fn has_fate(version: &str, kind: &str) -> bool {
    fate(version, kind).is_some()
}

/// The findings about the resources of a file.
pub fn findings(file: FileId, tree: &Tree, cluster: Cluster) -> Vec<Diagnostic> {
    let found = resources(tree, SEMANTICS.profile).into_iter().filter_map(|resource| {
        let Resource { root, version, kind, .. } = resource;
        let place = || Some(Span::new(file, root.key(API_VERSION)?.value().range()));
        finding(place, (&version, kind.as_deref()?), cluster)
    });
    found.collect()
}

/// What became of a kind in a version of an API. `place`: where that version is written; asked only if there is something to
/// tell.
pub fn finding(
    place: impl FnOnce() -> Option<Span>,
    (version, kind): (&str, &str),
    cluster: Cluster,
) -> Option<Diagnostic> {
    let fate = fate(version, kind)?;
    let place = place()?;
    let (major, minor) = cluster.version;
    let has_reached = |since: u32| since > 0 && (major, minor) >= (1, since);
    let removed = fate.removed.filter(|since| has_reached(*since));
    let what = match (removed, fate.removed) {
        (Some(since), _) => format!("the kind {kind} of {version} was removed in Kubernetes 1.{since}"),
        (None, _) if !has_reached(fate.deprecated) => return None,
        (None, Some(later)) => {
            format!(
                "the kind {kind} of {version} is deprecated since Kubernetes 1.{} and removed in 1.{later}",
                fate.deprecated
            )
        }
        (None, None) => format!("the kind {kind} of {version} is deprecated since Kubernetes 1.{}", fate.deprecated),
    };
    let mut finding = Diagnostic::new(&RULE, place, what);
    finding.severity = match (removed, cluster.is_known) {
        (Some(_), true) => Severity::Error,
        (Some(_), false) => Severity::Warning,
        (None, _) => Severity::Hint,
    };
    if removed.is_none() {
        finding = finding.tag(Tag::Deprecated);
    }
    let instead = match (fate.instead, fate.is_same, fate.note) {
        ("", _, note) => note.to_owned(),
        (instead, true, "") => format!("write `apiVersion: {instead}`"),
        (instead, true, note) => format!("write `apiVersion: {instead}`; {note}"),
        (instead, false, _) => format!("{instead} took its place, with other fields"),
    };
    if !instead.is_empty() {
        finding = finding.help(instead);
    }
    if fate.is_same {
        finding = finding.fix(Fix::replace(format!("Change to `{}`", fate.instead), place, fate.instead));
    }
    Some(finding)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, version: (u32, u32), is_known: bool) -> Vec<(Severity, String)> {
        let tree = lofting_syntax::parse(text);
        let found = findings(FileId(0), &tree, Cluster { version, is_known });
        found.into_iter().map(|found| (found.severity, found.message.to_string())).collect()
    }

    #[test]
    fn what_is_said_depends_on_the_version() {
        let text = "apiVersion: policy/v1beta1\nkind: PodDisruptionBudget\n";
        let gone = "the kind PodDisruptionBudget of policy/v1beta1 was removed in Kubernetes 1.25".to_owned();
        let going =
            "the kind PodDisruptionBudget of policy/v1beta1 is deprecated since Kubernetes 1.21 and removed in 1.25"
                .to_owned();
        assert_eq!(found(text, (1, 25), true), [(Severity::Error, gone.clone())]);
        assert_eq!(found(text, (1, 37), false), [(Severity::Warning, gone)]);
        assert_eq!(found(text, (1, 24), true), [(Severity::Hint, going)]);
        assert_eq!(found(text, (1, 20), true), []);
        assert_eq!(found("apiVersion: policy/v1\nkind: PodDisruptionBudget\n", (1, 37), true), []);
        assert_eq!(found("apiVersion: policy/v1beta1\nkind: Eviction\n", (1, 37), true), []);
        assert_eq!(found("apiVersion: v1\nkind: Endpoints\n", (1, 37), true).len(), 1);
    }

    #[test]
    fn resources_in_lists_and_other_documents() {
        let text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: batch/v1beta1\n  kind: CronJob\n---\n\
                    apiVersion: extensions/v1beta1\nkind: Ingress\n";
        assert_eq!(found(text, (1, 30), true).len(), 2);
        for half in
            ["apiVersion: batch/v1beta1\n", "kind: CronJob\n", "apiVersion: [batch/v1beta1]\nkind: CronJob\n", ""]
        {
            assert_eq!(found(half, (1, 30), true), [], "{half}");
        }
    }

    #[test]
    fn the_fix_is_offered_where_nothing_else_changes() {
        let tree = lofting_syntax::parse("apiVersion: batch/v1beta1\nkind: CronJob\n");
        let cluster = Cluster { version: (1, 30), is_known: true };
        assert_eq!(findings(FileId(0), &tree, cluster)[0].fixes.len(), 1);
        let tree = lofting_syntax::parse("apiVersion: extensions/v1beta1\nkind: Ingress\n");
        assert_eq!(findings(FileId(0), &tree, cluster)[0].fixes.len(), 0);
    }

    #[test]
    fn the_facts_make_sense() {
        for (at, fate) in FATES.iter().enumerate() {
            assert!(fate.removed.is_none_or(|removed| removed >= fate.deprecated), "{}", fate.version);
            assert!(!fate.is_same || !fate.instead.is_empty(), "{}", fate.version);
            for kind in fate.kinds {
                let same = |other: &Fate| other.version == fate.version && other.kinds.contains(kind);
                assert_eq!(FATES.iter().position(same), Some(at), "{} {kind}", fate.version);
                // What takes its place is not gone itself.
                assert!(super::fate(fate.instead, kind).is_none(), "{} {kind}", fate.instead);
            }
        }
    }
}
