//! `@ytt:yaml`

use lofting_document::write::yaml_document;
use lofting_document::{FileId, Issue, NodeValue, Options, lower};
use lofting_eval::FragmentKind;
use lofting_interpreter::Value;
use lofting_syntax::ErrorCode;
use lofting_syntax::resolve::Profile;

use super::Args;
use crate::failure::{Result, fail, limit};
use crate::object::{ObjectKind, Ours};
use crate::plain;

pub(super) fn invoke(args: Args) -> Result<Value> {
    args.exactly(1)?;
    if args.name == "yaml.encode" {
        return Ok(Value::from(encode(args.first())?));
    }
    let text = args.text(0)?;
    let tree = lofting_syntax::parse(text);
    let errors = tree.errors_in(Profile::Ytt);
    if errors.iter().any(|error| error.code == ErrorCode::TooDeep) {
        return limit("yaml.decode: the text is nested too deeply");
    }
    let line = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count() + 1;
    if let Some(error) = errors.first() {
        return fail(format!("yaml.decode: yaml: line {}: {}", line(error.range.start), error.message));
    }
    let options = Options { implicit_map_key_overrides: true, plain: true, ..Options::default() };
    let documents = lower(FileId(0), &tree, Profile::Ytt, options);
    if documents.issues.iter().any(|issue| matches!(issue, Issue::DepthLimit { .. })) {
        return limit("yaml.decode: the text is nested too deeply");
    }
    if let Some(issue) = documents.issues.iter().find(|issue| issue.ends_reading()) {
        let line = line(issue.span().range().start);
        return fail(format!("yaml.decode: yaml: line {line}: ytt's YAML library cannot read this"));
    }
    if documents.documents.len() > 1 {
        return fail("yaml.decode: Expected to find exactly one YAML document");
    }
    let only = documents.documents.first();
    Ok(only.map_or(Value::None, |document| plain::value(&document.value)))
}

/// The text of a value; the documents of a set are separated by `---`.
pub(super) fn encode(value: &Value) -> Result<String> {
    if value.is_none() {
        return Ok(String::new());
    }
    if let Some(ours) = Ours::of(value)
        && let ObjectKind::Fragment(kind, items) = ours.kind
    {
        if items.is_empty() {
            return Ok(String::new());
        }
        if *kind == FragmentKind::DocumentSet {
            let texts: Result<Vec<String>> = ours.items().map(|(.., value)| encode(value)).collect();
            // Documents without content are left out.
            let texts: Vec<String> = texts?.into_iter().filter(|text| !text.is_empty()).collect();
            return Ok(texts.join("---\n"));
        }
    }
    let node = plain::node(value).map_err(|failure| failure.within("yaml.encode"))?;
    if matches!(&node.value, NodeValue::Unknown) {
        return Ok(String::new());
    }
    Ok(yaml_document(&node))
}
