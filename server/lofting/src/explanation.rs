//! What is known about a value, and which schema governs a file.

use lofting_document::{FileId, Span};
use lofting_ide::{DescribedBy, Layer, Markup, ValueAt};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::value::json;
use crate::{DocumentVersion, FilePart, PositionEncoding, Problem, Range, Snapshot, VERSION};

/// What is known about a place.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Explanation {
    /// The version of this form.
    #[serde(rename = "version")]
    pub form: u32,
    /// The file, and which text of it this is about.
    pub document: DocumentVersion,
    /// What columns count.
    pub position_encoding: PositionEncoding,
    /// The path of the value, `service.ports[0].port`, empty for the document; absent if it is not about a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The key or word; absent if it is not written in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<Range>,
    /// What an editor shows, as plain text; absent if that is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What is written, if that is known before code runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub written: Option<Value>,
    /// The nodes of the schema that say something about the value: several where it may be one of several.
    pub schemas: Vec<SchemaNode>,
    /// For data values of ytt: what the value becomes in each call.
    pub final_values: Vec<FinalValue>,
}

/// A node of a schema.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SchemaNode {
    /// The type in words: `integer or null`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The map around it requires it.
    pub required: bool,
    /// What it says in the words of JSON Schema 2020-12, with the nodes one level below: `type`, `title`, `description`,
    /// `default`, `enum`, `minimum`, `pattern` …
    pub schema: Value,
    /// Where it is declared.
    #[serde(flatten)]
    pub declared: SchemaPlace,
}

/// Where a schema is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SchemaPlace {
    /// The place in a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<FilePart>,
    /// What it is if it is part of the program, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_in: Option<String>,
}

/// The value of one call.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct FinalValue {
    /// The input set, if it has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
    /// The values file that distinguishes the call from others of its set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<String>,
    /// A call with the file is known; otherwise only the file and its schema are.
    pub known: bool,
    /// The value.
    #[serde(flatten)]
    pub last: GivenValue,
    /// The values whose place it took, the last one first.
    pub replaces: Vec<GivenValue>,
}

/// A value and the place that gives it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GivenValue {
    /// The value; null also if only code could tell.
    pub value: Value,
    /// `default` if it is that of the schema, else `values`.
    pub origin: &'static str,
    /// Where it is written.
    pub place: FilePart,
}

/// Which schema governs a file, and why.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SchemaExplanation {
    /// The version of this form.
    #[serde(rename = "version")]
    pub form: u32,
    /// The file, and which text of it this is about.
    pub document: DocumentVersion,
    /// The schemas that govern the file as a whole.
    pub schemas: Vec<GoverningSchema>,
    /// The parts that are governed by schemas of their own.
    pub parts: Vec<GovernedPart>,
    /// Why, in a sentence or two.
    pub reason: String,
    /// The input sets that the file is a part of.
    pub sets: Vec<String>,
}

/// A schema that governs a file.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GoverningSchema {
    /// Its files.
    pub files: Vec<String>,
    /// What it is if it is part of the program, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub built_in: Option<String>,
    /// The input set in which it governs the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<String>,
}

/// A part of a file with a schema of its own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct GovernedPart {
    /// The path of the part, or `document 2`.
    pub at: String,
    /// Which schema, and why.
    pub reason: String,
}

impl Snapshot {
    /// Which schema governs the file, and why.
    pub fn explain(&self) -> SchemaExplanation {
        let found = lofting_ide::explain(&self.inner, self.file);
        let schema = |schema: lofting_ide::GoverningFiles| GoverningSchema {
            files: schema.files.into_iter().map(|file| self.name_of(file)).collect(),
            built_in: schema.built_in,
            set: schema.set,
        };
        let part = |(at, reason, _): (String, String, FileId)| GovernedPart { at, reason };
        SchemaExplanation {
            form: VERSION,
            document: self.document(),
            schemas: found.schemas().into_iter().map(schema).collect(),
            parts: found.governed_parts().into_iter().map(part).collect(),
            reason: found.reason(),
            sets: self.inner.named_sets(self.file),
        }
    }

    /// What is known about what is at a line and column (from 1).
    ///
    /// # Errors
    ///
    /// There is no such place, or nothing is known about it.
    pub fn explain_at(&self, line: u32, column: u32) -> Result<Explanation, Problem> {
        let offset = self.byte(line, column)?;
        let hover = lofting_ide::hover(&self.inner, self.file, offset, Markup::Plain);
        let value = lofting_ide::value_at(&self.inner, self.file, offset);
        if hover.is_none() && value.is_none() {
            let name = &self.name;
            return Err(Problem::NothingThere(format!("{name}:{line}:{column}: nothing is known about this place")));
        }
        let mut answer = self.explanation(value);
        if let Some(hover) = hover {
            let text = self.inner.text(self.file);
            answer.range = answer.range.or_else(|| Some(self.encoding.range(&text, hover.range)));
            answer.text = Some(hover.text.into_string());
        }
        Ok(answer)
    }

    /// What is known about the value at a path, `service.ports[0].port`, whether or not it is written. `document`: the number of the
    /// document in the file, from 0; None for the first one that has it or may have it.
    ///
    /// # Errors
    ///
    /// Nothing is known about it.
    pub fn explain_path(&self, path: &str, document: Option<usize>) -> Result<Explanation, Problem> {
        let value = lofting_ide::value_at_path(&self.inner, self.file, path, document);
        let value = value.ok_or_else(|| {
            Problem::NothingThere(format!(
                "{}: nothing is known about `{path}`: no value and no schema has it",
                self.name
            ))
        })?;
        let start = value.range.as_ref().map(|range| range.start);
        let hover = start.and_then(|start| lofting_ide::hover(&self.inner, self.file, start, Markup::Plain));
        let mut answer = self.explanation(Some(value));
        answer.text = hover.map(|hover| hover.text.into_string());
        Ok(answer)
    }

    fn explanation(&self, value: Option<ValueAt>) -> Explanation {
        let mut answer = Explanation {
            form: VERSION,
            document: self.document(),
            position_encoding: self.encoding,
            path: None,
            range: None,
            text: None,
            written: None,
            schemas: Vec::new(),
            final_values: Vec::new(),
        };
        let Some(value) = value else { return answer };
        let text = self.inner.text(self.file);
        answer.path = Some(value.path);
        answer.range = value.range.map(|range| self.encoding.range(&text, range));
        answer.written = value.written.as_ref().map(json);
        answer.schemas = value.described.into_iter().map(|node| self.schema_node(node)).collect();
        answer.final_values = value.finals.into_iter().filter_map(|one| self.final_value(one)).collect();
        answer
    }

    fn schema_node(&self, node: DescribedBy) -> SchemaNode {
        let declared = node.declared.map(|span: Span| self.place(self.inner.placed(span)));
        SchemaNode {
            kind: node.kind,
            required: node.required,
            schema: json(&node.json_schema),
            declared: SchemaPlace { declared, built_in: node.built_in },
        }
    }

    fn final_value(&self, one: lofting_ide::FinalValue) -> Option<FinalValue> {
        let given = |layer: Layer| GivenValue {
            value: json(&layer.value),
            origin: if layer.is_default { "default" } else { "values" },
            place: self.place(layer.place),
        };
        let mut layers = one.layers.into_iter().map(given);
        Some(FinalValue {
            set: one.set,
            with: one.with.map(|file| self.name_of(file)),
            known: one.known,
            last: layers.next()?,
            replaces: layers.collect(),
        })
    }
}
