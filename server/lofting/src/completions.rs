//! What can be inserted at a place.

use lofting_ide::{CompletionItem, CompletionOptions, ItemKind, Markup};
use schemars::JsonSchema;
use serde::Serialize;

use crate::place::Edit;
use crate::{DocumentVersion, PositionEncoding, Problem, Snapshot, VERSION};

/// What can be inserted at a place.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Completions {
    /// The version of this form.
    #[serde(rename = "version")]
    pub form: u32,
    /// The file, and which text of it this is about.
    pub document: DocumentVersion,
    /// What columns count.
    pub position_encoding: PositionEncoding,
    /// The items, best first.
    pub items: Vec<Completion>,
    /// How many further ones there are.
    pub hidden: usize,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Completion {
    /// Its name.
    pub label: String,
    /// `key`, `value`, `item`, `keys` (several at once), `alias`, `annotation`, `keyword`, `function`, `variable`, `module`,
    /// `file` or `type`.
    pub kind: &'static str,
    /// Type or origin, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// What it means, as plain text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub documentation: Option<String>,
    /// It should no longer be used.
    pub deprecated: bool,
    /// What it changes; the first edit is at the place.
    pub edits: Vec<Edit>,
}

impl Snapshot {
    /// What can be inserted at a line and column (from 1), up to a number of items.
    ///
    /// # Errors
    ///
    /// There is no such place.
    pub fn complete(&self, line: u32, column: u32, most: usize) -> Result<Completions, Problem> {
        let offset = self.byte(line, column)?;
        let options = CompletionOptions { snippets: false, unasked: false };
        let mut items = lofting_ide::completion(&self.inner, self.file, offset, &options);
        items.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
        let hidden = items.len().saturating_sub(most);
        items.truncate(most);
        let items = items.into_iter().map(|item| self.completion(item)).collect();
        let (document, position_encoding) = (self.document(), self.encoding);
        Ok(Completions { form: VERSION, document, position_encoding, items, hidden })
    }

    fn completion(&self, item: CompletionItem) -> Completion {
        let documentation = item.documentation(&self.inner, Markup::Plain).map(|text| text.into_string());
        let text = self.inner.text(self.file);
        let edits = std::iter::once(item.edit).chain(item.additional_edits).map(|(range, new)| Edit {
            file: self.name.clone(),
            range: self.encoding.range(&text, range),
            text: new,
        });
        Completion {
            label: item.label,
            kind: kind(item.kind),
            detail: item.detail,
            documentation,
            deprecated: item.deprecated,
            edits: edits.collect(),
        }
    }
}

fn kind(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Key => "key",
        ItemKind::Value | ItemKind::EnumMember | ItemKind::Constant => "value",
        ItemKind::Item => "item",
        ItemKind::Snippet => "keys",
        ItemKind::Alias => "alias",
        ItemKind::Annotation => "annotation",
        ItemKind::Keyword => "keyword",
        ItemKind::Function => "function",
        ItemKind::Variable => "variable",
        ItemKind::Module => "module",
        ItemKind::File => "file",
        ItemKind::Type => "type",
    }
}
