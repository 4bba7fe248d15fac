//! `fix`

use anyhow::{Context, bail};
use lofting::{Certainty, FixAnswer, FixChoice, PositionEncoding};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{FileArguments, Folder, ToolOfOurs, read, takes, written};
use crate::forms;
use crate::rewrite::{Links, rewrite};

pub(super) const TOOL: ToolOfOurs = ToolOfOurs {
    name: "fix",
    title: "Fix a YAML file",
    description: "Applies all certain fixes to a YAML file, again and again as long as they help, and gives the edits. \
                  Nothing is written unless `write` is true and the server was started with --write.",
    takes: takes::<Arguments>,
    gives: Some(forms::fix),
    writes: true,
    call,
};

#[derive(Deserialize, JsonSchema)]
struct Arguments {
    #[serde(flatten)]
    file: FileArguments,
    /// Also fixes that are most likely meant, but not certain.
    #[serde(default)]
    likely: bool,
    /// Only findings of these rules.
    #[serde(default)]
    only: Vec<String>,
    /// Write the file. The server has to be started with --write.
    #[serde(default)]
    write: bool,
}

fn call(folder: &Folder, arguments: Value) -> anyhow::Result<Value> {
    let Arguments { file, likely, only, write } = read(arguments)?;
    if write && !folder.writes {
        bail!("nothing is written: the server was started without --write");
    }
    if write && file.text.is_some() {
        bail!("nothing is written: `text` is not the text on disk");
    }
    let snapshot = folder.snapshot(&file.asked())?;
    let certainty = if likely { Certainty::Likely } else { Certainty::Sure };
    let fixed = snapshot.fix(&FixChoice { certainty, only });
    if let Some(fixed) = fixed.as_ref().filter(|_| write) {
        let path = folder.path_of(&file.file);
        rewrite(&path, Links::Refused, &fixed.before, &fixed.after).with_context(|| file.file.clone())?;
    }
    written(FixAnswer {
        form: lofting::VERSION,
        position_encoding: PositionEncoding::default(),
        written: write && fixed.is_some(),
        files: fixed.into_iter().collect(),
        not_written: Vec::new(),
    })
}
