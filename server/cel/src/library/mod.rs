//! The functions of the language and of Kubernetes' libraries: a file for each, in which each function has one line.

pub mod address;
mod conversions;
mod formatting;
mod lists;
pub mod names;
mod operators;
mod optional;
pub mod quantity;
mod regex;
pub mod semver;
mod sets;
mod strings;
mod times;
pub mod url;

pub use formatting::check as check_format;
pub use lists::sorted;

use crate::cost::{Failure, Meter, Price};
use crate::types::{Signature, Type};
use crate::value::Value;
use lofting_schema::re2::Expressions;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// A function.
#[derive(Debug)]
pub struct Row {
    /// The ways it can be called.
    pub signatures: &'static [&'static str],
    /// What a call costs.
    pub price: Price,
    /// What it does.
    pub run: Run,
}

/// What a function does. It is called only with arguments that fit one of its signatures, except the items of arrays and
/// the like.
pub type Run = fn(&mut Call<'_>) -> Result<Value, Failure>;

/// A call.
#[derive(Debug)]
pub struct Call<'c> {
    /// The receiver, if there is one, and the arguments.
    pub arguments: &'c [Value],
    /// The type of what it returns, as far as the signature says.
    pub result: &'c Type,
    /// Pays for what is made.
    pub meter: &'c mut Meter,
    /// Regular expressions that were compiled.
    pub expressions: &'c Expressions,
}

impl Call<'_> {
    /// The message about arguments that the function does not take.
    pub fn refused(&self) -> Failure {
        no_overload(self.arguments)
    }
}

/// The message about arguments that no function of that name takes.
pub fn no_overload(arguments: &[Value]) -> Failure {
    let types: Vec<&str> = arguments.iter().map(Value::type_words).collect();
    Failure::Because(format!(
        "this cannot be done with {}",
        if types.is_empty() { "nothing".into() } else { types.join(", ") }
    ))
}

/// One way to call a function.
#[derive(Debug)]
pub struct Overload {
    /// The types.
    pub signature: Signature,
    /// The function.
    pub row: &'static Row,
}

/// The language, and its extensions that every platform has.
const LANGUAGE: &[&[Row]] = &[
    operators::ROWS,
    conversions::ROWS,
    times::ROWS,
    strings::ROWS,
    formatting::ROWS,
    regex::ROWS,
    lists::ROWS,
    sets::ROWS,
    optional::ROWS,
];

/// The libraries of Kubernetes.
const KUBERNETES: &[&[Row]] =
    &[regex::OF_KUBERNETES, lists::OF_KUBERNETES, url::ROWS, address::ROWS, quantity::ROWS, semver::ROWS, names::ROWS];

type Overloads = FxHashMap<(String, bool), Vec<Overload>>;

/// Which functions there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// Those of the language, and of its extensions that every platform has.
    Language,
    /// Those of Kubernetes as well.
    Kubernetes,
}

static FUNCTIONS: LazyLock<Overloads> = LazyLock::new(|| functions(&[LANGUAGE, KUBERNETES]));

static OF_LANGUAGE: LazyLock<Overloads> = LazyLock::new(|| functions(&[LANGUAGE]));

fn functions(tables: &[&'static [&'static [Row]]]) -> Overloads {
    let mut functions = Overloads::default();
    for row in tables.iter().copied().flatten().copied().flatten() {
        for signature in row.signatures.iter().filter_map(|text| Signature::parse(text)) {
            let overloads = functions.entry((signature.name.clone(), signature.is_method)).or_default();
            overloads.push(Overload { signature, row });
        }
    }
    functions
}

/// The ways to call a function or method of this name.
pub fn overloads(name: &str, is_method: bool) -> Option<&'static [Overload]> {
    Library::Kubernetes.overloads(name, is_method)
}

impl Library {
    /// The ways to call a function or method of this name.
    pub fn overloads(self, name: &str, is_method: bool) -> Option<&'static [Overload]> {
        let functions = match self {
            Library::Language => &OF_LANGUAGE,
            Library::Kubernetes => &FUNCTIONS,
        };
        functions.get(&(name.to_owned(), is_method)).map(Vec::as_slice)
    }
}

/// All functions (with their paths) or methods that have names.
pub fn names(of_methods: bool) -> impl Iterator<Item = &'static str> {
    let all = FUNCTIONS.keys().filter(move |(name, is_method)| *is_method == of_methods && !name.starts_with('@'));
    all.map(|(name, _)| name.as_str())
}

/// Calls the first of the functions that takes these arguments.
pub fn call(
    overloads: &'static [Overload],
    arguments: &[Value],
    meter: &mut Meter,
    expressions: &Expressions,
) -> Result<Value, Failure> {
    let fits = |overload: &&Overload| {
        let parameters = &overload.signature.parameters;
        parameters.len() == arguments.len()
            && parameters.iter().zip(arguments).all(|(parameter, argument)| admits(parameter, argument))
    };
    let Some(overload) = overloads.iter().find(fits) else { return Err(no_overload(arguments)) };
    meter.spend((overload.row.price)(arguments))?;
    (overload.row.run)(&mut Call { arguments, result: &overload.signature.result, meter, expressions })
}

/// Whether a value may have a type, without a look at what it contains.
fn admits(parameter: &Type, value: &Value) -> bool {
    match (parameter, value) {
        (Type::Dyn | Type::Named(_) | Type::Open(_), _)
        | (Type::Null, Value::Null)
        | (Type::Bool, Value::Bool(_))
        | (Type::Int, Value::Int(_))
        | (Type::Uint, Value::Uint(_))
        | (Type::Double, Value::Double(_))
        | (Type::Text, Value::Text(_))
        | (Type::Bytes, Value::Bytes(_))
        | (Type::Duration, Value::Duration(_))
        | (Type::Timestamp, Value::Timestamp(_))
        | (Type::List(_), Value::List(_))
        | (Type::Map(_), Value::Map(_))
        | (Type::Type(_), Value::Type(_)) => true,
        (Type::Opaque(name, _), value) => **name == *value.type_name(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{KUBERNETES, LANGUAGE};
    use crate::types::Signature;

    #[test]
    fn every_signature_is_read() {
        for text in LANGUAGE.iter().chain(KUBERNETES).copied().flatten().flat_map(|row| row.signatures) {
            assert!(Signature::parse(text).is_some(), "{text}");
        }
    }
}
