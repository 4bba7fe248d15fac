//! OpenChoreo: documents of a platform whose types contain schemas for values in other documents.
//!
//! Its schemas are written in OpenAPI (`openAPIV3Schema`, all releases since 1.0) or in a shorthand (before). The
//! shorthand is converted into the same schema in OpenAPI, so that one reader serves both. Documents are recognised by
//! their API group; a type is found by its kind and name, and by its namespace if both sides give one.

mod allowed;
mod authored;
mod cel;
mod claims;
mod definitions;
mod generations;
mod kinds;
mod notation;
mod other_form;
pub mod rules;
pub mod shorthand;
mod structure;
mod templates;

use crate::inside::{FieldUse, Inside, NamedInside, Own, TextPlace, TextReader, TextsAt};
use crate::json_schema::{self, Exclusive, Flavour, References, UnknownKeys};
use crate::{
    Claim, Dialect, Earlier, Fault, FileView, Marks, NewKey, OwnNotation, Read, ReadsSchemas, ReadsTexts, Recognises,
    Role, SchemaPart, WrittenIn,
};
use claims::Form;
pub(crate) use claims::{has_expressions, templates};
pub(crate) use kinds::kind;
pub use kinds::{VERSION, has_kind, kinds};
use lofting_diagnostic::{Diagnostic, Rule};
use lofting_document::{Key, Node, NodeValue, Span};
use lofting_overlay::Functions;
use lofting_schema::semantics::{Defaults, Filled, NullPart, Required, Substitution, UnreadKeys, UnreadPatterns};
use lofting_schema::{PatternDialect, Schema, Semantics, Step};
use lofting_syntax::{Document, Item, Tree};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The language.
pub struct OpenChoreo;

/// How values are compared: defaults are added first, then types and bounds are checked as in Kubernetes.
pub static SEMANTICS: Semantics = IN_OPENAPI;

/// For schemas in shorthand, whose defaults are checked when the document is submitted.
static OF_SHORTHAND: Semantics = IN_SHORTHAND;

/// For values that the platform sets for a workflow. It reads these keys itself and can do without some of them.
static OF_SYSTEM: Semantics = Semantics { required: Required::Never, ..IN_SHORTHAND };

const IN_SHORTHAND: Semantics = Semantics { defaults: Defaults::Whole, ..IN_OPENAPI };

const IN_OPENAPI: Semantics = Semantics {
    family: "openchoreo",
    unread_patterns: UnreadPatterns::Refuse,
    unread: UnreadKeys::Ignored,
    defaults: Defaults::WholeWhenFilled,
    null_part: NullPart::EmptyMap,
    filled: Filled::MissingAndNullWithDefault,
    substitution: Substitution::Never,
    ..Semantics::KUBERNETES
};

/// OpenAPI 3.0 as Kubernetes decodes it: booleans for exclusive bounds, references only within the schema, no unknown
/// keywords.
const FLAVOUR: Flavour = Flavour {
    exclusive: Exclusive::Flags,
    references: References::Definitions,
    unknown_keys: UnknownKeys::Unread,
    patterns: PatternDialect::Re2,
    nullable: true,
    quantities: false,
    judged: None,
    keywords: Some(KEYWORDS),
};

/// The keywords that are supported, besides those that begin with `x-`.
const KEYWORDS: &[&str] = &[
    "$ref",
    "$defs",
    "description",
    "type",
    "format",
    "title",
    "default",
    "maximum",
    "exclusiveMaximum",
    "minimum",
    "exclusiveMinimum",
    "maxLength",
    "minLength",
    "pattern",
    "maxItems",
    "minItems",
    "uniqueItems",
    "multipleOf",
    "enum",
    "maxProperties",
    "minProperties",
    "required",
    "items",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "properties",
    "additionalProperties",
    "definitions",
    "externalDocs",
    "example",
    "nullable",
];

impl Dialect for OpenChoreo {
    fn name(&self) -> &'static str {
        SEMANTICS.family
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::RULES
    }

    fn texts(&self) -> Option<&dyn ReadsTexts> {
        Some(self)
    }
}

impl Recognises for OpenChoreo {
    fn marks(&self) -> Marks {
        // In JSON, slashes may be escaped, so the group is looked for without its slash. Before 1.0, schemas are below
        // `schema`, which may be quoted.
        Marks { claim: &[claims::GROUP_NAME], schema: &[claims::OPENAPI, claims::SHORTHAND, claims::SCHEMA] }
    }

    fn claims_in(&self, document: &Document<'_>, number: usize) -> Vec<Claim> {
        claims::claims(document, number)
    }

    fn reads_lists(&self) -> bool {
        true
    }

    fn claims_in_item(&self, item: &Item<'_>) -> Vec<Claim> {
        claims::claims_in_item(item)
    }

    fn section(&self, file: &dyn FileView) -> Option<Claim> {
        claims::section(file.tree())
    }

    fn limits(&self, kind: &str) -> bool {
        allowed::limits(kind)
    }

    fn lead(&self, named: &WrittenIn<'_>) -> Option<String> {
        allowed::lead(named)
    }

    fn beyond(&self, own: &WrittenIn<'_>, by: &WrittenIn<'_>) -> Vec<Diagnostic> {
        allowed::beyond(own, by)
    }
}

impl ReadsSchemas for OpenChoreo {
    fn read(&self, parts: &[SchemaPart<'_>], _: &dyn Functions) -> Read {
        let Some(written) = parts.first().and_then(written) else { return json_schema::anything(&SEMANTICS) };
        // What is doubtful in shorthand was found when it was read.
        let is_open_api = matches!(written.schema, Cow::Borrowed(_));
        let tree = parts.first().and_then(|part| part.tree);
        let authored = is_open_api.then(|| authored::look(&written.schema, tree));
        let (doubts, spoilt) = authored.map(|authored| (authored.found, authored.spoilt)).unwrap_or_default();
        // What no value can satisfy because of one mistake is reported in the schema, not at each value.
        let corrected = (!spoilt.is_empty()).then(|| authored::without(&written.schema, &spoilt));
        let content = corrected.as_ref().unwrap_or(&written.schema);
        let json_schema::Read { schema, faults } = json_schema::read(content, &FLAVOUR, written.semantics);
        let own = written.faults.iter().map(rules::shorthand_finding).chain(doubts);
        let faults = own.chain(faults.iter().map(rules::finding)).map(|found| Fault::Found(Box::new(found)));
        Read { schema, faults: faults.collect(), alone: Vec::new() }
    }

    fn notation(&self, claim: &[Step]) -> Option<Arc<Schema>> {
        if Form::at(claim) == Form::OpenApi { notation::openapi() } else { None }
    }

    fn written_out(&self, part: &SchemaPart<'_>) -> Option<Node> {
        json_schema::written_out(&written(part)?.schema)
    }

    fn in_own_notation(&self, part: &SchemaPart<'_>) -> Option<OwnNotation> {
        let key = part.claim.and_then(|claim| match &claim.role {
            Role::Schema(name) => claims::key_before_1_0(name.slot),
            _ => None,
        });
        let mut written = shorthand::write::write(&written(part)?.schema);
        let left_out = std::mem::take(&mut written.left_out);
        let left_out = left_out.into_iter().map(|left| (left.span, left.path, left.message)).collect();
        Some(OwnNotation { sections: written.sections(key.unwrap_or(claims::PARAMETERS)), left_out })
    }

    fn new_key(&self, tree: &Tree, declared: usize, key: &Key, value: &Node) -> Option<NewKey> {
        definitions::new_key(tree, declared, key, value)
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

impl ReadsTexts for OpenChoreo {
    fn inside(&self, file: &dyn FileView, own: &Own<'_>, place: &TextPlace<'_>) -> Option<Inside> {
        definitions::at(file, own, place).or_else(|| templates::at(file, own, place))
    }

    fn excluded(&self, file: &dyn FileView, place: &TextPlace<'_>) -> Vec<&'static str> {
        generations::excluded(file.tree(), place)
    }

    fn has_readers(&self) -> bool {
        true
    }

    fn text_reader(&self, own: &Own<'_>, at: &TextsAt<'_>) -> Option<TextReader> {
        definitions::reader(own, at).or_else(|| templates::reader(at))
    }

    fn findings(&self, file: &dyn FileView, own: &Own<'_>, earlier: &mut Earlier) -> Vec<Diagnostic> {
        earlier.with(|quiet| templates::findings(file, own, quiet))
    }

    fn named(&self, file: &dyn FileView, own: &Own<'_>, offset: usize) -> Option<NamedInside> {
        definitions::named(file, own, offset)
    }

    fn uses_of(&self, file: &dyn FileView, own: &Own<'_>, declared: Span) -> Vec<FieldUse> {
        let uses = templates::uses(file, own, None).into_iter();
        let uses = uses.filter(|used| used.declared.contains(&declared));
        uses.map(|used| FieldUse { range: used.range, is_word: used.form != templates::UseForm::Quoted }).collect()
    }

    fn other_forms(&self, file: &dyn FileView, own: &Own<'_>, offset: usize) -> Vec<&'static str> {
        other_form::titles(file, own, offset)
    }

    fn in_other_form(
        &self,
        file: &dyn FileView,
        own: &Own<'_>,
        offset: usize,
        title: &str,
    ) -> Option<Vec<(Range<usize>, String)>> {
        other_form::edits(file, own, offset, title)
    }
}

/// A schema in OpenAPI.
struct WrittenSchema<'n> {
    schema: Cow<'n, Node>,
    semantics: &'static Semantics,
    /// Faults of the shorthand from which it was converted.
    faults: Vec<shorthand::Fault>,
}

/// The schema of a part; None if the part does not exist.
fn written<'n>(part: &SchemaPart<'n>) -> Option<WrittenSchema<'n>> {
    let at = part.claim.map(|claim| claim.at.as_slice()).unwrap_or_default();
    let found = part.value()?;
    let form = Form::at(at);
    if form == Form::OpenApi {
        return Some(WrittenSchema { schema: Cow::Borrowed(found), semantics: &SEMANTICS, faults: Vec::new() });
    }
    let beside = at.split_last().map(|(_, above)| above).filter(|_| form == Form::Beside);
    let beside = beside.and_then(|above| above.iter().try_fold(&part.document.value, crate::claim::below));
    let types = beside.and_then(|beside| beside.get(&Key::from(shorthand::TYPES)));
    let others: Vec<&Node> = match beside.map(|beside| &beside.value) {
        Some(NodeValue::Map(items)) => items
            .iter()
            .filter(|item| item.key.as_str() != Some(shorthand::TYPES))
            .map(|item| &item.value)
            .filter(|value| !std::ptr::eq(*value, found))
            .collect(),
        _ => Vec::new(),
    };
    let section = shorthand::Section { fields: found, types, others: &others };
    let texts = shorthand::Texts { tree: part.tree, profile: SEMANTICS.profile };
    let (schema, faults) = shorthand::read(section, texts);
    let is_system = matches!(at.last(), Some(Step::Key(key)) if key.as_str() == Some(claims::SYSTEM));
    let semantics = if is_system { &OF_SYSTEM } else { &OF_SHORTHAND };
    Some(WrittenSchema { schema: Cow::Owned(schema), semantics, faults })
}
