//! Input sets of public repositories with what ytt printed for them.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// How many sets are rendered as ytt renders them, and the others with what is wrong.
pub fn judge_all(program: &Path, root: &Path) -> (usize, Vec<String>) {
    let mut passed = 0;
    let mut wrong = Vec::new();
    for repository in std::fs::read_dir(root).expect("a readable folder").flatten().map(|entry| entry.path()) {
        let Ok(text) = std::fs::read_to_string(repository.join("sets.json")) else { continue };
        let sets: Value = serde_json::from_str(&text).expect("JSON");
        for set in sets.as_array().into_iter().flatten() {
            match judge(program, &repository, set) {
                Ok(()) => passed += 1,
                Err(why) => wrong.push(format!("{}/{}: {why}", repository.display(), set["name"])),
            }
        }
    }
    (passed, wrong)
}

fn judge(program: &Path, repository: &Path, set: &Value) -> Result<(), String> {
    let words = set["args"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let output = Command::new(program)
        .arg("render")
        .args(words)
        .current_dir(repository.join("files"))
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if set["ok"] != Value::Bool(true) {
        let said = !output.stdout.is_empty() || !output.stderr.is_empty();
        return match output.status.code() {
            Some(1 | 2) if said => Ok(()),
            code => Err(format!("ytt refuses it, and the exit code is {code:?}")),
        };
    }
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned());
    }
    let lines = output.stdout.iter().filter(|byte| **byte == b'\n').count();
    let known = set["output_lines"].as_u64().is_none_or(|known| known == lines as u64);
    let name = set["name"].as_str().unwrap_or_default();
    match std::fs::read(repository.join("expected").join(format!("{name}.yml"))) {
        Ok(expected) if expected != output.stdout => Err("the output differs".to_owned()),
        // Large outputs are packed: their lines are counted.
        Err(_) if !known => Err("the output has a different number of lines".to_owned()),
        _ => Ok(()),
    }
}
