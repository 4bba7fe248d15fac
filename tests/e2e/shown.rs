//! A workspace whose author wants to be read as something else: whatever is asked, its texts stay texts.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::Setup;
use crate::command_line::lofting;

/// What an author may write anywhere: an image, a link that runs a command, HTML, ways out of code, escape sequences,
/// marks of direction, and commands of build runners.
const EVIL: &str = "![i](https://evil.example/?q) [c](command:evil) <img src=x> `` `x` ``` ![j](https://evil.example) \
                    \u{1b}[31m \u{9b}1m \u{7f} \u{202a}\u{202b}\u{202d}\u{202e}live\u{202c} \u{2066}\u{2067}\u{2068}x\u{2069} \
                    \u{200e}\u{200f}\u{61c} \u{200b}\u{ad}\u{2060}\u{feff} \u{e0041} ##[error]x ##vso[task.x]y \
                    www.evil.example";

/// Signs that text may only have escaped, in files that are not valid text with them.
const CONTROLS: [char; 3] = ['\u{1b}', '\u{9b}', '\u{7f}'];

fn evil_in_quotes() -> String {
    let quoted = EVIL.replace('\\', "\\\\").replace('"', "\\\"");
    CONTROLS.into_iter().fold(quoted, |text, c| text.replace(c, &format!("\\u{:04x}", u32::from(c))))
}

/// The files of the workspace; `NAME` is a file name with a line break and an escape sequence in it.
const NAME: &str = "lib\n::error::pwned \u{1b}[31m \u{202e}![i](x).lib.yml";

fn files() -> Vec<(String, String)> {
    let evil = evil_in_quotes();
    let schema = format!(
        "#@ def check(value):\n#@   return fail(\"bad\\n::error::pwned\\n  ::add-path::x {evil}\")\n#@ end\n#@data/values-schema\n---\n\
         #@schema/title \"T {evil}\"\n#@schema/desc \"D {evil}\\n\\n# H\\n\\n<script>x</script>\"\n\
         #@schema/examples (\"E {evil}\", \"{evil}\")\n#@schema/deprecated \"P {evil}\"\n\
         #@schema/validation (\"R {evil}\", check), one_of=[\"{evil}\", \"a\"]\nkey: \"{evil}\"\n\
         \"{evil}\": 1\nother: 1\n"
    );
    let values =
        format!("#@data/values\n---\nkey: \"V {evil}\"\nother: \"{evil}\"\n\"{evil}\": \"x\"\n\"n{evil}\": 1\n");
    let template = format!(
        "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"f.lib.yml\", \"f\")\na: #@ data.values.key\nb: #@ f(1)\nc: #@ \"{evil}\"\n"
    );
    let library = format!("#! {EVIL}\n#@ def f(x=\"{evil}\"):\n#@   return x\n#@ end\n").replace(CONTROLS, "?");
    let ours = [("schema.yml", schema), ("values.yml", values), ("app.yml", template), ("f.lib.yml", library)];
    let ours = ours.map(|(name, text)| (name.to_owned(), text));
    let others = OTHERS.map(|(name, text)| (name.to_owned(), text.replace("EVIL", &in_json(EVIL))));
    ours.into_iter().chain(others).collect()
}

/// The name between the quotes of JSON, which YAML and TOML read alike.
fn in_json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    let quoted = CONTROLS.into_iter().fold(quoted, |text, c| text.replace(c, &format!("\\u{:04x}", u32::from(c))));
    quoted.trim_matches('"').to_owned()
}

/// Files of other languages, with text of the author wherever it is shown.
const OTHERS: [(&str, &str); 9] = [
    (
        "js/schema.json",
        r##"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "T EVIL", "description": "D EVIL\n\n# H",
"type": "object", "required": ["need", "r EVIL"], "properties": {
"key": {"title": "K EVIL", "description": "EVIL", "markdownDescription": "M EVIL\n\n# H\n\n| a |\n| - |", "enum": ["a", "E EVIL"],
  "enumDescriptions": ["x", "EVIL"], "markdownEnumDescriptions": ["x", "# H EVIL"], "default": "F EVIL", "examples": ["X EVIL"]},
"EVIL": {"type": "integer", "deprecated": true, "deprecationMessage": "EVIL"},
"number": {"type": "integer", "minimum": 3, "errorMessage": "EVIL\n::error::x"},
"word": {"type": "string", "pattern": "^x", "patternErrorMessage": "EVIL\n::error::x"},
"snippet": {"type": "object", "defaultSnippets": [{"label": "L EVIL", "description": "D EVIL", "body": {"a": "EVIL"}}]},
"one": {"oneOf": [{"title": "O EVIL", "required": ["t"], "properties": {"t": {"const": "EVIL"}}}, {"required": ["u"]}]},
"list": {"items": {"required": ["name"]}}, "need": {"$ref": "#/none EVIL"}}, "additionalProperties": false}
"##,
    ),
    (
        "js/values.yaml",
        "# yaml-language-server: $schema=schema.json\nkey: \"V EVIL\"\n\"z EVIL\": 1\nnumber: 1\nword: \"EVIL\"\nsnippet: \none: {t: \
         \"v EVIL\"}\n\"EVIL\": x\nlist:\n- name: \"EVIL\"\n- nam: 1\n",
    ),
    (
        "api.yaml",
        "openapi: 3.0.3\ninfo: {title: \"EVIL\", version: \"1\"}\npaths: {}\ncomponents:\n  schemas:\n    \"N EVIL\": {type: object, \
         description: \"EVIL\", properties: {a: {$ref: \"#/components/schemas/EVIL\"}}}\n",
    ),
    (
        "oc/type.yaml",
        "apiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\nmetadata: {name: web}\nspec:\n  workloadType: deployment\n  schema:\n    \
         types:\n      \"C EVIL\": {host: \"string | description='EVIL'\", port: \"integer | default=y EVIL\"}\n    parameters:\n      \
         name: \"string | enum='EVIL',a default='EVIL' description='EVIL'\"\n      \"EVIL\": \"strin EVIL\"\n  resources:\n  - id: \"EVIL\"\n    \
         template: {a: \"${parameters.nope + 'EVIL'}\", b: \"${none('EVIL')}\"}\n",
    ),
    (
        "oc/component.yaml",
        "apiVersion: openchoreo.dev/v1alpha1\nkind: Component\nmetadata: {name: \"S EVIL\"}\nspec:\n  owner: {projectName: \"EVIL\"}\n  \
         componentType: {kind: ComponentType, name: deployment/web}\n  parameters:\n    name: \"V EVIL\"\n    \"EVIL\": 1\n    \
         \"u EVIL\": 1\n  traits:\n  - {name: \"EVIL\", instanceName: \"EVIL\"}\n",
    ),
    (
        "crd/shops.yaml",
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: shops.example.com}\nspec:\n  \
         group: example.com\n  names: {kind: Shop, plural: shops, singular: \"EVIL\"}\n  scope: Namespaced\n  versions:\n  - name: v1\n    \
         served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        description: \"EVIL\"\n        \
         properties:\n          spec:\n            type: object\n            required: [\"EVIL\"]\n            properties:\n              \
         size: {type: string, enum: [\"EVIL\", b], description: \"# H EVIL\", default: \"EVIL\"}\n              \"EVIL\": {type: integer}\n",
    ),
    (
        "crd/shop.yaml",
        "apiVersion: example.com/v1\nkind: Shop\nmetadata: {name: \"EVIL\"}\nspec:\n  size: \"V EVIL\"\n  \"EVIL\": x\n  \"z EVIL\": 1\n",
    ),
    (
        "sub/lofting.toml",
        "[sets.\"EVIL\"]\nfiles = [\"../schema.yml\", \"EVIL\"]\nvalues = [\"../values.yml\"]\n\"u EVIL\" = 1\n[rules]\n\"EVIL\" = \"off\"\n\
         \"ytt/undeclared-key\" = \"EVIL\"\n[[schemas]]\npath = \"EVIL\"\nfiles = [\"EVIL\"]\n[schemas.mirror]\n\"https://EVIL\" = \"EVIL\"\n",
    ),
    ("anchors.yml", "#@ x = 1\na: &![i](https://evil.example) {x: 1}\nb: *![i](https://evil.example)\nc: *<img\n"),
];

fn texts<'v>(value: &'v Value, path: &mut Vec<String>, found: &mut Vec<(Vec<String>, &'v str)>) {
    match value {
        Value::String(text) => found.push((path.clone(), text)),
        Value::Array(items) => items.iter().for_each(|item| texts(item, path, found)),
        Value::Object(map) => {
            for (name, value) in map {
                path.push(name.clone());
                texts(value, path, found);
                path.pop();
            }
        }
        _ => {}
    }
}

/// What a parser of Markdown finds that it must not. Links of the program itself lead to files below `root`.
fn harm(markdown: &str, root: &str) -> Option<String> {
    use pulldown_cmark::{Event, Options, Parser, Tag};
    Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES).find_map(|event| match event {
        Event::Start(Tag::Image { .. } | Tag::Heading { .. } | Tag::Table(_))
        | Event::Html(_)
        | Event::InlineHtml(_) => Some(format!("{event:?}")),
        Event::Start(Tag::Link { ref dest_url, .. })
            if !dest_url.starts_with("https://") && !dest_url.starts_with(root) =>
        {
            Some(format!("{event:?}"))
        }
        _ => None,
    })
}

fn is_hidden(c: char) -> bool {
    lofting_text::is_hidden(c) && c != '\n' && c != '\t'
}

/// What a client shows must be harmless; what it inserts or compares is data.
fn assert_shown(method: &str, answer: &Value, root: &str, markdown: bool) -> usize {
    let mut found = Vec::new();
    texts(answer, &mut Vec::new(), &mut found);
    let mut shown = 0;
    for (path, text) in found {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let is_data = |name: &&str| {
            matches!(*name, "newText" | "insertText" | "textEditText" | "uri" | "placeholder" | "changes" | "data")
        };
        if names.iter().any(is_data) {
            continue;
        }
        shown += 1;
        if let Some(c) = text.chars().find(|c| is_hidden(*c)) {
            panic!("{method} {names:?} shows {c:?}: {text:?}");
        }
        // The label of a hint is not Markdown.
        if markdown && names.last() == Some(&"value") && !names.contains(&"label") {
            assert_eq!(harm(text, root), None, "{method} {names:?}: {text}");
        }
    }
    shown
}

#[test]
fn requests_show_texts_of_a_workspace_as_texts() {
    ask_everything(Setup::rich(), true, 2_000);
}

/// A client without Markdown shows the same texts as they are.
#[test]
fn plain_clients_are_shown_the_same_texts() {
    ask_everything(Setup::new(), false, 1_500);
}

/// Whatever a client may ask about every file; at least this many texts come back.
fn ask_everything(mut setup: Setup, markdown: bool, least: usize) {
    for feature in ["inlayHint", "codeLens", "callHierarchy", "typeDefinition"] {
        setup = setup.capability(&format!("textDocument.{feature}"), json!({}));
    }
    for (name, content) in files() {
        setup = setup.file(&name, content);
    }
    let mut client = setup.start();
    let root = client.uri("");
    let mut shown = 0;
    for (name, content) in files() {
        client.open_file(&name);
        let diagnostics = client.diagnostics(&name, 1);
        shown += assert_shown("diagnostics", &Value::Array(diagnostics.clone()), &root, markdown);
        for (number, line) in content.lines().enumerate() {
            let width = line.chars().count();
            for column in [0, 3, 8, 14, width / 2, width] {
                let params = client.at(&name, number as u32, column.min(width) as u32);
                for method in [
                    "textDocument/hover",
                    "textDocument/signatureHelp",
                    "textDocument/typeDefinition",
                    "textDocument/linkedEditingRange",
                ] {
                    shown += assert_shown(method, &client.request(method, params.clone()), &root, markdown);
                }
                // Why something cannot be renamed is shown as well.
                let id = client.send_request("textDocument/prepareRename", params.clone());
                shown += assert_shown("rename", &client.answer(id), &root, markdown);
                let list = client.request("textDocument/completion", params.clone());
                shown += assert_shown("completion", &list, &root, markdown);
                let defaults = list["itemDefaults"].clone();
                for mut item in list["items"].as_array().into_iter().flatten().take(3).cloned() {
                    if item.get("data").is_none() {
                        item["data"] = defaults["data"].clone();
                    }
                    if item["data"].is_object() {
                        shown +=
                            assert_shown("resolved", &client.request("completionItem/resolve", item), &root, markdown);
                    }
                }
                let called = client.request("textDocument/prepareCallHierarchy", params);
                shown += assert_shown("called", &called, &root, markdown);
                for item in called.as_array().into_iter().flatten() {
                    for method in ["callHierarchy/incomingCalls", "callHierarchy/outgoingCalls"] {
                        shown += assert_shown(method, &client.request(method, json!({"item": item})), &root, markdown);
                    }
                }
            }
        }
        let document = json!({"textDocument": {"uri": client.uri(&name)}});
        for method in [
            "textDocument/documentSymbol",
            "textDocument/documentLink",
            "textDocument/foldingRange",
            "lofting/explain",
            "lofting/status",
            "lofting/schemaChoices",
            "lofting/renderedOutput",
            "lofting/finalDataValues",
        ] {
            let mut answer = client.request(method, document.clone());
            // A document that an editor opens beside the others is exact, as they are.
            answer.as_object_mut().and_then(|answer| answer.remove("text"));
            shown += assert_shown(method, &answer, &root, markdown);
        }
        let mut whole = document.clone();
        whole["range"] = json!({"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}});
        shown += assert_shown("hints", &client.request("textDocument/inlayHint", whole), &root, markdown);
        for lens in client.request("textDocument/codeLens", document).as_array().cloned().unwrap_or_default() {
            shown += assert_shown("lenses", &client.request("codeLens/resolve", lens), &root, markdown);
        }
        let params = json!({
            "textDocument": {"uri": client.uri(&name)},
            "range": {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}},
            "context": {"diagnostics": diagnostics},
        });
        shown += assert_shown("actions", &client.request("textDocument/codeAction", params), &root, markdown);
    }
    for query in ["", "e", "web"] {
        shown += assert_shown("symbols", &client.request("workspace/symbol", json!({"query": query})), &root, markdown);
    }
    let messages = Value::Array(client.notifications.clone());
    shown += assert_shown("notifications", &messages, &root, markdown);
    assert!(shown > least, "only {shown} texts were looked at");
}

/// What a terminal or a runner would obey.
fn assert_printed(command: &[&str], output: &[u8]) {
    let text = String::from_utf8_lossy(output);
    if let Some(c) = text.chars().find(|c| is_hidden(*c)) {
        panic!("{command:?} prints {c:?}:\n{text:?}");
    }
    for line in text.split(['\n', '\r']) {
        // `::: FILE` names a further file of an excerpt: the name of a command has no blank.
        let line_start = line.trim_start();
        assert!(!line_start.starts_with("::") || line_start.starts_with("::: "), "{command:?}: {line}");
        assert!(!line.contains("##[") && !line.contains("##vso["), "{command:?}: {line}");
    }
}

#[test]
fn commands_print_texts_of_a_workspace_as_texts() {
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &[u8]| std::fs::write(directory.path().join(name), text).expect("a file");
    for (name, content) in files() {
        std::fs::create_dir_all(directory.path().join(&name).parent().expect("a parent")).expect("directories");
        write(&name, content.as_bytes());
    }
    write(NAME, b"a: [\n");
    write("bad\u{1b}[31m\n::error::x.yml", b"#@data/values\n---\nkey: \xff\n");
    write("good\u{1b}[31m\n::error::x.yml", b"#@data/values\n---\nkey: a\n");
    let root: &Path = directory.path();
    let mut printed = 0;
    for command in [
        &["check"][..],
        &["check", "--render"],
        &["check", "-f", "."],
        &["check", NAME],
        &["check", "nowhere\n::error::\u{1b}[31m"],
        &["check", "-f", "nowhere\n::error::\u{1b}[31m"],
        &["explain", "values.yml"],
        &["explain", "good\u{1b}[31m\n::error::x.yml"],
        &["explain", "nowhere\n::error::\u{1b}[31m"],
        // What the parser of arguments quotes.
        &["--\u{1b}[31m\n::error::x"],
        &["check", "--form\u{1b}[31m\n::error::x"],
        &["check", "--format", "\u{1b}[31m\n::error::x"],
        &["schema", "-f", "good.yml", "--to", "\u{9b}1m\n::error::x"],
        &["\u{1b}[31m\n::error::x"],
        &["--explain", "\u{1b}[31m\n::error::x"],
        &["values", "-f", "."],
        &["schema", "--to", "openapi-v3", "-f", "."],
        &["debug", "events", NAME],
        &["debug", "tree", "good\u{1b}[31m\n::error::x.yml"],
        &["debug", "tree", "values.yml"],
        &["check", "--schema", "js/schema.json", "js/values.yaml"],
        &["check", "--language", "openchoreo", "oc/type.yaml"],
        &["schema", "--to", "openchoreo-shorthand", "oc/type.yaml"],
        &["explain", "js/values.yaml"],
        &["explain", "oc/component.yaml"],
        &["explain", "sub/lofting.toml"],
    ] {
        let output = lofting(root, command);
        assert_printed(command, &output.stderr);
        if !command.starts_with(&["debug", "events"]) {
            assert_printed(command, &output.stdout);
        }
        printed += output.stderr.len() + output.stdout.len();
    }
    assert!(printed > 5_000, "{printed}");
    // Data is exact: the comment of a place stays one line, and JSON holds what is there.
    let call = ["values", "--origin", "--data-value", "key=a", "-f", "plain.yml", "--data-values-file"];
    write("plain.yml", b"#@data/values-schema\n---\nkey: ''\nother: 1\n");
    let values = "other\u{1b}\nevil: 1 #.yml";
    write(values, b"other: 2\n");
    let output = lofting(root, &[&call[..], &[values]].concat());
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(shown.lines().count(), 2, "{shown}");
    let json = lofting(root, &[&call[..], &[values, "--format", "json"]].concat());
    let json: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(json["origin"]["other"], format!("{values}:1"));
}

/// A patch is data for `git apply`; in the log of a runner nothing in it is a command.
#[test]
fn a_patch_in_the_log_of_a_runner_commands_nothing() {
    let directory = tempfile::tempdir().expect("a directory");
    let text = "#@data/values-schema\n---\na:   |\n  ::error::x\n  \u{202e} ##[error]x\n";
    std::fs::write(directory.path().join("schema.yml"), text).expect("a file");
    let patch = |runner: Option<&str>| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_lofting"));
        command.args(["fmt", "--diff", "."]).current_dir(directory.path());
        for name in ["GITHUB_ACTIONS", "TF_BUILD"] {
            command.env_remove(name);
        }
        runner.map(|name| command.env(name, "true"));
        command.output().expect("it runs").stdout
    };
    let exact = String::from_utf8(patch(None)).expect("text");
    assert!(exact.contains("-a:   |\n+a: |\n   ::error::x\n   \u{202e} ##[error]x\n"), "{exact}");
    for name in ["GITHUB_ACTIONS", "TF_BUILD"] {
        let shown = patch(Some(name));
        assert!(!shown.is_empty());
        assert_printed(&["fmt", "--diff"], &shown);
    }
}

#[test]
fn messages_without_measure_are_cut() {
    let big = "#@data/values-schema\n---\n#@ def big():\n#@   return fail(\"x\" * 3000000)\n#@ end\na: #@ big()\n";
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::write(directory.path().join("schema.yml"), big).expect("a file");
    let output = lofting(directory.path(), &["check", "--format", "json"]);
    assert!(output.stdout.len() < 20_000, "{} bytes", output.stdout.len());
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let message = report["diagnostics"][0]["message"].as_str().expect("a message");
    assert!(message.ends_with(" more characters)"), "{message}");
    assert!(lofting(directory.path(), &["check"]).stdout.len() < 20_000);
    let mut client = Setup::rich().file("schema.yml", big).start();
    client.open_file("schema.yml");
    let found = client.diagnostics("schema.yml", 1);
    let message = found[0]["message"].as_str().expect("a message");
    assert!(message.len() < 10_000 && message.ends_with(" more characters)"), "{} bytes", message.len());
}
