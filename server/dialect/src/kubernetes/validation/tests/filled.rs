//! What is accepted although it looks like a mistake, and what is just within bounds.

use super::accept;

#[test]
fn what_the_server_fills_in_or_removes_is_accepted() {
    accept(&[
        ("Service", "type: ClusterIP", "sessionAffinityConfig: {clientIP: {timeoutSeconds: 1}}"),
        (
            "Service",
            "type: ClusterIP",
            "sessionAffinity: None\n  sessionAffinityConfig: {clientIP: {timeoutSeconds: 0}}",
        ),
        ("Service", "targetPort: web", "targetPort: 0"),
        ("Ingress", "number: 80", "number: 0, name: http"),
        ("Ingress", "number: 80", "number: 80, name: ''"),
        (
            "Ingress",
            "metadata: {name: boat}",
            "metadata: {name: boat, annotations: {kubernetes.io/ingress.class: web}}",
        ),
        ("Job", "completions: 1", "completionMode: Indexed"),
        ("Job", "completions: 1", "activeDeadlineSeconds: 3000000000"),
        ("FlowSchema", "matchingPrecedence: 1000", "matchingPrecedence: 0"),
        ("Job", "completions: 1", "selector: {matchLabels: {job-name: boat}}"),
        ("Job", "completions: 1", "manualSelector: true\n  selector: {matchLabels: {app: boat}}"),
        ("Job", "completions: 1", "manualSelector: ${MANUAL}\n  selector: {matchLabels: {app: boat}}"),
        ("CronJob", "      template:\n", "      manualSelector: false\n      template:\n"),
        ("DaemonSet", "maxUnavailable: 1", "maxUnavailable: 0, maxSurge: 10%"),
        ("DaemonSet", "maxUnavailable: 1", "maxUnavailable: 0%, maxSurge: '${SURGE}'"),
        ("DaemonSet", "maxUnavailable: 1", "maxSurge: 0"),
        ("Deployment", "maxUnavailable: 0, maxSurge: 25%", "maxUnavailable: 100%, maxSurge: 200%"),
        ("Deployment", "maxUnavailable: 0, maxSurge: 25%", "maxUnavailable: 0"),
        ("Deployment", "replicas: 2", "minReadySeconds: 599"),
        ("Deployment", "replicas: 2", "minReadySeconds: 700\n  progressDeadlineSeconds: 701"),
        ("Deployment", "replicas: 2", "minReadySeconds: 700\n  progressDeadlineSeconds: ${DEADLINE}"),
        ("PodDisruptionBudget", "minAvailable: 50%", "minAvailable: 100%"),
        ("PodDisruptionBudget", "minAvailable: 50%", "minAvailable: 200"),
        ("NetworkPolicy", "cidr: 10.0.0.0/8", "cidr: 10.0.0.0/8, except: [10.1.0.0/16, '${OTHER}']"),
        ("NetworkPolicy", "cidr: 10.0.0.0/8", "cidr: 0.0.0.0/0, except: [10.1.0.0/16]"),
        ("NetworkPolicy", "cidr: 10.0.0.0/8", "cidr: '::/0', except: ['fd00::/8']"),
    ]);
}
