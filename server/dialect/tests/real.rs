//! Documents of public repositories, which all are valid for the programs that read them, so none may have a problem
//! here.

#![allow(clippy::print_stdout)] // a skipped test says so

use lofting_dialect::inside::{Own, OwnSchema};
use lofting_dialect::openchoreo::OpenChoreo;
use lofting_dialect::{Dialect, DocumentsView, ReadsSchemas, ReadsTexts, Recognises, Role, SchemaPart};
use lofting_document::{Document, DocumentSet, FileId, Issue, Options, lower};
use lofting_overlay::NoFunctions;
use lofting_syntax::resolve::Profile;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[test]
fn real_schemas_have_no_problems() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/real");
    let Ok(cases) = std::fs::read_dir(&folder) else {
        println!("skipped: not present");
        return;
    };
    let mut cases: Vec<PathBuf> = cases.flatten().map(|case| case.path()).filter(|path| path.is_dir()).collect();
    cases.sort();
    let mut wrong = Vec::new();
    for case in &cases {
        wrong.extend(problems(case));
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// Templates from OpenChoreo's own samples.
#[test]
fn real_expressions_fit_their_schemas() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance/openchoreo-real");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    if files.is_empty() {
        println!("skipped: not present");
        return;
    }
    let mut wrong = Vec::new();
    for path in files {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let tree = lofting_syntax::parse(&text);
        let documents = lower(FileId(0), &tree, OpenChoreo.profile(), Options::default());
        let view = DocumentsView { tree: &tree, documents: &documents };
        let claims = OpenChoreo.claims(&view);
        let mut schemas = Vec::new();
        for (number, claim) in claims.iter().enumerate().filter(|(_, claim)| matches!(claim.role, Role::Schema(_))) {
            let document = documents.documents.get(claim.document).expect("a claimed document");
            let part = SchemaPart { document, claim: Some(claim), tree: Some(&tree) };
            schemas.push((number, Arc::new(OpenChoreo.read(&[part], &NoFunctions).schema)));
        }
        let schemas: Vec<_> = schemas.iter().map(|(number, schema)| (*number, schema as &dyn OwnSchema)).collect();
        for found in OpenChoreo.findings(
            &view,
            &Own { claims: &claims, schemas: &schemas },
            &mut lofting_dialect::Earlier::default(),
        ) {
            let line = text[..found.span.range().start].matches('\n').count() + 1;
            wrong.push(format!("{}:{line}: {}", path.display(), found.message));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn problems(case: &Path) -> Vec<String> {
    let mut files = Vec::new();
    collect(case, &mut files);
    files.sort();
    let flag = |name: &str| std::fs::read_to_string(case.join("case.json")).is_ok_and(|text| text.contains(name));
    let options = Options {
        ignore_unknown_comments: flag("--ignore-unknown-comments"),
        implicit_map_key_overrides: flag("--implicit-map-key-overrides"),
        ..Options::default()
    };
    let mut out = Vec::new();
    let mut sets: Vec<DocumentSet> = Vec::new();
    for (index, path) in files.iter().enumerate() {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let tree = lofting_syntax::parse(&text);
        let set = lower(FileId(index as u32), &tree, Profile::Ytt, options);
        let name = path.strip_prefix(case).unwrap_or(path).display();
        let mut say = |at: usize, what: String| {
            let line = 1 + text[..at].matches('\n').count();
            out.push(format!("{}/{name}:{line}: {what}", case.file_name().unwrap_or_default().to_string_lossy()));
        };
        for error in tree.errors() {
            say(error.range.start, error.message);
        }
        for issue in &set.issues {
            if !matches!(issue, Issue::RepeatedKey { .. }) {
                say(issue.span().range().start, format!("{issue:?}"));
            }
        }
        sets.push(set);
    }
    let documents: Vec<&Document> =
        sets.iter().flat_map(|set| &set.documents).filter(|document| document.is_schema()).collect();
    let read = lofting_dialect::ytt::read(&documents);
    for problem in &read.problems {
        out.push(format!("{}: {problem:?}", case.display()));
    }
    out
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
            files.push(path);
        }
    }
}
