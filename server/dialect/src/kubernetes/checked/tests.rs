//! What is wrong in resources beside each other, in a file that is read for the first time and after edits.

use super::{Checked, SWEEP};
use crate::DocumentsView;
use crate::kubernetes::SEMANTICS;
use crate::kubernetes::beside::tests::pod;
use crate::kubernetes::rules::{missing_port, missing_volume, unmatched_selector};
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::{FileId, Options, lower};
use lofting_syntax::Tree;

fn findings(checked: &mut Checked, tree: &Tree) -> Vec<Diagnostic> {
    let documents = lower(FileId(0), tree, SEMANTICS.profile, Options::default());
    checked.findings(&DocumentsView { tree, documents: &documents })
}

/// The rules about workloads.
const OF_WORKLOADS: [&Rule; 3] = [&missing_port::RULE, &missing_volume::RULE, &unmatched_selector::RULE];

/// What is found about workloads in a text, with the text at its place.
fn said(text: &str) -> Vec<String> {
    let found = findings(&mut Checked::default(), &lofting_syntax::parse(text));
    found
        .iter()
        .filter(|found| OF_WORKLOADS.contains(&found.rule))
        .map(|found| format!("{}: {}", &text[found.span.range()], found.message))
        .collect()
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
    // What cannot be the name of a port is reported for that alone.
    for port in ["Htpt", "'260'", "a--b", "much-too-long-to-be-one"] {
        assert_eq!(said(&pod("cargo", port)), none, "{port}");
    }
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
    // Their template may have no labels at all, unless some are filled in.
    let bare = |metadata: &str| said(&text.replace("metadata: {labels: {app: boat, tier: sea}}", metadata));
    for metadata in ["", "metadata: {}", "metadata: {annotations: {a: b}}", "metadata: {labels: {}}"] {
        assert_eq!(bare(metadata)[0], "app: the pods of this workload have no label `app: ship`", "{metadata}");
    }
    let computed = [
        "metadata: *metadata",
        "metadata: {<<: *metadata}",
        "<<: *template",
        "metadata: {labels: *labels}",
        "metadata: {labels: {<<: *labels}}",
        "metadata: {labels: {app: '${app}'}}",
        "metadata:",
        "metadata: {labels: }",
        "metadata: {'${labels}': {}}",
    ];
    for metadata in computed {
        assert_eq!(bare(metadata), [""; 0], "{metadata}");
    }
}

#[test]
fn workloads_meet_the_expressions_of_their_selector() {
    let of = |expression: &str| {
        let selector = format!("matchExpressions: [{{{expression}}}]");
        said(&bundle("app: boat", "http").replace("matchLabels: {app: boat}", &selector))
    };
    for met in [
        "key: app, operator: In, values: [ship, boat]",
        "key: app, operator: NotIn, values: [ship]",
        "key: other, operator: NotIn, values: [ship]",
        "key: app, operator: Exists",
        "key: other, operator: DoesNotExist",
        "key: '${key}', operator: Exists",
        "key: app, operator: In, values: [ship, '${app}']",
        "key: app, operator: In, values: *values",
        "key: app, operator: In, values: []",
        "key: app, operator: Is, values: [ship]",
    ] {
        assert_eq!(of(met), [""; 0], "{met}");
    }
    for (unmet, why) in [
        (
            "key: app, operator: In, values: [ship]",
            "app: the pods of this workload have the label `app: boat`, which is none of these values",
        ),
        ("key: other, operator: In, values: [a]", "other: the pods of this workload have no label `other`"),
        (
            "key: app, operator: NotIn, values: [boat]",
            "app: the pods of this workload have the label `app: boat`, which is one of these values",
        ),
        ("key: other, operator: Exists", "other: the pods of this workload have no label `other`"),
        (
            "key: app, operator: DoesNotExist",
            "app: the pods of this workload have the label `app`, which should not exist",
        ),
    ] {
        assert_eq!(of(unmet), [why], "{unmet}");
    }
    let controller =
        bundle("app: boat", "http").replace("apps/v1", "v1").replace("Deployment", "ReplicationController");
    let controller = controller.replace("{matchLabels: {app: boat}}", "{app: boat}");
    assert_eq!(said(&controller), [""; 0]);
    assert_eq!(
        said(&controller.replacen("{app: boat}", "{app: ship}", 1)),
        ["app: the pods of this workload have no label `app: ship`"]
    );
}

/// Resources in which edits make mistakes and remove them.
const RESOURCES: [&str; 7] = [
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: NAME}\nspec:\n  selector: {matchLabels: {app: NAME}}\n  template:\n    \
     metadata: {labels: {app: NAME, all: \"yes\"}}\n    spec: {containers: [{name: a, image: b, ports: [{name: http, containerPort: 80}]}]}\n",
    "apiVersion: v1\nkind: Service\nmetadata: {name: NAME}\nspec:\n  selector: {app: NAME}\n  ports: [{port: 80, targetPort: http}]\n",
    "apiVersion: v1\nkind: Service\nmetadata: {name: NAME, namespace: near}\nspec:\n  selector: {all: \"yes\", app: NAME}\n  ports: [{port: 80, protocol: TCP, targetPort: http}]\n",
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\ndata: {app: http}\n",
    "# NAME app: http\n",
    "apiVersion: example.com/v1\nkind: Boat\nmetadata: {name: NAME}\n",
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boats.http}\nspec:\n  group: http\n  \
     scope: Namespaced\n  names: {kind: Boat, plural: boats}\n  versions:\n  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n",
];

/// What replaces what.
const EDITS: [(&str, &str); 12] = [
    ("http", "htpt"),
    ("htpt", "http"),
    ("app: ", "appp: "),
    ("appp: ", "app: "),
    ("TCP", "TPC"),
    ("namespace: near", "namespace: far"),
    ("kind: Service", "kind: Servic"),
    ("kind: Servic\n", "kind: Service\n"),
    ("\n", "\n\n"),
    ("object", "string"),
    ("---\n", ""),
    ("kind", "\tkind"),
];

/// Numbers that look random and are the same in each run.
fn dice(state: &mut u64, end: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % end.max(1)
}

#[test]
fn what_is_found_after_edits_is_what_a_file_that_is_read_anew_has() {
    let mut state = 7;
    let mut found_at_all = 0;
    for round in 0..24 {
        let count = [3, 40, 300][round % 3];
        let resources =
            (0..count).map(|at| RESOURCES[dice(&mut state, RESOURCES.len())].replace("NAME", &format!("n{}", at % 11)));
        let resources: Vec<String> = resources.collect();
        let item = |text: &String| format!("- {}\n", text.trim_end().replace('\n', "\n  "));
        let mut text = match round % 2 {
            0 => resources.join("---\n"),
            _ => format!("apiVersion: v1\nkind: List\nitems:\n{}", resources.iter().map(item).collect::<String>()),
        };
        let mut tree = lofting_syntax::parse(&text);
        let mut checked = Checked::default();
        for _ in 0..25 {
            let known = findings(&mut checked, &tree);
            let fresh = findings(&mut Checked::default(), &lofting_syntax::parse(&text));
            found_at_all += fresh.len();
            assert!(known == fresh, "round {round}\n{text}");
            let (old, new) = EDITS[dice(&mut state, EDITS.len())];
            let places: Vec<usize> = text.match_indices(old).map(|(at, _)| at).collect();
            let Some(start) = places.get(dice(&mut state, places.len())) else { continue };
            let range = *start..start + old.len();
            text.replace_range(range.clone(), new);
            tree = tree.edit(range, new);
        }
    }
    assert!(found_at_all > 1_000, "the edits make mistakes");
}

/// A keystroke in one of many documents looks at few of them.
#[test]
fn an_edit_looks_at_what_it_touches() {
    for count in [1_000, 4_000] {
        let text: String =
            (0..count).map(|at| format!("---\n{}", RESOURCES[at % 4].replace("NAME", &format!("n{at}")))).collect();
        let mut checked = Checked::default();
        let tree = lofting_syntax::parse(&text);
        findings(&mut checked, &tree);
        let before = checked.parts.len();
        let at = text.len() / 2 + text[text.len() / 2..].find("data: {app: ").expect("data") + "data: {app: ".len();
        let edited = tree.edit(at..at, "x");
        findings(&mut checked, &edited);
        assert!(checked.parts.len() - before <= 6, "{} of {before}", checked.parts.len() - before);
    }
}

/// What earlier states had is forgotten, also while something is wrong.
#[test]
fn only_what_the_file_has_is_kept() {
    for name in ["http", "htpt"] {
        let text: String =
            (0..40).map(|at| format!("---\n{}", RESOURCES[at % 4].replace("NAME", &format!("n{at}")))).collect();
        let text = text.replace("targetPort: http", &format!("targetPort: {name}"));
        let mut checked = Checked::default();
        let mut tree = lofting_syntax::parse(&text);
        let at = text.find("data: {app: ").expect("data") + "data: {app: ".len();
        for _ in 0..SWEEP + SWEEP / 2 {
            findings(&mut checked, &tree);
            tree = tree.edit(at..at, "x");
        }
        assert!(checked.parts.len() <= 2 * SWEEP, "{} parts", checked.parts.len());
    }
}
