use super::{at, findings, named};
use crate::inside::TextPlace;
use lofting_document::FileId;
use lofting_schema::Step;

const POD: &str = "
apiVersion: v1
kind: Pod
metadata: {name: boat}
spec:
  volumes:
  - name: cargo
  - name: &s stores
  containers:
  - name: crew
    image: crew:1
    ports: [{name: http, containerPort: 80}, {containerPort: 81}]
    volumeMounts: [{name: MOUNT, mountPath: /a}]
    livenessProbe: {httpGet: {port: PORT}}
";

/// What is found in a text, with the text at its place.
fn said(text: &str) -> Vec<String> {
    let found = findings(&lofting_syntax::parse(text), FileId(0));
    found.iter().map(|found| format!("{}: {}", &text[found.span.range()], found.message)).collect()
}

fn pod(mount: &str, port: &str) -> String {
    POD.replace("MOUNT", mount).replace("PORT", port)
}

#[test]
fn mounts_and_probes_name_what_the_pod_has() {
    let none: [&str; 0] = [];
    for (mount, port) in [("cargo", "http"), ("stores", "80"), ("'${volume}'", "'{{ .port }}'")] {
        assert_eq!(said(&pod(mount, port)), none, "{mount} {port}");
    }
    assert_eq!(said(&pod("'cagro'", "http")), ["cagro: the pod has no volume `cagro`"]);
    assert_eq!(
        said(&pod("&a cagro", "!!str htpt")),
        ["cagro: the pod has no volume `cagro`", "htpt: the container has no port `htpt`"]
    );
    // Patches leave out what they do not change.
    assert_eq!(said(&pod("other", "http").replace("    image: crew:1\n", "")), none);
    assert_eq!(said(&pod("other", "http").replace("- name: cargo", "- <<: *other")), none);
    assert_eq!(said(&pod("other", "http").replace("- name: cargo", "- #@ volume()")), none);
}

#[test]
fn one_misspelt_key_is_one_mistake() {
    let none: [&str; 0] = [];
    for (key, wrong) in
        [("    ports:", "    prots:"), ("    ports: [{name", "    ports: [{nmae"), ("    ports:", "    Ports:")]
    {
        assert_eq!(said(&pod("cargo", "htpt").replace(key, wrong)), none, "{wrong}");
    }
    for (key, wrong) in [("  volumes:", "  voluems:"), ("  - name: cargo", "  - nam: cargo")] {
        assert_eq!(said(&pod("other", "http").replace(key, wrong)), none, "{wrong}");
    }
    let bundle = bundle("app: ship", "htpt");
    for (key, wrong) in [
        ("labels: {app", "lables: {app"),
        ("    metadata: {labels", "    metdata: {labels"),
        ("  template:", "  tempalte:"),
    ] {
        assert_eq!(said(&bundle.replace(key, wrong)), none, "{wrong}");
    }
    // Another key is not the one that was meant.
    assert_eq!(
        said(&pod("other", "http").replace("  volumes:", "  others:")),
        ["other: the pod has no volume `other`"]
    );
}

#[test]
fn templates_of_pods_are_found_in_all_workloads() {
    let spec = pod("other", "http");
    let spec = spec.split_once("spec:\n").expect("a spec").1;
    let deep = |by: usize| spec.lines().map(|line| format!("{}{line}\n", " ".repeat(by))).collect::<String>();
    for (version, kind, head, by) in [
        ("apps/v1", "Deployment", "spec:\n  template:\n    spec:\n", 4),
        ("apps/v1", "DaemonSet", "spec:\n  template:\n    spec:\n", 4),
        ("batch/v1", "Job", "spec:\n  template:\n    spec:\n", 4),
        ("batch/v1", "CronJob", "spec:\n  jobTemplate:\n    spec:\n      template:\n        spec:\n", 8),
    ] {
        let text = format!("apiVersion: {version}\nkind: {kind}\n{head}{}", deep(by));
        assert_eq!(said(&text), ["other: the pod has no volume `other`"], "{kind}");
    }
    let head = "spec:\n  volumeClaimTemplates: [{metadata: {name: other}}]\n  template:\n    spec:\n";
    let text = format!("apiVersion: apps/v1\nkind: StatefulSet\n{head}{}", deep(4));
    assert_eq!(said(&text), [""; 0]);
    // Others have their own pods.
    assert_eq!(said(&text.replace("apps/v1", "example.com/v1").replace("name: other", "name: x")), [""; 0]);
}

fn bundle(selector: &str, target: &str) -> String {
    format!(
        "apiVersion: apps/v1
kind: Deployment
metadata: {{name: boat}}
spec:
  selector: {{matchLabels: {{app: boat}}}}
  template:
    metadata: {{labels: {{app: boat, tier: sea}}}}
    spec: {{containers: [{{name: a, image: b, ports: [{{name: http, containerPort: 80}}]}}]}}
---
apiVersion: v1
kind: Service
metadata: {{name: boat}}
spec:
  selector: {{{selector}}}
  ports: [{{port: 80, targetPort: {target}}}]
"
    )
}

#[test]
fn services_select_workloads_of_their_file() {
    let none: [&str; 0] = [];
    assert_eq!(said(&bundle("app: boat", "http")), none);
    assert_eq!(said(&bundle("app: boat, tier: sea", "80")), none);
    assert_eq!(said(&bundle("app: '${app}'", "x")), none);
    assert_eq!(said(&bundle("app: ship", "x")), ["selector: no workload beside it has these labels"]);
    assert_eq!(said(&bundle("app: boat", "htpt")), ["htpt: the pods that are selected have no port `htpt`"]);
    // Another namespace may have others, and so may other files.
    let elsewhere =
        bundle("app: ship", "x").replace("kind: Service\nmetadata: {", "kind: Service\nmetadata: {namespace: a, ");
    assert_eq!(said(&elsewhere.replacen("metadata: {name", "metadata: {namespace: b, name", 1)), none);
    let (_, alone) = elsewhere.split_once("---\n").expect("two");
    assert_eq!(said(alone), none);
}

#[test]
fn workloads_select_their_own_pods() {
    let text = bundle("app: boat", "http").replace("matchLabels: {app: boat}", "matchLabels: {app: ship}");
    assert_eq!(said(&text), ["app: the pods of this workload have no label `app: ship`"]);
    let patch =
        "apiVersion: apps/v1\nkind: Deployment\nspec: {selector: {matchLabels: {app: ship}}, template: {spec: {}}}\n";
    assert_eq!(said(patch), [""; 0]);
}

#[test]
fn names_lead_to_what_they_name() {
    for (way, text) in [("mount", pod("'cargo'", "http")), ("port", pod("cargo", "&a http"))] {
        let name = if way == "mount" { "cargo" } else { "http" };
        let offset = text.rfind(name).expect("a name");
        let found = named(&lofting_syntax::parse(&text), offset + 1).expect("a name");
        let shown: Vec<&str> = found.declared.iter().chain(&found.references).map(|at| &text[at.clone()]).collect();
        assert_eq!(shown, [name, name], "{way}");
        assert_eq!(found.origin.start, offset);
    }
    let text = pod("cargo", "http");
    assert!(named(&lofting_syntax::parse(&text), text.find("crew").expect("a name")).is_none());
}

#[test]
fn names_are_proposed() {
    let text = pod("''", "http");
    let offset = text.find("''").expect("a name");
    let path: Vec<Step> = ["spec", "containers", "", "volumeMounts", "", "name"]
        .iter()
        .map(|key| if key.is_empty() { Step::Item } else { Step::Key((*key).into()) })
        .collect();
    let place = TextPlace { document: 0, path: &path, text: "", offset: 0, at: offset };
    let found = at(&lofting_syntax::parse(&text), &place).expect("names");
    let labels: Vec<&str> = found.proposals.iter().map(|proposal| proposal.label.as_str()).collect();
    assert_eq!(labels, ["cargo", "stores"]);
}
