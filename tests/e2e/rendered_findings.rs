//! The findings of rendering are shown in a pause of typing.

use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};

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
    // It is said once, although two sets render the template.
    client.change("app.yml", [1, 25, 1, 38], "\"named\"");
    found(&mut client, "app.yml", "nothing any more", <[Value]>::is_empty);
    // What fails in another file is told there, in its text.
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
