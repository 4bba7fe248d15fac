//! What is rendered has the findings that the same text has in a file: what templates make, where a loop makes many values
//! at one place, and what ytt passes on, which overlays change.

use std::fmt::Write;
use std::path::Path;

use lofting_workspace::{CancelFlag, Settings, Workspace};

use crate::invariants::texts;
use lofting_tests::made_up::dice::Dice;

const KEYS: [&str; 4] = ["a", "b", "c", "d"];

/// What a schema may say of an item beside the types of its keys.
const RULES: [&str; 12] = [
    "allOf: [{properties: {a: {maximum: 2}}}, {properties: {d: {maxProperties: 1}}}]",
    "not: {properties: {b: {minLength: 2}}, required: [b]}",
    "required: [a]",
    "anyOf: [{required: [a]}, {required: [b, c]}]",
    "oneOf: [{required: [a]}, {required: [b]}]",
    "not: {required: [c, d]}",
    "minProperties: 3",
    "allOf: [{required: [c]}, {anyOf: [{required: [a]}, {required: [d]}]}]",
    "anyOf: [{properties: {a: {maximum: 2}}, required: [a]}, {properties: {b: {minLength: 2}}, required: [b]}]",
    "oneOf: [{properties: {a: {enum: [1]}}, required: [a]}, {properties: {a: {enum: [2, 3]}}, required: [a, b]}]",
    "x-kubernetes-validations: [{rule: 'has(self.a) || has(self.d)'}]",
    "maxProperties: 4",
];

fn definition(dice: &mut Dice) -> String {
    let (one, other) = (*dice.pick(&RULES), *dice.pick(&RULES));
    let keyword = |rule: &'static str| rule.split(':').next();
    let other = if keyword(one) == keyword(other) { String::new() } else { format!("                  {other}\n") };
    format!("{DEFINITION}                  {one}\n{other}{PROPERTIES}")
}

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boxes.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Box, plural: boxes}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              items:
                type: array
                items:
                  type: object
";
const PROPERTIES: &str = "                  properties:
                    z: {type: integer}
                    a: {type: integer}
                    b: {type: string}
                    c: {type: integer}
                    d: {type: object, additionalProperties: {type: string}}
";

const VALUES: [&str; 7] = ["1", "2", "3", "\"x\"", "\"long\"", "{\"k\": \"v\"}", "{\"k\": 1}"];

/// A template that makes all items in one place, from a list that code has.
fn template(dice: &mut Dice) -> String {
    let mut rows = String::new();
    for number in 0..4 {
        let keys: Vec<&str> = KEYS.into_iter().filter(|_| dice.percent(55)).collect();
        let given: Vec<String> = keys.iter().map(|key| format!("\"{key}\": {}", dice.pick(&VALUES))).collect();
        let _ = writeln!(rows, "#@ rows.append({{\"z\": {number}, {}}})", given.join(", "));
    }
    let mut text =
        format!("#@ rows = []\n{rows}---\napiVersion: example.com/v1\nkind: Box\nmetadata: {{name: x}}\nspec:\n");
    if dice.percent(30) {
        text += "  items: #@ rows\n";
        return text;
    }
    text += "  items:\n  #@ for row in rows:\n  - z: #@ row[\"z\"]\n";
    for key in KEYS {
        let _ = write!(text, "    #@ if/end \"{key}\" in row:\n    {key}: #@ row[\"{key}\"]\n");
    }
    text + "  #@ end\n"
}

/// A file that ytt passes on, and overlays that set and remove some of its keys.
fn passed_on(dice: &mut Dice) -> String {
    let mut text = "apiVersion: example.com/v1\nkind: Box\nmetadata: {name: x}\nspec:\n  items:\n".to_owned();
    let mut overlay = String::new();
    for number in 0..4 {
        let _ = writeln!(text, "  - z: {number}");
        let mut changes = String::new();
        for key in KEYS {
            let is_there = dice.percent(55);
            if is_there {
                let _ = writeln!(text, "    {key}: {}", dice.pick(&VALUES));
            }
            if is_there && dice.percent(15) {
                let _ = write!(changes, "    #@overlay/remove\n    {key}:\n");
            } else if dice.percent(30) {
                let value = dice.pick(&VALUES);
                let _ = write!(
                    changes,
                    "    #@overlay/match missing_ok=True\n    #@overlay/replace or_add=True\n    {key}: {value}\n"
                );
            }
        }
        if !changes.is_empty() {
            let _ =
                write!(overlay, "  #@overlay/match by=overlay.subset({{\"z\": {number}}})\n  - z: {number}\n{changes}");
        }
    }
    if overlay.is_empty() {
        return text;
    }
    text + "#- over.yml\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.subset({\"kind\": \"Box\"})\n---\n\
            spec:\n  items:\n"
        + &overlay
}

fn of_kubernetes<'f>(found: impl Iterator<Item = &'f lofting_check::Diagnostic>) -> Vec<String> {
    let own = found.filter(|finding| finding.code().starts_with("kubernetes/"));
    let mut own: Vec<String> = own.map(|finding| format!("{} {}", finding.code(), finding.message)).collect();
    own.sort();
    // One mistake of a template is reported once, however many values it makes.
    own.dedup();
    own
}

/// The findings when files are rendered, and what is printed.
fn of_rendered(root: &Path, definition: &str, template: &str) -> (Vec<String>, String) {
    std::fs::create_dir(root.join("config")).expect("a directory");
    std::fs::write(root.join("crd.yaml"), definition).expect("a file");
    for file in lofting_fixture::files(&format!("#- t.yml\n{template}")) {
        std::fs::write(root.join("config").join(file.path), file.text).expect("a file");
    }
    let rendering = crate::rendered(root, &["config", "crd.yaml"]);
    let first = || rendering.report.diagnostics().next();
    let Some(files) = &rendering.files else { panic!("not rendered: {definition}{template}: {:?}", first()) };
    let printed = texts(files);
    let own = printed.into_iter().find(|text| text.contains("kind: Box\n")).expect("the resource");
    (of_kubernetes(rendering.report.diagnostics()), own)
}

fn of_written(root: &Path, definition: &str, text: &str) -> Vec<String> {
    std::fs::write(root.join("crd.yaml"), definition).expect("a file");
    std::fs::write(root.join("a.yaml"), text).expect("a file");
    let mut workspace = Workspace::new(vec![root.to_owned()], Settings::default());
    workspace.scan(&mut |_| {}, &CancelFlag::new());
    let file = workspace.snapshot().file(&root.join("a.yaml")).expect("it is there");
    of_kubernetes(workspace.snapshot().diagnostics(file, &CancelFlag::new()).iter())
}

#[test]
fn what_is_rendered_has_the_findings_of_its_text() {
    let (mut wrong, mut findings) = (Vec::new(), 0);
    for number in 0..240 {
        let mut dice = Dice::new(number / 2);
        let definition = definition(&mut dice);
        let template = if number % 2 == 0 { template(&mut dice) } else { passed_on(&mut dice) };
        let (one, other) = (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
        let (one, other) =
            (one.path().canonicalize().expect("its path"), other.path().canonicalize().expect("its path"));
        let (found, text) = of_rendered(&one, &definition, &template);
        let expected = of_written(&other, &definition, &text);
        findings += expected.len();
        // The schema declares all keys, whatever its other parts are about.
        assert!(
            !expected.iter().any(|found| found.starts_with("kubernetes/unread-key")),
            "{definition}{text}{expected:#?}"
        );
        if found != expected {
            wrong.push(format!(
                "case {number}:\n{definition}{template}gives\n{text}rendered {found:#?}\nwritten {expected:#?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{} cases are wrong:\n{}", wrong.len(), wrong[..wrong.len().min(3)].join("\n"));
    assert!(findings > 600, "{findings}");
}
