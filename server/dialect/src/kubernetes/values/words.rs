//! The words of fields, as tables.

use crate::WrittenSteps;

/// A field by the way to it, where `[]` stands for each item, and its words.
pub(super) type Field = (&'static [&'static str], &'static [&'static str]);

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
const PULLS: &[&str] = &["Always", "IfNotPresent", "Never"];
const SCOPES: &[&str] = &[
    "Terminating",
    "NotTerminating",
    "BestEffort",
    "NotBestEffort",
    "PriorityClass",
    "CrossNamespacePodAffinity",
    "VolumeAttributesClass",
];
const OF_REQUESTS: &[&str] = &["Cluster", "Namespaced", "*"];
const INCLUSION: &[&str] = &["Honor", "Ignore"];
const KEPT: &[&str] = &["Retain", "Delete"];

/// The way to the operator of a selector's expression.
const OPERATOR: Field = (&["spec", "selector", "matchExpressions", "[]", "operator"], OF_LABELS);

/// Of both kinds of webhooks.
const OF_WEBHOOKS: &[Field] = &[
    (&["webhooks", "[]", "failurePolicy"], &["Fail", "Ignore"]),
    (&["webhooks", "[]", "matchPolicy"], &["Equivalent", "Exact"]),
    (&["webhooks", "[]", "sideEffects"], &["None", "NoneOnDryRun"]),
    (&["webhooks", "[]", "rules", "[]", "scope"], OF_REQUESTS),
    (&["webhooks", "[]", "namespaceSelector", "matchExpressions", "[]", "operator"], OF_LABELS),
    (&["webhooks", "[]", "objectSelector", "matchExpressions", "[]", "operator"], OF_LABELS),
];

/// From the spec of a pod.
pub(super) const OF_PODS: &[Field] = &[
    (&["restartPolicy"], &["Always", "OnFailure", "Never"]),
    (&["dnsPolicy"], &["ClusterFirst", "ClusterFirstWithHostNet", "Default", "None"]),
    (&["preemptionPolicy"], &["PreemptLowerPriority", "Never"]),
    (&["securityContext", "fsGroupChangePolicy"], &["OnRootMismatch", "Always"]),
    (&["securityContext", "seccompProfile", "type"], SECCOMP),
    (&["securityContext", "appArmorProfile", "type"], SECCOMP),
    (&["securityContext", "supplementalGroupsPolicy"], &["Merge", "Strict"]),
    (&["securityContext", "seLinuxChangePolicy"], &["Recursive", "MountOption"]),
    (&["os", "name"], &["linux", "windows"]),
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
    (&["volumes", "[]", "azureDisk", "cachingMode"], &["None", "ReadOnly", "ReadWrite"]),
    (&["volumes", "[]", "azureDisk", "kind"], &["Shared", "Dedicated", "Managed"]),
    (&["volumes", "[]", "image", "pullPolicy"], PULLS),
    (&["volumes", "[]", "ephemeral", "volumeClaimTemplate", "spec", "accessModes", "[]"], ACCESS),
];

/// From a container.
pub(super) const OF_CONTAINERS: &[Field] = &[
    (&["imagePullPolicy"], PULLS),
    // Those of containers that run side by side have one since a feature of later servers.
    (&["restartPolicy"], &["Always", "OnFailure", "Never"]),
    (&["resizePolicy", "[]", "resourceName"], &["cpu", "memory"]),
    (&["resizePolicy", "[]", "restartPolicy"], &["NotRequired", "RestartContainer"]),
    (&["env", "[]", "valueFrom", "fieldRef", "apiVersion"], &["v1"]),
    (&["terminationMessagePolicy"], &["File", "FallbackToLogsOnError"]),
    (&["ports", "[]", "protocol"], PROTOCOLS),
    (&["volumeMounts", "[]", "mountPropagation"], &["None", "HostToContainer", "Bidirectional"]),
    (&["volumeMounts", "[]", "recursiveReadOnly"], &["Disabled", "IfPossible", "Enabled"]),
    (&["lifecycle", "postStart", "httpGet", "scheme"], SCHEMES),
    (&["lifecycle", "preStop", "httpGet", "scheme"], SCHEMES),
    (&["livenessProbe", "httpGet", "scheme"], SCHEMES),
    (&["readinessProbe", "httpGet", "scheme"], SCHEMES),
    (&["startupProbe", "httpGet", "scheme"], SCHEMES),
    (&["securityContext", "seccompProfile", "type"], SECCOMP),
    (&["securityContext", "appArmorProfile", "type"], SECCOMP),
    (&["securityContext", "procMount"], &["Default", "Unmasked"]),
];

/// From the root of a resource: the beginning of its version, its kind, and its fields.
pub(super) const OF_KINDS: &[(&str, &str, &[Field])] = &[
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
            (
                &["spec", "podFailurePolicy", "rules", "[]", "onPodConditions", "[]", "status"],
                &["True", "False", "Unknown"],
            ),
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
            (&["spec", "trafficDistribution"], &["PreferClose", "PreferSameZone", "PreferSameNode"]),
        ],
    ),
    (
        "v1",
        "PersistentVolumeClaim",
        &[(&["spec", "accessModes", "[]"], ACCESS), (&["spec", "volumeMode"], VOLUME_MODES), OPERATOR],
    ),
    (
        "v1",
        "PersistentVolume",
        &[
            (&["spec", "accessModes", "[]"], ACCESS),
            (&["spec", "volumeMode"], VOLUME_MODES),
            (&["spec", "persistentVolumeReclaimPolicy"], &["Retain", "Delete", "Recycle"]),
            (
                &["spec", "nodeAffinity", "required", "nodeSelectorTerms", "[]", "matchExpressions", "[]", "operator"],
                OF_NODES,
            ),
            (&["spec", "azureDisk", "cachingMode"], &["None", "ReadOnly", "ReadWrite"]),
            (&["spec", "azureDisk", "kind"], &["Shared", "Dedicated", "Managed"]),
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
            (&["spec", "podSelector", "matchExpressions", "[]", "operator"], OF_LABELS),
            (&["spec", "ingress", "[]", "from", "[]", "podSelector", "matchExpressions", "[]", "operator"], OF_LABELS),
            (
                &["spec", "ingress", "[]", "from", "[]", "namespaceSelector", "matchExpressions", "[]", "operator"],
                OF_LABELS,
            ),
            (&["spec", "egress", "[]", "to", "[]", "podSelector", "matchExpressions", "[]", "operator"], OF_LABELS),
            (
                &["spec", "egress", "[]", "to", "[]", "namespaceSelector", "matchExpressions", "[]", "operator"],
                OF_LABELS,
            ),
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
    ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", OF_WEBHOOKS),
    ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", OF_WEBHOOKS),
    (
        "admissionregistration.k8s.io/v1",
        "MutatingWebhookConfiguration",
        &[(&["webhooks", "[]", "reinvocationPolicy"], &["Never", "IfNeeded"])],
    ),
    (
        "discovery.k8s.io/v1",
        "EndpointSlice",
        &[(&["addressType"], &["IPv4", "IPv6", "FQDN"]), (&["ports", "[]", "protocol"], PROTOCOLS)],
    ),
    ("v1", "Endpoints", &[(&["subsets", "[]", "ports", "[]", "protocol"], PROTOCOLS)]),
    ("v1", "Node", &[(&["spec", "taints", "[]", "effect"], &["NoSchedule", "PreferNoSchedule", "NoExecute"])]),
    (
        "v1",
        "ResourceQuota",
        &[
            (&["spec", "scopes", "[]"], SCOPES),
            (&["spec", "scopeSelector", "matchExpressions", "[]", "scopeName"], SCOPES),
            (&["spec", "scopeSelector", "matchExpressions", "[]", "operator"], OF_LABELS),
        ],
    ),
    (
        "flowcontrol.apiserver.k8s.io/v1",
        "PriorityLevelConfiguration",
        &[
            (&["spec", "type"], &["Limited", "Exempt"]),
            (&["spec", "limited", "limitResponse", "type"], &["Queue", "Reject"]),
        ],
    ),
    (
        "rbac.authorization.k8s.io/v1",
        "ClusterRole",
        &[(&["aggregationRule", "clusterRoleSelectors", "[]", "matchExpressions", "[]", "operator"], OF_LABELS)],
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
            (&["spec", "matchConstraints", "resourceRules", "[]", "scope"], OF_REQUESTS),
            (
                &["spec", "validations", "[]", "reason"],
                &["Unauthorized", "Forbidden", "Invalid", "RequestEntityTooLarge"],
            ),
        ],
    ),
    ("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", OF_CHANGES),
    ("admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy", OF_CHANGES),
    ("admissionregistration.k8s.io/v1alpha1", "MutatingAdmissionPolicy", OF_CHANGES),
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

const OPERATIONS: &[&str] = &["CREATE", "UPDATE", "DELETE", "CONNECT", "*"];

const OF_RULES_OF_WEBHOOKS: &[Field] = &[(&["webhooks", "[]", "rules", "[]", "operations", "[]"], OPERATIONS)];

const OF_RULES_OF_POLICIES: &[Field] = &[
    (&["spec", "matchConstraints", "resourceRules", "[]", "operations", "[]"], OPERATIONS),
    (&["spec", "matchConstraints", "excludeResourceRules", "[]", "operations", "[]"], OPERATIONS),
];

const OF_RULES_OF_BINDINGS: &[Field] = &[
    (&["spec", "matchResources", "resourceRules", "[]", "operations", "[]"], OPERATIONS),
    (&["spec", "matchResources", "excludeResourceRules", "[]", "operations", "[]"], OPERATIONS),
];

const VERBS: &[&str] = &["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection", "*"];

/// What programs may be allowed to do, without the prefix that Linux gives these names.
const CAPABILITIES: &[&str] = &[
    "ALL",
    "AUDIT_WRITE",
    "CHOWN",
    "DAC_OVERRIDE",
    "FOWNER",
    "FSETID",
    "IPC_LOCK",
    "KILL",
    "MKNOD",
    "NET_ADMIN",
    "NET_BIND_SERVICE",
    "NET_RAW",
    "SETFCAP",
    "SETGID",
    "SETPCAP",
    "SETUID",
    "SYS_ADMIN",
    "SYS_CHROOT",
    "SYS_PTRACE",
    "SYS_TIME",
];

/// Like [`OF_CONTAINERS`], for fields that take others as well.
pub(super) const OFFERED_OF_CONTAINERS: &[Field] = &[
    (&["securityContext", "capabilities", "add", "[]"], CAPABILITIES),
    (&["securityContext", "capabilities", "drop", "[]"], CAPABILITIES),
];

const SCALED: &[Field] = &[
    (&["spec", "scaleTargetRef", "kind"], &["Deployment", "StatefulSet", "ReplicaSet"]),
    (&["spec", "scaleTargetRef", "apiVersion"], &["apps/v1"]),
];

/// Like [`OF_KINDS`], for fields that take others as well, or of which other checks know more: these words are only offered,
/// and before those of the other table.
pub(super) const OFFERED: &[(&str, &str, &[Field])] = &[
    ("v1", "LimitRange", &[(&["spec", "limits", "[]", "type"], &["Container", "Pod", "PersistentVolumeClaim"])]),
    ("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", OF_RULES_OF_WEBHOOKS),
    ("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", OF_RULES_OF_WEBHOOKS),
    ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", OF_RULES_OF_POLICIES),
    ("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", OF_RULES_OF_POLICIES),
    ("admissionregistration.k8s.io/v1beta1", "MutatingAdmissionPolicy", OF_RULES_OF_POLICIES),
    ("admissionregistration.k8s.io/v1alpha1", "MutatingAdmissionPolicy", OF_RULES_OF_POLICIES),
    ("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", OF_RULES_OF_BINDINGS),
    ("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", &[(&["roleRef", "kind"], &["ClusterRole"])]),
    ("rbac.authorization.k8s.io/v1", "Role", &[(&["rules", "[]", "verbs", "[]"], VERBS)]),
    ("rbac.authorization.k8s.io/v1", "ClusterRole", &[(&["rules", "[]", "verbs", "[]"], VERBS)]),
    (
        "apiextensions.k8s.io/v1",
        "CustomResourceDefinition",
        &[(&["spec", "versions", "[]", "schema", "openAPIV3Schema", "type"], &["object"])],
    ),
    ("autoscaling/v2", "HorizontalPodAutoscaler", SCALED),
    ("autoscaling/v1", "HorizontalPodAutoscaler", SCALED),
];

/// Of policies that change resources.
const OF_CHANGES: &[Field] = &[
    (&["spec", "failurePolicy"], &["Fail", "Ignore"]),
    (&["spec", "reinvocationPolicy"], &["Never", "IfNeeded"]),
    (&["spec", "mutations", "[]", "patchType"], &["ApplyConfiguration", "JSONPatch"]),
    (&["spec", "matchConstraints", "matchPolicy"], &["Equivalent", "Exact"]),
    (&["spec", "matchConstraints", "resourceRules", "[]", "scope"], OF_REQUESTS),
];

const BINDING: &[Field] = &[
    (&["roleRef", "kind"], &["ClusterRole", "Role"]),
    (&["subjects", "[]", "kind"], &["ServiceAccount", "User", "Group"]),
];

/// Where an affinity to nodes has what it selects.
const TERMS: [&[&str]; 2] = [
    &["requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms", "[]"],
    &["preferredDuringSchedulingIgnoredDuringExecution", "[]", "preference"],
];

/// The words in what nodes are selected by.
const OF_TERMS: &[Field] = &[
    (&["matchExpressions", "[]", "operator"], OF_NODES),
    (&["matchFields", "[]", "operator"], &["In", "NotIn"]),
    (&["matchFields", "[]", "key"], &["metadata.name"]),
];

/// Where an affinity to pods has what it selects.
const OF_OTHERS: [&[&str]; 2] = [
    &["requiredDuringSchedulingIgnoredDuringExecution", "[]"],
    &["preferredDuringSchedulingIgnoredDuringExecution", "[]", "podAffinityTerm"],
];

/// The words at the end of a way from an affinity.
pub(super) fn words_of_affinity(way: &[&str]) -> Option<&'static [&'static str]> {
    let (kind, rest) = way.split_first()?;
    let (of_nodes, of_pods) = (
        TERMS.iter().find_map(|way| rest.strip_prefix(*way)),
        OF_OTHERS.iter().find_map(|way| rest.strip_prefix(*way)),
    );
    match *kind {
        "nodeAffinity" => {
            let term = of_nodes?;
            OF_TERMS.iter().find(|(own, _)| *own == term).map(|(_, words)| *words)
        }
        "podAffinity" | "podAntiAffinity" => match of_pods? {
            ["labelSelector" | "namespaceSelector", "matchExpressions", "[]", "operator"] => Some(OF_LABELS),
            _ => None,
        },
        _ => None,
    }
}

/// The values with words in an affinity.
pub(super) fn of_affinity<'t>(affinity: &WrittenSteps<'t>) -> Vec<(WrittenSteps<'t>, &'static [&'static str])> {
    let mut found = Vec::new();
    for term in affinity.key("nodeAffinity").iter().flat_map(|own| TERMS.iter().flat_map(|way| own.reached(way))) {
        for (way, words) in OF_TERMS {
            found.extend(term.reached(way).into_iter().map(|value| (value, *words)));
        }
    }
    for own in ["podAffinity", "podAntiAffinity"].iter().filter_map(|key| affinity.key(key)) {
        for term in OF_OTHERS.iter().flat_map(|way| own.reached(way)) {
            for selector in ["labelSelector", "namespaceSelector"] {
                let operators = term.reached(&[selector, "matchExpressions", "[]", "operator"]);
                found.extend(operators.into_iter().map(|value| (value, OF_LABELS)));
            }
        }
    }
    found
}
