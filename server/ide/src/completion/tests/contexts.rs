//! The place of the cursor: one line per place, in valid and in half-typed text.

use super::{check, check_labels, check_none};
use expect_test::expect;

#[test]
fn keys() {
    check("$0", &["name", "replicas", "image", "service"], &["repository", "tag", "port"]);
    check("name: web\nre$0", &["replicas"], &["name", "repository"]);
    check("ser$0\nimage:\n  tag: x\n", &["service"], &["image", "repository"]);
    check("image:\n  repository: x\n$0", &["name", "replicas", "service"], &["tag", "pullPolicy", "image"]);
    check("args:\n- a\n$0", &["name", "image"], &["value", "containerPort"]);
    check("image:\n  $0", &["repository", "tag", "pullPolicy"], &["name", "replicas", "image"]);
    check("image:\n  re$0\nname: x\n", &["repository"], &["replicas", "name"]);
    check(
        "image:\n  repository: nginx\n  t$0\n  pullPolicy: Always\nname: x\n",
        &["tag"],
        &["pullPolicy", "repository", "name"],
    );
    check("image:\n  $0\n  repository: nginx\n", &["tag", "pullPolicy"], &["repository", "name"]);
    check("ingress:\n  host: a\n  tls:\n    $0", &["enabled", "secretName", "issuer"], &["host", "paths", "name"]);
    check("ingress:\n  host: a\n  tls:\n  $0", &["paths"], &["secretName", "enabled", "host", "tls"]);
    check("ingress:\n  tls:\n    enabled: true\n  pa$0\nname: x\n", &["paths"], &["secretName", "replicas"]);
    check(
        "ingress:\n  tls:\n    issuer:\n      name: a\n    $0\n",
        &["enabled", "secretName"],
        &["kind", "host", "issuer"],
    );
    check("ingress:\n  tls:\n    issuer:\n      na$0\n  host: x\n", &["name"], &["host", "secretName", "replicas"]);
    check("image:\n    repository: x\n    $0\nname: a\n", &["tag", "pullPolicy"], &["repository", "name"]);
    check("image:\n  $0  \n", &["repository", "tag"], &["name"]);
    check("image:\n  repository: x   \n  $0   \nname: y\n", &["tag", "pullPolicy"], &["name", "repository"]);
    check("i$0mage:\n  tag: x\n", &["image"], &["repository"]);
    check("env:\n- $0", &["name", "value", "secretRef"], &["replicas", "image"]);
    check("env:\n- name: A\n  $0", &["value", "secretRef"], &["name", "replicas"]);
    check("env:\n- name: A\n  v$0", &["value"], &["name"]);
    check("env:\n- name: A\n  va$0\n- name: B\n  value: x\nreplicas: 1\n", &["value"], &["name", "replicas"]);
    check("env:\n- $0\n- name: B\n  value: x\n", &["name", "value"], &["replicas"]);
    check(
        "containers:\n- name: a\n  image: x\n  $0\n- name: b\n  image: y\n",
        &["ports", "probes"],
        &["name", "image", "replicas"],
    );
    check(
        "containers:\n- name: main\n  ports:\n  - $0",
        &["containerPort", "protocol", "name"],
        &["probes", "image", "replicas"],
    );
    check(
        "containers:\n- name: main\n  ports:\n  - name: http\n    containerPort: 80\n  $0\n",
        &["image", "probes"],
        &["protocol", "name", "replicas"],
    );
    check("containers:\n- name: main\n  probes:\n    liveness:\n      $0", &["path", "port"], &["readiness", "image"]);
    check(
        "containers:\n- name: main\n  probes:\n    liveness:\n      path: /\n    $0\n",
        &["readiness"],
        &["path", "port", "image"],
    );
    check("env:\n- &first\n  name: A\n  $0", &["value"], &["name"]);
    check("containers:\n- &c\n  name: a\n  image: x\n- <<: *c\n  $0", &["ports", "probes"], &["replicas"]);
}

#[test]
fn values() {
    check("debug: $0", &["true", "false"], &["name", "replicas"]);
    check("debug: t$0", &["true"], &["name"]);
    check("logLevel: $0", &["debug", "info", "warn", "error"], &["name", "replicas"]);
    check("logLevel: w$0", &["warn"], &["name"]);
    check("logLevel:$0", &["debug", "info"], &["name"]);
    check("logLevel: \"$0\"", &["warn"], &["name"]);
    check("logLevel: \"w$0\nname: x\n", &["warn"], &["name", "replicas"]);
    check("logLevel: in$0fo\nname: x\n", &["info", "warn"], &["name"]);
    check("image:\n  pullPolicy: $0\n", &["Always", "IfNotPresent", "Never"], &["repository"]);
    check("ingress:\n  tls:\n    issuer:\n      kind: $0", &["ClusterIssuer", "Issuer"], &["enabled"]);
    check("features:\n- alpha\n- b$0\nname: x\n", &["beta"], &["name"]);
    check("replicas: $0", &["1"], &["name"]);
    check("ingress: $0", &["null"], &["name", "replicas"]);
}

#[test]
fn between_brackets() {
    check("image: {$0}", &["repository", "tag", "pullPolicy"], &["name"]);
    check("env: [{name: A, $0}]", &["value"], &["name", "replicas"]);
    check("env:\n- {name: \"😀😀\", v$0}", &["value"], &["name"]);
}

#[test]
fn in_broken_text() {
    check("name: web\nrep\nimage:\n  $0", &["repository", "tag"], &["name"]);
    check("name: \"web\nimage:\n  $0", &["repository", "tag"], &[]);
    check("service:\n  type: NodePort\n   port: 80\nimage:\n  $0", &["repository", "tag"], &["name"]);
    check("image:\n  $0\nservice:\n  port: [80\n", &["repository", "tag"], &["name"]);
    check("image:\n  $0\nservice:\n\tport: 80\n", &["repository", "tag"], &["name"]);
}

#[test]
fn nothing() {
    check_none("name: x\n# re$0");
    check_none("name: some\n  more re$0\nreplicas: 1\n");
}

#[test]
fn with_annotations() {
    check("#@data/values\n---\nimage:\n  #@overlay/match missing_ok=True\n  $0\n", &["repository", "tag"], &["name"]);
    check("#@ load(\"@ytt:overlay\", \"overlay\")\n#@data/values\n---\nlogLevel: w$0\n", &["warn"], &["name"]);
    check(
        "#@data/values\n---\nname: a\n\n#@data/values\n---\nimage:\n  re$0\nname: b\n",
        &["repository"],
        &["replicas", "name"],
    );
}

#[test]
fn without_a_schema() {
    check_labels("$0", expect![[""]]);
    check_labels("a:\n  $0", expect![[""]]);
    check_labels("a: {b: $0", expect![[""]]);
    check_labels("- $0", expect![[""]]);
}
