//! JSON Schema as a language of its own: a schema is a whole file, which other files name.

use super::drafts::UnknownDraft;
use super::linked::{Alone, Documents, read_linked, read_whole};
use super::resources::Source;
use super::{Exclusive, Flavour, References, UnknownKeys, authoring, rules};
use crate::{
    Claim, Dialect, Fault, FileView, Marks, NewKey, Read, ReadsSchemas, Recognises, Role, SchemaName, SchemaPart,
    WrittenSteps,
};
use lofting_diagnostic::Rule;
use lofting_document::{Key, Node, Span};
use lofting_overlay::Functions;
use lofting_schema::{PatternDialect, Semantics};
use lofting_syntax::Tree;
use rustc_hash::FxHashSet;

/// The language.
pub struct JsonSchema;

/// How values are compared: as the JSON document that a YAML document stands for.
pub static SEMANTICS: Semantics = Semantics::JSON;

/// All drafts; `$schema` tells which one is used.
pub(super) const FLAVOUR: Flavour = Flavour {
    exclusive: Exclusive::Numbers,
    references: References::ByLocation,
    unknown_keys: UnknownKeys::Fine,
    patterns: PatternDialect::Ecma,
    nullable: false,
    quantities: false,
    judged: None,
    keywords: None,
};

impl Dialect for JsonSchema {
    fn name(&self) -> &'static str {
        SEMANTICS.family
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::RULES
    }
}

impl Recognises for JsonSchema {
    fn marks(&self) -> Marks {
        Marks { claim: &[], schema: &[] }
    }

    fn section(&self, file: &dyn FileView) -> Option<Claim> {
        let root = WrittenSteps::root(file.tree().documents().next()?.root()?, SEMANTICS.profile);
        let name = SchemaName { kind: "".into(), name: "".into(), namespace: None, slot: "" };
        Some(root.claim(0, Role::Schema(name)))
    }
}

impl ReadsSchemas for JsonSchema {
    fn read(&self, parts: &[SchemaPart<'_>], _: &dyn Functions) -> Read {
        self.read_linked(parts, "", &Alone)
    }

    fn read_linked(&self, parts: &[SchemaPart<'_>], uri: &str, documents: &dyn Documents) -> Read {
        let Some(part) = parts.first() else { return super::anything(&SEMANTICS) };
        let linked = read_linked(uri, &part.document.value, &FLAVOUR, &SEMANTICS, documents);
        let faults = linked.read.faults.iter().map(|fault| Fault::Found(Box::new(rules::finding(fault))));
        Read { schema: linked.read.schema, faults: faults.collect(), alone: Vec::new() }
    }

    fn read_whole(&self, parts: &[SchemaPart<'_>], uri: &str, documents: &dyn Documents) -> Read {
        let Some(part) = parts.first() else { return super::anything(&SEMANTICS) };
        let root = &part.document.value;
        let linked = read_whole(uri, root, &FLAVOUR, &SEMANTICS, documents);
        let source = |uri, root| Source { uri, root, joins_references: documents.joins_references(uri) };
        let others = linked.documents.iter().map(|(uri, document)| source(uri, &document.value));
        let sources: Vec<Source<'_>> = std::iter::once(source(uri, root)).chain(others).collect();
        let mut found = authoring::findings(&sources, part.tree);
        // What keywords of an earlier draft mean is not known.
        if authoring::unknown_draft(root) == Some(UnknownDraft::Earlier) {
            let faults = found.into_iter().map(|finding| Fault::Found(Box::new(finding)));
            return Read { faults: faults.collect(), ..super::anything(&SEMANTICS) };
        }
        let known: FxHashSet<Span> = found.iter().map(|finding| finding.span).collect();
        // What the reader notices as well is reported once.
        let read = linked.read.faults.iter().map(rules::finding);
        found.extend(read.filter(|finding| !known.contains(&finding.span)));
        let faults = found.into_iter().map(|finding| Fault::Found(Box::new(finding)));
        Read { schema: linked.read.schema, faults: faults.collect(), alone: Vec::new() }
    }

    fn new_key(&self, _: &Tree, _: usize, _: &Key, value: &Node) -> Option<NewKey> {
        Some(super::from_example::new_key(value))
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}
