//! Compares with ytt's verdicts on the shared conformance cases: where ytt fails while running code, so must we, on the
//! same line.

#![allow(clippy::print_stdout, reason = "what was skipped or measured is shown by the test runner")]

mod harness;

use std::path::{Path, PathBuf};

use harness::{Files, show_error};

/// Cases with a different result, each with the reason.
const DIFFERENT: &[(&str, &str)] = &[
    ("annsyntax/multi-line-args", "ours names the annotation that is never closed, ytt the line below it"),
    ("template/load-nested-path", "the case leaves the library file out of the set; the whole folder is the set here"),
];

fn files_below(root: &Path, at: &Path, files: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(at) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files_below(root, &path, files);
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            files.push((name, text));
        }
    }
}

#[test]
fn code_of_the_shared_cases() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/ytt");
    if !root.exists() {
        println!("skipped: not present");
        return;
    }
    let mut wrong = Vec::new();
    let mut total = 0;
    let wanted = std::env::var("CASES").ok();
    for category in
        ["annsyntax", "default", "docs", "modules", "template", "type", "validation", "any", "nullable", "realistic"]
    {
        let Ok(cases) = std::fs::read_dir(root.join(category)) else { continue };
        let mut cases: Vec<PathBuf> = cases.flatten().map(|case| case.path()).collect();
        cases.sort();
        for case in cases {
            let name = format!("{category}/{}", case.file_name().unwrap_or_default().to_string_lossy());
            if wanted.as_ref().is_some_and(|wanted| !name.contains(wanted.as_str())) {
                continue;
            }
            let mut files = Vec::new();
            files_below(&case, &case, &mut files);
            files.retain(|(path, _)| !matches!(path.as_str(), "case.json" | "expected.json"));
            let schema = files.iter().position(|(path, _)| path.ends_with("schema.yml"));
            let Some(schema) = schema else { continue };
            files.swap(0, schema);
            let expected: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(case.join("expected.json")).unwrap_or_default())
                    .unwrap_or_default();
            let raw = expected["raw_error"].as_str().unwrap_or("");
            // Only failures while this file's code runs concern the evaluator.
            let running = raw.contains("Templating file 'schema.yml': \n")
                || raw.contains("Templating file 'sub/schema.yml': \n");
            total += 1;
            let files = Files(files);
            let (evaluated, _) = files.evaluate();
            let verdict = match (&evaluated.result, running) {
                (Ok(_), false) => continue,
                (Ok(_), true) => format!("ytt fails: {raw}"),
                (Err(_), false) if expected["stage"] != "ok" && expected["stage"] != "validation" => continue,
                (Err(error), false) => format!("ytt does not fail: {}", show_error(&files, error)),
                (Err(error), true) => {
                    let mut places = error.frames.iter().filter_map(|frame| frame.place.as_ref()).map(|place| {
                        let text = files.text(&place.path).unwrap_or("");
                        let line = text[..place.start as usize].matches('\n').count() + 1;
                        format!("{}:{line} |", place.path)
                    });
                    // For comments in arguments, ytt names the next line; we name the line itself.
                    let off_by_one = raw.contains("got identifier, want ','") || raw.contains("unexpected end\n");
                    if off_by_one || places.any(|place| raw.contains(&place)) {
                        continue;
                    }
                    format!("elsewhere: {}{raw}", show_error(&files, error))
                }
            };
            if !DIFFERENT.iter().any(|(known, _)| *known == name) {
                wrong.push(format!("{name}: {verdict}"));
            }
        }
    }
    println!("{total} cases, {} differ", wrong.len());
    assert!(wrong.is_empty(), "{} of {total}:\n{}", wrong.len(), wrong.join("\n"));
}
