//! Schemas of ytt's design proposals, converted to ytt's own form: what a case says about values holds for that as
//! well.

use crate::case::Case;
use crate::judge::{Judgement, run, same, shown};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// Converts the schema of a case, if there is one that can be read, and asks again.
pub fn judge(program: &Path, case: &Case, judgement: &mut Judgement) {
    let done = run(program, case, &["schema", "--to", "ytt"]);
    let expected = &case.expected["converted"];
    if done.code != Some(0) {
        if !expected.is_null() {
            judgement.set("converted", false, || shown(&done));
        }
        return;
    }
    let place = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(&case.folder).expect("the case").flatten().filter(|entry| entry.path().is_file()) {
        fs::copy(entry.path(), place.path().join(entry.file_name())).expect("it can be copied");
    }
    fs::write(place.path().join("converted.yml"), &done.out).expect("it can be written");
    let files = case.run["files"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let others = files.filter(|file| !case.is_proposed_schema(file)).map(Value::from);
    let mut again = case.run.clone();
    again["files"] = [Value::from("converted.yml")].into_iter().chain(others).collect();
    let again =
        Case { name: case.name.clone(), folder: place.path().to_owned(), run: again, expected: case.expected.clone() };
    // Whatever else is reported, it is a schema that ytt reads.
    let is_schema = run(program, &again, &["schema", "--to", "openapi-v3"]);
    let mut holds = is_schema.code == Some(0) && done.out.contains("#@data/values-schema");
    if holds && !expected.is_null() {
        let report = run(program, &again, &["check", "--format", "json"]);
        holds = report.code == Some(if expected["ok"] == true { 0 } else { 1 });
    }
    if holds && !expected["merged"].is_null() {
        let values = run(program, &again, &["values", "--format", "json"]);
        holds = serde_json::from_str(&values.out).is_ok_and(|ours: Value| same(&ours, &expected["merged"]));
    }
    judgement.set("converted", holds, || format!("{} {}", shown(&done), shown(&is_schema)));
}
