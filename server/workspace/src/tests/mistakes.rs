//! One mistake has one finding, however many rules and parts of a schema speak of it.

use super::stored::Random;
use crate::CancelFlag;
use crate::fixture::Fixture;

/// What is found in a file: the marked text, the message, and what helps.
fn found(files: &str, name: &str, text: &str) -> Vec<String> {
    let mut fixture = Fixture::scanned(files);
    fixture.open(name, text);
    let (snapshot, file) = (fixture.workspace.snapshot(), fixture.id(name));
    let text = snapshot.text(file).clone();
    let found = snapshot.diagnostics(file, &CancelFlag::new());
    let said = found.iter().map(|finding| {
        let help = finding.help.as_deref().unwrap_or_default();
        format!("{}: {} | {help}", text.slice(finding.span.range()), finding.message)
    });
    said.collect()
}

fn by_schema(schema: &str, values: &str) -> Vec<String> {
    let head = r#""$schema": "https://json-schema.org/draft/2020-12/schema""#;
    let values = format!("# yaml-language-server: $schema=s.json\n{values}");
    found(&format!("#- s.json\n{{{head}, {schema}}}\n"), "a.yaml", &values)
}

#[test]
fn an_unknown_key_is_meant_to_be_the_missing_one() {
    let image = r#""type": "object", "required": ["image"], "additionalProperties": false, "properties": {"image": {"type": "string"}, "tag": {"type": "string"}}"#;
    for (values, expected) in [
        // A similar name.
        (
            "imgae: a\n",
            vec![
                "imgae: `imgae` is not declared in the schema of the document | did you mean `image`, which is required?",
            ],
        ),
        // The only key that can be meant.
        (
            "container: a\n",
            vec![
                "container: `container` is not declared in the schema of the document | did you mean `image`, which is required?",
            ],
        ),
        (
            "container:\n",
            vec![
                "container: `container` is not declared in the schema of the document | did you mean `image`, which is required?",
            ],
        ),
        // A value that the missing key cannot have.
        (
            "container: {}\n",
            vec![
                "container: `container` is not declared in the schema of the document | declared keys are `image` and `tag`",
                "container: `image` is missing in the document | write `image:` with a value",
            ],
        ),
        // Another key is meant.
        (
            "tga: a\n",
            vec![
                "tga: `tga` is not declared in the schema of the document | did you mean `tag`?",
                "tga: a: `image` is missing in the document | write `image:` with a value",
            ],
        ),
        // Either may be meant.
        (
            "one: a\nother: b\n",
            vec![
                "one: `one` is not declared in the schema of the document | declared keys are `image` and `tag`",
                "one: a\nother: b: `image` is missing in the document | write `image:` with a value",
                "other: `other` is not declared in the schema of the document | declared keys are `image` and `tag`",
            ],
        ),
    ] {
        let found = by_schema(image, values);
        assert_eq!(found.len(), expected.len(), "{values}: {found:#?}");
        for part in &expected {
            let (_, said) = part.split_once(": `").unwrap();
            assert!(found.iter().any(|one| one.ends_with(said)), "{values}: {found:#?}");
        }
    }
}

#[test]
fn what_several_parts_of_a_schema_say_is_said_once() {
    let closed = r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false}"#;
    for (schema, values) in [
        // A wrong value says nothing about conditions.
        (
            r#""properties": {"kind": {"enum": ["a", "b"]}, "size": {}}, "if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["size"]}, "else": {"required": ["name"]}"#
                .to_owned(),
            "kind: c\n",
        ),
        (
            r#""properties": {"kind": {"enum": ["a", "b"]}}, "allOf": [{"if": {"properties": {"kind": {"const": "a"}}}, "else": {"required": ["name"]}}]"#
                .to_owned(),
            "kind: c\n",
        ),
        (
            r#""properties": {"on": {"properties": {"kind": {"type": "string"}}}}, "if": {"properties": {"on": {"properties": {"kind": {"const": "a"}}}}}, "else": {"required": ["name"]}"#
                .to_owned(),
            "on: {kind: 1}\n",
        ),
        // Nor does a misspelt key.
        (
            r#""properties": {"kind": {}, "size": {}}, "additionalProperties": false, "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, "else": {"required": ["size"]}"#
                .to_owned(),
            "knid: a\n",
        ),
        // The branches of `allOf`.
        (format!(r#""allOf": [{closed}, {closed}]"#), "b: 1\n"),
        (format!(r##""allOf": [{{"$ref": "#/$defs/c"}}, {{"$ref": "#/$defs/c"}}], "$defs": {{"c": {closed}}}"##), "a: x\n"),
        (r#""properties": {"a": {"type": "integer"}}, "allOf": [{"properties": {"a": {"type": ["integer", "null"]}}}]"#.to_owned(), "a: x\n"),
        (r#""properties": {"a": {"enum": ["x", "y"]}}, "anyOf": [{"properties": {"a": {"const": "x"}}}, {"properties": {"a": {"type": "null"}}}]"#.to_owned(), "a: z\n"),
        // Several ways to require a key.
        (r#""required": ["a"], "dependentRequired": {"b": ["a"]}, "anyOf": [{"required": ["a"]}, {"required": ["c"]}]"#.to_owned(), "b: 1\n"),
        (r#""required": ["a"], "minProperties": 1"#.to_owned(), "{}\n"),
        // What an alias repeats.
        (format!(r#""additionalProperties": {closed}"#), "x: &x {b: 1}\ny: *x\n"),
        (r#""additionalProperties": {"required": ["a"]}"#.to_owned(), "x: &x {b: 1}\ny: *x\n"),
    ] {
        let found = by_schema(&schema, values);
        assert_eq!(found.len(), 1, "{schema}\n{values}{found:#?}");
    }
}

#[test]
fn lines_below_one_that_is_too_far_left_belong_to_the_map_above() {
    let schema = r#""additionalProperties": false, "properties": {"spec": {"type": "object", "required": ["size", "last"], "additionalProperties": false,
        "properties": {"size": {"type": "integer"}, "all": {"type": "object"}, "list": {"type": "array"}, "last": {"type": "object"}, "other": {}}}}"#;
    let help = "a map above this line needs keys that are below it: is the line indented too little?";
    for values in [
        "spec:\n  size: 1\nall:\n  a: b\n  last: {}\n",
        "spec:\n  size: 1\n\n# Comment.\nall:\n  a:\n    b: c\n  last:\n    d: e\n  other: 1\n",
        "spec:\n  size: 1\nlist:\n- a: b\n- c: d\n  last: {}\n  other: 1\n",
        "spec:\n  other: 1\nlist:\n- a: b\n- c: d\n  last: {}\n  size: 1\n",
    ] {
        let found = by_schema(schema, values);
        assert!(found.len() == 1 && found[0].ends_with(help), "{values}{found:#?}");
    }
    for values in [
        // Another depth, another place.
        "spec:\n  size: 1\nall:\n    last: {}\n",
        "all:\n  last: {}\nspec:\n  size: 1\n",
        "spec:\n  size: 1\nall:\n  a:\n  - last: {}\n",
    ] {
        assert_eq!(by_schema(schema, values).len(), 2, "{values}");
    }
}

/// A schema, and values that fit it, made up together.
struct MadeUp(Random);

impl MadeUp {
    fn scalar(&mut self) -> (String, &'static str) {
        match self.0.below(5) {
            0 => (r#"{"type": "string"}"#.to_owned(), "red"),
            1 => (r#"{"type": "integer", "minimum": 1}"#.to_owned(), "5"),
            2 => (r#"{"type": "boolean"}"#.to_owned(), "true"),
            3 => (r#"{"enum": ["red", "green"]}"#.to_owned(), "red"),
            _ => (r#"{"type": "string", "pattern": "^[a-z]+$"}"#.to_owned(), "red"),
        }
    }

    /// The keywords of a map's schema, its keys and their values.
    fn map(&mut self) -> (String, Vec<(String, &'static str)>) {
        let names = ["alpha", "bravo", "charlie", "delta"];
        let own: Vec<(String, (String, &str))> = names.iter().map(|name| ((*name).to_owned(), self.scalar())).collect();
        let declared = own.iter().map(|(name, (schema, _))| format!(r#""{name}": {schema}"#)).collect::<Vec<_>>();
        let declared = declared.join(", ");
        let (first, (of_first, value)) = &own[self.0.below(4)];
        let value = if *value == "red" { "\"red\"" } else { value };
        let second = names[self.0.below(4)];
        let again = format!(r#"{{"properties": {{"{first}": {of_first}}}, "required": ["{second}"]}}"#);
        let clause = match self.0.below(9) {
            0 => format!(r#""allOf": [{again}, {again}]"#),
            1 => format!(r#""anyOf": [{again}, {{"properties": {{"{first}": {{"type": "null"}}}}}}]"#),
            2 => format!(
                r#""if": {{"properties": {{"{first}": {{"const": {value}}}}}}}, "then": {again}, "else": {{"required": ["other"]}}"#
            ),
            3 => format!(
                r#""allOf": [{{"if": {{"properties": {{"{first}": {{"const": {value}}}}}}}, "else": {{"required": ["other"]}}}}]"#
            ),
            4 => format!(r#""dependentRequired": {{"{first}": ["{second}"]}}"#),
            5 => format!(r#""dependentSchemas": {{"{first}": {again}}}"#),
            6 => format!(r#""allOf": [{{"properties": {{{declared}}}, "additionalProperties": false}}]"#),
            7 => r#""minProperties": 4, "propertyNames": {"pattern": "^[a-z]+$"}"#.to_owned(),
            _ => format!(r#""anyOf": [{{"required": ["{second}"]}}, {{"required": ["other"]}}]"#),
        };
        let schema = format!(
            r#""type": "object", "additionalProperties": false, "properties": {{{declared}}}, "required": ["{first}", "{second}"], {clause}"#
        );
        (schema, own.into_iter().map(|(name, (_, value))| (name, value)).collect())
    }
}

#[test]
fn one_mistake_has_one_finding() {
    let mut made_up = MadeUp(Random(7));
    let written = |entries: &[(String, &str)]| -> String {
        entries.iter().map(|(name, value)| format!("{name}: {value}\n")).collect()
    };
    for _ in 0..120 {
        let (schema, entries) = made_up.map();
        assert_eq!(by_schema(&schema, &written(&entries)), Vec::<String>::new(), "{schema}");
        let at = made_up.0.below(4);
        let mut wrong = entries.clone();
        match made_up.0.below(4) {
            0 => wrong[at].1 = "{}",
            1 => wrong[at].0.push('x'),
            2 => wrong[at].0 = "zebra".to_owned(),
            _ => drop(wrong.remove(at)),
        }
        let found = by_schema(&schema, &written(&wrong));
        // Without a key that nothing requires, nothing is wrong.
        assert!(found.len() == 1 || found.is_empty() && wrong.len() < 4, "{schema}\n{}{found:#?}", written(&wrong));
    }
}

const KINDS: &str = r##"#- k8s.json
{"definitions": {
  "Pod": {
    "type": "object", "additionalProperties": false,
    "properties": {
      "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object", "additionalProperties": false, "properties": {"name": {"type": "string"}, "labels": {"type": "object"}}},
      "spec": {"type": "object", "additionalProperties": false, "required": ["containers"], "properties": {
        "volumes": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
          "name": {"type": "string"}, "secret": {"type": "object", "additionalProperties": false, "properties": {"secretName": {"type": "string"}, "defaultMode": {"type": "integer"}}}}}},
        "containers": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["name"], "properties": {
          "name": {"type": "string"}, "image": {"type": "string"},
          "volumeMounts": {"type": "array", "items": {"type": "object", "additionalProperties": false, "required": ["name", "mountPath"], "properties": {"name": {"type": "string"}, "mountPath": {"type": "string"}}}},
          "livenessProbe": {"type": "object", "additionalProperties": false, "properties": {"exec": {"type": "object"}, "httpGet": {"type": "object", "properties": {"port": {"type": "integer"}}}, "periodSeconds": {"type": "integer"}}}}}}}}},
    "x-kubernetes-group-version-kind": [{"group": "", "kind": "Pod", "version": "v1"}]}}}
#- lofting.toml
[[schemas]]
kubernetes = "k8s.json"
"##;

const POD: &str = "\
apiVersion: v1
kind: Pod
metadata:
  name: boat
spec:
  volumes:
  - name: keys
    secret:
      secretName: keys
  containers:
  - name: crew
    image: crew:1
    volumeMounts:
    - name: keys
      mountPath: /keys
    livenessProbe:
      httpGet:
        port: 8080
";

/// What backends of ingresses had earlier has one finding, which shows what they have now.
#[test]
fn keys_of_an_earlier_version_are_one_mistake() {
    let kinds = r##"#- k8s.json
{"definitions": {"Ingress": {
  "type": "object", "properties": {"spec": {"type": "object", "properties": {"defaultBackend": {
    "type": "object", "additionalProperties": false, "properties": {"service": {"type": "object"}, "resource": {"type": "object"}}}}}},
  "x-kubernetes-group-version-kind": [{"group": "networking.k8s.io", "kind": "Ingress", "version": "v1"}]}}}
#- lofting.toml
[[schemas]]
kubernetes = "k8s.json"
"##;
    for (backend, expected) in [
        (
            "{serviceName: web, servicePort: 80}",
            vec![
                "serviceName: earlier versions had `serviceName` and `servicePort` where this one has `service` | write \
                 `service: {name: web, port: {number: 80}}`",
            ],
        ),
        (
            "{servicePort: http}",
            vec![
                "servicePort: earlier versions had `servicePort` where this one has `service` | write `service: {name: \
                 NAME, port: {name: http}}`",
            ],
        ),
        ("{service: {name: web, port: {number: 80}}}", vec![]),
    ] {
        let text = format!(
            "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {{name: a}}\nspec:\n  \
             defaultBackend: {backend}\n"
        );
        assert_eq!(found(kinds, "a.yaml", &text), expected, "{backend}");
    }
}

#[test]
fn what_the_server_says_beside_its_schema_is_joined() {
    assert_eq!(found(KINDS, "pod.yaml", POD), Vec::<String>::new());
    for (from, to, expected) in [
        (
            "      secretName: keys",
            "      name: keys",
            "name: `name` is not declared in the schema of `secret` | did you mean `secretName`, which is required?",
        ),
        (
            "httpGet",
            "httpget",
            "httpget: `httpget` is not declared in the schema of `livenessProbe` | did you mean `httpGet`?",
        ),
        (
            "httpGet",
            "call",
            "call: `call` is not declared in the schema of `livenessProbe` | did you mean `exec`, `httpGet`, `tcpSocket` or `grpc`?",
        ),
        (
            "    image: crew:1",
            "    runs: crew:1",
            "runs: `runs` is not declared in the schema of item 1 of `containers` | did you mean `image`, which is required?",
        ),
        (
            "metadata:",
            "about:",
            "about: `about` is not declared in the schema of the document | did you mean `metadata`, which is required?",
        ),
        (
            "  name: boat",
            "  called: boat",
            "called: `called` is not declared in the schema of `metadata` | did you mean `name`, which is required?",
        ),
        ("  volumes:", "  disks:", "disks: `disks` is not declared in the schema of `spec` | did you mean `volumes`?"),
        ("\nspec:", "\nspecs:", "specs: `specs` is not declared in the schema of the document | did you mean `spec`?"),
        // A name that cannot be one may be meant to be any.
        (
            "  - name: keys\n    secret",
            "  - name: KEYS\n    secret",
            "KEYS: `KEYS` cannot be here: this should be up to 63 lower-case letters, digits and hyphens, with a letter or digit at both ends | did you mean `keys`?",
        ),
        // A line at the wrong depth.
        ("    image: crew:1", "  image: crew:1", ""),
        (
            "  name: boat",
            "name: boat",
            "name: `name` belongs in `metadata`, but is not indented below it | indent what belongs in `metadata`",
        ),
        ("spec:", "  spec:", ""),
        ("      httpGet:", "        httpGet:", ""),
    ] {
        let text = POD.replacen(from, to, 1);
        assert_ne!(text, POD, "{from}");
        let found = found(KINDS, "pod.yaml", &text);
        assert_eq!(found.len(), 1, "{to}: {found:#?}");
        assert!(expected.is_empty() || found[0] == expected, "{to}: {found:#?}");
    }
}

#[test]
fn a_key_in_another_map_is_not_misspelt() {
    let kinds = r##"#- k8s.json
{"definitions": {
  "StatefulSet": {
    "type": "object",
    "properties": {"metadata": {}, "spec": {"type": "object", "properties": {"selector": {}, "template": {"type": "object", "properties": {"metadata": {}, "spec": {
      "type": "object", "additionalProperties": false, "properties": {"containers": {"type": "array"}, "volumes": {"type": "array"}}
    }}}}}},
    "x-kubernetes-group-version-kind": [{"group": "apps", "kind": "StatefulSet", "version": "v1"}]}}}
#- lofting.toml
[[schemas]]
kubernetes = "k8s.json"
"##;
    let text = "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: a}\nspec:\n  selector: {matchLabels: {a: b}}\n  template:\n    \
                metadata: {labels: {a: b}}\n    spec:\n      containers: [{name: c, image: x, volumeMounts: [{name: d, mountPath: \
                /d}]}]\n      volumeClaimTemplates: [{metadata: {name: d}}]\n";
    let mut found = found(kinds, "set.yaml", text);
    found.sort();
    let expected = [
        "d: the pod has no volume `d` | ",
        "volumeClaimTemplates: `volumeClaimTemplates` is not declared in the schema of `spec` | declared keys are \
         `containers` and `volumes`",
    ];
    assert_eq!(found, expected);
}

/// Keys that are in the column of the empty key in which they belong are one mistake, and are indented by the fix.
#[test]
fn keys_below_an_empty_key_in_which_they_belong() {
    let schema = r##"{"additionalProperties": false, "required": ["spec"], "properties": {"kind": {"type": "string"}, "spec": {"$ref": "#/definitions/spec"},
        "jobs": {"type": "object", "additionalProperties": {"$ref": "#/definitions/spec"}}},
        "definitions": {"spec": {"type": "object", "additionalProperties": false, "required": ["image"], "properties":
        {"image": {"type": "string"}, "ports": {"type": "array"}}}}}"##;
    let found = |text: &str| -> (Vec<String>, String) {
        let files = format!(
            "#- a.json\n{schema}\n#- lofting.toml\n[[schemas]]\npath = 'a.json'\nfiles = ['a.yaml']\n#- a.yaml\n{text}"
        );
        let fixture = Fixture::scanned(&files);
        let list = fixture.workspace.snapshot().diagnostics(fixture.id("a.yaml"), &CancelFlag::new());
        let mut fixed = text.to_owned();
        let fix = list.first().and_then(|finding| finding.fixes.first());
        for (span, new) in fix.into_iter().flat_map(|fix| &fix.edits).rev() {
            fixed.replace_range(span.range(), new);
        }
        (list.iter().map(|finding| finding.message.clone()).collect(), fixed)
    };
    for (text, message, fixed) in [
        (
            "kind: a\nspec:\nimage: x\nports:\n- 1\n",
            "`image` belongs in `spec`, but is not indented below it",
            "kind: a\nspec:\n  image: x\n  ports:\n  - 1\n",
        ),
        (
            "spec: {image: x}\njobs:\nbuild:\n  image: x\ntest:\n  image: y\n",
            "`build` belongs in `jobs`, but is not indented below it",
            "spec: {image: x}\njobs:\n  build:\n    image: x\n  test:\n    image: y\n",
        ),
        (
            "spec: {image: x}\njobs:\n  build:\n  image: x\n  ports: []\n",
            "`image` belongs in `build`, but is not indented below it",
            "spec: {image: x}\njobs:\n  build:\n    image: x\n    ports: []\n",
        ),
    ] {
        assert_eq!(found(text), (vec![message.to_owned()], fixed.to_owned()), "{text}");
    }
    // What the map has itself, and what the empty key cannot have.
    for text in [
        "spec:\nkind: a\n",
        "spec: {image: x}\njobs:\nkind: a\n",
        "spec:\nimagine: x\n",
        "spec: {image: x}\njobs:\nbuild: x\n",
    ] {
        assert!(!found(text).0.iter().any(|message| message.contains("belongs in")), "{text}");
    }
}
