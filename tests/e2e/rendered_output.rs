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
    // What changes is told, once what is rendered is something else.
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
    let (reason, rest) = text(&stale).split_once('\n').unwrap_or_default();
    assert!(reason.starts_with("#! not rendered: ") && reason.contains("app.yml:3: "), "{reason}");
    assert_eq!(rest, text(&longer));
    assert_eq!(stale["lines"][0], Value::Null);
    assert_eq!(stale["lines"][1], json!([0, 2]));
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
    // Without a set there is a reason, and for unknown files there is nothing.
    client.open("alone.yml", "a: #@ 1\n");
    let alone = client.uri("alone.yml");
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
