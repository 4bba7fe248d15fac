//! OpenChoreo's cases: a schema with what it compiles to or why it is refused, and values with the platform's verdict.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// What is wrong with the cases below `root`.
pub fn judge_all(lofting: &Path, root: &Path) -> Vec<String> {
    let mut cases: Vec<_> = std::fs::read_dir(root).expect("cases").flatten().map(|entry| entry.path()).collect();
    cases.sort();
    cases.retain(|case| case.is_dir());
    assert!(cases.len() > 200, "{} cases", cases.len());
    cases.iter().flat_map(|case| judge(lofting, case)).collect()
}

fn judge(lofting: &Path, case: &Path) -> Vec<String> {
    let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut wrong = Vec::new();
    let expected = read(&case.join("expected.json"));
    let refused = ["error", "structuralError", "strictFieldError"].iter().any(|key| expected.get(key).is_some());
    let own = errors(lofting, case, &["schema.yaml"]);
    if refused == own.is_empty() {
        wrong.push(format!("{name}: the schema: {own:?}"));
    }
    if let Some(code) = expected["error"]["code"].as_str() {
        let code = format!("openchoreo/{code}");
        let names = expected["error"]["path"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let path = names.collect::<Vec<_>>().join(".");
        let is_there = |error: &Value| error["path"].as_str().unwrap_or_default().replace('"', "").ends_with(&path);
        if !own.iter().any(|error| error["code"] == code.as_str() && is_there(error)) {
            wrong.push(format!("{name}: no {code} at {path:?} in {own:?}"));
        }
    }
    if let Some(schema) = expected.get("jsonSchema") {
        let written = compiled(lofting, case);
        if written.as_ref() != Some(schema) {
            wrong.push(format!("{name}: compiles to {written:?}"));
        }
    }
    if !case.join("verdicts.json").is_file() {
        return wrong;
    }
    for verdict in read(&case.join("verdicts.json"))["instances"].as_array().into_iter().flatten() {
        let file = verdict["file"].as_str().unwrap_or_default();
        let found = errors(lofting, case, &["--schema", "schema.yaml", file]);
        let valid = verdict["valid"] == true;
        if valid != found.is_empty() {
            wrong.push(format!("{name}/{file}: valid is {valid}: {found:?}"));
        }
        for place in verdict["errors"].as_array().into_iter().flatten().filter(|_| !valid) {
            let at = dotted(place["path"].as_str().unwrap_or_default());
            let is_there = |error: &Value| {
                let path = error["path"].as_str().unwrap_or_default();
                path == at
                    || (place["keyword"] == "required" && path.rsplit_once('.').map_or("", |(above, _)| above) == at)
            };
            if !found.iter().any(is_there) {
                wrong.push(format!("{name}/{file}: nothing at {at:?}: {found:?}"));
            }
        }
    }
    wrong
}

/// What `lofting schema` writes.
fn compiled(lofting: &Path, case: &Path) -> Option<Value> {
    let words = ["schema", "--language", "openchoreo", "--to", "openapi-schema", "--format", "json", "schema.yaml"];
    let output = Command::new(lofting).current_dir(case).args(words).output().expect("lofting runs");
    serde_json::from_slice(&output.stdout).ok()
}

/// The errors that `lofting check` finds.
fn errors(lofting: &Path, case: &Path, words: &[&str]) -> Vec<Value> {
    let output = Command::new(lofting)
        .current_dir(case)
        .args(["check", "--format", "json", "--language", "openchoreo"])
        .args(words)
        .output()
        .expect("lofting runs");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}: {}", case.display(), String::from_utf8_lossy(&output.stderr)));
    let all = report["diagnostics"].as_array().cloned().unwrap_or_default();
    all.into_iter().filter(|finding| finding["severity"] == "error").collect()
}

fn read(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a case")).expect("JSON")
}

/// A JSON pointer as paths of findings are written.
fn dotted(pointer: &str) -> String {
    let mut out = String::new();
    for part in pointer.split('/').skip(1).map(|part| part.replace("~1", "/").replace("~0", "~")) {
        match part.parse::<usize>() {
            Ok(_) => out.push_str(&format!("[{part}]")),
            Err(_) if out.is_empty() => out.push_str(&part),
            Err(_) => out.push_str(&format!(".{part}")),
        }
    }
    out
}
