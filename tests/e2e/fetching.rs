//! Schemas of the web: fetched from hosts that the user allows, and from no others, whatever a repository says.

use std::path::Path;
use std::process::{Command, Output};

use lofting_tests::web::{Asked, Reply, Server};
use serde_json::{Value, json};

use crate::client::{Client, Setup, codes};
use crate::command_line::{json_of, workspace};

const SCHEMA: &str = r##"{"properties": {"port": {"$ref": "defs.json#/port"}, "name": {"enum": ["web"]}}}"##;
const DEFINITIONS: &str = r#"{"port": {"type": "integer"}}"#;
const MISMATCH: &str = "json-schema/type-mismatch";
const UNREAD: &str = "lofting/schema-not-read";

/// A server with a schema in two documents.
fn schemas() -> Server {
    Server::start(|asked| match asked.target.as_str() {
        "/schema.json" => Reply::json(SCHEMA),
        "/defs.json" => Reply::json(DEFINITIONS),
        _ => Reply::status(404),
    })
}

fn targets(server: &Server) -> Vec<String> {
    let mut targets: Vec<String> = server.asked().into_iter().map(|Asked { target, .. }| target).collect();
    targets.sort();
    targets
}

/// A document that names a schema.
fn document(url: &str) -> String {
    format!("# yaml-language-server: $schema={url}\nport: eighty\n")
}

/// The command line with a cache of its own in `.cache`.
fn lofting(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lofting"))
        .args(arguments)
        .current_dir(directory)
        .env("XDG_CACHE_HOME", directory.join(".cache"))
        .env("LOCALAPPDATA", directory.join(".cache"))
        .output()
        .expect("it runs")
}

/// The findings of `lofting check`, each with its severity.
fn found(output: &Output) -> Vec<(String, String)> {
    let report = json_of(output);
    let word = |finding: &Value, name: &str| finding[name].as_str().unwrap_or_default().to_owned();
    let findings = report["diagnostics"].as_array().expect("findings");
    findings.iter().map(|finding| (word(finding, "code"), word(finding, "severity"))).collect()
}

fn one(code: &str, severity: &str) -> Vec<(String, String)> {
    vec![(code.to_owned(), severity.to_owned())]
}

/// Makes all copies in a cache those of long ago.
fn make_old(cache: &Path) {
    for host in std::fs::read_dir(cache).expect("the cache").flatten() {
        for file in std::fs::read_dir(host.path()).expect("a host").flatten() {
            let text = std::fs::read_to_string(file.path()).expect("a text");
            std::fs::write(file.path(), text.replace("\"confirmed\":", "\"confirmed\":1,\"was\":")).expect("written");
        }
    }
}

#[test]
fn the_command_line_fetches_from_hosts_that_are_allowed() {
    let server = schemas();
    let directory = workspace(&[("a.yml", &document(&server.url("/schema.json")))]);
    let check = |arguments: &[&str]| {
        let all: Vec<&str> = ["check", "--format", "json"].iter().chain(arguments).copied().collect();
        found(&lofting(directory.path(), &all))
    };
    assert_eq!(check(&[]), one(UNREAD, "info"));
    assert_eq!(check(&["--allow-host", "*"]), one(UNREAD, "info"));
    assert_eq!(check(&["--allow-host", "localhost", "a.yml"]), one(UNREAD, "info"));
    assert_eq!(check(&["--offline", "--allow-host", &server.host()]), one(UNREAD, "info"));
    assert_eq!(targets(&server), Vec::<String>::new());
    for _ in 0..2 {
        assert_eq!(check(&["--allow-host", &server.host()]), one(MISMATCH, "error"));
        assert_eq!(targets(&server), ["/defs.json", "/schema.json"]);
    }
    let host = server.host();
    assert_eq!(check(&["--offline", "--allow-host", &host]), one(MISMATCH, "error"));
    drop(server);
    assert_eq!(check(&["--allow-host", &host]), one(MISMATCH, "error"), "copies of today are the documents");
    // Copies of another day are used and said to be that.
    make_old(&directory.path().join(".cache/lofting/schemas"));
    let late = check(&["--allow-host", &host]);
    assert!(late.contains(&one(UNREAD, "info")[0]) && late.contains(&one(MISMATCH, "error")[0]), "{late:?}");
}

#[test]
fn a_schema_on_the_command_line_allows_its_host() {
    let server = schemas();
    let directory = workspace(&[("a.yml", "port: eighty\n"), ("local.json", &SCHEMA.replace("defs", "none"))]);
    let url = server.url("/schema.json");
    let output = lofting(directory.path(), &["check", "--format", "json", "--schema", &url, "a.yml"]);
    assert_eq!(found(&output), one(MISMATCH, "error"));
    let output = lofting(directory.path(), &["check", "--schema", &server.url("/none.json"), "a.yml"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("its server has no such document"), "{said}");
    let before = server.asked().len();
    lofting(directory.path(), &["check", "--schema", "local.json", "a.yml"]);
    assert_eq!(server.asked().len(), before);
}

#[test]
fn nothing_in_a_repository_has_a_connection_opened() {
    let server = schemas();
    let url = server.url("/schema.json");
    let configuration = format!(
        "[[schemas]]\nurl = \"{url}\"\nfiles = [\"b.yml\"]\n\n[fetch]\nallowedHosts = [\"*\", \"{0}\"]\n",
        server.host()
    );
    let directory = workspace(&[
        ("a.yml", &document(&url)),
        ("b.yml", "port: eighty\n"),
        ("c.yml", &format!("$schema: {url}\nport: eighty\n")),
        ("d.yml", &format!("# $schema: ./local.json\n# allow-host: {}\nport: eighty\n", server.host())),
        ("local.json", &format!("{{\"properties\": {{\"port\": {{\"$ref\": \"{url}\"}}}}}}")),
        ("lofting.toml", &configuration),
    ]);
    lofting(directory.path(), &["check"]);
    lofting(directory.path(), &["check", "--trust"]);
    let mut client = Setup::rich().options(json!({"trusted": true})).start();
    for name in ["a.yml", "b.yml", "c.yml", "d.yml", "lofting.toml", "local.json"] {
        client.write(name, std::fs::read(directory.path().join(name)).expect("it is there"));
    }
    client.open_file("a.yml");
    client.diagnostics_where("a.yml", "what is not allowed", |found| has(found, UNREAD));
    assert_eq!(server.asked(), []);
}

#[test]
fn a_fetched_schema_leads_to_no_file_and_no_other_host() {
    let other = schemas();
    let directory = workspace(&[("secret.json", r#"{"enum": ["canary-8c1f"]}"#)]);
    let file = format!("file://{}", directory.path().join("secret.json").display());
    let schema = format!(
        r#"{{"properties": {{"port": {{"$ref": "{file}"}}, "name": {{"$ref": "{}"}}}}}}"#,
        other.url("/schema.json")
    );
    let server = Server::start(move |_| Reply::json(&schema));
    let url = server.url("/schema.json");
    std::fs::write(directory.path().join("a.yml"), document(&url)).expect("written");
    for arguments in [
        &["check", "--format", "json", "--trust", "--allow-host", &server.host(), "a.yml"][..],
        &["check", "--format", "json", "--schema", &url, "a.yml"],
    ] {
        let output = lofting(directory.path(), arguments);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(!text.contains("canary") && !text.contains("/enum"), "{arguments:?}: {text}");
    }
    assert_eq!(targets(&server), ["/schema.json"]);
    assert_eq!(other.asked(), []);
}

/// A client whose server keeps copies in a folder of its own.
fn client(hosts: &[&str], cache: &Path) -> Client {
    Setup::rich().settings(fetch_settings(hosts, cache)).options(json!({"userSettings": true})).start()
}

fn fetch_settings(hosts: &[&str], cache: &Path) -> Value {
    json!({"lofting": {"fetch": {"allowedHosts": hosts, "cache": cache}}})
}

/// The user changes settings.
fn change(client: &mut Client, settings: Value) {
    client.set_settings(settings);
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
}

fn has(published: &Value, code: &str) -> bool {
    codes(published["diagnostics"].as_array().expect("findings")).contains(&code)
}

#[test]
fn an_editor_gets_what_a_fetched_schema_says() {
    let server = schemas();
    let cache = tempfile::tempdir().expect("a folder");
    let mut client = client(&[], cache.path());
    client.open("a.yml", &document(&server.url("/schema.json")));
    let refused = client.diagnostics_where("a.yml", "what is not allowed", |found| has(found, UNREAD));
    let message = refused["diagnostics"][0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("lofting.fetch.allowedHosts"), "{message}");
    assert_eq!(server.asked(), []);
    change(&mut client, fetch_settings(&[&server.host()], cache.path()));
    let found = client.diagnostics_where("a.yml", "what the schema says", |found| has(found, MISMATCH));
    assert_eq!(codes(found["diagnostics"].as_array().expect("findings")), [MISMATCH]);
    assert_eq!(targets(&server), ["/defs.json", "/schema.json"]);
    // What is not allowed any more is not used any more.
    change(&mut client, fetch_settings(&[], cache.path()));
    client.diagnostics_where("a.yml", "what is not allowed", |found| has(found, UNREAD));
    client.stop();
}

#[test]
fn nobody_waits_for_a_server_of_the_web() {
    let server = Server::start(|_| Reply::Silence);
    let cache = tempfile::tempdir().expect("a folder");
    let mut client = client(&[&server.host()], cache.path());
    client.open("a.yml", &document(&server.url("/schema.json")));
    client.open("b.yml", "# yaml-language-server: $schema=./b.json\nname: w\n");
    client.diagnostics_where("b.yml", "that its schema is missing", |found| has(found, UNREAD));
    let at = client.at("a.yml", 1, 1);
    let hover = client.request("textDocument/hover", at);
    assert_eq!(hover["error"], Value::Null, "{hover}");
    client.stop();
}

#[test]
fn a_copy_whose_server_is_gone_is_used_and_said_to_be_one() {
    let server = schemas();
    let cache = tempfile::tempdir().expect("a folder");
    let url = server.url("/schema.json");
    let host = server.host();
    let mut first = client(&[&host], cache.path());
    first.open("a.yml", &document(&url));
    first.diagnostics_where("a.yml", "what the schema says", |found| has(found, MISMATCH));
    first.stop();
    make_old(cache.path());
    drop(server);
    let mut second = client(&[&host], cache.path());
    second.open("a.yml", &document(&url));
    let both = |found: &Value| has(found, MISMATCH) && has(found, UNREAD);
    let found = second.diagnostics_where("a.yml", "that it is a copy", both);
    assert!(found.to_string().contains("an earlier copy"), "{found}");
    second.stop();
}

/// A server with a catalogue as well.
fn with_catalogue() -> Server {
    Server::start(|asked| match asked.target.as_str() {
        "/catalog.json" => {
            let host = asked.header("host").unwrap_or_default();
            Reply::json(&format!(
                r#"{{"schemas": [{{"name": "App", "url": "http://{host}/schema.json", "fileMatch": ["*app.yml", "!no-app.yml"]}}]}}"#
            ))
        }
        "/schema.json" => Reply::json(SCHEMA),
        "/defs.json" => Reply::json(DEFINITIONS),
        _ => Reply::status(404),
    })
}

#[test]
fn a_catalogue_has_the_last_word() {
    let server = with_catalogue();
    let wrong = "port: eighty\n";
    let directory = workspace(&[
        ("app.yml", wrong),
        ("no-app.yml", wrong),
        ("other.yml", wrong),
        ("a/own-app.yml", "# yaml-language-server: $schema=./own.json\nport: eighty\n"),
        ("a/own.json", "{}"),
        ("b/none-app.yml", "# yaml-language-server: $schema=none\nport: eighty\n"),
        ("c/schema.yml", crate::SCHEMA),
        ("c/values-app.yml", "level: info\n"),
    ]);
    let catalogue = server.url("/catalog.json");
    let found = |arguments: &[&str]| {
        let all: Vec<&str> = ["check", "--format", "json"].iter().chain(arguments).copied().collect();
        let report = json_of(&lofting(directory.path(), &all));
        let findings = report["diagnostics"].as_array().expect("findings").iter();
        findings.map(|finding| format!("{} {}", finding["file"], finding["code"])).collect::<Vec<_>>()
    };
    assert_eq!(found(&[]), Vec::<String>::new());
    assert_eq!(server.asked(), []);
    let host = server.host();
    assert_eq!(found(&["--allow-host", &host, "--catalogue", &catalogue]), [format!("\"app.yml\" \"{MISMATCH}\"")]);
    let arguments = ["explain", "app.yml", "--offline", "--allow-host", &host, "--catalogue", &catalogue];
    let explained = lofting(directory.path(), &arguments);
    let text = String::from_utf8_lossy(&explained.stdout).into_owned();
    assert!(text.contains("The catalogue gives files that match") && text.contains("(App)"), "{text}");
}

#[test]
fn an_editor_follows_a_catalogue_that_its_user_chose() {
    let server = with_catalogue();
    let cache = tempfile::tempdir().expect("a folder");
    let settings = |catalogue: &str| {
        json!({"lofting": {"fetch": {
            "allowedHosts": [server.host()], "cache": cache.path(), "catalogue": catalogue,
        }}})
    };
    let mut client = Setup::rich().settings(settings("")).options(json!({"userSettings": true})).start();
    client.open("app.yml", "port: eighty\n");
    client.open("other.yml", "# yaml-language-server: $schema=./other.json\n");
    client.diagnostics_where("other.yml", "that its schema is missing", |found| has(found, UNREAD));
    assert_eq!(server.asked(), []);
    change(&mut client, settings(&server.url("/catalog.json")));
    client.diagnostics_where("app.yml", "what the schema says", |found| has(found, MISMATCH));
    client.stop();
}

/// The variables of proxies and certificates, in both spellings.
const VARIABLES: [&str; 10] = [
    "HTTPS_PROXY",
    "https_proxy",
    "HTTP_PROXY",
    "http_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// What the command line says about a schema of a host that there is not, with these variables alone.
fn asked_for_with(directory: &Path, variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
    for name in VARIABLES {
        command.env_remove(name);
    }
    let output = command
        .args(["check", "--schema", "https://schemas.example.test/app.json", "a.yml"])
        .envs(variables.iter().copied())
        .env("XDG_CACHE_HOME", directory.join(".cache"))
        .env("LOCALAPPDATA", directory.join(".cache"))
        .current_dir(directory)
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{variables:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn proxies_are_those_of_the_usual_variables() {
    let directory = workspace(&[("a.yml", "port: eighty\n")]);
    for (variable, exceptions, is_asked) in [
        ("HTTPS_PROXY", "", true),
        ("https_proxy", "", true),
        ("ALL_PROXY", "", true),
        ("HTTPS_PROXY", "other.example.test", true),
        ("HTTPS_PROXY", "schemas.example.test", false),
        ("HTTPS_PROXY", "a.test,.example.test", false),
        ("HTTPS_PROXY", "*", false),
    ] {
        let proxy = Server::start(|_| Reply::status(502));
        let host = proxy.host();
        let all = [(variable, host.as_str()), ("NO_PROXY", exceptions)];
        let given = if exceptions.is_empty() { &all[..1] } else { &all[..] };
        asked_for_with(directory.path(), given);
        let wanted: &[&str] = if is_asked { &["schemas.example.test:443"] } else { &[] };
        assert_eq!(targets(&proxy), wanted, "{variable} but {exceptions}");
    }
}

#[test]
fn certificates_are_those_of_the_usual_variables() {
    let directory = workspace(&[("a.yml", "port: eighty\n"), ("none.pem", "")]);
    let proxy = Server::start(|_| Reply::status(502));
    let file = directory.path().join("none.pem");
    let said = asked_for_with(
        directory.path(),
        &[("HTTPS_PROXY", &proxy.host()), ("SSL_CERT_FILE", &file.display().to_string())],
    );
    assert!(said.contains("SSL_CERT_FILE"), "{said}");
    assert_eq!(targets(&proxy), Vec::<String>::new());
}
