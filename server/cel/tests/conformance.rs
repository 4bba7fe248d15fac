//! Compares with the verdicts of other implementations, if the cases are beside the repository: those of the language's
//! specification, of Kubernetes' libraries, and rules of public resources with the verdict of the API server.

use lofting_cel::debug::answers;
use lofting_cel::time::{Span, Timestamp};
use serde_json::{Value, json};
use std::path::Path;

/// The cases of a file; None if they are not here.
fn cases(name: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("NOT COMPARED: {} is not here", path.display());
        return None;
    };
    let all: Vec<Value> = serde_json::from_str(&text).expect("a list of cases");
    // Where the API server and the specification differ, the API server is right.
    let of_kubernetes = all.into_iter().filter(|case| case["kubernetes"] != json!("absent")).map(|mut case| {
        if let Value::Object(own) = case["kubernetes"].take() {
            let all = case.as_object_mut().expect("a case");
            for name in ["value", "error", "stage"] {
                all.remove(name);
            }
            all.extend(own);
        }
        case
    });
    Some(of_kubernetes.collect())
}

/// A value so that equal ones are the same text.
fn normal(value: &Value) -> String {
    let Some((kind, inner)) = value.as_object().and_then(|value| value.iter().next()) else { return value.to_string() };
    let text = || inner.as_str().unwrap_or_default();
    match kind.as_str() {
        "list" => format!("{:?}", inner.as_array().into_iter().flatten().map(normal).collect::<Vec<_>>()),
        "map" => {
            let entries = inner.as_array().into_iter().flatten();
            let mut entries: Vec<_> = entries.map(|entry| (normal(&entry["key"]), normal(&entry["value"]))).collect();
            entries.sort();
            format!("{entries:?}")
        }
        // The reader of the cases rounds the last digit.
        "double" => inner.as_f64().map_or_else(|| inner.to_string(), |number| format!("{number:.14e}")),
        "duration" => format!("{:?}", Span::parse(text())),
        "timestamp" => format!("{:?}", Timestamp::parse(text()).map(|time| time.instant())),
        "optional" if inner.is_null() => "none".to_owned(),
        "optional" => format!("optional {}", normal(inner)),
        "opaque" => format!("opaque {inner}"),
        other => format!("{other} {inner}"),
    }
}

fn is_right(case: &Value, found: &Value) -> bool {
    if case.get("rule").is_some() {
        return found["ok"] == case["ok"];
    }
    let stages = (case.get("stage"), found.get("stage"));
    match (case.get("error"), found.get("error")) {
        (Some(_), Some(_)) => !matches!(stages, (Some(one), Some(other)) if one != other),
        (None, None) if case.get("check_only").is_some() => case["type"] == found["type"],
        (None, None) => normal(&case["value"]) == normal(&found["value"]),
        _ => false,
    }
}

/// Compares all cases of a file, of which a given number may be wrong.
fn compare(name: &str, wrong: usize) {
    let Some(cases) = cases(name) else { return };
    let found = answers(&json!(cases));
    let found = found.as_array().expect("a list of answers");
    assert_eq!(found.len(), cases.len());
    let failed = cases.iter().zip(found).filter(|(case, found)| !is_right(case, found));
    let failed: Vec<String> = failed
        .map(|(case, found)| {
            let text = case.get("expression").or(case.get("rule"));
            let expected = case.get("value").or(case.get("error")).or(case.get("ok"));
            format!("{}: {} instead of {}", text.unwrap_or(case), found, expected.unwrap_or(case))
        })
        .collect();
    assert!(failed.len() <= wrong, "{} of {}:\n{}", failed.len(), cases.len(), failed.join("\n"));
}

/// Time zones by their names are not known.
#[test]
fn the_specification() {
    compare("cel/cel-spec.json", 5);
}

#[test]
fn the_libraries_of_kubernetes() {
    compare("cel/kubernetes-libraries.json", 0);
}

#[test]
fn rules_of_public_resources() {
    compare("kubernetes-api/cel-rules.json", 0);
}
