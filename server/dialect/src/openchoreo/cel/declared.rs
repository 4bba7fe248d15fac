//! The check of types that the platform itself makes: what it declares for an expression, and what it refuses.
//!
//! Where it checks a document on submission, values have the types of the schemas, and what a schema declares with
//! `properties` is an object, which is not a map. Elsewhere types are known only when an expression is evaluated, so that
//! what is refused follows from the expression alone.

use super::functions::{Style, called};
use super::variables::{Field, FieldType};
use lofting_cel::library::Library;
use lofting_cel::types::Object;
use lofting_cel::{Environment, Expression, Fault, NodeKind, Program, Signature, Type, check};
use lofting_document::Key;
use lofting_schema::{Clause, ConstraintKind, Kinds, Schema, SchemaId, Via};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// What the platform adds to the language: its own functions, and extensions that Kubernetes does not have.
const FUNCTIONS: &[&str] = &[
    "oc_omit() -> dyn",
    "oc_hash(string) -> string",
    "oc_merge(map(string, dyn), map(string, dyn)*) -> map(string, dyn)",
    "oc_generate_name() -> string",
    "oc_generate_name(string) -> string",
    "oc_generate_name(list(string)) -> string",
    "oc_generate_name(dyn, dyn*) -> string",
    "oc_dns_label() -> string",
    "oc_dns_label(string) -> string",
    "oc_dns_label(list(string)) -> string",
    "oc_dns_label(dyn, dyn*) -> string",
    "(string).reverse() -> string",
    "base64.encode(bytes) -> string",
    "base64.decode(string) -> bytes",
    "math.greatest(dyn*) -> dyn",
    "math.least(dyn*) -> dyn",
    "math.ceil(double) -> double",
    "math.floor(double) -> double",
    "math.round(double) -> double",
    "math.trunc(double) -> double",
    "math.abs(int) -> int",
    "math.abs(uint) -> uint",
    "math.abs(double) -> double",
    "math.sign(int) -> int",
    "math.sign(uint) -> uint",
    "math.sign(double) -> double",
    "math.sqrt(int) -> double",
    "math.sqrt(uint) -> double",
    "math.sqrt(double) -> double",
    "math.isNaN(double) -> bool",
    "math.isInf(double) -> bool",
    "math.isFinite(double) -> bool",
    "math.bitNot(int) -> int",
    "math.bitNot(uint) -> uint",
    "math.bitAnd(int, int) -> int",
    "math.bitAnd(uint, uint) -> uint",
    "math.bitOr(int, int) -> int",
    "math.bitOr(uint, uint) -> uint",
    "math.bitXor(int, int) -> int",
    "math.bitXor(uint, uint) -> uint",
    "math.bitShiftLeft(int, int) -> int",
    "math.bitShiftLeft(uint, int) -> uint",
    "math.bitShiftRight(int, int) -> int",
    "math.bitShiftRight(uint, int) -> uint",
];

static SIGNATURES: LazyLock<Vec<Signature>> =
    LazyLock::new(|| FUNCTIONS.iter().filter_map(|text| Signature::parse(text)).collect());

/// How deep the types of a schema are declared.
const DEPTH: usize = 100;

/// An environment without variables.
pub fn environment() -> Environment {
    let functions = Cow::Borrowed(SIGNATURES.as_slice());
    Environment { library: Library::Language, functions, ..Environment::default() }
}

/// Whether a function is one that the platform adds, and may have a value that is not known here.
pub fn is_of_platform(name: &str) -> bool {
    SIGNATURES.iter().any(|signature| signature.name == name)
}

/// The type of values of a schema.
pub fn of_schema(schema: &Schema, name: &str) -> Type {
    let root = schema.node(schema.root());
    let found = (root.kinds != Kinds::ANY).then(|| Declarer { schema, depth: 0 }.of(schema.root(), name));
    found.flatten().unwrap_or(Type::Dyn)
}

/// Whether expressions can use the values of a node.
pub fn has_type(schema: &Schema, id: SchemaId) -> bool {
    Declarer { schema, depth: 0 }.of(id, "").is_some()
}

/// The type of a map without fields.
pub fn nothing(name: &str) -> Type {
    object(name, BTreeMap::new(), Openness::Closed)
}

/// Whether an object may have fields that are not known here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Openness {
    Open,
    Closed,
}

fn object(name: &str, fields: BTreeMap<String, Type>, openness: Openness) -> Type {
    Type::Object(Arc::new(Object { name: name.to_owned(), fields, is_open: openness == Openness::Open }))
}

/// The type of values that the platform provides.
pub fn of_platform(field: &Field, around: &str) -> Type {
    let name = format!("{around}.{}", field.name);
    let with = |fields: &[Field]| {
        let known = fields.iter().map(|field| (field.name.to_owned(), of_platform(field, &name)));
        object(&name, known.collect(), Openness::Open)
    };
    match field.value {
        FieldType::Unknown => Type::Dyn,
        FieldType::Number => Type::Int,
        FieldType::String => Type::Text,
        FieldType::Texts => Type::map(Type::Text, Type::Text),
        FieldType::List => Type::list(Type::Dyn),
        FieldType::Fields(fields) => with(fields),
        FieldType::MapOf(fields) => Type::map(Type::Text, with(fields)),
    }
}

/// The type of the variable of a loop over values of a type. Of an entry of a map, only the fields are declared.
pub fn looped(over: &Type) -> Type {
    match over {
        Type::List(item) => (**item).clone(),
        Type::Map(parts) => {
            let fields = [("key".to_owned(), Type::Text), ("value".to_owned(), shadow(&parts.1, 0))];
            object("MapEntry", fields.into(), Openness::Closed)
        }
        _ => Type::Dyn,
    }
}

fn shadow(of: &Type, depth: usize) -> Type {
    match of {
        Type::Object(own) if !own.fields.is_empty() && depth < DEPTH => {
            let fields = own.fields.iter().map(|(name, field)| (name.clone(), shadow(field, depth + 1)));
            let openness = if own.is_open { Openness::Open } else { Openness::Closed };
            object(&format!("MapEntry.{}", own.name), fields.collect(), openness)
        }
        _ => Type::Dyn,
    }
}

struct Declarer<'s> {
    schema: &'s Schema,
    depth: usize,
}

impl Declarer<'_> {
    /// The type of a node; None if expressions cannot use its values.
    fn of(&mut self, id: SchemaId, name: &str) -> Option<Type> {
        if self.depth >= DEPTH {
            return Some(Type::Dyn);
        }
        self.depth += 1;
        let found = self.found(id, name);
        self.depth -= 1;
        found
    }

    fn found(&mut self, id: SchemaId, name: &str) -> Option<Type> {
        let node = self.schema.node(id);
        if !node.known {
            return Some(Type::Dyn);
        }
        Some(match node.kinds {
            Kinds::ANY => {
                let joins = |clause: &Clause| matches!(clause, Clause::All(_) | Clause::Any(_) | Clause::One(_));
                return node.clauses.iter().any(joins).then_some(Type::Dyn);
            }
            Kinds::BOOL => Type::Bool,
            Kinds::INT => Type::Int,
            Kinds::NUMBER => Type::Double,
            Kinds::STRING => {
                let formats = node.constraints.iter().filter_map(|constraint| match &constraint.kind {
                    ConstraintKind::Format(format) => Some(format.as_str()),
                    _ => None,
                });
                match formats.last() {
                    Some("byte") => Type::Bytes,
                    Some("duration") => Type::Duration,
                    Some("date" | "date-time") => Type::Timestamp,
                    _ => Type::Text,
                }
            }
            Kinds::ARRAY => match &node.array {
                Some(array) if !array.open => Type::list(self.of(array.item, &format!("{name}.@idx"))?),
                _ => return None,
            },
            Kinds::MAP => match node.map.as_deref() {
                Some(map) => {
                    // An undeclared key leads to the node for all other keys.
                    let others = map.children(&Key::Null).into_iter().find(|child| child.via == Via::Rest);
                    if let Some(others) = others {
                        return Some(Type::map(Type::Text, self.of(others.schema, &format!("{name}.@elem"))?));
                    }
                    let mut fields = BTreeMap::new();
                    for declared in &map.keys {
                        let key = declared.key.to_string();
                        let found = self.of(declared.schema, &format!("{name}.{key}"));
                        fields.extend(found.map(|found| (key, found)));
                    }
                    object(name, fields, Openness::Closed)
                }
                None => Type::Dyn,
            },
            _ => Type::Dyn,
        })
    }
}

/// Why an expression is refused.
#[derive(Debug)]
pub enum Refusal {
    /// It cannot be read.
    Syntax(Fault),
    /// Types do not fit.
    Types(Fault),
}

/// The type of an expression, or the first thing for which it is refused.
pub fn result(expression: &Expression, mut environment: Environment) -> Result<Type, Refusal> {
    let methods = expression.nodes.iter().filter_map(|node| match &node.kind {
        NodeKind::Call { of: Some(_), name, .. } if !called(Style::Method, name).is_known() => Some(name),
        _ => None,
    });
    // Methods of the platform's own objects differ between its releases.
    for name in methods {
        let signature = Signature {
            name: name.clone(),
            is_method: true,
            parameters: vec![Type::Dyn],
            repeats: true,
            result: Type::Dyn,
        };
        environment.functions.to_mut().push(signature);
    }
    let program = Program::new(expression, &environment).map_err(Refusal::Syntax)?;
    let checked = check(&program, &environment);
    match checked.faults.into_iter().next() {
        Some(fault) => Err(Refusal::Types(fault)),
        None => Ok(checked.result),
    }
}

#[cfg(test)]
mod tests;
