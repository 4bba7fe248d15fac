//! Functions of the language.

mod numbers;
mod sequences;

use crate::arguments::Given;
use crate::attributes;
use crate::collections::Set;
use crate::evaluator::Evaluator;
use crate::failure::{Failure, Result, fail};
use crate::format::{self, shown};
use crate::value::Value;

pub(crate) use sequences::update;

/// A function of the language, or a method of its values: `len`, `string.upper`.
pub struct Builtin {
    /// Its full name.
    pub name: &'static str,
    pub(crate) run: fn(&mut Evaluator<'_>, &Given<'_>) -> Result<Value>,
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Builtin {
    /// The name without that of the type.
    pub(crate) fn short(&self) -> &'static str {
        self.name.split_once('.').map_or(self.name, |(_, short)| short)
    }
}

/// Every function, sorted.
static FUNCTIONS: [Builtin; 28] = [
    Builtin { name: "all", run: any_or_all },
    Builtin { name: "any", run: any_or_all },
    Builtin { name: "bool", run: bool },
    Builtin { name: "chr", run: numbers::chr },
    Builtin { name: "dict", run: sequences::dict },
    Builtin { name: "dir", run: dir },
    Builtin { name: "enumerate", run: sequences::enumerate },
    Builtin { name: "fail", run: print_or_fail },
    Builtin { name: "float", run: numbers::float },
    Builtin { name: "getattr", run: getattr },
    Builtin { name: "hasattr", run: hasattr },
    Builtin { name: "hash", run: numbers::hash },
    Builtin { name: "int", run: numbers::int },
    Builtin { name: "len", run: len },
    Builtin { name: "list", run: collection },
    Builtin { name: "max", run: sequences::extremum },
    Builtin { name: "min", run: sequences::extremum },
    Builtin { name: "ord", run: numbers::ord },
    Builtin { name: "print", run: print_or_fail },
    Builtin { name: "range", run: numbers::range },
    Builtin { name: "repr", run: text },
    Builtin { name: "reversed", run: collection },
    Builtin { name: "set", run: collection },
    Builtin { name: "sorted", run: sequences::sorted },
    Builtin { name: "str", run: text },
    Builtin { name: "tuple", run: collection },
    Builtin { name: "type", run: text },
    Builtin { name: "zip", run: sequences::zip },
];

/// The value of a name that the language defines.
pub fn predeclared(name: &str) -> Option<Value> {
    match name {
        "None" => Some(Value::None),
        "True" => Some(Value::Bool(true)),
        "False" => Some(Value::Bool(false)),
        _ => {
            let found = FUNCTIONS.binary_search_by(|function| function.name.cmp(name)).ok()?;
            FUNCTIONS.get(found).map(Value::Builtin)
        }
    }
}

/// All names that the language defines.
pub fn predeclared_names() -> impl Iterator<Item = &'static str> {
    ["None", "True", "False"].into_iter().chain(FUNCTIONS.iter().map(|function| function.name))
}

fn any_or_all(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    let wanted = given.name == "any";
    let found = given.items(0)?.iter().any(|item| item.truth() == wanted);
    Ok(Value::Bool(found == wanted))
}

fn bool(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(0, 1)?;
    Ok(Value::Bool(given.first().truth()))
}

fn len(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    match given.first().length() {
        Some(length) => Ok(Value::Int(length as i64)),
        None => fail(format!("len: value of type {} has no len", given.first().type_name())),
    }
}

fn text(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    Ok(match (given.name, given.first()) {
        ("str", text @ Value::String(_)) => text.clone(),
        ("str", value) => format::str(value)?.into(),
        ("repr", value) => format::repr(value)?.into(),
        (_, value) => value.type_name().into(),
    })
}

fn collection(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(usize::from(given.name == "reversed"), 1)?;
    let mut items = if given.values.is_empty() { Vec::new() } else { given.items(0)? };
    Ok(match given.name {
        "set" => Value::Set(Set::of(items)?),
        "tuple" => Value::tuple(items),
        name => {
            if name == "reversed" {
                items.reverse();
            }
            Value::list(items)
        }
    })
}

fn print_or_fail(evaluator: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    let name = given.name;
    let [separator] = Given { name, receiver: given.receiver, values: &[], named: given.named }.by_name(["sep"], 0)?;
    let separator = match separator {
        None => " ",
        Some(value) => match value.as_text() {
            Some(separator) => separator,
            None => return fail(format!("{name}: for parameter sep: got {}, want string", value.type_name())),
        },
    };
    let parts: Vec<String> = given.values.iter().map(shown).collect();
    let text = parts.join(separator);
    if name == "fail" {
        return fail(format!("fail: {text}"));
    }
    evaluator.print(text);
    Ok(Value::None)
}

fn getattr(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(2, 3)?;
    match (attributes::attribute(given.first(), given.text(1)?), given.at(2)) {
        (Ok(found), _) => Ok(found),
        (Err(_), Some(default)) => Ok(default.clone()),
        (Err(missing), None) => Err(Failure::within(missing, "getattr")),
    }
}

fn hasattr(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(2, 2)?;
    Ok(Value::Bool(attributes::attribute(given.first(), given.text(1)?).is_ok()))
}

fn dir(_: &mut Evaluator<'_>, given: &Given<'_>) -> Result<Value> {
    given.between(1, 1)?;
    Ok(Value::list(attributes::names(given.first()).into_iter().map(Value::String).collect()))
}
