//! The SBOM, validated by the library of CycloneDX.

use std::process::Command;

use anyhow::anyhow;

use super::python::{environment, program};
use super::{Bench, Outcome};
use crate::shell;

const VALIDATE: &str = "
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
wrong = JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read())
sys.exit(str(wrong) if wrong else 0)
";

pub fn test(bench: &Bench) -> anyhow::Result<Outcome> {
    let home = environment(&bench.folder("sbom")?)?;
    let mut install = Command::new(program(&home, "pip"));
    if let Err(why) = shell::quiet(install.args(["install", "--quiet", "cyclonedx-python-lib[json-validation]"])) {
        return Ok(Outcome::without("the validator", &why));
    }
    let document = bench.packages.join(format!("lofting-{}.cdx.json", bench.target.triple));
    shell::quiet(Command::new(program(&home, "python")).args(["-c", VALIDATE]).arg(&document))?;
    // It can fail.
    let broken = bench.work.join("broken.cdx.json");
    let text = std::fs::read_to_string(&document)?;
    std::fs::write(&broken, text.replace("\"SHA-256\"", "\"SHA-257\""))?;
    match shell::quiet(Command::new(program(&home, "python")).args(["-c", VALIDATE]).arg(&broken)) {
        Ok(_) => Err(anyhow!("the validator accepts anything")),
        Err(_) => Ok(Outcome::Done),
    }
}
