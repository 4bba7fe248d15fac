//! The final data values as a virtual document that follows the edits.

use serde_json::{Value, json};

use crate::SCHEMA;
use crate::client::{Client, Setup};

const VALUES: &str = "#@data/values\n---\nname: shop\n";

fn text(client: &mut Client, name: &str) -> String {
    let uri = client.uri(name);
    let answer = client.request("lofting/finalDataValues", json!({"textDocument": {"uri": uri}}));
    answer["text"].as_str().unwrap_or_default().to_owned()
}

fn changed(client: &mut Client, uri: &Value) {
    client.wait("a change of final values", |message| {
        message["method"] == "lofting/finalDataValuesChanged" && message["params"]["uri"] == *uri
    });
}

#[test]
fn the_text_follows_the_edits() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    client.diagnostics("values.yml", 1);
    let uri = client.uri("values.yml");
    let answer = client.request("lofting/finalDataValues", json!({"textDocument": {"uri": uri}}));
    let shown = answer["text"].as_str().expect("text");
    assert!(shown.contains("name: shop") && shown.contains("port: 8080") && shown.contains("values.yml:3"), "{answer}");
    let document = answer["uri"].clone();
    assert!(document.as_str().expect("a URI").starts_with("lofting-values:"), "{answer}");
    client.change("values.yml", [2, 6, 2, 10], "cart");
    changed(&mut client, &document);
    assert!(text(&mut client, "values.yml").contains("name: cart"));
    // An edit that changes no value sends no notification; the next change does.
    client.change("values.yml", [3, 0, 3, 0], "#! a comment\n");
    client.change("values.yml", [2, 6, 2, 10], "till");
    changed(&mut client, &document);
    assert!(text(&mut client, "values.yml").contains("name: till"));
}

#[test]
fn an_edit_of_the_schema_shows_as_well() {
    let mut client = Setup::rich().file("schema.yml", SCHEMA).start();
    client.open("schema.yml", SCHEMA);
    client.open("values.yml", VALUES);
    let uri = client.uri("values.yml");
    let answer = client.request("lofting/finalDataValues", json!({"textDocument": {"uri": uri}}));
    client.change("schema.yml", [4, 6, 4, 10], "9090");
    changed(&mut client, &answer["uri"]);
    assert!(text(&mut client, "values.yml").contains("port: 9090"));
}

#[test]
fn clients_that_know_virtual_documents_get_them_by_the_protocol() {
    let setup = Setup::rich().capability("workspace.textDocumentContent", json!({}));
    let mut client = setup.file("schema.yml", SCHEMA).start();
    client.open("values.yml", VALUES);
    let uri = client.uri("values.yml").replacen("file://", "lofting-values:", 1);
    let answer = client.request("workspace/textDocumentContent", json!({"uri": uri}));
    assert!(answer["text"].as_str().expect("text").contains("name: shop"), "{answer}");
    client.change("values.yml", [2, 6, 2, 10], "cart");
    client.server_request("workspace/textDocumentContent/refresh");
    let answer = client.request("workspace/textDocumentContent", json!({"uri": uri}));
    assert!(answer["text"].as_str().expect("text").contains("name: cart"), "{answer}");
}

#[test]
fn files_without_data_values_have_none() {
    let mut client = Setup::rich().start();
    client.open("other.yml", "a: 1\n");
    assert_eq!(text(&mut client, "other.yml"), "");
    assert_eq!(text(&mut client, "nowhere.yml"), "");
}
