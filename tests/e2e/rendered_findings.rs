//! The findings of rendering are shown in a pause of typing.

use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};
use crate::command_line::{json_of, lofting, workspace};

const SCHEMA: &str = "#@data/values-schema\n---\nname: web\n";
const APP: &str =
    "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"names.lib.yml\", \"named\")\n---\nname: #@ named(data.values.name)\n";
const NAMES: &str = "#@ def named(name):\n#@   return name.lower()\n#@ end\n";
const OVER: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n#@overlay/match missing_ok=True\nmore: 1\n";
const SETS: &str = "[sets.dev]\nfiles = ['schema.yml', 'app.yml', 'names.lib.yml', 'over.yml']\n\
    [sets.prod]\nfiles = ['schema.yml', 'app.yml', 'names.lib.yml']\nvalues = ['prod.yml']\n";

fn setup(setup: Setup) -> Setup {
    let files = [
        ("schema.yml", SCHEMA),
        ("names.lib.yml", NAMES),
        ("over.yml", OVER),
        ("prod.yml", "name: prod\n"),
        ("lofting.toml", SETS),
        ("app.yml", APP),
    ];
    files.into_iter().fold(setup, |setup, (name, text)| setup.file(name, text))
}

/// The findings of a version of a document once they hold what is wanted.
fn found(client: &mut Client, name: &str, what: &str, accept: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let params = client
        .diagnostics_where(name, what, |params| params["diagnostics"].as_array().is_some_and(|list| accept(list)));
    params["diagnostics"].as_array().cloned().unwrap_or_default()
}

#[test]
fn what_rendering_finds_comes_after_a_pause_and_goes_with_its_cause() {
    let mut client = setup(Setup::rich()).start();
    client.open("app.yml", APP);
    assert_eq!(codes(&client.diagnostics("app.yml", 1)), Vec::<&str>::new());
    // A name that the loaded file does not have.
    client.change("app.yml", [1, 25, 1, 32], "named=\"names\"");
    let list = found(&mut client, "app.yml", "a load of nothing", |list| !list.is_empty());
    assert_eq!(codes(&list), ["ytt/evaluation"], "{list:?}");
    assert_eq!(list[0]["range"]["start"]["line"], 1);
    // It is reported once, although two sets render the template.
    client.change("app.yml", [1, 25, 1, 38], "\"named\"");
    found(&mut client, "app.yml", "nothing any more", <[Value]>::is_empty);
    // A failure in another file is reported there.
    client.open("names.lib.yml", NAMES);
    client.change("names.lib.yml", [1, 17, 1, 22], "lowr");
    let list = found(&mut client, "names.lib.yml", "a method that is not there", |list| !list.is_empty());
    assert_eq!(list[0]["range"]["start"]["line"], 1, "{list:?}");
    client.change("names.lib.yml", [1, 17, 1, 21], "lower");
    found(&mut client, "names.lib.yml", "nothing any more", <[Value]>::is_empty);
    // An overlay that matches nothing, in one of the sets.
    client.open("over.yml", OVER);
    client.change("over.yml", [3, 0, 3, 32], "#@overlay/match");
    let list = found(&mut client, "over.yml", "a key that is not there", |list| !list.is_empty());
    assert_eq!(codes(&list), ["ytt/overlay-new-key"], "{list:?}");
}

#[test]
fn what_an_overlay_mends_is_not_wrong_after_a_pause() {
    const CRD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boxes.example.com}\n\
        spec:\n  group: example.com\n  scope: Namespaced\n  names: {kind: Box, plural: boxes}\n  versions:\n  - name: v1\n    \
        served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object, properties: {size: {type: integer}}}\n";
    const BOX: &str = "apiVersion: example.com/v1\nkind: Box\nmetadata: {name: a}\nsize: x\n";
    const MENDS: &str = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"Box\"})\n---\nsize: 1\n";
    let setup = Setup::rich().file("crd.yml", CRD).file("box.yml", BOX).file("over.yml", MENDS);
    let mut client = setup.file("lofting.toml", "[sets.a]\nfiles = [\"crd.yml\", \"box.yml\", \"over.yml\"]\n").start();
    client.open("box.yml", BOX);
    client.open("over.yml", MENDS);
    found(&mut client, "box.yml", "nothing once it is rendered", <[Value]>::is_empty);
    // What is printed decides in both directions.
    client.change("over.yml", [3, 6, 3, 7], "y");
    let list = found(&mut client, "over.yml", "what is printed now", |list| !list.is_empty());
    assert_eq!(codes(&list), ["kubernetes/type-mismatch"], "{list:?}");
    client.change("over.yml", [3, 0, 3, 7], "size: 1");
    found(&mut client, "over.yml", "nothing", <[Value]>::is_empty);
    client.change("box.yml", [1, 6, 1, 9], "Bag");
    found(&mut client, "over.yml", "an overlay that matches nothing", |list| codes(list) == ["ytt/overlay-matches"]);
}

#[test]
fn what_is_wrong_with_some_values_says_with_which() {
    let stages = "[sets.stages]\nfiles = ['schema.yml', 'app.yml', 'names.lib.yml']\nvalues = ['env/*.yml']\n";
    let setup = setup(Setup::rich())
        .file("lofting.toml", stages)
        .file("env/web.yml", "name: web\n")
        .file("env/prod.yml", "name: prod\n");
    let mut client = setup.start();
    let text = APP.replace("#@ named(data.values.name)", "#@ {\"web\": named}[data.values.name](\"x\")");
    client.open("app.yml", &text);
    let list = found(&mut client, "app.yml", "a key that is not there", |list| !list.is_empty());
    let related: Vec<&str> = list[0]["relatedInformation"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|related| related["location"]["uri"].as_str())
        .collect();
    assert_eq!(related, [client.uri("env/prod.yml")], "{list:?}");
}

#[test]
fn clients_that_pull_are_asked_to_do_so_again() {
    let mut client =
        setup(Setup::rich().capability("textDocument.diagnostic", json!({"dynamicRegistration": true}))).start();
    client.open("app.yml", APP);
    assert_eq!(client.all_findings("app.yml"), Vec::<Value>::new());
    client.change("app.yml", [1, 25, 1, 32], "named=\"names\"");
    while client.all_findings("app.yml").is_empty() {
        client.server_request("workspace/diagnostic/refresh");
    }
    assert_eq!(codes(&client.all_findings("app.yml")), ["ytt/evaluation"]);
}

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  names: {kind: Box, plural: boxes}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, minimum: 1}
              name: {type: string}
";
const BOXES: &str = "#@ load(\"@ytt:data\", \"data\")
#@ for/end size in [1, 0, 0]:
---
apiVersion: example.com/v1
kind: #@ \"Box\"
metadata:
  name: a
spec:
  size: #@ size
  name: #@ data.values.name
  mode: on
---
apiVersion: example.com/v1
kind: Box
spec: {}
";

/// Code, line (from 1) and the text that is marked.
fn messages(list: &[Value]) -> Vec<String> {
    let lines: Vec<&str> = BOXES.lines().collect();
    let messages = |finding: &Value| {
        let (start, end) = (&finding["range"]["start"], &finding["range"]["end"]);
        let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or_default();
        let line = lines.get(number(&start["line"])).copied().unwrap_or_default();
        let text = line.get(number(&start["character"])..number(&end["character"])).unwrap_or_default();
        format!("{} {}: {text}", finding["code"].as_str().unwrap_or_default(), number(&start["line"]) + 1)
    };
    list.iter().map(messages).collect()
}

#[test]
fn what_is_rendered_is_checked_by_the_schemas_of_the_workspace() {
    let sets = "[sets.dev]\nfiles = ['schema.yml', 'boxes.yml', 'over.yml']\n";
    let over = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"Box\"}), expects=\"1+\"\n---\nspec:\n  #@overlay/match missing_ok=True\n  size: small\n";
    let files = [("schema.yml", SCHEMA), ("crd.yaml", DEFINITION), ("boxes.yml", BOXES), ("lofting.toml", sets)];
    let set_up = |setup: Setup| files.into_iter().fold(setup, |setup, (name, text)| setup.file(name, text));
    let mut client = set_up(Setup::rich()).file("over.yml", "#@ load(\"@ytt:overlay\", \"overlay\")\n").start();
    client.open("boxes.yml", BOXES);
    let list = found(&mut client, "boxes.yml", "resources that do not fit", |list| list.len() >= 3);
    let wrong = ["kubernetes/undeclared-key 11: mode", "kubernetes/min 9: size", "kubernetes/missing-key 15: spec"];
    let mut seen = messages(&list);
    seen.sort();
    let mut wanted = wrong.map(str::to_owned);
    wanted.sort();
    assert_eq!(seen, wanted, "{list:#?}");
    // Nothing of it can be fixed by changing the output.
    let fixed = client.request(
        "textDocument/codeAction",
        json!({"textDocument": {"uri": client.uri("boxes.yml")}, "range": list[0]["range"], "context": {"diagnostics": []}}),
    );
    let titles: Vec<&str> =
        fixed.as_array().into_iter().flatten().filter_map(|action| action["title"].as_str()).collect();
    assert!(titles.iter().all(|title| title.starts_with("Ignore") || title.starts_with("Switch")), "{titles:?}");
    // A fault of what an overlay changes is reported at the overlay.
    client.open("over.yml", over);
    let list = found(&mut client, "over.yml", "a value of a different type", |list| !list.is_empty());
    assert_eq!(codes(&list), ["kubernetes/type-mismatch"], "{list:?}");
}

#[test]
fn on_the_command_line_bundles_count_as_well() {
    let deployment = r#"{"type": "object", "properties": {"spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}}}}"#;
    let template = "apiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: #@ \"2\"\n";
    let directory = workspace(&[
        ("lofting.toml", "[sets.dev]\nfiles = ['config']\n[[schemas]]\nkubernetes = 'k8s'\n"),
        ("k8s/deployment-apps-v1.json", deployment),
        ("config/schema.yml", SCHEMA),
        ("config/app.yml", template),
    ]);
    let found = |arguments: &[&str]| {
        let output = lofting(directory.path(), arguments);
        let json = json_of(&output);
        let list = json["diagnostics"].as_array().cloned().unwrap_or_default();
        let codes: Vec<String> = list
            .iter()
            .map(|one| format!("{} {}", one["code"].as_str().unwrap_or_default(), one["range"]["start"]["line"]))
            .collect();
        assert!(list.iter().all(|one| one["help"].is_null()), "code is not fixed like text: {list:?}");
        (output.status.code(), codes.join(", "))
    };
    let wrong = (Some(1), "kubernetes/type-mismatch 4".to_owned());
    assert_eq!(found(&["check", "--render", "--format", "json"]), wrong.clone());
    // Without rendering nothing of it is known, and a call of ytt fails only if ytt's own does.
    assert_eq!(found(&["check", "--format", "json"]), (Some(0), String::new()));
    assert_eq!(found(&["check", "--render", "--format", "json", "-f", "config"]), (Some(0), wrong.1));
}
