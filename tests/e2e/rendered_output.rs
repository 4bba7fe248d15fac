//! What templates render as a virtual document that follows the edits.

use serde_json::{Value, json};

use crate::client::{Client, Setup};

const APP: &str =
    "#@ load(\"@ytt:data\", \"data\")\n---\nname: #@ data.values.name\nlist:\n#@ for i in range(2):\n- #@ i\n#@ end\n";
const FILES: &[(&str, &str)] = &[
    ("schema.yml", "#@data/values-schema\n---\nname: web\n"),
    ("prod.yml", "name: prod\n"),
    (
        "lofting.toml",
        "[sets.dev]\nfiles = ['schema.yml', 'app.yml', 'over.yml']\n[sets.prod]\nfiles = ['schema.yml', 'app.yml']\nvalues = ['prod.yml']\n",
    ),
    (
        "over.yml",
        "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n#@overlay/match missing_ok=True\nmore: 1\n",
    ),
];

fn start() -> Client {
    let mut setup = Setup::rich();
    for (name, text) in FILES {
        setup = setup.file(name, text);
    }
    let mut client = setup.file("app.yml", APP).start();
    client.open("app.yml", APP);
    client.diagnostics("app.yml", 1);
    client
}

fn output(client: &mut Client, uri: &str) -> Value {
    client.request("lofting/renderedOutput", json!({"textDocument": {"uri": uri}}))
}

fn changed(client: &mut Client, uri: &Value) {
    client.wait("a change of what is rendered", |message| {
        message["method"] == "lofting/renderedOutputChanged" && message["params"]["uri"] == *uri
    });
}

fn text(answer: &Value) -> &str {
    answer["text"].as_str().unwrap_or_default()
}

#[test]
fn the_output_follows_the_edits_and_keeps_the_last_good_one() {
    let mut client = start();
    let file = client.uri("app.yml");
    let first = output(&mut client, &file);
    assert_eq!(text(&first), "name: web\nlist:\n- 0\n- 1\nmore: 1\n", "{first}");
    assert_eq!((&first["call"], &first["stale"]), (&json!("dev"), &json!(false)));
    // Every line says where it comes from.
    let sources: Vec<&str> = first["sources"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    assert_eq!(sources, [file.as_str(), client.uri("over.yml").as_str()]);
    assert_eq!(first["lines"], json!([[0, 2], [0, 3], [0, 5], [0, 5], [1, 4]]));
    // A change is announced once the output has changed.
    let document = first["uri"].clone();
    client.change("app.yml", [4, 18, 4, 19], "3");
    changed(&mut client, &document);
    let longer = output(&mut client, document.as_str().unwrap_or_default());
    assert_eq!(text(&longer), "name: web\nlist:\n- 0\n- 1\n- 2\nmore: 1\n");
    // A mistake keeps what was there, and says why.
    client.change("app.yml", [2, 21, 2, 25], "nam");
    changed(&mut client, &document);
    let stale = output(&mut client, document.as_str().unwrap_or_default());
    assert_eq!(stale["stale"], true, "{stale}");
    let reason = stale["reasons"][0].as_str().unwrap_or_default();
    assert!(reason.starts_with("app.yml:3: "), "{stale}");
    // No line has moved.
    assert_eq!((text(&stale), &stale["lines"]), (text(&longer), &longer["lines"]));
    client.change("app.yml", [2, 21, 2, 24], "name");
    changed(&mut client, &document);
    assert_eq!(output(&mut client, document.as_str().unwrap_or_default()), longer);
}

#[test]
fn the_input_set_is_chosen_by_its_uri() {
    let mut client = start();
    let file = client.uri("app.yml");
    let first = output(&mut client, &file);
    let calls = first["calls"].as_array().cloned().unwrap_or_default();
    let titles: Vec<&str> = calls.iter().filter_map(|call| call["title"].as_str()).collect();
    assert_eq!(titles, ["dev", "prod"]);
    let prod = output(&mut client, calls[1]["uri"].as_str().unwrap_or_default());
    assert_eq!(text(&prod), "name: prod\nlist:\n- 0\n- 1\n", "{prod}");
    assert_eq!((&prod["uri"], &prod["call"]), (&calls[1]["uri"], &json!("prod")));
    // What has no output of its own shows what it takes part in, and so does the whole set.
    let over = client.uri("over.yml");
    assert_eq!(text(&output(&mut client, &over)), text(&first));
    assert_eq!(text(&output(&mut client, calls[0]["setUri"].as_str().unwrap_or_default())), text(&first));
    // Where nothing is for ytt there is a reason, and for unknown files there is nothing.
    let alone = client.uri("lofting.toml");
    assert!(text(&output(&mut client, &alone)).starts_with("#! not rendered: no input set"));
    let nowhere = client.uri("nowhere.yml");
    assert_eq!(output(&mut client, &nowhere), Value::Null);
}

#[test]
fn clients_that_know_virtual_documents_get_outputs_by_the_protocol() {
    let mut setup = Setup::rich().capability("workspace.textDocumentContent", json!({}));
    for (name, text) in FILES {
        setup = setup.file(name, text);
    }
    let mut client = setup.file("app.yml", APP).start();
    client.open("app.yml", APP);
    let uri = client.uri("app.yml").replacen("file://", "lofting-output:", 1) + "?prod";
    let answer = client.request("workspace/textDocumentContent", json!({"uri": uri}));
    assert_eq!(text(&answer), "name: prod\nlist:\n- 0\n- 1\n");
    client.change("app.yml", [4, 18, 4, 19], "1");
    client.server_request("workspace/textDocumentContent/refresh");
    let answer = client.request("workspace/textDocumentContent", json!({"uri": uri}));
    assert_eq!(text(&answer), "name: prod\nlist:\n- 0\n");
}

#[test]
fn without_a_description_a_set_is_assumed_and_can_be_written_down() {
    let template = "#@ load(\"@ytt:data\", \"data\")\nname: #@ data.values.name\n";
    let schema = "#@data/values-schema\n---\n#@schema/default \"w\" + \"eb\"\nname: \"\"\n";
    let files = [("config/schema.yml", schema), ("values/dev.yml", "name: dev\n"), ("values/prod.yml", "name: prod\n")];
    let edits = json!({"documentChanges": true, "resourceOperations": ["create"]});
    let mut setup = Setup::rich().capability("workspace.workspaceEdit", edits).file("config/app.yml", template);
    for (name, text) in files {
        setup = setup.file(name, text);
    }
    let mut client = setup.start();
    client.open("config/app.yml", template);
    client.diagnostics("config/app.yml", 1);
    let file = client.uri("config/app.yml");
    let first = output(&mut client, &file);
    assert_eq!(text(&first), "name: web\n", "{first}");
    let assumed =
        json!({"name": "config", "command": "ytt -f config", "values": ["values/dev.yml", "values/prod.yml"]});
    assert_eq!(first["assumed"], assumed);
    let titles: Vec<&str> =
        first["calls"].as_array().into_iter().flatten().filter_map(|it| it["label"].as_str()).collect();
    assert_eq!(titles, ["config with the schema's defaults", "config with dev.yml", "config with prod.yml"]);
    // It follows the edits of all its files, as a described one does.
    let prod = first["calls"][2]["uri"].as_str().unwrap_or_default().to_owned();
    assert_eq!(text(&output(&mut client, &prod)), "name: prod\n");
    client.open("values/prod.yml", "name: prod\n");
    client.change("values/prod.yml", [0, 6, 0, 10], "live");
    changed(&mut client, &json!(prod));
    assert_eq!(text(&output(&mut client, &prod)), "name: live\n");
    // The findings are as before.
    client.change("config/app.yml", [1, 18, 1, 22], "nam");
    changed(&mut client, &json!(prod));
    let stale = output(&mut client, &prod);
    assert_eq!((text(&stale), &stale["stale"]), ("name: live\n", &json!(true)));
    // It is written down on request.
    let edit = client.request("lofting/describeInputSet", json!({"textDocument": {"uri": prod}}));
    let written = edit.to_string();
    assert!(
        written.contains("[sets.config]\\nfiles = [\\\"config\\\"]\\nvalues = [\\\"values/*.yml\\\"]\\n"),
        "{written}"
    );
}
