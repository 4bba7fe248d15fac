//! Names of resources, and paths in kustomizations.

use crate::fixture::{Fixture, open};
use crate::rename::tests::renamed;
use crate::{goto_definition, references};
use expect_test::expect;

/// Named resources, and what names each of them at `NAME`: `kind version | reference`.
const NAMERS: [(&str, &str, &str); 13] = [
    (
        "apps/v1",
        "Deployment",
        "kind: HorizontalPodAutoscaler\nspec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: NAME}}",
    ),
    (
        "apps/v1",
        "StatefulSet",
        "kind: HorizontalPodAutoscaler\nspec: {scaleTargetRef: {kind: StatefulSet, name: NAME}}",
    ),
    ("rbac.authorization.k8s.io/v1", "Role", "kind: RoleBinding\nroleRef: {kind: Role, name: NAME}"),
    (
        "rbac.authorization.k8s.io/v1",
        "ClusterRole",
        "kind: ClusterRoleBinding\nroleRef: {kind: ClusterRole, name: NAME}",
    ),
    ("v1", "ServiceAccount", "kind: RoleBinding\nsubjects: [{kind: ServiceAccount, name: NAME}]"),
    (
        "v1",
        "Service",
        "kind: ValidatingWebhookConfiguration\nwebhooks: [{clientConfig: {service: {name: NAME, namespace: default}}}]",
    ),
    ("v1", "Service", "kind: APIService\nspec: {service: {name: NAME}}"),
    ("v1", "PersistentVolumeClaim", "kind: Pod\nspec: {volumes: [{persistentVolumeClaim: {claimName: NAME}}]}"),
    ("v1", "Service", "kind: StatefulSet\nspec: {serviceName: NAME}"),
    ("networking.k8s.io/v1", "IngressClass", "kind: Ingress\nspec: {ingressClassName: NAME}"),
    ("gateway.networking.k8s.io/v1", "GatewayClass", "kind: Gateway\nspec: {gatewayClassName: NAME}"),
    ("node.k8s.io/v1", "RuntimeClass", "kind: Pod\nspec: {runtimeClassName: NAME}"),
    ("v1", "Secret", "kind: ServiceAccount\nimagePullSecrets: [{name: NAME}]"),
];

/// The version of what names something.
fn version(namer: &str) -> &'static str {
    for (kind, version) in [
        ("kind: HorizontalPodAutoscaler", "autoscaling/v2"),
        ("kind: RoleBinding", "rbac.authorization.k8s.io/v1"),
        ("kind: ClusterRoleBinding", "rbac.authorization.k8s.io/v1"),
        ("kind: Validating", "admissionregistration.k8s.io/v1"),
        ("kind: APIService", "apiregistration.k8s.io/v1"),
        ("kind: StatefulSet", "apps/v1"),
        ("kind: Ingress", "networking.k8s.io/v1"),
        ("kind: Gateway", "gateway.networking.k8s.io/v1"),
    ] {
        if namer.starts_with(kind) {
            return version;
        }
    }
    "v1"
}

/// A resource that is named in another file. `$0` is the cursor.
fn pair((named, kind, namer): (&str, &str, &str), declared: &str, written: &str) -> Fixture {
    let from = namer.replace("NAME", written);
    let first = format!("#- a.yaml\napiVersion: {named}\nkind: {kind}\nmetadata: {{name: {declared}}}\n");
    open(&format!("{first}#- b.yaml\napiVersion: {}\n{from}\n", version(namer)))
}

fn shown(fixture: &Fixture) -> Vec<String> {
    let found = goto_definition(&fixture.snapshot, fixture.file, fixture.offset);
    let path = |span: lofting_document::Span| fixture.snapshot.shown_path(span.file);
    found
        .iter()
        .map(|found| format!("{} {}", &fixture.text[found.origin.clone()], path(found.target_selection)))
        .collect()
}

#[test]
fn resources_are_followed_renamed_and_completed_in_both_directions() {
    for namer in NAMERS {
        assert_eq!(shown(&pair(namer, "web", "w$0eb")), ["web a.yaml"], "{namer:?}");
        let from_name = pair(namer, "w$0eb", "web");
        assert_eq!(references(&from_name.snapshot, from_name.file, from_name.offset, false).len(), 1, "{namer:?}");
        for fixture in [from_name, pair(namer, "web", "w$0eb")] {
            assert_eq!(renamed(&fixture, "shop").matches("shop").count(), 2, "{namer:?}");
        }
        for typed in ["$0", "w$0"] {
            let labels: Vec<String> =
                pair(namer, "web", typed).completions(false).into_iter().map(|item| item.label).collect();
            assert_eq!(labels, ["web"], "{namer:?}");
        }
    }
}

const KUSTOMIZATION: &str = "#- base/kustomization.yaml
resources: []
#- over/deployment.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
#- over/patches/replicas.yaml
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2}
#- pod.yaml
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {containers: [{envFrom: [{configMapRef: {name: settings}}]}]}
#- over/kustomization.yaml
";

fn over(text: &str) -> Fixture {
    open(&format!("{KUSTOMIZATION}{text}"))
}

#[test]
fn paths_in_kustomizations_are_followed_and_completed() {
    for (text, want) in [
        ("resources: [../ba$0se]\n", "../base base/kustomization.yaml"),
        ("resources:\n- deploy$0ment.yaml\n", "deployment.yaml over/deployment.yaml"),
        ("patches: [{path: 'patches/repl$0icas.yaml'}]\n", "patches/replicas.yaml over/patches/replicas.yaml"),
        ("configMapGenerator: [{name: a, files: [k=deployment$0.yaml]}]\n", "deployment.yaml over/deployment.yaml"),
    ] {
        assert_eq!(shown(&over(text)), [want], "{text}");
    }
    for (text, want) in [
        ("resources:\n- $0\n", "deployment.yaml, patches/, ../"),
        ("resources:\n- ../$0\n", "base, base/, over/, pod.yaml, ../"),
        ("resources: [../b$0]\n", "base, base/, over/, pod.yaml, ../"),
        ("components:\n- ../$0\n", "base, base/, over/, ../"),
        ("patches:\n- path: patches/$0\n", "replicas.yaml"),
        ("patches: [{path: \"patches/r$0\"}]\n", "replicas.yaml"),
    ] {
        let mut labels: Vec<String> = over(text).completions(false).into_iter().map(|item| item.label).collect();
        labels.sort();
        let mut wanted: Vec<&str> = want.split(", ").collect();
        wanted.sort_unstable();
        assert_eq!(labels, wanted, "{text}");
    }
    let fixture = over("resources:\n- ../b$0\n");
    let items = fixture.completions(false);
    let item = items.iter().find(|item| item.label == "base").expect("a folder");
    assert_eq!(fixture.accept(item), "resources:\n- ../base\n");
}

#[test]
fn what_a_kustomization_makes_and_patches_has_names() {
    let generated = "configMapGenerator: [{name: sett$0ings, literals: [a=b]}]\n";
    expect![[r#"
        over/kustomization.yaml: configMapGenerator: [{name: other, literals: [a=b]}]
        pod.yaml: spec: {containers: [{envFrom: [{configMapRef: {name: other}}]}]}
    "#]]
    .assert_eq(&renamed(&over(generated), "other"));
    let patched =
        "apiVersion: kustomize.config.k8s.io/v1beta1\npatches: [{target: {kind: Deployment, name: w$0eb}, patch: x}]\n";
    expect![[r#"
        over/deployment.yaml: metadata: {name: shop}
        over/kustomization.yaml: patches: [{target: {kind: Deployment, name: shop}, patch: x}]
        over/patches/replicas.yaml: metadata: {name: shop}
    "#]]
    .assert_eq(&renamed(&over(patched), "shop"));
}

/// A kustomization need not say what it is, and counts replicas by the name.
#[test]
fn whatever_a_kustomization_is_for_is_renamed() {
    let text = "resources: [deployment.yaml]\nreplicas: [{name: w$0eb, count: 2}]\npatches: [{target: {kind: Deployment, name: web}, patch: x}]\n";
    let renamed_with = "apiVersion: kustomize.config.k8s.io/v1beta1\n";
    for text in [text.to_owned(), format!("{renamed_with}{text}")] {
        assert_eq!(renamed(&over(&text), "shop").matches("shop").count(), 4, "{text}");
    }
}

/// What need not be there is renamed with what it names, and is not reported.
#[test]
fn what_is_optional_is_renamed() {
    let namers = [
        "v1\nkind: Pod\nmetadata: {name: p}\nspec: {containers: [{name: c, image: c, envFrom: [{secretRef: {name: web, optional: true}}]}]}",
        "v1\nkind: Pod\nmetadata: {name: p}\nspec: {volumes: [{name: v, secret: {secretName: web, optional: true}}], containers: []}",
        "rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r}\nrules: [{apiGroups: [''], resources: [secrets], resourceNames: [web], verbs: [get]}]",
    ];
    for namer in namers {
        let secret = format!(
            "#- a.yaml\napiVersion: v1\nkind: Secret\nmetadata: {{name: $0web}}\n#- b.yaml\napiVersion: {namer}\n"
        );
        assert_eq!(renamed(&open(&secret), "shop").matches("shop").count(), 2, "{namer}");
    }
}

/// Whatever part of the target it is asked at.
#[test]
fn targets_of_patches_lead_to_all_that_they_select() {
    let resources = "resources: [deployment.yaml, ../pod.yaml]\nconfigMapGenerator: [{name: web-settings}]\n";
    for (target, want) in [
        ("{name: we$0b.*}", vec!["web over/deployment.yaml", "web-settings over/kustomization.yaml"]),
        ("{kind: 'Deploy$0ment|Pod'}", vec!["web over/deployment.yaml", "p pod.yaml"]),
        ("{kind: $0ConfigMap}", vec!["web-settings over/kustomization.yaml"]),
        ("{version: v1, group: ap$0ps}", vec!["web over/deployment.yaml"]),
        ("{labelSelector: 'a$0=b'}", vec![]),
    ] {
        let fixture = over(&format!("{resources}patches: [{{target: {target}, patch: x}}]\n"));
        let mut found = shown(&fixture);
        let place = |shown: &String| shown.split_once(' ').map(|(_, place)| place.to_owned());
        found.iter_mut().for_each(|shown| *shown = place(shown).unwrap_or_default());
        let want: Vec<&str> = want.iter().filter_map(|want| want.split_once(' ')).map(|(_, place)| place).collect();
        assert_eq!(found, want, "{target}");
    }
}

#[test]
fn ports_are_renamed_as_what_they_are() {
    let text = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{name: NAME, port: PORT}]}\n---\napiVersion: \
                networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec: {defaultBackend: {service: {name: web, port: \
                {number: 80}}}, rules: [{http: {paths: [{backend: {service: {name: web, port: {name: http}}}}]}}]}\n";
    let of_number = text.replace("PORT", "$080").replace("NAME", "http");
    let refuses = |text: &str, new: &str| {
        let fixture = open(text);
        crate::rename::rename(&fixture.snapshot, fixture.file, fixture.offset, new).is_err()
    };
    assert!(refuses(&of_number, "http"));
    let of_name = text.replace("PORT", "80").replace("NAME", "$0http");
    for (text, new, count) in [(&of_number, "8080", 2), (&of_name, "web", 2)] {
        let fixture = open(text);
        let renamed = crate::rename::rename(&fixture.snapshot, fixture.file, fixture.offset, new).expect("a rename");
        assert_eq!(renamed.edits.len(), count, "{new}");
    }
    assert!(refuses(&of_name, "80"));
}
