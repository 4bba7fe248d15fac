//! Compares code that reads data values with the schema: `data.values.service.prot`.

use crate::Diagnostic;
use crate::Severity;
use crate::read_places::ReadPlaces;
use crate::rules::{schema_optional_data_value, ytt_evaluation, ytt_nullable_data_value, ytt_unknown_data_value};
use lofting_document::FileId;
use lofting_eval::code::ValuePaths;
use lofting_schema::Schema;

/// Adds to findings about code that failed what is known of the data values that it reads there, or lets that stand for
/// them.
pub fn explain_reads(failed: &mut [Diagnostic], read: &[Diagnostic]) {
    if read.is_empty() {
        return;
    }
    for finding in failed.iter_mut().filter(|finding| *finding.rule == ytt_evaluation::RULE) {
        let around = finding.span;
        let is_here = |read: &&Diagnostic| {
            read.span.file == around.file && around.start <= read.span.start && read.span.end <= around.end
        };
        let Some(read) = read.iter().find(is_here) else { continue };
        if *read.rule == ytt_unknown_data_value::RULE && finding.message.contains(" has no .") {
            let calls = std::mem::take(&mut finding.related);
            *finding = Diagnostic { severity: Severity::Error, ..read.clone() };
            finding.related.extend(calls);
        } else if *read.rule == ytt_nullable_data_value::RULE && finding.message.starts_with("NoneType ") {
            finding.help.clone_from(&read.help);
            finding.related.extend(read.related.iter().cloned());
        }
    }
}

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
