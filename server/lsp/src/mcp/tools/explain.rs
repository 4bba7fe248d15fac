//! `explain`

use anyhow::bail;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{FileArguments, Folder, ToolOfOurs, read, takes, written};

pub(super) const TOOL: ToolOfOurs = ToolOfOurs {
    name: "explain",
    title: "Explain a value",
    description: "Says what is known about a value in a YAML file, by its path or by line and column: type, description, \
                  default, bounds, what is written, and for ytt the final value and where it comes from. The value need \
                  not be written. Without a place: which schema governs the file, and why.",
    takes: takes::<Arguments>,
    gives: None,
    writes: false,
    call,
};

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    #[serde(flatten)]
    file: FileArguments,
    /// The path of a value, such as `service.ports[0].port`.
    path: Option<String>,
    /// The number of the document for `path`, from 0; by default the first one that has it or may have it.
    document: Option<usize>,
    /// The line, from 1; with `column`.
    line: Option<u32>,
    /// The column in characters, from 1; with `line`.
    column: Option<u32>,
}

fn call(folder: &Folder, arguments: Value) -> anyhow::Result<Value> {
    let arguments: Arguments = read(arguments)?;
    let snapshot = folder.snapshot(&arguments.file.asked())?;
    let answer = match (&arguments.path, arguments.line, arguments.column) {
        (Some(path), None, None) => snapshot.explain_path(path, arguments.document),
        (None, Some(line), Some(column)) => snapshot.explain_at(line, column),
        (None, None, None) => return written(snapshot.explain()),
        _ => bail!("name either a path, or a line and a column"),
    };
    written(answer?)
}
