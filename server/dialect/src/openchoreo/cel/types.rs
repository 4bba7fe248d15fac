//! Types of expressions, as far as they are known: parameters have the types of the schema. An unknown type is never an
//! error.

use super::declared;
use super::functions::{Called, Style, called, has_functions};
use super::variables::{Field, FieldType, PACKAGE, PACKAGED, PREFIXES, TYPES, VARIABLES};
use lofting_cel::{Expression, Id, Member, Node, NodeKind, Operator, Scope};
use lofting_document::{Key, Span};
use lofting_schema::{ConstraintKind, KeyChild, Schema, SchemaId, Shape, Step, Via};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// The type of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// Not known.
    Unknown,
    /// `null`
    Null,
    /// A boolean.
    Bool,
    /// A number of any kind.
    Number,
    /// Text.
    String,
    /// An array of this.
    List(Box<Type>),
    /// A map of this.
    Map(Box<Type>),
    /// An entry of a map: it has a `key`, and a `value` of this type.
    Entry(Box<Type>),
    /// A value for which these nodes of a schema apply.
    Nodes(Arc<Schema>, Arc<[SchemaId]>),
    /// A map without fields, because nothing declares any.
    Absent,
    /// A value of the platform with these fields and perhaps others.
    Fields(&'static [Field]),
    /// Documents by these ids, which items of the spec have.
    ById(IdsOf, Arc<[SmolStr]>),
}

/// What has ids by which expressions find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdsOf {
    /// Resources that a type applies.
    Resources,
    /// Documents that a workflow refers to.
    References,
}

/// The kind of a value, as far as it decides which operations are possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeKind {
    /// Not known.
    Unknown,
    /// `null`
    Null,
    /// A boolean.
    Bool,
    /// A number.
    Number,
    /// Text.
    String,
    /// An array.
    List,
    /// A map.
    Map,
}

impl TypeKind {
    /// The kind in a word, with its article.
    pub fn word(self) -> &'static str {
        match self {
            TypeKind::Unknown => "a value",
            TypeKind::Null => "null",
            TypeKind::Bool => "a boolean",
            TypeKind::Number => "a number",
            TypeKind::String => "a string",
            TypeKind::List => "an array",
            TypeKind::Map => "a map",
        }
    }
}

/// Formats whose values are not strings in expressions.
const SPECIAL_FORMATS: &[&str] = &["byte", "date", "date-time", "datetime", "duration"];

impl Type {
    /// The type for these nodes of a schema; unknown if there are none.
    pub fn of_nodes(schema: &Arc<Schema>, nodes: Vec<SchemaId>) -> Type {
        if nodes.is_empty() { Type::Unknown } else { Type::Nodes(schema.clone(), nodes.into()) }
    }

    /// The kind of the type.
    pub fn kind(&self) -> TypeKind {
        match self {
            Type::Unknown => TypeKind::Unknown,
            Type::Null => TypeKind::Null,
            Type::Bool => TypeKind::Bool,
            Type::Number => TypeKind::Number,
            Type::String => TypeKind::String,
            Type::List(_) => TypeKind::List,
            Type::Map(_) | Type::Entry(_) | Type::Absent | Type::Fields(_) | Type::ById(..) => TypeKind::Map,
            Type::Nodes(schema, nodes) => {
                let mut kinds = nodes.iter().map(|node| kind_of(schema, *node));
                let first = kinds.next().unwrap_or(TypeKind::Unknown);
                if kinds.all(|kind| kind == first) { first } else { TypeKind::Unknown }
            }
        }
    }

    /// The type of its items, for an array or the values of a map.
    fn items(&self) -> Type {
        match self {
            Type::List(item) | Type::Map(item) => (**item).clone(),
            Type::Nodes(schema, nodes) if self.kind() == TypeKind::List => {
                Type::of_nodes(schema, below(schema, nodes, &Step::Item))
            }
            Type::Nodes(schema, nodes) => {
                // An undeclared key leads to the nodes for all other keys.
                let children = nodes.iter().flat_map(|node| schema.children(*node, &Step::Key(Key::Null)));
                let others = children.filter(|child| child.via == Via::Rest);
                Type::of_nodes(schema, others.flat_map(|child| schema.speaking(child.schema)).collect())
            }
            _ => Type::Unknown,
        }
    }

    /// The types of the variables of a loop over it, which has one variable or two.
    pub fn looped(&self, several: bool) -> [Type; 2] {
        match (self.kind(), several) {
            (TypeKind::List, false) => [self.items(), Type::Unknown],
            (TypeKind::List, true) => [Type::Number, self.items()],
            (TypeKind::Map, _) => [Type::String, self.items()],
            _ => [Type::Unknown, Type::Unknown],
        }
    }

    /// Its known fields.
    pub fn fields(&self) -> Vec<(SmolStr, Type)> {
        match self {
            Type::Fields(fields) => fields.iter().map(|field| (field.name.into(), field.value())).collect(),
            Type::ById(_, ids) => ids.iter().map(|id| (id.clone(), Type::Unknown)).collect(),
            Type::Entry(value) => vec![("key".into(), Type::String), ("value".into(), (**value).clone())],
            Type::Nodes(schema, nodes) => {
                let mut found: Vec<(SmolStr, Type)> = Vec::new();
                let mut known: FxHashSet<SmolStr> = FxHashSet::default();
                for entry in nodes.iter().filter_map(|node| schema.node(*node).map.as_deref()).flat_map(|map| &map.keys)
                {
                    let name = SmolStr::from(entry.key.to_string());
                    if known.insert(name.clone()) {
                        let field = Type::of_nodes(schema, schema.speaking(entry.schema));
                        found.push((name, field));
                    }
                }
                found
            }
            _ => Vec::new(),
        }
    }

    /// The names of the fields that its schema declares.
    pub fn declared_names(&self) -> impl Iterator<Item = &str> {
        let (schema, nodes) = match self {
            Type::Nodes(schema, nodes) => (Some(schema), &**nodes),
            _ => (None, [].as_slice()),
        };
        let maps = nodes.iter().filter_map(move |node| schema?.node(*node).map.as_deref());
        maps.flat_map(|map| map.keys.iter().filter_map(|declared| declared.key.as_str()))
    }

    /// The type of a field.
    fn select(&self, name: &str, fields: Fields) -> Result<Type, TypeFaultKind> {
        match self {
            Type::Fields(fields) => {
                Ok(fields.iter().find(|field| field.name == name).map_or(Type::Unknown, Field::value))
            }
            Type::Entry(value) if name == "value" => Ok((**value).clone()),
            Type::Entry(_) if name == "key" => Ok(Type::String),
            Type::ById(of, ids) if !ids.iter().any(|id| id == name) => {
                Err(TypeFaultKind::UnknownId { name: name.into(), of: *of, known: Arc::clone(ids) })
            }
            Type::ById(..) | Type::Entry(_) | Type::Unknown => Ok(Type::Unknown),
            Type::Absent => Err(TypeFaultKind::UnknownField { name: name.into(), of: Type::Absent, declared: None }),
            Type::Map(value) => Ok((**value).clone()),
            Type::Nodes(schema, nodes) if self.kind() == TypeKind::Map => field(schema, nodes, name, fields),
            other => match other.kind() {
                TypeKind::Unknown => Ok(Type::Unknown),
                kind => Err(TypeFaultKind::NoFields { kind }),
            },
        }
    }
}

fn kind_of(schema: &Schema, id: SchemaId) -> TypeKind {
    let node = schema.node(id);
    if node.nullable {
        return TypeKind::Unknown;
    }
    let is_special = node.constraints.iter().any(|constraint| match &constraint.kind {
        ConstraintKind::Format(format) | ConstraintKind::FormatHint(format) => {
            SPECIAL_FORMATS.contains(&format.as_str())
        }
        _ => false,
    });
    match node.shape() {
        Shape::Null => TypeKind::Null,
        Shape::Bool => TypeKind::Bool,
        Shape::Int | Shape::Float => TypeKind::Number,
        Shape::String if !is_special => TypeKind::String,
        Shape::Map(_) => TypeKind::Map,
        Shape::Array(_) => TypeKind::List,
        _ => TypeKind::Unknown,
    }
}

fn below(schema: &Schema, nodes: &[SchemaId], step: &Step) -> Vec<SchemaId> {
    let children = nodes.iter().flat_map(|node| schema.children(*node, step));
    children.flat_map(|child| schema.speaking(child.schema)).collect()
}

/// Which fields the objects of a schema have in expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fields {
    /// Also those that the schema allows without declaring them.
    Allowed,
    /// Only those that the schema declares, with a type.
    Declared,
}

/// The type of a field of maps.
fn field(schema: &Arc<Schema>, nodes: &[SchemaId], name: &str, fields: Fields) -> Result<Type, TypeFaultKind> {
    let key = Key::from(name);
    let step = Step::Key(key.clone());
    let found = below(schema, nodes, &step);
    let declared = nodes.first().map(|node| schema.node(*node).declared.name);
    if !found.is_empty() {
        let mut children = nodes.iter().flat_map(|node| schema.children(*node, &step));
        let is_usable = fields == Fields::Allowed || children.any(|child| declared::has_type(schema, child.schema));
        let no_type = || TypeFaultKind::NoType { name: name.into(), declared };
        return if is_usable { Ok(Type::of_nodes(schema, found)) } else { Err(no_type()) };
    }
    let maps = || nodes.iter().filter_map(|node| schema.node(*node).map.as_deref());
    let is_open = maps().any(|map| map.keys.is_empty() || matches!(map.child(&key), KeyChild::Free));
    if is_open && fields == Fields::Allowed || maps().next().is_none() {
        return Ok(Type::Unknown);
    }
    let of = Type::Nodes(Arc::clone(schema), nodes.into());
    Err(TypeFaultKind::UnknownField { name: name.into(), of, declared })
}

/// A type error.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeFault {
    /// Where.
    pub range: Range<usize>,
    /// What is wrong.
    pub kind: TypeFaultKind,
}

/// The kinds of type errors.
#[derive(Debug, Clone, PartialEq)]
pub enum TypeFaultKind {
    /// An unknown name.
    UnknownVariable {
        /// The name.
        name: SmolStr,
    },
    /// A field that its schema does not declare.
    UnknownField {
        /// The field.
        name: SmolStr,
        /// The value that lacks it.
        of: Type,
        /// Where the map without the field is declared.
        declared: Option<Span>,
    },
    /// A field to which its schema gives no type.
    NoType {
        /// The field.
        name: SmolStr,
        /// Where the map with the field is declared.
        declared: Option<Span>,
    },
    /// An id that no resource has.
    UnknownId {
        /// The id.
        name: SmolStr,
        /// What has ids there.
        of: IdsOf,
        /// Those that there are.
        known: Arc<[SmolStr]>,
    },
    /// A field of a value that has no fields.
    NoFields {
        /// The kind of the value.
        kind: TypeKind,
    },
    /// An operator between values of these kinds.
    Operands {
        /// The left operand.
        left: TypeKind,
        /// The right operand.
        right: TypeKind,
    },
    /// A value of a different kind is required.
    Expected {
        /// Its kind.
        kind: TypeKind,
        /// The required kind, in words.
        expected: &'static str,
    },
    /// An unknown function.
    UnknownFunction {
        /// As it is written.
        name: SmolStr,
        /// How it is called.
        style: Style,
        /// Whether it may exist nevertheless.
        certainty: Existence,
    },
    /// A function with a wrong number of arguments.
    Arguments {
        /// The function.
        name: SmolStr,
        /// How many arguments it is called with.
        given: usize,
        /// How many it takes.
        takes: RangeInclusive<usize>,
    },
}

/// Whether an unknown function may exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existence {
    /// It does not.
    No,
    /// No known release has it.
    Later,
    /// A release may have it, unless it is a misspelling of a known one.
    May,
}

/// The result of checking an expression.
#[derive(Debug, Clone, Default)]
pub struct Checked {
    /// The type of each node.
    pub types: Vec<Type>,
    /// The type errors.
    pub faults: Vec<TypeFault>,
}

/// The type of each name that an expression can use; None for an unknown name.
pub type Variables<'v> = &'v dyn Fn(&str) -> Option<Type>;

/// Determines the types of an expression.
pub fn check(expression: &Expression, fields: Fields, variables: Variables<'_>) -> Checked {
    let mut checker = Checker { expression, fields, variables, checked: Checked::default() };
    for (id, node) in expression.nodes.iter().enumerate() {
        let found = checker.node(id, node);
        checker.checked.types.push(found);
    }
    checker.checked
}

/// The names that are defined at an offset in addition to those of the whole expression.
pub fn locals(expression: &Expression, offset: usize) -> impl Iterator<Item = &String> {
    let around = expression.scopes.iter().filter(move |scope| scope.range.start < offset && offset <= scope.range.end);
    around.flat_map(|scope| &scope.names)
}

struct Checker<'e> {
    expression: &'e Expression,
    fields: Fields,
    variables: Variables<'e>,
    checked: Checked,
}

impl Checker<'_> {
    fn of(&self, id: Id) -> &Type {
        self.checked.types.get(id).unwrap_or(&Type::Unknown)
    }

    fn range(&self, id: Id) -> Range<usize> {
        self.expression.nodes.get(id).map_or(0..0, |node| node.range.clone())
    }

    fn fault(&mut self, range: Range<usize>, kind: TypeFaultKind) {
        self.checked.faults.push(TypeFault { range, kind });
    }

    /// Reports a value that is known to be of a different kind.
    fn expect(&mut self, id: Id, expected: &[TypeKind], words: &'static str) {
        let kind = self.of(id).kind();
        if kind != TypeKind::Unknown && !expected.contains(&kind) {
            self.fault(self.range(id), TypeFaultKind::Expected { kind, expected: words });
        }
    }

    fn node(&mut self, id: Id, node: &Node) -> Type {
        match &node.kind {
            NodeKind::Missing | NodeKind::Bytes { .. } | NodeKind::Message { .. } => Type::Unknown,
            NodeKind::Number(_) => Type::Number,
            NodeKind::Text { .. } => Type::String,
            NodeKind::Bool(_) => Type::Bool,
            NodeKind::Null => Type::Null,
            NodeKind::Name(name) | NodeKind::Outermost(name) => self.name(id, name, &node.range),
            NodeKind::Select { .. } | NodeKind::Index { .. } => self.part(node),
            NodeKind::Call { of, name, name_range, arguments } => {
                self.known_function(*of, name, name_range, arguments.len());
                self.call(*of, name)
            }
            NodeKind::Unary(Operator::Not, of) => {
                self.expect(*of, &[TypeKind::Bool], "a boolean");
                Type::Bool
            }
            NodeKind::Unary(_, of) => {
                self.expect(*of, &[TypeKind::Number], "a number");
                Type::Number
            }
            NodeKind::Binary(operator, left, right) => self.binary(*operator, *left, *right, &node.range),
            NodeKind::Choice(condition, then, other) => {
                self.expect(*condition, &[TypeKind::Bool], "a boolean");
                let (then, other) = (self.of(*then), self.of(*other));
                if then == other { then.clone() } else { Type::Unknown }
            }
            NodeKind::List(items) => {
                let mut types = items.iter().map(|item| self.of(*item));
                let first = types.next().cloned().unwrap_or(Type::Unknown);
                let item = if types.all(|other| *other == first) { first } else { Type::Unknown };
                Type::List(Box::new(item))
            }
            NodeKind::Map(_) => Type::Map(Box::new(Type::Unknown)),
        }
    }

    /// A field, an item of an array, or a value of a map.
    fn part(&mut self, node: &Node) -> Type {
        let member = self.expression.member(node);
        // A string is not an index of an array.
        let member = member.filter(|member| !member.is_quoted || self.of(member.of).kind() == TypeKind::Map);
        let Some(Member { of, name, range, .. }) = member else {
            return match &node.kind {
                NodeKind::Index { of, .. } => self.of(*of).items(),
                _ => Type::Unknown,
            };
        };
        if name.is_empty() {
            return Type::Unknown;
        }
        self.of(of).select(name, self.fields).unwrap_or_else(|kind| {
            let range = match &kind {
                TypeFaultKind::NoFields { .. } => self.range(of).end..range.end,
                _ => range,
            };
            self.fault(range, kind);
            Type::Unknown
        })
    }

    fn name(&mut self, id: Id, name: &str, range: &Range<usize>) -> Type {
        // Inner scopes end before outer ones.
        let mut around = self.expression.scopes.iter().filter(|scope| scope.nodes.contains(&id));
        let local = |scope: &Scope| scope.names.iter().position(|local| local == name);
        if let Some((scope, number)) = around.find_map(|scope| Some((scope, local(scope)?))) {
            let looped = self.of(scope.of).looped(scope.names.len() > 1);
            return looped.get(number).filter(|_| scope.is_loop).cloned().unwrap_or(Type::Unknown);
        }
        if let Some(known) = (self.variables)(name) {
            return known;
        }
        if !TYPES.contains(&name) && !self.begins_type(id, name) {
            self.fault(range.clone(), TypeFaultKind::UnknownVariable { name: name.into() });
        }
        Type::Unknown
    }

    /// Whether a name begins that of a type in a package.
    fn begins_type(&self, id: Id, name: &str) -> bool {
        let [first, second] = PACKAGE;
        // What selects from a name follows it.
        let selected = |from: Id| match self.expression.nodes.get(from + 1).map(|node| &node.kind) {
            Some(NodeKind::Select { of, name, .. }) if *of == from => Some(name.as_str()),
            _ => None,
        };
        let is_packaged = |name: &str| PACKAGED.contains(&name);
        name == first && selected(id) == Some(second) && selected(id + 1).is_some_and(is_packaged)
    }

    /// Reports an unknown function, or a wrong number of arguments.
    fn known_function(&mut self, of: Option<Id>, name: &str, range: &Range<usize>, given: usize) {
        let value = of.and_then(|of| self.expression.nodes.get(of));
        let style = match value.map(|value| &value.kind) {
            None => Style::Alone,
            Some(NodeKind::Name(module)) => {
                PREFIXES.iter().find(|known| *known == module).map_or(Style::Method, |module| Style::Of(module))
            }
            Some(_) => Style::Method,
        };
        let is_of_nothing = of.is_some_and(|of| self.is_unknown_name(of));
        if name.is_empty() || is_of_nothing {
            return;
        }
        match called(style, name) {
            Called::Known(takes) if takes.contains(&given) => {}
            Called::Known(takes) => {
                self.fault(range.clone(), TypeFaultKind::Arguments { name: name.into(), given, takes });
            }
            Called::Unknown => {
                // Values of the platform have their own methods, and releases add functions.
                let is_of_platform = style == Style::Method
                    && of.is_some_and(|of| matches!(self.of(of), Type::Fields(_)) || self.is_variable(of));
                let certainty = if is_of_platform {
                    Existence::May
                } else if name.starts_with("oc_") || matches!(style, Style::Of(module) if !has_functions(module)) {
                    Existence::Later
                } else {
                    Existence::No
                };
                self.fault(range.clone(), TypeFaultKind::UnknownFunction { name: name.into(), style, certainty });
            }
        }
    }

    /// The name that a node is, unless it is defined in the expression itself.
    fn outer_name(&self, id: Id) -> Option<&str> {
        let Some(NodeKind::Name(name)) = self.expression.nodes.get(id).map(|node| &node.kind) else { return None };
        let is_local =
            self.expression.scopes.iter().any(|scope| scope.nodes.contains(&id) && scope.names.contains(name));
        (!is_local).then_some(name)
    }

    /// Whether a node is the name of a variable of the platform.
    fn is_variable(&self, id: Id) -> bool {
        self.outer_name(id).is_some_and(|name| VARIABLES.iter().any(|known| known.name == name))
    }

    /// Whether a node is a name that was reported as unknown.
    fn is_unknown_name(&self, id: Id) -> bool {
        let is_known =
            |name: &str| (self.variables)(name).is_some() || TYPES.contains(&name) || PREFIXES.contains(&name);
        self.outer_name(id).is_some_and(|name| !is_known(name))
    }

    fn call(&self, of: Option<Id>, name: &str) -> Type {
        let of = of.map(|of| self.of(of));
        match name {
            "has" | "all" | "exists" | "exists_one" | "existsOne" | "contains" | "startsWith" | "endsWith"
            | "matches" | "bool" | "hasValue" => Type::Bool,
            "size" | "int" | "uint" | "double" | "indexOf" | "lastIndexOf" => Type::Number,
            "string" | "join" | "lowerAscii" | "upperAscii" | "replace" | "substring" | "trim" | "format"
            | "oc_dns_label" | "oc_generate_name" | "oc_hash" => Type::String,
            "split" => Type::List(Box::new(Type::String)),
            "map" | "transformList" => Type::List(Box::new(Type::Unknown)),
            "filter" => of.cloned().unwrap_or(Type::Unknown),
            _ => Type::Unknown,
        }
    }

    fn binary(&mut self, operator: Operator, left: Id, right: Id, range: &Range<usize>) -> Type {
        let kinds = (self.of(left).kind(), self.of(right).kind());
        let both_known = kinds.0 != TypeKind::Unknown && kinds.1 != TypeKind::Unknown;
        let mut wrong = |fits: bool| {
            if both_known && !fits {
                self.fault(range.clone(), TypeFaultKind::Operands { left: kinds.0, right: kinds.1 });
            }
        };
        match operator {
            Operator::Or | Operator::And => {
                self.expect(left, &[TypeKind::Bool], "a boolean");
                self.expect(right, &[TypeKind::Bool], "a boolean");
                Type::Bool
            }
            Operator::Equal | Operator::NotEqual => {
                wrong(kinds.0 == kinds.1 || kinds.0 == TypeKind::Null || kinds.1 == TypeKind::Null);
                Type::Bool
            }
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                wrong(kinds.0 == kinds.1 && matches!(kinds.0, TypeKind::Number | TypeKind::String | TypeKind::Bool));
                Type::Bool
            }
            Operator::In => {
                self.expect(right, &[TypeKind::List, TypeKind::Map], "an array or a map");
                Type::Bool
            }
            Operator::Plus => {
                wrong(kinds.0 == kinds.1 && matches!(kinds.0, TypeKind::Number | TypeKind::String | TypeKind::List));
                match kinds.0 {
                    TypeKind::Number if kinds.1 == TypeKind::Number => Type::Number,
                    TypeKind::String if kinds.1 == TypeKind::String => Type::String,
                    TypeKind::List if kinds.1 == TypeKind::List => Type::List(Box::new(Type::Unknown)),
                    _ => Type::Unknown,
                }
            }
            Operator::Minus | Operator::Times | Operator::Divide | Operator::Remainder => {
                wrong(kinds == (TypeKind::Number, TypeKind::Number));
                if both_known { Type::Number } else { Type::Unknown }
            }
            Operator::Not => Type::Bool,
        }
    }
}

impl Field {
    /// The type of its values.
    pub fn value(&self) -> Type {
        match self.value {
            FieldType::Unknown => Type::Unknown,
            FieldType::Number => Type::Number,
            FieldType::String => Type::String,
            FieldType::Texts => Type::Map(Box::new(Type::String)),
            FieldType::List => Type::List(Box::new(Type::Unknown)),
            FieldType::Fields(fields) => Type::Fields(fields),
            FieldType::MapOf(fields) => Type::Map(Box::new(Type::Fields(fields))),
        }
    }
}

#[cfg(test)]
mod tests;
