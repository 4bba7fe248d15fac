//! `lofting check --render`: templates, overlays and private libraries, evaluated by the worker.

use expect_test::{Expect, expect};

use crate::command_line::{json_of, lofting, workspace};

/// The files of a text on disk.
pub(crate) fn workspace_of(text: &str) -> tempfile::TempDir {
    let files = lofting_fixture::files(text);
    let files: Vec<(&str, &str)> = files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect();
    workspace(&files)
}

/// Findings as `file:line:column code (stage) message`, further places below.
pub(crate) fn check(text: &str, arguments: &[&str], expected: Expect) {
    expected.assert_eq(&found(text, &[&["-f", "."], arguments].concat()).0);
}

/// Gives the findings, and the messages about the check itself.
pub(crate) fn found(text: &str, arguments: &[&str]) -> (String, String) {
    let directory = workspace_of(text);
    let given = ["check", "--render", "--format", "json"];
    let output = lofting(directory.path(), &[&given, arguments].concat());
    let report = json_of(&output);
    let place = |at: &serde_json::Value| {
        let start = &at["range"]["start"];
        format!("{}:{}:{}", at["file"].as_str().unwrap_or("?"), start["line"], start["column"])
    };
    let mut shown = String::new();
    for finding in report["diagnostics"].as_array().into_iter().flatten() {
        let word = |name: &str| finding[name].as_str().unwrap_or_default();
        shown += &format!("{} {} ({}) {}\n", place(finding), word("code"), word("stage"), word("message"));
        for related in finding["related"].as_array().into_iter().flatten() {
            shown += &format!("  {} {}\n", place(related), related["message"].as_str().unwrap_or_default());
        }
    }
    (shown, String::from_utf8_lossy(&output.stderr).into_owned())
}

const LOAD: &str = "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n";

/// A template that evaluates a library, and the library `lib` with one key `name` and one `port`.
fn library(code: &str, more: &str) -> String {
    format!(
        "#- config.yml\n{LOAD}{code}\n\
         #- _ytt_lib/lib/schema.yml\n#@data/values-schema\n---\n#@schema/validation min_len=2\nname: lib\nport: 80\n\
         #- _ytt_lib/lib/config.yml\n#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\nport: #@ data.values.port\n\
         {more}"
    )
}

/// An error in a file is reported there, not again by each file that loads it.
#[test]
fn what_is_wrong_in_a_loaded_file_is_reported_in_it() {
    check(
        "#- fns.star\ndef twice(nn):\n  return n * 2\nend\n\
         #- a.yml\n#@ load(\"fns.star\", \"twice\")\na: #@ twice(1)\n\
         #- b.lib.yml\n#@ load(\"fns.star\", \"twice\")\n#@ def two(): return twice(2)\n\
         #- c.yml\n#@ load(\"b.lib.yml\", \"two\")\nc: #@ two()\n",
        &[],
        expect![[r#"
            fns.star:2:10 ytt/evaluation (template) undefined: n
        "#]],
    );
}

#[test]
fn templates_are_evaluated_with_the_final_values() {
    check(
        "#- schema.yml\n#@data/values-schema\n---\nname: web\n#@schema/nullable\ntls: {crt: \"\"}\n\
         #- a.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.nam\n\
         #- b.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ if data.values.tls:\nb: #@ data.values.tls.nope\n#@ end\nc: #@ data.values.tls.crt\n\
         #- c.yml\n#@ load(\"@ytt:data\", \"data\")\nok: #@ data.values.name\n\
         #- d.txt\n(@ load(\"@ytt:data\", \"data\") @)(@= data.values.name @) (@= data.values.nope @)\n\
         #- e.yml\nplain: 1 # with a comment\n",
        &[],
        expect![[r#"
            a.yml:2:19 ytt/unknown-data-value (template) `nam` is not declared in the schema of `data.values`
              schema.yml:2:1 `data.values` is declared here
            b.yml:5:7 ytt/evaluation (template) NoneType has no .crt field or method
            d.txt:1:60 ytt/evaluation (template) struct has no .nope field or method
        "#]],
    );
}

#[test]
fn templates_are_not_evaluated_with_wrong_values() {
    check(
        "#- schema.yml\n#@data/values-schema\n---\nport: 80\n\
         #- a.yml\n#@ load(\"@ytt:data\", \"data\")\na: #@ data.values.port + 1\nb: #@ data.values.nope\n",
        &["--data-value", "port=x"],
        expect![[r#"
            (data-value arg):1:1 ytt/type-mismatch (type) `port` should be an integer, but is the string "x"
              schema.yml:3:1 declared here
        "#]],
    );
}

#[test]
fn library_files_are_evaluated_whether_they_are_loaded_or_not() {
    check(
        "#- a.star\nx = 1\nfail(\"star\")\n#- b.lib.yml\n#@ fail(\"yaml\")\n---\n#- c.lib.txt\n(@ fail(\"text\") @)\n\
         #- d.star\ndef f(x):\n  return x\nend\n#- e.lib.yml\na: [1\n#- f.lib.yml\n# plain\na: 1\n#- g.yml\na: 1\n",
        &[],
        expect![[r#"
            a.star:2:1 ytt/evaluation (template) fail: star
            b.lib.yml:1:4 ytt/evaluation (template) fail: yaml
            c.lib.txt:1:4 ytt/evaluation (template) fail: text
            e.lib.yml:1:4 yaml/unclosed-flow (parse) this bracket is not closed
        "#]],
    );
}

#[test]
fn marks_say_which_files_are_rendered() {
    let files = "#- a.yml\na: 1\n#- b.yml\n#@ fail(\"b\")\n---\n#- c.lib.yml\n#@ def c():\na: 1\n#@ end\na: #@ d\n\
                 #- e.json\n{}\n";
    check(
        files,
        &["--file-mark", "a.yml:exclusive-for-output=true", "--file-mark", "c.lib.yml:exclude=true"],
        expect![""],
    );
    check(
        files,
        &["--file-mark", "b.yml:type=yaml-plain", "--file-mark", "e.json:for-output=true"],
        expect![[r#"
            c.lib.yml:4:7 ytt/evaluation (template) undefined: d
            e.json:1:1 ytt/evaluation (template) this file is marked for output, but for ytt it is neither YAML nor text
        "#]],
    );
}

#[test]
fn what_rendered_resources_say_of_each_other_is_reported_in_the_template() {
    let files = "#- schema.yml
#@data/values-schema
---
app: web
config: settings
#- deployment.yml
#@ load(\"@ytt:data\", \"data\")
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: #@ data.values.app
spec:
  selector:
    matchLabels:
      app: #@ data.values.app
  template:
    metadata:
      labels:
        app: #@ data.values.app
    spec:
      containers:
      - name: web
        image: web:1
        ports: [{name: http, containerPort: 80}]
        envFrom:
        - configMapRef:
            name: #@ data.values.config + \"s\"
        volumeMounts:
        - name: #@ data.values.app
          mountPath: /data
#- others.yml
#@ load(\"@ytt:data\", \"data\")
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: #@ data.values.config
data: {a: b}
---
apiVersion: v1
kind: Service
metadata:
  name: #@ data.values.app
spec:
  selector:
    app: #@ data.values.app + \"2\"
  ports:
  - port: 80
---
apiVersion: v1
kind: Service
metadata:
  name: other
spec:
  selector:
    app: #@ data.values.app
  ports:
  - port: 80
    targetPort: #@ \"htp\"
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: web
spec:
  maxReplicas: 2
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: #@ data.values.app
";
    check(
        files,
        &["-f", "."],
        expect![[r#"
        deployment.yml:22:22 kubernetes/missing-referent (lint) there is no ConfigMap `settingss` in this workspace
          deployment.yml:2:1 this is about what is rendered here
        deployment.yml:24:20 kubernetes/missing-volume (validation) the pod has no volume `web`
          deployment.yml:2:1 this is about what is rendered here
        others.yml:14:3 kubernetes/unmatched-selector (validation) no workload beside it has these labels
          others.yml:8:1 this is about what is rendered here
        others.yml:28:20 kubernetes/missing-port (lint) the pods that are selected have no port `htp`
          others.yml:18:1 this is about what is rendered here
    "#]],
    );
}

/// Names that Kubernetes' own code compares, and that the schema tells apart as well, are one mistake, as they are in a file.
#[test]
fn what_a_loop_repeats_is_one_mistake() {
    const POD: &str = r#"{"properties": {"apiVersion": {"enum": ["v1"]}, "kind": {"enum": ["Pod"]},
        "metadata": {"type": "object", "properties": {"name": {"type": "string"}}}, "spec": {"type": "object", "properties":
        {"containers": {"type": "array", "x-kubernetes-patch-merge-key": "name", "items": {"type": "object", "properties":
        {"name": {"type": "string"}, "image": {"type": "string"}}}}}}}}"#;
    let schemas = format!(
        "#- k8s/pod-v1.json\n{}\n#- lofting.toml\n[[schemas]]\nkubernetes = 'k8s'\n[sets.a]\nfiles = ['config']\n",
        POD.replace('\n', " ")
    );
    let template = "#- config/pod.yml\n#@ names = ['a', 'a']\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  \
                    containers:\n  #@ for name in names:\n  - name: #@ name\n    image: i\n  #@ end\n";
    expect![[r#"
        config/pod.yml:9:14 kubernetes/repeated-name (validation) the container `a` is there already
          config/pod.yml:9:14 it is here first
          config/pod.yml:2:1 this is about what is rendered here
    "#]]
    .assert_eq(&found(&(schemas + template), &[]).0);
}

/// What a file says by itself does not keep ytt from rendering, and what is printed decides.
#[test]
fn overlays_may_mend_what_is_passed_on() {
    const FILES: &str = "#- crd.yml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, required: [size], properties: {size: {type: integer}, name: {type: string}}}}
#- boxes.yml
apiVersion: example.com/v1
kind: Box
metadata: {name: mended}
spec: {name: 1, size: 1}
---
apiVersion: example.com/v1
kind: Box
metadata: {name: incomplete}
spec: {name: x}
---
apiVersion: example.com/v1
kind: Box
metadata: {name: removed}
spec: {size: x}
---
apiVersion: example.com/v1
kind: Box
metadata: {name: wrong}
spec: {size: x}
---
apiVersion: example.com/v1
kind: Box
metadata: {name: spoilt}
spec: {size: 2}
#- over.yml
#@ load(\"@ytt:overlay\", \"overlay\")
#@ def named(name):
#@   return overlay.subset({\"metadata\": {\"name\": name}})
#@ end
#@overlay/match by=named(\"mended\")
---
spec: {name: text}
#@overlay/match by=named(\"incomplete\")
---
spec:
  #@overlay/match missing_ok=True
  size: 1
#@overlay/match by=named(\"removed\")
#@overlay/remove
---
#@overlay/match by=named(\"spoilt\")
---
spec: {size: z}
";
    let expected = expect![[r#"
        boxes.yml:19:14 kubernetes/type-mismatch (type) `size` should be an integer, but is the string "x"
          crd.yml:15:74 declared here
        over.yml:18:14 kubernetes/type-mismatch (type) `size` should be an integer, but is the string "z"
          crd.yml:15:74 declared here
          boxes.yml:20:1 this is about what is rendered here
    "#]];
    let (with_flags, _) = found(FILES, &["-f", "."]);
    expected.assert_eq(&with_flags);
    let sets = "#- lofting.toml\n[sets.a]\nfiles = [\"boxes.yml\", \"crd.yml\", \"over.yml\"]\n";
    assert_eq!(found(&format!("{FILES}{sets}"), &[]).0, with_flags);
    // Another set passes the file on as it is.
    let more = "[sets.b]\nfiles = [\"boxes.yml\", \"crd.yml\"]\n";
    let (shown, _) = found(&format!("{FILES}{sets}{more}"), &[]);
    assert_eq!(shown.lines().filter(|line| line.starts_with("boxes.yml:")).count(), 4, "{shown}");
}

/// Which versions of APIs are gone is asked of what is printed.
#[test]
fn versions_that_templates_and_overlays_give_are_compared() {
    const FILES: &str = "#- lofting.toml
[kubernetes]
version = \"1.30\"
[sets.a]
files = [\"config\"]
#- config/passed-on.yml
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: moved}
---
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: kept}
#- config/template.yml
#@ version = \"batch/\" + \"v1beta1\"
---
apiVersion: #@ version
kind: CronJob
metadata: {name: a}
#- config/over.yml
#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"metadata\": {\"name\": \"moved\"}})
---
apiVersion: policy/v1
";
    let found: Vec<String> = found(FILES, &[]).0.lines().map(str::to_owned).collect();
    let gone: Vec<&String> = found.iter().filter(|line| line.contains("removed-api")).collect();
    assert_eq!(
        gone,
        [
            "config/passed-on.yml:5:13 kubernetes/removed-api (schema) the kind PodDisruptionBudget of policy/v1beta1 was \
             removed in Kubernetes 1.25",
            "config/template.yml:3:16 kubernetes/removed-api (schema) the kind CronJob of batch/v1beta1 was removed in \
             Kubernetes 1.25",
        ],
        "{found:#?}"
    );
}

#[test]
fn what_is_passed_through_is_parsed() {
    check(
        "#- a.yml\na: [1\n#- b.yml\n#@ nope\nb: #@ nope\n",
        &["--file-mark", "*.yml:type=yaml-plain"],
        expect![[r#"
            a.yml:1:4 yaml/unclosed-flow (parse) this bracket is not closed
        "#]],
    );
}

#[test]
fn sets_of_the_workspace_are_rendered() {
    let app = "#- app/schema.yml\n#@data/values-schema\n---\nport: 80\n\
               #- app/t.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ load(\"f.star\", \"f\")\na: #@ f(data.values.port)\nb: #@ data.read(\"n.md\")\n\
               #- app/f.star\ndef f(port):\n  if port == 81:\n    fail(\"81\")\n  end\n  return port\nend\n#- app/n.md\nhello\n\
               #- envs/dev.yml\nport: 81\n#- envs/prod.yml\nport: 82\n";
    let sets = format!(
        "#- lofting.toml\n[sets.app]\nfiles = [\"app\"]\nvalues = [\"envs/*.yml\"]\n{app}\
         #- Makefile\nall:\n\tytt -f lib\n\tytt -f lib -f app --data-value port=$(PORT)\n#- lib/x.yml\n#@ x = 1\na: #@ x.y\n"
    );
    let (shown, said) = found(&sets, &[]);
    expect![[r#"
        app/f.star:3:5 ytt/evaluation (template) fail: 81
          app/t.yml:3:7 called in <toplevel>
          envs/dev.yml:1:1 with these values
        lib/x.yml:2:7 ytt/evaluation (template) int has no .y field or method
    "#]]
    .assert_eq(&shown);
    expect![[r#"
        lofting: the input set Makefile:3 is not rendered: its command passes further values
    "#]]
    .assert_eq(&said);
    // What is wrong before comes first, and only what was asked for is rendered.
    let (shown, said) = found(&sets.replace("port: 82", "port: x"), &["envs", "app"]);
    expect![[r#"
        app/f.star:3:5 ytt/evaluation (template) fail: 81
          app/t.yml:3:7 called in <toplevel>
        envs/prod.yml:1:7 ytt/type-mismatch (type) `port` should be an integer, but is the string "x"
          app/schema.yml:3:1 declared here
    "#]]
    .assert_eq(&shown);
    expect![[r#"
        lofting: the input set app with envs/prod.yml is not rendered: its values have errors
        lofting: the input set Makefile:3 is not rendered: its command passes further values
    "#]]
    .assert_eq(&said);
    let (shown, said) = found("#- a.yml\na: 1\n", &[]);
    assert_eq!((shown.as_str(), said.contains("no input set is known")), ("", true), "{said}");
}

#[test]
fn keys_of_structs_are_text() {
    check(
        "#- schema.yml\n#@data/values-schema\n---\nports: {80: http}\n#- a.yml\n#@ x = 1\na: 1\n",
        &[],
        expect![[r#"
            a.yml:1:4 ytt/unused-variable (lint) `x` is never used
            schema.yml:3:9 ytt/data-values-key (template) templates cannot read the key `80`: ytt crashes unless keys are strings
        "#]],
    );
}

#[test]
fn overlays_lie_over_all_documents() {
    let load = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
    check(
        &format!(
            "#- app.yml\nkind: Deployment\nspec: {{replicas: 1}}\n---\nkind: Service\n\
             #- o1.yml\n{load}#@overlay/match by=overlay.subset({{\"kind\": \"Deployment\"}})\n---\nspec:\n  replica: 2\n\
             #- o2.yml\n{load}#@overlay/match by=lambda i, l, r: l[\"kind\"] == \"Srvice\"\n---\n#@overlay/match missing_ok=True\na: 1\n\
             #- o3.yml\n{load}#@overlay/match by=overlay.all, expects=\"1+\"\n---\n#@overlay/match missing_ok=True\nspec: 1\n\
             #- o4.yml\n{load}#@overlay/match\n---\na: 1\n\
             #- o5.yml\n{load}#@overlay/match by=overlay.all, expects=3\n#@overlay/remove\n---\n"
        ),
        &[],
        expect![[r#"
            o1.yml:5:3 ytt/overlay-new-key (overlay) `replica` is new in what it is merged onto, and merging adds no new keys by default
              app.yml:2:7 merged onto this
            o2.yml:1:4 ytt/unused-load (lint) `overlay` is loaded and never used
            o2.yml:3:1 ytt/overlay-matches (overlay) this matches nothing, but should match 1
            o4.yml:1:4 ytt/unused-load (lint) `overlay` is loaded and never used
            o4.yml:3:1 ytt/overlay-matches (overlay) `@overlay/match` needs `by=` here, which says what it matches
            o5.yml:4:1 ytt/overlay-matches (overlay) this matches 2 nodes, but should match 3
              app.yml:1:1 matched
              app.yml:3:1 matched
        "#]],
    );
}

#[test]
fn overlays_of_all_operations() {
    let load = "#@ load(\"@ytt:overlay\", \"overlay\")\n";
    check(
        &format!(
            "#- app.yml\na: 1\n---\na: 2\n\
             #- o1.yml\n{load}#@overlay/match by=overlay.index(0)\n#@overlay/insert before=True\n---\na: 0\n\
             #- o2.yml\n{load}#@overlay/match by=overlay.all\n#@overlay/append\n---\na: 3\n\
             #- o3.yml\n{load}#@overlay/match by=overlay.subset({{\"a\": 3}})\n#@overlay/replace via=lambda l, r: {{\"a\": l[\"a\"] + 1}}\n---\n\
             #- o4.yml\n{load}#@overlay/match by=overlay.subset({{\"a\": 0}})\n#@overlay/remove\n---\n\
             #- o5.yml\n{load}#@overlay/match by=overlay.all, expects=3\n#@overlay/assert via=lambda l, r: l[\"a\"] != 2\n---\n\
             #- o6.yml\n{load}#@overlay/match by=overlay.subset({{\"a\": 9}}), missing_ok=True\n---\na: 9\n"
        ),
        &[],
        expect![[r#"
            o5.yml:4:1 ytt/overlay-function (overlay) the assertion does not hold
              o5.yml:3:22 the function
              app.yml:3:1 called for this value
        "#]],
    );
}

#[test]
fn a_library_is_checked_where_it_is_wrong() {
    let eval = "--- #@ template.replace(library.get(\"lib\").with_data_values({\"name\": \"x\"}).eval())";
    check(
        &library(eval, ""),
        &[],
        expect![[r#"
            config.yml:3:25 ytt/min-len (validation) `name` should have at least 2 bytes, but has 1
              _ytt_lib/lib/schema.yml:3:21 the rule is here
        "#]],
    );
    let eval = "#@ def values():\nname: xx\nprot: 1\n#@ end\n--- #@ template.replace(library.get(\"lib\").with_data_values(values()).eval())";
    check(
        &library(eval, ""),
        &[],
        expect![[r#"
        config.yml:5:1 ytt/undeclared-key (overlay) `prot` is not declared in the schema of the document
          _ytt_lib/lib/schema.yml:2:1 declared here
          config.yml:7:25 the library is evaluated here
    "#]],
    );
    let eval = "--- #@ template.replace(library.get(\"lib\").with_data_values({\"prot\": 1}, plain=True).eval())";
    check(
        &library(eval, ""),
        &[],
        expect![[r#"
            config.yml:3:25 ytt/undeclared-key (type) `prot` is not declared in the schema of the document
              _ytt_lib/lib/schema.yml:2:1 declared here
        "#]],
    );
    let eval = "--- #@ template.replace(library.get(\"lib\").eval())";
    check(
        &library(eval, "#- _ytt_lib/lib/broken.yml\na: [1\n"),
        &[],
        expect![[r#"
        _ytt_lib/lib/broken.yml:1:4 yaml/unclosed-flow (parse) this bracket is not closed
          config.yml:3:25 the library is evaluated here
    "#]],
    );
    check(
        &library(eval, "#- _ytt_lib/lib/values.yml\n#@data/values\n---\nport: http\n"),
        &[],
        expect![[r#"
        _ytt_lib/lib/values.yml:3:7 ytt/type-mismatch (type) `port` should be an integer, but is the string "http"
          _ytt_lib/lib/schema.yml:5:1 declared here
          config.yml:3:25 the library is evaluated here
    "#]],
    );
    check(
        &library(eval, "#- _ytt_lib/lib/x.yml\n#@ load(\"@ytt:data\", \"data\")\nx: #@ data.values.nope\n"),
        &[],
        expect![[r#"
            config.yml:3:25 ytt/evaluation (template) library.eval: Evaluating library 'lib': struct has no .nope field or method
              _ytt_lib/lib/x.yml:2:7 it fails here
        "#]],
    );
}

#[test]
fn a_library_that_nobody_evaluates_is_not_read() {
    check(
        &library("---\na: 1", "#- _ytt_lib/lib/broken.yml\na: [1\n"),
        &[],
        expect![[r#"
        config.yml:1:4 ytt/unused-load (lint) `library` is loaded and never used
        config.yml:2:4 ytt/unused-load (lint) `template` is loaded and never used
    "#]],
    );
}

#[test]
fn a_failure_that_is_caught_is_none() {
    let code = "#@ load(\"@ytt:assert\", \"assert\")\n---\nwhy: #@ assert.try_to(library.get(\"lib\").with_data_values({\"name\": 1}).eval)[1]";
    check(
        &library(code, ""),
        &[],
        expect![[r#"
        config.yml:2:4 ytt/unused-load (lint) `template` is loaded and never used
    "#]],
    );
}

#[test]
fn what_is_addressed_to_libraries_arrives() {
    let eval = "#@ load(\"@ytt:assert\", \"assert\")\n\
                #@ one = library.get(\"lib\", alias=\"one\").with_data_values({\"name\": \"given\"})\n\
                #@ two = library.get(\"lib\", alias=\"two\")\n\
                #@ assert.equals(one.data_values().name, \"given\")\n\
                #@ assert.equals(library.get(\"lib\", alias=\"one\").data_values().name, \"cli\")\n\
                #@ assert.equals(one.data_values().port, 1)\n\
                #@ assert.equals(two.data_values().name, \"plain\")\n\
                #@ assert.equals(two.data_values().port, 2)\n\
                #@ assert.equals(two.data_values().extra, \"late\")\n---";
    let more = "#- values.yml\n#@library/ref \"@lib\"\n#@data/values\n---\nport: 1\n\
                #@library/ref \"@~two\"\n#@data/values after_library_module=True\n---\nport: 2\nextra: late\n\
                #- schema.yml\n#@library/ref \"@lib~two\"\n#@data/values-schema\n---\n#@overlay/match missing_ok=True\nextra: \"\"\n\
                #- plain.yaml_\nname: plain\n";
    let arguments = ["--data-values-file", "@lib~two:plain.yaml_", "--data-value", "@~one:name=cli"];
    check(
        &library(eval, more),
        &arguments,
        expect![[r#"
        config.yml:2:4 ytt/unused-load (lint) `template` is loaded and never used
    "#]],
    );
    let arguments = ["--data-values-file", "@lib~three:plain.yaml_", "--data-value", "@~one:nam=cli"];
    check(
        &library(eval, more),
        &arguments,
        expect![[r#"
            (data-value arg):1:1 ytt/undeclared-key (type) `nam` is not declared in the schema of the document
              _ytt_lib/lib/schema.yml:2:1 declared here
              config.yml:6:18 the library is evaluated here
            config.yml:2:4 ytt/unused-load (lint) `template` is loaded and never used
        "#]],
    );
}

#[test]
fn instances_share_a_schema_only_where_they_may() {
    let eval = "#@ load(\"@ytt:assert\", \"assert\")\n#@ def more():\n#@overlay/match missing_ok=True\nextra: 1\n#@ end\n\
                #@ lib = library.get(\"lib\")\n\
                #@ assert.equals(lib.data_values().name, \"lib\")\n\
                #@ assert.equals(lib.with_data_values_schema(more()).data_values().extra, 1)\n\
                #@ assert.equals(lib.with_data_values({\"port\": 1}).data_values().port, 1)\n\
                #@ assert.equals(hasattr(lib.data_values(), \"extra\"), False)\n\
                #@ assert.equals(library.get(\"lib\", implicit_map_key_overrides=True).data_values().port, 80)\n\
                #@ lib.with_data_values({\"extra\": 1}).data_values()\n---";
    check(
        &library(eval, ""),
        &[],
        expect![[r#"
            config.yml:2:4 ytt/unused-load (lint) `template` is loaded and never used
            config.yml:14:4 ytt/undeclared-key (overlay) `extra` is not declared in the schema of the document
              _ytt_lib/lib/schema.yml:2:1 declared here
        "#]],
    );
}

#[test]
fn plain_values_for_a_library_have_no_annotations() {
    let eval = "#@ def given():\n#@overlay/match missing_ok=True\nname: given\n#@ end\n\
                --- #@ template.replace(library.get(\"lib\").with_data_values(given(), plain=True).eval())";
    check(
        &library(eval, ""),
        &[],
        expect![[r#"
            config.yml:7:25 ytt/evaluation (template) library.eval: Evaluating library 'lib': Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)
        "#]],
    );
}

#[test]
fn what_is_addressed_to_nobody_is_said() {
    let more = "#- values.yml\n#@library/ref \"@lb\"\n#@data/values\n---\nport: 1\n\
                #- schema.yml\n#@library/ref \"@lib@inner\"\n#@data/values-schema\n---\nextra: \"\"\n\
                #- wrong.yml\n#@library/ref \"lib\"\n#@data/values\n---\nport: 1\n";
    let eval = "--- #@ template.replace(library.get(\"lib\").eval())";
    check(
        &library(eval, more),
        &["--data-value", "@lib~x:name=cli"],
        expect![[r#"
        wrong.yml:1:15 ytt/library-ref (overlay) `@library/ref`: Expected library ref to start with '@'
    "#]],
    );
    let more = more.replace("\"lib\"", "\"@lib\"");
    check(
        &library(eval, &more),
        &["--data-value", "@lib~x:name=cli"],
        expect![[r#"
            (data-value arg):1:1 ytt/library-not-evaluated (template) no template evaluates the library `@lib~x`, which this is for
            schema.yml:3:1 ytt/library-not-evaluated (template) no template evaluates the library `@lib@inner`, which this is for
            values.yml:3:1 ytt/library-not-evaluated (template) no template evaluates the library `@lb`, which this is for
        "#]],
    );
}

#[test]
fn what_can_not_be_read_is_said_whoever_it_is_for() {
    let more = "#- plain.yaml_\n#@ x = 1\nname: [\n";
    let arguments = ["--data-values-file", "@lib:plain.yaml_", "--data-value-yaml", "@lib:name=[1"];
    check(
        &library("---\na: 1", more),
        &arguments,
        expect![[r#"
            (data-value-yaml arg):1:11 yaml/unclosed-flow (parse) this bracket is not closed
            config.yml:1:4 ytt/unused-load (lint) `library` is loaded and never used
            config.yml:2:4 ytt/unused-load (lint) `template` is loaded and never used
            plain.yaml_:2:7 yaml/unclosed-flow (parse) this bracket is not closed
        "#]],
    );
    let directory = workspace(&[("a.yml", "a: 1\n")]);
    for address in ["@:x=1", "@lib~:x=1", "@a~b~c:x=1"] {
        let output = lofting(directory.path(), &["check", "-f", ".", "--data-value", address]);
        assert_eq!(output.status.code(), Some(2), "{address}");
    }
}

#[test]
fn libraries_nest() {
    let eval = "--- #@ template.replace(library.get(\"lib\").eval())";
    let more = format!(
        "#- _ytt_lib/lib/inner.yml\n{LOAD}#@ def schema():\n#@schema/validation (\"short\", lambda v: len(v) < 5)\n#@overlay/match missing_ok=True\nnote: long\n#@ end\n\
         --- #@ template.replace(library.get(\"github.com/x/inner\").with_data_values_schema(schema()).eval())\n\
         #- _ytt_lib/lib/_ytt_lib/github.com/x/inner/schema.yml\n#@data/values-schema\n---\nkey: a\n\
         #- _ytt_lib/lib/_ytt_lib/github.com/x/inner/config.yml\n#@ load(\"/f.star\", \"f\")\n#@ load(\"@ytt:data\", \"data\")\nkey: #@ f(data.values.key)\n\
         #- _ytt_lib/lib/_ytt_lib/github.com/x/inner/f.star\ndef f(x):\n  return x + 1\nend\n\
         #- values.yml\n#@library/ref \"@lib@github.com/x/inner\"\n#@data/values\n---\nnote: very long\n"
    );
    check(
        &library(eval, &more),
        &[],
        expect![[r#"
            values.yml:4:7 ytt/validation (validation) `note` must be short
              _ytt_lib/lib/inner.yml:4:21 the rule is here
              _ytt_lib/lib/inner.yml:8:25 the library is evaluated here
              config.yml:3:25 the library is evaluated here
        "#]],
    );
    check(
        &library(eval, &more.replace("very long", "ok")),
        &[],
        expect![[r#"
            config.yml:3:25 ytt/evaluation (template) library.eval: Evaluating library 'lib': library.eval: Evaluating library 'github.com/x/inner': unknown binary op: string + int
              _ytt_lib/lib/inner.yml:8:25 it fails here
              _ytt_lib/lib/_ytt_lib/github.com/x/inner/f.star:2:10 it fails here
              _ytt_lib/lib/_ytt_lib/github.com/x/inner/config.yml:3:9 called in <toplevel>
        "#]],
    );
    check(&library(eval, &more.replace("very long", "ok").replace("x + 1", "x")), &[], expect![[r#""#]]);
}

#[test]
fn functions_of_libraries_are_exported() {
    let code = "#@ f = library.get(\"lib\").with_data_values({\"port\": 81}).export(\"f\")\n---\na: #@ f()\nb: #@ 1 + f()\nc: #@ \"\" + f()";
    let more = "#- _ytt_lib/lib/f.lib.yml\n#@ load(\"@ytt:data\", \"data\")\n#@ def f():\n#@   return data.values.port\n#@ end\n";
    check(
        &library(code, more),
        &[],
        expect![[r#"
            config.yml:2:4 ytt/unused-load (lint) `template` is loaded and never used
            config.yml:7:7 ytt/evaluation (template) unknown binary op: string + int
        "#]],
    );
}

#[test]
fn overlays_in_code_lie_over_the_documents_of_a_library() {
    let code = |kind: &str| {
        format!(
            "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def updates():\n#@overlay/match by=overlay.subset({{\"port\": {kind}}})\n---\n\
             #@overlay/match missing_ok=True\nenv: x\n#@ end\n\
             #@ done = overlay.apply(library.get(\"lib\").eval(), updates())\n\
             --- #@ template.replace(done)\n---\nenv: #@ done[0][\"env\"]"
        )
    };
    check(&library(&code("80"), ""), &[], expect![[r#""#]]);
    check(
        &library(&code("81"), ""),
        &[],
        expect![[r#"
            config.yml:10:11 ytt/evaluation (template) overlay.apply: Expected number of matched nodes to be 1, but was 0
              config.yml:6:1 this cannot be merged
        "#]],
    );
}

#[test]
fn code_does_not_get_out() {
    let outside = workspace(&[("secret.txt", "secret"), ("in/empty.yml", "")]);
    let inside = outside.path().join("in");
    let read = |path: &str| {
        let code = format!("#@ load(\"@ytt:data\", \"data\")\n#@data/values-schema\n---\na: #@ data.read({path:?})\n");
        std::fs::write(inside.join("schema.yml"), code).expect("a file");
        let found = json_of(&lofting(&inside, &["check", "--format", "json"]));
        found["diagnostics"][0]["message"].as_str().unwrap_or("nothing").to_owned()
    };
    std::fs::write(inside.join("note.txt"), "note").expect("a file");
    assert_eq!(read("note.txt"), "nothing");
    let absolute = outside.path().join("secret.txt");
    for path in ["../secret.txt", "/../secret.txt", "x/../../secret.txt", &absolute.display().to_string()] {
        assert!(read(path).contains("Expected to find file"), "{path}: {}", read(path));
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&absolute, inside.join("link.txt")).expect("a link");
        assert!(read("link.txt").contains("Expected to find file"), "{}", read("link.txt"));
    }
}

/// Prints what is rendered of the files.
pub(crate) fn rendered(text: &str, arguments: &[&str]) -> String {
    let directory = workspace_of(text);
    let output = lofting(directory.path(), &[&["render"], arguments].concat());
    let code = output.status.code();
    assert_eq!(code, Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const RENDERED: &str = "\
#- a.yml
#@ load(\"@ytt:data\", \"data\")
kind: A
port: #@ data.values.port
#- b.yml
--- 
kind: B
#! nothing
---
#- note.txt
port (@= str(1 + 1) @)
#- over.yml
#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"kind\": \"B\"})
---
#@overlay/match missing_ok=True
more: <x>
#@overlay/match by=overlay.subset({\"kind\": \"C\"}), missing_ok=True
---
kind: gone
#- schema.yml
#@data/values-schema
---
port: 80
#- lofting.toml
[sets.all]
files = [\"a.yml\", \"b.yml\", \"note.txt\", \"over.yml\", \"schema.yml\"]
";

#[test]
fn rendered_documents_are_printed_as_ytt_prints_them() {
    let wanted = "kind: A\nport: 80\n---\nkind: B\nmore: <x>\n";
    assert_eq!(rendered(RENDERED, &["-f", "."]), wanted);
    assert_eq!(
        rendered(RENDERED, &["-f", ".", "-o", "json"]),
        "{\"kind\":\"A\",\"port\":80}{\"kind\":\"B\",\"more\":\"\\u003cx\\u003e\"}"
    );
    let wanted = "          a.yml:1 | [doc]\n          a.yml:2 |   kind: A\n          a.yml:3 |   port: 80\n          \
                  b.yml:1 | [doc]\n          b.yml:2 |   kind: B\n       over.yml:5 |   more: <x>\n";
    assert_eq!(rendered(RENDERED, &["-f", ".", "-o", "pos"]), wanted);
}

#[test]
fn an_input_set_is_rendered_by_its_name() {
    let wanted = "kind: A\nport: 80\n---\nkind: B\nmore: <x>\n";
    assert_eq!(rendered(RENDERED, &["all"]), wanted);
    assert_eq!(rendered(RENDERED, &["over.yml"]), wanted);
    assert_eq!(rendered(RENDERED, &[]), wanted);
}

#[test]
fn rendered_files_are_written_where_the_user_says() {
    let directory = workspace_of(RENDERED);
    let output = lofting(directory.path(), &["render", "-f", ".", "--output-files", "out"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).replace('\\', "/");
    assert_eq!(said, "creating: out/note.txt\ncreating: out/a.yml\ncreating: out/b.yml\n");
    let read = |name: &str| std::fs::read_to_string(directory.path().join("out").join(name)).expect("it was written");
    assert_eq!(read("note.txt"), "port 2\n");
    assert_eq!(read("b.yml"), "kind: B\nmore: <x>\n");
    assert!(!directory.path().join("out/schema.yml").exists());
}

#[test]
fn flags_of_ytt_do_what_they_do_there_or_are_refused() {
    let directory = workspace_of(RENDERED);
    let run = |arguments: &[&str]| lofting(directory.path(), &[&["render", "-f", "."], arguments].concat());
    let listed = run(&["--files-inspect"]);
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert_eq!(listed, "- a.yml\n- b.yml\n- lofting.toml\n- note.txt\n- over.yml\n- schema.yml\n");
    let links = ["--allow-symlink-destination", "/tmp", "--dangerous-allow-all-symlink-destinations", "--debug"];
    assert_eq!(run(&links).status.code(), Some(0));
    for (flag, reason) in [
        (&["--bulk-in", "{}"][..], "pass the files with -f"),
        (&["--bulk-out"], "--output-files"),
        (&["--output-directory", "out"], "--dangerous-emptied-output-directory"),
        (&["--data-values-inspect"], "lofting values"),
        (&["--data-values-schema-inspect"], "lofting schema"),
        (&["-o", "pos", "--origin"], "-o pos shows places"),
    ] {
        let refused = run(flag);
        assert_eq!(refused.status.code(), Some(2), "{flag:?}");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains(reason), "{flag:?}: {said}");
    }
    // What lay in the directory before is gone.
    std::fs::create_dir(directory.path().join("out")).expect("a new directory");
    std::fs::write(directory.path().join("out/old"), "").expect("a new file");
    let emptied = run(&["--file-mark", "out/old:exclude=true", "--dangerous-emptied-output-directory", "out"]);
    assert_eq!(emptied.status.code(), Some(0), "{}", String::from_utf8_lossy(&emptied.stderr));
    assert!(!directory.path().join("out/old").exists() && directory.path().join("out/a.yml").exists());
    let here = ["render", "-f", "a.yml", "-f", "schema.yml", "--dangerous-emptied-output-directory", "."];
    assert_eq!(lofting(directory.path(), &here).status.code(), Some(2));
    assert!(directory.path().join("a.yml").exists());
}

const LAYERS: &str = "\
#- schema.yml
#@data/values-schema
---
db: {host: h, port: 1}
ports: [80]
#- values.yml
#@data/values
---
db:
  host: prod
ports: [1]
#- app.yml
#@ load(\"@ytt:data\", \"data\")
#@ def labels():
app: #@ data.values.db.host
#@ end
labels: #@ labels()
name: #@ data.values.db.host + str(data.values.db.port)
ports: #@ data.values.ports
text: |
  a
#- over.yml
#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.all
---
name: new
#@overlay/match missing_ok=True
more: []
";

#[test]
fn every_rendered_value_says_where_it_comes_from() {
    let wanted = "\
labels:
  app: prod #! app.yml:3 with values.yml:4
name: new #! over.yml:4 over app.yml:6 with values.yml:4, schema.yml:3
ports:
- 1 #! app.yml:7 with values.yml:5
text: | #! app.yml:8
  a
more: [] #! over.yml:6
";
    assert_eq!(rendered(LAYERS, &["-f", ".", "--origin"]), wanted);
    let json: serde_json::Value =
        serde_json::from_str(&rendered(LAYERS, &["-f", ".", "--origin", "-o", "json"])).expect("JSON");
    assert_eq!(json["value"]["name"], "new");
    let wanted = serde_json::json!([
        {"place": "over.yml:4", "values": []},
        {"place": "app.yml:6", "values": ["values.yml:4", "schema.yml:3"]},
    ]);
    assert_eq!(json["origin"]["name"], wanted);
    assert_eq!(json["origin"]["ports[0]"][0]["place"], "app.yml:7");
}

const THROUGH: &str = "\
#- schema.yml
#@data/values-schema
---
ports: [80]
hosts:
- name: x
#- values.yml
#@data/values
---
ports: [1, 2]
hosts:
- name: a
- name: b
#- app.yml
#@ load(\"@ytt:data\", \"data\")
#@ load(\"@ytt:library\", \"library\")
#@ load(\"@ytt:template\", \"template\")
ports:
#@ for port in data.values.ports:
- #@ port
#@ end
urls:
#@ for host in data.values.hosts:
- #@ \"https://\" + host.name
#@ end
#@ for host in data.values.hosts:
--- #@ template.replace(library.get(\"lib\").with_data_values({\"name\": host.name, \"size\": 3}).eval())
#@ end
#- _ytt_lib/lib/schema.yml
#@data/values-schema
---
name: ''
size: 1
kind: small
#- _ytt_lib/lib/out.yml
#@ load(\"@ytt:data\", \"data\")
---
name: #@ data.values.name
kind: #@ data.values.kind
fixed: 1
";

#[test]
fn origins_are_followed_through_loops_and_libraries() {
    let wanted = "\
ports:
- 1 #! app.yml:6 with values.yml:3
- 2 #! app.yml:6 with values.yml:3
urls:
- https://a #! app.yml:10 with values.yml:5
- https://b #! app.yml:10 with values.yml:5
---
name: a #! _ytt_lib/lib/out.yml:3 with app.yml:13, values.yml:5
kind: small #! _ytt_lib/lib/out.yml:4 with _ytt_lib/lib/schema.yml:5
fixed: 1 #! _ytt_lib/lib/out.yml:5
---
name: b #! _ytt_lib/lib/out.yml:3 with app.yml:13, values.yml:6
kind: small #! _ytt_lib/lib/out.yml:4 with _ytt_lib/lib/schema.yml:5
fixed: 1 #! _ytt_lib/lib/out.yml:5
";
    assert_eq!(rendered(THROUGH, &["-f", ".", "--origin"]), wanted);
}

/// Each output precedes a line on the error stream.
#[test]
fn a_file_of_no_input_set_is_rendered_with_the_most_likely_one() {
    let directory = workspace_of(
        "#- config/schema.yml\n#@data/values-schema\n---\nname: web\nport: 80\n#- config/app.yml\n#@ load(\"@ytt:data\", \
         \"data\")\nname: #@ data.values.name\n#- values/dev.yml\nname: dev\n#- values/prod.yml\nname: 1\n#- other.yml\na: 1\n",
    );
    let rendered = |target: &str| {
        let output = lofting(directory.path(), &["render", target]);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, out, said) = rendered("config/app.yml");
    assert_eq!((code, out.as_str()), (Some(0), "name: web\n"), "{said}");
    expect![[r#"
        lofting: no input set is known that config/app.yml belongs to: rendered like `ytt -f config`, with the schema's defaults; there are values in values/dev.yml, values/prod.yml
        to name the set, write into lofting.toml:
        [sets.config]
        files = ["config"]
        values = ["values/*.yml"]
    "#]]
    .assert_eq(&said);
    // A values file is rendered with itself, whatever is wrong in the others.
    let (code, out, said) = rendered("values/dev.yml");
    assert_eq!((code, out.as_str()), (Some(0), "name: dev\n"), "{said}");
    assert!(said.contains("rendered like `ytt -f config --data-values-file values/dev.yml`\n"), "{said}");
    let (code, out, said) = rendered("values/prod.yml");
    assert_eq!((code, out.as_str(), said.contains("values/prod.yml:1:7")), (Some(1), "", true), "{said}");
    for target in ["other.yml", "nowhere.yml", "values"] {
        let (code, out, said) = rendered(target);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{said}");
        assert!(said.contains(&format!("no input set is known that {target} belongs to")), "{said}");
    }
    // The final values of a set are asked for in the same way.
    let values = |arguments: &[&str]| lofting(directory.path(), &[&["values"], arguments].concat());
    let (own, none) = (values(&["values/dev.yml", "--origin"]), values(&["other.yml"]));
    assert_eq!(
        String::from_utf8_lossy(&own.stdout),
        "name: dev #! values/dev.yml:1\nport: 80 #! config/schema.yml:4\n"
    );
    assert_eq!((own.status.code(), none.status.code()), (Some(0), Some(2)));
    assert_eq!(values(&["values/prod.yml"]).status.code(), Some(1));
    assert_eq!(values(&["config", "-f", "config"]).status.code(), Some(2));
    std::fs::write(
        directory.path().join("lofting.toml"),
        "[sets.dev]\nfiles = ['config']\nvalues = ['values/dev.yml']\n[sets.plain]\nfiles = ['config']\n",
    )
    .expect("a file");
    assert_eq!(String::from_utf8_lossy(&values(&["dev"]).stdout), "name: dev\nport: 80\n");
    let several = String::from_utf8_lossy(&values(&[]).stderr).into_owned();
    assert!(several.contains("name one of `dev`, `plain`"), "{several}");
}
