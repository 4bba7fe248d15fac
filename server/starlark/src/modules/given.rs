//! Arguments of the language's own functions and methods, with the checks and messages of ytt's interpreter.

use starlark::values::{Heap, Value};

use crate::failure::{Result, fail, limit};
use crate::format::{self, type_name};

/// How many items a function accepts at once.
const MAX_ITEMS: usize = 2_000_000;

/// Collects the items, unless there are too many.
pub(super) fn collect<'v>(items: impl Iterator<Item = Value<'v>>) -> Result<Vec<Value<'v>>> {
    let mut all = Vec::new();
    for item in items {
        if all.len() >= MAX_ITEMS {
            return limit("evaluation was stopped: too much memory");
        }
        all.push(item);
    }
    Ok(all)
}

/// The arguments of a built-in function of the language.
pub(super) struct BuiltinArguments<'v, 'a> {
    /// The function's name, for messages.
    pub(super) name: &'a str,
    pub(super) values: &'a [Value<'v>],
    pub(super) named: &'a [(&'a str, Value<'v>)],
}

impl<'v> BuiltinArguments<'v, '_> {
    /// Requires `least` to `most` arguments, none by name.
    pub(super) fn between(&self, least: usize, most: usize) -> Result<()> {
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
    pub(super) fn by_name<const N: usize>(&self, names: [&str; N], required: usize) -> Result<[Option<Value<'v>>; N]> {
        if self.values.len() > N {
            return fail(format!("{}: got {} arguments, want at most {N}", self.name, self.values.len()));
        }
        let mut found = [None; N];
        for (slot, value) in found.iter_mut().zip(self.values) {
            *slot = Some(*value);
        }
        for (name, value) in self.named {
            let place = names.iter().position(|known| known == name);
            match place.and_then(|place| found.get_mut(place)) {
                None => return fail(format!("{}: unexpected keyword argument {name}", self.name)),
                Some(Some(_)) => {
                    return fail(format!("{}: got multiple values for keyword argument {name}", self.name));
                }
                Some(slot) => *slot = Some(*value),
            }
        }
        match found.iter().zip(names).take(required).find(|(value, _)| value.is_none()) {
            Some((_, name)) => fail(format!("{}: missing argument for {name}", self.name)),
            None => Ok(found),
        }
    }

    /// The argument at `index`, if it was given.
    pub(super) fn at(&self, index: usize) -> Option<Value<'v>> {
        self.values.get(index).copied()
    }

    fn refuse<T>(&self, index: usize, value: Value<'v>, wanted: &str) -> Result<T> {
        fail(format!("{}: for parameter {}: got {}, want {wanted}", self.name, index + 1, type_name(value)))
    }

    /// A string argument.
    pub(super) fn text(&self, index: usize) -> Result<&'v str> {
        let value = self.at(index).unwrap_or_else(Value::new_none);
        value.unpack_str().map_or_else(|| self.refuse(index, value, "string"), Ok)
    }

    /// An integer argument, if it was given.
    pub(super) fn number(&self, index: usize) -> Result<Option<i64>> {
        let Some(value) = self.at(index) else { return Ok(None) };
        match format::integer(value) {
            None => self.refuse(index, value, "int"),
            Some(number) => match i64::try_from(number) {
                Ok(number) => Ok(Some(number)),
                Err(_) => fail(format!("{}: for parameter {}: {number} out of range", self.name, index + 1)),
            },
        }
    }

    /// A boolean argument, if it was given.
    pub(super) fn truth(&self, index: usize) -> Result<Option<bool>> {
        let Some(value) = self.at(index) else { return Ok(None) };
        value.unpack_bool().map_or_else(|| self.refuse(index, value, "bool"), |truth| Ok(Some(truth)))
    }

    /// The items of an iterable argument.
    pub(super) fn items(&self, index: usize, heap: Heap<'v>) -> Result<Vec<Value<'v>>> {
        let value = self.at(index).unwrap_or_else(Value::new_none);
        match value.iterate(heap) {
            Ok(items) => collect(items),
            Err(_) => self.refuse(index, value, "iterable"),
        }
    }

    /// The bounds of `[start:end]` in something of `length`: both are clamped, and the start may be greater than the
    /// end.
    pub(super) fn bounds(&self, first: usize, length: usize) -> Result<(usize, usize)> {
        let bound = |index: usize, which: &str, default: usize| {
            let Some(value) = self.at(index).filter(|value| !value.is_none()) else { return Ok(default) };
            let Some(at) = format::integer(value) else {
                return fail(format!("{}: invalid {which} index: got {}, want int", self.name, type_name(value)));
            };
            let at = if at < 0 { at + length as i128 } else { at };
            Ok(usize::try_from(at.clamp(0, length as i128)).unwrap_or(length))
        };
        Ok((bound(first, "start", 0)?, bound(first + 1, "end", length)?))
    }
}
