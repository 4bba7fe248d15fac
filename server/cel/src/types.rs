//! The types of expressions, as the API server's checker has them.

use crate::structural::escaped_word;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub enum Type {
    /// Known only when the expression is evaluated.
    Dyn,
    /// `null`
    Null,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// An unsigned integer.
    Uint,
    /// A floating-point number.
    Double,
    /// A string.
    Text,
    /// Bytes.
    Bytes,
    /// A length of time.
    Duration,
    /// A point in time.
    Timestamp,
    /// An array of this.
    List(Arc<Type>),
    /// A map.
    Map(Arc<(Type, Type)>),
    /// A type of values, as a value.
    Type(Arc<Type>),
    /// One of these values or null.
    Wrapper(Arc<Type>),
    /// A type of a library, with its parameters.
    Opaque(Arc<str>, Arc<[Type]>),
    /// An object with declared fields.
    Object(Arc<Object>),
    /// Any type, the same at each use of the name in a signature.
    Named(char),
    /// A type that is not known yet.
    Open(usize),
}

/// An object with declared fields. Two are the same type if they have the same name.
#[derive(Debug)]
pub struct Object {
    /// Where it is declared.
    pub name: String,
    /// The types of the fields, by the names they have in expressions.
    pub fields: BTreeMap<String, Type>,
    /// It may have other fields, of which nothing is known.
    pub is_open: bool,
}

impl Object {
    /// The type of a field. Names that are words of the language are escaped, but can also be written as they are.
    pub fn field(&self, name: &str) -> Option<&Type> {
        self.fields.get(name).or_else(|| self.fields.get(&escaped_word(name)?))
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The name of types whose values may be absent.
pub const OPTIONAL: &str = "optional_type";

impl Type {
    /// An array of this.
    pub fn list(item: Type) -> Type {
        Type::List(Arc::new(item))
    }

    /// A map from one type to another.
    pub fn map(key: Type, value: Type) -> Type {
        Type::Map(Arc::new((key, value)))
    }

    /// A value that may be absent.
    pub fn optional(value: Type) -> Type {
        Type::Opaque(OPTIONAL.into(), [value].into())
    }

    /// What may be absent.
    pub fn as_optional(&self) -> Option<&Type> {
        match self {
            Type::Opaque(name, parameters) if **name == *OPTIONAL => parameters.first(),
            _ => None,
        }
    }

    /// Whether null is one of its values, or is allowed where one is expected.
    pub fn is_nullable(&self) -> bool {
        matches!(
            self,
            Type::Opaque(..) | Type::Object(_) | Type::Duration | Type::Timestamp | Type::Wrapper(_) | Type::Null
        )
    }

    /// Its parts.
    pub fn parameters(&self) -> &[Type] {
        match self {
            Type::List(item) | Type::Type(item) | Type::Wrapper(item) => std::slice::from_ref(item),
            Type::Opaque(_, parameters) => parameters,
            _ => &[],
        }
    }

    /// The type with its parts replaced.
    pub fn replace(&self, with: &mut dyn FnMut(&Type) -> Option<Type>) -> Type {
        if let Some(other) = with(self) {
            return other;
        }
        match self {
            Type::List(item) => Type::list(item.replace(with)),
            Type::Map(parts) => Type::map(parts.0.replace(with), parts.1.replace(with)),
            Type::Type(of) => Type::Type(Arc::new(of.replace(with))),
            Type::Opaque(name, parameters) => {
                Type::Opaque(name.clone(), parameters.iter().map(|part| part.replace(with)).collect())
            }
            other => other.clone(),
        }
    }

    /// The name that the type has as a value.
    pub fn value_name(&self) -> String {
        match self {
            Type::List(_) => "list".to_owned(),
            Type::Map(_) => "map".to_owned(),
            Type::Type(_) => "type".to_owned(),
            Type::Null => "null_type".to_owned(),
            Type::Opaque(name, _) => name.to_string(),
            other => other.to_string(),
        }
    }

    /// The type in words, with an article.
    pub fn words(&self) -> String {
        match self {
            Type::Dyn | Type::Named(_) | Type::Open(_) => "any value".to_owned(),
            Type::Null => "null".to_owned(),
            Type::Bool => "a boolean".to_owned(),
            Type::Int => "an integer".to_owned(),
            Type::Uint => "an unsigned integer".to_owned(),
            Type::Double => "a floating-point number".to_owned(),
            Type::Text => "a string".to_owned(),
            Type::Bytes => "bytes".to_owned(),
            Type::Duration => "a duration".to_owned(),
            Type::Timestamp => "a timestamp".to_owned(),
            Type::List(_) => "an array".to_owned(),
            Type::Map(_) => "a map".to_owned(),
            Type::Type(_) => "a type".to_owned(),
            Type::Wrapper(of) => of.words(),
            Type::Object(_) => "an object".to_owned(),
            Type::Opaque(..) => match self.as_optional() {
                Some(_) => "an optional value".to_owned(),
                None => format!("`{self}`"),
            },
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Type::Dyn => "dyn",
            Type::Null => "null",
            Type::Bool => "bool",
            Type::Int => "int",
            Type::Uint => "uint",
            Type::Double => "double",
            Type::Text => "string",
            Type::Bytes => "bytes",
            Type::Duration => "google.protobuf.Duration",
            Type::Timestamp => "google.protobuf.Timestamp",
            Type::List(item) => return write!(f, "list({item})"),
            Type::Map(parts) => return write!(f, "map({}, {})", parts.0, parts.1),
            Type::Type(of) => return write!(f, "type({of})"),
            Type::Wrapper(of) => return write!(f, "wrapper({of})"),
            Type::Opaque(name, parameters) => {
                f.write_str(name)?;
                for (number, parameter) in parameters.iter().enumerate() {
                    write!(f, "{}{parameter}", if number == 0 { "(" } else { ", " })?;
                }
                return f.write_str(if parameters.is_empty() { "" } else { ")" });
            }
            Type::Object(object) => &object.name,
            Type::Named(name) => return write!(f, "{name}"),
            Type::Open(_) => "dyn",
        };
        f.write_str(name)
    }
}

/// How a function is called and what it returns: `(list(T)).indexOf(T) -> int`, `ip.isCanonical(string) -> bool`. After a
/// star, there may be more parameters of the last type: `names.joined(string, string*) -> string`.
#[derive(Debug, Clone, PartialEq)]
pub struct Signature {
    /// Its name, with its path.
    pub name: String,
    /// Whether the first parameter is its receiver.
    pub is_method: bool,
    /// The types of what it is called with.
    pub parameters: Vec<Type>,
    /// The last one may be given any number of times more.
    pub repeats: bool,
    /// The type of its result.
    pub result: Type,
}

impl Signature {
    /// Whether it can be called with this many arguments, including the receiver.
    pub fn takes(&self, count: usize) -> bool {
        self.parameters.len() == count || self.repeats && self.parameters.len() < count
    }

    /// Reads a signature; None if it is not one.
    pub fn parse(text: &str) -> Option<Signature> {
        let mut reader = Reader { rest: text, repeats: false };
        let receiver = if reader.take("(") {
            let receiver = reader.a_type()?;
            (reader.take(")") && reader.take(".")).then_some(())?;
            Some(receiver)
        } else {
            None
        };
        let name = reader.name()?.to_owned();
        reader.take("(").then_some(())?;
        let is_method = receiver.is_some();
        let mut parameters: Vec<Type> = receiver.into_iter().collect();
        parameters.extend(reader.types()?);
        let repeats = reader.repeats;
        reader.take("->").then_some(())?;
        let result = reader.a_type()?;
        Some(Signature { name, is_method, parameters, repeats, result })
    }
}

/// Reads a type: `map(string, list(int))`. A single capital letter stands for any type.
pub fn parse_type(text: &str) -> Option<Type> {
    let mut reader = Reader { rest: text, repeats: false };
    reader.a_type().filter(|_| reader.rest.trim().is_empty())
}

struct Reader<'t> {
    rest: &'t str,
    /// There was a star after a type.
    repeats: bool,
}

impl<'t> Reader<'t> {
    fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn name(&mut self) -> Option<&'t str> {
        let text = self.rest.trim_start();
        let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '@' | '!' | '?' | '[' | ']'));
        let (name, rest) = text.split_at(text.find(is_end).unwrap_or(text.len()));
        self.rest = rest;
        Some(name).filter(|name| !name.is_empty())
    }

    /// Types up to a closing parenthesis.
    fn types(&mut self) -> Option<Vec<Type>> {
        let mut types = Vec::new();
        while !self.take(")") {
            types.push(self.a_type()?);
            self.repeats |= self.take("*");
            if !self.take(",") {
                return self.take(")").then_some(types);
            }
        }
        Some(types)
    }

    fn a_type(&mut self) -> Option<Type> {
        let name = self.name()?;
        let mut parameters = if self.take("(") { self.types()? } else { Vec::new() };
        let mut next = || if parameters.is_empty() { Type::Dyn } else { parameters.remove(0) };
        Some(match name {
            "dyn" => Type::Dyn,
            "null" | "null_type" => Type::Null,
            "bool" => Type::Bool,
            "int" => Type::Int,
            "uint" => Type::Uint,
            "double" => Type::Double,
            "string" => Type::Text,
            "bytes" => Type::Bytes,
            "duration" | "google.protobuf.Duration" => Type::Duration,
            "timestamp" | "google.protobuf.Timestamp" => Type::Timestamp,
            "list" => Type::list(next()),
            "map" => Type::map(next(), next()),
            "type" => Type::Type(Arc::new(next())),
            "wrapper" => Type::Wrapper(Arc::new(next())),
            "optional" | OPTIONAL => Type::optional(next()),
            "ip" => opaque("net.IP"),
            "cidr" => opaque("net.CIDR"),
            "url" => opaque("kubernetes.URL"),
            "quantity" => opaque("kubernetes.Quantity"),
            "semver" => opaque("kubernetes.Semver"),
            "format" => opaque("kubernetes.NamedFormat"),
            _ => match (name.chars().next(), name.len()) {
                (Some(letter), 1) if letter.is_ascii_uppercase() => Type::Named(letter),
                _ => Type::Opaque(name.into(), parameters.into()),
            },
        })
    }
}

fn opaque(name: &str) -> Type {
    Type::Opaque(name.into(), [].into())
}

/// The names of types that are values, and the types.
pub fn named(name: &str) -> Option<Type> {
    Some(match name {
        "bool"
        | "int"
        | "uint"
        | "double"
        | "string"
        | "bytes"
        | "null_type"
        | "google.protobuf.Duration"
        | "google.protobuf.Timestamp"
        | "list"
        | "map"
        | "type"
        | "optional_type" => parse_type(name)?,
        "net.IP"
        | "net.CIDR"
        | "kubernetes.URL"
        | "kubernetes.Quantity"
        | "kubernetes.Semver"
        | "kubernetes.NamedFormat" => opaque(name),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Signature, Type, parse_type};

    #[test]
    fn signatures_are_read() {
        let found = Signature::parse("(map(K, V)).get(K, optional(list(V))) -> V").expect("a signature");
        assert!(found.is_method && found.name == "get" && found.parameters.len() == 3);
        assert_eq!(found.result, Type::Named('V'));
        let found = Signature::parse("ip.isCanonical(string) -> bool").expect("a signature");
        assert!(!found.is_method && found.name == "ip.isCanonical");
        for text in ["map(string, list(int))", "optional_type(dyn)", "tuple(T, U)", "google.protobuf.Duration"] {
            assert_eq!(parse_type(text).map(|found| found.to_string()).as_deref(), Some(text));
        }
        let found = Signature::parse("f(int, string*) -> bool").expect("a signature");
        assert!(found.repeats && found.parameters == [Type::Int, Type::Text]);
        for wrong in ["f(", "(int.f() -> int", "f() int", "f(int"] {
            assert_eq!(Signature::parse(wrong), None, "{wrong}");
        }
    }
}
