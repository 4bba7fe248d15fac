//! What the API server of Kubernetes refuses, and what resources say about each other.

use crate::fixture::Fixture;

/// A definition of `Box` whose `spec` has these keywords.
fn definition(spec: &str) -> String {
    format!(
        "#- crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: boxes.example.com}}
spec:
  group: example.com
  names: {{kind: Box, plural: boxes}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {spec}
"
    )
}

/// The findings about a resource.
fn said(spec: &str, metadata: &str, value: &str) -> Vec<String> {
    let text = format!(
        "{}#- box.yaml\napiVersion: example.com/v1\nkind: Box\nmetadata: {metadata}\nspec: {value}\n",
        definition(spec)
    );
    let fixture = Fixture::scanned(&text);
    assert_eq!(fixture.diagnostics("crd.yaml"), "");
    let found = fixture.diagnostics("box.yaml");
    found.lines().map(|line| line.split_once("kubernetes/").map_or(line, |(_, rest)| rest).to_owned()).collect()
}

fn of_spec(spec: &str, value: &str) -> Vec<String> {
    said(spec, "{name: a}", value)
}

#[test]
fn only_declared_keys_are_accepted() {
    let none: [&str; 0] = [];
    let closed = "{type: object, properties: {a: {type: object}, b: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {c: {type: object}}}}}";
    assert_eq!(of_spec(closed, "{b: {d: 1, c: {}}}"), none);
    for (value, wrong) in [("{c: 1}", "`c`"), ("{a: {x: 1}}", "`x`"), ("{b: {c: {x: 1}}}", "`x`")] {
        let found = of_spec(closed, value);
        assert!(found.len() == 1 && found[0].starts_with("undeclared-key") && found[0].contains(wrong), "{found:?}");
    }
    // Alternatives restrict what the schema around them declares.
    let either = "{type: object, properties: {a: {type: integer}, b: {type: integer}}, anyOf: [{required: [a]}, {properties: {b: {minimum: 1}}}]}";
    assert_eq!(of_spec(either, "{a: 1, b: 0}"), none);
    for open in
        ["{type: object, additionalProperties: {type: integer}}", "{x-kubernetes-preserve-unknown-fields: true}"]
    {
        assert_eq!(of_spec(open, "{a: 1, b: 2}"), none, "{open}");
    }
}

/// Parts of a schema that only judge a value say nothing about other keys, at any depth.
#[test]
fn keys_that_a_part_of_the_schema_does_not_name_are_read() {
    let none: [&str; 0] = [];
    let properties = "properties: {a: {type: integer}, b: {type: string}, o: {type: object, properties: {p: {type: integer}, q: {type: integer}}}}";
    for part in [
        "allOf: [{properties: {a: {maximum: 2}}}]",
        "allOf: [{properties: {o: {properties: {p: {maximum: 2}}}}}]",
        "anyOf: [{properties: {a: {maximum: 2}}, required: [a]}, {required: [b]}]",
        "oneOf: [{properties: {a: {enum: [1]}}, required: [a]}, {properties: {a: {enum: [7]}}, required: [a]}]",
    ] {
        let spec = format!("{{type: object, {part}, {properties}}}");
        assert_eq!(of_spec(&spec, "{a: 1, b: x, o: {p: 1, q: 2}}"), none, "{part}");
        let wrong = of_spec(&spec, "{a: 5, o: {p: 5, q: 2}}");
        assert!(wrong.iter().all(|found| !found.starts_with("unread-key")), "{part}: {wrong:?}");
        let undeclared = of_spec(&spec, "{a: 1, b: x, o: {r: 1}}");
        assert!(undeclared.iter().any(|found| found.contains("`r`")), "{part}: {undeclared:?}");
    }
}

#[test]
fn items_are_unique() {
    let none: [&str; 0] = [];
    let set = "{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: NAME}}}}";
    for (of, value, is_wrong) in [
        ("string", "[a, b]", false),
        ("string", "[a, b, a]", true),
        ("number", "[1, 1.5]", false),
        ("number", "[1, 1.0]", true),
        ("string", "[a, 'a']", true),
    ] {
        let found = of_spec(&set.replace("NAME", of), &format!("{{a: {value}}}"));
        assert_eq!(found.len(), usize::from(is_wrong), "{value} {found:?}");
        assert!(found.iter().all(|found| found.starts_with("repeated-item")), "{found:?}");
    }
    let map = "{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id, p], items: \
               {type: object, required: [id], properties: {id: {type: integer}, p: {type: string, default: TCP}, x: {type: integer}}}}}}";
    assert_eq!(of_spec(map, "{a: [{id: 1}, {id: 2}, {id: 1, p: UDP}]}"), none);
    for value in ["[{id: 1}, {id: 1}]", "[{id: 1}, {id: 2}, {id: 1, p: TCP, x: 1}]", "[{id: 1}, {id: 1, p: null}]"] {
        let found = of_spec(map, &format!("{{a: {value}}}"));
        assert!(found.len() == 1 && found[0].starts_with("repeated-item"), "{value} {found:?}");
    }
}

#[test]
fn metadata_follows_the_conventions() {
    let spec = "{type: object}";
    let none: [&str; 0] = [];
    for metadata in [
        "{name: a.b-c}",
        "{generateName: a-}",
        "{name: a, labels: {app.kubernetes.io/name: 'A_b.c', empty: ''}}",
        "{name: a, annotations: {Example.com/Text: any thing}, finalizers: [example.com/a]}",
        "{name: a, creationTimestamp: null, ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u, controller: true}]}",
    ] {
        assert_eq!(said(spec, metadata, "{}"), none, "{metadata}");
    }
    for (metadata, code) in [
        ("{name: A}", "identity"),
        ("{name: a_b}", "identity"),
        ("{name: -a}", "identity"),
        ("{}", "identity"),
        ("{name: ''}", "identity"),
        ("{generateName: AB-}", "identity"),
        ("{name: a, namespace: a.b}", "identity"),
        ("{name: a, labels: {a b: c}}", "identity"),
        ("{name: a, labels: {a: b c}}", "identity"),
        ("{name: a, labels: {a: true}}", "type-mismatch"),
        ("{name: a, annotations: {/a: b}}", "identity"),
        ("{name: a, finalizers: [a b]}", "identity"),
        ("{name: a, finalizers: [orphan, foregroundDeletion]}", "identity"),
        ("{name: a, generation: -1}", "identity"),
        ("{name: a, label: {}}", "undeclared-key"),
        ("{name: a, ownerReferences: [{kind: Pod, name: p, uid: u}]}", "missing-key"),
        ("{name: a, ownerReferences: [{apiVersion: a/b/c, kind: Pod, name: p, uid: u}]}", "identity"),
        ("[]", "type-mismatch"),
    ] {
        let found = said(spec, metadata, "{}");
        assert!(found.len() == 1 && found[0].starts_with(code), "{metadata} {found:?}");
    }
}

#[test]
fn resources_inside_of_resources_are_resources() {
    let within = "{type: object, properties: {a: {type: object, x-kubernetes-embedded-resource: true, properties: {b: {type: integer}}}}}";
    let none: [&str; 0] = [];
    assert_eq!(of_spec(within, "{a: {apiVersion: v1, kind: Pod, b: 1}}"), none);
    assert_eq!(of_spec(within, "{a: {apiVersion: v1, kind: Pod, metadata: {name: A_b, labels: {a: b}}}}"), none);
    for (value, code) in [
        ("{kind: Pod}", "missing-key"),
        ("{apiVersion: v1}", "missing-key"),
        ("{apiVersion: a/b/c, kind: Pod}", "identity"),
        ("{apiVersion: v1, kind: 'Pod/x'}", "identity"),
        ("{apiVersion: v1, kind: Pod, metadata: {name: '..'}}", "identity"),
        ("{apiVersion: v1, kind: Pod, metadata: {x: 1}}", "undeclared-key"),
        ("{apiVersion: v1, kind: Pod, c: 1}", "undeclared-key"),
    ] {
        let found = of_spec(within, &format!("{{a: {value}}}"));
        assert!(found.len() == 1 && found[0].starts_with(code), "{value} {found:?}");
    }
}

/// A pod of a different kind, whose schema says nothing, and what is beside it.
fn beside(spec: &str, others: &str) -> Vec<String> {
    let pod = format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: a}}\nspec: {{{spec}}}\n");
    let schemas = "#- k8s/pod-v1.json\n{\"type\": \"object\"}\n#- k8s/configmap-v1.json\n{\"type\": \"object\"}\n#- lofting.toml\n[[schemas]]\nkubernetes = 'k8s'\n";
    let (own, elsewhere) =
        others.split_once("#- ").map_or((others, String::new()), |(own, rest)| (own, format!("#- {rest}")));
    let mut fixture = Fixture::scanned(&format!("{schemas}#- all.yaml\n{pod}{own}{elsewhere}"));
    // Bundles are read for open files.
    fixture.open("all.yaml", &format!("{pod}{own}"));
    let found = fixture.diagnostics("all.yaml");
    found.lines().map(|line| line.split_once("kubernetes/").map_or(line, |(_, rest)| rest).to_owned()).collect()
}

#[test]
fn names_are_looked_up_where_the_kind_is_in_the_same_file() {
    let config = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n";
    let elsewhere = format!("#- other.yaml\n{config}");
    let none: [&str; 0] = [];
    let volume = |name: &str| format!("volumes: [{{name: v, configMap: {{name: {name}}}}}]");
    let from =
        |name: &str| format!("containers: [{{name: c, image: i, envFrom: [{{configMapRef: {{name: {name}}}}}]}}]");
    for spec in [volume("settings"), from("settings"), volume("kube-root-ca.crt"), from("'{{ .name }}'")] {
        assert_eq!(beside(&spec, config), none, "{spec}");
    }
    for spec in [volume("setings"), from("setings")] {
        assert_eq!(beside(&spec, config), ["missing-referent there is no ConfigMap `setings` in this workspace"]);
        assert_eq!(beside(&spec, &elsewhere), none);
    }
    // A name that cannot be read may be the one.
    for unnamed in ["{nmae: setings}", "{generateName: setings}", "{name: '${NAME}'}"] {
        let other = format!("{config}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {unnamed}\n");
        let found = beside(&volume("setings"), &other);
        assert!(!found.iter().any(|found| found.starts_with("missing-referent")), "{found:?}");
    }
    let optional = "volumes: [{name: v, configMap: {name: setings, optional: true}}]";
    assert_eq!(beside(optional, config), none);
}

/// The findings about a definition in which one text is replaced by another.
fn defined(old: &str, new: &str) -> Vec<String> {
    let text = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
  scope: Namespaced
  conversion:
    strategy: Webhook
    webhook:
      conversionReviewVersions: [v1]
      clientConfig:
        caBundle: Cg==
        service: {name: a, namespace: b, path: /convert}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    selectableFields: [{jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {size: {type: integer}}}}
";
    assert!(text.contains(old), "{old}");
    let found = Fixture::scanned(&format!("#- crd.yaml\n{}", text.replace(old, new))).diagnostics("crd.yaml");
    found.lines().map(|line| line.split_once("kubernetes/").map_or(line, |(_, rest)| rest).to_owned()).collect()
}

#[test]
fn definitions_have_metadata_like_other_resources() {
    let none: [&str; 0] = [];
    let metadata = "{name: boxes.example.com}";
    let with = |more: &str| defined(metadata, &format!("{{name: boxes.example.com, {more}}}"));
    for more in ["labels: {a: b}", "creationTimestamp: null", "annotations: {a/b: c}", "finalizers: [a.b/c]"] {
        assert_eq!(with(more), none, "{more}");
    }
    for (more, code) in [
        ("labels: {a: '-'}", "identity"),
        ("annotations: {a b: c}", "identity"),
        ("finalizers: [a b]", "identity"),
        ("ownerReferences: [{apiVersion: v1, kind: A, name: a}]", "missing-key"),
        ("lables: {a: b}", "undeclared-key"),
    ] {
        let found = with(more);
        assert!(found.len() == 1 && found[0].starts_with(code), "{more} {found:?}");
    }
}

#[test]
fn definitions_in_groups_of_kubernetes_are_approved() {
    let none: [&str; 0] = [];
    let said = |group: &str| {
        defined("example.com", group).into_iter().filter(|found| found.starts_with("api-approval")).count()
    };
    assert_eq!(said("sea.k8s.io"), 1);
    assert_eq!(said("kubernetes.io"), 1);
    assert_eq!(said("xk8s.io"), 0);
    for (value, count) in [("https://a.b/c", 0), ("'unapproved, new'", 0), ("a.b/c", 1), ("'https:///c'", 1), ("''", 1)]
    {
        let annotated =
            format!("sea.k8s.io, annotations: {{api-approved.kubernetes.io: {value}}}}}\nspec:\n  group: sea.k8s.io\n");
        let found = defined("example.com}\nspec:\n  group: example.com\n", &annotated);
        assert_eq!(found.iter().filter(|found| found.starts_with("api-approval")).count(), count, "{value} {found:?}");
    }
    assert_eq!(defined("b", "b"), none);
}

#[test]
fn what_a_definition_needs_is_not_empty() {
    for (old, new, code) in [
        ("group: example.com", "group: ''", "min-len"),
        ("plural: boxes", "plural: ''", "min-len"),
        ("kind: Box", "kind: ''", "min-len"),
        ("- name: v1", "- name: ''", "min-len"),
        ("name: Size", "name: ''", "min-len"),
        ("integer, jsonPath: .spec.size", "integer, jsonPath: ''", "field-path"),
        ("[{jsonPath: .spec.size", "[{jsonPath: ''", "field-path"),
        ("name: a,", "name: '',", "min-len"),
        ("/convert", "/con//vert", "conversion"),
        ("/convert", "/Convert", "conversion"),
        ("/convert", "convert", "conversion"),
        ("Cg==", "Cg", "conversion"),
        ("Cg==", "'-'", "conversion"),
        (
            "        type: object\n        properties",
            "        type: object\n        $schema: x\n        properties",
            "unsupported-keyword",
        ),
    ] {
        let found = defined(old, new);
        assert!(found.iter().any(|found| found.starts_with(code)), "{new} {found:?}");
    }
    for (old, new) in [("/convert", "/"), ("/convert", "/a.b/c/"), ("Cg==", "\"Cg\\n==\"")] {
        assert_eq!(defined(old, new), [""; 0], "{new}");
    }
}

/// The findings about a resource of one of Kubernetes' own kinds, whose schema has the form of the built-in ones.
fn of_own_kind(resource: &str) -> Vec<String> {
    let schema = r##"{"$ref": "#/definitions/Pod", "definitions": {
  "Pod": {"type": "object", "properties": {
    "apiVersion": {"type": "string", "enum": ["v1"]}, "kind": {"type": "string", "enum": ["Pod"]},
    "metadata": {"$ref": "#/definitions/Meta", "description": "Its name."},
    "spec": {"type": "object", "properties": {"containers": {"type": "array", "x-kubernetes-patch-merge-key": "name",
      "items": {"type": "object", "properties": {"name": {"type": "string"}, "image": {"type": "string"}}}}}}}},
  "Meta": {"type": "object", "properties": {"name": {"type": "string"}, "generateName": {"type": "string"}, "labels":
    {"type": "object", "additionalProperties": {"type": "string"}}}}}}"##;
    let schema = schema.replace('\n', " ");
    let schemas = format!("#- k8s/pod-v1.json\n{schema}\n#- lofting.toml\n[[schemas]]\nkubernetes = 'k8s'\n");
    let mut fixture = Fixture::scanned(&format!("{schemas}#- pod.yaml\n{resource}"));
    fixture.open("pod.yaml", resource);
    let found = fixture.diagnostics("pod.yaml");
    found.lines().map(|line| line.split([' ', '/']).nth(2).unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_schema_of_one_version_and_kind_says_which_names_the_server_takes() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: boat, labels: {app: boat}}\nspec:\n  containers:\n  \
               - {name: crew, image: crew:1}\n  - {name: cook, image: cook:1}\n";
    let none: [&str; 0] = [];
    assert_eq!(of_own_kind(pod), none);
    assert_eq!(of_own_kind(&pod.replace("name: boat", "generateName: boat-")), none);
    for (right, wrong, code) in [
        ("name: boat", "name: Boat", "identity"),
        ("name: boat, ", "", "identity"),
        ("metadata: {name: boat, labels: {app: boat}}\n", "", "identity"),
        ("app: boat", "app: b oat", "identity"),
        ("image: crew:1", "image: crew:1, bunk: 1", "undeclared-key"),
        // It is one mistake, although the schema tells the items apart as well.
        ("name: cook", "name: crew", "repeated-name"),
    ] {
        assert_eq!(of_own_kind(&pod.replacen(right, wrong, 1)), [code], "{wrong}");
    }
}

#[test]
fn a_kind_or_version_that_is_no_string_is_reported_once() {
    for value in ["{a: b}", "[a]", "17", "true"] {
        for version in ["v1", "apps/v1", "example.com/v1"] {
            for (head, place) in [
                (format!("apiVersion: {version}\nkind: {value}"), "2:7 "),
                (format!("apiVersion: {value}\nkind: Pod"), "1:13 "),
            ] {
                let text = format!("#- a.yaml\n{head}\nmetadata: {{name: x}}\n");
                let found = Fixture::scanned(&text).diagnostics("a.yaml");
                assert!(found.lines().count() == 1 && found.starts_with(place), "{head}\n{found}");
            }
        }
    }
}

/// A key that no schema has is only that, wherever it is, and a keyword that no definition can have as well.
#[test]
fn a_key_of_a_definition_is_refused_once() {
    let definition = definition("{type: object, properties: {a: {type: string}}}");
    let with_status =
        definition.replacen("    storage: true\n", "    storage: true\n    subresources: {status: {}}\n", 1);
    for (key, code) in
        [("propertiesz: {}", "undeclared-key"), ("$ref: '#/a'", "unsupported-keyword"), ("anyOf: [{}]", "")]
    {
        for place in ["        type: object\n", "          metadata:\n            type: object\n"] {
            let metadata = "        properties:\n          metadata:\n            type: object\n";
            let text = with_status.replacen("        properties:\n", metadata, 1);
            let blanks = &place[..place.rfind("type").unwrap()].rsplit('\n').next().unwrap().len();
            let text = text.replacen(place, &format!("{place}{}{key}\n", " ".repeat(*blanks)), 1);
            let found = Fixture::scanned(&text).diagnostics("crd.yaml");
            assert_eq!(found.lines().count(), 1, "{text}{found}");
            assert!(code.is_empty() || found.contains(code), "{found}");
        }
    }
}

#[test]
fn versions_that_the_definition_does_not_serve() {
    let version = |name: &str, served: &str| {
        format!(
            "  - name: {name}\n    served: {served}\n    storage: false\n    schema: {{openAPIV3Schema: {{type: object, x-kubernetes-preserve-unknown-fields: true}}}}\n"
        )
    };
    let spec = "{type: object, properties: {size: {type: integer}}}";
    let said = |versions: &[String], written: &str| {
        let text = format!(
            "{}{}#- box.yaml\napiVersion: {written}\nkind: Box\nmetadata: {{name: a}}\nspec: {{size: x}}\n",
            definition(spec),
            versions.concat()
        );
        Fixture::scanned(&text).diagnostics("box.yaml")
    };
    let own = [version("v1beta1", "false"), version("v1alpha1", "true")];
    for (versions, written, expected) in [
        (&own[..], "example.com/v1beta1", "`Box` is not served in the version `example.com/v1beta1`"),
        (&own[..], "example.com/v2", "the definition of `Box` has no version `example.com/v2`"),
        (&own[..], "example.com/v1alpa1", "the definition of `Box` has no version `example.com/v1alpa1`"),
        (&own[..0], "example.com/v1beta1", "the definition of `Box` has no version `example.com/v1beta1`"),
        (&own[..], "example.com/v1", "`size` should be an integer, but is the string \"x\""),
    ] {
        let found = said(versions, written);
        assert!(found.lines().count() == 1 && found.contains(expected), "{written}: {found}");
    }
    // A group of its own, or a version that is served.
    for written in ["other.org/v1beta1", "example.com/v1alpha1"] {
        assert_eq!(said(&own, written), "", "{written}");
    }
}
