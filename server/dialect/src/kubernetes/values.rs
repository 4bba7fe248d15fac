//! Fields of Kubernetes' own kinds that take one of a few words. Their schemas take any text; the API server's own code
//! refuses others.

use super::SEMANTICS;
use super::pods::{CONTAINERS, Written, is_computed, template};
use super::rules::unknown_value;
use crate::inside::{Inside, Proposal, ProposalKind, TextPlace};
use crate::resources::{Resource, resources_at};
use crate::{Role, WrittenSteps};
use lofting_diagnostic::Diagnostic;
use lofting_document::{FileId, Span};
use lofting_schema::Step;
use lofting_syntax::Tree;

/// A field by the way to it, where `[]` stands for each item, and its words.
type Field = (&'static [&'static str], &'static [&'static str]);

const PROTOCOLS: &[&str] = &["TCP", "UDP", "SCTP"];
const OF_LABELS: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist"];
const OF_NODES: &[&str] = &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
const UPDATES: &[&str] = &["RollingUpdate", "OnDelete"];
const ACCESS: &[&str] = &["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"];
const VOLUME_MODES: &[&str] = &["Filesystem", "Block"];
const SECCOMP: &[&str] = &["RuntimeDefault", "Localhost", "Unconfined"];
const TARGETS: &[&str] = &["Utilization", "Value", "AverageValue"];
const SCALING: &[&str] = &["Pods", "Percent"];
const SELECT: &[&str] = &["Max", "Min", "Disabled"];
const SCHEMES: &[&str] = &["HTTP", "HTTPS"];
const INCLUSION: &[&str] = &["Honor", "Ignore"];
const KEPT: &[&str] = &["Retain", "Delete"];

/// The way to the operator of a selector's expression.
const OPERATOR: Field = (&["spec", "selector", "matchExpressions", "[]", "operator"], OF_LABELS);

/// From the spec of a pod.
const OF_PODS: &[Field] = &[
    (&["restartPolicy"], &["Always", "OnFailure", "Never"]),
    (&["dnsPolicy"], &["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"]),
    (&["preemptionPolicy"], &["PreemptLowerPriority", "Never"]),
    (&["securityContext", "fsGroupChangePolicy"], &["OnRootMismatch", "Always"]),
    (&["securityContext", "seccompProfile", "type"], SECCOMP),
    (&["tolerations", "[]", "effect"], &["NoSchedule", "PreferNoSchedule", "NoExecute"]),
    // The last two compare numbers, which is a feature of later servers.
    (&["tolerations", "[]", "operator"], &["Exists", "Equal", "Lt", "Gt"]),
    (&["topologySpreadConstraints", "[]", "whenUnsatisfiable"], &["DoNotSchedule", "ScheduleAnyway"]),
    (&["topologySpreadConstraints", "[]", "nodeAffinityPolicy"], INCLUSION),
    (&["topologySpreadConstraints", "[]", "nodeTaintsPolicy"], INCLUSION),
    (&["topologySpreadConstraints", "[]", "labelSelector", "matchExpressions", "[]", "operator"], OF_LABELS),
    (
        &["volumes", "[]", "hostPath", "type"],
        &["DirectoryOrCreate", "Directory", "FileOrCreate", "File", "Socket", "CharDevice", "BlockDevice"],
    ),
    (
        &[
            "affinity",
            "nodeAffinity",
            "requiredDuringSchedulingIgnoredDuringExecution",
            "nodeSelectorTerms",
            "[]",
            "matchExpressions",
            "[]",
            "operator",
        ],
        OF_NODES,
    ),
];

/// From a container.
const OF_CONTAINERS: &[Field] = &[
    (&["imagePullPolicy"], &["Always", "IfNotPresent", "Never"]),
    (&["terminationMessagePolicy"], &["File", "FallbackToLogsOnError"]),
    (&["ports", "[]", "protocol"], PROTOCOLS),
    (&["volumeMounts", "[]", "mountPropagation"], &["None", "HostToContainer", "Bidirectional"]),
    (&["livenessProbe", "httpGet", "scheme"], SCHEMES),
    (&["readinessProbe", "httpGet", "scheme"], SCHEMES),
    (&["startupProbe", "httpGet", "scheme"], SCHEMES),
    (&["securityContext", "seccompProfile", "type"], SECCOMP),
];

/// From the root of a resource: the beginning of its version, its kind, and its fields.
const OF_KINDS: &[(&str, &str, &[Field])] = &[
    ("apps/v1", "Deployment", &[(&["spec", "strategy", "type"], &["RollingUpdate", "Recreate"]), OPERATOR]),
    ("apps/v1", "ReplicaSet", &[OPERATOR]),
    (
        "apps/v1",
        "StatefulSet",
        &[
            (&["spec", "updateStrategy", "type"], UPDATES),
            (&["spec", "podManagementPolicy"], &["OrderedReady", "Parallel"]),
            (&["spec", "volumeClaimTemplates", "[]", "spec", "accessModes", "[]"], ACCESS),
            (&["spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted"], KEPT),
            (&["spec", "persistentVolumeClaimRetentionPolicy", "whenScaled"], KEPT),
            OPERATOR,
        ],
    ),
    ("apps/v1", "DaemonSet", &[(&["spec", "updateStrategy", "type"], UPDATES), OPERATOR]),
    ("batch/v1", "CronJob", &[(&["spec", "concurrencyPolicy"], &["Allow", "Forbid", "Replace"])]),
    (
        "batch/v1",
        "Job",
        &[
            (&["spec", "completionMode"], &["NonIndexed", "Indexed"]),
            (&["spec", "podReplacementPolicy"], &["TerminatingOrFailed", "Failed"]),
            (&["spec", "podFailurePolicy", "rules", "[]", "action"], &["FailJob", "FailIndex", "Ignore", "Count"]),
            (&["spec", "podFailurePolicy", "rules", "[]", "onExitCodes", "operator"], &["In", "NotIn"]),
            OPERATOR,
        ],
    ),
    (
        "v1",
        "Service",
        &[
            (&["spec", "type"], &["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]),
            (&["spec", "ports", "[]", "protocol"], PROTOCOLS),
            (&["spec", "sessionAffinity"], &["None", "ClientIP"]),
            (&["spec", "externalTrafficPolicy"], &["Cluster", "Local"]),
            (&["spec", "internalTrafficPolicy"], &["Cluster", "Local"]),
            (&["spec", "ipFamilyPolicy"], &["SingleStack", "PreferDualStack", "RequireDualStack"]),
            (&["spec", "ipFamilies", "[]"], &["IPv4", "IPv6"]),
        ],
    ),
    (
        "v1",
        "PersistentVolumeClaim",
        &[(&["spec", "accessModes", "[]"], ACCESS), (&["spec", "volumeMode"], VOLUME_MODES)],
    ),
    (
        "v1",
        "PersistentVolume",
        &[
            (&["spec", "accessModes", "[]"], ACCESS),
            (&["spec", "volumeMode"], VOLUME_MODES),
            (&["spec", "persistentVolumeReclaimPolicy"], &["Retain", "Delete", "Recycle"]),
        ],
    ),
    (
        "storage.k8s.io/v1",
        "StorageClass",
        &[
            (&["reclaimPolicy"], &["Delete", "Retain"]),
            (&["volumeBindingMode"], &["Immediate", "WaitForFirstConsumer"]),
        ],
    ),
    (
        "networking.k8s.io/v1",
        "Ingress",
        &[(
            &["spec", "rules", "[]", "http", "paths", "[]", "pathType"],
            &["Prefix", "Exact", "ImplementationSpecific"],
        )],
    ),
    (
        "networking.k8s.io/v1",
        "NetworkPolicy",
        &[
            (&["spec", "policyTypes", "[]"], &["Ingress", "Egress"]),
            (&["spec", "ingress", "[]", "ports", "[]", "protocol"], PROTOCOLS),
            (&["spec", "egress", "[]", "ports", "[]", "protocol"], PROTOCOLS),
        ],
    ),
    (
        "autoscaling/v2",
        "HorizontalPodAutoscaler",
        &[
            (&["spec", "metrics", "[]", "type"], &["Resource", "ContainerResource", "Pods", "Object", "External"]),
            (&["spec", "metrics", "[]", "resource", "target", "type"], TARGETS),
            (&["spec", "metrics", "[]", "containerResource", "target", "type"], TARGETS),
            (&["spec", "metrics", "[]", "pods", "target", "type"], TARGETS),
            (&["spec", "metrics", "[]", "object", "target", "type"], TARGETS),
            (&["spec", "metrics", "[]", "external", "target", "type"], TARGETS),
            (&["spec", "behavior", "scaleUp", "selectPolicy"], SELECT),
            (&["spec", "behavior", "scaleDown", "selectPolicy"], SELECT),
            (&["spec", "behavior", "scaleUp", "policies", "[]", "type"], SCALING),
            (&["spec", "behavior", "scaleDown", "policies", "[]", "type"], SCALING),
        ],
    ),
    (
        "policy/v1",
        "PodDisruptionBudget",
        &[(&["spec", "unhealthyPodEvictionPolicy"], &["IfHealthyBudget", "AlwaysAllow"]), OPERATOR],
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingWebhookConfiguration",
        &[
            (&["webhooks", "[]", "failurePolicy"], &["Fail", "Ignore"]),
            (&["webhooks", "[]", "matchPolicy"], &["Equivalent", "Exact"]),
            (&["webhooks", "[]", "sideEffects"], &["None", "NoneOnDryRun"]),
        ],
    ),
    (
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        &[
            (&["webhooks", "[]", "failurePolicy"], &["Fail", "Ignore"]),
            (&["webhooks", "[]", "matchPolicy"], &["Equivalent", "Exact"]),
            (&["webhooks", "[]", "sideEffects"], &["None", "NoneOnDryRun"]),
            (&["webhooks", "[]", "reinvocationPolicy"], &["Never", "IfNeeded"]),
        ],
    ),
    (
        "discovery.k8s.io/v1",
        "EndpointSlice",
        &[(&["addressType"], &["IPv4", "IPv6", "FQDN"]), (&["ports", "[]", "protocol"], PROTOCOLS)],
    ),
    ("networking.k8s.io/v1", "IngressClass", &[(&["spec", "parameters", "scope"], &["Cluster", "Namespace"])]),
    ("scheduling.k8s.io/v1", "PriorityClass", &[(&["preemptionPolicy"], &["PreemptLowerPriority", "Never"])]),
    (
        "storage.k8s.io/v1",
        "CSIDriver",
        &[
            (&["spec", "fsGroupPolicy"], &["ReadWriteOnceWithFSType", "File", "None"]),
            (&["spec", "volumeLifecycleModes", "[]"], &["Persistent", "Ephemeral"]),
        ],
    ),
    (
        "flowcontrol.apiserver.k8s.io/v1",
        "FlowSchema",
        &[
            (&["spec", "distinguisherMethod", "type"], &["ByUser", "ByNamespace"]),
            (&["spec", "rules", "[]", "subjects", "[]", "kind"], &["User", "Group", "ServiceAccount"]),
        ],
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicy",
        &[
            (&["spec", "failurePolicy"], &["Fail", "Ignore"]),
            (&["spec", "matchConstraints", "matchPolicy"], &["Equivalent", "Exact"]),
            (
                &["spec", "validations", "[]", "reason"],
                &["Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge"],
            ),
        ],
    ),
    (
        "admissionregistration.k8s.io/v1",
        "ValidatingAdmissionPolicyBinding",
        &[
            (&["spec", "validationActions", "[]"], &["Deny", "Warn", "Audit"]),
            (&["spec", "paramRef", "parameterNotFoundAction"], &["Allow", "Deny"]),
        ],
    ),
    ("rbac.authorization.k8s.io/v1", "RoleBinding", BINDING),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", BINDING),
];

const BINDING: &[Field] = &[
    (&["roleRef", "kind"], &["ClusterRole", "Role"]),
    (&["subjects", "[]", "kind"], &["ServiceAccount", "User", "Group"]),
];

/// The values of such fields in a resource, with the words that they may be.
fn fields<'t>(resource: &Resource<'t>) -> Vec<(WrittenSteps<'t>, &'static [&'static str])> {
    let mut found = Vec::new();
    let mut add = |from: &WrittenSteps<'t>, fields: &[Field]| {
        for (path, words) in fields {
            found.extend(from.reached(path).into_iter().map(|value| (value, *words)));
        }
    };
    if let Some(spec) = template(resource).and_then(|template| template.key("spec")) {
        add(&spec, OF_PODS);
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
    found
}

/// Words in a resource that the API server refuses.
pub(super) fn look(resource: &Resource<'_>, file: FileId, found: &mut Vec<Diagnostic>) {
    for (value, words) in fields(resource) {
        let Some(written) = Written::of(&value) else { continue };
        let is_known = written.name.is_empty() || is_computed(&written.name);
        if !is_known && !words.contains(&written.name.as_str()) {
            found.push(unknown_value::finding(Span::new(file, written.at), &written.name, words));
        }
    }
}

/// Whether a kind may have such fields.
pub(super) fn concerns(kind: &str) -> bool {
    super::workloads::concerns(kind) || OF_KINDS.iter().any(|(_, known, _)| *known == kind)
}

/// The words that may be written at a place.
pub(super) fn at(tree: &Tree, place: &TextPlace<'_>) -> Option<Inside> {
    let is_here = |value: &WrittenSteps<'_>| {
        let at = value.clone().claim(place.document, Role::Template).at;
        let is_same = |(one, other): (&Step, &Step)| match (one, other) {
            (Step::Key(one), Step::Key(other)) => one == other,
            (Step::Index(one), Step::Index(other)) => one == other,
            (Step::Key(_), _) | (_, Step::Key(_)) => false,
            _ => true,
        };
        at.len() == place.path.len() && at.iter().zip(place.path).all(is_same)
    };
    let resources = resources_at(tree, place.at, SEMANTICS.profile).into_iter();
    let (_, words) = resources.flat_map(|own| fields(&own)).find(|(value, _)| is_here(value))?;
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

#[cfg(test)]
mod tests {
    use super::look;
    use crate::kubernetes::SEMANTICS;
    use crate::resources::resources;
    use lofting_document::FileId;

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

    #[test]
    fn words_are_those_that_the_server_accepts() {
        let deployment = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  strategy: {type: RollignUpdate}\n  template:\n    \
                          spec:\n      restartPolicy: Always\n      containers:\n      - imagePullPolicy: 'always'\n        \
                          ports: [{protocol: TPC}, {protocol: \"${P}\"}, {protocol: }, {protocol: UDP}]\n";
        let mut all = found(deployment);
        all.sort();
        assert_eq!(all, ["RollignUpdate -> RollingUpdate", "TPC -> TCP", "always -> Always"]);
        let service = "apiVersion: v1\nkind: Service\nspec: {type: ClsuterIP, ipFamilies: [IPv4, IPv5]}\n";
        let mut all = found(service);
        all.sort();
        assert_eq!(all.first().map(String::as_str), Some("ClsuterIP -> ClusterIP"));
        assert_eq!(all.len(), 2);
        assert!(found(&service.replace("v1\n", "example.com/v1\n")).is_empty(), "a kind of others");
    }
}
