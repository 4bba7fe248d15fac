//! `lofting schema`.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use lofting_check::rules;
use lofting_document::write;
use lofting_schema::{Rest, Schema, Shape, export};

use super::input::InputArguments;
use super::terminal;
use super::values::{Format, outcome, place};

/// Arguments of `lofting schema`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The language to write the schema in.
    #[arg(long, value_enum)]
    to: Language,
    /// How to write it.
    #[arg(long, value_enum, default_value_t = Format::Yaml)]
    format: Format,
    #[command(flatten)]
    inputs: InputArguments,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    /// What ytt's `--data-values-schema-inspect -o openapi-v3` prints.
    #[value(name = "openapi-v3")]
    OpenApiV3,
    /// JSON Schema 2020-12, with all that OpenAPI leaves out.
    #[value(name = "json-schema")]
    JsonSchema,
}

/// Prints the schema of an input set in another language.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    let outcome = match outcome(&arguments.inputs) {
        Ok(outcome) => outcome,
        Err(why) => return super::could_not_run(why),
    };
    let mut wrong = None;
    for finding in outcome.schema_errors() {
        let message = terminal::lines(&finding.message);
        terminal::say(&format!("{}: {}: {message}", place(&outcome, finding.span), finding.code()));
        let code = if finding.rule == &rules::UNREADABLE_FILE { super::COULD_NOT_RUN } else { super::ERRORS_FOUND };
        wrong = wrong.max(Some(code));
    }
    if let Some(code) = wrong {
        return ExitCode::from(code);
    }
    let anything = lofting_dialect::ytt::read(&[]).schema;
    let schema = outcome.schema.as_ref().map_or(&anything, |state| &state.schema);
    if let Some(span) = first_unknown(schema) {
        let place = place(&outcome, span);
        return super::could_not_run(format!(
            "{place}: this part of the schema comes from code that could not be evaluated"
        ));
    }
    let node = match arguments.to {
        Language::OpenApiV3 => export::openapi(schema),
        Language::JsonSchema => export::json_schema(schema),
    };
    let text = match arguments.format {
        Format::Yaml => write::yaml_document(&node),
        Format::Json => write::to_json(&node) + "\n",
    };
    match terminal::print_data(&text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => super::could_not_run(error),
    }
}

/// The first place that only evaluation can tell: an export without it would say too much.
fn first_unknown(schema: &Schema) -> Option<lofting_document::Span> {
    let unknown = |node: &lofting_schema::SchemaNode| {
        let open = matches!(node.shape(), Shape::Map(map) if map.rest == Rest::Open);
        let default = node.default.as_ref().is_some_and(|default| !default.value.is_known());
        matches!(node.shape(), Shape::Unknown) || open || default
    };
    schema.nodes().find(|(_, node)| unknown(node)).map(|(_, node)| node.declared.name)
}
