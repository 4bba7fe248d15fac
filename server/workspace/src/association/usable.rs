//! Whether the text of a file can be used as a JSON Schema, or as a part of one.

use crate::files::file::File;
use lofting_dialect::json_schema::openapi::Version;
use lofting_dialect::json_schema::{self, JsonSchema};
use lofting_dialect::{Dialect, WrittenSteps};
use lofting_syntax::{Value, ValueKind};
use lofting_text::Encoding;

/// Why a document that a schema refers to, or one of a bundle, cannot be used, in words that follow "it cannot be read:".
/// What a text with syntax errors says is a guess, so that nothing in it counts.
pub(crate) fn problem_of_part(file: &File) -> Option<String> {
    let problem = file.problem().map(ToString::to_string);
    // A reference may lead into an array.
    let is_array = || root(file).is_some_and(|root| matches!(root.kind(), ValueKind::BlockSeq | ValueKind::FlowSeq));
    problem.or_else(|| syntax_error(file)).or_else(|| problem_of_whole(file).filter(|_| !is_array()))
}

/// Why a file cannot be used as a schema. One with syntax errors can, as far as it can be read: a user may be typing it.
pub(crate) fn problem_of_whole(file: &File) -> Option<String> {
    if let Some(problem) = file.problem() {
        return Some(problem.to_string());
    }
    let Some(root) = root(file) else { return Some(syntax_error(file).unwrap_or_else(|| EMPTY.to_owned())) };
    let is_boolean = || root.scalar().is_some_and(|scalar| matches!(&*scalar.value(), "true" | "false"));
    match root.kind() {
        ValueKind::BlockMap | ValueKind::FlowMap | ValueKind::Alias => None,
        ValueKind::Plain if is_boolean() => None,
        _ => Some(syntax_error(file).unwrap_or_else(|| "it is not a schema, which would be a map".to_owned())),
    }
}

/// Why a document is not a schema as a whole, although it can be read; a user may be typing one with syntax errors.
pub(crate) fn problem_of_schema(file: &File) -> Option<String> {
    let root = root(file).filter(|_| file.errors().is_empty())?;
    let written = WrittenSteps::root(root, JsonSchema.profile());
    if Version::of_written(&written).is_some() {
        let place = "name the place of one of its schemas, such as `#/components/schemas/NAME`";
        return Some(format!("it is a document of OpenAPI: {place}"));
    }
    (!json_schema::has_keyword(file.tree())).then(|| "it is not a schema: none of its keys is a keyword".to_owned())
}

const EMPTY: &str = "it is empty";

fn root(file: &File) -> Option<Value<'_>> {
    file.tree().documents().next()?.root()
}

/// The first syntax error of a file, in words that follow its name.
pub(crate) fn syntax_error(file: &File) -> Option<String> {
    let error = file.errors().into_iter().next()?;
    let line = file.text().position(error.range.start, Encoding::Utf8).line + 1;
    Some(format!("it has a syntax error in line {line}"))
}
