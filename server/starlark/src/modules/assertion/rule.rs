//! The functions `check` of assertion objects.

use std::cmp::Ordering;

use lofting_eval::FragmentKind;
use lofting_interpreter::{DictKey, Value, format};

use crate::failure::{Result, fail};
use crate::object::{ObjectKind, Ours};
use crate::plain;
use crate::run::NamedValues;

/// What an assertion object checks.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rule {
    Min,
    Max,
    MinLen,
    MaxLen,
    NotNull,
    OneNotNull,
    OneOf,
}

impl Rule {
    /// The name of its parameter. In ytt all rules are lambdas but one, which is a function of Go.
    fn parameter(self) -> Option<&'static str> {
        match self {
            Rule::Min | Rule::Max | Rule::OneOf => Some("val"),
            Rule::MinLen | Rule::MaxLen => Some("sequence"),
            Rule::NotNull => Some("value"),
            Rule::OneNotNull => None,
        }
    }

    /// How many parameters are known.
    pub(crate) fn parameters(self) -> Option<u32> {
        self.parameter().map(|_| 1)
    }

    /// What `type` says of the function.
    pub(crate) fn type_name(self) -> &'static str {
        if self.parameter().is_some() { "function" } else { "builtin_function_or_method" }
    }

    /// How the function is printed.
    pub(crate) fn text(self) -> &'static str {
        if self.parameter().is_some() { "<function lambda>" } else { "<built-in function assert.one_not_null>" }
    }

    /// Checks a value; `own` is what the object was made with.
    pub(crate) fn call(self, own: &[Value], positional: Vec<Value>, named: NamedValues) -> Result<Value> {
        let value = self.argument(positional, named)?;
        let own = own.first().unwrap_or(&Value::None);
        match self {
            Rule::Min => limit(&value, own, ">=", Ordering::is_ge, '<'),
            Rule::Max => limit(&value, own, "<=", Ordering::is_le, '>'),
            Rule::MinLen => length(&value, own, Ordering::is_ge),
            Rule::MaxLen => length(&value, own, Ordering::is_le),
            Rule::NotNull => holds(!value.is_none(), || "value is null".to_owned()),
            Rule::OneNotNull => one_not_null(&value, own),
            Rule::OneOf => {
                let found = through_yaml(own)?.contains(&through_yaml(&value)?)?;
                holds(found, || "not one of allowed values".to_owned())
            }
        }
    }

    /// The value to check.
    fn argument(self, positional: Vec<Value>, named: NamedValues) -> Result<Value> {
        let given = positional.len();
        let mut value = positional.into_iter().next();
        let Some(parameter) = self.parameter() else {
            return match value {
                Some(value) if given == 1 => Ok(value),
                _ => fail(format!("check: got {given} arguments, want 1")),
            };
        };
        if given > 1 {
            return fail(format!("function lambda accepts 1 positional argument ({given} given)"));
        }
        for (name, argument) in named {
            if name != parameter {
                return fail(format!("function lambda got an unexpected keyword argument \"{name}\""));
            }
            if value.replace(argument).is_some() {
                return fail(format!("function lambda got multiple values for parameter \"{name}\""));
            }
        }
        match value {
            Some(value) => Ok(value),
            None => fail(format!("function lambda missing 1 argument ({parameter})")),
        }
    }
}

fn holds(holds: bool, otherwise: impl FnOnce() -> String) -> Result<Value> {
    if holds { Ok(Value::Bool(true)) } else { fail(format!("fail: {}", otherwise())) }
}

fn limit(value: &Value, bound: &Value, operator: &str, allows: fn(Ordering) -> bool, sign: char) -> Result<Value> {
    let bound = through_yaml(bound)?;
    let order = through_yaml(value)?.compare(&bound, operator)?;
    holds(order.is_some_and(allows), || format!("value {sign} {}", format::shown(&bound)))
}

fn length(value: &Value, bound: &Value, allows: fn(Ordering) -> bool) -> Result<Value> {
    let Some(length) = value.length() else {
        return fail(format!("len: value of type {} has no len", value.type_name()));
    };
    let order = Value::Int(length as i64).compare(bound, "<=")?;
    holds(order.is_some_and(allows), || format!("length = {length}"))
}

fn one_not_null(value: &Value, keys: &Value) -> Result<Value> {
    let value = through_yaml(value)?;
    let Value::Dict(dict) = &value else {
        return fail(format!("check: value must be a map or dict, but was '{}'", value.type_name()));
    };
    let keys = match keys {
        Value::None => dict.keys(),
        keys => keys.items()?.iter().map(through_yaml).collect::<Result<_>>()?,
    };
    let mut set = Vec::new();
    for key in keys {
        let shown = format::shown_quoted(&key);
        if dict.get(&DictKey::new(key)?).is_some_and(|value| !value.is_none()) {
            set.push(shown);
        }
    }
    match set.len() {
        1 => Ok(Value::Bool(true)),
        0 if dict.is_empty() => fail("check: value is empty"),
        0 => fail("check: all values are null"),
        _ => fail(format!("check: [{}] are not null", set.join(", "))),
    }
}

/// What is left of a value that is written as YAML and read again: plain values, and null of a fragment without items
/// (docs/ytt.md 13.5).
fn through_yaml(value: &Value) -> Result<Value> {
    if matches!(value, Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::String(_)) {
        return Ok(value.clone());
    }
    let nothing = |ours: Ours<'_>| match ours.kind {
        ObjectKind::Fragment(FragmentKind::DocumentSet, _) => false,
        ObjectKind::Fragment(_, items) => items.is_empty(),
        _ => false,
    };
    if Ours::of(value).is_some_and(nothing) {
        return Ok(Value::None);
    }
    plain::node(value).map(|node| plain::value(&node)).map_err(|failure| failure.within("yaml.encode"))
}
