//! The built-in catalogue, mostly a made-up one: which files and documents it governs, and what comes before it.

use std::path::Path;
use std::process::{Command, Output};

use expect_test::expect;
use lofting_tests::catalogue::{Kind, Schema, data_file};
use serde_json::{Value, json};

use crate::client::{Setup, codes};
use crate::command_line::{json_of, workspace};

const APP: Schema<'_> = Schema {
    name: "App",
    url: "https://json.schemastore.org/app.json",
    patterns: &["app.yml", "*.app.yml"],
    text: r#"{"properties": {"a": {"type": "integer", "description": "Of the store."}, "b": {"$ref": "base.json#/definitions/b"}, "c": {"$ref": "base.json#/definitions/b", "enum": [true]}}}"#,
    is_strict: false,
};

const BASE: Schema<'_> = Schema {
    name: "Base",
    url: "https://json.schemastore.org/base.json",
    patterns: &["base-of-all.yml"],
    text: r#"{"definitions": {"b": {"type": "boolean"}}}"#,
    is_strict: false,
};

const NARROW: Schema<'_> = Schema {
    name: "Narrow",
    url: "https://www.schemastore.org/narrow.json",
    patterns: &["special/*.app.yml", "*.d/*.odd"],
    text: r#"{"properties": {"a": {"type": "string"}}}"#,
    is_strict: false,
};

const ELSEWHERE: Schema<'_> = Schema {
    name: "Elsewhere",
    url: "https://example.com/else.json",
    patterns: &["else.yml"],
    text: "",
    is_strict: false,
};

const WEB: Kind<'_> = Kind {
    version: "apps/v1",
    kind: "Web",
    text: r#"{"type": "object", "properties": {"spec": {"type": "object", "properties": {"replicas": {"type": "integer"}}}}}"#,
};

/// What Kubernetes' own definitions say about definitions: nothing about their schemas.
const DEFINITION: Kind<'_> =
    Kind { version: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", text: r#"{"type": "object"}"# };

const OLD_WEB: Kind<'_> =
    Kind { version: "apps/v1", kind: "Web", text: r#"{"properties": {"spec": {"type": "string"}}}"# };

/// A folder with these files, and beside it the data file.
fn folder(files: &[(&str, &str)]) -> (tempfile::TempDir, tempfile::NamedTempFile) {
    let data = tempfile::NamedTempFile::new().expect("a file");
    let bytes = data_file(&[APP, BASE, NARROW, ELSEWHERE], &[WEB, DEFINITION], &[OLD_WEB]);
    std::fs::write(data.path(), bytes).expect("a file");
    (workspace(files), data)
}

fn run(folder: &Path, data: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
    let home = folder.join("home");
    command.args(arguments).current_dir(folder).env("LOFTING_CATALOGUE", data).env("XDG_CACHE_HOME", home);
    command.output().expect("it runs")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// The files with errors and the codes of these.
fn errors(report: &Value) -> Vec<(String, String)> {
    let found = report["diagnostics"].as_array().expect("findings").iter();
    let errors = found.filter(|found| found["severity"] == "error");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    errors.map(|found| (text(&found["file"]), text(&found["code"]))).collect()
}

const MANIFEST: &str = "apiVersion: apps/v1\nkind: Web\nmetadata: {name: x}\nspec: {replicas: many}\n";

#[test]
fn a_fresh_folder_is_checked() {
    let (folder, data) = folder(&[
        ("app.yml", "a: text\nb: 3\n"),
        ("special/x.app.yml", "a: text\n"),
        ("web.yml", MANIFEST),
        ("list.yml", "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: apps/v1, kind: Web, spec: {replicas: x}}\n"),
        ("plain.yml", "a: text\n"),
        ("else.yml", "a: text\n"),
        ("base-of-all.yml", "x: 1\n"),
    ]);
    let output = run(folder.path(), data.path(), &["check", "--format", "json", "."]);
    let mut found = errors(&json_of(&output));
    found.sort();
    let want = [
        ("app.yml", "json-schema/type-mismatch"),
        ("app.yml", "json-schema/type-mismatch"),
        ("list.yml", "kubernetes/type-mismatch"),
        ("web.yml", "kubernetes/type-mismatch"),
    ];
    assert_eq!(found, want.map(|(file, code)| (file.to_owned(), code.to_owned())), "{}", text(&output));
    // The switches.
    let silent = |arguments: &[&str]| {
        let output = run(folder.path(), data.path(), arguments);
        assert_eq!(errors(&json_of(&output)), [], "{}", text(&output));
    };
    silent(&["check", "--format", "json", "--no-built-in", "."]);
    std::fs::write(folder.path().join("lofting.toml"), "[catalogue]\nbuilt-in = false\n").expect("a file");
    silent(&["check", "--format", "json", "."]);
}

/// The authors of built-in schemas rely on keywords beside `$ref`. In a file of the user, draft 7 counts.
#[test]
fn built_in_schemas_have_keywords_beside_references() {
    let own = r##"{"properties": {"c": {"$ref": "#/definitions/b", "enum": [true]}}, "definitions": {"b": {"type": "boolean"}}}"##;
    let (folder, data) = folder(&[
        ("app.yml", "b: false\nc: false\n"),
        ("x.app.yml", "c: 1\n"),
        ("own.json", own),
        ("own.yml", "# yaml-language-server: $schema=own.json\nc: false\n"),
    ]);
    let output = run(folder.path(), data.path(), &["check", "--format", "json", "."]);
    let mut found = errors(&json_of(&output));
    found.sort();
    let want = [("app.yml", "json-schema/one-of"), ("x.app.yml", "json-schema/one-of")];
    assert_eq!(found, want.map(|(file, code)| (file.to_owned(), code.to_owned())), "{}", text(&output));
}

/// A key that a program got after its schema was copied is not reported.
#[test]
fn a_copy_that_is_years_older_than_others_finds_no_errors() {
    let schema = Schema {
        name: "Closed",
        url: "https://json.schemastore.org/closed.json",
        patterns: &["closed.yml"],
        text: r#"{"properties": {"size": {"type": "integer"}, "replicas": {}}, "additionalProperties": false}"#,
        is_strict: false,
    };
    let text = "size: [1]\nreplcas: 1\nstrategy: x\n";
    for (date, by_name, want) in [
        ("2026-01-02", true, ["error", "error", "error"]),
        ("2024-01-02", true, ["warning", "warning", "hint"]),
        ("2022-01-02", true, ["warning", "warning", "hint"]),
        ("2022-01-02", false, ["warning", "warning", "hint"]),
    ] {
        let file = if by_name { "closed.yml" } else { "other.yml" };
        let modeline =
            if by_name { String::new() } else { format!("# yaml-language-server: $schema={}\n", schema.url) };
        let folder = workspace(&[(file, &format!("{modeline}{text}"))]);
        let data = tempfile::NamedTempFile::new().expect("a file");
        let bytes = data_file(std::slice::from_ref(&schema), &[WEB], &[]);
        // Kubernetes' schemas keep their date.
        let at = bytes.windows(10).position(|window| window == b"2026-01-02").expect("a date");
        let bytes = [&bytes[..at], date.as_bytes(), &bytes[at + 10..]].concat();
        std::fs::write(data.path(), bytes).expect("a file");
        let report = json_of(&run(folder.path(), data.path(), &["check", "--format", "json", "."]));
        let found = report["diagnostics"].as_array().expect("findings");
        let severities: Vec<&str> = found.iter().map(|found| found["severity"].as_str().expect("a text")).collect();
        assert_eq!(severities, want, "{date}: {report:#}");
        let tells = |found: &Value| found["help"].as_str().is_some_and(|help| help.contains("lofting schemas update"));
        assert_eq!(found.iter().all(tells), want[0] != "error", "{date}: {report:#}");
    }
}

/// The authors of some schemas want more than the program.
#[test]
fn schemas_that_are_stricter_than_their_programs_find_no_errors() {
    for (is_strict, severity) in [(true, "warning"), (false, "error")] {
        let schema = Schema {
            name: "Closed",
            url: "https://example.com/closed.json",
            patterns: &["closed.yml"],
            text: r#"{"required": ["name"], "properties": {"size": {"type": "integer"}}, "additionalProperties": false}"#,
            is_strict,
        };
        let folder = workspace(&[("closed.yml", "size: []\nother: 1\n")]);
        let data = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(data.path(), data_file(&[schema], &[WEB], &[])).expect("a file");
        let report = json_of(&run(folder.path(), data.path(), &["check", "--format", "json", "."]));
        let found = report["diagnostics"].as_array().expect("findings");
        let severities: Vec<&str> = found.iter().map(|found| found["severity"].as_str().expect("a text")).collect();
        assert_eq!(severities, [severity; 3], "{report:#}");
        let tells = |found: &Value| found["help"].as_str().is_some_and(|help| help.contains("asks for more than"));
        assert_eq!(found.iter().all(tells), is_strict, "{report:#}");
    }
}

/// A document that is of another kind than all that the schema takes is for another program.
#[test]
fn a_file_of_another_program_has_no_errors() {
    let schema = Schema {
        name: "Action",
        url: "https://example.com/action.json",
        patterns: &[".act.yml"],
        text: r#"{"type": "object", "required": ["runs"]}"#,
        is_strict: false,
    };
    let data = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(data.path(), data_file(&[schema], &[WEB], &[])).expect("a file");
    for (text, want) in [("a: 1\n", 1), ("- hosts: a\n", 0), ("text\n", 0)] {
        let folder = workspace(&[(".act.yml", text)]);
        let found = errors(&json_of(&run(folder.path(), data.path(), &["check", "--format", "json", "."])));
        assert_eq!(found.len(), want, "{text}: {found:?}");
    }
}

/// No user chose a built-in schema for the file, and the programs that read it are more lenient than it.
#[test]
fn what_most_programs_take_is_a_warning() {
    let schema = Schema {
        name: "Strict",
        url: "https://json.schemastore.org/strict.json",
        patterns: &["strict.yml"],
        text: r#"{"properties": {"name": {"type": "string"}, "list": {"type": "array"}, "part": {"type": "object"},
            "size": {"type": "integer"}, "mode": {"enum": ["off", false, "all"]}, "on": {"type": "boolean"},
            "either": {"oneOf": [{"type": "integer"}, {"type": "number"}]}}}"#,
        is_strict: false,
    };
    let data = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(data.path(), data_file(&[schema], &[WEB], &[])).expect("a file");
    let cases = [
        ("name: 1.10", "warning"),
        ("name: true", "warning"),
        ("name: [a]", "error"),
        ("list: main", "warning"),
        ("list: 3", "error"),
        ("list: {a: 1}", "error"),
        ("part: false", "warning"),
        ("part: no", "warning"),
        ("part: 1", "error"),
        ("part: some", "error"),
        ("size: true", "error"),
        ("size: many", "error"),
        ("mode: no", "warning"),
        ("mode: some", "error"),
        ("on: yes", "warning"),
        ("on: 1", "error"),
        ("either: 1", "hint"),
        ("either: x", "error"),
    ];
    for (number, (text, want)) in cases.into_iter().enumerate() {
        let file = ["strict.yml", "strict.yaml"][number % 2];
        let folder = workspace(&[(file, &format!("{text}\n"))]);
        let report = json_of(&run(folder.path(), data.path(), &["check", "--format", "json", "."]));
        let found = report["diagnostics"].as_array().expect("findings").iter();
        let severities: Vec<&str> = found.map(|found| found["severity"].as_str().expect("a text")).collect();
        assert_eq!(severities, [want], "{text}: {report:#}");
    }
}

#[test]
fn every_other_authority_comes_first() {
    let own = r#"{"properties": {"a": {"type": "boolean"}}}"#;
    let crd = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: webs.apps}\nspec:\n  \
               group: apps\n  names: {kind: Web, plural: webs}\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: \
               true\n    storage: true\n    schema:\n      openAPIV3Schema: {type: object}\n";
    let bundle = r#"{"properties": {"spec": {"type": "object"}}}"#;
    for (what, files, asked, want) in [
        ("nothing", &[][..], ("app.yml", "a: 1\n"), "The built-in catalogue gives files that match `app.yml`"),
        (
            "a modeline",
            &[("own.json", own)],
            ("app.yml", "# yaml-language-server: $schema=own.json\na: 1\n"),
            "modeline",
        ),
        ("none", &[], ("app.yml", "# yaml-language-server: $schema=none\na: 1\n"), ""),
        ("a key", &[("own.json", own)], ("app.yml", "$schema: own.json\na: 1\n"), "key `$schema`"),
        (
            "lofting.toml",
            &[("own.json", own), ("lofting.toml", "[[schemas]]\npath = \"own.json\"\nfiles = [\"*.yml\"]\n")],
            ("app.yml", "a: 1\n"),
            "lofting.toml gives files",
        ),
        ("an input set", &[("lofting.toml", "[sets.x]\nfiles = [\"app.yml\"]\n")], ("app.yml", "a: 1\n"), ""),
        ("a template of ytt", &[], ("app.yml", "#@ load(\"@ytt:data\", \"data\")\na: #@ 1\n"), ""),
        ("a template", &[], ("app.yml", "a: {{ .Values.a }}\n"), ""),
        ("a kind", &[], ("app.yml", MANIFEST), "apps/v1 Web, whose schema is built in (Kubernetes 1.37)"),
        ("another kind", &[], ("app.yml", "apiVersion: x/v1\nkind: Other\na: 1\n"), ""),
        ("a definition", &[("crd.yml", crd)], ("web.yml", MANIFEST), "`crd.yml`"),
        (
            "a bundle",
            &[("kinds/web-apps-v1.json", bundle), ("lofting.toml", "[[schemas]]\nkubernetes = \"kinds\"\n")],
            ("web.yml", MANIFEST),
            "select the schema `kinds/web-apps-v1.json`",
        ),
        (
            "a version",
            &[("lofting.toml", "[kubernetes]\nversion = \"1.30\"\n")],
            ("web.yml", MANIFEST),
            "built in (Kubernetes 1.30)",
        ),
    ] {
        let files: Vec<(&str, &str)> = files.iter().copied().chain([asked]).collect();
        let (folder, data) = folder(&files);
        let output = run(folder.path(), data.path(), &["explain", asked.0]);
        let said = text(&output);
        match want {
            "" => assert!(!said.contains("built-in") && !said.contains("built in"), "{what}: {said}"),
            want => assert!(said.contains(want), "{what}: {said}"),
        }
    }
}

#[test]
fn versions_of_an_api_that_are_gone() {
    let gone = "apiVersion: batch/v1beta1\nkind: CronJob\n";
    for (toml, severity) in [
        ("", Some("warning")),
        ("[kubernetes]\nversion = \"1.25\"\n", Some("error")),
        ("[kubernetes]\nversion = \"1.24\"\n", Some("hint")),
        ("[kubernetes]\nversion = \"1.20\"\n", None),
        ("[catalogue]\nbuilt-in = false\n", None),
        ("[catalogue]\nbuilt-in = false\n[kubernetes]\nversion = \"1.30\"\n", Some("error")),
    ] {
        let (folder, data) = folder(&[("job.yml", gone), ("lofting.toml", toml)]);
        let output = run(folder.path(), data.path(), &["check", "--format", "json", "."]);
        let report = json_of(&output);
        let of_rule = |found: &&Value| found["code"] == "kubernetes/removed-api";
        let found = report["diagnostics"].as_array().expect("findings").iter().find(of_rule);
        assert_eq!(found.and_then(|found| found["severity"].as_str()), severity, "{toml}: {}", text(&output));
    }
}

/// With ytt's flags, what is rendered is checked as in a set of the workspace: by the built-in schemas and the `lofting.toml`
/// that apply to its files. The call fails only if ytt's does, unless `lofting.toml` says otherwise.
#[test]
fn what_ytts_flags_name_has_the_schemas_and_rules_of_its_files() {
    const TEMPLATE: &str = "#@ n = \"x\"\n---\napiVersion: apps/v1\nkind: Web\nspec:\n  replicas: #@ n\n";
    const NOT_AN_INTEGER: &str = "`replicas` should be an integer";
    let off = "[rules]\n\"kubernetes/type-mismatch\" = \"off\"\n";
    let error = off.replace("off", "error");
    for (config, has, lacks, code) in [
        ("", NOT_AN_INTEGER, "`spec` should be", 0),
        ("[kubernetes]\nversion = \"1.30\"\n", "`spec` should be a string", NOT_AN_INTEGER, 0),
        (off, "1 file checked: 0 errors", NOT_AN_INTEGER, 0),
        (error.as_str(), NOT_AN_INTEGER, "`spec` should be", 1),
        ("[catalogue]\nbuilt-in = false\n", "1 file checked: 0 errors", NOT_AN_INTEGER, 0),
        // A mistake in it does not keep ytt from rendering.
        ("[kubernets]\n", NOT_AN_INTEGER, "`spec` should be", 1),
    ] {
        let (folder, data) = folder(&[("config/web.yml", TEMPLATE), ("lofting.toml", config)]);
        let output = run(folder.path(), data.path(), &["check", "--render", "-f", "config"]);
        let said = text(&output);
        assert!(said.contains(has) && !said.contains(lacks) && output.status.code() == Some(code), "{config}: {said}");
        assert_eq!(said.contains("error[lofting/configuration]"), config == "[kubernets]\n", "{said}");
        assert_eq!(said.contains("error[kubernetes/type-mismatch]"), config == error, "{said}");
        // Nothing of it matters to what ytt does.
        let output = run(folder.path(), data.path(), &["render", "-f", "config"]);
        assert!(text(&output).ends_with("replicas: x\n") && output.status.success(), "{config}: {}", text(&output));
    }
}

/// A `lofting.toml` that is only found is not read where it leads out of its folder.
#[cfg(unix)]
#[test]
fn a_configuration_that_is_a_link_is_not_followed() {
    let (folder, data) = folder(&[("set/config/a.yml", "#@ n = 1\n---\na: #@ n\n"), ("secret", "token: x\n")]);
    std::os::unix::fs::symlink("../secret", folder.path().join("set/lofting.toml")).expect("a link");
    let output = run(&folder.path().join("set"), data.path(), &["check", "--render", "-f", "config"]);
    assert!(!text(&output).contains("token"), "{}", text(&output));
}

#[test]
fn the_command_line_shows_the_catalogue() {
    let (folder, data) = folder(&[("x.yml", "a: 1\n"), ("y.yml", ""), ("app", "{}")]);
    let said = |arguments: &[&str]| text(&run(folder.path(), data.path(), arguments));
    let list = said(&["schemas", "list"]);
    for want in
        ["App\n", "2026-01-02 (made-up 1.0, MIT)", "not built in", "4 schemas, 3 of them", "versions 1.37, 1.30"]
    {
        assert!(list.contains(want), "{want}: {list}");
    }
    assert!(said(&["schemas", "list", "special/"]).contains("0 schemas"));
    assert!(said(&["schemas", "list", "my.app.yml"]).contains("App"));
    let report: Value = serde_json::from_str(&said(&["schemas", "list", "--json", "narrow"])).expect("JSON");
    assert_eq!(report["schemas"][0]["name"], "Narrow");
    assert!(said(&["schemas", "show", "app"]).contains("Of the store."));
    assert!(said(&["schemas", "show", "apps/v1/Web"]).contains("replicas"));
    assert!(!said(&["schemas", "show", "apps/v1/Web", "--kubernetes", "1.30"]).contains("replicas"));
    assert!(said(&["schemas", "show", "nothing"]).contains("no built-in schema"));
    // The whole pattern has to match.
    assert!(!said(&["schemas", "show", "a.d/x.odd"]).contains("no built-in schema"));
    assert!(said(&["schemas", "show", "schemas/x.odd"]).contains("no built-in schema"));
    assert!(said(&["schemas", "update"]).contains("allow"), "no host is allowed");
    assert!(said(&["schemas", "add", "App", "x.yml"]).contains("has the schema"));
    let config = std::fs::read_to_string(folder.path().join("lofting.toml")).expect("it was written");
    assert_eq!(config, "[[schemas]]\nurl = \"https://json.schemastore.org/app.json\"\nfiles = [\"/x.yml\"]\n");
    assert!(said(&["explain", "x.yml"]).contains("lofting.toml gives files"));
    // A file is meant before an entry of the catalogue; what is neither is refused.
    assert!(said(&["schemas", "add", "nowhere.json", "x.yml"]).contains("there is no such file"));
    assert!(said(&["schemas", "add", "app", "y.yml"]).contains("y.yml has the schema app\n"));
    let none = run(folder.path(), Path::new("off"), &["schemas", "list"]);
    assert!(text(&none).contains("without a catalogue") && none.status.code() == Some(2));
    let damaged = run(folder.path(), &folder.path().join("x.yml"), &["schemas", "list"]);
    assert!(text(&damaged).contains("not the data file") && damaged.status.code() == Some(2));
}

#[test]
fn a_newer_copy_wins() {
    let (folder, data) = folder(&[
        ("app.yml", "a: text\n"),
        // As `lofting schemas update` leaves it.
        ("home/lofting/catalogue/json.schemastore.org/app.json", r#"{"properties": {"a": {"type": "string"}}}"#),
    ]);
    let output = run(folder.path(), data.path(), &["check", "--format", "json", "app.yml"]);
    assert_eq!(errors(&json_of(&output)), [], "{}", text(&output));
}

#[test]
fn editors_get_the_same() {
    let (_folder, data) = folder(&[]);
    let path = data.path().to_string_lossy().into_owned();
    let setup = || Setup::new().environment("LOFTING_CATALOGUE", &path).file("app.yml", "a: text\n");
    let mut client = setup().start();
    client.open("app.yml", "a: text\n");
    assert_eq!(codes(&client.all_findings("app.yml")), ["json-schema/type-mismatch"]);
    // A status line has a name also for a schema without a file.
    client.open("web.yml", &format!("{MANIFEST}---\n{MANIFEST}"));
    client.all_findings("web.yml");
    for (file, name) in [("app.yml", "App"), ("web.yml", "apps/v1 Web")] {
        let document = json!({"textDocument": {"uri": client.uri(file)}});
        let status = client.request("lofting/status", document);
        assert_eq!((&status["schema"], &status["names"]), (&json!([]), &json!([name])), "{status}");
    }
    client.stop();
    let mut client = setup().options(json!({"builtInSchemas": "off"})).start();
    client.open("app.yml", "a: text\n");
    assert_eq!(codes(&client.all_findings("app.yml")), Vec::<&str>::new());
    client.stop();
}

/// Typed at the end of a template: its `kind` first, then what the kind has.
#[test]
fn templates_know_the_kinds_that_they_write() {
    let (_, data) = folder(&[]);
    let text = "#@ load(\"@ytt:data\", \"data\")\n---\napiVersion: apps/v1\n";
    let mut client = Setup::new().environment("LOFTING_CATALOGUE", data.path()).file("web.yml", text).start();
    client.open("web.yml", text);
    client.diagnostics("web.yml", 1);
    for (line, typed) in
        ["kind: Web\n", "metadata:\n", "  name: #@ data.values.name\n", "spec:\n", "  rep"].iter().enumerate()
    {
        let at = 3 + u32::try_from(line).expect("a few");
        for (column, letter) in typed.chars().enumerate() {
            let column = u32::try_from(column).expect("a few");
            client.change("web.yml", [at, column, at, column], &letter.to_string());
        }
    }
    let mut params = client.at("web.yml", 7, 5);
    params["context"] = json!({"triggerKind": 1});
    let answer = client.request("textDocument/completion", params);
    let items = answer["items"].as_array().or_else(|| answer.as_array()).cloned().unwrap_or_default();
    let labels: Vec<&str> = items.iter().filter_map(|item| item["label"].as_str()).collect();
    assert_eq!(labels, ["replicas"], "{answer}");
    client.change("web.yml", [7, 5, 7, 5], "licas: #@ data.values.replicas");
    let hover = client.request("textDocument/hover", client.at("web.yml", 7, 4));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("integer")), "{hover}");
    assert!(!codes(&client.all_findings("web.yml")).iter().any(|code| code.starts_with("kubernetes/")));
    // An overlay has no kind until its matcher is typed.
    client.open("over.yml", "#@ load(\"@ytt:overlay\", \"overlay\")\n\n---\nspec:\n  replicas: 1\n");
    client.change("over.yml", [1, 0, 1, 0], "#@overlay/match by=overlay.subset({\"kind\": \"Web\"})");
    let hover = client.request("textDocument/hover", client.at("over.yml", 4, 4));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("integer")), "{hover}");
    client.stop();
}

/// What the program was built with, if it has a catalogue.
#[test]
fn well_known_files_without_configuration() {
    let folder = workspace(&[
        (".github/workflows/ci.yml", "on: push\njobs:\n  a:\n    runs-on: x\n    steps: 3\n"),
        ("compose.yaml", "services:\n  web:\n    image: [x]\n"),
        ("deployment.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec:\n  replicas: many\n"),
        ("plain.yaml", "a: 1\n"),
    ]);
    let list = Command::new(env!("CARGO_BIN_EXE_lofting")).args(["schemas", "list"]).output().expect("it runs");
    if list.status.code() != Some(0) {
        eprintln!("skipped: the program was built without a catalogue");
        return;
    }
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
        command.args(arguments).current_dir(folder.path()).env_remove("LOFTING_CATALOGUE").output().expect("it runs")
    };
    let output = run(&["check", "--format", "json", "."]);
    let found = errors(&json_of(&output));
    for file in [".github/workflows/ci.yml", "compose.yaml", "deployment.yaml"] {
        assert!(found.iter().any(|(found, _)| found == file), "{file}: {found:?}");
    }
    assert!(!found.iter().any(|(file, _)| file == "plain.yaml"), "{found:?}");
    let said = text(&run(&["explain", "deployment.yaml"]));
    assert!(said.contains("built in (Kubernetes 1."), "{said}");
}

/// Files as the programs that read them accept them, and others with mistakes at the same places: what the corrections of
/// the built-in catalogue are about.
#[test]
fn corrected_schemas_refuse_mistakes_only() {
    let check = |files: &str| {
        let files = lofting_fixture::files(files);
        let folder = workspace(&files.iter().map(|file| (file.path.as_str(), file.text.as_str())).collect::<Vec<_>>());
        let mut command = Command::new(env!("CARGO_BIN_EXE_lofting"));
        let arguments = ["check", "--format", "json", "."];
        command.args(arguments).current_dir(folder.path()).env_remove("LOFTING_CATALOGUE");
        json_of(&command.output().expect("it runs"))
    };
    let refused = check(include_str!("well_known_refused.txt"));
    let found = refused["diagnostics"].as_array().expect("findings");
    if found.is_empty() {
        eprintln!("skipped: the program was built without a catalogue");
        return;
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |found: &Value| format!("{}:{}", text(&found["file"]), found["range"]["start"]["line"]);
    let mut lines: Vec<String> = found.iter().map(line).collect();
    lines.dedup();
    expect![[r#"
        appveyor/appveyor.yml:1
        appveyor/appveyor.yml:2
        appveyor/appveyor.yml:3
        appveyor/appveyor.yml:4
        azure/azure-pipelines.yml:2
        azure/azure-pipelines.yml:5
        azure/azure-pipelines.yml:6
        azure/azure-pipelines.yml:9
        azure/azure-pipelines.yml:11
        cirrus/.cirrus.yml:1
        cirrus/.cirrus.yml:3
        cirrus/.cirrus.yml:5
        cirrus/.cirrus.yml:6
        codecov/b/codecov.yml:4
        codecov/b/codecov.yml:5
        codecov/codecov.yml:2
        codecov/codecov.yml:5
        codecov/codecov.yml:6
        codecov/codecov.yml:8
        codecov/codecov.yml:9
        event/.github/workflows/a.yml:1
        gitlab/.gitlab-ci.yml:2
        gitlab/.gitlab-ci.yml:8
        gitlab/.gitlab-ci.yml:9
        gitlab/.gitlab-ci.yml:12
        golangci/.golangci.yml:2
        golangci/.golangci.yml:3
        jekyll/_config.yml:1
        kustomization/kustomization.yaml:1
        kustomization/kustomization.yaml:3
        kustomization/kustomization.yaml:5
        kustomization/kustomization.yaml:7
        labeler/.github/labeler.yml:1
        labeler/.github/labeler.yml:3
        labeler/.github/labeler.yml:5
        labeler/.github/labeler.yml:7
        labeler/.github/labeler.yml:8
        mocha/.mocharc.yml:1
        mocha/.mocharc.yml:2
        pre-commit/.pre-commit-config.yaml:1
        pre-commit/.pre-commit-config.yaml:8
        pre-commit/.pre-commit-config.yaml:9
        workflow/.github/workflows/a.yml:7
        workflow/.github/workflows/a.yml:8
        workflow/.github/workflows/a.yml:12"#]]
    .assert_eq(&lines.join("\n"));
    let accepted = check(include_str!("well_known_accepted.txt"));
    assert_eq!(accepted["diagnostics"], json!([]));
}

/// The schemas in definitions of custom resources are checked as without a catalogue, which knows less of them.
#[test]
fn definitions_of_custom_resources_keep_their_checks() {
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: boats.example.org}\n\
                      spec:\n  group: example.org\n  scope: Namespaced\n  names: {kind: Boat, plural: boats}\n  versions:\n  \
                      - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
                      properties: {size: {type: string, minLenght: 1}}\n";
    let (folder, data) = folder(&[("definition.yaml", definition)]);
    let with = json_of(&run(folder.path(), data.path(), &["check", "--format", "json"]));
    let without = json_of(&run(folder.path(), data.path(), &["check", "--format", "json", "--no-built-in"]));
    assert_eq!(errors(&with), errors(&without), "{with}");
    assert_eq!(errors(&with).len(), 1, "{with}");
}

#[test]
fn built_in_schemas_are_shown_where_a_key_is_declared() {
    let (_folder, data) = folder(&[]);
    let path = data.path().to_string_lossy().into_owned();
    let setup = || Setup::rich().environment("LOFTING_CATALOGUE", &path);
    let at = |line: u32, character: u32| json!({"line": line, "character": character});
    let asked = |client: &mut crate::client::Client, name: &str, line, character| {
        let uri = client.uri(name);
        client
            .request("textDocument/definition", json!({"textDocument": {"uri": uri}, "position": at(line, character)}))
    };
    let mut client = setup().capability("workspace.textDocumentContent", json!({})).start();
    client.open("web.yaml", MANIFEST);
    client.open("app.yml", "a: text\n");
    for (name, line, character, key) in [("web.yaml", 3, 8, "replicas"), ("app.yml", 0, 0, "a")] {
        let answer = asked(&mut client, name, line, character);
        let link = &answer[0];
        let uri = link["targetUri"].as_str().expect("a URI");
        assert!(uri.starts_with("lofting-schema:/"), "{answer}");
        let answer = client.request("workspace/textDocumentContent", json!({"uri": uri}));
        let text = answer["text"].as_str().expect("a text");
        let start = &link["targetSelectionRange"]["start"];
        let line = text.lines().nth(start["line"].as_u64().expect("a line") as usize).expect("it is there");
        let from = start["character"].as_u64().expect("a character") as usize;
        assert!(line[from..].trim_start_matches('"').starts_with(key), "{line} {link}");
    }
    // What is not there is an empty document.
    let answer = client.request("workspace/textDocumentContent", json!({"uri": "lofting-schema:/../../etc/passwd"}));
    assert_eq!(answer["text"], "");
    // Others cannot show it.
    let mut client = setup().start();
    client.open("web.yaml", MANIFEST);
    assert_eq!(asked(&mut client, "web.yaml", 3, 8), Value::Null);
}
