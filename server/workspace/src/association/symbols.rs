//! Names in a file that can be searched for in the whole workspace: keys of schemas, functions, input sets, documents.

use crate::association::state::AssociationState;
use crate::files::file::File;
use crate::inputs::NameKind;
use lofting_dialect::Role;
use lofting_document::{Node, NodeValue, Span};
use lofting_memo::Weigh;
use std::sync::Arc;

/// Maximum number of symbols in a file.
const MAX_SYMBOLS: usize = 20_000;

/// Something that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSymbol {
    /// Its name; for a key, its path.
    pub name: String,
    /// Its kind.
    pub kind: NamedSymbolKind,
    /// The place of the name.
    pub span: Span,
}

/// The kinds of named things.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NamedSymbolKind {
    /// A key that a schema of data values declares.
    SchemaKey,
    /// A function of code.
    Function,
    /// An input set of a `lofting.toml`.
    InputSet,
    /// A document of this kind, which others refer to by name.
    Document(String),
}

/// The symbols of a file.
#[derive(Debug, Default)]
pub struct FileSymbols(Vec<NamedSymbol>);

impl FileSymbols {
    /// Each of them, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &NamedSymbol> {
        self.0.iter()
    }
}

impl Weigh for FileSymbols {
    fn weight(&self) -> usize {
        self.0.iter().map(|symbol| size_of::<NamedSymbol>() + symbol.name.len()).sum()
    }
}

/// The symbols in a file; `None` if it cannot have any.
pub(crate) fn named_symbols(state: &AssociationState, file: &Arc<File>) -> Option<Arc<FileSymbols>> {
    let file = Some(file).filter(|file| may_have_symbols(file))?;
    let inputs = state.inputs([file.revision]).passing(file.is_open());
    Some(state.memos.symbols.get(file.id, &inputs, || {
        // Data read only for this is not kept.
        if file.is_open() { symbols(file) } else { symbols(&file.unread()) }
    }))
}

fn may_have_symbols(file: &Arc<File>) -> bool {
    let facts = &file.facts;
    let is_code = matches!(NameKind::of_path(&file.path), NameKind::Starlark);
    file.exists() && (facts.ytt || facts.parts || is_code || file.is_configuration())
}

fn symbols(file: &File) -> FileSymbols {
    let mut found = Vec::new();
    if file.is_configuration() {
        let sets = file.config().sets.iter();
        found.extend(sets.map(|set| NamedSymbol {
            name: set.name.clone(),
            kind: NamedSymbolKind::InputSet,
            span: Span::new(file.id, set.name_range.clone()),
        }));
        return FileSymbols(found);
    }
    found.extend(file.code().functions.iter().filter(|function| !function.name.is_empty()).map(|function| {
        NamedSymbol {
            name: function.name.clone(),
            kind: NamedSymbolKind::Function,
            span: Span::new(file.id, function.name_range.clone()),
        }
    }));
    for claim in file.claims().iter().flat_map(|claims| claims.iter()) {
        // A claim for all parts of a document has no name of its own.
        if let Role::Name(name) = claim.role
            && !name.name.ends_with('/')
        {
            found.push(NamedSymbol {
                name: name.name.to_string(),
                kind: NamedSymbolKind::Document(name.kind.to_string()),
                span: Span::new(file.id, claim.key),
            });
        }
    }
    if file.facts.schema {
        for document in file.lowered().documents.iter().filter(|document| document.is_schema()) {
            keys(&document.value, "", &mut found);
        }
    }
    found.truncate(MAX_SYMBOLS);
    FileSymbols(found)
}

/// The keys below a node, by path. Document trees have bounded depth, and so has this recursion.
fn keys(node: &Node, path: &str, found: &mut Vec<NamedSymbol>) {
    match &node.value {
        NodeValue::Map(items) => {
            for item in items.iter() {
                if found.len() >= MAX_SYMBOLS {
                    return;
                }
                let name = if path.is_empty() { item.key.to_string() } else { format!("{path}.{}", item.key) };
                if !item.merged {
                    found.push(NamedSymbol {
                        name: name.clone(),
                        kind: NamedSymbolKind::SchemaKey,
                        span: item.key_span,
                    });
                }
                keys(&item.value, &name, found);
            }
        }
        NodeValue::Array(items) => {
            items.iter().take(1).for_each(|item| keys(&item.value, &format!("{path}[]"), found));
        }
        _ => {}
    }
}
