//! Further places, grouped by what makes them difficult.

use super::{check, check_labels, check_none};
use expect_test::expect;

#[test]
fn indented_and_unindented_sequences() {
    check("env:\n  - $0", &["name", "value"], &["replicas"]);
    check("env:\n  - name: a\n    $0", &["value", "secretRef"], &["name", "replicas"]);
    check("env:\n  - name: a\n  $0", &["- "], &["name", "value", "replicas"]);
    check("env:\n  $0", &["- "], &["name", "replicas"]);
    check("env:\n$0", &["replicas", "image"], &["env", "value"]);
    check("env:\n- name: A\n$0", &["replicas"], &["value", "env"]);
    check("env:\n- name: A\n- $0\nreplicas: 1", &["name", "value"], &["replicas"]);
    check("env:\n-$0", &["name"], &["replicas"]);
    check("env:\n-   $0", &["name"], &["replicas"]);
    check("env:\n-   name: A\n    $0", &["value"], &["name"]);
    check("env:\n-\n  $0", &["name", "value"], &["replicas"]);
    check("env: $0", &["[]", "- "], &["name", "replicas"]);
}

#[test]
fn sequences_of_scalars() {
    check("features:\n- $0", &["alpha", "beta", "gamma"], &["name"]);
    check("features:\n  - alpha\n  - $0", &["beta"], &["name"]);
    check("features:\n- \"$0\"", &["beta"], &["name"]);
    check("features:\n- \"b$0\n- alpha\n", &["beta"], &["name"]);
    check("features:\n-$0", &["beta"], &["name"]);
    check("features: [$0]", &["alpha", "beta"], &["name"]);
    check("features: [alpha, $0]", &["beta"], &["name"]);
    check("features: [alpha, b$0", &["beta"], &["name"]);
    check("features: [\n  alpha,\n  $0\n]", &["beta"], &["name"]);
    check("features:\n- alpha\n  $0", &[], &["name", "beta", "replicas"]);
}

#[test]
fn keys_with_quotes_and_spaces() {
    check("labels:\n  $0", &["app.kubernetes.io/name", "team name", "on"], &["name"]);
    check("labels:\n  team $0", &["team name"], &["name"]);
    check("labels:\n  te$0", &["team name"], &["name"]);
    check("labels:\n  \"o$0", &["on"], &["name"]);
    check("labels:\n  \"o$0\"", &["on"], &["name"]);
    check("labels:\n  \"on\": x\n  $0", &["team name"], &["on"]);
    check("labels:\n  team name: x\n  $0", &["on"], &["team name"]);
    check("labels:\n  app.kubernetes.io/name: x\n  $0", &["on"], &["app.kubernetes.io/name"]);
    check("labels:\n  \"😀\": x\n  $0", &["on"], &["name"]);
    check("labels: {\"😀\": x, $0}", &["on"], &["name"]);
}

#[test]
fn a_key_that_yaml_misreads_is_another_key() {
    // `on:` is the key true, so `"on"` is still missing.
    check("labels:\n  on: x\n  $0", &["on", "team name"], &[]);
}

#[test]
fn dedented_and_odd_columns() {
    check("ingress:\n  tls:\n    issuer:\n      name: a\n   $0", &["enabled"], &["host", "kind"]);
    check("ingress:\n  host: a\n $0", &["tls"], &["host", "replicas"]);
    check("image:\n  $0\n    tag: x\n", &["repository"], &["tag", "name"]);
    check("image:\n      $0\n  tag: x\n", &["repository"], &["tag", "name"]);
    check("  name: a\n  $0", &["replicas"], &["name"]);
    check("  name: a\n$0", &["replicas"], &["name"]);
    check("service:\n  type: NodePort\n   port: 80\n  $0", &["targetPort"], &["type", "name"]);
    check("image:\n\n\n  $0", &["tag"], &["name"]);
    check("image:   \n  $0", &["tag"], &["name"]);
    check_none("name: x\n  $0");
}

#[test]
fn tabs() {
    check("image:\n\t$0", &["tag"], &["name"]);
    check("image:\n\tt$0", &["tag"], &["name"]);
    check("image:\n  tag: x\n\t$0", &["repository"], &["tag", "name"]);
    check("logLevel:\t$0", &["warn"], &["name"]);
}

#[test]
fn comments_between() {
    check("env:\n- name: A\n  #! note\n  $0", &["value"], &["name"]);
    check("env:\n#! note\n- $0", &["name"], &["replicas"]);
    check("image:\n  # note\n  $0", &["tag"], &["name"]);
    check("image:\n# note\n  $0", &["tag"], &["name"]);
    check("image: # note\n  $0", &["tag"], &["name"]);
    check("image:\n  $0 # note", &["tag"], &["name"]);
    check("image:\n  t$0 # note", &["tag"], &["name"]);
    check("debug: $0 # note", &["true", "false"], &["name"]);
    check("# only comments\n\n$0", &["name", "image"], &["tag"]);
    check("$0\n# only comments\n", &["name", "image"], &["tag"]);
    check_none("name: x # $0");
    check_none("image: # t$0\n  tag: x");
}

#[test]
fn documents() {
    check("---\n$0", &["name"], &["tag"]);
    check("---\nimage:\n  $0", &["tag"], &["name"]);
    check("name: a\n---\n$0", &["name"], &["tag"]);
    check("name: a\n---\nreplicas: 1\n$0", &["name"], &["replicas"]);
    check("name: a\n$0\n---\nreplicas: 1\n", &["replicas"], &["name"]);
    check("name: a\n...\n$0", &["name"], &["tag"]);
    check("%YAML 1.2\n---\n$0", &["name"], &["tag"]);
    check("# note\n---\n# note\n$0", &["name"], &["tag"]);
    check_none("--- $0");
    check_none("name: a\n---$0");
}

#[test]
fn brackets() {
    check("containers:\n- name: a\n  ports:\n  - {name: x, $0}\n", &["containerPort"], &["name", "image"]);
    check("ingress: {tls: {$0", &["enabled"], &["host", "name"]);
    check("ingress: {tls: {$0}", &["enabled"], &["host", "name"]);
    check("ingress: {tls: {enabled: true}, $0}", &["host"], &["tls", "enabled"]);
    check("ingress: {tls: {enabled: $0}}", &["true"], &["host"]);
    check("ingress: {tls: {enabled:$0}}", &["true"], &["host"]);
    check("ingress: {tls: {enabled: t$0}}", &["true"], &["host"]);
    check("ingress: {\n  tls: {\n    $0\n  }\n}", &["enabled"], &["host", "name"]);
    check("image: {repository: x,\n  $0\n}", &["tag"], &["repository", "name"]);
    check("image: {repository: x,\n  t$0\nname: x", &["tag"], &["repository", "name"]);
    check("image: {$0\nname: x", &["tag"], &["name"]);
    check("image: {repository$0: x}", &["repository", "tag"], &["name"]);
    check("image: {tag: \"$0\"}", &[], &["name", "repository"]);
    check("image: {pullPolicy: \"$0\"}", &["Never"], &["name"]);
    check("image: {pullPolicy: \"N$0}", &["Never"], &["name"]);
    check("image: {tag: x}\n$0", &["name"], &["repository", "image"]);
    check("env: [$0]", &["{}"], &["name", "replicas"]);
    check("env: [{$0}]", &["name"], &["replicas"]);
    check("env: [{name: a}, {$0}]", &["name", "value"], &["replicas"]);
    check("env: [{name: a, secretRef: {$0}}]", &["key"], &["value"]);
    check_none("image: {tag: x $0}");
    check_none("image: {tag: x} $0");
}

#[test]
fn texts_of_several_lines() {
    check_none("name: |\n  text $0");
    check_none("name: |\n  $0");
    check_none("name: |\n  text\n  $0");
    check_none("name: |\n  text\n\n  $0\n");
    check("name: |\n  text\n$0", &["replicas"], &["name"]);
    check("image:\n  tag: >-\n    text\n  $0", &["repository"], &["tag", "name"]);
    check_none("name: \"a\n  b $0\"");
    check_none("name: \"a\n  $0\n  b\"");
    check_none("name: 'a\n  b$0'\n");
    check_none("name: a\n  b\n  $0");
    check("name: a\n  b\n$0", &["replicas"], &["name"]);
}

#[test]
fn after_a_value() {
    check_none("name: x $0");
    check_none("debug: true $0");
    check_none("logLevel: \"info\" $0");
    check_none("logLevel: \"info\"$0");
}

#[test]
fn half_typed_keys_above_and_below() {
    check("image:\n  re\n  ta$0", &["tag"], &["name"]);
    check("image:\n  re\n  $0", &["tag"], &["name"]);
    check("na\nre$0", &["replicas"], &["tag"]);
    check("na\n$0", &["replicas"], &["tag"]);
    check("env:\n- na$0\n  value: x\n", &["name"], &["value", "replicas"]);
    check("env:\n- na\n  va$0", &["value"], &["replicas"]);
    check("ima$0\n  tag: x\n", &["image"], &["tag"]);
    check("name: web\nre$0\nimage:\n  tag: x", &["replicas"], &["tag", "name", "image"]);
    check("image:\n  tag: x\n  re$0pository: y", &["repository"], &["tag", "name"]);
    check("image:\n  t$0ag: x\n  repository: y", &["tag", "pullPolicy"], &["repository"]);
    check("image$0:\n  tag: x", &["image", "service"], &["tag"]);
}

#[test]
fn damage_above() {
    check("<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> x\nimage:\n  $0", &["tag"], &["name"]);
    check("args: [a\nimage:\n  $0", &["tag"], &["name"]);
    check("args: {a\nimage:\n  $0", &["tag"], &["name"]);
    check("name: @x\nimage:\n  $0", &["tag"], &["name"]);
    check("name: a: b\nimage:\n  $0", &["tag"], &["name"]);
    check("name: *\nimage:\n  $0", &["tag"], &["name"]);
    check("- b\nimage:\n  $0", &["tag"], &[]);
    check("name: web\n- b\n$0", &["image"], &[]);
    check("image:\n  - b\n  $0", &[], &["name"]);
    check("name: 'web\nimage:\n  $0", &["tag"], &[]);
    check("name: >junk\nimage:\n  $0", &["tag"], &["name"]);
}

#[test]
fn deep_items() {
    check("containers:\n- name: main\n\n  ports:\n\n  - name: http\n\n    $0", &["containerPort"], &["name", "image"]);
    check("containers:\n- name: main\n  ports:\n  - name: http\n$0", &["name", "image"], &["containers", "protocol"]);
    check("containers:\n- name: main\n  ports:\n  - name: http\n- $0", &["name", "image"], &["protocol"]);
    check("containers:\n- name: main\n  ports:\n  - $0\n  image: x\n", &["containerPort"], &["image"]);
    check("containers:\n- name: main\n  ports:\n    - $0\n", &["containerPort"], &["image"]);
    check("containers:\n- ports:\n  - name: a\n  $0\n", &["image", "name"], &["ports", "protocol"]);
    check("containers:\n- ports:\n    - protocol: $0\n", &["TCP"], &["name"]);
    check("containers:\n- ports: [{protocol: $0}]\n", &["TCP"], &["name"]);
    check("env:\n- secretRef:\n    $0", &["name", "key"], &["value"]);
    check("env:\n- secretRef:\n  $0", &["name", "value"], &["key", "secretRef"]);
    check("env:\n- secretRef: $0", &["null", "key"], &["value"]);
}

#[test]
fn any_and_null() {
    check("extra:\n  $0", &["- "], &["name"]);
    check("extra:\n  a:\n    $0", &["- "], &["name"]);
    check("ingress:\n  $0", &["host", "tls"], &["null", "name"]);
    check("ingress: $0", &["null", "host"], &["name"]);
    check("ingress: n$0", &["null"], &["name"]);
    check("ingress:\n  tls: $0\n", &["enabled"], &["host"]);
    check_none("nothing:\n  $0");
}

#[test]
fn line_ends() {
    check("image:\r\n  $0\r\nname: x\r\n", &["tag"], &["name"]);
    check("name: x\r\n$0", &["image"], &["name"]);
    check("image:\r\n  tag: x\r\n  re$0\r\nname: y\r\n", &["repository"], &["tag", "name"]);
    check("logLevel: $0\r\nname: x\r\n", &["warn"], &["name"]);
}

#[test]
fn anchors_and_merges() {
    check("env:\n- &first\n  name: A\n- *$0", &["*first"], &["name"]);
    check("env:\n- &first\n  name: A\n- *fi$0", &["*first"], &["name"]);
    check("env:\n- &first {name: A}\n- $0", &["name"], &["replicas"]);
    check("image: &i\n  $0", &["tag"], &["name"]);
    check("image: &i\n  tag: x\n  $0", &["repository"], &["tag"]);
    check("env:\n- !t\n  name: A\n  $0", &["value"], &["name"]);
    let values = "#@data/values\n---\ncontainers:\n- &c\n  name: a\n  image: x\n- <<: *c\n  $0";
    check(values, &["ports", "probes"], &["name", "image", "replicas"]);
}

#[test]
fn templates() {
    check("#@data/values\n---\n$0", &["name"], &[]);
    check("#@data/values\n---\n#@ if True:\nname: x\n#@ end\n$0", &["image"], &[]);
    check("#@data/values\n---\n#@overlay/match-child-defaults missing_ok=True\nimage:\n  ta$0", &["tag"], &["name"]);
    check("#@data/values\n---\nimage: #@ x\n$0", &["name"], &["image"]);
    // Code has names of its own instead of keys.
    check("#@data/values\n---\nname: #@ le$0", &["len"], &["name", "image"]);
    // Values of another library, or no values at all.
    check_none("#- deployment.yml\n#@ load(\"@ytt:data\", \"data\")\n---\nkind: $0");
    check_none("#- other.yml\nimage:\n  $0");
}

#[test]
fn arrays_of_arrays() {
    let schema = "#- schema.yml\n#@data/values-schema\n---\nrows:\n- - name: \"\"\n    size: 1\nmatrix:\n- - 0\n";
    let values = |text: &str| format!("{schema}#- values.yml\n{text}");
    check_labels(&values("rows:\n- - $0"), expect!["name size"]);
    check_labels(&values("rows:\n- - name: a\n    $0"), expect!["size"]);
    check_labels(&values("rows:\n-\n  - name: a\n    $0"), expect!["size"]);
    check_labels(&values("rows:\n- - name: a\n  - $0"), expect!["name size"]);
    check_labels(&values("rows:\n- $0"), expect!["-  []"]);
    check_labels(&values("rows: [[{$0}]]"), expect!["name size"]);
    check_labels(&values("matrix:\n- - $0"), expect!["0"]);
}

#[test]
fn order_is_that_of_the_schema() {
    let schema =
        "#- schema.yml\n#@data/values-schema\n---\nzeta: 1\n#@schema/deprecated \"use zeta\"\nalpha: 1\nmid: 1\n";
    check_labels(&format!("{schema}#- values.yml\n$0"), expect!["zeta mid alpha"]);
}

#[test]
fn what_other_items_have_where_no_schema_speaks() {
    let schema = "#- schema.yml\n#@data/values-schema\n---\n#@schema/type any=True\nfree:\n";
    let values = |text: &str| format!("{schema}#- values.yml\n{text}");
    check_labels(&values("free:\n- name: a\n  port: 1\n- name: b\n  $0"), expect!["port"]);
    check_labels(&values("free:\n- name: a\n  port: 1\n- po$0"), expect!["name port"]);
    check_labels(&values("free:\n- kind: a\n- kind: \"b c\"\n- kind: $0"), expect![[r#"a "b c""#]]);
    check_labels(&values("free:\n- {kind: a}\n- {$0}"), expect!["kind"]);
    check_labels(&values("free:\n  kind: $0"), expect![""]);
    check_labels(&values("- kind: a\n- k$0"), expect!["kind"]);
    // Not a ytt file: nothing is offered.
    check_labels("#- other.yml\n- kind: a\n- k$0", expect![""]);
}
