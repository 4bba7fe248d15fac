//! The tools: one file each, and a line in [`ALL`].

mod check;
mod complete;
mod explain;
mod fix;
mod outline;

use std::sync::Arc;

use anyhow::Context;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Folder;
use super::folder::AskedText;

/// A tool.
pub(super) struct ToolOfOurs {
    name: &'static str,
    title: &'static str,
    /// What a model reads to choose it.
    description: &'static str,
    /// The form of its arguments.
    takes: fn() -> Schema,
    /// The form of its answer, if there is only one.
    gives: Option<fn() -> Schema>,
    /// It may write, where the user permits that.
    writes: bool,
    /// Answers; an error is a sentence for the model.
    pub(super) call: fn(&Folder, Value) -> anyhow::Result<Value>,
}

/// All tools.
pub(super) static ALL: [ToolOfOurs; 5] = [check::TOOL, explain::TOOL, complete::TOOL, outline::TOOL, fix::TOOL];

/// The tool of that name.
pub(super) fn named(name: &str) -> Option<&'static ToolOfOurs> {
    ALL.iter().find(|tool| tool.name == name)
}

impl ToolOfOurs {
    /// The tool as the protocol describes it.
    pub(super) fn described(&self) -> Tool {
        let hints = ToolAnnotations::with_title(self.title).read_only(!self.writes).destructive(self.writes);
        let tool = Tool::new(self.name, self.description, object((self.takes)())).with_annotations(hints);
        match self.gives {
            Some(gives) => tool.with_raw_output_schema(object(gives())),
            None => tool,
        }
    }
}

fn object(schema: Schema) -> Arc<JsonObject> {
    Arc::new(match schema.to_value() {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    })
}

/// The form of arguments.
fn takes<T: JsonSchema>() -> Schema {
    schemars::generate::SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}

/// Reads arguments.
fn read<T: DeserializeOwned>(arguments: Value) -> anyhow::Result<T> {
    serde_json::from_value(arguments).context("the arguments are wrong")
}

/// Writes an answer.
fn written(answer: impl serde::Serialize) -> anyhow::Result<Value> {
    Ok(serde_json::to_value(answer)?)
}

// The file that a tool is about. It is not documentation, which would become that of all arguments.
#[derive(Deserialize, JsonSchema)]
struct FileArguments {
    /// The file, relative to the folder of the server.
    file: String,
    /// A text to use instead of the one on disk.
    text: Option<String>,
    /// The version that the text must have, as an earlier answer named it.
    version: Option<String>,
}

impl FileArguments {
    fn asked(&self) -> AskedText<'_> {
        AskedText { file: &self.file, text: self.text.as_deref(), version: self.version.as_deref() }
    }
}
