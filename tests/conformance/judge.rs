//! Runs the program on a case and compares, aspect by aspect.

use crate::case::Case;
use crate::converted;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

/// What is compared, in the order of the lists.
///
/// `verdict`: ours is ok exactly when ytt's is. `located`: every violation that ytt places is among
/// our errors on its line. `stage`: with the same stage. `merged`: the same final values. `openapi`:
/// the same export. `text`: the same YAML text. `output`: the same rendered documents. `lints`: warnings and hints on
/// their lines. `jsonschema`: members of that export. `inspect`: the documentation, as JSON and HTML. `converted`: verdict
/// and values with the schema in ytt's own form.
pub const ASPECTS: [&str; 11] = [
    "verdict",
    "located",
    "stage",
    "merged",
    "openapi",
    "text",
    "output",
    "lints",
    "jsonschema",
    "inspect",
    "converted",
];

/// What holds of a case.
#[derive(Default)]
pub struct Judgement {
    pub category: String,
    /// Aspects that apply, and whether they hold.
    pub aspects: BTreeMap<&'static str, bool>,
    /// Why some do not.
    pub notes: Vec<String>,
}

impl Judgement {
    /// Whether everything but the spelling of the text holds.
    pub fn passed(&self) -> bool {
        self.aspects.iter().all(|(aspect, holds)| *holds || *aspect == "text")
    }

    pub fn set(&mut self, aspect: &'static str, holds: bool, note: impl FnOnce() -> String) {
        self.aspects.insert(aspect, holds);
        if !holds {
            self.notes.push(format!("{aspect}: {}", note()));
        }
    }
}

pub struct Output {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

pub fn run(program: &Path, case: &Case, words: &[&str]) -> Output {
    let output = Command::new(program)
        .args(words)
        .args(case.input())
        .envs(case.environment())
        .current_dir(&case.folder)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    Output {
        code: output.status.code(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Compares one case.
pub fn judge(program: &Path, case: &Case) -> Judgement {
    let mut judgement = Judgement { category: case.category().to_string(), ..Judgement::default() };
    check(program, case, &mut judgement);
    if case.ok() && !case.expected["merged"].is_null() {
        values(program, case, &mut judgement);
    }
    if !case.expected["openapi"].is_null() {
        openapi(program, case, &mut judgement);
    }
    if case.ok() && case.renders() && !case.expected["output"].is_null() {
        let done = run(program, case, &["render"]);
        let wanted = case.expected["output"].as_str().unwrap_or_default();
        judgement.set("output", done.code == Some(0) && done.out.trim() == wanted.trim(), || shown(&done));
    }
    exports(program, case, &mut judgement);
    if case.has_proposed_schema() {
        converted::judge(program, case, &mut judgement);
    }
    judgement
}

/// Exports that a case checks.
fn exports(program: &Path, case: &Case, judgement: &mut Judgement) {
    let has = |name: &str| !case.expected[name].is_null();
    let json = |to: &str| {
        let done = run(program, case, &["schema", "--to", to, "--format", "json"]);
        (serde_json::from_str::<Value>(&done.out).unwrap_or_default(), done)
    };
    if has("json_schema_has") || has("json_schema_lacks") {
        let (ours, done) = json("json-schema");
        let wanted = case.expected["json_schema_has"].as_object();
        let has_all =
            wanted.into_iter().flatten().all(|(at, value)| ours.pointer(at).is_some_and(|it| same(it, value)));
        let mut lacked = case.expected["json_schema_lacks"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let holds = has_all && lacked.all(|at| ours.pointer(at).is_none());
        judgement.set("jsonschema", holds, || shown(&done));
    }
    if has("inspect") {
        let (ours, done) = json("inspect");
        judgement.set("inspect", same(&ours, &case.expected["inspect"]), || shown(&done));
    }
    if has("inspect_html_has") {
        let done = run(program, case, &["schema", "--to", "inspect", "--format", "html"]);
        let texts = |name: &str| case.expected[name].as_array().into_iter().flatten().filter_map(Value::as_str);
        let holds = texts("inspect_html_has").all(|text| done.out.contains(text))
            && !texts("inspect_html_lacks").any(|text| done.out.contains(text));
        judgement.set("inspect", holds, || shown(&done));
    }
}

fn check(program: &Path, case: &Case, judgement: &mut Judgement) {
    let mut words = vec!["check", "--format", "json"];
    if case.renders() {
        words.push("--render");
    }
    let done = run(program, case, &words);
    let report: Option<Value> = serde_json::from_str(&done.out).ok();
    let ours_ok =
        done.code == Some(0) && report.as_ref().is_some_and(|report| report["summary"]["ok"] == Value::Bool(true));
    let said_no = (done.code == Some(1) && report.is_some()) || (done.code == Some(2) && !done.err.trim().is_empty());
    let errors: Vec<&Value> = report
        .iter()
        .flat_map(|report| report["diagnostics"].as_array().into_iter().flatten())
        .filter(|finding| finding["severity"] == "error")
        .collect();
    judgement.set("verdict", if case.ok() { ours_ok } else { said_no }, || {
        let shown: Vec<String> =
            errors.iter().take(3).map(|error| format!("{} {}", error["code"], error["message"])).collect();
        format!("ytt says {}, ours {:?}: {} {}", case.stage(), done.code, shown.join("; "), done.err.trim())
    });
    if let Some(lints) = case.expected["lints"].as_array() {
        let found = || report.iter().flat_map(|report| report["diagnostics"].as_array().into_iter().flatten());
        let is_there = |lint: &Value| {
            found().any(|finding| {
                finding["severity"] == lint["severity"]
                    && finding["range"]["start"]["line"] == lint["line"]
                    && same_file(
                        finding["file"].as_str().unwrap_or_default(),
                        lint["file"].as_str().unwrap_or_default(),
                    )
            })
        };
        let missing: Vec<&Value> = lints.iter().filter(|lint| !is_there(lint)).collect();
        judgement.set("lints", missing.is_empty(), || format!("{missing:?}"));
    }
    if case.ok() || matches!(case.stage(), "crash" | "args") {
        return;
    }
    let (mut located, mut staged) = (Ok(()), Ok(()));
    for violation in case.expected["violations"].as_array().into_iter().flatten() {
        let (Some(file), Some(line)) = (violation["file"].as_str(), violation["line"].as_u64()) else { continue };
        let here: Vec<&&Value> = errors
            .iter()
            .filter(|error| {
                same_file(error["file"].as_str().unwrap_or_default(), file)
                    && error["range"]["start"]["line"].as_u64() == Some(line)
            })
            .collect();
        if here.is_empty() {
            located = Err(format!("nothing at {file}:{line}, where ytt says {}", violation["message"]));
            staged = Err(String::from("not located"));
        } else if !here.iter().any(|error| error["stage"] == case.stage()) {
            staged = Err(format!("{file}:{line} should be of stage {}", case.stage()));
        }
    }
    judgement.set("located", located.is_ok(), || located.err().unwrap_or_default());
    judgement.set("stage", staged.is_ok(), || staged.err().unwrap_or_default());
}

fn same_file(ours: &str, theirs: &str) -> bool {
    let ours = ours.replace('\\', "/");
    ours == theirs || ours.ends_with(&format!("/{theirs}")) || theirs.ends_with(&format!("/{ours}"))
}

fn values(program: &Path, case: &Case, judgement: &mut Judgement) {
    let done = run(program, case, &["values", "--format", "json"]);
    let ours: Option<Value> = serde_json::from_str(&done.out).ok();
    judgement.set("merged", ours.as_ref().is_some_and(|ours| same(ours, &case.expected["merged"])), || shown(&done));
    let text = case.expected["merged_yaml"].as_str().unwrap_or_default();
    if !text.is_empty() {
        let done = run(program, case, &["values", "--format", "yaml"]);
        judgement.set("text", done.out.trim() == text.trim(), || shown(&done));
    }
}

fn openapi(program: &Path, case: &Case, judgement: &mut Judgement) {
    let done = run(program, case, &["schema", "--to", "openapi-v3", "--format", "json"]);
    let mut ours: Option<Value> = serde_json::from_str(&done.out).ok();
    // Who made it may differ.
    if let Some(info) = ours.as_mut().and_then(|ours| ours.get_mut("info")) {
        *info = case.expected["openapi"]["info"].clone();
    }
    judgement.set("openapi", ours.as_ref().is_some_and(|ours| same(ours, &case.expected["openapi"])), || shown(&done));
}

pub fn shown(done: &Output) -> String {
    let text: String = done.out.chars().chain(done.err.chars()).take(200).collect();
    format!("exit {:?}: {}", done.code, text.replace('\n', " "))
}

/// Equal as JSON: `1` and `1.0` are one number, and the order of keys does not count.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(x), Value::Number(y)) => x == y || x.as_f64() == y.as_f64(),
        (Value::Array(x), Value::Array(y)) => x.len() == y.len() && x.iter().zip(y).all(|(a, b)| same(a, b)),
        (Value::Object(x), Value::Object(y)) => {
            x.len() == y.len() && x.iter().all(|(key, a)| y.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

/// Passed cases by category, and aspects.
pub fn print_summary(judged: &BTreeMap<String, Judgement>) {
    let mut categories: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut aspects: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for judgement in judged.values() {
        let category = categories.entry(&judgement.category).or_default();
        category.0 += usize::from(judgement.passed());
        category.1 += 1;
        for (aspect, holds) in &judgement.aspects {
            let aspect = aspects.entry(aspect).or_default();
            aspect.0 += usize::from(*holds);
            aspect.1 += 1;
        }
    }
    for (category, (good, all)) in &categories {
        println!("{category:16} {good:4}/{all}");
    }
    for aspect in ASPECTS {
        if let Some((good, all)) = aspects.get(aspect) {
            println!("{aspect:16} {good:4}/{all}");
        }
    }
}
