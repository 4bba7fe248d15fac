//! The final values and the schema of one `ytt` call, besides its findings.

use crate::association::schema_state::SchemaState;
use crate::command_line::check_set::check_input_set;
use crate::command_line::report::CheckReport;
use crate::findings::calls::only_call_of;
use crate::inputs::InputSet;
use crate::inputs::NameKind;
use crate::settings::Settings;
use lofting_check::{Diagnostic, Severity, Stage};
use lofting_dialect::proposals::convert::{Converted, convert};
use lofting_document::Node;
use lofting_eval::Evaluator;
use std::sync::Arc;

/// The result of a call.
pub struct Outcome {
    /// All findings.
    pub report: CheckReport,
    /// The final data values, as far as they could be merged; unknown where code has to run. `None` without schema and
    /// values.
    pub values: Option<Node>,
    /// The schema, if the inputs hold one.
    pub schema: Option<Arc<SchemaState>>,
}

/// Merges and checks the inputs.
pub fn input_set_outcome(inputs: &InputSet, evaluator: Arc<dyn Evaluator>) -> Outcome {
    let report = check_input_set(inputs, Settings::default(), evaluator);
    let run = only_call_of(&report.snapshot.state, 0);
    let schema = run.as_ref().and_then(|run| run.schema.clone());
    let given = run.as_ref().is_some_and(|run| run.schema.is_some() || run.has_values);
    let values = run.filter(|_| given).map(|run| run.values.clone());
    Outcome { report, values, schema }
}

impl Outcome {
    /// The files of the schema in ytt's own form; None without a schema.
    pub fn in_ytt(&self) -> Option<Converted> {
        let state = &self.report.snapshot.state;
        let files = self.schema.iter().flat_map(|schema| schema.files.iter()).filter_map(|id| state.file(*id));
        let files: Vec<_> = files.map(|file| (String::from(file.text()), file.lowered().clone())).collect();
        (!files.is_empty()).then(|| convert(&files))
    }

    /// Errors that prevent the schema from being read. ytt reads all templates and the schema before any values, so
    /// errors in values do not count.
    pub fn schema_errors(&self) -> impl Iterator<Item = &Diagnostic> {
        let schema_files = self.schema.as_ref().map_or(&[][..], |schema| &*schema.files);
        self.report.diagnostics().filter(move |finding| {
            let early = match finding.stage {
                // Library files are read only when they are loaded.
                Stage::Parse => {
                    let path = self.report.snapshot.path(finding.span.file);
                    NameKind::of_path(path) != NameKind::YamlLibrary || schema_files.contains(&finding.span.file)
                }
                Stage::Template | Stage::Schema | Stage::Overlay => schema_files.contains(&finding.span.file),
                _ => false,
            };
            early && finding.severity == Severity::Error
        })
    }
}
