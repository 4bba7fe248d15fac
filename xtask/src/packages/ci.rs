//! The examples for CI systems: their steps run here, with the packages of this build.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, anyhow, bail};
use serde_json::Value;

use super::steps::{Runner, yaml};
use super::{Bench, Outcome};
use crate::shell;

/// The job of the example with this repository's action: annotations, a SARIF report, and a failed job.
pub fn github(bench: &Bench) -> anyhow::Result<Outcome> {
    if cfg!(windows) {
        return Ok(Outcome::Skipped("steps are run as on Unix".to_owned()));
    }
    let project = bench.example("github", "github/project")?;
    let workflow = yaml(&bench.program, &project.join(".github/workflows/lofting.yml"))?;
    let mut runner = Runner::new(&bench.program, &project, &bench.work.join("github/temp"))?;
    runner.env.extend(python_settings(bench));
    let Err(failed) = runner.steps(&workflow["jobs"]["lofting"]["steps"]) else {
        bail!("the job passes in spite of the mistake");
    };
    let (code, said) = failed.said();
    if code != Some(1) || !said.contains("::error file=service.yaml,line=3,") {
        bail!("exit code {code:?}:\n{failed}");
    }
    let report = read_json(&project.join("lofting.sarif"))?;
    if report["runs"][0]["results"].as_array().map(Vec::len) != Some(1) {
        bail!("the SARIF report: {report}");
    }
    if runner.left_out != ["actions/checkout@v5"] {
        bail!("other actions: {:?}", runner.left_out);
    }
    Ok(Outcome::Done)
}

/// The script of the template that the example includes: a Code Quality report and a failed job.
pub fn gitlab(bench: &Bench) -> anyhow::Result<Outcome> {
    if cfg!(windows) {
        return Ok(Outcome::Skipped("scripts are run as on Unix".to_owned()));
    }
    let project = bench.example("gitlab", "gitlab/project")?;
    let pipeline = yaml(&bench.program, &project.join(".gitlab-ci.yml"))?;
    let included = pipeline["include"][0]["remote"].as_str().unwrap_or_default();
    let (_, file) = included.split_once("/packaging/").with_context(|| format!("the example includes `{included}`"))?;
    let template = yaml(&bench.program, &shell::root().join("packaging").join(file))?;
    if pipeline["lofting"].is_null() {
        bail!("the example changes a job that the template does not have");
    }
    let job = &template["lofting"];
    let lines = job["script"].as_array().context("the template has no script")?;
    let script: Vec<&str> = lines.iter().filter_map(Value::as_str).collect();
    let variables = job["variables"].as_object().into_iter().flatten();
    let output = Command::new("sh")
        .args(["-e", "-c", &script.join("\n")])
        .current_dir(&project)
        .envs(variables.filter_map(|(name, value)| Some((name, value.as_str()?))))
        .envs(python_settings(bench))
        .stdin(Stdio::null())
        .output()
        .context("sh")?;
    let report = job["artifacts"]["reports"]["codequality"].as_str().context("the template names no report")?;
    let found = read_json(&project.join(report))?;
    let place = &found[0]["location"];
    if output.status.code() == Some(1) && place["path"] == "service.yaml" && found.as_array().map(Vec::len) == Some(1) {
        return Ok(Outcome::Done);
    }
    Err(anyhow!("{}\n{found}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

/// The environment in which `pip` knows only the index on this machine.
fn python_settings(bench: &Bench) -> [(String, String); 2] {
    [("PIP_INDEX_URL".to_owned(), bench.registry.pip()), ("PIP_CONFIG_FILE".to_owned(), "/dev/null".to_owned())]
}

fn read_json(path: &Path) -> anyhow::Result<Value> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}
