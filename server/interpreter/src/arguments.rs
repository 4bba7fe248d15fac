//! Arguments of the language's own functions, with the checks and messages of ytt's interpreter.

use smol_str::SmolStr;

use crate::failure::{Result, fail};
use crate::integers;
use crate::value::Value;

/// The arguments of a call.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Those that are given by position.
    pub positional: Vec<Value>,
    /// Those that are given by name.
    pub named: Vec<(SmolStr, Value)>,
}

/// The arguments that a function of the language was given.
pub(crate) struct Given<'a> {
    /// The function's name, for messages.
    pub(crate) name: &'a str,
    /// The value before the dot, if it is a method.
    pub(crate) receiver: &'a Value,
    pub(crate) values: &'a [Value],
    pub(crate) named: &'a [(SmolStr, Value)],
}

impl<'a> Given<'a> {
    /// Requires `least` to `most` arguments, none by name.
    pub(crate) fn between(&self, least: usize, most: usize) -> Result<()> {
        if !self.named.is_empty() {
            return fail(format!("{}: unexpected keyword arguments", self.name));
        }
        let count = self.values.len();
        let (bound, words) = match count {
            few if few < least => (least, if least < most { "at least " } else { "" }),
            many if many > most => (most, if least < most { "at most " } else { "" }),
            _ => return Ok(()),
        };
        fail(format!("{}: got {count} arguments, want {words}{bound}", self.name))
    }

    /// Takes each argument by position or by name; the first `required` ones are mandatory.
    pub(crate) fn by_name<const N: usize>(&self, names: [&str; N], required: usize) -> Result<[Option<&'a Value>; N]> {
        if self.values.len() > N {
            return fail(format!("{}: got {} arguments, want at most {N}", self.name, self.values.len()));
        }
        let mut found = [None; N];
        for (slot, value) in found.iter_mut().zip(self.values) {
            *slot = Some(value);
        }
        for (name, value) in self.named {
            let place = names.iter().position(|known| known == name);
            match place.and_then(|place| found.get_mut(place)) {
                None => return fail(format!("{}: unexpected keyword argument {name}", self.name)),
                Some(Some(_)) => {
                    return fail(format!("{}: got multiple values for keyword argument {name}", self.name));
                }
                Some(slot) => *slot = Some(value),
            }
        }
        match found.iter().zip(names).take(required).find(|(value, _)| value.is_none()) {
            Some((_, name)) => fail(format!("{}: missing argument for {name}", self.name)),
            None => Ok(found),
        }
    }

    /// The argument at `index`, if it was given.
    pub(crate) fn at(&self, index: usize) -> Option<&'a Value> {
        self.values.get(index)
    }

    /// The first argument; `None` if there is none.
    pub(crate) fn first(&self) -> &'a Value {
        self.values.first().unwrap_or(&Value::None)
    }

    fn refuse<T>(&self, index: usize, value: &Value, wanted: &str) -> Result<T> {
        fail(format!("{}: for parameter {}: got {}, want {wanted}", self.name, index + 1, value.type_name()))
    }

    /// A string argument.
    pub(crate) fn text(&self, index: usize) -> Result<&'a str> {
        let value = self.at(index).unwrap_or(&Value::None);
        value.as_text().map_or_else(|| self.refuse(index, value, "string"), Ok)
    }

    /// An integer argument, if it was given.
    pub(crate) fn number(&self, index: usize) -> Result<Option<i64>> {
        match self.at(index) {
            None => Ok(None),
            Some(Value::Int(number)) => Ok(Some(*number)),
            Some(value @ Value::Big(_)) => {
                let shown = crate::format::shown_quoted(value);
                fail(format!("{}: for parameter {}: {shown} out of range", self.name, index + 1))
            }
            Some(value) => self.refuse(index, value, "int"),
        }
    }

    /// A boolean argument, if it was given.
    pub(crate) fn truth(&self, index: usize) -> Result<Option<bool>> {
        let Some(value) = self.at(index) else { return Ok(None) };
        value.as_bool().map_or_else(|| self.refuse(index, value, "bool"), |truth| Ok(Some(truth)))
    }

    /// The items of an iterable argument.
    pub(crate) fn items(&self, index: usize) -> Result<Vec<Value>> {
        let value = self.at(index).unwrap_or(&Value::None);
        match value.items() {
            Err(failure) if failure.kind() == crate::FailureKind::Runtime => self.refuse(index, value, "iterable"),
            items => items,
        }
    }

    /// The bounds of `[start:end]` in something of `length`: both are clamped, and the start may be greater than the
    /// end.
    pub(crate) fn bounds(&self, first: usize, length: usize) -> Result<(usize, usize)> {
        let bound = |index: usize, which: &str, default: usize| {
            let Some(value) = self.at(index).filter(|value| !value.is_none()) else { return Ok(default) };
            let Some(at) = integers::to_i128(value) else {
                return fail(format!("{}: invalid {which} index: got {}, want int", self.name, value.type_name()));
            };
            let at = if at < 0 { at + length as i128 } else { at };
            Ok(usize::try_from(at.clamp(0, length as i128)).unwrap_or(length))
        };
        Ok((bound(first, "start", 0)?, bound(first + 1, "end", length)?))
    }
}
