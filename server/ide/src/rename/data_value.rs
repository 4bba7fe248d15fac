//! Renames a data value: in schemas, values files, flags and code at once, or not at all.
//!
//! Uses that cannot be followed may name the key, too, and would be missed; so a rename is refused if a value goes out
//! of sight, with the position.

use crate::answers::{OutsideEdit, Refusal, Renameable, Renamed};
use crate::data_value::{DataValue, Governed, governed_files, keys_in_command, path_in};
use crate::pages::place;
use crate::path::{Step, schemas_at};
use crate::yaml_text::{self, ScalarContext};
use lofting_diagnostic::Severity;
use lofting_dialect::Fault;
use lofting_document::{FileId, Key, Span};
use lofting_eval::code::{Code, UseKind, ValueStep};
use lofting_schema::{ConstraintKind, Schema, SchemaNode, Shape};
use lofting_syntax::Kind;
use lofting_workspace::{FileKind, Snapshot};
use std::collections::BTreeMap;
use std::ops::Range;

/// What a rename at `offset` (bytes) would change; an error says why that is not possible.
pub(super) fn prepare(snapshot: &Snapshot, file: FileId, offset: usize) -> Result<Renameable, Refusal> {
    let files = governed_files(snapshot);
    let value = value_at(snapshot, &files, file, offset)?;
    check(snapshot, &files, &value)?;
    Ok(Renameable { range: value.origin, name: value.name })
}

/// The edits that rename the data value at `offset` (bytes).
pub(super) fn rename(snapshot: &Snapshot, file: FileId, offset: usize, name: &str) -> Result<Renamed, Refusal> {
    let files = governed_files(snapshot);
    let value = value_at(snapshot, &files, file, offset)?;
    if name.is_empty() || name.contains(['"', '\'', '\\']) || name.chars().any(char::is_control) {
        return Err(Refusal(format!("`{name}` cannot be the name of a data value")));
    }
    if name == value.name {
        return Ok(Renamed::default());
    }
    check(snapshot, &files, &value)?;
    check_siblings(&value, name)?;
    let mut edits: BTreeMap<Span, String> = BTreeMap::new();
    let key = |span: &Span| {
        let flow = snapshot.tree(span.file).path_at(span.range().start).iter().any(|node| node.kind() == Kind::FlowMap);
        yaml_text::key(&Key::from(name), if flow { ScalarContext::Flow } else { ScalarContext::Block })
    };
    edits.extend(value.declared.iter().map(|span| (*span, key(span))));
    for governed in files.iter().filter(|governed| value.governs(governed)) {
        match governed.kind {
            FileKind::Schema => {}
            FileKind::DataValues | FileKind::PlainValues => {
                edits.extend(value.keys_in(snapshot, governed).into_iter().map(|span| (span, key(&span))));
            }
            _ => {
                let code = &governed.code;
                for used in value.uses_in(code) {
                    let span = Span::new(governed.file, used.range.clone());
                    if used.kind == UseKind::Attribute && !lofting_eval::is_field_name(name) {
                        let place = place(snapshot, span);
                        return Err(Refusal(format!("`{name}` cannot follow a dot, as at {place}")));
                    }
                    edits.insert(span, name.to_owned());
                }
            }
        }
    }
    for (flag, key) in value.flags(snapshot) {
        match key {
            Some(key) if !name.contains(['.', '=', '@']) => {
                edits.insert(key, name.to_owned());
            }
            _ => {
                return Err(Refusal(format!(
                    "it is also given at {}, where it cannot be changed",
                    place(snapshot, flag)
                )));
            }
        }
    }
    let outside = in_commands(snapshot, &value, name)?;
    Ok(Renamed { edits: edits.into_iter().collect(), outside })
}

/// The edits of commands that set the value themselves.
fn in_commands(snapshot: &Snapshot, value: &DataValue, name: &str) -> Result<Vec<OutsideEdit>, Refusal> {
    let mut edits: Vec<OutsideEdit> = Vec::new();
    for given in value.commands(snapshot) {
        let key = given.parts.join(".");
        let refuse = |why: &str| {
            let file = given.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            Err(Refusal(format!("the command at {file}:{} gives `{key}`, {why}", given.line)))
        };
        // Characters that the shell or ytt would interpret.
        if !name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '/')) {
            return refuse(&format!("where `{name}` cannot be written"));
        }
        let Some(text) = snapshot.command_text(&given.path) else { return refuse("and cannot be read") };
        let last = value.path.len().saturating_sub(1);
        let before: usize = given.parts.iter().take(last).map(|part| part.len() + 1).sum();
        let length = given.parts.get(last).map_or(0, String::len);
        let found = keys_in_command(&text, given.line, &key);
        if found.is_empty() {
            return refuse("in a form that cannot be changed");
        }
        for at in found {
            let range = at + before..at + before + length;
            if !edits.iter().any(|edit| edit.path == given.path && edit.range == range) {
                let (path, text, new) = (given.path.clone(), text.clone(), name.to_owned());
                edits.push(OutsideEdit { path, text, range, new });
            }
        }
    }
    Ok(edits)
}

fn value_at(snapshot: &Snapshot, files: &[Governed], file: FileId, offset: usize) -> Result<DataValue, Refusal> {
    DataValue::at(snapshot, files, file, offset)
        .ok_or_else(|| Refusal("only keys of data values that a schema declares can be renamed".to_owned()))
}

/// Whether everything that names the value can be found.
fn check(snapshot: &Snapshot, files: &[Governed], value: &DataValue) -> Result<(), Refusal> {
    let refuse = |words: &str, span: Span| Err(Refusal(format!("{words} at {}", place(snapshot, span))));
    for schema in &value.schemas {
        if schema.uncertain || schema.faults.iter().any(is_error) {
            return Err(Refusal("the schema has errors: fix them first".to_owned()));
        }
        if let Some(span) = rule_over(&schema.schema, value) {
            return refuse("a rule of the schema may name the key", span);
        }
    }
    for governed in files.iter().filter(|governed| value.governs(governed)) {
        if governed.schemas.iter().any(|schema| schema.incomplete) {
            let name = snapshot.shown_path(governed.file);
            return Err(Refusal(format!("not all inputs that go with {name} are known")));
        }
        // Starlark and text are not YAML.
        let is_yaml = snapshot.path(governed.file).extension().is_some_and(|name| name == "yml" || name == "yaml");
        if is_yaml && !snapshot.tree(governed.file).errors().is_empty() {
            let name = snapshot.shown_path(governed.file);
            return Err(Refusal(format!("{name} has syntax errors: fix them first")));
        }
        if let Some(span) = matched_by(snapshot, governed.file, &value.name) {
            return refuse("the key is named by an overlay", span);
        }
        let code = &governed.code;
        if let Some(used) = value.uses_in(code).find(|used| !used.certain) {
            let span = Span::new(governed.file, used.range.clone());
            return refuse("it is not certain which value is meant", span);
        }
        if let Some(range) = out_of_sight(code, value) {
            return refuse("a value around it goes where it cannot be followed", Span::new(governed.file, range));
        }
    }
    Ok(())
}

/// Whether a fault leaves open what the schema means. A hint, such as that a head is known to Lofting only, does not.
fn is_error(fault: &Fault) -> bool {
    match fault {
        Fault::Merge(_) => true,
        Fault::Found(found) => found.severity == Severity::Error,
    }
}

/// A rule or condition of a map around the value, which gets that map and may name any key in it.
fn rule_over(schema: &Schema, value: &DataValue) -> Option<Span> {
    let names_key = |node: &SchemaNode| {
        let one_not_null = node.constraints.iter().find_map(|constraint| match &constraint.kind {
            ConstraintKind::OneNotNull(Some(keys)) => {
                keys.iter().any(|key| key.as_str() == Some(&value.name)).then_some(constraint.span)
            }
            _ => None,
        });
        one_not_null.or(node.rules.first().map(|rule| rule.span)).or(node.condition.as_ref().map(|when| when.span))
    };
    (0..value.path.len()).find_map(|length| {
        let above = value.path.get(..length)?;
        schemas_at(schema, above).into_iter().find_map(|id| names_key(schema.node(id)))
    })
}

/// An `@overlay/match by="key"` in a file.
fn matched_by(snapshot: &Snapshot, file: FileId, key: &str) -> Option<Span> {
    let tree = snapshot.tree(file);
    let quoted = [format!("\"{key}\""), format!("'{key}'")];
    let names =
        |text: &str| text.starts_with("#@overlay/") && quoted.iter().any(|quoted| text.contains(quoted.as_str()));
    tree.comments().find(|comment| names(&comment.text())).map(|comment| Span::new(file, comment.range()))
}

/// Where code passes on a map around the value, or reads it by computed keys.
fn out_of_sight(code: &Code, value: &DataValue) -> Option<Range<usize>> {
    if code.values.paths.is_empty() {
        return None;
    }
    (0..value.path.len()).find_map(|length| {
        let above = value.path.get(..length)?;
        let id = path_in(code, above)?;
        let escape = code.values.escapes.iter().find(|escape| escape.path == id).map(|escape| escape.range.clone());
        let of_map = matches!(value.path.get(length), Some(Step::Key(_)));
        let computed = || code.values.child(id, &ValueStep::Item).filter(|_| of_map).and_then(|_| place_of(code, id));
        escape.or_else(computed)
    })
}

/// A place where code names the value at a path, or at least the beginning of the path.
fn place_of(code: &Code, path: lofting_eval::code::PathId) -> Option<Range<usize>> {
    let named = code.values.uses.iter().find(|used| used.path == path).map(|used| used.range.clone());
    named.or_else(|| code.pieces.first().map(|(piece, _)| piece.clone()))
}

/// Two keys of one map cannot have the same name.
fn check_siblings(value: &DataValue, name: &str) -> Result<(), Refusal> {
    let above = value.path.split_last().map(|(_, above)| above).unwrap_or_default();
    for schema in &value.schemas {
        for id in schemas_at(&schema.schema, above) {
            if let Shape::Map(map) = schema.schema.node(id).shape()
                && map.get(&Key::from(name)).is_some()
            {
                return Err(Refusal(format!("there is already a `{name}` beside it")));
            }
        }
    }
    Ok(())
}
