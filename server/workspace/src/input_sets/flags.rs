//! Data values of flags and of the environment as documents (docs/ytt.md 11.4).

use crate::input_sets::sets::{FlagPlace, FlagValue};
use lofting_check::flag_document;
use lofting_check::{Diagnostic, Severity};
use lofting_document::{Document, Node, NodeValue, Options, Span, lower};
use lofting_overlay::Mode;
use lofting_syntax::resolve::Profile;

/// The document for a flag, or the errors in its value, which is read as strictly as files.
pub(crate) fn document(flag: &FlagValue, strict: bool) -> Result<(Document, Mode), Vec<Diagnostic>> {
    let value = &flag.value;
    let span = place(flag, 0..value.written.len());
    let value_span = place(flag, value.value_start..value.written.len());
    let node = if value.kind.is_yaml() {
        yaml_value(flag, value_span, strict)?
    } else {
        Node::new(NodeValue::String(value.value.as_str().into()), value_span)
    };
    let keys: Vec<&str> = value.key.iter().map(|(_, key)| key.as_str()).collect();
    Ok(flag_document(&keys.join("."), node, span))
}

/// The span of a part of what the user wrote.
fn place(flag: &FlagValue, part: std::ops::Range<usize>) -> Span {
    match &flag.place {
        FlagPlace::Text(start) => Span::new(flag.file, start + part.start..start + part.end),
        FlagPlace::Whole(range) => Span::new(flag.file, range.clone()),
    }
}

/// A value given as YAML. Of several documents ytt takes the first.
fn yaml_value(flag: &FlagValue, whole: Span, strict: bool) -> Result<Node, Vec<Diagnostic>> {
    let tree = lofting_syntax::parse(&flag.value.value);
    let mut errors = lofting_check::check_syntax(flag.file, &tree, Profile::Ytt);
    // Comments mean nothing in a flag.
    let options = Options { strict, plain: true, ..Options::default() };
    let set = lower(flag.file, &tree, Profile::Ytt, options);
    errors.extend(lofting_check::check_documents(&set, &()));
    errors.retain(|error| error.severity == Severity::Error);
    let moved = Moved { flag, whole };
    if !errors.is_empty() {
        for error in &mut errors {
            error.span = moved.span(error.span);
        }
        return Err(errors);
    }
    let Some(first) = set.documents.into_iter().next() else {
        return Ok(Node::new(NodeValue::Null, whole));
    };
    let mut node = first.value;
    moved.node(&mut node);
    Ok(node)
}

/// Maps positions in the value to positions in what the user wrote.
struct Moved<'a> {
    flag: &'a FlagValue,
    whole: Span,
}

impl Moved<'_> {
    fn span(&self, span: Span) -> Span {
        match &self.flag.place {
            FlagPlace::Text(_) => {
                let start = self.flag.value.value_start;
                place(self.flag, start + span.range().start..start + span.range().end)
            }
            FlagPlace::Whole(_) => self.whole,
        }
    }

    /// Lowering limits the depth of a document, and so of this recursion.
    fn node(&self, node: &mut Node) {
        node.span = self.span(node.span);
        match &mut node.value {
            NodeValue::Map(items) => {
                for item in items.iter_mut() {
                    item.key_span = self.span(item.key_span);
                    item.span = self.span(item.span);
                    self.node(&mut item.value);
                }
            }
            NodeValue::Array(items) => {
                for item in items {
                    item.span = self.span(item.span);
                    self.node(&mut item.value);
                }
            }
            _ => {}
        }
    }
}
