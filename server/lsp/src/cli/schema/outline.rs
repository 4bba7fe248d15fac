//! `lofting schema --outline`: a schema in a few lines.

use std::process::ExitCode;

use clap::Args;
use lofting::{Outline, OutlineChoice};
use lofting_document::Key;
use lofting_schema::Step;
use lofting_schema::export::{self, OutlineLimits};

use super::super::asked::{AnswerFormat, AskedArguments, no_answer, print};
use super::{Arguments, SchemaFormat, sound_outcome};
use crate::terminal;

// Arguments of `lofting schema --outline`.
#[derive(Args)]
pub(crate) struct OutlineArguments {
    /// Print the schema in a few lines: keys with types, bounds, defaults and short descriptions, those near the root
    /// first. What is left out is counted.
    #[arg(long, conflicts_with_all = ["to", "from_values", "language", "at"])]
    pub(super) outline: bool,
    /// With --outline: the maximum number of levels of keys.
    #[arg(long, value_name = "N", requires = "outline")]
    depth: Option<usize>,
    /// With --outline: the maximum number of tokens.
    #[arg(long, value_name = "TOKENS", requires = "outline", default_value_t = 1_000)]
    budget: usize,
    /// With --outline: begin with the value at this path, `spec.template` or `ports[]`.
    #[arg(long, value_name = "PATH", requires = "outline")]
    below: Option<String>,
    #[command(flatten, next_help_heading = "With --outline")]
    asked: AskedArguments,
}

/// Prints the outline.
pub(super) fn run(arguments: &Arguments) -> ExitCode {
    let format = match arguments.format {
        None => AnswerFormat::Text,
        Some(SchemaFormat::Json) => AnswerFormat::Json,
        Some(_) => return super::super::could_not_run("--outline: the format is `json`, or lines if none is given"),
    };
    let OutlineArguments { depth, budget, below, asked, .. } = &arguments.outline;
    let below = below.clone().unwrap_or_default();
    let Some(file) = &arguments.path else { return of_inputs(arguments, format, &below) };
    let choice = OutlineChoice { below, depth: *depth, budget: Some(*budget), document: arguments.document };
    match asked.snapshot(file, &arguments.inputs.evaluation).and_then(|file| file.outline(&choice)) {
        Ok(answer) => print(&answer, format, |answer: &Outline| answer.outline.clone()),
        Err(problem) => no_answer(&problem),
    }
}

/// The outline of the schema of ytt's inputs.
fn of_inputs(arguments: &Arguments, format: AnswerFormat, below: &str) -> ExitCode {
    let outcome = match sound_outcome(&arguments.inputs) {
        Ok(outcome) => outcome,
        Err(code) => return code,
    };
    let Some(state) = &outcome.schema else {
        return super::super::could_not_run("there is no schema among the inputs");
    };
    if format == AnswerFormat::Json {
        return super::super::could_not_run(
            "--outline --format json: name the file with the schema, without ytt's flags",
        );
    }
    let step = |part: &str| match part {
        "[]" => Step::Item,
        key => Step::Key(Key::from(key)),
    };
    let below = below.replace("[]", ".[]");
    let steps: Vec<Step> = below.split('.').filter(|part| !part.is_empty()).map(step).collect();
    let schema = &state.schema;
    let limits = OutlineLimits { depth: arguments.outline.depth, budget: arguments.outline.budget };
    let outline = export::outline(schema, &schema.nodes_at(schema.root(), &steps), limits);
    terminal::print_text(&outline.text).map_or_else(super::super::could_not_run, |()| ExitCode::SUCCESS)
}
