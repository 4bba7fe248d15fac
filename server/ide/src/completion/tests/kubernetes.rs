//! What resources of Kubernetes can have, without the schemas of their kinds.

use super::labels;
use crate::fixture::open;

/// A place at the end of a text, at the end of a document, and before other documents.
fn at_ends(text: &str) -> [String; 4] {
    [
        text.to_owned(),
        format!("{text}\n"),
        format!("{text}\n---\n"),
        format!("{text}\n---\napiVersion: v1\nkind: Pod\n"),
    ]
}

/// What is offered in a file with a resource that has a schema.
fn offered(text: &str) -> String {
    let governed = "apiVersion: example.com/v1\nkind: Boat\n---\n";
    labels(&open(&format!("{DEFINITION}#- own.yaml\n{governed}{text}"))).join(" ")
}

const POD: &str = "apiVersion: v1
kind: Pod
metadata: {name: a}
spec:
  volumes:
  - name: cargo
  - name: stores
  containers:
  - name: crew
    image: crew:1
    ports:
    - {name: http, containerPort: 80}
";

#[test]
fn empty_values_on_the_last_line_have_proposals() {
    for (below, wanted) in [
        ("    volumeMounts:\n    - mountPath: /a\n      name: $0", "cargo stores"),
        ("    volumeMounts:\n    - name: $0", "cargo stores"),
        ("    livenessProbe:\n      httpGet:\n        port: $0", "http"),
        ("    imagePullPolicy: $0", "Always IfNotPresent Never"),
        ("  restartPolicy: $0", "Always OnFailure Never"),
        ("  restartPolicy:\n    $0", "Always OnFailure Never"),
    ] {
        for text in at_ends(&format!("{POD}{below}")) {
            assert_eq!(offered(&text), wanted, "{text:?}");
        }
    }
    let references = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n---\n";
    for text in at_ends(&format!("{references}{POD}    envFrom:\n    - configMapRef:\n        name: $0")) {
        assert_eq!(offered(&text), "settings", "{text:?}");
    }
}

#[test]
fn words_fit_the_kind() {
    let pods = |kind: &str, version: &str, way: &str| {
        let depth = way.matches(' ').count();
        let mut text = format!("apiVersion: {version}\nkind: {kind}\n");
        for (depth, key) in way.split(' ').enumerate() {
            text.push_str(&format!("{}{key}:\n", "  ".repeat(depth)));
        }
        format!("{text}{}restartPolicy: $0\n", "  ".repeat(depth + 1))
    };
    for (kind, version, way, wanted) in [
        ("Deployment", "apps/v1", "spec template spec", "Always"),
        ("ReplicationController", "v1", "spec template spec", "Always"),
        ("Job", "batch/v1", "spec template spec", "OnFailure Never"),
        ("CronJob", "batch/v1", "spec jobTemplate spec template spec", "OnFailure Never"),
        ("PodTemplate", "v1", "template spec", "Always OnFailure Never"),
    ] {
        assert_eq!(offered(&pods(kind, version, way)), wanted, "{kind}");
    }
}

#[test]
fn words_are_offered_where_an_array_is_empty() {
    for (text, wanted) in [
        ("apiVersion: v1\nkind: LimitRange\nspec:\n  limits:\n  - type: $0\n", "Container Pod PersistentVolumeClaim"),
        (
            "apiVersion: v1\nkind: PersistentVolumeClaim\nspec:\n  accessModes: [$0]\n",
            "ReadWriteOnce ReadOnlyMany ReadWriteMany ReadWriteOncePod",
        ),
        ("apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nspec:\n  policyTypes:\n  - $0\n", "Ingress Egress"),
        (
            "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nwebhooks:\n- rules:\n  - \
             operations: [CREATE, $0]\n",
            "UPDATE DELETE CONNECT *",
        ),
    ] {
        assert_eq!(offered(text), wanted, "{text}");
    }
}

const DEFINITION: &str = "#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.example.com}
spec:
  group: example.com
  names: {kind: Boat, plural: boats}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
  - {name: v1alpha1, served: false, storage: false, schema: {openAPIV3Schema: {type: object}}}
";

#[test]
fn kinds_and_versions_are_offered() {
    for (text, wanted) in [
        ("apiVersion: apps/v1\nkind: $0", "ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet"),
        ("kind: $0\napiVersion: batch/v1\n", "CronJob Job"),
        ("apiVersion: batch/v1\nkind: $0\nmetadata:\n  name: a\nspec:\n  schedule: a\n", "CronJob Job"),
        ("apiVersion: example.com/v1\nkind: $0\n", "Boat"),
        ("kind: Boat\napiVersion: $0", "example.com/v1"),
        ("kind: HorizontalPodAutoscaler\napiVersion: $0\n", "autoscaling/v2 autoscaling/v1"),
        ("apiVersion: v1\nkind: List\nitems:\n- apiVersion: batch/v1\n  kind: $0\n", "CronJob Job"),
        ("apiVersion: v1\nkind: Pod\n---\napiVersion: batch/v1\nkind: \"$0\"\n", "CronJob Job"),
    ] {
        let fixture = open(&format!("{DEFINITION}#- own.yaml\n{text}"));
        assert_eq!(labels(&fixture).join(" "), wanted, "{text}");
    }
    for text in ["kind: $0", "kind: Dep$0", "kind: D$0\nmetadata:\n  name: a\n"] {
        let labels = labels(&open(&format!("{DEFINITION}#- own.yaml\n{text}")));
        assert!(["Boat", "Deployment", "Pod"].iter().all(|kind| labels.iter().any(|label| label == kind)), "{text}");
    }
    for (text, wanted) in [
        ("kind: Deployment\n$0", "apiVersion: apps/v1"),
        ("kind: Deployment\nap$0", "apiVersion: apps/v1"),
        ("$0\nkind: Deployment\nmetadata:\n  name: a\n", "apiVersion: apps/v1"),
        ("kind: Boat\na$0\n", "apiVersion: example.com/v1"),
        ("kind: HorizontalPodAutoscaler\n$0", "apiVersion: autoscaling/v2 apiVersion: autoscaling/v1"),
        ("apiVersion: v1\nkind: Pod\n---\nkind: Job\n$0", "apiVersion: batch/v1"),
        ("apiVersion: batch/v1\n$0", "kind metadata"),
        ("kind: boats\n$0", ""),
        ("apiVersion: 3\n$0", ""),
        ("sort: a\n$0", ""),
    ] {
        assert_eq!(labels(&open(&format!("{DEFINITION}#- own.yaml\n{text}"))).join(" "), wanted, "{text}");
    }
    for text in ["kind: $0\nboats: 1\n", "a:\n  kind: $0\n", "kinds: $0\n"] {
        assert_eq!(offered(text), "", "{text}");
    }
}

/// Where something names a schema for a file, its values are meant.
#[test]
fn kinds_are_those_of_the_schema_of_a_file() {
    let schema = "#- s.json\n{\"properties\": {\"kind\": {\"enum\": [\"fast\", \"slow\"]}, \"apiVersion\": {\"const\": \"mine/v1\"}}}\n";
    for (head, text, wanted) in [
        ("# $schema: s.json\n", "kind: $0\n", "fast slow"),
        ("# $schema: s.json\n", "kind: f$0\n", "fast slow"),
        ("# $schema: s.json\n", "apiVersion: $0\n", "mine/v1"),
        ("# $schema: s.json\n", "apiVersion: apps/v1\nkind: $0", "fast slow"),
    ] {
        let labels = labels(&open(&format!("{schema}#- own.yaml\n{head}{text}")));
        assert_eq!(labels.join(" "), wanted, "{text}");
    }
    let configured = "#- lofting.toml\n[[schemas]]\npath = \"s.json\"\nfiles = [\"own.yaml\"]\n";
    let labels = labels(&open(&format!("{schema}{configured}#- own.yaml\nkind: $0\n")));
    assert_eq!(labels.join(" "), "fast slow");
}

#[test]
fn ports_are_integers_where_they_are_numbers() {
    let service =
        "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports:\n  - {name: http, port: 8080}\n---\n";
    let ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a}\nspec:\n  defaultBackend:\n    \
                   service:\n      name: web\n      port:\n        ";
    let route = "apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a}\nspec:\n  rules:\n  - \
                 backendRefs:\n    - name: web\n      port: ";
    for (text, wanted) in [
        (format!("{ingress}number: $0\n"), "8080"),
        (format!("{ingress}number: 8$0\n"), "8080"),
        (format!("{ingress}name: $0\n"), "http"),
        (format!("{ingress}name: h$0\n"), "http"),
        (format!("{route}$0\n"), "8080"),
        (format!("{route}80$0\n"), "8080"),
    ] {
        let fixture = open(&format!("#- own.yaml\n{service}{text}"));
        let texts: Vec<String> = fixture.completions(false).into_iter().map(|item| item.edit.1).collect();
        assert_eq!(texts, [wanted], "{text}");
    }
}

/// What obviously comes next, without the schema of a kind.
#[test]
fn next_words_are_offered() {
    let service = "---\napiVersion: v1\nkind: Service\nspec:\n  ";
    let labelled = POD.replace("{name: a}", "{name: a, labels: {app: boat}}");
    for (text, wanted) in [
        (format!("{POD}    resources:\n      limits:\n        $0"), "cpu memory ephemeral-storage"),
        (format!("{POD}    resources:\n      limits:\n        cpu: 1\n        $0"), "memory ephemeral-storage"),
        (format!("{labelled}{service}selector:\n    $0"), "app: boat"),
        (format!("{labelled}{service}selector: {{app: boat}}\n  ports:\n  - port: 80\n    targetPort: $0\n"), "http"),
        (format!("{labelled}{service}selector: {{app: raft}}\n  ports:\n  - port: 80\n    targetPort: $0\n"), ""),
        (
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules:\n- verbs: [get, list, $0]\n".to_owned(),
            "watch create update patch delete deletecollection *",
        ),
        (
            "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nspec:\n  scaleTargetRef:\n    kind: $0\n"
                .to_owned(),
            "Deployment StatefulSet ReplicaSet",
        ),
    ] {
        assert_eq!(offered(&text), wanted, "{text}");
    }
}

/// The name of another item of the same array is taken; that of an item elsewhere may be meant.
#[test]
fn names_beside_are_taken() {
    let boats = "#- own.yaml\n# yaml-language-server: $schema=s.json\n";
    let schema = "#- s.json\n{\"properties\": {\"crews\": {\"items\": {\"properties\": {\"env\": {\"items\": \
                  {\"properties\": {\"name\": {\"type\": \"string\"}}}}}}}}}\n";
    let text = "crews:\n- env:\n  - name: A\n- env:\n  - name: B\n  - name: $0\n";
    assert_eq!(labels(&open(&format!("{schema}{boats}{text}"))).join(" "), "A");
}
