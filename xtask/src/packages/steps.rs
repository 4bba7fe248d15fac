//! Runs the steps of a workflow: `run:` as GitHub's runner does, and `uses:` where it names this repository's action.
//! Third-party actions are left out.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anyhow::{Context, anyhow};
use serde_json::Value;

use crate::shell;

/// This repository's action, as workflows of other repositories name it.
const OUR_ACTION: &str = "lofting-yaml/lofting@";

/// A runner: where it works, and what expressions and commands see.
pub struct Runner {
    pub lofting: PathBuf,
    pub folder: PathBuf,
    pub temp: PathBuf,
    /// The environment of commands.
    pub env: BTreeMap<String, String>,
    /// What `${{ … }}` may name, such as `matrix.target`.
    pub values: BTreeMap<String, String>,
    /// Actions that were left out.
    pub left_out: Vec<String>,
    path: Vec<String>,
}

impl Runner {
    pub fn new(lofting: &Path, folder: &Path, temp: &Path) -> anyhow::Result<Runner> {
        fs::create_dir_all(temp).with_context(|| temp.display().to_string())?;
        Ok(Runner {
            lofting: lofting.to_owned(),
            folder: folder.to_owned(),
            temp: temp.to_owned(),
            env: BTreeMap::new(),
            values: BTreeMap::new(),
            left_out: Vec::new(),
            path: Vec::new(),
        })
    }

    /// Puts a folder with programs before all others.
    pub fn prefer(&mut self, programs: &Path) {
        self.path.push(programs.display().to_string());
    }

    /// Runs the steps; returns what the last command said, or the first that failed with its output.
    pub fn steps(&mut self, steps: &Value) -> Result<Output, Failed> {
        let mut last = None;
        for step in steps.as_array().context("there are no steps")? {
            if !self.applies(step)? {
                continue;
            }
            if let Some(action) = step["uses"].as_str() {
                if action.starts_with(OUR_ACTION) {
                    last = Some(self.our_action(step)?);
                } else {
                    self.left_out.push(action.to_owned());
                }
                continue;
            }
            let script = step["run"].as_str().with_context(|| format!("a step runs nothing: {step}"))?;
            let mut env = Vec::new();
            for (name, value) in step["env"].as_object().into_iter().flatten() {
                env.push((name.clone(), self.filled(value.as_str().unwrap_or_default())?));
            }
            let script = self.filled(script)?;
            last = Some(self.bash(&script, &env)?);
        }
        Ok(last.context("no step ran a command")?)
    }

    fn applies(&self, step: &Value) -> Result<bool, Failed> {
        match step["if"].as_str() {
            None | Some("always()") => Ok(true),
            Some(name) => Ok(!self.filled(&format!("${{{{ {name} }}}}"))?.is_empty()),
        }
    }

    fn our_action(&mut self, step: &Value) -> Result<Output, Failed> {
        let action = yaml(&self.lofting, &shell::root().join("action.yml"))?;
        for (name, input) in action["inputs"].as_object().into_iter().flatten() {
            let given = step["with"][name].as_str().or(input["default"].as_str()).unwrap_or_default();
            self.values.insert(format!("inputs.{name}"), given.to_owned());
        }
        for (name, _) in step["with"].as_object().into_iter().flatten() {
            if action["inputs"].get(name).is_none() {
                return Err(anyhow!("the action has no input `{name}`").into());
            }
        }
        self.steps(&action["runs"]["steps"])
    }

    /// A text with its expressions replaced. One that is not known is an error, as it is empty in a real run.
    fn filled(&self, text: &str) -> Result<String, Failed> {
        let mut parts = text.split("${{");
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
            let known = self.values.get(name.trim());
            filled += known.with_context(|| format!("nothing is known of `{}`", name.trim()))?;
            filled += rest;
        }
        Ok(filled)
    }

    /// Runs a script, with the files through which steps talk to the runner.
    fn bash(&mut self, script: &str, env: &[(String, String)]) -> Result<Output, Failed> {
        let added = self.temp.join("path");
        fs::write(&added, "").with_context(|| added.display().to_string())?;
        let mut path = self.path.clone();
        path.reverse();
        path.extend(std::env::var("PATH"));
        let output = Command::new("bash")
            .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
            .current_dir(&self.folder)
            .env("PATH", path.join(":"))
            .env("GITHUB_PATH", &added)
            .env("RUNNER_TEMP", &self.temp)
            .envs(&self.env)
            .envs(env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .output()
            .context("bash")?;
        let lines = fs::read_to_string(&added).unwrap_or_default();
        self.path.extend(lines.lines().map(str::to_owned));
        if output.status.success() { Ok(output) } else { Err(Failed::Script { script: script.to_owned(), output }) }
    }
}

/// Why steps came to no end.
#[derive(Debug)]
pub enum Failed {
    /// The script of a step did.
    Script { script: String, output: Output },
    /// The steps could not be run.
    Steps(anyhow::Error),
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Steps(error) => write!(f, "{error:#}"),
            Failed::Script { script, output } => {
                let [said, wrong] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
                write!(f, "{script}\n{said}{wrong}")
            }
        }
    }
}

impl std::error::Error for Failed {}

impl From<anyhow::Error> for Failed {
    fn from(error: anyhow::Error) -> Failed {
        Failed::Steps(error)
    }
}

impl Failed {
    /// Exit code and standard output of the command that failed.
    pub fn said(&self) -> (Option<i32>, String) {
        match self {
            Failed::Steps(_) => (None, self.to_string()),
            Failed::Script { output, .. } => {
                (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
            }
        }
    }
}

/// A YAML file as JSON; the program itself reads it.
pub fn yaml(lofting: &Path, file: &Path) -> anyhow::Result<Value> {
    let mut command = Command::new(lofting);
    command.args(["render", "-o", "json", "--ignore-unknown-comments", "-f"]).arg(file);
    serde_json::from_str(&shell::quiet(&mut command)?).with_context(|| file.display().to_string())
}
