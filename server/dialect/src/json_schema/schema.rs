//! Builds nodes from keywords.

use super::authoring::is_type;
use super::discriminator::Discriminator;
use super::keywords::{Fault, fault, is_factor, length, no_schema, refused};
use super::locations::Locations;
use super::references::{Definitions, span_of};
use super::resources::Source;
use super::{Exclusive, Flavour, References, UnknownKeys};
use lofting_document::{Key, MapItem, Node, NodeValue, Span};
use lofting_schema::{
    Access, ArrayShape, Clause, Constraint, ConstraintKind, Declared, DeclaredKey, DefaultValue, Docs, Example, Facet,
    Kinds, MapShape, Pattern, Rest, SchemaId, SchemaNode, Text,
};

/// Definitions that refer to others several times grow with every level. Beyond this number of nodes, the rest is
/// unknown.
pub(super) const NODES: usize = 200_000;

/// The maximum depth of schemas that are read.
const DEPTH: usize = 200;

/// Reads the schemas of one document and of those it refers to.
pub(super) struct JsonSchemaReader<'n> {
    pub(super) flavour: &'n Flavour,
    definitions: Definitions<'n>,
    /// The targets of references, if references share nodes.
    pub(super) locations: Option<Locations<'n>>,
    pub(super) nodes: Vec<SchemaNode>,
    pub(super) faults: Vec<Fault>,
    depth: usize,
}

/// The keywords of a schema by name.
pub(super) struct Keywords<'n>(pub Vec<&'n MapItem>);

impl<'n> Keywords<'n> {
    pub fn get(&self, keyword: &str) -> Option<&'n Node> {
        self.item(keyword).map(|item| &item.value)
    }

    fn item(&self, keyword: &str) -> Option<&'n MapItem> {
        self.0.iter().copied().find(|item| item.key.as_str() == Some(keyword))
    }

    pub fn text(&self, keyword: &str) -> Option<Text> {
        match self.get(keyword)? {
            Node { value: NodeValue::String(text), span, .. } => Some(Text { text: text.to_string(), span: *span }),
            _ => None,
        }
    }

    pub fn flag(&self, keyword: &str) -> bool {
        matches!(self.get(keyword).map(|value| &value.value), Some(NodeValue::Bool(true)))
    }

    pub fn items(&self, keyword: &str) -> &'n [MapItem] {
        match self.get(keyword).map(|value| &value.value) {
            Some(NodeValue::Map(items)) => items,
            _ => &[],
        }
    }

    pub fn list(&self, keyword: &str) -> Vec<&'n Node> {
        match self.get(keyword).map(|value| &value.value) {
            Some(NodeValue::Array(items)) => items.iter().map(|item| &item.value).collect(),
            _ => Vec::new(),
        }
    }

    pub fn has(&self, keywords: &[&str]) -> bool {
        keywords.iter().any(|keyword| self.get(keyword).is_some())
    }
}

impl<'n> JsonSchemaReader<'n> {
    pub fn new(root: &'n Node, flavour: &'n Flavour) -> Self {
        let definitions = Definitions::of(root);
        JsonSchemaReader { flavour, definitions, locations: None, nodes: Vec::new(), faults: Vec::new(), depth: 0 }
    }

    /// A reader for the first of several documents that refer to each other.
    pub fn linked(sources: &[Source<'n>], root: &'n Node, flavour: &'n Flavour) -> Self {
        JsonSchemaReader { locations: Some(Locations::of(sources)), ..JsonSchemaReader::new(root, flavour) }
    }

    /// The nodes, the faults, and the missing documents.
    pub fn finish(self) -> (Vec<SchemaNode>, Vec<Fault>, Vec<String>) {
        let wanted = self.locations.map(Locations::wanted).unwrap_or_default();
        (self.nodes, self.faults, wanted)
    }

    pub fn has_exclusive_flags(&self) -> bool {
        self.flavour.exclusive == Exclusive::Flags
    }

    pub fn keywords(&self) -> Option<&'static [&'static str]> {
        self.flavour.keywords
    }

    /// Whether references share the nodes that they lead to.
    pub fn shares_nodes(&self) -> bool {
        self.flavour.references == References::ByLocation
    }

    /// A regular expression of the flavour.
    pub fn pattern(&self, text: &str) -> Pattern {
        Pattern::new(text, self.flavour.patterns)
    }

    /// The keyword that takes null as well.
    fn nullable(&self) -> Option<&'static str> {
        let of_flavour = self.flavour.nullable.then_some("nullable");
        of_flavour.or_else(|| self.locations.as_ref()?.vocabulary().nullable)
    }

    pub(super) fn add(&mut self, node: SchemaNode) -> SchemaId {
        let id = SchemaId(self.nodes.len() as u32);
        self.nodes.push(node);
        id
    }

    /// Reads the schema in a value.
    pub fn node(&mut self, value: &'n Node, declared: Declared) -> SchemaId {
        lofting_memo::step();
        if self.shares_nodes() {
            return self.shared(value, declared);
        }
        let unknown = SchemaNode::new(Facet::Unknown, declared);
        match &value.value {
            NodeValue::Map(_) if self.nodes.len() < NODES && self.depth < DEPTH => {}
            NodeValue::Map(_) | NodeValue::Unknown => return self.add(unknown),
            _ => {
                // A missing value is still being typed.
                if !value.missing {
                    self.faults.push(no_schema(value));
                }
                return self.add(unknown);
            }
        }
        let resolved = self.definitions.resolve(value, &mut self.faults);
        let id = if resolved.broken {
            self.add(unknown)
        } else {
            self.depth += 1;
            let node = self.of_keywords(&Keywords(resolved.items), declared);
            self.depth -= 1;
            self.add(node)
        };
        self.definitions.leave(resolved.entered);
        id
    }

    /// The node for a set of keywords.
    pub(super) fn of_keywords(&mut self, keywords: &Keywords<'n>, declared: Declared) -> SchemaNode {
        let before = self.faults.len();
        for item in &keywords.0 {
            let found = fault(self, item, keywords).into_iter().chain(refused(self, item));
            self.faults.extend(found);
        }
        let of_node = self.faults.get(before..).unwrap_or_default();
        if of_node.iter().any(|fault| fault.kind.hides_content()) {
            // What follows from that is not another mistake.
            return SchemaNode::new(Facet::Unknown, declared);
        }
        // Where keywords are known, so are types, and another one is reported where it is written.
        let is_unknown = |of: &Text| !of.text.is_empty() && !is_type(&of.text);
        if self.flavour.keywords.is_some() && keywords.text("type").as_ref().is_some_and(is_unknown) {
            return SchemaNode::new(Facet::Unknown, declared);
        }
        let mut node = SchemaNode::new(Facet::Any, declared);
        node.kinds = kinds(keywords);
        node.nullable = self.nullable().is_some_and(|keyword| keywords.flag(keyword)) && node.kinds != Kinds::ANY;
        node.docs = self.documentation(keywords).into();
        // The API server reads a null as if there were no default.
        let is_none = |value: &Node| value.missing || self.flavour.nullable && value.value == NodeValue::Null;
        if let Some(item) = keywords.item("default").filter(|item| !is_none(&item.value)) {
            let (value, keyword) = (item.value.clone(), Some(item.key_span));
            node.default = Some(Box::new(DefaultValue { span: value.span, value, explicit: true, keyword }));
        }
        let map = ["properties", "additionalProperties", "patternProperties", "required"];
        if node.kinds == Kinds::MAP || keywords.has(&map) {
            node.map = Some(Box::new(self.map(keywords)));
        }
        if node.kinds == Kinds::ARRAY || keywords.has(&["items", "prefixItems"]) {
            node.array = Some(Box::new(self.array(keywords, declared)));
        }
        self.bounds(keywords, &mut node);
        if self.shares_nodes() {
            super::editor::messages(keywords, &mut node);
        }
        self.clauses(keywords, &mut node);
        node
    }

    fn documentation(&self, keywords: &Keywords<'n>) -> Docs {
        let said = |text: Option<Text>| text.filter(|text| !text.text.is_empty());
        let (title, description) = (said(keywords.text("title")), said(keywords.text("description")));
        let mut docs = Docs { title, description, ..Docs::default() };
        let written_only = || keywords.flag("writeOnly").then_some(Access::WriteOnly);
        docs.access = keywords.flag("readOnly").then_some(Access::ReadOnly).or_else(written_only);
        if self.shares_nodes() {
            super::editor::read(keywords, &mut docs);
        }
        for value in keywords.get("example").into_iter().chain(keywords.list("examples")) {
            let example = Example { description: String::new(), value: value.clone(), span: value.span };
            docs.examples.push(example);
        }
        if self.shares_nodes() {
            let message = said(keywords.text("deprecationMessage"));
            let flag = keywords.get("deprecated").filter(|_| keywords.flag("deprecated"));
            let text = |value: &Node| Text { text: "it should not be used any more".to_owned(), span: value.span };
            docs.deprecated = message.or_else(|| flag.map(text));
        }
        docs
    }

    fn map(&mut self, keywords: &Keywords<'n>) -> MapShape {
        let mut keys: Vec<DeclaredKey> = Vec::new();
        for item in keywords.items("properties") {
            let declared = Declared { span: item.span, name: item.key_span };
            let schema = self.node(&item.value, declared);
            // Names of properties are strings, however they are written.
            let key = Key::String(item.key.to_string().into());
            keys.push(DeclaredKey { key, schema, required: false });
        }
        let mut patterns = Vec::new();
        for item in keywords.items("patternProperties") {
            let declared = Declared { span: item.span, name: item.key_span };
            let schema = self.node(&item.value, declared);
            patterns.push((Pattern::new(item.key.to_string(), self.flavour.patterns), schema));
        }
        let free = keywords.flag("x-kubernetes-preserve-unknown-fields") || keys.is_empty();
        let rest = match keywords.get("additionalProperties") {
            Some(Node { value: NodeValue::Bool(false), .. }) => Rest::Closed,
            Some(value) if matches!(value.value, NodeValue::Map(_)) || self.shares_nodes() => {
                let span = span_of(&keywords.0, "additionalProperties").unwrap_or(value.span);
                Rest::Schema(self.node(value, Declared { span, name: value.span }))
            }
            None if !free && self.flavour.unknown_keys == UnknownKeys::Unread => Rest::Unread,
            _ => Rest::Open,
        };
        let required = keywords.list("required").into_iter().filter_map(|name| match &name.value {
            NodeValue::String(name) => Some(Key::String(name.clone())),
            _ => None,
        });
        let required: Vec<Key> = required.collect();
        MapShape { patterns, rest, ..MapShape::closed(keys) }.requiring(required)
    }

    fn array(&mut self, keywords: &Keywords<'n>, declared: Declared) -> ArrayShape {
        let listed = |keyword| match keywords.get(keyword).map(|value| &value.value) {
            Some(NodeValue::Array(items)) => Some(items),
            _ => None,
        };
        // Up to 2019-09, `items` with a list is what 2020-12 calls `prefixItems`.
        let old = listed("items").filter(|_| self.shares_nodes());
        let rest = if old.is_some() { "additionalItems" } else { "items" };
        let mut prefix = Vec::new();
        for item in listed("prefixItems").or(old).into_iter().flatten() {
            prefix.push(self.node(&item.value, Declared { span: item.value.span, name: item.value.span }));
        }
        match keywords.get(rest) {
            Some(value) => {
                let span = span_of(&keywords.0, rest).unwrap_or(value.span);
                ArrayShape { prefix, ..ArrayShape::of(self.node(value, Declared { span, name: value.span })) }
            }
            None => {
                let item = self.add(SchemaNode::new(Facet::Any, declared));
                ArrayShape { prefix, item, open: true }
            }
        }
    }

    fn bounds(&mut self, keywords: &Keywords<'n>, node: &mut SchemaNode) {
        let bound = |keyword: &str| Some((keywords.get(keyword)?, span_of(&keywords.0, keyword)?));
        let mut add = |span: Span, kind| node.constraints.push(Constraint::new(kind, span));
        // For Kubernetes, an empty list is the same as none.
        let no_enum = self.flavour.exclusive == Exclusive::Flags && keywords.list("enum").is_empty();
        // Another value lists nothing, so it forbids nothing either.
        let is_list = |value: &Node| matches!(value.value, NodeValue::Array(_));
        if let Some((_, span)) = bound("enum").filter(|(value, _)| !no_enum && is_list(value)) {
            add(span, ConstraintKind::OneOf(keywords.list("enum").into_iter().cloned().collect()));
        }
        if let Some((value, span)) = bound("const") {
            add(span, ConstraintKind::OneOf(vec![value.clone()].into()));
        }
        let is_number = |value: &Node| matches!(value.value, NodeValue::Int(_) | NodeValue::Float(_));
        if let Some((value, span)) = bound("minimum").filter(|(value, _)| is_number(value)) {
            let exclusive = keywords.flag("exclusiveMinimum");
            let kind = if exclusive { ConstraintKind::ExclusiveMin } else { ConstraintKind::Min };
            add(span, kind(value.clone()));
        }
        if let Some((value, span)) = bound("maximum").filter(|(value, _)| is_number(value)) {
            let exclusive = keywords.flag("exclusiveMaximum");
            let kind = if exclusive { ConstraintKind::ExclusiveMax } else { ConstraintKind::Max };
            add(span, kind(value.clone()));
        }
        if let Some((value, span)) = bound("exclusiveMinimum").filter(|(value, _)| is_number(value)) {
            add(span, ConstraintKind::ExclusiveMin(value.clone()));
        }
        if let Some((value, span)) = bound("exclusiveMaximum").filter(|(value, _)| is_number(value)) {
            add(span, ConstraintKind::ExclusiveMax(value.clone()));
        }
        // Other languages refuse such a factor or length when they meet it, and this is reported.
        let accepts_faults = self.shares_nodes();
        let factor = bound("multipleOf").map(|(value, span)| (&value.value, span));
        match factor.filter(|(value, _)| !accepts_faults || is_factor(value)) {
            Some((NodeValue::Int(factor), span)) => add(span, ConstraintKind::MultipleOf(factor.get() as f64)),
            Some((NodeValue::Float(factor), span)) => add(span, ConstraintKind::MultipleOf(*factor)),
            _ => {}
        }
        if let (Some((_, span)), Some(text)) = (bound("pattern"), keywords.text("pattern")) {
            add(span, ConstraintKind::Pattern(Pattern::new(text.text, self.flavour.patterns)));
        }
        if let (Some((_, span)), Some(text)) = (bound("format"), keywords.text("format")) {
            let hint = self.locations.as_ref().is_some_and(|locations| !locations.vocabulary().formats);
            let kind = if hint { ConstraintKind::FormatHint } else { ConstraintKind::Format };
            add(span, kind(text.text));
        }
        if let (Some((_, span)), true) = (bound("uniqueItems"), keywords.flag("uniqueItems")) {
            add(span, ConstraintKind::UniqueItems);
        }
        let lengths = [
            (Kinds::STRING, "minLength", "maxLength"),
            (Kinds::ARRAY, "minItems", "maxItems"),
            (Kinds::MAP, "minProperties", "maxProperties"),
        ];
        for (kind, least, most) in lengths {
            // Nothing is shorter than nothing: such a length is a mistake, and would forbid every value.
            let counts = |number: &(i128, Span)| !accepts_faults || number.0 >= 0;
            let length =
                |keyword| bound(keyword).and_then(|(value, span)| Some((length(&value.value)?, span))).filter(counts);
            let least = length(least).map(|(number, span)| (ConstraintKind::MinLength(number), span));
            let most = length(most).map(|(number, span)| (ConstraintKind::MaxLength(number), span));
            // For a value of several kinds, a length applies to only one of them.
            let on = if node.kinds == kind { Kinds::ANY } else { kind };
            let found = least.into_iter().chain(most).filter(|_| node.kinds.has(kind));
            node.constraints.extend(found.map(|(kind, span)| Constraint { on, ..Constraint::new(kind, span) }));
        }
    }

    fn clauses(&mut self, keywords: &Keywords<'n>, node: &mut SchemaNode) {
        for (keyword, clause) in
            [("allOf", Clause::All as fn(Vec<SchemaId>) -> Clause), ("anyOf", Clause::Any), ("oneOf", Clause::One)]
        {
            let members = keywords.list(keyword);
            if members.is_empty() {
                continue;
            }
            let told = Discriminator::of(keywords, &members).filter(|_| keyword != "allOf" && self.shares_nodes());
            let read = |value: &'n Node| {
                let id = self.node(value, Declared { span: value.span, name: value.span });
                told.as_ref().map_or(id, |told| self.told_by(told, value, id))
            };
            node.clauses.push(clause(members.into_iter().map(read).collect()));
        }
        if let Some(value) = keywords.get("not") {
            let not = self.node(value, Declared { span: value.span, name: value.span });
            node.clauses.push(Clause::Not(not));
        }
        if self.shares_nodes() {
            self.further_clauses(keywords, node);
        }
    }
}

/// The kinds that `type` names, or all kinds.
fn kinds(keywords: &Keywords<'_>) -> Kinds {
    let format = keywords.text("format");
    let is_either = format.is_some_and(|format| format.text == "int-or-string");
    if is_either || keywords.flag("x-kubernetes-int-or-string") {
        return Kinds::INT | Kinds::STRING;
    }
    match keywords.get("type").map(|value| &value.value) {
        Some(NodeValue::String(name)) => kinds_of(name),
        Some(NodeValue::Array(names)) if names.is_empty() => Kinds::ANY,
        Some(NodeValue::Array(names)) => names.iter().fold(Kinds::NONE, |kinds, name| match &name.value.value {
            NodeValue::String(name) => kinds | kinds_of(name),
            _ => Kinds::ANY,
        }),
        _ => Kinds::ANY,
    }
}

/// The kinds of one type name; all kinds for an unknown name.
fn kinds_of(name: &str) -> Kinds {
    match name {
        "null" => Kinds::NULL,
        "boolean" => Kinds::BOOL,
        "integer" => Kinds::INT,
        "number" => Kinds::NUMBER,
        "string" => Kinds::STRING,
        "object" => Kinds::MAP,
        "array" => Kinds::ARRAY,
        _ => Kinds::ANY,
    }
}
