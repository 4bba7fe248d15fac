//! All YAML of a folder is checked and formatted, whether a schema is known for it or not; only templates are left out.

use serde_json::{Value, json};

use crate::client::Setup;
use crate::command_line::{json_of, lofting, text, workspace};

const CHART: (&str, &str) = ("chart/Chart.yaml", "apiVersion: v2\nname: a\nversion: 1.0.0\n");
const KUSTOMIZATION: (&str, &str) = ("k/kustomization.yaml", "patches:\n- path: patch.yaml\n");

/// What `fmt --check` says about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    Changes,
    Damaged,
    LeftOut,
}

/// A kind of file.
struct Kind {
    name: &'static str,
    text: &'static str,
    /// The codes of what is found.
    found: &'static [&'static str],
    layout: Layout,
    /// What `explain` says.
    why: &'static str,
}

const KINDS: &[Kind] = &[
    Kind {
        name: "app.yaml",
        text: "a:   1\na: 2\n",
        found: &["yaml/repeated-key"],
        layout: Layout::Changes,
        why: "Nothing gives it a schema",
    },
    Kind {
        name: "damaged.yaml",
        text: "a:   1\nb\n",
        found: &["yaml/missing-colon"],
        layout: Layout::Damaged,
        why: "Nothing gives it a schema",
    },
    Kind {
        name: ".hidden.yml",
        text: "a:   'x\n",
        found: &["yaml/unclosed-quote"],
        layout: Layout::Damaged,
        why: "Nothing gives it a schema",
    },
    Kind {
        name: "tags.yml",
        text: "a:   !include b.yaml\nc: [!reference [x, y], !Sub \"${z}\"]\n",
        found: &[],
        layout: Layout::Changes,
        why: "Nothing gives it a schema",
    },
    Kind {
        name: "box.yaml",
        text: "apiVersion: example.com/v1\nkind: Box\nspec:   1\nspec: 2\n",
        found: &["yaml/repeated-key"],
        layout: Layout::Changes,
        why: "a kind that no schema is known for",
    },
    Kind {
        name: "k/patch.yaml",
        text: "apiVersion: example.com/v1\nkind: Box\nspec:   1\nspec: 2\n",
        found: &["yaml/repeated-key"],
        layout: Layout::Changes,
        why: "It is a patch",
    },
    Kind {
        name: "chart/values.yaml",
        text: "a:   1\na: 2\n",
        found: &["yaml/repeated-key"],
        layout: Layout::Changes,
        why: "Helm chart",
    },
    Kind {
        name: "chart/templates/app.yaml",
        text: "a:   1\n{{- if .Values.x }}\na: 2\n{{- end }}\n",
        found: &[],
        layout: Layout::LeftOut,
        why: "It is a template, not YAML yet",
    },
    Kind {
        name: "chart/templates/quoted.yaml",
        text: "a:   \"{{ \"x\" }}\"\n",
        found: &[],
        layout: Layout::LeftOut,
        why: "It is a template",
    },
    Kind {
        name: "jinja.yml",
        text: "{% if x %}\na:   1\n{% endif %}\n",
        found: &[],
        layout: Layout::LeftOut,
        why: "It is a template, not YAML yet",
    },
    Kind {
        name: "database.yml",
        text: "a:   <%= x ? 'y' : 'z' %>\n",
        found: &[],
        layout: Layout::LeftOut,
        why: "It is a template, not YAML yet",
    },
    Kind {
        name: "schema.yml",
        text: "#@data/values-schema\n---\na:   1\na: 2\n",
        found: &["ytt/duplicate-key"],
        layout: Layout::Changes,
        why: "the schema itself",
    },
];

#[test]
fn the_commands_agree_about_every_kind_of_file() {
    for kind in KINDS {
        let Kind { name, text: content, found, layout, why } = kind;
        let directory = workspace(&[CHART, KUSTOMIZATION, (name, content)]);
        let run = |arguments: &[&str]| lofting(directory.path(), arguments);
        for given in [".", name] {
            let report = json_of(&run(&["check", "--format", "json", given]));
            let found_now: Vec<&str> = report["diagnostics"]
                .as_array()
                .expect("findings")
                .iter()
                .filter(|finding| finding["file"] == *name)
                .map(|finding| finding["code"].as_str().expect("a code"))
                .collect();
            assert_eq!(found_now, *found, "check {given}: {name}");
            let output = run(&["fmt", "--check", given]);
            let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
            let says = match layout {
                Layout::Changes => out.contains(name),
                Layout::Damaged => err.contains(&format!("{name}:")) && err.contains("1 with syntax errors"),
                Layout::LeftOut => !out.contains(name) && err.contains("1 left as they are: templates of Helm"),
            };
            assert!(says, "fmt {given}: {name}: {}", text(&output));
        }
        let said = text(&run(&["explain", name]));
        assert!(said.contains(why), "{name}: {said}");
    }
}

#[test]
fn the_summary_says_what_was_not_checked_with_a_schema_and_why() {
    let files: Vec<(&str, &str)> =
        [CHART, KUSTOMIZATION].into_iter().chain(KINDS.iter().map(|kind| (kind.name, kind.text))).collect();
    let directory = workspace(&files);
    let output = lofting(directory.path(), &["check"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    for line in [
        "10 files checked: ",
        "  1 file without a schema: Kubernetes manifests of kinds whose schemas are not known\n",
        "  1 file without a schema: patches\n",
        "  1 file without a schema: values of a Helm chart\n",
        "  4 files not checked: templates of Helm, Jinja or the like\n",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    // Nothing but templates.
    let directory = workspace(&[("a.yaml", "a: {{ b }}\n")]);
    let output = lofting(directory.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("nothing was checked: the only YAML file is a template"), "{}", text(&output));
}

/// Editors that know of another server say `off` for `auto`.
#[test]
fn editors_show_the_same_where_no_other_server_does() {
    for (chosen, shown) in [(Value::Null, true), (json!("auto"), true), (json!("on"), true), (json!("off"), false)] {
        let settings = json!({"lofting": {"validate": {"otherYaml": chosen}}});
        // Sent with `initialize`, they are known before the first file.
        for kind in KINDS {
            let mut setup = Setup::rich().options(settings.clone()).settings(settings.clone());
            for (name, content) in [CHART, KUSTOMIZATION] {
                setup = setup.file(name, content);
            }
            let mut client = setup.start();
            client.open(kind.name, kind.text);
            let found = client.diagnostics(kind.name, 1);
            let codes: Vec<&str> = found.iter().map(|finding| finding["code"].as_str().expect("a code")).collect();
            // What belongs to ytt is always checked.
            let is_shown = shown || kind.name == "schema.yml";
            assert_eq!(codes, if is_shown { kind.found } else { &[] }, "{chosen}: {}", kind.name);
        }
    }
}
