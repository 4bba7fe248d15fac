//! `lofting docs`: the documentation of schemas in every language, in files and in sections of pages.

use std::fs;

use lofting_tests::history::History;
use serde_json::json;

use crate::SCHEMA;
use crate::command_line::{json_of, lofting, workspace};
use crate::programs::fits;

fn out(output: &std::process::Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn schemas_of_every_language_are_documented() {
    let json_schema = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object",
        "properties": {"port": {"type": "integer", "description": "Where it listens."}}}"#;
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: shops.example.com\nspec:\n  group: example.com\n  names:\n    kind: Shop\n    plural: shops\n  scope: Namespaced\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        properties:\n          port:\n            type: integer\n            description: Where it listens.\n";
    let proposal = "#@data/values-schema\n---\n#@schema/desc \"Where it listens.\"\nport: 1\n";
    let choreo = "apiVersion: openchoreo.dev/v1alpha1\nkind: ComponentType\nmetadata:\n  name: service\nspec:\n  workloadType: deployment\n  schema:\n    parameters:\n      port: \"integer | default=80 description='Where it listens.'\"\n";
    for (name, text) in
        [("schema.json", json_schema), ("crd.yml", definition), ("ytt.yml", proposal), ("choreo.yml", choreo)]
    {
        let directory = workspace(&[(name, text)]);
        let output = lofting(directory.path(), &["docs", name]);
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
        let page = out(&output);
        let line = page.lines().find(|line| line.contains("port`")).unwrap_or_else(|| panic!("{name}: {page}"));
        assert!(line.contains("| integer") && line.contains("Where it listens."), "{name}: {line}");
        let answer = json_of(&lofting(directory.path(), &["docs", name, "--format", "json"]));
        fits("docs", &answer);
        for layout in ["table", "sections", "html"] {
            let output = lofting(directory.path(), &["docs", name, "--layout", layout]);
            assert!(out(&output).contains("Where it listens."), "{name} {layout}: {output:?}");
        }
    }
}

#[test]
fn who_sets_and_who_reads_a_value_is_said() {
    let template = "#@ load(\"@ytt:data\", \"data\")\n---\nname: #@ data.values.name\n";
    let values = "#@data/values\n---\nname: a\n";
    let directory =
        workspace(&[("config/schema.yml", SCHEMA), ("config/values.yml", values), ("config/template.yml", template)]);
    let answer = json_of(&lofting(directory.path(), &["docs", "config/schema.yml", "--format", "json"]));
    let entries = answer["entries"].as_array().expect("entries");
    let name = entries.iter().find(|entry| entry["path"] == "name").expect("the key");
    assert_eq!(name["set_in"], json!(["config/values.yml"]));
    assert_eq!(name["read_in"], json!(["config/template.yml"]));
    assert_eq!(name["declared"]["file"], "config/schema.yml");
    let page = out(&lofting(directory.path(), &["docs", "config/values.yml", "--layout", "html"]));
    assert!(
        page.contains("<code>config&#x2f;template.yml</code>") || page.contains("<code>config/template.yml</code>")
    );
}

#[test]
fn a_file_is_written_once_and_checked_ever_after() {
    let directory = workspace(&[("schema.yml", SCHEMA)]);
    let run = |arguments: &[&str]| lofting(directory.path(), &[&["docs", "schema.yml"], arguments].concat());
    let code = |arguments: &[&str]| run(arguments).status.code();
    assert_eq!(code(&["--output", "values.html", "--check"]), Some(1));
    assert!(!directory.path().join("values.html").exists());
    assert_eq!(code(&["--output", "values.html"]), Some(0));
    assert_eq!(code(&["--output", "values.html", "--check"]), Some(0));
    let page = fs::read_to_string(directory.path().join("values.html")).expect("a page");
    assert!(page.starts_with("<!doctype html>"), "{page}");
    assert_eq!(code(&["--output", "values.html", "--heading", "Other", "--check"]), Some(1));
    assert_eq!(code(&["--output", "values.html", "--heading", "Other"]), Some(0));
    assert_eq!(code(&["--check"]), Some(2));
    assert_eq!(code(&["--output", "nowhere/values.html"]), Some(2));
    assert_eq!(code(&["--layout", "other"]), Some(2));
}

#[test]
fn a_section_of_a_page_is_filled() {
    let readme = "# Mine\n\n<!-- lofting docs -->\n<!-- end of lofting docs -->\n\nMine as well.\n";
    let directory = workspace(&[("schema.yml", SCHEMA), ("README.md", readme), ("other.md", "# Mine\n")]);
    let run = |arguments: &[&str]| lofting(directory.path(), &[&["docs", "schema.yml"], arguments].concat());
    assert_eq!(run(&["--inject", "README.md", "--check"]).status.code(), Some(1));
    assert_eq!(run(&["--inject", "README.md"]).status.code(), Some(0));
    assert_eq!(run(&["--inject", "README.md", "--check"]).status.code(), Some(0));
    let page = fs::read_to_string(directory.path().join("README.md")).expect("a page");
    let (before, after) =
        ("# Mine\n\n<!-- lofting docs -->\n\n", "\n\n<!-- end of lofting docs -->\n\nMine as well.\n");
    assert!(page.starts_with(before) && page.ends_with(after), "{page}");
    assert!(page.contains("| <a id=\"name\"></a>`name` |"), "{page}");
    let refused = run(&["--inject", "other.md"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("add a line `<!-- lofting docs -->`"), "{said}");
}

#[test]
fn a_layout_of_ones_own_is_a_template() {
    let own = "{% for entry in entries %}{{ entry.path }}={{ entry.type }};{% endfor %}";
    let directory = workspace(&[("schema.yml", SCHEMA), ("own.md", own), ("wrong.md", "{{ entries | nothing }}")]);
    let output = lofting(directory.path(), &["docs", "schema.yml", "--template", "own.md"]);
    assert!(out(&output).starts_with("name=string;"), "{output:?}");
    let output = lofting(directory.path(), &["docs", "schema.yml", "--template", "wrong.md"]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("wrong.md:1: "), "{output:?}");
}

#[test]
fn what_changed_between_tags_is_listed() {
    let directory = workspace(&[("config/schema.yml", "#@data/values-schema\n---\nport: 80\n")]);
    let root = directory.path();
    let write = |text: &str| fs::write(root.join("config/schema.yml"), text).expect("a file");
    let mut history = History::at(root);
    let docs = |arguments: &[&str]| lofting(root, &[&["docs", "--changelog", "config/schema.yml"], arguments].concat());
    let first = history.commit_all("main");
    history.set("refs/tags/v1", &first);
    write("#@data/values-schema\n---\nport: \"\"\nname: <b>*\n");
    let second = history.commit_all("main");
    history.set("refs/tags/v2", &second);
    let third = history.commit_all("main");
    history.set("refs/tags/v3", &third);
    write("#@data/values-schema\n---\nport: \"\"\nname: x\n");
    let output = docs(&[]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = out(&output);
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(headings.len(), 3, "{page}");
    assert!(
        headings[0] == "## Unreleased" && headings[1].starts_with("## v2 (20") && headings[2].starts_with("## v1 (")
    );
    assert!(page.contains("### Breaks values\n\n- `port`: its type was integer and is string now\n"), "{page}");
    assert!(page.contains("The first release with this schema."), "{page}");
    let html = out(&docs(&["--layout", "html"]));
    assert!(html.contains("<h2>Unreleased</h2>") && html.contains("&lt;b&gt;*") && !html.contains("<b>"), "{html}");
    fs::write(root.join("CHANGES.md"), "# Changes\n\n<!-- lofting docs -->\n<!-- end of lofting docs -->\n")
        .expect("a file");
    assert_eq!(docs(&["--inject", "CHANGES.md", "--check"]).status.code(), Some(1));
    assert_eq!(docs(&["--inject", "CHANGES.md"]).status.code(), Some(0));
    assert_eq!(docs(&["--inject", "CHANGES.md", "--check"]).status.code(), Some(0));
    let alone = workspace(&[("schema.yml", SCHEMA)]);
    assert_eq!(lofting(alone.path(), &["docs", "--changelog", "schema.yml"]).status.code(), Some(2), "no repository");
}
