//! Private libraries for the templates that ask for them.

use super::level::Level;
use super::{Render, Stopped, values};
use crate::evaluation::{Libraries, LibraryResult};
use lofting_check::key_in_struct;
use lofting_document::Document;
use lofting_eval::{EvalError, EvalErrorKind, GivenKind, LibraryOutput, LibraryRequest};
use lofting_template::data_values;

/// Evaluates libraries for the templates of a library.
pub(crate) struct LibrariesOf<'r, 's> {
    pub render: &'r Render<'s>,
    pub level: &'r Level<'s>,
}

impl Libraries for LibrariesOf<'_, '_> {
    fn run(&self, request: &LibraryRequest, given: Vec<Document>) -> Result<LibraryResult, EvalError> {
        let render = self.render;
        let alias = request.alias.as_deref();
        let mut level = Level::inside(render, self.level, &request.directory, &request.name, alias, request.options);
        let kinds = request.given.iter().map(|given| given.kind);
        let is_annotated = kinds
            .clone()
            .zip(&given)
            .any(|(kind, document)| kind == GivenKind::PlainValues && document.value.has_annotations());
        if is_annotated {
            let message = "Expected to be plain YAML, having no annotations (hint: remove comments starting with `#@`)";
            return Err(EvalError::new(EvalErrorKind::Runtime, message));
        }
        let given: Vec<values::GivenDocument> = kinds.zip(given).collect();
        let values = render.values(&mut level, &given).map_err(|stopped| render.tell(stopped))?;
        match request.wanted {
            LibraryOutput::Values if !values.is_known() => {
                let message = "some data values of the library are not known: \
                    code could not be evaluated, or too many default values are added";
                Err(EvalError::new(EvalErrorKind::Unsupported, message))
            }
            LibraryOutput::Values => match data_values(&values) {
                Ok(values) => Ok(LibraryResult::Values(values)),
                Err((span, key)) => Err(render.tell(Stopped::Wrong(vec![key_in_struct(span, &format!("`{key}`"))]))),
            },
            LibraryOutput::Documents => {
                let (documents, runs) = render.documents(&level, &values).map_err(|stopped| render.tell(stopped))?;
                let unused = render.unused(&level.addressed(render.state));
                if !unused.is_empty() {
                    return Err(render.tell(Stopped::Wrong(unused)));
                }
                Ok(LibraryResult::Documents(documents, runs))
            }
        }
    }
}
