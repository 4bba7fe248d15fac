//! `lofting schema`.

mod outline;

use std::path::Path;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use lofting_check::{Severity, Stage, rules};
use lofting_document::{Node, write};
use lofting_schema::{Rest, Schema, Shape, export};
use lofting_workspace::{Outcome, SchemaPlace, Settings, Workspace, read_text};

use super::input::InputArguments;
use super::values::{outcome, place};
use crate::terminal;

// Arguments of `lofting schema`.
#[derive(Args)]
#[command(after_help = super::examples::SCHEMA)]
pub(crate) struct Arguments {
    /// The language to convert the schema to.
    #[arg(long, value_enum, required_unless_present_any = ["from_values", "outline"])]
    to: Option<Language>,
    /// Create a schema of ytt data values from this values file: types from the values, types of items from all items,
    /// descriptions from comments.
    #[arg(long, value_name = "FILE", exclusive = true)]
    from_values: Option<String>,
    /// The output format; by default YAML, and lines for an outline.
    #[arg(long, value_enum)]
    format: Option<SchemaFormat>,
    /// The file is a schema in this language (`openchoreo`), even if nothing in it says so.
    #[arg(long, value_name = "NAME", requires = "path")]
    language: Option<String>,
    /// The index of the document with the schema, from 0.
    #[arg(long, value_name = "N", requires = "path")]
    document: Option<usize>,
    /// The keys that lead to the schema in its document, joined by dots.
    #[arg(long, value_name = "PATH", requires = "path")]
    at: Option<String>,
    #[command(flatten)]
    outline: outline::OutlineArguments,
    #[command(flatten)]
    inputs: InputArguments,
    /// A file with a schema that is found by its structure, or in the language of `--language`; for an outline also a
    /// file that a schema governs, or `-`; not with ytt's input flags.
    #[arg(value_name = "FILE", conflicts_with = "files", help_heading = None)]
    path: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// What ytt's `--data-values-schema-inspect -o openapi-v3` prints.
    #[value(name = "openapi-v3")]
    OpenApiV3,
    /// JSON Schema 2020-12, with everything that OpenAPI leaves out. Rules that it cannot express are listed on stderr.
    #[value(name = "json-schema")]
    JsonSchema,
    /// A single schema of OpenChoreo in a file as an OpenAPI 3.0 object, with references replaced by their targets.
    #[value(name = "openapi-schema")]
    OpenApiSchema,
    /// A single schema in a file in OpenChoreo's shorthand, as below `spec.schema`. What the shorthand cannot express
    /// is listed on stderr.
    #[value(name = "openchoreo-shorthand")]
    OpenChoreoShorthand,
    /// Titles, descriptions and examples of all values, field by field.
    #[value(name = "inspect")]
    Inspect,
    /// ytt's own form, for schemas in one of its design proposals. Annotations without an equivalent stay as comments.
    #[value(name = "ytt")]
    Ytt,
}

/// The output format of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SchemaFormat {
    Yaml,
    Json,
    /// A table for documentation pages; only with `--to inspect`.
    Html,
}

/// Prints the schema of an input set in another language.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    if let Some(path) = &arguments.from_values {
        return of_values(path);
    }
    if arguments.outline.outline {
        return outline::run(arguments);
    }
    let Some(to) = arguments.to else {
        return super::could_not_run("`--to` is missing: it names the language to convert to");
    };
    if let Some(path) = &arguments.path {
        return of_file(arguments, to, path);
    }
    let outcome = match sound_outcome(&arguments.inputs) {
        Ok(outcome) => outcome,
        Err(code) => return code,
    };
    let anything = lofting_dialect::Read::anything().schema;
    let schema = outcome.schema.as_ref().map_or(&anything, |state| &state.schema);
    if let Some(span) = first_unknown(schema) {
        let place = place(&outcome, span);
        return super::could_not_run(format!(
            "{place}: this part of the schema comes from code that could not be evaluated"
        ));
    }
    let node = match to {
        Language::OpenApiV3 => export::openapi(schema),
        Language::JsonSchema => {
            for (span, what) in export::left_out(schema) {
                terminal::say(&format!("{}: left out: {}", place(&outcome, span), terminal::lines(&what)));
            }
            export::json_schema(schema)
        }
        Language::OpenApiSchema | Language::OpenChoreoShorthand => {
            return super::could_not_run("for `openapi-schema` and `openchoreo-shorthand` name a file with one schema");
        }
        Language::Inspect if arguments.format == Some(SchemaFormat::Html) => {
            return print_text(&export::inspect_html(schema));
        }
        Language::Inspect => export::inspect(schema),
        Language::Ytt => {
            return match outcome.in_ytt() {
                Some(converted) => {
                    for span in converted.kept {
                        let place = place(&outcome, span);
                        terminal::say(&format!(
                            "{place}: ytt has no equivalent for this annotation: it is no longer checked"
                        ));
                    }
                    print_text(&converted.text)
                }
                None => super::could_not_run("there is no schema among the inputs"),
            };
        }
    };
    print(arguments, &node)
}

/// The schema and values of the inputs, if the schema has no errors; else they are reported.
fn sound_outcome(inputs: &InputArguments) -> Result<Outcome, ExitCode> {
    let outcome = outcome(inputs).map_err(super::could_not_run)?;
    let mut wrong = None;
    for finding in outcome.schema_errors() {
        let message = terminal::lines(&finding.message);
        terminal::say(&format!("{}: {}: {message}", place(&outcome, finding.span), finding.code()));
        let code = if finding.rule == &rules::UNREADABLE_FILE { super::COULD_NOT_RUN } else { super::ERRORS_FOUND };
        wrong = wrong.max(Some(code));
    }
    if let Some(code) = wrong {
        return Err(ExitCode::from(code));
    }
    Ok(outcome)
}

fn print(arguments: &Arguments, node: &Node) -> ExitCode {
    let text = match arguments.format.unwrap_or(SchemaFormat::Yaml) {
        SchemaFormat::Yaml => write::yaml_document(node),
        SchemaFormat::Json => write::to_json(node) + "\n",
        SchemaFormat::Html => return super::could_not_run("`--format html` needs `--to inspect`"),
    };
    print_text(&text)
}

/// Prints a schema that fits the values of a file.
fn of_values(path: &str) -> ExitCode {
    let text = match read_text(Path::new(path)) {
        Ok(text) => text,
        Err(problem) => return super::could_not_run(format!("{path}: {problem}")),
    };
    // Only the file itself matters, so no folder is scanned.
    let mut workspace = Workspace::new(Vec::new(), Settings::default());
    let file = workspace.open(Path::new("/lofting-from-values/values.yml"), 0, &text);
    match lofting_ide::schema_of_values(&workspace.snapshot(), file) {
        Some(schema) => print_text(&schema),
        None => super::could_not_run(format!("{path}: no document in it is a map with keys")),
    }
}

fn print_text(text: &str) -> ExitCode {
    match terminal::print_data(text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => super::could_not_run(error),
    }
}

/// Prints a single schema of a file.
fn of_file(arguments: &Arguments, to: Language, path: &str) -> ExitCode {
    let place = SchemaPlace {
        path,
        language: arguments.language.as_deref(),
        document: arguments.document,
        at: arguments.at.as_deref(),
    };
    let here = match std::env::current_dir() {
        Ok(here) => here,
        Err(error) => return super::could_not_run(format!("no current directory: {error}")),
    };
    let found = match lofting_workspace::schema_in_file(&here, place) {
        Ok(found) => found,
        Err(error) => return super::could_not_run(error),
    };
    let errors: Vec<_> = found.findings.iter().filter(|(_, finding)| finding.severity == Severity::Error).collect();
    for (line, finding) in &errors {
        terminal::say(&format!("{path}:{line}: {}: {}", finding.code(), terminal::lines(&finding.message)));
    }
    let refused = |finding: &lofting_check::Diagnostic| finding.stage == Stage::Schema;
    if errors.iter().any(|(_, finding)| refused(finding)) {
        return ExitCode::from(super::ERRORS_FOUND);
    }
    match (to, found.written_out) {
        (Language::OpenApiSchema, Some(node)) => print(arguments, &node),
        (Language::OpenApiSchema, None) => {
            let name = found.language;
            super::could_not_run(format!("{path}: schemas of {name} cannot be written in OpenAPI"))
        }
        (Language::OpenChoreoShorthand, _) => match found.in_own_notation {
            Some((sections, left_out)) => {
                for (line, message) in left_out {
                    terminal::say(&format!("{path}:{line}: left out: {}", terminal::lines(&message)));
                }
                print(arguments, &sections)
            }
            None => {
                let name = found.language;
                super::could_not_run(format!("{path}: schemas of {name} are not written in shorthand"))
            }
        },
        (Language::OpenApiV3, _) => print(arguments, &export::openapi(&found.schema)),
        (Language::JsonSchema, _) => {
            for (line, what) in &found.left_out {
                terminal::say(&format!("{path}:{line}: left out: {}", terminal::lines(what)));
            }
            print(arguments, &export::json_schema(&found.schema))
        }
        (Language::Inspect, _) if arguments.format == Some(SchemaFormat::Html) => {
            print_text(&export::inspect_html(&found.schema))
        }
        (Language::Inspect, _) => print(arguments, &export::inspect(&found.schema)),
        (Language::Ytt, _) => super::could_not_run("to write a schema in ytt's form, pass its files with `-f`"),
    }
}

/// The first place that needs evaluation: an export without it would be wrong.
fn first_unknown(schema: &Schema) -> Option<lofting_document::Span> {
    let unknown = |node: &lofting_schema::SchemaNode| {
        let open = matches!(node.shape(), Shape::Map(map) if map.rest == Rest::Open);
        let default = node.default.as_ref().is_some_and(|default| !default.value.is_known());
        matches!(node.shape(), Shape::Unknown) || open || default
    };
    schema.nodes().find(|(_, node)| unknown(node)).map(|(_, node)| node.declared.name)
}
