//! Names in a file that can be searched for in the whole workspace: keys of schemas, functions, input sets, documents.

use crate::association::state::AssociationState;
use crate::files::file::File;
use crate::inputs::NameKind;
use lofting_dialect::Role;
use lofting_document::{Node, NodeValue, Span};
use lofting_memo::Weigh;
use lofting_schema::Step;
use lofting_syntax::{Tree, Value};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::ops::Range;
use std::sync::Arc;

/// How many keys of a map are looked at for a name.
const KEYS: usize = 500;

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
    file.exists() && (facts.ytt || facts.parts || facts.known_parts || is_code || file.is_configuration())
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
    documents(file, &mut found);
    if file.facts.schema {
        for document in file.lowered().documents.iter().filter(|document| document.is_schema()) {
            keys(&document.value, "", &mut found);
        }
    }
    found.truncate(MAX_SYMBOLS);
    FileSymbols(found)
}

/// The names of documents and of resources in lists, whether or not others can refer to them.
fn documents(file: &File, found: &mut Vec<NamedSymbol>) {
    let mut known: FxHashSet<usize> = FxHashSet::default();
    let mut others: Vec<(SmolStr, Span, String)> = Vec::new();
    for claim in file.claims().iter().flat_map(|claims| claims.iter()) {
        if found.len() + others.len() >= MAX_SYMBOLS {
            break;
        }
        match claim.role {
            // A claim for all parts of a document has no name of its own.
            Role::Name(name) if !name.name.ends_with('/') => {
                known.insert(claim.key.start);
                found.push(NamedSymbol {
                    name: name.name.to_string(),
                    kind: NamedSymbolKind::Document(name.kind.to_string()),
                    span: Span::new(file.id, claim.key),
                });
            }
            Role::Instance(of) if !of.kind.is_empty() => {
                lofting_memo::step();
                let named = name_at(file.tree(), claim.key.start, &claim.path());
                others.extend(named.map(|(name, range)| (of.kind.clone(), Span::new(file.id, range), name)));
            }
            _ => {}
        }
    }
    // A name in quotes is known without them.
    let is_known = |span: &Span| [span.range().start, span.range().start + 1].iter().any(|start| known.contains(start));
    let others = others.into_iter().filter(|(_, span, _)| !is_known(span));
    found.extend(others.map(|(kind, span, name)| NamedSymbol {
        name,
        kind: NamedSymbolKind::Document(kind.to_string()),
        span,
    }));
}

/// The name in the metadata of the value at the end of a path, in the document at an offset.
fn name_at(tree: &Tree, offset: usize, at: &[Step]) -> Option<(String, Range<usize>)> {
    let (_, document) = tree.document_at(offset)?;
    let mut value = document.root()?;
    for step in at {
        value = match step {
            Step::Key(key) => below(value, key.as_str()?)?,
            Step::Index(index) => value.seq()?.item(*index)?.value(),
            Step::Item | Step::Nowhere => return None,
        };
    }
    let name = below(below(value, "metadata")?, "name")?.scalar()?;
    let text = name.value().into_owned();
    (!text.is_empty()).then(|| (text, name.range()))
}

fn below<'t>(value: Value<'t>, key: &str) -> Option<Value<'t>> {
    let mut entries = value.map()?.entries().take(KEYS);
    entries.find(|entry| entry.is_named(key)).map(|entry| entry.value())
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
