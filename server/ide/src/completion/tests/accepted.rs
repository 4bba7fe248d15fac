//! The text after an item has been accepted.

use super::{check_accept, check_snippet};

#[test]
fn keys() {
    check_accept("$0", "name", "name: ");
    check_accept("name: a\n$0", "image", "name: a\nimage:\n  ");
    check_accept("name: a\n$0", "env", "name: a\nenv:\n- ");
    check_accept("im$0", "image", "image:\n  ");
    check_accept("image:\n  t$0\nname: x\n", "tag", "image:\n  tag: \nname: x\n");
    check_accept("image:\n  t$0ag: x\n", "repository", "image:\n  repository: x\n");
    check_accept("image:\n  re$0po\n", "repository", "image:\n  repository: \n");
    check_accept("ima$0\n  tag: x\n", "image", "image:\n  tag: x\n");
    check_accept("en$0\n- name: x\n", "env", "env:\n- name: x\n");
    check_accept("image:\n  t$0 # note", "tag", "image:\n  tag:  # note");
    check_accept("na$0me: x", "image", "image: x");
    check_accept("$0", "extra", "extra: ");
}

#[test]
fn keys_that_need_quotes() {
    check_accept("labels:\n  $0", "on", "labels:\n  \"on\": ");
    check_accept("labels:\n  $0", "team name", "labels:\n  team name: ");
    check_accept("labels:\n  team $0", "team name", "labels:\n  team name: ");
    check_accept("labels:\n  \"o$0", "on", "labels:\n  \"on\": ");
    check_accept("labels:\n  \"o$0\"", "on", "labels:\n  \"on\": ");
    check_accept("labels: {$0}", "on", "labels: {\"on\": }");
}

#[test]
fn items_of_sequences() {
    check_accept("env:\n- $0", "name", "env:\n- name: ");
    check_accept("env:\n-$0", "name", "env:\n- name: ");
    check_accept("env:\n- name: A\n  v$0", "value", "env:\n- name: A\n  value: ");
    check_accept("env:\n- $0\n- name: B\n", "secretRef", "env:\n- secretRef:\n    \n- name: B\n");
    check_accept("env:\n  $0", "- ", "env:\n  - ");
    check_accept("env: $0", "- ", "env:\n- ");
    check_accept("env:$0", "- ", "env:\n- ");
    check_accept("env:\n    - name: a\n  $0", "- ", "env:\n    - name: a\n    - ");
    check_accept("features:\n-$0", "beta", "features:\n- beta");
    check_accept("features:\n- b$0", "beta", "features:\n- beta");
    check_accept("features:\n- 'b$0", "beta", "features:\n- 'beta'");
}

#[test]
fn dashes_in_the_column_of_their_key() {
    check_accept("env:\n$0", "- ", "env:\n- ");
    check_accept("env:\n$0\nname: x\n", "- ", "env:\n- \nname: x\n");
    check_accept("env:\n- name: a\n$0\nname: x\n", "- ", "env:\n- name: a\n- \nname: x\n");
    check_accept("env:\n- name: a\n$0\n- name: b\n", "- ", "env:\n- name: a\n- \n- name: b\n");
    check_accept("containers:\n- ports:\n  $0", "- ", "containers:\n- ports:\n  - ");
    check_accept("containers:\n- ports:\n  - name: a\n  $0", "- ", "containers:\n- ports:\n  - name: a\n  - ");
    // No array, or no value that could be one yet.
    super::check("image:\n$0", &["name"], &["- "]);
    super::check("env\n$0", &["name"], &["- "]);
    super::check("name: x\n$0", &["env"], &["- "]);
}

#[test]
fn no_key_takes_the_items_of_another() {
    super::check("env:\n$0\n- name: a\n", &["- "], &["name", "args", "containers"]);
    super::check("env:\n- name: a\n$0\n- name: b\n", &["- "], &["name", "args", "containers", "image"]);
    // The word is a key, and the items below become its own if they can be.
    super::check("env:\n- name: a\nco$0\n- name: b\n", &["containers"], &["name", "args", "- "]);
    super::check("env:\n- name: a\nar$0\n- b\n", &["args", "features", "extra"], &["name", "containers"]);
}

#[test]
fn words_with_spaces() {
    super::check("logLevel: info $0", &[], &["info", "warn"]);
    super::check("labels: {team $0}", &["team name"], &[]);
    super::check("image: {tag: x $0}", &[], &["pullPolicy"]);
}

#[test]
fn quotes_that_swallow_the_rest_of_the_brackets() {
    check_accept("image: {pullPolicy: \"Ne$0, tag: \"x\"}", "Never", "image: {pullPolicy: \"Never\", tag: \"x\"}");
    check_accept("features: [\"al$0, beta]", "alpha", "features: [\"alpha\", beta]");
    check_accept("labels: {\"o$0, team name: \"x\"}", "on", "labels: {\"on\": , team name: \"x\"}");
}

#[test]
fn children_after_the_colon() {
    check_accept("image: $0", "tag", "image:\n  tag: ");
    check_accept("image:$0", "tag", "image:\n  tag: ");
    check_accept("image: t$0", "tag", "image:\n  tag: ");
    check_accept("image:   $0  ", "tag", "image:\n  tag: ");
    check_accept("env:\n- secretRef: $0", "key", "env:\n- secretRef:\n    key: ");
    check_accept("ingress: $0", "null", "ingress: null");
}

#[test]
fn values() {
    check_accept("logLevel: $0", "warn", "logLevel: warn");
    check_accept("logLevel:$0", "warn", "logLevel: warn");
    check_accept("logLevel: $0   ", "warn", "logLevel: warn");
    check_accept("logLevel: w$0\nname: x\n", "warn", "logLevel: warn\nname: x\n");
    check_accept("logLevel: in$0fo # note", "warn", "logLevel: warn # note");
    check_accept("logLevel: $0info", "warn", "logLevel: warn");
    check_accept("logLevel: \"$0\"", "warn", "logLevel: \"warn\"");
    check_accept("logLevel: '$0'", "warn", "logLevel: 'warn'");
    check_accept("logLevel: \"w$0\nname: x\n", "warn", "logLevel: \"warn\"\nname: x\n");
    check_accept("logLevel: \"$0", "warn", "logLevel: \"warn\"");
    check_accept("logLevel: \"in$0fo\" # note", "warn", "logLevel: \"warn\" # note");
    check_accept("logLevel:w$0", "warn", "logLevel: warn");
    check_accept("image:\n  pullPolicy:$0", "Never", "image:\n  pullPolicy: Never");
    check_accept("image:\n  pullPolicy:Al$0\nname: x", "Never", "image:\n  pullPolicy: Never\nname: x");
    check_accept("logLevel:\n  $0", "warn", "logLevel:\n  warn");
    check_accept("logLevel:\n  w$0", "warn", "logLevel:\n  warn");
    check_accept("debug: f$0", "true", "debug: true");
    check_accept("replicas: 1$02", "1", "replicas: 1");
    check_accept("name: $0", "\"\"", "name: \"\"");
}

#[test]
fn brackets() {
    check_accept("image: {$0}", "tag", "image: {tag: }");
    check_accept("image: {t$0}", "tag", "image: {tag: }");
    check_accept("image: {ta$0g: x}", "repository", "image: {repository: x}");
    check_accept("image: {pullPolicy:$0}", "Never", "image: {pullPolicy: Never}");
    check_accept("image: {pullPolicy: \"$0\"}", "Never", "image: {pullPolicy: \"Never\"}");
    check_accept("features: [al$0pha]", "beta", "features: [beta]");
    check_accept("features: [alpha, $0]", "beta", "features: [alpha, beta]");
    check_accept("ingress: {$0}", "tls", "ingress: {tls: {}}");
    check_snippet("ingress: {$0}", "tls", "ingress: {tls: {$1}}");
    check_snippet("ingress: {$0}", "paths", "ingress: {paths: [$1]}");
}

#[test]
fn indentation_is_fixed() {
    check_accept("image:\n\t$0", "tag", "image:\n  tag: ");
    check_accept("image:\n\tt$0", "tag", "image:\n  tag: ");
    check_accept("ingress:\n  host: a\n $0", "tls", "ingress:\n  host: a\n  tls:\n    ");
    check_accept("image:\n      $0\n  tag: x\n", "repository", "image:\n  repository: \n  tag: x\n");
    check_accept("image:\n  $0  \n", "tag", "image:\n  tag: \n");
    check_accept("  name: a\n$0", "image", "  name: a\n  image:\n    ");
}

#[test]
fn the_style_of_the_text_is_kept() {
    check_accept("image:\n    tag: x\n$0", "service", "image:\n    tag: x\nservice:\n    ");
    check_accept("args:\n  - a\n$0", "env", "args:\n  - a\nenv:\n  - ");
    check_accept("args:\n- a\n$0", "env", "args:\n- a\nenv:\n- ");
    check_accept("name: x\r\n$0", "image", "name: x\r\nimage:\r\n  ");
    check_accept("image:\r\n  t$0\r\n", "tag", "image:\r\n  tag: \r\n");
}

#[test]
fn all_keys() {
    const SERVICE: &str = "(all keys) type, port, targetPort";
    check_accept("service:\n  $0", SERVICE, "service:\n  type: ClusterIP\n  port: 80\n  targetPort: 8080");
    check_snippet(
        "service: $0",
        SERVICE,
        "service:\n  type: ${1|ClusterIP,NodePort,LoadBalancer|}\n  port: ${2:80}\n  targetPort: ${3:8080}",
    );
    check_snippet(
        "containers:\n- ports:\n  $0",
        "- (all keys)",
        "containers:\n- ports:\n  - name: ${1:\"\"}\n    containerPort: ${2:80}\n    protocol: ${3|TCP,UDP,SCTP|}",
    );
    // A key is listed once.
    super::check("$0", &["service", "containers"], &["service (all keys)", "containers (all keys)"]);
    check_snippet(
        "image:\n  $0",
        "(all keys) repository, tag, pullPolicy",
        "image:\n  repository: ${1:nginx}\n  tag: ${2:latest}\n  pullPolicy: ${3|IfNotPresent,Always,Never|}",
    );
    check_snippet("env: $0", "- (all keys)", "env:\n- name: ${1:\"\"}\n  value: ${2:\"\"}\n  secretRef: ${3:null}");
}
