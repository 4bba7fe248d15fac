//! Reading cases.

use serde_json::Value;
use std::path::{Path, PathBuf};

/// A case and what ytt said.
pub struct Case {
    /// Its folder below the root, with `/`.
    pub name: String,
    pub folder: PathBuf,
    /// How ytt was run.
    pub run: Value,
    /// What came of it.
    pub expected: Value,
}

impl Case {
    /// All cases below `root`, by name.
    pub fn all(root: &Path) -> Vec<Case> {
        let mut folders = vec![root.to_path_buf()];
        let mut cases = Vec::new();
        while let Some(folder) = folders.pop() {
            if folder.join("case.json").is_file() {
                cases.push(Case::read(root, folder));
                continue;
            }
            let entries = std::fs::read_dir(&folder).expect("a readable folder");
            folders.extend(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()));
        }
        cases.sort_by(|a, b| a.name.cmp(&b.name));
        cases
    }

    fn read(root: &Path, folder: PathBuf) -> Case {
        let json = |name: &str| {
            let text = std::fs::read_to_string(folder.join(name)).expect("a readable file");
            serde_json::from_str(&text).expect("JSON")
        };
        let name = folder.strip_prefix(root).expect("below the root").to_string_lossy().replace('\\', "/");
        Case { name, run: json("case.json"), expected: json("expected.json"), folder }
    }

    /// The words of ytt's command line that say what the input is.
    pub fn input(&self) -> Vec<String> {
        let mut words = Vec::new();
        for file in strings(&self.run["files"]) {
            words.extend(["-f".to_string(), file]);
        }
        words.extend(strings(&self.run["args"]));
        words
    }

    /// Environment variables.
    pub fn environment(&self) -> Vec<(String, String)> {
        let pairs = self.run["env"].as_object().into_iter().flatten();
        pairs.map(|(name, value)| (name.clone(), value.as_str().unwrap_or_default().to_string())).collect()
    }

    /// Whether templates were rendered as well.
    pub fn renders(&self) -> bool {
        self.run["render"] == Value::Bool(true)
    }

    /// Whether a file has a schema in the words of ytt's design proposals.
    pub fn has_proposed_schema(&self) -> bool {
        strings(&self.run["files"]).iter().any(|file| self.is_proposed_schema(file))
    }

    /// Whether one file has a schema of a proposal.
    pub fn is_proposed_schema(&self, file: &str) -> bool {
        let heads = ["#@schema", "#@schema/match", "#@schema/definition", "#@schema/amend"];
        let text = std::fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        text.lines().any(|line| heads.contains(&line.split(' ').next().unwrap_or_default()))
    }

    pub fn ok(&self) -> bool {
        self.expected["ok"] == Value::Bool(true)
    }

    /// Where ytt stopped.
    pub fn stage(&self) -> &str {
        self.expected["stage"].as_str().unwrap_or_default()
    }

    pub fn category(&self) -> &str {
        self.run["category"].as_str().or_else(|| self.name.split('/').next()).unwrap_or_default()
    }
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|word| word.as_str().map(str::to_string)).collect()
}
