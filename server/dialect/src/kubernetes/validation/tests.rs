//! Resources that the server accepts, and what it refuses of them.

mod accepted;
mod accepted_rarely;
mod changed;
mod devices;
mod filled;
mod meant;
mod refused;
mod substituted;

use super::{CHECKS, look};
use crate::kubernetes::SEMANTICS;
use crate::resources::resources;
use accepted::ACCEPTED;
use accepted_rarely::RARE;
use lofting_document::FileId;

/// What is found in a text, with the text at its place.
fn said(text: &str) -> Vec<(&'static str, String)> {
    let (tree, mut found) = (lofting_syntax::parse(text), Vec::new());
    resources(&tree, SEMANTICS.profile).iter().for_each(|resource| look(resource, FileId(0), &mut found));
    let name = |code: &'static str| code.strip_prefix("kubernetes/").unwrap_or(code);
    found.iter().map(|found| (name(found.rule.code), text[found.span.range()].to_owned())).collect()
}

fn accepted() -> impl Iterator<Item = &'static str> {
    ACCEPTED.into_iter().chain(RARE)
}

/// The accepted resource of a kind.
fn of(kind: &str) -> &'static str {
    let line = format!("kind: {kind}\n");
    accepted().find(|text| text.contains(&line)).expect(kind)
}

/// Changes of accepted resources, each with the kind, a text in it and what is written instead: none of them is found.
fn accept(changes: &[(&str, &str, &str)]) {
    for (kind, right, written) in changes {
        let text = of(kind);
        assert!(text.contains(right), "{kind}: {right}");
        assert_eq!(said(&text.replacen(right, written, 1)), [], "{kind}: {written}");
    }
}

/// Changes of accepted resources, each with the kind, a text in it and what is written instead, and the code and the place of
/// the only finding.
fn refuse(changes: &[(&str, &str, &str, &str, &str)]) {
    let mut others = Vec::new();
    for (kind, right, wrong, code, place) in changes {
        let text = of(kind);
        assert!(text.contains(right), "{kind}: {right}");
        let found = said(&text.replacen(right, wrong, 1));
        if found != [(*code, (*place).to_owned())] {
            others.push(format!("{kind}: {wrong}: {found:?}"));
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn accepted_resources_of_each_kind_have_no_findings() {
    for (_, kind, _) in CHECKS {
        assert!(!of(kind).is_empty());
    }
    for text in accepted() {
        assert_eq!(said(text), [], "{text}");
    }
}

#[test]
fn what_is_written_elsewhere_or_filled_in_later_is_not_judged() {
    accept(&[
        ("Pod", "- name: first", "- name: &a first"),
        ("Pod", "- name: first", "- <<: *first"),
        ("Pod", "- name: crew", "- name: ${CREW}"),
        ("Pod", "    image: first:1\n", "    <<: *first\n"),
        ("Pod", "containerPort: 8080", "containerPort: ${PORT}"),
        ("Pod", "livenessProbe: {httpGet: {port: http}, periodSeconds: 5}", "livenessProbe: *probe"),
        ("Pod", "livenessProbe: {httpGet: {port: http}, ", "livenessProbe: {htpGet: {port: http}, "),
        ("Pod", "livenessProbe: {httpGet: {port: http}, periodSeconds: 5}", "livenessProbe: null"),
        ("Pod", "value: text", "value: ''"),
        ("Pod", "cpu: 0.5", "cpu: ' 500m '"),
        ("Pod", "cpu: 0.5", "cpu: $CPU"),
        ("Pod", "emptyDir: {}", "emptyDir: {sizeLimit: 1.5Gi}"),
        // It is being typed.
        (
            "Pod",
            "livenessProbe: {httpGet: {port: http}, periodSeconds: 5}",
            "livenessProbe: {httpGet: , periodSeconds: 5}",
        ),
        ("Deployment", "{matchLabels: {app: boat}}", "*selector"),
        // Without a selector it is a patch.
        ("Deployment", "  selector: {matchLabels: {app: boat}}\n", ""),
        ("Deployment", "maxSurge: 25%", "maxSurge: 25"),
        ("Service", "clusterIP: ''", "clusterIP: None"),
        ("Service", "type: ClusterIP", "type: ${TYPE}"),
        ("Service", "name: https", "nmae: https"),
        ("Secret", "type: kubernetes.io/tls", "type: ${TYPE}"),
        ("CronJob", "'*/5 * * * *'", "'{{ .schedule }}'"),
        ("NetworkPolicy", "- ipBlock: {cidr: 10.0.0.0/8}", "- podSelector: {}"),
        // What follows from something that is wrong itself is not another mistake.
        ("Pod", "effect: NoExecute", "effect: NoExecut"),
        ("ClusterRole", "nonResourceURLs", "nonResourceUrls"),
        // What is of another type is that, and neither empty nor missing.
        (
            "ValidatingAdmissionPolicy",
            "resourceRules: [{operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]",
            "resourceRules: ''",
        ),
    ]);
}

#[test]
fn each_mistake_is_found_once_and_where_it_is() {
    refuse(&[
        // Pods.
        ("Pod", "- name: crew", "- name: Crew", "text-form", "Crew"),
        ("Pod", "- name: crew", "- name: ''", "required-field", "''"),
        ("Pod", "    image: first:1\n", "", "required-field", "name"),
        ("Pod", "    image: first:1\n", "    image: null\n", "required-field", "name"),
        // Editors wait for the value as long as there may be one.
        ("Pod", "    image: first:1\n", "    image:\n", "required-field", "image"),
        ("Pod", "spec:\n", "spec:\nwas:\n", "required-field", "spec"),
        ("Pod", "- name: first", "- name: crew", "repeated-name", "crew"),
        ("Pod", "containerPort: 8080", "containerPort: 80800", "number-range", "80800"),
        ("Pod", "containerPort: 8080", "containerPort: 8080, hostPort: -1", "number-range", "-1"),
        ("Pod", "name: http,", "name: HTTP,", "text-form", "HTTP"),
        ("Pod", "name: http,", "name: far-too-long-for-a-port,", "text-form", "far-too-long-for-a-port"),
        ("Pod", "name: metrics,", "name: http,", "repeated-name", "http"),
        ("Pod", "name: metrics,", "name: '9090',", "text-form", "9090"),
        ("Pod", "name: KEY", "name: KEY=A", "text-form", "KEY=A"),
        ("Pod", "valueFrom: {secretKeyRef", "value: a, valueFrom: {secretKeyRef", "excluded-field", "valueFrom"),
        ("Pod", "fieldRef: {fieldPath: metadata.name}", "other: {}", "required-field", "valueFrom"),
        ("Pod", "metadata.name}", "metadata.nmae}", "text-form", "metadata.nmae"),
        ("Pod", "secretKeyRef: {name: keys", "secretKeyRef: {name: ''", "required-field", "''"),
        ("Pod", "configMapRef: {name: settings}", "prefix: A", "required-field", "prefix"),
        ("Pod", "mountPath: /stores", "mountPath: /cargo", "repeated-name", "/cargo"),
        ("Pod", "subPath: below", "subPath: ../above", "text-form", "../above"),
        ("Pod", "subPath: below", "subPath: below, subPathExpr: $(KEY)", "excluded-field", "subPathExpr"),
        ("Pod", "subPath: below", "mountPropagation: Bidirectional", "excluded-field", "mountPropagation"),
        (
            "Pod",
            "livenessProbe: {httpGet: {port: http}",
            "livenessProbe: {tcpSocket: {port: 1}, httpGet: {port: http}",
            "excluded-field",
            "httpGet",
        ),
        ("Pod", "livenessProbe: {httpGet: {port: http}, ", "livenessProbe: {", "required-field", "livenessProbe"),
        ("Pod", "periodSeconds: 5", "periodSeconds: -5", "number-range", "-5"),
        ("Pod", "periodSeconds: 5", "successThreshold: 2", "number-range", "2"),
        ("Pod", "exec: {command: [ready]}", "exec: {command: []}", "required-field", "[]"),
        (
            "Pod",
            "exec: {command: [ready]}",
            "exec: {command: [ready]}, terminationGracePeriodSeconds: 5",
            "excluded-field",
            "terminationGracePeriodSeconds",
        ),
        ("Pod", "command: [first]", "readinessProbe: {tcpSocket: {port: 1}}", "excluded-field", "readinessProbe"),
        ("Pod", "limits: {memory: 1Gi", "limits: {memory: 1Mi", "request-above-limit", "512Mi"),
        ("Pod", "example.com/gpu: 1}", "example.com/gpu: 2}", "request-above-limit", "2"),
        (
            "Pod",
            "limits: {memory: 1Gi, example.com/gpu: 1}",
            "limits: {memory: 1Gi}",
            "required-field",
            "example.com/gpu",
        ),
        ("Pod", "cpu: 0.5", "cpus: 0.5", "text-form", "cpus"),
        ("Pod", "cpu: 0.5", "cpu: -1", "number-range", "-1"),
        ("Pod", "cpu: 0.5, example.com/gpu: 1", "cpu: 0.5, example.com/gpu: -1", "number-range", "-1"),
        ("Pod", "cpu: 0.5", "cpu: 500 m", "text-form", "500 m"),
        ("Pod", "memory: 1Gi", "memory: 1024mb", "text-form", "1024mb"),
        ("Pod", "emptyDir: {}", "emptyDir: {sizeLimit: 1GB}", "text-form", "1GB"),
        ("Pod", "privileged: false", "privileged: true", "excluded-field", "allowPrivilegeEscalation"),
        ("Pod", "runAsUser: 1000", "runAsUser: -1", "number-range", "-1"),
        ("Pod", "type: RuntimeDefault", "type: Localhost", "required-field", "seccompProfile"),
        (
            "Pod",
            "type: RuntimeDefault",
            "type: RuntimeDefault, localhostProfile: a",
            "excluded-field",
            "localhostProfile",
        ),
        ("Pod", "- name: stores", "- name: cargo", "repeated-name", "cargo"),
        ("Pod", "emptyDir: {}", "emptyDir: {}\n    hostPath: {path: /a}", "excluded-field", "hostPath"),
        ("Pod", "secretName: keys", "secretName: ''", "required-field", "''"),
        ("Pod", "defaultMode: 0400", "defaultMode: 0400000", "number-range", "0400000"),
        ("Pod", "path: of/key", "path: /of/key", "text-form", "/of/key"),
        ("Pod", "nodeSelector: {disk: ssd}", "nodeSelector: {disk: s s d}", "text-form", "s s d"),
        (
            "Pod",
            "key: dedicated, operator: Exists",
            "key: dedicated, operator: Exists, value: a",
            "excluded-field",
            "value",
        ),
        ("Pod", "key: dedicated, operator: Exists", "value: a", "required-field", "value"),
        ("Pod", "effect: NoExecute", "effect: NoSchedule", "excluded-field", "tolerationSeconds"),
        ("Pod", "operator: In, values: [a]", "operator: In", "required-field", "key"),
        ("Pod", "operator: In, values: [a]", "operator: Exists, values: [a]", "excluded-field", "values"),
        ("Pod", "weight: 100", "weight: 101", "number-range", "101"),
        ("Pod", "topologyKey: kubernetes.io/hostname", "topologyKey: ''", "required-field", "''"),
        ("Pod", "maxSkew: 1", "maxSkew: 0", "number-range", "0"),
        ("Pod", "ip: 10.0.0.1", "ip: boat", "text-form", "boat"),
        // Workloads.
        ("Deployment", "replicas: 2", "replicas: -2", "number-range", "-2"),
        ("Deployment", "{matchLabels: {app: boat}}", "{}", "required-field", "selector"),
        ("Deployment", "type: RollingUpdate", "type: Recreate", "excluded-field", "rollingUpdate"),
        ("Deployment", "maxSurge: 25%", "maxSurge: '25'", "text-form", "25"),
        ("Deployment", "maxSurge: 25%", "maxSurge: 0", "number-range", "0"),
        ("Deployment", "restartPolicy: Always", "restartPolicy: Never", "unknown-value", "Never"),
        ("Deployment", "restartPolicy: Always", "activeDeadlineSeconds: 5", "excluded-field", "activeDeadlineSeconds"),
        ("Deployment", "containers: [{name: crew, image: crew:1}]", "containers: []", "required-field", "[]"),
        ("ReplicaSet", "restartPolicy: Always", "restartPolicy: OnFailure", "unknown-value", "OnFailure"),
        ("StatefulSet", "type: RollingUpdate", "type: OnDelete", "excluded-field", "rollingUpdate"),
        ("StatefulSet", "partition: 1", "partition: -1", "number-range", "-1"),
        ("DaemonSet", "maxUnavailable: 1", "maxUnavailable: 1, maxSurge: 1", "excluded-field", "maxSurge"),
        ("DaemonSet", "maxUnavailable: 1", "maxUnavailable: 10%, maxSurge: 5%", "excluded-field", "maxSurge"),
        ("DaemonSet", "maxUnavailable: 1", "maxSurge: 1", "excluded-field", "maxSurge"),
        ("DaemonSet", "maxUnavailable: 1", "maxUnavailable: 0", "number-range", "0"),
        ("DaemonSet", "maxUnavailable: 1", "maxUnavailable: 0, maxSurge: 101%", "number-range", "101%"),
        ("Deployment", "maxUnavailable: 0", "maxUnavailable: 101%", "number-range", "101%"),
        ("Deployment", "replicas: 2", "minReadySeconds: 600", "number-range", "600"),
        ("Deployment", "replicas: 2", "progressDeadlineSeconds: 5\n  minReadySeconds: 10", "number-range", "5"),
        ("Deployment", "replicas: 2", "progressDeadlineSeconds: 0", "number-range", "0"),
        ("Job", "restartPolicy: Never", "restartPolicy: Always", "unknown-value", "Always"),
        ("Job", "      restartPolicy: Never\n", "", "required-field", "spec"),
        ("Job", "completions: 1", "completionMode: Indexed\n  parallelism: 2", "required-field", "spec"),
        ("Job", "completions: 1", "activeDeadlineSeconds: -1", "number-range", "-1"),
        ("Job", "completions: 1", "selector: {matchLabels: {app: boat}}", "excluded-field", "selector"),
        (
            "Job",
            "completions: 1",
            "manualSelector: false\n  selector: {matchExpressions: [{key: app, operator: Exists}]}",
            "excluded-field",
            "selector",
        ),
        ("Job", "completions: 1", "manualSelector: true", "required-field", "spec"),
        (
            "CronJob",
            "      template:\n",
            "      manualSelector: true\n      template:\n",
            "excluded-field",
            "manualSelector",
        ),
        ("CronJob", "      template:\n", "      selector: {}\n      template:\n", "excluded-field", "selector"),
        ("Job", "backoffLimit: 1", "backoffLimit: -1", "number-range", "-1"),
        ("CronJob", "'*/5 * * * *'", "'* 24 * * *'", "text-form", "* 24 * * *"),
        ("CronJob", "Europe/Berlin", "Europe/Berln", "text-form", "Europe/Berln"),
        ("CronJob", "Europe/Berlin", "europe/berlin", "text-form", "europe/berlin"),
        ("CronJob", "Europe/Berlin", "Local", "text-form", "Local"),
        ("CronJob", "restartPolicy: OnFailure", "restartPolicy: Always", "unknown-value", "Always"),
        ("CronJob", "      template:\n", "      completionMode: Indexed\n      template:\n", "required-field", "spec"),
        (
            "CronJob",
            "{name: boat}",
            "{name: a-boat-whose-name-is-too-long-for-the-jobs-that-it-makes}",
            "text-form",
            "a-boat-whose-name-is-too-long-for-the-jobs-that-it-makes",
        ),
        // Services.
        ("Service", "port: 80,", "port: 0,", "number-range", "0"),
        ("Service", "name: https", "targetPort: https", "required-field", "port"),
        ("Service", "name: https", "name: http", "repeated-name", "http"),
        ("Service", "port: 443", "port: 80", "repeated-name", "80"),
        ("Service", "targetPort: web", "targetPort: '8080'", "text-form", "8080"),
        ("Service", "type: ClusterIP", "type: ExternalName", "required-field", "spec"),
        (
            "Service",
            "type: ClusterIP\n  clusterIP: ''",
            "type: LoadBalancer\n  clusterIP: None",
            "excluded-field",
            "clusterIP",
        ),
        ("Service", "type: ClusterIP", "externalTrafficPolicy: Local", "excluded-field", "externalTrafficPolicy"),
        ("Service", "type: ClusterIP", "loadBalancerClass: a/b", "excluded-field", "loadBalancerClass"),
        ("Service", "targetPort: web", "nodePort: 30000", "excluded-field", "nodePort"),
        ("Service", "targetPort: web", "targetPort: -1", "number-range", "-1"),
        (
            "Service",
            "type: ClusterIP",
            "sessionAffinity: ClientIP\n  sessionAffinityConfig: {clientIP: {timeoutSeconds: 0}}",
            "number-range",
            "0",
        ),
        // The network.
        ("Ingress", "pathType: Prefix, path: /", "pathType: Prefix, path: a", "text-form", "a"),
        ("Ingress", "host: boat.example.com", "host: 10.0.0.1", "text-form", "10.0.0.1"),
        ("Ingress", "host: boat.example.com", "host: Boat.example.com", "text-form", "Boat.example.com"),
        ("Ingress", "number: 80", "number: 80, name: http", "excluded-field", "name"),
        ("Ingress", "number: 80", "", "required-field", "port"),
        ("Ingress", "number: 80", "number: 0", "number-range", "0"),
        ("Ingress", "number: 80", "name: ''", "required-field", "''"),
        (
            "Ingress",
            "metadata: {name: boat}",
            "metadata: {name: boat, annotations: {kubernetes.io/ingress.class: a}}",
            "excluded-field",
            "kubernetes.io/ingress.class",
        ),
        ("NetworkPolicy", "cidr: 10.0.0.0/8", "cidr: 10.0.0.0", "text-form", "10.0.0.0"),
        ("NetworkPolicy", "endPort: 90", "endPort: 70", "number-range", "70"),
        (
            "NetworkPolicy",
            "cidr: 10.0.0.0/8",
            "cidr: 10.0.0.0/8, except: [10.1.0.0/16, 11.0.0.0/16]",
            "text-form",
            "11.0.0.0/16",
        ),
        ("NetworkPolicy", "cidr: 10.0.0.0/8", "cidr: 10.0.0.0/8, except: [10.0.0.0/8]", "text-form", "10.0.0.0/8"),
        ("NetworkPolicy", "cidr: 10.0.0.0/8", "cidr: 10.0.0.0/8, except: ['fd00::/16']", "text-form", "fd00::/16"),
        ("PodDisruptionBudget", "minAvailable: 50%", "minAvailable: 101%", "number-range", "101%"),
        ("PodDisruptionBudget", "minAvailable: 50%", "maxUnavailable: 200%", "number-range", "200%"),
        (
            "NetworkPolicy",
            "ipBlock: {cidr: 10.0.0.0/8}",
            "ipBlock: {cidr: 10.0.0.0/8}\n      podSelector: {}",
            "excluded-field",
            "podSelector",
        ),
        (
            "PodDisruptionBudget",
            "minAvailable: 50%",
            "minAvailable: 50%\n  maxUnavailable: 1",
            "excluded-field",
            "maxUnavailable",
        ),
        ("HorizontalPodAutoscaler", "maxReplicas: 5", "maxReplicas: 1", "number-range", "1"),
        ("HorizontalPodAutoscaler", "averageUtilization: 80", "averageUtilization: 0", "number-range", "0"),
        ("HorizontalPodAutoscaler", "resource: {name", "rest: {name", "required-field", "type"),
        // What is stored.
        ("ConfigMap", "settings.yml:", "set tings:", "text-form", "set tings"),
        ("ConfigMap", "picture.png:", "settings.yml:", "repeated-name", "settings.yml"),
        ("Secret", "tls.key:", "key:", "required-field", "type"),
        ("PersistentVolumeClaim", "accessModes: [ReadWriteOnce]", "accessModes: []", "required-field", "[]"),
        (
            "PersistentVolumeClaim",
            "[ReadWriteOnce]",
            "[ReadWriteOncePod, ReadWriteOnce]",
            "text-form",
            "ReadWriteOncePod",
        ),
        ("PersistentVolumeClaim", "storage: 1Gi", "storage: 0", "number-range", "0"),
        ("PersistentVolumeClaim", "requests:\n      storage: 1Gi", "requests: {}", "required-field", "requests"),
        ("PersistentVolumeClaim", "requests:\n      storage: 1Gi", "limits: {}", "required-field", "resources"),
        ("PersistentVolume", "capacity: {storage: 1Gi}\n  ", "", "required-field", "spec"),
        ("APIService", "version: v1\n", "version: V 1\n", "text-form", "V 1"),
        ("APIService", "group: boats.example.com", "group: Boats.example.com", "text-form", "Boats.example.com"),
        ("APIService", "group: boats.example.com", "group: ''", "text-form", "v1.boats.example.com"),
        ("LimitRange", "min: {storage: 1Gi}", "min: {storag: 1Gi}", "text-form", "storag"),
        // Roles and webhooks.
        ("Role", "verbs: [get]", "verbs: []", "required-field", "[]"),
        ("Role", "resources: [pods]", "", "required-field", "apiGroups"),
        (
            "ClusterRole",
            "nonResourceURLs: [/healthz]",
            "nonResourceURLs: [/healthz], resources: [pods]",
            "excluded-field",
            "resources",
        ),
        ("ClusterRole", ", nonResourceURLs: [/healthz]", "", "required-field", "verbs"),
        ("ClusterRoleBinding", "kind: ClusterRole,", "kind: Role,", "unknown-value", "Role"),
        ("ClusterRoleBinding", ", namespace: boats", "", "required-field", "kind"),
        (
            "RoleBinding",
            "ServiceAccount, name: crew}",
            "ServiceAccount, name: crew, apiGroup: a}",
            "excluded-field",
            "apiGroup",
        ),
        ("ValidatingWebhookConfiguration", "name: check.example.com", "name: check", "text-form", "check"),
        ("ValidatingWebhookConfiguration", "timeoutSeconds: 5", "timeoutSeconds: 31", "number-range", "31"),
        ("ValidatingWebhookConfiguration", "Versions: [v1]", "Versions: []", "required-field", "[]"),
        ("ValidatingWebhookConfiguration", "operations: [CREATE]", "operations: [Create]", "unknown-value", "Create"),
        ("ValidatingWebhookConfiguration", "url: https", "url: http", "text-form", "http://a.example.com"),
        // Expressions for admission.
        ("ValidatingAdmissionPolicy", "variables.size <", "variables.sizes <", "invalid-expression", "sizes"),
        ("ValidatingAdmissionPolicy", "variables.size <", "request.object.size <", "invalid-expression", "object"),
        ("ValidatingAdmissionPolicy", "!variables.isFree", "!variables.tier", "invalid-expression", "!variables.tier"),
        (
            "ValidatingAdmissionPolicy",
            "expression: variables.size < 5 && !variables.isFree",
            "expression: variables.size",
            "invalid-expression",
            "variables.size",
        ),
        ("ValidatingAdmissionPolicy", "variables.tier == 'free'", "variables.isFree", "invalid-expression", "isFree"),
        (
            "ValidatingAdmissionPolicy",
            "  paramKind: {apiVersion: v1, kind: ConfigMap}\n",
            "",
            "invalid-expression",
            "params",
        ),
        (
            "ValidatingAdmissionPolicy",
            "request.resource.group !=",
            "variables.tier !=",
            "invalid-expression",
            "variables",
        ),
        (
            "ValidatingAdmissionPolicy",
            "'too many for ' + variables.tier",
            "authorizer.path('/').check('get').reason()",
            "invalid-expression",
            "authorizer",
        ),
        (
            "ValidatingAdmissionPolicy",
            "string(variables.size)",
            "variables.isFree",
            "invalid-expression",
            "\"size \" + variables.isFree",
        ),
        ("ValidatingAdmissionPolicy", "name: unused", "name: namespace", "text-form", "namespace"),
        ("MutatingAdmissionPolicy", "variables.first.image}", "variables.first.image", "invalid-expression", ""),
        ("MutatingAdmissionPolicy", "object.spec.containers[0]", "objects.spec", "invalid-expression", "objects"),
        (
            "ValidatingWebhookConfiguration",
            "!(request.resource",
            "(request.resources",
            "invalid-expression",
            "resources",
        ),
        (
            "ValidatingWebhookConfiguration",
            ".allowed()",
            "",
            "invalid-expression",
            "authorizer.requestResource.check('breakglass')",
        ),
        // Limits.
        ("LimitRange", "type: Container", "type: Containers", "text-form", "Containers"),
        ("LimitRange", "type: Pod\n", "type: Container\n", "repeated-name", "Container"),
        ("LimitRange", "memory: 2Gi", "memroy: 2Gi", "text-form", "memroy"),
        ("LimitRange", "min: {cpu: 100m}", "min: {cpu: 300m}", "number-range", "200m"),
        ("LimitRange", "max: {cpu: '2'", "max: {cpu: '0.4'", "number-range", "500m"),
        ("LimitRange", "cpu: 4,", "cpu: 0.5,", "number-range", "0.5"),
        ("LimitRange", "cpu: 4,", "cpu: 21,", "number-range", "21"),
        (
            "LimitRange",
            "default: {cpu: 500m}\n    defaultRequest: {cpu: 200m}",
            "default: {example.com/sail: 2}\n    defaultRequest: {example.com/sail: 1}",
            "number-range",
            "1",
        ),
        ("LimitRange", "type: Pod\n", "type: Pod\n    default: {cpu: 1}\n", "excluded-field", "default"),
        ("LimitRange", "min: {storage: 1Gi}", "min: {}", "required-field", "type"),
        ("ResourceQuota", "requests.cpu", "request.cpu", "text-form", "request.cpu"),
        ("ResourceQuota", "pods: 10", "pods: 1.5", "number-range", "1.5"),
        ("ResourceQuota", "pods: 10", "pods: -1", "number-range", "-1"),
        ("ResourceQuota", "pods: 10", "services: 10", "excluded-field", "services"),
        ("ResourceQuota", "NotBestEffort]", "Terminating]", "repeated-name", "Terminating"),
        ("ResourceQuota", "In, values: [high]", "In", "required-field", "scopeName"),
        ("ResourceQuota", "operator: Exists", "operator: DoesNotExist", "unknown-value", "DoesNotExist"),
        // What is set up for a cluster.
        ("IngressClass", "example.com/boats", "boats", "text-form", "boats"),
        ("IngressClass", "  controller: example.com/boats\n", "", "required-field", "spec"),
        ("IngressClass", ", namespace: boats", "", "required-field", "parameters"),
        ("IngressClass", "scope: Namespace, ", "", "excluded-field", "namespace"),
        ("APIService", "name: v1.boats.example.com", "name: v1.boats", "text-form", "v1.boats"),
        ("APIService", "groupPriorityMinimum: 1000", "groupPriorityMinimum: 30000", "number-range", "30000"),
        ("APIService", "  service: {name: boats, namespace: boats, port: 443}\n", "", "excluded-field", "caBundle"),
        ("APIService", "namespace: boats, ", "", "required-field", "service"),
        ("EndpointSlice", "10.1.2.3", "boats", "text-form", "boats"),
        ("EndpointSlice", "10.1.2.3", "127.0.0.1", "text-form", "127.0.0.1"),
        ("EndpointSlice", "[10.1.2.3]", "[]", "required-field", "[]"),
        ("EndpointSlice", "name: https", "name: http", "repeated-name", "http"),
        ("StorageClass", "disk.csi.Example.com", "disk_csi/", "text-form", "disk_csi/"),
        ("PriorityClass", "name: high", "name: system-high", "text-form", "system-high"),
        ("PriorityClass", "value: 1000000", "value: 2000000000", "number-range", "2000000000"),
        ("RuntimeClass", "handler: runsc", "handler: run_sc", "text-form", "run_sc"),
        ("Lease", "leaseDurationSeconds: 15", "leaseDurationSeconds: 0", "number-range", "0"),
        ("FlowSchema", "matchingPrecedence: 1000", "matchingPrecedence: -1", "number-range", "-1"),
        (
            "FlowSchema",
            "kind: ServiceAccount, serviceAccount: {name: crew, namespace: boats}",
            "kind: User",
            "required-field",
            "kind",
        ),
        (
            "ValidatingAdmissionPolicy",
            "  validations:\n  - expression: variables.size < 5 && !variables.isFree\n    messageExpression: \"'too many for ' + variables.tier\"\n    reason: Invalid\n  - expression: object.spec.replicas <= int(params.data['max-replicas'])\n  - expression: authorizer.group('apps').resource('deployments').namespace(request.namespace).check('scale').allowed()\n  auditAnnotations:\n  - {key: size, valueExpression: '\"size \" + string(variables.size)'}\n",
            "",
            "required-field",
            "spec",
        ),
        (
            "ValidatingAdmissionPolicy",
            "resourceRules: [{operations: [CREATE], apiGroups: [apps], apiVersions: [v1], resources: [deployments]}]",
            "resourceRules: []",
            "required-field",
            "[]",
        ),
        ("ValidatingAdmissionPolicyBinding", "[Deny, Audit]", "[Deny, Warn]", "text-form", "Warn"),
        ("ValidatingAdmissionPolicyBinding", "name: own, ", "", "required-field", "paramRef"),
    ]);
}

#[test]
fn the_configuration_of_registries_is_json() {
    let secret = |kind: &str, maps: &str| {
        said(&format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\ntype: kubernetes.io/{kind}\n{maps}\n"))
    };
    for (kind, maps) in [
        ("dockerconfigjson", "stringData: {.dockerconfigjson: '{\"auths\": {}}'}"),
        ("dockerconfigjson", "stringData: {.dockerconfigjson: '${CONFIG}'}"),
        ("dockerconfigjson", "data: {.dockerconfigjson: e30=}"),
        ("dockerconfigjson", "data: {.dockerconfigjson: bnVsbA==}"),
        ("dockercfg", "data: {.dockercfg: '<base64>'}"),
        ("dockerconfigjson", "data: {.dockerconfigjson: YQ==}\nstringData: {.dockerconfigjson: '{}'}"),
    ] {
        assert_eq!(secret(kind, maps), [], "{maps}");
    }
    for (kind, maps, place) in [
        ("dockerconfigjson", "stringData: {.dockerconfigjson: 'auths: {}'}", "auths: {}"),
        ("dockerconfigjson", "stringData: {.dockerconfigjson: '[]'}", "[]"),
        ("dockerconfigjson", "data: {.dockerconfigjson: YQ==}", "YQ=="),
        ("dockercfg", "data: {.dockercfg: YQ==}", "YQ=="),
    ] {
        assert_eq!(secret(kind, maps), [("text-form", place.to_owned())], "{maps}");
    }
}

#[test]
fn how_jobs_fail_and_where_pods_are_spread() {
    let job = |spec: &str| {
        said(&format!(
            "apiVersion: batch/v1\nkind: Job\nmetadata: {{name: a}}\nspec:\n  {spec}\n  template:\n    spec: {{restartPolicy: Never, containers: [{{name: a, image: a}}]}}\n"
        ))
    };
    let pod = |spec: &str| {
        said(&format!(
            "apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec:\n  containers: [{{name: a, image: a}}]\n  {spec}\n"
        ))
    };
    let rules = |rule: &str| job(&format!("podFailurePolicy: {{rules: [{rule}]}}"));
    assert_eq!(rules("{action: Ignore, onPodConditions: [{type: A, status: 'True'}]}"), []);
    assert_eq!(rules("{action: FailJob, onExitCodes: {operator: In, values: [1, 2]}}"), []);
    assert_eq!(rules("{action: FailJob, onExitCodes: {operator: In, values: [1]}, onPodConditions: []}"), []);
    assert_eq!(
        job("{completionMode: Indexed, completions: 2, backoffLimitPerIndex: 1, maxFailedIndexes: 1}"
            .trim_matches(['{', '}'])
            .replace(", ", "\n  ")
            .as_str()),
        []
    );
    let claim = "volumes: [{name: a, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}}}]";
    assert_eq!(pod(claim), []);
    for (found, code, place) in [
        (rules("{action: Ignore}"), "required-field", "action"),
        (rules("{action: Ignore, onPodConditions: []}"), "required-field", "[]"),
        (rules("{action: FailIndex, onExitCodes: {operator: In, values: [1]}}"), "excluded-field", "action"),
        (rules("{action: FailJob, onExitCodes: {operator: In, values: [0]}}"), "number-range", "0"),
        (rules("{action: FailJob, onExitCodes: {operator: In, values: []}}"), "required-field", "[]"),
        (job("backoffLimitPerIndex: 1"), "excluded-field", "backoffLimitPerIndex"),
        (pod(&claim.replace("accessModes: [ReadWriteOnce], ", "")), "required-field", "spec"),
        (pod(&claim.replace("1Gi", "0")), "number-range", "0"),
        (
            pod(
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule}, {maxSkew: 2, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]",
            ),
            "repeated-name",
            "a",
        ),
        (
            pod(
                "topologySpreadConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, matchLabelKeys: [a]}]",
            ),
            "excluded-field",
            "matchLabelKeys",
        ),
    ] {
        assert_eq!(found, [(code, place.to_owned())]);
    }
}

#[test]
fn maps_with_many_keys_are_looked_at() {
    let entries: String = (0..3_000).map(|number| format!("  k{number}: x\n")).collect();
    let text = format!("apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: cm}}\ndata:\n{entries}  bad key: x\n");
    assert_eq!(said(&text), [("text-form", "bad key".to_owned())]);
}
