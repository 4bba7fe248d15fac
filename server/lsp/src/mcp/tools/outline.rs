//! `outline`

use lofting::OutlineChoice;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{FileArguments, Folder, ToolOfOurs, read, takes, written};
use crate::forms;

pub(super) const TOOL: ToolOfOurs = ToolOfOurs {
    name: "outline",
    title: "Outline a schema",
    description: "Prints the schema that a YAML file contains, or that governs it, in a few lines: keys with types, bounds, \
                  defaults and short descriptions. It has never more tokens than the budget; `below` begins further down.",
    takes: takes::<Arguments>,
    gives: Some(forms::outline),
    writes: false,
    call,
};

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    #[serde(flatten)]
    file: FileArguments,
    /// The path of the value to begin with, such as `spec.template` or `ports[]`.
    #[serde(default)]
    below: String,
    /// The maximum number of levels of keys; all if it is left out.
    depth: Option<usize>,
    /// The maximum number of tokens; 1,000 if it is left out.
    budget: Option<usize>,
    /// The number of the document, from 0; the first one with a schema if it is left out.
    document: Option<usize>,
}

fn call(folder: &Folder, arguments: Value) -> anyhow::Result<Value> {
    let Arguments { file, below, depth, budget, document } = read(arguments)?;
    let snapshot = folder.snapshot(&file.asked())?;
    let answer = snapshot.outline(&OutlineChoice { below, depth, budget, document });
    written(answer?)
}
