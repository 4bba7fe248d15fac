//! The approximate size of remembered answers: an order of magnitude is enough for a budget.

use crate::association::named_schemas::{NamedFile, NamedFiles};
use crate::association::parts::PartSchema;
use crate::association::schema_state::SchemaState;
use crate::findings::base_values::BaseValues;
use crate::findings::calls::CallReport;
use crate::findings::diagnostics::Remembered;
use lofting_check::Diagnostic;
use lofting_document::{MapItem, Node, NodeValue};
use lofting_memo::Weigh;
use lofting_schema::SchemaNode;

impl Weigh for SchemaState {
    fn weight(&self) -> usize {
        // With keys, defaults and documentation a node takes about twice its own size.
        let findings = self.findings.values().flatten().map(of_diagnostic).sum::<usize>();
        size_of::<SchemaState>() + 2 * size_of::<SchemaNode>() * self.schema.nodes().count() + findings
    }
}

impl Weigh for PartSchema {
    fn weight(&self) -> usize {
        let findings = self.findings.iter().map(of_diagnostic).sum::<usize>();
        size_of::<PartSchema>() + 2 * size_of::<SchemaNode>() * self.schema.nodes().count() + findings
    }
}

impl Weigh for NamedFiles {
    fn weight(&self) -> usize {
        let texts =
            |named: &NamedFile| named.path.as_os_str().len() + named.uri.len() + named.named_at.as_os_str().len();
        self.0.iter().map(|named| size_of_val(named) + texts(named)).sum()
    }
}

impl Weigh for BaseValues {
    fn weight(&self) -> usize {
        self.0.as_deref().map_or(0, of_node)
    }
}

impl Weigh for CallReport {
    fn weight(&self) -> usize {
        of_node(&self.values) + self.by_file.values().flatten().map(of_diagnostic).sum::<usize>()
    }
}

impl Weigh for Remembered {
    fn weight(&self) -> usize {
        size_of::<Remembered>() + self.findings.list.iter().map(of_diagnostic).sum::<usize>()
    }
}

fn of_diagnostic(diagnostic: &Diagnostic) -> usize {
    size_of::<Diagnostic>()
        + diagnostic.message.len()
        + diagnostic.related.iter().map(|it| it.message.len()).sum::<usize>()
}

/// Values nest as deep as the text does, so this does not recurse.
pub(crate) fn of_node(node: &Node) -> usize {
    let (mut weight, mut todo) = (0, vec![node]);
    while let Some(node) = todo.pop() {
        weight += size_of::<MapItem>();
        match &node.value {
            NodeValue::Map(items) => todo.extend(items.iter().map(|item| &item.value)),
            NodeValue::Array(items) => todo.extend(items.iter().map(|item| &item.value)),
            NodeValue::String(text) => weight += text.len(),
            _ => {}
        }
    }
    weight
}
