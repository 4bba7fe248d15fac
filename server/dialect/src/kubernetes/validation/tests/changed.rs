//! Accepted resources with one mistake each, of the kinds that are set up for a cluster.

use super::{accept, refuse, said};

#[test]
fn each_mistake_is_found_once() {
    refuse(&[
        ("Endpoints", "ip: 10.1.2.3", "ip: 127.0.0.1", "text-form", "127.0.0.1"),
        ("Endpoints", "ip: 10.1.2.3", "ip: 224.0.0.1", "text-form", "224.0.0.1"),
        ("Endpoints", "port: 80,", "port: 80000,", "number-range", "80000"),
        ("Endpoints", "name: http, ", "", "required-field", "port"),
        ("Endpoints", "notReadyAddresses: [{ip: 010.1.2.4}]", "ports: []", "required-field", "ports"),
        ("Node", "effect: NoSchedule", "effect: NoExecute", "repeated-name", "boats"),
        ("Node", "value: only", "value: o nly", "text-form", "o nly"),
        ("Namespace", "[kubernetes]", "[own]", "text-form", "own"),
        ("Namespace", "orphan]", "own]", "text-form", "own"),
        ("PodTemplate", "image: crew:1", "ports: []", "required-field", "name"),
        ("CSINode", "nodeID: pier", "nodeID: ''", "required-field", "''"),
        ("VolumeAttachment", "persistentVolumeName: cargo", "", "required-field", "source"),
        ("CertificateSigningRequest", "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K", "YWJj", "text-form", "YWJj"),
        ("CertificateSigningRequest", "kubernetes.io/kube-apiserver-client", "boats", "text-form", "boats"),
        ("CertificateSigningRequest", "expirationSeconds: 86400", "expirationSeconds: 60", "number-range", "60"),
        ("CertificateSigningRequest", "[client auth,", "[client-auth,", "unknown-value", "client-auth"),
        ("CertificateSigningRequest", "[client auth, digital signature]", "[]", "required-field", "[]"),
        ("PriorityLevelConfiguration", "type: Queue", "type: Reject", "excluded-field", "queuing"),
        ("PriorityLevelConfiguration", "handSize: 4", "handSize: 600", "number-range", "600"),
        ("PriorityLevelConfiguration", "Shares: 100", "Shares: -1", "number-range", "-1"),
        ("FlowSchema", "namespaces: ['*']", "", "required-field", "verbs"),
        ("FlowSchema", "verbs: ['*']", "verbs: ['*', get]", "excluded-field", "*"),
        ("StorageClass", "reclaimPolicy: Retain", "parameters: {'': a}", "text-form", "''"),
        (
            "StorageClass",
            "reclaimPolicy: Retain",
            "allowedTopologies: [{matchLabelExpressions: [{key: a, values: [b, b]}]}]",
            "repeated-name",
            "b",
        ),
        (
            "CSIDriver",
            "fsGroupPolicy: File",
            "tokenRequests: [{audience: a, expirationSeconds: 5}]",
            "number-range",
            "5",
        ),
        ("ValidatingWebhookConfiguration", "operations: [CREATE]", "operations: ['*', CREATE]", "excluded-field", "*"),
        ("ValidatingWebhookConfiguration", "resources: ['*']", "resources: ['*', pods]", "excluded-field", "pods"),
        ("ValidatingWebhookConfiguration", "resources: ['*']", "resources: [a, '*/*']", "excluded-field", "*/*"),
        ("ValidatingWebhookConfiguration", "resources: ['*']", "resources: [a/*, a/b]", "excluded-field", "a/b"),
        ("ValidatingWebhookConfiguration", "resources: ['*']", "resources: ['*/b', a/b]", "excluded-field", "a/b"),
        ("ValidatingWebhookConfiguration", "Versions: [v1]", "Versions: [v2]", "text-form", "admissionReviewVersions"),
        ("ValidatingWebhookConfiguration", "https://a.example.com", "https://a/b?c", "text-form", "https://a/b?c"),
        (
            "ValidatingWebhookConfiguration",
            "url: https://a.example.com",
            "service: {name: a, namespace: b, path: /a//b}",
            "text-form",
            "/a//b",
        ),
        (
            "ValidatingAdmissionPolicy",
            "variables:",
            "paramKind: {kind: Boat}\n  variables:",
            "required-field",
            "paramKind",
        ),
        ("ValidatingAdmissionPolicyBinding", "[Deny, Audit]", "[Deny, Deny]", "repeated-name", "Deny"),
        ("ValidatingAdmissionPolicy", "operations: [CREATE]", "operations: [create]", "unknown-value", "create"),
        ("ClusterRole", "rules:", "aggregationRule: {}\nrules:", "required-field", "aggregationRule"),
        ("IngressClass", "name: own,", "name: o/wn,", "text-form", "o/wn"),
        ("Ingress", "secretName: keys", "secretName: ke ys", "text-form", "ke ys"),
        ("Ingress", "kind: Box, name: boat", "kind: Box, name: ''", "required-field", "''"),
        ("NetworkPolicy", "egress: [{}]", "policyTypes: [Ingress, Egress, Ingress]", "number-range", "policyTypes"),
        ("ResourceQuota", "pods: 10", "pods: 500m", "number-range", "500m"),
        ("ResourceQuota", "requests.cpu: '1'", "requests.storage: 1Gi", "excluded-field", "requests.storage"),
        ("StatefulSet", "serviceName: boat", "ordinals: {start: -1}", "number-range", "-1"),
        (
            "PersistentVolumeClaim",
            "accessModes:",
            "dataSourceRef: {kind: VolumeSnapshot, name: a}\n  accessModes:",
            "required-field",
            "dataSourceRef",
        ),
        (
            "Secret",
            "type: kubernetes.io/tls\ndata:\n  tls.crt: aGk=",
            "type: kubernetes.io/ssh-auth\ndata:\n  ssh-privatekey: ''",
            "required-field",
            "''",
        ),
    ]);
}

#[test]
fn what_looks_like_these_mistakes_is_accepted() {
    accept(&[
        ("Node", "key: boats, effect", "value: other, key: boats, effect"),
        ("Endpoints", "port: 80,", "port: ${PORT},"),
        ("FlowSchema", "namespaces: ['*']", "clusterScope: true"),
        ("ValidatingWebhookConfiguration", "resources: ['*']", "resources: ['*', '*/status', pods/*]"),
        ("ValidatingWebhookConfiguration", "resources: ['*']", "resources: [a, '*', a/b, a/*]"),
        ("ValidatingWebhookConfiguration", "Versions: [v1]", "Versions: [v2, v1beta1]"),
        ("ClusterRole", "rules:", "aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}\nrules:"),
        ("ResourceQuota", "pods: 10", "requests.example.com/sail: 500m"),
        ("PersistentVolumeClaim", "accessModes:", "dataSource: {kind: VolumeSnapshot, name: a}\n  accessModes:"),
        (
            "PersistentVolumeClaim",
            "accessModes:",
            "dataSourceRef: {kind: PersistentVolumeClaim, name: a}\n  accessModes:",
        ),
        ("HorizontalPodAutoscaler", "minReplicas: 2", "minReplicas: ${LEAST}"),
        ("NetworkPolicy", "cidr: 10.0.0.0/8", "cidr: 010.0.0.0/8"),
    ]);
}

#[test]
fn the_values_of_a_map_have_a_limit() {
    let map = |kind: &str, key: &str, count: usize| {
        let data = "a".repeat(count);
        said(&format!("apiVersion: v1\nkind: {kind}\nmetadata: {{name: a}}\n{key}:\n  a: {data}\n"))
    };
    assert_eq!(map("ConfigMap", "data", 1_048_576), []);
    assert_eq!(map("ConfigMap", "data", 1_048_577), [("number-range", "data".to_owned())]);
    assert_eq!(map("Secret", "data", 1_200_000), []);
    assert_eq!(map("Secret", "stringData", 1_200_000), [("number-range", "stringData".to_owned())]);
}
