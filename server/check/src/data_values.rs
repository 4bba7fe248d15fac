//! Compares code that reads data values with the schema: `data.values.service.prot`.

use crate::Diagnostic;
use crate::read_places::ReadPlaces;
use crate::rules::{schema_optional_data_value, ytt_nullable_data_value, ytt_unknown_data_value};
use lofting_document::FileId;
use lofting_eval::code::ValuePaths;
use lofting_schema::Schema;

/// What is wrong with the data values that code reads, and the number of further findings. Only certain cases are reported:
/// no name on the way has several meanings.
pub fn check_data_values(file: FileId, values: &ValuePaths, schemas: &[&Schema]) -> (Vec<Diagnostic>, usize) {
    let Some((first, others)) = schemas.split_first() else { return (Vec::new(), 0) };
    let read = ReadPlaces::new(file, values, first, others);
    let (mut found, more) = ytt_unknown_data_value::look(&read);
    found.extend(schema_optional_data_value::look(&read));
    found.extend(ytt_nullable_data_value::look(&read));
    (found, more)
}
