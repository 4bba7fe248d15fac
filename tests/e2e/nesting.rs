//! Depth, as a class: every form in which values nest, as deep as real definitions, as deep as promised, and deeper than
//! the limit, where a finding says so.

use std::path::Path;

use crate::command_line::{lofting, workspace};

/// What is nested how deeply: the files of an input set, and further arguments.
type Form = (&'static str, fn(usize) -> Vec<(&'static str, String)>);

/// `levels` maps around a scalar, one below the other.
fn block(levels: usize, leaf: &str) -> String {
    let mut text: String = (0..levels).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
    text.push_str(&format!("{}a: {leaf}\n", " ".repeat(levels)));
    text
}

/// A function that builds a value of a given depth.
fn build(levels: usize) -> String {
    format!(
        "#@ def build():\n#@   v = {{\"a\": 1}}\n#@   for i in range({levels}):\n#@     v = {{\"a\": v}}\n#@   end\n#@   return v\n#@ end\n"
    )
}

fn load(modules: &[&str]) -> String {
    modules.iter().map(|module| format!("#@ load(\"@ytt:{module}\", \"{module}\")\n")).collect()
}

/// A template with the value of an expression, in which `build()` makes a nested value.
fn value_of(modules: &[&str], levels: usize, expression: &str) -> Vec<(&'static str, String)> {
    vec![("config.yml", format!("{}{}x: #@ {expression}\n", load(modules), build(levels)))]
}

const ALL: &str = "#@overlay/match by=overlay.all\n---\n";
const SHOWN: &str = "#@ load(\"@ytt:data\", \"data\")\nx: #@ data.values.a\n";

/// An overlay over documents that are as deep as itself.
fn over(levels: usize, head: &str, leaf: &str) -> Vec<(&'static str, String)> {
    let overlay = format!("{}{head}{}", load(&["overlay"]), block(levels, leaf));
    vec![("config.yml", block(levels, "1")), ("overlay.yml", overlay)]
}

const FORMS: &[Form] = &[
    ("plain YAML", |levels| vec![("config.yml", block(levels, "1"))]),
    ("a template", |levels| vec![("config.yml", block(levels, "#@ 1 + 1"))]),
    ("flow collections", |levels| {
        vec![("config.yml", format!("b: #@ 1\na: {}{}\n", "[".repeat(levels), "]".repeat(levels)))]
    }),
    ("a function", |levels| vec![("config.yml", format!("#@ def f():\n{}#@ end\nx: #@ f()\n", block(levels, "#@ 1")))]),
    ("a computed value", |levels| value_of(&[], levels, "build()")),
    ("blocks", |levels| {
        let pad = |level: usize| " ".repeat(level);
        let mut text: String = (0..levels).map(|level| format!("{0}#@ if True:\n{0}a:\n", pad(level))).collect();
        text.push_str(&format!("{}a: 1\n", pad(levels)));
        (0..levels).rev().for_each(|level| text.push_str(&format!("{}#@ end\n", pad(level))));
        vec![("config.yml", text)]
    }),
    ("a library", |levels| {
        let text = "--- #@ template.replace(library.get(\"l\").eval())\n";
        vec![("config.yml", load(&["library", "template"]) + text), ("_ytt_lib/l/config.yml", block(levels, "#@ 1"))]
    }),
    ("values for a library", |levels| {
        let text =
            "--- #@ template.replace(library.get(\"l\").with_data_values({\"a\": build()}, plain=True).eval())\n";
        vec![
            ("config.yml", load(&["library", "template"]) + &build(levels) + text),
            ("_ytt_lib/l/config.yml", SHOWN.to_owned()),
        ]
    }),
    ("an overlay", |levels| over(levels, ALL, "2")),
    ("a function that matches", |levels| over(levels, "#@overlay/match by=lambda i, l, r: True\n---\n", "2")),
    ("a matcher in a variable", |levels| over(levels, "#@ m = overlay.all\n#@overlay/match by=m\n---\n", "2")),
    ("what replaces", |levels| {
        let overlay = load(&["overlay"]) + ALL + "#@overlay/replace via=lambda l, r: l\na: 1\n";
        vec![("config.yml", block(levels, "1")), ("overlay.yml", overlay)]
    }),
    ("what asserts", |levels| {
        let overlay = load(&["overlay"]) + ALL + "#@overlay/assert via=lambda l, r: True\na: 1\n";
        vec![("config.yml", block(levels, "1")), ("overlay.yml", overlay)]
    }),
    ("overlay.apply", |levels| {
        let (f, g) = (block(levels, "1"), block(levels, "2"));
        let text = format!("#@ def f():\n{f}#@ end\n#@ def g():\n{g}#@ end\n--- #@ overlay.apply(f(), g())\n");
        vec![("config.yml", load(&["overlay"]) + &text)]
    }),
    ("template.replace", |levels| {
        let text = format!("#@ def f():\n{}#@ end\n---\n_: #@ template.replace(f())\n", block(levels, "1"));
        vec![("config.yml", load(&["template"]) + &text)]
    }),
    ("a schema", |levels| {
        vec![
            ("schema.yml", format!("#@data/values-schema\n---\n{}", block(levels, "1"))),
            ("config.yml", SHOWN.to_owned()),
        ]
    }),
    ("data values", |levels| {
        vec![
            ("schema.yml", format!("#@data/values-schema\n---\n{}", block(levels, "1"))),
            ("values.yml", format!("#@data/values\n---\n{}", block(levels, "2"))),
            ("config.yml", SHOWN.to_owned()),
        ]
    }),
    ("a rule that is code", |levels| {
        let rule = "#@schema/type any=True\n#@schema/validation (\"x\", lambda v: True)\n";
        vec![
            ("schema.yml", format!("#@data/values-schema\n---\n{rule}{}", block(levels, "1"))),
            ("config.yml", SHOWN.to_owned()),
        ]
    }),
    ("yaml", |levels| value_of(&["yaml"], levels, "yaml.decode(yaml.encode(build()))")),
    ("json", |levels| value_of(&["json"], levels, "json.decode(json.encode(build()))")),
    ("json.encode", |levels| value_of(&["json"], levels, "json.encode(build())")),
    ("toml.encode", |levels| value_of(&["toml"], levels, "toml.encode(build())")),
    ("struct", |levels| value_of(&["struct"], levels, "struct.decode(struct.encode(build()))")),
    ("assert.equals", |levels| value_of(&["assert"], levels, "assert.equals(build(), build())")),
];

const COMMANDS: &[&[&str]] =
    &[&["render"], &["check", "--render"], &["check"], &["values"], &["values", "--origin"], &["render", "--origin"]];

fn run(directory: &Path, command: &[&str]) -> (Option<i32>, String) {
    let output = lofting(directory, &[command, &["-f", "."]].concat());
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn written(files: &[(&'static str, String)]) -> tempfile::TempDir {
    workspace(&files.iter().map(|(name, text)| (*name, text.as_str())).collect::<Vec<_>>())
}

/// The end of what a command said: deep values take kilobytes.
fn end_of(said: &str) -> String {
    let from = said.len().saturating_sub(400);
    said.char_indices().map(|(at, _)| at).find(|at| *at >= from).map_or(String::new(), |at| said[at..].to_owned())
}

#[test]
fn what_nests_like_real_definitions_is_evaluated_by_every_command() {
    let mut failed = Vec::new();
    for (form, files) in FORMS {
        let directory = written(&files(60));
        for command in COMMANDS {
            let (code, said) = run(directory.path(), command);
            if code != Some(0) {
                failed.push(format!("{form}, {command:?}: {code:?} {}", end_of(&said)));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn a_thousand_levels_are_evaluated() {
    let mut failed = Vec::new();
    for (form, files) in FORMS {
        let (code, said) = run(written(&files(1_000)).path(), &["render"]);
        if code != Some(0) {
            failed.push(format!("{form}: {code:?} {}", end_of(&said)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn beyond_the_limit_a_finding_says_so() {
    let mut failed = Vec::new();
    for (form, files) in FORMS {
        let (code, said) = run(written(&files(2_200)).path(), &["render"]);
        let named = said.contains("yaml/too-deep") || said.contains("too deeply nested") || said.contains("nested too");
        if !matches!(code, Some(1 | 2)) || !named {
            failed.push(format!("{form}: {code:?} {}", end_of(&said)));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What is wrong where the code of the forms is refused: it must not look like success.
#[cfg(target_os = "linux")]
pub(crate) fn refused() -> Vec<String> {
    let mut failed = Vec::new();
    for (form, files) in FORMS {
        let files = files(60);
        let has_code = files.iter().any(|(name, text)| text.contains("#@") && !name.contains("schema"));
        let directory = written(&files);
        for command in [&["render", "--require-sandbox"][..], &["check", "--render", "--require-sandbox"]] {
            let (code, said) = run(directory.path(), command);
            let is_reported = code == Some(2) && said.contains("a sandbox is required");
            if has_code && !is_reported {
                failed.push(format!("{form}, {command:?}: {code:?} {}", end_of(&said)));
            }
        }
    }
    failed
}

/// Where text can be that deep without being gigabytes long.
#[test]
fn a_hundred_thousand_levels_do_no_harm() {
    let mut failed = Vec::new();
    for (form, files) in
        FORMS.iter().filter(|(_, files)| files(1_000).iter().map(|(_, text)| text.len()).sum::<usize>() < 10_000)
    {
        for command in [&["render"][..], &["check", "--render"]] {
            let (code, said) = run(written(&files(100_000)).path(), command);
            if !matches!(code, Some(1 | 2)) || !said.contains("nested") {
                failed.push(format!("{form}, {command:?}: {code:?} {}", end_of(&said)));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
