//! Where much is wrong, no error is lost: the exit code is that of all findings, whatever is shown of them.

use crate::command_line::{lofting, workspace};

const RULES: &str = "#@ def ok(v): return v < 10 or fail(\"x\")\n#@data/values-schema\n---\n\
    #@schema/validation (\"small\", ok)\nz: 0\nl:\n#@schema/validation (\"small\", ok)\n- 0\n";

/// Folders with one error beside more findings than are shown, which are milder, or which comments suppress.
fn crowds() -> Vec<Vec<(&'static str, String)>> {
    let of_schema = |text: &str| format!("# yaml-language-server: $schema=s.json\n{text}");
    let schema = r#"{"properties": {"old": {"items": {"deprecated": true}}, "z": {"type": "integer"}}}"#;
    let milder = format!("old:\n{}z: x\n", "- 1\n".repeat(1_500));
    let suppressed = "- 50 #! lofting: ignore ytt/validation\n".repeat(1_500);
    vec![
        vec![("s.json", schema.to_owned()), ("a.yaml", of_schema(&milder))],
        vec![
            ("schema.yml", RULES.to_owned()),
            ("v.yml", format!("#@data/values\n#! lofting: ignore-file ytt/validation\n---\nl:\n{suppressed}")),
            ("w.yml", "#@data/values\n---\nz: 50\n".to_owned()),
        ],
        vec![
            ("schema.yml", RULES.to_owned()),
            ("v.yml", format!("#@data/values\n---\nl:\n{suppressed}- 60\n{suppressed}")),
        ],
    ]
}

#[test]
fn one_error_in_a_crowd_decides_the_exit_code() {
    for files in crowds() {
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let folder = workspace(&files);
        for arguments in [&["check"][..], &["check", "--max-findings", "1"], &["check", "--format", "json"]] {
            let output = lofting(folder.path(), arguments);
            assert_eq!(output.status.code(), Some(1), "{arguments:?} {:.200}", files[files.len() - 1].1);
        }
    }
}
