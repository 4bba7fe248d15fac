//! Creates a values file for a schema: its keys with their defaults and descriptions.

use super::Refactoring;
use crate::code_actions::context::Context;
use crate::code_actions::offers::Offers;
use crate::code_actions::skeleton::{declares_current_keys, values_skeleton};
use crate::code_actions::{ActionKind, Change};
use lofting_diagnostic::Confidence;
use lofting_workspace::FileKind;

pub(super) static REFACTORING: Refactoring = Refactoring { kind: ActionKind::Extract, offer };

fn offer(context: &Context<'_>, offers: &mut Offers<'_>) {
    let is_schema = context.snapshot.kind(context.file) == FileKind::Schema;
    // It concerns the whole file, so it is offered only at its beginning.
    if !is_schema || !context.abilities.creates_files || context.text.line_of(context.range.start) > 2 {
        return;
    }
    let path = context.snapshot.path(context.file).with_file_name("values.yml");
    if context.snapshot.file(&path).is_some() {
        return;
    }
    let association = context.snapshot.association(context.file);
    let Some(schema) = association.schema.as_ref().filter(|schema| declares_current_keys(&schema.schema)) else {
        return;
    };
    offers.add_later("Write a values file for this schema", Confidence::Possible, || {
        let newline = context.newline();
        let values = values_skeleton(&schema.schema, newline)?;
        let text = format!("#@data/values{newline}---{newline}{values}");
        Some(Change::new_file(path, text))
    });
}
