//! `complete`

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{FileArguments, Folder, ToolOfOurs, read, takes, written};
use crate::forms;

pub(super) const TOOL: ToolOfOurs = ToolOfOurs {
    name: "complete",
    title: "List what can be written",
    description: "Lists what can be inserted at a place of a YAML file: keys that are missing, allowed values, annotations; \
                  with the edits that insert them.",
    takes: takes::<Arguments>,
    gives: Some(forms::complete),
    writes: false,
    call,
};

/// Items beyond this number are only counted.
const MOST: usize = 50;

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    #[serde(flatten)]
    file: FileArguments,
    /// The line, from 1.
    line: u32,
    /// The column in characters, from 1.
    column: u32,
    /// The maximum number of items; 50 if it is left out.
    most: Option<usize>,
}

fn call(folder: &Folder, arguments: Value) -> anyhow::Result<Value> {
    let arguments: Arguments = read(arguments)?;
    let snapshot = folder.snapshot(&arguments.file.asked())?;
    let answer = snapshot.complete(arguments.line, arguments.column, arguments.most.unwrap_or(MOST));
    written(answer?)
}
