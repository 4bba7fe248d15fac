//! Compares the OpenAPI export with what ytt printed for the same schemas, where no code has to run.
#![allow(clippy::print_stdout)] // a skipped test says so

use lofting_document::{Document, DocumentSet, FileId, Options, lower, write};
use lofting_schema::{Schema, Shape};
use lofting_syntax::resolve::Profile;
use std::path::{Path, PathBuf};

#[test]
fn exports_equal_those_of_ytt() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    let (mut same, mut needs_code, mut wrong) = (0, 0, Vec::new());
    for folder in ["ytt", "real"] {
        let mut cases = Vec::new();
        find_cases(&root.join(folder), &mut cases);
        cases.sort();
        for case in cases {
            match compare(&case) {
                None => needs_code += 1,
                Some(Ok(())) => same += 1,
                Some(Err(difference)) => wrong.push(difference),
            }
        }
    }
    if same + wrong.len() == 0 {
        println!("skipped: not present");
        return;
    }
    assert!(wrong.is_empty(), "{} differ, {same} equal, {needs_code} not compared:\n{}", wrong.len(), wrong.join("\n"));
    println!("{same} equal, {needs_code} not compared");
}

/// `None` if the case has no export, has flags or several libraries, or needs evaluation.
fn compare(case: &Path) -> Option<Result<(), String>> {
    let read = |name: &str| std::fs::read_to_string(case.join(name)).unwrap_or_default();
    let expected: serde_json::Value = serde_json::from_str(&read("expected.json")).ok()?;
    let given: serde_json::Value = serde_json::from_str(&read("case.json")).ok()?;
    let wanted = expected.get("openapi_yaml")?.as_str()?;
    if case.join("_ytt_lib").exists() || given.get("args").is_some_and(|args| args.to_string().contains("file-mark")) {
        return None;
    }
    let mut sets: Vec<DocumentSet> = Vec::new();
    for name in given.get("files")?.as_array()? {
        let mut files = Vec::new();
        yaml_files(&case.join(name.as_str()?), &mut files);
        files.sort();
        for file in files {
            let text = std::fs::read_to_string(&file).ok()?;
            let tree = lofting_syntax::parse(&text);
            let options = Options {
                implicit_map_key_overrides: given.to_string().contains("--implicit-map-key-overrides"),
                ..Options::default()
            };
            sets.push(lower(FileId(sets.len() as u32), &tree, Profile::Ytt, options));
        }
    }
    let documents: Vec<&Document> = sets
        .iter()
        .flat_map(|set| &set.documents)
        .filter(|document| document.is_schema() && !document.notes.has("library/ref"))
        .collect();
    let schema = lofting_dialect::ytt::read(&documents).schema;
    if needs_code(&schema) {
        return None;
    }
    let got = write::yaml_document(&lofting_schema::export::openapi(&schema));
    let equal = got.trim() == wanted.trim();
    Some(if equal { Ok(()) } else { Err(format!("{}\n{}", case.display(), first_difference(&got, wanted))) })
}

fn needs_code(schema: &Schema) -> bool {
    schema.nodes().any(|(_, node)| {
        let texts = [&node.docs.title, &node.docs.description];
        let computed_text = texts.iter().any(|text| text.as_ref().is_some_and(|text| text.text.is_empty()));
        let computed_example = node.docs.examples.iter().any(|example| !example.value.is_known());
        let computed_default = node.default.as_ref().is_some_and(|default| !default.value.is_known());
        let open = matches!(node.shape(), Shape::Map(map) if map.rest != lofting_schema::Rest::Closed);
        node.shape() == Shape::Unknown || computed_text || computed_example || computed_default || open
    })
}

fn first_difference(got: &str, wanted: &str) -> String {
    let lines = got.lines().chain(std::iter::repeat("")).zip(wanted.lines().chain(std::iter::repeat("")));
    let lines = lines.take(got.lines().count().max(wanted.lines().count())).enumerate();
    lines
        .filter(|(_, (got, wanted))| got != wanted)
        .take(1)
        .map(|(line, (got, wanted))| format!("  line {}: got {got:?}, ytt {wanted:?}", line + 1))
        .collect()
}

fn find_cases(folder: &Path, cases: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.join("case.json").exists() {
            cases.push(path);
        } else if path.is_dir() {
            find_cases(&path, cases);
        }
    }
}

fn yaml_files(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            yaml_files(&entry.path(), files);
        }
        return;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let yaml = name.ends_with(".yml") || name.ends_with(".yaml");
    if yaml && !name.ends_with(".lib.yml") && !name.ends_with(".lib.yaml") {
        files.push(path.to_owned());
    }
}
