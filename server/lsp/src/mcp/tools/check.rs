//! `check`

use anyhow::bail;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Folder, ToolOfOurs, read, takes};
use crate::forms;
use crate::report::{Findings, Format};

pub(super) const TOOL: ToolOfOurs = ToolOfOurs {
    name: "check",
    title: "Check YAML files",
    description: "Finds mistakes in YAML files: syntax, keys and values that a schema does not allow, and more. Each \
                  finding has its place, a sentence, and edits that fix it with their certainty.",
    takes: takes::<Arguments>,
    gives: Some(forms::check),
    writes: false,
    call,
};

/// Findings beyond this number are only counted.
const MOST: usize = 100;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Files and directories, relative to the folder of the server; everything if there are none.
    #[serde(default)]
    paths: Vec<String>,
    /// With one path: a text to use instead of that file's.
    text: Option<String>,
    /// The maximum number of findings; 100 if it is left out.
    most: Option<usize>,
}

fn call(folder: &Folder, arguments: Value) -> anyhow::Result<Value> {
    let Arguments { paths, text, most } = read(arguments)?;
    let unsaved = match (&text, paths.as_slice()) {
        (None, _) => None,
        (Some(text), [path]) => Some((path.as_str(), text.as_str())),
        (Some(_), _) => bail!("`text` is the text of one file: name one path"),
    };
    let report = folder.check(&paths, unsaved)?;
    let findings = Findings::of(&report, most.unwrap_or(MOST), report.unchecked.is_empty(), false);
    Ok(serde_json::from_str(&Format::Json.render(&findings, false))?)
}
