//! Reports, read by programs of others: SARIF by its published schema, reviewdog's format by a validator, JUnit and
//! Checkstyle by readers. Of GitLab's format no schema is published; tests of the program hold it against its description.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use super::python::{environment, pip, program};
use super::{Bench, Outcome};
use crate::shell;

/// The packages of npm: a validator, and one that contains the schema of SARIF.
const FROM_NPM: [&str; 2] = ["@umbrelladocs/rdformat-validator@1", "@microsoft/jest-sarif@1.0.0-beta.0"];
const SARIF_SCHEMA: &str = "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json";

/// Arguments: the schema, then reports in SARIF, JUnit, Checkstyle and JSON.
const VALIDATE: &str = r#"
import json, sys
import xml.etree.ElementTree as xml
import jsonschema, junitparser

schema, sarif, junit, checkstyle, own = sys.argv[1:]
read = lambda path: json.load(open(path, encoding="utf-8"))
rules = read(schema)
wrong = [error.message for error in jsonschema.validators.validator_for(rules)(rules).iter_errors(read(sarif))]
if wrong:
    sys.exit("SARIF: " + "; ".join(wrong))
run = read(sarif)["runs"][0]
names = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
# The schema cannot say it.
if any(names[result["ruleIndex"]] != result["ruleId"] for result in run["results"]):
    sys.exit("SARIF: a result refers to another rule")
findings = read(own)["diagnostics"]
if len(run["results"]) != len(findings):
    sys.exit("SARIF: not all findings")
errors = sum(finding["severity"] == "error" for finding in findings)
cases = [case for suite in junitparser.JUnitXml.fromfile(junit) for case in suite]
failed = sum(isinstance(result, junitparser.Failure) for case in cases for result in case.result)
if failed != errors:
    sys.exit(f"JUnit: {failed} failures, and {errors} errors")
found = len(xml.parse(checkstyle).findall("file/error"))
shown = sum(finding["severity"] != "hint" for finding in findings)
if found not in (shown, len(findings)):
    sys.exit(f"Checkstyle: {found} of {len(findings)} findings")
"#;

/// Checks an example with all formats at once, and has each read.
pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    let folder = bench.folder("reports")?;
    let mut fetch =
        shell::program("npm", &["install", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts"], ".");
    if let Err(why) = shell::quiet(fetch.args(FROM_NPM).arg("--prefix").arg(&folder)) {
        return Ok(Outcome::without("the validators", &why));
    }
    let home = environment(&folder)?;
    if let Err(why) = shell::quiet(pip(&home).args(["install", "--quiet", "jsonschema", "junitparser"])) {
        return Ok(Outcome::without("the validators", &why));
    }
    let example = folder.join("webshop");
    shell::copy(&shell::root().join("examples/webshop"), &example)?;
    let mut check = Command::new(&bench.program);
    check.args(["check", "--quiet", "--format", "json"]).current_dir(&example);
    for output in ["sarif=../sarif.json", "junit=../junit.xml", "checkstyle=../checkstyle.xml", "rdjson=../rd.json"] {
        check.args(["--output", output]);
    }
    let said = check.output().context("lofting check")?;
    if said.status.code() != Some(1) {
        bail!("{}: {}", said.status, String::from_utf8_lossy(&said.stderr));
    }
    fs::write(folder.join("own.json"), &said.stdout)?;
    let validate = |sarif: &str| {
        let mut python = Command::new(program(&home, "python"));
        python.args(["-c", VALIDATE, SARIF_SCHEMA, sarif, "junit.xml", "checkstyle.xml", "own.json"]);
        shell::quiet(python.current_dir(&folder))
    };
    let validator = folder.join("node_modules/.bin/rdformat-validator");
    let validate_rdjson = |file: &str| {
        let mut validator = Command::new(&validator);
        shell::quiet(validator.args(["--strict", "--no-extra-fields", file]).current_dir(&folder))
    };
    validate("sarif.json")?;
    validate_rdjson("rd.json")?;
    // They can fail.
    replaced(&folder, "sarif.json", "\"level\":\"error\"", "\"level\":\"mistake\"")?;
    replaced(&folder, "rd.json", "\"severity\":\"ERROR\"", "\"severity\":\"MISTAKE\"")?;
    if validate("wrong-sarif.json").is_ok() || validate_rdjson("wrong-rd.json").is_ok() {
        bail!("a validator accepts anything");
    }
    Ok(Outcome::Done)
}

/// Writes a report with a mistake.
fn replaced(folder: &Path, name: &str, right: &str, wrong: &str) -> anyhow::Result<()> {
    let text = fs::read_to_string(folder.join(name)).with_context(|| name.to_owned())?;
    if !text.contains(right) {
        bail!("{name} has no {right}");
    }
    Ok(fs::write(folder.join(format!("wrong-{name}")), text.replacen(right, wrong, 1))?)
}
