//! The public YAML test suite: valid inputs give the expected events and no error, the others at least one error. It is
//! expected beside the repository, or where `YAML_TEST_SUITE` points to.

use lofting_syntax::{events::events, parse};
use std::path::PathBuf;

fn trimmed(text: &str) -> Vec<String> {
    text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

#[test]
fn whole_suite() {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/conformance/yaml-test-suite");
    let suite = std::env::var_os("YAML_TEST_SUITE").map_or(PathBuf::from(beside), PathBuf::from);
    let Ok(folder) = std::fs::read_dir(&suite) else {
        eprintln!("skipped: not present");
        return;
    };
    let mut cases: Vec<PathBuf> = folder.flatten().map(|entry| entry.path()).collect();
    cases.sort();
    let (mut valid, mut refused, mut failures) = (0, 0, Vec::new());
    for case in cases {
        let Ok(text) = std::fs::read_to_string(case.join("in.yaml")) else { continue };
        let name = case.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let tree = parse(&text);
        assert_eq!(tree.to_text(), text, "{name} is not lossless");
        let errors = tree.errors();
        if case.join("error").exists() {
            refused += 1;
            // Texts that libraries accept although YAML forbids them are known as such.
            if errors.is_empty() && !tree.is_loose() {
                failures.push(format!("{name}: accepted\n{text}\n"));
            }
            continue;
        }
        valid += 1;
        let expected = std::fs::read_to_string(case.join("test.event")).unwrap_or_default();
        let found = events(&tree);
        let found: Vec<String> = found.iter().map(|line| line.trim().to_owned()).collect();
        if !errors.is_empty() || found != trimmed(&expected) {
            let expected = trimmed(&expected).join("\n");
            let found = found.join("\n");
            failures
                .push(format!("{name}: {errors:#?}\n--- text\n{text}\n--- expected\n{expected}\n--- found\n{found}\n"));
        }
    }
    let failed = failures.len();
    assert!(failures.is_empty(), "{failed} of {valid} valid and {refused} refused inputs:\n{}", failures.join("\n"));
    eprintln!("{valid} valid, {refused} refused");
}
