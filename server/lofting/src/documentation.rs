//! All that a schema says, value by value: what its documentation is written from.

use std::collections::HashMap;

use lofting_document::Span;
use lofting_ide::{SchemaPart, Users};
use lofting_schema::export;
use lofting_workspace::CancelFlag;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

#[cfg(test)]
mod tests;

use crate::value::json;
use crate::{DocumentVersion, Problem, Snapshot, VERSION};

/// Which part of a schema to document.
#[derive(Debug, Clone, Default)]
pub struct DocumentationChoice {
    /// The path of the value to begin with, `spec.template` or `ports[]`; empty for the document.
    pub below: String,
    /// The number of the document in the file, from 0; None for all whose schemas are in the file, or else for the first one
    /// that a schema governs.
    pub document: Option<usize>,
}

/// All that a schema says.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Documentation {
    /// The version of this form.
    #[serde(rename = "version")]
    pub form: u32,
    /// The file, and which text of it this is about.
    pub document: DocumentVersion,
    /// The path that it begins with; empty for the document.
    pub below: String,
    /// A short name of the whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What the schema says about the whole. It may be Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The values that it declares, each after the one that contains it. Of several schemas in one file, each has an entry that
    /// contains its values.
    pub entries: Vec<DocumentedValue>,
    /// No value was left out: schemas with more than 20,000 are cut.
    pub complete: bool,
}

/// A value that a schema declares.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DocumentedValue {
    /// The path: keys joined by dots, `[]` for items, `*` for undeclared keys and `/…/` for those that match a pattern. What
    /// would mean one of these in a key has a backslash before it. Unique.
    pub path: String,
    /// The last step of the path.
    pub name: String,
    /// How many of the values contain it.
    pub depth: usize,
    /// The type in words: `integer or null`.
    #[serde(rename = "type")]
    pub kind: String,
    /// It has to be given.
    pub required: bool,
    /// The value if none is given; absent if there is none, or if only code can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<DocumentedExample>,
    /// The allowed values, if only some are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<DocumentedExample>,
    /// Ranges, lengths, patterns and formats in words: `at least 1`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub bounds: Vec<String>,
    /// The descriptions of rules in code.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<String>,
    /// A short name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// What it means. It may be Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Examples.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<DocumentedExample>,
    /// It should no longer be used: what to use instead, which may be empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<String>,
    /// The path of the value above it with the same keys, which are not listed again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// The file and line (from 1) of its declaration; absent if it is part of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<DeclaredAt>,
    /// The files that set it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_in: Vec<String>,
    /// The templates and libraries whose code reads it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_in: Vec<String>,
}

/// A value in the documentation.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DocumentedExample {
    /// The value.
    pub value: Value,
    /// The value in YAML, without a line feed at the end.
    pub yaml: String,
    /// The value on one line of YAML: strings in double quotes, maps and arrays in flow style.
    pub line: String,
    /// What it means or shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// Where a value is declared.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct DeclaredAt {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
}

impl Snapshot {
    /// All that the schema in the file says, or the one that governs it.
    ///
    /// # Errors
    ///
    /// There is no schema, or it says nothing about the path.
    pub fn documentation(&self, choice: &DocumentationChoice) -> Result<Documentation, Problem> {
        let users = lofting_ide::users_of_keys(&self.inner, &CancelFlag::new());
        let parts = lofting_ide::schema_parts(&self.inner, self.file, choice.document);
        if parts.len() > 1 && choice.below.is_empty() {
            return Ok(self.of_parts(&parts, &users));
        }
        let found = lofting_ide::schema_nodes(&self.inner, self.file, &choice.below, choice.document);
        let (schema, nodes) = found.ok_or_else(|| {
            let place = if choice.below.is_empty() { String::new() } else { format!(" about `{}`", choice.below) };
            Problem::NothingThere(format!("{}: no schema says anything{place}", self.name))
        })?;
        let export::DeclaredValues { root, values, is_cut } = export::declared_values(&schema, &nodes);
        let owned = |text: Option<&str>| text.map(str::to_owned);
        Ok(Documentation {
            form: VERSION,
            document: self.document(),
            below: choice.below.clone(),
            title: owned(root.as_ref().and_then(|root| root.title)),
            description: owned(root.as_ref().and_then(|root| root.description)),
            entries: values.into_iter().map(|value| self.documented(value, &users)).collect(),
            complete: !is_cut,
        })
    }

    /// What several schemas of the file say, each below an entry of its own.
    fn of_parts(&self, parts: &[SchemaPart], users: &HashMap<Span, Users>) -> Documentation {
        let (mut entries, mut complete) = (Vec::new(), true);
        for part in parts {
            let schema = &part.schema;
            let export::DeclaredValues { root, values, is_cut } = export::declared_values(schema, &[schema.root()]);
            complete &= !is_cut;
            let Some(root) = root else { continue };
            let whole = self.documented(root, users);
            entries.push(DocumentedValue { path: part.name.clone(), name: part.name.clone(), ..whole });
            let within = |path: &str| match path {
                "" => part.name.clone(),
                path => format!("{}.{path}", part.name),
            };
            entries.extend(values.into_iter().map(|value| {
                let value = self.documented(value, users);
                let (path, same_as) = (within(&value.path), value.same_as.as_deref().map(within));
                DocumentedValue { path, same_as, depth: value.depth + 1, ..value }
            }));
        }
        let (form, document) = (VERSION, self.document());
        Documentation { form, document, below: String::new(), title: None, description: None, entries, complete }
    }

    fn documented(&self, value: export::DeclaredValue<'_>, users: &HashMap<Span, Users>) -> DocumentedValue {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let users = users.get(&value.declared);
        let names = |files: Option<&Vec<_>>| -> Vec<String> {
            files.into_iter().flatten().map(|file| self.name_of(*file)).collect()
        };
        let is_declared = self.inner.is_file(value.declared.file);
        let declared = is_declared.then(|| self.place(self.inner.placed(value.declared)));
        DocumentedValue {
            path: value.path,
            name: value.name,
            depth: value.depth,
            kind: value.types,
            required: value.required,
            default: value.default.map(|one| example(&one, None)),
            allowed: value.allowed.into_iter().map(|(one, meaning)| example(one, meaning)).collect(),
            bounds: value.bounds,
            rules: value.rules.into_iter().map(str::to_owned).collect(),
            title: owned(value.title),
            description: owned(value.description),
            examples: value.examples.into_iter().map(|(one, shows)| example(one, Some(shows))).collect(),
            deprecated: owned(value.deprecated),
            same_as: value.same_as,
            declared: declared.map(|place| DeclaredAt { file: place.file, line: place.range.start.line }),
            set_in: names(users.map(|users| &users.values)),
            read_in: names(users.map(|users| &users.code)),
        }
    }
}

fn example(value: &lofting_document::Node, description: Option<&str>) -> DocumentedExample {
    let description = description.filter(|text| !text.is_empty()).map(str::to_owned);
    let yaml = lofting_document::write::yaml_document(value);
    let line = lofting_schema::words::literal(value);
    DocumentedExample { value: json(value), yaml: yaml.trim_end().to_owned(), line, description }
}
